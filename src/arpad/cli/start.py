"""`arpad start`: where a US Chess newcomer starts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.cli import show
from arpad.cli.options import add_list, readings_of, the_day
from arpad.reading.notation import parse_date
from arpad.systems.uschess import start_rating

if TYPE_CHECKING:
    import argparse

SUMMARY = "where a US Chess newcomer starts, by age or FIDE rating"
EXAMPLES = ("arpad start --age 8.12", "arpad start --born 2018-06-17 --on 2026-08-01", "arpad start --fide 1500")


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `arpad start`."""
    parser.add_argument("--age", metavar="YEARS", help="age at the event, with the fraction of the year")
    parser.add_argument("--born", metavar="DATE", help="date of birth, in place of the age")
    parser.add_argument("--fide", metavar="RATING", help="FIDE rating")
    parser.add_argument("--adult", action="store_true", help="an adult of unknown age")
    add_list(parser, "uschess-regular")


def run(options: argparse.Namespace) -> show.Reply:
    """Find the start rating."""
    start = start_rating(
        on=the_day(options),
        system=options.system,
        age=options.age,
        born=None if options.born is None else parse_date(options.born, at="--born"),
        fide=options.fide,
        adult=options.adult,
        readings=readings_of(options),
    )
    return show.Reply.to(start)
