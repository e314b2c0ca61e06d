"""`arpad convert`: convert a tournament file to another format."""

from __future__ import annotations

from dataclasses import dataclass

from arpad.calculation.serialise import listing
from arpad.cli.files import Force, TournamentFile, any_serious, oddity_lines, oddity_values, size_of
from arpad.cli.show import Reply, warn
from arpad.errors import BadInput
from arpad.formats.recognise import FORMATS, written
from arpad.formats.saving import check_outputs, save
from arpad.messages import say
from arpad.questions import readers
from arpad.questions.declare import optional, question, required
from arpad.questions.fields import LONGEST_PATH

PRINT = "-"


@question(
    "convert",
    needs=("path", "output"),
    doors=frozenset({"command"}),
    why="it reads and writes files of this machine",
    examples=(
        {"path": "open.trf", "output": "open.csv"},
        {"path": "results.csv", "output": "open.trf", "format": "trf26", "columns": "no=Nr,name=Spieler"},
        {"path": "docs/examples/open.trf", "output": PRINT, "format": "json"},
    ),
)
@dataclass(frozen=True, kw_only=True)
class Convert(TournamentFile, Force):
    """A tournament file in another format."""

    output: str = required(readers.path, example="open.csv", word=True, longest=LONGEST_PATH)
    format: str | None = optional(readers.text, example="trf16", option="to")

    def run(self) -> Reply:
        """Convert the file."""
        printed = self.output == PRINT
        if printed:
            self._check_printable()
        else:
            check_outputs([self.output], [self.path], force=self.force)
        tournament = self.tournament()
        data, lost = written(tournament, self.format, self.output)
        for one in lost:
            warn(str(one))
        if printed:
            content = data.decode().replace("\r\n", "\n").rstrip("\n")
        else:
            save(data, self.output, force=self.force)
            content = f"{self.output}   {size_of(tournament)}"
        value = {
            "file": self.output,
            "players": len(tournament.entrants),
            "rounds": tournament.rounds,
            "bytes": len(data),
            **({"text": content} if printed else {}),
            "left_out": oddity_values(lost),
            "oddities": oddity_values(tournament.oddities),
        }
        left_out = [one for one in tournament.oddities if one.lost]
        return Reply(
            lambda _: content,
            lambda: listing([], **value),
            lambda: [] if printed else oddity_lines(left_out),
            look=any_serious(tournament.oddities),
            data=printed,
        )

    def _check_printable(self) -> None:
        """Refuse to print without a format, or one that is not text."""
        if self.format is None:
            raise BadInput(say("command.convert.format_needed", formats=list(FORMATS)), at="format")
        if self.format == "xlsx":
            raise BadInput(say("command.convert.not_printable"), at="format")
