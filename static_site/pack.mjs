// Runs pack.py in the Python that will run the modules: node pack.mjs <Pyodide's folder> <the modules' folder> <the site>
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [runtime, modules, site] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${runtime}/pyodide.mjs`));
// Without the columns of a traceback, which take a third of the room.
const pyodide = await loadPyodide({ indexURL: runtime, env: { HOME: "/home", PYTHONNODEBUGRANGES: "1" } });
pyodide.mountNodeFS("/modules", modules);
pyodide.mountNodeFS("/runtime", runtime);
pyodide.runPython(readFileSync(new URL("pack.py", import.meta.url), "utf8"));
const packed = pyodide.FS.readdir("/site").filter((name) => name.endsWith(".zst"));
for (const name of [...packed, "pyodide/python_stdlib.zip"]) writeFileSync(`${site}/${name}`, pyodide.FS.readFile(`/site/${name}`));
