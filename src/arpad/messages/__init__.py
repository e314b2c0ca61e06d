"""Everything Arpad says to people: a key and values go in, a sentence in the right language and door comes out.

A message is written where something has to be said (`say("notes.k.next", k=20)`) and becomes a sentence where it
is read. The sentences are in `messages/<language>/*.txt` (`texts.py` reads them); the first word of a key names the
file. How a language writes numbers, days, lists and counts is in `locale.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from string import Formatter
from typing import NamedTuple, Protocol

from arpad.messages.locale import DayKind, Locale, locale_of, nearest, plain_tag, plural_form, preferred, shipped
from arpad.messages.texts import (
    FOLDER,
    ORIGINAL,
    Borrowed,
    add_folder,
    as_written,
    entry,
    languages,
    own_texts,
    rule_texts,
    section,
    subject_texts,
)

__all__ = [
    "FOLDER",
    "ORIGINAL",
    "PAPER",
    "AsTyped",
    "FieldName",
    "Locale",
    "Message",
    "Quoted",
    "Voice",
    "add_folder",
    "apart",
    "as_written",
    "counted",
    "dated",
    "entry",
    "figure",
    "fill",
    "fixed",
    "halves",
    "knows",
    "languages",
    "listed",
    "locale_of",
    "nearest",
    "own_texts",
    "plain_tag",
    "preferred",
    "say",
    "section",
    "shipped",
    "speaking",
    "subject_texts",
    "thousands",
    "voice",
]
TINY, SMALL = 0.001, 0.1  # a volatility is small, the chance in a hopeless game is tiny
MOST_DECIMALS = 4
PAPER = "paper"  # documents, and the pages made with the command: whoever reads them has no options to give
BRACKETED_OPTION = re.compile(r" \([^()]*\{field:(?P<name>\w+)[^()]*\)")
CLAUSE_OF_OPTION = re.compile(r"; [^.;]*\{field:[^.;]*(?=[.;])|(?<=[.!?]) [^.;]*\{field:[^.;]*\.")
LISTED = 8  # numbers or names that a sentence lists before "and 12 more"


@dataclass(frozen=True, slots=True)
class Message:
    """Something to say: a key in the message files, and the values for its placeholders."""

    key: str
    values: Mapping[str, object] = field(default_factory=dict, hash=False)

    def parts(self) -> list[Part]:
        """The sentence in the current voice, piece by piece."""
        speaker = voice()
        found: list[Part] = []
        if not knows(self.key):  # a word that another package forgot: what it means is in its key and values
            values = ", ".join(f"{name}={figure(value)}" for name, value in self.values.items())
            return [Part(f"{self.key} ({values})" if values else self.key)]
        template = entry(speaker.language, self.key)
        for text, name, spec in _places(speaker.offered(template)):
            if text:
                found.append(Part(text))
            if name == "field":
                found.append(Part(speaker.field(spec), "field", spec))
            elif name == "question":
                found.append(Part(speaker.question(spec), "question", spec))
            elif name and isinstance(value := self.values[name], FieldName):
                found.append(Part(speaker.field(value), "field", value))
            elif name == "system" and isinstance(value, str):
                found.append(Part(speaker.system(value)))
            elif name == "systems" and isinstance(value, list | tuple):
                found.append(Part(speaker.systems(value)))
            elif name:
                found.append(Part(_shown(self.values[name], spec, _language_of(template)), "value"))
        return found

    def __str__(self) -> str:
        return "".join(part.text for part in self.parts())


def say(key: str, /, **values: object) -> Message:
    """A message: `say("notes.k.next", k=20)`."""
    return Message(key, values)


class FieldName(str):
    """The name of a field inside a message, which each door shows in its own way."""

    __slots__ = ()


class Quoted(str):
    """A text of a rule file: English, shown in the current language if that has words for it."""

    __slots__ = ()

    def __new__(cls, text: str) -> Quoted:
        return str.__new__(cls, str.__str__(text))  # the English, also of a text that is quoted already

    def __str__(self) -> str:
        return rule_texts(voice().language).get(self) or str.__str__(self)


class AsTyped(str):
    """What somebody typed, as an error quotes it in the current language; what cannot be printed is escaped."""

    __slots__ = ()

    def __str__(self) -> str:
        return _locale().typed.replace("…", repr(str.__str__(self))[1:-1])


class Part(NamedTuple):
    """A piece of a sentence: text, a value, or the name of a field or question, which a page turns into a link."""

    text: str
    kind: str = "text"  # text, value, field or question
    name: str = ""


def fill(template: str, values: SupportsPlaces) -> str:
    """A template with its placeholders filled in."""
    language = _language_of(template)
    return "".join(
        text + (_shown(values[name], spec, language) if name else "") for text, name, spec in _places(template)
    )


class SupportsPlaces(Protocol):
    """Anything with a value for each placeholder of a template: a mapping, or an object that works them out."""

    def __getitem__(self, name: str, /) -> object: ...


@cache
def _places(template: str) -> tuple[tuple[str, str, str], ...]:
    """A template in pieces: the text before a placeholder, the placeholder's name, and what follows its colon."""
    return tuple((text, name or "", spec or "") for text, name, spec, _ in Formatter().parse(template))


@cache
def _on_paper(template: str) -> str:
    """A template without what it says about options: in brackets, or in a clause or sentence of its own."""
    return CLAUSE_OF_OPTION.sub("", BRACKETED_OPTION.sub("", template))


def _language_of(template: str) -> str:
    return ORIGINAL if isinstance(template, Borrowed) else voice().language


def _shown(value: object, spec: str, language: str) -> str:
    """A value as its placeholder shows it: `{change:+}` has a sign, `{games:game|games}` counts.

    `{games:=is|are}` is the word alone, also for the length of a list. A list has commas, and the placeholder's word
    before its last item: `{names:or}` is `a, b or c`. The language is that of the text.
    """
    if isinstance(value, list | tuple | frozenset) and spec[:1] == "=":
        return counted(len(value), spec.split("|"), language)
    if isinstance(value, list | tuple | frozenset):
        items = [voice().field(item) if isinstance(item, FieldName) else item for item in value]
        return _locale().joined([figure(item) for item in items], spec) if spec else listed(items)
    if spec == "+":
        return figure(value, signed=True)
    return counted(value, spec.split("|"), language) if spec else figure(value)


@dataclass(frozen=True, slots=True)
class Voice:
    """A language and a door; the door decides what fields and questions are called."""

    language: str = ORIGINAL
    door: str = "library"  # library, api, command, page or paper

    def field(self, name: str) -> str:
        """What this door calls a field: `--born`, “Year of birth”, `born` or, in the library, `birth_year`."""
        if self.door in {"command", PAPER}:
            called = section(self.language, "fields.command").get(name, f"--{name.replace('_', '-')}")
            return called if called[:2] == "--" else section(self.language, "fields.metavar").get(name, called)
        if self.door == "page":
            # What the page has no field for is done with the command.
            called = self._on_page(name) or Voice(self.language, "command").field(name)
            return locale_of(self.language).quoted(called)
        return f"`{self.place(name)}`"

    def offered(self, template: str) -> str:
        """A template without the options that this door does not offer."""
        if self.door == PAPER:
            return _on_paper(template)
        if self.door == "page":
            return BRACKETED_OPTION.sub(lambda said: said[0] if self._on_page(said["name"]) else "", template)
        return template

    def _on_page(self, name: str) -> str:
        """The label of a field on the page; empty if the page has no such field."""
        labels = (section(self.language, kind).get(name) for kind in ("fields.label", "pages.tournament_field"))
        return next(filter(None, labels), "")

    def place(self, name: str) -> str:
        """What this door calls the place of an error: in the library an argument, `birth_year`."""
        names = {"library": "fields.python", "command": "fields.place", PAPER: "fields.place"}
        return section(self.language, names[self.door]).get(name, name) if self.door in names else name

    def system(self, name: str) -> str:
        """What this door calls a system: its name on the page, and elsewhere what is typed for it."""
        return section(self.language, "pages.system").get(name, name) if self.door == "page" else name

    def systems(self, names: Sequence[str]) -> str:
        """Systems as this door calls them; their names on the page may have commas."""
        called = [self.system(name) for name in names]
        return apart(called) if self.door == "page" else listed(called)

    def reading(self, name: str) -> str:
        """What this door calls a reading of a disputed rule: words on the page, and elsewhere what is typed for it."""
        return section(self.language, "pages.reading_of_rule").get(name, name) if self.door == "page" else name

    def question(self, name: str) -> str:
        """What this door calls a question: `arpad rate`, its title on the page, or `rate`."""
        if self.door in {"command", PAPER}:
            return f"`arpad {name}`"
        if self.door == "page":
            title = section(self.language, "pages.title").get(name) or f"arpad {name}"  # which the page does not ask
            return locale_of(self.language).quoted(title)
        if self.door == "library":
            return f"`{section(self.language, 'fields.python_question').get(name, name)}`"
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


@contextmanager
def in_english() -> Iterator[Voice]:
    """Use English inside a `with` block, for what programs or FIDE read: the same in every language."""
    with speaking(ORIGINAL, voice().door) as speaker:
        yield speaker


def knows(key: str) -> bool:
    """Whether there is a text for a key, in the current language."""
    subject, _, rest = key.partition(".")
    return rest in subject_texts(voice().language, subject)


def figure(value: object, *, signed: bool = False) -> str:
    """A number with a proper minus sign and no needless digits, a day, or anything else as text."""
    if isinstance(value, bool):
        return _word("yes" if value else "no")
    if isinstance(value, int):
        text = str(value)
    elif isinstance(value, Decimal):
        text = _decimal(value)
    elif isinstance(value, float):
        text = f"{_shortened(value):f}"
    elif isinstance(value, date) and not isinstance(value, datetime):
        return dated(value, "date")
    else:
        return str(value)
    text = _locale().number(text)
    if text[0] == "-":
        return f"−{text[1:]}"
    return f"+{text}" if signed and value else text


def halves(score: Decimal | float) -> str:
    """A score as players write it: 2½, ½, 3; anything that is not in halves as a number."""
    whole, rest = divmod(Decimal(str(score)), 1)
    if score < 0 or rest not in (0, Decimal("0.5")):
        return figure(score)
    return f"{int(whole) if whole or not rest else ''}{'½' if rest else ''}"


def listed(values: Iterable[object]) -> str:
    """Values with commas: `3, 5, 8`; a long list gives the first few and says how many more."""
    return _locale().shortened([figure(value) for value in values], LISTED)


def apart(values: Iterable[object]) -> str:
    """Values that may have commas of their own, kept apart: `Rao, Vikram; Silva, Tomas`."""
    return _locale().kept_apart([figure(value) for value in values])


def counted(value: object, forms: Sequence[str], language: str | None = None) -> str:
    """A count with its noun in the form it takes: `1 game`, `1,500 games`; `=` leaves the count out."""
    first = forms[0].removeprefix("=")
    if not isinstance(value, int) and not (isinstance(value, Decimal) and first != forms[0]):
        raise TypeError(f"{value!r} is not a count of {forms[-1]}")
    form = plural_form(language or voice().language, value, [first, *forms[1:]])
    return form if isinstance(value, Decimal) or first != forms[0] else f"{_locale().grouped(value)} {form}"


def dated(on: date, kind: DayKind) -> str:
    """A day as the current language writes it: `dated(on, "long_day")` is 1 December 2026."""
    return _locale().dated(on, kind)


def fixed(number: float | Decimal, places: int) -> str:
    """A number with so many decimals."""
    return _locale().number(f"{number:.{places}f}")


def thousands(number: int) -> str:
    """A whole number in groups of three digits: 1,500."""
    return _locale().grouped(number)


def _locale() -> Locale:
    return locale_of(_VOICE.get().language)


def _word(key: str) -> str:
    """A word used among figures, in the current language."""
    return entry(voice().language, f"values.word.{key}")


def _decimal(value: Decimal) -> str:
    """A decimal written out; zero has no sign, and more than four decimals are rounded to three."""
    text = _digits(value)
    decimals = len(text.partition(".")[2])
    if decimals > MOST_DECIMALS:
        return _digits(value.quantize(Decimal("0.001")))
    return text.removesuffix(".0") if decimals == 1 else text


def _digits(value: Decimal) -> str:
    text = str(value)
    return text if value and "E" not in text else f"{value or abs(value):f}"


def _shortened(value: float) -> Decimal:
    """A constant such as 173.7178 in full; otherwise three decimals, or the leading digits of a small number."""
    digits = f"{value:.9g}"
    if float(digits) != value:
        digits = f"{value:.3f}" if abs(value) >= SMALL else f"{value:.5g}" if abs(value) >= TINY else f"{value:.3g}"
    return Decimal(digits).normalize() + 0
