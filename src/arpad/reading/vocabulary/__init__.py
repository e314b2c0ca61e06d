"""The words of chess in many languages, as data: a file per subject, a table per meaning, a list per language.

A word that ends in `*` is a beginning: `выигра*` is `выиграл` and `выиграла`. Words are compared folded, so accents and
capital letters do not matter. Nothing is loaded until a word is looked up that Arpad's notation does not have.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pkgutil import get_data
from typing import Any, NamedTuple

from arpad.reading.text import bare, fold

SHORTEST_BEGINNING = 3  # letters
LONGEST_WORD = 40


class Vocabulary(NamedTuple):
    """What the words of one subject mean."""

    meanings: Mapping[str, str]
    beginnings: Mapping[str, str]

    def phrase(self, folded: str) -> str | None:
        """What these folded words mean, matched exactly; None if they are not in the vocabulary."""
        return self.meanings.get(folded)

    def meaning(self, folded: str) -> str | None:
        """What a folded word means, matched in full or by its beginning; None if it is not in the vocabulary."""
        found = self.meanings.get(folded)
        if found is not None or not self.beginnings:
            return found
        lengths = range(min(len(folded), LONGEST_WORD), SHORTEST_BEGINNING - 1, -1)
        return next((self.beginnings[start] for n in lengths if (start := folded[:n]) in self.beginnings), None)


@cache
def words(subject: str) -> Vocabulary:
    """The words and phrases of a subject, folded."""
    meanings: dict[str, str] = {}
    beginnings: dict[str, str] = {}
    for meaning, word in entries(subject):
        if word.endswith("*"):
            beginnings[fold(word[:-1])] = meaning
        else:
            meanings.setdefault(" ".join(fold(word).split()), meaning)
    return Vocabulary(meanings, beginnings)


def entries(subject: str) -> Iterator[tuple[str, str]]:
    """Each meaning of a subject with each of its words, as written in the file."""
    for meaning, languages in _file(subject).items():
        for language in languages.values():
            for word in language:
                yield meaning, word


@cache
def months() -> Mapping[str, int]:
    """The month for each name, and for each beginning of three letters or more that only one month has."""
    numbers: dict[str, set[int]] = {}
    complete: dict[str, int] = {}
    for names in _file("months").values():
        for number, name in enumerate(map(fold, names), start=1):
            complete[name] = number
            for length in range(SHORTEST_BEGINNING, len(name)):
                numbers.setdefault(name[:length], set()).add(number)
    unique = {start: found.pop() for start, found in numbers.items() if len(found) == 1}
    return {**unique, **complete}


@cache
def titles() -> Mapping[str, str]:
    """Every title by its spelling."""
    return {word: word for meaning, word in entries("titles") if meaning == "titles"}


@cache
def title_letters() -> Mapping[str, str]:
    """The titles that pages shorten to a letter or two: `f` is FM."""
    return dict(word.split("=") for meaning, word in entries("titles") if meaning == "letters")


def heading(text: str) -> str | None:
    """What a heading means; None if it is not in the vocabulary."""
    return _headings().get(_bare_heading(text))


@cache
def _headings() -> Mapping[str, str]:
    """The meanings of table headings, by folded heading without dots and spaces; a single letter keeps its case."""
    found: dict[str, str] = {}
    for meaning, word in entries("headings"):
        found.setdefault(_bare_heading(word), meaning)
    return found


def _bare_heading(text: str) -> str:
    folded = bare(text)
    return folded if len(folded) > 1 else text.strip(" .°")


@cache
def _file(subject: str) -> Mapping[str, Any]:
    """A vocabulary file: by meaning, the words of each language; for months, the names of each language."""
    import tomllib

    return tomllib.loads((get_data(__name__, f"{subject}.toml") or b"").decode())
