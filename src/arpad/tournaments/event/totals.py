"""The figures of the whole event: averages, gains and losses, the effect on the pool, which games counted."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from arpad.calculation import formulas
from arpad.calculation.answer import Exact, Text
from arpad.calculation.step import Step, found, known, summed
from arpad.core.numbers import half_up
from arpad.messages import Message, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arpad.tournaments.event.player import PlayerReport


@dataclass(frozen=True, slots=True)
class BiggestChange:
    """A player's number and change."""

    no: int
    change: Exact


@dataclass(frozen=True, slots=True)
class RoundOfPlayer:
    """One round of one player."""

    no: int
    round: int


@dataclass(frozen=True, slots=True)
class NotCounted:
    """Why some games do not count, and which."""

    why: Text
    games: tuple[RoundOfPlayer, ...]

    @property
    def says(self) -> Message:
        """The reason, and the rounds of each player that it is about."""
        by_player: dict[int, list[int]] = {}
        for game in self.games:
            by_player.setdefault(game.no, []).append(game.round)
        games = [
            say(f"tournaments.event.{'in_round' if len(rounds) == 1 else 'in_rounds'}", no=no, rounds=rounds)
            for no, rounds in by_player.items()
        ]
        return say("tournaments.event.not_counted", why=self.why, games=games)


@dataclass(frozen=True, slots=True)
class NoRating:
    """Why some players have no new rating, what is missing, and who they are."""

    why: Text
    missing: tuple[Text, ...]
    players: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EventTotals:
    """The totals of an event; every figure comes from the players' own calculations."""

    players: int
    unrated: int
    first_ratings: int  # players who had no rating before the event and have one after it
    refused: tuple[int, ...]  # players whose calculation was refused
    average: int | None  # of the rated players
    games_rated: int  # games that count for at least one of the two players
    games_not_rated: int
    gain: BiggestChange | None
    loss: BiggestChange | None
    inflation: Exact | None  # the sum of all changes: what the rating pool gained or lost
    not_counted: tuple[NotCounted, ...]
    no_rating: tuple[NoRating, ...]


def trail_of(players: Sequence[PlayerReport]) -> tuple[Step, ...]:
    """The steps of the event's own figures; the steps behind a change are in the player's calculation."""
    steps = []
    ratings = [player.rating for player in players if player.rating is not None]
    if ratings:
        total, counted = known("ratings", Decimal(sum(ratings))), known("players", len(ratings))
        steps.append(found("field.average", formulas.average, total=total, games=counted))
    parts = tuple(
        Step("player.change", player.change, words={"no": player.no}) for player in players if player.change is not None
    )
    if parts:
        steps.append(summed("inflation", formulas.total, parts))
    return tuple(steps)


def totals_of(players: Sequence[PlayerReport], trail: Sequence[Step]) -> EventTotals:
    """The figures of an event, from its players and its steps."""
    steps = {step.key: step.value for step in trail}
    average, inflation = steps.get("field.average"), steps.get("inflation")
    changes = [BiggestChange(player.no, player.change) for player in players if player.change is not None]
    best = max(changes, key=lambda biggest: biggest.change, default=None)  # the first of equal ones in the file
    worst = min(changes, key=lambda biggest: biggest.change, default=None)
    verdicts = _verdicts(players)
    rated = sum(verdicts.values())
    return EventTotals(
        players=len(players),
        unrated=sum(player.rating is None for player in players),
        first_ratings=sum(player.rating is None and player.new_rating is not None for player in players),
        refused=tuple(player.no for player in players if player.refused),
        average=None if average is None else half_up(Decimal(average)),
        games_rated=rated,
        games_not_rated=len(verdicts) - rated,
        gain=best if best is not None and best.change > 0 else None,
        loss=worst if worst is not None and worst.change < 0 else None,
        inflation=None if inflation is None else Decimal(inflation),
        not_counted=_not_counted(players),
        no_rating=_no_rating(players),
    )


def _verdicts(players: Sequence[PlayerReport]) -> dict[tuple[int, int, int], bool]:
    """Every game between two players once, and whether it counts for at least one of them."""
    verdicts: dict[tuple[int, int, int], bool] = {}
    for player in players:
        for board, line in player.played():
            if board.opponent is not None:
                pair = (board.round, min(player.no, board.opponent.no), max(player.no, board.opponent.no))
                verdicts[pair] = verdicts.get(pair, False) or (line is not None and line.rated)
    return verdicts


def _not_counted(players: Sequence[PlayerReport]) -> tuple[NotCounted, ...]:
    """Each reason once, with the games that do not count because of it; the most frequent comes first."""
    reasons: dict[str, tuple[Text, list[RoundOfPlayer]]] = {}
    for player in players:
        for board, line in player.played():
            if line is not None and not line.rated and line.why is not None and board.opponent is not None:
                games = reasons.setdefault(str(line.why), (line.why, []))[1]
                games.append(RoundOfPlayer(player.no, board.round))
    groups = [NotCounted(why, tuple(games)) for why, games in reasons.values()]
    return tuple(sorted(groups, key=lambda group: -len(group.games)))


def _no_rating(players: Sequence[PlayerReport]) -> tuple[NoRating, ...]:
    """Each reason for a missing new rating once, with the players concerned."""
    reasons: dict[tuple[str, ...], list[PlayerReport]] = {}
    for player in players:
        if player.why is not None:
            reasons.setdefault((str(player.why), *map(str, player.missing)), []).append(player)
    return tuple(
        NoRating(group[0].why, group[0].missing, tuple(player.no for player in group))
        for group in reasons.values()
        if group[0].why is not None
    )
