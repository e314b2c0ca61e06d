"""The voice that messages are spoken in: a language, and a door, which decides what fields and questions are called."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arpad.messages.catalogue import ORIGINAL, section

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Voice:
    """A language and a door; the door decides what fields and questions are called."""

    language: str = ORIGINAL
    door: str = "library"  # library, api, command or page

    def field(self, name: str) -> str:
        """What this door calls a field: `--born`, “Year of birth” or `born`."""
        if self.door == "command":
            return section(self.language, "fields.command").get(name, f"--{name.replace('_', '-')}")
        if self.door == "page":
            return f"“{section(self.language, 'fields.label').get(name, name)}”"
        return f"`{name}`"

    def question(self, name: str) -> str:
        """What this door calls a question: `arpad rate`, its title on the page, or `rate`."""
        if self.door == "command":
            return f"`arpad {name}`"
        if self.door == "page":
            return f"“{section(self.language, 'pages.short').get(name, name)}”"
        return f"`{name}`"


_VOICE = ContextVar("voice", default=Voice())  # noqa: B039  # a Voice is frozen


def voice() -> Voice:
    """The voice of the door that is speaking."""
    return _VOICE.get()


@contextmanager
def speaking(language: str = ORIGINAL, door: str = "library") -> Iterator[Voice]:
    """Use another voice inside a `with` block."""
    before = _VOICE.set(Voice(language, door))
    try:
        yield _VOICE.get()
    finally:
        _VOICE.reset(before)
