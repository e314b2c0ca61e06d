"""The chance of a norm against opponents who are not known, against enumeration, and what it may never do."""

from datetime import date
from decimal import Decimal
from itertools import combinations, product
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import arpad
from arpad import EloStanding, Field, PlannedEvent, Player
from arpad.core import FieldPlayer
from arpad.forecast.norm_chances import NormLimits, norm_chance
from arpad.forecast.norm_simulation import NormCase, simulate_norm, simulated_percent, standard_error
from arpad.forecast.opponents import expected_opponents
from arpad.forecast.schedule import Model, curve
from arpad.messages import speaking
from arpad.reading.notation import parse_pairing
from arpad.systems.chances import CALIBRATED
from arpad.tournaments.norms.conditions import CountedGame, Setting, settle
from arpad.tournaments.norms.games import Scoresheet
from arpad.tournaments.norms.rules import edition

ON = date(2026, 11, 18)
FIDE = arpad.system("fide-standard")
PLAYER = Player(EloStanding(2388, k=20), federation="GER", title="FM")
MODEL = Model(2388.0, CALIBRATED, curve(FIDE, ON))
SO_FAR = [
    "2520gm/POL:draw", "2430im/HUN:win", "2310fm/GER:win", "2405im/CZE:draw", "2480gm/UKR:loss", "2400im/AUT",
]  # fmt: skip
PEOPLE = ("2470gm/GER", "2390/GER", "2440im/FRA")
ENOUGH = 4  # standard errors


def pairings(words, *unknown):
    """Named games, and then games against fields."""
    return [*map(parse_pairing, words), *(arpad.Pairing(field) for field in unknown)]


def simulated(games, title="IM", **limits):
    return norm_chance(NormCase.of(title, PLAYER, games, ON, "swiss"), MODEL, limits=NormLimits(**limits))


def judged(named, drawn, title="IM"):
    """The exact chance of a norm once everybody is known: every result judged by itself."""
    people = [(one.opponent.rating, one.opponent.title, one.opponent.federation, one.score) for one in named]
    people += [(*person, None) for person in drawn]
    open_games = [no for no, person in enumerate(people) if person[3] is None]
    chances = [dict(zip((2, 1, 0), MODEL.chances(people[no][0], None), strict=True)) for no in open_games]
    total = 0.0
    for results in product((0, 1, 2), repeat=len(open_games)):
        halves = [int(2 * (person[3] or 0)) for person in people]
        for no, half in zip(open_games, results, strict=True):
            halves[no] = half
        played = zip(people, halves, strict=True)
        games = tuple(CountedGame(*one[:3], half, no, no) for no, (one, half) in enumerate(played))
        sheet = Scoresheet(games, rounds=len(games))
        if settle(title, PLAYER, sheet, edition(ON), Setting()).met:
            total += prod(chance[half] for chance, half in zip(chances, results, strict=True))
    return total


def listed(words):
    """The players of a list, and each as rating, title and federation."""
    players = tuple(parse_pairing(word).opponent for word in words)
    return players, [(one.rating, one.title, one.federation) for one in players]


def test_against_the_whole_list_it_is_exact():
    """Three listed players in three rounds: their order does not matter, so every run gives the exact chance."""
    players, people = listed(PEOPLE)
    found = simulated(pairings(SO_FAR, *[Field(2433, 33, players)] * 3))
    assert found.chance == pytest.approx(judged(pairings(SO_FAR), people), abs=1e-12)
    assert found.simulation.error < 1e-12
    assert 0.1 < found.chance < 0.9


def test_drawn_from_a_list_it_agrees_with_every_choice():
    """Three of five, nobody twice: the mean over all choices of the exact chances."""
    players, people = listed((*PEOPLE, "2600gm/USA", "2250/ESP"))
    found = simulated(pairings(SO_FAR, *[Field(2430, 115, players)] * 3))
    choices = list(combinations(people, 3))
    exact = sum(judged(pairings(SO_FAR), choice) for choice in choices) / len(choices)
    assert 0 < found.simulation.error < 0.01
    assert found.chance == pytest.approx(exact, abs=ENOUGH * found.simulation.error)


def test_where_games_may_be_left_out_it_agrees_too():
    """Ten rounds, the last one of three listed players: with every result judged, and whatever may be left out."""
    words = [
        *(f"{word.partition(':')[0]}:draw" for word in SO_FAR),
        "2450gm/FRA:draw",
        "1900/GER:win",
        "2440im/ITA:draw",
    ]
    players, people = listed(PEOPLE)
    found = simulated(pairings(words, Field(2433, 33, players)))
    exact = sum(judged(pairings(words), [person]) for person in people) / len(people)
    assert found.chance == pytest.approx(exact, abs=ENOUGH * found.simulation.error)
    assert 0.1 < exact < 0.9


def test_drawn_by_shares_it_agrees_with_every_combination():
    """Two rounds against 2430, half of them GM and half without a title, two in three from the own federation.

    Five of the seven so far are from it, the most that three fifths of nine allow (1.4.3): both must be from another.
    """
    words = [*(f"{word}:draw" for word in ("2400fm/GER", "2410fm/GER", "2390/GER", "2480gm/GER")), *SO_FAR[:3]]
    named = pairings(words)
    field = Field(2430, 0, titles=(("GM", 0.5),), federations=(("GER", 2 / 3), ("FRA", 1 / 3)))
    found = simulated([*named, *pairings((), field, field)])
    exact = 0.0
    kinds = [((2430, title, fed), share / 2) for title in ("GM", None) for fed, share in field.federations]
    for first, second in product(kinds, repeat=2):
        exact += first[1] * second[1] * judged(named, [first[0], second[0]])
    assert found.chance == pytest.approx(exact, abs=ENOUGH * found.simulation.error)
    assert 0.02 < exact < 0.9
    shares = {part.name: part.chance for part in found.simulation.conditions}
    assert shares["own_federation"] == pytest.approx(1 / 9, abs=0.02)


def test_the_norm_hunter_gets_a_chance_and_the_averages_that_decide():
    """Five results, one pairing, three open rounds.

    By table 8.1.1, 5 of 9 is 56 %, dp 43, so an IM norm takes an average of 2407, 21659 in nine games; the six named
    have 14545, which leaves 2372 for each of three. 4½ is dp 0: 2450, or 22046, leaves 2501; 5½ is dp 80: 2261.
    """
    unpaired = expected_opponents(PLAYER, pairings(SO_FAR), rounds=3)
    event = PlannedEvent((*pairings(SO_FAR), *unpaired.pairings), assumed=unpaired.assumed)
    norm = arpad.look_ahead(FIDE, PLAYER, [event], on=ON, norm="im").norm
    rows = {row.score: (row.from_average, row.to_average) for row in norm.simulation.by_average}
    assert rows[Decimal(5)] == (2372, 2500)
    assert rows[Decimal("5.5")] == (2261, 2371)
    assert 0.3 < norm.chance < 0.7
    assert (norm.least_score, norm.games, norm.exact) == (5, 9, False)
    assert str(norm.shown) in (f"{100 * norm.chance:.0f} %", f"{100 * norm.chance:.1f} %")
    assert "simulated, ± 0.2 %" in str(norm.remark)
    assert any("average 2464 ± 66" in str(note) for note in norm.simulation.assumed)


def test_an_average_without_a_spread_says_what_it_assumes():
    """Three more rounds, average 2420: the answer says that all are taken to have it, and names no error of ± 0."""
    unpaired = expected_opponents(PLAYER, pairings(SO_FAR), rounds=3, average=2420)
    event = PlannedEvent((*pairings(SO_FAR), *unpaired.pairings), assumed=unpaired.assumed)
    found = arpad.look_ahead(FIDE, PLAYER, [event], on=ON, norm="im")
    assert str(found.norm.shown) == "56.9 %"
    assert "±" not in str(found.norm.remark)
    assert any("3 rounds to come are all rated 2420" in str(note) for note in found.notes)
    assert expected_opponents(PLAYER, pairings(SO_FAR), rounds=3, average=2420, spread=0).assumed == ()


def test_nothing_is_zero_because_it_is_not_known():
    """Without titles, federations and own federation there is a chance, and the answer says what it took as met."""
    games = pairings(["2520:draw", "2430:win", "2310:win", "2405:draw", "2480:loss", "2400"], *[Field(2420, 60)] * 3)
    nobody = Player(EloStanding(2388, k=20))
    found = norm_chance(NormCase.of("IM", nobody, games, ON, "swiss"), MODEL)
    assert 0.3 < found.chance < 0.7
    notes = " ".join(map(str, found.simulation.assumed))
    assert "no titles were given" in notes
    assert "taken as met: foreign federations" in notes


def test_without_titles_named_opponents_are_not_judged():
    """Nine ratings without any title: whether they hold one is not known, which is not the same as none."""
    federations = ("FRA", "ITA", "POL", "ESP", "USA", "NED", "CZE", "AUT", "SUI")
    nine = pairings([f"{2440 + no}/{federation}" for no, federation in enumerate(federations)])
    found = norm_chance(NormCase.of("IM", PLAYER, nine, ON, "swiss"), MODEL)
    assert found.chance is None
    assert {part.name for part in found.missing} == {"titled", "same_title"}


def test_too_few_games_are_asked_about():
    """Six games of nine are not a chance of zero, unless no round is missing."""
    games = pairings(SO_FAR)
    norm = NormCase.of("IM", PLAYER, games, ON, "swiss")
    unknown, over = norm_chance(norm, MODEL, complete=False), norm_chance(norm, MODEL)
    assert (unknown.chance, over.chance) == (None, 0)
    assert "6 of the 9 games needed so far; give the number of rounds still to come" in str(unknown.remark)


def test_a_seed_gives_the_same_chances():
    """The same seed is the same simulation; another one differs by noise."""
    games = pairings(SO_FAR, *[Field(2420, 60)] * 3)
    first, again, other = (simulated(games, seed=seed) for seed in (7, 7, 8))
    assert first == again
    assert first.simulation.seed == 7
    assert first.chance != other.chance
    assert first.chance == pytest.approx(other.chance, abs=1.5 * ENOUGH * first.simulation.error)


RAISED = {"loss": "draw", "draw": "win", "win": "win"}


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.sampled_from(("loss", "draw", "win")), min_size=6, max_size=8),
    st.sampled_from(("IM", "GM")),
    st.integers(0, 1000),
    st.data(),
)
def test_more_points_never_lower_a_chance(results, title, seed, data):
    """One result better, all else the same: no lower chance, and none of any condition."""
    who = [*(word.partition(":")[0] for word in SO_FAR), "2440im/FRA", "2390fm/ITA"]
    place = data.draw(st.integers(0, len(results) - 1))
    better = [RAISED[one] if no == place else one for no, one in enumerate(results)]
    chances = []
    for scores in (results, better):
        words = [f"{one}:{score}" for one, score in zip(who, scores, strict=False)]
        norm = NormCase.of(title, PLAYER, pairings(words, *[Field(2430, 70)] * (9 - len(words))), ON, "swiss")
        chances.append(simulate_norm(norm, MODEL, lowest=1400, seed=seed, runs=300))
    (before, low), (after, high) = chances
    assert before <= after
    assert all(a.chance <= b.chance for a, b in zip(low.conditions, high.conditions, strict=True))


def test_games_that_may_be_left_out_count():
    """Eleven rounds with two weak wins: without leaving them out nobody makes it, with it some do (1.4.1e)."""
    words = [*(word.replace(":loss", ":win") for word in SO_FAR[:5]), "2450gm/FRA:win", "2440im/ITA:win",
             "1700/GER:win", "1700/GER:win"]  # fmt: skip
    found = simulated(pairings(words, Field(2440, 30), Field(2440, 30)))
    assert found.chance > 0.9


def test_more_games_to_leave_out_have_fewer_runs():
    """A norm needs nine games (1.4.1): with two more there are all runs, with six more 10,000 / 36."""
    two, six = (simulated(pairings(SO_FAR[:5], *[Field(2440, 30)] * games)).simulation for games in (6, 10))
    assert (two.runs, six.runs) == (2500, 277)
    assert six.error > two.error


def test_a_share_of_runs_shows_no_noise():
    """Digits below a quarter of a percent of error are not shown, and zero of many runs is only a bound."""
    assert str(simulated_percent(0.5234, 0.005)) == "52 %"
    assert str(simulated_percent(0.5234, 0.002)) == "52.3 %"
    assert str(simulated_percent(0.0061, 0.0008)) == "0.6 %"
    with speaking("fr"):
        assert str(simulated_percent(0.5234, 0.002)) == "52,3\xa0%"
    assert str(simulated_percent(0, standard_error([0.0] * 10_000))) == "under 0.03 %"
    assert str(simulated_percent(1, standard_error([1.0] * 10_000))) == "over 99.97 %"
    # One case of 2500, with a standard error of one case, is no 0.0 %: it is below 1 + 2 cases.
    one = [1.0, *[0.0] * 2499]
    assert str(simulated_percent(1 / 2500, standard_error(one))) == "under 0.12 %"
    assert str(simulated_percent(2499 / 2500, standard_error(one), brief=True)) == ">99.88 %"
    assert str(simulated_percent(0, standard_error([0.0]), brief=True)) == "<100.00 %"  # one run says nothing


def entries(*words):
    """Entries such as `2450gm/GER 3.5`."""
    found = []
    for word in words:
        who, _, points = word.partition(" ")
        found.append(FieldPlayer(parse_pairing(who).opponent, Decimal(points) if points else None))
    return found


def test_standings_give_those_near_in_points():
    """3 of 5 so far: those within half a point; 2430im/HUN was met, and 2388fm/GER is the player."""
    table = entries(
        "2430im/HUN 3", "2450gm/FRA 3", "2400im/ITA 3.5", "2380fm/ESP 2.5", "2350/NED 3", "2500gm/USA 3",
        "2390im/CHN 3", "2600gm/NOR 5", "2100/GER 1", "2388fm/GER 3",
    )  # fmt: skip
    found = expected_opponents(PLAYER, pairings(SO_FAR), rounds=3, entries=table)
    (field,) = {pairing.opponent for pairing in found.pairings}
    assert sorted(one.rating for one in field.players) == [2350, 2380, 2390, 2400, 2450, 2500]
    assert field.average == 2412
    assert "6 players of the 10 in the standings, those within 0.5 of your 3 points" in str(found.assumed[0])


def test_a_list_without_points_gives_those_near_in_rating():
    """3 of 5 against 2424 on average leads to 2464 (docs/chances.md), so the weak half of an open is left out."""
    open_list = entries(*(f"{rating}/FRA" for rating in range(1700, 2700, 25)))
    found = expected_opponents(PLAYER, pairings(SO_FAR), rounds=3, entries=open_list)
    ratings = [one.rating for one in found.pairings[0].opponent.players]
    assert (min(ratings), max(ratings)) == (2325, 2600)
    closed = expected_opponents(PLAYER, pairings(SO_FAR), rounds=3, entries=open_list, kind="round-robin")
    assert len(closed.pairings[0].opponent.players) == len(open_list)


@pytest.mark.parametrize(
    ("more", "at"),
    [
        ({"rounds": None, "average": 2400}, "rounds"),
        ({"rounds": 3, "average": 2400, "spread": 5000}, "spread"),
        ({"rounds": 3, "titles": (("GM", 0.8), ("IM", 0.4))}, "field_titles"),
        ({"rounds": 3, "entries": entries("2400", "2410")}, "entries"),
        ({"rounds": 3, "entries": entries("2400"), "average": 2400}, "entries"),
        ({"rounds": 3, "path": "event[0]."}, "event[0].field"),
    ],
)
def test_what_cannot_be_a_field_is_refused(more, at):
    """Each refusal names the field that it is about; without any opponent there is nothing to assume."""
    with pytest.raises(arpad.BadInput) as refused:
        expected_opponents(PLAYER, [], **more)
    assert refused.value.at == at
