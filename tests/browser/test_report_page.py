"""The page for a whole tournament in a browser: a file in, its report in tabs; without script, by keyboard alone."""

import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from conftest import ROOT

OPEN = str(ROOT / "docs" / "examples" / "open.trf")
NORMS = str(ROOT / "docs" / "examples" / "norms.trf")
LAST_ROUND = str(ROOT / "docs" / "examples" / "last-round.trf")
EXAMPLE = "/tournament?example=harbour-open"
LARGE = "document.documentElement.style.zoom = '2'"
UNFOLD = "document.querySelectorAll('details').forEach((one) => { one.open = true; })"
# Everything that can be pressed is large enough for a finger, but for links within a sentence or a table.
SMALL = """() => [...document.querySelectorAll('button, summary, .tabs a, .btn, input, select, textarea')]
  .filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !one.closest('.foot'))
  .filter((one) => one.getBoundingClientRect().width > 2)
  .map((one) => [one.id || one.textContent.trim(), one.getBoundingClientRect().height])
  .filter(([, height]) => height < 43.5)"""


@pytest.fixture(params=[True, False], ids=["scripted", "without-javascript"])
def upload(open_page, request):
    """The page for a tournament, with its script and without, and the file sent."""
    page = open_page("/tournament", java_script_enabled=request.param)
    page.set_input_files("#file", OPEN)
    if not request.param:
        page.click("text=Make the report")
    expect(page.locator("h1")).to_have_text("Harbour Open")
    return page


def test_a_chosen_file_is_the_report(upload, tmp_path):
    """The file alone gives the report: 2412 with 5 of 6, K 10, is +0.80 and 2413, as FIDE's table has it.

    Every download arrives as a file with something in it.
    """
    expect(upload.locator(".hero .say")).to_have_text("10 players, 26 rated games: 5 gained, 4 lost.")
    row = upload.locator("#ratings tr[data-name='Lindqvist, Aron']")
    expect(row).to_contain_text("+0.80")
    expect(row).to_contain_text("2413")
    expect(upload.locator("#file")).to_have_count(0)  # no form above the report
    upload.click("#tab-documents")
    for form in ("Page to hand out", "Excel", "CSV", "JSON"):
        with upload.expect_download() as waiting:
            upload.get_by_role("button", name=form, exact=True).click()
        path = tmp_path / waiting.value.suggested_filename
        waiting.value.save_as(path)
        assert path.stem == "open-rating-report"
        assert path.stat().st_size > 500


def test_every_part_is_a_tab_with_an_address(upload):
    """The parts of a report are one click away, with script and without; the standings and the crosstable agree."""
    orders = []
    for name, words in (
        ("standings", "Castellani, Dario"),
        ("crosstable", "3b½"),
        ("norms", "Nobody has made a norm"),
        ("checks", "foreign players without a FIDE ID: 10"),
        ("documents", "Excel"),
    ):
        upload.click(f"#tab-{name}")
        expect(upload.locator(f"#{name}", has_text=words)).to_be_in_viewport()
        expect(upload).to_have_url(re.compile(rf"[?&]tab={name}|#{name}$"))
        if name in ("standings", "crosstable"):
            rows = upload.locator(f"#{name} tbody tr[data-name]")
            places = [(one.locator("td").first.inner_text(), one.get_attribute("data-name")) for one in rows.all()]
            orders.append(places)
    assert orders[0] == orders[1]


def test_an_address_of_a_tab_opens_it(open_page):
    """The example has an address; with `tab` it opens there, and a file sent from `?tab=checks` opens at the checks."""
    page = open_page(f"{EXAMPLE}&tab=crosstable")
    expect(page.locator("#crosstable")).to_be_visible()
    expect(page.locator("#ratings")).to_be_hidden()
    expect(page.locator("#tab-crosstable")).to_have_attribute("aria-selected", "true")
    page.goto("/tournament?tab=checks")
    page.set_input_files("#file", OPEN)
    expect(page.locator("#checks")).to_be_visible()
    expect(page.locator("#ratings")).to_be_hidden()


def test_a_players_row_opens_to_the_working(upload):
    """The name opens the games: 20 × (4½ − 3.15) = +27.00, by FIDE's table 8.1.2 and K 20."""
    upload.get_by_role("link", name="Castellani, Dario").first.click()
    games = upload.locator("#player-4")
    expect(games).to_be_visible()
    expect(games).to_contain_text("20 × (4½ − 3.15) = +27.00; 2136 + 27 = 2163")
    expect(games.locator("tbody tr")).to_have_count(6)
    expect(games).to_contain_text("0.92 (400 at most)")


def test_what_was_assumed_leads_to_where_it_is_given(open_page):
    """K 20 is assumed for six players; what the table says about one of them is used: with 12 games K is 40."""
    page = open_page(EXAMPLE)
    expect(page.locator(".assumed")).to_contain_text("K 20 is assumed for 6 players")
    page.click("text=Add what you know about them")
    expect(page.locator("#table")).to_be_focused()
    page.fill("#table", "no,games\n4,12\n")
    page.click("text=Show the report again")
    expect(page.locator(".assumed")).to_contain_text("K 20 is assumed for 5 players")
    expect(page.locator("#ratings tr", has_text="Castellani").first).to_contain_text("+54.00")  # 40 × 1.35


DROP = """(text) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], "open.trf"));
    const drop = new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true });
    document.body.dispatchEvent(drop);
}"""


@pytest.mark.parametrize("path", ["/tournament", EXAMPLE])
def test_a_dropped_file_is_sent_at_once(open_page, path):
    """Dropping the file anywhere is enough, on a report too."""
    page = open_page(path)
    page.evaluate(DROP, Path(OPEN).read_text(encoding="utf-8").replace("Harbour Open", "Another Open"))
    expect(page.locator("h1")).to_have_text("Another Open")


def test_a_refused_file_says_what_to_do_next(open_page, tmp_path):
    """What the file does not say is asked for at its field, and the file need not be chosen again."""
    (tmp_path / "club.csv").write_text("no,name,rating,r1\n1,Ann,1800,2w1\n2,Ben,1700,1b0\n", encoding="utf-8")
    page = open_page("/tournament")
    page.set_input_files("#file", str(tmp_path / "club.csv"))
    expect(page.locator(".refused")).to_contain_text("when the event began")
    page.fill("#on", "2026-08-15")
    page.click(".refused button >> text=Try again")
    expect(page.locator("#ratings")).to_contain_text("Ann")
    page.goto("/tournament")
    page.set_input_files("#file", {"name": "holiday.jpg", "mimeType": "image/jpeg", "buffer": bytes(range(256)) * 20})
    expect(page.locator(".refused")).to_contain_text("Choose another file")


def test_too_large_a_file_is_said_before_it_is_sent(open_page):
    """A file over the limit is refused at its field, without a request."""
    page = open_page("/tournament")
    page.set_input_files("#file", {"name": "big.trf", "mimeType": "text/plain", "buffer": b"x" * (6 << 20)})
    expect(page.locator("#too-large")).to_contain_text("too large; at most 5 MB")
    assert [url for url in open_page.requests if url.endswith("/tournament")] == [f"{open_page.address}/tournament"]


def test_a_slow_reply_shows_a_skeleton(open_page):
    """A file that takes longer than a second is said to be read, in the shape of a report."""
    page = open_page("/tournament")
    page.evaluate("HTMLFormElement.prototype.requestSubmit = () => { window.sent = true; }")  # a reply that never comes
    page.set_input_files("#file", OPEN)
    expect(page.locator("#busy")).to_contain_text("Reading open.trf")
    expect(page.locator("#busy .skel").first).to_be_visible()
    assert page.evaluate("sent")


# Playwright waits while a page is on its way to another one, so the page itself notes what it shows and presses Stop.
STOPPING = """() => {
  const busy = document.getElementById("busy");
  new MutationObserver((_, watching) => {
    window.shown = { said: busy.textContent, chances: document.getElementById("chances").checkVisibility() };
    watching.disconnect();
    busy.querySelector("[data-stop]").click();
  }).observe(busy, { attributes: true });
}"""


def test_a_simulation_that_takes_long_can_be_stopped(open_page):
    """The chances take seconds: the page says what it does, and Stop ends the request and shows it again."""
    page = open_page("/tournament")
    page.set_input_files("#file", LAST_ROUND)
    page.click("#tab-chances")
    ended = []
    page.on("requestfailed", lambda request: ended.append(request.url))
    page.route("**/tournament?tab=chances", lambda _: None)  # a reply that never comes
    page.evaluate(STOPPING)
    page.get_by_role("button", name="Work out the chances").click(no_wait_after=True)
    expect(page.locator("#busy")).to_be_hidden()
    expect(page.get_by_role("button", name="Work out the chances")).to_be_visible()
    shown = page.evaluate("shown")
    assert "Playing the rest of the event" in shown["said"]
    assert not shown["chances"]
    assert [url.endswith("/tournament?tab=chances") for url in ended] == [True]


def test_the_keyboard_is_enough(open_page):
    """From the example to a tab by arrow keys, to a player's games and to a download, with Tab, arrows and Enter."""
    page = open_page("/tournament")
    press_until(page, "Tab", "Try it with the Harbour Open")
    page.keyboard.press("Enter")
    expect(page.locator("[role=tablist]")).to_be_visible()  # made by the script
    press_until(page, "Tab", "Ratings")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#standings")).to_be_visible()
    page.keyboard.press("Home")
    press_until(page, "Tab", "Castellani, Dario")
    page.keyboard.press("Enter")
    expect(page.locator("#player-4")).to_be_visible()
    press_until(page, "Shift+Tab", "Ratings")
    page.keyboard.press("End")
    expect(page.locator("#documents")).to_be_visible()
    press_until(page, "Tab", "Excel")


def press_until(page, key, words):
    """Press a key until something with these words has the focus."""
    for _ in range(60):
        page.keyboard.press(key)
        if page.evaluate("document.activeElement.textContent").strip() == words:
            return
    pytest.fail(f"{words} was not reached")


@pytest.mark.parametrize("tab", ["ratings", "standings", "crosstable", "norms", "checks", "documents"])
def test_a_phone_and_axe(open_page, tab):
    """At 360 pixels nothing but the tabs scrolls sideways, and axe finds nothing, light and dark, at 100 and 200 %."""
    page = open_page(f"{EXAMPLE}&tab={tab}", viewport={"width": 360, "height": 740})
    page.evaluate(UNFOLD)
    page.evaluate("document.querySelector('#player-4')?.classList.add('open')")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.evaluate(SMALL) == []
    for width, zoom in ((360, ""), (1280, ""), (1280, LARGE)):
        page.set_viewport_size({"width": width, "height": 900})
        if zoom:
            page.evaluate(zoom)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            found = Axe().run(page)
            assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("script", [True, False], ids=["scripted", "without-javascript"])
def test_the_empty_page(open_page, script):
    """The page that waits for a file is as accessible, and fits a phone with its script and without."""
    page = open_page("/tournament", viewport={"width": 360, "height": 740}, java_script_enabled=script)
    if script:
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
    expect(page.get_by_text("Make the report")).to_be_visible(visible=not script)


def test_a_phone_keeps_what_matters(open_page):
    """On a phone the table has name, rating, score, change and new; the rest is there when the row is opened."""
    page = open_page(EXAMPLE, viewport={"width": 360, "height": 740})
    heads = [text for text in page.locator("#ratings > .tw > table > thead th:visible").all_inner_texts() if text]
    assert heads == ["Player", "Rating", "Score", "Change", "New"]
    page.get_by_role("link", name="Castellani, Dario").click()
    expect(page.locator("#player-4")).to_contain_text("ITA")
    expect(page.locator("#player-4")).to_contain_text("2287")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_norms_and_the_round_to_come(open_page):
    """Norms that were made are named, with their certificates; an event with pairings has a tab for the round."""
    page = open_page("/tournament")
    page.set_input_files("#file", NORMS)
    page.click("#tab-norms")
    expect(page.locator("#norms tbody tr").first).to_be_visible()
    page.click("#tab-documents")
    expect(page.get_by_role("button", name="Norm certificates (IT1, IT3)")).to_be_visible()
    page.goto("/tournament")
    page.set_input_files("#file", LAST_ROUND)
    page.click("#tab-next")
    expect(page.locator("#next")).to_contain_text("what each result would do")


def test_a_name_is_found_while_it_is_typed(open_page):
    """Typing part of a name leaves the rows that have it, accents or not."""
    page = open_page(EXAMPLE)
    page.fill("#find", "NOVOTN")
    expect(page.locator("#ratings tr[data-name]:visible")).to_have_count(1)
    page.fill("#find", "Nowtny")
    expect(page.locator("#nobody")).to_have_text("Nobody in this event is called “Nowtny”.")
    page.fill("#find", "")
    expect(page.locator("#nobody")).to_be_empty()
    expect(page.locator("#ratings tr[data-name]:visible")).to_have_count(10)
