"""`arpad list import` and `arpad list fetch`: a rating list from a file or from the web."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from os.path import join
from typing import TYPE_CHECKING

from arpad.calculation.explain import wrapped
from arpad.calculation.serialise import listing
from arpad.cli.files import LONGEST_NAMES, progress_bar
from arpad.cli.lists import ABOUT_LISTS, OneList
from arpad.cli.show import Reply, in_lines
from arpad.core import number
from arpad.formats.columns import columns_of
from arpad.lists import ADDRESS, TIMEOUT, download_list
from arpad.messages import say
from arpad.questions import readers
from arpad.questions.declare import Place, defaulting, flag, optional, question, required
from arpad.questions.fields import LONGEST_PATH

if TYPE_CHECKING:
    from arpad.lists import Imported

SHOWN_BAD = 5
EXAMPLE_COLUMNS = "id=No,rating=Elo"


@dataclass(frozen=True, kw_only=True)
class ListHints(OneList):
    """What the file itself may not say."""

    month: str | None = optional(readers.text, example="2026-11")
    columns: str | None = optional(readers.text, example=EXAMPLE_COLUMNS, longest=LONGEST_NAMES)
    force: bool = flag()

    def imported(self, file: str) -> Reply:
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
        {"path": "standard_sep26frl.txt"},
        {"path": "club.csv", "month": "2026-11", "columns": EXAMPLE_COLUMNS},
    ),
)
@dataclass(frozen=True, kw_only=True)
class ListImport(ListHints):
    """Import a rating list."""

    path: str = required(readers.path, example="players_list.zip", word=True, longest=LONGEST_PATH)

    def run(self) -> Reply:
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

    def run(self) -> Reply:
        """Download and import; the file stays in the data folder."""
        from arpad.lists import folder

        with progress_bar("B", title=str(say("command.lists.fetching"))) as step:
            file = download_list(self.url, join(folder(self.folder), "files"), timeout=self.timeout, progress=step)
        return self.imported(file)


def _reply(imported: Imported) -> Reply:
    """What an import did."""
    listed = imported.list
    key = "replaced" if imported.replaced is not None else "imported" if imported.changed else "unchanged"
    about = {"list": str(listed), "layout": listed.layout, "paces": list(listed.paces)}
    replaced = f"{imported.replaced or 0:,}"
    lines = in_lines(say(f"command.lists.{key}", players=listed.players, replaced=replaced, **about))
    if imported.bad:
        lines += in_lines(say("command.lists.bad", lines=len(imported.bad)))
        lines += [f"  {say('command.lists.bad_line', line=bad.line, why=bad.why)}" for bad in imported.bad[:SHOWN_BAD]]
        more = len(imported.bad) - SHOWN_BAD
        lines += [f"  {say('command.lists.more_bad', more=f'{more:,}')}"] if more > 0 else []
    value = {
        **listed.value(),
        "changed": imported.changed,
        "replaced": imported.replaced,
        "bad_lines": [asdict(bad) for bad in imported.bad],
    }
    return Reply(
        lambda _: "\n".join(lines),
        lambda: listing([], **value) | {"notes": list(map(str, imported.notes))},
        lambda: [row for note in imported.notes for row in wrapped(str(note))],
        look=bool(imported.bad),
    )
