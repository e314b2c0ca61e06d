"""The reports people hand out: every form has the figures of the calculation, and none can do harm."""

import csv
import io
import json
import os
import re
import sys
from dataclasses import replace
from datetime import date
from decimal import Decimal
from html.parser import HTMLParser

import openpyxl
import pytest
from random_events import random_open

import arpad
from arpad import BadInput, EloStanding, Player, UnknownName
from arpad.errors import MissingExtra
from arpad.messages import say
from arpad.reports import FORMS, check_report, report, write_report
from arpad.reports import page as page_module
from arpad.reports.page import body, norms_of, order_of, templates
from conftest import ROOT, shared

OPEN = ROOT / "docs" / "examples" / "open.trf"
RATED = arpad.rate_event(arpad.read(OPEN))


def named(*names):
    """An event of two whose names are what somebody typed."""
    made = random_open(2, rounds=1)
    entrants = [
        replace(one, player=Player(EloStanding(1800 + one.no, k=20), name=name))
        for one, name in zip(made.entrants, names, strict=True)
    ]
    return arpad.rate_event(replace(made, entrants=tuple(entrants)))


class Page(HTMLParser):
    """What a page refers to, the words it shows, and the tags that were left open."""

    VOID = ("meta", "link", "input", "br", "img")

    def __init__(self, text):
        super().__init__()
        self.open, self.refers, self.words, self.tags = [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.refers += [value for name, value in attrs if name in ("href", "src", "srcset", "action", "data")]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


@pytest.mark.parametrize(("score", "shown"), [("0", "0"), ("0.5", "½"), ("1.5", "1½"), ("10", "10"), ("10.5", "10½")])
def test_half_points_stand_as_in_a_crosstable(score, shown):
    """A half is ½ behind the whole points, ten of them too."""
    assert templates().filters["score"](Decimal(score)) == shown


def test_csv_has_a_row_a_player_with_plain_numbers():
    """The CSV table has FIDE's columns, and its figures are those of the calculation."""
    rows = list(csv.DictReader(io.StringIO(report(RATED, "csv").decode("utf-8-sig"))))
    assert len(rows) == 10
    for row, one in zip(rows, RATED.players, strict=True):
        assert row["K×chg"] == ("" if one.change is None else str(one.change))
        assert (row["no"], row["name"]) == (str(one.no), one.called)
    assert {"Rc", "Ro", "w", "n", "chg", "K", "K×chg"} <= set(rows[0])


def test_the_spreadsheet_holds_numbers_as_numbers():
    """Each sheet has its head in view, and ratings, scores and changes are numbers that add up to the inflation."""
    book = openpyxl.load_workbook(io.BytesIO(report(RATED, "xlsx", norms=norms_of(RATED))))
    assert book.sheetnames == ["Event", "Standings", "Rating changes", "Games", "Norms"]
    assert {sheet.freeze_panes for sheet in book} == {"A2"}
    sheet = book["Rating changes"]
    head = [cell.value for cell in sheet[1]]
    changes = [row[head.index("K×chg")] for row in sheet.iter_rows(min_row=2, values_only=True)]
    total = sum(Decimal(str(change)) for change in changes if change is not None)
    assert total == RATED.totals.inflation
    games = list(book["Games"].iter_rows(min_row=2, values_only=True))
    assert len(games) == sum(len(one.boards) for one in RATED.players)


def test_the_spreadsheet_says_what_it_is():
    """The first sheet has the event's name, days and rules, the summary as numbers, every remark and every oddity."""
    odd = replace(arpad.read(OPEN), oddities=(arpad.Oddity(say("answers.as_said", text="A comma is missing."), 3),))
    rated = arpad.rate_event(odd)
    book = openpyxl.load_workbook(io.BytesIO(report(rated, "xlsx", norms=norms_of(rated))))
    rows = list(book["Event"].iter_rows(min_row=2, values_only=True))
    told = {about: value for about, value, _ in rows}
    assert (told["event"], told["began"], told["rules"]) == ("Harbour Open", "2026-08-15", "fide-standard")
    assert (told["players"], Decimal(str(told["inflation"]))) == (10, rated.totals.inflation)
    remarks = " ".join(remark or "" for _, _, remark in rows)
    for words in (
        "For 6 players K assumes",
        "a first rating needs 5 games",
        "forfeits and byes",
        "line 3: A comma",
    ):
        assert words in remarks
    assert "--" not in remarks
    assert [row[0] for row in book["Norms"].iter_rows(values_only=True)] == [
        "norms",
        "Nobody has made a norm, can still make one, or missed one by a single condition.",
    ]


def test_no_name_is_ever_a_formula():
    """A player called =1+1 stays a text in a spreadsheet and in CSV, and markup in a name is shown, not run."""
    rated = named('=HYPERLINK("x")', "<script>alert(1)</script>")
    sheet = openpyxl.load_workbook(io.BytesIO(report(rated, "xlsx")))["Rating changes"]
    cell = sheet.cell(2, 3)
    assert (cell.value, cell.data_type) == ('=HYPERLINK("x")', "s")
    assert "\"'=HYPERLINK" in report(rated, "csv").decode("utf-8-sig")
    page = Page(report(rated, "html").decode())
    assert "script" not in page.tags
    assert any("<script>alert(1)</script>" in words for words in page.words)


def test_the_page_needs_nothing_else():
    """One page, well formed, that refers to its own parts alone and lets no script run."""
    text = report(RATED, "html", norms=norms_of(RATED)).decode()
    page = Page(text)
    assert page.open == []
    assert {refers[0] for refers in page.refers} == {"#"}
    assert set(re.findall(r"https?://[^\"'\s)]+", text)) <= {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xlink",
    }
    assert "default-src 'none'" in text
    assert page.tags.count("svg") == 2
    assert page.tags.count("article") == 10
    targets = {refers[1:] for refers in page.refers}
    assert targets <= set(re.findall(r'id="([\w-]+)"', text))
    assert text.index('id="standings"') < text.index('id="changes"')


def test_a_report_begins_with_what_is_wrong_in_the_file():
    """A result that the opponent contradicts comes before everything else; a clean file has no such line."""
    first, *others = arpad.read(OPEN).entrants
    changed = replace(first, rounds=(replace(first.rounds[0], score=Decimal(0)), *first.rounds[1:]))
    wrong = arpad.rate_event(replace(arpad.read(OPEN), entrants=(changed, *others)))
    text = report(wrong, "html").decode()
    assert 0 < text.index("do not make one point") < text.index('class="summary"')
    assert "The figures may be wrong" not in report(RATED, "html").decode()


def test_json_is_the_answer_itself():
    """The JSON file is what `arpad event --json` has, norms beside it."""
    whole = json.loads(report(RATED, "json", norms=norms_of(RATED)))
    assert whole["ok"] is True
    assert whole["value"]["players"] == json.loads(json.dumps(RATED.value()["players"]))
    assert len(whole["value"]["norms"]["players"]) == 10
    assert {"k", "expected", "unplayed"} <= {rule["name"] for rule in whole["rules"]}


def test_pdf_without_a_browser():
    """A PDF has standings, crosstable, changes and norms, and everybody's games if they are asked for."""
    short, long = (report(RATED, "pdf", norms=norms_of(RATED), cards=cards) for cards in (False, True))
    assert short.startswith(b"%PDF-")
    assert 1 < _pages(short) < _pages(long)


def _pages(printed):
    return len(re.findall(rb"/Type\s*/Page\b", printed))


def test_pdf_without_typst(monkeypatch):
    """Without Typst one sentence says how to get it."""
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(MissingExtra, match=r"arpad\[documents\]"):
        report(RATED, "pdf")


def test_nothing_is_written_over(tmp_path):
    """A file that is there stays as it is, unless --force; a failed writing leaves nothing behind."""
    path = tmp_path / "report.csv"
    path.write_text("mine")
    with pytest.raises(BadInput, match="`force`"):
        check_report(str(path), force=False)
    with pytest.raises(BadInput, match="`force`"):
        write_report(RATED, str(path))
    assert path.read_text() == "mine"
    write_report(RATED, str(path), force=True)
    assert path.read_bytes() == report(RATED, "csv")
    with pytest.raises(UnknownName, match="doc"):
        check_report(str(tmp_path / "report.doc"), force=False)
    assert os.listdir(tmp_path) == ["report.csv"]


def test_players_without_a_calculation_are_in_every_form():
    """Somebody who was refused has a line with the reason in every form."""
    made = random_open(4, rounds=3)
    first = made.entrants[0]
    broken = replace(first, rounds=(replace(first.rounds[0], opponent=77, kind="played"), *first.rounds[1:]))
    rated = arpad.rate_event(replace(made, entrants=(broken, *made.entrants[1:])))
    for form in set(FORMS) - {"pdf", "xlsx"}:
        assert "who did not enter" in report(rated, form).decode("utf-8-sig"), form
    sheet = openpyxl.load_workbook(io.BytesIO(report(rated, "xlsx")))["Rating changes"]
    assert "who did not enter" in [cell.value for cell in sheet[2]][-1]


def test_an_event_too_large_to_look_ahead_says_so(monkeypatch):
    """The round to come is on the page, or why it is not."""
    rated = arpad.rate_event(arpad.read(ROOT / "docs" / "examples" / "last-round.trf"))
    assert "Round 9: what each result would do" in body(rated)
    monkeypatch.setattr(page_module, "MOST_RESULTS", 100)
    large = body(rated)
    assert "the event has 180 results, and a report looks ahead up to 100" in large
    assert "Round 9: what each result would do" not in large


def test_norms_worth_a_line():
    """A norm made, one still possible and one missed by a single condition have a row; titles held have none."""

    def rows(name):
        rated = arpad.rate_event(arpad.read(ROOT / "docs" / "examples" / name))
        return [(row.no, row.title, row.stands) for row in norms_of(rated).rows]

    missed = "missed"
    assert rows("norms.trf")[:3] == [(12, "IM", "made"), (14, "WGM", "made"), (9, "GM", missed)]
    possible = [row[:2] for row in rows("last-round.trf") if row[2] == "possible"]
    assert possible == [(12, "IM"), (14, "IM"), (14, "WGM"), (15, "IM"), (19, "WIM")]
    assert norms_of(arpad.rate_event(random_open(4, rounds=3), "elo")) is None


def test_norms_that_the_file_cannot_answer():
    """Without titles and federations every form says that norms cannot be judged, and lists nobody as having missed."""
    event = arpad.read(ROOT / "docs" / "examples" / "norms.trf")
    bare = [replace(one, player=replace(one.player, title=None, federation=None)) for one in event.entrants]
    rated = arpad.rate_event(replace(event, entrants=tuple(bare)))
    norms = norms_of(rated)
    assert norms.rows == []
    says = "Norms cannot be judged without titles and federations."
    assert says in report(rated, "html", norms=norms).decode()
    sheet = openpyxl.load_workbook(io.BytesIO(report(rated, "xlsx", norms=norms)))["Norms"]
    assert says in sheet.cell(2, 1).value
    assert json.loads(report(rated, "json", norms=norms))["value"]["norms"]["unknown"] == ["titles", "federations"]


def test_norms_of_an_event():
    """The example of docs/norms.md has its two norms in every form that lists norms."""
    rated = arpad.rate_event(arpad.read(ROOT / "docs" / "examples" / "norms.trf"))
    norms = norms_of(rated)
    made = [(line.no, line.title) for line in norms.rows if line.stands == "made"]
    assert made == [(12, "IM"), (14, "WGM")]
    assert (
        "Okonkwo, Emeka"
        in report(rated, "html", norms=norms).decode().partition('id="norms"')[2].partition("</section>")[0]
    )
    sheet = openpyxl.load_workbook(io.BytesIO(report(rated, "xlsx", norms=norms)))["Norms"]
    assert [cell.value for cell in sheet[2]][:3] == [12, "Okonkwo, Emeka", "IM"]


def test_standings_by_criteria_and_a_crosstable():
    """The places and values, and where the file's ranks differ; without criteria, the order FIDE last recommended."""
    order = order_of(RATED, ["BH/C1", "BH"])
    text = report(RATED, "html", order=order).decode()
    assert "By points, then BH/C1, BH." in text
    assert "Petersen, Jonas has rank 7 in the file and place 8 here" in text
    assert 'id="crosstable"' in text
    book = openpyxl.load_workbook(io.BytesIO(report(RATED, "xlsx", order=order)))
    assert [cell.value for cell in book["Tie-breaks"][2]] == [1, 1, "Lindqvist, Aron", 5, 17.5, 19.5]
    assert [cell.value for cell in book["Crosstable"][2]][3:5] == ["6w1", "4b½"]
    assert json.loads(report(RATED, "json", order=order))["value"]["standings"]["by"] == ["BH/C1", "BH"]
    plain = report(RATED, "html", order=order_of(RATED)).decode()
    assert "By points, then BH/C1, BH, DE, WIN, BWG, BPG, SB." in plain  # ARO/C1 falls: one player is unrated
    assert "C.07 itself recommends none" in plain
    assert 'id="crosstable"' in plain
    with pytest.raises(UnknownName, match="BHX"):
        order_of(RATED, ["BHX"])


def places_in(html, part):
    """Place and name of every row of a part of a report."""
    inside = html.partition(f'id="{part}"')[2].partition("</section>")[0]
    rows = re.findall(r'<tr><td class="n">(\d+)</td>(?:<td class="n">\d+</td>)?<th scope="row">(.*?)</th>', inside)
    return [(place, re.search(r"[A-Z][a-z]+, [A-Z][a-z]+", cell)[0]) for place, cell in rows]


def test_the_standings_and_the_crosstable_have_one_ranking():
    """Players level in everything share a place in both; the ranks in the file, 7, 8 and 9, do not come between."""
    order = order_of(RATED, ["PTS"])
    html = report(RATED, "html", order=order).decode()
    assert places_in(html, "standings") == places_in(html, "crosstable")
    assert [place for place, _ in places_in(html, "crosstable")] == ["1", "2", "2", "4", "5", "6", "7", "7", "7", "10"]
    book = openpyxl.load_workbook(io.BytesIO(report(RATED, "xlsx", order=order)))
    columns = [[row[0].value for row in book[sheet].iter_rows(min_row=2)] for sheet in ("Standings", "Crosstable")]
    assert columns[0] == columns[1] == [1, 2, 2, 4, 5, 6, 7, 7, 7, 10]


def test_a_team_event_has_its_teams():
    """The standings of the teams come before those of the players."""
    rated = arpad.rate_event(arpad.read(shared("data/tournaments") / "tec_exercise_held_team.trf"), on=date(2026, 3, 1))
    text = report(rated, "html", order=order_of(rated)).decode()
    assert "Match points" in text
    assert "12:4" in text
