"""`arpad expect`: one game before it is played."""

from __future__ import annotations

from arpad.cli import show
from arpad.cli.options import add_pace, add_player, add_system, the_day, the_pace, the_player, the_system
from arpad.notation import parse_opponent
from arpad.render import figure

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from arpad.answers import Expectation

SUMMARY = "expected score, and the change for win, draw and loss, before the game"
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
    add_pace(parser)


def run(options: argparse.Namespace) -> show.Reply:
    """Look at one game."""
    opponent = parse_opponent(options.opponent, at="opponent")
    expectation = the_system(options).expect(
        the_player(options, options.rating), opponent, on=the_day(options), pace=the_pace(options)
    )
    return show.Reply.to(expectation, lambda style: summary(expectation, style))


def summary(expectation: Expectation, style: show.Style) -> str:
    """The expected score, and a line for each result."""
    if expectation.expected is None:
        return show.facts([("expected", "not rated", expectation.why or "")], style)
    rows = [("expected", figure(expectation.expected), _beside(expectation)), ("K", figure(expectation.k), "")]
    results = [
        [result, figure(getattr(expectation, result), signed=True), f"{100 * chance:.0f} %"]
        for result, chance in expectation.chances.items()
    ]
    chances = show.table(["result", "change", "chance"], results, left=["result"])
    return f"{show.facts(rows, style)}\n\n{chances}\n{MODEL}"


def _beside(expectation: Expectation) -> str:
    """Where the 400-point rule changed the table's figure."""
    if expectation.table is None or expectation.table == expectation.expected:
        return ""
    return f"{figure(expectation.table)} by the table without the 400-point rule"
