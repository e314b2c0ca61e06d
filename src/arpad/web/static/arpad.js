// The page's own script: it asks the server as the user types, keeps the address current, and draws the pictures.
// Without it every page works as a form with a button. It computes nothing.

const form = document.querySelector("form[data-live]");
const answer = document.getElementById("answer");
const pictures = document.getElementById("pictures");
document.documentElement.classList.add("scripted");

// --- asking, one request at a time: what was typed meanwhile is asked when the answer is there -----------------

let running = null, again = false, later = 0;

function update() {
  again = running !== null;
  running ??= ask();
  return running;
}

async function ask() {
  const started = performance.now();
  try {
    const reply = await fetch(`${form.dataset.live}.part?${query()}`);
    show(await reply.text());
    performance.measure("update", { start: started, end: performance.now() });
  } catch {
    answer.querySelector("[data-address]")?.classList.add("stale"); // the server is away: the last answer stays
  }
  if (again) { again = false; await ask(); return; }
  running = null;
  clearTimeout(later);
  later = setTimeout(redraw, 250);
}

const query = () => new URLSearchParams(new FormData(form)).toString();

function show(html) {
  const open = new Set([...answer.querySelectorAll("details[open]")].map((one) => one.id));
  answer.innerHTML = html;
  for (const one of answer.querySelectorAll("details")) one.open = open.has(one.id);
  const part = answer.firstElementChild;
  history.replaceState(null, "", part.dataset.address);
  for (const field of form.elements) field.removeAttribute("aria-invalid");
  document.getElementById(part.dataset.at)?.setAttribute("aria-invalid", "true");
  const fold = document.getElementById("k-summary"), peek = document.getElementById("peek");
  if (fold) fold.textContent = part.dataset.k;
  peek.textContent = part.dataset.peek;
  peek.hidden = !part.dataset.peek;
}

// The line at the foot of a small screen goes when the answer itself is in sight.
if (form) new IntersectionObserver((changes) => document.getElementById("peek").classList.toggle("seen", changes.at(-1).isIntersecting), { rootMargin: "0px 0px -120px 0px" }).observe(answer);

// What a message is about may stand in a fold.
document.addEventListener("click", (event) => {
  const field = event.target.matches(".where") && document.getElementById(event.target.hash.slice(1));
  if (!field) return;
  event.preventDefault();
  for (let fold = field.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  field.focus();
});

// Where there is room, what is folded on a small screen stands open.
if (matchMedia("(min-width: 60rem)").matches) for (const fold of document.querySelectorAll("details[data-roomy]")) fold.open = true;
document.querySelector("nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });

// --- rows and events ------------------------------------------------------------------------------------------

function copyOf(last) {
  const fresh = last.cloneNode(true);
  for (const field of fresh.querySelectorAll("input, textarea")) { field.value = ""; field.defaultValue = ""; if (field.name === "row") field.placeholder = " "; }
  for (const field of fresh.querySelectorAll("select")) field.selectedIndex = 0;
  last.after(fresh);
  return fresh;
}

function renumber(list) {
  list.forEach((one, index) => {
    const number = String(index + 1);
    one.querySelector(".no").textContent = number;
    for (const part of one.querySelectorAll("[aria-label]")) part.setAttribute("aria-label", part.getAttribute("aria-label").replace(/\d+/, number));
    for (const part of one.querySelectorAll("[id]")) part.id = part.id.replace(/\d+$/, number);
    for (const part of one.querySelectorAll("[for]")) part.htmlFor = part.htmlFor.replace(/\d+$/, number);
  });
}

const all = (selector) => [...form.querySelectorAll(selector)];

function add(selector, focus) {
  const spare = form.querySelector(`${selector}.spare`); // what a page without its script would show as well
  const fresh = spare ?? copyOf(all(selector).at(-1));
  fresh.classList.remove("spare");
  renumber(all(selector));
  if (focus) fresh.querySelector("input").focus();
}

function remove(one, selector) {
  if (all(selector).length === 1) add(selector, false);
  const near = one.nextElementSibling ?? one.previousElementSibling;
  one.remove();
  renumber(all(selector));
  near?.querySelector("input")?.focus();
  update();
}

// The table takes over what was pasted: the server has read it, so its form has the rows.
async function unpack(field) {
  await update();
  if (field.getAttribute("aria-invalid") || !field.value.trim()) return;
  const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
  const board = page.getElementById("board");
  if (board) { document.getElementById("board").replaceChildren(...board.childNodes); ready(); }
}

function ready() {
  document.getElementById("add")?.addEventListener("click", () => add(".row", true));
  document.getElementById("paste")?.addEventListener("change", (event) => unpack(event.target));
  document.getElementById("paste")?.addEventListener("paste", (event) => setTimeout(() => unpack(event.target)));
}

if (form) {
  ready();
  document.getElementById("add-event")?.addEventListener("click", () => add(".event", true));
  form.addEventListener("input", (event) => {
    slide(event.target);
    if (event.target.name === "row" && event.target.value && event.target.closest(".row") === all(".row").at(-1)) add(".row", false);
    if (!naming(event.target)) update();
  });
  form.addEventListener("change", (event) => { if (naming(event.target)) update(); });
  form.addEventListener("click", (event) => {
    if (!event.target.matches(".remove")) return;
    const row = event.target.closest(".row");
    remove(row ?? event.target.closest(".event"), row ? ".row" : ".event");
  });
  form.addEventListener("submit", (event) => { event.preventDefault(); update(); });
}

// --- a tournament's file: dropped anywhere on its sheet, it is sent at once --------------------------------------

const upload = document.querySelector("form[data-drop]");

function fits(field) {
  const most = Number(upload.dataset.drop);
  const large = [...field.files].some((file) => file.size > most);
  field.setCustomValidity(large ? `This file is too large; at most ${most / 1048576} MB are taken here.` : "");
  return field.reportValidity();
}

if (upload) {
  const field = upload.elements.namedItem("file");
  field.addEventListener("change", () => fits(field));
  for (const kind of ["dragenter", "dragover"]) upload.addEventListener(kind, (event) => { event.preventDefault(); upload.classList.add("over"); });
  for (const kind of ["dragleave", "drop"]) upload.addEventListener(kind, () => upload.classList.remove("over"));
  upload.addEventListener("drop", (event) => {
    event.preventDefault();
    if (!event.dataTransfer.files.length) return;
    field.files = event.dataTransfer.files;
    if (fits(field)) upload.requestSubmit();
  });
}

// --- a slider moves with the number beside it, and round the number it stands for if that is left empty --------

function slide(moved) {
  for (const slider of all("[type=range]")) {
    const number = form.elements.namedItem(slider.dataset.for), middle = Number(form.elements.namedItem(slider.dataset.around).value);
    if (moved === slider) { number.value = slider.value; continue; }
    number.placeholder = middle || " ";
    if (!middle) continue;
    slider.min = middle - 400;
    slider.max = middle + 400;
    slider.value = Number(number.value) || middle;
  }
}

// --- names from the rating list, as they are typed into an opponent's field ------------------------------------

const people = document.getElementById("people");
let found = new Map(), typed = 0;

// Whether a name is being typed, which is nothing to ask about before it is whole.
const naming = (field) => "named" in form.dataset && ["row", "rating", "opponent"].includes(field.name) && /\p{L}|^@/u.test(field.value) && !/^(unrated|bye)$/i.test(field.value.trim()) && !/^\d/.test(field.value);

async function complete(field) {
  const text = field.value.trim();
  const chosen = found.get(field.value);
  if (chosen) {
    const row = field.closest(".row");
    row.querySelector("[name=row]").value = chosen.rating ?? "unrated";
    row.querySelector("[name=who]").value = chosen.name;
    update();
    return;
  }
  if (text.replace(/[^\p{L}]/gu, "").length < 3 || /^unrated$/i.test(text)) return;
  const on = form.elements.namedItem("on")?.value;
  const asked = new URLSearchParams({ q: text, most: "8", ...(on ? { on } : {}) });
  const reply = await fetch(`/api/v1/lists/find?${asked}`).catch(() => null);
  const note = document.getElementById("people-note");
  if (!reply?.ok) { note.textContent = reply ? (await reply.json()).error : ""; return; }
  const { list, total, players } = (await reply.json()).value;
  const pace = /rapid|blitz/.exec(form.elements.namedItem("system")?.value)?.[0] ?? "standard";
  found = new Map(players.map((one) => {
    const rating = one.ratings[pace]?.rating ?? null;
    return [`${one.name} (${[one.federation, one.born, rating ?? "unrated"].filter(Boolean).join(", ")})`, { name: one.name, rating }];
  }));
  people.replaceChildren(...[...found.keys()].map((value) => Object.assign(document.createElement("option"), { value })));
  const more = total > players.length ? ` The best ${players.length} of ${total}; type more of the name for the others.` : "";
  note.textContent = `Names and ratings from the rating list ${list}.${more}`;
}

if (people) {
  form.addEventListener("input", (event) => {
    if (!["row", "who"].includes(event.target.name)) return;
    clearTimeout(typed);
    typed = setTimeout(complete, found.has(event.target.value) ? 0 : 120, event.target);
  });
}

// --- copy, share, print ---------------------------------------------------------------------------------------

async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = document.body.appendChild(Object.assign(document.createElement("textarea"), { value: text, className: "sr" }));
    field.select();
    document.execCommand("copy"); // the older way, for addresses without a certificate
    field.remove();
  }
  const said = button.textContent;
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = said; }, 1500);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy], [data-share], [data-print]");
  if (!button) return;
  if ("print" in button.dataset) { window.print(); return; }
  if ("copy" in button.dataset) { copy(button.dataset.copy, button); return; }
  event.preventDefault();
  copy(new URL(button.getAttribute("href"), location.href).href, button);
});

// --- pictures: the server's drawing first, the same specification drawn here when it comes into view ----------

const dark = matchMedia("(prefers-color-scheme: dark)");
const narrow = matchMedia("(max-width: 599px)");
let engine = null;

async function draw(figure) {
  engine ??= import("/script/vega.js");
  await engine;
  const look = `&theme=${dark.matches ? "dark" : "light"}&width=${narrow.matches ? "narrow" : "wide"}`;
  const reply = await fetch(figure.dataset.picture + look);
  if (!reply.ok) return;
  const place = document.createElement("div");
  // `ast` interprets expressions instead of compiling them, so that the policy against eval can stay.
  const drawn = await window.vegaEmbed(place, await reply.json(), { ast: true, actions: false, renderer: "svg", defaultStyle: false, tooltip: { disableDefaultStyle: true } });
  const svg = place.querySelector("svg");
  svg.setAttribute("viewBox", `0 0 ${svg.getAttribute("width")} ${svg.getAttribute("height")}`);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", figure.querySelector("img")?.alt ?? figure.querySelector("h2").textContent);
  figure.querySelector(".drawing").replaceChildren(place);
  figure.view = drawn.view;
  figure.dataset.drawn = "";
}

const seen = new IntersectionObserver((entries) => {
  for (const entry of entries) if (entry.isIntersecting) { seen.unobserve(entry.target); draw(entry.target); }
}, { rootMargin: "200px" });

const watch = () => pictures?.querySelectorAll("figure").forEach((figure) => seen.observe(figure));

async function redraw() {
  if (!pictures) return;
  const reply = await fetch(`${form.dataset.live}.pictures?${query()}`);
  if (running) return;
  const fresh = document.createElement("template");
  fresh.innerHTML = await reply.text();
  // What is already drawn stays until its successor is.
  for (const figure of fresh.content.querySelectorAll("figure")) {
    const name = figure.dataset.picture.split("?")[0];
    const old = [...pictures.querySelectorAll("figure")].find((one) => one.dataset.picture.split("?")[0] === name);
    if (!old) continue;
    figure.querySelector(".drawing").replaceChildren(...old.querySelector(".drawing").childNodes);
    figure.querySelector("details").open = old.querySelector("details").open;
    old.view?.finalize();
  }
  pictures.replaceChildren(...fresh.content.childNodes);
  watch();
}

for (const query of [dark, narrow]) query.addEventListener("change", watch);
watch();
