"""Names as tables print them, compared regardless of order, commas and accents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.reading.characters import fold, plain

if TYPE_CHECKING:
    from collections.abc import Iterable


def words_of(name: str) -> tuple[str, ...]:
    """The folded words of a name in alphabetical order: `Harrowgate, Wren` and `wren HARROWGATE` are the same."""
    letters = "".join(letter if letter.isalnum() or letter in "-_'" else " " for letter in fold(plain(name)))
    return tuple(sorted(letters.split()))


def same_person(name: str, other: str) -> bool:
    """Whether two names have the same words."""
    return words_of(name) == words_of(other)


def persons_called(player: str, names: Iterable[str]) -> list[int]:
    """The places of the names with the same words as a player's, or else of those with all of the player's words."""
    listed = [words_of(name) for name in names]
    wanted = words_of(player)
    same = [place for place, words in enumerate(listed) if words == wanted]
    return same or [place for place, words in enumerate(listed) if wanted and set(wanted) <= set(words)]
