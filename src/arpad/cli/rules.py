"""`arpad rules`: the rules of a day, or what changed between two."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arpad.calculation.explain import WIDTH, doubt, listing, wrapped
from arpad.cli import show
from arpad.cli.options import the_day
from arpad.questions.rulebooks import BOOKS, changes_value, in_force_value, rulebook_names, rules
from arpad.reading.notation import parse_span
from arpad.systems import coverage

if TYPE_CHECKING:
    import argparse
    from datetime import date

    from arpad.rulebooks.rulebook import Change, Rule, Rulebook

SUMMARY = "the rules of a day, or what changed between two"
EXAMPLES = (
    "arpad rules fide-standard --on 2014-07-01",
    "arpad rules fide-standard --changes 2013-01-01..2026-11-15",
    "arpad rules fide-titles --on 2026-09-05",
)
MARGIN = 18


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `arpad rules`."""
    parser.add_argument(
        "system", nargs="?", help=f"the system, for example fide-standard; or {', '.join(BOOKS)}; none lists them all"
    )
    parser.add_argument("--on", metavar="DATE", help="the day (default today)")
    parser.add_argument("--changes", metavar="A..B", help="what changed after A and up to B")


def run(options: argparse.Namespace) -> show.Reply:
    """Print rules."""
    if options.system is None:
        return _every()
    book = rules(options.system)
    if options.changes is not None:
        after, until = parse_span(options.changes, at="--changes")
        changes = book.changes(after, until)
        return show.Reply(
            lambda style: _changes(book, changes, after, until, style),
            lambda: changes_value(options.system, changes),
        )
    day = the_day(options)
    in_force = book.in_force(day)
    return show.Reply(
        lambda style: _rules(book, in_force, day, style), lambda: in_force_value(options.system, in_force, day)
    )


def _every() -> show.Reply:
    """Every rulebook there is."""
    found = coverage({name: rules(name) for name in rulebook_names()})
    rows = [[one["name"], one["covered_from"], one["title"]] for one in found]
    return show.Reply(
        lambda _: show.table(["name", "covered from", "rules"], rows, left=["name", "rules"]),
        lambda: listing([], rulebooks=found),
        lambda: ["`arpad rules NAME` lists the rules of today, --on DATE those of a day."],
    )


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
