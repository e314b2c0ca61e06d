"""The figures of an event as a whole: averages, gains and losses, what it did to the pool, which games counted."""

from __future__ import annotations

from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation import formulas
from arpad.calculation.answers import exact, plain
from arpad.calculation.contract import Figure
from arpad.calculation.step import Step, found, known, summed
from arpad.core.counting import counted
from arpad.core.roundings import half_up
from arpad.messages import figure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arpad.tournaments.event.entrant import EntrantRating


class NotCounted(NamedTuple):
    """Why some games do not count, and which: starting number and round."""

    why: str
    games: tuple[tuple[int, int], ...]

    def value(self) -> dict[str, Any]:
        """The reason by the names of the public contract."""
        return {"why": self.why, "games": [{"no": no, "round": number} for no, number in self.games]}

    def __str__(self) -> str:
        by_player: dict[int, list[int]] = {}
        for no, number in self.games:
            by_player.setdefault(no, []).append(number)
        games = (
            f"{no} (round{'s' * (len(rounds) > 1)} {', '.join(map(str, rounds))})" for no, rounds in by_player.items()
        )
        return f"Not counted ({self.why}): {', '.join(games)}"


class NoRating(NamedTuple):
    """Why some players have no new rating, what they lack for one, and who they are."""

    why: str
    missing: tuple[str, ...]
    players: tuple[EntrantRating, ...]

    def value(self) -> dict[str, Any]:
        """The reason by the names of the public contract."""
        return {"why": self.why, "missing": list(self.missing), "players": [one.no for one in self.players]}

    def __str__(self) -> str:
        reason = f"{self.why}; missing: {', '.join(self.missing)}" if self.missing else self.why
        if len(self.players) == 1:
            (one,) = self.players
            return f"{_who(one)}: {reason}{_so_far(one, '; ', '')}"
        return f"No new rating ({reason}): {', '.join(f'{one.no}{_so_far(one)}' for one in self.players)}"


class Summary:
    """What a report says below its table. Every figure is read off the entrants' own calculations."""

    def __init__(self, players: Sequence[EntrantRating]) -> None:
        self._players = players
        self._changed = [one for one in players if one.change is not None]

    @cached_property
    def roots(self) -> tuple[Step, ...]:
        """The steps of the event's own figures; a change rests on its player's calculation, which has its own."""
        steps = []
        ratings = [one.rating for one in self._players if one.rating is not None]
        if ratings:
            total, players = known("ratings", Decimal(sum(ratings))), known("players", len(ratings))
            steps.append(found("field.average", formulas.average, total=total, games=players))
        if self._changed:
            parts = tuple(Step("player.change", one.change, words={"no": one.no}) for one in self._changed)
            steps.append(summed("inflation", formulas.total, parts))
        return tuple(steps)

    @property
    def average(self) -> int | None:
        """The average rating of the rated entrants, to the whole point."""
        return next((half_up(Decimal(step.value)) for step in self.roots if step.key == "field.average"), None)

    @property
    def inflation(self) -> Any:
        """The sum of all changes of rated players: what the event gave to the pool, or took from it."""
        return next((step.value for step in self.roots if step.key == "inflation"), None)

    @property
    def players(self) -> int:
        """Everybody who entered."""
        return len(self._players)

    @property
    def unrated(self) -> int:
        """Those who entered without a rating."""
        return sum(one.rating is None for one in self._players)

    @property
    def first_ratings(self) -> int:
        """Those who entered without a rating and leave with one."""
        return sum(one.first is not None and one.first.rating is not None for one in self._players)

    @cached_property
    def refused(self) -> list[EntrantRating]:
        """Those whose calculation was refused."""
        return [one for one in self._players if one.refused is not None]

    @property
    def gain(self) -> EntrantRating | None:
        """The biggest gain; of equal ones the first in the file."""
        best = max(self._changed, key=lambda one: one.change, default=None)
        return best if best is not None and best.change > 0 else None

    @property
    def loss(self) -> EntrantRating | None:
        """The biggest loss; of equal ones the first in the file."""
        worst = min(self._changed, key=lambda one: one.change, default=None)
        return worst if worst is not None and worst.change < 0 else None

    @cached_property
    def _verdicts(self) -> dict[tuple[int, int, int], bool]:
        """Every game between two entrants once, and whether it counts for one of them at least."""
        verdicts: dict[tuple[int, int, int], bool] = {}
        for one in self._players:
            for board, line in one.lines():
                if board.opponent is not None:
                    pair = (board.round, min(one.no, board.opponent.no), max(one.no, board.opponent.no))
                    verdicts[pair] = verdicts.get(pair, False) or (line is not None and line.rated)
        return verdicts

    @property
    def rated_games(self) -> int:
        """Games that count for one of the two players at least."""
        return sum(self._verdicts.values())

    @property
    def other_games(self) -> int:
        """Games that count for nobody."""
        return len(self._verdicts) - self.rated_games

    @cached_property
    def not_counted(self) -> list[NotCounted]:
        """Each reason once, with the games that do not count because of it; the most frequent comes first."""
        reasons: dict[str, list[tuple[int, int]]] = {}
        for one in self._players:
            for board, line in one.lines():
                if line is not None and not line.rated and board.opponent is not None:
                    reasons.setdefault(line.why or "", []).append((one.no, board.round))
        found_reasons = [NotCounted(why, tuple(games)) for why, games in reasons.items()]
        return sorted(found_reasons, key=lambda one: -len(one.games))

    @cached_property
    def no_rating(self) -> list[NoRating]:
        """Each reason for which there is no new rating once, with the players it is about."""
        reasons: dict[tuple[str, tuple[str, ...]], list[EntrantRating]] = {}
        for one in self._players:
            if one.why is not None:
                reasons.setdefault((one.why, one.missing), []).append(one)
        return [NoRating(why, missing, tuple(players)) for (why, missing), players in reasons.items()]

    def figures(self) -> list[Figure]:
        """The figures a reader looks for first."""
        newcomers = f", {self.unrated} unrated" if self.unrated else ""
        gain, loss = self.gain, self.loss
        return [
            Figure("players", self.players, f"{self.players - self.unrated} rated{newcomers}"),
            Figure("field.average", self.average, "of the rated players"),
            Figure("rated_games", self.rated_games, f"{self.other_games} not rated" if self.other_games else ""),
            Figure("first_ratings", self.first_ratings or None),
            Figure("biggest_gain", gain and figure(gain.change, signed=True), "" if gain is None else _who(gain)),
            Figure("biggest_loss", loss and figure(loss.change, signed=True), "" if loss is None else _who(loss)),
            Figure(
                "inflation",
                None if self.inflation is None else figure(self.inflation, signed=True),
                f"the sum of {counted(len(self._changed), 'change')}",
            ),
            Figure("refused", len(self.refused) or None, "could not be calculated; the others were"),
        ]

    def value(self) -> dict[str, Any]:
        """The summary by the names of the public contract."""
        return {
            "players": self.players,
            "unrated": self.unrated,
            "first_ratings": self.first_ratings,
            "refused": [one.no for one in self.refused],
            "average": plain(self.average),
            "games_rated": self.rated_games,
            "games_not_rated": self.other_games,
            "gain": None if self.gain is None else {"no": self.gain.no, "change": exact(self.gain.change)},
            "loss": None if self.loss is None else {"no": self.loss.no, "change": exact(self.loss.change)},
            "inflation": exact(self.inflation),
            "not_counted": [reason.value() for reason in self.not_counted],
            "no_rating": [reason.value() for reason in self.no_rating],
        }


def _who(one: EntrantRating) -> str:
    return f"{one.no} {one.name}"


def _so_far(one: EntrantRating, before: str = " (", after: str = ")") -> str:
    """What the games of an unrated player would give so far."""
    return f"{before}so far {one.first.so_far}{after}" if one.first and one.first.so_far else ""
