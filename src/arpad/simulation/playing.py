"""The remaining rounds of an event, played many times: paired, drawn and scored round by round, in blocks of runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from arpad.simulation.exact import SHARE
from arpad.simulation.games import shares
from arpad.simulation.pairing import Situation, pair, preferences
from arpad.simulation.position import BLACK, GAME, NOBODY, OPEN, UNPLAYED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from arpad.simulation.exact import ExpectedRound
    from arpad.simulation.games import Strengths
    from arpad.simulation.position import Position, RoundAhead

    Ints = NDArray[np.integer]
    Bools = NDArray[np.bool_]

BLOCK = 2_000_000  # rounds of players at a time: arrays of a few megabytes, and progress about once a second
Progress = Callable[[int, int], object]


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
    for number, ahead in enumerate(position.ahead, start=held):
        _enter_decided(ahead, played, had_bye, number)
        if ahead.paired:
            opponents, colours = _as_paired(ahead, runs, players)
        else:
            opponents, colours = _newly_paired(position, ahead, played, had_bye, expected, random)
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


def _newly_paired(
    position: Position,
    ahead: RoundAhead,
    played: PlayedRuns,
    had_bye: Bools,
    expected: ExpectedRound | None,
    random: np.random.Generator,
) -> tuple[Ints, Ints]:
    """The opponents and colours of a round that has to be paired; who has the bye gets its points."""
    number = ahead.number - 1
    free = np.ones(len(position.entrants), dtype=bool)
    free[list(ahead.decided)] = False
    standing = Situation(
        played.totals - _this_round(ahead, played, number),
        played.opponents[:, :, :number],
        preferences(played.colours[:, :, :number]),
        had_bye,
        free,
    )
    if expected is None:
        opponents, colours, bye = pair(standing, random)
    else:
        opponents, colours, bye = _mostly_as_expected(expected, standing, random)
    if (bye != NOBODY).any():
        runs = np.flatnonzero(bye != NOBODY)
        bye = bye[runs]
        played.kinds[runs, bye, number], played.points[runs, bye, number] = UNPLAYED, position.bye
        played.totals[runs, bye] += position.bye
        had_bye[runs, bye] = True
    return opponents, colours


def _mostly_as_expected(
    expected: ExpectedRound, standing: Situation, random: np.random.Generator
) -> tuple[Ints, Ints, Ints]:
    """A round that is paired as expected in most runs; in the others somebody stays away."""
    runs = len(standing.points)
    opponents, colours = np.tile(expected.opponents, (runs, 1)), np.tile(expected.colours, (runs, 1))
    bye = np.full(runs, expected.bye)
    others = np.flatnonzero(random.random(runs) >= SHARE)
    if len(others):
        opponents[others], colours[others], bye[others] = pair(standing.of(others), random)
    return opponents, colours, bye


def _this_round(ahead: RoundAhead, played: PlayedRuns, number: int) -> Ints:
    """What this round has already given, which does not count for its own pairing."""
    given = np.zeros_like(played.totals)
    given[:, list(ahead.decided)] = played.points[:, list(ahead.decided), number]
    return given


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
