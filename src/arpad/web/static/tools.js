// What every page has: dialogs, the menu of doors, shortcuts, copying and sharing.

const words = JSON.parse(document.body.dataset.words);
const phrase = (key, values = {}) => words[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);

// --- dialogs and menus ------------------------------------------------------------------------------------------

document.addEventListener("click", ({ target }) => {
  const opener = target.closest?.("[data-opens]");
  if (opener) document.getElementById(opener.dataset.opens).showModal();
  if (target.matches?.("dialog")) target.close(); // the backdrop
  for (const menu of document.querySelectorAll("details:is(.door-menu, .menu)[open]")) if (!menu.contains(target)) menu.open = false;
});

document.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape") return;
  for (const menu of document.querySelectorAll("details:is(.door-menu, .menu)[open]")) { menu.open = false; menu.querySelector("summary").focus(); }
});

// --- keyboard shortcuts, outside fields; `?` lists them -----------------------------------------------------------

const press = (selector) => document.querySelector(selector)?.click();
const deeds = {
  "?": () => document.getElementById("keys").showModal(),
  "/": () => document.querySelector("main input:not([type=hidden]), main textarea")?.focus(),
  n: () => press("#board [name=add], [name=add][value=event]"),
  w: () => press("#d-working > summary"),
  c: () => press("[data-copy]"),
  p: () => press("[data-print]"),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]") || event.target.matches("input, select, textarea") || !(event.key in deeds)) return;
  event.preventDefault();
  deeds[event.key]();
});

// --- copy, share, print --------------------------------------------------------------------------------------------

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
  const text = [...button.childNodes].findLast((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim()), said = text.textContent;
  text.textContent = phrase(key);
  setTimeout(() => { text.textContent = said; }, 1500);
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
  const button = event.target.closest?.("[data-copy], [data-share], [data-print], [data-image]");
  if (!button) return;
  event.preventDefault();
  if ("image" in button.dataset) copyImage(button);
  else if ("print" in button.dataset) window.print();
  else copy(button.dataset.copy ?? new URL(button.getAttribute("href"), location.href).href, button);
});
