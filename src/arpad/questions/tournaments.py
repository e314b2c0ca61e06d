"""The questions about a whole tournament, which bring its file: the rating report, norms and tie-breaks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.core import k_of, rating_of
from arpad.errors import BadInput
from arpad.reading.notation import parse_no

if TYPE_CHECKING:
    from datetime import date

    from arpad.calculation.contract import Calculation
    from arpad.core.tournament import Tournament
    from arpad.questions.asking import Asked

FILE = ("text", "data", "file", "columns")  # the names by which a file comes
NEEDED = ("text|data",)


def event_asked(asked: Asked) -> Calculation:
    """The rating report, or one player of it."""
    from arpad.formats.k_table import k_table_of
    from arpad.tournaments.event import rate_event

    rated = rate_event(
        _tournament(asked),
        asked.system(),
        on=_day(asked),
        k=None if "k" not in asked.texts else k_of(asked.texts["k"], at="k"),
        known=k_table_of(asked.texts["table"], "the table") if "table" in asked.texts else None,
    )
    no = _no(asked)
    return rated if no is None else rated.player(no)


def norms_asked(asked: Asked) -> Calculation:
    """The norms of everybody, or of one player."""
    from arpad.tournaments.norms.report import find_norms
    from arpad.tournaments.norms.rules import NORMS

    found = find_norms(
        _tournament(asked),
        on=_day(asked),
        titles=(asked.texts["title"],) if "title" in asked.texts else NORMS,
        kind=asked.text("event_kind"),
        host=asked.text("host"),
        exempt=asked.text("exempt"),
        readings=dict(asked.pairs("reading")),
    )
    no = _no(asked)
    return found if no is None else found.player(no)


def ties_asked(asked: Asked) -> Calculation:
    """The tie-breaks of everybody."""
    from arpad.tournaments.tiebreaks.report import tie_breaks

    return tie_breaks(
        _tournament(asked),
        asked.texts.get("by", ()),
        on=_day(asked),
        unrated=None if "unrated" not in asked.texts else rating_of(asked.texts["unrated"], at="unrated"),
        kind=asked.text("event_kind"),
        readings=dict(asked.pairs("reading")),
    )


def _tournament(asked: Asked) -> Tournament:
    """The tournament in the file that was sent."""
    from arpad.formats.recognise import read_bytes
    from arpad.formats.spreadsheets.headings import columns_of

    columns = columns_of(asked.texts["columns"]) if "columns" in asked.texts else None
    return read_bytes(_file(asked), asked.text("file") or "the file", columns)


def _file(asked: Asked) -> bytes:
    """The file, as text or in base64."""
    if "text" in asked.texts and "data" in asked.texts:
        raise BadInput("Send the file once, as `text` or as `data`.", at="data")
    if "text" in asked.texts:
        return str(asked.texts["text"]).encode("utf-8", "replace")
    from base64 import b64decode
    from binascii import Error

    try:
        return b64decode(asked.texts["data"], validate=True)
    except (Error, ValueError):
        raise BadInput(
            "This is not base64; send the file's bytes in base64, or its text as `text`.", at="data"
        ) from None


def _day(asked: Asked) -> date | None:
    """The day asked for, or None: then it is the day the file says."""
    return asked.day() if "on" in asked.texts else None


def _no(asked: Asked) -> int | None:
    """The one player asked for, by starting number."""
    return parse_no(asked.texts["player"], at="player") if "player" in asked.texts else None
