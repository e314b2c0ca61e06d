"""`arpad list months`: the lists that were imported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.cli import show
from arpad.cli.lists import add_data

if TYPE_CHECKING:
    import argparse

SUMMARY = "the lists that were imported"
EXAMPLES = ("arpad list months",)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `arpad list months`."""
    add_data(parser, name=False)


def run(options: argparse.Namespace) -> show.Reply:
    """List the lists."""
    from arpad.calculation.explain import listing
    from arpad.lists import FILE, folder, lists_in, reading

    with reading(options.data) as connection:
        lists = lists_in(connection)
    rows = [
        [one.name, f"{one.month:%Y-%m}", ", ".join(one.paces), f"{one.players:,}", f"{one.bad:,}", one.layout]
        for one in lists
    ]
    return show.Reply(
        lambda _: show.fitted(
            ["list", "month", "ratings", "players", "bad lines", "layout"],
            rows,
            "list",
            left=["list", "month", "ratings", "layout"],
        ),
        lambda: listing([], file=f"{folder(options.data)}/{FILE}", lists=[one.value() for one in lists]),
    )
