"""Plain Elo, Glicko and Glicko-2 without the working: the system's own formulas and values, to the last digit.

After a decision everything later is rated again, and nobody reads the working of it. Here a rating is found without
its steps; whatever is unusual is left to the system, which is asked where `after` gives None.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from arpad.calculation import formulas
from arpad.core import MOST_GAMES, EloStanding, GlickoStanding, Standing
from arpad.core.numbers import ROUNDINGS, decimal
from arpad.errors import UncoveredDate
from arpad.systems import facts_used_by
from arpad.systems.elo import Elo
from arpad.systems.glicko import curve
from arpad.systems.glicko.curve import Evidence, new_volatility
from arpad.systems.glicko.glicko1 import EloCurve, Glicko, elo_curve
from arpad.systems.glicko.glicko2 import Constants, Glicko2, constants_of
from arpad.systems.glicko.rating import StandingSteps, start_standing

if TYPE_CHECKING:
    from arpad.systems.base import System


class QuickEvent(NamedTuple):
    """The played games of an event: the player as seen on its list, and each opponent with the player's score."""

    own: Any
    games: Sequence[tuple[Any, Decimal]]


class Quick(Protocol):
    """A system without its working."""

    def seen(self, standing: Standing, idle: int, day: date) -> Any:
        """What a game has to know about a player after some idle time; None if the system must be asked."""

    def after(self, standing: Standing, own: Any, events: Sequence[QuickEvent], day: date, /) -> Standing | None:
        """The standing after some events with at least one played game; None if the system must be asked."""


def quick_of(system: System) -> Quick | None:
    """The quick way of a system; None if there is none."""
    if type(system) is Elo and "peak" not in facts_used_by(system.base):
        return QuickElo(system)
    if type(system) is Glicko2:
        return QuickGlicko2(system)
    if type(system) is Glicko:
        return QuickGlicko(system)
    return None


def _too_many(events: Sequence[QuickEvent]) -> bool:
    return sum(len(event.games) for event in events) > MOST_GAMES


class QuickElo:
    """Plain Elo: the change of a game is asked for once by K, difference and score."""

    def __init__(self, system: Elo) -> None:
        self.system = system
        self.changes: dict[tuple[Any, ...], Decimal] = {}

    def seen(self, standing: Standing, idle: int, day: date) -> Any:  # noqa: ARG002  # neither matters in Elo
        """The rating."""
        return standing.rating

    def after(self, standing: Standing, own: Any, events: Sequence[QuickEvent], day: date) -> Standing | None:
        """The standing after the changes of all games, added up by event and rounded once."""
        if not isinstance(standing, EloStanding) or own is None or standing.k_from is not None or _too_many(events):
            return None
        try:
            rules = self.system.rulebook.at(day)
        except UncoveredDate:
            return None
        k = standing.k if standing.k is not None else rules.k.value if self.system.k is None else self.system.k
        scale = rules.scale.value if self.system.scale is None else self.system.scale
        totals: list[Any] = []
        rated = 0
        for event in events:
            rating = own if event.own is None else event.own
            changes = [
                self._change(k, scale, rating - opponent, score, day)
                for opponent, score in event.games
                if opponent is not None
            ]
            rated += len(changes)
            totals.append(sum(changes))
        total = totals[0] if len(totals) == 1 else sum(totals)
        new = ROUNDINGS[rules.rounding.value](Decimal(own + total))
        games = None if standing.games is None else standing.games + rated
        return EloStanding(new, k=standing.k, games=games, peak=standing.peak, standard=standing.standard)

    def _change(self, k: Any, scale: Any, difference: Any, score: Decimal, day: date) -> Decimal:
        key = (k, scale, difference, score)
        found = self.changes.get(key)
        if found is None:
            expected = self.system.expected_score(difference, on=day)
            found = self.changes[key] = formulas.change.function(k, score, expected)
        return found


class QuickPlayer(NamedTuple):
    """A player of Glicko or Glicko-2: rating and deviation, on Glicko-2's inner scale, g, and the volatility."""

    rating: float
    deviation: float
    g: float
    volatility: float


class QuickGlicko2:
    """Glicko-2, with the floats of the paper's steps in the same order."""

    def __init__(self, system: Glicko2) -> None:
        self.system = system
        self._rules = cache(self._rules_of)

    def _rules_of(self, day: date) -> tuple[StandingSteps, float, Constants]:
        """The start values, the usual deviation and the constants of a day."""
        rules = self.system.rulebook.at(day)
        start = start_standing(rules.start, self.system.start)
        return start, rules.usual_deviation.value, constants_of(rules, self.system.tau, self.system.tolerance)

    def seen(self, standing: Standing, idle: int, day: date) -> Any:
        """The player after idle periods, on the inner scale (steps 2 and 6)."""
        try:
            start, usual, constants = self._rules(day)
        except UncoveredDate:
            return None
        if not isinstance(standing, GlickoStanding) or start.volatility is None:
            return None
        rating, deviation = _known(standing, start, usual)
        volatility = float(start.volatility.value if standing.volatility is None else standing.volatility)
        centre, points = constants.scale.centre.value, constants.scale.points.value
        if idle > 0:
            phi = curve.phi.function(deviation, points)
            grown = curve.grown.function(phi, float(idle), volatility)
            deviation = curve.deviation.function(points, grown)
        phi = curve.phi.function(deviation, points)
        return QuickPlayer(curve.mu.function(rating, centre, points), phi, curve.g.function(phi), volatility)

    def after(self, _: Standing, own: Any, events: Sequence[QuickEvent], day: date) -> Standing | None:
        """Steps 3 to 8."""
        games = [game for event in events for game in event.games]
        if own is None or _too_many(events) or any(opponent is None for opponent, _ in games):
            return None
        constants = self._rules(day)[2]
        centre, points = constants.scale.centre.value, constants.scale.points.value
        surprises, informations = [], []
        for opponent, score in games:
            expected = curve.expected.function(opponent.g, own.rating, opponent.rating)
            surprises.append(curve.surprise.function(opponent.g, float(score), expected))
            informations.append(curve.information.function(opponent.g, expected))
        surprise = formulas.total.function(surprises)
        v = curve.v.function(formulas.total.function(informations))
        seen = Evidence(own.volatility, own.deviation, v, curve.delta.function(v, surprise))
        volatility = new_volatility(seen, tau=constants.tau.value, tolerance=constants.tolerance)
        star = curve.grown.function(own.deviation, constants.growth.value, volatility)
        phi = curve.new_deviation.function(star, v)
        mu = curve.new_mu.function(own.rating, phi, surprise)
        return GlickoStanding(
            decimal(curve.rating.function(points, mu, centre)),
            deviation=decimal(curve.deviation.function(points, phi)),
            volatility=decimal(volatility),
        )


class QuickGlicko:
    """Glicko, with the floats of the paper's two steps in the same order."""

    def __init__(self, system: Glicko) -> None:
        self.system = system
        self._rules = cache(self._rules_of)

    def _rules_of(self, day: date) -> tuple[StandingSteps, float, float, EloCurve]:
        """The start values, the usual and the largest deviation, and the curve of a day."""
        rules = self.system.rulebook.at(day)
        start = start_standing(rules.start, self.system.start)
        return start, rules.usual_deviation.value, rules.most_deviation.value, elo_curve(rules.scale)

    def seen(self, standing: Standing, idle: int, day: date) -> Any:
        """The player at the onset of the period (step 1)."""
        try:
            start, usual, most, elo = self._rules(day)
        except UncoveredDate:
            return None
        if not isinstance(standing, GlickoStanding) or (idle > 0 and self.system.c is None):
            return None
        rating, deviation = _known(standing, start, usual)
        if idle > 0:
            grown = curve.grown.function(deviation, float(idle), self.system.growth())
            deviation = min(grown, most)
        g = curve.g.function(curve.times_q.function(elo.q.value, deviation))
        return QuickPlayer(rating, deviation, g, 0.0)

    def after(self, _: Standing, own: Any, events: Sequence[QuickEvent], day: date) -> Standing | None:
        """Step 2."""
        games = [game for event in events for game in event.games]
        if own is None or _too_many(events) or any(opponent is None for opponent, _ in games):
            return None
        elo = self._rules(day)[-1]
        scale, q = elo.scale.value, elo.q.value
        surprises, informations = [], []
        for opponent, score in games:
            weighted = curve.weighted_difference.function(opponent.g, own.rating, opponent.rating)
            expected = formulas.logistic.function(weighted, scale)
            surprises.append(curve.surprise.function(opponent.g, float(score), expected))
            informations.append(curve.information.function(opponent.g, expected))
        d_squared = curve.d_squared.function(q, formulas.total.function(informations))
        deviation = curve.new_deviation.function(own.deviation, d_squared)
        rating = curve.new_rating.function(own.rating, q, deviation, formulas.total.function(surprises))
        if self.system.floor is not None and deviation < self.system.floor:
            deviation = self.system.floor
        return GlickoStanding(decimal(rating), deviation=decimal(deviation))


def _known(standing: GlickoStanding, start: StandingSteps, usual: float) -> tuple[float, float]:
    """Rating and deviation; one that is missing is the start value of newcomers, and the usual one of others."""
    if standing.rating is None:
        return start.rating.value, float(start.deviation.value if standing.deviation is None else standing.deviation)
    return float(standing.rating), float(usual if standing.deviation is None else standing.deviation)
