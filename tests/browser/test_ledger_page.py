"""A ledger's page in a browser: results on a phone by tapping, a file dropped, and nothing that axe can find."""

from datetime import date

from ledgers import club, games, members, on_a_page
from playwright.sync_api import expect
from test_accessible import SMALL, UNFOLD, faults, too_wide

GAMES = "White,Black,Result\nBaker Ann,Dorn Carl,1-0\nFord Fay,Dorn Carl,1-0\n"


def test_a_club_evening(opened, tmp_path):
    """On a phone: two names, the result tapped, saved. At a desk: a pasted table, doubts settled, accepted, undone.

    Every page at 360 and 1440 pixels, light and dark, has no fault, nothing wider than the screen and no small target.
    """
    book = members(club(tmp_path, name="Riverside Chess Club"))
    games(book, [("Baker Ann", "Dorn Carl", "1-0")], "Spring evening", date(2026, 3, 3))
    with on_a_page(book, str(tmp_path / "site")) as address:
        # Axe is put into the page, which its own policy forbids to any script: so without the policy.
        context = opened.new_context(viewport={"width": 360, "height": 740}, bypass_csp=True)
        page = context.new_page()
        page.goto(f"{address}/add")
        page.get_by_label("White", exact=True).fill("Dorn Carl")
        page.get_by_label("Black", exact=True).fill("Evans Eve")
        page.get_by_role("radio", name="White won").check()
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_role("status")).to_contain_text("Decision 5 is in the log")
        expect(page.get_by_label("White", exact=True)).to_be_focused()
        found = []
        page.get_by_label("Or paste it").fill(GAMES)
        page.locator("#file-on").fill("2026-11-17")
        page.get_by_role("button", name="Look at it first").click()
        expect(page.get_by_role("heading", name="Who is this?")).to_be_visible()
        preview = page.url.removeprefix(address)
        for path in ("/", "/add", "/people", "/person/P2", "/events", "/event/4", "/log", "/undo/3", "/publish", "/you",
                     preview, "/nowhere"):  # fmt: skip
            page.goto(address + path)
            page.set_viewport_size({"width": 360, "height": 740})
            assert page.evaluate(SMALL) == [], path
            page.evaluate(UNFOLD)
            assert too_wide(page) == [], path
            for width in (360, 1440):
                page.set_viewport_size({"width": width, "height": 900})
                found += [(path, *fault) for fault in faults(page)]
        assert found == []
        page.goto(address + preview)
        page.get_by_label("Every name without a year").check()
        page.get_by_role("button", name="Accept", exact=True).click()
        expect(page.get_by_role("status")).to_contain_text("Decision 6 is in the log")
        page.get_by_role("link", name="Undo", exact=True).first.click()
        page.get_by_role("button", name="Undo").click()
        expect(page.get_by_role("status")).to_contain_text("Decision 7 is in the log")
        context.close()
    assert [one.kind for one in book.log()] == ["settings", "pool", "people", "accept", "accept", "accept", "undo"]
