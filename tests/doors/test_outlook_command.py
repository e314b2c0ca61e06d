"""`arpad outlook` and `arpad strength`: what is typed, what is shown and what is refused."""

import json
import sys

import pytest

from arpad.cli import main

SAME = 1e-12  # the same sums in another order


def test_a_season_names_the_games_that_are_not_rated(capsys):
    """A gap of 600 with a player above the level is not rated in rapid, and the season says in which list and why."""
    line = ["outlook", "2650", "--system", "fide-rapid", "--k", "20", "--on", "2026-11-15"]
    line += ["--event", "--against", "2600", "--event", "--against", "2000", "2700", "--on", "2026-12-03"]
    assert main(line) == 0
    assert "2027-01, game 1" in capsys.readouterr().out
    assert main([*line, "--json"]) == 0
    lists = json.loads(capsys.readouterr().out)["value"]["lists"]
    assert [[(one["game"], one["chance"]) for one in each["not_rated"]] for each in lists] == [
        [],
        [(1, pytest.approx(1, abs=SAME))],
    ]


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


BAD = {
    "no opponents": (["outlook", "1780"], "needs --against, GAME, --field, --rounds or --event"),
    "target below the floor": (["outlook", "1780", "1700", "--reach", "1300"], "below the floor of 1400"),
    "strength NaN": (["outlook", "1780", "1700", "--strength", "nan"], "not a rating"),
    "10,000 games": (["outlook", "1780", "--against", *["1700"] * 10_000], "at most 100"),
    "10,000 rounds": (["outlook", "1780", "--field", "1800", "--rounds", "10000"], "from 0 to 1000"),
    "a colour": (["outlook", "1780", "1700@x"], "not a colour"),
    "a draw model": (["outlook", "1780", "1700", "--draws", "davidsen"], "Did you mean 'davidson'"),
    "no draw rate": (["outlook", "1780", "1700", "--draws", "davidson"], "needs the share of draws"),
    "a draw rate of one": (["outlook", "1780", "1700", "--draws", "davidson", "--draw-rate", "1"], "below 1"),
    "a draw rate for nobody": (["outlook", "1780", "1700", "--draw-rate", "0.3"], "takes no draw rate"),
    "a spread alone": (["outlook", "1780", "--spread", "100"], "needs --against, GAME, --field, --rounds or --event"),
    "a field below the floor": (["outlook", "1780", "--field", "900", "--rounds", "3"], "below the floor"),
    "a negative loss": (["outlook", "1780", "1700", "--lose", "-5"], "not a loss"),
    "an unrated player": (["outlook", "unrated", "1700"], "needs one"),
    "no rating": (["outlook", "--against", "1700"], "needs RATING"),
    "strength without games": (["strength", "1780"], "needs GAME"),
    "strength of a draw without draws": (["strength", "1780", "1700:draw", "--draws", "none"], "model without draws"),
    "a plan that is not there": (["outlook", "1780", "--plan", "nowhere.toml"], "cannot be read"),
    "a chart of no kind": (
        ["outlook", "1780", "1700", "--chart", "out.gif"],
        "'out.gif' is not a chart Arpad can write",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_gets_a_sentence(name, capsys):
    """What cannot be predicted is refused with one sentence and exit code 2."""
    line, says = BAD[name]
    assert main([*line, "--on", "2026-11-15"]) == 2
    assert says in capsys.readouterr().err


BAD_PLANS = {
    "not TOML": ("x = [", "The file is not TOML"),
    "an unknown name": ('foo = 1\n[[event]]\ngames = ["1800"]', "No field is called 'foo'"),
    "no event": ("rating = 1780", "[[event]]"),
    "an event that is a number": ("event = 3", "[[event]]"),
    "games without an opponent": ("rating = 1780\n[[event]]\ngames = {}", "needs OPPONENT"),
    "a game that is none": ('rating = 1780\n[[event]]\ngames = ["abc:win"]', "event 1, game 1"),
    "a day that is none": ('rating = 1780\n[[event]]\non = "soon"\ngames = ["1800"]', "not a date"),
    "rounds without a field": ("rating = 1780\n[[event]]\nrounds = 9", "Nothing is known about the opponents"),
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
        "Instead of what the file says: RATING 1790 instead of 1780.",
        "Still from the file: --born 2008, --games 200.",
    ]
    older = told("--born", "1990", *plan)
    assert "Instead of what the file says: --born 1990 instead of 2008." in older["notes"]
    assert older["value"]["lists"][0]["k"] == [{"k": 20, "chance": 1.0}]
    assert main(["outlook", *plan, "--name", "x"]) == 2
    assert "--name belongs to an event" in capsys.readouterr().out


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


BAD_NORMS = {
    "an unknown norm": (["2450gm/GER", "--norm", "fm"], "No title with norms is called 'fm'"),
    "a federation of two letters": (["2450gm/DE", "--norm", "gm"], "three letters"),
    "a title nobody has": (["2450gx/GER", "--norm", "gm"], "not a rating"),
    "an own title nobody has": (["2450gm/GER", "--norm", "gm", "--title", "QM"], "No title is called 'QM'"),
    "a kind of event": (["2450gm/GER", "--norm", "gm", "--event-kind", "blitz"], "No kind of event"),
    "a sex": (["2450", "--sex", "x"], "not M or W"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_NORMS)
def test_bad_questions_about_norms_get_a_sentence(name, capsys):
    """What cannot be asked of a norm is refused with one sentence and exit code 2."""
    words, says = BAD_NORMS[name]
    assert main(["outlook", "2460", "--on", "2026-11-15", *words]) == 2
    assert says in capsys.readouterr().err


def test_a_womans_norm_asks_whether_she_is_one(capsys):
    """A WGM norm is for women (1.5.3): with --sex w it has a chance, without it the chance is not known."""
    words = [
        f"{2390 + 5 * no}wgm/{fed}"
        for no, fed in enumerate(["FRA", "ITA", "IND", "POL", "ESP", "USA", "GEO", "NED", "CZE"])
    ]
    line = ["outlook", "2380", "--k", "10", "--federation", "GER", "--norm", "wgm", "--on", "2026-11-15", "--json"]
    chances = []
    for more in ([], ["--sex", "w"], ["--sex", "m"]):
        assert main([*line, *more, "--against", *words]) == 0
        chances.append(json.loads(capsys.readouterr().out)["value"]["norm"]["chance"])
    assert chances[0] is None
    assert 0 < chances[1] < 1
    assert chances[2] == 0


def test_several_targets(capsys):
    """`--reach 1790 --reach 1800` answers both, each as if it had been asked alone; the first is the target."""
    line = ["outlook", "1780", "--against", "1700", "1750", "1800", "--on", "2026-11-15", "--json"]

    def value(*targets):
        assert main([*line, *targets]) == 0
        return json.loads(capsys.readouterr().out)["value"]

    alone = {target: value("--reach", target)["reach"] for target in ("1790", "1800")}
    both = value("--reach", "1790", "--reach", "1800")
    assert both["targets"] == [{"target": 1790, "reach": alone["1790"]}, {"target": 1800, "reach": alone["1800"]}]
    assert (both["target"], both["reach"]) == (1790, alone["1790"])
    assert value("--reach", "1790,1800") == both
    assert alone["1790"] > alone["1800"]


def test_several_targets_of_a_season(capsys):
    """Over several lists each target has its chance on the last one."""
    season = ["--event", "1700", "--on", "2026-12-05", "--event", "1750", "--on", "2027-01-05"]
    line = ["outlook", "1780", "--on", "2026-11-15", "--reach", "1790", "--reach", "1785", *season]
    assert main([*line, "--json"]) == 0
    value = json.loads(capsys.readouterr().out)["value"]
    shares = [(one["new_rating"], one["probability"]) for one in value["outcomes"]]
    assert [one["target"] for one in value["targets"]] == [1790, 1785]
    for one in value["targets"]:
        assert one["reach"] == pytest.approx(sum(share for rating, share in shares if rating >= one["target"]))


HUNT = ["2520gm/POL:draw", "2430im/HUN:win", "2310fm/GER:win", "2405im/CZE:draw", "2480gm/UKR:loss", "2400im/AUT:?"]


def test_a_norm_hunter_is_told_the_same_at_every_door(capsys, tmp_path):
    """Five results, a pairing and three rounds to come: one chance, with its seed, error and assumptions."""
    from starlette.testclient import TestClient

    from arpad.web.app import create_app

    asked = ["--norm", "IM", "--federation", "GER", "--rounds", "3", "--on", "2026-11-15", "--seed", "3"]
    assert main(["outlook", "2388", *HUNT, *asked, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["value"]["norms"][0]
    assert told["simulation"]["seed"] == 3
    assert 0.3 < told["chance"] < 0.7
    assert told["simulation"]["error"] < 0.006
    client = TestClient(create_app())
    fields = {"norm": "IM", "federation": "GER", "rounds": 3, "on": "2026-11-15", "seed": 3}
    body = client.post("/api/v1/fide-standard/outlook", json={"rating": 2388, "game": HUNT, **fields}).json()
    assert body["value"]["norms"][0]["chance"] == told["chance"]
    page = client.get("/outlook", params={"rating": 2388, "row": HUNT, **fields}).text
    assert "simulated, ± 0.2 %" in page.replace("\N{NO-BREAK SPACE}", " ")
    assert "What the pairings decide: IM" in page
    assert "makes the norm if your last 3 opponents are rated 2464 on average" in page
    standings = tmp_path / "standings.txt"
    standings.write_text(
        "Rk\tName\tFED\tRtg\tPts\n" + "".join(f"{no}\tA, B{no}\tFRA\t{2380 + 10 * no}\t3\n" for no in range(1, 9))
    )
    assert main(["outlook", "2388", *HUNT, *asked, "--entries", str(standings)]) == 0
    assert "drawn from 8 players of the 8 in the" in capsys.readouterr().out
