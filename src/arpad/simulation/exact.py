"""The next round of a Swiss as FIDE's Dutch system pairs it, by the library py4swiss where it is installed.

It is too slow for every run of a simulation, and it is right only if those play who are expected to: docs/chances.md
says how often. Where somebody stays away in a run, those whose opponents are there keep them. The rounds after it
depend on results that are not known yet; `arpad.simulation.pairing` pairs those.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from arpad.simulation.position import BLACK, BY_FORFEIT, GAME, NOBODY, WHITE, paired_otherwise

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from py4swiss.trf.parsed_trf import ParsedTrf
    from py4swiss.trf.results import RoundResult

    from arpad.simulation.position import Position

    Ints = NDArray[np.integer]

MOST_PLAYERS = 400  # with more a pairing takes seconds
# In so many runs those who are expected to meet do so, unless one of them stays away. It is not all, because a pairing
# also follows what the file does not tell; with this share opponents are spread as they really are (docs/chances.md).
SHARE = 0.8
USUAL = ((0, 1, 2), (0, 1, 2))  # half points for a loss, a draw and a win, with White and with Black


class ExpectedRound(NamedTuple):
    """A round as it is expected: everybody's opponent and colour, NOBODY and 0 without one, and who has the bye."""

    opponents: Ints
    colours: Ints
    bye: int


def expected_round(position: Position) -> ExpectedRound | None:
    """The next round as it will be paired; None if it is paired, has other rules, is too large, or without py4swiss."""
    if not position.ahead or position.ahead[0].paired or paired_otherwise(position.tournament):
        return None
    if len(position.entrants) > MOST_PLAYERS or not _usual(position):
        return None
    try:
        from py4swiss.engines import DutchEngine
        from py4swiss.engines.common import PairingError
    except ModuleNotFoundError:
        return None
    try:
        pairs = DutchEngine.generate_pairings(_event(position))
    except PairingError:  # in a very small event everybody may have met everybody
        return None
    players, bye = len(position.entrants), NOBODY
    opponents, colours = np.full(players, NOBODY, dtype=np.int16), np.zeros(players, dtype=np.int8)
    for pair in pairs:
        white, black = pair.white - 1, pair.black - 1  # who has the bye meets number 0
        if black == NOBODY:
            bye = white
        else:
            opponents[white], opponents[black] = black, white
            colours[white], colours[black] = WHITE, BLACK
    return ExpectedRound(opponents, colours, bye)


def _usual(position: Position) -> bool:
    """Whether points are what py4swiss takes them to be."""
    paid = tuple(tuple(2 * worth / position.unit for worth in side) for side in position.pays.tolist())
    return paid == USUAL and position.bye == position.unit and not position.bonus.any()


def _event(position: Position) -> ParsedTrf:
    """The rounds held in the library's form, with places in the pairing order as numbers."""
    from py4swiss.trf.codes import PlayerCode
    from py4swiss.trf.parsed_trf import ParsedTrf
    from py4swiss.trf.sections import PlayerSection, XSection
    from py4swiss.trf.sections.x_section import XSectionConfiguration

    players = [
        PlayerSection(
            code=PlayerCode.PLAYER,
            starting_number=who + 1,
            points_times_ten=int(10 * position.points[who].sum() // position.unit),
            rank=who + 1,
            results=_results(position, who),
        )
        for who in range(len(position.entrants))
    ]
    away = {who + 1 for who in position.ahead[0].decided}
    away |= {position.numbers.index(no) + 1 for no in position.missing}
    # Odd numbers of the upper half begin with the colour of the first.
    begun = np.flatnonzero(position.colours[:, 0]) if position.held else np.array([], dtype=int)
    white = not len(begun) or (position.colours[begun[0], 0] == WHITE) == (begun[0] % 2 == 0)
    configured = XSectionConfiguration(first_round_color=bool(white))
    return ParsedTrf(
        player_sections=players,
        x_section=XSection(number_of_rounds=position.rounds, zeroed_ids=away, configuration=configured),
    )


def _results(position: Position, who: int) -> list[RoundResult]:
    """What one player did in each round."""
    from py4swiss.trf.results import ColorToken, ResultToken, RoundResult

    colours = {WHITE: ColorToken.WHITE, BLACK: ColorToken.BLACK, 0: ColorToken.BYE_OR_NOT_PAIRED}
    games = (ResultToken.LOSS, ResultToken.DRAW, ResultToken.WIN)
    byes = {
        0: ResultToken.ZERO_POINT_BYE,
        position.unit // 2: ResultToken.HALF_POINT_BYE,
        position.unit: ResultToken.PAIRING_ALLOCATED_BYE,
    }
    found = []
    for number in range(position.held):
        kind, points = position.kinds[who, number], int(position.points[who, number])
        if kind == GAME:
            result = games[position.halves[who, number]]
        elif kind == BY_FORFEIT:
            result = ResultToken.FORFEIT_WIN
        else:
            result = byes.get(points, ResultToken.ZERO_POINT_BYE)
        met = int(position.opponents[who, number]) + 1 if kind == GAME else 0
        found.append(RoundResult(id=met, color=colours[int(position.colours[who, number])], result=result))
    return found
