// Pasting: a table or several lines pasted into any field, or into the dialog, are shown as they were understood before
// they are used. The server reads them; this only shows its page as a dialog. A file that is dropped on a door is a
// tournament's: its report is the answer.

const form = document.getElementById("form"), dialog = document.getElementById("paste");
const { root } = document.body.dataset;
const TABS = 2; // of a line that is a row of a table

async function open(body) {
  const reply = await fetch(`${root}/paste`, { method: "POST", body: new URLSearchParams(body) }).catch(() => null);
  const page = reply && new DOMParser().parseFromString(await reply.text(), "text/html"), part = page?.getElementById("pasted");
  if (!part) { document.getElementById("offline").hidden = false; return; }
  part.classList.remove("dlg-page");
  dialog.replaceChildren(part);
  if (!dialog.open) dialog.showModal();
  (dialog.querySelector("[name=whose], #paste-text") ?? dialog.querySelector(".main")).focus();
}

// The example of a first visit is not what somebody typed.
const typed = () => [...form.elements].filter((one) => one.name && (one.type !== "radio" || one.checked) && one.type !== "submit" && !("example" in one.dataset) && !one.closest(".game")?.querySelector("[data-example]")).map(({ name, value }) => [name, value]);
const given = (more) => [...typed(), ["door", form.dataset.live.split("/").at(-1)], ...more];

if (form && dialog) {
  document.addEventListener("paste", (event) => {
    const { target, clipboardData } = event, text = clipboardData?.getData("text/plain") ?? "";
    const table = text.trim().includes("\n") || text.split("\t").length > TABS;
    if (!table || !target.matches("input") || !form.contains(target)) return;
    event.preventDefault();
    open(given([["paste", text]]));
  });
  form.addEventListener("click", (event) => {
    if (!event.target.closest("[data-paste]")) return;
    event.preventDefault();
    open(given([]));
  });
  dialog.addEventListener("submit", async (event) => {
    event.preventDefault();
    const body = new FormData(event.target, event.submitter);
    if (event.target.matches("[data-pasting]")) { open(body); return; }
    const address = `${event.target.action}?${new URLSearchParams(body)}`, done = () => dialog.close(); // the form waits for its games
    document.dispatchEvent(new CustomEvent("regrow", { detail: { address, done } }));
  });
  dialog.addEventListener("close", () => dialog.replaceChildren());
  // A text pasted into the empty field of the dialog is read at once, and so is the choice of a player.
  dialog.addEventListener("paste", ({ target }) => { if (target.matches("#paste-text")) setTimeout(() => target.form.requestSubmit()); });
  dialog.addEventListener("change", ({ target }) => { if (target.name === "whose") target.form.requestSubmit(); });
  dialog.addEventListener("click", (event) => {
    if (!event.target.closest("[data-close]")) return;
    event.preventDefault();
    dialog.close();
  });
}

addEventListener("dragover", (event) => { if (event.dataTransfer?.types.includes("Files")) event.preventDefault(); });
addEventListener("drop", (event) => {
  if (!form || !event.dataTransfer?.files.length) return;
  event.preventDefault();
  const sent = Object.assign(document.createElement("form"), { method: "post", action: `${root}/tournament`, enctype: "multipart/form-data", hidden: true });
  sent.append(Object.assign(document.createElement("input"), { type: "file", name: "file", files: event.dataTransfer.files }));
  document.body.append(sent);
  sent.requestSubmit();
});
