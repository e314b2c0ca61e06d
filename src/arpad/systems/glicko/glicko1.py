"""Glicko: a rating and its deviation, all games of a period taken together (Glickman 1999)."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from arpad.calculation import formulas
from arpad.calculation.step import Step, found, known, ruled
from arpad.core import HIGHEST_DEVIATION, LOWEST_DEVIATION
from arpad.errors import BadInput
from arpad.messages import say
from arpad.rulebooks import Rule, Rulebook, one_of
from arpad.systems.glicko import curve
from arpad.systems.glicko.rating import (
    GlickoChange,
    GlickoSums,
    GlickoSystem,
    StandingSteps,
    StartValues,
    events_of,
    finished,
    game_steps,
    idle_before,
    idle_of,
    rated_game,
    real,
    setting,
    standing_of,
    start,
    start_given,
    start_standing,
    sums,
)

if TYPE_CHECKING:
    from arpad.core import Game, Number, Period, Player, Rating


class GlickoRules(NamedTuple):
    """The rules of the paper."""

    start: Rule[StartValues]
    usual_deviation: Rule[float]
    scale: Rule[float]
    most_deviation: Rule[float]
    interval: Rule[float]
    unplayed: Rule[str]


READERS = {
    "start": start,
    "usual_deviation": real,
    "scale": real,
    "most_deviation": real,
    "interval": real,
    "unplayed": one_of("not rated"),
}


class EloCurve(NamedTuple):
    """Elo's curve as Glicko uses it: the points for odds of ten to one, and q."""

    scale: Step
    q: Step


class Glicko(GlickoSystem):
    """Glicko, with a pool's own settings if it has them.

    `c` is the growth of the deviation while idle, `floor` the lowest deviation, `start` the start values; None where
    nothing was set.
    """

    rulebook: Rulebook[GlickoRules]

    def __init__(
        self,
        base: str,
        *,
        c: Number | None = None,
        floor: Number | None = None,
        rating: Number | None = None,
        deviation: Number | None = None,
    ) -> None:
        super().__init__(base, "Glicko", Rulebook("glicko", GlickoRules, READERS))
        self.c = setting(c, "c", LOWEST_DEVIATION, HIGHEST_DEVIATION, at="c")
        self.floor = setting(floor, "deviation_floor", LOWEST_DEVIATION, HIGHEST_DEVIATION, at="floor")
        self.start = start_given(rating, deviation)

    def growth(self) -> float:
        """c, which is required if a deviation grows; raises BadInput if it was not set."""
        if self.c is None:
            raise BadInput(say("glicko.c_needed"), at="c")
        return self.c

    def _change(self, player: Player, period: Period, on: date) -> GlickoChange:
        """The deviation at the start of the period, then all its games at once."""
        rules = self.rulebook.at(on)
        games = self._games(period)
        beginning = start_standing(rules.start, self.start)
        before = standing_of(player, beginning, rules.usual_deviation)
        onset = self._at_onset(before, idle_before(player, games), rules)
        elo = elo_curve(rules.scale)

        def met(no: int, game: Game) -> Step:
            return meet(no, game, self._opponent(game.opponent, beginning, rules), onset, elo)

        steps = game_steps(games, rules.unplayed, met)
        after = update(onset, sums(steps), elo)
        results = [finished(step, before.rating, share(after, step, elo)) for step in steps]
        deviation = after.deviation
        if self.floor is not None and deviation.value < self.floor:  # so that the rating keeps moving
            deviation = Step("new_deviation.floor", self.floor, {"deviation": deviation})
        return GlickoChange.of(
            self.name,
            on,
            before=before,
            after=after._replace(deviation=deviation),
            interval=rules.interval,
            events=events_of(period, results, before.rating, after.rating),
        )

    def _expected(self, player: Player, opponent: Player, on: date) -> Step:
        rules = self.rulebook.at(on)
        beginning = start_standing(rules.start, self.start)
        own = self._at_onset(standing_of(player, beginning, rules.usual_deviation), idle_of(player), rules)
        return expected_between(own, self._opponent(opponent, beginning, rules), elo_curve(rules.scale))

    def _opponent(self, player: Player, beginning: StandingSteps, rules: GlickoRules) -> StandingSteps:
        standing = standing_of(player, beginning, rules.usual_deviation, opponent=True)
        return self._at_onset(standing, idle_of(player), rules)

    def _at_onset(self, standing: StandingSteps, periods: Rating | None, rules: GlickoRules) -> StandingSteps:
        """Step 1: the deviation grows with the periods since the last game, up to that of an unrated player."""
        if periods is None:
            return standing
        deviation = found(
            "deviation.onset",
            curve.grown,
            deviation=standing.deviation,
            periods=known("idle", float(periods)),
            rate=known("c", self.growth()),
        )
        if deviation.value > rules.most_deviation.value:
            deviation = ruled("deviation.most", rules.most_deviation, rules.most_deviation.value, deviation=deviation)
        return standing._replace(deviation=deviation)


def elo_curve(rule: Rule[float]) -> EloCurve:
    """The curve, with the rule that fixes it."""
    scale = ruled("scale", rule, rule.value)
    return EloCurve(scale, found("q", curve.q, scale=scale))


def meet(no: int, game: Game, opponent: StandingSteps, own: StandingSteps, elo: EloCurve) -> Step:
    """One game: g, E and the surprise of its result."""
    g = _g(opponent.deviation, elo)
    return rated_game(no, game, opponent, g, _expected(own.rating, opponent.rating, g, elo))


def _g(deviation: Step, elo: EloCurve) -> Step:
    return found("g", curve.g, phi=found("times_q", curve.times_q, q=elo.q, deviation=deviation))


def _expected(rating: Step, opponent: Step, g: Step, elo: EloCurve) -> Step:
    """Elo's curve, flattened by g."""
    weighted = found("difference.weighted", curve.weighted_difference, g=g, rating=rating, opponent=opponent)
    return found("expected.formula", formulas.logistic, difference=weighted, scale=elo.scale)


def expected_between(own: StandingSteps, opponent: StandingSteps, elo: EloCurve) -> Step:
    """The expected score between two players who are both uncertain."""
    deviation = found("deviation.both", curve.both, deviation=own.deviation, opponent=opponent.deviation)
    return _expected(own.rating, opponent.rating, _g(deviation, elo), elo)


def update(own: StandingSteps, total: GlickoSums | None, elo: EloCurve) -> StandingSteps:
    """Step 2: the new rating and deviation; without rated games both stay."""
    if total is None:
        return own
    d_squared = found("d_squared", curve.d_squared, q=elo.q, information=total.information)
    deviation = found("new_deviation", curve.new_deviation, deviation=own.deviation, variance=d_squared)
    rating = found(
        "new_rating", curve.new_rating, surprise=total.surprise, rating=own.rating, q=elo.q, deviation=deviation
    )
    return StandingSteps(rating, deviation)


def share(after: StandingSteps, game: Step, elo: EloCurve) -> float | None:
    """A game's share of the change."""
    if game.value is None:
        return None
    change: float = curve.new_rating(0, elo.q.value, after.deviation.value, game.value)
    return change
