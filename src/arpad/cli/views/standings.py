"""Views of tie-breaks and standings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.calculation.explain import WIDTH
from arpad.cli import show
from arpad.cli.show import Reply, in_lines
from arpad.cli.views import tournaments, view
from arpad.messages import figure
from arpad.tournaments.standings import EventStandings, difference_lines
from arpad.tournaments.tiebreaks import PlayerTies, TieBreaks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from arpad.cli.show import Style
    from arpad.questions import Asked
    from arpad.tournaments.tiebreaks import TeamTies

FILES = tournaments  # imported because it registers how files are read
NAME = 20  # columns a name is not cut below


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
        sentences = difference_lines(answer.differences, answer.lines)
        below.append(lambda _: "\n".join(row for sentence in sentences for row in in_lines(sentence)))
    return Reply.to(answer, *below)


def _table(lines: Sequence[PlayerTies | TeamTies], criteria: Sequence[str]) -> str:
    """The players in order; criteria that do not fit on a line go into further tables."""
    rated = any(isinstance(line, PlayerTies) and line.rating is not None for line in lines)
    head = ["place", "no", "name", *(["rating"] if rated else []), "points"]
    rows = [
        [
            str(line.place),
            str(line.no),
            line.called,
            *([_cell(getattr(line, "rating", None))] if rated else []),
            _cell(line.points),
        ]
        for line in lines
    ]
    taken = sum(max(len(show.heading(name)), *(len(row[at]) for row in rows)) + 2 for at, name in enumerate(head))
    longest = max(len(line.called) for line in lines)
    blocks = _blocks(lines, criteria, WIDTH - taken + max(longest - NAME, 0))
    tables = [
        show.fitted(
            [*head, *block],
            [[*row, *(_cell(line.values[name]) for name in block)] for row, line in zip(rows, lines, strict=True)],
            "name",
            left=["name"],
        )
        for block in blocks
    ]
    return "\n\n".join(tables)


def _blocks(lines: Sequence[PlayerTies | TeamTies], criteria: Sequence[str], room: int) -> Iterator[list[str]]:
    """The criteria in groups that each fit `room` columns; at least one group, which may be empty."""
    block: list[str] = []
    left = room
    for name in criteria:
        width = max(len(name), *(len(_cell(line.values[name])) for line in lines)) + 2
        if block and width > left:
            yield block
            block, left = [], room
        block.append(name)
        left -= width
    yield block


def _cell(value: object) -> str:
    return "" if value is None else figure(value)


def _crosstable(answer: EventStandings) -> str:
    """A line for each player or team; the columns are rounds, or opponents in a round robin."""
    shown = answer.crosstable
    cells = {line.no: line.cells for line in shown.lines}
    head = ["place", "no", "name", *map(str, shown.columns), "points"]
    rows = [[str(line.place), str(line.no), line.called, *cells[line.no], _cell(line.points)] for line in answer.lines]
    return show.fitted(head, rows, "name", left=["name"])


def _prizes(answer: EventStandings) -> str:
    rows = [
        [str(line.no), line.name or "", line.condition, ", ".join(line.prizes), figure(line.amount), line.working]
        for line in answer.prizes
    ]
    head = ["no", "name", "condition", "prize", "amount", "working"]
    return show.filled(head, rows, left=["name", "condition", "prize", "working"])
