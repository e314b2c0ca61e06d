"""The order in which those are shown whom a search has hit."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from arpad.lists.names import folded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arpad.lists.hits import Hit
    from arpad.lists.names import Word


class Ranking(NamedTuple):
    """What counts: the words, and then the rating."""

    words: Sequence[Word]
    misspelt: bool = False  # so that a name counts by how like it is

    def ordered(self, hits: Sequence[Hit]) -> list[Hit]:
        """The best first."""
        begun = [tuple(f" {one}" for one in word.spellings) for word in self.words]
        return sorted(hits, key=lambda hit: self._key(hit, begun))

    def _key(self, hit: Hit, begun: Sequence[tuple[str, ...]]) -> tuple[float, float, int, str, int]:
        parts = folded(hit.name or "").split()
        points = _points(f" {' '.join(parts)} ", begun) + self._completeness(parts)
        near = hit.near
        if self.misspelt:
            near += points + self._likeness(parts)
        return -near, -points, -hit.best, hit.name or "", hit.id

    def _completeness(self, parts: Sequence[str]) -> int:
        """Whether several words are all of the name, in its own order or in another one."""
        if len(parts) != len(self.words) or len(parts) == 1:
            return 0
        in_order = all(part in word.spellings for part, word in zip(parts, self.words, strict=True))
        return 2 if in_order else int(all(any(one in parts for one in word.spellings) for word in self.words))

    def _likeness(self, parts: Sequence[str]) -> float:
        """How like each word is to the most similar of the name; a name is no worse for having more of them.

        Of names that are so the one comes first that begins with the first word.
        """
        each = [max((likeness(part, word.plain) for part in parts), default=0) for word in self.words]
        first = likeness(parts[0], self.words[0].plain) if parts else 0
        return sum(each) / len(each) + first / 10


def _points(name: str, words: Sequence[tuple[str, ...]]) -> int:
    """Whole words count more than beginnings, and the first word at the beginning of the name more than behind."""
    begun = sum(any(one in name for one in word) for word in words)
    whole = sum(any(f"{one} " in name for one in word) for word in words)
    return begun + 2 * whole + name.startswith(words[0] if words else ())


def likeness(one: str, other: str) -> float:
    """How many of their letters two words share at the beginning and at the end: all but a few, if one is misspelt."""
    begin = _shared(one, other)
    end = _shared(one[begin:][::-1], other[begin:][::-1])
    return (begin + end) / max(len(one), len(other), 1)


def _shared(one: str, other: str) -> int:
    """How many letters are the same until two words differ."""
    differs = (place for place, (here, there) in enumerate(zip(one, other, strict=False)) if here != there)
    return next(differs, min(len(one), len(other)))
