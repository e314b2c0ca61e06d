"""`arpad first`: an unrated player's first rating."""

from __future__ import annotations

from arpad.cli import show
from arpad.cli.options import NOTATION, add_pace, add_system, the_day, the_games, the_pace, the_system
from arpad.cli.rate import event_of, split_events

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from arpad.cli.options import Parser

SUMMARY = "an unrated player's first rating, or what is missing"
EXAMPLES = (
    "arpad first 1902:1 1877:1 1884:½ 2012:0 1832:½",
    "arpad first --event 1902:0 1877:0 --on 2025-01-10 --event 1884:½ 2012:1 1832:½ 1790:1 1850:0 --on 2025-06-01",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `arpad first`."""
    parser.usage = "arpad first GAME ... [--event GAME ... --on DATE] [options]"
    parser.add_argument("words", nargs="*", metavar="GAME", help=NOTATION)
    add_system(parser)
    add_pace(parser)
    parser.add_argument("--event", action="store_true", help="the next event starts here; give each its --on")
    parser.add_argument("--name", help="this event's name")


def parse(parser: Parser, words: Sequence[str]) -> argparse.Namespace:
    """Cut the words at each `--event`."""
    return split_events(parser, words)


def run(options: argparse.Namespace) -> show.Reply:
    """Work the first rating out."""
    events = [event_of(event) for event in options.events]
    began = [event.on for event in events if event.on is not None]
    day = the_day(options) if options.on is not None or not began else max(began)
    first = the_system(options).first_rating([*the_games(options.words), *events], on=day, pace=the_pace(options))
    return show.Reply.to(first, lambda _: show.games(first.per_game))
