"""The `arpad ledger` commands for what goes out: frozen lists, pages, exports; and the check that all of it is true."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

from arpad.cli.files import Force
from arpad.cli.ledger import ABOUT, LONGEST_ADDRESS, Deciding, InPool, OfLedger, number
from arpad.cli.reply import Done
from arpad.cli.show import in_lines
from arpad.errors import BadFile, cause
from arpad.formats.saving import check_free, save
from arpad.messages import say
from arpad.questions import readers
from arpad.questions.declare import optional, question, required
from arpad.questions.fields import LONGEST_PATH

if TYPE_CHECKING:
    from collections.abc import Sequence


@question("ledger freeze", needs=("ledger",), **ABOUT, examples=({"ledger": "club.arpad", "on": "2026-11-01"},))
@dataclass(frozen=True, kw_only=True)
class LedgerFreeze(Deciding, InPool, OfLedger):
    """Freeze the list of a day, with a number and a fingerprint; it never changes."""

    on: date | None = optional(readers.day, example="2026-11-01")

    def run(self) -> Done:
        """Freeze the list."""
        listed = self.opened().publish(self.on or self.today, self.in_pool, **self.by)
        about = {"number": listed.number, "revision": listed.revision, "pool": listed.pool}
        key = "ledger.command.revised" if listed.revision else "ledger.command.frozen"
        text = say(key, day=listed.day, players=len(listed.players), print=listed.fingerprint, **about)
        value = {**about, "date": listed.day.isoformat(), "fingerprint": listed.fingerprint}
        early = [say("ledger.command.future", day=listed.day)] if listed.day > self.today else []
        return Done(text="\n".join(in_lines(text)), value=value, below=early)


@question(
    "ledger publish",
    needs=("ledger", "site"),
    **ABOUT,
    examples=(
        {"ledger": "club.arpad", "site": "site"},
        {"ledger": "club.arpad", "site": "site", "address": "https://club.example/ratings/"},
    ),
)
@dataclass(frozen=True, kw_only=True)
class LedgerPublish(Force, OfLedger):
    """Publish the ratings as static pages in a folder; run again, it writes only what changed."""

    site: str = required(readers.path, example="site", word=True, longest=LONGEST_PATH)
    address: str | None = optional(readers.text, example="https://club.example/ratings/", longest=LONGEST_ADDRESS)

    def run(self) -> Done:
        """Make the pages and write those that changed."""
        from arpad.reports.ledger_site import publish_ledger

        done = publish_ledger(self.opened(), self.site, address=self.address or "", force=self.force)
        counts = {"files": done.files, "written": len(done.written), "removed": len(done.removed)}
        return Done(
            text=str(say("publish.summary", folder=self.site, **counts)),
            value={"folder": self.site, "files": done.files, "written": done.written, "removed": done.removed},
        )


@question(
    "ledger export", needs=("ledger", "to_file"), **ABOUT,
    examples=(
        {"ledger": "club.arpad", "to_file": "club.json"},
        {"ledger": "club.arpad", "to_file": "open.trf", "event_no": "4"},
    ),
)  # fmt: skip
@dataclass(frozen=True, kw_only=True)
class LedgerExport(Force, OfLedger):
    """Write everything as JSON, or one event as TRF, CSV, Excel or JSON."""

    to_file: str = required(readers.path, example="club.json", word=True, longest=LONGEST_PATH)
    event_no: int | None = optional(number, example="4", option="event")

    def run(self) -> Done:
        """Write the file."""
        check_free(self.to_file, force=self.force)
        lost: Sequence[Any] = ()
        if self.event_no is not None:
            lost = self.opened().write_event(self.event_no, self.to_file, force=self.force)
        else:
            save(self.opened().export(), self.to_file, force=self.force)
        return Done(text=str(say("command.wrote", path=self.to_file)), value={"file": self.to_file}, below=lost)


@question(
    "ledger import", needs=("ledger", "file"), **ABOUT, examples=({"ledger": "again.arpad", "file": "club.json"},)
)
@dataclass(frozen=True, kw_only=True)
class LedgerImport(OfLedger):
    """Make a ledger from an export, with the same log and the same lists."""

    file: str = required(readers.path, example="club.json", word=True, longest=LONGEST_PATH)

    def run(self) -> Done:
        """Make the ledger."""
        from arpad import ledger

        try:
            with open(self.file, "rb") as file:
                data = file.read()
        except OSError as problem:
            raise BadFile(say("formats.file.unreadable", why=cause(problem)), at=self.file) from None
        made = ledger.restore(data, self.ledger)
        text = say("ledger.command.imported", ledger=self.ledger, decisions=made.book.last)
        return Done(text=str(text), value={"ledger": self.ledger, "decisions": made.book.last})


@question("ledger verify", needs=("ledger",), **ABOUT, examples=({"ledger": "club.arpad"},))
@dataclass(frozen=True, kw_only=True)
class LedgerVerify(OfLedger):
    """Check the log, and make every published list again from it."""

    def run(self) -> Done:
        """Check it."""
        found = self.opened().verify()
        key = "whole" if found.whole else "not_whole"
        text = say(f"ledger.command.{key}", decisions=found.decisions, lists=found.lists)
        wrong = [str(one) for one in found.wrong]
        value = {"decisions": found.decisions, "lists": found.lists, "whole": found.whole, "wrong": wrong}
        return Done(text=str(text), value=value, below=wrong, look=not found.whole)
