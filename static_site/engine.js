// The worker that calculates: one for all pages of the site if the browser has shared workers, otherwise one per page.
import { startPython } from "./python.mjs";

const here = (name) => new URL(name, import.meta.url).href;
const pages = [];
let state = "starting", reason = "";

const archive = fetch(here("python.tar.zst")).then((reply) => reply.arrayBuffer());
const python = startPython({ indexURL: here("pyodide/"), archive, words, build: self.name });
python.then(() => tell("ready"), (problem) => tell("failed", String(problem)));

async function words(language) {
  const reply = await fetch(here(`words-${language}.tar.zst`));
  if (!reply.ok) throw new Error(await reply.text());
  return reply.arrayBuffer();
}

function tell(now, why = "") {
  [state, reason] = [now, why];
  for (const page of pages) page.postMessage({ state, reason });
}

function connect(page) {
  pages.push(page);
  page.postMessage({ state, reason });
  page.onmessage = async ({ data, ports: [port] }) => {
    try {
      const reply = await (await python)(data);
      port.postMessage(reply, [reply.body]);
    } catch (problem) {
      port.postMessage({ status: 500, headers: [["content-type", "text/plain"]], body: String(problem) });
    }
  };
}

if ("SharedWorkerGlobalScope" in self) self.onconnect = ({ ports: [port] }) => connect(port);
else connect(self);
