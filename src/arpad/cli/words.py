"""The words of a command, by the fields they are given for: `1750 1950:win --born 2010`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from arpad.errors import ArpadError, BadInput, UnknownName
from arpad.messages import FieldName, say
from arpad.questions.declare import Given, given_fields

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

OUTPUT = ("json", "explain", "plain", "brief")  # how an answer is shown; every command has these
NUMBER = re.compile(r"[-−]\.?[0-9]")  # `-5:win` is no option but a game, to be refused


@dataclass(slots=True)
class Words:
    """What was given by name, how the answer is to be shown, and whether help was asked for."""

    given: dict[str, Any] = field(default_factory=dict)
    output: set[str] = field(default_factory=set)
    help: bool = False


def option_of(given: Given) -> str:
    """A field as the command's option."""
    return f"--{(given.option or given.name).replace('_', '-')}"


def split(command: str, fields: Mapping[str, Given], words: Iterable[str]) -> Words:
    """The words of a command by their fields; what is behind an `--event` belongs to that event."""
    return _Splitter(command, fields).split(list(words))


class _Splitter:
    """One walk over the words."""

    def __init__(self, command: str, fields: Mapping[str, Given]) -> None:
        self.command, self.fields = command, fields
        self.options = {option_of(one): one for one in fields.values() if not one.word}
        kind = fields["event"].nested if "event" in fields else None
        self.inner = {} if kind is None else given_fields(kind)
        self.inner_options = {option_of(one): one for one in self.inner.values() if not one.word}
        self.found = Words()
        self.here: dict[str, Any] = self.found.given

    def split(self, words: list[str]) -> Words:
        while words:
            word = words.pop(0)
            if word in ("-h", "--help"):
                self.found.help = True
            elif word.startswith("-") and word != "-" and not NUMBER.match(word):
                self._option(word, words)
            else:
                self._word(word)
        return self.found

    @property
    def in_event(self) -> bool:
        return self.here is not self.found.given

    def _option(self, word: str, rest: list[str]) -> None:
        """An option, with the value behind it or behind its equals sign."""
        option, equals, value = word.partition("=")
        if option.removeprefix("--") in OUTPUT and not equals:
            self.found.output.add(option.removeprefix("--"))
            return
        if option == "--event" and self.inner:
            self.here = {}
            self.found.given.setdefault("event", []).append(self.here)
            return
        inner = self.in_event and option in self.inner_options
        given = (self.inner_options if inner else self.options).get(option)
        if given is None:
            known = [*self.options, *self.inner_options, *(f"--{one}" for one in OUTPUT)]
            raise UnknownName("option", option, known=known, at=f"arpad {self.command}")
        owner = self.here if inner else self.found.given
        if given.flag:
            if equals:
                raise BadInput(say("command.no_value", option=option, value=value), at=option)
            owner[given.name] = True
            return
        values = [value] if equals else self._values(given, rest)
        if not values:
            raise self._requires(given, option)
        if given.many:
            owner.setdefault(given.name, []).extend(values)
        elif given.name in owner:
            raise BadInput(say("command.given_twice", option=option), at=option)
        else:
            owner[given.name] = values[0]

    def _values(self, given: Given, rest: list[str]) -> list[str]:
        """The words behind an option that belong to it."""
        values: list[str] = []
        while rest and (given.greedy or not values) and (not rest[0].startswith("--")):
            values.append(rest.pop(0))
        return values

    def _requires(self, given: Given, option: str) -> ArpadError:
        return BadInput(
            say("command.requires", option=option, what=FieldName(given.name), example=given.example), at=option
        )

    def _word(self, word: str) -> None:
        """A word without an option: the first field that still takes one."""
        places = [one for one in (self.inner if self.in_event else self.fields).values() if one.word]
        for one in sorted(places, key=lambda one: one.many):
            if one.many:
                self.here.setdefault(one.name, []).append(word)
                return
            if one.name not in self.here:
                self.here[one.name] = word
                return
        key = "command.unexpected" if places else "command.no_words"
        raise BadInput(say(key, word=word, command=self.command), at=f"arpad {self.command}")
