"""`arpad need`: the score for a target, or the rating for an expected score."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.cli import show
from arpad.cli.options import add_pace, add_player, add_system, people_of, the_day, the_pace, the_player, the_system
from arpad.cli.people import add_people
from arpad.core import rating_of
from arpad.errors import BadInput
from arpad.forecast.needs import rating_needed, score_needed
from arpad.messages import figure
from arpad.reading.results import apart

if TYPE_CHECKING:
    import argparse

    from arpad.forecast.needs import NeededScore

SUMMARY = "the score for a target, or the rating for an expected score"
EXAMPLES = (
    "arpad need 1780 --reach 1800 --against 1700 1750 1800 1820 1850 1900 1920",
    "arpad need --expected 0.75 --against 1700",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `arpad need`."""
    parser.usage = "arpad need [RATING --reach TARGET | --expected SCORE] --against N ..."
    parser.add_argument("rating", nargs="?", help="own rating")
    parser.add_argument("--against", nargs="+", default=[], metavar="OPPONENT", help="the opponents' ratings")
    parser.add_argument("--reach", metavar="TARGET", help="the rating to reach")
    parser.add_argument("--expected", metavar="SCORE", help="the expected score to have against all of them together")
    add_player(parser)
    add_system(parser)
    add_people(parser)
    add_pace(parser)


def run(options: argparse.Namespace) -> show.Reply:
    """Solve for the score or for the rating."""
    people = people_of(options)
    opponents = [people.opponent(text, at=f"--against, '{text}'") for text in apart(options.against)]
    system, day = the_system(options), the_day(options)
    if (options.reach is None) == (options.expected is None):
        raise BadInput(
            "Ask either for a target (`--reach 1800`) or for an expected score (`--expected 0.75`).", at="need"
        )
    if options.expected is not None:
        if options.rating is not None:
            raise BadInput("The rating is what is looked for; leave the own rating out.", at="rating")
        needed = rating_needed(system, opponents, expected=options.expected, on=day)
        return people.noted(show.Reply.to(needed), untold=True)
    if options.rating is None:
        raise BadInput("The score to a target depends on the own rating; give it first.", at="rating")
    target = rating_of(options.reach, at="--reach")
    score = score_needed(
        system, the_player(options, options.rating), opponents, reach=target, on=day, pace=the_pace(options)
    )
    reply = show.Reply.to(score, lambda _: _table(score), who=people.own_figures())
    return people.noted(reply, untold=True)


def _table(needed: NeededScore) -> str:
    """What every score gives."""
    rows = [
        [
            figure(line.score),
            figure(line.change, signed=True),
            "unrated" if line.new_rating is None else str(line.new_rating),
            "reached" if line.new_rating is not None and line.new_rating >= needed.target else "",
        ]
        for line in needed.table
    ]
    listed = show.table(["score", "change", "new rating", ""], rows)
    return "\n".join([listed, *show.why(needed.per_game, rated=False)])
