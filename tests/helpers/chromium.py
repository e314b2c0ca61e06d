"""Debian's Chromium, driven by Playwright, and the server it opens."""

import contextlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import expect, sync_playwright
from serving import PATIENT

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WAIT = 120_000  # milliseconds until a test fails; only a very busy machine ever waits this long
expect.set_options(timeout=WAIT)
# Nobody hesitates, however busy the machine is: what the page does after three seconds without a key never happens.
UNHESITATING = """(() => { const soon = window.setTimeout;
  window.setTimeout = (work, wait, ...more) => (wait >= 3000 ? 0 : soon(work, wait, ...more)); })()"""
DAY = "2026-11-15"
EXAMPLE = f"/?system=fide-standard&on={DAY}&rating=1750&born=2010&game=1950:win&who=Ada&game=1800:draw&game=1700:win"
PAGES = {
    "calculator": EXAMPLE,
    "calculator-empty": "/",
    "expect": f"/ahead?system=fide-standard&on={DAY}&rating=1500&opponent=1700",
    "need": f"/ahead?system=fide-standard&on={DAY}&rating=1780&reach=1800"
    + "".join(f"&against={rating}" for rating in (1700, 1750, 1800, 1820, 1850, 1900, 1920)),
    "outlook": f"/ahead?system=fide-standard&on={DAY}&rating=1780&born=2010&game=1700:win&game=1750:draw"
    + "".join(f"&game={rating}:%3F" for rating in (1800, 1820, 1850, 1900))
    + "&reach=1800&lose=10",
    "norms": f"/ahead?system=fide-standard&on={DAY}&rating=2460&k=10&federation=GER&norm=GM&norm=IM"
    "&reach=2470&reach=2500&game=2550gm/FRA:%3F&game=2520gm/ITA:%3F&game=2610gm/IND:%3F&game=2480im/POL:%3F&game=2440im/GER:%3F"
    "&game=2500gm/USA:%3F&game=2390fm/ESP:%3F&game=2590gm/NED:%3F&game=2470im/CZE:%3F",
    "season": "/ahead?system=fide-standard&on=2026-09-15&rating=1750&reach=1800&born=2010&lose=50"
    "&event=Autumn+Open&on=2026-10-10&game=1690&game=1740&game=1780&game=1820&game=1860"
    "&event=City+Open&on=2026-11-14&field=1790&spread=90&rounds=5"
    "&event=Christmas+Open&on=2026-12-27&game=1720&game=1750&game=1800&game=1830@b&game=1870@w",
    "plans": f"/ahead?system=fide-standard&on={DAY}&rating=2380&reach=2400&born=1990&games=200&lose=10"
    "&event=Winter+Open&on=2027-01-10&game=2300&game=2350@w&game=2420&game=2450@b"
    "&event=League&on=2027-02-07&plan=league&game=2380&game=2400&game=2410"
    "&event=Spring+Open&on=2027-03-03&plan=opens&game=2330&game=2360&game=2390&game=2410&game=2440",
    "first": f"/first?system=fide-standard&on={DAY}&game=1902:1&game=1877:1&game=1884:0.5&game=2012:0&game=1832:0.5",
    "performance": f"/?system=fide-standard&on={DAY}&game=1950:win&game=2010:draw&game=1890:1",
    "period": "/?system=fide-standard&on=2026-11-01&rating=2395&event=Autumn+Open&on=2026-10-03&game=2103:1"
    "&game=2250:0.5&event=League&on=2026-10-17&rating=2400&game=2310:1",
    "diary": f"/?system=fide-standard&on={DAY}&rating=1750&born=2010&event=Spring+Open&on=2026-04-03&game=1800:win"
    "&game=1900:draw&event=Autumn+Open&on=2026-10-30&game=1850:win&game=1920:draw",
    "rules": f"/learn/rules?system=fide-standard&on={DAY}",
    "changes": f"/learn/rules?system=fide-standard&changes=2013-01-01..{DAY}",
    "tournament": "/tournament",
    "help": "/learn",
    "api": "/learn/api",
    "refused": f"/?system=fide-standard&on={DAY}&rating=10000&game=1950:win",
}


@contextlib.contextmanager
def server(**environment):
    """`arpad serve` on a free port; gives its address."""
    command = [sys.executable, "-m", "arpad", "serve", "--port", "0"]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, **PATIENT, **environment},
    ) as running:
        try:
            line = running.stdout.readline()
            yield re.search(r"http://\S+:\d+", line)[0]
        finally:
            running.terminate()
            running.wait()


@contextlib.contextmanager
def browser():
    """A headless Chromium with an empty profile."""
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            yield opened
        finally:
            opened.close()


STARTED = contextlib.ExitStack()  # the browser of this process, as long as it is open
FOUND = []


def opened():
    """The one browser of this process; as long as it is open no other event loop can run in it."""
    if not FOUND:
        FOUND.append(STARTED.enter_context(browser()))
    return FOUND[0]


def closed():
    """End the browser, if there is one, once no test follows that needs it."""
    FOUND.clear()
    STARTED.close()


def visitor(opened, address, **options):
    """A context of the browser: somebody with an empty memory and with settings of their own."""
    return opened.new_context(base_url=address, locale=options.pop("locale", "en-GB"), **options)


def forgotten(context, address):
    """Let a visitor forget everything, so that the next test begins with an empty memory."""
    for page in context.pages:
        page.goto("about:blank")  # what was about to be written is not written any more
        session = context.new_cdp_session(page)
        session.send("Storage.clearDataForOrigin", {"origin": address, "storageTypes": "all"})
        page.close()
    context.clear_cookies()


@contextlib.contextmanager
def pages(opened, address, usual):
    """A function that opens a page by its path; the first plain one is the usual visitor's, any other somebody else's.

    Every request must stay on the server's own origin, and no console may show an error.
    """
    contexts, requests, problems = [], [], []

    def make(path="/", **options):
        plain = not options and not usual.pages
        context = usual if plain else visitor(opened, address, **options)
        contexts.extend([] if plain else [context])
        page = context.new_page()
        page.on("request", lambda request: requests.append(request.url))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
        page.set_default_timeout(WAIT)
        page.goto(path)
        return page

    make.address, make.requests, make.problems = address, requests, problems
    yield make
    for context in contexts:
        context.close()
    forgotten(usual, address)
    elsewhere = [url for url in requests if not url.startswith((address, "data:", "blob:", "file:", "about:"))]
    assert not elsewhere, elsewhere
    faults = [problem for problem in problems if "status of 4" not in problem]
    assert not faults, faults


def screenshots(folder, widths=(360, 768, 1024, 1440), names=None):
    """A picture of every page at every width, light and dark."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with server() as address, browser() as opened:
        for scheme in ("light", "dark"):
            for width in widths:
                page = opened.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme, locale="en-GB")
                for name, path in PAGES.items():
                    if names and name not in names:
                        continue
                    page.goto(address + path, wait_until="networkidle")
                    if page.locator("figure").count():
                        page.locator("figure").last.scroll_into_view_if_needed()
                        page.wait_for_selector("figure:last-of-type[data-drawn]", timeout=WAIT)
                        page.evaluate("scrollTo(0, 0)")
                    page.screenshot(path=folder / f"{name}-{width}-{scheme}.png", full_page=True)
                page.close()


if __name__ == "__main__":
    screenshots(*sys.argv[1:2] or ["screenshots"])
