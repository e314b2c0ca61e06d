"""The page in a real Chromium: what a user does, and what stands there then."""

import re
from pathlib import Path

import chromium
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

import arpad
from arpad.reports import write_report
from conftest import ROOT

# The worked figures that people know (first column: system), each from the regulation or the formula it names.
FIGURES = [
    # FIDE 8.1.2, 8.3.2: 40 × (1 − 0.24)
    ("fide-standard", "2026-11-15", "1750", {"born": "2010"}, ["1950:win"], "1780", "+30.40"),
    # FIDE 8.1.2, 8.3.2: 10 × (0.5 − 0.43)
    ("fide-standard", "2026-11-15", "2650", {"k": "10"}, ["2700:draw"], "2651", "+0.70"),
    # the 400-point rule before and after 2025-10-01 (FIDE 8.3.1)
    ("fide-standard", "2025-09-30", "2700", {"k": "10"}, ["2200:win"], "2701", "+0.80"),
    ("fide-standard", "2025-10-01", "2700", {"k": "10"}, ["2200:win"], "2700", "+0.40"),
    # plain Elo: 32 × (1 − 1/(1 + 10^(200/400)))
    ("elo", "2026-11-15", "1500", {"k": "32"}, ["1700:win"], "1524", "+24.312"),
]
RESULT = "#answer .number"
POINTS = "figure:first-of-type .mark-symbol path"


def fill(page, system, day, rating, known):
    page.select_option("#system", system)
    page.fill("#on", day)
    page.fill("#rating", rating)
    for name, text in known.items():
        page.fill(f"#{name}", text)


def shows(page, new, change):
    expect(page.locator(RESULT)).to_contain_text(new)
    expect(page.locator(f"{RESULT} .change")).to_have_text(change)


@pytest.mark.parametrize(("system", "day", "rating", "known", "games", "new", "change"), FIGURES)
def test_worked_figures_by_typing(open_page, system, day, rating, known, games, new, change):
    """Typing the worked figures gives the published answers, and the address, opened again, gives them too."""
    page = open_page("/")
    fill(page, system, day, rating, known)
    for number, game in enumerate(games):
        opponent, result = game.split(":")
        page.locator("[name=row]").nth(number).fill(opponent)
        page.locator("[name=result]").nth(number).select_option(result)
    shows(page, new, change)
    assert f"game={games[0]}" in page.url
    page.reload()
    shows(page, new, change)


@pytest.mark.parametrize(("system", "day", "rating", "known", "games", "new", "change"), FIGURES[:2])
def test_worked_figures_by_pasting(open_page, system, day, rating, known, games, new, change):
    """A pasted list becomes rows of the table and the same answer."""
    page = open_page("/", permissions=["clipboard-read", "clipboard-write"])
    fill(page, system, day, rating, known)
    page.click(".paste summary")
    lines = "\n".join(f"3 GM Weber, Hans NOR {game.replace(':', ' ')}" for game in games)
    page.evaluate("(text) => navigator.clipboard.writeText(text)", lines)
    page.focus("#paste")
    page.keyboard.press("Control+v")
    expect(page.locator("[name=row]").first).to_have_value(games[0].split(":")[0])
    expect(page.locator("[name=who]").first).to_have_value("Weber, Hans")
    shows(page, new, change)


def test_first_rating_by_link(open_page):
    """3 of 5 against 1902, 1877, 1884, 2012 and 1832 is a first rating of 1922 (FIDE's official example of 8.2)."""
    page = open_page(chromium.PAGES["first"])
    expect(page.locator(RESULT)).to_contain_text("1922")


def test_games_are_added_and_removed(open_page):
    """The table grows by itself and by the button, and a removed game no longer counts."""
    page = open_page("/")
    fill(page, "fide-standard", "2026-11-15", "1750", {"k": "20"})
    page.locator("[name=row]").first.fill("1950")
    expect(page.locator(".row")).to_have_count(2)
    page.click("#add")
    expect(page.locator(".row")).to_have_count(3)
    page.locator("[name=row]").nth(2).fill("1750")
    expect(page.locator("#answer .games tbody tr")).to_have_count(2)
    page.get_by_role("button", name="Remove game 1").click()
    expect(page.locator("#answer .games tbody tr")).to_have_count(1)
    shows(page, "1760", "+10.00")


def test_without_javascript(open_page):
    """A form and a button are enough: one row a time, or a pasted list, and no dead buttons."""
    page = open_page("/", java_script_enabled=False)
    expect(page.get_by_role("button", name="Copy result")).to_have_count(0)
    page.click("#k-summary")
    fill(page, "fide-standard", "2026-11-15", "1750", {"born": "2010"})
    page.locator("[name=row]").first.fill("1950")
    page.click(".paste summary")
    page.fill("#paste", "1800 ½\n1700 loss")
    page.get_by_role("button", name="Calculate").click()
    assert "&game=1950:win&game=1800:draw&game=1700:loss" in page.url
    assert "&born=2010" in page.url
    expect(page.locator("#answer .games tbody tr")).to_have_count(3)
    expect(page.locator("[name=row]")).to_have_count(4)
    source = page.locator("figure img").first.get_attribute("src")
    reply = page.request.get(source)
    assert reply.ok
    assert reply.headers["content-type"] == "image/svg+xml"
    assert "<svg" in reply.text()


def test_keyboard_only(open_page):
    """From the address bar to the result and its working without a mouse."""
    page = open_page("/?on=2026-11-15&system=fide-standard&k=20")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator("#rating")).to_be_focused()
    page.keyboard.type("1750")
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.name") == "row":
            break
    page.keyboard.type("1950")
    page.keyboard.press("Tab")
    page.keyboard.press("d")  # the choice that begins with it
    page.keyboard.press("ArrowDown")
    expect(page.locator(RESULT)).to_contain_text("17")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.closest('details')?.id") == "working":
            break
    page.keyboard.press("Enter")
    expect(page.locator("#working")).to_have_attribute("open", "")


def test_working_unfolds_and_names_the_article(open_page):
    """The working is folded at first; unfolded, it has article 8.3.3 beside K, and stays open while typing."""
    page = open_page(chromium.EXAMPLE)
    row = page.locator("#working tr", has_text="they turn 18")
    expect(row).to_be_hidden()
    page.click("#working summary")
    expect(row).to_be_visible()
    expect(row.locator(".cite")).to_have_text("FIDE 8.3.3")
    page.fill("#rating", "1760")
    expect(page.locator("#answer .remark").first).to_contain_text("1760")
    expect(row).to_be_visible()


def test_games_that_do_not_count_say_why(open_page):
    """An unrated opponent and a forfeit are lines with their article."""
    page = open_page(
        "/?system=fide-standard&on=2026-11-15&rating=1750&k=20&game=unrated:win&game=1800:%2B&game=1800:win"
    )
    expect(page.locator(".why").nth(0)).to_contain_text("[FIDE 8.3.1]")
    expect(page.locator(".why").nth(1)).to_contain_text("[FIDE 5.1]")


def test_copy_share_and_reset(open_page):
    """The copy button gives the result in a line, the link gives the address, reset empties the page."""
    page = open_page(chromium.EXAMPLE, permissions=["clipboard-read", "clipboard-write"])
    page.evaluate("window.setTimeout = () => 0")  # the word stays: on a slow machine it was gone before it was seen
    page.click("text=Copy result")
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("new rating 1800 (1750 +50); change +50.40; ")
    page.click("text=Link to this")
    expect(page.get_by_role("link", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()").endswith(chromium.EXAMPLE)
    page.click("text=Reset")
    expect(page.locator("#rating")).to_have_value("")


def test_refused_input_is_one_sentence_at_its_field(open_page):
    """A wrong rating is marked at its field and explained; the next good one takes the mark away."""
    page = open_page(chromium.EXAMPLE)
    page.fill("#rating", "10000")
    expect(page.locator("#answer .refused")).to_contain_text("a rating is a number from 1 to 4000")
    expect(page.locator("#rating")).to_have_attribute("aria-invalid", "true")
    page.fill("#rating", "1000")
    expect(page.locator("#rating")).not_to_have_attribute("aria-invalid", "true")


def test_dark_mode(open_page):
    """The page follows the reader's scheme, and so do its pictures."""
    light, dark = (open_page(chromium.EXAMPLE, color_scheme=scheme) for scheme in ("light", "dark"))
    colours = [page.evaluate("getComputedStyle(document.body).backgroundColor") for page in (light, dark)]
    assert [sum(map(int, re.findall(r"\d+", colour))) > 380 for colour in colours] == [True, False]
    dark.locator("figure").first.scroll_into_view_if_needed()
    dark.wait_for_selector("figure[data-drawn]")
    assert any("theme=dark" in url for url in open_page.requests)


def test_chart_has_a_point_under_the_pointer(open_page):
    """Drawn in the browser under the strict policy, the curve answers the pointer with its nearest point."""
    page = open_page(chromium.EXAMPLE, viewport={"width": 1280, "height": 1600})
    figure = page.locator("figure").first
    figure.scroll_into_view_if_needed()
    page.wait_for_selector("figure:first-of-type[data-drawn]")
    box = figure.locator("svg").bounding_box()
    seen = page.locator(f"{POINTS}[opacity='1']")
    before = seen.count()
    page.mouse.move(box["x"] + box["width"] * 0.45, box["y"] + box["height"] * 0.5)
    page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + box["height"] * 0.5)
    expect(seen).not_to_have_count(before)


def test_typing_redraws_the_pictures(open_page):
    """The text beside a picture follows what is typed."""
    page = open_page(chromium.PAGES["expect"])
    page.fill("#opponent", "1600")
    expect(page.locator("figcaption p").first).to_contain_text("1500 against 1600: win +12.80, draw +2.80, loss −7.20")


def test_late_pictures_are_dropped(open_page):
    """Pictures of an earlier state that arrive after those of a later one are not shown."""
    page = open_page(chromium.PAGES["expect"])
    caption, held = page.locator("figcaption p").first, []
    page.route("**/*.charts?*opponent=1550*", lambda route: held.insert(0, route))
    with page.expect_request("**/*.charts?*opponent=1550*"):
        page.fill("#opponent", "1550")
    page.fill("#opponent", "1600")
    expect(caption).to_contain_text("1500 against 1600")
    with page.expect_response("**/*.charts?*opponent=1550*") as late:
        held.pop().continue_()
    late.value.finished()
    expect(caption).to_contain_text("1500 against 1600")


def test_pictures_are_asked_for_again_when_the_server_is_busy(open_page):
    """A server that has no time to draw is asked again; meanwhile the old pictures are pale."""
    page = open_page(chromium.PAGES["expect"])
    page.route("**/*.charts?*", lambda route: route.fulfill(status=503), times=1)
    page.fill("#opponent", "1600")
    expect(page.locator("#charts.stale")).to_have_count(1)
    expect(page.locator("figcaption p").first).to_contain_text("1500 against 1600")
    expect(page.locator("#charts.stale")).to_have_count(0)
    open_page.problems.clear()  # the console tells of the 503


def test_event_fields_are_added(open_page):
    """A period grows by events, each with its own games."""
    page = open_page(chromium.PAGES["period"])
    expect(page.locator(RESULT)).to_contain_text("2398")
    page.click("#add-event")
    expect(page.locator(".event")).to_have_count(4)
    page.locator(".event textarea").nth(3).fill("2400 win")
    expect(page.locator("#answer .games")).to_have_count(3)
    page.fill("#on", "2026-10-31")
    expect(page.locator("#answer .by")).to_contain_text("in force on 2026-10-31")


def test_outlook_by_typing(open_page):
    """One game of two equals without draws, K 20: 50 % to win 10 points (FIDE 8.1.2: 0.50), so to reach 1510."""
    page = open_page("/outlook")
    fill(page, "fide-standard", "2026-11-15", "1500", {"k": "20", "reach": "1510"})
    page.fill("#row-1", "1500")  # still to come, unless another result is chosen
    page.click(".more:has(#draws) summary")
    page.select_option("#draws", "none")
    expect(page.locator(RESULT)).to_have_text("50.0 %")
    expect(page.locator("#answer .marked")).to_contain_text("+10.00")
    expect(page.locator("figcaption p")).to_contain_text("The chance of 1510 or more is 50.0 %")
    assert "game=1500:%3F" in page.url
    page.reload()
    expect(page.locator(RESULT)).to_have_text("50.0 %")
    expect(page.locator("#row-1")).to_have_value("1500")
    expect(page.locator("#result-1")).to_have_value("?")


def test_strength_slides_by_keyboard(open_page):
    """The slider stands at the rating, moves by keys with its number, and a stronger player's chance is higher."""
    page = open_page(chromium.PAGES["outlook"])
    before = float(page.locator(RESULT).inner_text().split()[0])
    slider = page.get_by_role("slider")
    expect(slider).to_have_value("1780")
    slider.focus()
    for _ in range(10):
        page.keyboard.press("ArrowRight")
    expect(page.locator("#strength")).to_have_value("1830")
    expect(page.locator("#answer")).to_contain_text("chances by the calibrated model")
    expect(page).to_have_url(re.compile("strength=1830"))
    assert float(page.locator(RESULT).inner_text().split()[0]) > before
    page.fill("#strength", "")
    page.fill("#rating", "1700")
    expect(slider).to_have_value("1700")


def test_outlook_without_javascript(open_page):
    """The strength is a field, the histogram a drawing of the server's, and results show what they look like."""
    page = open_page(chromium.PAGES["outlook"], java_script_enabled=False)
    expect(page.get_by_role("slider")).to_have_count(0)
    page.fill("#strength", "1900")
    page.get_by_role("button", name="Calculate").click()
    assert "strength=1900" in page.url
    expect(page.locator("#answer .figures").last).to_contain_text("your results look like")
    reply = page.request.get(page.locator("figure img").get_attribute("src"))
    assert reply.ok
    assert "<svg" in reply.text()


def event_fields(page, number, **texts):
    for name, text in texts.items():
        page.fill(f"#{name}-{number}", text)


def test_season_by_typing(open_page):
    """Two even games in two months, no draws, K 20: 1 in 4 wins both, from 1500 by 1510 to 1520 (FIDE 8.1.2, 8.3.2)."""
    page = open_page("/season")
    fill(page, "fide-standard", "2026-11-15", "1500", {"k": "20", "reach": "1520"})
    page.click(".more:has(#draws) summary")
    page.select_option("#draws", "none")
    event_fields(page, 1, event="Winter Open", on="2027-01-10", schedule="1500")
    expect(page.locator("#answer .lists tbody .why")).to_have_count(0)  # one list has outcomes instead
    page.click("#add-event")
    expect(page.locator("#event-2")).to_be_focused()
    event_fields(page, 2, on="2027-02-07", field="1500", rounds="1")
    expect(page.locator(RESULT)).to_have_text("25.0 %")
    expect(page.locator("#answer .lists .why").first).to_have_text("Winter Open: 1 game, K 20")
    expect(page.locator("figcaption p")).to_contain_text("The chance of 1520 or more is 25.0 %")
    assert "event=Winter+Open&on=2027-01-10&game=1500&event=&on=2027-02-07&field=1500&rounds=1" in page.url
    page.reload()
    expect(page.locator(RESULT)).to_have_text("25.0 %")
    expect(page.locator("#field-2")).to_have_value("1500")
    page.get_by_role("button", name="Remove event 2").click()
    expect(page.locator(RESULT)).to_have_text("0.0 %")


def test_plans_stand_side_by_side(open_page):
    """A plan's name in an event makes two plans: a line each, the better one marked, and a fan each."""
    page = open_page(chromium.PAGES["plans"])
    expect(page.locator(RESULT)).to_have_text("opens")
    expect(page.locator("#answer .marked th")).to_contain_text("opens")
    expect(page.locator("figure h2")).to_have_text(["league", "opens"])
    page.get_by_text("league, list by list").click()
    expect(page.locator("#plan-1-lists .lists th[scope=row]")).to_have_text(["2027-01-10", "2027-02-07"])
    page.fill("#plan-3", "league")
    expect(page.locator("figure h2")).to_have_text(["Rating over the season"])
    expect(page.locator("#answer .lists th[scope=row]")).to_have_count(3)


def test_the_fan_answers_the_pointer(open_page):
    """Drawn in the browser, the list nearest to the pointer stands out."""
    page = open_page(chromium.PAGES["season"], viewport={"width": 1280, "height": 1600})
    page.locator("figure").scroll_into_view_if_needed()
    page.wait_for_selector("figure[data-drawn]")
    box = page.locator("figure svg").bounding_box()
    dots = page.locator("figure .mark-symbol path")
    before = [dot.get_attribute("d") for dot in dots.all()]
    page.mouse.move(box["x"] + box["width"] * 0.9, box["y"] + box["height"] * 0.5)
    page.mouse.move(box["x"] + box["width"] * 0.95, box["y"] + box["height"] * 0.5)
    page.wait_for_function(
        "(before) => [...document.querySelectorAll('figure .mark-symbol path')]"
        ".some((dot, at) => dot.getAttribute('d') !== before[at])",
        arg=before,
    )


def test_season_without_javascript(open_page):
    """There is an empty event to fill in, the button asks, and the fan is a drawing of the server's."""
    page = open_page(chromium.PAGES["season"], java_script_enabled=False)
    event_fields(page, 4, event="New Year", on="2027-01-02", schedule="1800 1850")
    page.get_by_role("button", name="Calculate").click()
    expect(page.locator("#answer .lists .why").last).to_have_text("New Year: 2 games, K 40")
    expect(page.locator(".event")).to_have_count(5)
    reply = page.request.get(page.locator("figure img").get_attribute("src"))
    assert reply.ok
    assert "<svg" in reply.text()


def test_what_is_wrong_in_an_event_is_marked_there(open_page):
    """An opponent that is no rating is explained, and marked in its own event."""
    page = open_page(chromium.PAGES["season"])
    page.fill("#schedule-3", "1720 17x0")
    expect(page.locator("#answer .refused")).to_contain_text("Event 3, game 2")
    expect(page.locator("[aria-invalid=true]")).to_have_attribute("id", "schedule-3")
    page.fill("#schedule-3", "1720 1750")
    expect(page.locator("[aria-invalid=true]")).to_have_count(0)


def test_a_phone_has_games_and_answer_in_sight(open_page):
    """At 360×740 the menu is two lines, the games are on the first screen, and the new rating stands at its foot."""
    page = open_page(chromium.EXAMPLE, viewport={"width": 360, "height": 740})
    assert page.locator(".inside").bounding_box()["y"] + page.locator(".inside").bounding_box()["height"] < 90
    box = page.locator("[name=row]").first.bounding_box()
    assert box["y"] + box["height"] < 500
    peek = page.locator("#peek")
    expect(peek).to_have_text("new rating 1800 +50.40")
    assert peek.bounding_box()["y"] + peek.bounding_box()["height"] == pytest.approx(740, abs=1)
    expect(page.locator("#k-summary")).to_have_text("K: 40 calculated")
    expect(page.locator("#born")).to_be_hidden()
    page.fill("#rating", "1760")
    expect(peek).to_have_text("new rating 1809 +49.20")
    page.click("#k-summary")
    page.fill("#k", "20")
    expect(page.locator("#k-summary")).to_have_text("K: 20 given")
    page.evaluate("scrollTo(0, 0)")
    peek.click()
    expect(peek).to_be_hidden()


def test_a_deviation_where_there_is_no_k(open_page):
    """Choosing Glicko swaps the fields of K for the deviation, and the headline has whole points."""
    page = open_page(chromium.EXAMPLE)
    expect(page.locator("#born")).to_be_visible()
    expect(page.locator("#deviation")).to_be_hidden()
    page.select_option("#system", "glicko")
    expect(page.locator("#born")).to_be_hidden()
    expect(page.locator("#deviation")).to_be_visible()
    expect(page.locator("#answer")).to_contain_text("By the rules of Glicko")
    assert re.fullmatch(r"\d{4} [+−]\d+", page.locator(RESULT).inner_text())


def test_fields_and_labels_follow_the_system(open_page):
    """US Chess asks when the event ended and for prior games, Lichess for the speed, DWZ for the index, Elo for K."""
    page = open_page(chromium.EXAMPLE)
    day = page.locator("label[for=on]")
    expect(day).to_have_text("Event began", use_inner_text=True)
    page.select_option("#system", "uschess-regular")
    expect(day).to_have_text("Event ended", use_inner_text=True)
    expect(page.locator("label[for=games]")).to_have_text("Prior games", use_inner_text=True)
    expect(page.locator("#born")).to_be_visible()  # an unrated player's start goes by the age
    expect(page.locator("#k")).to_be_hidden()
    page.select_option("#system", "lichess")
    expect(page.locator("#speed")).to_be_visible()
    page.select_option("#system", "chesscom")
    expect(page.locator("#speed")).to_be_hidden()
    page.select_option("#system", "dwz")
    expect(page.locator("#dwz_index")).to_be_visible()
    page.select_option("#system", "icu")
    assert [name for name in ("born", "games", "peak", "dwz_index", "k") if page.locator(f"#{name}").is_visible()] == [
        "born",
        "games",
        "k",
    ]
    page.select_option("#system", "elo")
    assert [name for name in ("born", "games", "peak", "dwz_index", "k") if page.locator(f"#{name}").is_visible()] == [
        "k"
    ]


def test_k_is_chosen_or_worked_out(open_page):
    """K 20 instead of the junior's 40 by one click: 20 × 0.76 = 15.20 (FIDE 8.3.2), and back."""
    page = open_page("/?system=fide-standard&on=2026-11-15&rating=1750&born=2010&game=1950:win")
    page.get_by_role("button", name="K 20").click()
    shows(page, "1765", "+15.20")
    expect(page.get_by_role("button", name="K 20")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="K worked out").click()
    shows(page, "1780", "+30.40")


def test_a_refusal_leads_to_its_field(open_page):
    """The second game's opponent is refused by its name, underlined, and one click away."""
    page = open_page(chromium.EXAMPLE)
    page.locator("[name=row]").nth(1).fill("99999")
    page.click("text=Game 2, opponent")
    expect(page.locator("#row-2")).to_be_focused()
    expect(page.locator("#row-2")).to_have_attribute("aria-invalid", "true")


@pytest.mark.parametrize("path", ["/", "/need", "/api"])
def test_every_part_is_in_sight(open_page, path):
    """The five parts of the site, and the pages of the one that is open, are in one line each, from a phone up."""
    page = open_page(path)
    tops = "(list) => new Set([...list.children].map((one) => one.offsetTop)).size"
    for width in (360, 768, 1024, 1920):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(f"[...document.querySelectorAll('nav ul')].map({tops})") == [1, 1]
        assert page.evaluate("document.querySelector('header nav').scrollWidth") <= width
    assert page.locator("header nav li").count() == 5


def test_what_was_typed_goes_along(open_page):
    """From the calculator to what comes next and back, the player and the opponents stay."""
    page = open_page(chromium.EXAMPLE)
    page.fill("#rating", "1760")
    expect(page.locator("#answer .number")).to_contain_text("1809")
    page.get_by_role("link", name="Look ahead").click()
    expect(page.locator("#rating")).to_have_value("1760")
    expect(page.locator("#opponent")).to_have_value("1950")
    page.get_by_role("link", name="What do I need").click()
    expect(page.locator("#born")).to_have_value("2010")
    expect(page.locator("#list")).to_have_value("1950")


OPEN = str(ROOT / "docs" / "examples" / "open.trf")


@pytest.fixture(params=[True, False], ids=["scripted", "without-javascript"])
def upload(open_page, request):
    """The page for a tournament, with its script and without."""
    return open_page("/tournament", java_script_enabled=request.param)


def report(page):
    page.set_input_files("#file", OPEN)
    page.click("text=Make the report")
    expect(page.locator("#report h2").first).to_have_text("Harbour Open")


def test_choose_a_file_and_read_the_report(upload, tmp_path):
    """A chosen file gives the report: 2412 with 5 of 6, K 10, is +0.80 and 2413, as FIDE's table has it.

    Every download arrives as a file with something in it.
    """
    report(upload)
    row = upload.locator("#changes + .wide tbody tr").first
    expect(row).to_contain_text("Lindqvist, Aron")
    expect(row).to_contain_text("+0.80")
    expect(row.locator("b")).to_have_text("2413")
    expect(upload.locator("article")).to_have_count(10)
    for form in ("Page to hand out", "Excel", "CSV", "JSON"):
        with upload.expect_download() as waiting:
            upload.get_by_role("button", name=form, exact=True).click()
        path = tmp_path / waiting.value.suggested_filename
        waiting.value.save_as(path)
        assert path.stem == "open-rating-report"
        assert path.stat().st_size > 500


DROP = """(text) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], "open.trf"));
    const drop = new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true });
    document.querySelector("form[data-drop]").dispatchEvent(drop);
}"""


def test_a_file_without_a_day_leads_to_the_day(open_page, tmp_path):
    """What the file does not say is one click away from the sentence that asks for it."""
    (tmp_path / "club.csv").write_text("no,name,rating,r1\n1,Ann,1800,2w1\n2,Ben,1700,1b0\n", encoding="utf-8")
    page = open_page("/tournament")
    page.set_input_files("#file", str(tmp_path / "club.csv"))
    page.click("text=Make the report")
    page.click(".refused .where")
    expect(page.locator("#on")).to_be_focused()


def test_a_dropped_file_is_sent_at_once(open_page):
    """Dropping the file on the sheet is enough."""
    page = open_page("/tournament")
    page.evaluate(DROP, Path(OPEN).read_text(encoding="utf-8"))
    expect(page.locator("#report h2").first).to_have_text("Harbour Open")


def test_too_large_a_file_is_said_before_it_is_sent(open_page):
    """A file over the limit is refused at its field, without a request."""
    page = open_page("/tournament")
    page.set_input_files("#file", {"name": "big.trf", "mimeType": "text/plain", "buffer": b"x" * (6 << 20)})
    assert "too large" in page.evaluate("document.getElementById('file').validationMessage")


def test_the_keyboard_is_enough(open_page):
    """From the chosen file to the report and its first download button with Tab and Enter."""
    page = open_page("/tournament")
    page.set_input_files("#file", OPEN)
    page.focus("#file")
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "Make the report":
            break
    page.keyboard.press("Enter")
    expect(page.locator("#report")).to_be_visible()
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "Excel":
            return
    pytest.fail("the download was not reached")


def test_axe_and_the_phone(open_page):
    """The report has no fault that axe can find, in either scheme, and does not scroll sideways at 360 px."""
    page = open_page("/tournament", viewport={"width": 360, "height": 740})
    report(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()


def test_the_report_by_itself(opened, tmp_path):
    """The page to hand out asks for nothing, has no fault that axe can find, and fits a phone."""
    path = tmp_path / "report.html"
    write_report(arpad.rate_event(arpad.read(OPEN)), str(path))
    context = opened.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())
    assert asked == [path.as_uri()]
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        # Axe is put into the page, which its own policy forbids to any script: so without the policy.
        bare = context.new_page()
        bare.emulate_media(color_scheme=scheme)
        bare.set_content(path.read_text(encoding="utf-8").replace('http-equiv="Content-Security-Policy"', 'name="was"'))
        found = Axe().run(bare)
        assert found.violations_count == 0, found.generate_report()
    context.close()


def test_a_screen_reader_hears_one_sentence_an_answer(open_page):
    """While somebody types nothing is read out; after a pause one sentence has the answer, or what was refused."""
    page = open_page(chromium.EXAMPLE)
    page.evaluate("""() => {
        window.heard = [];
        const status = document.getElementById("status");
        new MutationObserver(() => window.heard.push(status.textContent)).observe(status, { childList: true });
    }""")
    page.locator("#rating").fill("")
    page.locator("#rating").press_sequentially("1760", delay=40)
    expect(page.locator("#status")).to_contain_text("You gain 49: you scored 2.5 of 3, and 1.27 was expected.")
    assert len(page.evaluate("heard")) == 1
    assert page.locator("#answer [aria-live], #answer [role=alert], #answer[aria-live]").count() == 0
    page.fill("#rating", "10000")
    expect(page.locator("#status")).to_contain_text("a rating is a number from 1 to 4000")
    assert len(page.evaluate("heard")) == 2


def test_a_result_typed_behind_the_opponent_goes_to_its_field(open_page):
    """`1950 ½` in the opponent's cell is a draw, in the result's field too; choosing a loss then is a loss."""
    page = open_page("/?system=fide-standard&on=2026-11-15&rating=1750&born=2010")
    row, result = page.locator("#row-1"), page.locator("#result-1")
    row.fill("1950 ½")
    row.press("Tab")
    expect(page.locator(f"{RESULT} .change")).to_have_text("+10.40")  # 40 × (0.5 − 0.24), FIDE 8.1.2
    expect(row).to_have_value("1950")
    expect(result).to_have_value("draw")
    result.select_option("loss")
    expect(page.locator(f"{RESULT} .change")).to_have_text("−9.60")  # 40 × (0 − 0.24)
