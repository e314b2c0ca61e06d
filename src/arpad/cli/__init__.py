"""The command line: read the words, ask, print. It has no arithmetic and no rules."""

from __future__ import annotations

import gc
import os
import sys
from datetime import date
from importlib import import_module
from typing import TYPE_CHECKING

from arpad.errors import ArpadError, UnknownName, cause
from arpad.messages import ORIGINAL, nearest, plain_tag, say, section, speaking, voice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arpad.questions.declare import Spec

# Commands that are not questions: they work with files, lists and servers on this machine.
OWN = {
    "convert": "arpad.cli.convert",
    "print": "arpad.cli.documents",
    "publish": "arpad.cli.documents",
    "bulk": "arpad.cli.bulk",
    "bulk replay": "arpad.cli.bulk",
    "bulk evaluate": "arpad.cli.bulk",
    "list import": "arpad.cli.lists",
    "list fetch": "arpad.cli.lists",
    "list months": "arpad.cli.lists",
    "list audit": "arpad.cli.lists",
    "list export": "arpad.cli.lists",
    "list remove": "arpad.cli.lists",
    "ledger new": "arpad.cli.ledger",
    "ledger pool": "arpad.cli.ledger",
    "ledger people": "arpad.cli.ledger_incoming",
    "ledger add": "arpad.cli.ledger_incoming",
    "ledger game": "arpad.cli.ledger_incoming",
    "ledger list": "arpad.cli.ledger_views",
    "ledger person": "arpad.cli.ledger_views",
    "ledger event": "arpad.cli.ledger_views",
    "ledger changes": "arpad.cli.ledger_views",
    "ledger log": "arpad.cli.ledger_views",
    "ledger correct": "arpad.cli.ledger_corrections",
    "ledger edit": "arpad.cli.ledger_corrections",
    "ledger rating": "arpad.cli.ledger_corrections",
    "ledger merge": "arpad.cli.ledger_corrections",
    "ledger split": "arpad.cli.ledger_corrections",
    "ledger undo": "arpad.cli.ledger_corrections",
    "ledger freeze": "arpad.cli.ledger_out",
    "ledger publish": "arpad.cli.ledger_out",
    "ledger settings": "arpad.cli.ledger",
    "ledger export": "arpad.cli.ledger_out",
    "ledger import": "arpad.cli.ledger_out",
    "ledger verify": "arpad.cli.ledger_out",
    "ledger open": "arpad.cli.ledger_open",
    "desk": "arpad.cli.desk",
    "serve": "arpad.cli.serve",
    "mcp": "arpad.cli.serve",
    "completion": "arpad.cli.completion",
    "example": "arpad.cli.example",
}
# The overview: each heading, by its key in `command.overview`, with the commands below it.
GROUPS = {
    "play": "rate expect first performance diary compare conversion paste pace",
    "ahead": "need outlook strength pupils chances",
    "tournament": "event next check convert ties standings norms direct certificate title entries desk print publish",
    "uschess": "section start floor",
    "engines": "match",
    "lists": "list",  # and all that begin so
    "ledger": "ledger",
    "bulk": "bulk",
    "rules": "rules systems",
    "server": "serve mcp",
    "itself": "example completion",
}
# A family with many commands is one line of the overview; in its own they are below these headings.
FAMILIES = {
    "ledger": {
        "ledger_new": "new people pool settings",
        "ledger_in": "open add game",
        "ledger_see": "list person changes log",
        "ledger_correct": "correct edit rating merge split undo",
        "ledger_out": "freeze publish export import verify",
    },
}
ELSEWHERE = ("period", "season")  # questions of the page and the API; at the command they are `rate` and `outlook`
LONG = (
    "bulk",
    "desk",
    "ledger",
    "list",
    "mcp",
    "serve",
)  # families of commands that run long enough to need garbage collection
HELP = ("-h", "--help", "help")
LANGUAGE = "--language"  # an option of every command
ANSWERED, LOOK, REFUSED, BROKEN, STOPPED = 0, 1, 2, 70, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code: 0, 1 if the answer needs a look, 2 if the command was refused."""
    words = list(sys.argv[1:] if argv is None else argv)
    if argv is None and (not words or words[0] not in LONG):
        gc.disable()  # the process ends before garbage collection would pay off
    interrupted = _watch_for_interrupts() if argv is None else []
    try:
        language, words = _language(words)
    except ArpadError as error:
        return _refuse(error, as_json="--json" in words)
    with speaking(language, door="command"):
        try:
            return _answer(words, interrupted)
        except KeyboardInterrupt:
            return STOPPED
        except Exception as error:
            if interrupted:
                return STOPPED
            if os.environ.get("ARPAD_DEBUG"):
                raise
            _refuse(ArpadError(say("command.bug", kind=type(error).__name__, error=error)), as_json="--json" in words)
            return BROKEN


def _language(words: list[str]) -> tuple[str, list[str]]:
    """The language of a command, and its words without `--language`: as that says, `ARPAD_LANGUAGE`, or the locale.

    JSON is for programs: it is the same in every language.
    """
    before = words[: words.index("--")] if "--" in words else words
    asked, at = os.environ.get("ARPAD_LANGUAGE", ""), "ARPAD_LANGUAGE"
    given = next((place for place, word in enumerate(before) if word.partition("=")[0] == LANGUAGE), None)
    if given is not None:
        option, equals, asked = words[given].partition("=")
        at, behind = option, given + (1 if equals else 2)
        asked = asked if equals else "".join(words[given + 1 : behind])
        words = [*words[:given], *words[behind:]]
    if asked or given is not None:
        from arpad.messages import languages

        language = plain_tag(asked)
        if language not in languages():
            raise UnknownName("language", asked, known=languages(), at=at)
    else:
        tag = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
        language = ORIGINAL if tag.startswith(("C", "en")) else nearest(tag) or ORIGINAL
    return (ORIGINAL if "--json" in words else language), words


def _watch_for_interrupts() -> list[int]:
    """A list that fills when the user presses Ctrl+C; pressing it again ends the process at once.

    A library in the middle of its work may turn the interrupt into an error of its own. So an error raised after Ctrl+C
    is neither a bug nor a damaged file.
    """
    import signal

    seen: list[int] = []

    def interrupt(number: int, _frame: object) -> None:
        seen.append(number)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        raise KeyboardInterrupt

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, interrupt)
    return seen


def _answer(words: list[str], interrupted: Sequence[int] = ()) -> int:
    """Run a command; an error becomes one sentence."""
    if sys.stdout is None:  # it was closed before we started
        return _refuse(ArpadError(say("command.no_output")), as_json=False)
    try:
        return _run(words)
    except ArpadError as error:
        return STOPPED if interrupted else _refuse(error, as_json="--json" in words)


def commands() -> list[str]:
    """The names of all commands, questions first."""
    from arpad.questions import HOMES

    return [*(name for name in HOMES if name not in ELSEWHERE), *OWN]


def command_spec(name: str) -> Spec:
    """The declaration of a command, whether it is a question or not."""
    from arpad.questions import spec_of
    from arpad.questions.declare import NEAREST, QUESTIONS

    if name not in commands():
        meant = section(voice().language, "command.other_words").get(name.lower())
        families = {command.partition(" ")[0] for command in commands()}
        raise UnknownName("command", name, known={*commands(), *families}, at="command", meant=meant, nearest=NEAREST)
    if name not in OWN:
        return spec_of(name)
    import_module(OWN[name])
    return QUESTIONS[name]


def _run(words: list[str]) -> int:
    if len(words) > 1 and words[0] in HELP:  # `arpad help rate` is `arpad rate --help`
        words = [*words[1:], "--help"]
    if not words or words[0] in HELP:
        return _print(_overview(commands()))
    if words[0] in ("-V", "--version", "version"):
        from arpad import __version__

        return _print(f"arpad {__version__}")
    known = commands()
    length = 2 if " ".join(words[:2]) in known else 1
    name, rest = " ".join(words[:length]), words[length:]
    family = [command for command in known if command.startswith(f"{name} ")]
    if family and name not in known:
        if rest and rest[0] not in HELP:
            raise _unknown_of(name, rest[0], family)
        return _print(_overview(family, name))
    return _ask(command_spec(name), rest)


def _ask(spec: Spec, rest: list[str]) -> int:
    """Read the words of one command, answer, and print."""
    from arpad.cli.reply import reply_to
    from arpad.cli.show import Style, warn
    from arpad.cli.words import split
    from arpad.questions import read_question

    as_json = "--json" in rest
    asked = None
    try:
        found = split(spec, rest)
        if found.help:
            from arpad.cli.help import help_of

            return _print(help_of(spec, Style.of(sys.stdout, plain="plain" in found.output)))
        asked = read_question(spec, found.given, today=date.today(), door="command")  # noqa: DTZ011  # the user's own day
        style = Style.of(sys.stdout, plain="plain" in found.output)
        if getattr(asked.question, "watch", False) or getattr(asked.question, "page", None) is not None:
            from arpad.cli.watch import watch

            watch(asked, found.output, style, _print_more)
            return ANSWERED
        reply = reply_to(asked)
        shown = reply.shown(found.output, style)
    except ArpadError as error:
        from arpad.cli.help import in_command_words

        raise in_command_words(error, spec, asked, as_json=as_json) from None
    code = _print(shown, LOOK if reply.needs_a_look() else ANSWERED)
    for warning in reply.on_standard_error(found.output):
        warn(str(warning))
    return code


def _unknown_of(name: str, word: str, family: Sequence[str]) -> UnknownName:
    """The error for an unknown command in a family; only the second words are compared, as the first are the same."""
    from arpad.questions.declare import NEAREST

    others = section(voice().language, "command.other_words")
    meant = others.get(word.lower(), word).removeprefix(f"{name} ")
    known = [command.removeprefix(f"{name} ") for command in family]
    return UnknownName("command_of", word, of=name, known=known, at="command", meant=meant, nearest=NEAREST)


def _print(text: str, code: int = ANSWERED) -> int:
    """Print and return the exit code.

    An empty text prints no line: clients of `arpad mcp` would take an empty line for a broken message.
    """
    try:
        if text:
            _print_more(text)
    except ArpadError as problem:
        return _refuse(problem, as_json=False)
    return code


def _print_more(text: str) -> bool:
    """Print, in ASCII if the output cannot encode the text, and return whether anybody still reads it."""
    try:
        try:
            print(text)
        except UnicodeEncodeError:
            from arpad.cli.show import ASCII  # with what shows answers, which `arpad --version` does without

            encoding = sys.stdout.encoding
            print(text.translate(ASCII).encode(encoding, "replace").decode(encoding))
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has seen enough, as `head` does
        _close_output()
        return False
    except OSError as problem:
        _close_output()
        raise ArpadError(say("command.not_written", reason=cause(problem))) from None
    return True


def _close_output() -> None:
    """Drop what could not be written, so that the interpreter does not try again when it exits."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def grouped(names: Sequence[str]) -> dict[str, list[str]]:
    """The commands under the headings of the overview, each in its order."""
    groups = {key: heads.split() for key, heads in GROUPS.items()}
    return {
        key: sorted(
            [name for name in names if name in heads or name.partition(" ")[0] in heads],
            key=lambda name: heads.index(name.partition(" ")[0]),  # used at once
        )
        for key, heads in groups.items()
    }


def _overview(names: Sequence[str], family: str = "") -> str:
    """The overview of all commands under their headings, or of a family."""
    from textwrap import fill

    from arpad.cli.help import examples_of
    from arpad.cli.show import Style

    style = Style.of(sys.stdout, plain=False)
    headings, texts = (section(voice().language, f"command.{name}") for name in ("overview", "summary"))
    folded = {} if family else {name: headings[f"{name}_family"] for name in FAMILIES}
    summaries = {**texts, **folded}
    shown = [*(name for name in names if name.partition(" ")[0] not in folded), *folded]
    words = {name: name.removeprefix(f"{family} ") for name in shown}
    parts = {key: [f"{family} {name}" for name in heads.split()] for key, heads in FAMILIES.get(family, {}).items()}
    lines: list[str] = []
    for key, members in (parts or ({"": shown} if family else grouped(shown))).items():
        if key:
            lines += ["", style("strong", headings[key])]
        width = max(len(words[name]) for name in members)
        lines += [f"  {words[name]:<{width}}  {summaries[name]}" for name in members]
    behind = f"{family} COMMAND" if family else "COMMAND"
    return "\n".join(
        [
            *fill(str(say("command.about")), 80).splitlines(),
            "",
            str(say("command.usage", command=f"arpad {behind} ...")),
            *([""] if family and not parts else []),
            *lines,
            "",
            str(say("command.example", example=examples_of(command_spec(names[0]))[0])),
            *fill(str(say("command.more", command=f"arpad {behind} --help")), 80).splitlines(),
        ]
    )


def _refuse(error: ArpadError, *, as_json: bool) -> int:
    """Say what is wrong, as a JSON object on standard output or as a sentence on standard error."""
    if as_json:
        from arpad.calculation.serialise import failure
        from arpad.cli.show import json_text

        return _print(json_text(failure(error)), REFUSED)
    from arpad.cli.show import warn

    warn(str(error))
    return REFUSED
