"""`arpad list remove`: take a list out again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.cli import show
from arpad.cli.lists import add_data
from arpad.core.counting import counted
from arpad.reading.notation import parse_date

if TYPE_CHECKING:
    import argparse

SUMMARY = "remove an imported list"
EXAMPLES = ("arpad list remove 2026-10", "arpad list remove 2026-10 --name fide --pace rapid")


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `arpad list remove`."""
    parser.add_argument("month", help="the list's month, 2026-10")
    parser.add_argument("--name", help="whose list it is, where there are several of the month")
    parser.add_argument("--pace", metavar="PACE", help="standard, rapid or blitz, where each has a list of its own")
    add_data(parser, name=False)


def run(options: argparse.Namespace) -> show.Reply:
    """Remove the list."""
    from arpad.calculation.explain import listing
    from arpad.lists import checked_pace, remove

    month = parse_date(options.month, at="month")
    gone = remove(month, name=options.name, pace=checked_pace(options.pace), data=options.data)
    return show.Reply(
        lambda _: f"{gone}: removed, with {counted(gone.players, 'player')}.",
        lambda: listing([], removed=gone.value()),
    )
