"""What a browser remembers for its user, and the diary: kept, taken away, given back, and forgotten."""

import json
import re

import pytest
from playwright.sync_api import expect

NUMBER = "#hero"
# As in tests/systems/test_diary.py, by hand from FIDE's table: 1750 to 1770, and then to 1779.
DIARY = (
    "/?system=fide-standard&on=2026-11-15&rating=1750&born=2010&event=A&on=2026-09-10&game=1700:win&game=1800:draw"
    "&event=B&on=2026-10-30&game=1800:loss&event=C&on=2026-11-10&game=1900:win"
)
GAME = "/?system=fide-standard&on=2026-11-10&rating=1750&born=2010&game=1950:win"  # FIDE 8.1.2: 40 × 0.76 = +30.4
LATER = 10_000  # milliseconds: whatever the page does once nobody types any more is done
FULL = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };"
REFUSED = "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } });"


def stored(page):
    return json.loads(page.evaluate("localStorage.getItem('arpad')") or "null")


def remember(page):
    opened(page)
    page.check("#remember")
    page.wait_for_function("JSON.parse(localStorage.getItem('arpad'))?.recent.length > 0")


def opened(page):
    """Open what the browser remembers."""
    page.locator("[data-opens=memory]").first.click()


def test_nothing_is_kept_unless_asked(open_page):
    """A calculation leaves nothing behind in the browser."""
    page = open_page("about:blank")
    page.clock.install()
    page.goto(GAME)
    page.fill("#rating", "1760")
    expect(page).to_have_url(re.compile("rating=1760"))
    page.clock.fast_forward(LATER)
    assert page.evaluate("localStorage.length") == 0


def test_who_i_am_and_what_i_calculated(open_page):
    """The empty page begins with my rating and year of birth, and the last calculations are one click away."""
    page = open_page(GAME)
    remember(page)
    page.goto("/ahead")
    expect(page.locator("#rating")).to_have_value("1750")
    expect(page.locator("#born")).to_have_value("2010")
    expect(page.locator("#row-1")).to_have_value("")
    opened(page)
    page.locator("#memory summary").click()
    page.locator("#recent a").first.click()
    expect(page.locator(NUMBER)).to_contain_text("1780")


def test_forget_everything(open_page):
    """One click, and the browser has nothing left; the next page is empty."""
    page = open_page(GAME)
    remember(page)
    page.click("#forget")
    assert page.evaluate("localStorage.length") == 0
    page.goto("/")
    expect(page.locator(".tag")).to_have_text("Example — type over it")
    expect(page.locator("#remember")).not_to_be_checked()


def test_the_diary_survives(open_page, tmp_path):
    """The diary is one click away, comes as one JSON file, and goes into another browser."""
    page = open_page(DIARY)
    expect(page.locator(NUMBER)).to_contain_text("1779")
    opened(page)
    page.click("#keep-diary")
    page.wait_for_function("JSON.parse(localStorage.getItem('arpad'))?.diary?.event.length === 3")
    page.goto("/")
    opened(page)
    with page.expect_download() as loading:
        page.click("#export")
    file = tmp_path / "diary.json"
    loading.value.save_as(file)
    assert [event["name"] for event in json.loads(file.read_text())["diary"]["event"]] == ["A", "B", "C"]
    page.click("#my-diary")
    expect(page.locator(NUMBER)).to_contain_text("1779")

    other = open_page("/")
    opened(other)
    other.set_input_files("#import", file)
    expect(other.locator("#my-diary")).to_have_attribute("href", re.compile("event=C"))
    assert stored(other)["diary"] == json.loads(file.read_text())["diary"]


def test_a_calculation_goes_into_the_diary(open_page):
    """An event is added where it was calculated, and the diary rates it by its day: 1750 and +30.4 is 1780."""
    page = open_page(GAME)
    to_diary(page)
    page.click("text=Added to your diary")
    expect(page.locator("#on-1")).to_have_value("2026-11-10")
    expect(page.locator(NUMBER)).to_contain_text("1780")


def to_diary(page):
    """Add the calculation to the diary, by the menu."""
    page.click("#share > summary")
    page.click("[data-to-diary]")


def test_somebody_else_s_diary_is_not_mine(open_page):
    """A diary opened by its link is not kept in the place of my own, unless I say so."""
    page = open_page(GAME)
    to_diary(page)
    mine = stored(page)["diary"]
    page.clock.install()
    page.goto(DIARY)
    page.click("#event-fold-1 > summary")
    page.fill("#event-1", "Another")
    expect(page).to_have_url(re.compile("event=Another"))
    page.clock.fast_forward(LATER)
    assert stored(page)["diary"] == mine
    opened(page)
    page.click("#keep-diary")
    page.wait_for_function("JSON.parse(localStorage.getItem('arpad')).diary.event.length === 3")


@pytest.mark.parametrize(("script", "says"), [(FULL, "no room left"), (REFUSED, "does not let pages remember")])
def test_a_browser_that_keeps_nothing(open_page, script, says):
    """Full storage and a private window are said in a sentence, and the calculator works on."""
    page = open_page("/")
    page.add_init_script(script)
    page.goto(GAME)
    opened(page)
    page.click("#remember", force=True)
    expect(page.locator("#memory-note")).to_contain_text(says)
    expect(page.locator("#remember")).not_to_be_checked()
    expect(page.locator(NUMBER)).to_contain_text("1780")


def test_a_strange_file_changes_nothing(open_page, tmp_path):
    """A file that this page did not save is refused in a sentence."""
    page = open_page(GAME)
    remember(page)
    before = stored(page)
    file = tmp_path / "other.json"
    file.write_text('{"events": []}')
    page.set_input_files("#import", file)
    expect(page.locator("#memory-note")).to_contain_text("was not saved by this page")
    assert stored(page) == before


def test_nobody_else_is_contacted(open_page):
    """Remembering, the diary and its chart ask this server alone."""
    page = open_page("/")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(DIARY)
    opened(page)
    page.click("#keep-diary")
    page.wait_for_function("JSON.parse(localStorage.getItem('arpad'))?.diary?.event.length === 3")
    page.goto("/")
    opened(page)
    page.click("#my-diary")
    expect(page.locator(NUMBER)).to_contain_text("1779")
    assert [url for url in asked if not url.startswith((open_page.address, "data:", "blob:"))] == []


def test_enter_goes_to_the_next_row(open_page):
    """Opponents are typed one below the other, as in a table."""
    page = open_page("/?system=fide-standard&on=2026-11-15&rating=1750&game=1950:win")
    page.locator("[name=row]").first.click()
    page.keyboard.press("Enter")
    page.keyboard.type("1800")
    page.keyboard.press("Enter")
    page.keyboard.type("1700 ½")
    page.keyboard.press("Enter")
    expect(page.locator("[name=row]").nth(2)).to_have_value("1700")
    expect(page.locator("#hero .say")).to_contain_text("1½ of 2")


def test_keys_are_listed(open_page):
    """`?` lists the keys, `w` opens the working, and letters typed into a field are letters."""
    page = open_page(GAME)
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()
    page.keyboard.press("w")
    expect(page.locator(".steps").first).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type("w")
    expect(page.locator("#rating")).to_have_value("w1750")
