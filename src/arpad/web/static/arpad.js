// The form of a door while somebody types: it asks the server, puts what changed in its place, and grows by rows and
// events. Without it every door works as a form with a button. It computes nothing, and its words come from the server.

const form = document.getElementById("form");
const words = JSON.parse(document.body.dataset.words);
const find = (id) => document.getElementById(id);
const answer = () => find("answer");
const all = (selector) => [...form.querySelectorAll(selector)];
const phone = matchMedia("(max-width: 640px)");

// --- asking, one request at a time: what is typed meanwhile is asked once the answer has arrived -----------------

const PAUSE = 150, HALF = 1500, SLOW = 400, SPOKEN = 1000, HESITATION = 3000; // milliseconds
let waiting = 0, running = null, again = false, slow = 0, speaking = 0, drawn = 0; // drawn: how often the form was

// A rating or a year with fewer than four digits is probably still being typed.
const isHalf = ({ name, value }) => ["rating", "row", "reach", "born"].includes(name) && /(^|\s)\d{1,3}$/.test(value);

function soon(field) {
  clearTimeout(waiting);
  waiting = setTimeout(update, isHalf(field) ? HALF : PAUSE);
}

function update() {
  clearTimeout(waiting);
  waiting = 0;
  again = running !== null;
  running ??= ask();
  return running;
}

async function ask() {
  const started = performance.now(), before = drawn;
  slow = setTimeout(() => { const label = document.querySelector("#hero .for span"); if (label) label.textContent = words.working; }, SLOW);
  try {
    const reply = await fetch(`${form.dataset.live}.part?${query()}`);
    if (!reply.headers.get("content-type")?.startsWith("text/html")) throw new Error(reply.status);
    const part = new DOMParser().parseFromString(await reply.text(), "text/html");
    await growing;
    if (before === drawn) receive(part); // otherwise it answers a form that is gone
    find("offline").hidden = true;
    performance.measure("update", { start: started, end: performance.now() });
  } catch {
    find("offline").hidden = false; // the server is unreachable: the last answer stays
    find("hero")?.classList.add("old");
  }
  clearTimeout(slow);
  if (again) { // and with that for whatever still waited for a pause
    clearTimeout(waiting);
    waiting = 0;
    again = false;
    await ask();
    return;
  }
  running = null;
}

const query = (more = []) => new URLSearchParams([...new FormData(form), ...more]).toString();

find("retry")?.addEventListener("click", () => (form ? update() : location.reload()));
if (form) addEventListener("online", update);

// --- showing. A refusal on the way to something else is not shown: it waits for a pause, or for the next field ---

let refused = null, refusing = 0, typing = null; // typing: the field typed into last

function receive(reply) {
  clearTimeout(refusing);
  refused = null;
  const found = reply.getElementById("answer");
  if ("refused" in found.dataset && (waiting || again)) return; // it is about an older text
  if (found.dataset.question !== answer().dataset.question && !("refused" in found.dataset)) { regrow(); return; }
  const known = "refused" in answer().dataset && answer().dataset.at === found.dataset.at;
  if (!("refused" in found.dataset) || known || !typing?.matches(":focus")) { show(reply); return; }
  refused = reply;
  refusing = setTimeout(refuse, HESITATION);
}

function refuse() {
  clearTimeout(refusing);
  if (refused && !waiting && !running) show(refused); // otherwise it is about an older text
  refused = null;
}

function show(reply) {
  const before = answer(), found = reply.getElementById("answer"), wrong = "refused" in found.dataset;
  const open = new Set([...document.querySelectorAll("details[open][id]")].map((one) => one.id));
  const last = wrong && before.querySelector(".hero:has(.fig, .outs)"); // the last answer stays, paler, and says so
  if (last) {
    last.classList.add("old");
    const rating = new URLSearchParams(before.dataset.address.split("?")[1]).get("rating");
    last.querySelector(".for span").textContent = rating ? words.last_answer_for.replace("{rating}", rating) : words.last_answer;
    found.dataset.address = before.dataset.address; // the form, and the address, of what is still shown
    found.replaceChildren(...before.childNodes);
  }
  for (const fresh of reply.querySelectorAll("body > [id], .chg[id], .err[id]")) find(fresh.id)?.replaceWith(fresh);
  tagged();
  for (const one of answer().querySelectorAll("details[id]")) one.open = open.has(one.id);
  for (const field of form.elements) field.removeAttribute("aria-invalid");
  find(found.dataset.at)?.setAttribute("aria-invalid", "true");
  if (find("k")?.matches(".chips") && found.dataset.at === "k") find("how").open = true;
  shown();
}

// As long as the rating or a game is still the example's, the answer says so.
const tag = document.querySelector("#hero .tag")?.cloneNode(true);

function tagged() {
  if (form.querySelector(":is(#rating, [name=row])[data-example]") && !document.querySelector("#hero .tag")) document.querySelector("#hero .for")?.append(tag.cloneNode(true));
}

// What follows from a new answer: the address, the links to the other doors, and what a screen reader is told.
function shown() {
  const { address, carried, status } = answer().dataset;
  if (!("refused" in answer().dataset)) history.replaceState(null, "", address);
  for (const link of document.querySelectorAll("a[data-carry]")) link.search = carried && `?from=${answer().dataset.question}&${carried}`;
  for (const link of document.querySelectorAll("a[data-language]")) link.search = carried && `?${carried}`;
  clearTimeout(speaking);
  speaking = setTimeout(() => { if (!running) find("status").textContent = status; }, SPOKEN); // a newer answer is announced instead
  listed();
  many();
  watch();
  document.dispatchEvent(new Event("answered"));
}

// Fields left empty show what a rating list says, or what is assumed.
function listed() {
  const said = JSON.parse(answer().dataset.listed);
  for (const field of all("input[name]:not([data-names])")) {
    if (field.name in said) { field.dataset.empty ??= field.placeholder; field.placeholder = said[field.name]; }
    else if (field.dataset.empty) field.placeholder = field.dataset.empty;
  }
}

// The bar at the bottom of a phone is there only while the answer itself is out of view.
let seen = null;

function watch() {
  seen?.disconnect();
  seen = new IntersectionObserver(([entry]) => find("stick")?.classList.toggle("seen", entry.isIntersecting), { rootMargin: "0px 0px -120px 0px" });
  if (find("hero")) seen.observe(find("hero"));
}

// A field that a link names may be behind the line of words, or in a fold.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href^='#']"), field = link && find(link.hash.slice(1));
  if (!field || link.matches(".skip")) return;
  event.preventDefault();
  if (link.id === "stick") { fold(); field.scrollIntoView({ block: "start" }); return; }
  for (let one = field.closest("details"); one; one = one.parentElement.closest("details")) one.open = true;
  (field.matches("input, select, textarea") ? field : field.querySelector("input") ?? field).focus();
});

// --- many games, and events that have some, fold to one line on a phone ----------------------------------------------

const MANY = 4;
const gamesIn = (part) => [...part.querySelectorAll("[name=row]")].filter((field) => field.value.trim()).length;

function many() {
  const games = find("games-fold");
  games?.toggleAttribute("data-many", gamesIn(games) > MANY);
}

function fold() {
  many();
  if (!phone.matches) return;
  for (const one of all(".fold:not(:has([data-example], [aria-invalid]))")) if (gamesIn(one) > (one.id === "games-fold" ? MANY : 0)) one.open = false;
}

// --- rows, events, and whatever else the form grows by -------------------------------------------------------------

function copyOf(row) {
  const fresh = row.cloneNode(true), number = Math.max(...all("[type=radio][name^=result]").map((one) => Number(one.name.slice(7))), 0) + 1;
  for (const field of fresh.querySelectorAll("input:not([type=radio])")) { field.value = ""; field.removeAttribute("value"); delete field.dataset.example; }
  for (const field of fresh.querySelectorAll("[type=radio]")) { field.checked = false; field.name = `result-${number}`; }
  for (const gone of fresh.querySelectorAll(".nm, .q")) gone.remove();
  fresh.querySelector(".chg").textContent = "";
  fresh.querySelector(".err").hidden = true;
  row.after(fresh);
  renumber(row.parentElement);
  return fresh;
}

function renumber(list) {
  [...list.children].forEach((row, index) => {
    const number = String(index + 1);
    row.querySelector(".n").textContent = number;
    for (const part of row.querySelectorAll("[aria-label]")) part.setAttribute("aria-label", part.getAttribute("aria-label").replace(/\d+/, number));
    for (const part of row.querySelectorAll("[id]")) part.id = part.id.replace(/\d+(?=(-help)?$)/, number);
    row.querySelector(".x").value = row.querySelector("[name=row]").id;
  });
}

function add(list, focus) {
  const last = list.lastElementChild;
  const fresh = last.querySelector("[name=row]").value.trim() || !focus ? copyOf(last) : last;
  if (focus) fresh.querySelector("[name=row]").focus();
}

function remove(row) {
  const list = row.parentElement;
  if (list.children.length === 1) copyOf(row);
  const near = row.nextElementSibling ?? row.previousElementSibling;
  row.remove();
  renumber(list);
  near.querySelector("[name=row]").focus();
  update();
}

// The server draws the form again, with what was typed: for another system, another question, or a button that adds; one
// after the other, so that none draws what was there before another.
let growing = Promise.resolve();

function regrow(more = [], address = "") {
  if (find("norm")?.value === "" && !more.length) more = [["add", "norm"]]; // it may still be chosen
  growing = growing.then(() => draw(more, address));
  return growing;
}

async function draw(more, address) {
  const typed = query();
  const reply = await fetch(address || `${form.action}?${query(more)}`).catch(() => null), text = await reply?.text() ?? "";
  if (reply?.redirected && new URL(reply.url).pathname !== new URL(form.action).pathname) { // another door answers it
    const there = new URL(reply.url);
    if (form.querySelector("[name=row][data-example]")) there.searchParams.delete("game");
    location.assign(there);
    return;
  }
  const page = new DOMParser().parseFromString(text, "text/html");
  if (!page.getElementById("inputs")) { find("offline").hidden = false; return; } // no connection, or a server that has no time
  if (query() !== typed && !address) { await draw(more, address); return; } // more has been typed meanwhile
  drawn += 1;
  clearTimeout(waiting);
  waiting = 0;
  again = false; // what was typed is in what was drawn
  const lead = all(".who .in").indexOf(document.activeElement); // another system may have another field in its place
  const { id, selectionStart: at } = document.activeElement, row = document.activeElement.closest("#form .games")?.lastElementChild.contains(document.activeElement);
  const open = all("details[id]").map((one) => [one.id, one.open]), examples = all("[data-example]").map((one) => one.id);
  for (const part of ["ask", "inputs", "answer", "later", "stick"]) find(part)?.replaceWith(page.getElementById(part));
  for (const [one, was] of open) if (find(one)) find(one).open = was;
  if (!address) for (const one of examples) find(one)?.setAttribute("data-example", ""); // what a paste brings is no example
  tagged();
  if (row && !find(id)) add(all(".games").at(-1), false); // the empty row in which the next game is typed
  if (more[0]?.[0] === "add") fold();
  const field = find({ target: "reach", norm: "norm", event: all(".event-in [name=event]").at(-1)?.id }[more[0]?.[1]] ?? id) ?? all(".who .in")[lead];
  field?.focus();
  if (Number.isInteger(at) && field?.id === id) field.setSelectionRange(at, at); // a date has no place for a key
  shown();
}

const SEVERAL = /\d{3,}.*\D\d{3,}/; // two opponents in one field
const NAMED = /^\s*(\d{3,4}\s+\p{L}|\p{L}.*\s\d{3,4}\s*$)/u; // a rating with its system
const MORE = /^[^@]*(\d[^@\d]|[^@\d\s]\s*\d)[^@]*$/; // a rating with a result, a name or another opponent
const ONE_GAME = ["expect"]; // questions whose form has a single row until another is asked for

if (form) {
  let was = null; // whether a result was chosen before it was clicked
  form.addEventListener("pointerdown", ({ target }) => { was = target.closest(".res label")?.querySelector("input"); was = was?.checked && !was.closest(".game")?.matches("[data-guess], :has([data-example])") ? was : null; });
  form.addEventListener("click", (event) => {
    const { target } = event, button = target.closest("button");
    if (target === was) { target.checked = false; was = null; update(); } // a second click takes a result back
    if (target.type === "radio") target.closest(".game")?.removeAttribute("data-guess");
    if (!button) return;
    if (button.dataset.repair) {
      event.preventDefault();
      const field = find(button.dataset.repair);
      field.value = button.value;
      field.focus();
      update();
    } else if (button.matches(".game .x")) { event.preventDefault(); remove(button.closest(".game")); }
    else if (button.name === "add" && button.value === "game") { event.preventDefault(); add(button.closest(".under").previousElementSibling, true); }
    else if (button.name === "add" || button.name === "remove") { event.preventDefault(); regrow([[button.name, button.value]]); }
  });
  form.addEventListener("focusin", ({ target }) => {
    if ("example" in target.dataset && target.select) target.select();
    if (target.closest(".who")) fold(); // above the games, so nothing moves under the finger
  });
  form.addEventListener("input", ({ target, inputType }) => {
    const pasted = inputType === "insertFromPaste" && target.name === "row";
    typing = target.matches("input:not([type]), [type=text]") ? target : null;
    example(target);
    const row = target.closest(".game");
    if (target.name === "row" && target.value && !row.nextElementSibling && (row.previousElementSibling || !ONE_GAME.includes(answer().dataset.question)) && !document.body.matches(".page-embed")) add(row.parentElement, false);
    if ("naming" in target.dataset) return; // a name that is being typed is asked for once it is complete
    if (target.name === "federation" && target.value.length % 3) return; // it has three letters
    if (target.id === "system") regrow();
    else if (typing && pasted && SEVERAL.test(target.value)) settle(target);
    else if (typing) soon(target);
    else update();
  });
  form.addEventListener("change", ({ target }) => { if (target.type === "radio") example(target.closest(".game")?.querySelector("[name=row]") ?? target); });
  form.addEventListener("focusout", ({ target }) => { if (refused && target === typing) refuse(); });
  form.addEventListener("change", ({ target }) => { if (target.name === "time" || target.id === "rating" && NAMED.test(target.value)) regrow(); // some need an approval, or another form
    else if (target.name === "row" && MORE.test(target.value)) settle(target); else if (waiting) update(); });
  form.addEventListener("keydown", (event) => {
    const { target } = event;
    if (event.key !== "Enter" || target.name !== "row" || target.hasAttribute("aria-activedescendant")) return;
    event.preventDefault(); // Enter goes to the next row, as in a table
    target.dispatchEvent(new Event("change", { bubbles: true }));
    const next = target.closest(".game").nextElementSibling;
    if (next) next.querySelector("[name=row]").focus();
    else if (!target.value.trim() && phone.matches) { fold(); target.blur(); } // the last one was the last
    else add(target.closest(".games"), true);
  });
  form.addEventListener("submit", (event) => { if (!event.submitter?.matches("[formaction]")) { event.preventDefault(); update(); } });
  document.addEventListener("regrow", ({ detail }) => regrow([], detail.address).then(detail.done));
  document.addEventListener("ask", update);
  phone.addEventListener("change", () => { if (!phone.matches && find("games-fold")) find("games-fold").open = true; });
  fold();
  watch();
}

// What somebody types is no longer the example's: with a game of one's own its other games go, with a rating the year of
// birth.
function example(field) {
  if (field.name === "row" && "example" in field.dataset) field.closest(".game").dataset.guess = ""; // the result is still the example's
  delete field.dataset.example;
  if (field.name === "row") for (const other of all("[name=row][data-example]")) {
    delete other.dataset.example;
    other.value = "";
    for (const choice of other.closest(".game").querySelectorAll(":checked")) choice.checked = false;
  }
  const born = find("born");
  if (field.id !== "rating" || !born || !("example" in born.dataset)) return;
  delete born.dataset.example;
  born.value = "";
}

// A result typed after the opponent moves to its own place, as the server read it; of several games, each gets a row.
async function settle(field) {
  if (SEVERAL.test(field.value) && !document.body.matches(".page-embed")) {
    const event = field.closest(".fold").id, { activeElement: to } = document, within = to === document.body || to.closest(".game");
    await regrow();
    if (within) add(find(event).querySelector(".games"), true); // where the next game is typed
    return;
  }
  await update();
  if (refused || "refused" in answer().dataset) return; // what was typed stays, to be mended
  const row = field.closest(".game"), filled = all(".game").filter((one) => one.querySelector("[name=row]").value.trim());
  const read = [...new URLSearchParams(location.search)], games = read.filter(([name]) => ["game", "open", "opponent"].includes(name));
  const game = games[filled.indexOf(row)], [, opponent, result] = /^(.*):([^:]*)$/.exec(game?.[1] ?? "") ?? [];
  const choice = row.querySelector(`.res [value="${CSS.escape(result ?? "")}"]`);
  if (!opponent || !choice) return;
  if (/\D/.test(opponent) || read[read.indexOf(game) + 1]?.[0] === "who") { await regrow(); return; } // a title, a colour or a name
  field.value = opponent;
  choice.checked = true;
}

// --- starting again can be undone as long as the page is open --------------------------------------------------

const UNDO = "arpad-undo";

function kept(work) { try { return work(sessionStorage); } catch { return null; } } // a private window may have no storage

document.addEventListener("click", ({ target }) => { if (target.closest?.("[data-reset]")) kept((store) => store.setItem(UNDO, location.href)); });

if (find("undo") && !location.search) {
  const before = kept((store) => store.getItem(UNDO));
  kept((store) => store.removeItem(UNDO));
  if (before && new URL(before).pathname === location.pathname) {
    find("undo").hidden = false;
    find("undo").querySelector("a").href = before;
  }
}
