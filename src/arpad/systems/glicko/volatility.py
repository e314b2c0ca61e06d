"""Glicko-2's new volatility (step 5): one search for a single player or for whole arrays of them.

The search is the paper's Illinois method. What no operator can do (a logarithm, a choice, "is any left?") is passed in
as `Maths`, so that this module does not need NumPy; bulk passes `Maths(numpy.log, numpy.where, numpy.any)`.
"""

from __future__ import annotations

from math import e, log
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.errors import BadInput
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Callable

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
