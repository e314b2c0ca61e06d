"""`arpad list audit`: what changed between two months."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.cli import show
from arpad.cli.lists import add_data
from arpad.cli.writing import add_chart, add_force, check_chart, drawn
from arpad.core.model import whole_of
from arpad.reading.notation import parse_date

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from typing import Any

    from arpad.lists import Audit

SUMMARY = "what changed between two months, and K against the rules"
EXAMPLES = ("arpad list audit 2025-08 2025-09 --chart out.svg",)
HEADS = {"id": "ID", "k": "K", "k_before": "K before"}
FEW = 10  # groups of a distribution


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `arpad list audit`."""
    parser.add_argument("before", help="the earlier month, 2025-08")
    parser.add_argument("after", help="the later month, 2025-09")
    parser.add_argument("--pace", default="standard", help="standard, rapid or blitz (default standard)")
    parser.add_argument("--most", default="10", metavar="N", help="how many players of a kind to list (default 10)")
    add_chart(parser, "the distributions")
    add_force(parser)
    add_data(parser)


def run(options: argparse.Namespace) -> show.Reply:
    """Compare the lists."""
    from arpad.calculation.explain import listing
    from arpad.lists import audit_lists, checked_pace

    check_chart(options)
    days = [parse_date(text, at="month") for text in (options.before, options.after)]
    most = whole_of(options.most, "a number of players", 0, at="--most")
    pace = checked_pace(options.pace) or options.pace
    found = audit_lists(days[0], days[1], pace=pace, name=options.list, most=most, data=options.data)
    written = drawn(options, lambda path: _draw(found, path))
    return show.Reply(lambda _: _summary(found), lambda: listing([], **found.value()), lambda: written)


def _draw(found: Audit, path: str) -> None:
    from arpad.charts.populations import distributions
    from arpad.charts.saving import save

    save(distributions(found.distributions, f"{found.name}, {found.after.month:%Y-%m}"), path)


def _summary(found: Audit) -> str:
    counts = found.counts
    without_games = counts["moved_without_games"]
    moved, number = ("moved", counts["moved"]) if without_games is None else ("moved without games", without_games)
    entered = ", ".join(
        f"{players:,} at K {k}" if k else f"{players:,} without K" for k, players in found.entered_k.items()
    )
    head = [
        f"{found.name}, {found.before.month:%Y-%m} to {found.after.month:%Y-%m}",
        f"rated players        {counts['before']:,} to {counts['after']:,}",
        f"entered              {counts['entered']:,}" + (f" ({entered})" if entered else ""),
        f"left                 {counts['left']:,}",
        f"{moved:<19}  {number:,}",
    ]
    changed = ("id", "name", "before", "after")
    parts = [
        "\n".join(head),
        *_k_against_the_rules(found),
        *_listed(
            "K that needs a history the two lists do not show, or no rule gives",
            found.unexplained,
            counts["unexplained"],
            ("id", "name", "rating", "born", "k", "k_before"),
        ),
        *_listed(
            "Entered, the highest rated first",
            found.entered,
            counts["entered"],
            ("id", "name", "federation", "rating", "k"),
        ),
        *_listed("Titles", found.titles, counts["titles"], changed),
        *_listed(f"{moved.capitalize()}, the largest first", found.corrections, number, changed),
        *_distributions(found),
    ]
    return "\n\n".join(parts)


def _k_against_the_rules(found: Audit) -> list[str]:
    """Each line of the rule with those it is about, and each K with the line that explains it; FIDE's lists alone."""
    if not found.checks:
        return []
    return [
        f"K against the rules [{found.article}]\n"
        + show.table(
            ["who", "K", "players", "as ruled"],
            [[one["line"], str(one["k"]), f"{one['players']:,}", f"{one['as_ruled']:,}"] for one in found.checks],
            left=["who"],
        ),
        "Every K, by the line of the rule that explains it\n"
        + show.table(
            ["line", "K", "players"],
            [[one["line"] or "none", str(one["k"] or ""), f"{one['players']:,}"] for one in found.k],
            left=["line"],
        ),
    ]


def _listed(title: str, rows: Sequence[dict[str, Any]], every: int, names: Sequence[str]) -> list[str]:
    """Some players under a title, and how many more there are; nothing without any."""
    if not rows:
        return []
    used = [name for name in names if any(row[name] is not None for row in rows)]
    cells = [["" if row[name] is None else str(row[name])[:40] for name in used] for row in rows]
    more = [f"… and {every - len(rows):,} more; --most {every} lists them"] if every > len(rows) else []
    left = ["name", "federation", "before", "after"]
    return ["\n".join([title, show.table([HEADS.get(name, name) for name in used], cells, left=left), *more])]


def _distributions(found: Audit) -> list[str]:
    """Every band of ages, and the largest groups of the other distributions."""
    parts = []
    for by in ("federation", "age", "sex"):
        groups = [one for one in found.distributions if one["by"] == by]
        shown = groups if by == "age" else groups[:FEW]
        rows = [[one["group"], f"{one['players']:,}", str(one["mean"])] for one in shown]
        more = [f"… --json has {len(groups)} of them"] if len(groups) > len(shown) else []
        if len(groups) > 1:
            parts.append("\n".join([show.table([by, "players", "mean"], rows, left=[by]), *more]))
    return parts
