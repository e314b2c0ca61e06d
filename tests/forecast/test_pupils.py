"""A coach's table: each line is what `look_ahead`, `score_needed` and `rate_period` say of that pupil."""

import csv
import io
import sys
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


def nobody(text):
    """A rating list without players."""
    raise AssertionError(text)


def test_a_line_is_what_the_single_questions_say():
    """The chance of an outlook, the score of a need, and K with the day it ends, for a junior of 2010."""
    with open(TABLE, encoding="utf-8") as file:
        found = pupils_ahead(FIDE, pupils_of(file.read(), TABLE, nobody), on=DAY)
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
    pupils = pupils_of("name;rating;against\nEva;1800;1750 1760\nEva;1800;1900\n", "table", nobody)
    assert [len(pupil.games) for pupil in pupils] == [3]


def test_a_pupil_who_cannot_be_answered_has_the_reason():
    """A target below the floor does not stop the other lines."""
    found = pupils_ahead(
        FIDE, pupils_of("name,rating,reach,against\nA,1800,900,1750\nB,1800,1810,1750\n", "t", nobody), on=DAY
    )
    assert found.pupils[0].why is not None
    assert found.pupils[0].chance is None
    assert found.pupils[1].chance is not None


def test_a_fide_id_is_looked_up_and_the_row_comes_first():
    """Born and K are the list's, the rating is the row's if it has one; the ID is asked for as people type it."""
    listed = arpad.Player(arpad.EloStanding(2300, k=10), birth_year=1990, name="Listed, Lena", fide_id=1503014)
    asked = []

    def find(text):
        asked.append(text)
        return listed

    first, second = pupils_of("id,rating,against\n1503014,,2300\n@1503015,2310,2300\n", "t", find)
    assert asked == ["@1503014", "@1503015"]
    assert (first.player.name, first.player.birth_year, first.player.rating) == ("Listed, Lena", 1990, 2300)
    assert (second.player.rating, second.player.standing.k) == (2310, 10)


def test_the_diary_is_rated_before_the_games_to_come():
    """Three wins in September bring 1800 to the October list; a win in November counts with the games of November."""
    text = (
        "name,rating,born,on,reach,against\n"
        "Eva,1800,1990,2026-09-05,,1800:win 1800:win 1800:win\n"
        "Eva,,,2026-11-07,,1850:win\n"
        "Eva,,,2026-11-21,1860,1850 1900\n"
    )
    (eva,) = pupils_ahead(FIDE, pupils_of(text, "t", nobody), on=DAY).pupils
    # 8.3.1: three wins against equals, 0.5 each, at K 20: 1800 + 30.
    assert eva.rating == 1830
    assert eva.games == 2
    games = [arpad.Pairing(1850, 1), arpad.Pairing(1850), arpad.Pairing(1900)]
    player = arpad.Player(arpad.EloStanding(1830), birth_year=1990)
    expected = arpad.look_ahead(FIDE, player, games, on=date(2026, 11, 21), reach=1860, typical=True)
    assert eva.chance == expected.reach
    total = arpad.score_needed(FIDE, player, [1850, 1850, 1900], reach=1860, on=date(2026, 11, 21)).score
    assert eva.score == total - 1  # the win counts already


def test_a_target_that_no_score_reaches_is_out_of_reach():
    """By FIDE's table two wins against 1850 and 1900 gain 20 × (0.53 + 0.60) = 22.6: from 1830 to 1853 at most."""
    text = "name,rating,reach,against\nEva,1830,1860,1850 1900\n"
    (eva,) = pupils_ahead(FIDE, pupils_of(text, "t", nobody), on=DAY).pupils
    assert (eva.chance, eva.score, str(eva.needs)) == (0, None, "out of reach")


def test_what_was_assumed_is_said():
    """K where the table has neither games nor K, with the names; the spread of a field; and a deviation, once."""
    text = (
        "name,rating,born,games,average,rounds\nAnna,1800,1990,50,1850,5\nBen,1800,1990,,1850,5\nCleo,1700,,,1850,5\n"
    )
    notes = [str(note) for note in pupils_ahead(FIDE, pupils_of(text, "t", nobody), on=DAY).notes]
    assert "A field without a spread is taken to have one of 100." in notes[0]
    assert "K is assumed for Ben, Cleo, because" in notes[1]
    text = "name,rating,against\nAnna,1500,1480\nBen,1600,1480\n"
    glicko = pupils_ahead(arpad.system("glicko"), pupils_of(text, "t", nobody), on=DAY)
    assert sum("deviation of 50 is assumed" in str(note) for note in glicko.notes) == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name,against\nA,1750\n", "needs the column rating or id"),
        ("rating,colour\n1800,x\n", "needs the column rating or id"),
        ("name,rating\nA,1800\n", "needs games to come"),
        ("name,rating,average\nA,1800,1850\n", "needs rounds"),
        ("name,rating,against\nA,,1850\n", "needs a rating"),
        ("name,rating,against\n", "no pupils"),
    ],
)
def test_a_table_that_is_not_understood_is_refused(text, said):
    """The reason names the column, and the place the line."""
    with pytest.raises(BadFile, match=said):
        pupils_of(text, "table", nobody)


def test_the_command_writes_the_table(tmp_path, capsys):
    """One row a pupil below the headings."""
    target = tmp_path / "table.csv"
    assert main(["pupils", TABLE, "--on", "2026-11-18", "--to", str(target)]) == 0
    capsys.readouterr()
    with open(target, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0][:3] == ["name", "rating", "games"]
    assert 0 < float(rows[1][rows[0].index("chance")]) < 1  # a number, not a percentage in words
    assert [row[0] for row in rows[1:]] == ["Anna Berg", "Ben Castro", "Cleo Dahl"]


def test_a_pasted_table_is_read_from_standard_input(monkeypatch, capsys):
    """As copied from a spreadsheet, with tabs."""
    pasted = io.TextIOWrapper(io.BytesIO(b"name\trating\tagainst\nEva\t1800\t1750 1760\n"), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", pasted)
    assert main(["pupils", "-", "--on", "2026-11-18", "--json"]) == 0
    assert '"name": "Eva"' in capsys.readouterr().out


@pytest.mark.parametrize("text", ["name,rating,against\nA,1800,{}\n", "name,rating,{}\n"], ids=["row", "head"])
def test_a_cell_that_is_too_long_for_csv_is_refused_with_its_line(text):
    """Python's own limit of a cell is an error of the file, and not a fault of ours."""
    with pytest.raises(BadFile) as refusal:
        pupils_of(text.format("1" * 140_000), "pupils.csv", nobody)
    assert str(refusal.value.at).startswith("pupils.csv, line ")
