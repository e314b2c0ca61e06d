"""The chance of a title norm, against the verdict on every single result."""

import pickle
from dataclasses import replace
from datetime import date
from itertools import product
from math import prod

import pytest

import arpad
from arpad import EloStanding, Field, Pairing, PlannedEvent, Player
from arpad.forecast.norm_chances import norm_chance
from arpad.forecast.norm_simulation import NormCase
from arpad.forecast.schedule import Model, curve
from arpad.reading.notation import parse_pairing
from arpad.systems.chances import LABELLE
from arpad.tournaments.norms.conditions import CountedGame, Setting, settle
from arpad.tournaments.norms.games import Scoresheet
from arpad.tournaments.norms.rules import edition

ON = date(2026, 11, 15)
FIDE = arpad.system("fide-standard")
PLAYER = Player(EloStanding(2460, k=10), federation="GER", title="IM")
MODEL = Model(2460.0, LABELLE, curve(FIDE, ON))
NINE = [
    "2550gm/FRA",
    "2520gm/ITA",
    "2610gm/IND",
    "2480im/POL",
    "2440im/GER",
    "2500gm/USA",
    "2390fm/ESP",
    "2590gm/NED",
    "2470im/CZE",
]
SAME = 1e-12  # the same products added in another order


def by_every_result(title, player, words, kind="swiss"):
    """Every result of the open games judged by itself, with all that may be left out."""
    pairings = [parse_pairing(word) for word in words]
    played = [(no, one) for no, one in enumerate(pairings, start=1) if one.how == "played"]
    to_play = [no for no, one in played if one.score is None]
    chances = {no: dict(zip((2, 1, 0), MODEL.against(one), strict=True)) for no, one in played if one.score is None}
    total = 0.0
    for results in product((0, 1, 2), repeat=len(to_play)):
        halves = dict(zip(to_play, results, strict=True))
        games = tuple(
            CountedGame(one.opponent.rating, one.opponent.title, one.opponent.federation,
                        halves.get(no, int(2 * (one.score or 0))), no, no)
            for no, one in played
        )  # fmt: skip
        spared = any(one.how == "forfeit" and one.score for one in pairings)
        sheet = Scoresheet(games, spared=spared, rounds=len(pairings))
        if settle(title, player, sheet, edition(ON), Setting(kind)).met:
            total += prod(chances[no][half] for no, half in halves.items())
    return total


def of(title, player, words, kind="swiss"):
    return norm_chance(NormCase.of(title, player, [parse_pairing(word) for word in words], ON, kind), MODEL)


def test_nine_games_need_a_score():
    """An average of 2505 needs a dp of 95 for 2600: 6 of 9 is 67 %, dp 125; 5½ is 61 %, dp 80 (table 8.1.1)."""
    found = of("GM", PLAYER, NINE)
    assert (found.least_score, found.exact, found.missing) == (6, True, ())
    outlook = arpad.look_ahead(FIDE, PLAYER, [parse_pairing(one) for one in NINE], on=ON, norm="gm")
    assert outlook.norm.chance == pytest.approx(sum(one.probability for one in outlook.outcomes if one.score >= 6))


def test_several_norms_at_once():
    """GM takes 6 of 9 (above); IM takes 2450: 4 of 9 is 44 %, dp −43, so 2462; 3½ is 39 %, dp −80 (table 8.1.1)."""
    found = arpad.look_ahead(FIDE, PLAYER, [parse_pairing(one) for one in NINE], on=ON, norm=["gm", "IM", "GM"])
    assert [(one.title, one.least_score) for one in found.norms] == [("GM", 6), ("IM", 4)]
    assert found.norm == found.norms[0]
    assert found.norms[1].chance == pytest.approx(sum(one.probability for one in found.outcomes if one.score >= 4))


CASES = {
    "nothing to leave out": ("GM", NINE[:4] + [f"{one}:1" for one in NINE[4:]]),
    "a weak win to leave out": ("GM", ["2100/GER", *NINE[:3], *(f"{one}:1" for one in NINE[3:7]), *NINE[7:]]),
    "eleven rounds, a weak end": (
        "IM",
        [*(f"{one}:draw" for one in NINE[:6]), *NINE[6:], "2050/GER", "1980/GER"],
    ),
    "a forfeit win and eight games": ("IM", [*(f"{one}:draw" for one in NINE[:5]), *NINE[5:8], f"{NINE[8]}:+"]),
    "too few titles": ("GM", [f"{2500 + no}/FRA" for no in range(5)] + [f"{one}:1" for one in NINE[:4]]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_the_chance_is_that_of_every_result_judged(name):
    """The chance equals the sum over all results of those whose verdict, with all legal drops, is a norm."""
    title, words = CASES[name]
    found = of(title, PLAYER, words)
    assert found.exact
    assert found.chance == pytest.approx(by_every_result(title, PLAYER, words), abs=SAME)


def test_what_no_result_can_help_is_named():
    """Nine opponents of the own federation break the ceilings (1.4.3, 1.4.4), whatever the score."""
    found = of("GM", PLAYER, [f"{2550 + no}gm/GER" for no in range(9)])
    assert found.chance == 0
    assert {"federations", "own_federation", "one_federation"} <= {one.name for one in found.missing}


def test_without_federations_nobody_can_say():
    """Where no federation is known, the chance is not known, and not zero."""
    found = of("GM", replace(PLAYER, federation=None), [f"{2550 + no}gm" for no in range(9)])
    assert found.chance is None
    assert str(found.figure.value) == "not known"
    assert "foreign federations: not known" in str(found.figure.remark)


def test_more_games_than_can_be_gone_through_give_a_bound():
    """With a dozen games to play, or a hundred, leaving games out is not tried, and the answer says `at least`."""
    for words in ([*NINE, "2500gm/SUI", "2510gm/AUT", "2490gm/HUN"], NINE * 11):
        found = of("GM", PLAYER, words)
        assert not found.exact
        assert "at least" in str(found.figure.remark)


BAD = {
    "an unknown norm": ("fm", NINE, {}, "No title with norms is called 'fm'"),
    "a kind of event": ("gm", NINE, {"kind": "blitz"}, "No kind of event"),
    "a rating with decimals": ("gm", [Player("2450.5")], {}, "whole numbers"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_questions_about_norms_get_a_sentence(name):
    """What cannot be asked of a norm is refused with one sentence."""
    title, opponents, more, says = BAD[name]
    against = [parse_pairing(one) if isinstance(one, str) else one for one in opponents]
    system = arpad.system("elo")  # which takes ratings with decimals
    with pytest.raises(arpad.ArpadError) as refused:
        arpad.look_ahead(system, PLAYER, against, on=ON, norm=title, **more)
    assert says in refused.value.message


def test_a_womans_norm_asks_whether_she_is_one():
    """A WGM norm is for women (1.5.3): for a woman it has a chance, and without the sex it is not known."""
    words = [
        f"{2390 + 5 * no}wgm/{fed}"
        for no, fed in enumerate(["FRA", "ITA", "IND", "POL", "ESP", "USA", "GEO", "NED", "CZE"])
    ]
    player = Player(EloStanding(2380, k=10), federation="GER")
    unknown, woman, man = (of("WGM", replace(player, sex=sex), words).chance for sex in (None, "w", "m"))
    assert unknown is None
    assert 0 < woman < 1
    assert man == 0


def test_an_outlook_with_a_norm_is_equal_and_pickled():
    """The chance of a norm travels with its outlook."""
    first, again = (
        arpad.look_ahead(FIDE, PLAYER, [parse_pairing(one) for one in NINE], on=ON, norm="gm") for _ in range(2)
    )
    there = pickle.loads(pickle.dumps(first))  # noqa: S301
    assert first == again == there
    assert first.value()["norm"] == there.value()["norm"]
    assert first.explain() == there.explain()


def test_each_event_of_a_season_has_its_own_norm():
    """A norm is made in one event, whatever list it enters: the chances are those of each event by itself.

    The results do not depend on each other, so one norm or more has the chance 1 − (1 − p)(1 − q).
    """
    spring = tuple(parse_pairing(one) for one in NINE)
    autumn = tuple(parse_pairing(one) for one in [*NINE[1:], "2560gm/ARM"])
    days = date(2027, 1, 10), date(2027, 3, 3)
    events = [PlannedEvent(spring, days[0], "Spring"), PlannedEvent(autumn, days[1])]
    season = arpad.look_ahead_season(FIDE, PLAYER, events, on=ON, norm=["gm", "im"])
    alone = [
        arpad.look_ahead(FIDE, PLAYER, [event], on=day, norm=["gm", "im"]).norms
        for event, day in zip(events, days, strict=True)
    ]
    together = [(one.title, one.chance, one.least_score) for one in season.norms]
    assert together == [(one.title, one.chance, one.least_score) for norms in alone for one in norms]
    assert [str(one.event) for one in season.norms] == ["Spring"] * 2 + ["event of 2027-03-03"] * 2
    for title, some in zip(("GM", "IM"), season.some_norm, strict=True):
        first, second = (one.chance for one in season.norms if one.title == title)
        assert some.chance == pytest.approx(1 - (1 - first) * (1 - second))
        assert f"at least one norm for {title}" in str(some.figure.remark)
    figures = [str(one.remark) for one in season.summary() if one.key == "norm.chance"]
    assert "of a norm for GM; 6 of 9 is enough (Spring)" in figures


def test_two_events_of_one_list_have_two_norms():
    """Events of one month are one outlook, and still two chances of a norm."""
    nine = tuple(parse_pairing(one) for one in NINE)
    events = [PlannedEvent(nine, ON, "one"), PlannedEvent(nine, ON, "two")]
    outlook = arpad.look_ahead(FIDE, PLAYER, events, on=ON, norm="gm")
    assert [one.event for one in outlook.norms] == ["one", "two"]
    assert {one.chance for one in outlook.norms} == {of_outlook(NINE)}


def of_outlook(words):
    """The chance of a GM norm in one event, by the model that an outlook takes unless told otherwise."""
    return arpad.look_ahead(FIDE, PLAYER, [parse_pairing(one) for one in words], on=ON, norm="gm").norm.chance


def test_a_season_simulates_the_event_of_unknown_opponents():
    """The named event is exact; the other one is simulated, and so is the chance of one norm or more."""
    nine = tuple(parse_pairing(one) for one in NINE)
    field = PlannedEvent((Pairing(Field(2500, 50)),) * 9, date(2027, 3, 3), "Big Open")
    season = arpad.look_ahead_season(
        FIDE, PLAYER, [PlannedEvent(nine, date(2027, 1, 10), "Closed"), field], on=ON, norm="gm"
    )
    closed, big = season.norms
    assert (closed.event, closed.exact, closed.simulation) == ("Closed", True, None)
    assert big.event == "Big Open"
    assert big.simulation.runs == 1250
    (some,) = season.some_norm
    assert some.chance == pytest.approx(1 - (1 - closed.chance) * (1 - big.chance))
    assert some.error == pytest.approx((1 - closed.chance) * big.simulation.error)
    assert not some.at_least
