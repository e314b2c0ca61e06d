// Light, dark, or as the system has it: set before anything is painted, so it is no module.

(() => {
  const root = document.documentElement;
  const apply = (theme) => { if (theme) root.dataset.theme = theme; else delete root.dataset.theme; };
  try { apply(localStorage.getItem("arpad-theme")); } catch { /* nothing can be kept here: as the system has it */ }
  document.addEventListener("DOMContentLoaded", () => {
    const choice = document.getElementById("theme");
    choice.value = root.dataset.theme ?? "";
    choice.addEventListener("change", () => {
      apply(choice.value);
      try {
        if (choice.value) localStorage.setItem("arpad-theme", choice.value);
        else localStorage.removeItem("arpad-theme");
      } catch { /* it holds for this page */ }
      document.dispatchEvent(new Event("themed"));
    });
  });
})();
