"""The named roundings for arrays of fractions; `rounding` has the same names for single numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def half_away_from_zero(number: Any, over: Any) -> Any:
    """2.5 gives 3 and −2.5 gives −3."""
    return np.sign(number) * ((2 * np.abs(number) + over) // (2 * over))


def half_up(number: Any, over: Any) -> Any:
    """2.5 gives 3 and −2.5 gives −2."""
    return (2 * number + over) // (2 * over)


def half_down(number: Any, over: Any) -> Any:
    """2.5 gives 2 and −2.5 gives −2."""
    return np.sign(number) * ((2 * np.abs(number) + over - 1) // (2 * over))


ROUNDINGS: Mapping[str, Callable[[Any, Any], Any]] = {
    "half away from zero": half_away_from_zero,
    "half up": half_up,
    "half down": half_down,
}
