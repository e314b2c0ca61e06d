"""`arpad expect`: one game before it is played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.cli import show
from arpad.cli.options import add_pace, add_player, add_system, people_of, the_day, the_pace, the_player, the_system
from arpad.cli.people import add_people
from arpad.messages import figure

if TYPE_CHECKING:
    import argparse

    from arpad.calculation.answers import Expectation

SUMMARY = "before the game: expected score, change for win, draw and loss"
EXAMPLES = (
    "arpad expect 1500 1700",
    "arpad expect 1500 1700 --k 40 --explain",
    "arpad expect 2650 2000 --system fide-rapid",
)
MODEL = "Chances by Labelle's draw model, a fit to played games; no regulation has them."


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `arpad expect`."""
    parser.add_argument("rating", help="own rating")
    parser.add_argument("opponent", help="the opponent's rating")
    add_player(parser)
    add_system(parser)
    add_people(parser)
    add_pace(parser)


def run(options: argparse.Namespace) -> show.Reply:
    """Look at one game."""
    people = people_of(options)
    opponent = people.opponent(options.opponent, at="opponent")
    player = the_player(options, options.rating)
    expectation = the_system(options).expect(player, opponent, on=the_day(options), pace=the_pace(options))
    below = [] if expectation.expected is None else [lambda _: _results(expectation)]
    return people.noted(show.Reply.to(expectation, *below, who=people.all_figures()))


def _results(expectation: Expectation) -> str:
    """A line for each result."""
    changes = {result: figure(getattr(expectation, result), signed=True) for result in ("win", "draw", "loss")}
    if not expectation.chances:
        return show.table(["result", "change"], list(changes.items()), left=["result"])
    results = [[result, changes[result], f"{100 * chance:.0f} %"] for result, chance in expectation.chances.items()]
    return f"{show.table(['result', 'change', 'chance'], results, left=['result'])}\n{MODEL}"
