// What a page of the static site needs besides its own script: the service worker, the worker that calculates, and a line
// that shows their progress. It computes nothing.

const build = document.querySelector("meta[name=arpad-build]").content;
const prebuilt = "prebuilt" in document.body.dataset; // built with the site, not calculated for this reader
const root = new URL("./", import.meta.url);
const home = new URL(`${document.body.dataset.root}/`, location.href); // of this language
const words = JSON.parse(document.querySelector(".site-notice").dataset.words);
const phrase = (key, values = {}) => words[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
const worker = navigator.serviceWorker;
const isLink = prebuilt && location.search !== "";
let showsExample = prebuilt && !isLink && document.querySelector("form[data-live]") !== null;
let saying = "", values = {};

function say(key, given = {}) {
  [saying, values] = [key, given];
  const parts = [key && phrase(key, given), key && showsExample && !key.startsWith("no_") && phrase("example")];
  document.getElementById("site-status").textContent = parts.filter(Boolean).join(" ");
}

// --- a built page refers to its files by relative paths; its address may change, so they become absolute ---------------

function settle() {
  for (const name of ["href", "src", "action", "formaction", "data-root", "data-live", "data-address"]) {
    for (const element of document.querySelectorAll(`[${name}^="."]`)) {
      const { pathname, search, hash } = new URL(element.getAttribute(name), location.href);
      element.setAttribute(name, (name === "data-root" ? pathname.replace(/\/$/, "") : pathname) + search + hash);
    }
  }
  const clean = location.pathname.length > home.pathname.length ? location.pathname.replace(/\/$/, "") : location.pathname;
  if (!location.pathname.startsWith(`${home.pathname}waiting`)) history.replaceState(history.state, "", clean + location.search + location.hash);
  const day = document.querySelector("form[data-live] #on"), now = new Date();
  if (day?.value && !isLink) day.value = new Date(now - now.getTimezoneOffset() * 60000).toISOString().slice(0, 10);
}

// --- questions wait until the worker can answer them -----------------------------------------------------------------

let isReady = false, failed = null, answering, unanswerable;
const answered = new Promise((resolve, reject) => { [answering, unanswerable] = [resolve, reject]; });
answered.catch(() => {});
const fetchNow = window.fetch.bind(window);
window.fetch = async (...given) => {
  await answered;
  const request = new Request(...given);
  return request.method === "GET" && request.url.startsWith(root.href) ? computed(request) : fetchNow(request);
};
document.addEventListener("submit", async (event) => {
  if (isReady || event.defaultPrevented) return;
  event.preventDefault();
  const { target, submitter } = event;
  await answered;
  target.requestSubmit(submitter);
});

async function control() {
  const registration = await worker.register(new URL("service-worker.js", root), { scope: root.pathname, updateViaCache: "none" });
  offerUpdates(registration);
  const installing = registration.active ? null : registration.installing ?? registration.waiting;
  installing?.addEventListener("statechange", () => { if (installing.state === "redundant") fail(new Error(phrase("incomplete"))); });
  if (worker.controller) return;
  if (registration.active) await rejoin(registration.active);
  await new Promise((resolve) => { if (worker.controller) resolve(); else worker.addEventListener("controllerchange", resolve, { once: true }); });
}

// A forced reload bypasses the service worker: the page comes from the host and may be newer than this reader's build.
async function rejoin(active) {
  const { port1, port2 } = new MessageChannel();
  const used = new Promise((resolve) => { port1.onmessage = ({ data }) => resolve(data); });
  active.postMessage("build", [port2]);
  if ((await used) === build) active.postMessage("claim");
  else location.reload();
}

// The service worker loads a language when its words are first asked for, and keeps it.
async function keepWords(language) {
  const reply = await fetchNow(new URL(`words-${language}.tar.zst`, root));
  if (!reply.ok) throw new Error(await reply.text());
}

// --- the worker that calculates ----------------------------------------------------------------------------------

let calculator = null;

// The page's own requests go straight to the worker, because the detour through the service worker would take longer than
// the answer; redirects are left to the browser.
async function computed(request) {
  const { port1, port2 } = new MessageChannel();
  const reply = new Promise((resolve) => { port1.onmessage = ({ data }) => resolve(data); });
  calculator.postMessage({ url: request.url, root: root.pathname.slice(0, -1), headers: [...request.headers] }, [port2]);
  const { status, headers, body } = await reply;
  return status >= 300 && status < 400 ? fetchNow(request) : new Response(body, { status, headers });
}

function start() {
  const script = new URL("engine.js", root), options = { type: "module", name: build };
  if (!("SharedWorker" in window)) { use(new Worker(script, options)); return; }
  const shared = new SharedWorker(script, { ...options, extendedLifetime: true }); // it survives from page to page, if the browser supports that
  shared.onerror = () => use(new Worker(script, options));
  use(shared.port);
}

function use(port) {
  calculator = port;
  port.onmessage = ({ data: { state, reason } }) => {
    if (state === "failed") fail(reason);
    if (state !== "ready") return;
    isReady = true;
    answering();
    say(prebuilt && !isLink ? "ready" : "");
    if (isLink) arrive();
  };
}

function fail(problem) {
  failed = problem;
  unanswerable(problem);
  say("not_loaded", { reason: problem.message ?? problem });
}

function receive({ data, ports: [port] }) {
  if (data.percent !== undefined) { if (!isReady) say(isLink ? "loading_link" : "loading", data); return; }
  if (data === "ready?") { port.postMessage({ ready: isReady, build }); return; }
  if (failed) port.postMessage({ status: 503, headers: [["content-type", "text/plain"]], body: String(failed) });
  else calculator.postMessage(data, [port]);
}

// The answer to the opened link replaces the built page.
async function arrive() {
  const to = location.pathname.startsWith(`${home.pathname}waiting`) && new URL(new URLSearchParams(location.search).get("to") ?? "", root);
  if (to) { if (to.href.startsWith(root.href)) location.replace(to); return; }
  const reply = await fetchNow(location.href, { headers: { accept: "text/html" } });
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  document.title = page.title;
  history.replaceState(history.state, "", new URL(reply.url).pathname + new URL(reply.url).search + location.hash);
  document.body.replaceWith(page.body);
  document.dispatchEvent(new Event("DOMContentLoaded")); // theme.js waits for it, and there is a new button
  await run();
}

// The page's own scripts, once its addresses are right.
async function run() {
  for (const { href } of document.querySelectorAll("link[data-script]")) await import(href);
}

// --- a new version is offered; a reader who accepts it gets all of it --------------------------------------------

function offerUpdates(registration) {
  const offer = () => { if (registration.waiting && worker.controller) document.getElementById("site-update").hidden = false; };
  offer();
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", offer));
  document.addEventListener("click", ({ target }) => { if (target.closest("#site-update button")) registration.waiting?.postMessage("take over"); });
  const before = worker.controller;
  worker.addEventListener("controllerchange", () => { if (before) location.reload(); });
}

// --- start -----------------------------------------------------------------------------------------------------------

async function begin() {
  if (typeof WebAssembly !== "object") { say("no_webassembly"); unanswerable(new Error(phrase("no_webassembly"))); return; }
  if (!worker) { say("no_service_worker"); unanswerable(new Error(phrase("no_service_worker"))); return; }
  worker.addEventListener("message", receive);
  worker.startMessages();
  say(isLink ? "starting_link" : prebuilt ? "starting" : "");
  await control();
  if (home.href !== root.href) await keepWords(document.documentElement.lang);
  start();
}

if (prebuilt) settle();
if (isLink) {
  document.getElementById("main").inert = true;
  document.getElementById("answer")?.setAttribute("hidden", "");
} else run();
if (showsExample) document.addEventListener("answered", () => { showsExample = false; say(saying, values); }, { once: true });
begin().catch(fail);
