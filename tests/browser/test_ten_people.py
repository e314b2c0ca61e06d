"""Ten people, each from the empty first page to an answer; every figure is from outside."""

import re

import pytest
from playwright.sync_api import expect

NUMBER = "#answer .number"
CHANGE = f"{NUMBER} .change"
DAY = "2026-11-15"
# Counts what a screen reader would be told: every change of a live region that leaves words in it.
LISTEN = """() => {
  window.heard = [];
  for (const region of document.querySelectorAll('[role=status], [role=alert], [aria-live]'))
    new MutationObserver(() => { if (region.textContent.trim()) window.heard.push(region.textContent.trim()); })
      .observe(region, { childList: true, subtree: true, characterData: true });
}"""


def go(page, *links):
    """To a page of the site, by its links."""
    for link in links:
        page.get_by_role("link", name=link, exact=True).first.click()


def games(page, *rows):
    """Opponents and results, row by row."""
    for number, (opponent, result) in enumerate(rows, start=1):
        page.fill(f"#row-{number}", opponent)
        page.select_option(f"#result-{number}", result)


def test_a_club_player_asks_what_a_win_would_earn(open_page):
    """A win against 1700 is worth 15.20 to an adult of 1500: 20 × (1 − 0.24), FIDE 8.1.2 and 8.3.3.

    Once it is played, the calculator says so first, and why other calculators say 24: 32 × (1 − 0.2403).
    """
    page = open_page("/")
    go(page, "Look ahead")
    page.fill("#rating", "1500")
    page.fill("#opponent", "1700")
    win = page.locator("#answer .results tbody tr").first
    expect(win).to_contain_text("+15.20")
    expect(page.locator("#answer")).to_contain_text("does not depend on the colour")
    go(page, "Calculate")
    expect(page.locator("#rating")).to_have_value("1500")
    games(page, ("1700", "win"))
    expect(page.locator("#answer .in-words")).to_contain_text("You gain 15:")
    expect(page.locator("#answer .in-words")).to_contain_text("Many other calculators say +24")


def test_an_open_player_enters_an_event_with_the_keyboard(open_page):
    """2650 draws with 2700 and beats 2200 since October 2025, K 10: 10 × 0.07 + 10 × 0.06 (FIDE 8.1.2, 8.3.1)."""
    page = open_page("/")
    page.fill("#on", DAY)
    page.fill("#rating", "2650")
    page.click("text=K 10")
    page.locator("#row-1").click()
    page.keyboard.type("2700 ½")
    page.keyboard.press("Enter")  # to the next row
    page.keyboard.type("2200")
    expect(page.locator("#result-1")).to_have_value("draw")
    expect(page.locator(CHANGE)).to_have_text("+1.30")
    expect(page.locator("#answer .figures")).to_contain_text("average opponent")
    expect(page.locator("#answer .figures")).to_contain_text("2450")


def test_a_parent_looks_for_a_first_rating(open_page):
    """3 of 5 against 1902, 1877, 1884, 2012 and 1832 is 1922 (FIDE's own example of 8.2); four are too few."""
    page = open_page("/")
    go(page, "First rating")
    page.fill("#on", DAY)
    games(page, ("1902", "win"), ("1877", "win"), ("1884", "draw"), ("2012", "loss"))
    expect(page.locator("#answer")).to_contain_text("1 more game")
    games(page, ("1902", "win"), ("1877", "win"), ("1884", "draw"), ("2012", "loss"), ("1832", "draw"))
    expect(page.locator(NUMBER)).to_have_text("1922")


def test_a_coach_asks_what_a_junior_needs(open_page):
    """1780 born 2010 against seven: 3.11 is expected, so 4 of 7 gives 40 × 0.89 = +35.6, and 3½ only 1796 (8.1.2).

    1800 does not end K 40: that is the year of the 18th birthday, or 2300 (8.3.3). 1850 takes 5 of 7: +75.6.
    """
    page = open_page("/")
    go(page, "Look ahead", "What do I need")
    page.fill("#on", DAY)
    page.fill("#rating", "1780")
    page.fill("#born", "2010")
    page.fill("#reach", "1800, 1850")
    page.fill("#list", "1700 1750 1800 1820 1850 1900 1920")
    expect(page.locator(NUMBER)).to_have_text("4 of 7")
    figures = page.locator("#answer .figures")
    expect(figures).to_contain_text("5 of 7")
    expect(figures).to_contain_text("K 40 on it")
    head = page.locator("#answer .results thead")
    expect(head).to_contain_text("≥ 1800")
    expect(head).to_contain_text("≥ 1850")
    go(page, "Event")
    expect(page.locator(NUMBER)).to_contain_text("%")
    expect(page.locator("#row-7")).to_have_value("1920")


def test_a_title_hunter_asks_for_a_norm(open_page):
    """Against an average of 2505 a GM norm takes 2600, so 6 of 9 (67 %, dp 125); an IM norm 4 (44 %, dp −43)."""
    field = "2550 GM FRA, 2520 GM ITA, 2610 GM IND, 2480 IM POL, 2440 IM GER, 2500 GM USA, 2390 FM ESP, 2590 GM NED"
    field += ", 2470 IM CZE"
    page = open_page("/")
    go(page, "Look ahead", "Event")
    page.fill("#on", DAY)
    page.fill("#rating", "2460")
    titles = page.locator("[name=opponent_title]")
    expect(titles.first).to_be_hidden()  # titles and federations matter to norms alone
    page.get_by_label("GM", exact=True).check()
    page.get_by_label("IM", exact=True).check()
    page.fill("#federation", "GER")
    for number, opponent in enumerate(field.split(", ")):
        rating, title, federation = opponent.split()
        page.fill(f"#row-{number + 1}", rating)
        titles.nth(number).select_option(title)
        page.locator("[name=opponent_federation]").nth(number).fill(federation)
    figures = page.locator("#answer .figures").first
    expect(figures).to_contain_text("of a norm for GM; 6 of 9 is enough")
    expect(figures).to_contain_text("of a norm for IM; 4 of 9 is enough")
    expect(page.locator("#answer .results thead")).to_contain_text("GM norm")
    expect(page).to_have_url(re.compile("CZE"))
    page.reload()
    expect(titles.nth(8)).to_have_value("IM")
    expect(page.locator("[name=opponent_federation]").nth(8)).to_have_value("CZE")
    go(page, "Season")  # where each event has its own chance
    page.click("#add-event")
    page.fill("#schedule-2", field.replace(" GM ", "gm/").replace(" IM ", "im/").replace(" FM ", "fm/"))
    page.fill("#event-2", "Spring Open")
    page.fill("#on-2", "2027-03-03")
    expect(page.locator("#answer .figures").first).to_contain_text("6 of 9 is enough (Spring Open)")
    expect(page.locator("#answer .figures").first).to_contain_text("of at least one norm for GM")


def test_an_online_player_has_a_deviation(open_page):
    """1500 with RD 200 beats 1400/30 and loses to 1550/100 and 1700/300: 1464 with RD 151.4 (Glickman's example).

    Before the next game there is a line for each result in the systems of Lichess and Chess.com too.
    """
    page = open_page("/")
    page.select_option("#system", "glicko")
    page.fill("#rating", "1500")
    page.fill("#deviation", "200")
    games(page, ("1400", "win"), ("1550", "loss"), ("1700", "loss"))
    for number, rd in enumerate(("30", "100", "300")):
        page.locator("[name=rd]").nth(number).fill(rd)
    expect(page.locator(NUMBER)).to_contain_text("1464")
    expect(page.locator("#answer .figures")).to_contain_text("151")
    go(page, "Look ahead")
    for system in ("glicko", "glicko-2", "lichess", "chesscom"):
        page.select_option("#system", system)
        expect(page.locator("#answer .by")).to_contain_text(page.locator(f"option[value={system}]").inner_text())
        expect(page.locator("#answer .results tbody tr")).to_have_count(3)


def test_a_us_player_sees_bonus_and_prior_games(open_page):
    """1300 after 45 games scores 3½ of 4 and gets 1465 (Glickman, Approximating Formulas, June 2015)."""
    page = open_page("/")
    page.select_option("#system", "uschess-regular")
    expect(page.locator("label[for=on]")).to_have_text("Event ended", use_inner_text=True)
    page.fill("#on", "2015-06-01")
    page.fill("#rating", "1300")
    page.get_by_label("Prior games").fill("45")
    games(page, ("1250", "win"), ("1400", "draw"), ("1500", "win"), ("1550", "win"))
    expect(page.locator(NUMBER)).to_contain_text("1465")
    expect(page.locator("#answer .figures")).to_contain_text("onus")


def test_a_phone_with_large_text(open_page):
    """At 360 pixels and 200 % a win of 1750, born 2010, against 1950 gives 1780 (40 × 0.76); nothing is cut off."""
    page = open_page("/", viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    page.fill("#on", DAY)
    page.fill("#rating", "1750")
    page.fill("#row-1", "1950")
    page.tap("#k-summary")
    page.fill("#born", "2010")
    expect(page.locator("#peek")).to_have_text("new rating 1780 +30.40")
    page.tap("#peek")
    expect(page.locator(NUMBER)).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    cut = "(one) => one.scrollWidth > one.clientWidth + 1"
    assert [field for field in ("#rating", "#row-1", "#born") if page.locator(field).evaluate(cut)] == []


def test_a_screen_reader_user_hears_one_sentence(open_page):
    """Everything has a name and a role in the accessibility tree, and one sentence is said for each answer."""
    page = open_page("/")
    page.evaluate(LISTEN)
    page.get_by_role("textbox", name="Year of birth").fill("2010")
    page.get_by_label("Event began").fill(DAY)
    page.get_by_role("textbox", name="Your rating").press_sequentially("1750", delay=30)
    page.get_by_role("textbox", name="Opponent 1, rating").press_sequentially("1950", delay=30)
    said = "new rating 1780 +30.40. You gain 30: you scored 1 of 1, and 0.24 was expected."
    expect(page.get_by_role("status").filter(has_text="You gain 30")).to_have_text(said)
    assert [sentence for sentence in page.evaluate("heard") if "You gain" in sentence] == [said]
    page.evaluate("heard.length = 0")
    page.get_by_role("combobox", name="Result 1").select_option("draw")
    expect(page.locator("#status")).to_contain_text("You gain 10")  # 40 × (0.5 − 0.24)
    assert len(page.evaluate("heard")) == 1
    tree = page.locator("body").aria_snapshot()
    for part in (
        'heading "Rating calculator" [level=1]',
        'navigation "Pages"',
        'form "Rating calculator"',
        'textbox "Your rating"',
        'combobox "System"',
        'region "Result"',
        'columnheader "expected"',
        'button "Copy result"',
    ):
        assert part in tree, part
    assert "textbox:" not in tree  # a field without a name
    assert 'button ""' not in tree


@pytest.mark.parametrize(
    ("locale", "typed", "change"),
    [
        ("de-DE", "gewonnen gegen 1950", "+30.40"),
        ("es-ES", "tablas con 1950", "+10.40"),
        ("ru-RU", "ничья с 1950", "+10.40"),
    ],
)
def test_somebody_who_does_not_speak_english(open_page, locale, typed, change):
    """A sentence of one's own language, pasted: 1950 is beaten by 1750, born 2010 (40 × 0.76), or draws (40 × 0.26).

    The page says that it is in English, so that a browser can offer to translate it, and figures need no words.
    """
    page = open_page("/", locale=locale, permissions=["clipboard-read", "clipboard-write"])
    expect(page.locator("html")).to_have_attribute("lang", "en")
    assert page.locator("[translate=no], .notranslate").count() == 0
    page.fill("#on", DAY)
    page.fill("#rating", "1750")
    page.fill("#born", "2010")
    page.click(".paste summary")
    page.evaluate("(text) => navigator.clipboard.writeText(text)", typed)
    page.focus("#paste")
    page.keyboard.press("Control+v")
    expect(page.locator("#row-1")).to_have_value("1950")
    expect(page.locator(CHANGE)).to_have_text(change)
