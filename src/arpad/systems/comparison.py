"""The same games under several systems, side by side, and why the systems differ."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING

from arpad.calculation.answer import Answer, Exact, ExplainForm, Figure, Table, TableColumn, Text
from arpad.calculation.explain import label, label_of, wrapped
from arpad.calculation.step import places
from arpad.core import Player, Rating, Standing, as_day, as_games, as_player
from arpad.errors import ArpadError, BadInput, UnknownName
from arpad.messages import Message, figure, say
from arpad.systems import system, system_names
from arpad.systems.answers import RatingChange
from arpad.systems.base import System

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date

    from arpad.calculation.step import Step
    from arpad.core import Game, Number, Pace

ESTIMATES = ("notes.estimate", "notes.chesscom.estimate")  # notes that call an answer an estimate
COLUMNS = (
    TableColumn("system", form="text"),
    TableColumn("expected"),
    TableColumn("k", "k_used"),
    TableColumn("change", form="signed"),
    TableColumn("new_rating", form="rating"),
)
ASSUMED = ("deviation.assumed", "volatility.assumed")  # steps that a system assumed about the player


def compare(
    player: Player | Standing | Number | None,
    games: Iterable[Game] | Game,
    *,
    on: date,
    systems: Iterable[str | System] | None = None,
    pace: Pace | None = None,
    standings: Iterable[Standing] = (),
) -> Comparison:
    """The same games under several systems (all of them by default); ratings of different pools are not converted.

    Accepts a player or a rating, the games, and systems or their names; `standings` are further standings of the
    player: each system takes the one of its own kind. Gives a Comparison with a line for each system, which has its
    figures or why it refused. Raises UnknownName for a system that nobody knows, and BadInput without games.
    """
    known, on, played = as_player(player), as_day(on), as_games(games)
    if not played:
        raise BadInput(say("systems.no_games"), at="games")
    if isinstance(systems, str | System):
        systems = [systems]
    chosen = list(system_names() if systems is None else systems)
    if not chosen:
        raise BadInput(say("systems.no_systems"), at="systems")
    try:
        raters = [system(name) if isinstance(name, str) else name for name in chosen]
    except UnknownName as error:
        error.at = "systems"
        raise
    others = (*standings, known.standing)
    lines = tuple(_compared(rater, _as_rated_by(rater, known, others), played, on, pace) for rater in raters)
    return Comparison(
        system="comparison",
        on=on,
        trail=tuple(step for line in lines if line.answer is not None for step in line.answer.trail),
        remarks=_remarks,
        rating=known.rating,
        systems=lines,
    )


def _remarks() -> Iterable[Message]:
    yield say("notes.pools")


def _as_rated_by(rater: System, player: Player, standings: Sequence[Standing]) -> Player:
    """The player with the system's own kind of standing; if there is none, with the rating alone."""
    own = next(
        (standing for standing in standings if isinstance(standing, rater.standing)), rater.standing(player.rating)
    )
    return replace(player, standing=own)


def _compared(rater: System, player: Player, games: tuple[Game, ...], on: date, pace: Pace | None) -> ComparedSystem:
    """One system's answer, or why it refused; of the opponents, too, each system gets what it uses."""
    games = tuple(
        replace(game, opponent=_as_rated_by(rater, game.opponent, (game.opponent.standing,)))
        if type(game.opponent.standing) is not Standing
        else game
        for game in games
    )
    try:
        return ComparedSystem.of(rater.name, rater.rate(player, games, on=on, pace=pace))
    except ArpadError as error:
        why = error.said if isinstance(error.said, Message) else say("answers.as_said", text=error.said)
        return ComparedSystem(system=rater.name, rated=False, why=why)


@dataclass(frozen=True, kw_only=True)
class Comparison(Answer):
    """The same games under several systems."""

    rating: Rating | None
    systems: tuple[ComparedSystem, ...]

    def summary(self) -> Sequence[Figure]:
        rating = say("answers.unrated") if self.rating is None else self.rating
        return (Figure("rating", rating, say("answers.under_systems", systems=len(self.systems))),)

    def tables(self) -> Iterable[Table]:
        """A row for each system that rates the games; none if no system does."""
        rows = [line for line in self.systems if line.rated]
        if rows:
            yield Table("systems", COLUMNS, rows, fixed=True)

    def explain(self, form: ExplainForm = "text") -> str:
        """Each system's working, one after the other."""
        if form == "json":
            return super().explain(form)
        parts = [
            line.answer.explain(form) if line.answer is not None else "\n".join(wrapped(f"{line.system}: {line.why}"))
            for line in self.systems
        ]
        return "\n\n".join(parts)


@dataclass(frozen=True, kw_only=True)
class ComparedSystem:
    """One system's answer, or why it has none."""

    system: str
    rated: bool
    why: Text | None = None
    expected: Decimal | None = None
    k_used: Rating | None = None
    change: Exact | None = None
    new_rating: Rating | None = None
    reasons: tuple[str, ...] = ()  # where the figures come from: the curve, the cap, K
    notes: tuple[Message, ...] = ()
    answer: RatingChange | None = None

    @classmethod
    def of(cls, name: str, answer: RatingChange) -> ComparedSystem:
        """A system's line from its answer."""
        return cls(
            system=name,
            rated=True,
            expected=answer.expected,
            k_used=answer.k_used,
            change=answer.change,
            new_rating=answer.new_rating,
            reasons=tuple(_reasons(answer)),
            notes=answer.notes,
            answer=answer,
        )


def _reasons(answer: RatingChange) -> list[str]:
    """Where a system's figures come from: its curve, how it counts differences, its K."""
    steps = answer.steps
    curve = next((_clause(step) for step in steps if step.key.partition(".")[0] == "expected"), None)
    counted = next((_clause(step) for step in steps if step.key.startswith("difference.")), None)
    k = answer.k_why or next((_clause(step) for step in steps if step.key[:2] == "k."), None)
    clauses = {"expected": curve, "difference": counted, "k": k}
    found = [str(say(f"answers.because.{what}", says=str(says))) for what, says in clauses.items() if says]
    found += [
        str(say("answers.because.assumed", label=label(step), value=figure(step.value)))
        for step in steps
        if step.key in ASSUMED
    ]
    if any(note.key in ESTIMATES for note in answer.notes):
        found.append(str(say("answers.because.estimate")))
    return found or [str(rule.says) for rule in answer.clauses[:2]]


def _clause(step: Step) -> str:
    """A step's clause, or the formula behind it."""
    if step.rule is not None:
        return str(step.words.get("says", step.rule.says))
    if step.formula is None:
        return str(say("answers.k.given"))
    return step.formula.text.format_map({name: label_of(name) for name in places(step.formula.text)})
