"""A coach's table: each line is what `look_ahead`, `score_needed` and `rate_period` say of that pupil."""

import csv
from datetime import date

import pytest

import arpad
from arpad.cli import main
from arpad.errors import BadFile
from arpad.forecast.pupils import pupils_ahead
from arpad.formats.pupils import pupils_of

TABLE = "docs/examples/pupils.csv"
DAY = date(2026, 11, 18)
FIDE = arpad.system("fide-standard")


def test_a_line_is_what_the_single_questions_say():
    """The chance of an outlook, the score of a need, and K with the day it ends, for a junior of 2010."""
    with open(TABLE, encoding="utf-8") as file:
        found = pupils_ahead(FIDE, pupils_of(file.read(), TABLE), on=DAY)
    anna = found.pupils[0]
    player = arpad.Player(arpad.EloStanding(1780, games=60, peak=1785), birth_year=2010)
    games = [arpad.Pairing(arpad.Player(rating), colour=colour) for rating, colour in
             ((1700, None), (1750, None), (1800, "black"), (1820, None), (1850, "black"))]  # fmt: skip
    day = date(2026, 12, 5)
    outlook = arpad.look_ahead(FIDE, player, games, on=day, reach=1800, typical=True)
    need = arpad.score_needed(FIDE, player, [game.opponent for game in games], reach=1800, on=day)
    assert (anna.chance, anna.gain, anna.score) == (outlook.reach, outlook.gain, need.score)
    assert anna.k == 40
    assert anna.k_until == date(2029, 1, 1)  # 8.3.3: K 40 until the end of the year of the 18th birthday


def test_two_rows_of_one_name_are_one_pupil_with_all_games():
    """Two events that count for one list are one line."""
    pupils = pupils_of("name;rating;against\nEva;1800;1750 1760\nEva;1800;1900\n", "table")
    assert [len(pupil.games) for pupil in pupils] == [3]


def test_a_pupil_who_cannot_be_answered_has_the_reason():
    """A target below the floor does not stop the other lines."""
    found = pupils_ahead(FIDE, pupils_of("name,rating,reach,against\nA,1800,900,1750\nB,1800,1810,1750\n", "t"), on=DAY)
    assert found.pupils[0].why is not None
    assert found.pupils[0].chance is None
    assert found.pupils[1].chance is not None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name,against\nA,1750\n", "needs the column rating"),
        ("rating,colour\n1800,x\n", "needs the column rating"),
        ("name,rating\nA,1800\n", "needs games to come"),
        ("name,rating,average\nA,1800,1850\n", "needs rounds"),
        ("name,rating,against\nA,,1850\n", "needs a rating"),
        ("name,rating,against\n", "no pupils"),
    ],
)
def test_a_table_that_is_not_understood_is_refused(text, said):
    """The reason names the column, and the place the line."""
    with pytest.raises(BadFile, match=said):
        pupils_of(text, "table")


def test_the_command_writes_the_table(tmp_path, capsys):
    """One row a pupil below the headings."""
    target = tmp_path / "table.csv"
    assert main(["pupils", TABLE, "--on", "2026-11-18", "--to", str(target)]) == 0
    capsys.readouterr()
    with open(target, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0][:3] == ["name", "rating", "games"]
    assert [row[0] for row in rows[1:]] == ["Anna Berg", "Ben Castro", "Cleo Dahl"]
