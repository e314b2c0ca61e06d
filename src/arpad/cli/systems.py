"""`arpad systems`: what there is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.calculation.explain import listing
from arpad.cli import show
from arpad.systems import coverage

if TYPE_CHECKING:
    import argparse

SUMMARY = "the rating systems and the days they cover"
EXAMPLES = ("arpad systems",)


def arguments(parser: argparse.ArgumentParser) -> None:
    """`arpad systems` has no options of its own."""


def run(_: argparse.Namespace) -> show.Reply:
    """List the systems."""
    value = coverage()
    rows = [[one["name"], one["covered_from"], one["title"]] for one in value]
    head = ["system", "covered from", "rules"]
    return show.Reply(
        lambda _: show.table(head, rows, left=["system", "rules"]),
        lambda: listing([], systems=value),
    )
