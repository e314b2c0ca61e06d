"""The `arpad ledger` commands that show what is known: lists, people, events, changes, the log."""

from __future__ import annotations

import csv
import json
import os
from dataclasses import dataclass
from datetime import date
from io import StringIO
from typing import TYPE_CHECKING, Any

from arpad.calculation.serialise import to_json
from arpad.cli.files import Force
from arpad.cli.ledger import ABOUT, LEFT, InPool, OfLedger, moved, number, who_moved
from arpad.cli.reply import Done
from arpad.cli.show import fitted, table
from arpad.errors import BadInput
from arpad.formats.saving import safe_cell, save
from arpad.messages import apart, figure, halves, say
from arpad.questions import readers
from arpad.questions.declare import flag, optional, question, required
from arpad.questions.fields import LONGEST_PATH

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arpad.ledger import Ledger, LedgerEvent, LedgerList


@question(
    "ledger list",
    needs=("ledger",),
    **ABOUT,
    examples=({"ledger": "club.arpad"}, {"ledger": "club.arpad", "on": "2026-11-01", "in_pool": "blitz"}),
)
@dataclass(frozen=True, kw_only=True)
class LedgerListed(Force, InPool, OfLedger):
    """The list of today, of any day, or a published one."""

    on: date | None = optional(readers.day, example="2026-11-01")
    live: bool = flag()
    published_no: int | None = optional(number, example="3", option="number")
    women: bool = flag()
    born_since: int | None = optional(number, example="2008")
    active_since: date | None = optional(readers.day, example="2026-01-01")
    table_to: str | None = optional(readers.path, example="list.csv", option="to", longest=LONGEST_PATH, group="files")

    def run(self) -> Done:
        """Show the list."""
        opened = self.opened()
        if self.published_no is not None:
            listed = opened.published(self.published_no, self.in_pool)
        else:
            listed = opened.list(self.on or self.today, self.in_pool, live=self.live)
        whole = listed.fingerprint
        listed = listed.only(women=self.women, born_since=self.born_since, active_since=self.active_since)
        rows = [
            [
                str(line.rank),
                line.name,
                str(line.rating),
                str(line.deviation or ""),
                str(line.games),
                str(line.last or ""),
            ]
            for line in listed.players
        ]
        head = ["place", "name", "rating", "deviation", "games", "last"]
        if not any(line.deviation for line in listed.players):
            head, rows = head[:3] + head[4:], [row[:3] + row[4:] for row in rows]
        value: dict[str, Any] = {
            "pool": listed.pool,
            "system": listed.system,
            "date": listed.day.isoformat(),
            "number": listed.number,
            "revision": listed.revision,
            "fingerprint": whole,
            "players": [to_json(line) for line in listed.players],
        }
        below = [say("ledger.command.list", pool=listed.pool, system=listed.system, day=listed.day, print=whole[:12])]
        if listed.later is not None:
            below += [say("ledger.later", day=listed.later), say("ledger.command.with_later")]
        if self.table_to is not None:
            self._write(listed, value, self.table_to)
            below.append(say("command.wrote", path=self.table_to))
        table = fitted(head, rows, "name", left=("name", "last")) if rows else str(say("ledger.command.nobody"))
        return Done(text=table, value=value, below=below)

    def _write(self, listed: LedgerList, value: Mapping[str, Any], path: str) -> None:
        """The list as CSV or JSON, by the ending of the name."""
        ending = os.path.splitext(path)[1].lower()
        if ending not in (".csv", ".json"):
            raise BadInput(say("ledger.one_of", value=ending or path, allowed=[".csv", ".json"]), at="table_to")
        data = _csv(listed) if ending == ".csv" else (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()
        save(data, path, force=self.force)


def _csv(listed: LedgerList) -> bytes:

    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["rank", "id", "name", "rating", "deviation", "games", "last"])
    for line in listed.players:
        cells = (line.rank, line.id, line.name, line.rating, line.deviation, line.games, line.last)
        writer.writerow([safe_cell(cell) for cell in cells])
    return text.getvalue().encode()


@question(
    "ledger person",
    needs=("ledger", "person"),
    **ABOUT,
    examples=({"ledger": "club.arpad", "person": "Ann Baker"},),
)
@dataclass(frozen=True, kw_only=True)
class LedgerPerson(InPool, OfLedger):
    """A person: every event and every game, with the working."""

    person: str = required(readers.text, example="Ann Baker", word=True)

    def run(self) -> Done:
        """Show the person."""
        page = self.opened().person(self.person, self.in_pool)
        parts = [f"{page.name}   {page.id}   {'' if page.rating is None else page.rating}".rstrip()]
        for one in page.history:
            title = ", ".join(one.names) or str(say("ledger.set_by_hand", day=one.day))
            parts.append(f"{one.day}  {title}: {one.before or '–'} → {one.after or '–'}")
            rows = [
                [str(game.round), game.name, str(game.rating or ""), figure(game.score),
                 "" if game.change is None else figure(game.change, signed=True)]
                for game in one.games
            ]  # fmt: skip
            if rows:
                parts.append(fitted(["round", "opponent", "rating", "score", "change"], rows, "opponent", left=LEFT))
            if one.why is not None:
                parts.append(str(one.why))
            if one.working:
                parts.append(one.working)
        return Done(text="\n\n".join(parts), value=to_json(page))


@question(
    "ledger event",
    needs=("ledger",),
    **ABOUT,
    examples=({"ledger": "club.arpad"}, {"ledger": "club.arpad", "of_event": "4"}),
)
@dataclass(frozen=True, kw_only=True)
class LedgerEventShown(OfLedger):
    """The events, or one of them with the numbers of its players and games, as corrections need them."""

    of_event: int | None = optional(number, example="4", option="event", word=True)

    def run(self) -> Done:
        """Show them."""
        opened = self.opened()
        if self.of_event is not None:
            return self._one(opened, opened.event(self.of_event))
        events = sorted(opened.book.events.values(), key=lambda event: event.order)
        rows = [
            [str(one.id), figure(one.end), one.name, one.pool, str(len(one.games)), _left_out(one)] for one in events
        ]
        head = ["no", "day", "event", "pool", "games", "state"]
        if not any(one.excluded for one in events):
            head, rows = head[:-1], [row[:-1] for row in rows]
        text = fitted(head, rows, "event", left=(*LEFT, "pool")) if rows else str(say("ledger.site.no_events"))
        return Done(text=text, value={"events": [to_json(one) for one in events]})

    @staticmethod
    def _one(opened: Ledger, event: LedgerEvent) -> Done:
        book = opened.book
        people = book.persons()
        person = {no: people[book.who(entry.person)] for no, entry in event.entries.items()}
        days = " – ".join(dict.fromkeys((figure(event.start), figure(event.end))))
        about = "   ".join(filter(None, (event.name, days, event.pool, _left_out(event))))
        players = [[str(no), one.name, one.id] for no, one in sorted(person.items())]
        games = [
            [
                str(game.id),
                str(game.round),
                f"{game.white} {person[game.white].name}",
                halves(game.score) if game.black is None else f"{halves(game.score)}–{halves(game.other)}",
                str(say("ledger.site.bye")) if game.black is None else f"{game.black} {person[game.black].name}",
            ]
            for game in event.games.values()
        ]
        shown = [table(["no", "name", "person"], players, left=(*LEFT, "person"))]
        shown += [table(["game", "round", "white", "result", "black"], games, left=("white", "result", "black"))]
        return Done(text="\n\n".join([about, *shown]), value=to_json(event))


def _left_out(event: LedgerEvent) -> str:
    return str(say("ledger.page.left_out")) if event.excluded else ""


@question(
    "ledger changes",
    needs=("ledger", "before_day", "after_day"),
    **ABOUT,
    examples=(
        {"ledger": "club.arpad", "before_day": "2026-09-01", "after_day": "2026-11-01"},
        {"ledger": "club.arpad", "before_day": "2026-09-01", "after_day": "2026-11-01", "improvers": True},
    ),
)
@dataclass(frozen=True, kw_only=True)
class LedgerChanges(InPool, OfLedger):
    """Who moved between the lists of two days, and through which event first."""

    before_day: date = required(readers.day, example="2026-09-01", word=True)
    after_day: date = required(readers.day, example="2026-11-01", word=True)
    improvers: bool = flag()

    def run(self) -> Done:
        """Compare the lists."""
        movers = self.opened().changes(self.before_day, self.after_day, self.in_pool, improvers=self.improvers)
        return Done(text=who_moved(movers), value={"movers": moved(movers)})


@question("ledger log", needs=("ledger",), **ABOUT, examples=({"ledger": "club.arpad"},))
@dataclass(frozen=True, kw_only=True)
class LedgerLog(OfLedger):
    """Every decision: who, when, why, and what became of it."""

    def run(self) -> Done:
        """Show the log."""
        lines = self.opened().log()
        rows = []
        for one in lines:
            state = "" if one.undone is None else str(say("ledger.command.undone", number=one.undone))
            about = apart(filter(None, (one.about, one.why, state, "" if one.idle is None else one.idle)))
            rows.append([str(one.number), one.at[:10], one.who, about])
        table = fitted(["no", "at", "who", "about"], rows, "about", left=LEFT)
        return Done(text=table, value={"decisions": [to_json(one._asdict()) for one in lines]})
