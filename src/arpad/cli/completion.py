"""`arpad completion`: completion for the shell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.cli import COMMANDS, command, show
from arpad.errors import MissingExtra, UnknownName

if TYPE_CHECKING:
    import argparse

SUMMARY = "completion for the shell: bash, zsh and others"
EXAMPLES = ('eval "$(arpad completion bash)"',)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `arpad completion`."""
    parser.add_argument("shell", help="the shell, for example bash")


def run(options: argparse.Namespace) -> show.Reply:
    """Print the script that the shell evaluates."""
    try:
        import shtab
    except ImportError:
        raise MissingExtra(
            "Shell completion needs the package shtab; `pip install shtab` brings it.", at="completion"
        ) from None
    if options.shell not in shtab.SUPPORTED_SHELLS:
        raise UnknownName("shell", options.shell, known=shtab.SUPPORTED_SHELLS, at="shell")
    script = shtab.complete(_whole_parser(), shell=options.shell)
    return show.Reply(
        lambda _: script,
        lambda: {"ok": True, "value": {"shell": options.shell, "script": script}, "steps": [], "rules": []},
    )


def _whole_parser() -> argparse.ArgumentParser:
    """All commands in one parser; the program itself builds only the one it needs."""
    from arpad.cli.options import Parser, parser_of

    whole = Parser(prog="arpad")
    families = {"": whole.add_subparsers()}
    for name in COMMANDS:
        single = parser_of(name, command(name))
        family, _, word = name.rpartition(" ")
        if family not in families:
            families[family] = families[""].add_parser(family).add_subparsers()
        added = families[family].add_parser(word, help=command(name).SUMMARY, parents=[single], add_help=False)
        added.usage = single.usage
        if any(other.startswith(f"{name} ") for other in COMMANDS):
            families[name] = added.add_subparsers()
    return whole
