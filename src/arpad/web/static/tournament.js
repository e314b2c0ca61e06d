// The tournament's page: a file is sent as soon as it is dropped or chosen, tabs keep their place in the address, a
// player's row opens to the games, and a name is found while it is typed. Without script all of it is links and forms.
const WAIT = 1000;  // milliseconds before a skeleton is shown
const words = JSON.parse(document.body.dataset.words || "{}");
const wait = document.getElementById("busy"), asked = location.hash.slice(1);

// --- a file ----------------------------------------------------------------------------------------------------------
const drop = document.querySelector("[data-file]"), file = drop?.querySelector("[type=file]");

function busy(said) {
  setTimeout(() => {
    const others = [...wait.parentElement.children].filter((one) => one !== wait && !one.hidden && !one.matches("script, .ask"));
    wait.querySelector("p").textContent = said;
    wait.hidden = false;
    for (const other of others) other.hidden = true;
    wait.querySelector("[data-stop]").onclick = () => {
      stop();  // the request ends, and with it the work on the server
      wait.hidden = true;
      for (const other of others) other.hidden = false;
    };
  }, WAIT);
}

const reading = (name) => wait.dataset.reading.replace("{name}", name);

function send() {
  const largest = Number(drop.dataset.file), said = document.getElementById("too-large");
  said.hidden = file.files[0].size <= largest;
  if (!said.hidden) {
    said.closest("form").hidden = false;
    said.textContent = words.too_large.replace("{most}", largest / 1048576);
    return;
  }
  busy(reading(file.files[0].name));
  drop.requestSubmit();
}

file?.addEventListener("change", () => file.files.length && send());
addEventListener("dragover", (event) => {
  if (!event.dataTransfer?.types.includes("Files")) return;
  event.preventDefault();
  drop?.classList.add("over");
});
addEventListener("dragleave", (event) => event.relatedTarget || drop?.classList.remove("over"));
addEventListener("drop", (event) => {
  drop?.classList.remove("over");
  if (!event.dataTransfer?.files.length || !drop) return;
  event.preventDefault();
  file.files = event.dataTransfer.files;
  send();
});
document.querySelector("[data-again]")?.addEventListener("submit", (event) => {
  if (event.submitter?.name !== "to") busy(event.submitter?.dataset.busy ?? reading(event.target.elements.name.value));
});
addEventListener("pageshow", (event) => event.persisted && location.reload());  // back from a report: no skeleton stays

// --- tabs ------------------------------------------------------------------------------------------------------------
const tabs = [...document.querySelectorAll(".tabs [data-tab]")], again = document.getElementById("again");

function show(name, focus) {
  const chosen = tabs.find((tab) => tab.dataset.tab === name);
  if (!chosen) return;
  for (const tab of tabs) {
    tab.setAttribute("aria-selected", tab === chosen);
    tab.tabIndex = tab === chosen ? 0 : -1;
    document.getElementById(tab.dataset.tab).classList.toggle("on", tab === chosen);
  }
  if (focus) chosen.focus();
  chosen.scrollIntoView({ block: "nearest", inline: "nearest" });
  const address = new URL(location);
  address.hash = "";
  if (name === tabs[0].dataset.tab) address.searchParams.delete("tab");
  else address.searchParams.set("tab", name);
  history.replaceState(null, "", address);
  again.action = again.action.replace(/\?.*/, "") + (address.searchParams.has("tab") ? `?tab=${name}` : "");
}

if (tabs.length) {
  tabs[0].parentElement.setAttribute("role", "tablist");
  const current = tabs.find((tab) => tab.hasAttribute("aria-current"));
  for (const tab of tabs) {
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", tab.dataset.tab);
    tab.removeAttribute("aria-current");
    document.getElementById(tab.dataset.tab).setAttribute("role", "tabpanel");
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step && event.key !== "Home" && event.key !== "End") return;
      event.preventDefault();
      const place = event.key === "Home" ? 0 : event.key === "End" ? tabs.length - 1 : tabs.indexOf(tab) + step;
      show(tabs[(place + tabs.length) % tabs.length].dataset.tab, true);
    });
  }
  show(tabs.find((tab) => tab.dataset.tab === asked)?.dataset.tab ?? current.dataset.tab);
  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-tab]");
    if (!link) return;
    event.preventDefault();
    show(link.dataset.tab, link.closest(".hero") !== null);
  });
}

// --- a player's row --------------------------------------------------------------------------------------------------
for (const link of document.querySelectorAll("[data-row]")) {
  const row = document.getElementById(link.dataset.row), head = link.closest("tr");
  link.setAttribute("aria-expanded", "false");
  link.setAttribute("aria-controls", row.id);
  head.classList.add("opens");
  head.addEventListener("click", (event) => {
    if (String(getSelection()) && !event.target.closest("a")) return;  // somebody copies a figure
    event.preventDefault();
    link.setAttribute("aria-expanded", row.classList.toggle("open"));
  });
  if (asked === row.id) link.click();
}

// --- a name, the panel, print ----------------------------------------------------------------------------------------
const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
const find = document.getElementById("find");
find?.addEventListener("input", () => {
  const wanted = plain(find.value.trim()), rows = [...document.querySelectorAll("tr[data-name]")], nobody = document.getElementById("nobody");
  for (const row of rows) row.hidden = !plain(row.dataset.name).includes(wanted);
  nobody.textContent = rows.every((row) => row.hidden) ? nobody.dataset.says.replace("{name}", () => find.value.trim()) : "";
  for (const row of document.querySelectorAll("tr.sub")) if (row.previousElementSibling.hidden) row.classList.remove("open");
});
document.querySelector("[data-panel]")?.addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("how").open = true;
  document.getElementById("table").focus();
});
