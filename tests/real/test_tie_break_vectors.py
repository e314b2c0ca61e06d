"""Every figure of the FIDE commission's exercises and of its program, through the library and the command."""

import csv
import json
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from functools import cache

import pytest

import arpad
from arpad.cli import main
from conftest import shared

FOLDER = shared("data/tournaments")
with shared("vectors/tie_breaks.csv").open(encoding="utf-8") as source:
    ROWS = list(csv.DictReader(source))
SETS = sorted({(row["file"], row["edition"], row["criterion"]) for row in ROWS})
ONE_DECIMAL = " (one decimal)"


def names_of(criterion):
    """The criteria of a row: one, or those of a place, `place by PTS EDE then BC`."""
    if criterion.startswith("place by "):
        return criterion.removeprefix("place by ").replace(" then ", " ").split()
    return [criterion.removesuffix(ONE_DECIMAL)]


def figure_of(criterion, line):
    """What a row prints of a line of the answer."""
    if criterion.startswith("place by "):
        return Decimal(line["place"])
    value = Decimal(str(line["values"][names_of(criterion)[0]]))
    return value.quantize(Decimal("0.1"), ROUND_HALF_UP) if criterion.endswith(ONE_DECIMAL) else value


@cache
def read(file):
    return arpad.read(FOLDER / file)


def by_library(file, edition, names, _):
    return arpad.tie_breaks(read(file), names, on=date.fromisoformat(edition)).value()


def by_command(file, edition, names, capsys):
    main(["ties", str(FOLDER / file), "--by", ",".join(names), "--on", edition, "--json"])
    return json.loads(capsys.readouterr().out)["value"]


@pytest.mark.parametrize(("file", "edition", "criterion"), SETS)
def test_published_figures(file, edition, criterion, capsys):
    """The TEC exercise paper and TieBreakServer: each value and each place, in its edition, at two doors."""
    printed = {
        int(row["player_no"]): Decimal(row["value"])
        for row in ROWS
        if (row["file"], row["edition"], row["criterion"]) == (file, edition, criterion)
    }
    for door in (by_library, by_command):
        value = door(file, edition, names_of(criterion), capsys)
        lines = {line["no"]: line for line in value["teams"] or value["players"]}
        assert {no: figure_of(criterion, lines[no]) for no in printed} == printed, door
