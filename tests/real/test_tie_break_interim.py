"""Every figure of the FIDE commission's program after rounds of unfinished events, and Fore Buchholz before the end."""

import csv
from dataclasses import replace
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from functools import cache

import pytest

import arpad
from conftest import shared

FOLDER = shared("data/tournaments")
with shared("vectors/tie_breaks_interim.csv").open(encoding="utf-8") as source:
    ROWS = list(csv.DictReader(source))
TABLES = sorted({(row["file"], row["edition"], int(row["after_round"])) for row in ROWS})
NINE = "tec_exercise_held_swiss_9.trf"
REAL = sorted(path.name for path in FOLDER.glob("*_after_r8.trf"))
CENT = Decimal("0.01")


@cache
def read(file):
    return arpad.read(FOLDER / file)


@pytest.mark.parametrize(("file", "edition", "after"), TABLES)
def test_published_figures_after_a_round(file, edition, after):
    """TieBreakServer: points, BH, BH/C1, SB, AOB, FB and KS of every player, in both editions."""
    printed = {
        (int(row["player_no"]), row["criterion"]): Decimal(row["value"])
        for row in ROWS
        if (row["file"], row["edition"], int(row["after_round"])) == (file, edition, after)
    }
    names = sorted({criterion for _, criterion in printed})
    found = arpad.standings(read(file), names, round=after, on=date.fromisoformat(edition))
    ours = {(line.no, name): line.values[name] for line in found.players for name in names}
    # The program prints 0 for the mean of a player who has met nobody; here there is no value.
    plain = {key: Decimal(0) if value is None else Decimal(value) for key, value in ours.items()}
    assert {key: plain[key].quantize(CENT, ROUND_HALF_UP) for key in printed} == printed


def test_all_figures_are_there():
    """4,158 figures: nothing is left out by a filter."""
    assert len(ROWS) == 4158


@pytest.mark.parametrize("file", REAL)
def test_fore_buchholz_before_the_final_round_is_buchholz(file):
    """Article 8.3 is about the final round of the tournament: after eight of nine rounds FB and BH are the same."""
    found = arpad.standings(read(file), ["BH", "FB", "BH/C1", "FB/C1"], on=date(2026, 3, 1))
    assert found.round == 8
    assert [(one.values["FB"], one.values["FB/C1"]) for one in found.players] == [
        (one.values["BH"], one.values["BH/C1"]) for one in found.players
    ]


# TieBreakServer's FB of the whole event; it prints the same where the last round is paired without results.
FORE = ("43.0", "44.5", "45.0", "43.5", "37.5", "47.5", "37.5", "41.0", "32.5", "39.5", "39.0", "32.0", "38.0", "39.5",
        "42.5", "45.5")  # fmt: skip


@pytest.mark.parametrize("results", [0, 1, 5, 8])
def test_fore_buchholz_has_its_final_value_when_the_final_round_is_paired(results):
    """Whatever the results of the final round will be, FB is the one of the whole event."""
    event = read(NINE)
    boards = [entrant.no for entrant in event.entrants if entrant.rounds[8].colour == "white"]
    with_result = {no for white in boards[:results] for no in (white, event.entrant(white).rounds[8].opponent)}
    entrants = tuple(
        entrant
        if entrant.no in with_result
        else replace(
            entrant,
            points=None,
            rounds=(*entrant.rounds[:8], replace(entrant.rounds[8], kind="pending", score=None)),
        )
        for entrant in event.entrants
    )
    found = arpad.standings(replace(event, entrants=entrants), ["FB"])
    assert {one.no: one.values["FB"] for one in found.players} == {
        no: Decimal(value) for no, value in enumerate(FORE, start=1)
    }
    assert found.round == (8 if not results else 9)
