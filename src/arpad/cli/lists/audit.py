"""`arpad list audit`: what changed between two lists, and K checked against the rules."""

from __future__ import annotations

from dataclasses import asdict, astuple, dataclass
from datetime import date
from typing import TYPE_CHECKING

from arpad.calculation.explain import wrapped
from arpad.calculation.serialise import listing
from arpad.cli.files import ChartFile, check_chart, write_chart
from arpad.cli.lists import ABOUT_LISTS, pace_name
from arpad.cli.show import Reply, in_lines, table
from arpad.core import whole_of
from arpad.messages import say
from arpad.questions import readers
from arpad.questions.declare import Place, defaulting, question, required
from arpad.questions.fields import ListFields

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arpad.lists import Audit

FEW = 10  # groups shown of a distribution
LONGEST_NAME = 40


def players(typed: str, place: Place) -> int:
    """A number of players, 0 or more."""
    return whole_of(typed, "players", 0, at=place.at)


@question(
    "list audit",
    needs=("before", "after"),
    **ABOUT_LISTS,
    examples=({"before": "2025-08", "after": "2025-09", "chart": "out.svg"},),
)
@dataclass(frozen=True, kw_only=True)
class ListAudit(ChartFile, ListFields):
    """What changed between two lists, and K against the rules."""

    before: date = required(readers.day, example="2025-08", word=True)
    after: date = required(readers.day, example="2025-09", word=True)
    pace: str = defaulting(pace_name, "standard", example="standard")  # type: ignore[arg-type]
    most: int = defaulting(players, 10, example="10")

    def run(self) -> Reply:
        """Compare the lists."""
        from arpad.lists import audit_lists

        check_chart(self.chart, force=self.force)
        found = audit_lists(self.before, self.after, pace=self.pace, name=self.list, most=self.most, data=self.folder)
        wrote = write_chart(self.chart, lambda part: _draw(found, part), force=self.force)
        return Reply(
            lambda _: _summary(found),
            lambda: listing([], **found.value()),
            lambda: [row for said in wrote for row in in_lines(said)],
        )


def _draw(found: Audit, file: str) -> None:
    from arpad.charts.populations import distributions

    distributions(found.distributions, f"{found.name}, {found.after.month:%Y-%m}").save(file)


def _summary(found: Audit) -> str:
    """The counts, K against the rules, some players of each kind, and the distributions."""
    counts = found.counts
    without_games = counts.moved_without_games
    moved, number = ("moved", counts.moved) if without_games is None else ("corrected", without_games)
    changed = ("id", "name", "before", "after")
    return "\n\n".join(
        [
            _counts(found, moved, number),
            *_k_against_the_rules(found),
            *_k_in_practice(found),
            *_sample(
                "unexplained",
                found.unexplained,
                counts.unexplained,
                ("id", "name", "rating", "born", "k", "k_before"),
            ),
            *_sample("entered", found.entered, counts.entered, ("id", "name", "federation", "rating", "k")),
            *_sample("titles", found.titles, counts.titles, changed),
            *_sample(moved, found.corrections, number, changed),
            *_distributions(found),
        ]
    )


def _counts(found: Audit, moved: str, number: int) -> str:
    """How many players were rated before and after, entered, left, and changed rating."""
    counts = found.counts
    months = f"{found.before.month:%Y-%m}", f"{found.after.month:%Y-%m}"
    ks = [
        str(
            say(
                "command.audit.with_k" if group.k else "command.audit.without_k",
                players=f"{group.players:,}",
                k=group.k,
            )
        )
        for group in found.entered_k
    ]
    entered = f"{counts.entered:,}" + (f" ({', '.join(ks)})" if ks else "")
    rows = {
        "rated": str(say("command.audit.from_to", before=f"{counts.before:,}", after=f"{counts.after:,}")),
        "entered": entered,
        "left": f"{counts.left:,}",
        moved: f"{number:,}",
    }
    labels = {name: str(say(f"command.audit.count.{name}")) for name in rows}
    margin = max(map(len, labels.values())) + 2
    head = str(say("command.audit.head", name=found.name, before=months[0], after=months[1]))
    return "\n".join([head, *(f"{labels[name]:<{margin}}{value}" for name, value in rows.items())])


def _k_against_the_rules(found: Audit) -> list[str]:
    """Each line of the K rule with its players, and each K with the line that explains it; only for FIDE's lists."""
    if not found.checks:
        return []
    by_line = [[check.line, str(check.k), f"{check.players:,}", f"{check.as_ruled:,}"] for check in found.checks]
    none = str(say("command.audit.no_line"))
    by_k = [[str(group.line or none), str(group.k or ""), f"{group.players:,}"] for group in found.k]
    return [
        f"{say('command.audit.checks', article=found.article)}\n"
        + table(["who", "k", "players", "as_ruled"], by_line, left=["who"]),
        f"{say('command.audit.every_k')}\n" + table(["line", "k", "players"], by_k, left=["line"]),
    ]


def _k_in_practice(found: Audit) -> list[str]:
    """Rapid and blitz: players whose standard rating was used, by K in standard, and adults with a newcomer's K."""
    parts = []
    if found.standing_in:
        rows = [[f"{cell:,}" for cell in astuple(line)] for line in found.standing_in]
        heading = say("command.audit.standing_in", pace=found.pace)
        parts.append(f"{heading}\n" + table(["standard_k", "players", "same_k", "points_a_game"], rows))
    if found.adults is not None:
        plain = ("k", "then", "under")  # a K or a rating, not a count
        figures = {name: value if name in plain else f"{value:,}" for name, value in asdict(found.adults).items()}
        parts.append("\n".join(wrapped(str(say("command.audit.adults", **figures)))))
    return parts


def _sample(key: str, rows: Sequence[object], every: int, names: Sequence[str]) -> list[str]:
    """Some players under a title, and how many more there are; empty if there are none."""
    if not rows:
        return []
    values = [{name: getattr(row, name) for name in names} for row in rows]
    used = [name for name in names if any(row[name] is not None for row in values)]
    cells = [["" if row[name] is None else str(row[name])[:LONGEST_NAME] for name in used] for row in values]
    more = [str(say("command.audit.more", more=f"{every - len(rows):,}", every=every))] if every > len(rows) else []
    left = ["name", "federation", "before", "after"]
    return ["\n".join([str(say(f"command.audit.title.{key}")), table(used, cells, left=left), *more])]


def _distributions(found: Audit) -> list[str]:
    """Every age band, and the largest groups of the other distributions."""
    parts = []
    for by in ("federation", "age", "sex"):
        groups = [group for group in found.distributions if group.by == by]
        shown = groups if by == "age" else groups[:FEW]
        rows = [[str(group.group), f"{group.players:,}", str(group.mean)] for group in shown]
        more = [str(say("command.audit.all_groups", groups=len(groups)))] if len(groups) > len(shown) else []
        if len(groups) > 1:
            parts.append("\n".join([table([by, "players", "mean"], rows, left=[by]), *more]))
    return parts
