"""`--watch`: answers again whenever a file changes, on the terminal and on a page that updates itself.

Once a second it checks the file's time of change, its size and its inode. It reads the file once that has stayed the
same for a second, so a program can take its time to write the file, or replace it. If the file cannot be read, it says
so and keeps showing the last answer.
"""

from __future__ import annotations

import gc
import os
import time
from typing import TYPE_CHECKING, NamedTuple

from arpad.calculation.serialise import failure
from arpad.cli.files import any_serious
from arpad.cli.show import json_text, warn
from arpad.cli.watched import state_of, watched
from arpad.errors import ArpadError, BadFile, BadInput
from arpad.formats import REPORTS, TABLES
from arpad.messages import say
from arpad.questions.tournaments import EventOf
from arpad.tournaments.checks import game_inconsistencies

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from arpad.cli.live import LivePage
    from arpad.cli.show import Style
    from arpad.cli.watched import WatchedQuestion
    from arpad.core.tournaments import Tournament
    from arpad.questions import Asked

KINDS = (REPORTS, TABLES)  # files to look for in a folder; a table may be anything, so reports come first
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
            return _stamp(path)
        with os.scandir(path) as entries:
            names = [entry.path for entry in entries if entry.is_file() and not entry.name.startswith(HIDDEN)]
        found = (filter(None, (_stamp(name) for name in names if name.lower().endswith(kind))) for kind in KINDS)
        newest = next(filter(None, (max(stamps, default=None) for stamps in found)), None)
    except OSError:
        return None
    return newest if newest is not None and newest.changed >= since else None


def _stamp(path: str) -> Stamp | None:
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
    page = None
    if question.page is not None:
        from arpad.cli.live import LivePage

        page = LivePage(question.page)
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
        raise BadFile(say("formats.file.unreadable", why=problem.strerror), at=path) from None
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
