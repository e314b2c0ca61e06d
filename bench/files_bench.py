"""Reading tournament files: players per second, and whether the time per player stays the same as files grow.

    make bench

A report has four columns for a starting number, so the largest has 9,999 players.
"""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from arpad import Entrant, Player, Round, Tournament
from arpad.formats import file_bytes, read_bytes
from arpad.tournaments.checks import inconsistencies

if TYPE_CHECKING:
    from collections.abc import Callable

REAL = Path(__file__).parent.parent.parent / "shared" / "data" / "tournaments"
SIZES = (100, 300, 1000, 3000, 9999)
ROUNDS = 11
TIMES = 5
ALLOWED = 1.5  # growth of the time per player from the smallest to the largest


def generated(players: int, rounds: int = ROUNDS) -> Tournament:
    """An open paired by place XOR round number, so that both sides of a pairing agree."""
    entrants = []
    for no in range(1, players + 1):
        played = []
        for number in range(1, rounds + 1):
            pair = (no - 1) ^ number
            if pair >= players:
                played.append(Round("allocated-bye"))
                continue
            first = no - 1 < pair
            score = (Decimal(1), Decimal("0.5"), Decimal(0))[(min(no - 1, pair) + number) % 3]
            white = first == bool(number % 2)
            played.append(Round("played", pair + 1, "white" if white else "black", score if first else 1 - score))
        points = sum((round.score or (0 if round.opponent else 1) for round in played), Decimal(0))
        person = Player(2600 - no % 1600, title="IM" if no % 9 == 0 else None, federation="NOR", sex="m",
                        fide_id=90_000_000 + no, name=f"Family {no}, Given", birth_year=1960 + no % 50)  # fmt: skip
        entrants.append(Entrant(no, person, tuple(played), points, no))
    return Tournament(tuple(entrants), name="Generated open", rounds=rounds)


def best(what: Callable[[], object]) -> float:
    """The shortest of a few runs."""
    runs = []
    for _ in range(TIMES):
        start = perf_counter()
        what()
        runs.append(perf_counter() - start)
    return min(runs)


def line(what: str, data: bytes, name: str) -> float:
    """Print how fast a file is read, checked and written; return the time to read per player."""
    tournament = read_bytes(data, name)
    players = len(tournament.entrants)
    times = [
        best(task)
        for task in (
            lambda: read_bytes(data, name),
            lambda: inconsistencies(tournament),
            lambda: file_bytes(tournament, "trf26"),
        )
    ]
    shown = "".join(f"{players / time:>12,.0f}" for time in times)
    print(f"{what:<34}{players:>8,}{len(data) / 1000:>9,.0f} kB{shown}")
    return times[0] / players


def main() -> None:
    """Print a line for each file, and how the time per player grows."""
    print(f"{'':<34}{'':>8}{'':>12}{'players per second':>36}")
    print(f"{'file':<34}{'players':>8}{'size':>12}{'read':>12}{'check':>12}{'write':>12}")
    real = sorted(REAL.glob("*.trf"), key=lambda path: path.stat().st_size)
    for path in real[-2:]:
        line(path.stem[:33], path.read_bytes(), path.name)
    each = {}
    for players in SIZES:
        data, _ = file_bytes(generated(players), "trf16")
        each[players] = line(f"generated, {ROUNDS} rounds", data, "generated.trf")
    line(f"generated, {ROUNDS} rounds", file_bytes(generated(2000), "trf16")[0], "generated.trf")
    line(f"generated, {ROUNDS} rounds, CSV", file_bytes(generated(2000), "csv")[0], "generated.csv")
    growth = each[SIZES[-1]] / each[SIZES[0]]
    verdict = "linear" if growth <= ALLOWED else "NOT linear"
    print(f"\ntime per player, {SIZES[-1]:,} against {SIZES[0]} players: {growth:.2f} (at most {ALLOWED}: {verdict})")


if __name__ == "__main__":
    main()
