"""`arpad desk FOLDER`: follows the folder into which a pairing program saves, and shows its events on a local page.

Nothing is written into the folder. A file counts when it has not changed between two looks and can be read whole; until
then, and whatever happens to it afterwards, the last good state stays.
"""

from __future__ import annotations

import gc
import os
import time
import webbrowser
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime
from threading import RLock, Thread
from typing import TYPE_CHECKING

from arpad.cli.reply import Done
from arpad.cli.watch import HEADERS, HIDDEN, NAMES, PageServer, Stamp, first_version, stamp_of
from arpad.errors import ArpadError, BadFile, UnknownName
from arpad.formats import PROGRAMS, REPORTS, TABLES
from arpad.formats.organiser_tables import read_prizes
from arpad.messages import PAPER, say, speaking, voice
from arpad.questions import readers
from arpad.questions.declare import flag, optional, question, required
from arpad.questions.fields import LONGEST_PATH, ListFields
from arpad.questions.read import DEFAULT_SYSTEM
from arpad.questions.tournaments import EventOf
from arpad.reports.desk import STANDINGS, TABS, DeskEvent, DeskState, EventTabs, desk_page
from arpad.reports.desk_papers import handed_out
from arpad.reports.desk_state import DeskRating, PrizeList
from arpad.reports.page import live_script
from arpad.tournaments.checks import game_inconsistencies
from arpad.tournaments.submission import paces_of

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

    from arpad.core.tournaments import Tournament
    from arpad.messages import Message
    from arpad.simulation.answer import EventChances

EVERY = 0.5  # seconds between two looks
SETTLED = 10.0  # seconds after which a doubtful file that nobody knew before counts as finished
OWN_FILES = (*REPORTS, *PROGRAMS)  # if such a file cannot be read, the desk says so; other files may be anything
PRIZES = "prizes.csv"  # for every event of the folder; for one alone, behind the name of its file and a hyphen
ONE_SIDED = ("opponent", "result")  # findings of a file that ends too early: a game that only one side has


@question(
    "desk",
    needs=("path",),
    doors=frozenset({"command"}),
    why="it follows a folder of this machine",
    examples=({"path": "tournament"}, {"path": "tournament", "port": 8000, "list": "fide"}),
)
@dataclass(frozen=True, kw_only=True)
class DeskCommand(ListFields):
    """The events in a folder on a local page that follows every save."""

    path: str = required(readers.path, example="tournament", word=True, longest=LONGEST_PATH)
    port: int | None = optional(readers.port, example="8000")
    open: bool = flag()
    several: bool = flag(group="prizes")

    def run(self) -> Done:
        """Follow the folder until stopped."""
        if not os.path.isdir(self.path):
            raise BadFile(say("command.desk.no_folder"), at=self.path)
        gc.enable()
        desk = Desk(self.path, self.rated, several=self.several)
        with closing(DeskPage(desk, self.port or 0)) as page:
            print(say("command.desk.running", folder=self.path, address=page.address), flush=True)
            if self.open:
                webbrowser.open(page.address)
            with speaking(voice().language, door=PAPER):
                while True:
                    desk.look()
                    time.sleep(EVERY)

    def rated(self, path: str) -> DeskRating:
        """The event of a file, rated for the list of its time control; on today's rules if it has no first day.

        An event too long for one report is also rated in its parts, each by the list of its month.
        """
        asked = EventOf(
            today=self.today, day=self.day, path=path, system=DEFAULT_SYSTEM, list=self.list, folder=self.folder
        )
        found = asked.in_file()
        pace = next(iter(paces_of(found)), "standard")
        asked = replace(asked, system=f"fide-{pace}", on=None if found.start else self.today)
        return DeskRating(asked.rated(asked.with_list(found)), asked.in_parts(found))


class Desk:
    """The events of a folder, each with its last good state."""

    def __init__(
        self,
        folder: str,
        rate: Callable[[str], DeskRating],
        clock: Callable[[], float] = time.monotonic,
        *,
        several: bool = False,
    ) -> None:
        # Replaced as a whole, so that a page never shows half of a change.
        self.state = DeskState(folder, version=first_version())
        self._rate = rate
        self._clock = clock
        self._several = several
        self._changing = RLock()
        self._simulating = RLock()
        self._prizes: dict[str, tuple[Stamp, PrizeList]] = {}
        self._seen: dict[str, Stamp] = {}  # at the last look
        self._done: dict[str, Stamp] = {}  # as they were read, or refused
        self._doubted: dict[str, tuple[Stamp, float]] = {}  # since when a doubtful file has not changed

    def look(self) -> None:
        """Look at the folder once, and take every file that has settled since it was last taken."""
        found = self._files()
        for path in [path for path in self._done if path not in found]:
            del self._done[path]
            self._doubted.pop(path, None)
            self._gone(path)
        for path, stamp in sorted(found.items(), key=lambda item: item[1].changed):
            if _is_prizes(path):
                self._read_prizes(path, stamp)
            elif stamp == self._seen.get(path) and stamp != self._done.get(path):
                self._take(path, stamp)
        self._prizes = {path: read for path, read in self._prizes.items() if path in found}
        self._give_prizes()
        self._seen = found

    def _read_prizes(self, path: str, stamp: Stamp) -> None:
        """Read a table of prizes that has settled; what is wrong with it is said beside those read before."""
        before = self._prizes.get(path)
        if stamp != self._seen.get(path) or (before is not None and before[0] == stamp):
            return
        name = os.path.basename(path)
        try:
            read = PrizeList(name, read_prizes(path), several=self._several)
        except ArpadError as error:
            known = () if before is None else before[1].prizes
            read = PrizeList(name, known, self._plain(error), self._several)
        self._prizes[path] = stamp, read

    def _prizes_for(self, path: str) -> PrizeList | None:
        """The prizes of an event: those with the name of its file, otherwise those of the folder."""
        stem = os.path.splitext(os.path.basename(path))[0]
        there = {os.path.basename(file).lower(): read for file, (_, read) in self._prizes.items()}
        return there.get(f"{stem}-{PRIZES}".lower()) or there.get(PRIZES)

    def _give_prizes(self) -> None:
        """Show every event with the prizes that it has now."""
        events = [
            event
            if (prizes := self._prizes_for(event.file)) == event.tabs.prizes
            else replace(event, tabs=self._tabs(event.file, event.tabs.ratings, prizes))
            for event in self.state.events
        ]
        self._change(tuple(events), dict(self.state.problems or {}))

    def _tabs(self, path: str, rated: DeskRating, prizes: PrizeList | None) -> EventTabs:
        return EventTabs(rated, called=os.path.basename(path), prizes=prizes, later=self._simulate)

    def _simulate(self, work: Callable[[], EventChances]) -> Future[EventChances]:
        """Chances, worked out one event after the other; the page is told when they are there."""
        future: Future[EventChances] = Future()

        def run() -> None:
            with self._simulating:
                try:
                    future.set_result(work())
                except Exception as error:  # noqa: BLE001  # whoever asks for the result gets it
                    future.set_exception(error)
            with self._changing:
                self.state = replace(self.state, version=self.state.version + 1)

        Thread(target=run, daemon=True).start()
        return future

    def _files(self) -> dict[str, Stamp]:
        """The files that may be tournaments, with their stamps; as before if the folder cannot be read."""
        try:
            with os.scandir(self.state.folder) as entries:
                paths = [entry.path for entry in entries if entry.is_file() and not entry.name.startswith(HIDDEN)]
        except OSError:
            return self._seen
        wanted = (path for path in paths if path.lower().endswith((*OWN_FILES, *TABLES)))
        return {path: stamp for path in wanted if (stamp := stamp_of(path)) is not None}

    def _take(self, path: str, stamp: Stamp) -> None:
        """Show a file, or say why not; nothing that goes wrong here ends the desk."""
        self._done[path] = stamp
        try:
            tabs = self._tabs(path, self._rate(path), self._prizes_for(path))
            before = self._event_of(tabs.event, path)
            doubt = _doubt(tabs.event, None if before is None else before.tabs.event)
            tabs.tab(STANDINGS)  # so that the first look at the page need not wait
        except ArpadError as error:
            self._trouble(path, self._plain(error))
        except Exception as error:  # noqa: BLE001  # the state before it must survive a bug too
            self._trouble(path, str(say("command.desk.bug", error=repr(error))))
        else:
            if doubt is not None and not self._waited(path, stamp, known=before is not None):
                self._trouble(path, str(doubt))
            elif before is None or before.file == path or not self._is_older(stamp, before):
                self._doubted.pop(path, None)
                self._show(path, tabs, before)

    def _plain(self, error: ArpadError) -> str:
        """An error, with the name of its file instead of the whole path."""
        return str(error).replace(os.path.join(self.state.folder, ""), "")

    def _waited(self, path: str, stamp: Stamp, *, known: bool) -> bool:
        """Whether a doubtful file of an unknown event has stayed the same for long; until then it is read again."""
        if known:
            return False
        since = self._doubted.get(path)
        if since is None or since[0] != stamp:
            self._doubted[path] = since = (stamp, self._clock())
        if self._clock() - since[1] >= SETTLED:
            return True
        del self._done[path]
        return False

    def _is_older(self, stamp: Stamp, event: DeskEvent) -> bool:
        """Whether another file of the same event was saved later."""
        shown = self._done.get(event.file)
        return shown is not None and shown.changed > stamp.changed

    def _event_of(self, found: Tournament, path: str) -> DeskEvent | None:
        """The event that a file is a state of: the same players, under the same path or the same name."""
        for event in self.state.events:
            known = event.tabs.event
            if (event.file == path or known.name == found.name) and _share(known, found):
                return event
        return None

    def _show(self, path: str, tabs: EventTabs, before: DeskEvent | None) -> None:
        problems = self._problems_but(path)
        if before is not None and before.tabs.event == tabs.event:
            event = replace(before, file=path, problem="")
        else:
            number = len(self.state.events) + 1 if before is None else before.number
            event = DeskEvent(number, path, tabs, time.strftime("%H:%M:%S"))
        others = [other for other in self.state.events if other.number != event.number]
        self._change(tuple(sorted([*others, event], key=lambda event: event.number)), problems)

    def _trouble(self, path: str, why: str) -> None:
        """Say what is wrong with a file, beside the last good state of its event if it has one."""
        known = [event for event in self.state.events if event.file == path]
        problems = dict(self.state.problems or {})
        if known:
            said = str(say("command.watch.kept", file=os.path.basename(path), shown=known[0].time, reason=why))
            self._change(self._with_problem(path, said), problems)
        elif path.lower().endswith(OWN_FILES):
            self._change(self.state.events, problems | {os.path.basename(path): why})

    def _gone(self, path: str) -> None:
        """Say that a file is missing; its event stays as it was."""
        shown = next((event.time for event in self.state.events if event.file == path), "")
        said = str(say("command.watch.gone", path=os.path.basename(path), time=shown))
        self._change(self._with_problem(path, said), self._problems_but(path))

    def _problems_but(self, path: str) -> dict[str, str]:
        """The problems of files that are no event's, without this one."""
        name = os.path.basename(path)
        return {file: why for file, why in (self.state.problems or {}).items() if file != name}

    def _with_problem(self, path: str, said: str) -> tuple[DeskEvent, ...]:
        return tuple(replace(event, problem=said) if event.file == path else event for event in self.state.events)

    def _change(self, events: tuple[DeskEvent, ...], problems: dict[str, str]) -> None:
        with self._changing:
            changed = replace(self.state, events=events, problems=problems)
            if changed != self.state:
                self.state = replace(changed, version=self.state.version + 1)


def _is_prizes(path: str) -> bool:
    name = os.path.basename(path).lower()
    return name == PRIZES or name.endswith(f"-{PRIZES}")


def _share(known: Tournament, found: Tournament) -> bool:
    """Whether two states are of the same event: at least half of the smaller field is in both."""
    here, there = ({entrant.called for entrant in event.entrants} for event in (known, found))
    return 2 * len(here & there) >= min(len(here), len(there))


def _doubt(found: Tournament, before: Tournament | None) -> Message | None:
    """Why a file looks half written; None if it does not."""
    one_sided = [finding for finding in game_inconsistencies(found) if finding.kind in ONE_SIDED]
    if one_sided:
        return say("command.desk.half", why=one_sided[0].placed, more=len(one_sided) - 1)
    if before is not None and (len(found.entrants) < len(before.entrants) and _results(found) < _results(before)):
        return say("command.watch.half", players=len(found.entrants), before=len(before.entrants))
    return None


def _results(event: Tournament) -> int:
    return sum(played.score is not None for entrant in event.entrants for played in entrant.rounds)


class DeskPage(PageServer):
    """The desk on this machine, one address for each tab of each event."""

    def __init__(self, desk: Desk, port: int) -> None:
        self.desk = desk
        super().__init__(self._application, port, at="port")
        self.address = f"http://{NAMES[0]}:{self.port}/"

    def _application(self) -> Starlette:
        from starlette.applications import Starlette
        from starlette.middleware import Middleware
        from starlette.middleware.trustedhost import TrustedHostMiddleware
        from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
        from starlette.routing import Route

        language = voice().language  # the requests come in another thread

        def page(request: Request) -> Response:  # not async: it may calculate, so it runs beside the others
            number, tab = request.path_params.get("number", 1), request.path_params.get("tab", STANDINGS)
            state = self.desk.state
            if tab not in TABS or (state.event(number) is None and number != 1):
                return PlainTextResponse(str(say("command.desk.no_page")), status_code=404, headers=HEADERS)
            with speaking(language, door=PAPER):
                return HTMLResponse(desk_page(state, number, tab), headers=HEADERS)

        async def first_tab(_: Request) -> Response:
            return RedirectResponse(f"{STANDINGS}/", headers=HEADERS)

        def printed(request: Request) -> Response:
            event = self.desk.state.event(request.path_params["number"])
            name, _, form = request.path_params["file"].partition(".")
            no_page = PlainTextResponse(str(say("command.desk.no_page")), status_code=404, headers=HEADERS)
            if event is None:
                return no_page
            now = datetime.now()  # noqa: DTZ005  # the user's own clock
            with speaking(language, door=PAPER):
                try:
                    data = handed_out(event.tabs, name, form, now)
                except UnknownName:
                    return no_page
                except ArpadError as error:  # nothing to print yet, such as pairings or norms
                    return PlainTextResponse(str(error), status_code=409, headers=HEADERS)
            return Response(data, media_type=MEDIA[form.rpartition(".")[2]], headers=HEADERS)

        async def version(_: Request) -> Response:
            return PlainTextResponse(str(self.desk.state.version), headers=HEADERS)

        async def script(_: Request) -> Response:
            return Response(live_script(), media_type="text/javascript", headers=HEADERS)

        tab = "/{number:int}/{tab}"
        return Starlette(
            routes=[
                Route("/", page),
                Route("/{number:int}/", first_tab),
                *(Route(f"{start}/version", version) for start in ("", tab)),
                *(Route(f"{start}/live.js", script) for start in ("", tab)),
                Route(f"{tab}/", page),
                Route(f"{tab}/{{file}}", printed),
            ],
            middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=NAMES)],
        )


MEDIA = {
    "trf": "text/plain; charset=utf-8",
    "pdf": "application/pdf",
    "html": "text/html; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
}
