"""`arpad strength`: the strength that results look like."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.cli import show
from arpad.cli.options import add_draws, add_system, the_day, the_draws, the_system
from arpad.errors import BadInput
from arpad.forecast.strength import likely_strength
from arpad.reading.notation import parse_pairing, parse_rating
from arpad.reading.results import apart

if TYPE_CHECKING:
    import argparse

SUMMARY = "the strength that results look like, with a 95 % interval"
EXAMPLES = (
    "arpad strength 1780 1700:win 1750:draw 1800:loss 1820:win",
    "arpad strength unrated 1700@w:win 1750@b:draw",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `arpad strength`."""
    parser.usage = "arpad strength RATING GAME ... [options]"
    parser.add_argument(
        "words", nargs="*", metavar="RATING GAME", help="own rating or unrated, then the games: 1700:win, 1750@b:draw"
    )
    add_draws(parser)
    add_system(parser)


def run(options: argparse.Namespace) -> show.Reply:
    """Weigh the strengths."""
    if not options.words:
        raise BadInput("A rating and games are needed, for example `arpad strength 1780 1700:win`.", at="rating")
    rating, *games = options.words
    strength = likely_strength(
        the_system(options),
        parse_rating(rating, at="rating"),
        [parse_pairing(game) for game in apart(games, played=True)],
        on=the_day(options),
        draws=the_draws(options),
    )
    return show.Reply.to(strength)
