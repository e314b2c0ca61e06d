"""The manual page `arpad(1)`, made from the same declarations as the help; the wheel brings it."""

from __future__ import annotations

import re

from arpad.cli import ANSWERED, BROKEN, LOOK, REFUSED, STOPPED, command_spec, commands, grouped
from arpad.cli.help import examples_of, metavar, summary_of
from arpad.cli.words import OUTPUT, option_of
from arpad.messages import say, section, speaking, voice
from arpad.questions.declare import Given, Spec, field_help

CODES = {ANSWERED: "answered", LOOK: "look", REFUSED: "refused", BROKEN: "broken", STOPPED: "stopped"}


def manual(version: str) -> str:
    """The page in the language of `man`; the same for the same version."""
    with speaking(door="command"):
        names = commands()
        headings = section(voice().language, "command.overview")
        lines = [
            f'.TH ARPAD 1 "" "arpad {version}"',
            ".SH NAME",
            rf"arpad \- {_text(say('command.manual.name'))}",
            ".SH SYNOPSIS",
            r"\fBarpad\fR \fICOMMAND\fR [\fIARGUMENTS\fR] [\fIOPTIONS\fR]",
            ".SH DESCRIPTION",
            _text(say("command.about")),
            ".PP",
            _text(say("command.manual.help", command="arpad COMMAND --help")),
            ".SH COMMANDS",
        ]
        for key, members in grouped(names).items():
            lines.append(f".SS {_text(headings[key])}")
            for name in members:
                lines += _command(command_spec(name))
        lines.append(".SH OUTPUT")
        for name in OUTPUT:
            lines += _item(f"--{name}", field_help(name))
        lines += _item("--language", field_help("language"), "LANGUAGE")
        lines.append(".SH EXIT STATUS")
        for code, key in CODES.items():
            lines += _item(str(code), str(say(f"command.manual.{key}")))
        lines += [".SH EXAMPLES", ".nf", *(_text(examples_of(command_spec(name))[0]) for name in names), ".fi"]
    return "\n".join([*lines, ""])


def _command(spec: Spec) -> list[str]:
    """A command: what it does, its arguments and its options."""
    given = list(spec.fields_at("command").values())
    words = " ".join(metavar(field, spec.name) for field in given if field.word)
    lines = _item(f"arpad {spec.name}", summary_of(spec.name), words)
    options = [field for field in given if not field.word]
    if options:
        lines += [".RS", *(row for field in options for row in _option(field, spec.name)), ".RE"]
    return lines


def _option(given: Given, command: str) -> list[str]:
    value = "" if given.flag or given.nested else metavar(given, command)
    return _item(option_of(given), field_help(given.name, command), value)


def _item(term: str, says: str, value: str = "") -> list[str]:
    """A term in bold, its value in italics, and its meaning below."""
    return [".TP", rf"\fB{_text(term)}\fR" + (rf" \fI{_text(value)}\fR" if value else ""), _text(says)]


def _text(text: object) -> str:
    """A text that `man` takes as it is: no line begins with a control character, and a dash is a dash."""
    plain = str(text).replace("\\", r"\e").replace("-", r"\-")
    return re.sub(r"^(?=[.'])", r"\\&", plain)
