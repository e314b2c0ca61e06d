"""How well the chances fit real games: log loss, and expected and actual scores by rating gap.

python bench/calibrate.py [twic_1293_1311_results.csv.xz]
"""

from __future__ import annotations

import csv
import lzma
import sys
from datetime import date
from math import log
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import arpad
from arpad.forecast.schedule import curve
from arpad.systems.chances import draw_model
from arpad.systems.fide.games import todays_scale

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

GAMES = Path(__file__).parents[2] / "shared/data/games/twic_1293_1311_results.csv.xz"
ON = date(2024, 3, 1)  # the 400-point rule as in 2019, when these were played: every game, both sides
PLAYED = date(2019, 10, 1)  # the scale of these ratings; in 2024 those below 2000 changed
SCORES = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}
BANDS = ((0, 49), (50, 99), (100, 199), (200, 299), (300, 399), (400, 599), (600, 3000))
FIDE, ELO = arpad.system("fide-standard"), arpad.system("elo")


class Result(NamedTuple):
    """A game from White's side."""

    white: int
    black: int
    score: float


def read(path: Path = GAMES) -> list[Result]:
    """Every game with two ratings and a result."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        return [
            Result(int(row["white_elo"]), int(row["black_elo"]), SCORES[row["result"]])
            for row in csv.DictReader(file)
            if row["result"] in SCORES
        ]


def score_log_loss(games: Iterable[Result], expected: Callable[[Result], float]) -> float:
    """−(S ln E + (1 − S) ln(1 − E)) per game; a draw is S = ½."""
    losses = [-(g.score * log(e) + (1 - g.score) * log(1 - e)) for g in games for e in [expected(g)]]
    return sum(losses) / len(losses)


def result_log_loss(games: Iterable[Result], chances: Callable[[Result], tuple[float, float, float]]) -> float:
    """−ln of the chance of the actual result, per game."""
    losses = [-log(chances(g)[int(2 - 2 * g.score)]) for g in games]
    return sum(losses) / len(losses)


def table_and_cap() -> Callable[[Result], float]:
    """White's expected score as `expect` gives it: table 8.1.2 and the 400-point rule."""
    known: dict[int, float] = {}

    def expected(game: Result) -> float:
        gap = game.white - game.black
        if gap not in known:
            known[gap] = float(FIDE.expect(2000, 2000 - gap, on=ON).expected or 0)
        return known[gap]

    return expected


def model(
    name: str, *, white: float | None, draw_rate: float | None = None
) -> Callable[[Result], tuple[float, float, float]]:
    """White's chances by a model; for the calibrated one, old ratings are converted to today's scale."""
    draws = draw_model(name, draw_rate=draw_rate, white=white)
    elo = curve(ELO, ON)
    scale = todays_scale(FIDE.rulebook, PLAYED) if draws.fitted else float
    known: dict[tuple[int, int], tuple[float, float, float]] = {}

    def chances(game: Result) -> tuple[float, float, float]:
        key = game[:2]
        if key not in known:
            known[key] = draws.chances(scale(game.white), scale(game.black), "white", elo)
        return known[key]

    return chances


MODELS = {
    "calibrated": model("calibrated", white=None),
    "labelle": model("labelle", white=0),
    "labelle, White 35": model("labelle", white=35),
    "davidson 0.4": model("davidson", white=0, draw_rate=0.4),
    "davidson 0.4, White 35": model("davidson", white=35, draw_rate=0.4),
}


def main() -> None:
    """Print the tables of docs/outlook.md."""
    games = read(Path(sys.argv[1]) if len(sys.argv) > 1 else GAMES)
    print(f"{len(games)} games\n")
    elo = curve(ELO, ON)
    scores: dict[str, Callable[[Result], float]] = {
        "FIDE's table and cap": table_and_cap(),
        "logistic curve": lambda g: elo(g.white - g.black),
        "logistic curve and cap": lambda g: elo(max(-400, min(400, g.white - g.black))),
        **{name: lambda g, chances=chances: chances(g)[0] + chances(g)[1] / 2 for name, chances in MODELS.items()},
    }
    print(f"{'log loss':<26}{'score':>9}{'result':>9}")
    for name, expected in scores.items():
        result = f"{result_log_loss(games, MODELS[name]):9.5f}" if name in MODELS else ""
        print(f"{name:<26}{score_log_loss(games, expected):9.5f}{result}")
    print("\nfrom the higher rated player's side; the chances are the calibrated model's")
    print(f"{'gap':<10}{'games':>7}{'score':>8}{'table':>8}{'model':>8}{'draws':>8}{'model':>8}")
    table, chances = table_and_cap(), MODELS["calibrated"]
    for low, high in BANDS:
        band = [g for g in games if low <= abs(g.white - g.black) <= high]
        sums = [0.0] * 5
        for game in band:
            win, drawn, _ = chances(game)
            mine = game.white >= game.black
            row = (game.score, table(game), win + drawn / 2)
            for place, value in enumerate(row):
                sums[place] += value if mine else 1 - value
            sums[3] += game.score == SCORES["1/2-1/2"]
            sums[4] += drawn
        name = f"{low}–{high}" if high < BANDS[-1][1] else f"{low}+"
        print(f"{name:<10}{len(band):>7}" + "".join(f"{value / len(band):8.3f}" for value in sums))


if __name__ == "__main__":
    main()
