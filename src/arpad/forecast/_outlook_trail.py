"""The working of an outlook: each game's chances, each outcome's probability, and what they add up to."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from typing import TYPE_CHECKING

from arpad.calculation import formulas
from arpad.calculation.step import Step, found, known, summed
from arpad.forecast.chances import percent, rating_or_unrated
from arpad.forecast.distribution import chance_to_reach, mean_change
from arpad.forecast.levels import level_steps

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from arpad.core import Rating
    from arpad.forecast.aim import Aim
    from arpad.forecast.distribution import Outcome
    from arpad.forecast.levels import LevelChance
    from arpad.forecast.outlook import GameChances
    from arpad.forecast.schedule import Chances

MOST_PARTS = 60  # up to this many outcomes get a step each; beyond it, only the sum does


def outlook_trail(
    aim: Aim, games: Sequence[GameChances], outcomes: Sequence[Outcome], passed: Iterable[LevelChance]
) -> tuple[Step, ...]:
    """The final steps of an outlook: the mean, the chance to reach each target, and the levels."""
    chances = chance_steps(aim, [(game.opponent, (game.win, game.draw, game.loss)) for game in games])
    sums = _sums_only if len(outcomes) > MOST_PARTS else _sums
    return (*sums(aim, outcomes, chances), *level_steps(passed))


def chance_steps(aim: Aim, games: Iterable[tuple[Rating, Chances]]) -> tuple[Step, ...]:
    """A step for the chances against each opponent; identical games share one."""
    strength = aim.strength_step
    return tuple(
        Step(
            "chances" if times == 1 else "chances.alike",
            Decimal(win + drawn / 2),
            {"strength": strength, "opponent": known("opponent", opponent)},
            words={
                "opponent": opponent,
                "times": times,
                "model": aim.draws,
                "win": percent(win),
                "draw": percent(drawn),
                "loss": percent(lost),
            },
        )
        for (opponent, (win, drawn, lost)), times in Counter(games).items()
    )


def _sums(aim: Aim, outcomes: Sequence[Outcome], chances: tuple[Step, ...]) -> Iterator[Step]:
    """The mean and the chance to reach each target, as sums over the outcomes."""
    likely = [
        Step(
            "probability" if outcome.score is not None else "probability.rating",
            Decimal(outcome.probability),
            {"chances": chances},
            words={"points": rating_or_unrated(outcome.new_rating) if outcome.score is None else outcome.score},
        )
        for outcome in outcomes
    ]
    parts = tuple(
        found("outcome", formulas.weighted, probability=step, change=known("outcome.change", outcome.change))
        for step, outcome in zip(likely, outcomes, strict=True)
    )
    yield summed("mean", formulas.total, parts)
    for target in aim.targets:
        reaching = tuple(
            step for step, outcome in zip(likely, outcomes, strict=True) if (outcome.new_rating or 0) >= target
        )
        yield summed("reach", formulas.total, reaching, words={"target": target})


def _sums_only(aim: Aim, outcomes: Sequence[Outcome], chances: tuple[Step, ...]) -> Iterator[Step]:
    """The same figures in one step each, where there are too many outcomes to list."""
    words = {"outcomes": len(outcomes)}
    yield Step("mean.many", mean_change(outcomes), {"chances": chances}, words=words)
    for target in aim.targets:
        reach = Decimal(chance_to_reach(outcomes, target))
        yield Step("reach.many", reach, {"chances": chances}, words={**words, "target": target})
