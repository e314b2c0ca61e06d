"""Glicko's family: what it promises, what it refuses, and the one search for a volatility."""

import math
import random
from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import arpad
from arpad import BadInput, Game, Player, UnknownName, Unsupported, draw, loss, win
from arpad.calculation.step import Formula
from arpad.cli import main
from arpad.reading.notation import parse_game
from arpad.systems.glicko import curve
from arpad.systems.glicko.lichess import rules as lichess_rules
from arpad.systems.glicko.volatility import Evidence, Maths, new_volatility
from doors import asked

ON = date(2026, 11, 15)
ARRAYS = Maths(np.log, np.where, np.any)
FAMILY = ("glicko", "glicko-2", "lichess", "chesscom")

ratings = st.floats(1, 4000)
deviations = st.floats(0.0011, 1000)
volatilities = st.floats(0.000011, 1)
players = st.builds(lambda r, d, v: Player(r, deviation=d, volatility=v), ratings, deviations, volatilities)
results = st.tuples(players, st.sampled_from([1, 0.5, 0])).map(lambda pair: Game(*pair))
games = st.lists(results, min_size=1, max_size=8)


@given(st.sampled_from(FAMILY), players, games)
def test_every_answer_is_a_number(name, player, games):
    """Whatever is valid to ask has a finite rating, a deviation above 0 and a volatility above 0."""
    change = arpad.system(name).rate(player, games, on=ON)
    figures = [change.new_rating, change.new_deviation, change.new_volatility or 1.0, *change.interval]
    assert all(map(math.isfinite, figures))
    assert min(figures[1:3]) > 0


@given(players, games)
def test_playing_never_raises_a_deviation(player, games):
    """Glicko: a game is evidence, so nobody is less certain after it."""
    # A deviation that the games hardly touch may be off in the last digit of a float.
    assert arpad.system("glicko").rate(player, games, on=ON).new_deviation <= float(player.deviation) * (1 + 1e-15)


@given(players, st.integers(1, 500))
def test_an_idle_time_moves_the_deviation_alone(player, periods):
    """Without games rating and volatility stay, and nobody gets more certain."""
    idle = Player(player.rating, deviation=player.deviation, volatility=player.volatility, idle=periods)
    for system in (arpad.system("glicko", c=34.6), arpad.system("glicko-2")):
        change = system.rate(idle, [], on=ON)
        assert change.new_rating == change.rating
        assert change.new_volatility == change.volatility
        assert change.new_deviation >= min(change.deviation, 350)


@given(st.sampled_from(FAMILY), players, players)
def test_the_expected_scores_of_both_players_make_one(name, player, opponent):
    """E is symmetric: what one is expected to score the other is expected to lose."""
    system = arpad.system(name)
    one, other = system.expect(player, opponent, on=ON), system.expect(opponent, player, on=ON)
    # Two floats that each carry a rounding of their own.
    assert one.expected + other.expected == pytest.approx(1, abs=1e-12)


@given(st.sampled_from(FAMILY), players, players)
def test_a_better_score_never_gives_a_lower_rating(name, player, opponent):
    """Win, draw and loss come in that order. Lichess may start a player anew at 4000, so it is left below that."""
    if name == "lichess" and player.rating > 3000:
        return
    won, drawn, lost = (
        arpad.system(name).rate(player, [result(opponent)], on=ON).new_rating for result in (win, draw, loss)
    )
    assert won >= drawn >= lost


@given(st.sampled_from(["glicko", "glicko-2"]), players, games, st.randoms())
def test_the_order_of_the_games_does_not_matter(name, player, games, chance):
    """A period is rated at once; packages that replay it game by game give another answer."""
    mixed = chance.sample(games, len(games))
    one, other = (arpad.system(name).rate(player, order, on=ON).new_rating for order in (games, mixed))
    # A sum of floats in another order, and a search that stops at a millionth.
    assert one == pytest.approx(other, abs=1e-6)


@given(st.lists(st.tuples(volatilities, st.floats(0.006, 6), st.floats(0.1, 1e6), st.floats(-50, 50)), min_size=1))
def test_one_player_and_an_array_of_them_have_the_same_volatilities(rows):
    """The search for a volatility gives one player what it gives that player in an array."""
    alone = [new_volatility(Evidence(*row), tau=0.5, tolerance=1e-6) for row in rows]
    together = new_volatility(Evidence(*map(np.array, zip(*rows, strict=True))), tau=0.5, tolerance=1e-6, maths=ARRAYS)
    # NumPy's power and logarithm may differ from Python's in the last digit.
    assert together == pytest.approx(np.array(alone), rel=1e-9)


def test_a_search_that_cannot_settle_says_so():
    """A tolerance of 0 is finer than floats are; the answer is a sentence and not an endless loop."""
    with pytest.raises(BadInput, match="did not settle"):
        new_volatility(Evidence(0.06, 1.15, 1.78, -0.48), tau=0.5, tolerance=-1)


FORMULAS = [
    pytest.param(one, id=one.function.__name__)
    for module in (curve, lichess_rules)
    for one in vars(module).values()
    if isinstance(one, Formula)
]


@pytest.mark.parametrize("formula", FORMULAS)
def test_the_text_of_a_formula_is_its_arithmetic(formula):
    """What the working shows is what was computed: the text, read as arithmetic, gives the function's value."""
    signs = {"√": "sqrt", "²": "**2", "π": "pi", "ln 10": "log(10)", "×": "*", "−": "-", "^": "**"}
    for sample in (1, 2, 3):
        chance = random.Random(sample)  # noqa: S311  # no secret
        inputs = {name: chance.uniform(0.1, 0.9) for name in formula.inputs}
        text = formula.text.format(**{name: f"({value!r})" for name, value in inputs.items()})
        for sign, code in signs.items():
            text = text.replace(sign, code)
        names = {"sqrt": math.sqrt, "pi": math.pi, "e": math.e, "log": math.log}
        # The same operations in another order differ by a rounding.
        assert eval(text, names) == pytest.approx(formula(**inputs), rel=1e-12)  # noqa: S307  # our own text


@pytest.mark.parametrize("formula", FORMULAS)
def test_arrays_flow_through_every_formula(formula):
    """Bulk uses the same functions: an array gives what its members give."""
    columns = {name: np.linspace(0.2 + number, 0.9 + number, 5) for number, name in enumerate(formula.inputs)}
    rows = [formula(**{name: float(column[i]) for name, column in columns.items()}) for i in range(5)]
    # NumPy's power may differ from Python's in the last digit.
    assert formula(**columns) == pytest.approx(np.array(rows), rel=1e-12)


def test_games_of_a_site_are_rated_one_after_another():
    """Lichess and Chess.com rate each game from what the last one gave: two games at once are two calls."""
    for name in ("lichess", "chesscom"):
        system = arpad.system(name)
        rated = system.rate(Player(1500, deviation=80, volatility=0.06), [win(OPPONENT), loss(OPPONENT)], on=ON)
        first = system.rate(Player(1500, deviation=80, volatility=0.06), [win(OPPONENT)], on=ON)
        then = Player(first.new_rating, deviation=first.new_deviation, volatility=first.new_volatility)
        assert system.rate(then, [loss(OPPONENT)], on=ON).new_rating == rated.new_rating


OPPONENT = Player(1600, deviation=70)


def test_many_games_of_a_site_can_be_explained():
    """Two hundred games in a row neither exhaust the stack nor lose a game."""
    for name in ("lichess", "chesscom"):
        change = arpad.system(name).rate(Player(1500, deviation=80), [win(OPPONENT)] * 200, on=ON)
        assert change.explain().count("win against 1600") == 200


def test_white_is_worth_more_and_black_less():
    """Half of Lichess' advantage goes to each side, so a draw as Black is worth as much as one as White costs."""
    system = arpad.system("lichess", variant="crazyhouse")
    white, black = (
        system.rate(Player(1500, deviation=60), [Game(Player(1500, deviation=60), 0.5, colour=colour)], on=ON)
        for colour in ("white", "black")
    )
    assert white.change < 0 < black.change
    assert white.expected + black.expected == pytest.approx(1, abs=1e-12)  # floats


def test_the_colour_is_part_of_the_notation():
    """`@w` and `@b` behind a result are the own colour."""
    assert parse_game("1500/60:win@w").colour == "white"
    assert parse_game("1500/60:½@b") == Game(Player(1500, deviation=60), 0.5, colour="black")
    assert parse_game("1500/60:win").colour is None
    with pytest.raises(BadInput, match="not a colour"):
        parse_game("1500/60:win@x")


def test_chesscom_is_always_called_an_estimate():
    """No answer about Chess.com goes without the note that it is an estimate, and what is not public."""
    system = arpad.system("chesscom")
    me, other = Player(1500, deviation=55), Player(1500, deviation=55)
    for answer in (system.rate(me, [win(other)], on=ON), system.expect(me, other, on=ON)):
        assert "An estimate" in answer.explain()


def test_what_is_assumed_is_said():
    """A deviation, a volatility, a speed or a colour that nobody gave is named."""
    notes = asked(["rate", "1500", "1600:win", "--system", "lichess", "--on", "2026-11-15", "--json"])["notes"]
    assert [note.split(" ")[1] for note in notes] == ["deviation", "volatility", "as", "advantage"]


@pytest.mark.parametrize("name", FAMILY)
def test_the_working_fits_a_terminal_and_can_be_plain(name, capsys):
    """The working stays within 80 columns, and --plain keeps it to ASCII."""
    line = ["rate", "1500", "1400/30:win@w", "3550/100:loss@b", "1700/300:½", "1500/50:+", "--deviation", "200"]
    assert main([*line, "--system", name, "--on", "2026-11-15", "--explain"]) == 0
    shown = capsys.readouterr().out
    assert [text for text in shown.splitlines() if len(text) > 80] == []
    main([*line, "--system", name, "--on", "2026-11-15", "--explain", "--plain"])
    assert capsys.readouterr().out.isascii()


def test_a_period_file_takes_deviations_and_settings(tmp_path):
    """A file with the paper's example in two events gives the paper's figures, and --set holds for a file too."""
    file = tmp_path / "period.toml"
    file.write_text(
        'rating = 1500\ndeviation = 200\nvolatility = 0.06\nsystem = "glicko-2"\non = 2026-11-15\n'
        '[[event]]\ngames = ["1400/30:win"]\n[[event]]\ngames = ["1550/100:loss", "1700/300:loss"]\n',
        encoding="utf-8",
    )
    answers = [asked(["rate", "--period", str(file), "--set", f"tau={tau}", "--json"])["value"] for tau in (0.5, 1.2)]
    # The independent script's ten digits; a larger τ lets the volatility fall further.
    assert answers[0]["new_rating"] == pytest.approx(1464.0506705393, abs=1e-9)
    assert answers[1]["new_volatility"] < answers[0]["new_volatility"]


REFUSED = [
    (["rate", "1500", "1400/30:win", "--deviation", "0"], "deviation"),
    (["rate", "1500", "1400/30:win", "--deviation", "-5"], "deviation"),
    (["rate", "1500", "1400/30:win", "--deviation", "nan"], "deviation"),
    (["rate", "1500", "1400/0:win", "--deviation", "50"], "deviation"),
    (["rate", "1500", "1400/30:win", "--volatility", "0"], "volatility"),
    (["rate", "1500", "1400/30:win", "--volatility", "1.5"], "volatility"),
    (["rate", "1500", "1400/30:win", "--volatility", "1e-400"], "volatility"),
    (["rate", "nan", "1400/30:win"], "rating"),
    (["rate", "1500", "1400/30:win", "--set", "tau=0"], "tau"),
    (["rate", "1500", "1400/30:win", "--set", "tau=nan"], "tau"),
    (["rate", "1500", "1400/30:win", "--set", "tolerance=0"], "tolerance"),
    (["rate", "1500", "1400/30:win", "--set", "deviation=0"], "deviation"),
    (["rate", "1500", "1400/30:win", "--set", "rating=0"], "rating"),
    (["rate", "1500", "1400/30:win", "--idle", "0"], "idle"),
    (["rate", "1500", "1400/30:win", "--base", "1400"], "rating"),
    (["rate", "1500", "1400/30:win", "--formula"], "formula"),
    (["need", "1500", "--reach", "1600", "--against", "1500/30"], "system"),
    (["rate", "1500", "--deviation", "50", "--idle", "3", "--system", "glicko"], "c"),
    (["rate", "1500", "1400/30:win", "--set", "c=0", "--system", "glicko"], "c"),
    (["rate", "1500", "1400/30:win", "--set", "floor=-1", "--system", "glicko"], "floor"),
    (["rate", "1500", "1400/30:win", "--set", "variant=chess690", "--system", "lichess"], "variant"),
    (["rate", "1500", "1400/30:win", "--set", "speed=quick", "--system", "lichess"], "speed"),
    (["rate", "1500", "1400/30:win", "--set", "colour=red", "--system", "lichess"], "colour"),
    (["rate", "1500", "1400/30:win", "--set", "against=dog", "--system", "lichess"], "against"),
    (["rate", "1500", "1400/30:win", "--set", "tau=1", "--system", "lichess"], "settings"),
    (["rate", "1500", "--system", "lichess"], "games"),
    (["rate", "1500", "1400/30:win", "--system", "chesscom"], "deviation"),
    (["rate", "1500", "1400:win", "--deviation", "50", "--system", "chesscom"], "deviation"),
    (["rate", "unrated", "1400/30:win", "--system", "chesscom"], "rating"),
    (["rate", "1500", "unrated:win", "--deviation", "50", "--system", "chesscom"], "opponent"),
    (["rate", "1500", "1400/30:win", "--deviation", "50", "--idle", "9", "--system", "chesscom"], "idle"),
    (["rate", "1500", "--deviation", "50", "--system", "chesscom"], "games"),
]


@pytest.mark.parametrize(("line", "at"), REFUSED, ids=lambda part: " ".join(part) if isinstance(part, list) else part)
def test_bad_input_is_refused_in_one_sentence_that_names_the_field(line, at):
    """Every wrong value is refused with what is allowed, and the field is named."""
    system = [] if "--system" in line else ["--system", "glicko-2"]
    answer = asked([*line, *system, "--on", "2026-11-15", "--json"])
    assert answer["ok"] is False
    assert answer["at"] == at, answer
    assert answer["error"].endswith((".", "?"))


def test_what_the_family_does_not_have_is_said():
    """A first rating or an expected score without deviations is refused, and not guessed."""
    for name in FAMILY:
        system = arpad.system(name)
        with pytest.raises(Unsupported):
            system.first_rating([win(1500)], on=ON)
        with pytest.raises(Unsupported):
            system.expected_score(100, on=ON)
        with pytest.raises(UnknownName):
            arpad.system(name, sigma=1)
