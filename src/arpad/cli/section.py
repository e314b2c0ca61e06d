"""`arpad section`: a whole US Chess section, all players at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.calculation.explain import figure, wrapped
from arpad.cli import show
from arpad.cli.options import add_list, add_pace, readings_of, the_day, the_pace
from arpad.formats.section import COLUMNS, read_section
from arpad.systems.uschess import rate_section

if TYPE_CHECKING:
    import argparse

    from arpad.systems.uschess.section_answer import SectionRating

SUMMARY = "a whole US Chess section, exactly: every player's new rating"
EXAMPLES = (
    "arpad section section.csv --system uschess-regular --on 2026-08-30",
    "arpad section section.csv --time 25+5 --player 3 --explain",
)
HEAD = ("id", "name", "before", "n", "formula", "K", "score", "exp.", "bonus", "pass 1", "pass 2", "new")


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `arpad section`."""
    parser.add_argument("file", help=f"a CSV file, one row a player; columns: {', '.join(COLUMNS)}")
    parser.add_argument("--player", metavar="ID", help="this player alone")
    parser.add_argument("--match", action="store_true", help="the section is a match of two players")
    add_pace(parser)
    add_list(parser, "uschess-regular")


def run(options: argparse.Namespace) -> show.Reply:
    """Rate the section."""
    rated = rate_section(
        read_section(options.file),
        on=the_day(options),
        system=options.system,
        pace=the_pace(options),
        match=options.match,
        readings=readings_of(options),
    )
    if options.player is not None:
        return show.Reply.to(rated.player(options.player))
    return show.Reply.to(rated)._replace(summary=lambda _: _table(rated))


def _table(rated: SectionRating) -> str:
    """A line a player, and under it what a floor or a limit did."""
    values = [player.value() for player in rated.players]
    rows = [
        [
            one["id"],
            one["name"] or "",
            "unrated" if one["rating"] is None else figure(one["rating"]),
            figure(one["games"]),
            one["formula"],
            *(_shown(one[name]) for name in ("k", "score", "expected", "bonus", "first_pass", "second_pass")),
            "unrated" if one["new_rating"] is None else figure(one["new_rating"]),
        ]
        for one in values
    ]
    listed = show.filled(HEAD, rows, left=["id", "name", "formula"])
    reasons = [row for one in values if one["why"] for row in wrapped(f"{one['id']}: {one['why']}")]
    return "\n".join([listed, *reasons])


def _shown(value: float | None) -> str:
    """Two decimals, as US Chess shows them."""
    return "" if value is None else f"{value:.2f}".removesuffix(".00")
