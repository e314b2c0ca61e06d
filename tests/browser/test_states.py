"""The page where something is missing or slow: fonts, colours, the network, short words, paper."""

import re

import chromium
import pytest
from playwright.sync_api import expect

PHONE, DESK = {"width": 360, "height": 740}, {"width": 1440, "height": 900}
FIGURE = "#hero .fig .n"
DOORS = {
    name: chromium.PAGES[name] for name in ("calculator", "expect", "outlook", "norms", "season", "first", "diary")
}
EVERY = {**DOORS, "help": "/learn", "report": "/tournament?example=harbour-open", "paste": "/paste"}
GAME = f"/?system=fide-standard&on={chromium.DAY}&rating=1750&k=20&game=1750:win"
TOO_WIDE = """() => {
  const inside = '.tw, .tabs, pre, .sr, .skip, svg';
  const wide = [...document.querySelectorAll('body *')].filter((one) => one.checkVisibility() && !one.closest(inside)
    && one.getBoundingClientRect().right > innerWidth + 1);
  const page = document.documentElement.scrollWidth > innerWidth;
  return [page, ...wide.map((one) => one.outerHTML.slice(0, 120))].slice(0, 5);
}"""
# Text that runs over the edge of its own button, label or heading.
CUT = """() => [...document.querySelectorAll('label, summary, .btn, dt, dd, h1, h2, .chip, th')]
  .filter((one) => one.checkVisibility() && !one.closest('.sr, .tw, .tabs, .res, svg') && one.clientWidth)
  .filter((one) => one.scrollWidth > one.clientWidth + 2)
  .map((one) => `${one.textContent.trim().slice(0, 60)}: ${one.scrollWidth} in ${one.clientWidth}`).slice(0, 4)"""
# Every word of five letters or more becomes 40 % longer and a compound, as in German.
LONGER = """() => {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), ends = 'wertungszahlen';
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    if (node.parentElement.closest('script, style, code, pre')) continue;
    node.data = node.data.replace(/\\p{L}{5,}/gu, (word) => word + ends.slice(0, Math.ceil(word.length * 0.4)));
  }
}"""
UNFOLD = "document.querySelectorAll('details').forEach((one) => { one.open = true; })"
PLACES = """() => [...document.querySelectorAll('#rating, #born, #row-1, #hero')]
  .map((one) => Math.round(one.getBoundingClientRect().top + scrollY))"""
# The answer, or else the line at the bottom that has it in short.
IN_SIGHT = """() => [...document.querySelectorAll('#hero, #stick')].map((one) => one.getBoundingClientRect())
  .some((box) => box.height && box.bottom > 0 && box.top < innerHeight - 40)"""
# A chart is shrunk to its place.
LETTERS = """(svg) => {
  const box = svg.getBoundingClientRect(), own = svg.viewBox.baseVal;
  const shrunk = Math.min(box.width / own.width, box.height / own.height);
  return [...svg.querySelectorAll('text')].filter((text) => text.checkVisibility())
    .map((text) => parseFloat(getComputedStyle(text).fontSize) * shrunk);
}"""


@pytest.mark.parametrize("name", EVERY)
def test_words_may_be_longer(open_page, name):
    """With words 40 % longer, as in German, nothing is too wide or cut off, on a phone, a tablet and a desk."""
    page = open_page(EVERY[name])
    page.evaluate(UNFOLD)
    page.evaluate(LONGER)
    for width in (360, 768, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(TOO_WIDE) == [False], width
        assert page.evaluate(CUT) == [], width


@pytest.mark.parametrize("name", EVERY)
def test_without_fonts(open_page, name):
    """Where fonts are blocked the page is there at once, in the reader's own, and nothing is too wide."""
    page = open_page("about:blank", viewport=PHONE)
    page.route("**/*.woff2", lambda route: route.abort())
    page.goto(EVERY[name])
    page.wait_for_load_state("networkidle")
    assert not page.evaluate("[...document.fonts].some((one) => one.status === 'loaded')")
    assert page.evaluate(TOO_WIDE) == [False]
    page.set_viewport_size(DESK)
    assert page.evaluate(TOO_WIDE) == [False]
    open_page.problems.clear()  # the console tells of the blocked fonts


def test_without_colours(open_page):
    """In the reader's own colours a chosen result differs from the others, and the answer has an edge."""
    page = open_page(GAME, forced_colors="active")
    back = "(one) => getComputedStyle(one).backgroundColor"
    chosen, other = page.locator(".res label.w").first, page.locator(".res label.l").first
    assert chosen.evaluate(back) != other.evaluate(back)
    assert page.locator("#hero").evaluate("(one) => getComputedStyle(one).borderTopStyle") == "solid"
    other.click()
    assert other.evaluate(back) != chosen.evaluate(back)


@pytest.mark.parametrize("name", DOORS)
def test_on_paper(open_page, name):
    """An answer takes a sheet, or two with a chart or table; a result is black, and those not chosen are left out."""
    page = open_page(DOORS[name])
    sheets = len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True)))
    assert sheets <= (2 if name in ("norms", "season", "outlook", "diary", "first") else 1)
    page.emulate_media(media="print")
    colours = "(one) => [getComputedStyle(one).color, getComputedStyle(one).backgroundColor]"
    for chosen in page.locator(".game .res label:has(:checked)").locator("visible=true").all():
        assert chosen.evaluate(colours) == ["rgb(0, 0, 0)", "rgba(0, 0, 0, 0)"]
    assert page.locator(".game .res label:not(:has(:checked))").locator("visible=true").count() == 0


def test_empty_rounds_stay_off_the_paper(open_page):
    """Rounds that are not paired yet are printed if there are any; their empty fields are not."""
    page = open_page(chromium.PAGES["norms"])
    page.emulate_media(media="print")
    expect(page.locator(".unpaired")).to_be_hidden()
    page.goto(chromium.PAGES["norms"] + "&rounds=2&field=2500")
    expect(page.locator(".unpaired")).to_be_visible()


def test_a_slow_network(open_page):
    """Until a reply is there the old answer stays and says so; what is typed meanwhile is asked once, after it."""
    page = open_page(GAME)
    asked, held = [], []
    page.on("request", lambda request: asked.append(request.url) if ".part?" in request.url else None)

    def hold(route):
        held.append(route)

    page.route("**/*.part?*", hold, times=1)
    page.fill("#rating", "1700")
    expect(page.locator("#hero .for")).to_contain_text("working")
    expect(page.locator(FIGURE)).to_have_text("+10")
    page.fill("#rating", "1650")
    page.fill("#row-1", "1700")
    expect(page.locator(FIGURE)).to_have_text("+10")
    held[0].continue_()
    expect(page).to_have_url(re.compile("rating=1650&.*game=1700:win"))
    expect(page.locator(FIGURE)).to_have_text("+11")  # FIDE 8.1.2: 20 × (1 − 0.43) = 11.4
    expect(page.locator("#hero .for")).not_to_contain_text("working")
    expect(page.locator("#offline")).to_be_hidden()
    assert len(asked) == 2


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("door", ["/", "/ahead"])
def test_nothing_moves_when_an_answer_arrives(open_page, door, viewport):
    """From the example to one's own figures, fields, games and the answer's edge stay where they are.

    Below the first game a row for the next one is added, so on a phone the answer moves down by a row, once.
    """
    page = open_page(door, viewport=viewport)
    before = page.evaluate(PLACES)
    for field, value in (("#rating", "1432"), ("#born", "1990")):
        page.fill(field, value)
        expect(page).to_have_url(re.compile(value))
        assert page.evaluate(PLACES) == before
    page.fill("#row-1", "1466")
    row = page.evaluate(PLACES)
    expect(page).to_have_url(re.compile("1466"))
    assert page.evaluate(PLACES) == row
    assert row[:3] == before[:3]


@pytest.mark.parametrize("name", ["outlook", "season", "diary"])
def test_letters_of_a_chart_can_be_read(open_page, name):
    """No letter of a chart is smaller than 11 pixels on the screen, nor much larger than those of the text."""
    page = open_page(chromium.PAGES[name])
    for width in (360, 768, 1024, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        for chart in page.locator("svg.plot").all():
            sizes = chart.evaluate(LETTERS)
            assert not sizes or 10.9 <= min(sizes) <= max(sizes) <= 20, (width, sizes)


@pytest.mark.parametrize(("door", "grown"), [("/", ""), ("/ahead", ""), ("/ahead", "target"), ("/first", "")])
def test_nine_games_typed_on_a_phone(open_page, door, grown):
    """While games are typed, one row after the other, the answer is in sight, or its line at the bottom.

    Enter in an empty row, or another field, ends the list; then the answer stands within the first 900 pixels.
    """
    page = open_page(door, viewport=PHONE)
    if door != "/first":
        page.fill("#rating", "1742")
    page.fill("#row-1", "")
    page.focus("#row-1")
    for number in range(1, 10):
        page.keyboard.type(f"{1700 + number}" if door == "/ahead" else f"{1700 + number} draw")
        page.keyboard.press("Enter")
        expect(page.locator(f"#row-{number + 1}")).to_be_focused()
    page.wait_for_function(IN_SIGHT)
    if grown:
        page.fill("#reach", "1780")
    else:
        page.keyboard.press("Enter")
    expect(page.locator("#games-fold")).not_to_have_attribute("open", "")
    expect(page.locator("#games-title")).to_contain_text("9")
    figure = "document.querySelector('#hero :is(.fig, .outs)').getBoundingClientRect().bottom + scrollY"
    assert page.evaluate(figure) < 900


@pytest.mark.parametrize(("door", "typed"), [("/", " draw"), ("/ahead", "")], ids=["period", "season"])
def test_nine_games_of_two_events_on_a_phone(open_page, door, typed):
    """Another event, or Enter in an empty row, folds what is filled in; the answer is within 900 pixels."""
    page = open_page(door, viewport=PHONE)
    page.fill("#rating", "1742")
    page.fill("#row-1", "")
    page.focus("#row-1")
    for number in range(1, 10):
        if number == 5:
            page.get_by_role("button", name="Add another event").click()
            expect(page.locator("#event-fold-1")).not_to_have_attribute("open", "")
            page.focus("#row-2-1")
        place = number if number < 5 else f"2-{number - 4}"
        expect(page.locator(f"#row-{place}")).to_be_focused()
        page.keyboard.type(f"{1700 + number}{typed}")
        page.keyboard.press("Enter")
    expect(page.locator("#row-2-6")).to_be_focused()
    page.wait_for_function(IN_SIGHT)
    page.keyboard.press("Enter")
    expect(page.locator(".fold[open]")).to_have_count(0)
    expect(page.locator("#event-fold-2-line")).to_contain_text("5")
    expect(page.locator("#event-fold-2-pips i")).to_have_count(5)
    figure = "document.querySelector('#hero :is(.fig, .outs)').getBoundingClientRect().bottom + scrollY"
    expect(page).to_have_url(re.compile("1709"))
    assert page.evaluate(figure) < 900
