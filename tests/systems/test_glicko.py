"""Glicko's family: what it promises, what it refuses, and the one search for a volatility."""

import copy
import math
import pickle
import random
from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import arpad
from arpad import BadInput, Event, Game, GlickoStanding, Period, Player, UnknownName, Unsupported, draw, loss, win
from arpad.calculation.step import Formula
from arpad.systems.glicko import curve
from arpad.systems.glicko import lichess as lichess_rules
from arpad.systems.glicko.curve import Evidence, Maths, new_volatility

ON = date(2026, 11, 15)
ARRAYS = Maths(np.log, np.where, np.any)
FAMILY = ("glicko", "glicko-2", "lichess", "chesscom")

ratings = st.floats(1, 4000)
deviations = st.floats(0.0011, 1000)
volatilities = st.floats(0.000011, 1)


def player(rating, deviation=None, volatility=None, idle=None):
    return Player(GlickoStanding(rating, deviation=deviation, volatility=volatility, idle=idle))


players = st.builds(player, ratings, deviations, volatilities)
results = st.tuples(players, st.sampled_from([1, 0.5, 0])).map(lambda pair: Game(*pair))
games = st.lists(results, min_size=1, max_size=8)


@given(st.sampled_from(FAMILY), players, games)
def test_every_answer_is_a_number(name, who, games):
    """Whatever is valid to ask has a finite rating, a deviation above 0 and a volatility above 0."""
    change = arpad.system(name).rate(who, games, on=ON)
    figures = [change.new_rating, change.new_deviation, change.new_volatility or 1, *change.interval]
    assert all(map(math.isfinite, figures))
    assert min(figures[1:3]) > 0


@given(players, games)
def test_playing_never_raises_a_deviation(who, games):
    """Glicko: a game is evidence, so nobody is less certain after it."""
    # A deviation that the games hardly touch may be off in the last digit of a float.
    after = float(arpad.system("glicko").rate(who, games, on=ON).new_deviation)
    assert after <= float(who.standing.deviation) * (1 + 1e-15)


@given(players, st.integers(1, 500))
def test_idle_time_moves_the_deviation_alone(who, periods):
    """Without games rating and volatility stay, and nobody gets more certain."""
    idle = player(who.rating, who.standing.deviation, who.standing.volatility, periods)
    for system in (arpad.system("glicko", c=34.6), arpad.system("glicko-2")):
        change = system.rate(idle, [], on=ON)
        assert change.new_rating == change.rating
        assert change.new_volatility == change.volatility
        assert change.new_deviation >= min(change.deviation, 350)


@given(st.sampled_from(FAMILY), players, players)
def test_the_expected_scores_of_both_players_make_one(name, who, opponent):
    """E is symmetric: what one is expected to score the other is expected to lose."""
    system = arpad.system(name)
    one, other = system.expect(who, opponent, on=ON), system.expect(opponent, who, on=ON)
    # Both were rounded to a float.
    assert float(one.expected + other.expected) == pytest.approx(1, abs=1e-12)


@given(st.sampled_from(FAMILY), players, players)
def test_a_better_score_never_gives_a_lower_rating(name, who, opponent):
    """Win, draw and loss come in that order. Lichess may start a player again at 4000, so it is left below that."""
    if name == "lichess" and who.rating > 3000:
        return
    won, drawn, lost = (
        arpad.system(name).rate(who, [result(opponent)], on=ON).new_rating for result in (win, draw, loss)
    )
    assert won >= drawn >= lost


@given(st.sampled_from(["glicko", "glicko-2"]), players, games, st.randoms())
def test_the_order_of_the_games_does_not_matter(name, who, games, chance):
    """A period is rated at once; packages that replay it game by game give another answer."""
    mixed = chance.sample(games, len(games))
    one, other = (float(arpad.system(name).rate(who, order, on=ON).new_rating) for order in (games, mixed))
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
        rated = system.rate(player(1500, 80, 0.06), [win(OPPONENT), loss(OPPONENT)], on=ON)
        first = system.rate(player(1500, 80, 0.06), [win(OPPONENT)], on=ON)
        then = player(first.new_rating, first.new_deviation, first.new_volatility)
        assert system.rate(then, [loss(OPPONENT)], on=ON).new_rating == rated.new_rating


OPPONENT = player(1600, 70)


def test_many_games_of_a_site_can_be_explained():
    """Two hundred games in a row neither exhaust the stack nor lose a game."""
    for name in ("lichess", "chesscom"):
        change = arpad.system(name).rate(player(1500, 80), [win(OPPONENT)] * 200, on=ON)
        assert change.explain().count("win against 1600") == 200


def test_white_is_worth_more_and_black_less():
    """Half of Lichess' advantage goes to each side, so a draw as Black is worth as much as one as White costs."""
    system = arpad.system("lichess", variant="crazyhouse")
    white, black = (
        system.rate(player(1500, 60), [Game(player(1500, 60), 0.5, colour=colour)], on=ON)
        for colour in ("white", "black")
    )
    assert white.change < 0 < black.change
    assert float(white.expected + black.expected) == pytest.approx(1, abs=1e-12)  # both rounded to a float


def test_chesscom_is_always_called_an_estimate():
    """No answer about Chess.com goes without the note that it is an estimate, and what is not public."""
    system = arpad.system("chesscom")
    me, other = player(1500, 55), player(1500, 55)
    for answer in (system.rate(me, [win(other)], on=ON), system.expect(me, other, on=ON)):
        assert "An estimate" in answer.explain()


@pytest.mark.parametrize(("system", "usual"), [("lichess", 60), ("chesscom", 60), ("glicko", 50), ("glicko-2", 50)])
def test_a_missing_deviation_is_that_of_an_active_player(system, usual):
    """Regulars at Lichess lie between 45 and 75, so 60 there and at Chess.com, else 50; the answer leads with it."""
    book = arpad.system(system)
    assumed = book.rate(player(1523), [win(player(1544))], on=ON)
    given = book.rate(player(1523, usual), [win(player(1544, usual))], on=ON)
    assert (assumed.change, assumed.new_deviation) == (given.change, given.new_deviation)
    assert f"assuming a deviation of {usual}" in str(assumed.summary()[0].remark)
    assert "assuming" not in str(given.summary()[0].remark)
    assert assumed.notes[0].key == "notes.deviation.assumed"
    half = book.rate(player(1523, 300), [win(player(1544))], on=ON)
    assert half.per_game[0].deviation == usual


def test_only_somebody_new_has_the_start_values():
    """Who is unrated starts with a deviation of 500 at Lichess (lila, Glicko.scala) and 350 in the papers (step 1)."""
    for system, start in (("lichess", 500), ("glicko", 350), ("glicko-2", 350)):
        assert arpad.system(system).rate(player(None), [win(player(1544, 60))], on=ON).deviation == start


def test_what_is_assumed_is_said():
    """A deviation, a volatility, a speed or a colour that nobody gave is named."""
    notes = arpad.system("lichess").rate(1500, [win(1600)], on=ON).notes
    assumed = ["deviation.assumed", "volatility.assumed", "lichess.speed", "lichess.colour"]
    assert [note.key for note in notes] == [f"notes.{name}" for name in assumed]


@pytest.mark.parametrize("name", FAMILY)
def test_the_working_fits_a_terminal(name):
    """The working stays within 80 columns, also with colours, a wide gap and a forfeit."""
    games = [
        Game(player(1400, 30), 1, colour="white"),
        Game(player(3550, 100), 0, colour="black"),
        draw(player(1700, 300)),
        Game(player(1500, 50), 1, "forfeit"),
    ]
    shown = arpad.system(name).rate(player(1500, 200), games, on=ON).explain()
    assert [text for text in shown.splitlines() if len(text) > 80] == []


def paper(tau=None):
    """The Glicko-2 paper's example, split into two events."""
    events = (Event((win(player(1400, 30)),)), Event((loss(player(1550, 100)), loss(player(1700, 300)))))
    return arpad.system("glicko-2", tau=tau).rate_period(player(1500, 200, 0.06), Period(events), on=ON)


def test_the_events_of_a_period_are_rated_together():
    """The paper's example in two events gives the paper's figures, and a pool may have its own τ."""
    # The independent script's ten digits; a larger τ lets the volatility fall further.
    assert float(paper(tau=0.5).new_rating) == pytest.approx(1464.0506705393, abs=1e-9)
    assert paper(tau=1.2).new_volatility < paper(tau=0.5).new_volatility


def test_each_event_has_its_share():
    """The events have their own games and scores, and their changes add up to the change of the period."""
    change = paper()
    assert [(event.games, event.score) for event in change.events] == [(1, 1), (2, 0)]
    # Floats that were added in another order.
    assert float(sum(event.change for event in change.events)) == pytest.approx(float(change.change), abs=1e-9)


@pytest.mark.parametrize("name", FAMILY)
def test_answers_are_values(name):
    """Equal when equal, and the same after a copy or a journey to another process."""
    system, me, games = arpad.system(name), player(1500, 200), [win(OPPONENT), loss(OPPONENT)]
    for ask in (lambda: system.rate(me, games, on=ON), lambda: system.expect(me, OPPONENT, on=ON)):
        answer = ask()
        for same in (ask(), copy.copy(answer), copy.deepcopy(answer), pickle.loads(pickle.dumps(answer))):  # noqa: S301  # our own
            assert same == answer
            assert (same.value(), same.notes, same.explain()) == (answer.value(), answer.notes, answer.explain())
    assert system.rate(me, games[:1], on=ON) != system.rate(me, games, on=ON)


def rate(name, me, *games, on=ON, base=None, **settings):
    return lambda: arpad.system(name, **settings).rate(me(), [win(one()) for one in games], on=on, base=base)


def someone(*standing):
    return lambda: player(*standing)


REFUSED = [
    (rate("glicko-2", someone(1500, 0), someone(1400, 30)), "deviation"),
    (rate("glicko-2", someone(1500, -5), someone(1400, 30)), "deviation"),
    (rate("glicko-2", someone(1500, "nan"), someone(1400, 30)), "deviation"),
    (rate("glicko-2", someone(1500, 50), someone(1400, 0)), "deviation"),
    (rate("glicko-2", someone(1500, 50, 0), someone(1400, 30)), "volatility"),
    (rate("glicko-2", someone(1500, 50, 1.5), someone(1400, 30)), "volatility"),
    (rate("glicko-2", someone(1500, 50, "1e-400"), someone(1400, 30)), "volatility"),
    (rate("glicko-2", someone("nan"), someone(1400, 30)), "rating"),
    (rate("glicko-2", someone(1500, 50, None, -1), someone(1400, 30)), "idle"),
    (rate("glicko-2", someone(1500), someone(1400, 30), tau=0), "tau"),
    (rate("glicko-2", someone(1500), someone(1400, 30), tau="nan"), "tau"),
    (rate("glicko-2", someone(1500), someone(1400, 30), tolerance=0), "tolerance"),
    (rate("glicko-2", someone(1500), someone(1400, 30), deviation=0), "deviation"),
    (rate("glicko-2", someone(1500), someone(1400, 30), rating=0), "rating"),
    (rate("glicko-2", someone(1500), someone(1400, 30), base=1400), "rating"),
    (rate("glicko-2", someone(1500), *[someone(1400, 30)] * 1001), "games"),
    (rate("glicko", someone(1500, 50, None, 3)), "c"),
    (rate("glicko", someone(1500), someone(1400, 30), c=0), "c"),
    (rate("glicko", someone(1500), someone(1400, 30), floor=-1), "floor"),
    (rate("lichess", someone(1500), someone(1400, 30), variant="chess690"), "variant"),
    (rate("lichess", someone(1500), someone(1400, 30), speed="quick"), "speed"),
    (rate("lichess", someone(1500), someone(1400, 30), colour="red"), "colour"),
    (rate("lichess", someone(1500), someone(1400, 30), against="dog"), "against"),
    (rate("lichess", someone(1500), someone(1400, 30), tau=1), "settings"),
    (rate("lichess", someone(1500)), "games"),
    (lambda: arpad.system("lichess").rate(1500, [win(1500)], on=ON, pace=arpad.Pace(3, 2)), "time"),
    (lambda: arpad.system("glicko").rate(Player(arpad.EloStanding(1500, k=20)), [win(1500)], on=ON), "k"),
    (rate("chesscom", someone(None), someone(1400, 30)), "rating"),
    (rate("chesscom", someone(1500, 50), someone(None)), "opponent"),
    (rate("chesscom", someone(1500, 50, None, 9), someone(1400, 30)), "idle"),
    (rate("chesscom", someone(1500, 50)), "games"),
]


@pytest.mark.parametrize(("ask", "at"), REFUSED)
def test_bad_input_is_refused_in_one_sentence_that_names_the_field(ask, at):
    """Every wrong value is refused with what is allowed, and the field is named."""
    with pytest.raises(arpad.ArpadError) as caught:
        ask()
    assert caught.value.at == at
    assert caught.value.message.endswith((".", "?"))


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
