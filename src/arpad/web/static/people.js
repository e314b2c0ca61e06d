// Names from the rating list, suggested while typing wherever a rating can be given. A chosen player is kept by name and
// ID, because the server knows what the list says about them; in a row of games the rating is filled in with the name.

const form = document.getElementById("form"), people = document.getElementById("people"), note = document.getElementById("people-note");
const { root } = document.body.dataset;
const words = JSON.parse(document.body.dataset.words);
const phrase = (key, values = {}) => words[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
const ask = () => document.dispatchEvent(new Event("ask"));
const NO_NAMES = ["unrated", "bye"];
let offered = [], source = "", marked = -1, typed = 0, turn = 0, fills = 0, opponents = null; // opponents: the pace and list of their ratings

// The name or ID being typed. Nothing is asked until it is complete; a number above 4000 is not a rating.
function beingNamed(field) {
  const text = /^\s*(@.*|(?:[4-9]|\d\d)\d{3,}\s*|\p{L}.*)$/u.exec(field.value)?.[1] ?? "";
  return NO_NAMES.includes(text.trim().toLowerCase()) ? "" : text;
}

async function complete(field) {
  const name = beingNamed(field).trim(), asked = ++turn;
  const number = /^@?(\d{4,})$/.exec(name)?.[1], text = number ?? name.replace(/@\d*$/, "");
  if (!number && text.replace(/[^\p{L}]/gu, "").length < 3) { offer(field, [], ""); return; }
  const on = field.closest(".event-in")?.querySelector("[name=on]").value || document.getElementById("on")?.value;
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
  field.setAttribute("aria-expanded", String(players.length > 0));
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

function choose(field, one) {
  delete field.dataset.naming;
  if (field.dataset.names === "one") field.value = [one.name, `@${one.id}`].filter(Boolean).join(" ");
  else {
    fill(field.closest(".game"), one);
    opponents = { pace: pace(), list: source };
  }
  offer(field, [], "");
  sized(field);
  say();
  ask();
}

function fill(row, one) {
  const norm = document.getElementById("norm")?.value, title = norm && (one.title ?? one.w_title), federation = norm && one.federation;
  row.querySelector("[name=row]").value = [notation(one), title, federation].filter(Boolean).join(" ");
  row.querySelector("[name=who]").value = one.name;
  row.querySelector(".nm")?.remove();
  row.querySelector(".opp").append(Object.assign(document.createElement("span"), { className: "nm", textContent: one.name }));
  row.person = one;
}

// With another system or day, ratings change, also those of opponents in rows.
async function refill(anotherDay) {
  const rows = [...form.querySelectorAll(".game")].filter((row) => row.person), day = document.getElementById("on")?.value, asked = ++fills;
  const found = await Promise.all(rows.map(async ({ person }) => {
    if (!anotherDay) return { list: opponents.list, players: [person] };
    const reply = await fetch(`${root}/api/v1/lists/find?${new URLSearchParams({ q: person.id, most: "1", ...(day ? { on: day } : {}) })}`).catch(() => null);
    return reply?.ok ? (await reply.json()).value : { players: [] };
  }));
  if (asked !== fills || !rows.length || !found.every(({ players }) => players.length)) return; // the old ratings stay, and a sentence says so
  rows.forEach((row, index) => { if (row.person) fill(row, found[index].players[0]); });
  opponents = { pace: pace(), list: found[0].list };
  ask();
}

// Below the rating it says if the opponents' ratings are of another pace or list than the player's own.
function say() {
  const below = document.getElementById("rating-help"), { at } = document.getElementById("answer").dataset;
  if (!below || !opponents || at || (opponents.pace === pace() && below.textContent.includes(opponents.list))) return;
  below.hidden = false;
  below.append(` ${phrase("other_list", { pace: opponents.pace, list: opponents.list })}`);
}

const sized = (field) => { if (field.dataset.names === "one") field.classList.toggle("named", /^[^\d]/.test(field.value)); };

if (people) {
  form.addEventListener("focusin", ({ target }) => {
    if (!target.dataset.names) return;
    target.setAttribute("role", "combobox");
    target.setAttribute("aria-expanded", "false");
    target.setAttribute("aria-autocomplete", "list");
    target.setAttribute("aria-controls", "people");
  });
  form.addEventListener("input", ({ target }) => {
    if (target.id === "system" || target.id === "on") refill(target.id === "on");
    if (!target.dataset.names) return;
    if (beingNamed(target)) target.dataset.naming = "";
    else delete target.dataset.naming;
    const row = target.closest(".game");
    if (row && (row.person || beingNamed(target))) { row.querySelector("[name=who]").value = ""; row.querySelector(".nm")?.remove(); delete row.person; } // typing over a player means somebody else
    sized(target);
    clearTimeout(typed);
    typed = setTimeout(complete, 120, target);
  }, { capture: true });
  form.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Tab" && marked >= 0) choose(event.target, offered[marked]); // then on to the next field
    if (!people.parentElement.classList.contains("open") || !(step ? offered.length : event.key === "Escape" || (event.key === "Enter" && marked >= 0))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (step) mark(event.target, marked < 0 && step < 0 ? -1 : marked + step);
    else if (event.key === "Enter") choose(event.target, offered[marked]);
    else offer(event.target, [], "");
  }, { capture: true });
  people.addEventListener("pointerdown", (event) => event.preventDefault()); // the field keeps the focus
  people.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]");
    if (option) choose(document.activeElement, offered[[...people.children].indexOf(option)]);
  });
  const done = (field) => { if (field.dataset?.names) { clearTimeout(typed); offer(field, [], ""); } };
  form.addEventListener("focusout", (event) => done(event.target));
  form.addEventListener("submit", () => done(document.activeElement));
  form.addEventListener("change", ({ target }) => {
    if (!target.dataset.names) return;
    delete target.dataset.naming;
    target.value = target.value.replace(/^\s*(\d{6,})\s*$/, "@$1"); // not a rating but an ID
    ask();
  }, { capture: true });
  document.addEventListener("answered", say);
}
