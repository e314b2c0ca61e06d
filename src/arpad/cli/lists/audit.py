"""`arpad list audit`: what changed between two months."""

from __future__ import annotations

from arpad.cli import show
from arpad.cli.lists import add_data
from arpad.notation import parse_date

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from typing import Any

    from arpad.lists.audit import Audit

SUMMARY = "what changed between two months, and K against the rules"
EXAMPLES = ("arpad list audit 2025-08 2025-09 --chart out.svg",)
FEW = 10


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `arpad list audit`."""
    parser.add_argument("before", help="the earlier month, 2025-08")
    parser.add_argument("after", help="the later month, 2025-09")
    parser.add_argument("--pace", default="standard", help="standard, rapid or blitz (default standard)")
    parser.add_argument("--chart", metavar="FILE", help="the distributions as a picture: out.svg, out.png or out.html")
    add_data(parser)


def run(options: argparse.Namespace) -> show.Reply:
    """Compare the lists."""
    from arpad.lists.audit import audit
    from arpad.render import listing

    days = [parse_date(text, at="month") for text in (options.before, options.after)]
    found = audit(days[0], days[1], pace=options.pace, name=options.list, data=options.data)
    if options.chart is not None:
        from arpad.drawing.populations import distributions
        from arpad.drawing.saving import save

        save(distributions(found.distributions, f"{found.after} {found.pace}"), options.chart)
    return show.Reply(lambda _: _summary(found), lambda: listing([], **found.value()))


def _summary(found: Audit) -> str:
    counts = found.counts
    entered = ", ".join(
        f"{players} at K {k}" if k else f"{players} without K" for k, players in found.entered_k.items()
    )
    head = [
        f"{found.before} to {found.after}, {found.pace}",
        f"players     {counts['before']} to {counts['after']}",
        f"entered     {counts['entered']}" + (f" ({entered})" if entered else ""),
        f"left        {counts['left']}",
        f"moved without games  {counts['moved_without_games']}",
    ]
    parts = [
        "\n".join(head),
        f"K against the rules [{found.article}]\n"
        + show.table(
            ["who", "K", "players", "as ruled"],
            [[one["line"], str(one["k"]), str(one["players"]), str(one["as_ruled"])] for one in found.checks],
            left=["who"],
        ),
        "Every K, by the line of the rule that explains it\n"
        + show.table(
            ["line", "K", "players"],
            [[one["line"] or "none", str(one["k"] or ""), str(one["players"])] for one in found.k],
            left=["line"],
        ),
        *_listed(
            "K that needs a history the two lists do not show, or no rule gives",
            found.unexplained,
            ("id", "name", "rating", "born", "k", "k_before"),
        ),
        *_listed("Titles", found.titles, ("id", "name", "before", "after")),
        *_listed("Moved without games, the largest first", found.corrections, ("id", "name", "before", "after")),
        *_distributions(found),
    ]
    return "\n\n".join(parts)


def _listed(title: str, rows: Sequence[dict[str, Any]], names: Sequence[str]) -> list[str]:
    """A few of a list of players under a title; nothing without any."""
    if not rows:
        return []
    used = [name for name in names if any(row[name] is not None for row in rows)]
    cells = [["" if row[name] is None else str(row[name])[:40] for name in used] for row in rows[:FEW]]
    more = [f"… --json has {len(rows)} of them"] if len(rows) > FEW else []
    return [
        "\n".join(
            [
                title,
                show.table([name.replace("_", " ") for name in used], cells, left=["name", "before", "after"]),
                *more,
            ]
        )
    ]


def _distributions(found: Audit) -> list[str]:
    """The largest groups of each distribution."""
    parts = []
    for by in ("federation", "age", "sex"):
        groups = [one for one in found.distributions if one["by"] == by]
        rows = [[one["group"], str(one["players"]), str(one["mean"])] for one in groups[:FEW]]
        if len(groups) > 1:
            parts.append(show.table([by, "players", "mean"], rows, left=[by]))
    return parts
