"""`--watch`: the answer again whenever a file changes, on the terminal and on a page that reloads.

Once a second it looks when the file was changed, how large it is and which file it is. The file is read once it has
stayed the same for a second, so that a program may take its time to write it, or replace it by another. What cannot be
read is said, and what was shown before stays.
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
from arpad.formats.recognise import REPORTS, TABLES
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

KINDS = (REPORTS, TABLES)  # of a folder; a table may be anything, so it counts where there is no report
HIDDEN = (".", "~")  # how the names of files begin that programs keep beside the one they have open
EVERY = 1.0  # seconds between two looks


class Stamp(NamedTuple):
    """The state of a file: a different stamp means that it was written, replaced or made readable."""

    changed: int
    path: str
    size: int
    inode: int
    status: int  # when its name or its permissions were changed


def stamp(path: str, since: int = 0) -> Stamp | None:
    """The state of a file, or of a folder's newest tournament file since `since`; None if there is none."""
    try:
        if not os.path.isdir(path):
            return _stamp(path)
        with os.scandir(path) as entries:
            names = [one.path for one in entries if one.is_file() and not one.name.startswith(HIDDEN)]
        found = (filter(None, (_stamp(name) for name in names if name.lower().endswith(kind))) for kind in KINDS)
        newest = next(filter(None, (max(some, default=None) for some in found)), None)
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
    gc.enable()  # which a command that is soon over does without
    question = watched(asked)
    path = _watchable(question)
    page = None
    if question.page is not None:
        from arpad.cli.live import LivePage

        page = LivePage(question.page)
    _Watch(asked, output, style, show, page).run(path)


def _watchable(question: WatchedQuestion) -> str:
    """The path, or why it cannot be watched."""
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
    """What was shown so far, and where it is shown."""

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
        self.players: dict[str, int] = {}  # how many a file had when it was whole

    def run(self, path: str) -> None:
        """Watch until Ctrl+C."""
        warn(str(say("command.watch.started", path=path)))
        if self.page is not None:
            warn(str(say("command.watch.page", address=self.page.address)))
        for file in changes(path):
            if file is None and self.shown is None:
                self._trouble(str(say("command.watch.waiting", path=path)))
            elif file is None:
                self._trouble(str(say("command.watch.gone", path=path, time=self.at)))
            elif not self._look(file):
                return

    def _look(self, file: str) -> bool:
        """Answer for a file that has changed; if that is refused, say so and keep what is shown. Whether to go on."""
        now = time.strftime("%H:%M:%S")
        try:
            state = state_of(self.asked, file)
            self._check_whole(state.event, file)
            text = state.text(self.output, self.style)
            page = None if self.page is None else state.body()
        except ArpadError as error:
            if self.shown is None and not (self.problem and isinstance(error, BadFile)):
                raise  # what was asked may be wrong, and nothing is shown yet
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
        self._trouble(str(kept if self.shown is not None else error))
        return self.show(json_text(failure(error))) if "json" in self.output else True

    def _check_whole(self, found: Tournament, file: str) -> None:
        """Refuse a half-written file: players are missing, and others still have games against them."""
        players, before = len(found.entrants), self.players.get(file, 0)
        if players < before and (any_serious(found.oddities) or game_inconsistencies(found)):
            raise BadFile(say("command.watch.half", players=players, before=before), at=file)
        self.players[file] = players

    def _trouble(self, said: str) -> None:
        """Say once what is wrong."""
        if said != self.problem:
            self.problem = said
            warn(said)
            if self.page is not None:
                self.page.trouble(said)
