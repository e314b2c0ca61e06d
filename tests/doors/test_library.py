"""The library: what a Python caller may pass, and what is refused."""

import inspect
import re
import subprocess
import sys
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from textwrap import dedent

import numpy as np
import pytest
from offenders import none_of

import arpad
from arpad import BadInput, DwzStanding, EloStanding, Event, Game, Period, Player, bulk, draw, loss, win
from arpad.cli import main
from arpad.core import ListedK
from arpad.forecast.typical import AimOptions
from arpad.messages import ORIGINAL, section
from conftest import ROOT

ON = date(2026, 11, 15)
FIDE = arpad.system("fide-standard")
ELO = arpad.system("elo")
LISTED = Player(EloStanding(1750, k=10, k_from=ListedK("fide 2026-11", "fide-standard")))


def test_a_single_game_and_a_bare_rating_are_taken():
    """`rate(1750, win(1950))` means one player and one game."""
    assert FIDE.rate(1750, win(1950), on=ON).change == FIDE.rate(Player(1750), [win(1950)], on=ON).change


def test_numbers_of_an_array_library_are_taken():
    """NumPy's integers and floats are numbers."""
    assert (
        FIDE.rate(Player(EloStanding(np.int64(1750), k=np.float64(40))), [win(np.int32(1950))], on=ON).new_rating
        == 1780
    )


@pytest.mark.parametrize(("call", "words"), [
    (lambda: FIDE.rate(Player(1750), ["1950:win"], on=ON), "is not a game; make one with win"),
    (lambda: FIDE.rate(Player(1750), "1950:win", on=ON), "is not a game"),
    (lambda: FIDE.rate(Player(1750), [win(1950)], on="2026-11-15"), "is not a day"),
    (lambda: FIDE.rate(Player(1750), [win(1950)], on=datetime(2026, 11, 15)), "is not a day"),  # noqa: DTZ001
    (lambda: FIDE.rate(Player(1750), [win(1950)], on=ON, base=99999), "is not a rating"),
    (lambda: FIDE.rate_period(Player(1750), Period((Event((win(1950),), rating=-5),)), on=ON), "is not a rating"),
    (lambda: FIDE.rate_period(Player(1750), Period((Event((win(1950),), on=date(2027, 1, 1)),)), on=ON), "is after"),
    (lambda: FIDE.first_rating([Event((win(1950),), on=date(2027, 1, 1))], on=ON), "is after"),
    (lambda: Player(True), "is not a rating"),
    (lambda: Player(float("nan")), "is not a rating"),
    (lambda: Game(1950, 0.7), "a score is 1, 0.5 or 0"),
    (lambda: Game(1950, 1, "lost on time"), "played, forfeit, bye"),
    (lambda: FIDE.rate(Player(1750.5), [win(1950)], on=ON), "whole numbers"),
    (lambda: FIDE.expect(1500, 1700, on="2026-11-15"), "is not a day"),
    (lambda: ELO.expect(1500, 1700, on="2026-11-15"), "is not a day"),
    (lambda: ELO.expected_score(0, on="2026-11-15"), "is not a day"),
    (lambda: arpad.system("dwz").rate_period(1500, Period((Event((win(1700),)),)), on="2026-11-15"), "is not a day"),
    (lambda: arpad.system("glicko").expect(1500, 1700, on="2026-11-15"), "is not a day"),
    (lambda: arpad.system("uschess-regular").expect(1500, 1700, on="2026-11-15"), "is not a day"),
    (lambda: FIDE.first_rating([win(1950)], on="2026-11-15"), "is not a day"),
    (lambda: FIDE.first_rating(["1950:win"], on=ON), "is not a game; make one with win"),
    (lambda: arpad.performance([win(1600)], on="2026-11-15"), "is not a day"),
    (lambda: arpad.performance(["1600:win"], on=ON), "is not a game"),
    (lambda: arpad.compare(1500, win(1600), on="2026-11-15"), "is not a day"),
    (lambda: arpad.score_needed(FIDE, 1500, [1600], reach="high", on=ON), "'high' is not a rating"),
    (lambda: arpad.score_needed(FIDE, 1500, [1600], reach=1510, on="2026-11-15"), "is not a day"),
    (lambda: arpad.rating_needed(FIDE, [1700.5], expected=0.75, on=ON), "1700.5 is not a FIDE rating"),
    (lambda: Player(1500, birth_year=1700), "1700 is not a year of birth"),
    (lambda: FIDE.rate_period(1750, [win(1950)], on=ON), "is not an event; make one with Event"),
    (lambda: arpad.rate_event("open.trf"), r"'open.trf' is not a tournament; arpad.read\(FILE\) gives one"),
    (lambda: arpad.rate_event("open.trf", on=ON), "is not a tournament"),
    (lambda: arpad.find_norms("open.trf"), "is not a tournament"),
    (lambda: arpad.tie_breaks("open.trf", ["ARO"]), "is not a tournament"),
    (lambda: arpad.inconsistencies("open.trf"), "is not a tournament"),
    (lambda: arpad.write("open.trf", "copy.trf"), "is not a tournament"),
])  # fmt: skip
def test_what_is_refused(call, words):
    """A wrong argument is a BadInput with one sentence, never an error of Python's own."""
    with pytest.raises(BadInput, match=words):
        call()


def test_one_title_and_one_tie_break_need_no_list():
    """A single name is a name, not a row of letters; the figures are those of docs/norms.md and docs/ties.md."""
    event = arpad.read(ROOT / "docs/examples/norms.trf")
    assert [one.title for one in arpad.find_norms(event, titles="IM").player(12).norms] == ["IM"]
    assert arpad.tie_breaks(event, "TPR").of(9) == {"TPR": 2686}


def test_bare_ratings_and_single_games_are_taken_everywhere():
    """Wherever a player, games, events, opponents or systems may stand, a number and a single one will do."""
    assert FIDE.rate_period(2410, Event((win(2205),)), on=ON).change == Decimal("2.40")  # 2410 − 2205: table 8.1.2, .76
    assert FIDE.rate_period(2410, [Event((win(2205),))] * 2, on=ON).change == Decimal("4.80")
    assert arpad.performance(win(1950), on=ON, method="TPR").value()["method"] == "tpr"  # as C.07 writes it
    assert arpad.rating_needed(FIDE, 1700, expected=0.75, on=ON).rating == 1889  # docs/start.md
    assert arpad.rating_needed(FIDE, Player(1700), expected=0.75, on=ON).rating == 1889
    assert [line.system for line in arpad.compare(1500, win(1600), on=ON, systems="elo").systems] == ["elo"]
    assert [line.system for line in arpad.compare(1500, win(1600), on=ON, systems=ELO).systems] == ["elo"]
    assert ELO.rate_period(1500, Period((Event((win(1500),)),)), on=ON).change == 16
    assert arpad.performance(win(1600), on=ON).performance == 2400  # 1600 + 800, table 8.1.1
    assert [line.system for line in arpad.compare(1500, win(1600), on=ON, systems=["elo"]).systems] == ["elo"]
    assert arpad.score_needed(ELO, 1500, [1500], reach="1510", on=ON).reach == 1510
    assert arpad.look_ahead(ELO, 1500, [1500], on=ON).mean == pytest.approx(0)
    assert len(FIDE.first_rating(win(1950), on=ON).per_game) == 1


@pytest.mark.parametrize(("player", "why"), [
    (Player(1750), "assumed: an adult with 30 games or more"),
    (Player(1750, birth_year=1990), "assumed: 30 games or more"),
    (Player(EloStanding(1750, games=400)), "assumed: an adult"),
    (Player(EloStanding(1750, games=10)), "fewer than 30 rated games completed"),  # a junior's K is 40 as well
    (Player(EloStanding(1750, games=400), birth_year=1990), "30 games completed, and 2400 never reached"),
    (Player(2450), "a published rating has reached 2400; K stays at 10 for good"),
    (Player(EloStanding(1750, k=20)), None),
    (LISTED, "from the list fide 2026-11"),
])  # fmt: skip
def test_k_says_where_it_comes_from(player, why):
    """A K that rests on what is not known calls itself assumed, in every answer; one from a list names the list."""
    change, before = FIDE.rate(player, win(1950), on=ON), FIDE.expect(player, 1950, on=ON)
    assert (change.value()["k_why"], before.value()["k_why"]) == (why, why)
    assert [None if one is None else str(one) for one in (change.k_why, before.k_why)] == [why, why]
    shown = next(figure for figure in change.summary() if figure.key == "k")
    assert str(shown.remark) == (why or "given")
    assert any(note.key.startswith("notes.k.assumed") for note in change.notes) == (why or "").startswith("assumed")


def test_the_k_of_a_list_is_the_k_of_its_own_system():
    """FIDE's K is not plain Elo's, which has its own, nor US Chess's, which is asked for without one."""
    assert FIDE.rate(LISTED, win(1950), on=ON).k == 10
    assert ELO.rate(LISTED, win(1950), on=ON).k == 32
    assert arpad.system("uschess-regular").rate(LISTED, win(1950), on=ON).k is not None
    club = replace(LISTED, standing=replace(LISTED.standing, k_from=ListedK("club 2026-11")))
    assert ELO.rate(club, win(1950), on=ON).k == 10


def test_k_of_other_systems_is_assumed_too():
    """Where age, index or games are not known, DWZ, ECF and US Chess say so beside K."""
    whys = {
        name: str(arpad.system(name).rate(1750, win(1950), on=ON).k_why) for name in ("dwz", "ecf", "uschess-regular")
    }
    assert whys["dwz"] == "assumed: an age over 25 and an index over 10"
    assert whys["ecf"] == "assumed: an adult"
    assert whys["uschess-regular"].startswith("assumed: an established rating; ")
    sure = arpad.system("dwz").rate(Player(DwzStanding(1750, index=60), birth_year=1990), win(1950), on=ON)
    assert str(sure.k_why) == "what a point more than expected is worth"


def test_options_are_named_at_the_command_alone(capsys):
    """The library's notes name what is missing; the command adds the option that gives it."""
    change = FIDE.rate(1750, win(1950), on=ON)
    for form in ("text", "markdown", "html", "json"):
        said = change.explain(form)
        assert "number of rated games" in said
        assert "(--" not in said
    for more in ([], ["--explain"]):
        assert main(["rate", "1750", "1950:win", "--on", str(ON), *more]) == 0
        assert "(--born)" in capsys.readouterr().out


def test_a_game_too_fast_says_how_fast_and_what_is_needed():
    """30 minutes between two players of 1800 and more, where 1.1 asks for 90."""
    change = FIDE.rate(2000, win(1950), on=ON, pace=arpad.Pace(30))
    why = "30 minutes for 60 moves; at least 90 are needed, because a player has 1800 or more [FIDE 1.1]"
    assert str(change.per_game[0].why) == why
    rapid = arpad.system("fide-rapid").rate(1500, win(1400), on=ON, pace=arpad.Pace(10))
    assert "10 minutes for 60 moves; more than 10 and less than 60 are needed [" in str(rapid.per_game[0].why)


def test_a_change_keeps_its_half_point():
    """1500.5 that becomes 1516 has gained 15.5, not 15."""
    change = ELO.rate(1500.5, win(1500), on=ON)
    assert (change.new_rating, change.rounded, change.value()["rounded"]) == (1516, Decimal("15.5"), 15.5)


def test_the_opponent_is_blamed_for_the_opponents_rating():
    """A fraction in an opponent's rating is found in that game."""
    for system in (FIDE, arpad.system("ecf")):
        with pytest.raises(BadInput) as caught:
            system.rate(1500, [win(1600), win(1600.5)], on=ON)
        assert caught.value.at == "game[1]"


def test_what_rests_on_other_steps_was_not_given():
    """PTP's expected scores cite table 8.1.2; nothing that was worked out is called known."""
    performance = arpad.performance([win(1950), draw(2010), loss(1890)], on=ON, method="ptp")
    reached = [step for step in performance.steps if step.key.startswith("reached")]
    assert {(step.kind, step.rule.article) for step in reached} == {("ruled", "B02-2024 8.1.2")}
    needed = arpad.rating_needed(FIDE, [1700], expected="0.75", on=ON)
    strength = arpad.likely_strength(FIDE, 1500, [arpad.Pairing(Player(1600), Decimal(1))], on=ON)
    for step in (*needed.steps, *strength.steps):
        assert (step.kind == "known") == (not step.given and step.rule is None)


def test_bulk_is_at_hand():
    """`import arpad` is enough to call `arpad.bulk.rate`."""
    code = "import arpad; print(arpad.bulk.rate.__name__, 'bulk' in dir(arpad))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["rate", "True"]


def test_a_standard_rating_counts_in_standard():
    """In standard a standard rating is the rating itself, for the player and for an opponent."""
    opponent = Player(EloStanding(standard=1950))
    change = FIDE.rate(Player(EloStanding(standard=1750, k=40)), [win(opponent)], on=ON)
    assert (change.rating, change.new_rating, change.games) == (1750, 1780, 1)


def test_answers_show_themselves():
    """An answer's repr has its figures, and a player's repr is valid Python."""
    change = FIDE.rate(Player(EloStanding(1750, k=20)), [draw(1950), loss(1800)], on=ON)
    assert "new_rating=" in repr(change)
    assert repr(Player(1750, birth_year=2010)) == "Player(1750, birth_year=2010)"


def test_the_search_for_a_rating_goes_as_far_as_the_curve():
    """On Elo's endless curve a hundredth of a percent is far away: 1599.98 above 1700, and 1199.83 below for 0.001."""
    elo = arpad.system("elo")
    assert arpad.rating_needed(elo, [1700], expected="0.9999", on=ON).rating == 3300
    assert arpad.rating_needed(elo, [1700], expected="0.001", on=ON).rating == 501


def test_every_public_function_says_what_it_accepts_gives_and_raises():
    """A docstring says what is accepted, what is given and what is raised; `system_names` takes and refuses nothing."""
    functions = {name: value for name in arpad.__all__ if inspect.isfunction(value := getattr(arpad, name))}
    functions |= {f"bulk.{name}": value for name in bulk.__all__ if inspect.isfunction(value := getattr(bulk, name))}
    methods = {f"System.{name}": one for name, one in vars(arpad.System).items() if inspect.isfunction(one)}
    functions |= {name: one for name, one in methods.items() if not name.startswith("System._")}
    none_of(
        f"{name}: {verb}"
        for name, one in functions.items()
        for verb in ("accepts", "gives", "raises")
        if name != "system_names" and not re.search(rf"\b{verb}\b", one.__doc__ or "", re.IGNORECASE)
    )


def test_notes_name_arguments_that_there_are():
    """What a note calls `birth_year` or `known` is a parameter of a public function, or of a system's method."""
    functions = [value for name in arpad.__all__ if inspect.isfunction(value := getattr(arpad, name))]
    functions += [one for one in vars(arpad.System).values() if inspect.isfunction(one)]
    parameters = {name for one in functions for name in inspect.signature(one).parameters}
    parameters |= set(AimOptions.__annotations__)
    named = section(ORIGINAL, "fields.python").values()
    none_of(name for name in named if name.partition("=")[0] not in parameters)
    event = arpad.rate_event(arpad.read(ROOT / "docs" / "examples" / "open.trf"))
    assert any("; `known` can supply" in str(note) for note in event.notes)


EXAMPLES = {
    name: dedent("\n".join(lines))
    for name, one in vars(arpad.System).items()
    if inspect.isfunction(one) and (lines := re.findall(r"(?m)^ {12}\S.*", one.__doc__ or ""))
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_of_a_system_run(name):
    """What the docstring of a method shows can be pasted into a program."""
    names = {"fide": FIDE, "date": date, "Event": Event, "win": win, "draw": draw, "loss": loss}
    exec(EXAMPLES[name], names)  # noqa: S102  # our own examples


def test_the_methods_people_start_with_have_an_example():
    """Each of them shows how it is called."""
    assert set(EXAMPLES) >= {"rate", "rate_period", "game", "league", "expect", "first_rating", "conversion"}
