"""Typical for the age: the strength that players of an age and a rating had on FIDE's lists."""

import itertools
import json
from datetime import date

import pytest

import arpad
from arpad import EloStanding, PlannedEvent, Player
from arpad.cli import main
from arpad.core import Pairing
from arpad.errors import BadInput, Unsupported
from arpad.forecast.typical import typical_of

FIDE = arpad.system("fide-standard")
ON = date(2026, 11, 15)
JUNIOR = Player(1780, birth_year=2012)
OPEN = [1700, 1750, 1800, 1820, 1850, 1900, 1920]


def test_a_junior_gains_and_a_senior_loses():
    """At 14 with 1780 players gained about 11 in such an event, at 65 they lost (FIDE's lists, August 2025)."""
    junior = arpad.look_ahead(FIDE, JUNIOR, OPEN, on=ON, typical=True)
    senior = arpad.look_ahead(FIDE, Player(EloStanding(1780, k=20), birth_year=1961), OPEN, on=ON, typical=True)
    # 7 games at +1.48 points a game, and what the open adds or takes.
    assert 9 < junior.mean < 13
    assert senior.mean < -5
    assert junior.strength == 1780 + round(junior.typical.points)
    assert "notes.typical" in [note.key for note in junior.notes]
    assert "1780 + 27 = 1807" in junior.explain()


def test_the_library_takes_the_rating_unless_asked():
    """A year of birth decides K; the strength only if that is asked."""
    outlook = arpad.look_ahead(FIDE, JUNIOR, OPEN, on=ON)
    assert (outlook.strength, outlook.typical) == (1780, None)


@pytest.mark.parametrize(("more", "strength"), [
    ([], 1807), (["--typical"], 1807), (["--by-rating"], 1780), (["--strength", "1850"], 1850),
])  # fmt: skip
def test_typical_strength_is_the_default_where_the_age_is_known(more, strength, capsys):
    """At the doors a year of birth is enough; a strength or --by-rating turns it off."""
    line = ["outlook", "1780", "--born", "2012", "--against", "1700", "--on", "2026-11-15", "--json"]
    assert main([*line, *more]) == 0
    value = json.loads(capsys.readouterr().out)["value"]
    assert value["strength"] == strength
    assert (value["typical"] is None) == (strength != 1807)


def test_typical_strength_is_off_where_no_age_is_known(capsys):
    """Without a year of birth, and in other systems, the strength is the rating."""
    for more in ([], ["--born", "2012", "--system", "elo"]):
        assert main(["outlook", "1780", "--against", "1700", "--k", "20", "--on", "2026-11-15", "--json", *more]) == 0
        assert json.loads(capsys.readouterr().out)["value"]["strength"] == 1780


def test_typical_strength_is_off_on_another_scale(capsys):
    """FIDE raised ratings below 2000 in March 2024 (7.2.2): what is typical is known for ratings since then only."""
    line = ["outlook", "1200", "--born", "1950", "--against", "1250", "--on", "2023-06-01"]
    assert main([*line, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["value"]["strength"] == 1200
    assert main([*line, "--typical"]) == 2
    assert "those of 2023-06-01 had another scale" in capsys.readouterr().err


def test_the_note_names_the_players_it_rests_on():
    """The ages and ratings of the players counted in docs/chances.md, not those of the one who asks."""
    junior = arpad.look_ahead(FIDE, JUNIOR, OPEN, on=ON, typical=True)
    assert "players aged 13 to 15 with 1600 to 1799 on FIDE's lists" in str(junior.notes[0])
    champion = arpad.look_ahead(FIDE, Player(2839, birth_year=1990), [Pairing(Player(2700))], on=ON, typical=True)
    assert "players aged 30 to 39 with 2200 or more on FIDE's lists" in str(champion.notes[0])


def test_below_the_lowest_band_the_age_decides():
    """An old player below 1400 is not taken for a child: from 60 on the surplus is negative (docs/chances.md)."""
    assert typical_of(FIDE, Player(1390, birth_year=1950), 1390, on=ON).points < 0


def test_need_says_what_it_assumed(capsys):
    """The score needed is for the same strength as the outlook, and the answer has what was assumed."""
    line = ["need", "1780", "--born", "2012", "--against", "1700", "--reach", "1790", "--on", "2026-11-15", "--json"]
    assert main(line) == 0
    value = json.loads(capsys.readouterr().out)["value"]
    assert (value["strength"], value["typical"]["age"], value["typical"]["last_age"]) == (1807, 13, 15)


def test_typical_strength_fades_as_the_rating_catches_up():
    """The strength stays while the rating rises, so each list of a season gains less than the one before."""
    events = [PlannedEvent((Pairing(Player(1800)),) * 9, date(2027, month, 10)) for month in (1, 2, 3, 4)]
    season = arpad.look_ahead_season(FIDE, JUNIOR, events, on=ON, typical=True)
    means = [1780, *(one.mean_rating for one in season.lists)]
    gains = [after - before for before, after in itertools.pairwise(means)]
    assert gains == sorted(gains, reverse=True)
    assert gains[-1] > 0


@pytest.mark.parametrize(("player", "system", "more", "error", "says"), [
    (Player(1780), FIDE, {}, BadInput, "year of birth"),
    (JUNIOR, FIDE, {"strength": 1800}, BadInput, "not both"),
    (Player(EloStanding(1780, k=20), birth_year=2012), arpad.system("elo"), {}, Unsupported, "not for elo"),
])  # fmt: skip
def test_what_it_cannot_say_gets_a_sentence(player, system, more, error, says):
    """Without an age, with a strength, and in another system it is refused."""
    with pytest.raises(error, match=says):
        arpad.look_ahead(system, player, OPEN, on=ON, typical=True, **more)


def test_both_readings_at_once_are_refused(capsys):
    """--typical and --by-rating contradict each other."""
    assert main(["outlook", "1780", "--born", "2012", "--against", "1700", "--typical", "--by-rating"]) == 2
    assert "not both" in capsys.readouterr().err
