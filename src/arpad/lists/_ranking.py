"""The order of the players that a search has found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from arpad.lists.names import folded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arpad.lists.names import Word


@dataclass(frozen=True, slots=True)
class SearchMatch:
    """A player that a search has found, and how closely the name matches the query by the index alone."""

    id: int
    line: int  # of the list
    name: str | None
    best: int  # the highest rating
    closeness: float
    total: int  # of all matches


def ranked(matches: Sequence[SearchMatch], words: Sequence[Word], *, misspelt: bool = False) -> list[SearchMatch]:
    """The best matches first: by the words, then by rating; if words are misspelt, by how similar the names are."""

    def key(match: SearchMatch) -> tuple[float, float, int, str, int]:
        parts = folded(match.name or "").split()
        points = _points(parts, words) + _completeness(parts, words)
        closeness = match.closeness + (points + _similarity_of_name(parts, words) if misspelt else 0)
        return -closeness, -points, -match.best, match.name or "", match.id

    return sorted(matches, key=key)


def _points(parts: Sequence[str], words: Sequence[Word]) -> int:
    """Whole words count more than beginnings, and the first word more if the name begins with it."""
    begun = sum(any(part.startswith(word.spellings) for part in parts) for word in words)
    whole = sum(any(part in word.spellings for part in parts) for word in words)
    leads = bool(words and parts) and parts[0].startswith(words[0].spellings)
    return begun + 2 * whole + leads


def _completeness(parts: Sequence[str], words: Sequence[Word]) -> int:
    """Whether several words are the whole name: 2 in its own order, 1 in another."""
    if len(parts) != len(words) or len(parts) == 1:
        return 0
    in_order = all(part in word.spellings for part, word in zip(parts, words, strict=True))
    return 2 if in_order else int(all(any(part in word.spellings for part in parts) for word in words))


def _similarity_of_name(parts: Sequence[str], words: Sequence[Word]) -> float:
    """How similar each word is to the most similar one of the name; its first word decides between equals."""
    best = [max((similarity(part, word.plain) for part in parts), default=0) for word in words]
    first = similarity(parts[0], words[0].plain) if parts else 0
    return sum(best) / len(best) + first / 10


def similarity(one: str, other: str) -> float:
    """The share of letters that two words have in common at the beginning and at the end."""
    begin = _shared_letters(one, other)
    end = _shared_letters(one[begin:][::-1], other[begin:][::-1])
    return (begin + end) / max(len(one), len(other), 1)


def _shared_letters(one: str, other: str) -> int:
    """How many letters are the same until two words differ."""
    differences = (place for place, (here, there) in enumerate(zip(one, other, strict=False)) if here != there)
    return next(differences, min(len(one), len(other)))
