"""The sheets of a title event as a page or a PDF: our own drawing of IT1 and IT3, with all of their fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from arpad.errors import UnknownName
from arpad.formats.saving import check_free, save
from arpad.messages import say, voice
from arpad.reports import form_of
from arpad.reports.page import TEMPLATES, templates
from arpad.tournaments.norms.lines import compared, condition_name

if TYPE_CHECKING:
    from arpad.tournaments.certificates.answer import NormCertificates


def sheets_page(answer: NormCertificates) -> str:
    """Every sheet on a page of paper; what is to be filled in by hand is marked."""
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
    """What a field of a sheet is called."""
    return str(say(f"certificates.{key}", **values))


def sheets(answer: NormCertificates, form: str) -> bytes:
    """The sheets as html or pdf."""
    if form not in SHEET_FORMS:
        raise UnknownName("report_form", form, known=SHEET_FORMS, at="to")
    return SHEET_FORMS[form](answer)


def check_sheets(path: str, *, force: bool) -> None:
    """Refuse, before any work, sheets that could not be written there."""
    form = form_of(path)
    if form not in SHEET_FORMS:
        raise UnknownName("report_form", form or path, known=SHEET_FORMS, at="to")
    check_free(path, force=force)


def write_sheets(answer: NormCertificates, path: str, *, force: bool = False) -> None:
    """Write the sheets; the form is the end of the name."""
    check_sheets(path, force=force)
    save(sheets(answer, form_of(path)), path, force=force)


def _html(answer: NormCertificates) -> bytes:
    return sheets_page(answer).encode("utf-8", "replace")


def _pdf(answer: NormCertificates) -> bytes:
    from arpad.reports.pdf import printed

    return printed(_html(answer))


SHEET_FORMS: Mapping[str, Callable[[NormCertificates], bytes]] = {"html": _html, "pdf": _pdf}
