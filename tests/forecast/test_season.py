"""Seasons, plans, strength and pictures."""

import json
import sys
import time
from collections import defaultdict
from datetime import date
from decimal import Decimal

import pytest

import arpad
from arpad import Field, Pairing, PlannedEvent, Player, draw_model
from arpad.charts.chances import chances_pictures
from arpad.charts.saving import on_paper, save
from arpad.cli import main
from arpad.forecast.plans import Intended, look_ahead_plans
from arpad.reading import parse_pairing
from arpad.systems.draw_models import labelle

ON = date(2026, 11, 15)
LONGEST_REQUEST = 10  # seconds, as docs/page.md promises
FIDE, ELO = arpad.system("fide-standard"), arpad.system("elo")
SAME = 1e-12  # the same sums in another order


def event(on, *opponents):
    return PlannedEvent(tuple(Pairing(Player(one)) for one in opponents), on)


SEASON = [event(date(2028, 12, 3), 2350, 2420, 2390), event(date(2029, 1, 5), 2400, 2300)]


@pytest.mark.parametrize(
    "player",
    [
        Player(2385, birth_year=2010, games=100),
        Player(2395, birth_year=1990, games=28),
        Player(2290, birth_year=2010, games=10, peak=2310),
        Player(1405, birth_year=2010),
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
        then = Player(
            first.new_rating,
            birth_year=player.birth_year,
            games=None if player.games is None else player.games + 3,
            peak=max(player.peak or 0, start, first.new_rating),
        )
        for last in arpad.look_ahead(FIDE, then, SEASON[1].pairings, on=SEASON[1].on, strength=strength).outcomes:
            expected[last.new_rating] += first.probability * last.probability
            if max(first.new_rating, last.new_rating or 0) >= start + 20:
                reached += first.probability * last.probability
    assert season.method == "exact"
    assert season.shares == pytest.approx(expected, abs=SAME)
    assert season.reached == pytest.approx(reached, abs=SAME)


def test_events_of_one_month_are_one_period():
    """Two events of a month enter one list: one K, one rounding, as in `rate_period`."""
    events = [event(date(2027, 1, 3), 1850, 1900), event(date(2027, 1, 20), 1700)]
    season = arpad.look_ahead_season(FIDE, Player(1780, k=20), events, on=ON)
    outlook = arpad.look_ahead(FIDE, Player(1780, k=20), events, on=date(2027, 1, 20))
    assert len(season.lists) == 1
    assert season.shares == pytest.approx({one.new_rating: one.probability for one in outlook.outcomes}, abs=SAME)


def test_too_much_work_is_played_out_by_chance_and_says_so(monkeypatch):
    """A season past the bound is sampled, with a stated error, and agrees with the exact one within four of them."""
    player = Player(2385, birth_year=1990, games=100)
    events = [event(date(2027, month, 3), 2350, 2420, 2390, 2400) for month in (1, 2, 3)]
    exact = arpad.look_ahead_season(FIDE, player, events, on=ON, reach=2400)
    monkeypatch.setattr("arpad.forecast.sampling.FEWEST_SEASONS", 2_000)
    sampled = arpad.look_ahead_season(FIDE, player, events, on=ON, reach=2400, most_work=500)
    assert (exact.method, sampled.method) == ("exact", "sampled")
    assert sampled.notes[0].key == "season.sampled"
    assert abs(sampled.reach - exact.reach) <= 4 * sampled.error
    assert sum(sampled.shares.values()) == pytest.approx(1, abs=1e-9)  # thousands of equal parts are added


FIELD = [event(date(2027, 1, 3), 1850, 1700), PlannedEvent((Pairing(Field(1850, 80)),) * 3, date(2027, 2, 3))]


def test_a_field_in_a_later_list_is_the_field_after_each_outcome():
    """A field after the first list equals each outcome of that list, with the field met from there."""
    season = arpad.look_ahead_season(FIDE, Player(1780, k=20), FIELD, on=ON)
    expected = defaultdict(float)
    for first in arpad.look_ahead(FIDE, Player(1780, k=20), FIELD[:1], on=FIELD[0].on).outcomes:
        then = Player(first.new_rating, k=20)
        for last in arpad.look_ahead(FIDE, then, FIELD[1:], on=FIELD[1].on, strength=1780).outcomes:
            expected[last.new_rating] += first.probability * last.probability
    assert season.method == "exact"
    # Sums of changes rarer than 1e-18 are left out on either side.
    assert season.shares == pytest.approx(expected, abs=SAME)


def test_a_field_that_is_too_much_work_is_sampled(monkeypatch):
    """A later field past the bound is played out by chance, says so, and is exact within its error."""
    exact = arpad.look_ahead_season(FIDE, Player(1780, k=20), FIELD, on=ON, reach=1790)
    monkeypatch.setattr("arpad.forecast.sampling.FEWEST_SEASONS", 2_000)
    season = arpad.look_ahead_season(FIDE, Player(1780, k=20), FIELD, on=ON, reach=1790, most_work=2_000)
    assert (exact.method, season.method) == ("exact", "sampled")
    assert "by chance" in season.explain()
    assert abs(season.reach - exact.reach) <= 4 * season.error
    # A rating's standard deviation is some thirty points: four errors of the mean of 2000.
    assert season.mean == pytest.approx(exact.mean, abs=4 * 30 / 2_000**0.5)


def test_levels_on_the_way_of_a_season():
    """2400 is K 10's level and the rating for IM; it is passed as often as some list has it, as the target says."""
    player = Player(2385, birth_year=1990, games=100)
    season = arpad.look_ahead_season(FIDE, player, SEASON, on=ON, reach=2400)
    passed = [(level.level, chance) for level, chance in season.levels]
    assert [level for level, _ in passed] == [2400, 2400]
    assert [chance for _, chance in passed] == pytest.approx([season.reached] * 2, abs=SAME)


def test_a_womans_levels_are_those_of_womens_titles_too(capsys):
    """WIM asks for 2200 (Title Regulations, ratings for titles); it is looked at for a woman alone."""
    line = ["outlook", "2195", "--k", "20", "--against", "2200", "2250", "--on", "2026-11-15", "--json"]
    says = []
    for more in ([], ["--sex", "w"]):
        assert main([*line, *more]) == 0
        levels = json.loads(capsys.readouterr().out)["value"]["levels"]
        says.append([level["says"] for level in levels if level["level"] == 2200])
    assert says == [["the rating for CM"], ["the rating for CM", "the rating for WIM, norms apart"]]


def test_a_season_names_the_games_that_are_not_rated(capsys):
    """A gap of 600 with a player above the level is not rated in rapid, and the season says in which list and why."""
    line = ["outlook", "2650", "--system", "fide-rapid", "--k", "20", "--on", "2026-11-15"]
    line += ["--event", "--against", "2600", "--event", "--against", "2000", "2700", "--on", "2026-12-03"]
    assert main(line) == 0
    assert "2026-12-03, game 1: " in capsys.readouterr().out
    assert main([*line, "--json"]) == 0
    lists = json.loads(capsys.readouterr().out)["value"]["lists"]
    assert [[(one["game"], one["chance"]) for one in each["not_rated"]] for each in lists] == [
        [],
        [(1, pytest.approx(1, abs=SAME))],
    ]


def test_each_list_of_a_season_names_its_k():
    """K 20 until 2400 is published, then 10 (FIDE 8.3.3), each with its chance and its article."""
    season = arpad.look_ahead_season(FIDE, Player(2385, birth_year=1990, games=100), SEASON, on=ON)
    first, second = ({step.value: share for step, share in one.k} for one in season.lists)
    assert first == {20: 1.0}
    reached = sum(share for rating, share in season.lists[0].shares.items() if rating >= 2400)
    assert second == {20: pytest.approx(1 - reached, abs=SAME), 10: pytest.approx(reached, abs=SAME)}
    assert "[FIDE 8.3.3]" in season.explain()


def test_a_season_in_glickos_family_carries_the_deviation():
    """Two lists played out by chance are as two periods rated one after the other: the mean deviation agrees."""
    glicko = arpad.system("glicko")
    player = Player(1500, deviation=80)
    opponents = (Pairing(Player(1480, deviation=50)), Pairing(Player(1530, deviation=60)))
    events = [PlannedEvent(opponents, date(2027, month, 3)) for month in (1, 2)]
    season = arpad.look_ahead_season(glicko, player, events, on=ON, most_work=50_000)
    games = [arpad.draw(one.opponent) for one in opponents]
    once = glicko.rate(player, games, on=ON)
    twice = glicko.rate(Player(once.new_rating, deviation=once.new_deviation), games, on=ON)
    assert season.method == "sampled"
    # With draws the rating stays near the opponents; a deviation hardly feels where the rating went.
    assert [one.deviation for one in season.lists] == pytest.approx([once.new_deviation, twice.new_deviation], abs=0.05)


@pytest.mark.parametrize(("rating", "games", "draws"), [
    (1400, ["2800:win"] * 100, "labelle"), (1000, ["2000:win"], "none"),
])  # fmt: skip
def test_a_hopeless_rating_has_no_ratio(rating, games, draws):
    """Past any sense the number is left out: e to some hundreds is no float, and infinity is not JSON."""
    found = arpad.likely_strength(FIDE, rating, map(parse_pairing, games), on=ON, draws=draw_model(draws))
    assert (found.ratio, found.within) == (None, False)
    json.dumps(found.value(), allow_nan=False)
    assert "over a thousand times as likely" in next(one.remark for one in found.figures() if one.key == "rating")


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
    assert found.notes[0].key == "strength.open"


def test_a_plan_that_may_cost_the_rating_is_not_praised_for_its_mean(tmp_path, capsys):
    """Nine even games at 1410 have a mean gain of zero; of those who stay above 1400 (FIDE 7.2.1) it is above."""
    nine, one = tmp_path / "nine.toml", tmp_path / "one.toml"
    nine.write_text(f"[[event]]\non = 2027-01-10\ngames = {['1410'] * 9}\n", encoding="utf-8")
    one.write_text('[[event]]\non = 2027-01-10\ngames = ["1450"]\n', encoding="utf-8")
    line = ["outlook", "1410", "--k", "20", "--on", "2026-11-15", "--plan", str(nine), "--plan", str(one)]
    assert main([*line, "--json"]) == 0
    value = json.loads(capsys.readouterr().out)["value"]
    plans = {plan["name"]: plan for plan in value["plans"]}
    assert plans["nine"]["unrated"] > plans["one"]["unrated"] == 0  # 1410 − 9 is still on the list
    assert plans["nine"]["mean"] > plans["one"]["mean"]
    assert value["best"] == max(plans, key=lambda name: plans[name]["gain"]) == "one"
    assert main(line) == 0
    shown = capsys.readouterr().out
    assert "to end higher" in shown
    assert "unrated" in shown.splitlines()[3]


def test_a_season_says_whose_mean_it_is(capsys):
    """Where somebody may fall below the floor, the mean gain is said to be of those who do not."""
    line = ["outlook", "1405", "--k", "20", "--on", "2026-11-15"]
    events = [
        "--event",
        "--against",
        "1500",
        "--on",
        "2027-01-05",
        "--event",
        "--against",
        "1500",
        "--on",
        "2027-02-05",
    ]
    assert main([*line, *events, "--brief"]) == 0
    assert "who keep a rating" in " ".join(capsys.readouterr().out.split())
    assert main(["outlook", "1905", *line[2:], *events, "--brief"]) == 0
    assert "who keep a rating" not in " ".join(capsys.readouterr().out.split())


def test_plans_stand_side_by_side(tmp_path, capsys):
    """Two plan files give a line each, and the one with the better chance is named."""
    hard, easy = tmp_path / "hard.toml", tmp_path / "easy.toml"
    hard.write_text('[[event]]\non = 2027-01-03\ngames = ["2300", "2310@b"]\n', encoding="utf-8")
    easy.write_text(
        'name = "long"\n[[event]]\non = 2027-01-03\nfield = 1800\nspread = 50\nrounds = 6\n', encoding="utf-8"
    )
    line = ["outlook", "1780", "--k", "20", "--on", "2026-11-15", "--reach", "1790", "--json"]
    assert main([*line, "--plan", str(hard), "--plan", str(easy)]) == 0
    value = json.loads(capsys.readouterr().out)["value"]
    plans = {plan["name"]: plan["reach"] for plan in value["plans"]}
    assert set(plans) == {"hard", "long"}
    assert value["best"] == max(plans, key=plans.get)


@pytest.mark.parametrize("name", ["fide-standard", "dwz"])
def test_the_work_is_bounded_for_every_door(name):
    """Thirty lists, and beside them a field met from hundreds of ratings, take no longer than a request may."""
    months = [date(2027 + no // 12, 1 + no % 12, 5) for no in range(30)]
    player = Player(1780, birth_year=1990, games=100, k=20)
    long = Intended(player, [event(month, *[1800] * 5) for month in months], "long")
    fields = Intended(player, [PlannedEvent((Pairing(Field(1800, 90)),) * 9, month) for month in months[:4]], "fields")
    started = time.process_time()
    found = look_ahead_plans(arpad.system(name), [long, fields], on=ON, reach=1800)
    assert {plan.season.method for plan in found.plans} == {"sampled"}
    assert time.process_time() - started < LONGEST_REQUEST


BAD = {
    "no opponents": (["outlook", "1780"], "No opponents"),
    "target below the floor": (["outlook", "1780", "1700", "--reach", "1300"], "below the floor of 1400"),
    "strength NaN": (["outlook", "1780", "1700", "--strength", "nan"], "not a rating"),
    "10,000 games": (["outlook", "1780", "--against", *["1700"] * 10_000], "at most 100"),
    "10,000 rounds": (["outlook", "1780", "--field", "1800", "--rounds", "10000"], "from 1 to 1000"),
    "a colour": (["outlook", "1780", "1700@x"], "not a colour"),
    "a draw model": (["outlook", "1780", "1700", "--draws", "davidsen"], "Did you mean 'davidson'"),
    "no draw rate": (["outlook", "1780", "1700", "--draws", "davidson"], "needs the draw rate"),
    "a draw rate of one": (["outlook", "1780", "1700", "--draws", "davidson", "--draw-rate", "1"], "below 1"),
    "a draw rate for nobody": (["outlook", "1780", "1700", "--draw-rate", "0.3"], "takes no draw rate"),
    "a spread alone": (["outlook", "1780", "--spread", "100"], "belong to a field"),
    "a field below the floor": (["outlook", "1780", "--field", "900", "--rounds", "3"], "below the floor"),
    "a negative loss": (["outlook", "1780", "1700", "--lose", "-5"], "not a loss"),
    "an unrated player": (["outlook", "unrated", "1700"], "needs one"),
    "no rating": (["outlook", "--against", "1700"], "own rating"),
    "strength without games": (["strength", "1780"], "game played"),
    "strength of a draw without draws": (["strength", "1780", "1700:draw", "--draws", "none"], "no draws"),
    "a plan that is not there": (["outlook", "1780", "--plan", "nowhere.toml"], "cannot be read"),
    "a picture of no kind": (
        ["outlook", "1780", "1700", "--chart", "out.gif"],
        "'out.gif' is not a picture Arpad can write; name it .html",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_gets_a_sentence(name, capsys):
    """What cannot be predicted is refused with one sentence and exit code 2."""
    line, says = BAD[name]
    assert main([*line, "--on", "2026-11-15"]) == 2
    assert says in capsys.readouterr().err


BAD_PLANS = {
    "not TOML": ("x = [", "not a TOML file"),
    "an unknown name": ("foo = 1", "Unknown: foo"),
    "no event": ("rating = 1780", "[[event]]"),
    "an event that is a number": ("event = 3", "[[event]]"),
    "games that are a number": ("[[event]]\ngames = 1800", "a list"),
    "a game that is none": ('[[event]]\ngames = ["abc"]', "not a rating"),
    "a day that is none": ('[[event]]\non = "soon"\ngames = ["1800"]', "not a date"),
    "rounds without a field": ("[[event]]\nrounds = 9", "belong to a field"),
    "a day with dots and without quotes": (
        "rating = 1780\n[[event]]\non = 05.12.2026",
        "write on = 2026-12-05 (line 3)",
    ),
    "no player": ('[[event]]\ngames = ["1800"]', "needs the player's rating"),
}


@pytest.mark.parametrize("name", BAD_PLANS)
def test_a_bad_plan_file_gets_a_sentence(name, tmp_path, capsys):
    """A plan file that breaks its shape is refused, and the place is named."""
    text, says = BAD_PLANS[name]
    (tmp_path / "plan.toml").write_text(text, encoding="utf-8")
    assert main(["outlook", "--plan", str(tmp_path / "plan.toml"), "--on", "2026-11-15"]) == 2
    shown = capsys.readouterr().err
    assert says in shown
    assert "plan" in shown


PLAN = """rating = 1780
born = 2008
games = 200
[[event]]
name = "Winter open"
on = "5.12.2026"
games = ["1700", "1750 win", "1800"]
[[event]]
name = "Spring open"
on = 2027-01-10
games = ["1700", "1750", "1800"]
"""


def test_a_plan_is_overridden_field_by_field(tmp_path, capsys):
    """What is typed replaces that field of the file and no other, and the notes say which; K 40 needs the file's year.

    The season typed out in full is what the overridden file must give.
    """
    (tmp_path / "plan.toml").write_text(PLAN, encoding="utf-8")
    plan = ["--plan", str(tmp_path / "plan.toml"), "--reach", "1800", "--on", "2026-11-15", "--json"]
    typed = ["--born", "2008", "--games", "200", "--event", "1700", "1750:win", "1800", "--on", "2026-12-05",
             "--event", "1700", "1750", "1800", "--on", "2027-01-10"]  # fmt: skip

    def told(*line):
        assert main(["outlook", *line]) == 0
        return json.loads(capsys.readouterr().out)

    for given, rating in (([], "1780"), (["1790"], "1790")):
        from_file, whole = told(*given, *plan), told(rating, *plan[2:], *typed)
        assert from_file["value"]["reach"] == whole["value"]["reach"]
        assert [one["k"][0]["k"] for one in from_file["value"]["lists"]] == [40, 20]
    assert from_file["notes"][-2:] == [
        "The command line overrides plan: rating 1790 instead of 1780.",
        "The rest of the player is plan's: born 2008, games 200.",
    ]
    older = told("--born", "1990", *plan)
    assert "The command line overrides plan: born 1990 instead of 2008." in older["notes"]
    assert older["value"]["lists"][0]["k"] == [{"k": 20, "chance": 1.0}]
    assert main(["outlook", *plan, "--time", "90+30", "--name", "x"]) == 2
    assert "leave out --name, --time" in capsys.readouterr().out


def test_a_season_names_its_lists_events_and_k(tmp_path, capsys):
    """A line of the table is a list by its month, with the events, their games and the K they have."""
    (tmp_path / "plan.toml").write_text(PLAN, encoding="utf-8")
    assert main(["outlook", "--plan", str(tmp_path / "plan.toml"), "--on", "2026-11-15"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines() if line.startswith("2027-")]
    assert [row[:5] for row in rows] == [
        ["2027-01", "Winter", "open", "3", "40"],
        ["2027-02", "Spring", "open", "3", "20"],
    ]


def test_a_game_that_is_not_rated_says_so(capsys):
    """In rapid a gap of 600 with a player above the level is not rated; the outlook leaves it out and says why."""
    line = ["outlook", "2650", "--system", "fide-rapid", "--against", "2000", "2500s", "2700", "--on", "2026-11-15"]
    assert main(line) == 0
    assert "game 1: " in capsys.readouterr().out
    assert main([*line, "--json"]) == 0
    value = json.loads(capsys.readouterr().out)["value"]
    assert (value["games"], value["open"], [one["game"] for one in value["not_rated"]]) == (3, 2, [1])


def test_a_missing_extra_is_named(monkeypatch, capsys):
    """Without the charting libraries, one sentence says what to install."""
    monkeypatch.setitem(sys.modules, "altair", None)
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    assert main(["outlook", "1780", "1700", "--on", "2026-11-15", "--chart", "out.svg"]) == 2
    assert "pip install 'arpad[charts]'" in capsys.readouterr().err


@pytest.mark.parametrize("form", ["svg", "png", "html"])
@pytest.mark.parametrize("kind", ["histogram", "fan", "plans"])
def test_pictures_are_written(kind, form, tmp_path):
    """Each kind of picture is written in each form, with the target in it, and the page fetches nothing."""
    pytest.importorskip("altair", reason="the charts extra is not installed")
    pytest.importorskip("vl_convert", reason="the charts extra is not installed")
    player = Player(2385, k=20)
    season = arpad.look_ahead_season(FIDE, player, SEASON, on=ON, reach=2397)
    what = {
        "histogram": lambda: arpad.look_ahead(FIDE, player, [2350, 2400], on=ON, reach=2397),
        "fan": lambda: season,
        "plans": lambda: arpad.compare_plans([arpad.Plan("A", season), arpad.Plan("B", season)]),
    }[kind]()
    path = tmp_path / f"out.{form}"
    save(on_paper(chances_pictures(what)), str(path))
    if form == "png":
        assert path.read_bytes().startswith(b"\x89PNG")
    else:
        assert "2397" in path.read_text(encoding="utf-8")
    if form == "html":
        assert "<script src=" not in path.read_text(encoding="utf-8")


def test_the_outlook_of_a_junior_explains_itself():
    """The working holds each game's chances, the sum that is the mean, and the article behind K."""
    outlook = arpad.look_ahead(FIDE, Player(1780, birth_year=2010), [1700, 1900], on=ON, reach=1800)
    text = outlook.explain()
    win, drawn, lost = labelle(1780, 1700).values()
    assert f"win {100 * win:.1f} %, draw {100 * drawn:.1f} %, loss {100 * lost:.1f} %" in text
    assert "[FIDE 8.3.3]" in text
    assert outlook.mean == sum((Decimal(one.probability) * one.change for one in outlook.outcomes), Decimal(0))
