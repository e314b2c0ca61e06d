"""Errors in the command's own words: option names, and what a command needs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from arpad.cli.help import examples_of, metavar
from arpad.cli.words import event_fields, option_of
from arpad.errors import ArpadError, BadInput
from arpad.messages import say
from arpad.questions.declare import given_fields

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arpad.messages import FieldName
    from arpad.questions import Asked
    from arpad.questions.declare import Given, Spec

GAMES = "games"  # the games for the library, but at the command the number of games so far
FILE = "path"  # an error names the file itself, not this field
NEEDED = ("questions.needed", "questions.one_needed")
PART = re.compile(r"(\w+)(?:\[(\d+)\])?")  # a part of a place: `game[1]`


def place_of(at: str, fields: Mapping[str, Given]) -> str:
    """A place in the command's words: `born` is `--born`, `event[0].game[1]` is `event 1, game 2`."""
    called = []
    for part in at.split("."):
        name, number = _numbered(part)
        given = fields.get(name)
        if given is None:
            return at
        if given.nested is not None:
            fields = given_fields(given.nested)
        called.append(_called(given, number))
    return ", ".join(called)


def _numbered(part: str) -> tuple[str, int | None]:
    """A part of a place: the name, and which one of several, counted from 1."""
    found = PART.fullmatch(part)
    if found is None:
        return "", None
    return found[1], None if found[2] is None else int(found[2]) + 1


def _called(given: Given, number: int | None) -> str:
    if number is None:
        return given.name if given.word else option_of(given)
    if given.word or given.nested is not None:
        return f"{given.name} {number}"
    return str(say("command.nth", option=option_of(given), number=number))


def _needed_as(field: FieldName, known: Mapping[str, Given], command: str) -> str | FieldName:
    """What the help calls a needed field: an argument has no `--`."""
    given = known.get(field)
    return metavar(given, command) if given is not None and given.word else field


def in_command_words(error: ArpadError, spec: Spec, asked: Asked | None, *, as_json: bool) -> ArpadError:
    """An error in the command's words; `asked` is the question if it was understood.

    In JSON the place is the field's path, as in the API.
    """
    if asked is not None:
        asked.file.locate(error)
    if error.at is not None and not as_json and not (asked is not None and error.at == GAMES):
        known = spec.fields_at("command")
        by_option = {given.option: given for given in known.values() if given.option}
        file = getattr(asked and asked.question, error.at, None) if error.at == FILE else None
        error.at = file if isinstance(file, str) else place_of(error.at, {**by_option, **event_fields(known), **known})
    fields = error.said.values.get("fields")
    if error.said.key in NEEDED and isinstance(fields, list):
        known = spec.fields_at("command")
        needed = [_needed_as(field, known, spec.name) for field in fields]
        key = f"command.{error.said.key.rpartition('.')[2]}"
        said = say(key, command=spec.name, fields=needed, example=examples_of(spec)[0])
        return BadInput(said, at=error.at)
    return error
