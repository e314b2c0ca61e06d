"""The answer to how good a system's ratings are: its figures are read off a tally of the predictions."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa

from arpad.bulk.chances import Band
from arpad.bulk.measures import Bin
from arpad.bulk.reasons import Reasons
from arpad.bulk.results import NothingToRate
from arpad.bulk.tally import ForecastTally
from arpad.calculation.answer import Answer, Figure, derived
from arpad.errors import Unsupported
from arpad.messages import say
from arpad.systems.chances import DrawModel

if TYPE_CHECKING:
    from datetime import date

    from arpad.bulk.measures import Forecast
    from arpad.calculation.step import Step


class Seen(NamedTuple):
    """What the predictions of a span add up to, and the rows that were rejected; on one machine also one by one."""

    tally: ForecastTally
    rejected: dict[str, int]  # by reason
    predictions: pa.Table | None = None
    rejects: pa.Table | None = None

    @classmethod
    def here(cls, seen: Forecast, rejects: pa.Table) -> Seen:
        """From every game and every rejected row."""
        known = seen.where(~np.isnan(seen.expected))._asdict()
        predictions = pa.table({name: pa.array(column, from_pandas=True) for name, column in known.items()})
        return cls(ForecastTally.of(seen), dict(Counter(rejects.column("reason").to_pylist())), predictions, rejects)


@dataclass(frozen=True, kw_only=True)
class Evaluation(Answer):
    """The measures of a system on games, with the settings they belong to."""

    settings: dict[str, float | str]
    first: str  # period
    last: str
    draws: DrawModel | None  # the model of chances, if one was asked for
    rejected: dict[str, int]  # how many rows, by reason
    tally: ForecastTally = field(repr=False, metadata={"hidden": True})
    # By game, the columns of a forecast; and the rejected rows. Both only on one machine.
    predictions: pa.Table | None = field(repr=False, metadata={"hidden": True})
    rejects: pa.Table | None = field(repr=False, metadata={"hidden": True})

    @classmethod
    def of(
        cls,
        system: str,
        on: date,
        settings: tuple[Step, ...],
        span: tuple[str, str],
        seen: Seen,
        draws: DrawModel | None,
    ) -> Evaluation:
        """From what was seen in a span of periods."""
        first, last = span
        if not seen.tally.whole.games:
            reasons = Reasons(seen.rejected, before=": ")
            said = say("bulk.error.no_predictions", reasons=reasons, first=first, last=last)
            raise NothingToRate(said, seen.rejects, at="from")
        return cls(
            system=system,
            on=on,
            trail=(*settings, *seen.tally.measures().values()),
            settings={step.key: step.value for step in settings},
            first=first,
            last=last,
            draws=draws,
            **seen._asdict(),
        )

    @derived
    def games(self) -> int:
        """How many games were predicted."""
        return self.tally.whole.games

    @derived
    def newcomers(self) -> int:
        """How many of them have a player about whom nothing was known."""
        return self.tally.newcomers

    @derived
    def not_predicted(self) -> int:
        """How many more were rated, for which the system has no expected score."""
        return self.tally.not_predicted

    @derived
    def deviance(self) -> float:
        """The binomial deviance a game: base 10, expected scores clamped to 1 % and 99 %."""
        return self._measured("deviance")

    @derived
    def log_loss(self) -> float:
        """The natural logarithmic loss a game."""
        return self._measured("log_loss")

    @derived
    def brier(self) -> float:
        """The mean square of expected score minus score."""
        return self._measured("brier")

    @derived
    def score(self) -> float:
        """White's mean score."""
        return self.tally.whole.score / self.games

    @derived
    def expected(self) -> float:
        """White's mean expected score."""
        return self.tally.whole.expected / self.games

    @derived
    def calibration(self) -> list[Bin]:
        """The games by expected score, in ten ranges."""
        return self.tally.calibration()

    @derived
    def bands(self) -> list[Band]:
        """The games by difference, from the favourite's side."""
        return self.tally.bands(modelled=self.draws is not None)

    @derived
    def result_loss(self) -> float | None:
        """−ln of the chance that the result had, a game; None without a model of chances."""
        return None if self.draws is None else self.tally.result_loss / self.games

    def _measured(self, name: str) -> float:
        return float(next(step.value for step in self.trail if step.key == name))

    def to_arrow(self) -> pa.Table:
        """A row for each game that was predicted: White's expected score, the score, ratings, the chance of a draw."""
        if self.predictions is None:
            raise Unsupported(say("bulk.spark.predictions"), at="engine")
        return self.predictions

    def summary(self) -> list[Figure]:
        return [
            *(
                Figure(name, f"{self._measured(name):.5f}", say("bulk.remark.even", value=f"{step.value:.5f}"))
                for name, step in self.tally.even().items()
            ),
            *(
                [Figure("result_loss", f"{self.result_loss:.5f}", say("forecast.draw_model", model=self.draws.called))]
                if self.draws
                else []
            ),
            Figure(
                "predicted",
                say("bulk.remark.predicted_games", games=self.games),
                say("bulk.remark.predicted", first=self.first, last=self.last),
            ),
            Figure("newcomers", self.newcomers or None, say("bulk.remark.newcomers")),
            Figure("not_predicted", self.not_predicted or None, say("bulk.remark.not_predicted")),
            Figure(
                "bulk.rejected",
                sum(self.rejected.values()) or None,
                say("bulk.remark.rejected", reasons=Reasons(self.rejected)),
            ),
            Figure("score", f"{self.score:.4f}", say("bulk.remark.score", expected=f"{self.expected:.4f}")),
        ]
