"""The player of a row, and a player from the texts of a row or of PGN tags; what cannot be read is noted."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from arpad.core import DwzStanding, Player, Sex, Standing, Title, as_title
from arpad.errors import BadInput
from arpad.messages import Message, say
from arpad.reading.days import Day, DayOrder, read_day
from arpad.reading.pasted import PastedGame
from arpad.reading.players import title_of
from arpad.reading.tables.cells import cell_meaning, name_and_rating, name_and_title, rating_in, title_in

if TYPE_CHECKING:
    from arpad.reading.pasted import RatingState
    from arpad.reading.results import Result
    from arpad.reading.tables.cells import RatingCell
    from arpad.reading.tables.columns import TableHeadings
    from arpad.reading.tables.rows import PastedRow

Note = Callable[[Message, str], None]  # what is odd, and the field it is about
WITH_INDEX = re.compile(r"([1-9]\d{2,3})\s*-\s*(\d{1,3})")  # 1530-22, a DWZ and its index
LONGEST_ID = 11  # digits
SEXES: Mapping[str, Sex] = {"male": "m", "female": "w"}  # by the meaning of a cell


@dataclass(frozen=True, slots=True)
class RowPlayer:
    """Who is in a row of a pasted table; a rating may stand behind the name."""

    name: str | None
    title: str | None
    federation: str
    cell: RatingCell | None  # None for a text that is no rating
    is_stated: bool  # whether there is a rating, or a column for it
    national: int | None

    @property
    def rating(self) -> int | None:
        """The rating; None for a player without one, or if it is not known."""
        return None if self.cell is None else self.cell.rating

    @property
    def state(self) -> RatingState:
        """Whether the player is rated, as far as the row says so."""
        return self.cell.state if self.cell is not None and self.is_stated else "unknown"

    def game(self, result: Result, read_from: str) -> PastedGame:
        """A game against this player."""
        return PastedGame(
            result=result,
            opponent=self.rating,
            rating_state=self.state,
            name=self.name,
            title=self.title,
            federation=self.federation or None,
            national_rating=self.national,
            read_from=read_from,
        )


def row_player(headings: TableHeadings, row: PastedRow) -> RowPlayer:
    """The player of a row."""
    place = headings.place
    name, before = name_and_title(full_name(headings, row))
    text = row.cell(place("rating"))
    if place("rating") is None:
        name, text = name_and_rating(name)
    national = rating_in(row.cell(place("national")))
    return RowPlayer(
        name=name,
        title=title_in(row.cell(place("title"))) or before,
        federation=row.cell(place("federation")),
        cell=rating_in(text),
        is_stated=bool(text) or place("rating") is not None,
        national=national.rating if national else None,
    )


def full_name(headings: TableHeadings, row: PastedRow) -> str:
    """A player's name, from one column or from two."""
    parts = (row.cell(headings.place(role)) for role in ("surname", "given"))
    return row.cell(headings.place("name")) or ", ".join(filter(None, parts))


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
        found = title_of(text)[0]
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
