"""What the usual calculators offer is found here in two clicks or fewer: the table of docs/page.md, clicked."""

import re

from playwright.sync_api import expect

from conftest import ROOT, shared

LINE = re.compile(r"^\| ([A-C]\d+) \|([^|]*)\|([^|]*)\|([^|]*)\|[^|]*\|$", re.MULTILINE)
TABLE = LINE.findall((ROOT / "docs" / "page.md").read_text(encoding="utf-8"))


def test_the_table_is_complete():
    """Every line of the outside list of features and questions has its place, and none takes more than two clicks."""
    listed = re.findall(
        r"^\| ([A-C]\d+) \|", shared("reference/calculators.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert [number for number, *_ in TABLE] == listed
    assert [number for number, _, clicks, _ in TABLE if len(clicks_of(clicks)) > 2] == []


def clicks_of(text):
    """The links to click; a comma within a link's own words is followed by a small letter or a figure."""
    return [one for one in re.split(r", (?=[A-Z])", text.strip()) if one] if text.strip() else []


def test_every_line_of_the_table_is_two_clicks_away(open_page):
    """From the first page, by the links of the table, the words are in sight."""
    ways = {}
    for number, _, clicks, words in TABLE:
        ways.setdefault(tuple(clicks_of(clicks)), []).append((number, words.strip()))
    page = open_page("/")
    for links, there in ways.items():
        page.goto("/")
        for link in links:
            page.get_by_role("link", name=link, exact=True).first.click()
        for number, words in there:
            expect(page.get_by_text(words).locator("visible=true").first, number).to_be_visible()
