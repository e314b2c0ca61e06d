"""Chess.com, as far as it is known: an estimate by Glicko, game by game, with the RD that the site shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from arpad.calculation.answer import date_notes
from arpad.calculation.step import Step, known, ruled
from arpad.core import GlickoStanding, Period, Player, one_game
from arpad.errors import BadInput
from arpad.messages import Message, say
from arpad.rulebooks import Rule, Rulebook, one_of
from arpad.systems.answers import not_rated
from arpad.systems.glicko.glicko1 import elo_curve, expected_between, meet, update
from arpad.systems.glicko.rating import (
    GlickoChange,
    StandingSteps,
    events_of,
    expectation,
    finished,
    games_of,
    glicko_system,
    idle_of,
    real,
    resumed,
    sums,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from arpad.core import Pace
    from arpad.systems.answers import Expectation
    from arpad.systems.base import System


class ChesscomRules(NamedTuple):
    """What is known about Chess.com's ratings."""

    estimate: Rule[str]
    usual_deviation: Rule[float]
    scale: Rule[float]
    interval: Rule[float]
    unplayed: Rule[str]


READERS = {
    "estimate": one_of("one game"),
    "usual_deviation": real,
    "scale": real,
    "interval": real,
    "unplayed": one_of("not rated"),
}
SETTINGS = ()


def build(name: str) -> System:
    """Chess.com, an estimate; no settings, because the constants are not public."""
    book: Rulebook[ChesscomRules] = Rulebook("chesscom", ChesscomRules, READERS)
    return glicko_system(name, "Chess.com, an estimate", book, _rate_period, _expect, book)


def _rate_period(book: Rulebook[ChesscomRules], player: Player, period: Period, *, on: date) -> GlickoChange:
    """The games one by one: each starts from the result of the last one."""
    rules = book.at(on)
    games = games_of(period, "chesscom")
    if not games:
        raise BadInput(say("glicko.chesscom.no_games"), at="games")
    before = standing = _standing(player, rules)
    elo = elo_curve(rules.scale)
    trail: list[Step] = [ruled("estimate", rules.estimate, rules.estimate.value)]
    results = []
    for no, game in enumerate(games, start=1):
        if game.how != "played":
            step, after = not_rated(no, game, game.how, rules.unplayed, game.opponent.rating), standing
            trail.append(step)
        else:
            step = meet(no, game, _standing(game.opponent, rules, opponent=True), standing, elo)
            after = update(standing, sums([step]), elo)
        results.append(finished(step, standing.rating, after.rating.value - standing.rating.value))
        trail += [after.rating, after.deviation]
        last, standing = after, resumed(after, no)
    return GlickoChange.of(
        "chesscom",
        on,
        before=before,
        after=last,
        interval=rules.interval,
        events=events_of(period, results, before.rating, last.rating),
        earlier=tuple(trail),
        remarks=lambda: _notes(book, on),
    )


def _expect(
    book: Rulebook[ChesscomRules],
    player: Player,
    opponent: Player,
    *,
    on: date,
    pace: Pace | None = None,
) -> Expectation:
    rules = book.at(on)
    own, theirs = _standing(player, rules), _standing(opponent, rules, opponent=True)
    expected = expected_between(own, theirs, elo_curve(rules.scale))
    return expectation(
        expected,
        lambda score: _rate_period(book, player, one_game(opponent, score, pace), on=on),
        remarks=lambda: _notes(book, on),
    )


def _standing(player: Player, rules: ChesscomRules, *, opponent: bool = False) -> StandingSteps:
    """A rating and an RD, both as the site shows them; an RD that is not given is assumed."""
    who, prefix = ("opponent", "opponent.") if opponent else ("rating", "")
    if player.rating is None:
        raise BadInput(say("glicko.chesscom.unrated"), at=who)
    given, usual = GlickoStanding.of(player).deviation, rules.usual_deviation
    if idle_of(player) is not None:
        raise BadInput(say("glicko.chesscom.idle"), at="idle")
    deviation = (
        ruled(f"{prefix}deviation.assumed", usual, usual.value)
        if given is None
        else known(f"{prefix}deviation", float(given))
    )
    return StandingSteps(known(who, float(player.rating)), deviation)


def _notes(book: Rulebook[ChesscomRules], on: date) -> Iterable[Message]:
    yield say("notes.chesscom.estimate")
    yield from date_notes(book, on)
