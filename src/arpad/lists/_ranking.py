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
    """A player found by a search, and how closely the name matches the query in the index."""

    id: int
    line: int  # of the list
    name: str | None
    best: int  # the highest rating
    closeness: float
    total: int  # of all matches


def ranked(matches: Sequence[SearchMatch], words: Sequence[Word], *, misspelt: bool = False) -> list[SearchMatch]:
    """The best matches first: by words, then by rating; if words are misspelt, by how similar the names are."""

    def key(match: SearchMatch) -> tuple[float, float, int, str, int]:
        parts = folded(match.name or "").split()
        points = _points(parts, words) + _completeness(parts, words)
        closeness = match.closeness + (points + _similarity_of_name(parts, words) if misspelt else 0)
        return -closeness, -points, -match.best, match.name or "", match.id

    return sorted(matches, key=key)


def _points(parts: Sequence[str], words: Sequence[Word]) -> int:
    """Points for a name: whole words count more than beginnings, and a name that begins with the first word more."""
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
    """How similar the words are to their closest words in the name; the first word breaks ties."""
    best = [max((similarity(part, word.plain) for part in parts), default=0) for word in words]
    first = similarity(parts[0], words[0].plain) if parts else 0
    return sum(best) / len(best) + first / 10


def similarity(word: str, other: str) -> float:
    """The share of letters that two words have in common at the beginning and at the end."""
    begin = _shared_letters(word, other)
    end = _shared_letters(word[begin:][::-1], other[begin:][::-1])
    return (begin + end) / max(len(word), len(other), 1)


def _shared_letters(word: str, other: str) -> int:
    """How many letters two words share before they differ."""
    differences = (place for place, (here, there) in enumerate(zip(word, other, strict=False)) if here != there)
    return next(differences, min(len(word), len(other)))
