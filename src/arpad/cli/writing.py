"""Files that commands write: never over another unless that was asked for, and whole or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.formats.saving import beside, check_free

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable


def add_force(parser: argparse._ActionsContainer) -> None:
    """Whether a file that is there may be written over."""
    parser.add_argument("--force", action="store_true", help="write over a file that exists")


def add_chart(parser: argparse._ActionsContainer, what: str) -> None:
    """Where a picture goes."""
    parser.add_argument("--chart", metavar="FILE", help=f"{what} as a picture: out.svg, out.png or out.html")


def check_chart(options: argparse.Namespace) -> None:
    """Refuse, before any work, a name that is no picture's, and a place where a file stands."""
    if options.chart is not None:
        from arpad.charts.saving import check_form

        check_form(options.chart)
        check_free(options.chart, force=options.force)


def drawn(options: argparse.Namespace, save: Callable[[str], None]) -> list[str]:
    """The picture, if one was asked for, saved; and where it is."""
    if options.chart is None:
        return []
    with beside(options.chart, force=options.force) as (part,):
        save(part)
    return [f"Written to {options.chart}."]
