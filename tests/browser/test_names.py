"""Names from a rating list, completed on the page in a real Chromium as a user types them."""

import os

import chromium
import pytest
from playwright.sync_api import expect

import rating_lists as made
from arpad.lists.load import load
from arpad.lists.sources import Told, recognised

KNOWN = {"name": "Marchetti, Paolo", "fed": "ITA", "born": 1984, "standard": 1950, "standard_k": 20, "rapid": 0}


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """`arpad serve` beside a list of 3,000 invented players, one of whom is known."""
    if not chromium.CHROMIUM:
        message = "Chromium is not installed; `make browser` installs it where it may"
        pytest.fail(message) if os.environ.get("CI") else pytest.skip(message)
    folder = tmp_path_factory.mktemp("names")
    people = list(made.players(3000))
    people[1500] |= KNOWN
    path = made.written(folder / "list.txt", made.combined_head(), map(made.combined_line, people))
    load(recognised(str(path), Told(month="2026-11")), data=str(folder / "data"))
    with chromium.server(ARPAD_DATA=str(folder / "data")) as found:
        yield found


@pytest.fixture
def page(address):
    """The calculator with a player of 1750 born in 2010, whose win against 1950 gives 30.40 (FIDE 8.1.2, 8.3.2)."""
    with chromium.browser() as opened:
        found = opened.new_page(base_url=address, locale="en-GB")
        found.set_default_timeout(chromium.WAIT)
        found.goto("/?system=fide-standard&on=2026-11-15&rating=1750&born=2010")
        yield found


@pytest.mark.parametrize("typed", ["marchet", "Marhcetti", "paolo marchetti"])
def test_a_name_is_completed(page, typed):
    """A beginning, a misspelt name and another order are completed; the chosen one fills in rating and name."""
    row = page.locator("[name=row]").first
    row.press_sequentially(typed)
    offered = page.locator("#people option")
    expect(offered.first).to_have_attribute("value", "Marchetti, Paolo (ITA, 1984, 1950)")
    expect(page.locator("#people-note")).to_have_text("Names and ratings from the rating list fide 2026-11.")
    row.fill(offered.first.get_attribute("value"))  # what a browser does when an entry is chosen
    expect(row).to_have_value("1950")
    expect(page.locator("[name=who]").first).to_have_value("Marchetti, Paolo")
    page.locator("[name=result]").first.select_option("win")
    expect(page.locator("#answer .number .change")).to_have_text("+30.40")


def test_a_day_before_the_lists_is_said(page):
    """For a day before the first imported list the page says that none was valid, and which is the first."""
    page.fill("#on", "2026-10-15")
    page.locator("[name=row]").first.press_sequentially("marchet")
    expect(page.locator("#people-note")).to_contain_text("The lists begin with 2026-11")


def test_nothing_is_refused_while_a_name_is_typed(page):
    """Letters in an opponent's field ask nothing before the field is left; then whoever is meant is looked up."""
    row = page.locator("[name=row]").first
    row.press_sequentially("Marchetti, Pao")
    expect(page.locator("#people option").first).to_be_attached()
    expect(page.locator("[role=alert]")).to_have_count(0)
    row.fill("Marchetti, Paolo")
    row.blur()
    expect(page.locator("#answer .number .change")).to_have_text("+30.40")
    expect(page.locator("#answer .games .name")).to_have_text("Marchetti, Paolo")
