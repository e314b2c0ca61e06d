// The page of a ledger: a file can be dropped anywhere on its form, and the next game begins where the last one was saved.

for (const form of document.querySelectorAll("[data-drop]")) {
  const field = form.querySelector("[type=file]");
  form.addEventListener("dragover", (event) => { event.preventDefault(); form.classList.add("over"); });
  form.addEventListener("dragleave", () => form.classList.remove("over"));
  form.addEventListener("drop", (event) => {
    event.preventDefault();
    form.classList.remove("over");
    if (!event.dataTransfer.files.length) return;
    field.files = event.dataTransfer.files;
    form.requestSubmit();
  });
}

// A name is complete when it is one of those offered: the next field is then the one to fill.
const names = new Set([...document.querySelectorAll("#names option")].map((option) => option.value));
const white = document.getElementById("white"), black = document.getElementById("black");
white?.addEventListener("input", ({ inputType }) => { if (inputType === "insertReplacementText" || (!inputType && names.has(white.value))) black.focus(); });
if (white && !white.value && document.querySelector(".done")) white.focus();
