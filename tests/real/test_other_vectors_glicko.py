"""The worked figures of Glicko's family, each through the library and through the command line."""

import csv
import json
from datetime import date

import pytest

from conftest import shared
from doors import DOORS, calculation

FAMILY = ("glicko", "chess.com", "chesscom", "lichess")
ON = date(2026, 11, 15)

with shared("vectors/other_vectors.csv").open(encoding="utf-8", newline="") as file:
    ROWS = [row for row in csv.DictReader(file) if row["system"].startswith(FAMILY)]


def one(standing):
    """A standing as the one notation has an opponent."""
    return "/".join(str(figure) for figure in standing[:2])


def rate(player, games=(), **case):
    rating, deviation, *volatility = player
    ask = {"rating": rating, "deviation": deviation, "games": list(games)}
    ask |= {"volatility": volatility[0]} if volatility else {}
    ask |= {"idle": case.pop("idle")} if "idle" in case else {}
    return {"do": "rate", "on": ON, "ask": ask, **case}


def played(inputs):
    return [f"{one(opponent)}:{opponent[2]}" for opponent in inputs["opponents_r_rd_s"]]


def after(value):
    return [value[name] for name in ("new_rating", "new_deviation", "new_volatility") if value[name] is not None]


def period(row, inputs, expected, door):
    """All games of a period, and d² in the working."""
    two = row["system"] == "glicko2"
    settings = {"tau": inputs["tau"], "tolerance": inputs["eps"]} if two else {}
    player = [inputs["r"], inputs["rd"], *([inputs["vol"]] if two else [])]
    case = rate(player, played(inputs), settings=settings)
    system = "glicko-2" if two else "glicko"
    yield from zip(after(door(system, case)), [expected[name] for name in ("r", "rd", "vol") if name in expected],
                   strict=True)  # fmt: skip
    if "d2" in expected:
        (d_squared,) = [step.value for step in calculation(system, case).steps if step.key == "d_squared"]
        yield d_squared, expected["d2"]


def g_and_e(row, inputs, expected, door):
    """The g and E of each opponent; g is in the working alone."""
    games = [f"{rating}/{rd}:draw" for rating, rd in zip(inputs["rj"], inputs["rd"], strict=True)]
    case = rate([inputs["r"], 200], games)
    lines = door(row["system"], case)["per_game"]
    yield from zip([line["expected"] for line in lines], expected["E"], strict=True)
    g = [step.value for step in calculation(row["system"], case).steps if step.key == "g"]
    yield from zip(g, expected["g"], strict=True)


def idle(row, inputs, expected, door):
    """Time without games."""
    if row["system"] == "glicko":
        case = rate([1500, inputs["rd_old"]], idle=inputs["periods"], settings={"c": inputs["c"]})
        yield door("glicko", case)["new_deviation"], expected["rd"]
    elif row["system"] == "glicko2":
        value = door("glicko-2", rate([inputs["r"], inputs["rd"], inputs["vol"]]))
        yield from zip(after(value), [expected["r"], expected["rd"], expected["vol"]], strict=True)
    else:
        case = rate([1500, inputs["rd"], inputs["vol"]], idle=inputs["days"])
        yield door("lichess", case)["new_deviation"], expected["rd"]


def single(row, inputs, expected, door):
    """One game, both sides where the source has both."""
    system, case = "glicko", {}
    if row["system"] == "glicko2":
        system, case = "glicko-2", {"settings": {"tau": inputs["tau"]}}
        case |= {} if inputs["elapsed"] else {"readings": {"growth": "skipped"}}
    sides = {"a": ("b", inputs["score_a"]), "b": ("a", 1 - inputs["score_a"])}
    for me, (other, score) in sides.items():
        if me in expected:
            value = door(system, rate(inputs[me], [f"{one(inputs[other])}:{score}"], **case))
            yield from zip(after(value), expected[me], strict=True)


def sides_of(inputs):
    score = inputs["score_white"]
    yield "white", f"{one(inputs['black'])}:{score}@w"
    yield "black", f"{one(inputs['white'])}:{1 - score}@b"


def core(_, inputs, expected, door):
    """The update alone: a variant without advantage and regulator, and Glicko-2 without the growth of step 6."""
    doors = [("lichess", {"settings": {"variant": "chess960"}})]
    doors += [("glicko-2", {"settings": {"tau": inputs["tau"]}, "readings": {"growth": "skipped"}})]
    for system, case in doors:
        for me, game in sides_of(inputs):
            got = after(door(system, rate(inputs[me], [game], **case)))
            # The site's test prints few digits; the full figures of the same row must agree to a millionth.
            yield from zip(got, expected[f"full_{me}"], strict=True)
            for name, figure in zip(("r", "rd", "vol"), got, strict=True):
                yield figure, expected[me][name], expected[f"tol_{name}"]


def full(_, inputs, expected, door):
    """The whole pipeline, and the change that the site shows."""
    for me, game in sides_of(inputs):
        value = door("lichess", rate(inputs[me], [game], settings={"speed": inputs["perf"]}))
        yield from zip(after(value), expected[me], strict=True)
        yield value["shown_change"], expected[f"rating_diff_{me}"]


KINDS = {
    "period": period,
    "g_E": g_and_e,
    "rd_growth": idle,
    "no_games": idle,
    "single_game": single,
    "single_game_no_rd_growth": single,
    "single_game_paper_procedure": single,
    "game_core": core,
    "game_full": full,
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_vector(row, door):
    """Every row holds at its own tolerance through every door."""
    inputs, expected = (json.loads(row[name]) for name in ("inputs_json", "expected_json"))
    pairs = list(KINDS[row["kind"]](row, inputs, expected, DOORS[door]))
    assert pairs
    for got, wanted, *within in pairs:
        assert got == pytest.approx(wanted, abs=within[0] if within else expected.get("tol", 1e-6), rel=0), row["id"]
