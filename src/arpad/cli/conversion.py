"""`arpad conversion`: the one-off conversions of whole lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.cli import show
from arpad.cli.options import add_system, given_day, the_system
from arpad.core import rating_of

if TYPE_CHECKING:
    import argparse


SUMMARY = "what the one-off conversions of 2022 and 2024 made of a rating"
EXAMPLES = (
    "arpad conversion 1500",
    "arpad conversion 2283 --standard 2732 --system fide-rapid --on 2022-10-01",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `arpad conversion`."""
    parser.add_argument("rating", help="the rating on the list before")
    parser.add_argument("--standard", metavar="RATING", help="the standard rating (October 2022)")
    add_system(parser)


def run(options: argparse.Namespace) -> show.Reply:
    """Convert a rating."""
    converted = the_system(options).conversion(
        rating_of(options.rating, at="rating"),
        on=given_day(options),
        standard=None if options.standard is None else rating_of(options.standard, at="--standard"),
    )
    return show.Reply.to(converted)
