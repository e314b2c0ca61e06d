"""The answers of bulk: tables, a summary of them, and why rows are rejected."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import date
from typing import TYPE_CHECKING, Any

from arpad.calculation.answer import Figure
from arpad.core import HIGHEST_K, HIGHEST_RATING, LOWEST_RATING
from arpad.errors import BadInput
from arpad.messages import Message, apart, say, thousands

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

    from arpad.bulk.tally import Forecast, ForecastTally
    from arpad.rulebooks import Rule


Known = str | int | Mapping[str, int]  # a figure of a summary
TAKEN, ELSEWHERE = "taken", "elsewhere"
# In the order in which they are checked: a row gets the first reason that applies.
REASONS = (
    TAKEN,
    ELSEWHERE,
    "no_white",
    "no_black",
    "bad_result",
    "unknown_white",
    "unknown_black",
    "against_himself",
    "bad_date",
    "outside_period",
    "bad_period",
    "before_rules",
    "bad_time",
    "bad_how",
    "bad_approved",
    "bad_game_rating",
    "unplayed",
    "not_born",
    "duplicate",
    "no_id",
    "duplicate_id",
    "bad_rating",
    "bad_start",
    "bad_k",
    "bad_born",
    "bad_games",
    "bad_peak",
    "bad_standard",
    "bad_base",
    "bad_pool",
    "bad_file",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PeriodRating:
    """What every rated period has, whichever engine holds its tables."""

    summary: PeriodSummary
    rules: tuple[Rule[object], ...]
    on: date

    def figures(self) -> list[Figure]:
        """The figures of the summary, the most important first."""
        known = self.summary
        not_rated = ", ".join(
            str(say(f"bulk.not_rated.{why}", games=thousands(count))) for why, count in known.not_rated.items()
        )
        return [
            Figure(
                "bulk.rated", thousands(known.rated), say("bulk.remark.rated", games=known.games, period=known.period)
            ),
            Figure("bulk.not_rated", not_rated or None),
            Figure("bulk.changed", thousands(known.changed), say("bulk.remark.changed", players=known.players)),
            Figure("bulk.first_ratings", thousands(known.first_ratings), say("bulk.remark.pool", games=known.pool)),
            Figure("bulk.below_floor", known.below_floor or None, say("bulk.remark.below_floor")),
            Figure("bulk.converted", known.converted or None, say("bulk.remark.converted")),
            Figure(
                "bulk.rejected", thousands(known.rejected), say("bulk.remark.rejected", reasons=Reasons(known.reasons))
            ),
        ]

    def refused(self, *, strict: bool) -> Message | None:
        """Why the whole period is refused: nothing could be rated, or rows were rejected and `strict` forbids it."""
        known = self.summary
        reasons = Reasons(known.reasons)
        if not known.rated and not known.first_ratings and not known.not_rated:
            if known.games and known.reasons:
                return say("bulk.error.nothing_rated", reasons=reasons)
            return say("bulk.error.nothing_given")
        return say("bulk.error.strict", reasons=reasons) if strict and known.rejected else None


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkRating(PeriodRating):
    """The next list, the detail of each game if requested, the pool, the rejected rows, and a summary."""

    players: pa.Table
    games: pa.Table | None
    pool: pa.Table
    rejected: pa.Table
    forecast: Forecast | None = field(default=None, repr=False)  # of each game, where the period is evaluated
    sums: pa.Table | None = field(default=None, repr=False)  # of busy guests' games, in a part of a period

    def to_arrow(self) -> pa.Table:
        """The next list."""
        return self.players


@dataclass(frozen=True, slots=True, kw_only=True)
class SparkRating(PeriodRating):
    """The same as Spark data frames, if Spark rated the period."""

    players: DataFrame
    games: DataFrame | None
    pool: DataFrame
    rejected: DataFrame
    kept: DataFrame = field(repr=False)  # cached on the workers; the tables are made from it
    tally: ForecastTally | None = field(default=None, repr=False)  # of the predictions, where the period is evaluated

    def to_arrow(self) -> pa.Table:
        """The next list, brought to this machine."""
        return self.players.toArrow()

    def release(self) -> None:
        """Free the workers' memory; tables that are read afterwards are computed again."""
        self.kept.unpersist()


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """A finished period of a replay: the month of its list, its summary, and whether an earlier run had finished it."""

    period: str
    summary: PeriodSummary
    before: bool
    tally: ForecastTally | None = field(default=None, repr=False)  # of its predictions, where it is evaluated


@dataclass(frozen=True, slots=True, kw_only=True)
class PeriodSummary(Mapping[str, Known]):
    """How much was given and what became of it; `summary["rated"]` is `summary.rated`."""

    system: str
    period: str  # the month of the list
    since: str
    on: str
    games: int
    rated: int
    not_rated: Mapping[str, int] = field(default_factory=dict)  # by reason
    players: int
    changed: int
    first_ratings: int = 0
    below_floor: int = 0
    converted: int = 0
    pool: int = 0
    rejected: int
    reasons: Mapping[str, int]  # why rows were rejected

    def __getitem__(self, name: str) -> Known:
        if name not in self:
            raise KeyError(name)
        value: Known = getattr(self, name)
        return value

    def __contains__(self, name: object) -> bool:
        return name in NAMES

    def __iter__(self) -> Iterator[str]:
        return iter(NAMES)

    def __len__(self) -> int:
        return len(NAMES)

    def added(self, other: PeriodSummary) -> PeriodSummary:
        """The summary of this part of a period and another one together."""
        together: dict[str, Any] = {}
        for name, value in self.items():
            theirs = getattr(other, name)
            if isinstance(value, int):
                together[name] = value + theirs
            elif isinstance(value, Mapping):
                together[name] = {why: value.get(why, 0) + theirs.get(why, 0) for why in {**value, **theirs}}
        return replace(self, **together)


NAMES = tuple(figure.name for figure in fields(PeriodSummary))


class NothingToRate(BadInput):
    """No game could be used; `rejected` has the rows with their reasons (None on Spark, which writes them to files)."""

    def __init__(self, said: Message, rejected: pa.Table | None, *, at: str) -> None:
        super().__init__(said, at=at)
        self.rejected = rejected


@dataclass(frozen=True, slots=True)
class Reasons:
    """How many rows were rejected for each reason, as a value in a message."""

    counts: Mapping[str, int]
    before: str = ""  # what comes before the reasons, if there are any

    def __str__(self) -> str:
        said = apart(f"{reason_text(reason)} ({thousands(count)})" for reason, count in self.counts.items())
        return f"{self.before}{said}" if said else ""


def reason_text(reason: str) -> str:
    """A reason in words."""
    return str(say(f"bulk.reason.{reason}", low=LOWEST_RATING, high=HIGHEST_RATING, most_k=HIGHEST_K))
