// Asks every two seconds whether there is a new state, and takes it in place of the old one: nothing flickers, and the
// reader stays where they were. Without scripts the page loads itself again.
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
  }
}

setInterval(look, 2000);
