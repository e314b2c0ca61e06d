"""`arpad floor`: the lowest a US Chess rating can fall."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.cli import show
from arpad.cli.options import add_list, readings_of, the_day
from arpad.core import rating_of
from arpad.systems.uschess import floor_of

if TYPE_CHECKING:
    import argparse

SUMMARY = "the lowest a US Chess rating can fall"
EXAMPLES = (
    "arpad floor --peak 1941",
    "arpad floor --wins 3 --draws 1 --events 10",
    "arpad floor --prize 5000 --under 1800",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `arpad floor`."""
    parser.add_argument("--peak", metavar="RATING", help="highest established rating")
    parser.add_argument("--wins", default="0", metavar="N", help="rated wins so far")
    parser.add_argument("--draws", default="0", metavar="N", help="rated draws so far")
    parser.add_argument("--events", default="0", metavar="N", help="events so far with three rated games or more")
    parser.add_argument("--life-master", action="store_true", help="an Original Life Master")
    parser.add_argument("--prize", metavar="DOLLARS", help="a prize won in a section or class")
    parser.add_argument("--under", metavar="RATING", help="the limit of that section or class")
    add_list(parser, "uschess-regular")


def run(options: argparse.Namespace) -> show.Reply:
    """Find the floor."""
    floor = floor_of(
        on=the_day(options),
        system=options.system,
        peak=None if options.peak is None else rating_of(options.peak, at="--peak"),
        wins=options.wins,
        draws=options.draws,
        events=options.events,
        life_master=options.life_master,
        prize=options.prize,
        under=None if options.under is None else rating_of(options.under, at="--under"),
        readings=readings_of(options),
    )
    return show.Reply.to(floor)
