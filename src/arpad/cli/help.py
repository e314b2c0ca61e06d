"""The help of a command, made from its fields."""

from __future__ import annotations

import argparse
from textwrap import fill
from typing import TYPE_CHECKING, Any

from arpad.calculation.explain import WIDTH
from arpad.cli.words import OUTPUT, option_of
from arpad.messages import entry, section, voice
from arpad.questions.declare import given_fields

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from arpad.questions.declare import Given, Spec

MARGIN = 24  # columns of the option before what it means


def help_of(spec: Spec) -> str:
    """The help of one command, for 80 columns."""
    fields = spec.fields_at("command")
    lines = [f"usage: arpad {spec.name} {usage_of(fields)}", "", *_wrapped(summary_of(spec.name)), ""]
    groups: dict[str, list[Given]] = {}
    for one in (*fields.values(), *_of_events(fields)):
        groups.setdefault("words" if one.word else one.group, []).append(one)
    headings = section(voice().language, "command.group")
    for group, members in sorted(groups.items(), key=lambda group: list(headings).index(group[0])):
        lines += [f"{headings[group]}:", *(row for one in members for row in _option(one)), ""]
    lines += [f"{headings['output']}:", *(row for name in OUTPUT for row in _row(f"--{name}", field_help(name))), ""]
    if any(one.name == "game" for one in fields.values()):
        lines += [*_wrapped(entry(voice().language, "command.notation")), ""]
    lines += [str(headings["examples"]) + ":", *(f"  {line}" for line in examples_of(spec))]
    return "\n".join(lines)


def _of_events(fields: Mapping[str, Given]) -> list[Given]:
    """The options that an event has alone."""
    nested = fields["event"].nested if "event" in fields else None
    if nested is None:
        return []
    there = {one.name for one in fields.values() if not one.word}
    return [one for one in given_fields(nested).values() if not one.word and one.name not in there]


def summary_of(name: str) -> str:
    """What a command does, in a line."""
    return section(voice().language, "command.summary")[name]


def field_help(name: str) -> str:
    """What a field means."""
    return section(voice().language, "fields.help")[name]


def usage_of(fields: Mapping[str, Given]) -> str:
    """The words of a command, then its options."""
    words = [
        f"{metavar(one)}{' ...' * one.many}" for one in sorted(fields.values(), key=lambda one: one.many) if one.word
    ]
    return " ".join([*words, "[options]"])


def metavar(given: Given) -> str:
    """What stands for a value in the help: YEAR, RATING."""
    return section(voice().language, "fields.metavar").get(given.name, given.name.upper().replace("_", "-"))


def _option(given: Given) -> list[str]:
    if given.word:
        return _row(metavar(given), field_help(given.name))
    start = option_of(given) if given.flag or given.nested else f"{option_of(given)} {metavar(given)}"
    return _row(f"{start} ..." if given.greedy else start, field_help(given.name))


def _row(start: str, says: str) -> list[str]:
    """An option and what it means beside it, or below where it is long."""
    rows = fill(says, WIDTH - MARGIN, break_on_hyphens=False).splitlines() or [""]
    head = f"  {start}"
    if len(head) > MARGIN - 2:
        return [head, *(f"{'':<{MARGIN}}{row}" for row in rows)]
    return [f"{head:<{MARGIN}}{rows[0]}", *(f"{'':<{MARGIN}}{row}" for row in rows[1:])]


def _wrapped(text: str) -> list[str]:
    return fill(text, WIDTH, break_on_hyphens=False).splitlines()


def examples_of(spec: Spec) -> list[str]:
    """The examples as they are typed."""
    return [command_line(spec, example) for example in spec.examples]


def command_line(spec: Spec, example: Mapping[str, Any]) -> str:
    """An example as a command: the words first, then the options, then each event."""
    parts = _typed(spec.fields, {name: value for name, value in example.items() if name != "event"})
    nested = spec.fields["event"].nested if "event" in spec.fields else None
    for event in example.get("event", ()) if nested else ():
        parts += ["--event", *_typed(given_fields(nested), event)]
    return " ".join(["arpad", spec.name, *parts])


def _typed(fields: Mapping[str, Given], given: Mapping[str, Any]) -> list[str]:
    words: list[str] = []
    options: list[str] = []
    for name, value in given.items():
        values = [_quoted(one) for one in (value if isinstance(value, list) else [value])]
        if fields[name].word:
            words += values
        elif fields[name].flag:
            options.append(option_of(fields[name]))
        elif fields[name].greedy:
            options += [option_of(fields[name]), *values]
        else:
            options += [part for one in values for part in (option_of(fields[name]), one)]
    return [*words, *options]


def _quoted(value: object) -> str:
    text = str(value)
    return f'"{text}"' if " " in text else text


def parser_of(name: str, fields: Sequence[Given]) -> argparse.ArgumentParser:
    """The command as an argument parser, for the completion of shells."""
    parser = argparse.ArgumentParser(prog=f"arpad {name}", add_help=False)
    for one in fields:
        if one.word:
            parser.add_argument(one.name, nargs="*", help=field_help(one.name))
        elif one.flag or one.nested:
            parser.add_argument(option_of(one), action="store_true", help=field_help(one.name))
        else:
            parser.add_argument(option_of(one), metavar=metavar(one), help=field_help(one.name))
    for option in OUTPUT:
        parser.add_argument(f"--{option}", action="store_true", help=field_help(option))
    return parser
