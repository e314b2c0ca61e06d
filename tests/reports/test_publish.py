"""A published event: pages that any host can serve, written again only where something changed."""

import os
import re
from dataclasses import replace
from decimal import Decimal
from html.parser import HTMLParser

import html5lib
import pytest

import arpad
from arpad.cli import main
from arpad.core.tournaments import Round
from arpad.errors import BadInput
from arpad.reports.documents import EventDocuments
from arpad.reports.publishing import event_pages, publish
from conftest import ROOT, shared

EXAMPLES = ROOT / "docs" / "examples"
NORMS, OPEN, AHEAD = (arpad.read(EXAMPLES / name) for name in ("norms.trf", "open.trf", "last-round.trf"))


def pages(event, pgn=None):
    """The files of an event."""
    return event_pages(EventDocuments(tournament=event), pgn)


class Links(HTMLParser):
    """The addresses that a page leads to or loads."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        del tag
        self.found += [value for name, value in attrs if name in ("href", "src")]


@pytest.mark.parametrize("event", [NORMS, OPEN, AHEAD], ids=["norms", "open", "last-round"])
def test_every_page_is_valid_and_every_link_leads_somewhere(event):
    """The strict HTML parser takes every page; no page asks for anything outside the folder, and none has a script."""
    files = pages(event)
    for name, data in files.items():
        if name.endswith(".html"):
            text = data.decode()
            html5lib.HTMLParser(strict=True).parse(text)
            targets = [link for link in Links(text).found if link != "#main" and not link.startswith("data:")]
            assert set(targets) <= files.keys(), name
            asked = re.sub(r'href="data:[^"]*"', "", text)  # the icon is in the page, and names SVG by its address
            assert not re.search(r"<script|https?:|@import|url\(", asked), name
    assert b"url(" not in files["style.css"]
    assert {"index.html", "players.html", "crosstable.html", "round-1.html", "event.trf", "ratings.csv"} <= files.keys()
    assert all(f"player-{entrant.no}.html" in files for entrant in event.entrants)


def test_a_players_page():
    """Okonkwo's nine rounds with the change of each: 20 × (5.5 − 4.09), the sum of nine values of FIDE's table."""
    page = pages(NORMS)["player-12.html"].decode()
    changes = re.findall(r">([+−]\d+\.\d+)<", page)
    games = [Decimal(change.replace("−", "-")) for change in changes[1:]]
    assert len(games) == 9
    assert sum(games) == Decimal(changes[0]) == Decimal("28.20")
    assert "FM Okonkwo, Emeka" in page
    assert "1982" not in page  # a birth year is nobody's business there


def test_its_trf_reads_back_to_the_same_event(tmp_path):
    """A TRF is passed on as it is; what came as a table or from a program is written as TRF26 with the same players."""
    assert pages(NORMS)["event.trf"] == (EXAMPLES / "norms.trf").read_bytes()
    cup = replace(arpad.read(shared("data/tournaments/more/lichess-or__uzchesscup.pgn")), start=NORMS.start)
    path = tmp_path / "event.trf"
    path.write_bytes(pages(cup)["event.trf"])
    again = arpad.read(path)
    assert len(again.entrants) == len(cup.entrants) == 10
    for one, other in zip(cup.entrants, again.entrants, strict=True):
        assert (one.no, one.called, one.player.rating, one.rounds) == (
            other.no,
            other.called,
            other.player.rating,
            other.rounds,
        )


def test_only_what_changed_is_written(tmp_path):
    """The same event writes nothing; one result more writes the pages that show it, and leaves the rest untouched."""
    folder = tmp_path / "site"
    first = publish(pages(AHEAD), str(folder))
    assert len(first.written) == first.files
    before = {one.name: one.stat().st_mtime_ns for one in folder.iterdir()}
    assert publish(pages(AHEAD), str(folder)).written == ()
    assert {one.name: one.stat().st_mtime_ns for one in folder.iterdir()} == before
    scores = {15: Decimal(1), 9: Decimal(0)}
    entrants = tuple(
        replace(one, rounds=(*one.rounds[:-1], replace(one.rounds[-1], kind="played", score=scores[one.no])))
        if one.no in scores
        else one
        for one in AHEAD.entrants
    )
    later = publish(pages(replace(AHEAD, entrants=entrants, source=None)), str(folder))
    assert {"index.html", "round-9.html", "player-9.html", "player-15.html", "crosstable.html"} <= set(later.written)
    assert {"style.css", "round-1.html", "round-8.html", "player-20.html"}.isdisjoint(later.written)


def test_what_is_gone_is_removed_and_nothing_else(tmp_path):
    """A player less is a page less; a file of somebody else stays, and a folder of somebody else is refused."""
    folder = tmp_path / "site"
    publish({"index.html": b"a", "player-1.html": b"b"}, str(folder))
    (folder / "mine.txt").write_text("mine")
    done = publish({"index.html": b"a"}, str(folder))
    assert (done.written, done.removed) == ((), ("player-1.html",))
    assert sorted(os.listdir(folder)) == ["arpad-files.txt", "index.html", "mine.txt"]
    other = tmp_path / "other"
    other.mkdir()
    (other / "index.html").write_text("mine")
    with pytest.raises(BadInput, match="did not publish"):
        publish({"index.html": b"a"}, str(other))
    assert (other / "index.html").read_text() == "mine"
    # A list that somebody changed cannot make us remove what is outside the folder.
    (folder / "arpad-files.txt").write_text("../other/index.html\n..\nindex.html\n")
    assert publish({"page.html": b"c"}, str(folder)).removed == ("index.html",)
    assert (other / "index.html").exists()


def test_teams_and_games():
    """A team event has a page for each team; the games are offered if they are there."""
    event = arpad.read(shared("data/tournaments/tec_exercise_held_team.trf"))
    files = pages(event, b'[Event "?"]\n')
    assert all(f"team-{team.no}.html" in files for team in event.teams)
    assert files["games.pgn"] == b'[Event "?"]\n'
    assert 'href="games.pgn"' in files["index.html"].decode()
    for name, data in files.items():
        if name.endswith(".html"):
            html5lib.HTMLParser(strict=True).parse(data.decode())
    assert "games.pgn" not in pages(OPEN)


def test_before_the_first_round_and_with_a_gap():
    """An event without pairings has its players; a round in which nobody is paired has no page."""
    nobody = replace(OPEN, entrants=tuple(replace(one, rounds=(), points=None) for one in OPEN.entrants), source=None)
    assert not [name for name in pages(nobody) if name.startswith("round-")]
    free = tuple(replace(one, rounds=(one.rounds[0], Round("half-bye"), one.rounds[2])) for one in OPEN.entrants)
    rounds = [name for name in pages(replace(OPEN, entrants=free, rounds=3, source=None)) if name.startswith("round-")]
    assert rounds == ["round-1.html", "round-3.html"]


def test_names_do_no_harm():
    """A name that looks like a page is a name."""
    first = replace(OPEN.entrants[0], player=replace(OPEN.entrants[0].player, name="<script>alert(1)</script>"))
    event = replace(OPEN, name='"><img src=x>', entrants=(first, *OPEN.entrants[1:]), source=None)
    for name, data in pages(event).items():
        if name.endswith(".html"):
            assert b"<script" not in data
            assert b"<img" not in data


def test_the_command(tmp_path, capsys):
    """It says how many files were written, and the second time that none was."""
    words = ["publish", str(EXAMPLES / "norms.trf"), str(tmp_path / "site"), "--by", "BH,SB"]
    assert main(words) == 0
    assert "36 files" in capsys.readouterr().out
    assert main([*words, "--pgn", str(tmp_path / "none.pgn")]) == 2
    capsys.readouterr()
    assert main(words) == 0
    assert "0 written, 0 removed" in capsys.readouterr().out
