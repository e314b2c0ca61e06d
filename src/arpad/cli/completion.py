"""`arpad completion`: completion for the shell."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from arpad.cli import command_spec, commands
from arpad.cli.help import parser_of, summary_of
from arpad.cli.reply import Done
from arpad.errors import MissingExtra, UnknownName
from arpad.messages import say, speaking
from arpad.questions import readers
from arpad.questions.declare import question, required
from arpad.questions.fields import Asking


@question(
    "completion",
    needs=("shell",),
    doors=frozenset({"command"}),
    why="it is about the command itself",
    examples=({"shell": "bash"}, {"shell": "zsh"}),
)
@dataclass(frozen=True, kw_only=True)
class Completion(Asking):
    """Shell completion for bash, zsh and others."""

    shell: str = required(readers.text, example="bash", word=True)

    def run(self) -> Done:
        """The script that the shell evaluates."""
        script = script_for(self.shell)
        return Done(text=script, value={"shell": self.shell, "script": script}, data=True)


def script_for(shell: str) -> str:
    """The script for a shell; raises MissingExtra without shtab, and UnknownName for another shell."""
    try:
        import shtab
    except ImportError:
        raise MissingExtra(say("command.completion.missing"), at="completion") from None
    if shell not in shtab.SUPPORTED_SHELLS:
        raise UnknownName("shell", shell, known=shtab.SUPPORTED_SHELLS, at="shell")
    with speaking(door="command"):
        script: str = shtab.complete(_parser(), shell=shell)
    return script


def _parser() -> argparse.ArgumentParser:
    """All commands in one parser, as `shtab` needs them."""
    whole = argparse.ArgumentParser(prog="arpad")
    families = {"": whole.add_subparsers()}
    names = commands()
    for name in names:
        family, _, word = name.rpartition(" ")
        if family not in families:
            # Without a help text the completion would leave the whole family out.
            families[family] = families[""].add_parser(family, help=family).add_subparsers()
        added = families[family].add_parser(word, help=summary_of(name), add_help=False)
        parser_of(command_spec(name), added)
        if any(other.startswith(f"{name} ") for other in names):
            families[name] = added.add_subparsers()
    return whole
