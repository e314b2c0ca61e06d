"""A document as PDF, set by Typst, and as a page: both have the same sheets, and neither needs a browser."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arpad.errors import MissingExtra, UnknownName
from arpad.messages import say, voice
from arpad.reports.page import TEMPLATES, templates

if TYPE_CHECKING:
    from datetime import datetime

    from arpad.reports.documents.paper import EventDocument

A4 = "a4"
PAPERS = {A4: "a4", "letter": "us-letter"}  # our names, and Typst's
FORMS = ("pdf", "html")
OTHER = re.compile("[\u0530-\u1dff\u2c00-\U0010ffff]")  # letters that are neither Latin, nor Greek, nor Cyrillic
FONTS = Path(__file__).parent.parent / "fonts"


def printed(document: EventDocument, form: str, *, at: datetime | None = None, paper: str = A4) -> bytes:
    """A document as `pdf` or `html`; `at` is the time of print, if it is to be shown."""
    if paper not in PAPERS:
        raise UnknownName("paper", paper, known=PAPERS, at="paper")
    if form not in FORMS:
        raise UnknownName("report_form", form, known=FORMS, at="to")
    shown = {**asdict(document), "words": _words(at), "language": voice().language}
    return _html(shown) if form == "html" else _pdf({**shown, "paper": PAPERS[paper]})


def _words(at: datetime | None) -> dict[str, str]:
    """The words of the design itself."""
    keys = ("by_hand", "unsure", "white", "black")
    printed_at = "" if at is None else str(say("documents.printed", at=f"{at:%Y-%m-%d %H:%M}"))
    page = str(say("documents.page", page="%page", pages="%pages"))
    return {**{key: str(say(f"documents.{key}")) for key in keys}, "printed": printed_at, "page": page}


def _html(shown: Mapping[str, Any]) -> bytes:
    style = (TEMPLATES / "document.css").read_text(encoding="utf-8")
    return templates().get_template("document.html").render(**shown, style=style).encode("utf-8", "replace")


def _pdf(shown: Mapping[str, Any]) -> bytes:
    try:
        import typst
    except ImportError:
        raise MissingExtra(say("documents.needs_typst"), at="to") from None
    source = (TEMPLATES / "document.typ").read_bytes()
    text = json.dumps(shown, ensure_ascii=False).encode("utf-8", "replace").decode()
    made = typst.compile(
        {"main.typ": source}, sys_inputs={"document": text}, font_paths=_fonts(system=OTHER.search(text) is not None)
    )
    return bytes(made)


@cache
def _fonts(*, system: bool) -> Any:
    """Our own fonts and those that Typst brings along; for other scripts also those of the machine, if it has any."""
    import typst

    return typst.Fonts(font_paths=[str(FONTS)], include_system_fonts=system)
