"""Files that commands write: never over another unless that was asked for, and whole or not at all."""

from __future__ import annotations

from os.path import splitext

from arpad.drawing import FORMS
from arpad.errors import BadInput
from arpad.files.saving import beside, check_free

TYPE_CHECKING = False
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
    """Refuse, before any work, a picture of no kind, or a place for one where a file stands."""
    if options.chart is not None:
        if splitext(options.chart)[1] not in FORMS:
            raise BadInput(
                f"'{options.chart}' is not a picture Arpad can write; name it {', '.join(FORMS)}.", at="--chart"
            )
        check_free(options.chart, force=options.force)


def drawn(options: argparse.Namespace, save: Callable[[str], None]) -> list[str]:
    """The picture, if one was asked for, saved; and where it is."""
    if options.chart is None:
        return []
    with beside(options.chart, force=options.force) as (part,):
        save(part)
    return [f"Written to {options.chart}."]
