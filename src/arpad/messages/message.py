"""A message: a key and values, put into words later for a language and a door."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from string import Formatter
from typing import TYPE_CHECKING, Protocol

from arpad.messages.catalogue import entry
from arpad.messages.figures import counted, figure, listed
from arpad.messages.voice import voice

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class FieldName(str):
    """The name of a field inside a message, which each door shows in its own way."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a sentence: text, or the name of a field or question, which a page turns into a link."""

    text: str
    kind: str = "text"  # text, field or question
    name: str = ""


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
