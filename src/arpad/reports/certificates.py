"""The sheets of a title event as a page or a PDF: our own version of FIDE's IT1 and IT3, with all their fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from arpad.errors import UnknownName
from arpad.formats.saving import check_free, save
from arpad.messages import say, voice
from arpad.reports import form_of
from arpad.reports.page import TEMPLATES, templates
from arpad.tournaments.norms.answer import compared, condition_name

if TYPE_CHECKING:
    from arpad.tournaments.certificates import NormCertificates


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


def sheets(answer: NormCertificates, form: str) -> bytes:
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
    save(sheets(answer, form_of(path)), path, force=force)


def _html(answer: NormCertificates) -> bytes:
    return sheets_page(answer).encode("utf-8", "replace")


def _pdf(answer: NormCertificates) -> bytes:
    from arpad.reports.pdf import printed

    return printed(_html(answer))


SHEET_FORMS: Mapping[str, Callable[[NormCertificates], bytes]] = {"html": _html, "pdf": _pdf}
