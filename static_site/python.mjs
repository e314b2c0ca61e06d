// Python with Arpad in it: what a worker of the site runs, and what the tests run in Node.
import { loadPyodide } from "./pyodide/pyodide.mjs";

// Gives a function that answers requests with the application of the server, one after another.
export async function startPython({ indexURL, archive, build }) {
  const pyodide = await loadPyodide({ indexURL, env: { HOME: "/home" } });
  pyodide.unpackArchive(await archive, "zstdtar", { extractDir: "/modules" });
  pyodide.runPython("import sys; sys.path.append('/modules')");
  const { create_site: createSite, respond } = pyodide.pyimport("arpad.web.app");
  const app = createSite(build);
  return async ({ method = "GET", url, root = "", headers = [], body = null }) => {
    const { pathname, search, protocol, host } = new URL(url);
    const sentWith = pyodide.toPy([...headers, ["host", host]]), content = pyodide.toPy(new Uint8Array(body ?? 0));
    const given = { root, scheme: protocol.slice(0, -1), headers: sentWith, body: content };
    const reply = await respond.callKwargs(app, method, pathname, search.slice(1), given);
    const [status, sent, answer] = reply.toJs();
    for (const proxy of [reply, sentWith, content]) proxy.destroy();
    return { status, headers: sent, body: answer.buffer };
  };
}
