"""Everything Arpad says to people: a key and values go in, a sentence in the right language and door comes out.

A message is written where something has to be said (`say("notes.k.next", k=20)`) and becomes a sentence where it
is read. The sentences are in `messages/<language>/*.txt`; the first word of a key names the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache
from os.path import dirname, join
from string import Formatter
from typing import Protocol

__all__ = [
    "FieldName",
    "Message",
    "Voice",
    "entry",
    "figure",
    "fill",
    "languages",
    "listed",
    "say",
    "section",
    "speaking",
    "voice",
]
FOLDER = dirname(__file__)
ORIGINAL = "en"
TINY, SMALL = 0.001, 0.1  # a volatility is small, the chance in a hopeless game is tiny
MOST_DECIMALS = 4
LISTED = 8  # numbers or names that a sentence lists before "and 12 more"


@dataclass(frozen=True, slots=True)
class Message:
    """Something to say: a key in the message files, and the values for its placeholders."""

    key: str
    values: Mapping[str, object] = field(default_factory=dict)

    def parts(self) -> list[Part]:
        """The sentence in the current voice, piece by piece."""
        speaker = voice()
        found: list[Part] = []
        for text, name, spec in _places(entry(speaker.language, self.key)):
            if text:
                found.append(Part(text))
            if name == "field":
                found.append(Part(speaker.field(spec), "field", spec))
            elif name == "question":
                found.append(Part(speaker.question(spec), "question", spec))
            elif name and isinstance(value := self.values[name], FieldName):
                found.append(Part(speaker.field(value), "field", value))
            elif name:
                found.append(Part(_shown(self.values[name], spec)))
        return found

    def __str__(self) -> str:
        return "".join(part.text for part in self.parts())


def say(key: str, /, **values: object) -> Message:
    """A message: `say("notes.k.next", k=20)`."""
    return Message(key, values)


class FieldName(str):
    """The name of a field inside a message, which each door shows in its own way."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a sentence: text, or the name of a field or question, which a page turns into a link."""

    text: str
    kind: str = "text"  # text, field or question
    name: str = ""


def fill(template: str, values: SupportsPlaces) -> str:
    """A template with its placeholders filled in."""
    return "".join(text + (_shown(values[name], spec) if name else "") for text, name, spec in _places(template))


class SupportsPlaces(Protocol):
    """Anything with a value for each placeholder of a template: a mapping, or an object that works them out."""

    def __getitem__(self, name: str, /) -> object: ...


@cache
def _places(template: str) -> tuple[tuple[str, str, str], ...]:
    """A template in pieces: the text before a placeholder, the placeholder's name, and what follows its colon."""
    return tuple((text, name or "", spec or "") for text, name, spec, _ in Formatter().parse(template))


def _shown(value: object, spec: str) -> str:
    """A value as its placeholder shows it: `{change:+}` has a sign, `{games:game|games}` counts.

    A list has commas, and the placeholder's word before its last item: `{names:or}` is `a, b or c`.
    """
    if isinstance(value, list | tuple | frozenset):
        items = [voice().field(item) if isinstance(item, FieldName) else item for item in value]
        return _joined([figure(item) for item in items], spec) if spec else listed(items)
    if spec == "+":
        return figure(value, signed=True)
    return counted(value, spec.split("|")) if spec else figure(value)


def _joined(items: Sequence[str], word: str) -> str:
    """Items with commas and a word before the last: `a, b or c`."""
    return f" {word} ".join(filter(None, [", ".join(items[:-1]), *items[-1:]]))


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


def languages() -> list[str]:
    """The languages that have message files."""
    from pathlib import Path  # slow to import, and no command needs the languages

    return sorted(
        folder.name for folder in Path(FOLDER).iterdir() if folder.is_dir() and not folder.name.startswith("_")
    )


def entry(language: str, key: str) -> str:
    """The text of a message. A missing key is a bug, which the tests catch."""
    subject, _, rest = key.partition(".")
    return subject_texts(language, subject)[rest]


@cache
def section(language: str, name: str) -> Mapping[str, str]:
    """The texts of one section by their keys: `section("en", "steps.label")["k"]`."""
    subject, _, inner = name.partition(".")
    start = f"{inner}."
    texts = subject_texts(language, subject)
    return {key.removeprefix(start): text for key, text in texts.items() if key.startswith(start)}


@cache
def subject_texts(language: str, subject: str) -> Mapping[str, str]:
    """All texts of one file."""
    # Simpler and faster than a TOML parser: the command reads two of these files every time it starts.
    texts: dict[str, str] = {}
    keys: list[str] = []
    start = ""
    with open(join(FOLDER, language, f"{subject}.txt"), encoding="utf-8") as file:
        lines = file.read().splitlines()
    for line in lines:
        if line.startswith("["):
            start = f"{line.strip()[1:-1]}."
        elif line.startswith(" "):
            for key in keys:
                texts[key] += f" {line.strip()}"
        elif line and not line.startswith("#"):
            name, _, text = line.partition(" = ")
            owners, dot, last = name.strip().rpartition(".")
            keys = [f"{start}{owner}{dot}{last}" for owner in owners.split("|")]
            texts.update(dict.fromkeys(keys, text.strip()))
    return texts


def figure(value: object, *, signed: bool = False) -> str:
    """A number with a proper minus sign and no needless digits; anything else as text."""
    if isinstance(value, bool):
        return _word("yes" if value else "no")
    if isinstance(value, int):
        text = str(value)
    elif isinstance(value, Decimal):
        text = _decimal(value)
    elif isinstance(value, float):
        text = f"{_shortened(value):f}"
    else:
        return str(value)
    if text[0] == "-":
        return f"−{text[1:]}"
    return f"+{text}" if signed and value else text


def listed(values: Iterable[object]) -> str:
    """Values with commas: `3, 5, 8`; a long list gives the first few and says how many more."""
    shown = [figure(value) for value in values]
    more = len(shown) - LISTED
    return ", ".join(shown) if more <= 0 else _word("more").format(shown=", ".join(shown[:LISTED]), more=more)


def counted(value: object, forms: Sequence[str]) -> str:
    """A count with its noun, singular or plural: `1 game`, `1,500 games`."""
    if not isinstance(value, int):
        raise TypeError(f"{value!r} is not a count of {forms[-1]}")
    return f"{value:,} {forms[0] if value == 1 else forms[-1]}"


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
