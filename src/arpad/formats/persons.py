"""A player from the texts of a table or of PGN headers; what cannot be read is left out with a note."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from arpad.core import DwzStanding, Player, Standing
from arpad.errors import BadInput
from arpad.formats.dates import Day, read_day
from arpad.formats.trf.fields import OTHER_SEXES, SEXES, title_of
from arpad.messages import Message, say

if TYPE_CHECKING:
    Note = Callable[[Message, str], None]  # what is odd, and the field it is about


UNKNOWN = ("", "?", "-", "--", "*", "n/a", "none", "null")
UNRATED = (*UNKNOWN, "0", "0000", "unrated", "unr", "nr", "ur", "ohne", "nc", "se")
WITH_INDEX = re.compile(r"([1-9]\d{2,3})\s*-\s*(\d{1,3})")  # 1530-22, a DWZ and its index
MALE, FEMALE = ("m", "male", "h", "mann", "man"), ("w", "f", "female", "frau", "d", "woman", "k", "v", "ž")


def player_of(texts: Mapping[str, str], note: Note) -> tuple[Player, Day]:
    """The player of a line, and the date of birth as far as it is given; `note` is told what cannot be read."""
    born = _born(texts.get("born", ""), note)
    surname_first = ", ".join(filter(None, (_text(texts.get(part, "")) for part in ("surname", "given"))))
    known: dict[str, Any] = {
        "standing": _rating(texts.get("rating", ""), note),
        "birth_year": born.year,
        "title": _title(texts.get("title", ""), note),
        "federation": _text(texts.get("federation", "")),
        "sex": _sex(texts.get("sex", ""), note),
        "fide_id": _whole(texts.get("id", ""), "id", note),
        "name": _text(texts.get("name", "")) or surname_first or None,
    }
    while True:
        try:
            return Player(**known), born
        except BadInput as error:
            field = "standing" if error.at == "rating" else "birth_year"
            note(say("formats.left_out", says=error.said), "rating" if field == "standing" else "born")
            known[field] = None


def _born(text: str, note: Note) -> Day:
    if text.lower() in UNKNOWN or text == "0":
        return Day()
    try:
        return read_day(text.removesuffix(" 00:00:00").removesuffix(".0"))
    except ValueError:
        note(say("formats.player.born", text=text), "born")
        return Day()


def _text(text: str) -> str | None:
    return None if text.lower() in UNKNOWN else text


def _rating(text: str, note: Note) -> Standing | int | None:
    """A rating, or a DWZ with its index; marks such as `P` or `*` after the number are dropped."""
    if text.lower() in UNRATED:
        return None
    if with_index := WITH_INDEX.fullmatch(text):
        return DwzStanding(int(with_index[1]), int(with_index[2]))
    return _whole(text.rstrip("*PpFf "), "rating", note)


def _whole(text: str, field: str, note: Note) -> int | None:
    text = text.removesuffix(".0")
    if text.lower() in UNKNOWN or text == "0":
        return None
    if text.isascii() and text.isdigit() and len(text) <= 11:
        return int(text)
    note(say("formats.player.figure", text=text, column=field), field)
    return None


def _title(text: str, note: Note) -> str | None:
    if text.lower() in UNKNOWN:
        return None
    try:
        return title_of(text)[0]
    except ValueError:
        note(say("formats.player.title", text=text), "title")
        return None


def _sex(text: str, note: Note) -> str | None:
    small = text.lower()
    if small in UNKNOWN:
        return None
    if text in SEXES or text in OTHER_SEXES:
        return SEXES.get(text) or OTHER_SEXES[text]
    if small in (*MALE, *FEMALE):
        return "w" if small in FEMALE else "m"
    note(say("formats.player.sex", text=text), "sex")
    return None
