"""Sharing in a real Chromium: the answer on paper, as a picture, and on somebody else's page."""

import re

from playwright.sync_api import expect

GAME = "/?system=fide-standard&on=2026-11-15&rating=1750&born=2010&game=1950:win"  # FIDE 8.1.2: 40 × 0.76 = +30.4


def test_paper_has_the_answer_and_its_link(open_page):
    """Buttons stay on the screen; the answer is printed with the address that gives it again."""
    page = open_page(GAME)
    page.emulate_media(media="print")
    expect(page.locator(".top")).to_be_hidden()
    expect(page.locator(".under").first).to_be_hidden()
    expect(page.locator("#hero")).to_contain_text("1780")
    expect(page.locator(".printed")).to_have_text(f"{open_page.address}{GAME}")


def test_the_answer_is_copied_as_a_picture(open_page):
    """The clipboard gets a PNG."""
    page = open_page(GAME, permissions=["clipboard-read", "clipboard-write"])
    page.click("#share > summary")
    page.click("[data-image]")
    expect(page.locator("[data-image]")).to_have_text("Copied")
    kinds = page.evaluate("navigator.clipboard.read().then((items) => items.flatMap((item) => item.types))")
    assert kinds == ["image/png"]


def test_a_club_s_page_shows_the_small_calculator(open_page):
    """In a frame of 300 pixels it calculates as one types, fits, and leads to the whole calculation."""
    page = open_page("/learn", viewport={"width": 800, "height": 900})
    page.route(
        "**/club",
        lambda route: route.fulfill(
            content_type="text/html",
            body=f'<iframe src="{open_page.address}/embed" width="300" height="600" title="Ratings"></iframe>',
        ),
    )
    page.goto("/club")
    frame = page.frame_locator("iframe")
    frame.locator("#rating").fill("1750")
    frame.locator("#born").fill("2010")
    frame.locator("#row-1").fill("1950")
    frame.locator("label.w").click()
    expect(frame.locator("#hero")).to_contain_text("1780")
    assert frame.locator("html").evaluate("(html) => html.scrollWidth") <= 300
    expect(frame.locator("a[target=_blank]")).to_have_attribute("href", re.compile("game=1950:win"))
