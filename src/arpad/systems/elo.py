"""Plain Elo, for comparison: the logistic curve and one K."""

from __future__ import annotations

from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation import formulas
from arpad.calculation.step import Step, found, known, ruled
from arpad.core import EloStanding, Player, k_of, number, refused
from arpad.rulebooks import Rule, Rulebook, one_of, positive, rounding_name
from arpad.systems import by_k
from arpad.systems.base import System
from arpad.systems.rating_change import given_k

if TYPE_CHECKING:
    from datetime import date

    from arpad.core import Rating


class EloRules(NamedTuple):
    """The conventions of plain Elo."""

    k: Rule[int]
    scale: Rule[int]
    rounding: Rule[str]
    unplayed: Rule[str]


READERS = {"k": positive, "scale": positive, "rounding": rounding_name, "unplayed": one_of("not rated")}


class Settings(NamedTuple):
    """A club's own K and scale; None means the rule's value."""

    k: Rating | None
    scale: Rating | None


LARGEST_SCALE = 100_000  # points; with a larger scale every game would be even
SETTINGS = ("k", "scale")


def build(name: str, *, k: Any = None, scale: Any = None, rules: str | None = None) -> System:
    """Plain Elo, with a club's own K and scale, or its own rule file, if it has them."""
    settings = settings_of(k, scale)
    method = by_k.ByK(
        name,
        Rulebook("elo", EloRules, READERS, path=rules),
        curve=partial(_curve, settings),
        k=partial(_k, settings),
        notes=lambda _player, _rules, _on: (),
        fractions=True,
        performance="linear",
        k_before=True,
    )
    return System.of(
        name,
        "Plain Elo",
        method.book,
        rate_period=partial(by_k.rate_period, method),
        expect=partial(by_k.expect, method),
        expected_score=partial(by_k.expected_score, method),
    )


def settings_of(k: Any = None, scale: Any = None) -> Settings:
    """A club's own K and scale, each within its bounds."""
    return Settings(None if k is None else k_of(k, at="k"), _scale_of(scale))


def _scale_of(value: Any) -> Rating | None:
    """The scale: the rating difference for odds of ten to one."""
    if value is None:
        return None
    scale = number(value, "scale", at="scale")
    if not 1 <= scale <= LARGEST_SCALE:
        raise refused(value, "scale", at="scale")
    return scale


def _k(settings: Settings, player: Player, _: list[by_k.Entry], rules: EloRules, __: date) -> Step:
    standing = EloStanding.of(player)
    if standing.k is not None:
        return given_k(standing.k, standing.k_from)
    if settings.k is not None:
        return known("k.given", settings.k)
    return ruled("k.other", rules.k, rules.k.value, words={"says": rules.k.says})


def _curve(settings: Settings, rules: EloRules) -> by_k.Curve:
    """The logistic curve with the scale in force."""
    if settings.scale is not None:
        scale = known("scale", Decimal(settings.scale))
    else:
        scale = ruled("scale", rules.scale, Decimal(rules.scale.value))

    def expected(difference: Step) -> Step:
        return found("expected.formula", formulas.logistic, difference=difference, scale=scale)

    return expected
