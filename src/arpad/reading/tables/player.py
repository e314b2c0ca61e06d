"""A player from the texts of a row or of PGN tags; what cannot be read is noted."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from arpad.core import DwzStanding, Player, Sex, Standing, Title, as_title
from arpad.errors import BadInput
from arpad.messages import Message, say
from arpad.reading.days import Day, DayOrder, read_day
from arpad.reading.players import title_of
from arpad.reading.tables.cells import cell_meaning, name_and_rating, name_and_title, rating_in

Note = Callable[[Message, str], None]  # what is odd, and the field it is about
WITH_INDEX = re.compile(r"([1-9]\d{2,3})\s*-\s*(\d{1,3})")  # 1530-22, a DWZ and its index
LONGEST_ID = 11  # digits
SEXES: Mapping[str, Sex] = {"male": "m", "female": "w"}  # by the meaning of a cell


def player_of(texts: Mapping[str, str], note: Note, order: DayOrder | None = None) -> tuple[Player, Day]:
    """The player of a row, and the date of birth as far as it is given; `note` is told what cannot be read.

    `order` is the order of year, month and day in the file's other dates.
    """

    def text(field: str) -> str:
        found = texts.get(field, "").strip()
        return "" if cell_meaning(found) == "unknown" or found == "0" else found

    def refuse(key: str, field: str) -> None:
        note(say(f"formats.player.{key}", text=text(field), column=field), field)

    name, before = name_and_title(text("name") or ", ".join(filter(None, map(text, ("surname", "given")))))
    in_brackets = ""
    if "rating" not in texts:
        name, in_brackets = name_and_rating(name)
    sex = SEXES.get(cell_meaning(text("sex")) or "")
    if text("sex") and sex is None:
        refuse("sex", "sex")
    standing: Standing | int | None = None
    if with_index := WITH_INDEX.fullmatch(text("rating")):
        standing = DwzStanding(int(with_index[1]), int(with_index[2]))
    elif (rating := rating_in(text("rating") or in_brackets)) is not None:
        standing = rating.rating
    else:
        refuse("figure", "rating")
    fide_id = text("id").removesuffix(".0")
    if fide_id and not (fide_id.isascii() and fide_id.isdigit() and len(fide_id) <= LONGEST_ID):
        refuse("figure", "id")
        fide_id = ""
    born = _born(text("born").removesuffix(".0"), note, order)
    player = Player(
        standing,
        title=_title(text("title"), before, note),
        federation=text("federation") or None,
        sex=sex,
        fide_id=int(fide_id) if fide_id else None,
        name=name,
    )
    try:
        return replace(player, birth_year=born.year), born
    except BadInput as error:
        note(say("formats.left_out", says=error.said), "born")
        return player, Day()


def _title(text: str, before: str | None, note: Note) -> Title | None:
    """The title of the column, otherwise the one before the name; what is not a FIDE title is noted and left out."""
    try:
        found = title_of(text)
    except ValueError:
        found = None
        note(say("formats.player.title", text=text, column="title"), "title")
    if found is None and before is not None:
        found = as_title(before)
        if found is None:
            note(say("formats.player.title", text=before, column="name"), "name")
    return found


def _born(text: str, note: Note, order: DayOrder | None) -> Day:
    """A date of birth; what is unclear about it is noted and left out."""
    if not text:
        return Day()
    try:
        found = read_day(text).by(order and order.order)
    except ValueError:
        note(say("formats.player.born", text=text), "born")
        return Day()
    if found.short:
        note(say("formats.day.short_birth", text=text), "born")
        return Day()
    if found.meant:
        note(say("formats.day.birth", text=text, days=found.candidates), "born")
    return found
