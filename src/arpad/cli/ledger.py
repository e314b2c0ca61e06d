"""The `arpad ledger` commands: a club's own ratings in one file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from getpass import getuser
from typing import TYPE_CHECKING, Any, TypedDict

from arpad.calculation.serialise import to_json
from arpad.cli.files import LONGEST_NAMES, Force
from arpad.cli.reply import Done
from arpad.cli.show import fitted, in_lines, table
from arpad.core import whole_of
from arpad.errors import BadFile, cause
from arpad.formats import columns_of
from arpad.formats.saving import check_free, safe_cell, save
from arpad.messages import apart, figure, halves, say
from arpad.questions import readers
from arpad.questions.declare import Place, flag, optional, question, required, several
from arpad.questions.fields import LONGEST_PATH, LONGEST_SECTION, Asking

if TYPE_CHECKING:
    from arpad.ledger import Effect, Ledger, LedgerEvent, LedgerList, Matched, Mover

ABOUT: Mapping[str, Any] = {"doors": frozenset({"command"}), "why": "it works with a ledger of this machine"}
LONGEST_REASON = 1000
LONGEST_ADDRESS = 400
SHOWN = 20  # people who moved, and entries, that a preview shows
LEFT = ("name", "event", "state", "reasons", "kind", "who", "about", "at", "opponent", "result", "colour")


class By(TypedDict):
    """Who decides, and why."""

    who: str
    why: str


def number(typed: str, place: Place) -> int:
    """A number of the log, of a game, or of a list."""
    return whole_of(typed, "most", 1, at=place.at)


@dataclass(frozen=True, kw_only=True, init=False, repr=False, eq=False)
class OfLedger(Asking):
    """Which ledger."""

    ledger: str = required(readers.path, example="club.arpad", word=True, longest=LONGEST_PATH)

    def opened(self) -> Ledger:
        """The ledger."""
        from arpad import ledger

        return ledger.open(self.ledger)


@dataclass(frozen=True, kw_only=True, init=False, repr=False, eq=False)
class Deciding(Asking):
    """Who decides, and why."""

    who: str | None = optional(readers.text, example="Ann", group="decision")
    reason: str | None = optional(
        readers.text, example="late result", option="why", longest=LONGEST_REASON, group="decision"
    )

    @property
    def by(self) -> By:
        """Who, by default the user of this machine, and why."""
        return {"who": self.who or getuser(), "why": self.reason or ""}


@dataclass(frozen=True, kw_only=True, init=False, repr=False, eq=False)
class InPool(Asking):
    """Which pool, if there are several."""

    in_pool: str | None = optional(readers.text, example="blitz", option="pool")


@dataclass(frozen=True, kw_only=True, init=False, repr=False, eq=False)
class PoolFields(Asking):
    """The system of a pool, and what it begins with."""

    pool_system: str = required(readers.text, example="glicko-2", option="system")
    begin: str | None = optional(readers.text, example="1500", option="start")
    at_once: str | None = optional(readers.text, example="month", option="period", choices=("event", "month"))
    set: tuple[tuple[str, str], ...] = several(readers.named_value, example="k=20")


def _who_moved(movers: Sequence[Mover]) -> str:
    """People whose rating changed, the largest change first."""
    if not movers:
        return str(say("ledger.command.nobody_moved"))
    rows = [
        [
            one.name,
            "" if one.before is None else figure(one.before),
            "" if one.after is None else figure(one.after),
            "" if one.change is None else figure(one.change, signed=True),
            one.event or "",
        ]
        for one in movers[:SHOWN]
    ]
    more = [str(say("ledger.command.more", more=len(movers) - SHOWN))] if len(movers) > SHOWN else []
    return "\n".join([fitted(["name", "before", "after", "change", "event"], rows, "event", left=LEFT), *more])


def done(effect: Effect, **value: Any) -> Done:
    """What a decision did."""
    parts = [str(say("ledger.command.decided", number=effect.decision))]
    parts += [f"{pool}\n{_who_moved(movers)}" for pool, movers in effect.movers.items()] or [_who_moved(())]
    below = [say("ledger.command.idle", number=number, why=why) for number, why in effect.idle]
    idle = [{"decision": number, "why": str(why)} for number, why in effect.idle]
    moved = {pool: _movers(movers) for pool, movers in effect.movers.items()}
    about = {"decision": effect.decision, "movers": moved, "idle": idle, **value}
    return Done(text="\n\n".join(parts), value=about, below=below, look=bool(effect.idle))


def _movers(movers: Sequence[Mover]) -> list[dict[str, Any]]:
    return [{**_plain(one), "change": None if one.change is None else str(one.change)} for one in movers]


def _plain(value: Any) -> Any:
    """A value of the ledger as JSON."""
    return to_json(value)


@question(
    "ledger new",
    needs=("ledger", "pool_system"),
    **ABOUT,
    examples=(
        {"ledger": "club.arpad", "pool_system": "glicko-2"},
        {"ledger": "club.arpad", "pool_system": "elo", "begin": "1500", "in_pool": "blitz", "club": "Riverside"},
    ),
)
@dataclass(frozen=True, kw_only=True)
class LedgerNew(Deciding, InPool, PoolFields, OfLedger):
    """Make a ledger with its first pool."""

    club: str | None = optional(readers.text, example="Riverside")

    def run(self) -> Done:
        """Make the file."""
        from arpad import ledger

        made = ledger.new(
            self.ledger,
            system=self.pool_system,
            who=self.by["who"],
            pool=self.in_pool or "main",
            name=self.club or "",
            start=self.begin,
            period=self.at_once,
            settings=dict(self.set),
        )
        pools = {name: _plain(pool) for name, pool in made.book.pools.items()}
        text = say("ledger.command.made", ledger=self.ledger)
        return Done(text="\n".join(in_lines(text)), value={"ledger": self.ledger, "pools": pools})


@question(
    "ledger pool",
    needs=("ledger", "new_pool", "pool_system"),
    **ABOUT,
    examples=({"ledger": "club.arpad", "new_pool": "rapid", "pool_system": "fide-rapid"},),
)
@dataclass(frozen=True, kw_only=True)
class LedgerPool(Deciding, PoolFields, OfLedger):
    """Add a pool: games that are rated together."""

    new_pool: str = required(readers.text, example="rapid", word=True)

    def run(self) -> Done:
        """Add the pool."""
        return done(
            self.opened().add_pool(
                self.new_pool,
                self.pool_system,
                start=self.begin,
                period=self.at_once,
                settings=dict(self.set),
                **self.by,
            )
        )


def persons(typed: str, place: Place) -> tuple[str, str]:
    """NUMBER=PERSON."""
    return readers.named_value(typed, place)


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
        more = [str(say("ledger.command.more", more=len(new) - SHOWN))] if len(new) > SHOWN else []
        parts.append("\n".join([*in_lines(say("ledger.command.new", names=apart(new[:SHOWN]))), *more]))
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
        from dataclasses import replace

        opened = self.opened()
        preview = opened.preview_members(self.file, pool=self.in_pool, day=self.on, columns=self.named_columns())
        preview = replace(preview, settled=self.settled())
        who = {one.reported.no: preview.who(one) for one in preview.entries}
        if self.accept:
            return done(opened.accept_members(preview, anyway=self.anyway, **self.by))
        rated = len(preview.ratings)
        waiting = [say("ledger.command.ratings", ratings=rated)] if rated and preview.pool is None else []
        return Done(
            text=_entries(preview.entries, who),
            value={
                "accepted": False,
                "entries": _entry_values(preview.entries, who),
                "ratings": 0 if preview.pool is None else rated,
            },
            below=[*preview.problems, *waiting, say("ledger.command.not_written")],
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
    same_names: bool = flag()

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
            parts.append(_who_moved(preview.movers))
        value = {
            "accepted": False,
            "event": preview.draft.name,
            "entries": _entry_values(preview.entries, who),
            "problems": [str(problem) for problem in preview.problems],
            "movers": _movers(preview.movers),
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
        if self.table_to is not None:
            check_free(self.table_to, force=self.force)
            save(_csv(listed), self.table_to, force=self.force)
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
        value = {
            "pool": listed.pool,
            "system": listed.system,
            "date": listed.day.isoformat(),
            "number": listed.number,
            "revision": listed.revision,
            "fingerprint": whole,
            "players": [_plain(line) for line in listed.players],
        }
        below = [say("ledger.command.list", pool=listed.pool, system=listed.system, day=listed.day, print=whole[:12])]
        below += [say("command.wrote", path=self.table_to)] if self.table_to else []
        table = fitted(head, rows, "name", left=("name", "last")) if rows else str(say("ledger.command.nobody"))
        return Done(text=table, value=value, below=below)


def _csv(listed: LedgerList) -> bytes:
    import csv
    from io import StringIO

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
        return Done(text="\n\n".join(parts), value=_plain(page))


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
        return Done(text=text, value={"events": [_plain(one) for one in events]})

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
        return Done(text="\n\n".join([about, *shown]), value=_plain(event))


def _left_out(event: LedgerEvent) -> str:
    return str(say("ledger.page.left_out")) if event.excluded else ""


@question(
    "ledger changes",
    needs=("ledger", "before_day", "after_day"),
    **ABOUT,
    examples=({"ledger": "club.arpad", "before_day": "2026-09-01", "after_day": "2026-11-01"},),
)
@dataclass(frozen=True, kw_only=True)
class LedgerChanges(InPool, OfLedger):
    """Who moved between the lists of two days, and through which event first."""

    before_day: date = required(readers.day, example="2026-09-01", word=True)
    after_day: date = required(readers.day, example="2026-11-01", word=True)

    def run(self) -> Done:
        """Compare the lists."""
        movers = self.opened().changes(self.before_day, self.after_day, self.in_pool)
        return Done(text=_who_moved(movers), value={"movers": _movers(movers)})


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
        return Done(text=table, value={"decisions": [_plain(one._asdict()) for one in lines]})


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
    "ledger settings",
    needs=("ledger",),
    **ABOUT,
    examples=({"ledger": "club.arpad", "policy": "window", "window": "30"},),
)
@dataclass(frozen=True, kw_only=True)
class LedgerSettings(Deciding, OfLedger):
    """The club's name, and whether a published list may be revised."""

    club: str | None = optional(readers.text, example="Riverside")
    policy: str | None = optional(readers.text, example="revise", choices=("never", "revise", "window"))
    window: int | None = optional(number, example="30")

    def run(self) -> Done:
        """Change them, or show them."""
        opened = self.opened()
        if any(value is not None for value in (self.club, self.policy, self.window)):
            opened.set_policy(name=self.club, policy=self.policy, window=self.window, **self.by)
        settings = opened.book.settings
        says = say(f"ledger.policy.{settings.policy}", window=settings.window)
        text = say("ledger.command.settings", club=settings.name or self.ledger, says=says)
        return Done(text=str(text), value=_plain(settings))


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
