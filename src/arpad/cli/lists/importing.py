"""`arpad list import`: a rating list from a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.cli import show
from arpad.cli.lists import add_data, progress, said
from arpad.formats.spreadsheets.headings import columns_of

if TYPE_CHECKING:
    import argparse

SUMMARY = "import a rating list: FIDE's text or XML, zipped too, or CSV"
EXAMPLES = (
    "arpad list import players_list.zip --month 2026-11",
    "arpad list import standard_sep26frl.txt",
    "arpad list import club.csv --month 2026-11 --columns id=No,rating=Elo",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `arpad list import`."""
    parser.add_argument("file", help="the list: .txt, .xml, .csv or .tsv, or a .zip with one of them")
    add_told(parser)
    add_data(parser, name=False)


def add_told(parser: argparse.ArgumentParser) -> None:
    """What a file may not say itself."""
    parser.add_argument("--month", metavar="2026-11", help="the list's month, where the file does not say it")
    parser.add_argument("--pace", metavar="PACE", help="standard, rapid or blitz, for a list of one rating")
    parser.add_argument("--name", help="whose list it is (default fide; own for a CSV)")
    parser.add_argument(
        "--columns",
        metavar="OURS=THEIRS,…",
        help="which column of a CSV is which: id, name (or surname and given), rating, k, games, born, federation, "
        "sex, title",
    )
    parser.add_argument(
        "--force",
        action="store_true",
        help="take the place of the month's list even with less than half of its players",
    )


def run(options: argparse.Namespace) -> show.Reply:
    """Import the file."""
    return imported(options, options.file)


def imported(options: argparse.Namespace, file: str, month: str | None = None) -> show.Reply:
    """Import a file under what was told of it."""
    from arpad.lists import Hints, import_list, recognise

    columns = options.columns and columns_of(options.columns, example="id=No,rating=Elo", at="--columns")
    source = recognise(file, Hints(options.name, options.month or month, options.pace, columns))
    step, end = progress(source.size, "importing")
    try:
        return said(import_list(source, data=options.data, progress=step, force=options.force))
    finally:
        end()
