"""Entry lists: tables of players without rounds, and what their field allows."""

import csv
import json
from dataclasses import replace
from datetime import date

import pytest

import arpad
from arpad.cli import main
from arpad.errors import BadFile
from arpad.formats import read, read_bytes
from arpad.tournaments.entries import entry_list
from conftest import ROOT

LIST = ROOT / "docs" / "examples" / "entries.csv"
ON = date(2026, 9, 5)
FIELD = read(LIST, entries=True)


def outlook(title, field=FIELD, **options):
    answer = entry_list(field, on=ON, **{"rounds": 9, "host": "ITA", **options})
    return next(one for one in answer.norms if one.title == title)


def test_the_figures_of_a_field():
    """Average, titles and federations as a spreadsheet has them."""
    rows = list(csv.DictReader(LIST.read_text(encoding="utf-8").splitlines()))
    answer = entry_list(FIELD, on=ON)
    assert answer.players == len(rows) == 20
    assert answer.average == round(sum(int(row["rating"]) for row in rows) / 20)
    assert answer.titles["GM"] == sum(row["title"] == "GM" for row in rows) == 5
    assert answer.federations["ITA"] == 6
    assert sum(one.players for one in answer.bands) == answer.rated == 20


def test_a_field_that_allows_norms():
    """Of nine opponents 5 are titled, 3 with the title, at most 5 of the own federation (B.01 1.4)."""
    one = outlook("GM")
    assert one.possible
    needed = {part.name: part.needed for part in one.conditions}
    assert needed == {"games": 9, "titled": 5, "same_title": 3, "average": 2380, "federations": 2, "foreign": 4}


def without(count, *, keep):
    """The field without all but so many of those whom a test picks."""
    picked = [one for one in FIELD.entrants if keep(one.player)][count:]
    return replace(FIELD, entrants=tuple(one for one in FIELD.entrants if one not in picked))


def test_each_missing_condition_is_named():
    """Too few grandmasters, too few rounds, too few foreigners, and too low an average, each by its own name."""
    few = outlook("GM", without(2, keep=lambda player: player.title == "GM"))
    assert [(part.name, part.found, part.needed) for part in few.missing] == [("same_title", 2, 3)]
    assert [part.name for part in outlook("IM", rounds=7).missing] == ["games"]
    home = without(3, keep=lambda player: player.federation != "ITA")
    assert "foreign" in [part.name for part in outlook("WIM", home).missing]
    weak = replace(FIELD, entrants=FIELD.entrants[10:])
    assert "average" in [part.name for part in outlook("GM", weak).missing]


def test_a_table_without_rounds_is_a_list_of_entries_only_where_that_is_asked_for():
    """Ratings, norms and standings still refuse it: no tournament is there."""
    with pytest.raises(BadFile, match="a list of players without rounds or results; `entries` says"):
        arpad.read(LIST)
    table = b"Nr.;Name;FIDE-ID;Land;Elo\n1;Ann A;123456;GER;2000\n2;Bob B;234567;FRA;\n"
    found = read_bytes(table, "entries.csv", entries=True)
    people = [(one.no, one.player.name, one.player.fide_id, one.player.rating) for one in found.entrants]
    assert people == [(1, "Ann A", 123456, 2000), (2, "Bob B", 234567, None)]


def test_command_and_api(capsys, client):
    """Both have the same answer; without a host and rounds the answer says what it took."""
    assert main(["entries", str(LIST), "--on", "2026-09-05", "--json"]) == 0
    reply = json.loads(capsys.readouterr().out)
    assert any("taken as 9" in note for note in reply["notes"])
    assert any("host federation is not known" in note for note in reply["notes"])
    asked = {"text": LIST.read_text(encoding="utf-8"), "file": "entries.csv", "on": "2026-09-05"}
    assert client.post("/api/v1/entries", json=asked).json()["value"] == reply["value"]
