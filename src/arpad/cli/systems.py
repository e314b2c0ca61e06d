"""`arpad systems`: what there is."""

from __future__ import annotations

from arpad.cli import show
from arpad.systems import system, system_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

SUMMARY = "the rating systems and the days they cover"
EXAMPLES = ("arpad systems",)


def arguments(parser: argparse.ArgumentParser) -> None:
    """`arpad systems` has no options of its own."""


def run(_: argparse.Namespace) -> show.Reply:
    """List the systems."""
    books = {name: system(name).rulebook for name in system_names()}
    value = [
        {"name": name, "title": book.title, "covered_from": str(book.covered_from), "checked": str(book.checked)}
        for name, book in books.items()
    ]
    rows = [[one["name"], one["covered_from"], one["title"]] for one in value]
    head = ["system", "covered from", "rules"]
    return show.Reply(
        lambda _: show.table(head, rows, left=["system", "rules"]),
        lambda: {"ok": True, "value": {"systems": value}, "steps": [], "rules": []},
    )
