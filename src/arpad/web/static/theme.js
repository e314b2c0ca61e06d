// Light, dark, or like the system. Not a module, because it has to run before anything is painted.

(() => {
  const root = document.documentElement;
  const apply = (theme) => { if (theme) root.dataset.theme = theme; else delete root.dataset.theme; };
  try { apply(localStorage.getItem("arpad-theme")); } catch { /* no storage: like the system */ }
  document.addEventListener("DOMContentLoaded", () => {
    const choice = document.getElementById("theme");
    choice.value = root.dataset.theme ?? "";
    choice.addEventListener("change", () => {
      apply(choice.value);
      try {
        if (choice.value) localStorage.setItem("arpad-theme", choice.value);
        else localStorage.removeItem("arpad-theme");
      } catch { /* only for this page */ }
      document.dispatchEvent(new Event("themed"));
    });
  });
})();
