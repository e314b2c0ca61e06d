"""Lichess: Glicko-2 game by game, with White's advantage, a regulator and bounds, in the order of its source code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.calculation.answer import date_notes
from arpad.calculation.step import ruled
from arpad.core import COLOURS, WIN, Game, Period, Player, one_game
from arpad.errors import BadInput, UnknownName
from arpad.messages import Message, say
from arpad.rulebooks import Rulebook
from arpad.systems.glicko.answer import events_of, expectation, finished
from arpad.systems.glicko.family import glicko_system
from arpad.systems.glicko.glicko2 import expected_between
from arpad.systems.glicko.lichess.answer import LichessChange, lichess_change
from arpad.systems.glicko.lichess.game import STANDARD, USUAL_SPEED, InForce, Played, loaded, rated, with_advantage
from arpad.systems.glicko.lichess.rules import READERS, LichessRules
from arpad.systems.glicko.standing import games_of, idle_of, resumed
from arpad.systems.rating_change import not_rated

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date

    from arpad.calculation.step import Step
    from arpad.core import Pace
    from arpad.systems.base import System
    from arpad.systems.expectation import Expectation

SETTINGS = ("variant", "speed", "colour", "against", "tournament", "position")
AGAINST = ("human", "bot")
TOURNAMENT = ("no", "yes")
POSITION = ("initial", "set")


def build(
    name: str,
    *,
    variant: str = STANDARD,
    speed: str | None = None,
    colour: str | None = None,
    against: str = "human",
    tournament: str = "no",
    position: str = "initial",
) -> System:
    """Lichess for a variant or a speed; `colour` is for games without a colour, `against` is human or bot.

    In a tournament (`yes`) no-shows are rated; a game from a `set` position is only rated in a tournament.
    """
    book: Rulebook[LichessRules] = Rulebook("lichess", LichessRules, READERS)
    factors = book.rules["regulator"][-1].value
    _one_of(variant, "variant", (STANDARD, *factors.variant))
    _one_of(speed or USUAL_SPEED, "speed", factors.speed)
    _one_of(colour or COLOURS[0], "colour", COLOURS)
    _one_of(against, "against", AGAINST)
    _one_of(tournament, "tournament", TOURNAMENT)
    _one_of(position, "position", POSITION)
    if position == "set" and (tournament == "no" or variant != STANDARD):
        raise BadInput(say("glicko.lichess.set_position"), at="position")
    played = Played(variant, speed, colour, against == "bot", tournament == "yes", position == "set")
    return glicko_system(name, "Lichess", book, _rate_period, _expect, book, played)


def _one_of(name: str, setting: str, names: Iterable[str]) -> None:
    if name not in names:
        raise UnknownName(f"lichess_{setting}", str(name), known=names, at=setting)


def _rate_period(
    book: Rulebook[LichessRules], played: Played, player: Player, period: Period, *, on: date
) -> LichessChange:
    """The games one by one: each starts from the result of the last one. Without games only time passes."""
    day = InForce.of(book, on)
    games = games_of(period, "lichess")
    if not games and idle_of(player) is None:
        raise BadInput(say("glicko.lichess.nothing"), at="games")
    before = day.standing(player)
    last = standing = loaded(player, before, day)
    trail: list[Step] = []
    if played.set_position:
        trail.append(ruled("set_position", day.rules.set_position, day.rules.set_position.value))
    results = []
    for no, game in enumerate(games, start=1):
        no_show = played.tournament and game.how == "forfeit"
        if no_show:
            trail.append(ruled("no_show", day.rules.no_show, day.rules.no_show.value))
        if game.how == "played" or no_show:
            step, last = rated(no, game, standing, played, day)
            trail += [part for part in last if part is not None]
        else:
            step = not_rated(no, game, game.how, day.rules.unplayed, game.opponent.rating)
            trail.append(step)
        results.append(finished(step, standing.rating, last.rating.value - standing.rating.value))
        standing = resumed(last, no)
    return lichess_change(
        on,
        day.rules,
        before=before,
        after=last,
        events=events_of(period, results, before.rating, last.rating),
        earlier=tuple(trail),
        remarks=lambda: _notes(book, played, games, on),
    )


def _expect(
    book: Rulebook[LichessRules],
    played: Played,
    player: Player,
    opponent: Player,
    *,
    on: date,
    pace: Pace | None = None,
) -> Expectation:
    day = InForce.of(book, on)
    game = Game(opponent, WIN)
    own, theirs = with_advantage(loaded(player, day.standing(player), day), game, played, day)
    return expectation(
        expected_between(own, theirs, day.constants.scale),
        lambda score: _rate_period(book, played, player, one_game(game.opponent, score, pace), on=on),
        remarks=lambda: _notes(book, played, [game], on),
    )


def _notes(book: Rulebook[LichessRules], played: Played, games: Iterable[Game], on: date) -> Iterator[Message]:
    """What was assumed, and whether the site's code may have changed since."""
    games = list(games)
    if played.variant == STANDARD and played.speed is None and games:
        yield say("notes.lichess.speed", speed=USUAL_SPEED)
    known_colour = played.set_position or played.variant not in book.at(on).advantage.value
    if not known_colour and any((game.colour or played.colour) is None for game in games):
        yield say("notes.lichess.colour")
    yield from date_notes(book, on)
