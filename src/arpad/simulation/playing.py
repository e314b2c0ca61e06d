"""The remaining rounds of an event, played many times: paired, drawn and scored round by round, in blocks of runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from arpad.simulation.exact import SHARE
from arpad.simulation.games import shares
from arpad.simulation.pairing import Situation, pair, preferences
from arpad.simulation.position import BLACK, GAME, NOBODY, OPEN, UNPLAYED, VOLUNTARY

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from arpad.simulation.exact import ExpectedRound
    from arpad.simulation.games import Strengths
    from arpad.simulation.position import Position, RoundAhead

    Ints = NDArray[np.integer]
    Bools = NDArray[np.bool_]

BLOCK = 2_000_000  # rounds of players at a time: arrays of a few megabytes, and progress about once a second
Progress = Callable[[int, int], object]
# How often somebody stays away from a round without notice, by the place in the standings from 0, the first, to 1, the
# last: a constant and a slope, found on 18 real events and true on 18 others (docs/chances.md).
LEAVES, LEAVES_LAST, MISSES = (0.0, 0.009), (0.010, 0.050), (0.0, 0.0125)
STILL_AWAY = 0.63  # of those who missed the last round alone, 78 of 123 were not back in the next


@dataclass(frozen=True, slots=True)
class PlayedRuns:
    """Some runs of a whole event: the axes are run, player and round; rounds held are the same in each."""

    opponents: Ints
    points: Ints
    halves: Ints  # half points won in games
    colours: Ints
    kinds: Ints
    totals: Ints  # by run and player


def as_held(position: Position) -> PlayedRuns:
    """The rounds held, as one run."""
    parts = position.opponents, position.points, position.halves, position.colours, position.kinds
    totals = position.points.sum(axis=1) + position.bonus
    return PlayedRuns(*(part[None] for part in (*parts, totals)))


def play(
    position: Position,
    strengths: Strengths,
    *,
    runs: int,
    seed: int,
    expected: ExpectedRound | None = None,
    progress: Progress | None = None,
) -> Iterator[PlayedRuns]:
    """The event played to its end `runs` times, in blocks; the same seed gives the same runs.

    `expected` is the pairing of the next round, which most runs have.
    """
    random = np.random.default_rng(seed)
    at_once = max(1, BLOCK // (len(position.entrants) * (position.held + len(position.ahead))))
    for start in range(0, runs, at_once):
        yield _block(position, strengths, expected, random, min(at_once, runs - start))
        if progress is not None:
            progress(min(start + at_once, runs), runs)


def _block(
    position: Position, strengths: Strengths, expected: ExpectedRound | None, random: np.random.Generator, runs: int
) -> PlayedRuns:
    players, held, last = len(position.entrants), position.held, position.held + len(position.ahead)
    shape = runs, players, last
    played = PlayedRuns(
        np.full(shape, NOBODY, dtype=np.int16),
        np.zeros(shape, dtype=np.int16),
        np.zeros(shape, dtype=np.int8),
        np.zeros(shape, dtype=np.int8),
        np.full(shape, OPEN, dtype=np.int8),
        np.tile(position.points.sum(axis=1, dtype=np.int32) + position.bonus, (runs, 1)),
    )
    played.opponents[:, :, :held], played.points[:, :, :held] = position.opponents, position.points
    played.colours[:, :, :held], played.kinds[:, :, :held] = position.colours, position.kinds
    played.halves[:, :, :held] = position.halves
    had_bye = np.tile(position.had_bye, (runs, 1))
    strength = strengths.draw(random, runs)
    gone = np.zeros((runs, players), dtype=bool)
    missing = [position.numbers.index(no) for no in position.missing]
    gone[:, missing] = random.random((runs, len(missing))) < STILL_AWAY
    for number, ahead in enumerate(position.ahead, start=held):
        _enter_decided(ahead, played, had_bye, number)
        if ahead.paired:
            opponents, colours = _as_paired(ahead, runs, players)
        else:
            free = _who_plays(position, ahead, played, gone, random)
            opponents, colours = _newly_paired(position, ahead, played, had_bye, free, expected, random)
            expected = None  # it is the first that is not paired
        _score(position, played, opponents, colours, strength, random, number)
    return played


def _enter_decided(ahead: RoundAhead, played: PlayedRuns, had_bye: Bools, number: int) -> None:
    """Byes, results and absences that are known already."""
    for who, known in ahead.decided.items():
        played.kinds[:, who, number], played.points[:, who, number] = known.kind, known.points
        played.opponents[:, who, number], played.colours[:, who, number] = known.opponent, known.colour
        played.halves[:, who, number] = known.halves
        played.totals[:, who] += known.points
        had_bye[:, who] |= known.gives_bye


def _as_paired(ahead: RoundAhead, runs: int, players: int) -> tuple[Ints, Ints]:
    """The opponents and colours of a round that is paired."""
    opponents, colours = np.full((runs, players), NOBODY, dtype=np.int16), np.zeros((runs, players), dtype=np.int8)
    for game in ahead.games:
        opponents[:, game.one], opponents[:, game.other] = game.other, game.one
        colours[:, game.one], colours[:, game.other] = game.colour, -game.colour
    return opponents, colours


def _who_plays(
    position: Position, ahead: RoundAhead, played: PlayedRuns, gone: Bools, random: np.random.Generator
) -> Bools:
    """Who is to be paired in each run: some leave or miss a round without notice, the lower placed more often."""
    number, players = ahead.number - 1, len(position.entrants)
    lower = np.empty(players)
    lower[np.argsort(-(position.points.sum(axis=1) + position.bonus), kind="stable")] = np.linspace(0, 1, players)
    (leaving, rise), (missing, more) = (LEAVES_LAST, (0, 0)) if ahead.number == position.rounds else (LEAVES, MISSES)
    point = random.random(gone.shape)
    leaves, stays = leaving + rise * lower, 1 - missing - more * lower
    gone |= (point < leaves) & (position.held > 0)
    free = np.ones_like(gone)
    free[:, list(ahead.decided)] = False
    away = free & (gone | (point > stays)) & (position.held > 0)
    played.kinds[away, number], played.points[away, number] = VOLUNTARY, position.absent
    played.totals[away] += position.absent
    return free & ~away


def _newly_paired(
    position: Position,
    ahead: RoundAhead,
    played: PlayedRuns,
    had_bye: Bools,
    free: Bools,
    expected: ExpectedRound | None,
    random: np.random.Generator,
) -> tuple[Ints, Ints]:
    """The opponents and colours of a round that has to be paired; who has the bye gets its points."""
    number = ahead.number - 1
    met = played.opponents[:, :, :number]
    standing = Situation(
        played.totals,  # of those who are not free too, which does no harm
        np.where(played.kinds[:, :, :number] == GAME, met, np.int16(NOBODY)),  # after a forfeit they may meet again
        preferences(played.colours[:, :, :number]),
        had_bye,
        free,
    )
    if expected is None:
        opponents, colours, bye = pair(standing, random)
    else:
        kept = random.random(len(free)) < SHARE
        usual = np.where(kept[:, None], expected.opponents, np.int16(NOBODY))
        opponents, colours, bye = pair(standing, random, (usual, np.where(kept, expected.bye, NOBODY)))
        colours = np.where((usual == opponents) & (usual != NOBODY), expected.colours, colours)
    if (bye != NOBODY).any():
        runs = np.flatnonzero(bye != NOBODY)
        bye = bye[runs]
        played.kinds[runs, bye, number], played.points[runs, bye, number] = UNPLAYED, position.bye
        played.totals[runs, bye] += position.bye
        had_bye[runs, bye] = True
    return opponents, colours


def _score(
    position: Position,
    played: PlayedRuns,
    opponents: Ints,
    colours: Ints,
    strength: NDArray[np.float64],
    random: np.random.Generator,
    number: int,
) -> None:
    """Draws a result for every open game, once for both players."""
    players = opponents.shape[1]
    run, one = np.nonzero((opponents != NOBODY) & (opponents > np.arange(players)))
    other = opponents[run, one]
    colour = colours[run, one]
    win, draw = shares(strength[run, one], strength[run, other], colour)
    point = random.random(len(run))
    result = np.where(point < win, 2, np.where(point < win + draw, 1, 0))
    for who, whom, how, side in ((one, other, result, colour), (other, one, 2 - result, -colour)):
        paid = position.pays[(side == BLACK).astype(np.int8), how]
        played.opponents[run, who, number], played.colours[run, who, number] = whom, side
        played.points[run, who, number], played.halves[run, who, number] = paid, how
        played.kinds[run, who, number] = GAME
        played.totals[run, who] += paid  # nobody has two games in a round
