"""The arbiter's desk as a page: an event in tabs, the other events beside it, and what is wrong at the moment."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from threading import RLock
from typing import TYPE_CHECKING, NamedTuple

from arpad.calculation.answer import Figure
from arpad.calculation.explain import label_of
from arpad.core.tournaments import Tournament, by_kind
from arpad.errors import ArpadError
from arpad.messages import figure, say, section, voice
from arpad.reports.chances import chances_part, is_running, simulated
from arpad.reports.page import live_body, norms_of, order_of, templates, whole_style, words
from arpad.systems.chances import calibrated
from arpad.tournaments.checks import inconsistencies
from arpad.tournaments.next_round import next_round, norm_words
from arpad.tournaments.pairings import paired_rounds
from arpad.tournaments.prizes import SHARES, Prize
from arpad.tournaments.standings import standings
from arpad.tournaments.submission import submission_items, to_do

if TYPE_CHECKING:
    from arpad.reports.page import NormRow, Norms, Order
    from arpad.simulation.answer import EventChances
    from arpad.tournaments.event.report import EventReport
    from arpad.tournaments.next_round import NextRound, PairedPlayer
    from arpad.tournaments.prizes import PrizeWon
    from arpad.tournaments.standings import EventStandings

STANDINGS, CROSSTABLE, CHANGES, NORMS, NEXT, CHANCES, PRIZES, FINDINGS, SEND, PRINTS = TABS = (
    "standings", "crosstable", "changes", "norms", "next", "chances", "prizes", "findings", "send", "prints",
)  # fmt: skip
MADE, POSSIBLE = "made", "possible"  # a norm
IT1 = "it1"
DOCUMENT_FORMS = ("pdf", "letter.pdf", "html")
REPORT_FORMS = ("html", "xlsx", "csv", "json")
NOTHING_AHEAD = ("tournaments.next.no_pairings", "tournaments.next.not_paired")
FINISHED = "chances.refused.finished"
Later = Callable[[Callable[[], "EventChances"]], "Future[EventChances]"]  # has chances worked out while others wait


class DeskLink(NamedTuple):
    """A cell, or a line, that leads to a document."""

    to: str
    says: str


class DeskTable(NamedTuple):
    """A table of the desk: its headings, its rows as text, and which columns are words and not figures."""

    head: Sequence[str]
    rows: Sequence[Sequence[str | DeskLink]]
    texts: Collection[int] = ()


@dataclass(frozen=True, slots=True)
class PrizeList:
    """The prizes that the folder has for an event, as last read, and what is wrong with their file since."""

    file: str
    prizes: tuple[Prize, ...] = ()
    problem: str = ""
    several: bool = False  # whether a player may win prizes of several conditions


class EventTabs:
    """One saved state of an event. Each tab is made when it is first read, all from the same state."""

    def __init__(
        self, rated: EventReport, *, called: str = "", prizes: PrizeList | None = None, later: Later | None = None
    ) -> None:
        self.rated = rated
        self.called = called  # what an event without a name is called
        self.prizes = prizes
        self._later = later
        self._simulated: Future[EventChances] | None = None
        self._made: dict[str, str] = {}
        self._making = RLock()

    @property
    def event(self) -> Tournament:
        """The tournament of this state."""
        return self.rated.event

    @property
    def title(self) -> str:
        """The name of the event."""
        return self.event.name or self.called or words("tournament")

    @property
    def stem(self) -> str:
        """The name of the file without its extension, by which its prizes are found."""
        return os.path.splitext(self.called)[0]

    @cached_property
    def order(self) -> Order:
        """The standings."""
        return order_of(self.rated)

    @cached_property
    def norms(self) -> Norms | None:
        """The norms; None for an event without any."""
        return norms_of(self.rated)

    @cached_property
    def ahead(self) -> tuple[NextRound | None, str]:
        """The next round, or why it is not shown; neither if there are no pairings for it."""
        try:
            return next_round(self.rated), ""
        except ArpadError as error:
            return None, "" if getattr(error.said, "key", None) in NOTHING_AHEAD else str(error)

    @property
    def progress(self) -> Figure | None:
        """How far the event is."""
        found = self.order.standings
        return None if found is None else next(iter(found.progress()))

    @property
    def norms_made(self) -> list[NormRow]:
        """The norms that have been made."""
        return [] if self.norms is None else [row for row in self.norms.rows if row.stands == MADE]

    def with_prizes(self, share: str) -> EventStandings:
        """The standings with the prizes of the folder, shared in one way."""
        assert self.prizes is not None  # noqa: S101  # there is no such tab or document without them
        return standings(
            self.event,
            [] if self.order.standings is None else self.order.standings.criteria,
            on=self.rated.on,
            prizes=self.prizes.prizes,
            share=share,
            several=self.prizes.several,
        )

    def chances(self) -> EventChances | None:
        """The rest of the event, simulated beside everything else; None until that is done."""
        if self._later is None:
            return simulated(self.rated)
        if self._simulated is None:
            self._simulated = self._later(lambda: simulated(self.rated))
        return self._simulated.result() if self._simulated.done() else None

    def tab(self, name: str) -> str:
        """The contents of a tab as HTML; a bug in one of them is said there, and leaves the others alone."""
        with self._making:
            try:
                if name in TAB_BODIES and name not in self._made:
                    self._made[name] = TAB_BODIES[name](self)
                simulations = LATER_BODIES[name](self) if name in LATER_BODIES else ""
                return self._made.get(name, "") + simulations
            except ArpadError as error:  # such as a prize that nobody can win
                return _body(items=[str(error)])
            except Exception as error:  # noqa: BLE001  # the desk must survive a bug too
                return _body(items=[str(say("command.desk.bug", error=repr(error)))])


def _standings(tabs: EventTabs) -> str:
    if tabs.order.standings is None:
        return _body(items=[str(tabs.order.why or "")])
    return live_body(standings=tabs.order.standings)


def _crosstable(tabs: EventTabs) -> str:
    found = tabs.order.standings
    if found is None:
        return _body(items=[str(tabs.order.why or "")])
    table = next(table for table in found.tables() if table.key == CROSSTABLE)
    headings = section(voice().language, "reports.column")
    return _body(
        tables=[
            DeskTable(
                [headings.get(column.key, column.key) for column in table.columns],
                [[_shown(cell) for cell in row] for row in table.cells()],
                [at for at, column in enumerate(table.columns) if column.form == "text"],
            )
        ]
    )


def _changes(tabs: EventTabs) -> str:
    """The games of the last round counted, with the change of each, of the event so far, and the rating after it."""
    found = tabs.order.standings
    number = 0 if found is None else found.round
    rows = []
    for player in tabs.rated.players:
        for board, line in player.played():
            if board.round == number:
                met = "" if board.opponent is None else f"{board.opponent.no} {board.opponent.called}"
                change = None if line is None else line.change
                who = [str(player.no), player.called, _shown(player.rating), met, _shown(board.game.score)]
                rows.append([*who, _signed(change), _signed(player.change), _shown(player.new_rating)])
    head = [words(f"desk.{name}") for name in ("no", "name", "rating", "opponent", "score", "game", "so_far", "new")]
    elsewhere = [] if tabs.rated.elsewhere is None else [str(tabs.rated.elsewhere)]
    return _body(title=words("desk.round", round=number), items=elsewhere, tables=[DeskTable(head, rows, (1, 3))])


def _norms(tabs: EventTabs) -> str:
    """The norms, and what each result of the next round does to them."""
    if tabs.norms is None:
        return _body(items=[words("desk.no_norms")])
    ahead, _ = tabs.ahead
    paired = () if ahead is None else ahead.players
    told = [f"{one.no} {one.called}, {said}" for one in paired for said in norm_words(one)]
    made = [_certificate(row) for row in tabs.norms_made]
    return "".join(
        (
            live_body(norms=tabs.norms),
            _body(title=words("desk.certificates"), links=made),
            _body(title=words("desk.next_norms"), items=told),
        )
    )


def _certificate(row: NormRow) -> DeskLink:
    return DeskLink(f"{IT1}-{row.no}.pdf", words("desk.certificate", no=row.no, name=row.name, title=row.title))


def _chances_of_norms(tabs: EventTabs) -> str:
    """How likely the norms are that can still be made: by the next game if it decides, otherwise by simulation."""
    if tabs.norms is None or not any(row.stands == POSSIBLE for row in tabs.norms.rows):
        return ""
    ahead, _ = tabs.ahead
    decided = [] if ahead is None else [said for one in ahead.players for said in _norm_chances(one)]
    if decided:
        return _body(title=words("desk.chances"), items=[*decided, words("desk.model")])
    title = words("desk.chances_at_end")
    try:
        found = tabs.chances()
    except ArpadError as error:
        return "" if getattr(error.said, "key", None) == FINISHED else _body(title=title, items=[str(error)])
    if found is None:
        return _body(title=title, items=[words("desk.working")])
    likely = sorted(
        ((player, norm) for player in found.players for norm in player.norms), key=lambda both: -both[1].chance
    )
    rows = [
        [str(norm.no), norm.called, norm.title, str(player.shown(norm.chance)), str(norm.needs)]
        for player, norm in likely
    ]
    head = [words(f"desk.{name}") for name in ("no", "name", "norm", "chance_at_end", "takes")]
    said = [] if rows else [words("desk.nobody_likely")]
    return _body(
        title=title,
        items=[*said, words("desk.simulated", runs=found.runs)],
        tables=[DeskTable(head, rows, (1, 2, 4))] if rows else (),
    )


def _norm_chances(player: PairedPlayer) -> Iterator[str]:
    """How likely the next game makes each norm that a result of it would make; nothing without both ratings."""
    if player.rating is None or player.opponent_rating is None:
        return
    likely = calibrated().chances(float(player.rating), float(player.opponent_rating), player.colour)
    chances = dict(zip(("win", "draw", "loss"), likely, strict=True))
    by_title: dict[str, float] = {}
    for after in player.results:
        for norm in after.norms:
            if norm.stands == MADE:
                by_title[norm.title] = by_title.get(norm.title, 0.0) + chances[after.result]
    for title, chance in by_title.items():
        yield words("desk.chance", no=player.no, name=player.called, title=title, chance=round(100 * chance))


def _next(tabs: EventTabs) -> str:
    ahead, why = tabs.ahead
    if ahead is None:
        return _body(items=[why or words("desk.not_paired")])
    return live_body(ahead=ahead)


def _chances(tabs: EventTabs) -> str:
    """What can still happen to everybody; worked out once the tab is opened."""
    if not is_running(tabs.rated, tabs.order):
        return _body(items=[words("desk.no_chances")])
    found = tabs.chances()
    if found is None:
        return _body(items=[words("desk.working")])
    part = chances_part(found)
    tables = [_body(title=one.title, tables=[DeskTable(one.head, one.rows, one.texts)]) for one in part.tables]
    return "".join((_body(items=[part.says]), *tables, _body(items=part.notes)))


def _prizes(tabs: EventTabs) -> str:
    """Who gets which prize, by each way to share them; without prizes, how to give them."""
    found = tabs.prizes
    if found is None or not found.prizes:
        problem = [] if found is None else [found.problem]
        return _body(title=words("desk.tab.prizes"), items=[*problem, words("desk.no_prizes", stem=tabs.stem)])
    head = [words(f"desk.{name}") for name in ("no", "name", "condition", "prize", "working_of", "amount")]
    now, progress = tabs.order.standings, tabs.progress
    said = [found.problem, words("desk.prizes_of", file=found.file)]
    if now is not None and progress is not None and (now.round < tabs.event.rounds or now.results < now.games):
        said.append(words("desk.prizes_now", progress=f"{label_of(progress.key)} {figure(progress.value)}"))
    parts = [_body(items=[line for line in said if line])]
    for share in SHARES:
        rows = [_prize_row(tabs, won) for won in tabs.with_prizes(share).prizes]
        links = [DeskLink(f"prizes-{share}.pdf", words("desk.print.document", title=_title(PRIZES), form="PDF"))]
        title = words(f"desk.prizes.{share}")
        parts.append(_body(title=title, tables=[DeskTable(head, rows, (1, 2, 3, 4))], links=links))
    return "".join(parts)


def _prize_row(tabs: EventTabs, won: PrizeWon) -> list[str]:
    called = tabs.event.entrant(won.no).called
    return [str(won.no), called, won.condition, ", ".join(won.prizes), won.working, f"{won.amount:.2f}"]


def _findings(tabs: EventTabs) -> str:
    """What is inconsistent or odd in the file, and what its program says."""
    event = tabs.event
    wrong = [str(finding.placed) for finding in inconsistencies(event)] or [words("desk.consistent")]
    parts = (
        _body(title=words("findings"), items=wrong),
        _body(title=words("oddities"), items=[str(says) for says in by_kind(event.oddities)]),
        _body(title=words("desk.comments"), items=[str(comment) for comment in event.comments]),
        _body(title=words("remarks"), items=[str(note) for note in tabs.rated.notes]),
    )
    return "".join(parts)


def _send(tabs: EventTabs) -> str:
    """What goes to the rating office, what it still lacks, and the papers of norms."""
    lacking = [str(says) for says in to_do(submission_items(tabs.event))] or [words("desk.nothing_missing")]
    report = [
        DeskLink("event.trf", words("desk.send.trf")),
        DeskLink("rating-report.pdf", words("desk.print.document", title=_title("rating-report"), form="PDF")),
    ]
    made = [_certificate(row) for row in tabs.norms_made]
    of_titles = [
        DeskLink(f"{name}.pdf", words("desk.print.document", title=_title(name), form="PDF"))
        for name in ("it3", "titles")
    ]
    copies = [str(say("certificates.it1.copies")), str(say("certificates.it3.copies")), words("desk.send.games")]
    parts = (
        _body(title=words("desk.report"), links=report),
        _body(title=words("desk.missing"), items=lacking),
        _body(title=words("norms"), items=copies if made else [words("desk.send.no_norms")], links=[*made, *of_titles]),
    )
    return "".join(parts)


def _prints(tabs: EventTabs) -> str:
    """Every document that this state has, on either paper and as a page; then the whole report."""
    rows: list[list[str | DeskLink]] = [
        [
            words(f"desk.prizes.{name.partition('-')[2]}") if name.startswith(PRIZES) else _title(name),
            *(DeskLink(f"{name}.{form}", words(f"desk.form.{form}")) for form in DOCUMENT_FORMS),
        ]
        for name in documents_there(tabs)
    ]
    head = [words("desk.document"), *([""] * len(DOCUMENT_FORMS))]
    links = [DeskLink(f"report.{form}", words(f"desk.print.{form}")) for form in REPORT_FORMS]
    return _body(
        items=[words("desk.prints")],
        tables=[DeskTable(head, rows, range(len(head)))],
    ) + _body(title=words("desk.whole"), links=links)


def documents_there(tabs: EventTabs) -> Iterator[str]:
    """The documents for which this state has something to print, by the names of their addresses."""
    paired = bool(paired_rounds(tabs.event))
    there = {
        "standings": True, "crosstable": True, "wall-by-name": True, "wall-by-rank": True, "pairings": paired,
        "slips": paired, "cards": paired, "next": tabs.ahead[0] is not None, "rating-report": True,
    }  # fmt: skip
    yield from (name for name, known in there.items() if known)
    if tabs.prizes is not None and tabs.prizes.prizes:
        yield from (f"{PRIZES}-{share}" for share in SHARES)
    if tabs.norms is not None and tabs.norms.report is not None:
        yield from ("titles", *([IT1] if tabs.norms_made else []), "it3")
    if tabs.event.arbiter:
        yield from ("fa1", "ia1")


def printed_document(tabs: EventTabs, name: str, form: str, at: datetime) -> bytes:
    """A document of this state by the name of its address; an error says why there is none, such as no pairings."""
    from arpad.reports.documents import A4, document, documents_of, printed

    made = documents_of(tabs.rated, tabs.norms, tabs.order)
    kind, _, which = name.partition("-")
    if kind == PRIZES and which in SHARES and tabs.prizes is not None:
        made = replace(made, ranked=lambda _: tabs.with_prizes(which), share=which)
    elif kind == IT1 and which.isdecimal():
        made = replace(made, player=int(which))
    else:
        kind = name
    *paper, form = form.split(".")
    return printed(document(kind, made), form, at=at, paper=paper[0] if paper else A4)


def _title(name: str) -> str:
    return section(voice().language, "documents.title")[name]


TAB_BODIES: Mapping[str, Callable[[EventTabs], str]] = {
    STANDINGS: _standings,
    CROSSTABLE: _crosstable,
    CHANGES: _changes,
    NORMS: _norms,
    NEXT: _next,
    PRIZES: _prizes,
    FINDINGS: _findings,
    SEND: _send,
    PRINTS: _prints,
}
# What is simulated comes later than the rest, so it is asked for at each reading of the tab.
LATER_BODIES: Mapping[str, Callable[[EventTabs], str]] = {NORMS: _chances_of_norms, CHANCES: _chances}


def _body(
    *,
    title: str = "",
    items: Sequence[str] = (),
    tables: Sequence[DeskTable] = (),
    links: Sequence[DeskLink] = (),
) -> str:
    """A part of a tab; empty if there is nothing to say."""
    if not (items or tables or links):
        return ""
    made = templates().get_template("desk_body.html")
    return made.render(title=title, items=items, tables=tables, links=links)


def _shown(value: object) -> str:
    return "" if value is None else value if isinstance(value, str) else figure(value)


def _signed(value: object) -> str:
    return "" if value is None else figure(value, signed=True)


@dataclass(frozen=True, slots=True)
class DeskEvent:
    """An event on the desk: its last good state, when and from which file it is, and what is wrong since."""

    number: int
    file: str
    tabs: EventTabs
    time: str
    problem: str = ""

    @property
    def name(self) -> str:
        """The name of the file."""
        return os.path.basename(self.file)


@dataclass(frozen=True, slots=True)
class DeskState:
    """Everything on the desk at one moment."""

    folder: str
    events: tuple[DeskEvent, ...] = ()
    problems: Mapping[str, str] | None = None  # by file, of files that are no event's
    version: int = 0

    def event(self, number: int) -> DeskEvent | None:
        """An event by its number."""
        return next((event for event in self.events if event.number == number), None)


def desk_page(state: DeskState, number: int, tab: str) -> str:
    """The page of one tab of an event; of the empty desk if there is none."""
    shown = state.event(number)
    return (
        templates()
        .get_template("desk.html")
        .render(
            state=state,
            shown=shown,
            tab=tab,
            tabs=TABS,
            body="" if shown is None else shown.tabs.tab(tab),
            style=whole_style(),
            language=voice().language,
        )
    )
