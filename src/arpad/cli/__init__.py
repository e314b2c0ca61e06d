"""The command line: read the words, ask, print. No arithmetic and no rules are here."""

from __future__ import annotations

import gc
import json
import os
import sys
from datetime import date
from importlib import import_module
from textwrap import fill
from typing import TYPE_CHECKING

from arpad.errors import ArpadError, UnknownName
from arpad.messages import say, section, speaking, voice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arpad.cli.show import Reply
    from arpad.questions.declare import Spec

# The commands that are no questions: they work with files, lists and servers of this machine.
OWN = {
    "check": "arpad.cli.check",
    "convert": "arpad.cli.convert",
    "bulk": "arpad.cli.bulk",
    "bulk replay": "arpad.cli.bulk_replay",
    "bulk evaluate": "arpad.cli.bulk_evaluate",
    "list import": "arpad.cli.lists.importing",
    "list fetch": "arpad.cli.lists.fetching",
    "list find": "arpad.cli.lists.find",
    "list show": "arpad.cli.lists.player",
    "list months": "arpad.cli.lists.months",
    "list audit": "arpad.cli.lists.audit",
    "list export": "arpad.cli.lists.export",
    "list remove": "arpad.cli.lists.removing",
    "serve": "arpad.cli.serve",
    "completion": "arpad.cli.completion",
}
ELSEWHERE = ("period", "season")  # questions of page and API that the command asks as `rate` and `outlook`
LONG = ("bulk", "list", "serve")  # families of commands that make garbage worth collecting
HELP = ("-h", "--help", "help")
GOOD, LOOK, REFUSED, BROKEN, STOPPED = 0, 1, 2, 70, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and give the exit code: 0; 1 for an answer that needs a look; 2 for what was refused."""
    words = list(sys.argv[1:] if argv is None else argv)
    if argv is None and (not words or words[0] not in LONG):
        gc.disable()  # the process is this command's own, and over before collecting would pay
    with speaking(door="command"):
        try:
            return _run(words)
        except ArpadError as error:
            return _refuse(error, as_json="--json" in words)
        except BrokenPipeError:
            sys.stderr.close()
            return GOOD
        except KeyboardInterrupt:
            return STOPPED
        except Exception as error:
            if os.environ.get("ARPAD_DEBUG"):
                raise
            _refuse(ArpadError(say("command.bug", kind=type(error).__name__, error=error)), as_json="--json" in words)
            return BROKEN


def commands() -> list[str]:
    """The names of all commands, questions first."""
    from arpad.questions import HOMES

    return [*(name for name in HOMES if name not in ELSEWHERE), *OWN]


def command_spec(name: str) -> Spec:
    """The declaration of a command: a question, or one of the commands that are none."""
    from arpad.questions import HOMES, spec_of
    from arpad.questions.declare import QUESTIONS

    if name in HOMES and name not in ELSEWHERE:
        return spec_of(name)
    if name not in OWN:
        meant = section(voice().language, "command.other_words").get(name.lower())
        raise UnknownName("command", name, known=commands(), at="command", meant=meant)
    import_module(OWN[name])
    return QUESTIONS[name]


def _run(words: list[str]) -> int:
    if len(words) > 1 and words[0] in HELP:  # `arpad help rate` is `arpad rate --help`
        words = [*words[1:], "--help"]
    if not words or words[0] in HELP:
        _print(_overview(commands()))
        return GOOD
    if words[0] in ("-V", "--version", "version"):
        from arpad import __version__

        _print(f"arpad {__version__}")
        return GOOD
    known = commands()
    length = 2 if " ".join(words[:2]) in known else 1
    name, rest = " ".join(words[:length]), words[length:]
    family = [one for one in known if one.startswith(f"{name} ")]
    if family and name not in known:
        if rest and rest[0] not in HELP:
            raise _unknown_of(name, rest[0], family)
        _print(_overview(family, name))
        return GOOD
    return _ask(name, rest)


def _ask(name: str, rest: list[str]) -> int:
    """Read the words of one command, answer, and print."""
    from arpad.cli.show import Style
    from arpad.cli.words import split
    from arpad.questions import read_question

    spec = command_spec(name)
    found = split(name, spec.fields_at("command"), rest)
    if found.help:
        from arpad.cli.help import help_of

        _print(help_of(spec))
        return GOOD
    asked = read_question(spec, found.given, today=date.today(), door="command")  # noqa: DTZ011  # the user's own day
    reply = _reply(asked)
    _print(reply.shown(found.output, Style.of(sys.stdout, plain="plain" in found.output)))
    return LOOK if reply.look else GOOD


def _reply(asked: object) -> Reply:
    from arpad.cli.views import reply_to

    return reply_to(asked)  # type: ignore[arg-type]


def _unknown_of(name: str, word: str, family: Sequence[str]) -> UnknownName:
    """No such command in a family; the words behind its name are compared, because all begin alike."""
    others = section(voice().language, "command.other_words")
    meant = others.get(word.lower(), word).removeprefix(f"{name} ")
    known = [one.removeprefix(f"{name} ") for one in family]
    return UnknownName(f"command of `arpad {name}`", word, known=known, at="command", meant=meant)


def _print(text: str) -> None:
    """Print, in plain signs where the terminal or file knows no others."""
    from arpad.cli.show import ASCII

    try:
        print(text)
    except UnicodeEncodeError:
        encoding = sys.stdout.encoding
        print(text.translate(ASCII).encode(encoding, "replace").decode(encoding))


def _overview(names: Sequence[str], family: str = "") -> str:
    """What there is to ask, of all commands or of a family."""
    words = {name: name.removeprefix(f"{family} ") for name in names}
    width = max(map(len, words.values()))
    summaries = section(voice().language, "command.summary")
    lines = [f"  {word:<{width}}  {summaries[name]}" for name, word in words.items()]
    behind = f"{family} COMMAND" if family else "COMMAND"
    return "\n".join(
        [
            *fill(str(say("command.about")), 80).splitlines(),
            "",
            f"usage: arpad {behind} ...",
            "",
            *lines,
            "",
            str(say("command.more", command=f"arpad {behind} --help")),
        ]
    )


def _refuse(error: ArpadError, *, as_json: bool) -> int:
    if as_json:
        from arpad.calculation.serialise import failure

        print(json.dumps(failure(error), ensure_ascii=False))
    else:
        sentence = f"arpad: {error}"
        # In a terminal the sentence is wrapped, without a cut in a path or an option; in a pipe it is one line.
        wrapped = fill(sentence, 80, break_long_words=False, break_on_hyphens=False)
        print(wrapped if sys.stderr.isatty() else sentence, file=sys.stderr)
    return REFUSED
