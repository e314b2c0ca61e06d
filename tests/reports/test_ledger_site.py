"""A club's published ratings: valid pages, nothing that is not for everybody, and only what changed is written."""

import json
import re
import xml.etree.ElementTree as ET
from datetime import date

import html5lib
import pytest
from ledgers import club, games, members, play

from arpad.cli import main
from arpad.formats.saving import save
from arpad.reports import publishing
from arpad.reports.ledger_site import ledger_pages, publish_ledger

ROUND = [("Ann Baker", "Carl Dorn", "1-0"), ("Carl Dorn", "Eve Evans", "1/2-1/2")]


@pytest.fixture
def book(tmp_path):
    """Three members, an event, a published list, a single game, and a second pool."""
    made = members(club(tmp_path))
    games(made, ROUND, "Spring open", date(2026, 3, 1))
    made.publish(date(2026, 4, 1), who="Ann")
    play(made, "Ann Baker 1-0 Carl Dorn, 2026-06-01")
    made.add_pool("blitz", "glicko-2", who="Ann", period="event")
    play(made, "Eve Evans 1-0 Ann Baker, 2026-07-01, blitz")
    return made


def links(page):
    found = re.findall(r'(?:href|src)="([^"]*)"', page)
    return [to for to in found if to not in ("#main", "https://…/embed.html") and not to.startswith("data:")]


def test_pages_are_valid_and_lead_somewhere(book):
    """Every page is strict HTML with JSON and CSV beside it, and asks for nothing outside the folder."""
    files = ledger_pages(book)
    for name, data in files.items():
        if name.endswith(".html"):
            html5lib.HTMLParser(strict=True).parse(data.decode())
            assert set(links(data.decode())) <= files.keys(), name
            if name != "embed.html":
                stem = name.removesuffix(".html")
                assert json.loads(files[f"{stem}.json"])
                assert files[f"{stem}.csv"]
    assert {"index.html", "list-2.html", "person-P1.html", "event-3.html", "changes.html"} <= files.keys()
    person = files["person-P1.html"].decode()
    assert 'class="curve"' in person
    assert "[Elo]" in person  # the source of the rule in the working
    feed = ET.fromstring(files["changes.atom"])  # noqa: S314  # our own
    atom = "{http://www.w3.org/2005/Atom}"
    assert [one.findtext(f"{atom}title") for one in feed.iter(f"{atom}entry")][-1] == "Spring open"
    assert len({one.text for one in feed.iter(f"{atom}id")}) == len([*feed.iter(f"{atom}id")]) == 5


def test_figures_are_those_of_the_formula(book):
    """Elo 1978, 1.5: 1600 beats 1500 with K 32 and gains 32 × (1 − 1 / (1 + 10^(−100/400))) = 11.52."""
    value = json.loads(ledger_pages(book)["person-P1.json"])
    spring = value["pools"][0]["history"][1]
    assert (spring["before"], spring["after"]) == (1600, 1612)
    assert spring["games"][0]["change"].startswith("11.51")


def test_minors_and_those_without_a_year_are_kept_from_search_engines(book):
    """Eve, born in 2012, is 14: her page and those that name her say noindex; a page of adults does not."""
    files = ledger_pages(book)
    hidden = {name for name, data in files.items() if b'content="noindex"' in data}
    assert {"person-P3.html", "event-3.html", "index.html", "person-P2.html"} <= hidden
    assert "event-5.html" not in hidden  # the game of the two adults
    assert not [name for name, data in files.items() if b"2012" in data or b"1980" in data]


@pytest.mark.parametrize("system", ["fide-standard", "fide-blitz", "uschess-regular", "dwz", "icu", "ecf"])
def test_no_working_says_when_somebody_was_born(tmp_path, system):
    """K and starting ratings depend on the age: the working is there, without a year of birth or an age."""
    made = club(tmp_path, system, start=1500 if system == "ecf" else None)
    table = b"Name,Born,Rating\nYoung Yan,2013,1500\nEvans Eve,2012,1800\nDorn Carl,1990,1700\nNew Nina,2015,\n"
    made.accept_members(made.preview_members(table, pool="main", day=date(2026, 1, 1)), who="Ann")
    rows = [("Young Yan", "Evans Eve", "1-0"), ("Evans Eve", "Dorn Carl", "0-1"), ("New Nina", "Young Yan", "1-0"),
            ("Dorn Carl", "New Nina", "1-0")]  # fmt: skip
    games(made, rows, "Spring open", date(2026, 3, 1))
    pages = {name: data.decode() for name, data in ledger_pages(made).items()}
    assert "<pre" in "".join(pages.values())
    told = re.compile(r"\b(2012|2013|2015|1990)\b(?! \d+(\.\d)?\])|\bage  +\d")
    assert not [(name, found[0]) for name, text in pages.items() for found in told.finditer(text)]


def test_changes_say_through_which_event(book):
    """Between two lists everybody has the events that did it; without one, it was a correction."""
    play(book, "Ann Baker 0-1 Carl Dorn, 2026-06-02, main")
    book.publish(date(2026, 7, 1), "main", who="Ann")
    book.change_event(3, excluded=True, who="Ann")
    changes = json.loads(ledger_pages(book)["changes.json"])["changes"]
    through = {(one["since"], one["name"]): (one["event"], one["change"]) for one in changes if one["pool"] == "main"}
    assert through["2026-04-01", "Baker Ann"][0] == "Ann Baker – Carl Dorn; Ann Baker – Carl Dorn"
    assert {event for (day, _), (event, _) in through.items() if day == "2026-07-01"} == {"a correction"}
    assert all(isinstance(change, int) for _, change in through.values() if change is not None)


def test_a_pseudonym_is_the_only_name(book):
    """The games stay, and no file has the name: not the search, the feed, nor the event called after its players."""
    before = ledger_pages(book)
    assert any(b"Dorn" in data for data in before.values())
    book.change_person("P2", pseudonym="Member 2", who="Ann", why="asked for it")
    after = ledger_pages(book)
    assert not [name for name, data in after.items() if b"Dorn" in data]
    assert after.keys() == before.keys()
    assert b"Member 2" in after["event-5.html"]


def test_a_merge_keeps_the_pseudonym(book):
    """Who asked for a pseudonym keeps it when they are merged with somebody who has none; a split ends that."""
    games(book, [("Max Dorn", "Eve Evans", "1-0"), ("Eve Evans", "Ann Baker", "1-0")], "Dorn, Max: a simul",
          date(2026, 8, 1), pool="main")  # fmt: skip
    (twice,) = (id for id, person in book.book.people.items() if person.name == "Max Dorn")
    book.change_person(twice, pseudonym="Member 2", who="Ann")
    book.merge(twice, "P2", who="Ann")
    assert not [name for name, data in ledger_pages(book).items() if b"Dorn" in data]
    book.split(twice, who="Ann")
    pages = ledger_pages(book)
    assert b"Dorn" in pages["person-P2.html"]
    assert b"Dorn" not in pages[f"person-{twice}.html"].replace(b"Carl Dorn", b"").replace(b"Dorn Carl", b"")


def test_only_what_changed_is_written(book, tmp_path, monkeypatch):
    """The same state writes nothing; one game more writes its own pages; a damaged file is mended."""
    written = []
    monkeypatch.setattr(publishing, "save", lambda data, path, **more: (written.append(path), save(data, path, **more)))
    folder = tmp_path / "site"
    first = publish_ledger(book, str(folder))
    assert len(written) == first.files + 1  # and the list of files
    written.clear()
    assert publish_ledger(book, str(folder)).written == ()
    assert written == []
    play(book, "Ann Baker 1/2-1/2 Carl Dorn, 2026-08-01, main")
    later = publish_ledger(book, str(folder))
    assert {"index.html", "event-8.html", "person-P1.html", "person-P2.html"} <= set(later.written)
    assert {"style.css", "event-3.html", "list-2.html", "person-P3.html"}.isdisjoint(later.written)
    (folder / "people.html").write_text("damaged")
    assert publish_ledger(book, str(folder)).written == ("people.html",)


@pytest.mark.usefixtures("book")
def test_the_command(tmp_path, capsys):
    """The command says what it wrote."""
    assert main(["ledger", "publish", str(tmp_path / "club.arpad"), str(tmp_path / "site"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["value"]
    assert told["files"] == len(told["written"])
    assert main(["ledger", "publish", str(tmp_path / "club.arpad"), str(tmp_path / "site")]) == 0
    assert "0 written" in capsys.readouterr().out
