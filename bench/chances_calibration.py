"""How good the chances of whole events are: every finished real Swiss, cut after each of its last four rounds.

    python bench/chances_calibration.py [runs]

For each cut the rest is simulated from what was known then, and compared with what happened: whom everybody met
(probability integral transform of the opponents' average rating), who finished in the top three and the top ten, whose
rating rose, and who made a norm. None of these events was used to fit the model of results. The rules of the pairing
were worked out on them, so whom everybody met is compared again on events of 2019 that the pairing had not seen.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from chances_events import FIDE_EVENTS, ONLINE_EVENTS, absences, events_of_games, finished, missed, with_byes

from arpad.core.tournaments import Tournament
from arpad.simulation.event import Simulation
from arpad.simulation.exact import expected_round
from arpad.simulation.pairing import Situation, pair, preferences
from arpad.simulation.places import places
from arpad.simulation.playing import LEAVES, LEAVES_LAST, MISSES, PlayedRuns, as_held
from arpad.simulation.position import GAME, Position, position_of
from arpad.simulation.ratings import NormJudge
from arpad.systems import system
from arpad.tournaments.norms.rules import NORMS

RUNS = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
LEFT = (1, 2, 3, 4)
TIES = ("BH/C1", "BH", "SB")
DAY, COVERED = date(2026, 3, 1), date(2023, 9, 1)  # for events without a day, or before the tie-breaks are covered
BINS = (0, 0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98, 1.0000001)
ALL_KNOWN = 0.02  # of the rounds before a player's last game have none, at most, where the standings are nearly known
WHAT = ("top 3", "top 10", "rating gain", "norm")


class Case(NamedTuple):
    """A forecast and what happened, with the two naive forecasts."""

    event: str
    left: int
    says: float
    happened: float
    standings: float
    expected: float


class Cut(NamedTuple):
    """An event cut after a round, as it really ended, and the runs from there."""

    path: str
    left: int
    position: Position
    whole: Position
    blocks: list[PlayedRuns]


@dataclass
class Found:
    """Everything that was compared."""

    cases: dict[str, list[Case]] = field(default_factory=lambda: defaultdict(list))
    ranks: list[tuple[int, float]] = field(default_factory=list)  # of what happened among the runs
    errors: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    pairs: list[tuple[str, int, int, int]] = field(default_factory=list)  # games as they were: ours, as expected; all


def main() -> None:
    """Compare, and print the tables of docs/chances.md."""
    print_absences("18 events with FIDE ratings", (finished(*one) for one in FIDE_EVENTS.items()))
    print_absences("18 events not seen", events_of_games())
    found = Found()
    for path, rounds in {**FIDE_EVENTS, **ONLINE_EVENTS}.items():
        compare(path, rounds, found)
        print(f"{path}: done", file=sys.stderr)
    unseen, complete, gaps = Found(), Found(), Found()
    for event in events_of_games():
        one = Found()
        compare_pairings(event, one)
        for part in (unseen, complete if missed(event) < ALL_KNOWN else gaps):
            part.ranks += one.ranks
            part.pairs += one.pairs
            for left, errors in one.errors.items():
                part.errors[left] += errors
        print(f"{event.name}: done", file=sys.stderr)
    for title, part in (
        ("the rules were worked out on", found),
        ("not seen", unseen),
        (f"not seen, less than {ALL_KNOWN:.0%} of the rounds missing", complete),
        ("not seen, more missing", gaps),
    ):
        print_pairings(title, part)
        print_opponents(part)
    for what in WHAT:
        print_forecast(what, found.cases[what])


def print_absences(title: str, events: Iterable[Tournament]) -> None:
    """Who stays away from the next round, by fifth of the standings, in percent, beside what is simulated."""
    print(f"\n## Who stays away: {title}\n")
    print("| fifth | players | leave | simulated | miss a round | simulated | last round | leave | simulated |")
    print("|---|---|---|---|---|---|---|---|---|")
    found = absences(events)
    for fifth in range(5):
        earlier, last = (found[fifth, is_last] for is_last in (False, True))
        leaves, misses, at_last = (
            f"{100 * (constant + rise * (fifth + 0.5) / 5):.1f}" for constant, rise in (LEAVES, MISSES, LEAVES_LAST)
        )
        print(
            f"| {fifth + 1} | {earlier[0]} | {100 * earlier[1] / earlier[0]:.1f} | {leaves} "
            f"| {100 * earlier[2] / earlier[0]:.1f} | {misses} "
            f"| {last[0]} | {100 * last[1] / last[0]:.1f} | {at_last} |"
        )


def compare_pairings(event: Tournament, found: Found) -> None:
    """Whom everybody met in the last rounds of one event."""
    path, rounds, random = event.name or "", event.rounds, np.random.default_rng(7)
    for left in LEFT:
        known = with_byes(event, rounds - left)
        whole = position_of(replace(known, rounds=rounds + 1), after=rounds, kind="swiss")
        agreement(path, known, whole, rounds - left, found)
        position = position_of(known, after=rounds - left, kind="swiss")
        simulation = Simulation(position, system("fide-standard"), DAY, (), None)
        blocks = list(simulation.played(RUNS, seed=1))
        opponents(Cut(path, left, position, whole, blocks), found, random)


def compare(path: str, rounds: int, found: Found) -> None:
    """One event, cut after each of its last rounds."""
    event = finished(path, rounds)
    online = path in ONLINE_EVENTS
    on = event.start if event.start is not None and event.start >= COVERED else DAY
    fide = system("fide-standard")
    whole = position_of(replace(event, rounds=rounds + 1), after=rounds, kind="swiss")
    final = as_held(whole)
    random = np.random.default_rng(7)
    for left in LEFT:
        if rounds - left < 2:
            continue
        agreement(path, event, whole, rounds - left, found)
        position = position_of(event, after=rounds - left, kind="swiss")
        simulation = Simulation(position, fide, on, TIES, None)
        rules = simulation.rules.rules
        blocks = list(simulation.played(RUNS, seed=1))
        cut = Cut(path, left, position, whole, blocks)
        opponents(cut, found, random)
        simulated = np.concatenate([places(position, block, simulation.order, rules, random) for block in blocks])
        real = places(replace(whole, rounds=rounds), final, simulation.order, rules, random)[0]
        now = as_held(position)
        placed = places(position, now, simulation.order, rules, random)[0]
        by_sum = _expected_order(position, simulation)
        for what, most in (("top 3", 3), ("top 10", 10)):
            if len(real) < 2 * most:
                continue
            says = (simulated <= most).mean(axis=0)
            for who in range(len(real)):
                within = (float(order[who] <= most) for order in (real, placed, by_sum))
                found.cases[what].append(Case(path, left, float(says[who]), *within))
        if simulation.ratings is None or online:
            continue
        changes = np.concatenate([simulation.ratings.after(block)[0] for block in blocks])
        happened = simulation.ratings.after(final, whole=True)[0][0]
        so_far = simulation.ratings.after(now, whole=True)[0][0]
        played = (whole.kinds == GAME).any(axis=1) & simulation.ratings.rated
        for who in np.flatnonzero(played):
            gained, current = float(happened[who] > 0), float(so_far[who] > 0)
            found.cases["rating gain"].append(Case(path, left, (changes[:, who] > 0).mean(), gained, current, current))
        if simulation.norms is not None and rounds >= simulation.norms.least:
            norms(cut, final, simulation, found)


def norms(cut: Cut, final: PlayedRuns, simulation: Simulation, found: Found) -> None:
    """Everybody who may still have made a norm at this point, and whether it was made."""
    judge, (path, left, position, whole, blocks) = simulation.norms, cut
    if judge is None:
        return
    at_the_end = NormJudge(replace(whole, rounds=position.rounds), judge.rules)
    made = {(one.who, one.title): bool(one.made[0]) for one in at_the_end.made(final)}
    said: dict[tuple[int, str], float] = defaultdict(float)
    for block in blocks:
        for one in judge.made(block):
            said[one.who, one.title] += one.made.sum() / RUNS
    on_course = _on_course(judge, position)
    for key in {key for key in [*said, *on_course] if said[key] > 0 or on_course.get(key)} | set(made):
        course = on_course.get(key, False)
        values = said[key], made.get(key, False), course, course  # expected scores keep the performance where it is
        found.cases["norm"].append(Case(path, left, *map(float, values)))


def _on_course(judge: NormJudge, position: Position) -> dict[tuple[int, str], bool]:
    """Who has the performance of a norm in the games so far."""
    counts = (position.kinds == GAME) & (position.opponents >= 0)
    other = np.where(counts, position.opponents, 0)
    games, score = counts.sum(axis=1), np.where(counts, position.halves, 0).sum(axis=1)
    average = np.where(counts, judge.rating[other], 0).sum(axis=1) / np.maximum(games, 1)
    needed = judge.rules.titles.performance.value
    performance = average + judge.dp[games, score]
    return {
        (who, title): True
        for title in NORMS
        for who in np.flatnonzero((performance >= needed[title]) & judge.may[title] & (games == position.held))
    }


def _expected_order(position: Position, simulation: Simulation) -> np.ndarray:
    """Places by points plus the expected score of every round to come, against opponents like those so far."""
    table = system("fide-standard")
    ratings = np.where(np.isnan(position.ratings), np.nanmin(position.ratings), position.ratings)
    met = np.where(position.opponents >= 0, ratings[np.maximum(position.opponents, 0)], np.nan)
    average = np.where(np.isnan(met).all(axis=1), ratings, np.nanmean(np.where(np.isnan(met), np.nan, met), axis=1))
    each = [float(table.expected_score(int(gap), on=simulation.on)) for gap in ratings - average]
    left = position.rounds - position.held
    gone = {entrant.no for entrant in position.entrants if entrant.no in position.withdrawn}
    playing = np.array([entrant.no not in gone for entrant in position.entrants])
    sums = position.points.sum(axis=1) / position.unit + left * np.array(each) * playing
    order = np.argsort(-sums, kind="stable")
    found = np.empty(len(order), dtype=int)
    found[order] = np.arange(1, len(order) + 1)
    return found


def agreement(path: str, event: Tournament, whole: Position, number: int, found: Found) -> None:
    """How many games after a round are as they were: by our pairing with the real players, and as expected."""
    free = whole.kinds[:, number] == GAME
    standing = Situation(
        whole.points[:, :number].sum(axis=1)[None],
        whole.opponents[None, :, :number],
        preferences(whole.colours[None, :, :number]),
        np.zeros((1, len(free)), dtype=bool),
        free[None],
    )
    real = whole.opponents[:, number]
    ours = pair(standing, np.random.default_rng(0))[0][0]
    expected = expected_round(position_of(event, after=number, kind="swiss"))
    as_expected = 0 if expected is None else int((expected.opponents == real)[free].sum())
    found.pairs.append((path, int((ours == real)[free].sum()), as_expected, int(free.sum())))


def opponents(cut: Cut, found: Found, random: np.random.Generator) -> None:
    """Where the average rating of the opponents really met is among the simulated ones."""
    _, left, position, whole, blocks = cut
    ratings = np.append(position.ratings, np.nan)
    rest = slice(position.held, position.held + left)
    real = ratings[whole.opponents[:, rest]]
    runs = np.concatenate([ratings[block.opponents[:, :, rest]] for block in blocks])
    plays = (whole.kinds[:, rest] == GAME).all(axis=1) & ~np.isnan(real).all(axis=1)
    plays &= (~np.isnan(runs).all(axis=2)).mean(axis=0) > 0.8
    for who in np.flatnonzero(plays):
        each = runs[:, who]
        each = np.nanmean(each[~np.isnan(each).all(axis=1)], axis=1)
        met = np.nanmean(real[who])
        below, level = (each < met - 1e-9).mean(), (np.abs(each - met) <= 1e-9).mean()
        found.ranks.append((left, below + random.random() * level))
        found.errors[left].append(float(each.mean() - met))


def print_pairings(title: str, found: Found) -> None:
    """The share of games paired as they were."""
    ours, expected, games = (sum(each[place] for each in found.pairs) for place in (1, 2, 3))
    print(f"\n## {title}: {len({each[0] for each in found.pairs})} events")
    print(f"\n{games // 2} games; paired as they were by our matcher with the real players: {ours / games:.2f}")
    print(f"by FIDE's algorithm with the players expected: {expected / games:.2f}")


def print_opponents(found: Found) -> None:
    """The histogram of the probability integral transform, in tenths."""
    print("\n| rounds left | players | off by | tenths of the simulated averages, lowest first | outer fifth |")
    print("|---|---|---|---|---|")
    for left in LEFT:
        ranks = np.array([rank for at, rank in found.ranks if at == left])
        tenths = " ".join(f"{100 * share:.0f}" for share in np.histogram(ranks, 10, (0, 1))[0] / len(ranks))
        outer = 100 * np.mean((ranks < 0.1) | (ranks > 0.9))
        off = np.array(found.errors[left])
        shown = f"{off.mean():+.0f} ± {np.sqrt((off**2).mean()):.0f}"
        print(f"| {left} | {len(ranks)} | {shown} | {tenths} | {outer:.1f} |")


def print_forecast(what: str, cases: list[Case]) -> None:
    """Brier scores by rounds left, and the reliability of all forecasts together."""
    print(f"\n### {what}: {len(cases)} forecasts, {len({case.event for case in cases})} events\n")
    print("| rounds left | forecasts | happened | Brier score | standings now | expected scores | better than both |")
    print("|---|---|---|---|---|---|---|")
    for left in LEFT:
        rows = [case for case in cases if case.left == left]
        if not rows:
            continue
        ours, naive, summed = (_brier(rows, name) for name in ("says", "standings", "expected"))
        best = "standings" if naive <= summed else "expected"
        gap, error = _gap(rows, best)
        happened = int(sum(case.happened for case in rows))
        print(
            f"| {left} | {len(rows)} | {happened} | **{ours:.4f}** | {naive:.4f} | {summed:.4f} "
            f"| {gap:.4f} ± {error:.4f} |"
        )
    print("\n| forecast | cases | said | happened | ± s.e. |")
    print("|---|---|---|---|---|")
    for low, high in pairwise(BINS):
        rows = [case for case in cases if low <= case.says < high]
        if rows:
            said, happened = np.mean([case.says for case in rows]), np.mean([case.happened for case in rows])
            error = _clustered(rows, lambda case: case.happened - case.says)
            print(f"| {low:.0%} to {min(high, 1):.0%} | {len(rows)} | {said:.1%} | {happened:.1%} | {error:.1%} |")


def _brier(rows: list[Case], name: str) -> float:
    return float(np.mean([(getattr(case, name) - case.happened) ** 2 for case in rows]))


def _gap(rows: list[Case], other: str) -> tuple[float, float]:
    """By how much the naive forecast is worse, with a standard error by event."""

    def gap(case: Case) -> float:
        return (getattr(case, other) - case.happened) ** 2 - (case.says - case.happened) ** 2

    return float(np.mean([gap(case) for case in rows])), _clustered(rows, gap)


def _clustered(rows: list[Case], value: Callable[[Case], float]) -> float:
    """The standard error of a mean, with the cases of one event together."""
    sums: dict[str, list[float]] = defaultdict(list)
    for case in rows:
        sums[case.event].append(value(case))
    mean, count = np.mean([each for part in sums.values() for each in part]), len(rows)
    parts = [sum(part) - mean * len(part) for part in sums.values()]
    groups = len(parts)
    return float(np.sqrt(np.square(parts).sum() * groups / max(groups - 1, 1)) / count)


if __name__ == "__main__":
    main()
