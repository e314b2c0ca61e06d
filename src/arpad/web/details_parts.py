"""What cards and details consist of: tables, sentences, and the lines of a working."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from markupsafe import Markup

from arpad.calculation.explain import Line, lines
from arpad.messages import say

if TYPE_CHECKING:
    from arpad.web.hero_parts import Words
    from arpad.web.view import View

RIGHT = "r"  # a column of figures; `c` is one of changes, which are coloured
SYMBOL = re.compile(r"(?:dp|[a-zα-ω])(?=$|[\s²*′(])")


class Card(NamedTuple):
    """A chart or a table that is always seen, with a sentence that states what it shows."""

    title: Words
    says: Words
    plot: Markup = Markup("")
    key: tuple[tuple[str, Words], ...] = ()
    grid: Grid | None = None


class Detail(NamedTuple):
    """A line that opens: sentences, tables, and the lines of a working."""

    id: str
    title: Words
    aside: Words = ""
    says: tuple[Words, ...] = ()
    grids: tuple[Grid, ...] = ()
    working: tuple[Line, ...] = ()


class Grid(NamedTuple):
    """A table: the headings with the kind of their column, the rows, and what it is called."""

    heads: tuple[tuple[Words, str], ...]
    rows: tuple[Row, ...]
    title: Words = ""


class Row(NamedTuple):
    """A row: its cells, whether it is the one that matters, whether it is a total, and a remark below it."""

    cells: tuple[Words, ...]
    sel: bool = False
    total: bool = False
    why: Words = ""


def columns(*names: str) -> tuple[tuple[Words, str], ...]:
    """Headings by their names; the kind of the column follows a colon: `change:c`."""
    parts = [name.partition(":") for name in names]
    return tuple((say(f"hero.column.{name}"), kind) for name, _, kind in parts)


def working_detail(_: View, answer: Any) -> Iterator[Detail]:
    """Every step, with its article."""
    steps = tuple(
        line
        for line in lines(*answer.trail, articles=True)
        if line.heading or line.cite or line.says or "=" in line.figures  # what was only given says nothing new
    )
    if steps:
        yield Detail("d-working", say("hero.detail.working"), working=steps)


def begins_with_symbol(label: str) -> bool:
    """Whether a label begins with a letter of a formula, which is never a capital: `μ`, `dp`, `g²E(1 − E)`."""
    return SYMBOL.match(label) is not None


def by_heading(steps: Iterable[Line]) -> list[tuple[str, list[Line]]]:
    """The lines of a working in groups, each below its heading; those before the first have none."""
    groups: list[tuple[str, list[Line]]] = [("", [])]
    within = 0  # the depth of the lines below the last heading
    for step in steps:
        if step.heading:
            groups.append((step.label, []))
            within = step.depth + 1
            continue
        if step.depth < within:  # a sum, after the parts below their headings
            groups.append(("", []))
            within = step.depth
        groups[-1][1].append(step)
    return [(heading, group) for heading, group in groups if heading or group]
