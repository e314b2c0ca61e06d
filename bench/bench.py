"""Speed, as ratios measured side by side in one run: machines are noisy, ratios less so.

    make bench

Start-up: `arpad rate 1750 1950:win --k 40` against a bare interpreter. Calls: `rate` with its full trail against ten
lines of plain integer arithmetic that give the same number.
"""

from __future__ import annotations

import compileall
import subprocess
import sys
import timeit
from bisect import bisect_right
from datetime import date
from pathlib import Path
from statistics import median
from time import perf_counter

import arpad
from arpad import EloStanding, Player, draw, loss, win

ON = date(2026, 11, 15)
MOST_INTERPRETERS = 10  # the limits are those of docs/decisions/0018
GIVEN, WORKED_OUT = 50, 60  # times the plain arithmetic, depending on whether K is given or worked out
STARTS = [row.first for row in arpad.rules("fide-standard").at(ON).expected.value]


def by_hand(rating: int, k: int, games: list[tuple[int, int]]) -> int:
    """The same number without reasons: scores and expected scores in hundredths."""
    k = min(k, 700 // len(games))
    total = 0
    for opponent, score in games:
        difference = rating - opponent
        if rating < 2650:
            difference = max(-400, min(400, difference))
        expected = 49 + bisect_right(STARTS, abs(difference))
        total += score - (expected if difference >= 0 else 100 - expected)
    change = k * total
    return rating + (change + 50) // 100 if change >= 0 else rating - (50 - change) // 100


def k_by_hand(rating: int, born: int, year: int) -> int:
    """K of a player whose rating is their highest so far."""
    return 10 if rating >= 2400 else 40 if year - born <= 18 and rating < 2300 else 20


def seconds(command: list[str]) -> float:
    """How long one run of a command takes."""
    start = perf_counter()
    subprocess.run(command, check=False, capture_output=True)
    return perf_counter() - start


def beside(first: list[str], second: list[str], rounds: int = 25) -> tuple[float, float]:
    """The median times of two commands run in turn, so that noise affects both."""
    pairs = [(seconds(first), seconds(second)) for _ in range(rounds)]
    return median(pair[0] for pair in pairs), median(pair[1] for pair in pairs)


def start_up() -> None:
    """Whole processes, including help and errors."""
    bare = [sys.executable, "-c", "pass"]
    command = str(Path(sys.executable).parent / "arpad")
    # An installed package is compiled; a source tree may not be, if Python is told to write no bytecode.
    compileall.compile_dir(Path(arpad.__file__).parent, quiet=1)
    for name, words in {
        "rate 1750 1950:win --k 40": ["rate", "1750", "1950:win", "--k", "40"],
        "rate … --explain": ["rate", "1750", "1950:win", "--k", "40", "--explain"],
        "rate … --json": ["rate", "1750", "1950:win", "--k", "40", "--json"],
        "rate --help": ["rate", "--help"],
        "rate 1750 1950:banana (refused)": ["rate", "1750", "1950:banana"],
        "rte (refused)": ["rte"],
    }.items():
        empty, ours = beside(bare, [command, *words])
        times = f"{ours / empty:5.2f} × a bare interpreter (at most {MOST_INTERPRETERS})"
        print(f"  {name:<32} {1000 * ours:6.1f} ms   {times}")


def calls() -> None:
    """Calls per second, including the trail."""
    fide = arpad.system("fide-standard")
    nine = [win(1950), draw(1800)] * 4 + [loss(1700)]
    for name, player, games in (
        ("1 game, K given", Player(EloStanding(1750, k=40)), [win(1950)]),
        ("1 game, K worked out", Player(1750, birth_year=2010), [win(1950)]),
        ("9 games, K given", Player(EloStanding(1750, k=40)), nine),
        ("9 games, K worked out", Player(1750, birth_year=2010), nine),
    ):
        plain = [(int(game.opponent.rating or 0), int(100 * game.score)) for game in games]
        assert by_hand(1750, 40, plain) == fide.rate(player, games, on=ON).new_rating  # noqa: S101  # the same number
        ratios, speed = [], []
        given = player.birth_year is None
        for _ in range(15):
            hand = timeit.timeit(
                (lambda plain=plain: by_hand(1750, 40, plain))
                if given
                else (lambda plain=plain: by_hand(1750, k_by_hand(1750, 2010, ON.year), plain)),
                number=4000,
            ) / 4000  # fmt: skip
            ours = timeit.timeit(lambda p=player, g=games: fide.rate(p, g, on=ON), number=400) / 400
            ratios.append(ours / hand)
            speed.append(1 / ours)
        most = GIVEN if given else WORKED_OUT
        print(f"  {name:<32} {median(speed):8,.0f} calls/s {median(ratios):5.1f} × by hand (at most {most})")


if __name__ == "__main__":
    print("start-up")
    start_up()
    print("rate")
    calls()
