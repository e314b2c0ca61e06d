"""The options that commands share, and what they mean."""

from __future__ import annotations

import argparse
from datetime import date
from typing import Any, NoReturn

from arpad.errors import BadInput, UnknownName
from arpad.model import Player
from arpad.notation import parse_date, parse_game, parse_pace, parse_rating
from arpad.systems import system, system_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from arpad.contract import System
    from arpad.model import Game, Pace

NOTATION = (
    "A game is opponent:result, for example 1950:win, 1800:draw, 2010:0, 1884:½; unrated:win; a forfeit is 1950:+ or "
    "1950:-; 2100s:win is an opponent with a standard rating alone; bye is a bye."
)


class Parser(argparse.ArgumentParser):
    """An argument parser that refuses like the rest of Arpad."""

    def error(self, message: str) -> NoReturn:
        """One sentence, with the nearest option where one was misspelt."""
        wrong = message.partition("unrecognized arguments: ")[2].partition(" ")[0].partition("=")[0]
        if wrong.startswith("--"):
            options = [option for action in self._actions for option in action.option_strings if option[:2] == "--"]
            raise UnknownName("option", wrong, known=options, at=self.prog)
        if wrong:
            message = f"'{wrong}' is not expected here"
        raise BadInput(f"{message[:1].upper()}{message[1:]}; `{self.prog} --help` shows how.", at=self.prog)


def _formatter(prog: str) -> argparse.HelpFormatter:
    """Help for 80 columns; a formatter that is told its width does not go and measure the terminal."""
    return argparse.RawDescriptionHelpFormatter(prog, width=80)


def parser_of(name: str, module: ModuleType) -> Parser:
    """The parser of one command."""
    parser = Parser(
        prog=f"arpad {name}",
        description=module.SUMMARY,
        epilog="for example:\n" + "\n".join(f"  {example}" for example in module.EXAMPLES),
        formatter_class=_formatter,
        allow_abbrev=False,
    )
    module.arguments(parser)
    group = parser.add_argument_group("output")
    group.add_argument("--json", action="store_true", help="one JSON object")
    group.add_argument("--explain", action="store_true", help="the working, with the article behind every number")
    group.add_argument("--plain", action="store_true", help="no colour and no typographic signs")
    return parser


def parse(name: str, module: ModuleType, arguments: Sequence[str]) -> argparse.Namespace | None:
    """The options of a command; None if it only showed its help."""
    parser = parser_of(name, module)
    if "-h" in arguments or "--help" in arguments:
        parser.print_help()
        return None
    reader = getattr(module, "parse", None)
    return reader(parser, arguments) if reader else parser.parse_intermixed_args(arguments)


def add_system(parser: argparse.ArgumentParser, *, default: str = "fide-standard") -> None:
    """Which rules, of which day."""
    group = parser.add_argument_group("rules")
    one = group.add_mutually_exclusive_group()
    one.add_argument("--system", default=default, metavar="NAME", help=f"rating system (default {default})")
    one.add_argument("--rules", metavar="FILE", help="a rule file of your own, which names the system it is based on")
    group.add_argument("--on", metavar="DATE", help="the day the event began, 2026-11-15 (default today)")
    group.add_argument(
        "--reading",
        action="append",
        default=[],
        metavar="RULE=NAME",
        help="another reading of a disputed rule, for example rounding=per-event",
    )
    group.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a setting of the system, for example scale=480",
    )


def add_player(parser: argparse.ArgumentParser) -> None:
    """What is known of the player."""
    group = parser.add_argument_group("player")
    group.add_argument("--k", help="K by hand; otherwise it is worked out")
    group.add_argument("--born", metavar="YEAR", help="year of birth")
    group.add_argument("--games", metavar="N", help="rated games completed before")
    group.add_argument("--peak", metavar="RATING", help="highest published rating")
    group.add_argument("--standard", metavar="RATING", help="standard rating, for rapid and blitz without one")
    group.add_argument("--deviation", metavar="RD", help="rating deviation, for the systems that have one")
    group.add_argument("--volatility", metavar="SIGMA", help="volatility, for the systems that have one")
    group.add_argument("--dwz-index", metavar="N", help="tournaments rated so far, the number behind a DWZ")


def add_pace(parser: argparse._ActionsContainer) -> None:
    """The time control."""
    parser.add_argument("--time", metavar="90+30", help="time control, to check that the game may be rated")


def the_system(options: argparse.Namespace) -> System:
    """The system asked for, with its settings and under the readings asked for."""
    settings: dict[str, Any] = _pairs(options.set, "--set")
    readings = readings_of(options)
    if readings:
        settings["readings"] = readings
    return system(options.system, **settings) if options.rules is None else system_from(options.rules, **settings)


def readings_of(options: argparse.Namespace) -> dict[str, str]:
    """Readings by rule."""
    return _pairs(options.reading, "--reading")


def _pairs(texts: Sequence[str], option: str) -> dict[str, str]:
    """NAME=VALUE, as often as it was given."""
    pairs = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise BadInput(f"'{text}' is not of the form NAME=VALUE.", at=option)
        pairs[name] = value
    return pairs


def the_day(options: argparse.Namespace) -> date:
    """The day asked for, or today: the clock is read here and nowhere below."""
    return date.today() if options.on is None else parse_date(options.on, at="--on")


def the_player(options: argparse.Namespace, rating: str) -> Player:
    """The player asked about."""
    return Player(
        parse_rating(rating, at="rating"),
        k=options.k,
        birth_year=options.born,
        games=options.games,
        peak=options.peak,
        standard=options.standard,
        deviation=options.deviation,
        volatility=options.volatility,
        dwz_index=options.dwz_index,
    )


def the_pace(options: argparse.Namespace) -> Pace | None:
    """The time control asked about."""
    return None if options.time is None else parse_pace(options.time, at="--time")


def the_games(words: Sequence[str]) -> list[Game]:
    """Games in the one notation."""
    return [parse_game(word, at=f"game {number}, '{word}'") for number, word in enumerate(words, start=1)]
