"""Whole tournaments from their files: event, next, norms, check, entries; and direct titles."""

from __future__ import annotations

from base64 import b64decode
from binascii import Error
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TYPE_CHECKING, ClassVar, cast

from arpad.calculation.answer import Answer, Figure, hidden
from arpad.core import Event, ListedK, Rating
from arpad.core.tournaments import EVENT_KINDS, Entrant, Oddity, Tournament, day_of, last_day_of
from arpad.errors import BadFile, BadInput
from arpad.formats import columns_of, read, read_bytes
from arpad.formats.trf.fields import column_of
from arpad.messages import Message, say
from arpad.questions import readers
from arpad.questions.declare import (
    DOORS,
    IN_REPORT,
    NO_PAGE,
    Place,
    SomeDoors,
    Spec,
    defaulting,
    flag,
    optional,
    question,
    required,
    several,
)
from arpad.questions.fields import (
    COMMAND_ALONE,
    LONGEST_PATH,
    LONGEST_SECTION,
    AllFindings,
    Asking,
    ListFields,
    RuleFields,
)
from arpad.questions.read import DEFAULT_SYSTEM, k_list_of
from arpad.reading import parse_no
from arpad.systems.fide import LISTS
from arpad.tournaments.checks import Finding, inconsistencies
from arpad.tournaments.event import rate_event
from arpad.tournaments.event.games import with_listed
from arpad.tournaments.event.parts import PartedEvent, rate_parts
from arpad.tournaments.event.player import PlayerReport
from arpad.tournaments.event.report import EventReport
from arpad.tournaments.next_round import MOST_RESULTS, NextRound, next_round
from arpad.tournaments.norms.answer import NormsReport, PlayerNorms
from arpad.tournaments.norms.games import EXEMPTIONS
from arpad.tournaments.norms.report import find_norms
from arpad.tournaments.norms.rules import NORMS
from arpad.tournaments.submission import (
    MISSING,
    CheckItem,
    EventPart,
    check_office,
    paces_of,
    part_of,
    parts_of,
    rule_steps,
    submission_items,
)
from arpad.tournaments.tiebreaks.criteria import BETWEEN
from arpad.tournaments.titles import DirectTitle, direct_title

if TYPE_CHECKING:
    from arpad.core.tournaments import EventKind
    from arpad.formats.organiser_tables import PlayersTable
    from arpad.systems.base import System
    from arpad.tournaments.norms.games import Exemption
    from arpad.tournaments.norms.rules import NormTitle


LONGEST_FILE = 8_000_000  # characters of a whole file
LONGEST_TABLE = 4000  # characters of the names of a table's columns
REPORTED: SomeDoors = {
    "doors": frozenset({"command", "page"}),
    "why": "the API has the standings as a question",
}
NEEDS = ("path|text|data",)
EXAMPLE, LAST_ROUND = "docs/examples/open.trf", "docs/examples/last-round.trf"
RESULTS = "docs/examples/results.csv"  # its headings are in no vocabulary
RESULT_COLUMNS = "no=Lfd,name=Wer,rating=Zahl,r1=Erste,r2=Zweite,r3=Dritte"
REPORTS = "fide-reports"  # the rules that a check for a rating office goes by
SHOWN = ("to", "page")  # where the report has standings
SENT: SomeDoors = {"doors": frozenset({"api", "page"}), "why": "at the command a file is given by its path"}


def starting_number(typed: str, place: Place) -> int:
    """A starting number."""
    return parse_no(typed, at=place.at)


def criteria(typed: str, _: Place) -> tuple[str, ...]:
    """Tie-breaks in order, separated by commas or blanks."""
    return tuple(filter(None, BETWEEN.split(typed.strip())))


@dataclass(frozen=True, kw_only=True)
class SentFile(ListFields):
    """A tournament file: a path at the command, its text or bytes elsewhere."""

    path: str | None = optional(readers.path, example="open.trf", word=True, longest=LONGEST_PATH, **COMMAND_ALONE)
    text: str | None = optional(
        readers.text,
        longest=LONGEST_FILE,
        doors=frozenset({"api"}),
        why="at the command a file is given by its path, and a page sends its bytes",
    )
    data: str | None = optional(readers.text, longest=LONGEST_FILE, **SENT)
    file: str | None = optional(readers.text, example="open.trf", **SENT)
    columns: str | None = optional(readers.text, example="no=Nr,name=Spieler", longest=LONGEST_TABLE, group="file")
    section: str | None = optional(readers.text, example="Open A", longest=LONGEST_SECTION, group="file")

    spec: ClassVar[Spec]
    entries: ClassVar[bool] = False  # whether a table without rounds is enough
    by_name: ClassVar[bool] = False  # whether players without an ID are looked up by name
    progress: Callable[[int, int], object] | None = field(default=None, repr=False, compare=False)

    def tournament(self) -> Tournament:
        """The tournament in the file, with what a rating list says about its players if one was named."""
        return self.with_list(self.in_file())

    def with_list(self, found: Tournament) -> Tournament:
        """A tournament, with what a rating list says about its players if one was named."""
        return found if self.list is None else self._listed(found)

    def in_file(self) -> Tournament:
        """The tournament as the file has it."""
        columns = None if self.columns is None else columns_of(self.columns)
        if self.path is not None:
            found = read(self.path, columns, self.progress, entries=self.entries, section=self.section)
        else:
            name = self.file or str(say("questions.the_file"))
            found = read_bytes(self._bytes(), name, columns, entries=self.entries, section=self.section)
            results, most = len(found.entrants) * found.rounds, self.spec.most_results
            if results > most:
                raise BadFile(say("questions.too_many_results", count=results, most=most), at=name)
        return found

    def _bytes(self) -> bytes:
        """The file as it was sent, as text or in base64."""
        if self.text is not None and self.data is not None:
            raise BadInput(say("questions.file_once"), at="data")
        if self.text is not None:
            return self.text.encode("utf-8", "replace")
        try:
            return b64decode(self.data or "", validate=True)
        except (Error, ValueError):
            raise BadInput(say("questions.base64"), at="data") from None

    def _listed(self, tournament: Tournament) -> Tournament:
        """The tournament, with what the list in force on its day says about its players."""
        on, pace = self.began(tournament), self.pace(tournament)
        return listed(tournament, self.list, self.folder, pace, on=on, by_name=self.by_name)

    def pace(self, tournament: Tournament) -> str:  # noqa: ARG002  # some files say it
        """Which ratings to take from the list."""
        return "standard"

    def began(self, tournament: Tournament) -> date | None:
        """The day whose list counts: when the event began, or today."""
        return tournament.start or self.today


@dataclass(frozen=True, kw_only=True)
class Watched(Asking):
    """Whether to answer again whenever the file changes, on the terminal or on a page."""

    watch: bool = flag(group="watch", **COMMAND_ALONE)
    page: int | None = optional(readers.port, example="8000", group="watch", **COMMAND_ALONE)


@dataclass(frozen=True, kw_only=True)
class FileFields(SentFile):
    """A tournament file, and the rules to apply to it."""

    on: date | None = optional(readers.day, example="2026-10-03", group="rules")
    reading: tuple[tuple[str, str], ...] = several(readers.named_value, example="rounding=per-event", group="rules")

    def began(self, tournament: Tournament) -> date | None:  # noqa: ARG002  # without a day, the file's own is used
        return self.on


def listed(
    tournament: Tournament,
    name: str | None,
    folder: str | None,
    pace: str,
    *,
    on: date | None = None,
    by_name: bool = False,
) -> Tournament:
    """A tournament, with what the list of its day says about its players; `by_name`: also about those without an ID."""
    from arpad.lists import list_note, namesakes, players_on, same_name

    ids = [entrant.player.fide_id for entrant in tournament.entrants if entrant.player.fide_id]
    if not ids and not by_name:
        raise BadInput(say("questions.no_ids"), at="list")
    day = day_of(tournament, on)
    found, used = players_on(ids, day, pace=pace, name=name, data=folder)
    known = with_listed(tournament, found, str(used), list_note([used], day), same_name)
    if not by_name or known.from_list is None:
        return known
    without = [entrant for entrant in known.from_list.without_id if entrant.player.name]
    named_alike = namesakes((entrant.player for entrant in without), day, pace=pace, name=name, data=folder)
    pairs = (
        (entrant, tuple(player for player in players if player.fide_id not in ids))
        for entrant, players in zip(without, named_alike, strict=True)
    )
    return replace(
        known,
        from_list=replace(known.from_list, by_name=tuple((entrant, players) for entrant, players in pairs if players)),
    )


@dataclass(frozen=True, kw_only=True)
class RatedFile(RuleFields, FileFields):
    """A tournament file to rate, and what else is known about its players."""

    player: int | None = optional(
        starting_number, example="7", doors=DOORS - {"page"}, why="the page shows every player"
    )
    k: Rating | None = optional(readers.k, example="20", group="player")
    table_path: str | None = optional(
        readers.path, example="players.csv", option="table", group="player", longest=LONGEST_PATH, **COMMAND_ALONE
    )
    table: str | None = optional(readers.text, group="player", longest=LONGEST_FILE, **SENT)
    qc_approved: bool = flag(group="event")
    # Passes the entrants on one by one, so that a progress bar can count them.
    one_by_one: Callable[[Sequence[Entrant]], Iterable[Entrant]] = field(default=iter, repr=False, compare=False)

    def report(self) -> EventReport:
        """The report on every player."""
        return self.rated(self.tournament())

    def rated(self, event: Tournament) -> EventReport:
        """The report on every player of a tournament that has been read."""
        system = self.rating_system()
        table = self._table(system)
        known = None if table is None else table.for_tournament(event)
        return rate_event(
            event, system, on=self.on, k=self.k, known=known, qc_approved=self.qc_approved, watch=self.one_by_one
        )

    def _table(self, system: System) -> PlayersTable | None:
        """The table of what else is known about the players, if one was given."""
        if self.table_path is None and self.table is None:
            return None
        from arpad.formats.organiser_tables import players_of, read_players

        standing = system.table_standing
        if self.table_path is not None:
            return read_players(self.table_path, standing)
        return players_of(self.table or "", str(say("questions.the_table")), standing)

    def _listed(self, tournament: Tournament) -> Tournament:
        """Ratings from the list in force when the event began, K from the list before the one the event counts for."""
        from arpad.lists import pace_of, with_k_on

        found = super()._listed(tournament)
        day = day_of(tournament, self.on)
        k_list = k_list_of([Event((), ended=last_day_of(tournament, day))], self.rating_system(), day)
        if k_list is None or k_list <= day:
            return found
        ids = {entrant.player.fide_id: entrant.player for entrant in found.entrants if entrant.player.fide_id}
        known, used = with_k_on(ids, k_list, pace=pace_of(self.system), name=self.list, data=self.folder)
        entrants = tuple(
            replace(entrant, player=known.get(entrant.player.fide_id or 0, entrant.player))
            for entrant in found.entrants
        )
        k_from = ListedK(str(used), month=used.month)
        of_list = None if found.from_list is None else replace(found.from_list, k_from=k_from)
        return replace(found, entrants=entrants, from_list=of_list)

    def pace(self, tournament: Tournament) -> str:  # noqa: ARG002
        from arpad.lists import pace_of

        return pace_of(self.system)


@dataclass(frozen=True, kw_only=True)
class RatedPart(RatedFile):
    """A tournament file to rate: the whole event, or one of the parts in which a long one is reported."""

    part: int | None = optional(
        readers.count,
        example="2",
        group="event",
        doors=DOORS - {"page"},
        why="the page rates all rounds together, and says which parts there are",
    )

    def in_file(self) -> Tournament:
        """The tournament as the file has it, or the part of it that was asked for."""
        found = super().in_file()
        return found if self.part is None else part_of(found, self.part)

    def parts(self, found: Tournament) -> tuple[EventPart, ...]:
        """The parts of an event that is too long for one report.

        None for any other event, for one of these parts, or if a system or a day was chosen: then it is rated whole.
        """
        whole = self.part is not None or self.on is not None or self.rating_system().name not in LISTS.values()
        return () if whole else parts_of(found)

    def in_one(self, found: Tournament) -> Tournament:
        """A tournament that goes into one report; an error that asks for the part if it does not."""
        parts = self.parts(found)
        if parts:
            raise BadInput(say("tournaments.parts.choose", parts=len(parts)), at="part")
        return found


@question(
    "event",
    tool=True,
    needs=NEEDS,
    slow=True,
    examples=({"path": EXAMPLE}, {"path": EXAMPLE, "player": 7}, {"path": EXAMPLE, "system": "fide-rapid"}),
)
@dataclass(frozen=True, kw_only=True)
class EventOf(RatedPart, Watched, AllFindings):
    """The rating report of a whole tournament from its file: every player, or one with the working."""

    to: str | None = optional(
        readers.path, example="report.html", group="report", longest=LONGEST_PATH, **COMMAND_ALONE
    )
    cards: bool = flag(group="report", only_with=("to",), **COMMAND_ALONE)
    by: tuple[tuple[str, ...], ...] = several(
        criteria, example="DE,BH/C1,SB", group="report", only_with=SHOWN, **REPORTED
    )
    unrated: Rating | None = optional(readers.rating, example="1400", group="report", only_with=SHOWN, **REPORTED)
    force: bool = flag(group="report", **COMMAND_ALONE)

    @property
    def names(self) -> list[str]:
        """The criteria of the report's standings one by one."""
        return [criterion for group in self.by for criterion in group]

    def answer(self) -> EventReport | PlayerReport | PartedEvent:
        """The report, or one player of it; the reports of all parts if the event is too long for one."""
        found = self.in_file()
        return self.in_parts(found) or self.chosen(self.rated(self.with_list(found)))

    def in_parts(self, found: Tournament) -> PartedEvent | None:
        """Every part of an event that is too long for one report, by the list of its month; None for another one."""
        if self.player is not None or self.to is not None:
            self.in_one(found)
        return rate_parts(found, lambda part: self.rated(self.with_list(part))) if self.parts(found) else None

    def chosen(self, rated: EventReport) -> EventReport | PlayerReport:
        """The part of a report that was asked for: everybody, or one player."""
        return rated if self.player is None else rated.for_player(self.player)


@question(
    "next",
    needs=NEEDS,
    slow=True,
    most_results=MOST_RESULTS,
    examples=({"path": LAST_ROUND}, {"path": LAST_ROUND, "player": 1}),
    **IN_REPORT,
)
@dataclass(frozen=True, kw_only=True)
class NextOf(RatedFile):
    """The pairings of the next round, and what each result would do to ratings, standings and norms."""

    round: int | None = optional(readers.count, example="9")

    def answer(self) -> NextRound:
        """Everybody who has a game in the round, or one player."""
        return next_round(self.report(), round=self.round, player=self.player)


@dataclass(frozen=True, kw_only=True)
class NormFields(FileFields):
    """A tournament file, and what else matters for norms."""

    player: int | None = optional(starting_number, example="1")
    title: str | None = optional(readers.text, example="IM", choices=NORMS)
    event_kind: str | None = optional(readers.text, example="swiss", group="event", choices=EVENT_KINDS)
    host: str | None = optional(readers.federation, example="ENG", group="event")
    exempt: str | None = optional(readers.text, example="a", group="event", choices=EXEMPTIONS)
    qc_approved: bool = flag(group="event")

    def norms_in(self, tournament: Tournament) -> NormsReport:
        """Every player's norms."""
        return find_norms(
            tournament,
            on=self.on,
            titles=NORMS if self.title is None else cast("NormTitle", self.title.upper()),
            kind=cast("EventKind | None", self.event_kind),
            host=self.host,
            exempt=cast("Exemption | None", self.exempt),
            qc_approved=self.qc_approved,
            readings=dict(self.reading),
        )


@question(
    "norms",
    tool=True,
    needs=NEEDS,
    slow=True,
    most_results=30_000,
    examples=({"path": "docs/examples/norms.trf"}, {"path": "docs/examples/norms.trf", "player": 1, "title": "GM"}),
    **IN_REPORT,
)
@dataclass(frozen=True, kw_only=True)
class NormsOf(NormFields, Watched):
    """Title norms in a tournament: a verdict for each condition, and what is still needed."""

    def answer(self) -> NormsReport | PlayerNorms:
        """The norms of everybody, or of one player."""
        return self.chosen(self.norms_in(self.tournament()))

    def chosen(self, found: NormsReport) -> NormsReport | PlayerNorms:
        """The norms that were asked for: everybody's, or one player's."""
        return found if self.player is None else found.player(self.player)


@question(
    "direct",
    tool=True,
    needs=("championship",),
    examples=(
        {"championship": "world-junior", "place": 1, "peak": 2250, "games": 120},
        {"championship": "womens-world-cup", "on": "2025-07-28"},
    ),
    **NO_PAGE,
)
@dataclass(frozen=True, kw_only=True)
class DirectTitleOf(Asking):
    """The title that a place in a championship gives, and the rating it requires."""

    championship: str = required(readers.text, example="world-junior", word=True)
    place: int = defaulting(readers.count, 1, example="2")
    peak: Rating | None = optional(readers.rating, example="2250", group="player")
    games: int | None = optional(readers.games_before, example="30", group="player")
    on: date | None = optional(readers.day, example="2026-11-15", group="rules")

    def answer(self) -> DirectTitle:
        """The title, and whether it is awarded at once."""
        return direct_title(self.championship, on=self.day, place=self.place, peak=self.peak, games=self.games)


@dataclass(frozen=True, slots=True)
class PlacedFinding:
    """An inconsistency, with the player, round, line and column it is about."""

    kind: str
    says: Message
    no: int | None
    round: int | None
    line: int | None
    column: int | None


@dataclass(frozen=True, kw_only=True)
class FileCheck(Answer):
    """What was found in a tournament file, and whether a rating office would accept it."""

    name: str | None
    players: int
    rounds: int
    format: str | None
    consistent: bool
    findings: tuple[PlacedFinding, ...]
    oddities: tuple[Oddity, ...]
    comments: tuple[Oddity, ...]  # of the program that wrote the file
    parts: tuple[EventPart, ...]  # in which a long event is reported
    office: str | None
    ready: bool | None  # True if nothing prevents a submission; None if no office was named
    items: tuple[CheckItem, ...]
    tournament: Tournament = hidden()
    found: tuple[Finding, ...] = hidden()

    def summary(self) -> Sequence[Figure]:
        shown = [Figure("check.findings", len(self.findings)), Figure("check.oddities", len(self.oddities))]
        if self.office is not None:
            shown.append(Figure("check.ready", self.ready, say("answers.as_said", text=self.office)))
        return shown


@question(
    "check",
    needs=NEEDS,
    slow=True,
    examples=(
        {"path": EXAMPLE},
        {"path": "docs/examples/norms.trf", "office": "fide"},
        {"path": RESULTS, "columns": RESULT_COLUMNS},
    ),
    **IN_REPORT,
)
@dataclass(frozen=True, kw_only=True)
class CheckOf(AllFindings, SentFile):
    """What is odd or inconsistent in a tournament file, and whether it can be sent to a rating office."""

    office: str | None = optional(readers.text, example="fide", option="for")

    by_name: ClassVar[bool] = True

    def answer(self) -> FileCheck:
        """Check the file."""
        if self.office is not None:
            check_office(self.office)
        return file_check(self.tournament(), self.today, self.office)

    def pace(self, tournament: Tournament) -> str:
        """The rating list for the event's time control; standard if that is unclear."""
        return next(iter(paces_of(tournament)), "standard")


def file_check(tournament: Tournament, today: date, office: str | None = None) -> FileCheck:
    """What is wrong with a tournament, and what an office would miss in its report, if one is named."""
    if tournament.time_control and tournament.pace is None:
        unclear = say("notes.event.time_not_understood", text=tournament.time_control, system=DEFAULT_SYSTEM)
        tournament = replace(tournament, oddities=(*tournament.oddities, Oddity(unclear)))
    found = tuple(inconsistencies(tournament))
    items = () if office is None else submission_items(tournament)
    on = tournament.start or today
    return FileCheck(
        system=REPORTS,
        on=on,
        trail=() if office is None else rule_steps(on),
        name=tournament.name,
        players=len(tournament.entrants),
        rounds=tournament.rounds,
        format=None if tournament.source is None else tournament.source.format,
        consistent=not found,
        findings=tuple(
            PlacedFinding(
                finding.kind, finding.says, finding.no, finding.round, finding.line, column_of(tournament, finding)
            )
            for finding in found
        ),
        oddities=tournament.oddities,
        comments=tournament.comments,
        parts=parts_of(tournament),
        office=office,
        ready=None if office is None else all(item.state != MISSING for item in items),
        items=items,
        tournament=tournament,
        found=found,
    )
