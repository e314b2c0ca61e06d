"""What a document is made of, whichever form it gets: sheets with tables, boxes, cards and texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from arpad.messages import figure, say, section, voice

if TYPE_CHECKING:
    from arpad.calculation.answer import Table

TOGETHER = 3  # rows of a table that stay together at its beginning and its end
LEFT, RIGHT, CENTRE = "left", "right", "center"
HAND, UNSURE = "hand", "unsure"  # a box to fill in by hand; a field that the form may not have, or may call otherwise


@dataclass(frozen=True, slots=True, kw_only=True)
class EventDocument:
    """A document of an event; every sheet begins a page."""

    event: str
    about: str  # where and when
    sheets: tuple[PrintedSheet, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedSheet:
    """A part of a document with its own title; `mark` is the name of a form, such as IT 1."""

    title: str
    subtitle: str = ""
    mark: str = ""
    landscape: bool = False
    blocks: tuple[Block, ...] = ()


@dataclass(frozen=True, slots=True)
class GridColumn:
    """A column: its heading, and on which side its cells are.

    A `wide` one takes the room that others leave; an `extra` one is left out where a page has no room for it.
    """

    heading: str
    align: str = LEFT
    wide: bool = False
    extra: bool = False


@dataclass(frozen=True, slots=True)
class GridRow:
    """A row; a heading inside a table has one cell. `keep` rows, this one included, stay on one page.

    `links` are the addresses that cells lead to on a page, in the order of the cells and empty where there is none.
    """

    cells: tuple[str, ...]
    heading: bool = False
    struck: bool = False
    keep: int = 1
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedGrid:
    """A table; its headings are repeated on every page."""

    columns: tuple[GridColumn, ...]
    rows: tuple[GridRow, ...]
    heading: str = ""
    boxed: bool = False  # with all lines, as on a form
    kind: str = "grid"


@dataclass(frozen=True, slots=True)
class Box:
    """A field of a form: its label, its value, how many of eight columns it takes, and its state."""

    label: str
    value: str = ""
    span: int = 8
    state: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Boxes:
    """Fields of a form, in rows of eight columns."""

    boxes: tuple[Box, ...]
    kind: str = "boxes"


@dataclass(frozen=True, slots=True)
class CardSide:
    """One player on a slip or a card."""

    colour: str
    name: str
    about: str  # title, federation, rating
    no: str
    points: str


@dataclass(frozen=True, slots=True)
class BoardCard:
    """One board: its number, what is played there, and both players."""

    board: str
    what: str
    white: CardSide
    black: CardSide


@dataclass(frozen=True, slots=True, kw_only=True)
class Cards:
    """Slips or cards to cut out, one for each board."""

    cards: tuple[BoardCard, ...]
    kind: str  # slips or cards


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """Sentences, one paragraph each, in small letters if they are remarks."""

    lines: tuple[str, ...]
    small: bool = False
    heading: str = ""
    kind: str = "lines"


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """A line of round marks, of which one is filled."""

    names: tuple[str, ...]
    filled: str
    kind: str = "marks"


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A drawing as SVG, and a sentence that says what it shows."""

    svg: str
    heading: str
    says: str
    kind: str = "picture"


@dataclass(frozen=True, slots=True, kw_only=True)
class Working:
    """A working that opens on a page when it is asked for."""

    summary: str
    text: str
    kind: str = "working"


Block = PrintedGrid | Boxes | Cards | Lines | Marks | Picture | Working


def box(label: str, value: object, span: int, *, unsure: bool = False) -> Box:
    """A field of a form; without a value it is left to the hand."""
    text = "" if value is None else figure(value)
    return Box(label, text, span, (UNSURE if unsure else "") if text else HAND)


def remarks(said: Iterable[object], heading: str = "") -> tuple[Lines, ...]:
    """Remarks in small letters below a table; nothing if there are none."""
    lines = tuple(dict.fromkeys(map(str, said)))
    return (Lines(lines=lines, small=True, heading=heading),) if lines else ()


def head_of(key: str) -> str:
    """The heading of a column; a criterion, a round and FIDE's short names are called by the key itself."""
    return section(voice().language, "documents.head").get(key, key)


def columns_of(
    keys: Sequence[str], *, left: Sequence[str] = (), wide: Sequence[str] = ("name",)
) -> tuple[GridColumn, ...]:
    """Columns by their keys: figures are on the right, the texts named are on the left."""
    return tuple(GridColumn(head_of(key), LEFT if key in (*left, *wide) else RIGHT, key in wide) for key in keys)


def grid(columns: Sequence[GridColumn], rows: Iterable[Sequence[object]], heading: str = "") -> PrintedGrid:
    """A table of any values; columns that are empty in every row are left out, and lone rows at its ends avoided."""
    texts = [["" if value is None else figure(value) for value in row] for row in rows]
    used = [place for place in range(len(columns)) if not texts or any(row[place] for row in texts)]
    made = [GridRow(tuple(row[place] for place in used)) for row in texts]
    return PrintedGrid(columns=tuple(columns[place] for place in used), rows=together(made), heading=heading)


def together(rows: Sequence[GridRow]) -> tuple[GridRow, ...]:
    """Rows of which the first and the last few stay on one page."""
    made, few = list(rows), min(TOGETHER, len(rows))
    if len(made) < 2 * TOGETHER:
        return tuple(replace(row, keep=len(made)) if place == 0 else row for place, row in enumerate(made))
    made[0], made[-few] = replace(made[0], keep=few), replace(made[-few], keep=few)
    return tuple(made)


def declared(table: Table, heading: str = "") -> PrintedGrid:
    """A table that an answer declares, as a screen shows it."""
    shown = table.for_door("screen")
    columns = [
        GridColumn(
            head_of(column.short or column.key),
            LEFT if column.form in ("text", "prose") else RIGHT,
            column.key == "name",
        )
        for column in shown.columns
    ]
    unrated = str(say("answers.unrated"))
    rows = [
        [
            (unrated if column.form == "rating" else None)
            if (value := column.value(row)) is None
            else figure(value, signed=column.form == "signed")
            for column in shown.columns
        ]
        for row in shown.rows
    ]
    return grid(columns, rows, heading)
