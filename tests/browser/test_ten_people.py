"""Eleven people, each from the empty first page to an answer, with their actions counted; every figure is from outside.

docs/page.md has the numbers beside those of the page before. On a phone the doors are in a menu: one action more.
"""

import re
from pathlib import Path

import pytest
from pastes import SAMPLES
from playwright.sync_api import expect

FIGURE = "#hero .fig .n"
REPORT = Path("src/arpad/web/harbour-open.trf")
PGN = """[Event "Club Championship"]
[Date "2026.11.07"]
[White "Lindqvist, Ada"]
[Black "Smith, John"]
[WhiteElo "1750"]
[BlackElo "1950"]
[Result "1-0"]

1. e4 e5 1-0
"""
FIELD = """2550 gm fra, 2520 gm ita, 2610 gm ind, 2480 im pol, 2440 im ger, 2500 gm usa, 2390 fm esp, 2590 gm ned,
2470 im cze""".replace("\n", " ")
SIZES = [{"width": 1440, "height": 900}, {"width": 360, "height": 740}]


class Person:
    """Somebody at a page, whose actions are counted: a click, a field filled in, a choice, a paste."""

    def __init__(self, page):
        self.page, self.actions, self.opened = page, 0, 0

    def goes(self, door):
        """To another door, with what was typed; on a phone by the menu."""
        if self.page.viewport_size["width"] < 640:
            self.click(".door-menu > summary")
            self.opened += 1
        self.actions += 1
        self.page.get_by_role("link", name=door).locator("visible=true").first.click()
        self.page.wait_for_load_state()

    @property
    def counted(self):
        """The actions, as at a desk."""
        return self.actions - self.opened

    def fill(self, selector, text):
        self.actions += 1
        self.page.fill(selector, text)

    def click(self, selector):
        self.actions += 1
        self.page.locator(selector).first.click()

    def press(self, name):
        self.actions += 1
        self.page.get_by_role("button", name=name).locator("visible=true").first.click()

    def choose(self, selector, value):
        self.actions += 1
        self.page.select_option(selector, value)

    def choose_file(self, selector, path):
        self.actions += 1
        self.page.set_input_files(selector, path)

    def drop_file(self, path):
        """Onto the page as it is, wherever it is open."""
        self.actions += 1
        self.page.evaluate(
            """([name, text]) => {
              const dropped = new DataTransfer();
              dropped.items.add(new File([text], name));
              const how = { dataTransfer: dropped, bubbles: true, cancelable: true };
              document.body.dispatchEvent(new DragEvent("drop", how));
            }""",
            [path.name, path.read_text(encoding="utf-8")],
        )

    def paste(self, selector, text):
        self.actions += 1
        self.page.evaluate("(text) => navigator.clipboard.writeText(text)", text)
        self.page.focus(selector)
        self.page.keyboard.press("Control+v")

    def sees(self, selector, text):
        expect(self.page.locator(selector).first).to_contain_text(text)


@pytest.fixture(params=SIZES, ids=["desk", "phone"])
def person(request, open_page):
    """Somebody at a desk, or with a phone."""
    page = open_page("/", viewport=request.param, permissions=["clipboard-read", "clipboard-write"])
    return Person(page)


def test_a_club_player_before_the_game(person):
    """A win against 1700 is worth 15 to an adult of 1500, a draw 5, a loss −5: 20 × 0.76, 0.26 and −0.24 (FIDE 8.1.2).

    The first page says it; the chances are behind the second door.
    """
    person.fill("#rating", "1500")
    person.fill("#row-1", "1700")
    person.sees(FIGURE, "+15")
    person.sees("#d-instead", "draw +5 · loss −5")
    assert person.counted == 2
    person.goes("I’m about to play")
    person.sees(".outs .n", "+15")
    assert person.counted == 3


def test_a_beginner_who_knows_only_his_result(person):
    """1500 beats 1700: 20 × 0.76 = +15 for an adult, and the answer says that it would be +30 for a junior."""
    person.fill("#rating", "1500")
    person.fill("#row-1", "1700 won")
    person.sees(FIGURE, "+15")
    person.sees("#hero .why", "+30")
    assert person.counted == 2


def test_a_parent(person):
    """Born in 2014, 1432: a win against 1466 and a draw with 1500 at K 40 are 40 × 0.55 + 40 × 0.10 (FIDE 8.1.2)."""
    person.fill("#rating", "1432")
    person.fill("#born", "2014")
    person.fill("#row-1", "1466 win")
    person.fill("#row-2", "1500 draw")
    person.sees(FIGURE, "+26")
    assert person.counted == 4


def test_a_first_rating(person):
    """Half of the points is worth the average with two draws against 1800 (FIDE 8.2.2): (9200 + 3600) / 7 = 1829.

    The games of the example are gone once somebody types one of their own.
    """
    person.goes("My first rating")
    person.fill("#row-1", "1640 1, 1740 1, 1840 ½, 1940 0, 2040 0")
    person.page.keyboard.press("Tab")
    person.sees(FIGURE, "1829")
    assert person.counted == 2


def test_a_beginner_at_a_site(person):
    """At Lichess the first game changes the rating that everybody starts from: the door says so instead of refusing."""
    person.goes("My first rating")
    person.choose("#system", "lichess")
    person.fill("#row-1", "1500 won")
    person.sees("#hero .for", "Your first rating is")
    expect(person.page.locator("#rating")).to_have_value("unrated")
    assert person.counted == 3


def test_a_coach_asks_what_a_junior_needs(person):
    """1780 born 2010 against seven: 3.11 is expected, so 4 of 7 gives 40 × 0.89 = +35.6, and 3½ only 1796 (8.1.2)."""
    person.goes("I’m about to play")
    person.fill("#rating", "1780")
    person.fill("#born", "2010")
    person.fill("#row-1", "1700, 1750, 1800, 1820, 1850, 1900, 1920")
    person.fill("#reach", "1800")
    person.sees(FIGURE, "4")
    person.sees("#hero .fig .to", "of 7")
    person.sees("h1", "Can I reach 1800 at this event?")
    assert person.counted == 5


def test_a_title_hunter_asks_for_a_norm(person):
    """Against an average of 2505 an IM norm takes 4 of 9 (44 %, dp −43: 2462, FIDE B.01 1.4.8)."""
    person.goes("I’m about to play")
    person.fill("#rating", "2460")
    person.fill("#row-1", FIELD)
    person.press("A norm")
    person.choose("#norm", "IM")
    person.fill("#federation", "GER")
    person.sees(FIGURE, "4")
    assert person.counted == 6


def test_an_online_player(person):
    """A win at Lichess: the deviations are assumed, in amber, and the rating rises."""
    person.fill("#rating", "1500 Lichess")
    person.fill("#row-1", "1500 win")
    person.sees("#deviation-help .as", "60")
    person.sees(FIGURE, "+")
    expect(person.page.locator("#rating")).to_have_value("1500")
    assert person.counted == 2


def test_an_online_player_who_names_the_site_first(person):
    """`Lichess 1500` is read as `1500 Lichess`."""
    person.fill("#rating", "Lichess 1500")
    person.fill("#row-1", "1500 win")
    expect(person.page.locator("#system")).to_have_value("lichess")
    person.sees(FIGURE, "+")
    assert person.counted == 2


def test_an_american(person):
    """The words are those of US Chess, and the answer has no K to give by hand."""
    person.fill("#rating", "1500 US Chess")
    person.fill("#row-1", "1700 win")
    expect(person.page.locator("#system")).to_have_value("uschess-regular")
    person.sees(FIGURE, "+")
    expect(person.page.locator(".chip")).to_have_count(0)
    assert person.counted == 2


def test_another_system_is_one_choice_away(person):
    """The system stands open before the line of words: one choice, and the form is that of US Chess."""
    person.choose("#system", "uschess-quick")
    person.fill("#rating", "1500")
    person.fill("#row-1", "1700 win")
    expect(person.page.locator("#games")).to_be_visible()
    person.sees(FIGURE, "+")
    assert person.counted == 3


def test_a_player_with_two_events_in_a_month(person):
    """FIDE 8.1.2, K 20: wins against 1800 (0.43) and 1820 (0.40) are 11.4 + 12.0 = 23.4, rounded once."""
    person.fill("#rating", "1750")
    person.fill("#row-1", "1800 win")
    person.press("Add another event")
    person.fill("#row-2-1", "1820 win")
    person.sees(FIGURE, "+23")
    assert person.counted == 4


def test_an_arbiter(person):
    """A file dropped on any page is read at once, its standings are one tab away; or it is chosen at the third door."""
    person.drop_file(REPORT)
    person.sees(".band h1", "Harbour Open")
    person.click("#tab-standings")
    person.sees("#standings tbody tr", "Lindqvist")
    assert person.counted == 2
    person.goes("Tournament")
    person.choose_file(".drop input[type=file]", REPORT)
    person.sees(".band h1", "Harbour Open")
    assert person.counted == 4


CARDS = [SAMPLES["02"].text, SAMPLES["03"].text, PGN, "I beat 1950 and drew with 1800.\nThen I lost to 2010."]


@pytest.mark.parametrize("card", CARDS, ids=["table", "table with names", "PGN", "sentence"])
def test_somebody_with_a_card(person, card):
    """Four kinds of text, each one paste into a field and one press; whose games they are is asked if need be."""
    person.paste("#rating", card)
    whose = person.page.locator("#pasted select[name=whose]")
    expect(person.page.locator("#pasted select[name=whose], #pasted [data-use]")).to_be_visible()
    if whose.count():
        person.choose("#pasted select[name=whose]", whose.locator("option").nth(1).get_attribute("value"))
    person.press(re.compile("^Use "))
    expect(person.page).to_have_url(re.compile("game="))
    if card == PGN:  # which tells the rating and the day as well
        expect(person.page).to_have_url(re.compile("rating=1750&on=2026-11-07&"))
    expect(person.page.locator(".tag", has_text="Example")).to_have_count(0)
    expect(person.page.locator("[name=row][data-example]")).to_have_count(0)
    assert person.counted <= 3


def test_keyboard_alone(open_page):
    """From the empty page to the answer and its working: six keys before the answer, besides what is typed."""
    page = open_page("/")
    keys = 0
    for key in ("Tab", "Enter", "Tab", "1500", "Tab", "1988", "Tab", "1700 win"):
        keys += not key[0].isdecimal()
        (page.keyboard.type if key[0].isdecimal() else page.keyboard.press)(key)
    expect(page.locator(FIGURE)).to_have_text("+15")
    assert keys == 5


def test_somebody_who_hears_the_page(open_page):
    """A screen reader is told the answer once, in a sentence, and every field has a name."""
    page = open_page("/")
    page.fill("#rating", "1750")
    page.fill("#born", "1988")
    page.fill("#row-1", "1950")
    expect(page.locator("#status")).to_contain_text("+15")  # FIDE 8.1.2: 20 × 0.76
    tree = page.locator("main").aria_snapshot()
    assert 'textbox "Your rating"' in tree
    assert 'radiogroup "Result 1"' in tree
    assert 'textbox "Opponent 1"' in tree
    assert "textbox:" not in tree
