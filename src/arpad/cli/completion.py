"""`arpad completion`: completion for the shell."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from arpad.cli import command_spec, commands
from arpad.cli.help import parser_of, summary_of
from arpad.cli.reply import Done
from arpad.errors import MissingExtra, UnknownName
from arpad.messages import say
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
        try:
            import shtab
        except ImportError:
            raise MissingExtra(say("command.completion.missing"), at="completion") from None
        if self.shell not in shtab.SUPPORTED_SHELLS:
            raise UnknownName("shell", self.shell, known=shtab.SUPPORTED_SHELLS, at="shell")
        script = shtab.complete(_parser(), shell=self.shell)
        return Done(text=script, value={"shell": self.shell, "script": script}, data=True)


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
