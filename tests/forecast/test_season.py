"""Seasons, plans and strength."""

import copy
import json
import pickle
from collections import defaultdict
from datetime import date
from decimal import Decimal

import pytest

import arpad
from arpad import EloStanding, Field, GlickoStanding, Pairing, PlannedEvent, Player, draw_model
from arpad.forecast.plans import Plan, look_ahead_plans
from arpad.reading.notation import parse_pairing
from arpad.systems.chances import LABELLE, labelle
from conftest import library

ON = date(2026, 11, 15)
FIDE, ELO = arpad.system("fide-standard"), arpad.system("elo")
SAME = 1e-12  # the same sums in another order


def event(on, *opponents):
    return PlannedEvent(tuple(Pairing(Player(one)) for one in opponents), on)


SEASON = [event(date(2028, 12, 3), 2350, 2420, 2390), event(date(2029, 1, 5), 2400, 2300)]


@pytest.mark.parametrize(
    "player",
    [
        Player(EloStanding(2385, games=100), birth_year=2010),
        Player(EloStanding(2395, games=28), birth_year=1990),
        Player(EloStanding(2290, games=10, peak=2310), birth_year=2010),
        Player(EloStanding(1405), birth_year=2010),
    ],
    ids=["2400 passes", "thirty games pass", "age passes", "the floor"],
)
def test_a_season_equals_one_event_after_the_other(player):
    """Two lists equal the first event's outcomes, each rated on with the K that its rating, games and age then have."""
    start, strength = player.rating, player.rating
    season = arpad.look_ahead_season(FIDE, player, SEASON, on=ON, reach=start + 20)
    expected, reached = defaultdict(float), 0.0
    for first in arpad.look_ahead(FIDE, player, SEASON[0].pairings, on=SEASON[0].on, strength=strength).outcomes:
        if first.new_rating is None:
            expected[None] += first.probability
            continue
        standing = player.standing
        games = None if standing.games is None else standing.games + 3
        peak = max(standing.peak or 0, start, first.new_rating)
        then = Player(EloStanding(first.new_rating, games=games, peak=peak), birth_year=player.birth_year)
        for last in arpad.look_ahead(FIDE, then, SEASON[1].pairings, on=SEASON[1].on, strength=strength).outcomes:
            expected[last.new_rating] += first.probability * last.probability
            if max(first.new_rating, last.new_rating or 0) >= start + 20:
                reached += first.probability * last.probability
    assert season.method == "exact"
    assert season.last.shares == pytest.approx(expected, abs=SAME)
    assert season.reached == pytest.approx(reached, abs=SAME)


def test_events_of_one_month_are_one_period():
    """Two events of a month enter one list: one K, one rounding, as in `rate_period`."""
    events = [event(date(2027, 1, 3), 1850, 1900), event(date(2027, 1, 20), 1700)]
    season = arpad.look_ahead_season(FIDE, Player(EloStanding(1780, k=20)), events, on=ON)
    outlook = arpad.look_ahead(FIDE, Player(EloStanding(1780, k=20)), events, on=date(2027, 1, 20))
    assert len(season.lists) == 1
    assert season.last.shares == pytest.approx({one.new_rating: one.probability for one in outlook.outcomes}, abs=SAME)


def test_too_much_work_is_simulated_and_says_so(monkeypatch):
    """A season past the bound is sampled, with a stated error, and agrees with the exact one within four of them."""
    player = Player(EloStanding(2385, games=100), birth_year=1990)
    events = [event(date(2027, month, 3), 2350, 2420, 2390, 2400) for month in (1, 2, 3)]
    exact = arpad.look_ahead_season(FIDE, player, events, on=ON, reach=2400)
    monkeypatch.setattr("arpad.forecast.chain.FEWEST_SEASONS", 2_000)
    sampled = arpad.look_ahead_season(FIDE, player, events, on=ON, reach=2400, most_work=500)
    assert (exact.method, sampled.method) == ("exact", "sampled")
    assert sampled.notes[0].key == "notes.season.sampled"
    assert abs(sampled.reach - exact.reach) <= 4 * sampled.error
    assert sum(sampled.last.shares.values()) == pytest.approx(1, abs=1e-9)  # thousands of equal parts are added


FIELD = [event(date(2027, 1, 3), 1850, 1700), PlannedEvent((Pairing(Field(1850, 80)),) * 3, date(2027, 2, 3))]


def test_a_field_in_a_later_list_is_the_field_after_each_outcome():
    """A field after the first list equals each outcome of that list, with the field met from there."""
    season = arpad.look_ahead_season(FIDE, Player(EloStanding(1780, k=20)), FIELD, on=ON)
    expected = defaultdict(float)
    for first in arpad.look_ahead(FIDE, Player(EloStanding(1780, k=20)), FIELD[:1], on=FIELD[0].on).outcomes:
        then = Player(EloStanding(first.new_rating, k=20))
        for last in arpad.look_ahead(FIDE, then, FIELD[1:], on=FIELD[1].on, strength=1780).outcomes:
            expected[last.new_rating] += first.probability * last.probability
    assert season.method == "exact"
    # Sums of changes rarer than 1e-18 are left out on either side.
    assert season.last.shares == pytest.approx(expected, abs=SAME)


def test_a_field_that_is_too_much_work_is_sampled(monkeypatch):
    """A later field past the bound is simulated, says so, and is exact within its error."""
    exact = arpad.look_ahead_season(FIDE, Player(EloStanding(1780, k=20)), FIELD, on=ON, reach=1790)
    monkeypatch.setattr("arpad.forecast.chain.FEWEST_SEASONS", 2_000)
    season = arpad.look_ahead_season(FIDE, Player(EloStanding(1780, k=20)), FIELD, on=ON, reach=1790, most_work=2_000)
    assert (exact.method, season.method) == ("exact", "sampled")
    assert "simulated" in season.explain()
    assert abs(season.reach - exact.reach) <= 4 * season.error
    # A rating's standard deviation is some thirty points: four errors of the mean of 2000.
    assert season.mean == pytest.approx(exact.mean, abs=4 * 30 / 2_000**0.5)


def test_levels_on_the_way_of_a_season():
    """2400 is K 10's level and the rating for IM; it is passed as often as some list has it, as the target says."""
    player = Player(EloStanding(2385, games=100), birth_year=1990)
    season = arpad.look_ahead_season(FIDE, player, SEASON, on=ON, reach=2400)
    assert [one.level for one in season.levels] == [2400, 2400]
    assert [one.chance for one in season.levels] == pytest.approx([season.reached] * 2, abs=SAME)


def test_each_list_of_a_season_names_its_k():
    """K 20 until 2400 is published, then 10 (FIDE 8.3.3), each with its chance and its article."""
    season = arpad.look_ahead_season(FIDE, Player(EloStanding(2385, games=100), birth_year=1990), SEASON, on=ON)
    first, second = ({used.k: used.chance for used in one.k} for one in season.lists)
    assert first == {20: 1.0}
    reached = sum(share for rating, share in season.lists[0].shares.items() if rating >= 2400)
    assert second == {20: pytest.approx(1 - reached, abs=SAME), 10: pytest.approx(reached, abs=SAME)}
    assert "[FIDE 8.3.3]" in season.explain()


def test_a_season_in_glickos_family_carries_the_deviation():
    """Two simulated lists are as two periods rated one after the other: the mean deviation agrees."""
    glicko = arpad.system("glicko")
    player = Player(GlickoStanding(1500, deviation=80))
    opponents = tuple(Pairing(Player(GlickoStanding(*one))) for one in ((1480, 50), (1530, 60)))
    events = [PlannedEvent(opponents, date(2027, month, 3)) for month in (1, 2)]
    season = arpad.look_ahead_season(glicko, player, events, on=ON, most_work=50_000)
    games = [arpad.draw(one.opponent) for one in opponents]
    once = glicko.rate(player, games, on=ON)
    twice = glicko.rate(Player(GlickoStanding(once.new_rating, once.new_deviation)), games, on=ON)
    assert season.method == "sampled"
    # With draws the rating stays near the opponents; a deviation hardly feels where the rating went.
    found = [one.deviation for one in season.lists]
    assert found == pytest.approx([float(once.new_deviation), float(twice.new_deviation)], abs=0.05)


@pytest.mark.parametrize(("rating", "games", "draws"), [
    (1400, ["2800:win"] * 100, "labelle"), (1000, ["2000:win"], "none"),
])  # fmt: skip
def test_a_hopeless_rating_has_no_ratio(rating, games, draws):
    """Past any sense the number is left out: e to some hundreds is no float, and infinity is not JSON."""
    found = arpad.likely_strength(FIDE, rating, map(parse_pairing, games), on=ON, draws=draw_model(draws))
    assert (found.ratio, found.within) == (None, False)
    json.dumps(found.value(), allow_nan=False)
    assert "over a thousand times as likely" in str(next(one.remark for one in found.summary() if one.key == "rating"))


def test_strength_is_where_the_expected_score_is_the_score():
    """Without draws the likeliest strength expects the score that was made (maximum likelihood of a logistic model)."""
    games = ["1700:win", "1750:win", "1800:loss", "1820:win", "1900:loss"]
    found = arpad.likely_strength(ELO, 1780, map(parse_pairing, games), on=ON, draws=draw_model("none"))
    expected = [
        sum(ELO.expected_score(found.strength + nudge - int(game[:4]), on=ON) for game in games) for nudge in (-1, 1)
    ]
    assert expected[0] < 3 < expected[1]
    assert found.low < 1780 < found.high


def test_ninety_five_percent_interval_of_one_opponent():
    """10 of 20 against one rating: twice the log-likelihood lost at either end is chi-square's 3.84 (Wilks)."""
    results = [parse_pairing(f"1800:{result}") for result in ("win", "loss") * 10]
    found = arpad.likely_strength(ELO, None, results, on=ON, draws=draw_model("none"))
    # By hand: p(1 − p) = e^(−3.841459/20) / 4 gives p = 0.2910 and 0.7090, which are 154.7 points either way.
    assert (found.strength, found.low, found.high) == (1800, 1646, 1954)


def test_a_full_score_has_no_upper_end():
    """All wins rule out weakness only."""
    found = arpad.likely_strength(FIDE, 1780, map(parse_pairing, ["1700:win", "1900:win"]), on=ON)
    assert found.strength is None
    assert found.high is None
    assert found.low is not None
    assert found.notes[0].key == "notes.strength.open"


def test_a_season_names_the_games_that_are_not_rated():
    """A gap of 600 with a player above the level is not rated in rapid, and the season says in which list and why."""
    events = [event(date(2026, 11, 20), 2600), event(date(2026, 12, 3), 2000, 2700)]
    season = arpad.look_ahead_season(arpad.system("fide-rapid"), Player(EloStanding(2650, k=20)), events, on=ON)
    assert [[(one.game, one.chance) for one in each.not_rated] for each in season.lists] == [
        [],
        [(1, pytest.approx(1, abs=SAME))],
    ]
    assert "600" in str(season.lists[1].not_rated[0].why)


def test_a_list_has_its_month_its_events_and_its_k():
    """A junior of 2008 has K 40 to the end of 2026, then K 20 (FIDE 8.3.3); events enter the list after their month."""
    events = [
        PlannedEvent((Pairing(Player(1700)),) * 3, date(2026, 12, 5), "Winter open"),
        PlannedEvent((Pairing(Player(1700)),) * 3, date(2027, 1, 10)),
    ]
    season = arpad.look_ahead_season(FIDE, Player(EloStanding(1780, games=200), birth_year=2008), events, on=ON)
    assert [(one.list, [str(name) for name in one.events], one.games) for one in season.lists] == [
        ("2027-01", ["Winter open"], 3),
        ("2027-02", ["event of 2027-01-10"], 3),
    ]
    assert [one["k"] for one in season.value()["lists"]] == [
        [{"k": 40, "chance": 1.0}],
        [{"k": 20, "chance": pytest.approx(1, abs=SAME)}],
    ]
    assert next(str(one.value) for one in season.summary() if one.key == "k") == "40, then 20"


def test_a_plan_that_may_cost_the_rating_is_not_praised_for_its_mean():
    """Nine even games at 1410 have a mean gain of zero; of those who stay above 1400 (FIDE 7.2.1) it is above."""
    player = Player(EloStanding(1410, k=20))
    plans = [
        Plan(player, (event(date(2027, 1, 10), *[1410] * 9),), "nine"),
        Plan(player, (event(date(2027, 1, 10), 1450),), "one"),
    ]
    found = look_ahead_plans(FIDE, plans, on=ON)
    nine, one = found.plans
    assert nine.unrated > one.unrated == 0  # 1410 − 9 is still on the list
    assert nine.mean > one.mean
    assert found.best == max(found.plans, key=lambda plan: plan.gain).name == "one"
    best, _ = found.summary()
    assert "to end higher" in str(best.remark)
    assert "unrated" in str(best.remark)


def test_a_season_says_whose_mean_it_is():
    """Where somebody may fall below the floor, the mean gain is said to be of those who do not."""
    events = [event(date(2027, month, 5), 1500) for month in (1, 2)]
    for rating, said in ((1405, True), (1905, False)):
        season = arpad.look_ahead_season(FIDE, Player(EloStanding(rating, k=20)), events, on=ON)
        remark = next(str(one.remark) for one in season.summary() if one.key == "mean")
        assert ("who keep a rating" in remark) == said


def test_plans_are_compared_by_the_chance_to_reach_the_target():
    """Two plans have a season each, and the one with the better chance is named."""
    player = Player(EloStanding(1780, k=20))
    hard = arpad.look_ahead_season(FIDE, player, [event(date(2027, 1, 3), 2300, 2310)], on=ON, reach=1790)
    field = [PlannedEvent((Pairing(Field(1800, 50)),) * 6, date(2027, 1, 3))]
    long = arpad.look_ahead_season(FIDE, player, field, on=ON, reach=1790)
    found = arpad.compare_plans({"hard": hard, "long": long})
    assert [plan.name for plan in found.plans] == ["hard", "long"]
    assert found.best == found.value()["best"] == max(found.plans, key=lambda plan: plan.reach).name
    assert [plan["name"] for plan in found.value()["plans"]] == ["hard", "long"]
    with pytest.raises(arpad.BadInput, match="from 2 to 10"):
        arpad.compare_plans({"hard": hard})


@pytest.mark.parametrize("name", ["fide-standard", "dwz"])
def test_the_work_is_bounded(name):
    """Thirty lists, and beside them a field met from hundreds of ratings, are simulated instead of calculated."""
    system = arpad.system(name)
    months = [date(2027 + no // 12, 1 + no % 12, 5) for no in range(30)]
    player = Player(system.standing(1780, k=20), birth_year=1990)
    long = Plan(player, tuple(event(month, *[1800] * 5) for month in months), "long")
    field = tuple(PlannedEvent((Pairing(Field(1800, 90)),) * 9, month) for month in months[:4])
    found = look_ahead_plans(system, [long, Plan(player, field, "fields")], on=ON, reach=1800)
    assert {plan.method for plan in found.plans} == {"sampled"}


BAD_SEASONS = {
    "no events": ([], "a season has at least one"),
    "an event without games": ([event(date(2027, 1, 3))], "without games"),
    "too many lists": ([event(date(2027 + no // 12, 1 + no % 12, 5), 1800) for no in range(61)], "at most 60"),
}


@pytest.mark.parametrize("name", BAD_SEASONS)
def test_a_bad_season_gets_a_sentence(name):
    """A season that cannot be is refused with one sentence."""
    events, says = BAD_SEASONS[name]
    with pytest.raises(arpad.BadInput) as refused:
        arpad.look_ahead_season(FIDE, 1780, events, on=ON)
    assert says in refused.value.message


@pytest.mark.parametrize(("games", "draws", "says"), [
    ([], "labelle", "game played"), (["unrated:win"], "labelle", "game played"), (["1700:draw"], "none", "no strength"),
])  # fmt: skip
def test_a_strength_of_nothing_gets_a_sentence(games, draws, says):
    """Results that show no strength are refused with one sentence."""
    with pytest.raises(arpad.BadInput) as refused:
        arpad.likely_strength(FIDE, 1780, map(parse_pairing, games), on=ON, draws=draw_model(draws))
    assert says in refused.value.message


def test_lists_are_an_arrow_table():
    """A row a list, with the figures of the answer."""
    library("pyarrow")
    season = arpad.look_ahead_season(FIDE, Player(EloStanding(2385, k=20)), SEASON, on=ON, reach=2397)
    table = season.to_arrow()
    assert table["on"].to_pylist() == [one.on for one in season.lists]
    assert table["q25"].to_pylist() == [one.quantiles["0.25"] for one in season.lists]
    assert table["reach"].to_pylist() == [one.reach for one in season.lists]


def test_the_outlook_of_a_junior_explains_itself():
    """The working holds each game's chances, the sum that is the mean, and the article behind K."""
    outlook = arpad.look_ahead(FIDE, Player(1780, birth_year=2010), [1700, 1900], on=ON, reach=1800, draws=LABELLE)
    text = outlook.explain()
    win, drawn, lost = labelle(1780, 1700).values()
    assert f"win {100 * win:.1f} %, draw {100 * drawn:.1f} %, loss {100 * lost:.1f} %" in text
    assert "[FIDE 8.3.3]" in text
    assert outlook.mean == sum((Decimal(one.probability) * one.change for one in outlook.outcomes), Decimal(0))


def season_of(rating):
    return arpad.look_ahead_season(FIDE, Player(EloStanding(rating, games=100), birth_year=1990), SEASON, on=ON)


ANSWERS = {
    "outlook": lambda rating: arpad.look_ahead(FIDE, rating, [1700, Field(1750, 50)], on=ON, reach=1800, lose=5),
    "season": season_of,
    "simulated season": lambda rating: arpad.look_ahead_season(FIDE, rating, SEASON, on=ON, most_work=1),
    "plans": lambda rating: arpad.compare_plans({"A": season_of(rating), "B": season_of(rating)}),
    "needed score": lambda rating: arpad.score_needed(FIDE, rating, [1700, None, 1800], reach=rating + 5, on=ON),
    "needed rating": lambda rating: arpad.rating_needed(FIDE, [rating, 2600], expected="0.6", on=ON),
    "strength": lambda rating: arpad.likely_strength(FIDE, rating, [parse_pairing("1700:win")], on=ON),
}  # fmt: skip


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_is_equal_copied_and_pickled(name):
    """The same question has the same answer, also after a copy and in another process; another one has not."""
    ask = ANSWERS[name]
    found = ask(1780)
    for again in (ask(1780), copy.copy(found), copy.deepcopy(found), pickle.loads(pickle.dumps(found))):  # noqa: S301
        assert again == found
        assert again.value() == found.value()
        assert again.explain() == found.explain()
        assert list(map(str, again.notes)) == list(map(str, found.notes))
    assert ask(1790) != found
    assert json.loads(found.explain("json"))["value"] == json.loads(json.dumps(found.value()))
