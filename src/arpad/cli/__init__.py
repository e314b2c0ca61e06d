"""The command line: parse, call, print. No arithmetic and no rules are here.

Each command is a module with SUMMARY, EXAMPLES, `arguments(parser)` and `run(options) -> Reply`; only the one that
was asked for is imported. A command's name has one word, or two: `list import`.
"""

from __future__ import annotations

import gc
import sys
from importlib import import_module
from typing import TYPE_CHECKING

from arpad.errors import ArpadError, UnknownName

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

COMMANDS = {
    "rate": "arpad.cli.rate",
    "expect": "arpad.cli.expect",
    "need": "arpad.cli.need",
    "outlook": "arpad.cli.outlook",
    "strength": "arpad.cli.strength",
    "first": "arpad.cli.first",
    "performance": "arpad.cli.performance",
    "conversion": "arpad.cli.conversion",
    "event": "arpad.cli.event",
    "section": "arpad.cli.section",
    "start": "arpad.cli.start",
    "floor": "arpad.cli.floor",
    "pace": "arpad.cli.pace",
    "compare": "arpad.cli.compare",
    "match": "arpad.cli.match",
    "norms": "arpad.cli.norms",
    "ties": "arpad.cli.ties",
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
    "rules": "arpad.cli.rules",
    "systems": "arpad.cli.systems",
    "serve": "arpad.cli.serve",
    "completion": "arpad.cli.completion",
}
# Other words for a command, which spelling alone does not lead to.
MEANT = {
    word: name
    for name, others in {
        "rate": "calc calculate change elo rating",
        "expect": "predict chance odds",
        "outlook": "simulate forecast whatif",
        "event": "tournament report crosstable",
        "norms": "norm title titles",
        "ties": "tie tiebreak tiebreaks tie-breaks",
        "check": "validate lint",
        "serve": "web page http api",
        "list find": "search lookup look-up query players who name",
        "list show": "player profile card info get history id",
        "list import": "load add read",
        "list fetch": "download update sync",
        "list months": "lists ls list all status",
        "list audit": "compare diff changes",
        "list export": "save write dump csv parquet",
        "list remove": "delete rm drop",
    }.items()
    for word in others.split()
}
LONG = ("bulk", "list", "serve")  # families of commands that make garbage worth collecting

HELP = ("-h", "--help", "help")
GOOD, REFUSED, BROKEN, STOPPED = 0, 2, 70, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and give the exit code: 0, or 2 for what was refused."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if argv is None and arguments[:1] not in [[name] for name in LONG]:
        gc.disable()  # the process is this command's own, and over before collecting would pay
    try:
        return _run(arguments)
    except ArpadError as error:
        return _refuse(error, as_json="--json" in arguments)
    except BrokenPipeError:
        sys.stderr.close()
        return GOOD
    except KeyboardInterrupt:
        return STOPPED
    except Exception as error:
        from os import environ

        if environ.get("ARPAD_DEBUG"):
            raise
        fault = ArpadError(
            f"A fault of Arpad's own, not yours: {type(error).__name__}: {error}. "
            "Please report it with the command you typed; ARPAD_DEBUG=1 shows where it happened."
        )
        _refuse(fault, as_json="--json" in arguments)
        return BROKEN


def command(name: str) -> ModuleType:
    """The module of a command."""
    if name not in COMMANDS:
        raise UnknownName("command", name, known=COMMANDS, at="command", meant=MEANT.get(name.lower()))
    return import_module(COMMANDS[name])


def _run(arguments: list[str]) -> int:
    if len(arguments) > 1 and arguments[0] in HELP:  # `arpad help rate` is `arpad rate --help`
        arguments = [*arguments[1:], "--help"]
    if not arguments or arguments[0] in HELP:
        _say(_help())
        return GOOD
    if arguments[0] in ("-V", "--version", "version"):
        from arpad import __version__

        print(f"arpad {__version__}")
        return GOOD
    words = 2 if " ".join(arguments[:2]) in COMMANDS else 1
    name, rest = " ".join(arguments[:words]), arguments[words:]
    family = [one for one in COMMANDS if one.startswith(f"{name} ")]
    if family and name not in COMMANDS:
        if rest and rest[0] not in HELP:
            raise _unknown_of(name, rest[0], family)
        _say(_help(family, name))
        return GOOD
    from arpad.cli.options import parse, parser_of
    from arpad.cli.show import Style

    module = command(name)
    options = parse(name, module, rest)
    if options is None:
        _say(parser_of(name, module).format_help().rstrip())
        return GOOD
    reply = module.run(options)
    _say(reply.shown(options, Style.of(sys.stdout, plain=options.plain)))
    return GOOD


def _unknown_of(name: str, word: str, family: Sequence[str]) -> UnknownName:
    """No such command in a family; the words behind its name are compared, because all begin alike."""
    meant = MEANT.get(word.lower(), word).removeprefix(f"{name} ")
    known = [one.removeprefix(f"{name} ") for one in family]
    return UnknownName(f"command of `arpad {name}`", word, known=known, at="command", meant=meant)


def _say(text: str) -> None:
    """Print, in plain signs where the terminal or file knows no others."""
    from arpad.cli.show import ASCII

    try:
        print(text)
    except UnicodeEncodeError:
        encoding = sys.stdout.encoding
        print(text.translate(ASCII).encode(encoding, "replace").decode(encoding))


def _help(names: Sequence[str] = tuple(COMMANDS), family: str = "") -> str:
    """What there is to ask, of all commands or of a family."""
    words = {name: name.removeprefix(f"{family} ") for name in names}
    width = max(map(len, words.values()))
    lines = [f"  {word:<{width}}  {command(name).SUMMARY}" for name, word in words.items()]
    behind = f"{family} COMMAND" if family else "COMMAND"
    example = command(names[0]).EXAMPLES[0]
    return "\n".join(
        [
            "Arpad computes chess ratings by the book, for the date of the event,",
            "and shows its working.",
            "",
            f"usage: arpad {behind} ...",
            "",
            *lines,
            "",
            f"for example: {example}",
            f"`arpad {behind} --help` says more. Every command takes --json.",
        ]
    )


def _refuse(error: ArpadError, *, as_json: bool) -> int:
    if as_json:
        import json

        from arpad.calculation.explain import failure

        print(json.dumps(failure(error.message, error.at), ensure_ascii=False))
    else:
        print(_lines_of(f"arpad: {error}") if sys.stderr.isatty() else f"arpad: {error}", file=sys.stderr)
    return REFUSED


def _lines_of(sentence: str) -> str:
    """A sentence in lines for a terminal, without a cut in a path or an option; in a pipe it is one line."""
    from textwrap import fill

    from arpad.calculation.explain import WIDTH

    return fill(sentence, WIDTH, break_long_words=False, break_on_hyphens=False)
