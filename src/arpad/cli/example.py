"""`arpad example`: write one of the packaged example files, so that every command can be tried."""

from __future__ import annotations

import os
from dataclasses import dataclass

from arpad.cli.files import Force
from arpad.cli.reply import Done
from arpad.errors import BadInput, UnknownName
from arpad.formats.saving import check_outputs, save
from arpad.messages import say
from arpad.questions import readers
from arpad.questions.declare import flag, optional, question
from arpad.questions.fields import LONGEST_PATH, Asking

PACKAGED = os.path.join(os.path.dirname(os.path.dirname(__file__)), "examples")
# In a checkout, where the package has no copy, the files are those of the documentation.
CHECKED_OUT = os.path.join(os.path.dirname(__file__), *[os.pardir] * 3, "docs", "examples")
TRY = {
    "open.trf": "arpad event open.trf",
    "last-round.trf": "arpad next last-round.trf",
    "norms.trf": "arpad norms norms.trf",
    "section.trf": "arpad section section.trf",
    "riverside.toml": "arpad rate 1500 1700:win --rules riverside.toml",
    "card.txt": "arpad paste card.txt",
    "own-card.txt": "arpad paste own-card.txt",
    "entries.csv": "arpad entries entries.csv",
}


@question(
    "example",
    doors=frozenset({"command"}),
    why="it writes files of this machine",
    examples=({"name": "open.trf"}, {"all": True}, {}),
)
@dataclass(frozen=True, kw_only=True)
class ExampleFile(Force, Asking):
    """Write an example file here, or all of them; without a name, list them."""

    name: str | None = optional(readers.path, example="open.trf", word=True, longest=LONGEST_PATH)
    all: bool = flag(group="files")

    def run(self) -> Done:
        """Write the files, and say what to try with one."""
        folder = example_folder()
        names = sorted(os.listdir(folder))
        if self.name is None and not self.all:
            return Done(text=str(say("command.example.files", names=names)), value={"files": names})
        if self.name is not None and self.name not in names:
            raise UnknownName("example", self.name, known=names, at="name")
        wanted = names if self.name is None or self.all else [self.name]
        check_outputs(wanted, [], force=self.force)
        for name in wanted:
            with open(os.path.join(folder, name), "rb") as file:
                save(file.read(), name, force=self.force)
        lines = [str(say("command.wrote", path=name)) for name in wanted]
        lines += [str(say("command.example.try", line=TRY[name])) for name in (self.name or "open.trf",) if name in TRY]
        return Done(text="\n".join(lines), value={"written": wanted})


def example_folder() -> str:
    """The folder of the example files; raises BadInput if this installation has none."""
    for folder in (PACKAGED, CHECKED_OUT):
        if os.path.isdir(folder):
            return folder
    raise BadInput(say("command.example.none"), at="name")
