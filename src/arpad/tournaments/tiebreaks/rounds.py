"""An event for tie-breaks: all rounds and points, in whole units."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import zip_longest
from math import lcm
from typing import TYPE_CHECKING, NamedTuple

from arpad.core import DRAW, WIN
from arpad.core.tournaments import ABSENT, BYES, FORFEIT, PENDING, PLAYED, SHORT, USUAL
from arpad.tournaments.points import bonus_of, points_by_round, points_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from arpad.core.tournaments import Entrant, Round, Tournament

GAMES = (PLAYED, SHORT, FORFEIT)


class TieRound(NamedTuple):
    """One round of a player or a team: its kind, the scheduled opponent, and its points in units."""

    kind: str
    opponent: int | None
    points: int
    result: str | None = None  # win, draw or loss of a game or match
    colour: str | None = None


@dataclass(frozen=True, slots=True)
class Scoreboard:
    """All rounds and points under one score. Points are whole numbers of units, usually half points."""

    slots: Mapping[int, Sequence[TieRound]]
    totals: Mapping[int, int]
    unit: int  # how many units make a point
    win: int
    draw: int
    rounds: int  # planned
    held: int  # rounds counted
    fixed: bool  # whether the pairings were fixed beforehand
    unknown: frozenset[int] = frozenset()  # players with neither points nor rounds

    def points(self, units: int) -> Decimal:
        """Units as points."""
        return Decimal(units) / self.unit

    def projected(self) -> Scoreboard:
        """The same event as if every paired game of the final round had been drawn."""
        slots, totals = {}, {}
        for no, own in self.slots.items():
            slots[no], totals[no] = own, self.totals[no]
            last = own[-1] if len(own) == self.held and own else None
            if last is not None and last.kind in GAMES and last.opponent is not None:
                slots[no] = [*own[:-1], TieRound(PLAYED, last.opponent, self.draw, "draw", last.colour)]
                totals[no] += self.draw - last.points
        return replace(self, slots=slots, totals=totals)


def rounds_held(tournament: Tournament) -> int:
    """The last round with a result; byes may be entered ahead of their round.

    In an event without any game, the byes decide.
    """
    last = {
        played.kind: number
        for number, rounds in enumerate(zip_longest(*(entrant.rounds for entrant in tournament.entrants)), start=1)
        for played in rounds
        if played is not None
    }
    games = (number for kind, number in last.items() if kind in GAMES)
    byes = (number for kind, number in last.items() if kind in BYES)
    return max(games, default=max(byes, default=0))


def players_field(tournament: Tournament, *, fixed: bool, until: int | None = None) -> Scoreboard:
    """The scoreboard of the players, after a round or at the end."""
    held = rounds_held(tournament) if until is None else until
    made: dict[int, tuple[Entrant, list[Decimal]]] = {}
    bonuses = {}
    for entrant in tournament.entrants:
        made.setdefault(entrant.no, (entrant, points_by_round(entrant, tournament)))
        bonuses[entrant.no] = bonus_of(entrant, tournament, until)
    scoring = {**USUAL, **(tournament.scoring or {})}
    amounts = {points for _, worth in made.values() for points in worth} | {*scoring.values(), *bonuses.values()}
    amounts |= {entrant.points for entrant in tournament.entrants if entrant.points is not None}
    unit = unit_of(amounts)
    units = {points: int(points * unit) for points in amounts}
    slots, totals = {}, {}
    for no, (entrant, worth) in made.items():
        own = [_slot(played, units[points]) for played, points in zip(entrant.rounds[:held], worth, strict=False)]
        own += [TieRound(ABSENT, None, units[scoring[ABSENT]])] * (held - len(own))
        slots[no] = own
        in_file = points_of(entrant, tournament) if until is None else None
        made_points = sum(slot.points for slot in own) + units[bonuses[no]]
        totals[no] = made_points if in_file is None else units.get(in_file, made_points)
    return Scoreboard(
        slots,
        totals,
        unit,
        units[scoring["white-win"]],
        units[scoring["white-draw"]],
        max(tournament.rounds, held),
        held,
        fixed,
        frozenset(no for no, (entrant, _) in made.items() if not entrant.rounds and entrant.points is None),
    )


def unit_of(amounts: Iterable[Decimal]) -> int:
    """How many units make a point, so that all amounts and half points are whole numbers."""
    return lcm(2, *(amount.as_integer_ratio()[1] for amount in amounts))


def _slot(played: Round, points: int) -> TieRound:
    result = None
    if played.kind in GAMES and played.score is not None:
        result = "win" if played.score == WIN else "draw" if played.score == DRAW else "loss"
    kind = played.kind if played.kind not in GAMES or result is not None else PENDING
    return TieRound(kind, played.opponent, points, result, played.colour)
