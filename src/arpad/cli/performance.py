"""`arpad performance`: performance ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.cli import show
from arpad.cli.options import NOTATION, people_of, readings_of, the_day, the_games
from arpad.cli.people import add_people
from arpad.systems.performance import METHODS, performance

if TYPE_CHECKING:
    import argparse


SUMMARY = "performance ratings: FIDE's, TPR, PTP, linear, logistic"
EXAMPLES = (
    "arpad performance 1950:win 2010:draw 1890:1",
    "arpad performance 1830:1 1914:1 1867:1 2255:0 1818:1 1990:1 --method ptp",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `arpad performance`."""
    parser.add_argument("words", nargs="*", metavar="GAME", help=NOTATION)
    parser.add_argument("--method", default="fide", help=f"one of {', '.join(METHODS)} (default fide)")
    parser.add_argument("--on", metavar="DATE", help="the day the event began (default today)")
    parser.add_argument("--reading", action="append", default=[], metavar="RULE=NAME", help="ptp_perfect=eight-hundred")
    add_people(parser)


def run(options: argparse.Namespace) -> show.Reply:
    """Work the performance out."""
    people = people_of(options)
    result = performance(
        the_games(options.words, people), on=the_day(options), method=options.method, readings=readings_of(options)
    )
    return people.noted(show.Reply.to(result, lambda _: show.games(result.per_game, people.opponents)))
