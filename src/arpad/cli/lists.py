"""The `arpad list` commands: rating lists on this machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from datetime import date
from os.path import join
from typing import TYPE_CHECKING, Any

from arpad.calculation.explain import wrapped
from arpad.cli.files import LONGEST_NAMES, ChartFile, check_chart, progress_bar, write_chart
from arpad.cli.reply import Done
from arpad.cli.show import fitted, in_lines, table
from arpad.core import number, whole_of
from arpad.formats import columns_of
from arpad.lists import ADDRESS, TIMEOUT, download_list
from arpad.messages import say, thousands
from arpad.questions import readers
from arpad.questions.declare import Place, defaulting, flag, optional, question, required
from arpad.questions.fields import LONGEST_PATH, Asking, ListFields

if TYPE_CHECKING:
    from arpad.lists import Audit, Imported


ABOUT_LISTS: Mapping[str, Any] = {
    "doors": frozenset({"command"}),
    "why": "it works with the rating lists of this machine",
}


@dataclass(frozen=True, kw_only=True)
class DataFolder(Asking):
    """Where the rating lists are."""

    folder: str | None = optional(readers.path, example="lists", option="data", group="lists", longest=LONGEST_PATH)


@dataclass(frozen=True, kw_only=True)
class ListOfDay(ListFields):
    """Which lists, in force on which day."""

    on: date | None = optional(readers.day, example="2026-11")


def pace_name(typed: str, _: Place) -> str | None:
    """Standard, rapid or blitz."""
    from arpad.lists import checked_pace

    return checked_pace(typed)


@dataclass(frozen=True, kw_only=True)
class OneList(DataFolder):
    """Which list, by name and by pace, where that is not clear."""

    name: str | None = optional(readers.text, example="fide")
    pace: str | None = optional(pace_name, example="rapid")


FEW = 10  # groups shown of a distribution
LONGEST_NAME = 40


def players(typed: str, place: Place) -> int:
    """A number of players, 0 or more."""
    return whole_of(typed, "players", 0, at=place.at)


@question(
    "list audit",
    needs=("before", "after"),
    **ABOUT_LISTS,
    examples=({"before": "2026-10", "after": "2026-11", "chart": "out.svg"},),
)
@dataclass(frozen=True, kw_only=True)
class ListAudit(ChartFile, ListFields):
    """What changed between two lists, and K against the rules."""

    before: date = required(readers.day, example="2025-08", word=True)
    after: date = required(readers.day, example="2025-09", word=True)
    pace: str = defaulting(pace_name, "standard", example="standard")  # type: ignore[arg-type]
    most: int = defaulting(players, 10, example="10")

    def run(self) -> Done:
        """Compare the lists."""
        from arpad.lists import audit_lists

        check_chart(self.chart, force=self.force)
        found = audit_lists(self.before, self.after, pace=self.pace, name=self.list, most=self.most, data=self.folder)
        wrote = write_chart(self.chart, lambda part: _draw(found, part), force=self.force)
        return Done(text=_summary(found), value=found.value(), below=wrote)


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
                players=thousands(group.players),
                k=group.k,
            )
        )
        for group in found.entered_k
    ]
    entered = thousands(counts.entered) + (f" ({', '.join(ks)})" if ks else "")
    rows = {
        "rated": str(say("command.audit.from_to", before=thousands(counts.before), after=thousands(counts.after))),
        "entered": entered,
        "left": thousands(counts.left),
        moved: thousands(number),
    }
    labels = {name: str(say(f"command.audit.count.{name}")) for name in rows}
    margin = max(map(len, labels.values())) + 2
    head = str(say("command.audit.head", name=found.name, before=months[0], after=months[1]))
    return "\n".join([head, *(f"{labels[name]:<{margin}}{value}" for name, value in rows.items())])


def _k_against_the_rules(found: Audit) -> list[str]:
    """Each line of the K rule with its players, and each K with the line that explains it; only for FIDE's lists."""
    if not found.checks:
        return []
    by_line = [
        [check.line, str(check.k), thousands(check.players), thousands(check.as_ruled)] for check in found.checks
    ]
    none = str(say("command.audit.no_line"))
    by_k = [[str(group.line or none), str(group.k or ""), thousands(group.players)] for group in found.k]
    return [
        f"{say('command.audit.checks', article=found.article)}\n"
        + table(["who", "k", "players", "as_ruled"], by_line, left=["who"]),
        f"{say('command.audit.every_k')}\n" + table(["line", "k", "players"], by_k, left=["line"]),
    ]


def _k_in_practice(found: Audit) -> list[str]:
    """Rapid and blitz: players whose standard rating was used, by K in standard, and adults with a newcomer's K."""
    parts = []
    if found.standing_in:
        rows = [[thousands(cell) for cell in astuple(line)] for line in found.standing_in]
        heading = say("command.audit.standing_in", pace=found.pace)
        parts.append(f"{heading}\n" + table(["standard_k", "players", "same_k", "points_a_game"], rows))
    if found.adults is not None:
        plain = ("k", "then", "under")  # a K or a rating, not a count
        figures = {name: value if name in plain else thousands(value) for name, value in asdict(found.adults).items()}
        parts.append("\n".join(wrapped(str(say("command.audit.adults", **figures)))))
    return parts


def _sample(key: str, rows: Sequence[object], every: int, names: Sequence[str]) -> list[str]:
    """Some players under a title, and how many more there are; empty if there are none."""
    if not rows:
        return []
    values = [{name: getattr(row, name) for name in names} for row in rows]
    used = [name for name in names if any(row[name] is not None for row in values)]
    cells = [["" if row[name] is None else str(row[name])[:LONGEST_NAME] for name in used] for row in values]
    more = [str(say("command.audit.more", more=thousands(every - len(rows)), every=every))] if every > len(rows) else []
    left = ["name", "federation", "before", "after"]
    return ["\n".join([str(say(f"command.audit.title.{key}")), table(used, cells, left=left), *more])]


def _distributions(found: Audit) -> list[str]:
    """Every age band, and the largest groups of the other distributions."""
    parts = []
    for by in ("federation", "age", "sex"):
        groups = [group for group in found.distributions if group.by == by]
        shown = groups if by == "age" else groups[:FEW]
        rows = [[str(group.group), thousands(group.players), str(group.mean)] for group in shown]
        more = [str(say("command.audit.all_groups", groups=len(groups)))] if len(groups) > len(shown) else []
        if len(groups) > 1:
            parts.append("\n".join([table([by, "players", "mean"], rows, left=[by]), *more]))
    return parts


SHOWN_BAD = 5
EXAMPLE_COLUMNS = "id=No,rating=Elo"


@dataclass(frozen=True, kw_only=True)
class ListHints(OneList):
    """What the file itself may not say."""

    month: str | None = optional(readers.text, example="2026-11")
    columns: str | None = optional(readers.text, example=EXAMPLE_COLUMNS, longest=LONGEST_NAMES)
    force: bool = flag()

    def imported(self, file: str) -> Done:
        """Import a file with these hints."""
        from arpad.lists import Hints, import_list, recognise

        columns = None if self.columns is None else columns_of(self.columns)
        source = recognise(file, Hints(self.name, self.month, self.pace, columns))
        with progress_bar("B", total=source.size, title=str(say("command.lists.importing"))) as step:
            return _reply(import_list(source, data=self.folder, progress=step, force=self.force))


@question(
    "list import",
    needs=("path",),
    **ABOUT_LISTS,
    examples=(
        {"path": "players_list.zip", "month": "2026-11"},
        {"path": "docs/examples/standard_nov26frl.txt"},
        {"path": "club.csv", "month": "2026-11", "columns": EXAMPLE_COLUMNS},
    ),
)
@dataclass(frozen=True, kw_only=True)
class ListImport(ListHints):
    """Import a rating list."""

    path: str = required(readers.path, example="players_list.zip", word=True, longest=LONGEST_PATH)

    def run(self) -> Done:
        """Import the file."""
        return self.imported(self.path)


def seconds(typed: str, place: Place) -> float:
    """A number of seconds."""
    return float(number(typed, "seconds", at=place.at))


@question("list fetch", **ABOUT_LISTS, examples=({}, {"url": ADDRESS}))
@dataclass(frozen=True, kw_only=True)
class ListFetch(ListHints):
    """Download FIDE's list and import it."""

    url: str = defaulting(readers.text, ADDRESS, example=ADDRESS, longest=LONGEST_PATH)
    timeout: float = defaulting(seconds, float(TIMEOUT), example="30")

    def run(self) -> Done:
        """Download and import; the file stays in the data folder."""
        from arpad.lists import folder

        with progress_bar("B", title=str(say("command.lists.fetching"))) as step:
            file = download_list(self.url, join(folder(self.folder), "files"), timeout=self.timeout, progress=step)
        return self.imported(file)


def _reply(imported: Imported) -> Done:
    """What an import did."""
    listed = imported.list
    key = "replaced" if imported.replaced is not None else "imported" if imported.changed else "unchanged"
    about = {"list": str(listed), "layout": listed.layout, "paces": list(listed.paces)}
    replaced = thousands(imported.replaced or 0)
    lines = in_lines(say(f"command.lists.{key}", players=listed.players, replaced=replaced, **about))
    if imported.bad:
        lines += in_lines(say("command.lists.bad", lines=len(imported.bad)))
        lines += [f"  {say('command.lists.bad_line', line=bad.line, why=bad.why)}" for bad in imported.bad[:SHOWN_BAD]]
        more = len(imported.bad) - SHOWN_BAD
        lines += [f"  {say('command.lists.more_bad', more=thousands(more))}"] if more > 0 else []
    value = {
        **listed.value(),
        "changed": imported.changed,
        "replaced": imported.replaced,
        "bad_lines": [asdict(bad) for bad in imported.bad],
    }
    return Done(text="\n".join(lines), value=value, notes=imported.notes, look=bool(imported.bad))


@question("list months", **ABOUT_LISTS, examples=({},))
@dataclass(frozen=True, kw_only=True)
class ListMonths(DataFolder):
    """The imported lists."""

    def run(self) -> Done:
        """List the lists."""
        from arpad.lists import FILE, folder, lists_in, reading

        with reading(self.folder) as connection:
            lists = lists_in(connection)
        rows = [
            [
                listed.name,
                f"{listed.month:%Y-%m}",
                ", ".join(listed.paces),
                thousands(listed.players),
                thousands(listed.bad),
                listed.layout,
            ]
            for listed in lists
        ]
        head = ["list", "month", "ratings", "players", "bad_lines", "layout"]
        return Done(
            text=fitted(head, rows, "list", left=["list", "month", "ratings", "layout"]),
            value={"file": f"{folder(self.folder)}/{FILE}", "lists": [listed.value() for listed in lists]},
        )


@question("list export", needs=("path",), **ABOUT_LISTS, examples=({"path": "out.parquet", "on": "2026-11"},))
@dataclass(frozen=True, kw_only=True)
class ListExport(ListOfDay):
    """Write a list as Parquet or CSV, one row per player."""

    path: str = required(readers.path, example="out.parquet", word=True, longest=LONGEST_PATH)
    force: bool = flag()

    def run(self) -> Done:
        """Write the file."""
        from arpad.lists import FIDE, export_lists

        lists, rows = export_lists(self.path, name=self.list, on=self.on, data=self.folder, force=self.force)
        names = list(map(str, lists))
        return Done(
            text="\n".join(in_lines(say("command.lists.exported", players=rows, lists=names, path=self.path))),
            value={"file": self.path, "players": rows, "list": lists[0].value(), "lists": names},
            below=[say("command.lists.not_passed_on")] if lists[0].name == FIDE else [],
        )


@question(
    "list remove",
    needs=("month",),
    **ABOUT_LISTS,
    examples=({"month": "2026-10"}, {"month": "2026-10", "name": "fide", "pace": "standard"}),
)
@dataclass(frozen=True, kw_only=True)
class ListRemove(OneList):
    """Remove an imported list."""

    month: date = required(readers.day, example="2026-10", word=True)

    def run(self) -> Done:
        """Remove the list."""
        from arpad.lists import remove

        removed = remove(self.month, name=self.name, pace=self.pace, data=self.folder)
        return Done(
            text=str(say("command.lists.removed", list=str(removed), players=removed.players)),
            value={"removed": removed.value()},
        )
