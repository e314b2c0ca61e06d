"""Answers for the pages, and the server's own rating lists.

Slow answers are cached, because a page, its part, its charts and its JSON all need the same one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arpad.errors import BadFile, Busy, MissingExtra, Unsupported
from arpad.messages import Voice, say, voice
from arpad.questions import Asked, read_question, spec_of
from arpad.web.monitoring import FAULTS

if TYPE_CHECKING:
    from arpad.calculation.answer import Answer


def ask(question: str, given: Mapping[str, Any], *, today: date, door: str = "page") -> tuple[Asked, Answer]:
    """The question and its answer, with the fields of a door; only slow answers are cached."""
    if spec_of(question).slow:
        return _remembered(question, json.dumps(given, sort_keys=True), today, door, voice(), lists_version())
    return _answered(question, given, today, door)


@lru_cache(maxsize=32)
def _remembered(
    question: str,
    given: str,
    today: date,
    door: str,
    speaker: Voice,  # noqa: ARG001  # answers contain texts
    lists: int,  # noqa: ARG001  # and ratings that were looked up
) -> tuple[Asked, Answer]:
    return _answered(question, json.loads(given), today, door)


def _answered(question: str, given: Mapping[str, Any], today: date, door: str) -> tuple[Asked, Answer]:
    asked = read_question(spec_of(question), given, today=today, door=door)
    return asked, asked.answer()


@contextmanager
def own_lists() -> Iterator[None]:
    """Keep problems with the server's own lists, and their path, in the log; users only hear that lists are down."""
    try:
        yield
    except BadFile as error:
        if not _is_own(error):
            raise  # a file that was sent
        FAULTS.error("The rating lists cannot be read: %s", error)
        raise Busy(say("web.lists_unreadable")) from None
    except Busy as error:
        raise Busy(error.said) from None  # without the path of the file


def _is_own(error: BadFile) -> bool:
    """Whether the file is one of the server's, not one that a user sent."""
    try:
        from arpad.lists import folder

        return (error.at or "").startswith(folder())
    except (ImportError, MissingExtra):
        return False


def lists_there() -> bool:
    """Whether the page can complete names."""
    try:
        from arpad.lists import has_lists  # which needs the extra `lists`

        return has_lists()
    except (ImportError, MissingExtra, Unsupported):
        return False


def lists_version() -> int:
    """A number that changes when a list is imported or removed; 0 without lists."""
    try:
        from arpad.lists import FILE, folder

        return (Path(folder()) / FILE).stat().st_mtime_ns
    except (ImportError, MissingExtra, OSError):
        return 0
