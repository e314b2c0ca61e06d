"""Accessible for real: large text, large targets, a focus one can see, letters in charts that can be read."""

import re
import time
from itertools import product

import chromium
import pytest
from axe_playwright_python.sync_playwright import Axe

PAGES = {**chromium.PAGES, "embed": "/embed?system=fide-standard&on=2026-11-15&rating=1750&born=2010&game=1950:win"}
LONG = ("api", "changes", "help", "norms", "outlook")  # pages that print on two sheets of paper
UNFOLD = "document.querySelectorAll('details').forEach((one) => { one.open = true; })"
WIDE = (
    "[...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > innerWidth + 1"
    " && !one.closest('.scroll, pre, .sr, .skip')).map((one) => one.outerHTML.slice(0, 120)).slice(0, 5)"
)
LARGE = "document.documentElement.style.fontSize = '200%'"
# Links within a sentence are as large as their letters (WCAG 2.5.8); what is hidden or folded away is no target.
SMALL = """() => [...document.querySelectorAll('button, summary, nav a, input, select, textarea, a.quiet')]
  .filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
  .filter((one) => !one.matches('[type=range], [type=checkbox]'))
  .map((one) => ({ what: one.id || one.textContent.trim() || one.name, box: one.getBoundingClientRect() }))
  .filter(({ box }) => box.height && box.height < 43.5).map(({ what, box }) => `${what}: ${box.height}`)"""

RING = """(() => { const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
  return [outlineStyle, outlineWidth]; })()"""
# A chart is shrunk to its place.
LETTERS = """(one) => {
  const svg = one.querySelector('svg'), box = svg.getBoundingClientRect(), own = svg.viewBox.baseVal;
  const shrunk = Math.min(box.width / own.width, box.height / own.height);
  return [...svg.querySelectorAll('text')].map((text) => parseFloat(getComputedStyle(text).fontSize) * shrunk);
}"""


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
    """Axe finds nothing, light and dark, on a desk and on a phone with text of 200 %, with every fold open.

    At 360 pixels nothing is wider than the screen, whatever the size of the text, and what is pressed or typed into is
    at least 44 pixels high. On paper it takes one sheet; long texts take two.
    """
    page = open_page(PAGES[name])
    sheets = len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True)))
    assert sheets <= (2 if name in LONG else 1)
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate(SMALL) == []
    page.evaluate(UNFOLD)
    assert too_wide(page) == []
    page.evaluate(LARGE)
    assert too_wide(page) == []
    assert faults(page) == []
    page.evaluate("document.documentElement.style.fontSize = ''")
    page.set_viewport_size({"width": 1280, "height": 900})
    assert faults(page) == []


def test_the_focus_can_be_seen(open_page):
    """With the keyboard every field, button and link gets a ring of three pixels."""
    page = open_page(PAGES["calculator"])
    for _ in range(25):
        page.keyboard.press("Tab")
        ring = page.evaluate(RING)
        assert ring == ["solid", "3px"], page.evaluate("document.activeElement.outerHTML.slice(0, 100)")


@pytest.mark.parametrize("name", ["calculator", "outlook", "season", "diary"])
def test_letters_of_a_chart_can_be_read(open_page, name):
    """No letter of a chart is smaller than 11 pixels on the screen, nor much larger than those of the text."""
    page = open_page(PAGES[name])
    for width in (360, 768, 1024, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        page.reload()
        for figure in page.locator("figure").all():
            figure.scroll_into_view_if_needed()
            figure.locator("svg").wait_for()
            sizes = figure.evaluate(LETTERS)
            assert 11 <= min(sizes) <= max(sizes) <= 19, (width, figure.get_attribute("class"), sizes)


def test_a_tooltip_has_figures_alone(open_page):
    """Nothing under the pointer is undefined, wherever it is in a chart."""
    page = open_page(PAGES["expect"], viewport={"width": 1200, "height": 900})
    for figure in page.locator("figure").all():
        figure.scroll_into_view_if_needed()
        figure.locator("svg").wait_for()
        seen, deadline = set(), time.monotonic() + chromium.WAIT / 1000
        while not seen and time.monotonic() < deadline:  # a busy machine shows the first ones late
            seen = tips(page, figure)
        assert seen
        assert not [tip for tip in seen if "undefined" in tip or "NaN" in tip]


def tips(page, figure):
    """What is shown under the pointer, at many places of a chart."""
    box, seen = figure.locator("svg").bounding_box(), set()
    for across, down in product(range(10, 95, 12), (20, 50, 80)):
        page.mouse.move(box["x"] + box["width"] * across / 100, box["y"] + box["height"] * down / 100)
        seen |= {*page.locator("#vg-tooltip-element.visible").all_inner_texts()}
    return seen
