"""US Chess: what is refused and how, and promises that hold for every input."""

import copy
import math
import pickle
from datetime import date
from itertools import pairwise

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

import arpad
from arpad import EloStanding, Event, Pace, Player
from arpad.errors import BadInput, UncoveredDate, UnknownName, Unsupported
from arpad.systems.uschess import Entrant, floor_of, rate_section, rated_in, start_rating
from arpad.systems.uschess.passes import prior, special_rating
from arpad.systems.uschess.rules import LISTS, rules_of

DAY = date(2026, 11, 15)
RULES = rules_of("uschess-regular", DAY)
RATINGS = st.floats(100, 2900, allow_nan=False)
SCORES = st.sampled_from([0, 0.5, 1])

# What is refused


def two(**more):
    return [Entrant("A", [("B", 1)], rating=1700, **more), Entrant("B", [("A", 0)], rating=2000)]


FIELDS = {
    "nobody": ([], "players", "is empty"),
    "an opponent who is missing": ([("A", [("B", 1)])], "player A, results", "who is not in the section"),
    "a game without an opponent": ([("A", [(None, 1)])], "player A, results", "has no opponent"),
    "a player's own opponent": ([("A", [("A", 1)])], "player A, results", "cannot be their own opponent"),
    "a result on one side only": ([("A", [("B", 1)]), ("B", [])], "player A, results", "B has 0 games with 0"),
    "two wins": ([("A", [("B", 1)]), ("B", [("A", 1)])], "player A, results", "the two must agree"),
    "an ID twice": ([("A", [("B", 1)]), ("B", [("A", 0)]), ("A", [])], "player A, id", "appears twice"),
}


@pytest.mark.parametrize(("players", "at", "says"), FIELDS.values(), ids=FIELDS)
def test_a_section_that_does_not_fit_together(players, at, says):
    """A section that contradicts itself is refused; player and field are named."""
    with pytest.raises(BadInput, match=says) as caught:
        rate_section([Entrant(id, results, rating=1500) for id, results in players], on=DAY)
    assert caught.value.at == at


@pytest.mark.parametrize(
    ("what", "error", "says"),
    [
        (lambda: rate_section(two(), on=date(2015, 5, 31)), UncoveredDate, "covered from 2015-06-01"),
        (lambda: rate_section(two(), on=DAY, system="uschess"), UnknownName, "uschess-regular"),
        (lambda: rate_section(two(games=25), on=DAY, match=True), BadInput, "more than 25 games"),
        (lambda: rate_section([*two(), Entrant("C", [], rating=1)], on=DAY, match=True), BadInput, "has two players"),
        (lambda: rate_section(two(), on=DAY, pace=arpad.Pace(5)), BadInput, "rated in uschess-blitz"),
        (lambda: rate_section(two(), on=DAY).player("C"), BadInput, "has the ID C; the IDs are A, B"),
        (lambda: Entrant("A", [], previous="draws"), UnknownName, "wins"),
        (lambda: Entrant("A", [], rating=1500, start=1300), BadInput, "no starting rating"),
        (lambda: Entrant("A", [], wins=-1), BadInput, "whole number from 0"),
        (lambda: start_rating(on=DAY, age=200), BadInput, "from 0 to 120"),
        (lambda: start_rating(on=DAY, born=date(2027, 1, 1)), BadInput, "cannot play on 2026-11-15"),
        (lambda: floor_of(on=DAY, prize=5000), BadInput, "the limit of its class; give both"),
        (lambda: rules_of("uschess-online-regular", date(2016, 1, 1)), UncoveredDate, "covered from 2020-09-02"),
        (lambda: arpad.system("uschess-regular").first_rating([], on=DAY), Unsupported, "year of birth"),
        (lambda: rate([], rating=1500), BadInput, "0 games"),
        (lambda: rate([arpad.win(None)], rating=1500), BadInput, "nothing to rate"),
        (lambda: rate([arpad.win(1500)], rating=1500, k=20), BadInput, "leave out `k`"),
        (lambda: arpad.system("uschess-regular").expect(1500, None, on=DAY), BadInput, "opponent's rating"),
    ],
)
def test_refused(what, error, says):
    """What the rules do not allow is refused with a sentence that says what is."""
    with pytest.raises(error, match=says):
        what()


def rate(played, **standing):
    return arpad.system("uschess-regular").rate(Player(EloStanding(**standing)), played, on=DAY)


# What holds beside the published figures


def test_an_estimate_says_so():
    """Every one-player answer carries the note that it is an estimate, and how far such ones miss."""
    change = rate([arpad.win(1500)], rating=1500, games=100)
    assert change.estimate is True
    assert "the median error was 11 points" in change.explain()


def test_a_match_within_its_longer_limits():
    """A player who gained 80 points in matches of the last 180 days can gain 20 more (100 in 180 days)."""
    field = [
        Entrant("A", [("B", 1)] * 6, rating=1700, gained_180_days=80),
        Entrant("B", [("A", 0)] * 6, rating=2000, gained_3_years=-190),
    ]
    rated = rate_section(field, on=DAY, match=True)
    assert [player.new_rating for player in rated.players] == [1720, 1990]


def test_the_peak_floor_elsewhere_is_a_reading():
    """Whether quick and blitz have peak floors is not settled: the default says no, a reading says yes."""
    assert floor_of(on=DAY, system="uschess-quick", peak=1941).floor == 100
    assert floor_of(on=DAY, system="uschess-quick", peak=1941, readings={"peak_floor": "every-board"}).floor == 1700


def test_an_age_of_one_is_a_reading():
    """Implementers differ over ages below three: 100 is the least start, or the age is a typing error and 750 holds."""
    assert start_rating(on=DAY, age=1).rating == 100
    assert start_rating(on=DAY, age=1, readings={"start_age": "from-three"}).rating == 750


def test_an_age_in_whole_years_is_a_reading():
    """One published section speaks for fractional years (8.12 gives 406); whole years are the other reading."""
    assert start_rating(on=DAY, age=8.12).rating == 406
    assert start_rating(on=DAY, age=8.12, readings={"age": "whole-years"}).rating == 400


EDGES = [
    ((3, 1), []),
    ((5, 0), ["blitz"]),
    ((10, 0), ["blitz"]),
    ((10, 1), ["quick"]),
    ((60, 5), ["regular", "quick"]),
    ((65, 1), ["regular"]),
]


@pytest.mark.parametrize(("pace", "lists"), EDGES)
def test_time_controls(pace, lists):
    """The edges of the lists, by the note of the specification of September 2020."""
    rated = rated_in(Pace(*pace), on=DAY)
    assert list(rated.systems) == [f"uschess-{name}" for name in lists]
    assert rated.dual == (len(lists) == 2)


def test_players_without_a_game():
    """Whoever played nobody keeps the rating, or stays unrated."""
    rated = rate_section([Entrant("A", [], rating=1500.4), Entrant("B", [(None, 0, "bye")])], on=DAY)
    assert [player.new_rating for player in rated.players] == [1500, None]
    assert rated.player("B").explain()


# Promises


def test_the_end_of_the_line_is_no_flat_stretch():
    """A perfect score stops 400 above the opponent, even where a float's difference is a hair more than 400."""
    opponent = 624.891870025045
    assert opponent + 400 - opponent > 400
    found = special_rating(100.0, prior(100.0, 0.0, None, 400), [opponent], 1, RULES.special.value)
    assert found == opponent + 400


@st.composite
def special_cases(draw):
    rating = draw(RATINGS)
    effective = draw(st.one_of(st.just(0.0), st.floats(0.5, 30)))
    previous = draw(st.sampled_from([None, "wins", "losses"])) if effective else None
    opponents = draw(st.lists(RATINGS, min_size=1, max_size=9))
    return rating, prior(rating, effective, previous, RULES.one_sided.value), opponents


@given(special_cases())
def test_special_formula_rises_with_the_score(case):
    """Half a point more never gives a lower rating, and every answer is a number up to 2700."""
    rating, before, opponents = case
    scores = [half / 2 for half in range(2 * len(opponents) + 1)]
    found = [special_rating(rating, before, opponents, score, RULES.special.value) for score in scores]
    assert all(math.isfinite(one) and one <= RULES.special.value.most for one in found)
    # Two roots within the formula's own precision of 1e-7 may stand in either order.
    assert all(low <= high + 1e-3 for low, high in pairwise(found))


@given(special_cases(), st.data())
def test_special_formula_meets_the_score(case, data):
    """The answer's expected score is the score, within the formula's own precision, unless 2700 cut it."""
    rating, before, opponents = case
    score = data.draw(st.integers(0, 2 * len(opponents))) / 2
    found = special_rating(rating, before, opponents, score, RULES.special.value)
    reach = RULES.special.value.reach

    def line(opponent):
        return min(1.0, max(0.0, 0.5 + (found - opponent) / (2 * reach)))

    expected = before.effective * line(before.rating) + sum(map(line, opponents))
    # Beside the 1e-7 of the formula, a float's own rounding on up to 40 terms.
    assert found == RULES.special.value.most or abs(expected - score - before.score) < 1e-6


@st.composite
def sections(draw):
    size = draw(st.integers(2, 6))
    results = {name: [] for name in range(size)}
    for one in range(size):
        for other in range(one + 1, size):
            for score in draw(st.lists(SCORES, max_size=2)):
                results[one].append((other, score))
                results[other].append((one, 1 - score))
    return [
        Entrant(
            name,
            results[name],
            rating=draw(st.one_of(st.none(), RATINGS.map(lambda number: round(number, 2)))),
            games=draw(st.one_of(st.none(), st.integers(0, 60))),
            age=draw(st.one_of(st.none(), st.integers(0, 120))),
            previous=draw(st.sampled_from([None, "wins", "losses"])),
            peak=draw(st.one_of(st.none(), st.integers(100, 2800))),
        )
        for name in range(size)
    ]


@examples(60)
@given(sections(), st.sampled_from(LISTS), st.randoms(use_true_random=False))
def test_section_promises(field, system, random):
    """Every rating is a number at or above its floor, and does not depend on the order of the players."""
    rated = rate_section(field, on=DAY, system=system)
    shuffled = list(field)
    random.shuffle(shuffled)
    again = rate_section(shuffled, on=DAY, system=system)
    for entrant in field:
        one = rated.player(entrant.id)
        assert one.exact == again.player(entrant.id).exact
        if entrant.played:
            established = entrant.games is None or entrant.games > RULES.established.value
            floor = floor_of(on=DAY, system=system, peak=entrant.peak if established else None).floor
            assert one.exact >= max(floor, RULES.lowest.value)
            assert math.isfinite(one.exact)
        assert one.explain()


@examples(60)
@given(RATINGS, st.one_of(st.none(), st.integers(0, 60)), st.lists(st.tuples(RATINGS, SCORES), min_size=1, max_size=9))
def test_estimate_promises(rating, games, results):
    """An estimate is a number of at least 100, for every rating, game count and result."""
    change = rate([arpad.Game(opponent, score) for opponent, score in results], rating=rating, games=games)
    assert change.exact >= RULES.lowest.value
    assert change.new_rating >= RULES.lowest.value


def test_a_provisional_player_has_no_peak_floor():
    """With 4 games a peak of 2000 holds nothing: its floor is for the established (Rulebook, chapter 8, section 5)."""
    new = rate([arpad.loss(1500)], rating=1500, games=4, peak=2000)
    assert new.new_rating < 1500


@pytest.mark.parametrize(("call", "words"), [
    (lambda: start_rating(on=DAY, fide=600), "No FIDE list has a rating as low as 600"),
    (lambda: start_rating(on=DAY, age=200, fide=1500), "is not an age"),
    (lambda: start_rating(on=DAY, age=5, born=date(2000, 1, 1)), "not both"),
    (lambda: floor_of(on=DAY, prize=-5, under=1800), "is not a prize"),
])  # fmt: skip
def test_what_contradicts_itself_is_refused(call, words):
    """A start or a floor from impossible inputs is refused in a sentence."""
    with pytest.raises(arpad.BadInput, match=words):
        call()


def test_a_prize_in_a_higher_class_sets_no_floor():
    """Only a prize in a section or class under 2000 sets a floor (Rulebook, chapter 8, section 5)."""
    assert floor_of(on=DAY, prize=5000, under=2200).floor < 2000
    assert floor_of(on=DAY, prize=5000, under=1800).floor == 1800


def small_section():
    """Three players, one of them a newcomer."""
    return [
        Entrant("A", [("B", 1), ("C", 0.5)], rating=1700, games=40, wins=3),
        Entrant("B", [("A", 0), ("C", 1)], rating=2000, name="Ann"),
        Entrant("C", [("A", 0.5), ("B", 0)], age=12),
    ]


VALUES = {
    "section": lambda: rate_section(small_section(), on=DAY),
    "player": lambda: rate_section(small_section(), on=DAY).player("C"),
    "estimate": lambda: rate([arpad.win(1500), arpad.draw(1600)], rating=1550, games=4),
    "expectation": lambda: arpad.system("uschess-quick").expect(1500, 1600, on=DAY),
    "start": lambda: start_rating(on=DAY, fide=1500),
    "floor": lambda: floor_of(on=DAY, peak=1941, wins=4),
    "pace": lambda: rated_in(Pace(60, 5), on=DAY),
    "entrant": lambda: small_section()[0],
}


@pytest.mark.parametrize("ask", VALUES.values(), ids=VALUES)
def test_answers_are_values(ask):
    """Equal when equal, and the same after a copy or a journey to another process."""
    one = ask()
    for same in (ask(), copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))):  # noqa: S301  # our own
        assert same == one
        if isinstance(one, Entrant):
            continue
        assert (same.value(), same.notes, same.explain()) == (one.value(), one.notes, one.explain())


def test_each_event_starts_from_what_the_last_one_gave():
    """Two events are two calls: the second starts from the exact rating and the games behind it."""
    events = (Event((arpad.win(1600), arpad.win(1700))), Event((arpad.loss(1500),)))
    system = arpad.system("uschess-regular")
    both = system.rate_period(Player(EloStanding(1500, games=30)), events, on=DAY)
    first = system.rate(Player(EloStanding(1500, games=30)), events[0].games, on=DAY)
    second = system.rate(Player(EloStanding(first.exact, games=32)), events[1].games, on=DAY)
    assert both.exact == second.exact
    assert [event.rating for event in both.events] == [1500, first.exact]
