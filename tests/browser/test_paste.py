"""Pasting in a real Chromium: a German card on a phone, with a keyboard alone; and without JavaScript."""

from pastes import SAMPLES
from playwright.sync_api import expect

PHONE = {"viewport": {"width": 360, "height": 740}, "permissions": ["clipboard-read", "clipboard-write"]}
START = "/?system=fide-standard&on=2026-11-15&rating=1800&k=20"
# A card of chess-results.com in German; the games are those of data/pastes/03, of which one is rewritten below.
CARD = SAMPLES["03"]


def tab_to(page, selector):
    """Press Tab until a place has the focus."""
    for _ in range(80):
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{selector} cannot be reached by Tab")


def test_a_german_card_on_a_phone_with_a_keyboard(open_page):
    """Paste, see the rows and what was left out, correct one, and get the answer; nothing is wider than the phone.

    Of the seven rounds of the card four count: draw 1911, win 1633, loss 2204 and, once corrected, a win against
    Eschenlohr at 1750. FIDE 8.1.2 for 1800: 0.35, 0.72, 0.08 and 0.57, so 20 × (2.5 − 1.72) = 15.60 (404 is 400).
    """
    page = open_page(START, **PHONE)
    page.evaluate("(text) => navigator.clipboard.writeText(text)", CARD.text)
    tab_to(page, ".paste summary")
    page.keyboard.press("Enter")
    tab_to(page, "#paste")
    page.keyboard.press("Control+v")
    rows = page.locator(".reading .read tbody tr")
    expect(rows).to_have_count(len(CARD.games))
    expect(rows.nth(0)).to_contain_text("1911 Kaltwasser, Jörn")
    expect(rows.nth(0)).to_contain_text("draw")
    expect(rows.nth(3)).to_contain_text("bye")
    expect(rows.nth(5)).to_contain_text("win by forfeit")
    expect(page.locator(".reading")).to_contain_text("Left out: 1 line")
    expect(page.locator("[name=row]").first).to_have_value("1911")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.evaluate("document.querySelector('.skip')?.focus()")
    tab_to(page, "#row-5")
    page.keyboard.press("Control+a")
    page.keyboard.type("1750")
    expect(page.locator("#answer .number .change")).to_have_text("+15.60")
    assert "game=1750:win" in page.url
    assert "paste" not in page.url


def test_a_row_to_come_is_decided(open_page):
    """A game without a result is not rated; once its result is chosen it is. FIDE 8.1.2: 20 × (1 − 0.50)."""
    page = open_page("/?system=fide-standard&on=2026-11-15&rating=1800&k=20&game=1800:draw&open=1800:%3F")
    expect(page.locator("#answer .to-come")).to_contain_text("1 game has no result yet")
    expect(page.locator("#answer .games tbody tr")).to_have_count(1)
    page.select_option("#result-2", "win")
    expect(page.locator("#answer .number .change")).to_have_text("+10.00")
    expect(page.locator("#answer .to-come")).to_have_count(0)


def test_whose_games_are_chosen(open_page):
    """A crosstable asks whose games are meant; choosing the player gives the rows."""
    page = open_page(START)
    page.click(".paste summary")
    page.fill("#paste", SAMPLES["08"].text)
    page.click("#read")
    page.select_option("#whose", SAMPLES["08"].player)
    expect(page.locator(".reading .read tbody tr")).to_have_count(len(SAMPLES["08"].games))


def test_without_javascript(open_page):
    """A button reads the paste; a bad line stays in the field and the good ones are rows."""
    page = open_page(START, java_script_enabled=False)
    page.click(".paste summary")
    page.fill("#paste", "Kim 1950 win\n2010 1950 win\n1800 tomorrow")
    page.get_by_role("button", name="Read the games").click()
    expect(page.locator("#paste")).to_have_value("2010 1950 win")
    expect(page.locator(".to-correct")).to_contain_text("more than one number could be the rating")
    expect(page.locator("[name=row]").first).to_have_value("1950")
    expect(page.locator("#result-2")).to_have_value("?")
    page.fill("#paste", "1850 win")
    page.get_by_role("button", name="Calculate").click()
    expect(page.locator("[name=row]").nth(2)).to_have_value("1850")
    expect(page.locator("#answer .games tbody tr")).to_have_count(2)
