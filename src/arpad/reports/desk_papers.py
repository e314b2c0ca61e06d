"""What the arbiter's desk hands out: the documents, the whole report and the file for a rating office, by address."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from arpad.errors import UnknownName
from arpad.tournaments.pairings import paired_rounds
from arpad.tournaments.prizes import SHARES
from arpad.tournaments.submission import part_of

if TYPE_CHECKING:
    from arpad.reports.desk_state import SavedState

REPORT, EVENT, RATING_REPORT, PRIZES, IT1 = "report", "event", "rating-report", "prizes", "it1"
DOCUMENT_FORMS = ("pdf", "letter.pdf", "html")
REPORT_FORMS = ("html", "xlsx", "csv", "json")
FORMS_OF = {REPORT: REPORT_FORMS, EVENT: ("trf",)}  # of anything else they are those of documents


def documents_there(state: SavedState) -> Iterator[str]:
    """The documents for which a state has something to print, by the names of their addresses."""
    paired = bool(paired_rounds(state.event))
    there = {
        "standings": True, "crosstable": True, "wall-by-name": True, "wall-by-rank": True, "pairings": paired,
        "slips": paired, "cards": paired, "next": state.ahead[0] is not None,
    }  # fmt: skip
    yield from (name for name, known in there.items() if known)
    yield from in_parts(RATING_REPORT, state)
    if state.prizes is not None and state.prizes.prizes:
        yield from (f"{PRIZES}-{share}" for share in SHARES)
    if state.norms is not None and state.norms.report is not None:
        yield from ("titles", *([IT1] if state.norms_made else []), "it3")
    if state.event.arbiter:
        yield from ("fa1", "ia1")


def in_parts(name: str, state: SavedState) -> list[str]:
    """The name of what a rating office gets; of each part, if the event is too long for one report."""
    return [f"{name}-{part.number}" for part, _ in state.parts] or [name]


def handed_out(state: SavedState, name: str, form: str, at: datetime) -> bytes:
    """What an address stands for, in a form; UnknownName if there is no such thing.

    Any other error says why there is nothing to hand out yet, such as no pairings.
    """
    kind, part = _of_part(state, name)
    forms = FORMS_OF.get(kind, DOCUMENT_FORMS)
    if form not in forms:
        raise UnknownName("report_form", form, known=forms)
    if kind == REPORT:
        from arpad.reports import report

        return report(state.rated, form, norms=state.norms, order=state.order)
    if kind == EVENT:
        from arpad.reports.publishing import report_file

        return report_file(state.event if part is None else part_of(state.event, part))[0]
    from arpad.reports.documents import A4, document, documents_of, printed

    made = documents_of(state.rated if part is None else state.parts[part - 1][1], state.norms, state.order)
    start, _, which = name.partition("-")
    if start == PRIZES and which in SHARES and state.prizes is not None:
        kind, made = start, replace(made, ranked=lambda _: state.with_prizes(which), share=which)
    elif start == IT1 and which.isdecimal():
        kind, made = start, replace(made, player=int(which))
    *paper, form = form.split(".")
    return printed(document(kind, made), form, at=at, paper=paper[0] if paper else A4)


def _of_part(state: SavedState, name: str) -> tuple[str, int | None]:
    """What a name stands for, and which part of a long event it is about."""
    kind, _, number = name.rpartition("-")
    if kind in (EVENT, RATING_REPORT) and number in [str(part.number) for part, _ in state.parts]:
        return kind, int(number)
    return name, None
