"""A message: a key and values; the words come later, by language and door."""

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
    """A field as a value of a message: each door calls it by its own name."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a sentence: text, or the name of a field or question, which a page makes a link of."""

    text: str
    kind: str = "text"  # text, field or question
    name: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """Something to say: a key of the message files, and the values for its places."""

    key: str
    values: Mapping[str, object] = field(default_factory=dict)

    def parts(self) -> list[Part]:
        """The sentence in the present voice, piece by piece."""
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
    """A template with values in its places."""
    return "".join(text + (_shown(values[name], spec) if name else "") for text, name, spec in _places(template))


class SupportsPlaces(Protocol):
    """What has a value for each place of a template: a mapping, or something that works them out."""

    def __getitem__(self, name: str, /) -> object: ...


@cache
def _places(template: str) -> tuple[tuple[str, str, str], ...]:
    """A template as pieces: the text before a place, the place's name, and what stands behind its colon."""
    return tuple((text, name or "", spec or "") for text, name, spec, _ in Formatter().parse(template))


def _shown(value: object, spec: str) -> str:
    """A value in its place: `{change:+}` has its sign, `{games:game|games}` counts.

    A list has commas, and before its last item the word of its place: `{names:or}` is `a, b or c`.
    """
    if isinstance(value, list | tuple | frozenset):
        items = [voice().field(one) if isinstance(one, FieldName) else one for one in value]
        return _joined([figure(item) for item in items], spec) if spec else listed(items)
    if spec == "+":
        return figure(value, signed=True)
    return counted(value, spec.split("|")) if spec else figure(value)


def _joined(items: Sequence[str], word: str) -> str:
    """`a, b or c`."""
    return f" {word} ".join(filter(None, [", ".join(items[:-1]), *items[-1:]]))
