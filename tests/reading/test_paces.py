"""Time controls in figures and in words; the texts and their readings are outside, in reference/time-controls.csv."""

import csv
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arpad.core import Pace
from arpad.errors import BadInput
from arpad.questions.time_control import time_control
from arpad.reading import parse_pace, read_pace
from conftest import shared

with shared("reference/time-controls.csv").open(encoding="utf-8", newline="") as file:
    ROWS = [pytest.param(row, id=row["text"][:50]) for row in csv.DictReader(file) if "by a slip" not in row["note"]]


def periods_of(text):
    """`90/40;30` of the table: minutes, and the moves where there are any."""
    parts = [part.partition("/") for part in text.split(";") if part]
    return [(Decimal(minutes), int(moves) if moves else None) for minutes, _, moves in parts]


@pytest.mark.parametrize("row", ROWS)
def test_text_of_the_table(row):
    """Every real text gives its periods, its increment, its minutes for 60 moves and its class; an unclear one says so.

    Two time controls that are equally long are unclear, but their minutes and their class are not. `--time` takes
    every text whose minutes are understood, and refuses the others with the reason.
    """
    minutes = row["minutes_for_60_moves"] or None
    reading = read_pace(row["text"])
    assert [(period.minutes, period.moves) for period in reading.periods] == periods_of(row["periods"])
    assert row["increment_seconds"] in ("", str(reading.increment))
    assert (None if reading.minutes is None else str(reading.minutes)) == minutes
    assert reading.unclear == (reading.minutes is None or len(reading.readings) > 1)
    assert reading.unclear or row["class"] != "unclear"
    assert reading.why or not reading.unclear
    if minutes:
        assert parse_pace(row["text"]).total == Decimal(minutes)
    else:
        with pytest.raises(BadInput, match="is not a time control"):
            parse_pace(row["text"])

    found = time_control(row["text"], on=date(2026, 11, 15)).value()
    assert found["class"] in (row["class"].replace(" ", "-"), None if minutes else "unclear")
    assert (None if found["minutes"] is None else str(found["minutes"])) == minutes
    assert (found["class"] in ("not-rated", "unclear")) == (not any("fide" in name for name in found["rated_in"]))
    assert found["why"] or found["class"] != "unclear"


@pytest.mark.parametrize(("text", "pace"), [
    ("G/60;d5", (60, 5)), ("G/90;inc30", (90, 30)), ("G60 d5", (60, 5)), ("G/30", (30, 0)),
    ("40/90, SD/30; d5", (120, 5)), ("15|10", (15, 10)), ("1h30 + 30s", (90, 30)), ("25 min + 10", (25, 10)),
    ("45 dakika + 15 saniye", (45, 15)), ("1,5 Stunden", (90, 0)), ("1 hour 30 minutes", (90, 0)),
])  # fmt: skip
def test_other_spellings(text, pace):
    """US Chess's announcements and further spellings; a delay counts as an increment does."""
    assert parse_pace(text) == Pace(*pace)


def test_a_slip_of_the_pen_is_not_mended():
    """The table has a real text that says 90 minutes per move; it is unclear, and the slip is not read as a period."""
    slip = "90 perc lépésenként, majd a 40-ik lépés után további 30 perc, végig 30 másodperc időhozzáadással"
    assert read_pace(slip).unclear


@pytest.mark.parametrize("text", ["Standard 90+30", "90+30 Fischer", "90 + 30 per move", "90 + 30 od prvog poteza"])
def test_words_known_to_change_nothing(text):
    """`90+30` says what it is, beside words known to change nothing."""
    reading = read_pace(text)
    assert (reading.minutes, reading.increment) == (120, 30)


@pytest.mark.parametrize("text", ["90/30", "90 min + 90", "5400+30", "30s", "", "blitz", "60/40", "90 min or 60 min",
                                  "90+x", "90+", "x+30", "90 foo", "90 minutes plus increment",
                                  "90 Minuten mit Inkrement"])  # fmt: skip
def test_what_is_unclear_is_not_guessed(text):
    """Moves or minutes, minutes or seconds, seconds alone, nothing at all: the reading is None and says why."""
    reading = read_pace(text)
    assert (reading.minutes, reading.unclear) == (None, True)
    assert reading.why


def test_digits_of_any_script():
    """Thai and Bengali digits count too, also directly before a word that is in no vocabulary."""
    assert read_pace("๙๐ + ๓๐").pace == read_pace("৯০ + ৩০").pace == Pace(90, 30)
    assert read_pace("๑๐นาที").unclear


def test_what_players_with_different_times_have_in_common():
    """Different minutes for White and Black are refused; the seconds for each move are read, in words and as marks."""
    for text in ("White 12 min + 3 sec, Black 10 min + 3 sec", "White 12'+3\", Black 10'+3\""):
        assert (read_pace(text).minutes, read_pace(text).increment) == (None, 3)


def test_an_ampersand_is_and():
    """`1 h & 30 min` is one time."""
    assert read_pace("1 h & 30 min").pace == read_pace("1 h and 30 min").pace == Pace(90, 0)


@given(st.integers(1, 180), st.integers(0, 60), st.sampled_from([
    ("min", "sec"), ("Minuten", "Sekunden pro Zug"), ("minutos", "segundos por jugada"), ("минут", "секунд на ход"),
    ("minuti", "secondi a mossa"), ("perc", "másodperc lépésenként"), ("minut", "sekund na ruch"), ("'", "''"),
    ("′", "″"), ("minuten", "seconden per zet"), ("минута", "секунди по потезу"), ("minutes", "secondes par coup"),
]), st.sampled_from([" + ", "+", " plus ", ", "]))  # fmt: skip
def test_minutes_and_seconds_in_any_language(minutes, seconds, units, between):
    """The same two numbers in twelve spellings are the same time control."""
    reading = read_pace(f"{minutes} {units[0]}{between}{seconds} {units[1]}")
    assert ([(one.minutes, one.moves) for one in reading.periods], reading.increment) == ([(minutes, None)], seconds)
    assert reading.minutes == minutes + seconds
