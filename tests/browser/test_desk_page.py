"""The arbiter's desk in a browser: every save appears by itself, and the reader stays on the tab."""

import pytest
from desk_day import Day, after, saved
from playwright.sync_api import expect


@pytest.fixture
def day(tmp_path):
    started = Day(tmp_path)
    yield started
    started.page.close()


def test_every_save_appears_by_itself(day, opened):
    """Nine rounds in order, each after a half-written file; the tab that is read stays, and nothing is reloaded."""
    page = opened.new_page()
    page.goto(day.page.address)
    expect(page.get_by_role("status")).to_contain_text("No tournament file")
    day.write("open.trf", saved(after(1)))
    day.look()
    expect(page.get_by_role("status")).to_contain_text("after round 1")
    page.get_by_role("link", name="Crosstable").click()
    expect(page.get_by_role("link", name="Crosstable")).to_have_attribute("aria-current", "page")
    page.wait_for_load_state()
    page.evaluate("window.same = true")
    for number in range(2, 10):
        whole = saved(after(number))
        day.write("open.trf", whole[: len(whole) // 2])
        day.look()
        expect(page.locator("#problem")).to_contain_text("half written")
        expect(page.get_by_role("status")).to_contain_text(f"after round {number - 1}")
        day.write("open.trf", whole)
        day.look()
        expect(page.get_by_role("status")).to_contain_text(f"after round {number}")
        expect(page.locator("#problem")).to_have_count(0)
        expect(page.locator("table thead th")).to_have_count(4 + number)
    assert page.evaluate("window.same")
    page.get_by_role("link", name="Rating changes").click()
    expect(page.get_by_role("heading", name="Rating changes of round 9")).to_be_visible()
