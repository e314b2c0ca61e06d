"""`arpad list find`: a name as people type it."""

from __future__ import annotations

from datetime import MAXYEAR
from typing import TYPE_CHECKING

from arpad.calculation.explain import listing, wrapped
from arpad.cli import show
from arpad.cli.lists import add_data
from arpad.cli.options import given_day
from arpad.core.model import whole_of
from arpad.lists import PACES

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from arpad.lists import SearchResult

SUMMARY = "find players by name or FIDE ID; spelling is forgiven"
EXAMPLES = (
    "arpad list find carlsen",
    'arpad list find "Karpov, A" --federation RUS',
    "arpad list find 1503014",
    "arpad list find --federation NOR --born 1990",
)
HEAD = ("ID", "name", "fed", "born", "title", *PACES, "")


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `arpad list find`."""
    parser.add_argument(
        "query",
        nargs="*",
        help="a name in any order, the beginning of one, or a FIDE ID; not needed with --federation or --born",
    )
    parser.add_argument("--federation", metavar="FED", help="only this federation, for example NOR")
    parser.add_argument("--born", metavar="YEAR", help="only those born in this year")
    parser.add_argument("--most", default="20", metavar="N", help="how many to show (default 20)")
    parser.add_argument("--on", metavar="DATE", help="the list valid on this day (default the newest)")
    add_data(parser)


def run(options: argparse.Namespace) -> show.Reply:
    """Search."""
    from arpad.lists import find

    found = find(
        " ".join(options.query),
        federation=options.federation,
        born=None if options.born is None else whole_of(options.born, "a year", 1, MAXYEAR, at="--born"),
        most=whole_of(options.most, "a number of players", 1, at="--most"),
        name=options.list,
        on=given_day(options),
        data=options.data,
    )
    return show.Reply(
        lambda _: _table(found),
        lambda: listing([], **found.value()) | {"notes": list(found.notes)},
        lambda: [row for note in _notes(found) for row in wrapped(note)],
    )


def _notes(found: SearchResult) -> Iterator[str]:
    """How to see more of them, and where they were looked for."""
    from arpad.lists import MOST

    shown = len(found.players)
    if found.total > shown:
        more = f"--most {min(found.total, MOST)} shows {'all' if found.total <= MOST else 'more'}; " * (shown < MOST)
        yield f"{shown} of {found.total:,} are shown, the best first; {more}write more of the name to find fewer."
    yield f"From the rating list {found.source}."


def _table(found: SearchResult) -> str:
    if not found.players:
        return "\n".join(wrapped(f"Nobody was found. {found.advice}"))
    rows = [
        [
            str(one.id),
            one.name or "",
            one.federation or "",
            str(one.born or ""),
            one.title or one.other_titles[0] or "",
            *(str(one.rating(pace) or "") for pace in PACES),
            "inactive" if "i" in (one.flag or "") else "",
        ]
        for one in found.players
    ]
    return show.filled(HEAD, rows, left=["name", "fed", "title", ""])
