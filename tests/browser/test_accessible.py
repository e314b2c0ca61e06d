"""Accessible for real: large text, large targets, a focus one can see, letters in charts that can be read."""

import chromium
import pytest
from axe_playwright_python.sync_playwright import Axe

from conftest import require

PAGES = {**chromium.PAGES, "embed": "/embed?system=fide-standard&on=2026-11-15&rating=1750&born=2010&game=1950:win"}
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


@pytest.fixture(scope="module")
def open_page():
    """A page by its path."""
    require("chromium", there=chromium.CHROMIUM, line="Chromium is not installed; try `make browser`")
    with chromium.server() as address, chromium.pages(address) as make:
        yield make


@pytest.mark.parametrize("name", PAGES)
def test_large_text_reflows_on_a_phone(open_page, name):
    """At 360 pixels with text of 200 % nothing is wider than the screen, and axe finds nothing, light and dark."""
    page = open_page(PAGES[name], viewport={"width": 360, "height": 740})
    page.evaluate(LARGE)
    wide = page.evaluate(
        "[...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > innerWidth + 1"
        " && !one.closest('.scroll, pre, .sr, .skip')).map((one) => one.outerHTML.slice(0, 120))"
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= 360, wide[:5]
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert [one["id"] for one in Axe().run(page).response["violations"]] == []


@pytest.mark.parametrize("name", PAGES)
def test_targets_are_large(open_page, name):
    """Whatever is pressed or typed into is at least 44 pixels high."""
    page = open_page(PAGES[name], viewport={"width": 360, "height": 740})
    assert page.evaluate(SMALL) == []


def test_the_focus_can_be_seen(open_page):
    """With the keyboard every field, button and link gets a ring of three pixels."""
    page = open_page(PAGES["calculator"])
    for _ in range(25):
        page.keyboard.press("Tab")
        ring = page.evaluate(RING)
        assert ring == ["solid", "3px"], page.evaluate("document.activeElement.outerHTML.slice(0, 100)")


@pytest.mark.parametrize("width", [360, 768, 1024, 1440])
@pytest.mark.parametrize("name", ["calculator", "outlook", "season", "diary"])
def test_letters_of_a_chart_can_be_read(open_page, name, width):
    """No letter of a chart is smaller than 11 pixels on the screen."""
    page = open_page(PAGES[name], viewport={"width": width, "height": 900})
    for figure in page.locator("figure").all():
        figure.scroll_into_view_if_needed()
        figure.locator("svg").wait_for()
        sizes = figure.evaluate(LETTERS)
        assert min(sizes) >= 11, (figure.get_attribute("class"), min(sizes))


def test_a_tooltip_has_figures_alone(open_page):
    """Nothing under the pointer is undefined, wherever it is in a chart."""
    page = open_page(PAGES["expect"], viewport={"width": 1200, "height": 900})
    for figure in page.locator("figure").all():
        figure.scroll_into_view_if_needed()
        figure.locator("svg").wait_for()
        box, seen = figure.locator("svg").bounding_box(), set()
        for across in range(10, 95, 12):
            for down in (20, 50, 80):
                page.mouse.move(box["x"] + box["width"] * across / 100, box["y"] + box["height"] * down / 100)
                tip = page.locator("#vg-tooltip-element.visible")
                if tip.count():
                    seen.add(tip.inner_text())
        assert seen
        assert not [tip for tip in seen if "undefined" in tip or "NaN" in tip]
