"""The arbiter's desk in a browser: a day with every mishap, and the questions of the day in two clicks."""

import os
import re
import shutil

import pytest
from axe_playwright_python.sync_playwright import Axe
from desk_day import Day, after, expected_of, saved
from playwright.sync_api import expect

from conftest import ROOT

EXAMPLES = ROOT / "docs" / "examples"
# Writes down everything that the page says about the state it shows, as often as that changes.
RECORDER = """() => {
  window.same = true;
  window.shown = [];
  const write = () => {
    const said = document.querySelector("[role=status]").textContent.split(" · ")[1];
    if (said && said.trim() !== window.shown.at(-1)) window.shown.push(said.trim());
  };
  new MutationObserver(write).observe(document.body, {childList: true, subtree: true, characterData: true});
}"""


@pytest.fixture
def day(tmp_path):
    started = Day(tmp_path)
    yield started
    started.page.close()


def test_a_tournament_day(day, opened):
    """Every state appears by itself, in order, and none that never was; nothing is reloaded, the tab read stays."""
    page = opened.new_page()
    page.goto(f"{day.page.address}1/crosstable/")
    status, problem = page.get_by_role("status"), page.locator("#problem")
    expect(status).to_contain_text("No tournament file")
    page.evaluate(RECORDER)
    name = "open.trf"
    for number in range(1, 10):
        paired, whole = saved(after(number - 1, 11 if number % 3 == 0 else 0)), saved(after(number))
        first, last = expected_of(number)
        for part in (0.2, 0.5, 0.93):  # the program writes in pieces, and each stays for a while
            day.write(name, paired[: int(len(paired) * part)])
            day.look()
        if number > 1:
            expect(problem).to_contain_text("half written")
        day.write(name, paired)
        day.look()
        expect(status).to_contain_text(first)
        expect(problem).to_have_count(0)
        if number == 3:  # saved under another name and renamed
            (day.folder / "open.trf.tmp").write_bytes(whole)
            os.replace(day.folder / "open.trf.tmp", day.folder / name)
        elif number == 4:  # renamed by the arbiter, and saved under its new name
            (day.folder / name).rename(day.folder / "open-final.trf")
            name = "open-final.trf"
            day.look(3)
            expect(status).to_contain_text(first)
            day.write(name, whole)
        else:
            day.write(name, whole)
        day.look()
        expect(status).to_contain_text(last)
        expect(problem).to_have_count(0)
        expect(page.locator("table thead th")).to_have_count(4 + number)
        if number == 5:
            delete_and_save(day, name, whole, problem)
        if number == 7:
            crash_and_save(day, name, whole, problem)
    expect(status).to_contain_text(name)
    expect(page.get_by_role("link", name="Crosstable")).to_have_attribute("aria-current", "page")
    said = [state for number in range(1, 10) for state in expected_of(number)]
    assert page.evaluate("window.shown") == [state for at, state in enumerate(said) if at == 0 or state != said[at - 1]]
    assert page.evaluate("window.same")


def delete_and_save(day, name, whole, problem):
    """The file is deleted by mistake, and saved again."""
    (day.folder / name).unlink()
    day.look()
    expect(problem).to_contain_text("missing at the moment")
    day.write(name, whole)
    day.look()
    expect(problem).to_have_count(0)


def crash_and_save(day, name, whole, problem):
    """The program crashes in the middle of a save, and is started again."""
    day.write(name, whole[: len(whole) // 3])
    day.look()
    expect(problem).to_contain_text("half written")
    day.write(name, whole)
    day.look()
    expect(problem).to_have_count(0)


def test_the_desk_itself_ends_and_comes_back(day, opened):
    """While it does not run, the page says so and keeps what it shows; after that it follows again."""
    shutil.copy(EXAMPLES / "open.trf", day.folder)
    day.look()
    page = opened.new_page()
    page.goto(day.page.address)
    expect(page.get_by_role("status")).to_contain_text("after round 6")
    expect(page.locator("#ended")).to_be_hidden()
    port = int(re.search(r":(\d+)", day.page.address)[1])
    day.page.close()
    expect(page.locator("#ended")).to_be_visible()
    expect(page.get_by_role("status")).to_contain_text("after round 6")
    (day.folder / "open.trf").unlink()
    shutil.copy(EXAMPLES / "last-round.trf", day.folder)
    day.open(port)
    day.look()
    expect(page.locator("#ended")).to_be_hidden()
    expect(page.get_by_role("status")).to_contain_text("after round 8")


def test_the_questions_of_the_day_take_two_clicks(day, opened):
    """Who gets which prize, who has a norm, what do I send: from the desk's first page a tab, then the paper."""
    shutil.copy(EXAMPLES / "norms.trf", day.folder)
    (day.folder / "prizes.csv").write_text("prize,amount\n1st,500\n2nd,300\n", encoding="utf-8")
    day.look()
    page = opened.new_context(accept_downloads=True).new_page()
    papers = {  # the tab, what answers the question there, and the paper that goes out
        "Prizes": ("500.00", "Prizes (PDF)"),
        "Norms": ("performance 2469; covers 9 games", "IT1 of 12 Okonkwo, Emeka: IM norm (PDF)"),
        "To send": ("What it still lacks for FIDE", "The event as a report file (TRF)"),
        "Prints": ("Result slips", "PDF, A4"),
    }
    for tab, (answer, paper) in papers.items():
        page.goto(day.page.address)
        page.get_by_role("link", name=tab, exact=True).click()  # the first click
        expect(page.get_by_role("main")).to_contain_text(answer)
        link = page.get_by_role("link", name=paper, exact=True).first
        address = f"1/{link.evaluate('link => link.href').partition('/1/')[2]}"
        with page.context.expect_page() as opening:  # the second
            link.click()
        opening.value.close()
        assert day.get_bytes(address).startswith((b"%PDF-", b"012")), address


@pytest.mark.parametrize("width", [1440, 360])
def test_every_tab_for_everybody(day, opened, width):
    """Axe finds nothing in any tab, light and dark, and nothing is wider than the window."""
    shutil.copy(EXAMPLES / "last-round.trf", day.folder)
    shutil.copy(EXAMPLES / "prizes.csv", day.folder)
    day.write("prizes.csv", (EXAMPLES / "prizes.csv").read_bytes().replace(b"U2000", b"U2400"))
    day.write("broken.trf", b"\x00\xff")
    day.look()
    context = opened.new_context(viewport={"width": width, "height": 800})
    page = context.new_page()
    page.goto(day.page.address)
    tabs = page.get_by_role("navigation", name="Parts of the desk").get_by_role("link")
    faults = []
    for at in range(tabs.count()):
        tabs.nth(at).click()
        page.wait_for_load_state()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            faults += [(page.url, scheme, one["id"]) for one in Axe().run(page).response["violations"]]
    context.close()
    assert not faults
