// Finds people and events by the beginnings of their words, without marks: everything is in search-index.js.
const form = document.querySelector("form[role=search]");
const field = form.querySelector("input"), found = form.querySelector("ul"), status = form.querySelector("[role=status]");
const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
const wordsOf = (text) => folded(text).split(/[^\p{L}\p{N}]+/u).filter(Boolean);
const names = arpadNames.map(([says, to]) => ({ says, to, words: wordsOf(says) }));
form.hidden = false;

function matches() {
  const asked = wordsOf(field.value);
  if (!asked.length) return [];
  return names.filter((one) => asked.every((part) => one.words.some((word) => word.startsWith(part)))).slice(0, 12);
}

field.addEventListener("input", () => {
  const hits = matches();
  found.replaceChildren(...hits.map(({ says, to }) => {
    const item = document.createElement("li"), link = document.createElement("a");
    link.href = to;
    link.textContent = says;
    item.append(link);
    return item;
  }));
  status.textContent = !field.value.trim() ? "" : hits.length ? `${form.dataset.found}: ${hits.length}` : form.dataset.none;
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const [first] = matches();
  if (first) location.href = first.to;
});
