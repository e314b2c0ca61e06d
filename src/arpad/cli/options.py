"""The options that commands share, and what they mean."""

from __future__ import annotations

import argparse
import re
from datetime import date
from typing import TYPE_CHECKING, Any, NoReturn

from arpad.cli.people import People
from arpad.core import Player, updated
from arpad.errors import BadInput
from arpad.reading.notation import parse_date, parse_federation, parse_pace, parse_rating, parse_sex, parse_title
from arpad.reading.results import apart
from arpad.systems import system, system_from
from arpad.systems.draw_models import MODELS, WHITE, draw_model

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType

    from arpad.core import Game, Pace, Rating
    from arpad.systems.draw_models import DrawModel
    from arpad.systems.system import System

NOTATION = (
    "A game is opponent:result, for example 1950:win, 1800:draw, 2010:0, 1884:½; '1950 win', 1950:won, 1950:0,5 and "
    "1950:1-0, the own score first, are read as well; unrated:win; a forfeit is 1950:+ or 1950:-; 2100s:win is an "
    "opponent with a standard rating alone; 1400/30:win is one with a deviation of 30; 2450gm/GER:win is one with a "
    "title and a federation; @w or @b behind the result is the own colour; bye is a bye."
)
OF_K = ("born", "games", "peak")  # what K is worked out from


class Parser(argparse.ArgumentParser):
    """An argument parser that refuses like the rest of Arpad."""

    examples: tuple[str, ...] = ("arpad --help",)

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self._negative_number_matcher = re.compile(r"-\.?[0-9]")  # `-5:win` is no option but a game, to be refused

    @property
    def actions(self) -> list[argparse.Action]:
        """Every option, and every word without one."""
        return self._actions

    def error(self, message: str) -> NoReturn:
        """One sentence, or two."""
        from arpad.cli.refusing import refused

        raise refused(self, message)


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
    parser.examples = module.EXAMPLES
    module.arguments(parser)
    group = parser.add_argument_group("output")
    group.add_argument("--json", action="store_true", help="one JSON object")
    group.add_argument("--explain", action="store_true", help="the working, with the article behind every number")
    group.add_argument("--plain", action="store_true", help="no colour and no typographic signs")
    group.add_argument("--brief", action="store_true", help="the figures alone")
    return parser


def parse(name: str, module: ModuleType, arguments: Sequence[str]) -> argparse.Namespace | None:
    """The options of a command; None if its help was asked for."""
    parser = parser_of(name, module)
    if "-h" in arguments or "--help" in arguments:
        return None
    reader = getattr(module, "parse", None)
    return reader(parser, arguments) if reader else parser.parse_intermixed_args(arguments)


def add_system(
    parser: argparse.ArgumentParser, day: str = "the day the event began (US Chess: ended), 2026-11-15; default today"
) -> None:
    """Which rules, of which day."""
    group = parser.add_argument_group("rules")
    one = group.add_mutually_exclusive_group()
    one.add_argument("--system", default="fide-standard", metavar="NAME", help="rating system (default fide-standard)")
    one.add_argument("--rules", metavar="FILE", help="a rule file of your own, which names the system it is based on")
    group.add_argument("--on", metavar="DATE", help=day)
    add_reading(group)
    group.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a setting of the system, for example scale=480",
    )


def add_list(parser: argparse.ArgumentParser, default: str) -> None:
    """Which of the lists of one federation, on which day."""
    group = parser.add_argument_group("rules")
    group.add_argument("--system", default=default, metavar="NAME", help=f"the list (default {default})")
    group.add_argument("--on", metavar="DATE", help="the day the event ended, 2026-11-15; default today")
    add_reading(group)


def add_reading(group: argparse._ActionsContainer) -> None:
    """Which reading of what is disputed."""
    group.add_argument(
        "--reading",
        action="append",
        default=[],
        metavar="RULE=NAME",
        help="another reading of a disputed rule, for example rounding=per-event",
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
    group.add_argument("--idle", metavar="N", help="rating periods without a game so far; days at Lichess")
    group.add_argument("--sex", metavar="M|W", help="w for a woman, to whom women's titles are open as well")
    group.add_argument("--title", metavar="TITLE", help="title held, for example FM")
    group.add_argument("--federation", metavar="FED", help="own federation, for example GER")


def add_pace(parser: argparse._ActionsContainer) -> None:
    """The time control."""
    parser.add_argument("--time", metavar="90+30", help="time control, to check that the game may be rated")


def add_draws(parser: argparse.ArgumentParser) -> None:
    """The draw model."""
    group = parser.add_argument_group("draw model")
    group.add_argument("--draws", default="labelle", metavar="MODEL", help=f"{', '.join(MODELS)} (default labelle)")
    group.add_argument("--draw-rate", metavar="SHARE", help="Davidson's share of draws between equals, 0.4")
    group.add_argument("--white", default=WHITE, metavar="POINTS", help=f"what White is worth (default {WHITE})")


def the_draws(options: argparse.Namespace) -> DrawModel:
    """The draw model asked for."""
    return draw_model(options.draws, draw_rate=options.draw_rate, white=options.white)


def the_system(options: argparse.Namespace, name: str | None = None) -> System:
    """The system asked for, or named by a file, with its settings and under the readings asked for."""
    settings = settings_of(options)
    if options.rules is not None:
        return system_from(options.rules, **settings)
    return system(name or options.system, **settings)


def settings_of(options: argparse.Namespace) -> dict[str, Any]:
    """Settings of a system, and the readings asked for."""
    readings = readings_of(options)
    return {**pairs_of(options.set, "--set"), **({"readings": readings} if readings else {})}


def readings_of(options: argparse.Namespace) -> dict[str, str]:
    """Readings by rule."""
    return pairs_of(options.reading, "--reading")


def pairs_of(texts: Sequence[str], option: str) -> dict[str, str]:
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
    return given_day(options) or date.today()


def given_day(options: argparse.Namespace) -> date | None:
    """The day asked for; None if none was."""
    return None if options.on is None else parse_date(options.on, at="--on")


def people_of(options: argparse.Namespace) -> People:
    """Whoever the command names by ID or name."""
    return People.of(options, the_day(options))


def the_player(options: argparse.Namespace, rating: str) -> Player:
    """The player asked about; what is typed of somebody on a list counts more than the list."""
    people = people_of(options)
    listed = people.own(rating)
    if listed is None:
        return told_of(options, parse_rating(rating, at="rating"))
    unused = [f"--{name}" for name in OF_K if getattr(options, name) is not None]
    if unused and options.k is None and _has_k(listed, options):
        people.say(f"K is the list's, whatever {' and '.join(unused)} would make it; --k gives another.")
    return updated(listed, told_of(options))


def _has_k(listed: Player, options: argparse.Namespace) -> bool:
    """Whether a list has the K that the system asked for takes."""
    whose = None if listed.k_from is None else listed.k_from.system
    return listed.k is not None and (whose is None or getattr(options, "system", whose) == whose)


def told_of(options: argparse.Namespace, rating: Rating | None = None) -> Player:
    """What the options tell of the player."""
    return Player(
        rating,
        k=options.k,
        birth_year=options.born,
        games=options.games,
        peak=options.peak,
        standard=options.standard,
        deviation=options.deviation,
        volatility=options.volatility,
        dwz_index=options.dwz_index,
        idle=options.idle,
        sex=None if options.sex is None else parse_sex(options.sex, at="--sex"),
        title=None if options.title is None else parse_title(options.title, at="--title"),
        federation=None if options.federation is None else parse_federation(options.federation, at="--federation"),
    )


def given_of(options: argparse.Namespace, *groups: Callable[[argparse.ArgumentParser], None]) -> list[str]:
    """The options that were given of those that some functions add to a parser, as they are written."""
    scratch = argparse.ArgumentParser()
    for add in groups:
        add(scratch)
    defaults = vars(scratch.parse_args([])).items()
    return [f"--{name.replace('_', '-')}" for name, default in defaults if getattr(options, name) != default]


def the_pace(options: argparse.Namespace) -> Pace | None:
    """The time control asked about."""
    return None if options.time is None else parse_pace(options.time, at="--time")


def the_games(words: Sequence[str], people: People) -> list[Game]:
    """Games in the one notation; a comma between them is as good as a space."""
    games = apart(words, played=True)
    return [people.game(game, at=f"game {number}, '{game}'") for number, game in enumerate(games, start=1)]
