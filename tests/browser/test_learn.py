"""Learn in a browser: the search and the examples answer while one types, without script as forms; on a phone."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

PAGES = {
    "contents": "/learn",
    "search": "/learn?q=draw",
    "one game": "/learn/lost-by-drawing",
    "several games": "/learn/went-down",
    "before a game": "/learn/expected",
    "systems": "/learn/online",
    "two steps": "/learn/other-calculators",
    "both players": "/learn/zero-sum",
    "a long working": "/learn/limit-700",
    "first rating": "/learn/getting-rated",
    "rules": "/learn/rules?system=fide-standard&on=2026-11-15",
    "changes": "/learn/rules?system=fide-standard&changes=2013-01-01..2026-11-15",
    "api": "/learn/api",
}
SMALL = """() => [...document.querySelectorAll('main :is(button, summary, .btn, input, select, nav a)')]
  .filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
  .filter((one) => one.getBoundingClientRect().width > 2 && one.type !== 'radio')
  .map((one) => [one.id || one.textContent.trim(), one.getBoundingClientRect().height])
  .filter(([, height]) => height < 43.5)"""


def arrived(page, heading):
    """Wait for the page that a link leads to, and for its script."""
    expect(page.locator("h1")).to_have_text(heading)
    page.wait_for_load_state()


@pytest.mark.parametrize("name", PAGES)
def test_a_phone_and_axe(open_page, name):
    """At 360 pixels nothing scrolls sideways and targets are large; axe finds nothing, at 100 and 200 %."""
    page = open_page(PAGES[name], viewport={"width": 360, "height": 740})
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.evaluate(SMALL) == []
    for width, zoom in ((360, 1), (1280, 1), (1280, 2)):
        page.set_viewport_size({"width": width, "height": 900})
        page.evaluate(f"document.documentElement.style.zoom = '{zoom}'")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            found = Axe().run(page)
            assert found.violations_count == 0, found.generate_report()


def test_the_search_answers_while_one_types(open_page):
    """A few letters find the question, on the contents and beside an answer; the address keeps what was typed."""
    page = open_page("/learn")
    page.locator("#q").press_sequentially("drew weaker")
    expect(page.locator("#found a").first).to_contain_text("Why did I lose points with a draw?")
    expect(page).to_have_url(f"{open_page.address}/learn?q=drew+weaker")
    page.locator("#found a").first.click()
    arrived(page, "Why did I lose points with a draw?")
    page.locator("#q").fill("online")
    expect(page.locator("#found a").first).to_contain_text("online")
    page.locator("#q").fill("xyzzy")
    expect(page.locator("#found")).to_contain_text("Nothing was found")


def test_an_example_answers_while_it_is_changed(open_page):
    """1900 against 1700, K 20: a win is 20 × (1 − 0.76) = +4.80, a draw 20 × (0.5 − 0.76) = −5.20 (FIDE 8.1.2)."""
    page = open_page("/learn/lost-by-drawing")
    expect(page.locator("#hero .n")).to_have_text("−6")
    page.fill("#opponent-1", "1700")
    expect(page.locator("#told")).to_contain_text("20 × (0.5 − 0.76) = −5.20")
    page.get_by_role("radio", name="win").check()
    expect(page.locator("#hero .n")).to_have_text("+5")
    expect(page.locator("#told")).to_contain_text("20 × (1 − 0.76) = +4.80")
    page.fill("#rating", "99999")
    expect(page.locator("#refused")).to_contain_text("the answer shown is for the example")
    page.reload()
    expect(page.locator("#rating")).to_have_value("99999")  # the address is the example


def test_without_script(open_page):
    """The search and the example are forms with a button, and the contents are open."""
    page = open_page("/learn", java_script_enabled=False)
    page.fill("#q", "bonus")
    page.get_by_role("button", name="Search").click()
    expect(page.locator("#found a").first).to_contain_text("Are there bonus points?")
    page.locator("#found a").first.click()
    arrived(page, "Are there bonus points?")
    page.goto("/learn/lost-by-drawing")
    expect(page.locator(".toc a[aria-current]")).to_be_visible()
    page.fill("#opponent-1", "1700")
    page.get_by_role("button", name="Work it out").click()
    expect(page.locator("#told")).to_contain_text("20 × (0.5 − 0.76) = −5.20")


def test_the_keyboard_is_enough(open_page):
    """From the search to an answer, and from its example to the next question, with Tab, arrows and Enter."""
    page = open_page("/learn")
    page.keyboard.press("/")
    page.keyboard.type("lose points draw")
    expect(page.locator("#found a").first).to_contain_text("Why did I lose points with a draw?")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    arrived(page, "Why did I lose points with a draw?")
    page.focus("#opponent-1")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowLeft")  # from the draw to the win
    expect(page.locator("#hero .n")).to_have_text("+4")  # 20 × (1 − 0.81) = +3.80
    for _ in range(20):
        page.keyboard.press("Tab")
        if "Can I lose points by winning?" in page.evaluate("document.activeElement.textContent"):
            break
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Can I lose points by winning?")


def test_a_phone_starts_with_closed_contents(open_page):
    """The answer is near the top: the contents are one line, and the figure is within the first 900 pixels."""
    page = open_page("/learn/lost-by-drawing", viewport={"width": 360, "height": 740})
    expect(page.locator(".toc a").first).to_be_hidden()
    assert page.locator("#hero .n").bounding_box()["y"] < 900
