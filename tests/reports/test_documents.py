"""Documents on paper and as pages: all of them, from the same answers, with the file's figures and nothing else."""

import re
import shutil
import subprocess
import sys
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from pathlib import Path

import html5lib
import pytest

import arpad
from arpad.cli import main
from arpad.core.tournaments import Record
from arpad.errors import BadInput, MissingExtra, UnknownName
from arpad.formats.organiser_tables import read_prizes
from arpad.reports.documents import DOCUMENTS, EventDocuments, document, printed
from arpad.reports.documents.paper import GridColumn, grid
from arpad.tournaments.certificates import arbiter_reports, certificates
from arpad.tournaments.standings import standings
from conftest import ROOT, require, shared

EXAMPLES = ROOT / "docs" / "examples"
NORMS, OPEN, AHEAD = (arpad.read(EXAMPLES / name) for name in ("norms.trf", "open.trf", "last-round.trf"))
LONG = "Константинопольский-Преображенский, Ал. Ш"  # 40 characters
AT = datetime(2026, 9, 13, 18, 30)  # noqa: DTZ001  # the arbiter's own clock


def prize_list(share):
    """The Harbour Open with the prizes of the example."""
    return EventDocuments(
        tournament=OPEN,
        ranked=lambda _: standings(OPEN, ["BH"], prizes=read_prizes(str(EXAMPLES / "prizes.csv")), share=share),
        share=share,
    )


def made(name, event=NORMS, **options):
    """A document of an event; prizes are those of the example."""
    if name == "prizes":
        return document(name, prize_list("hort"))
    return document(name, EventDocuments(tournament=AHEAD if name == "next" else event, **options))


def text_of(sheets):
    """Every cell of the tables of a document."""
    blocks = [block for sheet in sheets.sheets for block in sheet.blocks]
    return [row.cells for block in blocks if block.kind == "grid" for row in block.rows]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_document_in_both_forms(name):
    """A PDF on either paper has its size (595 × 842 and 612 × 792 points); the page is valid HTML without a link."""
    sheets = made(name)
    for paper, size in (("a4", [595, 842]), ("letter", [612, 792])):
        data = printed(sheets, "pdf", at=AT, paper=paper)
        found = re.findall(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)\s*\]", data)
        assert found
        assert all(sorted(round(float(side)) for side in sides) == size for sides in found)
    page = printed(sheets, "html", at=AT).decode()
    html5lib.HTMLParser(strict=True).parse(page)
    assert "2026-09-13 18:30" in page
    assert sheets.event in page
    assert not re.search(r"(src|href)=|<script|@import|url\(", page)


def test_no_fallback_and_no_cut_for_long_names():
    """A Cyrillic name of 40 characters is set in our own font, in every document with names."""
    first = NORMS.entrants[0]
    named = replace(first, player=replace(first.player, name=LONG[:40]))
    event = replace(NORMS, entrants=(named, *NORMS.entrants[1:]))
    for name in ("standings", "crosstable", "wall-by-name", "pairings", "slips", "cards", "rating-report"):
        data = printed(made(name, event), "pdf")
        assert b"ArpadSans" in data
        assert b"Libertinus" not in data, name
        assert LONG[:40] in printed(made(name, event), "html").decode()


def test_figures_are_those_of_the_answers():
    """Okonkwo's line in the file: 5.5 points, a draw in round 1, and a win against 15 with Black in round 2."""
    own = next(cells for cells in text_of(made("standings")) if "Okonkwo, Emeka" in cells)
    assert own[1:7] == ("12", "FM", "Okonkwo, Emeka", "NGR", "2355", "5.5")
    cross = next(cells for cells in text_of(made("crosstable")) if "Okonkwo, Emeka" in cells)
    assert "15b1" in cross
    wall = text_of(made("wall-by-name"))
    assert [cells[3] for cells in wall] == sorted(cells[3] for cells in wall)
    assert "15b1\n1.5" in next(cells for cells in wall if cells[1] == "12")
    boards = text_of(made("pairings", AHEAD))
    assert boards[0][:2] == ("1", "15")
    assert boards[0][-1] == "9"


def test_prizes_by_hort_and_in_equal_shares():
    """Okafor and Castellani share 300 and 100: by Hort 150 + 200 / 2 and 50 + 200 / 2, equally 200 each."""
    amounts = {
        share: {cells[1]: cells[-1] for cells in text_of(document("prizes", prize_list(share)))}
        for share in ("hort", "equal")
    }
    assert amounts["hort"] == {"1": "500.00", "2": "250.00", "4": "150.00", "7": "100.00"}
    assert amounts["equal"] == {"1": "500.00", "2": "200.00", "4": "200.00", "7": "100.00"}
    with pytest.raises(BadInput, match="no prizes"):
        document("prizes", EventDocuments(tournament=OPEN))


def test_teams_have_prizes():
    """The exercise of FIDE's commission: team 5 is first, with 10 match points."""
    teams = arpad.read(shared("data/tournaments/tec_exercise_held_team.trf"))
    prizes = [arpad.Prize("1st", Decimal(500)), arpad.Prize("2nd", Decimal(300))]
    rows = text_of(
        document("prizes", EventDocuments(tournament=teams, ranked=lambda _: standings(teams, prizes=prizes)))
    )
    named = next(team.name for team in teams.teams if team.no == 5)
    assert (rows[0][:4], rows[0][-1]) == (("1", "5", named, "10"), "500.00")
    assert rows[1][-1] == "300.00"


def test_rows_at_the_ends_of_a_table_stay_together():
    """Of any number of rows, the first and the last three are kept together, fewer than six all of them."""
    column = GridColumn("no")
    keeps = {count: [row.keep for row in grid([column], [[1]] * count).rows] for count in (1, 4, 6, 50)}
    assert keeps[1] == [1]
    assert keeps[4] == [4, 1, 1, 1]
    assert keeps[6] == [3, 1, 1, 3, 1, 1]
    assert (keeps[50][0], keeps[50][-3], sum(keeps[50])) == (3, 3, 54)


def test_no_page_has_one_lonely_row(tmp_path):
    """Whatever the number of players, the last page of the standings has at least three of them above the remarks."""
    program = shutil.which("pdftotext")
    require("poppler", there=program, line="pdftotext is not installed")
    for count in range(46, 60, 2):
        lines = (replace(NORMS.entrants[number % 20], no=number + 1, rounds=(), rank=None) for number in range(count))
        entrants = tuple(lines)
        path = tmp_path / f"{count}.pdf"
        path.write_bytes(printed(made("standings", replace(NORMS, entrants=entrants)), "pdf"))
        read = subprocess.run([program, "-layout", path, "-"], capture_output=True, text=True, check=True)
        pages = [page for page in read.stdout.split("\f") if page.strip()]
        players = [
            len(re.findall(r"\b(?:NOR|POR|ITA|UKR|SWE|GER|ESP|HUN|CZE|FRA|BUL|NGR|SUI)\b", page)) for page in pages
        ]
        assert sum(players) - len(re.findall("Chioggia · ITA", read.stdout)) == count
        assert all(on_page >= 3 for on_page in players)


def test_sixty_boards_can_be_read_on_a_wall(tmp_path):
    """With titles and long names a pairing list of sixty boards breaks names, and its letters have 9 points or more.

    The line at the head of each page has 7.5 points (the template's `small`), and both are in the same font.
    """
    program = shutil.which("pdftotext")
    require("poppler", there=program, line="pdftotext is not installed")
    white, black = (
        next(one for one in NORMS.entrants if one.rounds[0].colour == colour) for colour in ("white", "black")
    )
    entrants = []
    for no in range(1, 121):
        kind, other = (white, no + 1) if no % 2 else (black, no - 1)
        player = replace(kind.player, name=f"Surnameword{no}, Maximilian Alex", title="WGM")
        entrants.append(replace(kind, no=no, player=player, rounds=(replace(kind.rounds[0], opponent=other),)))
    path = tmp_path / "pairings.pdf"
    path.write_bytes(printed(made("pairings", replace(NORMS, entrants=tuple(entrants)), round=1), "pdf"))
    read = subprocess.run([program, "-bbox", path, "-"], capture_output=True, text=True, check=True).stdout
    words = re.findall(r'yMin="([\d.]+)" xMax="[\d.]+" yMax="([\d.]+)">([^<]+)<', read)
    heights = [(word, float(bottom) - float(top)) for top, bottom, word in words]
    names = [height for word, height in heights if word.startswith("Surnameword")]
    assert len(names) == 120
    assert min(names) / min(height for word, height in heights if word == "Masters") >= 9 / 7.5 - 0.001


def test_forms_have_every_deputy_and_the_program():
    """The program is that of record 182 (Swiss-Manager's own file sets it), otherwise the one named in record 092."""
    event = replace(NORMS, deputies=tuple(f"Deputy {number}" for number in range(1, 7)), kind="Swiss Dutch (JaVaFo)")
    form = certificates(arpad.find_norms(event), event, sheet="it3").form
    assert form.program == "JaVaFo"
    page = printed(made("it3", event), "html").decode()
    assert all(f"Deputy {number}" in page for number in range(1, 7))
    other = replace(event, records=(Record("182", {"text": "Vega 10"}),))
    assert certificates(arpad.find_norms(other), other, sheet="it3").form.program == "Vega 10"
    assert certificates(arpad.find_norms(NORMS), NORMS, sheet="it3").form.program is None


def test_reports_on_arbiters():
    """One for each arbiter in the file; what the form may call otherwise is marked, what nobody knows is left open."""
    event = replace(NORMS, arbiter="Moretti, Bruna (IA, 90009999)", deputies=("FA Petar Kovac",))
    chief, deputy = arbiter_reports(event)
    assert (chief.family_name, chief.first_name, chief.title, chief.fide_id) == ("Moretti", "Bruna", "IA", 90009999)
    assert (deputy.family_name, deputy.first_name, deputy.title, deputy.role) == ("Petar Kovac", None, "FA", "deputy")
    assert (chief.players, chief.rounds, chief.place) == (20, 9, "Chioggia, ITA")
    both = replace(NORMS, deputies=("NSR Thomas Rondio, NSR Wolfgang Hettler", "Kovac, Petar"))  # as in a file of 2005
    assert [one.family_name for one in arbiter_reports(both)] == [
        "Moretti",
        "Thomas Rondio",
        "Wolfgang Hettler",
        "Kovac",
    ]
    greek = ("Sgouros Nikolaos, Magoulianos Georgios, Petrakis Iosif", "Gkizis Konstantinos, Magoulianos Nikolaos")
    named = [(one.family_name, one.first_name) for one in arbiter_reports(replace(NORMS, deputies=greek))[1:]]
    assert named[:3] == [("Sgouros Nikolaos", None), ("Magoulianos Georgios", None), ("Petrakis Iosif", None)]
    assert named[3:] == [("Gkizis Konstantinos, Magoulianos Nikolaos", None)]  # one person or two: not guessed
    for name in ("fa1", "ia1"):
        sheets = made(name, event)
        assert len(sheets.sheets) == 2
        page = printed(sheets, "html").decode()
        assert "not certain" in page
        assert "FIDE's own form was not at hand" in page.replace("&#39;", "'")
    with pytest.raises(BadInput, match="names no arbiter"):
        made("fa1", replace(NORMS, arbiter=None))


def test_refusals(monkeypatch):
    """An unknown document, paper or form is named with those there are; without Typst one sentence says what to do."""
    with pytest.raises(UnknownName, match="wall-by-name"):
        document("wall", EventDocuments(tournament=NORMS))
    with pytest.raises(UnknownName, match="letter"):
        printed(made("it3"), "pdf", paper="a3")
    with pytest.raises(UnknownName, match="html"):
        printed(made("it3"), "doc")
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(MissingExtra, match=r"arpad\[documents\]"):
        printed(made("it3"), "pdf")


def test_a_long_event_is_printed_in_parts(tmp_path, capsys):
    """Its rating report is that of one part; nobody gets one of all rounds by one list without asking for it."""
    days = "  ".join(f"26/{month:02}/15" for month in (8, 8, 9, 9, 10, 10))
    text = (EXAMPLES / "open.trf").read_text(encoding="utf-8").replace("052 2026/08/20", "052 2026/10/15")
    path = tmp_path / "long.trf"
    path.write_text(re.sub("(?m)^132 .*$", f"132{'':88}{days}", text), encoding="utf-8")
    words = ["print", str(path), "rating-report", "--to", str(tmp_path / "report.html"), "--force"]
    assert main(words) == 2
    assert "3 parts" in capsys.readouterr().err
    assert main([*words, "--part", "2"]) == 0
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Rounds 3–4" in page
    # Table 8.1.2: Lindqvist (2412, K 10) beats 2318 and 2054: 94 and 358 points, 0.63 and 0.90 expected.
    assert "+4.70" in re.search(r"<tr>(?:(?!</tr>).)*Lindqvist.*?</tr>", page, re.DOTALL)[0]
    assert main([*words, "--on", "2026-08-15"]) == 0
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Rounds 1–6" in page
    assert main(["print", str(path), "standings", "--to", str(tmp_path / "x.html"), "--part", "2"]) == 2
    assert "only for rating-report" in capsys.readouterr().err


def test_the_command(tmp_path, capsys):
    """A file is written in the form of its name, nothing is written over, an option without a meaning is refused."""
    path = tmp_path / "round.pdf"
    words = ["print", str(EXAMPLES / "last-round.trf"), "pairings", "--to", str(path), "--paper", "letter"]
    assert main([*words, "--round", "9"]) == 0
    assert path.read_bytes().startswith(b"%PDF-")
    assert main(words) == 2
    assert "--force" in capsys.readouterr().err
    assert main([*words, "--force", "--cards"]) == 2
    assert "means nothing for pairings" in capsys.readouterr().err
    assert main([*words[:4], str(tmp_path / "round.doc")]) == 2
    assert [one.name for one in Path(tmp_path).iterdir()] == ["round.pdf"]
