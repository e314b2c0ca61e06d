// Between the pages and the network: files come from this build's own cache; everything else goes to the worker that
// calculates, by way of a page, because a service worker cannot start workers.
const BUILD = "@build@";
const FILES = "@files@"; // by name: size and SHA-256
const CACHE = `arpad-${BUILD}`;
const ROOT = new URL("./", location).pathname;
const LANGUAGES = Object.keys(FILES).map((name) => /^words-(\w+)\./.exec(name)?.[1]).filter(Boolean); // besides English
const TYPES = {
  css: "text/css", html: "text/html; charset=utf-8", js: "text/javascript", json: "application/json", mjs: "text/javascript",
  png: "image/png", svg: "image/svg+xml", txt: "text/plain; charset=utf-8",
  wasm: "application/wasm", webmanifest: "application/manifest+json", woff2: "font/woff2",
};
// For scripts that run as workers, which have a policy of their own. Only they compile WebAssembly.
const WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";
const PATIENCE = 1000; // milliseconds for a page to answer
const GONE = { status: 503, headers: [["content-type", "text/plain"]], body: "The page that calculated this is closed." };

// --- a build is installed completely or not at all; another language than English when it is first used, as a whole ----

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(activate()));
addEventListener("message", ({ data, ports: [port] }) => {
  if (data === "take over") skipWaiting();
  if (data === "claim") clients.claim();
  if (data === "build") port.postMessage(BUILD);
});

async function install() {
  const used = [undefined]; // English, and what this reader's last build had
  for (const language of LANGUAGES) if (await caches.match(`${ROOT}words-${language}.tar.zst`)) used.push(language);
  await load(used);
  if (!registration.active) await skipWaiting(); // the first build; a later one waits until the reader accepts it
}

// The language whose words or pages a file has; undefined is English, and what is the same in all.
function languageOf(name) {
  return LANGUAGES.find((language) => name.startsWith(`${language}/`) || name === `words-${language}.tar.zst`);
}

async function load(languages) {
  const cache = await caches.open(CACHE), files = Object.entries(FILES).filter(([name]) => languages.includes(languageOf(name)));
  const total = files.reduce((sum, [, { size }]) => sum + size, 0);
  let loaded = 0;
  await Promise.all(files.map(async ([name, { sha256 }]) => {
    const url = ROOT + name, content = await download(url, (bytes) => tell({ percent: Math.floor((100 * (loaded += bytes)) / total) }));
    if (await digest(content) !== sha256) throw new Error(`${name} is not of build ${BUILD}`);
    const headers = { "content-type": TYPES[name.split(".").at(-1)] ?? "application/octet-stream", "x-content-type-options": "nosniff" };
    if (/\.m?js$/.test(name)) headers["content-security-policy"] = WORKER_POLICY;
    await cache.put(url, new Response(content, { headers }));
  }));
}

async function download(url, count) {
  const reply = await fetch(url, { cache: "no-cache" });
  if (!reply.ok) throw new Error(`${url}: ${reply.status}`);
  const parts = [];
  for (const reader = reply.body.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts).arrayBuffer();
    parts.push(value);
    count(value.length);
  }
}

async function digest(content) {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

let said = -1;
async function tell(progress) {
  if (progress.percent === said) return;
  said = progress.percent;
  for (const page of await clients.matchAll({ type: "window", includeUncontrolled: true })) page.postMessage(progress);
}

async function activate() {
  for (const name of await caches.keys()) if (name.startsWith("arpad-") && name !== CACHE) await caches.delete(name);
  await clients.claim();
}

// --- answering ---------------------------------------------------------------------------------------------------

addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (url.origin === location.origin && url.pathname.startsWith(ROOT)) event.respondWith(reply(event, url));
});

async function reply(event, url) {
  const { request } = event, name = url.pathname.slice(ROOT.length);
  if (name in FILES && !name.endsWith(".html")) return cached(name);
  const page = name.replace(/\/?(index\.html)?$/, ""), file = page ? `${page}/index.html` : "index.html";
  if (/^en(\/|$)/.test(page)) return Response.redirect(`${ROOT}${page.slice("en/".length)}${url.search}`); // a server's address
  const language = languageOf(`${page}/`), start = language ? `${language}/` : "";
  if (page === `${start}waiting`) return cached(file);
  const { client, ready } = await engine(request.mode === "navigate" ? "" : event.clientId); // a page that is being left may belong to an old build
  if (request.mode === "navigate" && request.method === "GET" && !ready) return prebuilt(name, page, file, url, start);
  if (!client) return new Response("Open a page of this site first: it calculates.", { status: 503 });
  return computed(client, request, new URL(`${ROOT}${page === language ? start : page}${url.search}`, url).href);
}

async function cached(name) {
  const cache = await caches.open(CACHE), language = languageOf(name);
  if (language && !(await cache.match(`${ROOT}${name}`))) {
    try {
      await load([language]);
    } catch (problem) { // there is no network, or the host has another build by now
      return new Response(`Not loaded: ${language}. ${problem.message}`, { status: 503 });
    }
  }
  return cache.match(ROOT + name);
}

// A page as it was built, at an address that ends with a slash, because its links are relative to that.
function prebuilt(name, page, file, url, start) {
  if (!(file in FILES)) return Response.redirect(`${ROOT}${start}waiting/?to=${encodeURIComponent(url.href)}`);
  return !page || name.endsWith("/") ? cached(file) : Response.redirect(`${ROOT}${page}/${url.search}`);
}

async function computed(client, request, url) {
  const { method } = request, body = method === "POST" ? await request.arrayBuffer() : null;
  const { status, headers, body: answer } = await ask(client, { method, url, root: ROOT.slice(0, -1), headers: [...request.headers], body });
  return new Response([204, 304].includes(status) ? null : answer, { status, headers });
}

// The page whose worker answers: the one that asks, or another of this build, preferably one that is ready.
async function engine(id) {
  const asking = id && (await clients.get(id));
  if (asking?.type === "window") return { client: asking, ready: true };
  const open = await clients.matchAll({ type: "window" });
  const there = await Promise.all(open.map(async (client) => ({ client, ...(await ask(client, "ready?", PATIENCE)) })));
  const same = there.filter(({ build }) => build === BUILD);
  return same.find(({ ready }) => ready) ?? same[0] ?? {};
}

// A page may be closed before it has answered; a request that waited for ever would block the next build.
function ask(client, message, patience = 0) {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const done = (reply) => { clearInterval(watch); resolve(reply); };
    const watch = setInterval(async () => { if (!(await clients.get(client.id))) done(GONE); }, PATIENCE);
    port1.onmessage = ({ data }) => done(data);
    client.postMessage(message, [port2]);
    if (patience) setTimeout(done, patience);
  });
}
