"""What a match says about two engines, as an answer like every other."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from arpad.calculation.answers import because, plain
from arpad.calculation.contract import Calculation, Figure
from arpad.messages import figure

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from arpad.calculation.step import Step
    from arpad.matches.rules import Sample, Sprt

SHOWN = ("elo", "elo_error", "normalized_elo", "normalized_error", "los", "verdict")


class Match(Calculation):
    """The figures of a match, by the conventions of one program."""

    def __init__(
        self, program: str, on: date, sample: Sample, share: Step, steps: Mapping[str, Step], sprt: Sprt | None
    ) -> None:
        super().__init__(f"match-{program}", on, tuple(steps[name] for name in SHOWN if name in steps))
        self.program = program
        self.sample = sample
        self.sprt = sprt
        self.share: Decimal = share.value
        self._steps = steps

    def _value(self, name: str) -> Any:
        return self._steps[name].value if name in self._steps else None

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.sample.games

    @property
    def score(self) -> Decimal:
        """The points scored."""
        per_result = 2 if self.sample.paired else 1
        return sum(
            (per_result * score * count for score, count in zip(self.sample.scores, self.sample.counts, strict=True)),
            Decimal(0),
        )

    @property
    def elo(self) -> Decimal | None:
        """The Elo difference; None for a perfect or a zero score."""
        elo: Decimal | None = self._value("elo")
        return elo

    @property
    def elo_error(self) -> Decimal | None:
        """Half the width of the 95 % interval; None if one end of it has no Elo."""
        error: Decimal | None = self._value("elo_error")
        return error

    @property
    def normalized_elo(self) -> Decimal | None:
        """Normalised Elo; None if the program has none, or none for this result."""
        normalized: Decimal | None = self._value("normalized_elo")
        return normalized

    @property
    def los(self) -> Decimal | None:
        """The likelihood of superiority, from 0 to 1; None if this result has none."""
        los: Decimal | None = self._value("los")
        return los

    @property
    def llr(self) -> Decimal | None:
        """The log-likelihood ratio of the test; None without a test."""
        llr: Decimal | None = self._value("llr")
        return llr

    @property
    def verdict(self) -> str | None:
        """`H0`, `H1` or `continue`; None without a test."""
        verdict: str | None = self._value("verdict")
        return verdict

    @property
    def why(self) -> list[str]:
        """Why a figure is missing, each reason once."""
        return list(dict.fromkeys(because(step) for step in self._steps.values() if step.value is None))

    def _why(self, *names: str) -> str:
        """Why the first of these figures is missing; empty if all are there."""
        return next((because(self._steps[name]) for name in names if self._value(name) is None), "")

    def figures(self) -> list[Figure]:
        normalized = _with_error(self.normalized_elo, self._value("normalized_error"))
        los = "none" if self.los is None else f"{100 * self.los:.2f} %"
        shown = [
            Figure("elo", _with_error(self.elo, self.elo_error), self._why("elo", "elo_error") or f"by {self.program}"),
            Figure("normalized_elo", normalized, self._why("normalized_elo"))
            if "normalized_elo" in self._steps
            else Figure("normalized_elo", None),
            Figure("los", los, self._why("los") or "likelihood of superiority"),
            Figure("score", f"{figure(_short(self.score))} of {self.games}", f"{100 * self.share:.2f} %"),
        ]
        if self.sprt is None:
            return shown
        lower, upper = (figure(self._value(name)) for name in ("lower", "upper"))
        elo0, elo1 = figure(self.sprt.elo0), figure(self.sprt.elo1)
        test = f"{elo0} against {elo1} Elo, {self.sprt.model} model"
        return [
            *shown,
            Figure("llr", self.llr, f"bounds {lower} and {upper}; {test}"),
            Figure("verdict", VERDICTS[str(self.verdict)].format(elo0=elo0, elo1=elo1)),
        ]

    def value(self) -> dict[str, Any]:
        return {
            "program": self.program,
            "games": self.games,
            "pairs": self.sample.size if self.sample.paired else None,
            "counts": list(self.sample.counts),
            "score": plain(self.score),
            "share": plain(self.share),
            **{name: plain(self._value(name)) for name in ("elo", "elo_error", "elo_low", "elo_high")},
            **{name: plain(self._value(name)) for name in ("normalized_elo", "normalized_error", "los")},
            "why": self.why,
            "sprt": None if self.sprt is None else self._test(),
        }

    def _test(self) -> dict[str, Any]:
        asked = {} if self.sprt is None else self.sprt._asdict()
        found = {name: self._value(name) for name in ("llr", "lower", "upper", "verdict")}
        return {name: plain(value) for name, value in (asked | found).items()}


VERDICTS = {
    "H1": "H1 accepted: {elo1} Elo or more is the better explanation",
    "H0": "H0 accepted: {elo0} Elo or less is the better explanation",
    "continue": "continue: neither bound is reached",
}


def _with_error(elo: Decimal | None, error: Decimal | None) -> str:
    """`+40.7 ± 30.4`, as engine people write it."""
    if elo is None:
        return "none"
    near = figure(elo.quantize(Decimal("0.01")) + 0, signed=True)
    return near if error is None else f"{near} ± {figure(error.quantize(Decimal('0.01')))}"


def _short(score: Decimal) -> Decimal | int:
    return int(score) if score == score.to_integral_value() else score.normalize()
