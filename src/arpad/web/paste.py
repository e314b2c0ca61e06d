"""What was understood of a paste, before it is used: a page, which the script shows as a dialog.

It has the text line by line, the games as rows to correct, the fields that the text fills, and what was left out and
why. Its form leads back to the door it came from, with everything filled in.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arpad.errors import ArpadError
from arpad.reading.pasted import lines_of
from arpad.web.api import pairs_of, today
from arpad.web.doors import GAMES, brought_to
from arpad.web.forms import Form, read_form
from arpad.web.pages import root_of, shown
from arpad.web.replies import answering, sent_by
from arpad.web.rows import CELLS, GameRow, Query, rows_of
from arpad.web.site import DOORS, PAGES, field_label
from arpad.web.view import View

if TYPE_CHECKING:
    from arpad.reading.pasted import LeftOutLine, Paste

READ_AS = {"played": "rate", "ahead": "outlook", "first": "first"}  # the question whose rows a door takes a paste as
OF_PASTE = ("paste", "whose", "accept", "door", "add", "remove")
NOT_KEPT = ("row", "event", *CELLS, *GAMES, *OF_PASTE)


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A line of the text: its number, and whether it was left out, or has to be looked at."""

    number: int
    text: str
    kind: str


@dataclass(frozen=True, slots=True)
class EventRead:
    """The games of one event of a paste, as rows; a paste of a single event has no name for it."""

    rows: list[GameRow]
    name: str | None = None
    on: str = ""
    ended: str = ""


@dataclass(frozen=True, slots=True)
class Understood:
    """What a paste is understood to say."""

    door: str
    text: str
    form: Form
    before: list[str]  # the games that are there already
    accepted: tuple[str, ...] = ()  # the lines in doubt that are taken as suggested

    @property
    def reading(self) -> Paste | None:
        """What was read; None without a text."""
        return self.form.pastes[0].reading if self.form.pastes else None

    @property
    def lines(self) -> list[SourceLine]:
        """The text, line by line."""
        read = self.reading
        out = {line.line: "cur" if line.doubtful else "out" for line in (read.left_out if read else ())}
        return [
            SourceLine(one.number, one.raw, out.get(one.number, "")) for one in lines_of(self.text) if one.raw.strip()
        ]

    @property
    def left_out(self) -> list[list[LeftOutLine]]:
        """The lines that were left out, those that may hold a game first; lines with one reason are together."""
        together: dict[tuple[str, tuple[str, ...]], list[LeftOutLine]] = {}
        for line in sorted(self.reading.left_out, key=lambda line: not line.doubtful) if self.reading else []:
            together.setdefault((str(line.why), line.suggestion), []).append(line)
        return list(together.values())

    @property
    def events(self) -> list[EventRead]:
        """The games, by event if the text has several."""
        read = self.reading
        if read is None:
            return []
        if not read.events or self.door == "ahead":
            return [EventRead(self.form.rows)]
        rows = rows_of(
            [("game" if name == "open" else name, text) for name, text in self.form.pastes[0].pairs(to_come=True)]
        )
        return [
            EventRead(
                [row for row, game in zip(rows, read.games, strict=False) if game.event == event.name],
                event.name,
                event.on.isoformat(),
                event.ended.isoformat(),
            )
            for event in read.events
        ]

    @property
    def games(self) -> int:
        """How many games were understood."""
        return len(self.reading.games) if self.reading else 0

    @property
    def filled(self) -> list[tuple[str, str, str, int]]:
        """The fields that the text fills: name, label, value and line."""
        found = {} if self.form.from_paste is None else self.form.from_paste.filled
        return [
            (name, field_label(self.form.question, name) or name, str(stated.value), stated.line)
            for name, stated in found.items()
        ]

    @property
    def others(self) -> Query:
        """The other fields, to be sent along."""
        filled = {name for name, *_ in self.filled}
        return [pair for pair in self.form.pairs if pair[0] not in (*NOT_KEPT, *filled)]


async def _pasted(request: Request) -> Response:
    root = root_of(request)
    with answering(request.scope, "page"):
        given = pairs_of(await sent_by(request))
        door = next((text for name, text in given if name == "door" and text in READ_AS), "played")
        page = PAGES[READ_AS[door]]
        try:
            found = understood(door, given)
            view = View(page, found.form, error=found.form.error)
        except ArpadError as error:
            empty = read_form([], today=today(), question=page.question)
            found, view = Understood(door, "", empty, []), View(page, empty, error=error)
        return shown("paste.html", view, root, found=found, door=DOORS[door])


def understood(door: str, given: Query) -> Understood:
    """Read a paste that was sent with the other fields of a form."""
    text = next((text for name, text in given if name == "paste"), "")
    there = [text for name, text in brought_to(door, given) if name in GAMES]
    kept = [pair for pair in _of_the_whole(given) if pair[0].partition("-")[0] not in NOT_KEPT]
    asked = [pair for pair in given if pair[0] in ("whose", "accept")]
    pasted = [("paste", text)] if text.strip() else []
    form = read_form([*kept, *asked, *pasted], today=today(), question=READ_AS[door])
    return Understood(door, text, form, there, tuple(text for name, text in asked if name == "accept"))


def _of_the_whole(given: Query) -> Query:
    """The fields that belong to no event: what comes behind `event` is the event's, until `whole`."""
    found: Query = []
    inside = False
    for name, text in given:
        inside = name == "event" or (inside and name != "whole")
        if not inside and name != "whole":
            found.append((name, text))
    return found


ROUTES = [Route("/paste", _pasted, methods=["GET", "POST"])]
