"""What the commands about tournament files share: reading one, with a bar for a long one, and showing its oddities."""

from __future__ import annotations

import sys
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from arpad.calculation.explain import WIDTH
from arpad.cli.options import given_day
from arpad.cli.people import People
from arpad.core.counting import counted
from arpad.core.tournament import Oddity, day_of, gathered
from arpad.formats.recognise import read
from arpad.formats.spreadsheets.headings import columns_of
from arpad.formats.trf.columns import round_column

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from arpad.core.tournament import Tournament
    from arpad.formats.recognise import Progress
    from arpad.tournaments.checks import Finding

LONG = 2_000_000  # bytes of a file from which a bar is shown


def add_file(parser: argparse.ArgumentParser) -> None:
    """The file, and the names of a table's columns."""
    parser.add_argument("file", help="a tournament: TRF, CSV, Excel (.xlsx) or PGN")
    parser.add_argument(
        "--columns",
        metavar="OURS=THEIRS,...",
        help="columns of a table that are not recognised, for example no=Nr,name=Spieler,r1=Runde A",
    )


def the_tournament(options: argparse.Namespace) -> Tournament:
    """The tournament in the file."""
    columns = None if options.columns is None else columns_of(options.columns, at="--columns")
    return read(options.file, columns, _bar(options.file))


def add_rating_list(parser: argparse.ArgumentParser) -> None:
    """The rating list that knows more of the players than the file."""
    group = parser.add_argument_group("rating list")
    group.add_argument(
        "--list", metavar="NAME", help="ratings, K, birth years and titles from the imported list of this name: fide"
    )
    group.add_argument("--data", metavar="FOLDER", help="where the lists are kept (default: your data folder)")


def with_list(options: argparse.Namespace, tournament: Tournament) -> tuple[Tournament, People]:
    """The tournament with what the list valid at its start says, and who says which list that is."""
    on = day_of(tournament, given_day(options), give="give it with `--on {day}`", at="--on")
    people = People(options, on)
    return people.entered(tournament), people


def _bar(path: str) -> Progress | None:
    """A bar on a terminal, for a file that takes a while, where tqdm is installed."""
    from os import stat

    try:
        if not sys.stderr.isatty() or stat(path).st_size < LONG:
            return None
        from tqdm import tqdm
    except (ImportError, OSError, ValueError):
        return None
    bar: Any = tqdm(unit=" lines", leave=False, file=sys.stderr)

    def progress(done: int, total: int) -> None:
        bar.total = total
        bar.update(done - bar.n)
        if done >= total:
            bar.close()

    return progress


def size_of(tournament: Tournament) -> str:
    """How many players and rounds a file has."""
    return f"{counted(len(tournament.entrants), 'player')}, {counted(tournament.rounds, 'round')}"


def finding_lines(tournament: Tournament, found: Iterable[Finding]) -> list[str]:
    """What does not fit together, each with its place."""
    return oddity_lines(Oddity(str(one), one.line, column_of(tournament, one)) for one in found)


def column_of(tournament: Tournament, one: Finding) -> int | None:
    """Where a round stands in a report; a table's columns are its own."""
    report = tournament.source is not None and tournament.source.format.startswith("trf")
    return round_column(one.round) if report and one.round is not None and one.line is not None else None


def oddity_lines(oddities: Iterable[Oddity]) -> list[str]:
    """Each sentence once, behind the places it is about."""
    return [
        row for one in gathered(oddities) for row in wrap(one, WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    ]


def oddity_values(oddities: Iterable[Oddity]) -> list[dict[str, Any]]:
    """Oddities as plain values."""
    return [one._asdict() for one in oddities]
