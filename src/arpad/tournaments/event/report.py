"""The answer to rating a whole event: a line for every player, and figures for the event as a whole."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar

from arpad.calculation.answer import Answer, Figure, date_notes, derived, hidden, same
from arpad.calculation.arrow import arrow_table
from arpad.core import Event
from arpad.core.tournaments import (
    FIXED_PAIRINGS,
    Entrant,
    FromList,
    Oddity,
    Tournament,
    all_play_all,
    event_kind,
    last_day_of,
    numbered,
)
from arpad.errors import Unsupported
from arpad.messages import Message, say
from arpad.systems.fide.games import fast_classic
from arpad.systems.fide.lists import entering
from arpad.systems.fide.rules import FideRules
from arpad.systems.paces import LISTS, fide_pace
from arpad.tournaments.checks import Finding, game_inconsistencies
from arpad.tournaments.event.field import field_of
from arpad.tournaments.event.player import PlayerReport, assumption
from arpad.tournaments.event.player_data import OF_RATINGS, NationalRatings, national_notes
from arpad.tournaments.event.totals import EventTotals, NoRating, totals_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pyarrow as pa

    from arpad.calculation.step import Step
    from arpad.rulebooks.rulebook import Rule
    from arpad.systems.base import System
    from arpad.tournaments.event.totals import BiggestChange


__all__ = ["EventFacts", "EventReport", "PlayerReport", "UsedList", "event_notes"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EventFacts:
    """What the file says of the event."""

    name: str | None
    city: str | None
    federation: str | None
    start: date | None
    end: date | None
    kind: str | None
    rounds: int
    time_control: str | None
    arbiter: str | None

    @classmethod
    def of(cls, event: Tournament) -> EventFacts:
        """The facts of a tournament."""
        return cls(
            name=event.name,
            city=event.city,
            federation=event.federation,
            start=event.start,
            end=event.end,
            kind=event.kind,
            rounds=event.rounds,
            time_control=event.time_control,
            arbiter=event.arbiter,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class UsedList:
    """The rating list that players were looked up in, and the numbers of those who do not have its rating."""

    name: str
    unrated: tuple[int, ...]  # on the list without a rating, though the file has one
    not_found: tuple[int, ...]  # whose ID is not on the list
    without_id: tuple[int, ...]
    other_name: tuple[int, ...]  # whose ID has another name on the list

    @classmethod
    def of(cls, used: FromList) -> UsedList:
        """The list of a tournament, by numbers."""
        return cls(
            name=used.name,
            unrated=tuple(one.no for one in used.unrated),
            not_found=tuple(one.no for one in used.not_found),
            without_id=tuple(one.no for one in used.without_id),
            other_name=tuple(one.no for one, _ in used.other_name),
        )


@dataclass(frozen=True, kw_only=True)
class EventReport(Answer):
    """A rated event: every player in the order of the file, and the totals."""

    json_names: ClassVar[Mapping[str, str]] = {"totals": "summary"}  # every answer has a method of that name

    tournament: EventFacts
    list: UsedList | None
    national: NationalRatings | None
    players: tuple[PlayerReport, ...]
    event: Tournament = hidden()  # as it was rated
    qc_approved: bool = hidden(default=False)
    rate: Callable[[Tournament], EventReport] | None = hidden(default=None)  # by the same system, day and K

    def rate_again(self, event: Tournament) -> EventReport:
        """Another version of the event, such as one with another result, rated in the same way."""
        if self.rate is None:
            raise Unsupported(say("tournaments.event.not_again"), at="event")
        return self.rate(event)

    def __getstate__(self) -> dict[str, Any]:
        # A system's functions cannot travel to another process.
        return {**super().__getstate__(), "rate": None}

    @derived
    def totals(self) -> EventTotals:
        """The figures of the event as a whole."""
        return totals_of(self.players, self.trail)

    @derived
    def findings(self) -> tuple[Finding, ...]:
        """What is inconsistent in the games: the figures rest on what each player's own line says."""
        return tuple(game_inconsistencies(self.event))

    @property
    def serious(self) -> Sequence[Oddity]:
        """What may make figures wrong: what is inconsistent in the games, and what of the file was left out."""
        found = [Oddity(one.placed, one.line, contradicts=True) for one in self.findings]
        return [*found, *(one for one in self.event.oddities if one.serious)]

    @derived
    def oddities(self) -> tuple[Message, ...]:
        """What was odd in the file, or differs from a list."""
        return tuple(oddity.placed for oddity in self.event.oddities)

    def player(self, no: int) -> PlayerReport:
        """One player by starting number, with the working."""
        return self._by_no[no] if no in self._by_no else numbered(self.players, no, lambda player: player.no)

    def for_player(self, no: int) -> PlayerReport:
        """One player as a separate answer, with the report's notes on the ratings."""
        return replace(self.player(no), remarks=partial(same, self.notes_on_ratings))

    @cached_property
    def notes_on_ratings(self) -> tuple[Message, ...]:
        """Where the ratings are from, and whose are not known there."""
        listed = () if self.event.from_list is None else self.event.from_list.notes
        return (*(note for note in self.notes if note.key in OF_RATINGS), *listed)

    @cached_property
    def _by_no(self) -> dict[int, PlayerReport]:
        return {one.no: one for one in reversed(self.players)}  # of two with one number the first counts

    @cached_property
    def standings(self) -> Sequence[PlayerReport]:
        """The players by the rank the file claims, else by points."""
        return sorted(self.players, key=lambda one: (one.rank is None, one.rank or 0, -(one.points or 0), one.no))

    def clauses_of(self, steps: Sequence[Step]) -> Sequence[Rule[object]]:  # noqa: ARG002  # they rest on the players' own
        """The rules behind every player's calculation, each once."""
        found = {id(rule): rule for one in self.players if one.calculated for rule in one.calculation.clauses}
        return tuple(found.values())

    def summary(self) -> Sequence[Figure]:
        totals = self.totals
        rated, changes = totals.players - totals.unrated, sum(one.change is not None for one in self.players)
        entered = "rated_unrated" if totals.unrated else "rated"
        return (
            Figure("players", totals.players, say(f"tournaments.event.{entered}", rated=rated, unrated=totals.unrated)),
            Figure("field.average", totals.average, say("tournaments.event.of_rated")),
            Figure("rated_games", totals.games_rated, self._not_rated()),
            Figure("first_ratings", totals.first_ratings or None),
            self._biggest("biggest_gain", totals.gain),
            self._biggest("biggest_loss", totals.loss),
            Figure(
                "inflation",
                None if totals.inflation is None else say("tournaments.event.change", change=totals.inflation),
                say("tournaments.event.sum", changes=changes),
            ),
            Figure("refused", len(totals.refused) or None, say("tournaments.event.could_not")),
        )

    def _not_rated(self) -> Message | None:
        games = self.totals.games_not_rated
        return say("tournaments.event.not_rated", games=games) if games else None

    def _biggest(self, key: str, biggest: BiggestChange | None) -> Figure:
        if biggest is None:
            return Figure(key, None)
        change = say("tournaments.event.change", change=biggest.change)
        return Figure(key, change, self._who(self.player(biggest.no)))

    @staticmethod
    def _who(player: PlayerReport) -> Message:
        return say("tournaments.event.player", no=player.no, name=player.called)

    def remark(self, reason: NoRating) -> Message:
        """Why a player has no new rating."""
        why: object = reason.why
        if reason.missing:
            why = say("tournaments.event.missing", why=reason.why, missing=reason.missing)
        players = [self.player(no) for no in reason.players]
        if len(players) > 1:
            named = [
                say("tournaments.event.so_far", no=one.no, so_far=one.so_far) if one.so_far else one.no
                for one in players
            ]
            return say("tournaments.event.no_rating", why=why, players=named)
        key = "nobody_so_far" if players[0].so_far else "nobody"
        return say(f"tournaments.event.{key}", player=self._who(players[0]), why=why, so_far=players[0].so_far)

    def to_arrow(self) -> pa.Table:
        """The players as an Arrow table, one row each; exact changes become floating-point numbers there."""
        columns = {name: (kind, [getattr(one, name) for one in self.players]) for name, kind in ARROW.items()}
        why = [None if one.why is None else str(one.why) for one in self.players]
        return arrow_table(**columns, why=("string", why))


ARROW = {
    "no": "int64", "name": "string", "title": "string", "federation": "string", "fide_id": "int64",
    "national_id": "string", "rank": "int64",
    "points": "float64", "rating": "float64", "k": "float64", "games": "int64", "score": "float64",
    "expected": "float64", "chg": "float64", "change": "float64", "rounded": "float64", "new_rating": "float64",
    "first": "bool", "so_far": "int64", "average": "int64", "performance": "int64",
}  # fmt: skip


def event_notes(
    system: System,
    on: date,
    tournament: Tournament,
    players: Sequence[PlayerReport],
    below: Sequence[Entrant] = (),
    ratings: NationalRatings | None = None,
    *,
    qc_approved: bool = False,
) -> Iterator[Message]:
    """What was assumed about the players, each kind once, and what the rules do not settle."""
    yield from _time_notes(system, on, tournament, qc_approved)
    if below:
        listed = [f"{one.no} {one.player.name or ''} ({one.player.rating})" for one in below]
        floor = system.rulebook.of(FideRules).at(on).floor.value
        yield say("notes.event.national", count=len(below), floor=floor, players=listed)
    if system.national is not None and ratings is not None:
        yield from national_notes(system, on, ratings, tournament.entrants)
        answers = {one.no: one.calculation for one in players if one.calculated}
        yield from system.national.notes(field_of(players, ratings), answers, on)
    yield from date_notes(system.rulebook, on)
    if tournament.from_list is not None:
        yield from tournament.from_list.notes
    assumed: dict[str, list[Message]] = {}
    for one in players:
        for note in one.assumed:
            assumed.setdefault(note.key, []).append(note)
    for note, *others in assumed.values():
        yield assumption(note, say("notes.event.whom", players=1 + len(others)))
    rules = system.rulebook.at(on)
    list_after = None
    if isinstance(rules, FideRules) and any(one.k is not None for one in players):
        list_after = entering([Event((), ended=last_day_of(tournament, on))], rules)
    if list_after is not None:
        yield from list_after.notes(on, None if tournament.from_list is None else tournament.from_list.k_from)
    if any(one.rating is None for one in players) and _old_round_robin(system, on, tournament):
        yield say("notes.event.round_robin")


def _time_notes(system: System, on: date, tournament: Tournament, qc_approved: bool) -> Iterator[Message]:
    """What is doubtful about the time control, before anything else: its words, or the list that it belongs to."""
    if system.name not in LISTS.values():
        return
    if tournament.pace is None:
        if tournament.time_control:
            yield say("notes.event.time_not_understood", text=tournament.time_control, system=system.name)
        return
    if qc_approved and fast_classic(tournament.pace, system.rulebook.of(FideRules).at(on)):
        yield say("notes.time.approved", time=str(tournament.pace))
    fitting = fide_pace(tournament.pace, on)
    if fitting is not None and fitting.list != system.name:
        yield say("notes.event.time_elsewhere", text=tournament.pace, system=system.name, other=fitting.list)


def _old_round_robin(system: System, on: date, tournament: Tournament) -> bool:
    """Whether unrated players counted in a way that is not settled: round robins under the old editions."""
    rules = system.rulebook.at(on)
    fixed = event_kind(tournament)[0] in FIXED_PAIRINGS or all_play_all(tournament) is not None
    return fixed and isinstance(rules, FideRules) and rules.round_robins_differ
