"""Unplayed rounds (articles 14 to 16): the points of opponents, the dummy in an unplayed round, and what is cut."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from arpad.core.tournaments import ABSENT, FORFEIT, HALF_BYE, PENDING, PLAYED, ZERO_BYE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from arpad.tournaments.tiebreaks.rounds import Scoreboard, TieRound
    from arpad.tournaments.tiebreaks.rules import TieRules

REQUESTED = (HALF_BYE, ZERO_BYE, ABSENT)  # a round after a withdrawal is a zero-point bye


def is_voluntary(slot: TieRound) -> bool:
    """Whether a round was deliberately left unplayed: a half- or zero-point bye, or a forfeit loss."""
    return slot.kind in REQUESTED or (slot.kind == FORFEIT and slot.result == "loss")


class Contribution(NamedTuple):
    """What a round adds: the opponent (None is the dummy), their points, and the player's points in the round."""

    round: int
    opponent: int | None
    score: int
    points: int
    voluntary: bool = False
    changed: bool = False  # whether the score differs from the final points of the opponent, or of the player


class Opposition:
    """All opponents and dummies with the points they count for, under one score."""

    def __init__(self, field: Scoreboard, rules: TieRules, *, forfeits_played: bool = False) -> None:
        self.field = field
        self.limited = rules.dummy.value == "own points, limited"
        self.played = {*rules.played.value, *rules.short_games.value, PLAYED}
        if forfeits_played or field.fixed:
            self.played.add(FORFEIT)
        self.adjusted = {no: self._adjusted(no) for no in field.slots}
        self._meetings: dict[int, list[Contribution]] = {}
        self._sums: dict[int, int] = {}

    def is_game(self, slot: TieRound) -> bool:
        """Whether a round counts as a game against the scheduled opponent."""
        return slot.kind in self.played and slot.opponent in self.field.slots

    def meetings(self, no: int) -> list[Contribution]:
        """What each round of a player or team adds."""
        if no not in self._meetings:
            self._meetings[no] = self._meetings_of(no)
        return self._meetings[no]

    def sum(self, no: int) -> int:
        """The points of all opponents and dummies together."""
        if no not in self._sums:
            self._sums[no] = sum([part.score for part in self.meetings(no)])
        return self._sums[no]

    def _adjusted(self, no: int) -> int:
        """A player's points as an opponent: requested byes in the last rounds count as draws (16.3)."""
        total = self.field.totals[no]
        if self.field.fixed:
            return total
        for slot in reversed(self.field.slots[no]):
            if self.is_game(slot) or not is_voluntary(slot):
                break
            if slot.kind in REQUESTED:
                total += self.field.draw - slot.points
        return total

    def _meetings_of(self, no: int) -> list[Contribution]:
        found = []
        totals, adjusted = self.field.totals, self.adjusted
        for number, slot in enumerate(self.field.slots[no], start=1):
            opponent = slot.opponent
            if opponent in adjusted and slot.kind in self.played:
                score = adjusted[opponent]
                found.append(Contribution(number, opponent, score, slot.points, False, score != totals[opponent]))
            elif slot.kind != PENDING and not self.field.fixed:  # fixed pairings have no round without a game
                dummy = self._dummy(no, slot)
                found.append(Contribution(number, None, dummy, slot.points, is_voluntary(slot), dummy != totals[no]))
        return found

    def _dummy(self, no: int, slot: TieRound) -> int:
        """The points of the dummy in a player's unplayed round (16.4)."""
        own = self.field.totals[no]
        if not self.limited:
            return own
        if slot.kind == FORFEIT and slot.opponent in self.adjusted:
            return min(own, self.adjusted[slot.opponent])
        return min(own, self.field.draw * self.field.rounds)


def without_cut(
    meetings: Sequence[Contribution],
    amount: Callable[[Contribution], int],
    significance: Callable[[Contribution], tuple[int, ...]],
    lowest: int,
    highest: int,
) -> tuple[list[Contribution], list[Contribution]]:
    """What stays and what is cut: the least significant, but first a round deliberately left unplayed (16.5)."""
    stays, cut = list(meetings), []
    for _ in range(min(lowest, len(stays))):
        chosen = min(stays, key=significance)
        voluntary = min((part for part in stays if part.voluntary), key=amount, default=chosen)
        if amount(voluntary) >= amount(chosen):
            chosen = voluntary
        stays.remove(chosen)
        cut.append(chosen)
    for _ in range(min(highest, len(stays))):
        chosen = max(stays, key=amount)
        stays.remove(chosen)
        cut.append(chosen)
    return stays, cut
