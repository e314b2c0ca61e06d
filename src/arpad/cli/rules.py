"""`arpad rules`: the rules of a day, or what changed between two."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from arpad.cli import show
from arpad.cli.options import the_day
from arpad.notation import parse_span
from arpad.render import WIDTH, change_value, doubt, listing, rule_value, wrapped
from arpad.systems import rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from datetime import date

    from arpad.rulebook import Change, Rule, Rulebook

SUMMARY = "the rules of a day, or what changed between two"
EXAMPLES = (
    "arpad rules fide-standard --on 2014-07-01",
    "arpad rules fide-standard --changes 2013-01-01..2026-11-15",
    "arpad rules fide-titles --on 2026-09-05",
)
MARGIN = 18
# Regulations that no rating system is: what they are called, and the module that reads them.
BOOKS = {
    "fide-performance": "arpad.performances",
    "fide-ties": "arpad.ties.rules",
    "fide-titles": "arpad.norms.rules",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `arpad rules`."""
    parser.add_argument("system", help=f"the system, for example fide-standard; or {', '.join(BOOKS)}")
    parser.add_argument("--on", metavar="DATE", help="the day (default today)")
    parser.add_argument("--changes", metavar="A..B", help="what changed after A and up to B")


def run(options: argparse.Namespace) -> show.Reply:
    """Print rules."""
    book = _book(options.system)
    if options.changes is not None:
        after, until = parse_span(options.changes, at="--changes")
        changes = book.changes(after, until)
        return show.Reply(
            lambda style: _changes(book, changes, after, until, style),
            lambda: listing([], system=options.system, changes=[change_value(change) for change in changes]),
        )
    day = the_day(options)
    in_force = book.in_force(day)

    def as_listing() -> dict[str, Any]:
        quoted = [rule_value(rule) for rule in in_force]
        return listing(quoted, system=options.system, on=day.isoformat(), rules=quoted)

    return show.Reply(lambda style: _rules(book, in_force, day, style), as_listing)


def _book(name: str) -> Rulebook[Any]:
    """The rulebook of a system, or of a regulation beside them."""
    if name not in BOOKS:
        return rules(name)
    book: Rulebook[Any] = import_module(BOOKS[name]).rulebook()
    return book


def _rules(book: Rulebook[Any], in_force: list[Rule[Any]], day: date, style: show.Style) -> str:
    checked = (
        f"\nLast checked on {book.checked}; by {day} the edition may have changed."
        if book.may_have_changed(day)
        else ""
    )
    lines = [line for rule in in_force for line in _lines(rule.name, rule, style)]
    return "\n".join([f"{book.title}, on {day}{checked}", "", *lines])


def _changes(book: Rulebook[Any], changes: list[Change], after: date, until: date, style: show.Style) -> str:
    lines = [book.title, f"changes after {after} and up to {until}"]
    day = None
    for change in changes:
        if change.after.since != day:
            day = change.after.since
            lines += ["", style("strong", str(day))]
        lines += _lines(change.after.name, change.after, style)
        if change.before is not None and change.before.says != change.after.says:
            lines += [
                f"{'':<{MARGIN}}{style('faint', line)}"
                for line in wrapped(f"before: {change.before.says}", WIDTH - MARGIN)
            ]
    return "\n".join(lines if changes else [*lines, "", "nothing"])


def _lines(name: str, rule: Rule[Any], style: show.Style) -> list[str]:
    """A rule in two or three lines: what it says, since when, and by which article."""
    says = f"{rule.says} ({doubt(rule)})" if doubt(rule) else rule.says
    first, *rest = wrapped(says, WIDTH - MARGIN)
    origin = style("faint", f"since {rule.since} [{rule.cite}]")
    return [f"{name:<{MARGIN}}{first}", *(f"{'':<{MARGIN}}{line}" for line in rest), f"{'':<{MARGIN}}{origin}"]
