"""Filling in a form key by key: nothing is refused on the way, however slowly somebody types."""

import re

import pytest
from playwright.sync_api import expect

SECOND = 1000  # milliseconds between two keys
# Keeps whatever refusal was shown, even for a moment; and opens what is folded.
WATCH = """() => {
  window.refusals = [];
  new MutationObserver(() => {
    const shown = document.querySelector('#answer .refused');
    if (shown) window.refusals.push(shown.textContent);
  }).observe(document.getElementById('answer'), { childList: true, subtree: true });
  for (const fold of document.querySelectorAll('form details')) fold.open = true;
}"""
DAY = ("#on", "2026-11-15")
NEW_EVENT = ("#add-event", None)
FORMS = {
    "rate": (
        "/",
        [
            DAY,
            ("#rating", "1750"),
            ("#born", "2010"),
            ("#row-1", "1950"),
            ("#row-2", "1800 ½"),
            ("#row-3", "1700 loss"),
            ("#games", "12"),
            ("#peak", "1800"),
            ("#time", "90+30"),
            ("#k", "20"),
        ],
    ),
    "rate, opponents first": ("/", [("#row-1", "1950"), ("#rating", "1750"), DAY]),
    "outlook": (
        "/outlook",
        [
            ("#rating", "2460"),
            ("#reach", "2470, 2500"),
            ("[name=norm][value=GM]", None),
            ("#federation", "GER"),
            ("#row-1", "2550"),
            ("[name=opponent_federation] >> nth=0", "FRA"),
            ("#row-2", "2520@b"),
            ("#row-3", "2480 win"),
            DAY,
            ("#strength", "2480"),
            ("#born", "1990"),
            ("#lose", "20"),
            ("#uncertain", "60"),
            ("#time", "90+30"),
            ("#white", "35"),
        ],
    ),
    "outlook, opponents first": (
        "/outlook",
        [("#row-1", "1800"), ("#row-2", "1850"), ("#time", "90+30"), ("#rating", "1780"), ("#reach", "1800")],
    ),
    "outlook of an open": (
        "/outlook",
        [("#rounds", "9"), ("#spread", "120"), ("#field", "1850"), ("#rating", "1780"), ("#lose", "20")],
    ),
    "season": (
        "/season",
        [
            ("#rating", "1750"),
            ("#reach", "1800, 1850"),
            ("#born", "2010"),
            ("#event-1", "Autumn Open"),
            ("#on-1", "2026-12-10"),
            ("#schedule-1", "1690 1740@b"),
            NEW_EVENT,
            ("#event-2", "City Open"),
            ("#on-2", "2027-01-14"),
            ("#rounds-2", "3"),
            ("#spread-2", "90"),
            ("#field-2", "1790"),
            NEW_EVENT,
            ("#schedule-3", "1720"),
            ("#plan-3", "opens"),
            ("#event-3", "Spring Open"),
            ("#on-3", "2027-02-10"),
            ("#lose", "50"),
            ("#strength", "1760"),
        ],
    ),
    "season, events first": ("/season", [("#event-1", "Open"), ("#schedule-1", "1690 1740"), ("#rating", "1750")]),
    "need": (
        "/need",
        [
            ("#rating", "1780"),
            ("#reach", "1800, 1850"),
            ("#list", "1700 1750, 1800"),
            ("#born", "2010"),
            ("#strength", "1790"),
            ("#time", "90+30"),
            ("#k", "20"),
        ],
    ),
    "need, opponents first": ("/need", [("#list", "1700 1750"), ("#reach", "1800"), ("#rating", "1780")]),
    "need, a rating for a score": ("/need", [("#expected", "75 %"), ("#list", "1700 1750")]),
}


# Keeps what is being asked, with the text of the answer.
KEEP = """
  window.asked = new Set();
  const bare = window.fetch;
  window.fetch = (...what) => {
    const reply = bare(...what), text = reply.then((one) => one.clone().text()).finally(() => asked.delete(text));
    asked.add(text);
    return reply;
  };
"""


@pytest.fixture
def fill_in(open_page):
    """A form by its path, filled in step by step, with a second after every key.

    The clock stands still but for that second, so that no answer is late on a busy machine.
    """

    def make(path, steps):
        page = open_page("/help")
        page.clock.install(time="2026-11-15T10:00")
        page.add_init_script(KEEP)
        page.route(re.compile(r"\.charts\?"), lambda route: route.fulfill(body=""))  # pictures are not asked about here
        page.goto(path)
        page.clock.pause_at("2026-11-15T11:00")
        page.evaluate(WATCH)
        for field, text in steps:
            place = page.locator(field)
            if text is None:
                place.click()
            elif place.get_attribute("type") == "date":
                place.fill(text)
            else:
                place.focus()
            for key in "" if text is None or place.get_attribute("type") == "date" else text:
                page.keyboard.type(key)
                passed(page)
            passed(page)
        return page

    return make


def passed(page):
    """A second passes, once everything that was asked is answered."""
    page.evaluate("async () => { while (asked.size) await Promise.all(asked); }")
    page.clock.run_for(SECOND)


@pytest.mark.parametrize("form", FORMS)
def test_nothing_is_refused_on_the_way(fill_in, form):
    """Each field is filled in key by key; neither while one is typed in nor when it is left is anything refused."""
    page = fill_in(*FORMS[form])
    expect(page.locator("#answer .number")).to_be_visible()
    assert page.evaluate("refusals") == []


def test_what_stays_wrong_is_said(fill_in):
    """A rating of three digits is below FIDE's floor (1400): that is said after a while, or in the next field."""
    page = fill_in("/outlook", [("#row-1", "1800"), ("#rating", "178")])
    assert page.evaluate("refusals") == []
    page.clock.run_for(3 * SECOND)
    expect(page.locator("#answer .refused")).to_contain_text("178 is below the floor of 1400")
    page = fill_in("/outlook", [("#row-1", "1800"), ("#rating", "178"), ("#reach", "")])
    expect(page.locator("#answer .refused")).to_contain_text("178 is below the floor of 1400")
