"""`arpad list export`: a list as Parquet or CSV."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.cli import show
from arpad.cli.lists import add_data
from arpad.cli.options import given_day
from arpad.cli.writing import add_force
from arpad.core.counting import counted

if TYPE_CHECKING:
    import argparse

SUMMARY = "a list as Parquet or CSV, one row a player"
EXAMPLES = ("arpad list export out.parquet --on 2025-09",)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `arpad list export`."""
    parser.add_argument("file", help="the file to write: out.parquet or out.csv")
    parser.add_argument("--on", metavar="DATE", help="the list valid on this day (default the newest)")
    add_force(parser)
    add_data(parser)


def run(options: argparse.Namespace) -> show.Reply:
    """Write the file."""
    from arpad.calculation.explain import listing
    from arpad.lists import FIDE, export_lists

    on = given_day(options)
    chosen, rows = export_lists(options.file, name=options.list, on=on, data=options.data, force=options.force)
    named = ", ".join(map(str, chosen))
    return show.Reply(
        lambda _: f"{counted(rows, 'player')} of {named} written to {options.file}.",
        lambda: listing([], file=options.file, players=rows, list=chosen[0].value(), lists=list(map(str, chosen))),
        lambda: ["FIDE's lists may not be passed on."] if chosen[0].name == FIDE else [],
    )
