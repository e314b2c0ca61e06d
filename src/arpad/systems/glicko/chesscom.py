"""Chess.com, as far as it is known: an estimate by Glicko, game by game, with the RD that the site shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from arpad.calculation.answer import date_notes
from arpad.calculation.step import Step, known, ruled
from arpad.core import GlickoStanding
from arpad.errors import BadInput
from arpad.messages import Message, say
from arpad.rulebooks import Rule, Rulebook, one_of
from arpad.systems.answers import not_rated
from arpad.systems.glicko.glicko1 import elo_curve, expected_between, meet, update
from arpad.systems.glicko.rating import (
    GlickoChange,
    GlickoSystem,
    StandingSteps,
    events_of,
    finished,
    idle_of,
    real,
    resumed,
    sums,
)

if TYPE_CHECKING:
    from arpad.core import Game, Period, Player


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


class Chesscom(GlickoSystem):
    """Chess.com, an estimate; no settings, because the constants are not public."""

    rulebook: Rulebook[ChesscomRules]
    takes_pace = False
    one_by_one = True

    def __init__(self, base: str) -> None:
        super().__init__(base, "Chess.com, an estimate", Rulebook("chesscom", ChesscomRules, READERS))

    def _change(self, player: Player, period: Period, on: date) -> GlickoChange:
        """The games one by one: each starts from the result of the last one."""
        rules = self.rulebook.at(on)
        games = self._games(period)
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
            self.name,
            on,
            before=before,
            after=last,
            interval=rules.interval,
            events=events_of(period, results, before.rating, last.rating),
            earlier=tuple(trail),
            remarks=lambda: self._notes(games, on),
        )

    def _expected(self, player: Player, opponent: Player, on: date) -> Step:
        rules = self.rulebook.at(on)
        own, theirs = _standing(player, rules), _standing(opponent, rules, opponent=True)
        return expected_between(own, theirs, elo_curve(rules.scale))

    def _notes(self, games: Sequence[Game], on: date) -> Iterable[Message]:
        yield say("notes.chesscom.estimate")
        yield from date_notes(self.rulebook, on)


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
