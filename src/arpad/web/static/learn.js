// Learn: the search asks as one types, an example answers as it is changed, and a phone starts with closed contents.
const WAIT = 150;  // milliseconds after the last key
const narrow = matchMedia("(max-width: 640px)");

for (const contents of document.querySelectorAll(".toc-d")) contents.open = !narrow.matches;

function later(form, replaced, address) {
  let timer, newest = 0;
  const ask = async () => {
    const own = ++newest;
    const query = new URLSearchParams(new FormData(form));
    try {
      const reply = await fetch(`${form.action}?${query}`);
      const page = new DOMParser().parseFromString(await reply.text(), "text/html");
      if (own !== newest) return;
      for (const selector of replaced) {
        const place = document.querySelector(selector), found = page.querySelector(selector);
        if (place && found) place.replaceChildren(...found.childNodes);
        if (place && found) place.className = found.className;
      }
      if (address) history.replaceState(null, "", `${form.getAttribute("action")}?${query}`);
    } catch { /* without a connection the last answer stays */ }
  };
  form.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(ask, WAIT); });
  form.addEventListener("submit", (event) => { event.preventDefault(); clearTimeout(timer); ask(); });
}

for (const form of document.querySelectorAll("[data-search]")) later(form, ["#found"], document.body.matches(".page-help") && !document.querySelector("article"));
for (const form of document.querySelectorAll("[data-try]")) later(form, ["#refused", "#drawn", "#hero", "#side", "#told"], true);
