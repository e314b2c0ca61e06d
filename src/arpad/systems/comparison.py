"""The same games under several systems, side by side, and why the systems differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation.answers import RatingChange, plain
from arpad.calculation.contract import Calculation, Figure, Note, System
from arpad.calculation.explain import figure, label, note, wrapped
from arpad.core.model import Period, Player, as_day, as_games, as_player
from arpad.errors import ArpadError, BadInput
from arpad.systems import system, system_names

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from arpad.calculation.contract import Rated
    from arpad.calculation.step import Step
    from arpad.core.model import Game, Pace, Rating


def by_formula(change: Rated) -> Rated:
    """The same games by plain Elo with the same K; from here on it stands beside the change."""
    if not isinstance(change, RatingChange) or change.k_used is None:
        raise BadInput(
            f"Plain Elo's formula takes the K of the system, and {change.system} has none here.", at="formula"
        )
    events = [event.event._replace(rating=event.rating.value) for event in change.events]
    own = Player(events[0].rating, k=change.k_used)
    change.plain_elo = system("elo").rate_period(own, Period(tuple(events), change.rating), on=change.on)
    return change.plain_elo


ESTIMATES = ("estimate", "chesscom.estimate")  # the notes that call an answer one
ASSUMED = ("deviation.assumed", "volatility.assumed")  # what a system takes for granted of the player


class Compared(NamedTuple):
    """One system's answer, or why it has none."""

    name: str
    answer: Calculation | None
    why: str | None

    @property
    def reasons(self) -> list[str]:
        """What makes this system's figures what they are: its curve, how it counts differences, its K."""
        if self.answer is None:
            return []
        steps = self.answer.steps
        curve = next((_told(step) for step in steps if step.key.partition(".")[0] == "expected"), None)
        counted = next((_told(step) for step in steps if step.key.startswith("difference.")), None)
        k = self.answer.value().get("k_why") or next((_told(step) for step in steps if step.key[:2] == "k."), None)
        told = {"expected score": curve, "difference": counted, "K": k}
        found = [f"{what}: {says}" for what, says in told.items() if says]
        found += [f"assumed: {label(step)} {figure(step.value)}" for step in steps if step.key in ASSUMED]
        found += ["an estimate"] * any(one.key in ESTIMATES for one in self.answer.notes)
        return found or [rule.says for rule in self.answer.rules[:2]]

    def value(self) -> dict[str, Any]:
        """The line by the names of the public contract."""
        if self.answer is None:
            return {"system": self.name, "rated": False, "why": self.why}
        return {
            **self.answer.value(),
            "system": self.name,
            "rated": True,
            "reasons": self.reasons,
            "notes": [note(one) for one in self.answer.notes],
        }


def _told(step: Step) -> str:
    """A step's clause, or the formula behind it."""
    if step.rule is not None:
        return str(step.words.get("says", step.rule.says))
    return "given" if step.formula is None else step.formula.text.replace("{", "").replace("}", "")


class Comparison(Calculation):
    """The same games under several systems."""

    def __init__(self, on: date, player: Player, lines: tuple[Compared, ...]) -> None:
        answers = [line.answer for line in lines if line.answer is not None]
        super().__init__(
            "comparison", on, tuple(root for answer in answers for root in answer.roots), lambda: [Note("pools", {})]
        )
        self.player = player
        self.lines = lines

    def figures(self) -> list[Figure]:
        return [Figure("rating", self.player.rating, f"under {len(self.lines)} systems")]

    def explain(self, form: str = "text") -> str:
        """Each system's working, one after the other."""
        if form == "json":
            return super().explain(form)
        parts = [
            line.answer.explain(form) if line.answer is not None else "\n".join(wrapped(f"{line.name}: {line.why}"))
            for line in self.lines
        ]
        return "\n\n".join(parts)

    def value(self) -> dict[str, Any]:
        return {
            "on": self.on.isoformat(),
            "rating": plain(self.player.rating),
            "systems": [line.value() for line in self.lines],
        }


def compare(
    player: Player | Rating,
    games: Iterable[Game] | Game,
    *,
    on: date,
    systems: Iterable[str | System] | None = None,
    pace: Pace | None = None,
) -> Comparison:
    """The same games under several systems (all of them by default); ratings of different pools are not converted."""
    player, on, played = as_player(player), as_day(on), as_games(games)
    if not played:
        raise BadInput("No games were given; give at least one, for example 1950:win.", at="games")
    if isinstance(systems, str | System):
        systems = [systems]
    chosen = list(system_names() if systems is None else systems)
    if not chosen:
        raise BadInput("No systems were given; name at least one, or leave them out for all.", at="systems")
    named = [system(one) if isinstance(one, str) else one for one in chosen]
    return Comparison(on, player, tuple(_compared(one, player, played, on, pace) for one in named))


def _compared(one: System, player: Player, games: tuple[Game, ...], on: date, pace: Pace | None) -> Compared:
    """One system's answer; what it refuses is said, not dropped."""
    try:
        answer = one.rate(player, games, on=on, pace=pace)
    except ArpadError as error:
        return Compared(one.name, None, error.message)
    return Compared(one.name, answer, None)
