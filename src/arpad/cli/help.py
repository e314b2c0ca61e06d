"""The help of a command, made from its fields."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping
from textwrap import fill
from typing import TYPE_CHECKING, Any

from arpad.calculation.explain import WIDTH
from arpad.cli.show import Style
from arpad.cli.words import OUTPUT, event_fields, option_of
from arpad.errors import ArpadError, BadInput
from arpad.messages import languages, say, section, voice
from arpad.questions.declare import field_help, given_fields

if TYPE_CHECKING:
    from arpad.messages import FieldName
    from arpad.questions import Asked
    from arpad.questions.declare import Given, Spec


MARGIN = 24  # columns for the option, before its meaning
OUR_FILES = "docs/examples/"  # where a checkout has the files that examples name
PLAIN = Style()
EVENT = "in_event"  # the key of help texts for an event's own fields


def help_of(spec: Spec, style: Style = PLAIN) -> str:
    """The help of one command, for 80 columns."""
    fields = spec.fields_at("command")
    headings = section(voice().language, "command.group")
    groups: dict[str, list[str]] = {group: [] for group in headings}
    there = [*((given, spec.name) for given in fields.values()), *((given, EVENT) for given in _event_only(fields))]
    for given, command in sorted(there, key=lambda pair: pair[0].flag):  # flags last
        groups["words" if given.word else given.group] += _option(given, command)
    groups["output"] = [row for name in OUTPUT for row in _row(f"--{name}", field_help(name))]
    groups["output"] += _row(
        f"--language {section(voice().language, 'fields.metavar')['language']}", field_help("language")
    )
    groups["examples"] = [row for line in examples_of(spec) for row in _continued(line)]
    lines = [*_usage(spec), "", *_wrapped(summary_of(spec.name))]
    for group, rows in groups.items():
        if group == "examples":
            lines += _notation(spec.name, fields)
        heading = style("strong", str(say("command.heading", group=headings[group])))
        lines += ["", heading, *rows] if rows else []
    return "\n".join([*lines, *_example_files(spec)])


def _notation(command: str, fields: Mapping[str, Given]) -> list[str]:
    """How to write games, for commands that take games."""
    if "game" not in fields:
        return []
    texts = section(voice().language, "command.notation")
    return ["", *_wrapped(texts.get(command, texts["played"]))]


def _event_only(fields: Mapping[str, Given]) -> list[Given]:
    """The options that only an event has."""
    there = {name for name, given in fields.items() if not given.word}
    return [given for name, given in event_fields(fields).items() if not given.word and name not in there]


def summary_of(name: str) -> str:
    """What a command does, in one line."""
    return section(voice().language, "command.summary")[name]


def metavar(given: Given, command: str = "") -> str:
    """The placeholder for a value in the help: YEAR, RATING."""
    texts = section(voice().language, "fields.metavar")
    usual = given.name.upper().replace("_", "-")
    return texts.get(f"{command.replace(' ', '_')}.{given.name}") or texts.get(given.name, usual)


def _usage(spec: Spec) -> list[str]:
    """How to type a command, in lines of up to 80 columns; an option and its value stay together."""
    lines = [str(say("command.usage", command=f"arpad {spec.name}"))]
    for part in _usage_parts(spec):
        if len(lines[-1]) + len(part) < WIDTH:
            lines[-1] += f" {part}"
        else:
            lines.append(f"{'':<{MARGIN // 2}}{part}")
    return lines


def _usage_parts(spec: Spec) -> list[str]:
    """The arguments of a command, in brackets if optional, then the options it needs."""
    fields = spec.fields_at("command")
    needs = [[name for name in need.split("|") if name in fields] for need in (*spec.needs, *spec.waits)]
    # The fields that have no alternative, or only events.
    wanted = {name for names in needs for name in names if set(names) <= {name, "event"}}
    words = sorted((given for given in fields.values() if given.word), key=lambda given: given.many)
    shown = {given.name: _several(given, metavar(given, spec.name)) for given in words}
    parts = [text if name in wanted else f"[{text}]" for name, text in shown.items()]
    for names in needs:
        if not any(fields[name].word for name in names):
            choice = " | ".join(_typed_as(fields[name], spec.name) for name in names)
            parts.append(f"({choice})" if len(names) > 1 else choice)
    return [*parts, str(say("command.options"))]


def _typed_as(given: Given, command: str) -> str:
    """An option with the placeholder for its value."""
    if given.flag or given.nested:
        return option_of(given)
    value = metavar(given, command)
    return f"{option_of(given)} {value if given.takes is not None else _several(given, value)}"


def _several(given: Given, text: str) -> str:
    return f"{text} ..." if given.many and " " not in text else text


def _option(given: Given, command: str) -> list[str]:
    says = field_help(given.name, command)
    return _row(metavar(given, command) if given.word else _typed_as(given, command), says)


def _row(start: str, says: str) -> list[str]:
    """An option with its meaning next to it, or below if the option is long."""
    rows = fill(says, WIDTH - MARGIN, break_on_hyphens=False).splitlines() or [""]
    head = f"  {start}"
    if len(head) > MARGIN - 2:
        return [head, *(f"{'':<{MARGIN}}{row}" for row in rows)]
    return [f"{head:<{MARGIN}}{rows[0]}", *(f"{'':<{MARGIN}}{row}" for row in rows[1:])]


def _wrapped(text: str) -> list[str]:
    return fill(text, WIDTH, break_on_hyphens=False).splitlines()


def examples_of(spec: Spec) -> list[str]:
    """The examples as they are typed where the example files are: `arpad example` writes them."""
    return [command_line(spec, example).replace(OUR_FILES, "") for example in spec.examples]


def _continued(line: str) -> list[str]:
    """An example in lines of up to 80 columns, which go on before an option, as a shell reads them."""
    first, *options = line.split(" --")
    rows = [f"  {first}"]
    for option in options:
        if len(rows[-1]) + len(f" --{option}") <= WIDTH - len(" \\"):
            rows[-1] += f" --{option}"
        else:
            rows[-1] += " \\"
            rows.append(f"      --{option}")
    return rows


def _example_files(spec: Spec) -> list[str]:
    """How to get the example files that the examples name."""
    lines = " ".join(command_line(spec, example) for example in spec.examples).split()
    names = list(dict.fromkeys(word.removeprefix(OUR_FILES) for word in lines if word.startswith(OUR_FILES)))
    return ["", *_wrapped(str(say("command.example_files", names=names, first=names[0])))] if names else []


def command_line(spec: Spec, example: Mapping[str, Any]) -> str:
    """An example as a command: the words first, then the options, then each event."""
    parts = _typed(spec.fields, {name: value for name, value in example.items() if name != "event"})
    for event in example.get("event", ()):
        parts += ["--event", *_typed(event_fields(spec.fields), event)]
    return " ".join(["arpad", spec.name, *parts])


def _typed(fields: Mapping[str, Given], given: Mapping[str, object]) -> list[str]:
    words: list[str] = []
    options: list[str] = []
    for name, value in given.items():
        values = [_quoted(typed) for typed in (value if isinstance(value, list) else [value])]
        if fields[name].word:
            words += values
        elif fields[name].flag:
            options.append(option_of(fields[name]))
        elif fields[name].takes == 1:
            options += [part for typed in values for part in (option_of(fields[name]), typed)]
        else:
            options += [option_of(fields[name]), *values]
    return [*words, *options]


def _quoted(value: object) -> str:
    text = str(value)
    if "*" in text:
        return f"'{text}'"
    return f'"{text}"' if " " in text else text


def parser_of(spec: Spec, parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """A command as an argument parser, for the completion of shells."""
    fields = spec.fields_at("command")
    for given in (*fields.values(), *_event_only(fields)):
        says = field_help(given.name, spec.name)
        if given.word:
            parser.add_argument(given.name, nargs="*", help=says)
        elif given.flag or given.nested:
            parser.add_argument(option_of(given), action="store_true", help=says)
        else:
            parser.add_argument(option_of(given), metavar=metavar(given, spec.name), help=says)
    for option in OUTPUT:
        parser.add_argument(f"--{option}", action="store_true", help=field_help(option))
    parser.add_argument("--language", metavar="LANGUAGE", choices=languages(), help=field_help("language"))
    return parser


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
    if not given.word and (number is None or given.nested is None):
        called = option_of(given)
        return called if number is None else str(say("command.nth", option=called, number=number))
    name = voice().place(given.name)
    return name if number is None else f"{name} {number}"


def _needed_as(field: FieldName, known: Mapping[str, Given], command: str) -> str | FieldName:
    """What the help calls a needed field: an argument has no `--`."""
    given = known.get(field)
    return metavar(given, command) if given is not None and given.word else field


def in_command_words(error: ArpadError, spec: Spec, asked: Asked | None, *, as_json: bool) -> ArpadError:
    """An error in the command's words; `asked` is the question if it was understood.

    In JSON the place is the field's path, as in the API.
    """
    if asked is not None:
        asked.locate(error)
    if error.at is not None and not as_json:
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
