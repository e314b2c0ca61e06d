"""The state of a watched file: the terminal and the page share one calculation."""

from __future__ import annotations

import gc
import os
import socket
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, nullcontext
from dataclasses import replace
from functools import cached_property
from threading import Thread
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from arpad.calculation.serialise import failure
from arpad.cli.files import any_serious
from arpad.cli.reply import reply_with
from arpad.cli.show import json_text, warn
from arpad.errors import ArpadError, BadFile, BadInput, cause, extra_needed
from arpad.formats import PROGRAMS, REPORTS, TABLES
from arpad.messages import FieldName, say, speaking, voice
from arpad.questions.standings import StandingsOf
from arpad.questions.tournaments import EventOf, NextOf, NormsOf
from arpad.reports.page import LiveState, Norms, body, live_body, live_page, live_script, norms_of, order_of
from arpad.tournaments.checks import game_inconsistencies
from arpad.tournaments.next_round import next_round

if TYPE_CHECKING:
    from typing import TypeAlias

    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

    from arpad.calculation.answer import Answer
    from arpad.cli.show import Style
    from arpad.core.tournaments import Tournament
    from arpad.questions import Asked
    from arpad.tournaments.event.report import EventReport
    from arpad.tournaments.next_round import NextRound
    from arpad.tournaments.norms.answer import NormsReport
    from arpad.tournaments.standings import EventStandings

    WatchedQuestion: TypeAlias = EventOf | NormsOf | StandingsOf


Q = TypeVar("Q", bound="EventOf | NormsOf | StandingsOf")

# The fields of a question that its next round depends on.
NEXT_ROUND_FIELDS = ("today", "day", "path", "columns", "list", "folder", "on", "player", "qc_approved")
NOTHING_AHEAD = ("tournaments.next.no_pairings", "tournaments.next.not_paired")


def watched(asked: Asked) -> WatchedQuestion:
    """The question asked, which must be one that can be watched."""
    if not isinstance(asked.question, EventOf | NormsOf | StandingsOf):
        raise TypeError(f"{asked.question.spec.name} cannot be watched")
    return asked.question


def state_of(asked: Asked, file: str) -> EventState | NormsState | StandingsState:
    """The state of a file, for the question asked."""
    question = watched(asked)
    if isinstance(question, EventOf):
        return EventState(asked, replace(question, path=file))
    if isinstance(question, NormsOf):
        return NormsState(asked, replace(question, path=file))
    return StandingsState(asked, replace(question, path=file))


class FileState(Generic[Q]):
    """The answer for the current state of a file, and the next round if the file has its pairings."""

    def __init__(self, asked: Asked, question: Q) -> None:
        self.asked = replace(asked, question=question)
        self.question = question
        self.event = question.tournament()
        self._shared = {name: getattr(question, name) for name in NEXT_ROUND_FIELDS if hasattr(question, name)}

    @property
    def answer(self) -> Answer:
        """What was asked for."""
        raise NotImplementedError

    @cached_property
    def rated(self) -> EventReport:
        """The rated event, which the next round needs."""
        return NextOf(**self._shared).report()

    @cached_property
    def next_round(self) -> tuple[NextRound | None, str]:
        """The next round, or why it is not shown; neither if there are no pairings for it."""
        try:
            return next_round(self.rated, player=self._shared.get("player")), ""
        except ArpadError as error:
            return None, "" if getattr(error.said, "key", None) in NOTHING_AHEAD else str(error)

    def text(self, output: Collection[str], style: Style) -> str:
        """What the terminal shows. JSON leaves out the next round, which is a question of its own."""
        shown = reply_with(self.answer, self.asked).shown(output, style)
        if "json" in output:
            return shown
        ahead, why = self.next_round
        if ahead is not None:
            asked = replace(self.asked, question=NextOf(**self._shared))
            why = reply_with(ahead, asked).shown(output, style)
        return "\n\n".join(filter(None, [shown, why]))

    def body(self) -> str:
        """What the page shows."""
        raise NotImplementedError


class EventState(FileState[EventOf]):
    """The rating report, of everybody or of one player."""

    @cached_property
    def rated(self) -> EventReport:
        return self.question.rated(self.event)

    @property
    def answer(self) -> Answer:
        return self.question.chosen(self.rated)

    def body(self) -> str:
        ahead, why = self.next_round
        if self.question.player is not None:
            return live_body(player=self.rated.for_player(self.question.player), ahead=ahead, why=why)
        order = order_of(self.rated, self.question.names, unrated=self.question.unrated)
        return body(self.rated, norms_of(self.rated), order, ahead)


class NormsState(FileState[NormsOf]):
    """The norms, of everybody or of one player."""

    @cached_property
    def norms(self) -> NormsReport:
        """Everybody's norms."""
        return self.question.norms_in(self.event)

    @property
    def answer(self) -> Answer:
        return self.question.chosen(self.norms)

    def body(self) -> str:
        player, (ahead, why) = self.question.player, self.next_round
        norms = self.norms if player is None else self.norms.for_player(player)
        return live_body(norms=Norms(norms), ahead=ahead, why=why)


class StandingsState(FileState[StandingsOf]):
    """The standings."""

    @cached_property
    def answer(self) -> EventStandings:
        return self.question.standings_in(self.event)

    def body(self) -> str:
        ahead, why = self.next_round
        return live_body(standings=self.answer, ahead=ahead, why=why)


KINDS = (REPORTS, PROGRAMS, TABLES)  # files to look for in a folder; a table may be anything, so reports come first
HIDDEN = (".", "~")  # how the names of programs' own temporary files begin
EVERY = 1.0  # seconds between two looks


class Stamp(NamedTuple):
    """The state of a file; a different stamp means it was written, replaced or made readable."""

    changed: int
    path: str
    size: int
    inode: int
    status: int  # when its name or permissions changed


def stamp(path: str, since: int = 0) -> Stamp | None:
    """The state of a file, or of a folder's newest tournament file since `since`; None if there is none."""
    try:
        if not os.path.isdir(path):
            return stamp_of(path)
        with os.scandir(path) as entries:
            names = [entry.path for entry in entries if entry.is_file() and not entry.name.startswith(HIDDEN)]
        found = (filter(None, (stamp_of(name) for name in names if name.lower().endswith(kind))) for kind in KINDS)
        newest = next(filter(None, (max(stamps, default=None) for stamps in found)), None)
    except OSError:
        return None
    return newest if newest is not None and newest.changed >= since else None


def stamp_of(path: str) -> Stamp | None:
    """The state of one file; None if it is not there."""
    try:
        found = os.stat(path)
    except OSError:  # gone since it was listed
        return None
    return Stamp(found.st_mtime_ns, path, found.st_size, found.st_ino, found.st_ctime_ns)


def changes(path: str, sleep: Callable[[float], object] = time.sleep) -> Iterator[str | None]:
    """The path of the file each time it has changed and settled; None when it has disappeared."""
    before, shown, newest = stamp(path), object(), 0
    while True:
        now = stamp(path, newest)
        if now == before and now != shown:
            shown = now
            newest = newest if now is None else now.changed
            yield None if now is None else now.path
        before = now
        sleep(EVERY)


def watch(asked: Asked, output: Collection[str], style: Style, show: Callable[[str], bool]) -> None:
    """Show the answer, and again after every change, until stopped or until `show` says that nobody reads it."""
    gc.enable()  # `main` turns it off for short commands
    question = watched(asked)
    path = _watchable(question)
    with nullcontext() if question.page is None else closing(LivePage(question.page)) as page:
        _Watch(asked, output, style, show, page).run(path)


def _watchable(question: WatchedQuestion) -> str:
    """The path to watch, or an error that says why it cannot be watched."""
    path = question.path
    if path is None or path == "-":
        raise BadInput(say("command.watch.no_file"), at="watch")
    if isinstance(question, EventOf) and question.to is not None:
        raise BadInput(say("command.watch.report"), at="to")
    try:
        os.stat(path)
    except OSError as problem:
        raise BadFile(say("formats.file.unreadable", why=cause(problem)), at=path) from None
    return path


class _Watch:
    """What is shown, and where."""

    def __init__(
        self, asked: Asked, output: Collection[str], style: Style, show: Callable[[str], bool], page: LivePage | None
    ) -> None:
        self.asked = asked
        self.output = output
        self.style = style
        self.show = show
        self.page = page
        self.shown: str | None = None
        self.at = ""
        self.problem = ""
        self.players: dict[str, int] = {}  # by file: how many it had when it was complete

    def run(self, path: str) -> None:
        """Watch until Ctrl+C."""
        warn(str(say("command.watch.started", path=path)))
        if self.page is not None:
            warn(str(say("command.watch.page", address=self.page.address)))
        for file in changes(path):
            if file is None and self.shown is None:
                self._report_problem(str(say("command.watch.waiting", path=path)))
            elif file is None:
                self._report_problem(str(say("command.watch.gone", path=path, time=self.at)))
            elif not self._look(file):
                return

    def _look(self, file: str) -> bool:
        """Answer for a changed file, or say why not and keep what is shown; returns whether to go on."""
        now = time.strftime("%H:%M:%S")
        try:
            state = state_of(self.asked, file)
            self._check_whole(state.event, file)
            text = state.text(self.output, self.style)
            page = None if self.page is None else state.body()
        except ArpadError as error:
            if self.shown is None and not (self.problem and isinstance(error, BadFile)):
                raise  # the question itself may be wrong, and nothing is shown yet
            return self._keep(file, error)
        if self.page is not None and page is not None:
            self.page.update(state.event.name or "", page, now)
        if text == self.shown and not self.problem:
            return True
        self.shown, self.at, self.problem = text, now, ""
        head = "" if "json" in self.output else f"{say('command.watch.state', time=now, file=file)}\n\n"
        return self.show(f"{head}{text}")

    def _keep(self, file: str, error: ArpadError) -> bool:
        """Say why a file cannot be used, and keep what is shown."""
        kept = say("command.watch.kept", file=file, shown=self.at, reason=str(error))
        self._report_problem(str(kept if self.shown is not None else error))
        return self.show(json_text(failure(error))) if "json" in self.output else True

    def _check_whole(self, found: Tournament, file: str) -> None:
        """Refuse a half-written file: players are missing, and others still have games against them."""
        players, before = len(found.entrants), self.players.get(file, 0)
        if players < before and (any_serious(found.oddities) or game_inconsistencies(found)):
            raise BadFile(say("command.watch.half", players=players, before=before), at=file)
        self.players[file] = players

    def _report_problem(self, said: str) -> None:
        """Report a problem, once."""
        if said != self.problem:
            self.problem = said
            warn(said)
            if self.page is not None:
                self.page.trouble(said)


HOST = "127.0.0.1"
NAMES = [HOST, "localhost"]  # with another name, a page elsewhere may be trying to read this one
HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": (
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'self'; connect-src 'self'; "
        "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


class PageServer:
    """Serves pages to this machine, in a thread beside what the command does, until it is closed."""

    def __init__(self, application: Callable[[], Starlette], port: int, *, at: str) -> None:
        with extra_needed("command.serve.missing", at=at):
            import uvicorn
        listening = listen_on(port, at=at)
        self.port: int = listening.getsockname()[1]
        config = uvicorn.Config(application(), log_level="error", access_log=False, ws="none", lifespan="off")
        self._server = uvicorn.Server(config)
        self._thread = Thread(target=self._server.run, kwargs={"sockets": [listening]}, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End it; a thread that still runs when Python ends can crash it."""
        self._server.should_exit = True
        self._thread.join()


class LivePage(PageServer):
    """The page, and the state it shows."""

    def __init__(self, port: int) -> None:
        self.state = LiveState(version=first_version())
        super().__init__(self._application, port, at="page")
        self.address = f"http://{HOST}:{self.port}/"

    def update(self, title: str, shown: str, time: str) -> None:
        """Show a new state."""
        self.state = LiveState(title, shown, time, "", self.state.version + 1)

    def trouble(self, said: str) -> None:
        """Show a problem above the last state."""
        self.state = replace(self.state, problem=said, version=self.state.version + 1)

    def _application(self) -> Starlette:
        from starlette.applications import Starlette
        from starlette.middleware import Middleware
        from starlette.middleware.trustedhost import TrustedHostMiddleware
        from starlette.responses import HTMLResponse, PlainTextResponse, Response
        from starlette.routing import Route

        language = voice().language  # the requests come in another thread

        async def page(_: Request) -> Response:
            with speaking(language, door="command"):
                return HTMLResponse(live_page(self.state), headers=HEADERS)

        async def version(_: Request) -> Response:
            return PlainTextResponse(str(self.state.version), headers=HEADERS)

        async def script(_: Request) -> Response:
            return Response(live_script(), media_type="text/javascript", headers=HEADERS)

        return Starlette(
            routes=[Route("/", page), Route("/version", version), Route("/live.js", script)],
            middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=NAMES)],
        )


def first_version() -> int:
    """The version of a first state, which no page has seen that is still open from an earlier run: milliseconds."""
    return time.time_ns() // 1_000_000


def listen_on(port: int, *, at: str) -> socket.socket:
    """A socket of this machine that listens; `at` is the field that chose the port."""
    try:
        return socket.create_server((HOST, port))
    except OSError as problem:
        said = say("command.watch.port", port=str(port), reason=cause(problem), name=FieldName(at))
        raise BadInput(said, at=at) from None
