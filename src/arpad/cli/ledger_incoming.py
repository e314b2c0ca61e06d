"""The `arpad ledger` commands for what comes in: members, events and single games, each with a preview first."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Any

from arpad.cli.files import LONGEST_NAMES
from arpad.cli.ledger import ABOUT, LEFT, Deciding, InPool, OfLedger, done, moved, persons, who_moved
from arpad.cli.reply import Done
from arpad.cli.show import in_lines, table
from arpad.core import whole_of
from arpad.formats import columns_of
from arpad.messages import apart, figure, say
from arpad.questions import readers
from arpad.questions.declare import flag, optional, question, required, several
from arpad.questions.fields import LONGEST_PATH, LONGEST_SECTION

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from arpad.ledger import Matched


@dataclass(frozen=True, kw_only=True, init=False, repr=False, eq=False)
class Settling(Deciding, InPool):
    """What comes in, and how its doubts are settled."""

    is_person: tuple[tuple[str, str], ...] = several(persons, example="7=P12", option="is")
    anyway: bool = flag()

    def settled(self) -> dict[int, str]:
        """The entries that somebody said something about."""
        return {whole_of(no, "most", 1, at="is_person"): person for no, person in self.is_person}


@dataclass(frozen=True, kw_only=True, init=False, repr=False, eq=False)
class Incoming(Settling):
    """A file that comes in."""

    file: str = required(readers.path, example="open.trf", word=True, longest=LONGEST_PATH)
    columns: str | None = optional(readers.text, example="no=Nr,name=Spieler", longest=LONGEST_NAMES, group="file")
    same_names: bool = flag()
    accept: bool = flag()

    def named_columns(self) -> dict[str, str] | None:
        """The names of a table's columns."""
        return None if self.columns is None else columns_of(self.columns)


def _entries(entries: Sequence[Matched], who: Mapping[int, str | None]) -> str:
    """How many are sure, who is new, and who is in doubt, with candidates and reasons."""
    doubtful = [one for one in entries if who[one.reported.no] is None]
    new = [one.reported.name for one in entries if who[one.reported.no] == "new"]
    sure = len(entries) - len(new) - len(doubtful)
    parts = [str(say("ledger.command.entries", sure=sure, new=len(new), doubtful=len(doubtful)))]
    if new:
        parts.append("\n".join(in_lines(say("ledger.command.new", names=apart(new)))))
    if doubtful:
        rows = [
            [str(one.reported.no), one.reported.name, ", ".join(one.candidates), apart(one.reasons)] for one in doubtful
        ]
        parts.append(table(["no", "name", "candidates", "reasons"], rows, left=(*LEFT, "candidates")))
    return "\n\n".join(parts)


def _entry_values(entries: Sequence[Matched], who: Mapping[int, str | None]) -> list[dict[str, Any]]:
    return [
        {
            "no": one.reported.no,
            "name": one.reported.name,
            "state": one.state,
            "person": who[one.reported.no],
            "candidates": list(one.candidates),
            "reasons": [str(reason) for reason in one.reasons],
        }
        for one in entries
    ]


@question(
    "ledger people",
    needs=("ledger", "file"),
    **ABOUT,
    examples=(
        {"ledger": "club.arpad", "file": "members.csv"},
        {"ledger": "club.arpad", "file": "members.csv", "in_pool": "main", "on": "2026-09-01", "accept": True},
    ),
)
@dataclass(frozen=True, kw_only=True)
class LedgerPeople(Incoming, OfLedger):
    """Take over a table of members, with their ratings if a pool is named."""

    on: date | None = optional(readers.day, example="2026-09-01")

    def run(self) -> Done:
        """Show what would be taken over, or take it over."""
        opened = self.opened()
        preview = opened.preview_members(self.file, pool=self.in_pool, day=self.on, columns=self.named_columns())
        preview = replace(preview, settled=self.settled(), same_names=self.same_names)
        who = {one.reported.no: preview.who(one) for one in preview.entries}
        rated = len(preview.ratings)
        if self.accept:
            new, taken = list(who.values()).count("new"), 0 if preview.pool is None else rated
            told = say("ledger.about.people", people=new, ratings=taken)
            return done(opened.accept_members(preview, anyway=self.anyway, **self.by), told)
        hint = [say("ledger.command.same_names")] if any(one.by_name_alone for one in preview.open) else []
        waiting = [say("ledger.command.ratings", ratings=rated)] if rated and preview.pool is None else []
        return Done(
            text=_entries(preview.entries, who),
            value={
                "accepted": False,
                "entries": _entry_values(preview.entries, who),
                "ratings": 0 if preview.pool is None else rated,
            },
            below=[*preview.problems, *preview.notes, *waiting, *hint, say("ledger.command.not_written")],
            look=bool(preview.open or preview.problems),
        )


@question(
    "ledger add",
    needs=("ledger", "file"),
    **ABOUT,
    examples=(
        {"ledger": "club.arpad", "file": "open.trf"},
        {"ledger": "club.arpad", "file": "games.csv", "on": "2026-11-01", "same_names": True, "accept": True},
        {"ledger": "club.arpad", "file": "open.trf", "is_person": ["7=P12", "9=new"], "accept": True},
    ),
)
@dataclass(frozen=True, kw_only=True)
class LedgerAdd(Incoming, OfLedger):
    """Add an event from a tournament file or a table of games: a preview first, then accept."""

    on: date | None = optional(readers.day, example="2026-11-01")
    until: date | None = optional(readers.day, example="2026-11-08")
    called: str | None = optional(readers.text, example="Club championship")
    section: str | None = optional(readers.text, example="Open A", longest=LONGEST_SECTION, group="file")

    def run(self) -> Done:
        """Show what the file would do, or accept it."""
        opened = self.opened()
        preview = opened.preview(
            self.file,
            pool=self.in_pool,
            called=self.called,
            start=self.on,
            end=self.until,
            columns=self.named_columns(),
            section=self.section,
        )
        preview = opened.effect_of(preview.settle(self.settled(), same_names=self.same_names, anyway=self.anyway))
        if self.accept:
            return done(opened.accept(preview, **self.by))
        who = {one.reported.no: preview.who(one) for one in preview.entries}
        days = " – ".join(dict.fromkeys((figure(preview.draft.start), figure(preview.draft.end))))
        parts = [f"{preview.draft.name}   {days}", _entries(preview.entries, who)]
        if preview.movers:
            parts.append(who_moved(preview.movers))
        value = {
            "accepted": False,
            "event": preview.draft.name,
            "entries": _entry_values(preview.entries, who),
            "problems": [str(problem) for problem in preview.problems],
            "movers": moved(preview.movers),
            "based_on": preview.based_on,
        }
        hint = [say("ledger.command.same_names")] if any(one.by_name_alone for one in preview.open) else []
        if not hint and preview.open:
            no = f"{preview.open[0].reported.no}"
            hint = [say("ledger.command.settle", no=no, person=next(iter(preview.open[0].candidates), "P12"))]
        below = [*preview.problems, *preview.draft.notes, *hint, say("ledger.command.not_written")]
        return Done(text="\n\n".join(parts), value=value, below=below, look=not preview.ready)


@question(
    "ledger game",
    needs=("ledger", "typed_game"),
    **ABOUT,
    examples=({"ledger": "club.arpad", "typed_game": ["Ann Baker 1-0 Carl Dorn, today"]},),
)
@dataclass(frozen=True, kw_only=True)
class LedgerGameTyped(Settling, OfLedger):
    """Add one game: White, the result, Black, and if needed the day and the pool."""

    typed_game: tuple[str, ...] = several(readers.text, example="Ann Baker 1-0 Carl Dorn, today", word=True)

    def run(self) -> Done:
        """Add the game."""
        opened = self.opened()
        preview = opened.preview_game(" ".join(self.typed_game), pool=self.in_pool, on=self.today)
        return done(opened.accept(preview.settle(self.settled(), anyway=self.anyway), **self.by))
