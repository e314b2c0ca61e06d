"""Reports people hand out: one rated event as a page, a PDF, a spreadsheet, a CSV table or JSON."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from arpad.errors import UnknownName
from arpad.formats.saving import check_free, save
from arpad.messages import in_english

if TYPE_CHECKING:
    from arpad.reports.page import Norms, Order
    from arpad.tournaments.certificates import NormCertificates
    from arpad.tournaments.event.report import EventReport

SHEET_FORMS = ("html", "pdf")


def report(
    rated: EventReport, form: str, *, norms: Norms | None = None, order: Order | None = None, cards: bool = False
) -> bytes:
    """A rated event as html, pdf, xlsx, csv or json; with `cards`, a PDF has a card with the games of each player."""
    if form not in FORMS:
        raise UnknownName("report_form", form, known=FORMS, at="to")
    return _pdf(rated, norms, order, cards=True) if form == "pdf" and cards else FORMS[form](rated, norms, order)


def check_report(path: str, *, force: bool) -> None:
    """Refuse an unknown form or an existing file, before any work is done."""
    check_form(path, FORMS)
    check_free(path, force=force)


def write_report(
    rated: EventReport,
    path: str,
    *,
    force: bool = False,
    norms: Norms | None = None,
    order: Order | None = None,
    cards: bool = False,
) -> None:
    """Write a report in the form its file name ends with."""
    check_report(path, force=force)
    save(report(rated, form_of(path), norms=norms, order=order, cards=cards), path, force=force)


def form_of(path: str) -> str:
    """The form that a file name ends with."""
    return os.path.splitext(path)[1].removeprefix(".").lower()


def check_form(path: str, known: Iterable[str]) -> None:
    """Refuse a file name that ends with no known form."""
    form = form_of(path)
    if form not in known:
        raise UnknownName("report_form", form or path, known=known, at="to")


# The library of a form is imported only when that form is asked for.
def _html(rated: EventReport, norms: Norms | None, order: Order | None) -> bytes:
    from arpad.reports.page import page

    return page(rated, norms, order).encode("utf-8", "replace")


def _pdf(rated: EventReport, norms: Norms | None, order: Order | None, *, cards: bool = False) -> bytes:
    """Standings, crosstable, rating changes, norms and the next round, one after the other."""
    from arpad.reports.documents import document, documents_of, printed
    from arpad.reports.page import ahead_of

    event = documents_of(rated, norms, order, cards=cards, charts=True)
    names = [
        *(("standings", "crosstable") if event.ranked is not None else ()),
        "rating-report",
        *(("titles",) if event.judge is not None else ()),
        *(("next",) if ahead_of(rated) is not None else ()),
    ]
    made = [document(name, event) for name in names]
    return printed(replace(made[0], sheets=tuple(sheet for one in made for sheet in one.sheets)), "pdf")


def _xlsx(rated: EventReport, norms: Norms | None, order: Order | None) -> bytes:
    from arpad.reports.sheets import workbook

    return workbook(rated, norms, order)


def _csv(rated: EventReport, norms: Norms | None, order: Order | None) -> bytes:  # noqa: ARG001  # only one table
    from arpad.reports.sheets import comma_separated

    return comma_separated(rated)


def _json(rated: EventReport, norms: Norms | None, order: Order | None) -> bytes:
    import json

    from arpad.calculation.serialise import success

    with in_english():
        whole = success(rated)
        if norms is not None:
            whole["value"]["norms"] = norms.value()
        if order is not None:
            whole["value"]["standings"] = order.value()
    return json.dumps(whole, ensure_ascii=False).encode("utf-8", "replace")


FORMS: Mapping[str, Callable[[EventReport, Norms | None, Order | None], bytes]] = {
    "html": _html,
    "pdf": _pdf,
    "xlsx": _xlsx,
    "csv": _csv,
    "json": _json,
}


def printed_sheets(answer: NormCertificates, form: str) -> bytes:
    """The sheets as html or pdf."""
    from arpad.reports.documents import certificate_document, printed

    return printed(certificate_document(answer), form)


def check_sheets(path: str, *, force: bool) -> None:
    """Refuse an unknown form or an existing file, before any work is done."""
    check_form(path, SHEET_FORMS)
    check_free(path, force=force)


def write_sheets(answer: NormCertificates, path: str, *, force: bool = False) -> None:
    """Write the sheets in the form the file name ends with."""
    check_sheets(path, force=force)
    save(printed_sheets(answer, form_of(path)), path, force=force)
