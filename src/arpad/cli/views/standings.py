"""Views of tie-breaks and standings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.calculation.explain import WIDTH
from arpad.cli import show
from arpad.cli.show import Reply, in_lines
from arpad.cli.views import tournaments, view
from arpad.messages import figure
from arpad.tournaments.standings.ranks import difference_lines
from arpad.tournaments.standings.report import EventStandings
from arpad.tournaments.tiebreaks.report import PlayerTies, TieBreaks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from arpad.cli.show import Style
    from arpad.questions import Asked
    from arpad.tournaments.tiebreaks.report import TeamTies

FILES = tournaments  # whose answers to files are registered there
NAME = 20  # columns that a name keeps


@view.register(TieBreaks)
def _(answer: TieBreaks, asked: Asked) -> Reply:  # noqa: ARG001
    return Reply.to(answer, *([lambda _: _table(answer.lines, answer.criteria)] if answer.criteria else []))


@view.register(EventStandings)
def _(answer: EventStandings, asked: Asked) -> Reply:
    below: list[Callable[[Style], str]] = [lambda _: _table(answer.lines, answer.criteria)]
    if getattr(asked.question, "crosstable", False):
        below.append(lambda _: _crosstable(answer))
    if answer.prizes:
        below.append(lambda _: _prizes(answer))
    if answer.differences:
        said = difference_lines(answer.differences, answer.lines)
        below.append(lambda _: "\n".join(row for one in said for row in in_lines(one)))
    return Reply.to(answer, *below)


def _table(lines: Sequence[PlayerTies | TeamTies], criteria: Sequence[str]) -> str:
    """Everybody in order; more criteria than a line has room for go into further tables."""
    rated = any(isinstance(one, PlayerTies) and one.rating is not None for one in lines)
    head = ["place", "no", "name", *(["rating"] if rated else []), "points"]
    rows = [
        [
            str(one.place),
            str(one.no),
            one.called,
            *([_cell(getattr(one, "rating", None))] if rated else []),
            _cell(one.points),
        ]
        for one in lines
    ]
    taken = sum(max(len(show.heading(name)), *(len(row[at]) for row in rows)) + 2 for at, name in enumerate(head))
    longest = max(len(one.called) for one in lines)
    blocks = _blocks(lines, criteria, WIDTH - taken + max(longest - NAME, 0))
    tables = [
        show.fitted(
            [*head, *block],
            [[*row, *(_cell(one.values[name]) for name in block)] for row, one in zip(rows, lines, strict=True)],
            "name",
            left=["name"],
        )
        for block in blocks
    ]
    return "\n\n".join(tables)


def _blocks(lines: Sequence[PlayerTies | TeamTies], criteria: Sequence[str], room: int) -> Iterator[list[str]]:
    """The criteria in as many groups as lines of that room need; at least one, perhaps empty."""
    block: list[str] = []
    left = room
    for name in criteria:
        width = max(len(name), *(len(_cell(one.values[name])) for one in lines)) + 2
        if block and width > left:
            yield block
            block, left = [], room
        block.append(name)
        left -= width
    yield block


def _cell(value: object) -> str:
    return "" if value is None else figure(value)


def _crosstable(answer: EventStandings) -> str:
    """A line for everybody; the columns are rounds, or opponents."""
    shown = answer.crosstable
    cells = {one.no: one.cells for one in shown.lines}
    head = ["place", "no", "name", *map(str, shown.columns), "points"]
    rows = [[str(one.place), str(one.no), one.called, *cells[one.no], _cell(one.points)] for one in answer.lines]
    return show.fitted(head, rows, "name", left=["name"])


def _prizes(answer: EventStandings) -> str:
    rows = [
        [str(one.no), one.name or "", one.condition, ", ".join(one.prizes), figure(one.amount), one.working]
        for one in answer.prizes
    ]
    head = ["no", "name", "condition", "prize", "amount", "working"]
    return show.filled(head, rows, left=["name", "condition", "prize", "working"])
