// Python with Arpad in it: what a worker of the site runs, and what the tests run in Node.
import { loadPyodide } from "./pyodide/pyodide.mjs";

// Gives a function that answers requests with the application of the server, one after another. English words are in the
// archive; `words` fetches those of another language when its first page is asked for.
export async function startPython({ indexURL, archive, words, build }) {
  const pyodide = await loadPyodide({ indexURL, env: { HOME: "/home" } });
  pyodide.unpackArchive(await archive, "zstdtar", { extractDir: "/modules" });
  pyodide.runPython("import sys; sys.path.append('/modules')");
  const { create_site: createSite, respond } = pyodide.pyimport("arpad.web.app");
  const app = createSite(build);
  const languages = pyodide.pyimport("arpad.messages").languages().toJs(), loaded = { [languages[0]]: true };
  const load = async (language) => {
    pyodide.unpackArchive(await words(language), "zstdtar", { extractDir: "/modules" });
  };
  return async ({ method = "GET", url, root = "", headers = [], body = null }) => {
    const { pathname, search, protocol, host } = new URL(url);
    const [, language] = /^\/(?:words\/)?(\w+)/.exec(pathname.slice(root.length)) ?? [];
    if (languages.includes(language)) await (loaded[language] ??= load(language).catch((problem) => { delete loaded[language]; throw problem; }));
    // The address alone says which language, so that no other one's words are wanted.
    const sent = headers.filter(([name]) => name.toLowerCase() !== "accept-language");
    const sentWith = pyodide.toPy([...sent, ["host", host]]), content = pyodide.toPy(new Uint8Array(body ?? 0));
    const given = { root, scheme: protocol.slice(0, -1), headers: sentWith, body: content };
    const reply = await respond.callKwargs(app, method, pathname, search.slice(1), given);
    const [status, answered, answer] = reply.toJs();
    for (const proxy of [reply, sentWith, content]) proxy.destroy();
    return { status, headers: answered, body: answer.buffer };
  };
}
