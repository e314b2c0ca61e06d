// Answers requests with the Python of a built site, in Node: node python_in_node.mjs <the site>, one JSON object a line.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [site] = process.argv.slice(2);
const { startPython } = await import(pathToFileURL(`${site}/python.mjs`));
const packed = (name) => new Uint8Array(readFileSync(`${site}/${name}.tar.zst`)).buffer;
const answer = await startPython({ indexURL: `${site}/pyodide/`, archive: packed("python"), words: async (language) => packed(`words-${language}`), build: "test" });
for await (const line of createInterface({ input: process.stdin })) {
  const { path, query, body, ...asked } = JSON.parse(line);
  const started = performance.now();
  const reply = await answer({ ...asked, url: `http://testserver${path}?${query}`, body: body && new TextEncoder().encode(body) });
  const text = new TextDecoder().decode(reply.body);
  process.stdout.write(`${JSON.stringify({ ...reply, body: text, milliseconds: performance.now() - started })}\n`);
}
