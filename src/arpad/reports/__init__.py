"""Reports people hand out: one rated event as a page, a PDF, a spreadsheet, a CSV table or JSON."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from arpad.errors import UnknownName
from arpad.formats.saving import check_free, save
from arpad.messages import say, voice
from arpad.reports.page import TEMPLATES, templates
from arpad.tournaments.norms.answer import compared, condition_name

if TYPE_CHECKING:
    from arpad.reports.page import Norms, Order
    from arpad.tournaments.certificates import NormCertificates
    from arpad.tournaments.event.report import EventReport


def report(
    rated: EventReport, form: str, *, norms: Norms | None = None, order: Order | None = None, cards: bool = False
) -> bytes:
    """A rated event as html, pdf, xlsx, csv or json; with `cards`, a PDF has a card with the games of each player."""
    if form not in FORMS:
        raise UnknownName("report_form", form, known=FORMS, at="to")
    return _pdf(rated, norms, order, cards=True) if form == "pdf" and cards else FORMS[form](rated, norms, order)


def check_report(path: str, *, force: bool) -> None:
    """Refuse an unknown form or an existing file, before any work is done."""
    form = form_of(path)
    if form not in FORMS:
        raise UnknownName("report_form", form or path, known=FORMS, at="to")
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


# The library of a form is imported only when that form is asked for.
def _html(rated: EventReport, norms: Norms | None, order: Order | None) -> bytes:
    from arpad.reports.page import page

    return page(rated, norms, order).encode("utf-8", "replace")


def _pdf(rated: EventReport, norms: Norms | None, order: Order | None, *, cards: bool = False) -> bytes:
    from arpad.reports.page import page
    from arpad.reports.pdf import printed

    return printed(page(rated, norms, order, cards=cards).encode("utf-8", "replace"))


def _xlsx(rated: EventReport, norms: Norms | None, order: Order | None) -> bytes:
    from arpad.reports.sheets import workbook

    return workbook(rated, norms, order)


def _csv(rated: EventReport, norms: Norms | None, order: Order | None) -> bytes:  # noqa: ARG001  # only one table
    from arpad.reports.sheets import comma_separated

    return comma_separated(rated)


def _json(rated: EventReport, norms: Norms | None, order: Order | None) -> bytes:
    import json

    from arpad.calculation.serialise import success

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


def sheets_page(answer: NormCertificates) -> str:
    """An HTML page with every sheet; what has to be filled in by hand is marked."""
    style = "".join((TEMPLATES / name).read_text(encoding="utf-8") for name in ("page.css", "certificate.css"))
    return (
        templates()
        .get_template("certificates.html")
        .render(
            answer=answer,
            style=style,
            language=voice().language,
            label=_label,
            condition=condition_name,
            compared=compared,
        )
    )


def _label(key: str, **values: object) -> str:
    """The label of a field on a sheet."""
    return str(say(f"certificates.{key}", **values))


def printed_sheets(answer: NormCertificates, form: str) -> bytes:
    """The sheets as html or pdf."""
    if form not in SHEET_FORMS:
        raise UnknownName("report_form", form, known=SHEET_FORMS, at="to")
    return SHEET_FORMS[form](answer)


def check_sheets(path: str, *, force: bool) -> None:
    """Refuse an unknown form or an existing file, before any work is done."""
    form = form_of(path)
    if form not in SHEET_FORMS:
        raise UnknownName("report_form", form or path, known=SHEET_FORMS, at="to")
    check_free(path, force=force)


def write_sheets(answer: NormCertificates, path: str, *, force: bool = False) -> None:
    """Write the sheets in the form the file name ends with."""
    check_sheets(path, force=force)
    save(printed_sheets(answer, form_of(path)), path, force=force)


def _sheets_html(answer: NormCertificates) -> bytes:
    return sheets_page(answer).encode("utf-8", "replace")


def _sheets_pdf(answer: NormCertificates) -> bytes:
    from arpad.reports.pdf import printed

    return printed(_sheets_html(answer))


SHEET_FORMS: Mapping[str, Callable[[NormCertificates], bytes]] = {"html": _sheets_html, "pdf": _sheets_pdf}
