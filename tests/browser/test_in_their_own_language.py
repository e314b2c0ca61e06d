"""Five tasks in every language, done by somebody who knows only its words; and every page fits its screen."""

import re

import chromium
import pytest
from axe_playwright_python.sync_playwright import Axe
from offenders import none_of
from playwright.sync_api import expect

from arpad.messages import entry, section, shipped

DAY = "system=fide-standard&on=2026-11-15"
PHONE, DESK = {"width": 360, "height": 740}, {"width": 1440, "height": 900}
# Five games, as players of that country type them: a win, a win, a draw, a loss, a draw.
TYPED = {
    "en": ("win", "draw", "loss"),
    "de": ("Sieg", "Remis", "Niederlage"),
    "es": ("victoria", "tablas", "derrota"),
    "fr": ("gain", "nulle", "défaite"),
    "ru": ("победа", "ничья", "поражение"),
}
FITS = {
    **{
        name: chromium.PAGES[name] for name in ("calculator", "outlook", "norms", "season", "first", "diary", "refused")
    },
    "learn": "/learn",
    "rules": chromium.PAGES["changes"],
    "api": "/learn/api",
    "report": "/tournament?example=harbour-open",
    "pupils": "/ahead/pupils",
    "tournament": "/tournament",
    "paste": "/paste",
    "nowhere": "/nonsense",
}
UNFOLD = "document.querySelectorAll('details').forEach((one) => { one.open = true; })"
TOO_WIDE = """() => {
  const wide = [...document.querySelectorAll('body *')].filter((one) => one.checkVisibility()
    && !one.closest('.tw, .tabs, pre, .sr, .skip, svg') && one.getBoundingClientRect().right > innerWidth + 1);
  const page = document.documentElement.scrollWidth > innerWidth ? ['the page'] : [];
  return [...page, ...wide.map((one) => one.outerHTML.slice(0, 120))].slice(0, 5);
}"""
CUT = """() => [...document.querySelectorAll('label, summary, .btn, dt, dd, h1, h2, .chip, th')]
  .filter((one) => one.checkVisibility() && !one.closest('.sr, .tw, .tabs, .res, svg') && one.clientWidth)
  .filter((one) => one.scrollWidth > one.clientWidth + 2)
  .map((one) => `${one.textContent.trim().slice(0, 60)}: ${one.scrollWidth} in ${one.clientWidth}`).slice(0, 4)"""
# A word that goes on in the next line without a hyphen of its own.
BROKEN = """() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange(), found = [];
  while (texts.nextNode()) {
    const text = texts.currentNode;
    const around = text.parentElement;
    if (!around.checkVisibility() || around.closest('pre, code, textarea, select, svg, .sr')) continue;
    for (const word of text.data.matchAll(/\\p{L}+/gu)) {
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].map((one) => Math.round(one.bottom)));
      if (lines.size > 1) found.push(`broken: ${word[0]}`);
    }
  }
  return found.slice(0, 4);
}"""


@pytest.fixture(params=shipped())
def reader(request, open_page):
    """Somebody with a page in their language, who finds everything by its words."""
    return Reader(request.param, open_page)


class Reader:
    """A reader of one language."""

    def __init__(self, language, open_page):
        self.language = language
        self.page = open_page(f"/{language}/?{DAY}")

    def word(self, key, **values):
        """A text of the page in the reader's language."""
        return entry(self.language, key).format(**values)

    def text(self, key, **values):
        return self.word(f"pages.text.{key}", **values)

    def field(self, name):
        return self.page.get_by_label(section(self.language, "fields.label")[name], exact=True)

    def game(self, number, opponent, result):
        """Fill in a row of the form: an opponent, and one of the three results by its word."""
        self.page.get_by_label(self.text("opponent_number", number=number), exact=True).fill(opponent)
        row = self.page.get_by_role("radiogroup", name=self.text("result_of_game", number=number), exact=True)
        row.get_by_role("radio", name=self.text(result), exact=True).check(force=True)

    def door(self, name):
        doors = self.page.locator("nav.doors")
        doors.get_by_role("link", name=section(self.language, "pages.door")[name], exact=True).click()

    def answer(self):
        return self.page.locator("#hero .fig .n")


def test_a_game_and_an_event(reader):
    """FIDE 8.1.2: 1750 against 1950 is 0.24, so 40 × 0.76 = 30.40; against 1800 it is 0.43, so a draw adds 2.80."""
    reader.field("rating").fill("1750")
    reader.field("born").fill("2010")
    reader.game(1, "1950", "win")
    expect(reader.answer()).to_have_text("+30")
    reader.page.get_by_role("button", name=reader.text("add_a_game"), exact=True).click()
    reader.game(2, "1800", "draw")
    expect(reader.answer()).to_have_text("+33")
    mark = "." if reader.language == "en" else ","
    expect(reader.page.locator("#chg-1")).to_have_text(f"+30{mark}40")
    expect(reader.page.locator("#chg-2")).to_have_text(f"+2{mark}80")


def test_a_first_rating_from_a_typed_list(reader):
    """FIDE 8.2.3: five opponents and two of 1800 average 1872.43; 4 of 7 are 57 %, so dp is 50 (8.1.1): 1922."""
    win, draw, loss = TYPED[reader.language]
    games = ((1902, win), (1877, win), (1884, draw), (2012, loss), (1832, draw))
    reader.door("first")
    reader.page.get_by_role("button", name=reader.text("paste_a_list"), exact=True).click()
    games_as_text = "\n".join(f"{rating} {result}" for rating, result in games)
    reader.page.get_by_label(reader.text("what_to_paste"), exact=True).fill(games_as_text)
    reader.page.get_by_role("button", name=reader.text("read_the_games"), exact=True).click()
    expect(reader.page.locator("#pasted tbody tr")).to_have_count(5)
    reader.page.locator("#pasted .btn.main").click()
    expect(reader.answer()).to_have_text("1922")


def test_what_is_at_stake_and_a_target(reader):
    """FIDE 8.1.2: equals expect 0.50, so with K 20 a win adds 10, and the target of 10 points more needs it."""
    reader.page.goto(f"/{reader.language}/ahead?{DAY}&rating=1500&k=20&opponent=1500")
    expect(reader.page.locator("#hero")).to_contain_text("+10")
    reader.page.get_by_role("button", name=reader.word("pages.sheet.add_target"), exact=True).click()
    expect(reader.page.locator("#reach")).to_be_focused()
    reader.page.keyboard.type("1510")
    expect(reader.page.locator("#answer")).to_have_attribute("data-address", re.compile("reach=1510"))
    expect(reader.answer()).to_have_text("1")


def test_the_report_of_a_tournament(reader):
    """By the example's link: every tab has its word, and the figures are those of the English page."""
    reader.door("tournament")
    reader.page.get_by_role("link", name=reader.word("report_page.try_example"), exact=True).click()
    tabs = section(reader.language, "report_page.tab")
    for name in ("standings", "norms", "checks", "documents", "ratings"):
        reader.page.get_by_role("tab", name=tabs[name]).first.click()
        assert reader.page.locator("[role=tabpanel]:visible").inner_text().strip()
    expect(reader.page.locator("[role=tabpanel]:visible")).to_contain_text("2163")
    mark = "." if reader.language == "en" else ","
    expect(reader.page.locator("[role=tabpanel]:visible")).to_contain_text(f"+27{mark}00")


@pytest.mark.parametrize("language", shipped())
def test_every_page_fits(open_page, language):
    """On a phone and at a desk: nothing is wider than the screen, no word is cut or broken, and axe finds nothing."""
    found = []
    for screen in (PHONE, DESK):
        page = open_page("about:blank", viewport=screen)
        for name, path in FITS.items():
            page.goto(f"/{language}{path}")
            page.evaluate(UNFOLD)
            seen = [one for check in (TOO_WIDE, CUT, BROKEN) for one in page.evaluate(check)]
            if screen is PHONE:
                violations = Axe().run(page).response["violations"]
                seen += [f"{one['id']} {one['nodes'][0]['html'][:120]}" for one in violations]
            found += [f"{name}, {screen['width']} wide: {one}" for one in seen]
            assert page.evaluate("document.documentElement.lang") == language
    none_of(found)
