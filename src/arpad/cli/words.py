"""Assigns the words of a command to fields: `1750 1950:win --born 2010`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from arpad.errors import BadInput
from arpad.messages import say
from arpad.questions.declare import Given, given_fields, unknown_field

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from arpad.errors import ArpadError
    from arpad.questions.declare import Spec

OUTPUT = ("json", "explain", "plain", "brief")  # how an answer is shown; every command has these
HELP = ("-h", "--help")
REST = "--"  # everything after it is an argument, even with a leading dash
NUMBER = re.compile(r"[-−]\.?[0-9]")  # `-5:win` is not an option but a game, which is then refused


@dataclass(slots=True)
class CommandWords:
    """The fields given, how to show the answer, and whether help was asked for."""

    given: dict[str, Any] = field(default_factory=dict)
    output: set[str] = field(default_factory=set)
    help: bool = False


def option_of(given: Given) -> str:
    """The command's option for a field."""
    return f"--{(given.option or given.name).replace('_', '-')}"


def event_fields(fields: Mapping[str, Given]) -> dict[str, Given]:
    """The fields that each event of a command has, by name."""
    kind = fields["event"].nested if "event" in fields else None
    inner = {} if kind is None else given_fields(kind)
    return {name: given for name, given in inner.items() if "command" in given.doors}


def split(spec: Spec, words: Iterable[str]) -> CommandWords:
    """The words of a command by field; those after an `--event` belong to that event."""
    return _Splitter(spec).split(list(words))


class _Splitter:
    """A single pass over the words."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.fields = spec.fields_at("command")
        self.inner = event_fields(self.fields)
        self.options = {option_of(given): given for given in self.fields.values() if not given.word}
        self.inner_options = {option_of(given): given for given in self.inner.values() if not given.word}
        self.found = CommandWords()
        self.loose: dict[str, Any] = {}  # an event's options before any `--event`; they apply to the games before it
        self.here: dict[str, Any] = self.found.given

    def split(self, words: list[str]) -> CommandWords:
        while words:
            word = words.pop(0)
            if word in HELP:
                self.found.help = True
            elif word == REST:
                while words:
                    self._word(words.pop(0))
            elif word.startswith("-") and word != "-" and not NUMBER.match(word):
                self._option(word, words)
            else:
                self._word(word)
        if self.loose and not self.found.help:
            self._make_event()
        return self.found

    @property
    def in_event(self) -> bool:
        return self.here is not self.found.given

    def _option(self, word: str, rest: list[str]) -> None:
        """Take an option, with the values after it or after its equals sign."""
        option, equals, value = word.partition("=")
        shown = option.removeprefix("--") if option.removeprefix("--") in OUTPUT and option[:2] == "--" else None
        given, owner = self._field(option)
        if shown is None and given is None:
            raise self._unknown(option)
        if given is None or given.flag or given.nested is not None:
            if equals:
                at = option if given is None else given.name
                raise BadInput(say("command.no_value", option=option, value=value), at=at)
            if shown is not None:
                self.found.output.add(shown)
            elif given is not None and given.nested is not None:
                self.here = {}
                self.found.given.setdefault(given.name, []).append(self.here)
            elif given is not None:
                owner[given.name] = True
            return
        self._add(given, option, [value] if equals else self._values(given, rest), owner)

    def _unknown(self, option: str) -> ArpadError:
        """The error for an option that the command does not have."""
        name = option.removeprefix("--").replace("-", "_")
        known = [*self.options, *self.inner_options, *(f"--{shown}" for shown in OUTPUT), "--language", "--help"]
        fields = {**self.fields, **self.inner}
        return unknown_field("option", option, name, fields, known=known, at=f"arpad {self.spec.name}")

    def _field(self, option: str) -> tuple[Given | None, dict[str, Any]]:
        """The field of an option, and where its value belongs: this event, the games before any event, or the whole."""
        if self.in_event and option in self.inner_options:
            return self.inner_options[option], self.here
        if option in self.options:
            return self.options[option], self.found.given
        return self.inner_options.get(option), self.loose

    def _add(self, given: Given, option: str, values: list[str], owner: dict[str, Any]) -> None:
        if not values or values == [""]:
            example = example_of(self.spec, given)
            raise BadInput(say("command.requires", option=option, example=example), at=given.name)
        if given.many:
            owner.setdefault(given.name, []).extend(values)
        elif given.name in owner:
            raise BadInput(say("command.given_twice", option=option), at=given.name)
        else:
            owner[given.name] = values[0]

    def _values(self, given: Given, rest: list[str]) -> list[str]:
        """Take the words after an option that belong to it."""
        values: list[str] = []
        while rest and len(values) != given.takes and not rest[0].startswith("--") and rest[0] not in HELP:
            values.append(rest.pop(0))
        return values

    def _word(self, word: str) -> None:
        """Take a word without an option: it goes to the first field that still takes one."""
        places = [given for given in (self.inner if self.in_event else self.fields).values() if given.word]
        for given in sorted(places, key=lambda given: given.many):
            if given.many:
                self.here.setdefault(given.name, []).append(word)
                return
            if given.name not in self.here:
                self.here[given.name] = word
                return
        behind = next((option for option, given in self.options.items() if given.takes is None), None)
        key = "command.no_words" if not places else "command.unexpected" if behind is None else "command.option_first"
        raise BadInput(say(key, word=word, option=behind, command=self.spec.name), at=f"arpad {self.spec.name}")

    def _make_event(self) -> None:
        """Turn the games before any `--event` into an event, because they were given options of an event."""
        given = self.found.given
        theirs = [
            name
            for name, event_field in self.inner.items()
            if name in given and event_field.word == self.fields[name].word
        ]
        later = given.setdefault("event", [])
        if not later and "on" in theirs:
            theirs.remove("on")  # the day of a single event is that of the whole question
        first = {name: given.pop(name) for name in theirs if name != "time"}  # a time control applies to all events
        if not set(first) - {"on"}:
            first_option = self.inner[next(iter(self.loose))]
            raise BadInput(say("command.of_event", option=option_of(first_option)), at=first_option.name)
        later.insert(0, {**first, **self.loose})


def example_of(spec: Spec, given: Given) -> str:
    """An example value of a field, from the command's own examples if possible."""
    for example in spec.examples:
        if given.name in example:
            value = example[given.name]
            return " ".join(map(str, value)) if isinstance(value, list) else str(value)
    return given.example
