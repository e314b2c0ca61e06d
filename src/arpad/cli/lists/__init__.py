"""The commands of the family `arpad list`, and what they share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.calculation.explain import wrapped
from arpad.cli import show
from arpad.core.counting import counted

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from arpad.lists import Imported

SHOWN_BAD = 5


def add_data(parser: argparse._ActionsContainer, *, name: bool = True) -> None:
    """Where the lists are, and whose are meant."""
    if name:
        parser.add_argument("--list", metavar="NAME", help="the lists of this name (default FIDE's)")
    parser.add_argument(
        "--data", metavar="FOLDER", help="where the lists are kept (default: ARPAD_DATA, or your data folder)"
    )


def progress(total: int | None, title: str) -> tuple[Callable[..., None], Callable[[], None]]:
    """A bar on a terminal, and how to end it; nothing where nobody looks. The total may be known later."""
    import sys

    if not sys.stderr.isatty():
        return (lambda *_: None), (lambda: None)
    try:
        from tqdm import tqdm
    except ImportError:
        return (lambda *_: None), (lambda: None)
    bar = tqdm(total=total, unit="B", unit_scale=True, desc=title, leave=False)

    def step(done: int, total: int | None = None) -> None:
        bar.total = total or bar.total
        bar.update(done - bar.n)

    return step, bar.close


def said(imported: Imported) -> show.Reply:
    """What an import did."""
    from dataclasses import asdict

    from arpad.calculation.explain import listing

    one = imported.list
    what = f"{counted(one.players, 'player')} imported" if imported.changed else "already there, nothing changed"
    if imported.replaced is not None:
        what += f" in place of {imported.replaced:,}"
    lines = wrapped(f"{one}: {what} ({one.layout}; {', '.join(one.paces)}).")
    if imported.bad:
        lines.append(f"{counted(len(imported.bad), 'line')} could not be read, kept aside in the table bad_line:")
        lines += [f"  line {bad.line}: {bad.why}" for bad in imported.bad[:SHOWN_BAD]]
        lines += [f"  and {len(imported.bad) - SHOWN_BAD:,} more"] if len(imported.bad) > SHOWN_BAD else []
    bad = [asdict(bad) for bad in imported.bad]
    return show.Reply(
        lambda _: "\n".join(lines),
        lambda: (
            listing([], **one.value(), changed=imported.changed, replaced=imported.replaced, bad_lines=bad)
            | {"notes": list(imported.notes)}
        ),
        lambda: [row for note in imported.notes for row in wrapped(note)],
    )
