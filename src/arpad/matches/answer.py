"""MatchResult and SprtResult: what a match says about two engines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from arpad.calculation.answer import Answer, Figure, derived, hidden
from arpad.core import Rating
from arpad.messages import Message, figure, say

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True, kw_only=True)
class SprtResult:
    """A sequential test and what it found: the log-likelihood ratio, its bounds, and `H0`, `H1` or `continue`."""

    elo0: Rating
    elo1: Rating
    alpha: Rating
    beta: Rating
    model: str
    llr: Decimal
    lower: Decimal
    upper: Decimal
    verdict: str


@dataclass(frozen=True, kw_only=True)
class MatchResult(Answer):
    """The figures of a match as one program defines them; a figure that is not finite is None, and `why` says why."""

    program: str
    games: int
    pairs: int | None  # None where single games were counted
    counts: tuple[int, ...]  # of each result, the lowest score first
    score: Decimal
    share: Decimal  # of the points
    elo: Decimal | None
    elo_error: Decimal | None  # half the width of the 95 % interval
    elo_low: Decimal | None
    elo_high: Decimal | None
    normalized_elo: Decimal | None
    normalized_error: Decimal | None
    los: Decimal | None  # the likelihood of superiority, from 0 to 1
    sprt: SprtResult | None
    reasons: Mapping[str, Message] = hidden()  # why each missing figure is missing

    @derived
    def why(self) -> tuple[Message, ...]:
        """Why figures are missing, each reason once."""
        return tuple({reason.key: reason for reason in self.reasons.values()}.values())

    def summary(self) -> Sequence[Figure]:
        elo_why = self.reasons.get("elo") or self.reasons.get("elo_error") or say("matches.by", program=self.program)
        has_normalized = self.normalized_elo is not None or "normalized_elo" in self.reasons
        normalized = _with_error(self.normalized_elo, self.normalized_error) if has_normalized else None
        score = say("answers.score_of", score=_short(self.score), games=self.games)
        los = say("answers.none") if self.los is None else _percent(self.los)
        return (
            Figure("elo", _with_error(self.elo, self.elo_error), elo_why),
            Figure("normalized_elo", normalized, self.reasons.get("normalized_elo")),
            Figure("los", los, self.reasons.get("los") or say("matches.superiority")),
            Figure("score", score, _percent(self.share)),
            *(() if self.sprt is None else _test_figures(self.sprt)),
        )


def _test_figures(sprt: SprtResult) -> tuple[Figure, Figure]:
    """The likelihood ratio with its bounds, and the verdict in words."""
    elos = {"elo0": sprt.elo0, "elo1": sprt.elo1}
    bounds = say("matches.bounds", lower=sprt.lower, upper=sprt.upper, model=sprt.model, **elos)
    return Figure("llr", sprt.llr, bounds), Figure("verdict", say(f"matches.verdict.{sprt.verdict}", **elos))


def _percent(share: Decimal) -> Message:
    return say("matches.percent", percent=f"{100 * share:.2f}")


def _with_error(elo: Decimal | None, error: Decimal | None) -> str | Message:
    """`+40.7 ± 30.4`, as engine people write it."""
    if elo is None:
        return say("answers.none")
    near = figure(elo.quantize(Decimal("0.01")) + 0, signed=True)
    return near if error is None else f"{near} ± {figure(error.quantize(Decimal('0.01')))}"


def _short(score: Decimal) -> Decimal | int:
    return int(score) if score == score.to_integral_value() else score.normalize()
