"""The answer in one glance: figure, sentence, assumptions and facts of every question.

Figures come from the worked cases of FIDE's Handbook (`tests/cases`), or were worked out by hand from FIDE's table
8.1.2 (B.02, 2024) as each test says.
"""

from datetime import date
from decimal import Decimal

import pytest

from arpad.messages import speaking
from arpad.questions import read_question, spec_of
from arpad.systems import system_names
from arpad.web.hero import hero_of
from arpad.web.hero_parts import day, plain, points

TODAY = date(2026, 11, 15)
THREE = ["1812:win", "1690:draw", "1934:win"]
NINE = ["1810", "1695", "1768", "1852", "1790", "1733", "1884", "1801", "1820"]
NORM_GAMES = [
    "2520gm/POL:draw",
    "2430im/HUN:win",
    "2310fm/GER:win",
    "2405im/CZE:draw",
    "2480gm/UKR:loss",
    "2400im/AUT:?",
]
NORM = {"rating": 2388, "federation": "GER", "title": "FM", "born": 1998, "norm": ["IM"]}


@pytest.fixture(autouse=True)
def _page():
    with speaking("en", "page"):
        yield


def hero(question, **given):
    """The hero of a question."""
    asked = read_question(spec_of(question), given, today=TODAY, door="api")
    return hero_of(asked, asked.answer())


def facts(made):
    """The facts as label and value."""
    return {str(fact.label): fact.value for fact in made.facts}


def assumed(made):
    """The assumptions as plain text."""
    return [plain(one.says) for one in made.assumptions]


def test_three_games():
    """Expected 0.41 + 0.58 + 0.26 by table 8.1.2 for −62, 60 and −184; K 20 × (2.5 − 1.25) = 25."""
    made = hero("rate", rating=1750, game=THREE)
    assert (str(made.label), made.figure, plain(made.aside)) == ("Your rating rises by", "+25", "1750 → 1775")
    assert str(made.sentence) == "You scored 2½ of 3, and 1.25 was expected."
    # 83 % is dp 273 by table 8.1.1: 1812 + 273.
    assert facts(made) == {"K": "20", "Performance": "2085", "Next list": "1 Dec 2026"}
    assert made.facts[0].assumed


def test_an_assumption_says_what_it_would_be_otherwise():
    """With K 40, for whoever turns 18 in 2026 or later (8.3.3), the change is twice as large."""
    made = hero("rate", rating=1750, game=THREE)
    assert assumed(made) == ["For an adult with 30 games or more (K 20). Born in 2008 or later it would be +50."]
    assert made.assumptions[0].field == "born"


@pytest.mark.parametrize("known", [{"born": 1988, "games": 60}, {"k": 20}, {"born": 2010}])
def test_what_is_given_is_not_assumed(known):
    """K follows from what is given, so nothing is amber."""
    made = hero("rate", rating=1750, game=THREE, **known)
    assert not made.assumptions
    assert not any(fact.assumed for fact in made.facts)


def test_an_assumption_that_changes_nothing_is_not_said():
    """K 10 once 2400 has been reached (8.3.3), and a drawn game between equals gives 0 with any K."""
    assert not hero("rate", rating=2450, game=["2400:win"]).assumptions
    assert not hero("rate", rating=1750, game=["1750:draw"]).assumptions


def test_one_game_is_told_whole():
    """0.24 for −200 by table 8.1.2; 40 × 0.76 = 30.40."""
    made = hero("rate", rating=1750, born=2010, game=["1950:win"])
    assert made.figure == "+30"
    assert str(made.sentence) == (
        "You were expected to score 0.24 against 1950, and you won. With K 40 that is worth 30 points."
    )
    assert facts(made) == {"K": "40", "Exactly": "+30.40", "Next list": "1 Dec 2026"}
    assert "January 2029" in str(made.facts[0].remark)  # the year after turning 18


def test_a_period_is_rounded_once():
    """Table 8.1.2: 0.41, 0.57, 0.30, 0.36, 0.46 of five games and 0.30, 0.57 of two; 20 × (4.5 − 2.97) = 30.60."""
    events = [
        {"name": "Open", "on": "2026-11-03", "game": ["1812:1", "1700:0.5", "1900:0.5", "1850:0", "1780:1"]},
        {"name": "League", "on": "2026-11-08", "game": ["1900:1", "1700:0.5"]},
    ]
    made = hero("period", rating=1750, born=1988, games=60, event=events)
    assert (made.figure, plain(made.aside)) == ("+31", "1750 → 1781")
    assert "1 December 2026" in str(made.label)
    assert "+30.60, rounded once" in str(made.sentence)
    assert facts(made) == {"Open": "+18.00", "League": "+12.60", "K": "20"}


def test_a_loss_is_not_denied_twice():
    """Table 8.1.2: 0.50 between equals; 20 × (0 − 0.50). The figure has the sign, so the words say no "by"."""
    made = hero("rate", rating=1750, born=1988, games=60, game=["1750:loss"])
    assert (str(made.label), made.figure) == ("Your rating falls", "−10")


def test_a_rating_below_the_floor_is_no_number():
    """FIDE publishes no rating below 1400 (7.1.4)."""
    made = hero("rate", rating=1400, k=40, game=["1400:loss"])
    assert made.figure == "unrated"


def test_a_rating_below_the_floor_from_the_start_is_not_said_to_fall():
    """With 1200 nobody is on FIDE's list (7.1.4): it is another rating, and has a system of its own."""
    made = hero("rate", rating=1200, k=40, game=["1500:win"])
    assert str(made.label) == "The list has no rating so low"
    assert "Then choose its system." in str(made.sentence)
    fallen = hero("rate", rating=1400, k=40, game=["1400:loss", "1350:loss"])
    assert str(fallen.label) == "Your rating falls off the list"


def test_one_game_ahead_shows_all_three_results():
    """20 × (1 − 0.24), 20 × (0.5 − 0.24) and 20 × (0 − 0.24), each rounded as the list rounds."""
    made = hero("expect", rating=1750, opponent=1950, born=1988, games=60)
    assert [(one.change, one.new_rating) for one in made.results] == [("+15", "1765"), ("+5", "1755"), ("−5", "1745")]
    assert sum(one.chance for one in made.results) == 100
    assert str(made.sentence) == "Against 1950 even a draw gains points."
    assert facts(made) == {"Expected": "0.24", "K": "20", "Next list": "1 Dec 2026"}


def test_a_draw_that_costs_points():
    assert str(hero("expect", rating=1750, opponent=1700, k=20).sentence) == "Against 1700 a draw costs points."


def test_an_event_with_a_target():
    """Table 8.1.2 expects 3.85 of 9; 40 × (5.5 − 3.85) = 66 ≥ 58, and 40 × (5 − 3.85) = 46 is not enough."""
    made = hero("outlook", rating=1742, born=2008, on="2026-12-12", reach=[1800], against=NINE)
    assert (made.figure, plain(made.aside), made.brief) == ("5½", "of 9", "5½ of 9")
    assert str(made.sentence).startswith("That is 1.65 more than your rating expects of you.")
    # From January K is 20, and 20 × (7 − 3.85) = 63 is the first that is enough.
    assert assumed(made) == [
        "K is 40 for this event only: from the list of 1 January 2027 it is 20. The same event then would need 7 of 9."
    ]
    assert set(facts(made)) == {"Chance", "If all goes as usual", "Chance to gain"}
    assert "typical at your age" in str(made.facts[0].remark)


def test_an_event_without_a_target_is_the_usual_range():
    """K 20 × (4 − 3.85) = 3: four of nine is the least that gains."""
    made = hero("outlook", rating=1742, born=1988, games=60, against=NINE)
    assert "–" in made.figure
    assert facts(made)["To gain"] == "4 of 9"


def test_a_target_out_of_reach():
    """20 × (2 − 0.52) gains 30 at most (0.26 each for −184, table 8.1.2)."""
    made = hero("outlook", rating=1750, k=20, reach=[1900], against=["1934", "1934"])
    assert (made.figure, plain(made.aside)) == ("1780", "at best")


def test_games_that_are_left():
    """After 1½ of 2 the points that are still needed count."""
    made = hero("outlook", rating=1742, k=20, reach=[1760], game=["1810:1", "1695:0.5"], against=NINE[2:])
    assert str(made.label) == "To reach 1760 you still need"
    assert made.aside.values == {"games": 7}


def test_a_norm_says_how_many_points_are_left():
    """B.01: 5 of 9 against 2416 on average performs 2416 + 43 (56 %), above an IM norm's 2450; 4½ performs 2416."""
    made = hero("outlook", **NORM, game=[*NORM_GAMES, "2400", "2400", "2400"])
    assert (made.figure, made.brief) == ("2", "2 of 4")
    assert str(made.tag) == "round 6 of 9"
    # 20 × (5 − 4.14), by the table for each of the nine: 17.2.
    assert facts(made)["Your rating then"] == "2405"
    assert facts(made)["Other conditions"] == "all met"


def test_rounds_that_are_not_paired_are_a_guess():
    """5 of 9 needs an average of 2407 (2450 − 43), so 2372 of the three; 4½ needs 2450, so 2501 of them."""
    made = hero("outlook", **NORM, game=NORM_GAMES, field=2400, rounds=3)
    assert made.figure == "2"
    assert "2400 is your guess. It holds for 2372 to 2500" in assumed(made)[0]
    assert facts(made)["Other conditions"] == "all met"


def test_what_nobody_said_about_the_opponents_is_not_called_met():
    """Without federations the conditions on them are not known; the average is taken from those met, 2440, and 4 of 5.

    In a Swiss 400 × (0.8 − 0.5) is added: 2560 (docs/chances.md, opponents in rounds to come).
    """
    games = ["2450:win", "2460:draw", "2410:win", "2500:draw", "2380:win"]
    made = hero("outlook", rating=2380, norm=["IM"], game=games, rounds=4)
    assert facts(made)["Other conditions"] == "not known"
    assert "2560 is assumed from your opponents so far. It holds for" in assumed(made)[0]


def test_a_first_rating():
    """8.2.3: (10050 + 2 × 1800) / 8 = 1706.25 and half the points."""
    made = hero("first", game=["1650:1", "1700:0", "1580:0.5", "1800:0", "1600:1", "1720:0.5"])
    assert made.figure == "1706"
    assert facts(made) == {"Opponents": "1675", "Score": "3 of 6", "From now on": "K 40"}


def test_two_more_games():
    """A first rating takes five (7.1.4)."""
    made = hero("first", game=["1650:1", "1700:0", "1580:0.5"])
    assert made.brief == "2 more games"


def test_a_performance_needs_no_rating():
    made = hero("performance", game=THREE)
    assert made.figure == "2085"  # 1812 + 273 (tables 8.1.1)
    assert facts(made)["Opponents"] == "1812"


def test_a_diary_ends_with_the_newest_rating():
    """40 × (2.5 − 1.25) = 50 in March; 40 × (0.5 − 0.36 − 0.50) = −14.4 in June, from 1800."""
    events = [{"on": "2026-03-03", "game": THREE}, {"on": "2026-06-03", "game": ["1900:0", "1800:0.5"]}]
    made = hero("diary", rating=1750, born=2010, event=events)
    assert made.figure == "1786"
    assert facts(made) == {"Best list": "1800", "Lowest list": "1786", "K now": "40"}


def test_a_season_is_the_chance_of_its_target():
    events = [
        {"name": "A", "on": "2026-12-03", "against": ["1700", "1800"]},
        {"name": "B", "on": "2027-01-03", "against": ["1900"]},
    ]
    made = hero("season", rating=1780, k=20, reach=[1790], event=events)
    assert made.figure.endswith("%")
    assert str(made.sentence).startswith("A matters most, with 2 of 3 games.")
    assert len(made.facts) == 2


@pytest.mark.parametrize("system", system_names())
def test_every_system_has_a_hero(system):
    """For the games of a club player: a figure, a sentence, and no more than three facts."""
    for question, given in (("rate", {"game": THREE}), ("expect", {"opponent": 1950})):
        made = hero(question, rating=1750, system=system, **given)
        assert made.figure
        assert made.sentence
        assert 1 <= len(made.facts) <= 3
        assert "None" not in made.spoken


@pytest.mark.parametrize("system", ["glicko", "glicko-2", "lichess", "chesscom"])
def test_a_deviation_that_is_assumed_is_amber(system):
    made = hero("rate", rating=1750, system=system, game=THREE)
    assert made.facts[0].assumed
    assert made.assumptions[0].field == "deviation"
    assert not hero("rate", rating=1750, deviation=60, system=system, game=["1812/60:win"]).facts[0].assumed


def test_us_chess_is_called_an_estimate():
    assert str(hero("rate", rating=1750, system="uschess-regular", game=THREE).tag) == "estimate"


@pytest.mark.parametrize(("score", "said"), [(0, "0"), ("0.5", "½"), ("2.5", "2½"), (9, "9")])
def test_scores_as_players_write_them(score, said):
    assert points(Decimal(score)) == said


def test_days_as_people_write_them():
    assert day(date(2026, 12, 1)) == "1 Dec 2026"
