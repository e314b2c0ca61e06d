"""`arpad pace`: the US Chess lists a time control is rated in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.cli import show
from arpad.cli.options import the_day
from arpad.reading.notation import parse_us_pace
from arpad.systems.uschess import rated_in

if TYPE_CHECKING:
    import argparse

SUMMARY = "the US Chess lists a time control is rated in"
EXAMPLES = ("arpad pace 25+5", "arpad pace 5+3 --online")


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `arpad pace`."""
    parser.add_argument("pace", help="minutes+seconds of delay or increment, 25+5; also G/25;d5")
    parser.add_argument("--online", action="store_true", help="played online")
    parser.add_argument("--on", metavar="DATE", help="the day of the event (default today)")


def run(options: argparse.Namespace) -> show.Reply:
    """Name the lists."""
    return show.Reply.to(rated_in(parse_us_pace(options.pace, at="pace"), on=the_day(options), online=options.online))
