"""Bulk systems compared with other programs and plain loops, as ratios measured side by side in one run.

    make bench

Glicko-2: the second of two periods, when all players differ, compared with `riix` and `glicko2`. Both are installed
into a temporary environment, or skipped with a line that says so. The smallest period has 1,000 games: fixed costs
weigh most there, and the ratio is below the goal. The difference between the new ratings is shown as well: riix's
batched method is the paper's period, with a row per game and a column per player, so only small periods fit; its
iterative method rates game by game; glicko2 has the rating where the paper's f has φ.
Elo, game by game: compiled, compared with the plain loop.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

from arpad.bulk import elo
from arpad.bulk.methods import Pairs
from arpad.bulk.periods import method_of

RIVALS = ("riix", "glicko2")
SCRIPT = Path(__file__).with_name("glicko2_rivals.py")
ROUNDS = 5
PERIODS = {"tiny": (1_000, 250), "small": (4_000, 1_000), "period": (20_000, 5_000), "large": (1_000_000, 200_000)}
WANTED = 30


def period(size: str) -> tuple[Pairs, int]:
    """The random games of a period."""
    games, players = PERIODS[size]
    draw = np.random.default_rng(2026)
    white = draw.integers(0, players, games)
    black = (white + draw.integers(1, players, games)) % players
    return Pairs(white, black, draw.choice([0.0, 0.5, 1.0], games)), players


def seconds(what: Callable[[], Any]) -> float:
    """The median of a few runs."""
    what()
    runs = []
    for _ in range(ROUNDS):
        start = perf_counter()
        what()
        runs.append(perf_counter() - start)
    return median(runs)


def environment(folder: str) -> str | None:
    """A Python with the rivals installed; if that fails, None and a line that says why."""
    python = str(Path(folder) / "venv" / "bin" / "python")
    try:
        subprocess.run([sys.executable, "-m", "venv", str(Path(folder) / "venv")], check=True, capture_output=True)
        subprocess.run(
            [python, "-m", "pip", "install", "--quiet", *RIVALS], check=True, capture_output=True, timeout=600
        )
    except (OSError, subprocess.SubprocessError) as problem:
        print(f"  skipped: {' and '.join(RIVALS)} cannot be installed here ({type(problem).__name__})")
        return None
    return python


def glicko_2() -> None:
    """The time per game: ours at four sizes, theirs at the sizes they can handle."""
    method = method_of("glicko-2")
    ours, ratings = {}, {}
    for size in PERIODS:
        games, players = period(size)
        before = method.rate(method.newcomers(players), games)
        ours[size] = seconds(lambda before=before, games=games: method.rate(before, games)) / len(games.score)
        ratings[size] = method.rate(before, games).rating
        print(f"  {f'arpad, {len(games.score):,} games':<34} {1e6 * ours[size]:9.3f} µs a game")
    with tempfile.TemporaryDirectory() as folder:
        python = environment(folder)
        for size in ("tiny", "small", "period") if python is not None else ():
            games, players = period(size)
            path = str(Path(folder) / "games.npz")
            np.savez(path, white=games.white, black=games.black, score=games.score, players=players)
            ran = subprocess.run([python, str(SCRIPT), path, size], check=True, capture_output=True, text=True)
            for name, (took, rated) in json.loads(ran.stdout).items():
                each = took / len(games.score)
                apart = float(np.abs(np.array(rated) - ratings[size]).max())
                print(
                    f"  {f'{name}, {len(games.score):,} games':<34} {1e6 * each:9.3f} µs a game"
                    f" {each / ours[size]:6,.0f} × ours, {each / ours['large']:,.0f} × ours of the largest"
                    f" (at least {WANTED}); {apart:.0e} points apart"
                )


def game_by_game() -> None:
    """Elo game by game: the same loop with and without compiling."""
    games, players = period("large")
    method = method_of("elo", by="game")
    before = method.newcomers(players)
    compiled = seconds(lambda: method.rate(before, games)) / len(games.score)
    if elo.compiled() is None:
        print("  skipped: numba is not installed")
        return
    few = games.where(slice(0, 200_000))
    pool = elo.EloPool(32.0, 400.0, 0.0)
    plain = seconds(lambda: pool.in_plain_order(before, few)) / len(few.score)
    by_period = method_of("elo")
    columns = seconds(lambda: by_period.rate(before, games)) / len(games.score)
    print(f"  by period                          {1e9 * columns:9.1f} ns a game")
    print(f"  game by game, compiled             {1e9 * compiled:9.1f} ns a game")
    print(f"  game by game, plain Python         {1e9 * plain:9.1f} ns a game   {plain / compiled:.0f} × compiled")


if __name__ == "__main__":
    print("Glicko-2, a period")
    glicko_2()
    print("Elo")
    game_by_game()
