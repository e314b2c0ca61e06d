"""`arpad convert`: convert a tournament file to another format."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING

from arpad.cli.files import Force, TournamentFile, any_serious, oddity_lines, oddity_values, size_of
from arpad.cli.reply import Done
from arpad.cli.show import warn
from arpad.errors import BadInput
from arpad.formats import EXTENSIONS, FORMATS, file_bytes, read_bytes
from arpad.formats.saving import check_outputs, save
from arpad.messages import say
from arpad.questions import readers
from arpad.questions.declare import optional, question, required, several
from arpad.questions.fields import LONGEST_PATH, ListFields
from arpad.questions.tournaments import EXAMPLE, RESULT_COLUMNS, RESULTS, listed
from arpad.reading import read_pace
from arpad.tournaments.submission import MISSING, paces_of, submission_items

if TYPE_CHECKING:
    from arpad.core.tournaments import Tournament
    from arpad.messages import Message

PRINT = "-"
FACTS = ("name", "city", "federation", "start", "end", "round_days", "arbiter", "deputies", "kind")  # of an event


@question(
    "convert",
    needs=("path", "output"),
    doors=frozenset({"command"}),
    why="it reads and writes files of this machine",
    examples=(
        {"path": EXAMPLE, "output": "open.csv"},
        {"path": RESULTS, "output": "club.trf", "format": "trf26", "columns": RESULT_COLUMNS},
        {"path": EXAMPLE, "output": PRINT, "format": "json"},
        {"path": RESULTS, "output": "club.trf", "format": "trf16", "columns": RESULT_COLUMNS, "name": "Club Evening"},
    ),
)
@dataclass(frozen=True, kw_only=True)
class Convert(TournamentFile, ListFields, Force):
    """Convert a tournament file to another format, filling in what is given on the command line."""

    output: str = required(readers.path, example="open.csv", word=True, longest=LONGEST_PATH)
    format: str | None = optional(readers.text, example="trf16", option="to")
    name: str | None = optional(readers.text, example="Harbour Open", group="event")
    city: str | None = optional(readers.text, example="Rijeka", group="event")
    federation: str | None = optional(readers.federation, example="CRO", group="event")
    start: date | None = optional(readers.day, example="2026-08-15", option="from", group="event")
    end: date | None = optional(readers.day, example="2026-08-20", option="until", group="event")
    round_days: tuple[date, ...] = several(readers.day, example="2026-08-15", takes=None, group="event")
    arbiter: str | None = optional(readers.text, example="Marin, Ivana (IA, 14500000)", group="event")
    deputies: tuple[str, ...] = several(
        readers.text, example="Kovac, Petar (FA, 14500001)", option="deputy", group="event"
    )
    kind: str | None = optional(readers.text, example="Individual: Swiss-System", group="event")
    time: str | None = optional(readers.text, example="90+30", group="event")

    def run(self) -> Done:
        """Convert the file."""
        printed = self.output == PRINT
        if printed:
            self._check_printable()
        else:
            check_outputs([self.output], [self.path], force=self.force)
        tournament = self._completed()
        data, lost = file_bytes(tournament, self.format, self.output)
        for oddity in lost:
            warn(str(oddity))
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
        refused = self._refused(data)
        if refused is not None:
            value["refused"] = [str(reason) for reason in refused]
        left_out = [oddity for oddity in tournament.oddities if oddity.lost]
        return Done(
            text=content,
            value=value,
            below=() if printed else [*oddity_lines(left_out), *(refused or ())],
            look=any_serious(tournament.oddities),
            data=printed,
            warnings=(refused or ()) if printed else (),
        )

    def _completed(self) -> Tournament:
        """The tournament, with the facts given on the command line and what a rating list says about its players."""
        found = self.tournament()
        given = {name: getattr(self, name) for name in FACTS}
        given = {name: value for name, value in given.items() if value}
        if self.time is not None:
            given |= {"time_control": self.time, "pace": read_pace(self.time).pace}
        if given:
            found = replace(found, **given)
        if self.list is not None:
            pace = next(iter(paces_of(found)), "standard")
            found = listed(found, self.list, self.folder, pace, on=found.start or self.today)
        return found

    def _refused(self, data: bytes) -> list[Message] | None:
        """What FIDE would refuse in the written report; None if the format is not FIDE's."""
        format = self.format or EXTENSIONS.get(os.path.splitext(self.output)[1].lower(), "")
        if not format.startswith("trf"):
            return None
        missing = [item for item in submission_items(read_bytes(data, self.output)) if item.state == MISSING]
        return [say("command.convert.refused", what=item.what, do=item.do) for item in missing]

    def _check_printable(self) -> None:
        """Refuse to print without a format, or in one that is not text."""
        if self.format is None:
            raise BadInput(say("command.convert.format_needed", formats=list(FORMATS)), at="format")
        if self.format == "xlsx":
            raise BadInput(say("command.convert.not_printable"), at="format")
