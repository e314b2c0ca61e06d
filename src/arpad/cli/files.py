"""What commands on files share: the tournament file and its oddities, writing charts, progress bars."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from arpad.calculation.explain import WIDTH
from arpad.core.tournaments import Oddity, by_kind, grouped
from arpad.formats import columns_of, read
from arpad.formats.saving import beside, check_free
from arpad.formats.trf.fields import column_of
from arpad.messages import say
from arpad.questions import readers
from arpad.questions.declare import flag, optional, required
from arpad.questions.fields import LONGEST_PATH, LONGEST_SECTION, Asking

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from arpad.core.tournaments import Tournament
    from arpad.messages import Message
    from arpad.tournaments.checks import Finding

    Progress = Callable[..., None]  # called with how much is done, and the total if known

LONG = 2_000_000  # bytes; a larger file gets a progress bar
LONGEST_NAMES = 4000  # characters for the names of a table's columns


@dataclass(frozen=True, kw_only=True)
class TournamentFile(Asking):
    """A tournament file, the names of a table's columns, and which of several tournaments is meant."""

    path: str = required(readers.path, example="open.trf", word=True, longest=LONGEST_PATH)
    columns: str | None = optional(readers.text, example="no=Nr,name=Spieler", longest=LONGEST_NAMES, group="file")
    section: str | None = optional(readers.text, example="Open A", longest=LONGEST_SECTION, group="file")

    def tournament(self) -> Tournament:
        """The tournament in the file."""
        columns = None if self.columns is None else columns_of(self.columns)
        with reading_bar(self.path) as step:
            return read(self.path, columns, step, section=self.section)


@dataclass(frozen=True, kw_only=True)
class Force(Asking):
    """Whether existing files may be overwritten."""

    force: bool = flag(group="files")


@dataclass(frozen=True, kw_only=True)
class ChartFile(Force):
    """A chart as a file."""

    chart: str | None = optional(readers.path, example="out.svg", group="files", longest=LONGEST_PATH)


def check_chart(chart: str | None, *, force: bool) -> None:
    """Refuse a file name no chart can have, or an existing file, before any work is done."""
    if chart is not None:
        from arpad.charts.drawing import check_form

        check_form(chart)
        check_free(chart, force=force)


def write_chart(chart: str | None, save: Callable[[str], None], *, force: bool) -> list[Message]:
    """Save the chart if one was asked for, and say where it is."""
    if chart is None:
        return []
    with beside(chart, force=force) as (part,):
        save(part)
    return [say("command.wrote", path=chart)]


@contextmanager
def reading_bar(file: str | None) -> Iterator[Progress]:
    """A progress bar for the lines of a long file."""
    try:
        shown = file is not None and os.stat(file).st_size >= LONG
    except (OSError, ValueError):
        shown = False
    with progress_bar(" lines", shown=shown) as step:
        yield step


@contextmanager
def progress_bar(unit: str, *, total: int | None = None, title: str = "", shown: bool = True) -> Iterator[Progress]:
    """A progress bar, on a terminal with tqdm installed; the total may become known later."""
    if not shown or sys.stderr is None or not sys.stderr.isatty():
        yield _no_bar
        return
    try:
        from tqdm import tqdm
    except ImportError:
        yield _no_bar
        return
    with tqdm(total=total, unit=unit, unit_scale=unit == "B", desc=title or None, leave=False) as bar:

        def step(done: int, total: int | None = None) -> None:
            bar.total = total or bar.total
            bar.update(done - bar.n)

        yield step


def _no_bar(*_: object) -> None:
    pass


def size_of(tournament: Tournament) -> Message:
    """How many players and rounds a file has."""
    return say("command.files.size", players=len(tournament.entrants), rounds=tournament.rounds)


def as_oddities(tournament: Tournament, found: Iterable[Finding]) -> list[Oddity]:
    """Inconsistencies as oddities, each with its place."""
    return [Oddity(finding.placed, finding.line, column_of(tournament, finding), contradicts=True) for finding in found]


def oddity_lines(oddities: Iterable[Oddity], *, every: bool = True) -> list[str]:
    """Each sentence once, after the places it is about; without `every`, each kind of sentence once."""
    return [
        row
        for sentence in (grouped if every else by_kind)(oddities)
        for row in wrap(str(sentence), WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    ]


def any_serious(oddities: Iterable[Oddity]) -> bool:
    """Whether something in a file was left out, or contradicts something else."""
    return any(oddity.serious for oddity in oddities)


def oddity_values(oddities: Iterable[Oddity]) -> list[dict[str, Any]]:
    """Oddities as JSON."""
    return [
        {"says": str(oddity.says), "line": oddity.line, "column": oddity.column, "lost": oddity.lost}
        for oddity in oddities
    ]
