"""`arpad list show`: all that the lists say of one player."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.calculation.explain import note, wrapped
from arpad.cli import show
from arpad.cli.lists import add_data
from arpad.cli.options import given_day

if TYPE_CHECKING:
    import argparse

    from arpad.lists import PlayerPage

NOBODY = "Write less of the name, or the ID"
SUMMARY = "one player: ratings, K now and next, titles, history"
EXAMPLES = ("arpad list show 1503014", 'arpad list show "Carlsen, Magnus"')


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `arpad list show`."""
    parser.add_argument("id", nargs="+", help="the FIDE ID, the ID of your own list, or a name that only one has")
    parser.add_argument("--on", metavar="DATE", help="the list valid on this day (default the newest)")
    add_data(parser)


def run(options: argparse.Namespace) -> show.Reply:
    """Look the player up."""
    from arpad.lists import PlayerPage, find_one, history, look_up

    text = " ".join(options.id)
    wanted, on = text.lstrip("@"), given_day(options)
    if not wanted.isdecimal():
        wanted = str(find_one(text, on, name=options.list, data=options.data, otherwise=NOBODY).id)
    found, newest = look_up(int(wanted), name=options.list, on=on, data=options.data)
    page = PlayerPage(found, newest, history(found.id, name=options.list, on=on, data=options.data))
    below = [lambda _: _history(page)] if len({one.list.month for _, one in page.history}) > 1 else []
    reply = show.Reply.to(page, *below)
    return reply._replace(footer=lambda: [row for one in page.notes for row in wrapped(note(one, options=True))])


def _history(page: PlayerPage) -> str:
    rows = [
        [
            f"{one.list.month:%Y-%m}",
            pace,
            str(one.rating or "unrated"),
            str(one.k or ""),
            "" if one.games is None else str(one.games),
        ]
        for pace, one in page.history
    ]
    return show.table(["list", "pace", "rating", "K", "games"], rows, left=["list", "pace"])
