"""The static site in a real Chromium: first visit, typing, links, files, without a network, and a second build."""

import contextlib
import json
import re
import shutil

import built_site
import chromium
import hosts
import pytest
from axe_playwright_python.sync_playwright import Axe
from build_site import named
from playwright.sync_api import expect
from prerender import PLACEHOLDER

from arpad.messages import languages
from conftest import ROOT, require

LONG = 180_000  # milliseconds before something is wrong: Python starts in a few seconds, on a busy machine in many
LINK = "?system=fide-standard&on=2026-11-15&rating=1750&born=2010&game=1950:win"
REPORT = ROOT / "docs" / "examples" / "open.trf"
PASTE = "1950 win\n1800 ½\n"


@pytest.fixture(scope="module")
def host():
    """The site below a prefix, as a project page has it, with a browser that notes every request."""
    require("chromium", there=chromium.CHROMIUM, line="Chromium is not installed; try `make browser`")
    with contextlib.ExitStack() as stack:
        address = stack.enter_context(built_site.served(built_site.built().parent))
        yield f"{address}/site/"


@pytest.fixture(scope="module")
def visitor(opened, host):
    """Somebody who has been here: the first visit, with what was asked of whom."""
    context = patient(opened, locale="en-GB", accept_downloads=True)
    asked, problems = [], []
    context.on("request", lambda request: asked.append(request.url))
    context.on("weberror", lambda error: problems.append(str(error.error)))
    page = context.new_page()
    page.goto(host)
    page.fill("#rating", "1800")
    page.fill("#row-1", "1900")
    yield page
    context.close()
    assert problems == []
    assert [url for url in asked if not url.startswith((host, "blob:", "data:"))] == []


def patient(opened, **options):
    """A context of the browser in which a page may take long to come."""
    context = opened.new_context(**options)
    context.set_default_timeout(LONG)
    return context


def ready(page):
    """Wait until the page can calculate."""
    expect(page.locator("#site-status")).to_have_text(READY, timeout=LONG)


READY = re.compile("^$|^Ready")


def test_first_visit_is_usable_at_once_and_answers_what_was_typed(visitor):
    """The example says that it is one; what was typed while Python loaded is answered when it is ready."""
    expect(visitor.locator("#site-status")).to_contain_text("example")
    expect(visitor.locator("#answer")).to_contain_text("1813", timeout=LONG)  # 1800 + 20 × (1 − 0.36), FIDE 8.1.2
    expect(visitor.locator("#site-status")).to_have_text("Ready. It also works offline.")


def test_typing_is_answered(visitor):
    """Another rating, another answer, and the address follows."""
    visitor.fill("#rating", "1700")
    expect(visitor.locator("#answer")).to_contain_text("1715")  # 1700 + 20 × (1 − 0.24), FIDE 8.1.2
    expect(visitor).to_have_url(re.compile("rating=1700"))


def test_a_link_of_a_server_works(visitor, host):
    """The same address below another root."""
    visitor.goto(host + LINK)
    expect(visitor.locator("#answer")).to_contain_text("+30.40")  # 40 × (1 − 0.24), FIDE 8.1.2 and 8.3.3
    expect(visitor.locator("#rating")).to_have_value("1750")


def test_a_link_may_be_the_first_visit(opened, host):
    """Somebody who was never here before gets its answer when Python is ready; axe finds nothing on that page."""
    page = patient(opened, locale="en-GB").new_page()
    page.goto(host + LINK)
    expect(page.locator("#answer")).to_be_visible(timeout=LONG)  # the example's is hidden
    expect(page.locator("#rating")).to_have_value("1750")
    expect(page.locator("#answer")).to_contain_text("+30.40")  # as above
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    page.context.close()


def test_charts_are_drawn(visitor, host):
    """By the site's Python, as a part of the answer: the chances of a game."""
    visitor.goto(host + "ahead" + LINK.replace("game=1950:win", "opponent=1950"))
    expect(visitor.locator(".odds svg")).to_be_visible()


def test_pasted_games_fill_the_table(visitor, host):
    """Read by the same reader."""
    visitor.goto(host + "?rating=1800&k=20&system=fide-standard&on=2026-11-15")
    visitor.locator("[data-paste]:visible").first.click()
    visitor.fill("#paste-text", PASTE)
    visitor.click("#pasted .btn.main")
    expect(visitor.locator("#pasted tbody tr")).to_have_count(2)
    visitor.click("#pasted .btn.main")
    expect(visitor.locator("#row-2")).to_have_value("1800")


def test_a_tournament_file_is_reported_and_downloaded(visitor, host):
    """The file goes to the worker, and the report comes as a page and as a download."""
    visitor.goto(host + "tournament")
    expect(visitor.locator("footer")).to_contain_text("stays on this machine")
    visitor.set_input_files("#file", REPORT)
    expect(visitor.locator("h1")).to_have_text("Harbour Open")
    visitor.click("#tab-documents")
    with visitor.expect_download() as download:
        visitor.locator("button[value=json]").click()
    assert json.loads(download.value.path().read_text(encoding="utf-8"))


def test_the_diary_is_kept_where_the_server_s_page_keeps_it(visitor, host):
    """An event that was calculated goes into it, and it is there after a reload: 1750 and 30.4 is 1780, FIDE 8.1.2."""
    visitor.goto(host + LINK)
    visitor.click("#share > summary")
    visitor.click("[data-to-diary]")
    visitor.click("text=Added to your diary")
    expect(visitor.locator("#answer")).to_contain_text("1780")
    visitor.goto(host)
    visitor.click(".me")
    visitor.click("#my-diary")
    expect(visitor.locator("#on-1")).to_have_value("2026-11-15")  # the example has the same figure
    expect(visitor.locator("#answer")).to_contain_text("1780")
    kept = json.loads(visitor.evaluate("localStorage.getItem('arpad')"))
    assert [event["on"] for event in kept["diary"]["event"]] == ["2026-11-15"]


def test_without_a_network_everything_goes_on(visitor, host):
    """A reload, another page and a link are answered while the network is cut."""
    visitor.context.set_offline(True)
    try:
        visitor.goto(host + "expect")
        visitor.reload()
        visitor.goto(host + LINK)
        expect(visitor.locator("#answer")).to_contain_text("+30.40")  # as above
    finally:
        visitor.context.set_offline(False)


def test_a_language_is_loaded_when_it_is_used_and_no_other(opened):
    """German page, German answer, German words only; the switch keeps what was typed; what was used works offline."""
    asked = []
    with (
        built_site.served(built_site.built(), asked) as address,
        contextlib.closing(patient(opened, locale="en-GB")) as context,
    ):
        page = context.new_page()
        page.goto(f"{address}/de/")
        expect(page.locator("html")).to_have_attribute("lang", "de")
        page.fill("#rating", "1800")
        page.fill("#row-1", "1900")
        expect(page.locator("#answer")).to_contain_text("1813", timeout=LONG)  # 1800 + 20 × (1 − 0.36), FIDE 8.1.2
        expect(page.locator("#answer")).to_contain_text("12,8")  # as German writes it
        page.reload()  # now the whole answer is of this reader's Python
        expect(page.locator("#answer")).to_contain_text("12,8", timeout=LONG)
        assert _languages(asked) == {"de"}
        context.set_offline(True)
        page.goto(f"{address}/de/{LINK}")
        expect(page.locator("#answer")).to_contain_text("+30,40")  # as above
        context.set_offline(False)
        page.click(".tongues summary")
        page.click(".tongues [hreflang=fr]")
        expect(page).to_have_url(re.compile(r"/fr/\?.*rating=1750"))
        expect(page.locator("#rating")).to_have_value("1750")
        expect(page.locator("html")).to_have_attribute("lang", "fr")
        expect(page.locator("#answer")).to_contain_text("+30,40", timeout=LONG)
        assert _languages(asked) == {"de", "fr"}
        page.click(".tongues summary")
        page.click(".tongues [hreflang=en]")
        expect(page).to_have_url(re.compile(r"\d/\?.*rating=1750"))
        expect(page.locator("#answer")).to_contain_text("+30.40", timeout=LONG)
        page.goto(f"{address}/en/{LINK}")  # as a server has it
        expect(page).to_have_url(re.compile(r"\d/\?.*rating=1750"))
        expect(page.locator("#answer")).to_contain_text("+30.40", timeout=LONG)


def _languages(asked):
    """The languages whose pages or words were asked for, besides English."""
    names = {path.partition("?")[0].removeprefix("/words-").strip("/").split("/")[0].split(".")[0] for path in asked}
    return names & set(languages())


def test_it_can_be_installed(visitor):
    """Chromium finds nothing that stands in the way."""
    session = visitor.context.new_cdp_session(visitor)
    manifest = session.send("Page.getAppManifest")
    assert manifest["errors"] == []
    found = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # A window that leaves no trace cannot install anything.
    assert [one["errorId"] for one in found if one["errorId"] != "in-incognito"] == []


@pytest.mark.parametrize("path", ["", "tournament", "help"])
def test_axe_finds_nothing(opened, host, path):
    """On the pages as they were built, and with the line of progress."""
    with contextlib.closing(patient(opened, locale="en-GB", service_workers="block")) as context:
        page = context.new_page()
        page.goto(host + path)
        found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def test_without_scripts_there_are_pages_and_a_sentence(opened, host):
    """The example, the rules, and what is missing."""
    with contextlib.closing(patient(opened, java_script_enabled=False)) as context:
        page = context.new_page()
        page.goto(host)
        expect(page.locator("noscript p")).to_be_visible()
        expect(page.locator("#answer")).to_contain_text("+30.40")  # as above
        page.get_by_role("link", name="the rules by date").click()
        expect(page.locator("main")).to_contain_text("8.3.3")


def test_without_webassembly_the_page_says_so(opened, host):
    """A browser that cannot calculate shows the example and says what is missing."""
    with contextlib.closing(patient(opened)) as context:
        context.add_init_script("delete globalThis.WebAssembly")
        page = context.new_page()
        page.goto(host)
        expect(page.locator("#site-status")).to_contain_text("no WebAssembly")


def test_a_second_build_is_offered_and_never_mixed(opened, tmp_path):
    """Behind nginx: the old one goes on until the new one is wanted; then everything is of the new one."""
    folder, port = tmp_path / "site", hosts.free_port()
    shutil.copytree(built_site.built(), folder)
    part = (ROOT / "deploy" / "site-nginx.conf").read_text(encoding="utf-8").replace("/srv/arpad-site", str(folder))
    address = f"http://localhost:{port}/"
    with (
        hosts.running("nginx", tmp_path, port, part),
        contextlib.closing(patient(opened)) as context,
    ):
        page = context.new_page()
        page.goto(address)
        old = _build(page)
        ready(page)
        new = _rebuilt(folder, old)
        page.reload()
        expect(page.locator("#site-update")).to_be_visible(timeout=LONG)
        assert _build(page) == old
        page.locator("#site-update button").click()
        expect(page.locator("meta[name=arpad-build]")).to_have_attribute("content", new, timeout=LONG)
        assert page.evaluate("caches.keys()") == [f"arpad-{new}"]


def _build(page):
    return page.locator("meta[name=arpad-build]").get_attribute("content")


def _rebuilt(folder, old):
    """Another build of the same site, with another style."""
    for path in folder.rglob("*.html"):
        path.write_text(path.read_text(encoding="utf-8").replace(old, PLACEHOLDER), encoding="utf-8")
    (folder / "service-worker.js").unlink()
    with (folder / "static" / "arpad.css").open("a", encoding="utf-8") as style:
        style.write("/* another */")
    return named(folder)
