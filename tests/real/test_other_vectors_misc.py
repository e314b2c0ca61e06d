"""DWZ, plain Elo, engine matches and draw models against the worked figures collected from outside."""

import csv
import json
from datetime import date
from decimal import Decimal

import pytest

import arpad
from arpad import DwzStanding, Game, Player, Sprt
from arpad.matches import bayes_chances
from arpad.systems.chances import davidson, labelle
from arpad.systems.dwz.coefficient import k_of_e
from conftest import shared
from doors import asked

VECTORS = shared("vectors/other_vectors.csv")
ON = date(2026, 11, 15)
OLD = date(2026, 6, 7)  # the figures of DWZ are by the rating order that ended on this day
PRINTED = 0.6  # the DWZ table is printed in whole percents, 85.56 as 85

# Systems that Arpad does not have; and one figure that is a survey, not a model.
OUT_OF_SCOPE = {
    "bradley_terry", "chessmetrics", "egf_go", "elo_mmr", "openskill", "ordo", "trueskill", "whr",
    "draw_model empirical",
}  # fmt: skip
# Systems that other tests of this folder read.
ELSEWHERE = {"glicko", "glicko2", "lichess_glicko2", "uschess"}

with VECTORS.open(encoding="utf-8") as file:
    ROWS = list(csv.DictReader(file))


def _outside(row):
    return bool({row["system"], f"{row['system']} {row['kind']}"} & (OUT_OF_SCOPE | ELSEWHERE))


def _elo(given):
    if "ra" in given:
        pairs = ((given["ra"], given["rb"], given["score_a"]), (given["rb"], given["ra"], 1 - given["score_a"]))
        mine, other = (arpad.system("elo", k=given["k"]).rate(Player(r), [Game(o, s)], on=ON) for r, o, s in pairs)
        return {
            "ea": mine.expected,
            "ra_new": mine.rating + mine.change,
            "rb_new": other.rating + other.change,
            "change": mine.change,
        }, ["rate", str(given["ra"]), f"{given['rb']}:{given['score_a']}", "--system", "elo", "--k", str(given["k"])]
    rating = given.get("player", given.get("r"))
    games = [Game(o, s) for o, s in zip(given["opponents"], given["scores"], strict=True)]
    change = arpad.system("elo", k=given["k"]).rate(Player(rating), games, on=ON)
    typed = [f"{o}:{s}" for o, s in zip(given["opponents"], given["scores"], strict=True)]
    return {
        "change": change.change,
        "expected_total": change.expected,
        "new": change.rating + change.change,
        "published_new": change.new_rating,
        "new_rounded": change.new_rating,
    }, ["rate", str(rating), *typed, "--system", "elo", "--k", str(given["k"])]


def _dwz_expected(given):
    system = arpad.system("dwz")
    got = [system.expected_score(difference, on=ON) for difference in given["diffs"]]
    return {"percent_rounded": [float(100 * share) for share in got]}, None


def _dwz_given(given):
    k = k_of_e(Decimal(800), given["e"], given["n"])
    return {"new_rounded": round(given["r"] + k * (Decimal(str(given["w"])) - Decimal(str(given["we"]))))}, None


def _dwz_update(given):
    wins, half = divmod(Decimal(str(given["score"])), 1)
    scores = [1] * int(wins) + [0.5] * bool(half)
    scores += [0] * (len(given["opponents"]) - len(scores))
    games = [Game(o, s) for o, s in zip(given["opponents"], scores, strict=True)]
    player = Player(DwzStanding(given["r"], index=given["index"]), birth_year=OLD.year - given["age"])
    change = arpad.system("dwz").rate(player, games, on=OLD)
    e = next(step.value for step in change.steps if step.key == "e.bounded")
    typed = [f"{o}:{s}" for o, s in zip(given["opponents"], scores, strict=True)]
    born = ["--born", str(player.birth_year), "--dwz-index", str(given["index"])]
    return {
        "change": change.change,
        "we": change.expected,
        "e": e,
        "new": change.rating + change.change,
        "new_rounded": change.new_rating,
    }, ["rate", str(given["r"]), *typed, "--system", "dwz", "--on", str(OLD), *born]


def _match(given, program="fastchess"):
    asked_for = {name: given[name] for name in ("wins", "losses", "draws") if name in given}
    line = ["match", "--program", program]
    for name, value in asked_for.items():
        line += [f"--{name}", str(value)]
    if "LL" in given:
        even = given["WL"] + given["DD"]
        asked_for["pairs"] = [given["LL"], given["LD"], even, given["WD"], given["WW"]]
        line += ["--pairs", *map(str, asked_for["pairs"])]
    sprt = None
    if "elo0" in given:
        sprt = Sprt(given["elo0"], given["elo1"], model=given.get("model"))
        line += ["--sprt", str(given["elo0"]), str(given["elo1"])]
        line += ["--model", given["model"]] if "model" in given else []
    return arpad.match(**asked_for, sprt=sprt, program=program), line


def _statistics(given):
    match, line = _match(given)
    value = match.value()
    full = {
        "score": value["share"], "elo": value["elo"], "err": value["elo_error"],
        "nelo": value["normalized_elo"], "nerr": value["normalized_error"], "los": 100 * value["los"],
    }  # fmt: skip
    return {
        "full": full, **full, "elo_err": full["err"], "nelo_err": full["nerr"],
    }, line  # fmt: skip


def _sprt(given, program="fastchess"):
    match, line = _match(given, program)
    value = match.value()
    test = value["sprt"]
    return {**test, "llr_full": test["llr"], "los": 100 * value["los"]}, line


def _davidson(given):
    return davidson(given["expected_score"], given["draw_rate_at_equal"]), None


def _rao_kupper(given):
    chances = bayes_chances(given["delta"] + given["advantage"], given["drawelo"], 400)
    return dict(zip(("loss", "draw", "win"), chances, strict=True)), None


def _labelle(given):
    lower = labelle(given["lower"], given["higher"])
    expected = lower["win"] + lower["draw"] / 2
    return {
        "expected_lower": expected, "win_lower": lower["win"], "draw": lower["draw"], "win_higher": lower["loss"],
    }, None  # fmt: skip


KINDS = {
    ("elo_k32", "update"): _elo,
    ("icu_elo", "update"): _elo,
    ("dwz", "expected"): _dwz_expected,
    ("dwz", "update_given_We"): _dwz_given,
    ("dwz", "update"): _dwz_update,
    ("engine_match", "wdl"): _statistics,
    ("engine_match", "pentanomial"): _statistics,
    ("engine_match", "sprt_trinomial"): _sprt,
    ("engine_match", "sprt_pentanomial"): _sprt,
    ("engine_match", "cutechess_sprt"): lambda given: _sprt(given, "cutechess"),
    ("draw_model", "davidson"): _davidson,
    ("draw_model", "rao_kupper_bayeselo"): _rao_kupper,
    ("draw_model", "labelle"): _labelle,
}
MINE = [pytest.param(row, id=row["id"]) for row in ROWS if not _outside(row)]


def _agree(got, wanted, tolerance):
    for name, figure in wanted.items():
        if name in ("tol", "note"):
            continue
        if isinstance(figure, dict):
            _agree(got[name], figure, tolerance)
        elif isinstance(figure, list):
            assert got[name] == pytest.approx(figure, abs=PRINTED), name
        else:
            # A rounded score of three digits is closer than two decimals of Elo.
            assert float(got[name]) == pytest.approx(figure, abs=tolerance), name


@pytest.mark.parametrize("row", MINE)
def test_library(row):
    """Every worked figure comes out of the library, as closely as its source gives it."""
    wanted = json.loads(row["expected_json"])
    got, _ = KINDS[row["system"], row["kind"]](json.loads(row["inputs_json"]))
    _agree(got, wanted, wanted.get("tol", 0))


@pytest.mark.parametrize("row", MINE)
def test_command(row):
    """Where a command exists it prints the figure the library gives, to the tenth decimal place."""
    got, line = KINDS[row["system"], row["kind"]](json.loads(row["inputs_json"]))
    if line is None:
        return
    day = ["--on", str(ON)] if line[0] == "rate" and "--on" not in line else []
    value = asked([*line, *day, "--json"])["value"]
    if line[0] == "rate":
        assert value["new_rating"] == got.get("new_rounded", value["new_rating"])
        assert abs(Decimal(value["change"]) - got["change"]) < Decimal("1e-10")
    elif "llr" in got:
        assert value["sprt"]["llr"] == got["llr"]
    else:
        assert value["elo"] == got["elo"]


def test_every_row_is_somebodys():
    """No row is skipped silently: each is read here, elsewhere, or named as out of scope."""
    unknown = {(row["system"], row["kind"]) for row in ROWS if not _outside(row)} - set(KINDS)
    assert not unknown
    named = {name for row in ROWS for name in (row["system"], f"{row['system']} {row['kind']}")}
    assert named >= OUT_OF_SCOPE
