"""The server's own rating lists: whether there are any, and what to say if they cannot be read."""

from __future__ import annotations

import logging
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from arpad.errors import BadFile, Busy, MissingExtra, Unsupported
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Iterator

FAULTS = logging.getLogger("arpad.faults")


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


def _is_own(error: BadFile) -> bool:
    """Whether the file is one of the server's, not one that a user sent."""
    try:
        from arpad.lists import folder

        return (error.at or "").startswith(folder())
    except (ImportError, MissingExtra):
        return False


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
