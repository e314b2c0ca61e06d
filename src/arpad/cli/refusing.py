"""What argparse refuses, in the words of the rest: what was asked, what is allowed, what to do next."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from arpad.errors import ArpadError, BadInput, UnknownName

if TYPE_CHECKING:
    from argparse import Action

    from arpad.cli.options import Parser

NAME = re.compile(r"[A-Z][A-Z0-9=]*")  # YEAR or NAME=VALUE names what is meant; 90+30 or A..B shows how it is written
DEFAULT = re.compile(r"\s*(\(default[^)]*\)|; default.*)$")


def refused(parser: Parser, message: str) -> ArpadError:
    """The refusal behind a message of argparse, which has no other sign of what was wrong."""
    wrong = message.partition("unrecognized arguments: ")[2].partition(" ")[0]
    if wrong:
        return _unexpected(parser, wrong)
    missing = message.partition("arguments are required: ")[2]
    if missing:
        return BadInput(f"`{parser.prog}` needs {_listed(missing.split(', '))}; for example `{parser.examples[0]}`.")
    name, _, trouble = message.removeprefix("argument ").partition(": ")
    action = next((one for one in parser.actions if "/".join(one.option_strings) == name), None)
    letters = trouble.partition("ignored explicit argument ")[2].strip("'")
    if letters and name.startswith("-h/"):  # `-help` is read as -h with something behind it
        return _unknown(parser, f"-h{letters}")
    said = None if action is None else _of_option(parser, action, name, trouble)
    if said is None:
        return BadInput(f"{message[:1].upper()}{message[1:]}; `{parser.prog} --help` shows how.", at=parser.prog)
    return BadInput(said, at=name)


def _unexpected(parser: Parser, wrong: str) -> ArpadError:
    """An option that there is not, or a word too many."""
    if wrong.startswith("-") and wrong != "-":
        return _unknown(parser, wrong.partition("=")[0])
    names = [str(action.metavar or action.dest) for action in parser.actions if not action.option_strings]
    said = f"takes {_listed(names)}, and '{wrong}' is one too many; for example `{parser.examples[0]}`."
    if not names:
        said = f"takes options alone, and '{wrong}' is none; `{parser.prog} --help` lists them."
    return BadInput(f"`{parser.prog}` {said}", at=parser.prog)


def _unknown(parser: Parser, wrong: str) -> ArpadError:
    options = [option for action in parser.actions for option in action.option_strings if option[:2] == "--"]
    return UnknownName("option", wrong, known=options, at=parser.prog)


def _of_option(parser: Parser, action: Action, name: str, trouble: str) -> str | None:
    """What was wrong with one option; None for what argparse never says of ours."""
    if trouble.startswith("expected "):
        means = DEFAULT.sub("", action.help or "")
        example = next((one for one in parser.examples if name in one.split()), None)
        if "for example" in means:
            hint = ""
        else:
            hint = f" For example `{example}`." if example else f" `{parser.prog} --help` says more."
        return f"{name} needs {_wanted(action)} behind it: {means}.{hint}"
    value = trouble.partition("ignored explicit argument ")[2]
    if value:
        return f"{name} takes no value; leave {value} out."
    other = trouble.partition("not allowed with argument ")[2]
    if other:
        return f"{other} and {name} do not go together; leave one of them out."
    return None


def _wanted(action: Action) -> str:
    """What an option takes, as its help calls it."""
    if isinstance(action.metavar, tuple):
        return _listed(action.metavar)
    called = action.metavar or action.dest.upper()
    if "|" in called:
        return called.replace("|", " or ")
    if not NAME.fullmatch(called):
        return f"a value like {called}"
    return f"at least one {called}" if action.nargs == "+" else f"one {called}"


def _listed(names: list[str] | tuple[str, ...]) -> str:
    """Names in a row: rating, opponent and day."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
