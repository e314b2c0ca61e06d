// Light or dark: the system's, until the button says otherwise; and that there is a script at all. Not a module, because it runs before anything is painted.

(() => {
  document.documentElement.classList.add("scripted");
  const root = document.documentElement, system = matchMedia("(prefers-color-scheme: dark)");
  try { const kept = localStorage.getItem("arpad-theme"); if (kept) root.dataset.theme = kept; } catch { /* no storage */ }
  const dark = () => (root.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";
  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    if (!button) return;
    const name = () => button.setAttribute("aria-label", button.dataset[dark() ? "light" : "dark"]);
    name();
    system.addEventListener("change", name);
    button.addEventListener("click", () => {
      root.dataset.theme = dark() ? "light" : "dark";
      try { localStorage.setItem("arpad-theme", root.dataset.theme); } catch { /* only for this page */ }
      name();
    });
  });
})();
