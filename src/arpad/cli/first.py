"""`arpad first`: an unrated player's first rating."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.cli import show
from arpad.cli.options import NOTATION, add_pace, add_system, people_of, the_system
from arpad.cli.people import add_people
from arpad.cli.rate import day_of, events_of, split_events

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from arpad.cli.options import Parser

SUMMARY = "an unrated player's first rating, or what is missing"
EXAMPLES = (
    "arpad first 1902:1 1877:1 1884:½ 2012:0 1832:½",
    "arpad first --event 1902:0 --on 2025-01-10 --event 1884:½ --on 2025-06-01",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `arpad first`."""
    parser.usage = "arpad first GAME ... [--event GAME ... --on DATE] [options]"
    parser.add_argument("words", nargs="*", metavar="GAME", help=NOTATION)
    add_system(parser)
    add_pace(parser)
    add_people(parser)
    parser.add_argument("--event", action="store_true", help="the next event starts here; give each its --on")
    parser.add_argument("--name", help="this event's name")


def parse(parser: Parser, words: Sequence[str]) -> argparse.Namespace:
    """Cut the words at each `--event`."""
    return split_events(parser, words)


def run(options: argparse.Namespace) -> show.Reply:
    """Work the first rating out."""
    events = events_of(options, options.words)
    day = day_of(options, options.words, events)
    first = the_system(options).first_rating(events, on=day)
    people = people_of(options)
    return people.noted(show.Reply.to(first, lambda _: show.games(first.per_game, people.opponents)))
