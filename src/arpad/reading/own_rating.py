"""What people say of their own rating in a line about games: `I am 1750 and beat 1950`, `My rating: 1750`.

Such a clause stands alone between commas, stops, brackets and an `and` of its language: the words before the figure,
the figure, and perhaps a word for a rating behind it. It is taken out, and the rest is read as if it had not been
there. A clause with any other word stays where it is, and then the line is not understood.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import dropwhile
from typing import NamedTuple

from arpad.reading.text import fold
from arpad.reading.tokens import Token
from arpad.reading.vocabulary import by_language, lexicon, only_means

LONGEST_PHRASE = 6  # words
BEHIND = "behind-"


class OwnRating(NamedTuple):
    """The rating that a line gives its writer, and the tokens of the line without it."""

    rating: int
    kind: str  # as a field of `Particulars`; `bare` if only a game beside it makes it a rating
    rest: tuple[Token, ...]


class _Phrase(NamedTuple):
    """Words found at a place: what they mean, where they end, and their language."""

    kind: str
    end: int
    language: str


def own_rating(tokens: Sequence[Token]) -> OwnRating | None:
    """The writer's own rating, if a clause of the line gives one and no other does."""
    found = [one for start in range(len(tokens)) if (one := _clause_at(tokens, start)) is not None]
    return found[0] if len(found) == 1 else None


def _clause_at(tokens: Sequence[Token], start: int) -> OwnRating | None:
    for phrase in _phrases(tokens, start):
        at = phrase.end
        at += at < len(tokens) and tokens[at].kind in ("break", "dash")  # `my rating: 1750`
        if phrase.kind.startswith(BEHIND) or at >= len(tokens) or tokens[at].kind != "rating":
            continue
        kind, end = phrase.kind, at + 1
        following = (one for one in _phrases(tokens, end) if one.kind.startswith(BEHIND))
        behind = next((one for one in following if one.language == phrase.language), None)
        if behind is not None:
            kinds = {kind, behind.kind.removeprefix(BEHIND)} - {"bare"}
            if kinds == {"national", "international"}:
                continue
            kind, end = min(kinds - {"rating"}, default="rating"), behind.end
        if (rest := _without(tokens, start, end, phrase.language)) is not None:
            return OwnRating(int(tokens[at].meaning), kind, rest)
    return None


def _phrases(tokens: Sequence[Token], start: int) -> list[_Phrase]:
    """The phrases that begin here, the longest first."""
    found = []
    for end in range(min(len(tokens), start + LONGEST_PHRASE), start, -1):
        text = " ".join(fold(token.text) for token in tokens[start:end])
        found += [_Phrase(kind, end, language) for language, kind in _phrases_of_all().get(text, ())]
    return found


@cache
def _phrases_of_all() -> dict[str, list[tuple[str, str]]]:
    """Every phrase, folded, with the languages that have it and what it means there."""
    found: dict[str, list[tuple[str, str]]] = {}
    for kind, language, phrase in by_language("own"):
        found.setdefault(fold(phrase), []).append((language, kind))
    return found


def _without(tokens: Sequence[Token], start: int, end: int, language: str) -> tuple[Token, ...] | None:
    """The line without a clause and what separates it from the rest; None if something else stands beside it."""
    before, behind = tokens[:start], tokens[end:]
    if before and before[-1].kind == "open":
        return (*before[:-1], *behind[1:]) if behind and behind[0].kind == "close" else None
    if not all(_separates(beside, language) for beside in (*before[-1:], *behind[:1])):
        return None
    if not behind:
        return tuple(before[:-1])
    return (*before, *dropwhile(lambda token: _separates(token, language), behind))  # `I am 1750, and …`


def _separates(token: Token, language: str) -> bool:
    if token.kind in ("break", "dash"):
        return True
    if token.kind not in ("word", "letter"):
        return False
    found = lexicon(language).look_up(token.text)
    return fold(token.text) in only_means("and") or (found is not None and found.kind == "and")
