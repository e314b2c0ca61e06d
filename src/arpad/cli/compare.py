"""`arpad compare`: the same games under several systems."""

from __future__ import annotations

from decimal import Decimal
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from arpad.calculation.explain import WIDTH, figure, footer, success
from arpad.cli import show
from arpad.cli.options import NOTATION, add_pace, add_player, people_of, the_day, the_games, the_pace, the_player
from arpad.cli.people import add_people
from arpad.errors import BadInput
from arpad.systems import system_from, system_names
from arpad.systems.comparison import compare

if TYPE_CHECKING:
    import argparse

    from arpad.cli.people import People
    from arpad.systems.comparison import Comparison
    from arpad.systems.system import System

SUMMARY = "the same games under several systems, side by side"
EXAMPLES = (
    "arpad compare 1750 1950:win 1800:draw --born 2010",
    "arpad compare 1750 1950:win --systems fide-standard,elo",
    "arpad compare 1750 1950:win --systems elo --rules club.toml",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `arpad compare`."""
    parser.usage = "arpad compare RATING GAME ... [options]"
    parser.add_argument("words", nargs="*", metavar="RATING GAME", help=f"own rating, then the games. {NOTATION}")
    add_player(parser)
    group = parser.add_argument_group("rules")
    group.add_argument("--systems", metavar="A,B", help="the systems (default all)")
    group.add_argument("--rules", metavar="FILE", help="a rule file of your own beside them")
    group.add_argument("--on", metavar="DATE", help="the day the event began (default today)")
    add_pace(group)
    add_people(parser)


def run(options: argparse.Namespace) -> show.Reply:
    """Compare."""
    if not options.words:
        raise BadInput(
            "A rating and at least one game are needed, for example `arpad compare 1750 1950:win`.", at="rating"
        )
    rating, *games = options.words
    named = system_names() if options.systems is None else [name.strip() for name in options.systems.split(",")]
    systems: list[str | System] = [*named, *([] if options.rules is None else [system_from(options.rules)])]
    player, people = the_player(options, rating), people_of(options)
    comparison = compare(player, the_games(games, people), on=the_day(options), systems=systems, pace=the_pace(options))
    reply = show.Reply(
        lambda style: "\n".join([*_who(people, style), _summary(comparison)]),
        lambda: success(comparison),
        lambda: footer(comparison)[1:],
        comparison.explain,
    )
    return people.noted(reply)


def _who(people: People, style: show.Style) -> list[str]:
    figures = people.own_figures()
    return [show.facts(figures, style)] if figures else []


def _summary(comparison: Comparison) -> str:
    """A row for each system that has an answer, then a reason for every one."""
    head = ["system", "expected", "K", "change", "new rating"]
    values = {line.name: line.answer.value() for line in comparison.lines if line.answer is not None}
    rows = [[name, *_cells(value)] for name, value in values.items()]
    table = [show.table(head, rows, left=["system"]), ""] if rows else []
    return "\n".join([*table, *_reasons(comparison)])


def _reasons(comparison: Comparison) -> list[str]:
    """Each reason once, behind the systems it is about."""
    about: dict[str, list[str]] = {}
    for line in comparison.lines:
        about.setdefault("; ".join(line.reasons) if line.answer is not None else str(line.why), []).append(line.name)
    return [
        row
        for reason, names in about.items()
        for row in wrap(f"{', '.join(names)}: {reason}", WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    ]


def _cells(value: dict[str, Any]) -> list[str]:
    k = value.get("k_used", value.get("k"))
    new = value.get("new_rating")
    return [
        _number(value.get("expected")),
        _number(k),
        _number(value.get("change"), signed=True),
        "unrated" if new is None else _number(new),
    ]


def _number(value: Any, *, signed: bool = False) -> str:
    return "" if value is None else figure(Decimal(str(value)), signed=signed)
