"""The words of chess in many languages, as data: a file per subject, a table per meaning, a list per language.

A word that ends in `*` is a beginning: `Sponsor*` is `Sponsoren` too. Words are compared folded, so accents and capital
letters do not matter. Nothing is loaded until a word is looked up that Arpad's notation does not have. A cell or a
heading is looked up in all languages at once (`words`), a sentence in one language after another (`lexicon`), because
small words mean different things: `a` is a Spanish `to`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pkgutil import get_data
from typing import Any, NamedTuple

from arpad.reading.text import MANY_WORDS, bare, fold

SHORTEST_BEGINNING = 3  # letters
LONGEST_WORD = 40
TALKED = ("de", "en", "es", "fr", "it", "nl", "pl", "pt", "ru", "sv")  # languages with a file of words around a game


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
    for entry in _entries(subject):
        if entry.form not in ("his", "to_me", "passive"):  # said of somebody else: no result of a player's own game
            yield entry.meaning, entry.word


def by_language(subject: str) -> Iterator[tuple[str, str, str]]:
    """Each meaning of a subject, each language and each of its words, as written in the file."""
    return ((entry.meaning, entry.language, entry.word) for entry in _entries(subject))


class VocabularyEntry(NamedTuple):
    """A word of a vocabulary file: `gané` is a win in Spanish, in the form `mine`."""

    meaning: str
    form: str
    language: str
    word: str


def _entries(subject: str) -> Iterator[VocabularyEntry]:
    """Every word of a subject; a meaning may be split into forms, which are tables of languages themselves."""
    for meaning, table in _file(subject).items():
        for name, listed in table.items():
            forms = {name: listed} if isinstance(listed, dict) else {"": {name: listed}}
            for form, languages in forms.items():
                for language, spellings in languages.items():
                    for word in spellings:
                        yield VocabularyEntry(meaning, form, language, word)


class SpokenMeaning(NamedTuple):
    """What a word does in a sentence: its table, and what it means there."""

    kind: str
    meaning: str
    form: str = ""


class Lexicon(NamedTuple):
    """The words of one language that sentences are made of, as written and folded."""

    language: str
    written: Mapping[str, SpokenMeaning]
    folded: Mapping[str, SpokenMeaning]
    lengths: Mapping[str, tuple[int, ...]]  # of the phrases that begin with a word, the longest first

    def known(self, words: Sequence[str]) -> int:
        """How many of these words it knows, alone or in a phrase."""
        places: set[int] = set()
        for start, word in enumerate(words):
            for length in self.lengths.get(fold(word), ()):
                phrase = words[start : start + length]
                if len(phrase) == length and (length == 1 or self.look_up(" ".join(phrase)) is not None):
                    places.update(range(start, start + length))
                    break
        return len(places)

    def look_up(self, phrase: str) -> SpokenMeaning | None:
        """What a word or phrase means; an accent decides where it makes a difference, such as French a and à."""
        return self.written.get(phrase.casefold()) or self.folded.get(fold(phrase))


@cache
def lexicon(language: str) -> Lexicon:
    """All words of a language: those about a game, and those that people put around them."""
    written = dict(_core()[language])
    text = get_data(__name__, f"talk/{language}.toml") if language in TALKED else None
    if text is not None:
        import tomllib

        for name, table in tomllib.loads(text.decode()).items():
            kind = "small" if name == "determiner" else name
            for word in table["words"]:
                written.setdefault(word.casefold(), SpokenMeaning(kind, kind, name))
    folded: dict[str, SpokenMeaning] = {}
    for word, meaning in written.items():
        folded.setdefault(fold(word), meaning)
    return Lexicon(language, written, folded, _lengths(folded))


def languages_of(words: Sequence[str]) -> list[tuple[str, int]]:
    """The languages that know some of these words as words about a game, alone or in a phrase; the best come first.

    Each with how many of the words it knows.
    """
    known: dict[str, set[int]] = {}
    for start, word in enumerate(words):
        for length in reversed(_spoken_lengths().get(fold(word), ())):
            end = min(start + length, len(words))
            for language in spoken(" ".join(words[start:end])):
                known.setdefault(language, set()).update(range(start, end))
    return sorted(((language, len(places)) for language, places in known.items()), key=lambda one: -one[1])


def spoken(word: str) -> Mapping[str, str]:
    """In which languages a word is about a game, and what it does there."""
    return _spoken_words().get(fold(word), {})


@cache
def only_means(kind: str) -> frozenset[str]:
    """The words that do this in some language and nothing else in any."""
    return frozenset(word for word, found in _spoken_words().items() if set(found.values()) == {kind})


@cache
def _spoken_words() -> Mapping[str, Mapping[str, str]]:
    """Every word about a game, folded, with the languages that have it."""
    found: dict[str, dict[str, str]] = {}
    for language, words in _core().items():
        for word, meaning in words.items():
            found.setdefault(fold(word), {}).setdefault(language, meaning.kind)
    return found


@cache
def _spoken_lengths() -> Mapping[str, tuple[int, ...]]:
    return _lengths(_spoken_words())


def _lengths(phrases: Iterable[str]) -> Mapping[str, tuple[int, ...]]:
    """How many words the phrases have that begin with a word, the longest first."""
    found: dict[str, set[int]] = {}
    for first, *others in map(str.split, phrases):
        found.setdefault(first, set()).add(1 + len(others))
    return {first: tuple(sorted(lengths, reverse=True)) for first, lengths in found.items()}


@cache
def _core() -> Mapping[str, Mapping[str, SpokenMeaning]]:
    """The words about a game, language by language: results, colours, and what stands around them."""
    found: dict[str, dict[str, SpokenMeaning]] = {}
    for subject in ("results", "colours", "sentences"):
        for meaning, form, language, word in _entries(subject):
            if subject == "colours" and meaning not in ("white", "black"):
                continue  # the letters of tables
            kind = meaning if subject == "sentences" else "colour" if subject == "colours" else result_kind(meaning)
            found.setdefault(language, {}).setdefault(word.casefold(), SpokenMeaning(kind, meaning, form))
    return found


def result_kind(meaning: str) -> str:
    """What a word for a result does in a sentence or a row: those for a round without an opponent are one kind."""
    return {"win": "result", "draw": "result", "loss": "result", "absent": "bye", "empty": "bye"}.get(meaning, meaning)


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


def is_particle(word: str) -> bool:
    """Whether a word may stand inside a name: the `van` of `van Dijk`."""
    return words("names").phrase(fold(word)) is not None


def heading(text: str) -> str | None:
    """What a heading means, the first of several meanings; None if it is not in the vocabulary."""
    return next(iter(headings(text)), None)


def headings(text: str) -> Mapping[str, int]:
    """Every meaning of a heading, and how early the word comes among those of that meaning."""
    return _headings().get(_bare_heading(text), {})


@cache
def _headings() -> Mapping[str, Mapping[str, int]]:
    """The meanings of table headings, by folded heading without dots and spaces; a single letter keeps its case."""
    found: dict[str, dict[str, int]] = {}
    for place, (meaning, word) in enumerate(entries("headings")):
        found.setdefault(_bare_heading(word), {}).setdefault(meaning, place)
    return found


@lru_cache(maxsize=MANY_WORDS)
def _bare_heading(text: str) -> str:
    folded = bare(text)
    return folded if len(folded) > 1 else text.strip(" .°")


@cache
def _file(subject: str) -> Mapping[str, Any]:
    """A vocabulary file: by meaning, the words of each language; for months, the names of each language."""
    import tomllib

    return tomllib.loads((get_data(__name__, f"{subject}.toml") or b"").decode())
