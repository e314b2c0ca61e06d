"""Glicko-2: a rating, its deviation and its volatility, all games of a period taken together (Glickman 2013)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation.step import Step, found, known, ruled
from arpad.rulebooks import Rule, Rulebook, one_of, whole
from arpad.systems.glicko import curve
from arpad.systems.glicko.curve import Evidence, InnerScale, new_volatility
from arpad.systems.glicko.rating import (
    GlickoChange,
    GlickoSums,
    GlickoSystem,
    StandingSteps,
    StartValues,
    events_of,
    finished,
    game_steps,
    given_or_ruled,
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

# The paper recommends 0.3 to 1.2. The bounds catch typing errors, and tolerances finer than floats.
LOWEST_TAU, HIGHEST_TAU = Decimal("0.001"), 10
FINEST_TOLERANCE = Decimal("0.0000000000001")


class Unit(NamedTuple):
    """The inner scale from the rule file."""

    centre: float
    points: float


class Glicko2Rules(NamedTuple):
    """The rules of the paper."""

    start: Rule[StartValues]
    usual_deviation: Rule[float]
    tau: Rule[float]
    scale: Rule[Unit]
    volatility: Rule[float]
    growth: Rule[int]
    interval: Rule[float]
    unplayed: Rule[str]


READERS = {
    "start": start,
    "usual_deviation": real,
    "tau": real,
    "scale": lambda value: Unit(real(value["centre"]), real(value["points"])),
    "volatility": real,
    "growth": whole,
    "interval": real,
    "unplayed": one_of("not rated"),
}


class Glicko2(GlickoSystem):
    """Glicko-2, with a pool's own settings if it has them.

    `tau` limits how much the volatility changes, `tolerance` ends the search for it, `start` are the start values; None
    where nothing was set.
    """

    rulebook: Rulebook[Glicko2Rules]

    def __init__(
        self,
        base: str,
        *,
        tau: Number | None = None,
        tolerance: Number | None = None,
        rating: Number | None = None,
        deviation: Number | None = None,
        volatility: Number | None = None,
        readings: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(base, "Glicko-2", Rulebook("glicko-2", Glicko2Rules, READERS, readings=readings))
        self.tau = setting(tau, "tau", LOWEST_TAU, HIGHEST_TAU, at="tau")
        self.tolerance = setting(tolerance, "tolerance", FINEST_TOLERANCE, 1, at="tolerance")
        self.start = start_given(rating, deviation, volatility)

    def _change(self, player: Player, period: Period, on: date) -> GlickoChange:
        """Idle periods first, then all games of the period at once; a period without games counts as idle."""
        rules = self.rulebook.at(on)
        games = self._games(period)
        constants = constants_of(rules, self.tau, self.tolerance)
        beginning = start_standing(rules.start, self.start)
        before = standing_of(player, beginning, rules.usual_deviation)
        onset = after_idle(before, idle_before(player, games), constants.scale)
        mine = constants.scale.mu(onset.rating)

        def met(no: int, game: Game) -> Step:
            opponent = _opponent(game.opponent, beginning, rules, constants.scale)
            return meet(no, game, mine, opponent, constants.scale)

        steps = game_steps(games, rules.unplayed, met)
        after = update(onset, mine, sums(steps), constants)
        results = [finished(step, before.rating, _share(after, step, constants.scale)) for step in steps]
        return GlickoChange.of(
            self.name,
            on,
            before=before,
            after=after,
            interval=rules.interval,
            events=events_of(period, results, before.rating, after.rating),
        )

    def _expected(self, player: Player, opponent: Player, on: date) -> Step:
        rules = self.rulebook.at(on)
        scale = inner_scale(rules.scale)
        beginning = start_standing(rules.start, self.start)
        own = after_idle(standing_of(player, beginning, rules.usual_deviation), idle_of(player), scale)
        return expected_between(own, _opponent(opponent, beginning, rules, scale), scale)


def _opponent(player: Player, beginning: StandingSteps, rules: Glicko2Rules, scale: InnerScale) -> StandingSteps:
    return after_idle(standing_of(player, beginning, rules.usual_deviation, opponent=True), idle_of(player), scale)


class Constants(NamedTuple):
    """What an update needs besides the players."""

    scale: InnerScale
    tau: Step
    tolerance: float
    volatility: Rule[float]
    growth: Step


def inner_scale(rule: Rule[Unit]) -> InnerScale:
    """The inner scale, with the rule that fixes it."""
    return InnerScale(ruled("centre", rule, rule.value.centre), ruled("points", rule, rule.value.points))


def constants_of(rules: Any, tau: float | None = None, tolerance: float | None = None) -> Constants:
    """The constants of a day, or those set by the user; the rules are this system's or a site's."""
    return Constants(
        inner_scale(rules.scale),
        given_or_ruled("tau", tau, rules.tau, rules.tau.value),
        rules.volatility.value if tolerance is None else tolerance,
        rules.volatility,
        ruled("growth", rules.growth, rules.growth.value),
    )


def after_idle(standing: StandingSteps, periods: Rating | Step | None, scale: InnerScale) -> StandingSteps:
    """The standing after idle periods: the deviation grows, rating and volatility stay (step 6 alone)."""
    if periods is None or standing.volatility is None:
        return standing
    grown = found(
        "phi.idle",
        curve.grown,
        deviation=scale.phi(standing.deviation),
        periods=periods if isinstance(periods, Step) else known("idle", float(periods)),
        rate=standing.volatility,
    )
    return standing._replace(deviation=scale.deviation(grown, "deviation.onset"))


def meet(no: int, game: Game, mine: Step, opponent: StandingSteps, scale: InnerScale) -> Step:
    """Step 3 for one game: g, E and the surprise of its result."""
    g = found("g", curve.g, phi=scale.phi(opponent.deviation, "opponent.phi"))
    theirs = scale.mu(opponent.rating, "opponent.mu")
    return rated_game(no, game, opponent, g, found("expected.formula", curve.expected, g=g, mu=mine, opponent=theirs))


def expected_between(own: StandingSteps, opponent: StandingSteps, scale: InnerScale) -> Step:
    """The expected score between two players who are both uncertain."""
    both = found("deviation.both", curve.both, deviation=own.deviation, opponent=opponent.deviation)
    g = found("g", curve.g, phi=scale.phi(both))
    theirs = scale.mu(opponent.rating, "opponent.mu")
    return found("expected.formula", curve.expected, g=g, mu=scale.mu(own.rating), opponent=theirs)


def update(own: StandingSteps, mine: Step, total: GlickoSums | None, constants: Constants) -> StandingSteps:
    """Steps 3 to 8: v, Δ, the new volatility, the grown φ, the new φ and μ; without rated games nothing changes."""
    if total is None or own.volatility is None:
        return own
    scale = constants.scale
    phi = scale.phi(own.deviation)
    v = found("v", curve.v, information=total.information)
    delta = found("delta", curve.delta, v=v, surprise=total.surprise)
    volatility = ruled(
        "new_volatility",
        constants.volatility,
        new_volatility(
            Evidence(own.volatility.value, phi.value, v.value, delta.value),
            tau=constants.tau.value,
            tolerance=constants.tolerance,
        ),
        delta=delta,
        phi=phi,
        v=v,
        volatility=own.volatility,
        tau=constants.tau,
    )
    star = found("phi.star", curve.grown, deviation=phi, periods=constants.growth, rate=volatility)
    new_phi = found("phi.new", curve.new_deviation, deviation=star, variance=v)
    new_mu = found("mu.new", curve.new_mu, surprise=total.surprise, mu=mine, phi=new_phi)
    return StandingSteps(scale.rating(new_mu), scale.deviation(new_phi), volatility)


def _share(after: StandingSteps, game: Step, scale: InnerScale) -> float | None:
    """A game's share of the change."""
    if game.value is None:
        return None
    phi = curve.phi(after.deviation.value, scale.points.value)
    change: float = curve.deviation(scale.points.value, curve.new_mu(0, phi, game.value))
    return change
