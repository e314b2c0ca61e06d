"""IT1 for each norm and IT3 for the event: every field of the forms, filled in from the file or marked for the hand."""

import json
import os
import re
from dataclasses import replace
from decimal import Decimal
from html import unescape
from pathlib import Path

import pytest

import arpad
from arpad.cli import main
from arpad.core.tournaments import Record
from arpad.errors import BadInput, UnknownName
from arpad.messages import section
from arpad.reports import printed_sheets
from arpad.tournaments.certificates import arbiter_of, certificates
from conftest import ROOT

NORMS = ROOT / "docs" / "examples" / "norms.trf"
SNAPSHOTS = Path(__file__).parent / "snapshots"
EVENT = arpad.read(NORMS)


def made(event=EVENT, **options):
    return certificates(arpad.find_norms(event), event, **options)


def page_of(answer):
    """The sheets as a page."""
    return printed_sheets(answer, "html").decode()


def words(page):
    """The words of a page, one line an element, without its style."""
    body = re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)
    return (
        "\n".join(filter(None, (line.strip() for line in unescape(re.sub(r"<[^>]+>", "\n", body)).splitlines()))) + "\n"
    )


def test_the_fields_of_a_norm():
    """Number 12's rounds, counted by hand in the file: 3 GM, 2 IM, a WGM, an FM, a WFM and a CM; 7 federations."""
    one = made(player=12).certificates[0]
    assert (one.title, one.family_name, one.first_name, one.fide_id) == ("IM", "Okonkwo", "Emeka", 90001084)
    assert dict(one.by_title) == {"GM": 3, "IM": 2, "WGM": 1, "WIM": 0, "FM": 1, "WFM": 1}
    assert (one.games, one.federations, one.foreign, one.rated, one.hosts, one.titled) == (9, 7, 9, 9, 3, 8)
    # The average of the nine ratings is 2389.1; 5½ of 9 are 61 %, dp 80 in table 1.4.9, and 5 are 56 %, dp 43.
    assert (one.average, one.required, one.achieved, one.exceeding) == (2389, Decimal("5.5"), Decimal("5.5"), 0)
    assert [game.score for game in one.rounds] == ["½", "1", "1", "0", "½", "½", "0", "1", "1"]


def test_the_report_of_the_event():
    """Counted by hand: 20 rated, 6 of them Italians; five GMs, one of them Italian; nine rounds on nine days."""
    form = made(sheet="it3", organiser="Lagoon Chess Club").form
    rows = {one.kind: (one.players, one.federations, one.host, one.others) for one in form.players}
    assert rows["rated"][0] == 20
    assert rows["unrated"] == (0, 0, 0, 0)
    assert rows["GM"] == (5, 5, 1, 4)
    assert (form.schedule, form.organiser, form.program) == ("1-1-1-1-1-1-1-1-1", "Lagoon Chess Club", None)
    assert len(form.deputies) == 1  # no more than 20 players


@pytest.mark.parametrize("sheet", ["it1", "it3"])
def test_every_field_of_the_form_is_on_the_sheet(sheet):
    """Every label is printed, in the order of arbiter-forms.md, 2 and 3; signatures are left to the hand."""
    page = words(page_of(made(sheet=sheet)))
    optional = ("left_out", "lifted", "deputy.2", "deputy.3", "deputy.4", "deputy.more")
    at = 0
    for key, label in section("en", f"certificates.{sheet}").items():
        if key not in ("name", "heading", *optional):
            found = page.find(label, at)
            assert found >= 0, key
            at = found + len(label)
    assert "It is not FIDE's own print" in page
    assert page.count("by hand") > 3


@pytest.mark.parametrize("sheet", ["it1", "it3"])
def test_snapshot(sheet):
    """The words of each sheet of the example event, as they were looked at; ARPAD_SNAPSHOTS=1 takes new ones."""
    require_same(SNAPSHOTS / f"{sheet}.txt", words(page_of(made(sheet=sheet))))


def require_same(path, text):
    if os.environ.get("ARPAD_SNAPSHOTS"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


def test_a_norm_that_was_not_made_has_no_certificate():
    """Number 20 made none, number 1 is a grandmaster, and nobody made one in the Harbour Open."""
    with pytest.raises(BadInput, match="has made no norm for GM, IM, WGM or WIM"):
        made(player=20)
    with pytest.raises(BadInput, match="holds"):
        made(player=1)
    with pytest.raises(BadInput, match="IT3"):
        made(arpad.read(ROOT / "docs" / "examples" / "open.trf"))
    with pytest.raises(UnknownName, match="it1"):
        made(sheet="it2")


@pytest.mark.parametrize(("written", "read"), [
    ("IA Mikel L. A. (22232540)", ("IA Mikel L. A.", 22232540)),
    ("Name - AN 2216434", ("Name - AN", 2216434)),
    ("Last, First (IA, 22232540)", ("Last, First (IA)", 22232540)),
    ("Moretti, Bruna", ("Moretti, Bruna", None)),
    (None, (None, None)),
])  # fmt: skip
def test_arbiters_as_files_write_them(written, read):
    """The forms seen in real reports (arbiter-forms.md, 5.2)."""
    assert arbiter_of(written) == read


def test_pairings_by_a_program_and_no_harm_by_names():
    """Record 182 fills in the program; a name that looks like a page is a name."""
    event = replace(EVENT, name="<script>alert(1)</script>", records=(Record("182", {"text": "Vega 10"}),))
    page = page_of(made(event))
    assert "Vega 10" in page
    assert "<script>" not in page


def test_the_command(tmp_path, capsys):
    """Sheets are written as a page; nothing is half written, and nothing written over."""
    path = tmp_path / "it.html"
    assert main(["certificate", str(NORMS), "--to", str(path)]) == 0
    assert path.read_text(encoding="utf-8").count('<article class="sheet"') == 3
    assert main(["certificate", str(NORMS), "--to", str(path)]) == 2
    refused = tmp_path / "none.html"
    assert main(["certificate", str(NORMS), "--player", "20", "--to", str(refused)]) == 2
    assert not refused.exists()
    assert main(["certificate", str(NORMS), "--to", str(tmp_path / "it.doc")]) == 2
    capsys.readouterr()
    assert main(["certificate", str(NORMS), "--title", "WGM", "--json"]) == 0
    value = json.loads(capsys.readouterr().out)["value"]
    assert [(one["no"], one["title"]) for one in value["certificates"]] == [(14, "WGM")]


def test_a_pdf():
    """The sheets are set without a browser."""
    assert printed_sheets(made(), "pdf").startswith(b"%PDF")
