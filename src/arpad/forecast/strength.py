"""True strength: how likely each strength makes the results, and the strengths that are not ruled out."""

from __future__ import annotations

from decimal import Decimal
from math import exp, log
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation.answers import plain
from arpad.calculation.contract import Calculation, Figure
from arpad.calculation.step import Step, known
from arpad.core import HIGHEST_RATING, LOWEST_RATING, Player, as_day, rating_of
from arpad.errors import BadInput
from arpad.forecast.schedule import MOST_PAIRINGS, RESULTS, Model, curve, rating_met
from arpad.messages import Message, figure, say
from arpad.systems.draw_models import LABELLE

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from arpad.core import Pairing, Rating
    from arpad.systems.base import System
    from arpad.systems.draw_models import DrawModel

# Twice the logarithm of the likelihood ratio follows chi-square with one degree of freedom; 95 % of it lie below this.
CHI_SQUARE_95 = 3.841458820694124
BEYOND = 1600  # points past the opponents: farther out a result says no more than "stronger" or "weaker"
NEVER = float("-inf")
MOST_TIMES = 1000  # as likely: past it a ratio only says that the rating is out of the question


class Likelihood(NamedTuple):
    """The logarithm of the likelihood of every whole strength, from the lowest on."""

    lowest: int
    logs: tuple[float, ...]

    def at(self, strength: float) -> float:
        """The logarithm of the likelihood at a strength, which is brought inside the curve."""
        return self.logs[min(max(round(strength) - self.lowest, 0), len(self.logs) - 1)]


class Strength(Calculation):
    """The strength that results look like."""

    def __init__(
        self,
        system: str,
        on: date,
        *,
        rating: Rating | None,
        played: tuple[Pairing, ...],
        curve: Likelihood,
        model: Model,
    ) -> None:
        self.rating = rating
        self.games = len(played)
        self.score = sum((one.score for one in played if one.score is not None), Decimal(0))
        self.curve = curve
        self.draws = model.draws
        best = max(curve.logs)
        inside = [no for no, one in enumerate(curve.logs) if 2 * (best - one) <= CHI_SQUARE_95]
        top = [no for no, one in enumerate(curve.logs) if one == best]
        last = len(curve.logs) - 1
        self.low = None if inside[0] == 0 else curve.lowest + inside[0]
        self.high = None if inside[-1] == last else curve.lowest + inside[-1]
        at_edge = top[0] == 0 or top[-1] == last
        # Between equally likely strengths the middle one stands for them.
        self.strength = None if at_edge else curve.lowest + (top[0] + top[-1]) // 2
        ats = {"rating": rating, "strength": self.strength}
        expected = {
            name: _expected(model._replace(strength=float(at)), played) for name, at in ats.items() if at is not None
        }
        self.expected = expected.get("rating")
        steps = {
            name: Step(f"expected_at.{name}", Decimal(one), {"at": known("at", ats[name])})
            for name, one in expected.items()
        }
        words = {"games": self.games, "model": str(model.draws), "points": self.score}
        super().__init__(system, on, (Step("likely_strength", self.strength, steps, words=words),), self._noted)

    def _noted(self) -> Iterable[Message]:
        if self.strength is None:
            yield say("notes.strength.open", score=self.score, games=self.games)

    @property
    def ratio(self) -> float | None:
        """How many times as likely the results are at the likeliest strength as at the rating.

        None without a rating, and where the number says no more: past MOST_TIMES.
        """
        log_ratio = self._log_ratio
        return None if log_ratio is None or log_ratio > log(MOST_TIMES) else exp(log_ratio)

    @property
    def _log_ratio(self) -> float | None:
        return None if self.rating is None else max(self.curve.logs) - self.curve.at(float(self.rating))

    @property
    def within(self) -> bool | None:
        """Whether the rating is among the strengths that are not ruled out; None without a rating."""
        if self.rating is None:
            return None
        return (self.low or LOWEST_RATING) <= self.rating <= (self.high or HIGHEST_RATING)

    def figures(self) -> list[Figure]:
        span = f"{self.low or 'no lower end'} to {self.high or 'no upper end'}"
        beside = ""
        if self.strength is not None and self.low is not None and self.high is not None:
            beside = f"your results look like {self.strength} ± {round((self.high - self.low) / 2)}"
        by = f"draw model: {self.draws}"
        said = "nothing speaks against" if self.within else "the results speak against"
        return [
            Figure("likely_strength", self.strength or "open", beside),
            Figure("interval", span, "95 %, the strengths that the results do not rule out"),
            Figure("rating", self.rating, f"{said} it; the likeliest strength makes the results {_times(self.ratio)} "
                   "times as likely"),
            Figure("score", f"{figure(self.score)} of {self.games}",
                   by if self.expected is None else f"expected with the rating {self.expected:.2f}; {by}"),
        ]  # fmt: skip

    def value(self) -> dict[str, Any]:
        step = max(1, len(self.curve.logs) // 200)
        best = max(self.curve.logs)
        return {
            "system": self.system,
            "on": self.on.isoformat(),
            "rating": plain(self.rating),
            "strength": self.strength,
            "low": self.low,
            "high": self.high,
            "within": self.within,
            "ratio": self.ratio,
            "games": self.games,
            "score": plain(self.score),
            "expected": self.expected,
            "draws": self.draws._asdict(),
            "likelihood": [
                {"strength": self.curve.lowest + no, "likelihood": exp(self.curve.logs[no] - best)}
                for no in range(0, len(self.curve.logs), step)
            ],
        }


def _times(ratio: float | None) -> str:
    """How many times, in words where the number says no more."""
    return "over a thousand" if ratio is None else f"{ratio:.1f}"


def likely_strength(
    system: System, rating: Rating | None, results: Iterable[Pairing], *, on: date, draws: DrawModel = LABELLE
) -> Strength:
    """How likely each strength makes these results; games not played, or against the unrated, say nothing."""
    on, given = as_day(on), list(results)
    played = tuple(
        one
        for one in given
        if one.how == "played"
        and one.score is not None
        and isinstance(one.opponent, Player)
        and one.opponent.rating_used is not None
    )
    if not played:
        raise BadInput("A strength needs a game played against a rated opponent, for example 1700:win.", at="games")
    if len(played) > MOST_PAIRINGS:
        raise BadInput(f"{len(played)} games are too many; at most {MOST_PAIRINGS} are taken.", at="games")
    own = None if rating is None else rating_of(rating, at="rating")
    model = Model(0.0, draws, curve(system, on))
    likely = _curve(model, played, own)
    if max(likely.logs) == NEVER:
        raise BadInput(
            f"No strength can have these results by the draw model {draws.name}: it has no draws; choose another.",
            at="draws",
        )
    return Strength(system.name, on, rating=own, played=played, curve=likely, model=model)


def _curve(model: Model, played: tuple[Pairing, ...], own: Rating | None) -> Likelihood:
    """The likelihood of every strength in reach of opponents and rating; equal games are worked out once."""
    kinds: dict[tuple[float, str | None, Decimal | None], int] = {}
    for one in played:
        kind = float(rating_met(one.opponent)), one.colour, one.score
        kinds[kind] = kinds.get(kind, 0) + 1
    near = [kind[0] for kind in kinds]
    low = max(LOWEST_RATING, min(round(min(near)) - BEYOND, round(own or HIGHEST_RATING)))
    high = min(HIGHEST_RATING, max(round(max(near)) + BEYOND, round(own or LOWEST_RATING)))

    def at(strength: int) -> float:
        mine = model._replace(strength=float(strength))
        return sum(
            times * _log(dict(zip(RESULTS, mine.chances(Decimal(rating), colour), strict=True))[score or Decimal(0)])
            for (rating, colour, score), times in kinds.items()
        )

    return Likelihood(low, tuple(at(strength) for strength in range(low, high + 1)))


def _log(chance: float) -> float:
    return log(chance) if chance > 0 else NEVER


def _expected(model: Model, played: tuple[Pairing, ...]) -> float:
    """The score a strength expects in these games."""
    return sum(win + drawn / 2 for win, drawn, _ in map(model.against, played))
