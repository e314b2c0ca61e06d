"""Accessible for real: large text, large targets, a focus one can see, letters in charts that can be read."""

import chromium
import pytest
from axe_playwright_python.sync_playwright import Axe

PAGES = {**chromium.PAGES, "embed": "/embed?system=fide-standard&on=2026-11-15&rating=1750&born=2010&game=1950:win"}
UNFOLD = "document.querySelectorAll('details').forEach((one) => { one.open = true; })"
WIDE = (
    "[...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > innerWidth + 1"
    " && !one.closest('.tw, .tabs, pre, .sr, .skip')).map((one) => one.outerHTML.slice(0, 120)).slice(0, 5)"
)
# Links within a sentence are as large as their letters (WCAG 2.5.8); what is hidden or folded away is no target.
SMALL = """() => [...document.querySelectorAll('button, summary, nav a, input, select, textarea, a.btn')]
  .filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
  .filter((one) => !one.matches('[type=range], [type=checkbox], [type=radio], .sr, .foot *, .facts *, .help *'))
  .map((one) => ({ what: one.id || one.textContent.trim() || one.name, box: one.getBoundingClientRect() }))
  .filter(({ box }) => box.height && box.height < 43.5).map(({ what, box }) => `${what}: ${box.height}`)"""

RING = """(() => { const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
  return [outlineStyle, outlineWidth]; })()"""


def faults(page):
    """What axe finds, light and dark."""
    found = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found += [(scheme, one["id"], one["nodes"][0]["html"][:120]) for one in Axe().run(page).response["violations"]]
    return found


def too_wide(page):
    """What makes a page scroll sideways."""
    return page.evaluate(WIDE) if page.evaluate("document.documentElement.scrollWidth") > 360 else []


@pytest.mark.parametrize("name", PAGES)
def test_every_page(open_page, name):
    """Axe finds nothing, light and dark, on a desk, at 200 % (half as wide) and on a phone, with every fold open.

    At 360 pixels nothing is wider than the screen, and what is pressed or typed into is at least 44 pixels high.
    """
    page = open_page(PAGES[name])
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate(SMALL) == []
    page.evaluate(UNFOLD)
    assert too_wide(page) == []
    for width in (360, 640, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert faults(page) == []


def test_the_focus_can_be_seen(open_page):
    """With the keyboard every field, button and link gets a ring of three pixels."""
    page = open_page(PAGES["calculator"])
    for _ in range(25):
        page.keyboard.press("Tab")
        ring = page.evaluate(RING)
        assert ring == ["solid", "3px"], page.evaluate("document.activeElement.outerHTML.slice(0, 100)")
