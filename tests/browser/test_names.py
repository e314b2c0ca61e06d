"""Names from a rating list, completed on the page in a real Chromium as a user types them."""

import chromium
import pytest
import rating_lists as made
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from arpad.lists import Hints, recognise
from arpad.lists import import_list as load
from conftest import require

KNOWN = {
    "name": "Marchetti, Paolo", "fed": "ITA", "born": 1984, "title": "", "w_title": "WFM", "standard": 1950,
    "standard_k": 20, "rapid": 0,
}  # fmt: skip
ID = 110_500
WHO = f"Marchetti, Paolo @{ID}"
LISTED = "Rating list fide 2026-11."


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """`arpad serve` beside 3,000 invented players, one of whom is known, and has 12 points more in December."""
    require("chromium", there=chromium.CHROMIUM, line="Chromium is not installed; try `make browser`")
    folder = tmp_path_factory.mktemp("names")
    for month, standard in (("2026-11", 1950), ("2026-12", 1962)):
        people = list(made.players(3000))
        people[1500] |= KNOWN | {"id": ID, "standard": standard}
        path = made.written(folder / "list.txt", made.combined_head(), map(made.combined_line, people))
        load(recognise(str(path), Hints(month=month)), data=str(folder / "data"))
    with chromium.server(ARPAD_DATA=str(folder / "data")) as found:
        yield found


@pytest.fixture
def page(open_page):
    """The calculator with a player of 1750 born in 2010, whose win against 1950 gives 30.40 (FIDE 8.1.2, 8.3.2)."""
    return open_page("/?system=fide-standard&on=2026-11-15&rating=1750&born=2010")


@pytest.fixture
def own(open_page):
    """The calculator with a win against 1950, and nobody's rating yet."""
    return open_page("/?system=fide-standard&on=2026-11-15&game=1950:win")


def choose(page, field, typed):
    """Type what a name begins with, and take the first who is offered by the keyboard."""
    field.press_sequentially(typed)
    expect(page.locator("#people [role=option]").first).to_contain_text("Marchetti, Paolo")
    field.press("ArrowDown")
    expect(field).to_have_attribute("aria-activedescendant", "person-0")
    field.press("Enter")
    expect(page.locator("#people [role=option]")).to_have_count(0)


@pytest.mark.parametrize("typed", ["marchet", "Marhcetti", "paolo marchetti"])
def test_a_name_is_completed(page, typed):
    """A beginning, a misspelt name and another order are completed; the chosen one fills in rating and name."""
    row = page.locator("[name=row]").first
    row.press_sequentially(typed)
    offered = page.locator("#people [role=option]")
    expect(offered.first).to_have_text("Marchetti, Paolo WFM, ITA, born 1984, 1950")
    expect(page.locator("#people-note")).to_have_text("Names and ratings from the rating list fide 2026-11.")
    expect(row).to_have_attribute("aria-expanded", "true")
    offered.first.click()
    expect(row).to_have_value("1950")
    expect(page.locator("[name=who]").first).to_have_value("Marchetti, Paolo")
    page.locator(".game label.w").first.click()
    expect(page.locator("#chg-1")).to_have_text("+30.40")
    expect(page.locator("#rating-help")).to_contain_text("standard ratings of the rating list fide 2026-11")


def test_a_day_before_the_lists_is_said(page):
    """For a day before the first imported list the page says that none was valid, and which is the first."""
    page.click("#how > summary")
    page.fill("#on", "2026-10-15")
    page.locator("[name=row]").first.press_sequentially("marchet")
    expect(page.locator("#people-note")).to_contain_text("The imported lists begin with 2026-11")


def test_nothing_is_refused_while_a_name_is_typed(page):
    """Letters in an opponent's field ask nothing before the field is left; then whoever is meant is looked up."""
    row = page.locator("[name=row]").first
    row.press_sequentially("Marchetti, Pao")
    expect(page.locator("#people [role=option]").first).to_be_visible()
    expect(page.locator("[data-refused]")).to_have_count(0)
    row.fill("Marchetti, Paolo")
    row.blur()
    page.locator(".game label.w").first.click()
    expect(page.locator("#chg-1")).to_have_text("+30.40")


@pytest.mark.parametrize("typed", ["marchet", "Marhcetti", f"@{ID}", str(ID)])
def test_the_own_player_is_completed(own, typed):
    """By name or ID the list's rating, K and year of birth hold; 1950 beats 1950: 20 × 0.5 (FIDE 8.1.2, 8.3.2)."""
    choose(own, own.locator("#rating"), typed)
    expect(own.locator("#rating")).to_have_value(WHO)
    expect(own.locator("#rating-help")).to_have_text(f"Marchetti, Paolo: 1950, K 20, born 1984. {LISTED}")
    expect(own.locator("#chg-1")).to_have_text("+10.00")
    expect(own.locator("#words")).to_contain_text("K 20, from the rating list")
    expect(own.locator("#born")).to_have_attribute("placeholder", "1984")
    own.reload()
    expect(own.locator("#rating-help")).to_contain_text("1950, K 20, born 1984")
    own.click("#how > summary")
    own.locator(".chip", has_text="40").click()
    expect(own.locator("#chg-1")).to_have_text("+20.00")


def test_tab_takes_whoever_is_marked(own):
    """Who is marked when the field is left by Tab was meant."""
    rating = own.locator("#rating")
    rating.press_sequentially("marchet")
    expect(own.locator("#people [role=option]").first).to_contain_text("Marchetti, Paolo")
    rating.press("ArrowDown")
    rating.press("Tab")
    expect(rating).to_have_value(WHO)
    expect(rating).not_to_be_focused()
    expect(own.locator("#chg-1")).to_have_text("+10.00")


def test_an_id_need_not_be_chosen(own):
    """A number too long for a rating is an ID once its field is left."""
    rating = own.locator("#rating")
    rating.press_sequentially(str(ID))
    rating.blur()
    expect(own.locator("#chg-1")).to_have_text("+10.00")
    expect(rating).to_have_value(f"@{ID}")


def test_enter_asks_for_what_was_typed(own):
    """Where nobody is marked, Enter takes the name as it stands, and what was offered goes."""
    own.locator("#rating").press_sequentially("Marchetti, Paolo")
    expect(own.locator("#people [role=option]").first).to_be_visible()
    own.locator("#rating").press("Enter")
    expect(own.locator("#chg-1")).to_have_text("+10.00")
    expect(own.locator("#people [role=option]")).to_have_count(0)


def test_opponents_follow_day(page):
    """In a row another day is another rating: 1750 beats 1962, 40 × 0.77 (FIDE 8.1.2)."""
    row = page.locator("#row-1")
    choose(page, row, "marchet")
    page.locator(".game label.w").first.click()
    page.click("#how > summary")
    page.fill("#on", "2026-12-15")
    expect(row).to_have_value("1962")
    expect(page.locator("#chg-1")).to_have_text("+30.80")


def test_what_is_typed_over_an_opponent_is_somebody_else(page):
    """A rating typed over somebody chosen has no name, and stays as it is."""
    row, name = page.locator("#row-1"), page.locator("[name=who]").first
    choose(page, row, "marchet")
    expect(name).to_have_value("Marchetti, Paolo")
    row.fill("1800")
    expect(name).to_have_value("")
    expect(row).to_have_value("1800")


def test_nobody_is_called_so(own):
    """That nobody has a name is said while it is typed, and at the field when it is left."""
    rating = own.locator("#rating")
    rating.press_sequentially("Xqzwvv")
    expect(own.locator("#people-note")).to_contain_text("The rating list fide 2026-11 has nobody of that name")
    rating.press("Escape")
    expect(own.locator("#people-note")).to_be_empty()
    rating.blur()
    expect(own.locator("#rating-help")).to_contain_text("Nobody on the list fide 2026-11 is called 'Xqzwvv'")
    expect(rating).to_have_attribute("aria-invalid", "true")


def test_an_id_is_not_refused_digit_by_digit(page):
    """A number over 4000 can be no rating, so nothing is asked before it is whole; left as it is, it is an ID."""
    asked = []
    page.on("request", lambda request: asked.append(request.url) if ".part?" in request.url else None)
    row = page.locator("#row-1")
    row.fill("99000")
    row.fill(str(ID))
    row.blur()
    expect(row).to_have_value(f"@{ID}")
    assert not any("99000&" in url for url in asked)


@pytest.mark.parametrize(("path", "field"), [("/?", "#rating"), ("/?", "#row-1"), ("/ahead?", "#row-1")])
def test_a_phone_has_room_for_the_names(open_page, path, field):
    """Open under its field the offer lies within 360 px, can be touched, and has no fault that axe can find."""
    page = open_page(f"{path}on=2026-11-15&rating=1750", viewport={"width": 360, "height": 740}, has_touch=True)
    page.locator(field).fill("")
    page.locator(field).press_sequentially("marchet")
    option = page.locator("#people [role=option]").first
    expect(option).to_be_in_viewport(ratio=1)
    box = page.locator(".people").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    option.tap()
    expect(page.locator(field)).to_have_value(WHO if field == "#rating" else "1950")


def test_the_own_player_without_javascript(open_page):
    """A whole name and the button: the page comes back with what the list has."""
    page = open_page("/?system=fide-standard&on=2026-11-15&game=1950:win", java_script_enabled=False)
    expect(page.locator("#rating-help")).to_have_text("or your name or FIDE ID")
    page.fill("#rating", "Marchetti, Paolo")
    page.get_by_role("button", name="Work it out").last.click()
    expect(page.locator("#rating-help")).to_have_text(f"Marchetti, Paolo: 1950, K 20, born 1984. {LISTED}")
    expect(page.locator("#chg-1")).to_have_text("+10.00")
