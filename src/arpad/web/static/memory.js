// What this browser remembers if its user wants: who they are, recent calculations, and the diary. Nothing leaves the
// browser except the questions that any page asks. It computes nothing.

const KEY = "arpad", MOST_RECENT = 12, SETTLED = 2000; // milliseconds without typing; then a calculation is worth remembering
const { root, words: texts } = document.body.dataset;
const words = JSON.parse(texts);
const place = document.getElementById("memory-body");
const form = document.getElementById("form");
const answer = () => document.getElementById("answer");
const find = (id) => document.getElementById(id);
const say = (key) => { find("memory-note").textContent = key ? words[key] : ""; };

// --- storage: a browser may refuse it, or have no space left --------------------------------------------------

function load() {
  try {
    return JSON.parse(localStorage.getItem(KEY));
  } catch (problem) {
    say(problem instanceof SyntaxError ? "not_a_diary" : "no_storage");
    return null;
  }
}

function save() {
  try {
    localStorage.setItem(KEY, JSON.stringify(memory));
    say("");
    return true;
  } catch (problem) {
    say(problem.name === "QuotaExceededError" ? "storage_full" : "no_storage");
    return false;
  }
}

let memory = load(); // null: nothing is remembered

function begin() {
  memory ??= { arpad: 1, me: {}, recent: [], diary: null };
  return save();
}

// --- an address as the API's body, and back -------------------------------------------------------------------

function bodyOf(search) {
  const body = { event: [] };
  let inside = body;
  for (const [name, text] of new URLSearchParams(search)) {
    if (name === "event") body.event.push(inside = { name: text });
    else if (name === "game") { (inside.game ??= []).push(text); (inside.who ??= []).push(""); }
    else if (name === "who") { if (inside.who) inside.who[inside.who.length - 1] = text; }
    else if (name !== "open") inside[name] = text;
  }
  return body;
}

function searchOf({ event, ...player }) {
  const pairs = Object.entries(player);
  for (const { name, game = [], who = [], ...rest } of event) {
    pairs.push(["event", name], ...Object.entries(rest));
    game.forEach((text, index) => pairs.push(["game", text], ...(who[index] ? [["who", who[index]]] : [])));
  }
  return `?${new URLSearchParams(pairs)}`;
}

// A diary is calculated as of today, and has only events.
function diaryOf(search) {
  const { on, game, who, ...body } = bodyOf(search);
  return game ? { ...body, event: [{ name: "", on, game, who }, ...body.event] } : body;
}

const isDiary = (one) => one === null || (Array.isArray(one?.event) && one.event.every((event) => typeof event === "object"));

// --- who I am, and what I calculated --------------------------------------------------------------------------

const mine = place.dataset.me.split(" ");
const stored = () => memory?.diary && searchOf(memory.diary);
let waiting = 0, own = Boolean(memory?.diary) && searchOf(diaryOf(location.search)) === stored(); // own: whether the page shows this browser's own diary

function answered() {
  clearTimeout(waiting);
  if (memory) waiting = setTimeout(settle, SETTLED);
  find("keep-diary").hidden = own || answer().dataset.question !== "diary";
}

function settle() {
  const { at, peek, address, question } = answer().dataset;
  if (!memory || at || !peek || !location.search) return;
  const given = bodyOf(location.search);
  if (given.rating) memory.me = Object.fromEntries(mine.filter((name) => given[name]).map((name) => [name, given[name]]));
  const here = { address, text: `${document.querySelector("h1").textContent} ${peek}` };
  memory.recent = [here, ...memory.recent.filter((one) => one.address !== address && one.address !== settle.before)].slice(0, MOST_RECENT);
  settle.before = address; // further typing on a page changes the same calculation
  if (own && ["diary", "period"].includes(question)) memory.diary = diaryOf(location.search);
  save();
  show();
}

// A first visit starts with who I am instead of the example.
function recall() {
  if (!memory || !form || location.search) return;
  const filled = mine.map((name) => [form.elements.namedItem(name), memory.me[name]]).filter(([field, text]) => field && text);
  if (!filled.length) return;
  for (const field of form.querySelectorAll("[data-example]")) { field.value = ""; delete field.dataset.example; }
  for (const result of form.querySelectorAll(".res :checked")) result.checked = false;
  for (const [field, text] of filled) field.value = text;
  filled[0][0].dispatchEvent(new Event("input", { bubbles: true }));
}

function show() {
  find("remember").checked = memory !== null;
  for (const one of place.querySelectorAll("[data-with-memory]")) one.hidden = memory === null;
  find("my-diary").hidden = !stored();
  find("my-diary").href = `${root}/${stored() ?? ""}`;
  const list = find("recent");
  list.replaceChildren(...(memory?.recent ?? []).map(({ address, text }) => {
    const item = document.createElement("li");
    item.append(Object.assign(document.createElement("a"), { href: address, textContent: text }));
    return item;
  }));
  list.parentElement.hidden = !memory?.recent.length;
}

// --- what a user does -----------------------------------------------------------------------------------------

find("remember").addEventListener("change", ({ target }) => {
  if (!target.checked) forget();
  else if (begin()) settle();
  else memory = null;
  show();
});

function forget() {
  clearTimeout(waiting);
  memory = null;
  try { localStorage.removeItem(KEY); say("forgotten"); } catch { say("no_storage"); }
  show();
}

find("forget").addEventListener("click", forget);

find("export").addEventListener("click", () => {
  const file = new Blob([JSON.stringify(memory, null, 2)], { type: "application/json" });
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download: "arpad.json" });
  link.click();
  URL.revokeObjectURL(link.href);
});

find("import").addEventListener("change", async ({ target }) => {
  const read = await target.files[0]?.text().then(JSON.parse).catch(() => null);
  target.value = "";
  if (read?.arpad !== 1 || !Array.isArray(read.recent) || !isDiary(read.diary)) { say("not_a_diary"); return; }
  const before = memory;
  memory = { arpad: 1, me: read.me ?? {}, recent: read.recent, diary: read.diary };
  if (save()) location.reload(); // the page begins again with what was read
  else memory = before;
});

find("keep-diary").addEventListener("click", () => {
  own = true;
  find("keep-diary").hidden = true;
  if (begin()) settle();
});

document.addEventListener("click", (event) => {
  const target = event.target.closest?.("[data-to-diary]");
  if (!target || !begin()) return;
  const added = diaryOf(location.search);
  if (memory.diary) memory.diary.event.push(...added.event);
  else memory.diary = added;
  if (!save()) return;
  target.replaceWith(Object.assign(document.createElement("a"), { className: "btn", href: `${root}/${stored()}`, textContent: words.in_diary }));
  show();
});

document.addEventListener("answered", answered);
find("keep-diary").hidden = own || answer()?.dataset.question !== "diary";
show();
recall();
