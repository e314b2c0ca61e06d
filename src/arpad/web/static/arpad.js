// The page's own script: it asks the server as the user types, keeps the address up to date, and draws the charts.
// Without it every page works as a form with a button. It computes nothing.

const root = document.body.dataset.root; // the prefix of the server's addresses
const words = JSON.parse(document.body.dataset.words);
const phrase = (key, values = {}) => words[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
const form = document.querySelector("form[data-live]");
const answer = document.getElementById("answer");
const pictures = document.getElementById("charts");
document.documentElement.classList.add("scripted");

// --- asking, one request at a time: what is typed meanwhile is asked once the answer has arrived -----------------

const PAUSE = 1000; // milliseconds without typing
let running = null, again = false, later = 0, speaking = 0;

function update() {
  again = running !== null;
  running ??= ask();
  return running;
}

async function ask() {
  const started = performance.now();
  try {
    const reply = await fetch(`${form.dataset.live}.part?${query()}`);
    receive(await reply.text());
    performance.measure("update", { start: started, end: performance.now() });
  } catch {
    answer.querySelector("[data-address]")?.classList.add("stale"); // the server is unreachable: the last answer stays
  }
  if (again) { again = false; await ask(); return; }
  running = null;
  clearTimeout(later);
  later = setTimeout(redraw, 250);
}

// Pasted text is read when it is pasted, not with every question: a table is too long for an address.
function query() {
  const given = [...new FormData(form)], paste = document.getElementById("paste") ? given.findIndex(([name]) => name === "paste") : -1;
  return new URLSearchParams(given.filter((_, place) => place !== paste)).toString();
}

// An error while somebody is typing may only mean that they have not finished. It is shown after a longer pause, or when
// they leave the field; until then the previous answer stays, paler. An error that is already shown is updated at once.
const HESITATION = 3000;
let refusing = 0, refused = null, typing = null; // typing: the last text field typed into

function receive(html) {
  clearTimeout(refusing);
  refused = null;
  if (!html.includes('class="refused"')) { show(html); return; }
  const at = new DOMParser().parseFromString(html, "text/html").body.firstElementChild.dataset.at, before = answer.firstElementChild;
  const place = typing?.closest(".row, .event") ?? typing, known = before.querySelector(".refused") && before.dataset.at === at;
  if (known || (!again && !place?.contains(document.activeElement))) { show(html); return; }
  answer.querySelector("[data-address]")?.classList.add("stale");
  refused = { html, place };
  refusing = setTimeout(refuse, HESITATION);
}

function refuse() {
  clearTimeout(refusing);
  if (refused) show(refused.html);
  refused = null;
}

function show(html) {
  const open = new Set([...answer.querySelectorAll("details[open]")].map((one) => one.id));
  answer.innerHTML = html;
  for (const one of answer.querySelectorAll("details")) one.open = open.has(one.id);
  const part = answer.firstElementChild;
  history.replaceState(null, "", part.dataset.address);
  for (const link of document.querySelectorAll("a[data-carry]")) link.search = location.search && `?from=${link.dataset.carry}&${location.search.slice(1)}`;
  for (const field of form.elements) field.removeAttribute("aria-invalid");
  document.getElementById(part.dataset.at)?.setAttribute("aria-invalid", "true");
  list(part);
  const fold = document.getElementById("k-summary"), peek = document.getElementById("peek");
  if (fold) fold.textContent = part.dataset.k;
  clearTimeout(speaking);
  speaking = setTimeout(() => { if (!running) document.getElementById("status").textContent = part.dataset.status; }, PAUSE); // a newer answer is announced instead
  peek.textContent = part.dataset.peek;
  peek.hidden = !part.dataset.peek;
  document.dispatchEvent(new Event("answered"));
}

// Fields left empty show what a rating list says about the player; below the rating it says who that is.
let listed = {}, opponents = null; // the pace and the list of the opponents' ratings, if any were filled in by name

function list(part) {
  listed = JSON.parse(part.dataset.listed);
  for (const field of all("input:not([data-names])")) {
    const name = field.name, there = name in listed;
    if (there || field.classList.contains("listed")) field.placeholder = listed[name] ?? field.dataset.example ?? " ";
    field.classList.toggle("listed", there);
  }
  slide(null);
  say();
}

function say() {
  const said = document.getElementById("said");
  if (!said) return;
  const { said: own, at: refused } = answer.firstElementChild.dataset;
  const same = !opponents || refused || (opponents.pace === pace() && own.includes(opponents.list));
  const others = same ? "" : phrase("other_list", { pace: opponents.pace, list: opponents.list });
  said.textContent = [own, others].filter(Boolean).join(" ") || said.dataset.hint;
}

// The line at the bottom of a small screen disappears when the answer itself is in view.
if (form) new IntersectionObserver((changes) => document.getElementById("peek").classList.toggle("seen", changes.at(-1).isIntersecting), { rootMargin: "0px 0px -120px 0px" }).observe(answer);

// The field that a message is about may be in a closed fold.
document.addEventListener("click", (event) => {
  const field = event.target.matches(".where") && document.getElementById(event.target.hash.slice(1));
  if (!field) return;
  event.preventDefault();
  for (let fold = field.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  field.focus();
});

// On a large screen, what is folded on a small one starts open.
if (matchMedia("(min-width: 60rem)").matches) for (const fold of document.querySelectorAll("details[data-roomy]")) fold.open = true;

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

// A federation has three letters: nothing is asked until all are typed.
const begun = (field) => field.value.length > 0 && field.value.length < Number(field.dataset.least ?? 0);

const all = (selector) => [...form.querySelectorAll(selector)];

function add(selector, focus) {
  const spare = form.querySelector(`${selector}.spare`); // the extra one for readers without scripts
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

// A result typed after the opponent moves to its own field, as the server read it.
async function settle(field) {
  await update();
  const row = field.closest(".row"), filled = all(".row").filter((one) => one.querySelector("[name=row]").value.trim());
  const games = [...new URLSearchParams(location.search)].filter(([name]) => name === "game" || name === "open");
  const [, opponent, result] = /^(.*):([^:]*)$/.exec(games[filled.indexOf(row)]?.[1] ?? "") ?? [];
  const choice = row.querySelector("[name=result]");
  if (!opponent || opponent === field.value.trim() || ![...choice.options].some(({ value }) => value === result)) return;
  field.value = opponent;
  choice.value = result;
}

// Pasted text moves into the table: the server reads it and returns a form with the rows and what was left out.
async function unpack() {
  const field = document.getElementById("paste"), given = field.value;
  if (!given.trim()) return;
  const reply = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) }).catch(() => null);
  if (!reply?.headers.get("content-type")?.startsWith("text/html") || document.getElementById("paste").value !== given) return;
  const page = new DOMParser().parseFromString(await reply.text(), "text/html"), board = page.getElementById("board");
  if (!board) return;
  document.getElementById("board").replaceChildren(...board.childNodes);
  ready();
  show(page.getElementById("answer").innerHTML);
  if (running) update(); // the running request is from before the paste
  (document.getElementById("whose") ?? document.querySelector(".reading summary"))?.focus();
}

function ready() {
  document.getElementById("add")?.addEventListener("click", () => add(".row", true));
  document.getElementById("paste")?.addEventListener("change", unpack);
  document.getElementById("paste")?.addEventListener("paste", () => setTimeout(unpack));
  document.getElementById("whose")?.addEventListener("change", unpack);
}

if (form) {
  ready();
  listed = JSON.parse(answer.firstElementChild.dataset.listed);
  document.getElementById("add-event")?.addEventListener("click", () => add(".event", true));
  form.addEventListener("input", (event) => {
    typing = event.target.matches("select, [type=checkbox], [type=range]") ? null : event.target;
    retyped(event.target);
    slide(event.target);
    if (event.target.name === "row" && event.target.value && event.target.closest(".row") === all(".row").at(-1)) add(".row", false);
    if (!beingNamed(event.target) && !begun(event.target)) update();
  });
  form.addEventListener("change", ({ target }) => { if (begun(target)) update(); });
  form.addEventListener("focusout", ({ relatedTarget }) => { if (refused && !refused.place?.contains(relatedTarget)) refuse(); });
  const k = document.getElementById("k"), chips = all("[data-k]");
  const press = () => chips.forEach((chip) => chip.setAttribute("aria-pressed", String(chip.dataset.k === k.value.trim())));
  k?.addEventListener("input", press);
  for (const chip of chips) chip.addEventListener("click", () => { k.value = chip.dataset.k; k.dispatchEvent(new Event("input", { bubbles: true })); });
  form.addEventListener("click", (event) => {
    if (!event.target.matches(".remove")) return;
    const row = event.target.closest(".row");
    remove(row ?? event.target.closest(".event"), row ? ".row" : ".event");
  });
  form.addEventListener("keydown", (event) => {
    const choosing = event.target.hasAttribute("aria-activedescendant"); // Enter first accepts a suggested name
    if (event.key !== "Enter" || event.target.name !== "row" || choosing) return;
    event.preventDefault(); // Enter goes to the next row, as in a table
    const rows = all(".row"), next = rows.indexOf(event.target.closest(".row")) + 1;
    event.target.dispatchEvent(new Event("change", { bubbles: true }));
    update();
    if (next === rows.length) add(".row", true);
    else rows[next].querySelector("[name=row]").focus();
  });
  form.addEventListener("change", ({ target }) => { if (target.name === "row" && /\d\s*[:\s]/.test(target.value)) settle(target); });
  form.addEventListener("submit", (event) => { event.preventDefault(); if (event.submitter?.id === "read") unpack(); else update(); });
}

// --- a reset can be undone as long as the page is open --------------------------------------------------------

const UNDO = "arpad-undo";

function kept(work) { try { return work(sessionStorage); } catch { return null; } } // a private window may have no storage

document.addEventListener("click", ({ target }) => { if (target.matches("[data-reset]")) kept((store) => store.setItem(UNDO, location.href)); });

if (form && !location.search) {
  const before = kept((store) => store.getItem(UNDO)), waiting = answer.querySelector(".waiting");
  kept((store) => store.removeItem(UNDO));
  if (before && waiting && new URL(before).pathname === location.pathname) waiting.append(Object.assign(document.createElement("a"), { href: before, className: "quiet", textContent: phrase("undo_reset") }));
}

// --- keyboard shortcuts, outside fields; `?` lists them -------------------------------------------------------

const keys = document.getElementById("keys");
const deeds = {
  "?": () => keys.showModal(),
  "/": () => form?.querySelector("input, textarea").focus(),
  n: () => document.getElementById("add")?.click() ?? document.getElementById("add-event")?.click(),
  w: () => document.querySelector("#working summary")?.click(),
  c: () => document.querySelector("[data-copy]")?.click(),
  p: () => document.querySelector("[data-print]")?.click(),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !keys || keys.open || event.target.matches("input, select, textarea") || !(event.key in deeds)) return;
  event.preventDefault();
  deeds[event.key]();
});
document.getElementById("keys-open")?.addEventListener("click", deeds["?"]);

// --- a tournament file dropped anywhere on its form is sent at once ------------------------------------------------

const upload = document.querySelector("form[data-drop]");

function fits(field) {
  const most = Number(upload.dataset.drop);
  const large = [...field.files].some((file) => file.size > most);
  field.setCustomValidity(large ? phrase("too_large", { most: most / 1048576 }) : "");
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

// --- a slider moves with the number next to it, around the number that is used if that field is empty ----------

function slide(moved) {
  for (const slider of all("[type=range]")) {
    const number = form.elements.namedItem(slider.dataset.slides), middle = Number(form.elements.namedItem(slider.dataset.around).value) || Number(listed[slider.dataset.around]);
    if (moved === slider) { number.value = slider.value; continue; }
    number.placeholder = middle || " ";
    if (!middle) continue;
    slider.min = middle - 400;
    slider.max = middle + 400;
    slider.value = Number(number.value) || middle;
  }
}

// --- names from the rating list, suggested while typing wherever a rating can be given ------------------------

const people = document.getElementById("people"), note = document.getElementById("people-note");
const NO_NAMES = ["unrated", "bye", "win", "won", "drawn", "loss", "lost", "black", "white"];
const OTHER_WORDS = /^(?:(?:win|won|draw|drawn|loss|lost|black|white|bye|unrated|[wdlb])(?:[\s,;]+|$))+/i;
let offered = [], source = "", marked = -1, typed = 0, turn = 0, fills = 0;

// The name or ID being typed, and its position, because a line may have other games before it. Nothing is asked until it
// is complete.
function beingNamed(field) {
  const kind = field.dataset.names;
  if (!kind) return null;
  const whole = kind === "one" || kind === "row", until = whole ? field.value.length : field.selectionStart;
  const before = field.value.slice(0, until).split(kind === "lines" ? "\n" : undefined).at(-1);
  const found = (whole ? /^\s*(@.*|(?:[4-9]|\d\d)\d{3,}\s*|\p{L}.*)$/u : /(?:^|[\s,;])(@\d*|(?:[4-9]|\d\d)\d{3,}|\p{L}[\p{L}\s,.'’-]*)$/u).exec(before); // a number above 4000 is not a rating
  if (!found || (kind === "lines" && /\d{3}/.test(before.slice(0, found.index)))) return null;
  const text = whole ? found[1] : found[1].replace(OTHER_WORDS, ""), small = text.trim().toLowerCase();
  const none = whole || field.name === "list" ? ["unrated", "bye"].includes(small) : NO_NAMES.some((word) => word.startsWith(small)); // in a line, a word may be a result
  return none ? null : { text, from: until - text.length, until };
}

async function complete(field) {
  const name = beingNamed(field)?.text.trim() ?? "", asked = ++turn;
  const number = /^@?(\d{4,})$/.exec(name)?.[1], text = number ?? name.replace(/@\d*$/, "");
  if (!number && text.replace(/[^\p{L}]/gu, "").length < 3) { offer(field, [], ""); return; }
  const on = field.closest(".event")?.querySelector("[name=on]").value || document.getElementById("on")?.value;
  const reply = await fetch(`${root}/api/v1/lists/find?${new URLSearchParams({ q: text, most: "8", ...(on ? { on } : {}) })}`).catch(() => null);
  const said = await reply?.json();
  if (asked !== turn || document.activeElement !== field) return; // more has been typed, or the field has been left
  if (!reply?.ok) { offer(field, [], said?.error ?? ""); return; }
  const { list, total, players } = said.value;
  source = list;
  const more = total > players.length ? ` ${phrase("best_of", { shown: players.length, total })}` : "";
  const nobody = number?.length < 6 ? "" : phrase(number ? "nobody_id" : "nobody", { list, id: number });
  offer(field, players, total ? `${phrase("from_list", { list })}${more}` : nobody);
}

// A rating in our notation; a missing rapid or blitz rating is replaced by the standard rating.
function notation(one) {
  const standard = one.ratings.standard?.rating;
  return String(one.ratings[pace()]?.rating ?? (standard ? `${standard}s` : "unrated"));
}

const inWords = (rating) => (rating === "unrated" ? phrase("unrated") : rating.replace(/(\d+)s/, (_, standard) => phrase("standard", { rating: standard })));

const pace = () => /rapid|blitz/.exec(document.getElementById("system")?.value)?.[0] ?? "standard";

function offer(field, players, says) {
  turn += 1;
  const before = offered[marked]?.id; // a marked player stays marked if a later answer has them too
  offered = players;
  marked = -1;
  note.textContent = says;
  people.replaceChildren(...players.map((one, index) => {
    const option = Object.assign(document.createElement("li"), { id: `person-${index}`, role: "option", textContent: one.name ?? `@${one.id}` });
    const about = [one.title ?? one.w_title, one.federation, one.born && phrase("born", { born: one.born }), inWords(notation(one))].filter(Boolean).join(", ");
    option.append(" ", Object.assign(document.createElement("span"), { textContent: about }));
    return option;
  }));
  const box = people.parentElement, at = field.getBoundingClientRect(), sheet = form.getBoundingClientRect();
  box.classList.toggle("open", Boolean(says));
  box.style.top = `${at.bottom - sheet.top}px`;
  box.style.left = `${Math.max(0, Math.min(at.left - sheet.left, form.clientWidth - box.offsetWidth - 16))}px`;
  const low = box.getBoundingClientRect().bottom - (window.visualViewport?.height ?? innerHeight); // a phone's keyboard takes up space
  if (says && low > 0) scrollBy(0, Math.min(low + 8, at.top - 8));
  if (field.matches("input")) field.setAttribute("aria-expanded", String(players.length > 0));
  field.removeAttribute("aria-activedescendant");
  const again = players.findIndex(({ id }) => id === before);
  if (again >= 0) mark(field, again);
}

function mark(field, index) {
  people.children[marked]?.removeAttribute("aria-selected");
  marked = (index + offered.length) % offered.length;
  const option = people.children[marked];
  option.setAttribute("aria-selected", "true");
  option.scrollIntoView({ block: "nearest" });
  field.setAttribute("aria-activedescendant", option.id);
}

// A chosen player is kept by name and ID, because the server knows what the list says about them. In rows and in lines of
// games, their rating is filled in with the name.
function choose(field, one) {
  const kind = field.dataset.names, name = kind === "line" ? one.name?.replace(/(?<=,.*),/g, "") : one.name; // in a line, a second comma would separate games
  const player = [name, `@${one.id}`].filter(Boolean).join(" ");
  if (kind === "one") field.value = player;
  else if (kind === "row") fill(field.closest(".row"), one);
  else {
    const { from, until } = beingNamed(field);
    field.setRangeText(kind === "lines" ? `${notation(one)} ${one.name ?? ""}`.trim() : player, from, until, "end");
  }
  if (kind === "row" || kind === "lines") opponents = { pace: pace(), list: source, fixed: opponents?.fixed || kind === "lines" };
  offer(field, [], "");
  sized(field);
  say();
  if (kind !== "lines") update(); // a line still needs a result
}

function fill(row, one) {
  row.querySelector("[name=row]").value = notation(one);
  row.querySelector("[name=who]").value = one.name;
  const title = row.querySelector("[name=opponent_title]"), federation = row.querySelector("[name=opponent_federation]");
  if (title) { title.value = one.title ?? one.w_title ?? ""; federation.value = one.federation ?? ""; }
  row.person = one;
}

// With another system or day, ratings change, also those of opponents in rows.
async function refill(anotherDay) {
  const rows = all(".row").filter((row) => row.person), day = document.getElementById("on")?.value, asked = ++fills;
  const found = await Promise.all(rows.map(async ({ person }) => {
    if (!anotherDay) return { list: opponents.list, players: [person] };
    const reply = await fetch(`${root}/api/v1/lists/find?${new URLSearchParams({ q: person.id, most: "1", ...(day ? { on: day } : {}) })}`).catch(() => null);
    return reply?.ok ? (await reply.json()).value : { players: [] };
  }));
  if (asked !== fills || !rows.length || !found.every(({ players }) => players.length)) return; // the old ratings stay, and a sentence says so
  rows.forEach((row, index) => { if (row.person) fill(row, found[index].players[0]); });
  if (!opponents.fixed) opponents = { pace: pace(), list: found[0].list };
  await update();
}

// Typing over a chosen player, or a name over another, means somebody else.
function retyped(field) {
  const row = field.dataset.names === "row" && field.closest(".row");
  if (!row) return;
  const who = row.querySelector("[name=who]"), older = row.person || (who.value === who.defaultValue && beingNamed(field));
  if (field.name === "row" && older) who.value = "";
  delete row.person;
}

const sized = (field) => { if (field.dataset.names === "one") field.classList.toggle("named", /^[^\d]/.test(field.value)); };

if (people) {
  form.addEventListener("focusin", ({ target }) => {
    if (!target.dataset.names) return;
    if (target.matches("input")) { target.setAttribute("role", "combobox"); target.setAttribute("aria-expanded", "false"); }
    target.setAttribute("aria-autocomplete", "list");
    target.setAttribute("aria-controls", "people");
  });
  form.addEventListener("input", ({ target }) => {
    if (target.id === "system" || target.id === "on") refill(target.id === "on");
    if (!target.dataset.names) return;
    sized(target);
    clearTimeout(typed);
    typed = setTimeout(complete, 120, target);
  });
  form.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Tab" && marked >= 0) choose(event.target, offered[marked]); // then on to the next field
    if (!people.parentElement.classList.contains("open") || !(step ? offered.length : event.key === "Escape" || (event.key === "Enter" && marked >= 0))) return;
    event.preventDefault();
    if (step) mark(event.target, marked < 0 && step < 0 ? -1 : marked + step);
    else if (event.key === "Enter") choose(event.target, offered[marked]);
    else offer(event.target, [], "");
  });
  people.addEventListener("pointerdown", (event) => event.preventDefault()); // the field keeps the focus
  people.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]");
    if (option) choose(document.activeElement, offered[[...people.children].indexOf(option)]);
  });
  const done = (field) => { if (field.dataset.names) { clearTimeout(typed); offer(field, [], ""); } };
  form.addEventListener("focusout", (event) => done(event.target));
  form.addEventListener("submit", () => done(document.activeElement));
  form.addEventListener("change", ({ target }) => {
    if (!target.dataset.names) return;
    if (target.dataset.names !== "lines") target.value = target.value.replace(/(^|[\s,;])(\d{6,})(?![\d/.])/g, "$1@$2"); // not a rating but an ID
    update();
  });
}

// --- copy, share, print ---------------------------------------------------------------------------------------

async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = document.body.appendChild(Object.assign(document.createElement("textarea"), { value: text, className: "sr" }));
    field.select();
    document.execCommand("copy"); // the older way, for addresses without HTTPS
    field.remove();
  }
  tell(button, "copied");
}

function tell(button, key) {
  const said = button.textContent;
  button.textContent = phrase(key);
  setTimeout(() => { button.textContent = said; }, 1500);
}

// Most browsers can copy a picture to the clipboard; the others download it.
async function copyImage(button) {
  const picture = fetch(button.dataset.image).then((reply) => (reply.ok ? reply.blob() : Promise.reject(reply)));
  try {
    await navigator.clipboard.write([new ClipboardItem({ "image/png": picture })]);
    tell(button, "copied");
  } catch {
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(await picture), download: "arpad.png" });
    link.click();
    URL.revokeObjectURL(link.href);
    tell(button, "downloaded");
  }
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy], [data-share], [data-print], [data-image]");
  if (!button) return;
  if ("image" in button.dataset) { copyImage(button); return; }
  if ("print" in button.dataset) { window.print(); return; }
  if ("copy" in button.dataset) { copy(button.dataset.copy, button); return; }
  event.preventDefault();
  copy(new URL(button.getAttribute("href"), location.href).href, button);
});

// --- charts: the server's drawing first; the same specification is drawn here when it comes into view ----------

const dark = matchMedia("(prefers-color-scheme: dark)");
const narrow = matchMedia("(max-width: 599px)"), middle = matchMedia("(max-width: 959px)");
let engine = null;

async function draw(figure) {
  engine ??= import(`${root}/script/vega.js`).catch(() => null); // if that fails, the server's drawing stays
  await engine;
  if (!window.vegaEmbed) return;
  const theme = document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light");
  const look = `&theme=${theme}&width=${narrow.matches ? "narrow" : middle.matches && figure.matches(".broad") ? "middle" : "wide"}`;
  const reply = await fetch(figure.dataset.chart + look);
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

const watch = () => pictures?.querySelectorAll("figure:not(.undrawn)").forEach((figure) => seen.observe(figure));

let drawing = 0; // replies may arrive out of order: only the latest request is shown

async function redraw() {
  if (!pictures) return;
  const turn = (drawing += 1);
  const reply = await fetch(`${form.dataset.live}.charts?${query()}`).catch(() => null);
  const html = await reply?.text();
  if (running || turn !== drawing) return;
  pictures.classList.toggle("stale", !reply?.ok);
  if (reply && !reply.ok) later = setTimeout(redraw, PAUSE); // the server is busy
  if (!reply?.ok) return;
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  // A chart stays until its replacement is drawn.
  for (const figure of fresh.content.querySelectorAll("figure")) {
    const name = figure.dataset.chart.split("?")[0];
    const old = [...pictures.querySelectorAll("figure")].find((one) => one.dataset.chart.split("?")[0] === name);
    if (!old) continue;
    figure.querySelector(".drawing").replaceChildren(...old.querySelector(".drawing").childNodes);
    figure.querySelector("details").open = old.querySelector("details").open;
    old.view?.finalize();
  }
  pictures.replaceChildren(...fresh.content.childNodes);
  watch();
}

for (const query of [dark, narrow, middle]) query.addEventListener("change", watch);
document.addEventListener("themed", watch);
watch();
