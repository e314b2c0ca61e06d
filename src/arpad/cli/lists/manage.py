"""`arpad list months`, `list export` and `list remove`: the imported lists."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from arpad.calculation.serialise import listing
from arpad.cli.lists import ABOUT_LISTS, DataFolder, ListOfDay, OneList
from arpad.cli.show import Reply, fitted, in_lines
from arpad.messages import say
from arpad.questions import readers
from arpad.questions.declare import flag, question, required
from arpad.questions.fields import LONGEST_PATH


@question("list months", **ABOUT_LISTS, examples=({},))
@dataclass(frozen=True, kw_only=True)
class ListMonths(DataFolder):
    """The imported lists."""

    def run(self) -> Reply:
        """List the lists."""
        from arpad.lists import FILE, folder, lists_in, reading

        with reading(self.folder) as connection:
            lists = lists_in(connection)
        rows = [
            [
                listed.name,
                f"{listed.month:%Y-%m}",
                ", ".join(listed.paces),
                f"{listed.players:,}",
                f"{listed.bad:,}",
                listed.layout,
            ]
            for listed in lists
        ]
        head = ["list", "month", "ratings", "players", "bad_lines", "layout"]
        return Reply(
            lambda _: fitted(head, rows, "list", left=["list", "month", "ratings", "layout"]),
            lambda: listing([], file=f"{folder(self.folder)}/{FILE}", lists=[listed.value() for listed in lists]),
        )


@question("list export", needs=("path",), **ABOUT_LISTS, examples=({"path": "out.parquet", "on": "2025-09"},))
@dataclass(frozen=True, kw_only=True)
class ListExport(ListOfDay):
    """Write a list as Parquet or CSV, one row per player."""

    path: str = required(readers.path, example="out.parquet", word=True, longest=LONGEST_PATH)
    force: bool = flag()

    def run(self) -> Reply:
        """Write the file."""
        from arpad.lists import FIDE, export_lists

        lists, rows = export_lists(self.path, name=self.list, on=self.on, data=self.folder, force=self.force)
        names = list(map(str, lists))
        value = {"file": self.path, "players": rows, "list": lists[0].value(), "lists": names}
        return Reply(
            lambda _: "\n".join(in_lines(say("command.lists.exported", players=rows, lists=names, path=self.path))),
            lambda: listing([], **value),
            lambda: in_lines(say("command.lists.not_passed_on")) if lists[0].name == FIDE else [],
        )


@question(
    "list remove",
    needs=("month",),
    **ABOUT_LISTS,
    examples=({"month": "2026-10"}, {"month": "2026-10", "name": "fide", "pace": "rapid"}),
)
@dataclass(frozen=True, kw_only=True)
class ListRemove(OneList):
    """Remove an imported list."""

    month: date = required(readers.day, example="2026-10", word=True)

    def run(self) -> Reply:
        """Remove the list."""
        from arpad.lists import remove

        removed = remove(self.month, name=self.name, pace=self.pace, data=self.folder)
        return Reply(
            lambda _: str(say("command.lists.removed", list=str(removed), players=removed.players)),
            lambda: listing([], removed=removed.value()),
        )
