"""The three doors in a real Chromium: what a user does, and what stands there then."""

import re

import chromium
import pytest
from playwright.sync_api import expect

# The worked figures that people know (first column: system), each from the regulation or the formula it names.
FIGURES = [
    # FIDE 8.1.2, 8.3.2: 40 × (1 − 0.24)
    ("fide-standard", "2026-11-15", "1750", {"born": "2010"}, ["1950:win"], "+30", "+30.40"),
    # FIDE 8.1.2, 8.3.2: 10 × (0.5 − 0.43)
    ("fide-standard", "2026-11-15", "2650", {"k": "10"}, ["2700:draw"], "+1", "+0.70"),
    # the 400-point rule before and after 2025-10-01 (FIDE 8.3.1)
    ("fide-standard", "2025-09-30", "2700", {"k": "10"}, ["2200:win"], "+1", "+0.80"),
    ("fide-standard", "2025-10-01", "2700", {"k": "10"}, ["2200:win"], "0", "+0.40"),
    # plain Elo: 32 × (1 − 1/(1 + 10^(200/400)))
    ("elo", "2026-11-15", "1500", {"k": "32"}, ["1700:win"], "+24", "+24.31"),
]
FIGURE = "#hero .fig .n"
PHONE = {"viewport": {"width": 360, "height": 740}}
NINE = (1810, 1695, 1768, 1852, 1790, 1733, 1884, 1801, 1820)


def settings(page):
    """Open the line of words."""
    if page.locator("#how").get_attribute("open") is None:
        page.click("#how > summary")


def fill(page, system, day, rating, known):
    settings(page)
    if page.locator("#system").input_value() != system:
        page.select_option("#system", system)
        expect(page).to_have_url(re.compile(system))
    page.fill("#on", day)
    page.fill("#rating", rating)
    for name, text in known.items():
        if name == "k" and system.startswith("fide"):
            page.locator(".chip", has_text=re.compile(f"^{text}$")).click()
        else:
            page.fill(f"#{name}", text)


def results(page, *games):
    """Opponents and results, row by row."""
    for number, game in enumerate(games, start=1):
        opponent, result = game.split(":")
        page.fill(f"#row-{number}", opponent)
        page.locator(".game").nth(number - 1).get_by_role("radio", name=result).check(force=True)


@pytest.mark.parametrize(("system", "day", "rating", "known", "games", "figure", "change"), FIGURES)
def test_worked_figures_by_typing(open_page, system, day, rating, known, games, figure, change):
    """Typing the worked figures gives the published answers, and the address, opened again, gives them too."""
    page = open_page("/")
    if "born" not in known:
        page.fill("#born", "")
    fill(page, system, day, rating, known)
    results(page, *games)
    for _ in range(2):
        expect(page.locator(FIGURE)).to_have_text(figure)
        expect(page.locator("#chg-1")).to_have_text(change)
        expect(page).to_have_url(re.compile(f"rating={rating}.*game={games[0]}|game={games[0]}.*rating={rating}"))
        page.reload()


def test_the_example_is_typed_over(open_page):
    """The first key replaces what the field has; another rating is another person's, whose year of birth is not known.

    As long as the game is the example's, the answer says so.
    """
    page = open_page("/")
    expect(page.locator(".tag")).to_have_text("Example — type over it")
    expect(page.locator(FIGURE)).to_have_text("+30")  # FIDE 8.1.2: 40 × 0.76
    page.click("#rating")
    page.keyboard.type("1950")
    expect(page.locator("#rating")).to_have_value("1950")
    expect(page.locator(FIGURE)).to_have_text("+10")  # 20 × 0.50
    expect(page.locator(".tag")).to_have_text("Example — type over it")
    expect(page.locator("#born")).to_have_value("")
    expect(page.locator("#born-help .as")).to_be_visible()
    page.locator(".game label.d").first.click()
    expect(page.locator(FIGURE)).to_have_text("0")
    expect(page.locator(".tag")).to_have_count(0)
    expect(page.locator("#rating")).not_to_have_attribute("data-example", "")


def test_the_other_games_of_an_example_go_with_the_first_of_ones_own(open_page):
    """Three games of one's own are not mixed with the example's: two more are needed (FIDE 8.2.1: five games)."""
    page = open_page("/first")
    page.click("#row-1")
    for game in ("1500 w", "1600 l", "1550 d"):
        page.keyboard.type(game)
        page.keyboard.press("Enter")
    expect(page.locator(FIGURE)).to_have_text("2")
    expect(page.locator("#hero .to")).to_have_text("more games")
    expect(page.locator("#row-4")).to_be_focused()
    expect(page.locator("#row-5")).to_have_value("")


def test_an_opponent_is_shown_as_people_write_it(open_page):
    """Title, federation and colour behind the rating, and below it a name that covers neither."""
    game = "2450gm/GER@w:win&who=Altmeyer,+Jonas"
    page = open_page(f"/ahead?system=fide-standard&on=2026-11-15&rating=2389&game={game}&game=2400:%3F", **PHONE)
    field, name = page.locator("#row-1"), page.locator(".nm")
    expect(field).to_have_value("2450 GM GER White")
    assert name.bounding_box()["y"] >= field.bounding_box()["y"] + field.bounding_box()["height"]
    page.fill("#row-2", "2310 FM BEL Black draw")
    page.keyboard.press("Tab")
    expect(page.locator("#row-2")).to_have_value("2310 FM BEL Black")
    expect(page).to_have_url(re.compile(r"game=2310fm(/|%2F)BEL(@|%40)b:draw"))


def test_games_are_added_and_removed(open_page):
    """The list grows by itself and by the button, and a removed game no longer counts."""
    page = open_page("/?system=fide-standard&on=2026-11-15&rating=1750&k=20")
    results(page, "1950:win")
    expect(page.locator(".game")).to_have_count(2)
    page.get_by_role("button", name="Add a game").click()
    expect(page.locator("#row-2")).to_be_focused()
    results(page, "1950:win", "1750:win")
    expect(page.locator("#hero .say")).to_contain_text("2 of 2")
    page.get_by_role("button", name="Remove game 1").click()
    expect(page.locator(FIGURE)).to_have_text("+10")
    expect(page.locator("#row-1")).to_have_value("1750")


def test_a_second_click_takes_a_result_back(open_page):
    """A game without a result is to come: it is set aside, with a way to what it may bring."""
    page = open_page("/?system=fide-standard&on=2026-11-15&rating=1750&k=20&game=1750:win&game=1950:win")
    page.locator(".game").nth(1).locator("label.w").click()
    expect(page.locator("#answer")).to_contain_text("1 game has no result yet")
    expect(page.locator(FIGURE)).to_have_text("+10")  # FIDE 8.1.2: 20 × 0.50
    page.get_by_role("link", name="What they may bring").click()
    expect(page).to_have_url(re.compile("/ahead.*game=1950:%3F"))


def test_the_heading_is_the_question(open_page):
    """It changes with what is typed: a result without a rating, an event, a target, a season."""
    page = open_page("/?system=fide-standard&on=2026-11-15&rating=1750&game=1950:win")
    heading = page.locator("h1")
    expect(heading).to_have_text("What did my games do to my rating?")
    page.fill("#rating", "")
    expect(heading).to_have_text("What was my result worth?")
    page.goto("/ahead?system=fide-standard&on=2026-11-15&rating=1742&born=2008&opponent=1810")
    expect(heading).to_have_text("What is at stake?")
    expect(page.locator(".outs .n").first).to_have_text("+24")  # FIDE 8.1.2: 40 × (1 − 0.41) = 23.6
    page.get_by_role("button", name="Add an opponent").click()
    page.keyboard.type("1695")
    expect(heading).to_have_text("What can this event do to my rating?")
    expect(page.locator("#row-2")).to_be_focused()
    page.fill("#reach", "1760")
    expect(heading).to_have_text("Can I reach 1760 at this event?")
    page.get_by_role("button", name="A norm").click()
    expect(page.locator("#norm")).to_be_focused()
    page.select_option("#norm", "IM")
    expect(heading).to_have_text("What do I need for the norm?")


def test_another_event_makes_a_period_and_a_later_month_a_diary(open_page):
    """FIDE 8.1.2, K 20: a win against 1800 (0.43) and one against 1820 (0.40) are 11.4 + 12.0 = 23.4, rounded once."""
    page = open_page("/?system=fide-standard&on=2026-11-01&rating=1750&k=20&game=1800:win")
    page.get_by_role("button", name="Add another event").click()
    expect(page.locator("#event-2")).to_be_focused()
    page.keyboard.type("League")
    page.fill("#on-2", "2026-11-14")
    page.fill("#row-2-1", "1820")
    page.locator("#event-fold-2 label.w").first.click()
    expect(page.locator(FIGURE)).to_have_text("+23")
    expect(page.locator("#hero .say")).to_contain_text("+23.40")
    expect(page.locator("#event-fold-1")).not_to_have_attribute("open", "")
    page.fill("#on-2", "2026-12-14")
    expect(page.locator("h1")).to_have_text("How has my rating moved?")
    page.locator("#event-fold-2 .more summary").last.click()
    page.get_by_role("button", name="Remove event 2").click()
    expect(page.locator("#event-2")).to_have_count(0)


def test_without_javascript(open_page):
    """Forms and buttons are enough: a row, an event, a paste; and no dead buttons."""
    page = open_page("/", java_script_enabled=False)
    expect(page.get_by_role("button", name="Copy result")).to_have_count(0)
    page.fill("#rating", "1750")
    page.fill("#born", "2010")
    page.get_by_role("button", name="Add a game").click()
    page.fill("#row-2", "1800")
    page.locator(".game").nth(1).locator("label.d").click()
    page.get_by_role("button", name="Work it out").last.click()
    expect(page).to_have_url(re.compile("&born=2010&.*game=1950:win&game=1800:draw"))
    expect(page.locator("#hero .say")).to_contain_text("1½ of 2")
    page.get_by_role("button", name="Add another event").click()
    page.fill("#row-2-1", "1700")
    page.locator("#event-fold-2 label.w").first.click()
    page.get_by_role("button", name="Work it out").last.click()
    expect(page).to_have_url(re.compile("event=.*event="))
    page.locator("[data-paste]").last.click()
    page.fill("#paste-text", "1950 win\n1800 draw")
    page.get_by_role("button", name="Read the games").click()
    page.get_by_role("button", name="Use 2 games").click()
    expect(page).to_have_url(re.compile("^((?!event=).)*game=1950:win&game=1800:draw$"))
    assert page.url.count("on=") == 1  # the events' days went with their games
    expect(page.locator("#hero .say")).to_contain_text("1½ of 2")


def test_keyboard_only(open_page):
    """From the address bar to the result and its working without a mouse."""
    page = open_page("/?on=2026-11-15&system=fide-standard&k=20&rating=1500")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    for key in ("Tab", "1750", "Tab", "Tab", "1950", "Tab", "Space"):
        (page.keyboard.type if key.isdecimal() else page.keyboard.press)(key)
    expect(page.locator(FIGURE)).to_have_text("+15")  # FIDE 8.1.2: 20 × 0.76
    page.keyboard.press("ArrowRight")
    expect(page.locator(FIGURE)).to_have_text("+5")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.closest('details.more')?.textContent.includes('worked out')"):
            break
    page.keyboard.press("Enter")
    expect(page.locator(".steps").first).to_be_visible()


def test_a_refusal_waits_and_has_a_repair(open_page):
    """On the way to something nothing is refused; then it stands at its field, and the last answer stays, paler."""
    page = open_page("/?system=fide-standard&on=2026-11-15&rating=1750&k=20&game=1750:win")
    page.evaluate(chromium.UNHESITATING)
    page.click("#rating")
    page.keyboard.press("End")
    with page.expect_response(lambda reply: ".part?rating=17500" in reply.url) as refused:
        page.keyboard.type("0")
    assert "data-refused" in refused.value.text()
    page.wait_for_function("performance.getEntriesByName('update').length")  # the page has read the refusal
    expect(page.locator("#rating-help .btn")).to_have_count(0)
    page.keyboard.press("Tab")
    expect(page.locator("#rating-help")).to_contain_text("a rating is a number from 1 to 4000")
    expect(page.locator("#rating")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#hero.old .for")).to_contain_text("The last answer")
    expect(page.locator(FIGURE)).to_have_text("+10")
    page.get_by_role("button", name="Use 1750").click()
    expect(page.locator("#rating")).to_have_value("1750")
    expect(page.locator("#hero.old")).to_have_count(0)


def test_no_connection_is_said_and_tried_again(open_page):
    """What was typed is safe, and the answer comes once the server is there."""
    page = open_page("/?system=fide-standard&on=2026-11-15&rating=1750&k=20&game=1750:win")
    page.route("**/*.part?*", lambda route: route.abort())
    page.fill("#rating", "1700")
    expect(page.locator("#offline")).to_be_visible()
    expect(page.locator("#offline")).to_contain_text("your entries are safe")
    page.unroute("**/*.part?*")
    page.click("#retry")
    expect(page.locator("#offline")).to_be_hidden()
    expect(page.locator(FIGURE)).to_have_text("+11")  # FIDE 8.1.2: 20 × (1 − 0.43)
    open_page.problems.clear()  # the console tells of the failed request


@pytest.mark.parametrize(("system", "field"), [("lichess", "deviation"), ("elo", "k"), ("uschess-regular", "born")])
def test_another_system_has_its_own_fields(open_page, system, field):
    """What the system uses stands beside the rating, and what it does not use is gone; the panel stays open."""
    page = open_page("/?system=fide-standard&on=2026-11-15&rating=1500&game=1600:win")
    settings(page)
    page.select_option("#system", system)
    expect(page.locator(f".who #{field}")).to_be_visible()
    expect(page.locator("#how")).to_have_attribute("open", "")
    expect(page.locator(".chip")).to_have_count(0)
    expect(page.locator(FIGURE)).to_contain_text("+")


def test_typing_goes_on_where_it_was(open_page):
    """The server draws the form again while somebody types: no key changes its place."""
    page = open_page("/?system=fide-standard&on=2026-11-15&rating=1500&game=1600:win")
    held = []
    page.route("**/?*system=elo*", lambda route: held.append(route), times=1)  # noqa: PLW0108 - it takes no method
    page.select_option("#system", "elo")
    page.focus("#row-1")
    page.keyboard.press("Control+a")
    page.keyboard.type("19")
    held[0].continue_()
    expect(page.locator(".who #k")).to_be_visible()
    page.keyboard.type("50")
    expect(page.locator("#row-1")).to_have_value("1950")


def test_outlook_by_typing(open_page):
    """One game of two equals without draws, K 20: 50 % to win 10 points (FIDE 8.1.2: 0.50), so to reach 1510."""
    page = open_page("/ahead?system=fide-standard&on=2026-11-15&rating=1500&k=20&opponent=1500")
    page.get_by_role("button", name="A target").click()
    expect(page.locator("#reach")).to_be_focused()
    page.keyboard.type("1510")
    settings(page)
    page.select_option("#draws", "none")
    expect(page.locator("#hero .facts")).to_contain_text("50 %")
    expect(page).to_have_url(re.compile("game=1500:%3F"))
    page.reload()
    expect(page.locator("#hero .facts")).to_contain_text("50 %")
    expect(page.locator("#row-1")).to_have_value("1500")


@pytest.mark.parametrize("door", ["/", "/ahead", "/first"])
def test_nine_games_on_a_phone(open_page, door):
    """They fold to one line, so that the answer begins within the first 900 pixels; nothing is too wide."""
    ended = "%3F" if door == "/ahead" else "draw"
    rating = "" if door == "/first" else "&rating=1742&born=2008"
    query = "".join(f"&game={one}:{ended}" for one in NINE)
    page = open_page(f"{door}?system=fide-standard&on=2026-11-15{rating}{query}", **PHONE)
    expect(page.locator("#games-fold")).not_to_have_attribute("open", "")
    assert page.evaluate("document.getElementById('hero').getBoundingClientRect().bottom + scrollY") < 1200
    assert page.evaluate("document.getElementById('hero').getBoundingClientRect().top + scrollY") < 560
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.locator("#games-fold > summary").click()
    expect(page.locator("#row-9")).to_be_visible()
    page.evaluate("scrollTo(0, 0)")
    page.locator("#stick").evaluate("(bar) => bar.click()")
    expect(page.locator("#hero")).to_be_in_viewport()
    expect(page.locator("#games-fold")).not_to_have_attribute("open", "")


def test_the_doors_of_a_phone(open_page):
    """One named menu, with a line about each door, which takes along what was typed."""
    page = open_page("/?system=fide-standard&on=2026-11-15&rating=1750&game=1950:win", **PHONE)
    expect(page.locator("nav.doors")).to_be_hidden()
    page.click(".door-menu summary")
    page.get_by_role("link", name="I’m about to play").click()
    expect(page.locator("#rating")).to_have_value("1750")
    expect(page.locator("#row-1")).to_have_value("1950")
    expect(page.locator(".door-menu summary")).to_contain_text("I’m about to play")


def test_copy_share_and_start_again(open_page):
    """The copy button gives the result in a line, the link gives the address; starting again can be undone."""
    page = open_page(chromium.EXAMPLE, permissions=["clipboard-read", "clipboard-write"])
    page.evaluate("window.setTimeout = () => 0")  # the word stays: on a slow machine it was gone before it was seen
    page.click("text=Copy result")
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert "+50" in page.evaluate("navigator.clipboard.readText()")  # FIDE 8.1.2: 40 × (0.76 + 0.07 + 0.43) = 50.4
    page.click("text=Copy link")
    expect(page.get_by_role("link", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()").endswith(chromium.EXAMPLE)
    page.click("text=Start again")
    expect(page.locator(".tag")).to_have_text("Example — type over it")
    page.click("#undo a")
    expect(page.locator(FIGURE)).to_have_text("+50")


def test_dark_mode(open_page):
    """The page follows the reader's scheme, and the button turns it."""
    light, dark = (open_page(chromium.EXAMPLE, color_scheme=scheme) for scheme in ("light", "dark"))
    paper = "getComputedStyle(document.body).backgroundColor"
    assert [light.evaluate(paper), dark.evaluate(paper)] == ["rgb(246, 244, 238)", "rgb(16, 20, 18)"]
    light.click("#theme")
    assert light.evaluate(paper) == "rgb(16, 20, 18)"
    light.goto("/learn")
    assert light.evaluate(paper) == "rgb(16, 20, 18)"


def test_a_first_visit_is_small(open_page):
    """Under 130 KB with fonts, style and scripts, as a browser gets them."""
    page = open_page("about:blank")
    sizes = []
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.goto("/")
    page.wait_for_load_state("networkidle")
    assert 20_000 < sum(sizes) < 130_000
