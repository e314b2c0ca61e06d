// Python with Arpad in it: what a worker of the site runs, and what the tests run in Node.
import { loadPyodide } from "./pyodide/pyodide.mjs";

// Gives a function that answers requests with the application of the server, one after another.
export async function startPython({ indexURL, archive, build }) {
  const pyodide = await loadPyodide({ indexURL, env: { HOME: "/home" } });
  pyodide.unpackArchive(await archive, "zstdtar", { extractDir: "/modules" });
  pyodide.runPython("import sys; sys.path.append('/modules')");
  const { create_site: createSite, respond } = pyodide.pyimport("arpad.web.embedded");
  const app = createSite(build);
  return async ({ method = "GET", path, query = "", root = "", scheme = "https", headers = [], body = null }) => {
    const given = { root, scheme, headers: pyodide.toPy(headers), body: pyodide.toPy(new Uint8Array(body ?? 0)) };
    const reply = await respond.callKwargs(app, method, path, query, given);
    const [status, sent, content] = reply.toJs();
    for (const proxy of [reply, given.headers, given.body]) proxy.destroy();
    return { status, headers: sent, body: content.buffer };
  };
}
