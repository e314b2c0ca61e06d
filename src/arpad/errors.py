"""Every exception Arpad raises on purpose.

ArpadError (a ValueError)
├── UnknownName     no system, format or engine of that name (with "did you mean")
├── UncoveredDate   the rulebook does not cover that day
├── BadRulebook     a rule file breaks its schema
├── BadFile         a file cannot be read: path, line, column
├── BadInput        a value the regulation does not allow
├── Unsupported     this system or engine cannot do that
├── MissingExtra    an optional library is needed: which, and how to install it
└── Busy            a file is locked or the server is overloaded; try again

A message says what was asked, what is allowed and what to do; where it happened is in `at`.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from arpad.messages import Message, say

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


MANY = 8  # if there is a good guess, a longer list of names is left out
LIKENESS = 0.65  # of two names, by difflib: `ptr` is like `tpr`, `year` is not like `player`


class ArpadError(ValueError):
    """The base of every error Arpad raises on purpose; `at` is the place: an argument, the path of a field, a line."""

    def __init__(self, said: Message, *, at: str | None = None) -> None:
        super().__init__(said)
        self.said = said
        self.at = at

    @property
    def message(self) -> str:
        """The message, worded for the door that shows it."""
        return str(self.said)

    def __reduce__(self) -> tuple[object, ...]:
        return _unpickled, (type(self), self.said, self.at)

    def __str__(self) -> str:
        return str(say("errors.at", message=self.message, at=self.at)) if self.at else self.message


class UnknownName(ArpadError):
    """Nothing of that kind has that name; the message suggests the nearest names, or lists them all.

    `kind` is a key of `errors.kind` in the messages, and `of` what it belongs to: a setting of a system.
    `meant` is another name for the same thing, if there is one: for USCF, `uschess`.
    """

    def __init__(
        self,
        kind: str,
        name: str,
        *,
        known: Iterable[str],
        of: object = None,
        at: str | None = None,
        meant: str | None = None,
    ) -> None:
        names = sorted(set(known))
        close = _close(meant or str(name), names)
        said = say(
            f"errors.unknown.{_hint_kind(close, names)}",
            nothing=say(f"errors.kind.{kind}", of=of),
            name=str(name),
            meant=[f"'{suggestion}'" for suggestion in close],
            known=", ".join(names),
        )
        super().__init__(said, at=at)


def _hint_kind(close: list[str], names: list[str]) -> str:
    """Which hint the message gives: the nearest names, all of them, or both."""
    if close:
        return "meant" if len(names) > MANY else "both"
    return "listed" if names else "none"


def _unpickled(kind: type[ArpadError], said: Message, at: str | None) -> ArpadError:
    """The same error, in another process."""
    error = kind.__new__(kind, said)
    ArpadError.__init__(error, said, at=at)
    return error


def _close(name: str, names: list[str]) -> list[str]:
    """The same name but for case and dashes; otherwise the names that start with it; otherwise the most similar one."""
    # Slow to import, and only needed for a wrong name.
    from difflib import get_close_matches

    typed = name.lower().lstrip("-")
    by_text = {known.lower().lstrip("-"): known for known in names}
    if typed in by_text:
        return [by_text[typed]]
    begun = [known for text, known in by_text.items() if typed and text.startswith(typed)]
    return begun or [by_text[text] for text in get_close_matches(typed, by_text, n=1, cutoff=LIKENESS)]


class UncoveredDate(ArpadError):
    """The rulebook does not cover that day; Arpad does not guess what earlier rules were."""


class BadRulebook(ArpadError):
    """A rule file breaks its schema; the message names file and rule."""


class BadFile(ArpadError):
    """A file cannot be read; `at` names path, line and column as far as known."""


class Busy(ArpadError):
    """Locked by another process, or too much to do at the moment; try again shortly."""


class BadInput(ArpadError):
    """A value that is not a rating, score, K or date, or that the regulation does not allow."""


class Unsupported(ArpadError):
    """This system or engine cannot do that."""


class MissingExtra(ArpadError):
    """An optional library is needed; the message says which, and how to install it."""


@contextmanager
def extra_needed(key: str, *, at: str | None = None) -> Iterator[None]:
    """Wrap imports that need an extra: a library that is not installed raises MissingExtra with this message.

    A missing module of Arpad itself is a bug, and its error is not changed.
    """
    try:
        yield
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.partition(".")[0] == "arpad":
            raise
        raise MissingExtra(say(key, library=missing.name), at=at or missing.name) from None
