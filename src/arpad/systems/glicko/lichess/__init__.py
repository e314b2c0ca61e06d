"""Lichess: Glicko-2 game by game, with White's advantage, a regulator and bounds, in the order of its source code."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from arpad.calculation.answers import not_rated
from arpad.calculation.contract import System, date_notes
from arpad.core import COLOURS, WIN, Game, Period, Player, one_game
from arpad.errors import BadInput, UnknownName
from arpad.messages import Message, say
from arpad.rulebooks.rulebook import Rulebook
from arpad.systems.glicko.answer import GlickoGame, expectation
from arpad.systems.glicko.glicko2 import expected_between
from arpad.systems.glicko.lichess.answer import LichessChange
from arpad.systems.glicko.lichess.game import STANDARD, USUAL_SPEED, InForce, Played, loaded, rated, with_advantage
from arpad.systems.glicko.lichess.rules import READERS, LichessRules
from arpad.systems.glicko.standing import games_of, idle_of, resumed, standing_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date

    from arpad.calculation.answers import Expectation
    from arpad.calculation.step import Step
    from arpad.core import Pace

SETTINGS = ("variant", "speed", "colour", "against")
AGAINST = ("human", "bot")


def build(
    name: str, *, variant: str = STANDARD, speed: str | None = None, colour: str | None = None, against: str = "human"
) -> System:
    """Lichess for a variant or a speed; `colour` is for games that do not say it, `against` is human or bot."""
    book: Rulebook[LichessRules] = Rulebook("lichess", LichessRules, READERS)
    factors = book.rules["regulator"][-1].value
    _one_of(variant, "variant", (STANDARD, *factors.variant))
    _one_of(speed or USUAL_SPEED, "speed", factors.speed)
    _one_of(colour or COLOURS[0], "colour", COLOURS)
    _one_of(against, "against", AGAINST)
    played = Played(variant, speed, colour, against == "bot")
    return System.of(
        name,
        "Lichess",
        book,
        rate_period=partial(_rate_period, book, played),
        expect=partial(_expect, book, played),
    )


def _one_of(name: str, setting: str, names: Iterable[str]) -> None:
    if name not in names:
        raise UnknownName(f"{setting} of Lichess", str(name), known=names, at=setting)


def _rate_period(
    book: Rulebook[LichessRules], played: Played, player: Player, period: Period, *, on: date
) -> LichessChange:
    """Game by game: each starts from what the last one gave. Without games only time passes."""
    day = InForce.of(book, on)
    games = games_of(period, "lichess")
    if not games and idle_of(player) is None:
        raise BadInput(
            "Neither games nor idle days were given; give a game, for example 1500/60:win, or the idle days.",
            at="games",
        )
    before = standing_of(player, day.start)
    last = standing = loaded(player, before, day)
    roots: list[Step] = []
    lines = []
    for no, game in enumerate(games, start=1):
        if game.how == "played":
            step, last = rated(no, game, standing, played, day)
            roots += [one for one in last if one is not None]
        else:
            step = not_rated(no, game, game.how, day.rules.unplayed, game.opponent.rating)
            roots.append(step)
        lines.append(GlickoGame.of(step, standing.rating, last.rating.value - standing.rating.value))
        standing = resumed(last, no)
    return LichessChange(
        on,
        day.rules,
        before=before,
        after=last,
        games=lines,
        earlier=tuple(roots),
        notes=lambda: _notes(book, played, games, on),
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
    own, theirs = with_advantage(loaded(player, standing_of(player, day.start), day), game, played, day)
    return expectation(
        expected_between(own, theirs, day.constants.scale),
        lambda score: _rate_period(book, played, player, one_game(game.opponent, score, pace), on=on),
        notes=lambda: _notes(book, played, [game], on),
    )


def _notes(book: Rulebook[LichessRules], played: Played, games: Iterable[Game], on: date) -> Iterator[Message]:
    """What was assumed, and whether the code may have changed since."""
    games = list(games)
    if played.variant == STANDARD and played.speed is None and games:
        yield say("notes.lichess.speed", speed=USUAL_SPEED)
    if played.variant in book.at(on).advantage.value and any((game.colour or played.colour) is None for game in games):
        yield say("notes.lichess.colour")
    yield from date_notes(book, on)
