// Twice a second, checks for a new state and replaces the old one with it: nothing flickers, and the reader stays
// where they were. Without scripts the page reloads itself.
let seen = document.body.dataset.version;

async function look() {
  try {
    const version = await (await fetch("version", { cache: "no-store" })).text();
    document.getElementById("ended").hidden = true;
    if (version === seen) return;
    const page = new DOMParser().parseFromString(await (await fetch("./", { cache: "no-store" })).text(), "text/html");
    document.querySelector("main").replaceWith(document.adoptNode(page.querySelector("main")));
    document.title = page.title;
    seen = page.body.dataset.version;
  } catch {
    document.getElementById("ended").hidden = false;
  } finally {
    setTimeout(look, 500);
  }
}

look();
