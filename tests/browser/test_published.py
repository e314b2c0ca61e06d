"""Published pages and documents in a browser: axe finds nothing, a phone shows them, nothing is asked for elsewhere."""

from datetime import date

import pytest
from axe_playwright_python.sync_playwright import Axe
from ledgers import club, games, members

import arpad
from arpad.reports.documents import DOCUMENTS, EventDocuments, document, printed
from arpad.reports.ledger_site import publish_ledger
from arpad.reports.publishing import event_pages, publish
from conftest import ROOT, shared

EXAMPLES = ROOT / "docs" / "examples"
SIDEWAYS = """[...document.querySelectorAll('.wide')].filter((one) => one.scrollWidth > one.clientWidth)
  .map((one) => one.ariaLabel)"""  # tables that do not fit
PAGES = ("index.html", "round-1.html", "crosstable.html", "players.html", "player-9.html", "norms.html")


def faults(page, where):
    """What axe finds, light and dark."""
    found = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found += [
            (where, scheme, one["id"], one["nodes"][0]["html"][:120]) for one in Axe().run(page).response["violations"]
        ]
    return found


@pytest.mark.parametrize("event", ["norms", "last-round", "team"])
def test_a_published_folder(opened, tmp_path, event):
    """Every kind of page, from the disk: one request more for the style, no sideways scrolling, and no fault."""
    path = shared("data/tournaments/tec_exercise_held_team.trf") if event == "team" else EXAMPLES / f"{event}.trf"
    tournament = arpad.read(path)
    publish(event_pages(EventDocuments(tournament=tournament)), str(tmp_path / "site"))
    context = opened.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    found = []
    for name in (*PAGES, *(["team-1.html"] if event == "team" else [])):
        file = tmp_path / "site" / name
        if not file.exists():
            continue
        page.goto(file.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, name
        found += faults(page, name)
    context.close()
    assert not found
    assert all(url.startswith((tmp_path / "site").as_uri()) for url in asked)


def test_documents_as_pages(opened, tmp_path):
    """Every document has no fault that axe can find, and asks for nothing."""
    context = opened.new_context(viewport={"width": 360, "height": 740})
    found = []
    for name in DOCUMENTS:
        if name == "prizes":
            continue  # a table like the others
        event = arpad.read(EXAMPLES / ("last-round.trf" if name == "next" else "norms.trf"))
        data = printed(document(name, EventDocuments(tournament=event)), "html")
        file = tmp_path / f"{name}.html"
        # Axe is put into the page, which its own policy forbids to any script: so without the policy.
        file.write_bytes(data.replace(b'http-equiv="Content-Security-Policy"', b'name="was"'))
        page = context.new_page()
        asked = []
        page.on("request", lambda request, seen=asked: seen.append(request.url))
        page.goto(file.as_uri())
        assert asked == [file.as_uri()]
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, name
        found += faults(page, name)
        page.close()
    context.close()
    assert not found


def test_a_published_ledger(opened, tmp_path):
    """A club's list, people, events and changes at 360 and 1440 pixels, light and dark, with every working open."""
    book = members(club(tmp_path, name="Riverside Chess Club"))
    games(book, [("Baker Ann", "Dorn Carl", "1-0"), ("Evans Eve", "Dorn Carl", "0.5-0.5")], "Open", date(2026, 3, 3))
    book.publish(date(2026, 4, 1), who="Ann")
    games(book, [("Dorn Carl", "Baker Ann", "1-0")], "Spring evening", date(2026, 5, 5))
    publish_ledger(book, str(tmp_path / "site"))
    context = opened.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    found = []
    for name in (
        "index.html",
        "people.html",
        "events.html",
        "changes.html",
        "person-P1.html",
        "event-4.html",
        "embed.html",
    ):
        page.goto((tmp_path / "site" / name).as_uri())
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        for width in (360, 1440):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, name
            assert page.evaluate(SIDEWAYS) == [], (name, width)
            found += faults(page, name)
    context.close()
    assert not found
