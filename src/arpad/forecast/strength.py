"""Playing strength from results: the likeliest strength and its limits; and outlooks with an uncertain strength."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from math import exp, log, prod, sqrt
from typing import TYPE_CHECKING, NamedTuple

from arpad.calculation.answer import Answer, Figure, derived
from arpad.calculation.step import Step, known
from arpad.core import HIGHEST_RATING, LOWEST_RATING, Player, Rating, as_day, number, rating_of, refused
from arpad.errors import BadInput
from arpad.forecast.distribution import chance_of, distribution
from arpad.forecast.schedule import MOST_PAIRINGS, RESULTS, Model, opponent_rating
from arpad.forecast.targets import TargetChance, middle_half_text, percent, quantile, target_chances
from arpad.forecast.typical import Reliability
from arpad.messages import Message, fixed, say
from arpad.systems.chances import CALIBRATED, DrawModel

if TYPE_CHECKING:
    from arpad.core import Number, Pairing
    from arpad.forecast.distribution import Outcome
    from arpad.forecast.schedule import Ahead
    from arpad.forecast.typical import Aim
    from arpad.systems.base import System


# Twice the logarithm of the likelihood ratio follows chi-square with one degree of freedom; 95 % of it lies below this.
CHI_SQUARE_95 = 3.841458820694124
BEYOND = 1600  # points past the opponents: farther out a result says no more than "stronger" or "weaker"
NEVER = float("-inf")
MOST_TIMES = 1000  # a larger likelihood ratio only says that the rating is out of the question
POINTS = 200  # of the likelihood curve in an answer, approximately
TO_A_DEVIATION, DEVIATIONS = 2, 4  # strengths where it is uncertain: half a deviation apart, up to four on either side
MOST_UNCERTAIN = 400  # points, about Glicko's deviation for an unknown player


def likely_strength(
    system: System, rating: Number | None, results: Iterable[Pairing], *, on: date, draws: DrawModel = CALIBRATED
) -> LikelyStrength:
    """The most likely strength behind these results; unplayed games and unrated opponents are ignored.

    Accepts a system, the rating, and played pairings: `Pairing(1700, 1)`. Gives a LikelyStrength with its 95 % range.
    Raises BadInput if no result counts.
    """
    on = as_day(on)
    played = tuple(filter(_is_evidence, results))
    if not played:
        raise BadInput(say("forecast.refused.no_results"), at="games")
    if len(played) > MOST_PAIRINGS:
        raise BadInput(say("forecast.refused.results", games=len(played), most=MOST_PAIRINGS), at="games")
    own = None if rating is None else rating_of(rating, at="rating")
    model = Model.on(on, system, 0, draws)
    likely = _curve(model, played, own)
    if likely.best == NEVER:
        raise BadInput(say("forecast.refused.no_draws"), at="draws")
    return _answer(system.name, on, own, played, likely, model)


@dataclass(frozen=True, kw_only=True)
class LikelyStrength(Answer):
    """The playing strength that results suggest."""

    rating: Rating | None
    strength: int | None  # None where every stronger, or weaker, player is likelier still
    low: int | None  # of the strengths that are not ruled out at 95 %; None is no lower end
    high: int | None
    within: bool | None  # whether the rating is one of them; None without a rating
    ratio: float | None  # how many times as likely the results are at the strength as at the rating; None past 1000
    games: int
    score: Decimal
    expected: float | None  # the score that the rating expects
    draws: DrawModel
    likelihood: tuple[Likelihood, ...]

    def summary(self) -> Sequence[Figure]:
        low = say("forecast.strength.no_low") if self.low is None else self.low
        high = say("forecast.strength.no_high") if self.high is None else self.high
        return (
            Figure("likely_strength", self.strength or say("forecast.strength.open"), self._strength_remark()),
            Figure("interval", say("forecast.from_to", low=low, high=high), say("forecast.strength.interval")),
            Figure("rating", self.rating, self._rating_remark()),
            Figure("score", say("answers.score_of", score=self.score, games=self.games), self._score_remark()),
        )

    def _strength_remark(self) -> Message | None:
        if self.strength is None or self.low is None or self.high is None:
            return None
        error = round((self.high - self.low) / 2)
        return say("forecast.strength.about", strength=self.strength, error=error)

    def _rating_remark(self) -> Message:
        key = "forecast.strength.within" if self.within else "forecast.strength.outside"
        times = say("forecast.strength.thousand") if self.ratio is None else fixed(self.ratio, 1)
        return say(key, times=times)

    def _score_remark(self) -> Message:
        if self.expected is None:
            return say("forecast.draw_model", model=self.draws.called)
        return say("forecast.strength.expected", expected=fixed(self.expected, 2), model=self.draws.called)


@dataclass(frozen=True, slots=True, kw_only=True)
class Likelihood:
    """How likely the results are at a strength, relative to the most likely strength, which has 1."""

    strength: int
    likelihood: float


def _is_evidence(pairing: Pairing) -> bool:
    """Whether it is a game played against a rated opponent."""
    opponent = pairing.opponent
    return (
        pairing.how == "played"
        and pairing.score is not None
        and isinstance(opponent, Player)
        and opponent.rating_used is not None
    )


def _curve(model: Model, played: Iterable[Pairing], own: Rating | None) -> _Curve:
    """The likelihood of every strength near the opponents and the rating; identical games are calculated once."""
    kinds: dict[tuple[float, str | None, Decimal | None], int] = {}
    for pairing in played:
        kind = float(opponent_rating(pairing.opponent)), pairing.colour, pairing.score
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

    return _Curve(low, tuple(at(strength) for strength in range(low, high + 1)))


class _Curve(NamedTuple):
    """The logarithm of the likelihood of every whole strength, from the lowest upwards."""

    lowest: int
    logs: tuple[float, ...]

    @property
    def best(self) -> float:
        """The highest of them."""
        return max(self.logs)

    def at(self, strength: float) -> float:
        """The logarithm of the likelihood at a strength, or at the nearest end of the curve."""
        return self.logs[min(max(round(strength) - self.lowest, 0), len(self.logs) - 1)]

    @property
    def likeliest(self) -> int | None:
        """The most likely strength, the middle one if several tie; None where it lies beyond the curve."""
        best = self.best
        top = [no for no, log_likelihood in enumerate(self.logs) if log_likelihood == best]
        at_edge = top[0] == 0 or top[-1] == len(self.logs) - 1
        return None if at_edge else self.lowest + (top[0] + top[-1]) // 2

    @property
    def interval(self) -> tuple[int | None, int | None]:
        """The lowest and the highest strength that are not ruled out; None means no limit."""
        best = self.best
        inside = [no for no, log_likelihood in enumerate(self.logs) if 2 * (best - log_likelihood) <= CHI_SQUARE_95]
        low = None if inside[0] == 0 else self.lowest + inside[0]
        return low, None if inside[-1] == len(self.logs) - 1 else self.lowest + inside[-1]


def _log(chance: float) -> float:
    return log(chance) if chance > 0 else NEVER


def _answer(
    system: str, on: date, rating: Rating | None, played: Sequence[Pairing], likely: _Curve, model: Model
) -> LikelyStrength:
    """The answer that a curve of likelihoods gives."""
    strength = likely.likeliest
    low, high = likely.interval
    score = sum((pairing.score for pairing in played if pairing.score is not None), Decimal(0))
    strengths = {"rating": rating, "strength": strength}
    expected = {}
    for name, at in strengths.items():
        if at is not None:
            chances = map(model._replace(strength=float(at)).against, played)
            expected[name] = sum(win + drawn / 2 for win, drawn, _ in chances)
    steps = {
        name: Step(f"expected_at.{name}", Decimal(score_there), {"at": known("at", strengths[name])})
        for name, score_there in expected.items()
    }
    words = {"games": len(played), "model": model.draws, "points": score}
    notes: Sequence[Message] = [say("notes.strength.open", score=score, games=len(played))]
    if strength is not None:
        met = [opponent_rating(pairing.opponent) for pairing in played]
        notes = model._replace(strength=float(strength)).how_well(met, system)
    best, every = likely.best, max(1, len(likely.logs) // POINTS)
    log_ratio = None if rating is None else best - likely.at(float(rating))
    return LikelyStrength(
        system=system,
        on=on,
        trail=(Step("likely_strength", strength, steps, words=words),),
        remarks=lambda: notes,
        rating=rating,
        strength=strength,
        low=low,
        high=high,
        within=None if rating is None else (low or LOWEST_RATING) <= rating <= (high or HIGHEST_RATING),
        ratio=None if log_ratio is None or log_ratio > log(MOST_TIMES) else exp(log_ratio),
        games=len(played),
        score=score,
        expected=expected.get("rating"),
        draws=model.draws,
        likelihood=tuple(
            Likelihood(strength=likely.lowest + no, likelihood=exp(likely.logs[no] - best))
            for no in range(0, len(likely.logs), every)
        ),
    )


def with_uncertainty(ahead: Ahead, model: Model, aim: Aim, uncertain: Number | Reliability) -> Widened:
    """The chances over the strengths that are likely."""
    reliability = uncertain if isinstance(uncertain, Reliability) else None
    deviation = uncertainty_of(round(uncertain.deviation) if isinstance(uncertain, Reliability) else uncertain)
    played = list(filter(_is_evidence, ahead.pairings))
    strengths = _after_results(_strengths(float(aim.strength), float(deviation)), model, played)
    mean = sum(strength * share for strength, share in strengths)
    variance = sum((strength - mean) ** 2 * share for strength, share in strengths)
    outcomes = [
        (share, [ending.outcome for ending in distribution(ahead, model._replace(strength=strength))])
        for strength, share in strengths
    ]

    def over(holds: Callable[[Outcome], bool]) -> float:
        return min(1.0, sum(share * chance_of(ways, holds) for share, ways in outcomes))

    most = aim.lose_more_than
    ratings = [(outcome.new_rating, share * outcome.probability) for share, ways in outcomes for outcome in ways]
    return Widened(
        deviation=deviation,
        reliability=reliability,
        results=len(played),
        strength=mean,
        remaining=sqrt(variance),
        targets=target_chances(aim.targets, ratings),
        gain=over(lambda outcome: outcome.rounded > 0),
        lose=None if most is None else over(lambda outcome: -outcome.rounded > most),
        middle_half=(quantile(ratings, 0.25), quantile(ratings, 0.75)),
    )


@dataclass(frozen=True, kw_only=True)
class Widened:
    """The chances if the strength is uncertain by this standard deviation, less after the results so far."""

    deviation: Rating
    reliability: Reliability | None  # where the deviation is from FIDE's lists
    results: int  # results so far that say something about the strength
    strength: float  # the mean after these results
    remaining: float  # the standard deviation after these results
    targets: tuple[TargetChance, ...]
    gain: float
    lose: float | None
    middle_half: tuple[int | None, int | None]

    @derived
    def reach(self) -> float | None:
        """The chance to have the first target or more on the next list; None without a target."""
        return self.targets[0].reach if self.targets else None

    def figures(self) -> Sequence[Figure]:
        """The chances, shown beside those for a single strength."""
        remark = say("forecast.widened", deviation=self.deviation)
        after = say("forecast.plus_minus", value=round(self.strength), error=round(self.remaining))
        by_results = say("forecast.widened.results", results=self.results)
        return (
            *(
                Figure(
                    "reach.widened",
                    percent(chance.reach),
                    say("forecast.widened.reach", target=chance.target, if_so=remark),
                )
                for chance in self.targets
            ),
            Figure("gain.widened", percent(self.gain), remark),
            Figure("lose.widened", percent(self.lose), remark),
            Figure("middle_half.widened", middle_half_text(self.middle_half), remark),
            *([Figure("strength.widened", after, by_results)] if self.results else []),
        )


def uncertainty_of(uncertain: Number) -> Rating:
    """A standard deviation of strength in points, checked."""
    deviation = number(uncertain, "uncertainty", low=0, high=MOST_UNCERTAIN, at="uncertain")
    if not 0 <= deviation <= MOST_UNCERTAIN:
        raise refused(uncertain, "uncertainty", low=0, high=MOST_UNCERTAIN, at="uncertain")
    return deviation


def _strengths(mean: float, deviation: float) -> list[tuple[float, float]]:
    """Strengths with their shares of a normal distribution; chances change smoothly with them, so a few are enough."""
    if not deviation:
        return [(mean, 1.0)]
    reach = DEVIATIONS * TO_A_DEVIATION
    apart = [place / TO_A_DEVIATION for place in range(-reach, reach + 1)]
    shares = [exp(-(place**2) / 2) for place in apart]
    return [(mean + place * deviation, share / sum(shares)) for place, share in zip(apart, shares, strict=True)]


def _after_results(
    strengths: Sequence[tuple[float, float]], model: Model, played: Sequence[Pairing]
) -> list[tuple[float, float]]:
    """The shares of the strengths after the results: each is weighted by how likely it makes them (Bayes)."""
    likely = [(strength, share * _likelihood(model, strength, played)) for strength, share in strengths]
    total = sum(share for _, share in likely)
    # A model without draws makes a draw impossible for everybody: it then says nothing of the strength.
    return [(strength, share / total) for strength, share in likely] if total else list(strengths)


def _likelihood(model: Model, strength: float, played: Sequence[Pairing]) -> float:
    """How likely the results are at a strength."""
    mine = model._replace(strength=strength)
    return prod(mine.against(pairing)[RESULTS.index(pairing.score)] for pairing in played if pairing.score is not None)
