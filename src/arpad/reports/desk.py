"""The arbiter's desk as a page: an event in tabs, the other events beside it, and what is wrong at the moment."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from threading import RLock
from typing import TYPE_CHECKING, NamedTuple

from arpad.calculation.explain import label_of
from arpad.core.tournaments import by_kind
from arpad.errors import ArpadError
from arpad.messages import figure, fixed, say, section, voice
from arpad.reports.chances import chances_part, is_running
from arpad.reports.desk_papers import (
    DOCUMENT_FORMS,
    EVENT,
    IT1,
    RATING_REPORT,
    REPORT,
    REPORT_FORMS,
    documents_there,
    in_parts,
)
from arpad.reports.desk_state import MADE, POSSIBLE, DeskRating, Later, PrizeList, SavedState
from arpad.reports.documents.paper import LEFT, declared
from arpad.reports.page import live_body, templates, whole_style, words
from arpad.systems.chances import calibrated
from arpad.tournaments.checks import inconsistencies
from arpad.tournaments.next_round import norm_words
from arpad.tournaments.prizes import SHARES
from arpad.tournaments.submission import submission_items, to_do

if TYPE_CHECKING:
    from arpad.calculation.answer import Table
    from arpad.reports.page import NormRow
    from arpad.tournaments.next_round import PairedPlayer

STANDINGS, CROSSTABLE, CHANGES, NORMS, NEXT, CHANCES, PRIZES, FINDINGS, SEND, PRINTS = TABS = (
    "standings", "crosstable", "changes", "norms", "next", "chances", "prizes", "findings", "send", "prints",
)  # fmt: skip
FINISHED, NOT_GIVEN = "chances.refused.finished", "notes.standings.not_given"


class DeskLink(NamedTuple):
    """A cell, or a line, that leads to a document."""

    to: str
    says: str


class DeskTable(NamedTuple):
    """A table of the desk: headings, rows as text, and which columns are words; the first of them names a row."""

    head: Sequence[str]
    rows: Sequence[Sequence[str | DeskLink]]
    texts: Collection[int] = ()

    @property
    def named(self) -> int | None:
        """The column that says whom or what a row is about."""
        return min(self.texts, default=None)


class EventTabs(SavedState):
    """One saved state of an event as tabs, each made when it is first read."""

    def __init__(
        self, rated: DeskRating, *, called: str = "", prizes: PrizeList | None = None, later: Later | None = None
    ) -> None:
        super().__init__(rated, called=called, prizes=prizes, later=later)
        self._made: dict[str, str] = {}
        self._making = RLock()

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
    return _body(tables=[_declared(next(table for table in found.tables() if table.key == CROSSTABLE))])


def _declared(table: Table) -> DeskTable:
    """A table as an answer declares it, with the headings of the documents."""
    made = declared(table)
    texts = [at for at, column in enumerate(made.columns) if column.align == LEFT]
    return DeskTable([column.heading for column in made.columns], [row.cells for row in made.rows], texts)


def _changes(tabs: EventTabs) -> str:
    """The games of the last round counted, with the change of each, of the event so far, and the rating after it.

    A long event is rated in parts: then it is the part so far, and all parts follow.
    """
    found = tabs.order.standings
    number = 0 if found is None else found.round
    rows = []
    for player in tabs.report_on(number).players:
        for board, line in player.played():
            if board.round == number:
                met = "" if board.opponent is None else f"{board.opponent.no} {board.opponent.called}"
                change = None if line is None else line.change
                who = [str(player.no), player.called, _shown(player.rating), met, _shown(board.game.score)]
                rows.append([*who, _signed(change), _signed(player.change), _shown(player.new_rating)])
    so_far = "part_so_far" if tabs.parts else "so_far"
    head = [words(f"desk.{name}") for name in ("no", "name", "rating", "opponent", "score", "game", so_far, "new")]
    elsewhere = [] if tabs.rated.elsewhere is None else [str(tabs.rated.elsewhere)]
    last = _body(title=words("desk.round", round=number), items=elsewhere, tables=[DeskTable(head, rows, (1, 3))])
    return last + _parts(tabs)


def _parts(tabs: EventTabs) -> str:
    """The parts in which a long event is reported, and everybody's change in each of them."""
    parted = tabs.ratings.parted
    if parted is None:
        return ""
    said = [*(part.says for part in parted.parts), *parted.notes]
    return _body(
        title=words("desk.parts"), items=[str(one) for one in said], tables=list(map(_declared, parted.tables()))
    )


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
    head = [words(f"desk.{name}") for name in ("no", "name", "prize", "condition", "amount", "working_of")]
    now, progress = tabs.order.standings, tabs.progress
    said = [found.problem, words("desk.prizes_of", file=found.file)]
    if now is not None and progress is not None and (now.round < tabs.event.rounds or now.results < now.games):
        said.append(words("desk.prizes_now", progress=f"{label_of(progress.key)} {figure(progress.value)}"))
    parts = [_body(items=[line for line in said if line])]
    for share in SHARES:
        ranked = tabs.with_prizes(share)
        rows = [
            [str(won.no), won.name, ", ".join(won.prizes), won.condition, fixed(won.amount, 2), won.working]
            for won in ranked.prizes
        ]
        links = [DeskLink(f"prizes-{share}.pdf", words("desk.print.document", title=_title(PRIZES), form="PDF"))]
        title = words(f"desk.prizes.{share}")
        not_given = [str(note) for note in ranked.notes if note.key == NOT_GIVEN]
        parts.append(_body(title=title, items=not_given, tables=[DeskTable(head, rows, (1, 2, 3, 5))], links=links))
    return "".join(parts)


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
    report = [DeskLink(f"{name}.trf", _of_part(words("desk.send.trf"), name, tabs)) for name in in_parts(EVENT, tabs)]
    report += [
        DeskLink(f"{name}.pdf", words("desk.print.document", title=_paper(name, tabs), form="PDF"))
        for name in in_parts(RATING_REPORT, tabs)
    ]
    said = [words("desk.send.parts"), *(str(part.says) for part, _ in tabs.parts)] if tabs.parts else []
    made = [_certificate(row) for row in tabs.norms_made]
    of_titles = [
        DeskLink(f"{name}.pdf", words("desk.print.document", title=_title(name), form="PDF"))
        for name in ("it3", "titles")
    ]
    copies = [str(say("certificates.it1.copies")), str(say("certificates.it3.copies")), words("desk.send.games")]
    parts = (
        _body(title=words("desk.report"), items=said, links=report),
        _body(title=words("desk.missing"), items=lacking),
        _body(title=words("norms"), items=copies if made else [words("desk.send.no_norms")], links=[*made, *of_titles]),
    )
    return "".join(parts)


def _prints(tabs: EventTabs) -> str:
    """Every document that this state has, on either paper and as a page; then the whole report."""
    rows: list[list[str | DeskLink]] = [
        [
            _paper(name, tabs),
            *(DeskLink(f"{name}.{form}", words(f"desk.form.{form}")) for form in DOCUMENT_FORMS),
        ]
        for name in documents_there(tabs)
    ]
    head = [words("desk.document"), *([""] * len(DOCUMENT_FORMS))]
    links = [DeskLink(f"{REPORT}.{form}", words(f"desk.print.{form}")) for form in REPORT_FORMS]
    return _body(
        items=[words("desk.prints")],
        tables=[DeskTable(head, rows, range(len(head)))],
    ) + _body(title=words("desk.whole"), links=links)


def _paper(name: str, tabs: EventTabs) -> str:
    """What a document is called, by the name of its address."""
    kind, _, which = name.partition("-")
    if kind == PRIZES:
        return words(f"desk.prizes.{which}")
    return _of_part(_title(RATING_REPORT if name.startswith(RATING_REPORT) else name), name, tabs)


def _of_part(says: str, name: str, tabs: EventTabs) -> str:
    """What something is called, with the part of a long event that it is about."""
    kind, _, number = name.rpartition("-")
    return words("desk.of_part", says=says, part=number) if tabs.parts and kind in (EVENT, RATING_REPORT) else says


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
