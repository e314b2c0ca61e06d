"""The typed conventions of the programs that print match statistics; and the sample of a match."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.core import Number, Rating, number, refused
from arpad.errors import BadInput
from arpad.messages import say
from arpad.rulebooks import Rule, Rulebook, one_of, positive

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

WIDEST = 1000  # Elo; wider bounds are a typing error


class Zeros(NamedTuple):
    """What replaces a zero count, or is added to every count, before likelihoods are computed."""

    instead: Decimal | None = None
    added: Decimal | None = None


class MatchRules(NamedTuple):
    """The conventions of one program; what it does not print is None."""

    elo: Rule[int]
    interval: Rule[Decimal]
    los: Rule[str]
    zeros: Rule[Zeros]
    models: Rule[tuple[str, ...]]  # the first is the default
    bounds: Rule[str]
    normalized: Rule[int] | None = None
    pairs: Rule[str] | None = None
    one_sided: Rule[Decimal] | None = None


def _models(value: Any) -> tuple[str, ...]:
    return tuple(one_of("normalized", "logistic", "bayesian", "bayes-elo")(name) for name in value)


CUTECHESS: Mapping[str, Callable[[Any], Any]] = {
    "elo": positive,
    "interval": Decimal,
    "los": one_of("score", "decided"),
    "zeros": lambda value: Zeros(**{name: Decimal(number) for name, number in value.items()}),
    "models": _models,
    "bounds": one_of("reached", "passed"),
}
FASTCHESS: Mapping[str, Callable[[Any], Any]] = {
    **CUTECHESS,
    "normalized": positive,
    "pairs": one_of("pentanomial"),
    "one_sided": Decimal,
}
PROGRAMS = {"fastchess": FASTCHESS, "cutechess": CUTECHESS}


@cache
def rulebook(program: str) -> Rulebook[MatchRules]:
    """The conventions of a program."""
    return Rulebook(f"match-{program}", MatchRules, PROGRAMS[program])


@dataclass(frozen=True, slots=True, init=False)
class Sprt:
    """A sequential test of one Elo difference against another, with error rates; the default model is the program's."""

    elo0: Rating
    elo1: Rating
    alpha: Rating
    beta: Rating
    model: str | None

    def __init__(
        self, elo0: Number, elo1: Number, alpha: Number = "0.05", beta: Number = "0.05", model: str | None = None
    ) -> None:
        bounds = {"low": -WIDEST, "high": WIDEST}
        low, high = (number(elo, "elo_bound", at="sprt", **bounds) for elo in (elo0, elo1))
        if not -WIDEST <= low < high <= WIDEST:
            raise refused(f"{low}, {high}", "elo_bounds", at="sprt", **bounds)
        rates = _error_rate(alpha, at="alpha"), _error_rate(beta, at="beta")
        if sum(rates) >= 1:
            raise BadInput(say("matches.refused.rates"), at="alpha")
        for name, value in zip(("elo0", "elo1", "alpha", "beta", "model"), (low, high, *rates, model), strict=True):
            object.__setattr__(self, name, value)


def _error_rate(value: Number, *, at: str) -> Rating:
    rate = number(value, "error_rate", at=at)
    if not 0 < rate < 1:
        raise refused(value, "error_rate", at=at)
    return rate


class Sample(NamedTuple):
    """What was played: the score of each kind of result and its count, lowest score first."""

    scores: tuple[Decimal, ...]
    counts: tuple[int, ...]

    @property
    def size(self) -> int:
        """How many games, or pairs of games."""
        return sum(self.counts)

    @property
    def games(self) -> int:
        """How many games."""
        return self.size * (2 if self.paired else 1)

    @property
    def points(self) -> Decimal:
        """The points scored."""
        worth = (score * count for score, count in zip(self.scores, self.counts, strict=True))
        return sum(worth, Decimal(0)) * (2 if self.paired else 1)

    @property
    def paired(self) -> bool:
        """Whether pairs of games are counted."""
        return len(self.counts) == len(PAIR_SCORES)


GAME_SCORES = (Decimal(0), Decimal("0.5"), Decimal(1))
PAIR_SCORES = (Decimal(0), Decimal("0.25"), Decimal("0.5"), Decimal("0.75"), Decimal(1))
