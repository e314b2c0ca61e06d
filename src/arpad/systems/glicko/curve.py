"""The formulas that the Glicko systems share: plain operators, with the letters of the papers.

The same function works on a float or a NumPy array: a root is `** 0.5`, the exponential is `e **`.
"""

from __future__ import annotations

from collections.abc import Callable
from math import e, log, pi
from typing import Any, NamedTuple

from arpad.calculation.step import N, Step, formula, found
from arpad.errors import BadInput
from arpad.messages import say


@formula("ln 10 / {scale}")
def q(scale: N) -> N:
    """Glicko's constant: one rating point on the scale of the natural logistic curve."""
    return log(10) / scale


@formula("{q} × {deviation}")
def times_q(q: N, deviation: N) -> N:
    """A deviation on the scale of the natural logistic curve."""
    return q * deviation


@formula("({rating} − {centre}) / {points}")
def mu(rating: N, centre: N, points: N) -> N:
    """A rating on Glicko-2's inner scale."""
    return (rating - centre) / points


@formula("{deviation} / {points}")
def phi(deviation: N, points: N) -> N:
    """A deviation on Glicko-2's inner scale."""
    return deviation / points


@formula("{points} × {mu} + {centre}")
def rating(points: N, mu: N, centre: N) -> N:
    """A rating back from the inner scale."""
    return points * mu + centre


@formula("{points} × {phi}")
def deviation(points: N, phi: N) -> N:
    """A deviation back from the inner scale."""
    return points * phi


@formula("1 / √(1 + 3 × {phi}² / π²)")
def g(phi: N) -> N:
    """How much a game counts, by the opponent's deviation: 1 if the rating is certain."""
    return 1 / (1 + 3 * phi**2 / pi**2) ** 0.5


@formula("{g} × ({rating} − {opponent})")
def weighted_difference(g: N, rating: N, opponent: N) -> N:
    """The difference, reduced by its uncertainty."""
    return g * (rating - opponent)


@formula("1 / (1 + e ^ (−{g} × ({mu} − {opponent})))")
def expected(g: N, mu: N, opponent: N) -> N:
    """E on the inner scale."""
    return 1 / (1 + e ** (-g * (mu - opponent)))


@formula("√({deviation}² + {opponent}²)")
def both(deviation: N, opponent: N) -> N:
    """The deviation of a difference of two ratings."""
    return (deviation**2 + opponent**2) ** 0.5


@formula("{g}² × {expected} × (1 − {expected})")
def information(g: N, expected: N) -> N:
    """How much one game can tell about a rating."""
    return g**2 * expected * (1 - expected)


@formula("{g} × ({score} − {expected})")
def surprise(g: N, score: N, expected: N) -> N:
    """How surprising one result is."""
    return g * (score - expected)


@formula("1 / {information}")
def v(information: N) -> N:
    """Glicko-2's v: the variance of a rating based on the games alone."""
    return 1 / information


@formula("1 / ({q}² × {information})")
def d_squared(q: N, information: N) -> N:
    """Glicko's d², the same in rating points."""
    return 1 / (q**2 * information)


@formula("{v} × {surprise}")
def delta(v: N, surprise: N) -> N:
    """Glicko-2's Δ: the change based on the games alone."""
    return v * surprise


@formula("√({deviation}² + {periods} × {rate}²)")
def grown(deviation: N, periods: N, rate: N) -> N:
    """A deviation after a number of periods, growing by a rate: Glicko's c or Glicko-2's volatility."""
    return (deviation**2 + periods * rate**2) ** 0.5


@formula("1 / √(1 / {deviation}² + 1 / {variance})")
def new_deviation(deviation: N, variance: N) -> N:
    """The deviation after games whose variance is d² or v."""
    return 1 / (1 / deviation**2 + 1 / variance) ** 0.5


@formula("{rating} + {q} × {deviation}² × {surprise}")
def new_rating(rating: N, q: N, deviation: N, surprise: N) -> N:
    """Glicko's new rating, with the new deviation: the paper's q / (1/RD² + 1/d²) is q × RD′²."""
    return rating + q * deviation**2 * surprise


@formula("{mu} + {phi}² × {surprise}")
def new_mu(mu: N, phi: N, surprise: N) -> N:
    """Glicko-2's new rating on the inner scale, with the new φ."""
    return mu + phi**2 * surprise


@formula("{rating} − {width} × {deviation}")
def interval_low(rating: N, width: N, deviation: N) -> N:
    """The lower end of the interval."""
    return rating - width * deviation


@formula("{rating} + {width} × {deviation}")
def interval_high(rating: N, width: N, deviation: N) -> N:
    """The upper end of the interval."""
    return rating + width * deviation


class InnerScale(NamedTuple):
    """Glicko-2's inner scale: the rating in the middle, and the rating points per unit."""

    centre: Step
    points: Step

    def mu(self, rating: Step, key: str = "mu") -> Step:
        """A rating on this scale."""
        return found(key, mu, rating=rating, centre=self.centre, points=self.points)

    def phi(self, deviation: Step, key: str = "phi") -> Step:
        """A deviation on this scale."""
        return found(key, phi, deviation=deviation, points=self.points)

    def rating(self, mu: Step) -> Step:
        """A rating converted back to points."""
        return found("new_rating", rating, points=self.points, mu=mu, centre=self.centre)

    def deviation(self, phi: Step, key: str = "new_deviation") -> Step:
        """A deviation converted back to points."""
        return found(key, deviation, points=self.points, phi=phi)


MOST_ROUNDS = 1000  # a guard against a tolerance finer than floats; usually five to fifteen rounds are enough


class Maths(NamedTuple):
    """A logarithm, a choice between two values by a test, and whether any test is true."""

    log: Callable[[Any], Any]
    choose: Callable[[Any, Any, Any], Any]
    any: Callable[[Any], Any]


ONE_PLAYER = Maths(log, lambda test, yes, no: yes if test else no, bool)


class Evidence(NamedTuple):
    """The inputs of step 5, on the inner scale; each is a float or an array."""

    volatility: Any
    phi: Any
    v: Any
    delta: Any


def f(x: Any, start: Any, surplus: Any, spread: Any, tau: float) -> Any:
    """The paper's f, with x = ln σ², start = ln of the old σ², surplus = Δ² − φ² − v and spread = φ² + v."""
    square = e**x
    return square * (surplus - square) / (2 * (spread + square) ** 2) - (x - start) / tau**2


def new_volatility(seen: Evidence, *, tau: float, tolerance: float, maths: Maths = ONE_PLAYER) -> Any:
    """The volatility at which f is 0, to within the tolerance; finished players wait for the others."""
    start = maths.log(seen.volatility**2)
    spread = seen.phi**2 + seen.v
    surplus = seen.delta**2 - spread
    near, far = start, _other_side(start, surplus, spread, tau, maths)
    f_near, f_far = f(near, start, surplus, spread, tau), f(far, start, surplus, spread, tau)
    for _ in range(MOST_ROUNDS):
        moving = abs(far - near) > tolerance
        if not maths.any(moving):
            return e ** (near / 2)
        slope = maths.choose(moving, f_far - f_near, 1.0)
        middle = maths.choose(moving, near + (near - far) * f_near / slope, far)
        f_middle = f(middle, start, surplus, spread, tau)
        crossed = f_middle * f_far <= 0
        near = maths.choose(moving & crossed, far, near)
        f_near = maths.choose(crossed, f_far, f_near / 2)
        far, f_far = middle, f_middle
    raise BadInput(say("glicko.unsettled", rounds=MOST_ROUNDS), at="tolerance")


def _other_side(start: Any, surplus: Any, spread: Any, tau: float, maths: Maths) -> Any:
    """B, the first guess on the other side of the root: ln of a positive surplus, or some τ below the start."""
    positive = surplus > 0
    steps = maths.choose(positive, 0, 1)
    while maths.any(short := (steps > 0) & (f(start - steps * tau, start, surplus, spread, tau) < 0)):
        steps = maths.choose(short, steps + 1, steps)
    return maths.choose(positive, maths.log(maths.choose(positive, surplus, 1.0)), start - steps * tau)
