"""The report of a rated event: a line for every player, the figures of the whole event, and its notes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar

from arpad.calculation import formulas
from arpad.calculation.answer import (
    Answer,
    Exact,
    Figure,
    Table,
    TableColumn,
    Text,
    arrow_table,
    date_notes,
    derived,
    hidden,
    same,
)
from arpad.calculation.step import Step, found, known, summed
from arpad.core import EloStanding, Event
from arpad.core.numbers import half_up
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
from arpad.messages import Message, apart, say
from arpad.systems.base import NationalSystem
from arpad.systems.fide import LISTS, fide_pace
from arpad.systems.fide.games import fast_classic
from arpad.systems.fide.k import entering
from arpad.systems.fide.rules import FideRules
from arpad.tournaments.checks import Finding, comments_note, game_inconsistencies
from arpad.tournaments.event.games import field_of
from arpad.tournaments.event.player import PlayerReport, assumption
from arpad.tournaments.event.player_data import OF_RATINGS, NationalRatings, national_notes
from arpad.tournaments.submission import parts_of

if TYPE_CHECKING:
    import pyarrow as pa

    from arpad.rulebooks import Rule
    from arpad.systems.base import System

__all__ = ["EventFacts", "EventReport", "PlayerReport", "UsedList", "event_notes"]


# The columns of FIDE's own tournament reports, with more about each player in a file.
CHANGES = (
    TableColumn("no"),
    TableColumn("title", form="text", only="file"),
    TableColumn("name", "called", "text"),
    TableColumn("federation", form="text", only="file"),
    TableColumn("fide_id", only="file"),
    TableColumn("national_id", form="text", only="file"),
    TableColumn("Rc", "average"),
    TableColumn("Ro", "rating"),
    TableColumn("w", lambda player: player.score if player.calculated else None),
    TableColumn("n", lambda player: player.games if player.calculated else None),
    TableColumn("expected", only="file"),
    TableColumn("chg", form="signed"),
    TableColumn("K", "k"),
    TableColumn("K×chg", "change", "signed"),
    TableColumn("new_rating", short="new"),
    TableColumn("Rp", "performance"),
    TableColumn("why", lambda player: apart(filter(None, (player.why, *player.missing))), "text", only="file"),
)
ARROW = {
    "no": "int64", "name": "string", "title": "string", "federation": "string", "fide_id": "int64",
    "national_id": "string", "rank": "int64",
    "points": "float64", "rating": "float64", "k": "float64", "games": "int64", "score": "float64",
    "expected": "float64", "chg": "float64", "change": "float64", "rounded": "float64", "new_rating": "float64",
    "first": "bool", "so_far": "int64", "average": "int64", "performance": "int64",
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class EventReport(Answer):
    """A rated event: every player in the order of the file, and the totals."""

    json_names: ClassVar[Mapping[str, str]] = {"totals": "summary"}  # every answer already has a method `summary`

    tournament: EventFacts
    list: UsedList | None
    national: NationalRatings | None
    players: tuple[PlayerReport, ...]
    event: Tournament = hidden()  # as rated
    qc_approved: bool = hidden(default=False)
    rate: Callable[[Tournament], EventReport] | None = hidden(default=None)  # with the same system, day and K

    def rate_again(self, event: Tournament) -> EventReport:
        """Another version of the event, such as one with another result, rated in the same way."""
        if self.rate is None:
            raise Unsupported(say("tournaments.event.not_again"), at="event")
        return self.rate(event)

    def __getstate__(self) -> dict[str, Any]:
        # A system's functions cannot be sent to another process.
        return {**super().__getstate__(), "rate": None}

    @derived
    def totals(self) -> EventTotals:
        """The figures of the event as a whole."""
        return totals_of(self.players, self.trail)

    @derived
    def findings(self) -> tuple[Finding, ...]:
        """Inconsistencies in the games; the figures use what each player's own line says."""
        return tuple(game_inconsistencies(self.event))

    @property
    def elsewhere(self) -> Message | None:
        """Says that the event belongs to another list, where these games are not rated; None if it does not."""
        return other_list(self.system, self.on, self.event)

    @property
    def serious(self) -> Sequence[Oddity]:
        """What may make figures wrong: inconsistent games, and parts of the file that were left out."""
        found = [Oddity(finding.placed, finding.line, contradicts=True) for finding in self.findings]
        return [*found, *(oddity for oddity in self.event.oddities if oddity.serious)]

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
        """Where the ratings come from, and who has none."""
        listed = () if self.event.from_list is None else self.event.from_list.notes
        return (*(note for note in self.notes if note.key in OF_RATINGS), *listed)

    @cached_property
    def _by_no(self) -> dict[int, PlayerReport]:
        return {player.no: player for player in reversed(self.players)}  # the first of two with the same number counts

    @cached_property
    def standings(self) -> Sequence[PlayerReport]:
        """The players by the rank in the file, otherwise by points."""
        return sorted(
            self.players,
            key=lambda player: (player.rank is None, player.rank or 0, -(player.points or Decimal(0)), player.no),
        )

    def clauses_of(self, steps: Sequence[Step]) -> Sequence[Rule[object]]:  # noqa: ARG002  # the players' own steps count
        """The rules behind every player's calculation, each once."""
        found = {id(rule): rule for player in self.players if player.calculated for rule in player.calculation.clauses}
        return tuple(found.values())

    def summary(self) -> Sequence[Figure]:
        totals = self.totals
        rated, changes = totals.players - totals.unrated, sum(player.change is not None for player in self.players)
        entered = "rated_unrated" if totals.unrated else "rated"
        others = totals.games_not_rated
        not_rated = say("tournaments.event.not_rated", games=others) if others else None
        return (
            Figure("players", totals.players, say(f"tournaments.event.{entered}", rated=rated, unrated=totals.unrated)),
            Figure("field.average", totals.average, say("tournaments.event.of_rated")),
            Figure("rated_games", totals.games_rated, not_rated),
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
                say("tournaments.event.so_far", no=player.no, so_far=player.so_far) if player.so_far else player.no
                for player in players
            ]
            return say("tournaments.event.no_rating", why=why, players=named)
        key = "nobody_so_far" if players[0].so_far else "nobody"
        return say(f"tournaments.event.{key}", player=self._who(players[0]), why=why, so_far=players[0].so_far)

    def tables(self) -> Iterator[Table]:
        """Every player in FIDE's columns: Rc, Ro, w, n, chg, K, K×chg; then the new rating, or why there is none.

        A report for a national federation has the national ID as well.
        """
        own = self.national is not None
        yield Table(
            "changes", [column for column in CHANGES if own or column.key != "national_id"], self.players, fixed=True
        )

    def to_arrow(self) -> pa.Table:
        """The players as an Arrow table, one row each; exact changes become floats."""
        columns = {name: (kind, [getattr(player, name) for player in self.players]) for name, kind in ARROW.items()}
        why = [None if player.why is None else str(player.why) for player in self.players]
        return arrow_table(**columns, why=("string", why))


@dataclass(frozen=True, slots=True, kw_only=True)
class EventFacts:
    """What the file says about the event."""

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
    """The rating list in which players were looked up, and the numbers of those who do not have its rating."""

    name: str
    unrated: tuple[int, ...]  # on the list without a rating, though the file has one
    not_found: tuple[int, ...]  # whose ID is not on the list
    without_id: tuple[int, ...]
    other_name: tuple[int, ...]  # whose ID has another name on the list

    @classmethod
    def of(cls, used: FromList) -> UsedList:
        """The list of a tournament, with starting numbers instead of entrants."""
        return cls(
            name=used.name,
            unrated=tuple(entrant.no for entrant in used.unrated),
            not_found=tuple(entrant.no for entrant in used.not_found),
            without_id=tuple(entrant.no for entrant in used.without_id),
            other_name=tuple(entrant.no for entrant, _ in used.other_name),
        )


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


@dataclass(frozen=True, slots=True)
class BiggestChange:
    """A player's number and change."""

    no: int
    change: Exact


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
        games = [say("tournaments.event.in_rounds", no=no, rounds=rounds) for no, rounds in by_player.items()]
        return say("tournaments.event.not_counted", why=self.why, games=games)


@dataclass(frozen=True, slots=True)
class RoundOfPlayer:
    """One round of one player."""

    no: int
    round: int


@dataclass(frozen=True, slots=True)
class NoRating:
    """Why some players have no new rating, what is missing, and who they are."""

    why: Text
    missing: tuple[Text, ...]
    players: tuple[int, ...]


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
    """What was assumed about the players, one note of each kind, and what the rules leave open."""
    yield from _time_notes(system, on, tournament, qc_approved)
    yield from _file_notes(system, tournament)
    if below:
        listed = [f"{entrant.no} {entrant.player.name or ''} ({entrant.player.rating})" for entrant in below]
        floor = system.rulebook.of(FideRules).at(on).floor.value
        yield say("notes.event.national", count=len(below), floor=floor, players=listed)
    if isinstance(system, NationalSystem) and ratings is not None:
        yield from national_notes(system, on, ratings, tournament.entrants)
        answers = {player.no: player.calculation for player in players if player.calculated}
        yield from system.field_notes(field_of(players, ratings), answers, on)
    yield from date_notes(system.rulebook, on)
    if tournament.from_list is not None:
        yield from tournament.from_list.notes
    assumed: dict[str, list[Message]] = {}
    for player in players:
        for note in player.assumed:
            assumed.setdefault(note.key, []).append(note)
    for note, *others in assumed.values():
        yield assumption(note, say("notes.event.whom", players=1 + len(others)))
    rules = system.rulebook.at(on)
    list_after = None
    if isinstance(rules, FideRules) and any(player.k is not None for player in players):
        list_after = entering([Event((), ended=last_day_of(tournament, on))], rules)
    if list_after is not None:
        of_file = (EloStanding.of(entrant.player).k_from for entrant in tournament.entrants)
        used = next(filter(None, of_file), None) if tournament.from_list is None else tournament.from_list.k_from
        yield from list_after.notes(on, used)
    if any(player.rating is None for player in players) and _old_round_robin(system, on, tournament):
        yield say("notes.event.round_robin")


def _file_notes(system: System, tournament: Tournament) -> Iterator[Message]:
    """In which parts a long event is reported, and what the program that wrote the file says in it."""
    parts = parts_of(tournament) if system.name in LISTS.values() else ()
    if parts:
        yield say("notes.event.in_parts", parts=[part.says for part in parts])
    if tournament.comments:
        yield comments_note(tournament)


def _time_notes(system: System, on: date, tournament: Tournament, qc_approved: bool) -> Iterator[Message]:
    """Doubts about the time control, which come first: it was not understood, or belongs to another list."""
    if system.name not in LISTS.values():
        return
    elsewhere = other_list(system.name, on, tournament)
    if elsewhere is not None:
        yield elsewhere
    if tournament.pace is None:
        if tournament.time_control:
            yield say("notes.event.time_not_understood", text=tournament.time_control, system=system.name)
        return
    rule = fast_classic(tournament.pace, system.rulebook.of(FideRules).at(on))
    if qc_approved and rule is not None:
        yield say("notes.time.approved", time=str(tournament.pace), says=rule.says, cite=rule.cite)


def other_list(system: str, on: date, tournament: Tournament) -> Message | None:
    """Says that the time control, or else the organiser's mark, is of another list than chosen; None if it is not."""
    marked = f"fide-{tournament.marked}"
    if tournament.pace is None and tournament.marked is not None and marked != system and system in LISTS.values():
        return say("notes.event.marked_elsewhere", pace=tournament.marked, system=system, other=marked)
    fitting = None if tournament.pace is None or system not in LISTS.values() else fide_pace(tournament.pace, on)
    if fitting is None or fitting.list == system:
        return None
    return say("notes.event.time_elsewhere", text=tournament.pace, system=system, other=fitting.list)


def _old_round_robin(system: System, on: date, tournament: Tournament) -> bool:
    """Whether unrated players counted in a way that is not settled: in round robins under the old editions."""
    rules = system.rulebook.at(on)
    fixed = event_kind(tournament)[0] in FIXED_PAIRINGS or all_play_all(tournament) is not None
    return fixed and isinstance(rules, FideRules) and rules.round_robins_differ
