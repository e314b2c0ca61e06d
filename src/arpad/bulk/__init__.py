"""All games of a rating period at once: columns in, columns out.

`rate` takes a table of games and a table of players and gives the next list. A table is anything that speaks Arrow
(`__arrow_c_stream__`: pyarrow, Polars, pandas, a DuckDB relation) or the name of a file (Parquet, CSV, JSON lines,
`some.duckdb::table`; a glob stands for many). Columns are recognised by these names and by the usual others, or mapped
with `columns={"white": "WhiteId"}`. Those with a star are needed; the others may be missing or null: not known.

games     white*, black*      ids of the players, numbers or texts
          result*             White's score: 1, 0.5, 0 (also ½, win, 1-0, 1/2-1/2, 0-1; +- and -+ are forfeits)
          date                the day of the game: it decides the period
          period              a whole number instead of a date, for `evaluate`
          start               the day the event began: it decides the edition; otherwise the date does
          event               the event's id; without it all games of a player are one event
          round               tells apart games of the same two players on the same day
          time                time control, 90+30
          how                 played (if missing), forfeit or bye
          white_rating, black_rating   list ratings on the day the event began, where the list differs

players   id*                 as in the games
          rating*             on the latest list; null for unrated
          k                   K by hand; otherwise it is worked out
          born                year of birth
          games               rated games completed so far
          peak                highest published rating
          standard            standard rating, which stands in on the rapid and blitz lists
          base                the latest published rating if FIDE corrected it: the change is added to it
          others              anything else is carried over to the next list

pool      player*, event, start, opponent*, half_points*, minutes: games of unrated players, carried forward
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.errors import BadInput, MissingExtra

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date
    from typing import Any

    from arpad.bulk.answer import BulkRating
    from arpad.bulk.evaluation import Evaluation
    from arpad.bulk.methods import Method
    from arpad.bulk.replays import Replay
    from arpad.calculation.contract import System

ENGINES = ("local", "spark")
EXTRA = "Bulk ratings need numpy, pyarrow and duckdb: pip install 'arpad[bulk]'."


class NothingToRate(BadInput):
    """No game could be taken; `rejected` is the table of the rows with their reasons."""

    def __init__(self, message: str, rejected: Any, *, at: str) -> None:
        super().__init__(message, at=at)
        self.rejected = rejected


def method(system: str, on: date | None = None, **settings: Any) -> Method:
    """Elo, Glicko or Glicko-2 with their settings, for `rate` and `replay`: `method("elo", k=20, white=35)`."""
    try:
        from arpad.bulk.methods import method_of
    except ModuleNotFoundError as missing:
        raise MissingExtra(EXTRA, at=missing.name) from None
    return method_of(system, on, **settings)


def rate(
    games: Any,
    players: Any,
    *,
    period: str,
    system: str | System | Method = "fide-standard",
    engine: str = "local",
    pool: Any = None,
    since: date | None = None,
    on: date | None = None,
    columns: Mapping[str, str] | None = None,
    detail: bool = False,
    spark: Any = None,
) -> BulkRating:
    """The list of a month from the games of the month before, by the rules of the last day of it.

    `since` and `on` are the first and the last day of the period where it is another than that month. With the engine
    `spark` tables are Spark's data frames, or names of files that Spark reads; `spark` is the session, or the URL of a
    master or of a Spark Connect server.
    """
    try:
        from arpad.bulk.asking import asked, engine_of
    except ModuleNotFoundError as missing:
        raise MissingExtra(EXTRA, at=missing.name) from None
    question = asked(system, period, since, on, columns or {}, detail=detail)
    try:
        rate_with = engine_of(engine, spark)
    except ModuleNotFoundError as missing:
        raise MissingExtra("Spark needs pyspark and Java: pip install 'arpad[spark]'.", at=missing.name) from None
    return rate_with(question, games, players, pool)


def replay(
    games: Any,
    players: Any = None,
    *,
    first: str,
    last: str,
    out: str,
    system: str | System | Method = "fide-standard",
    columns: Mapping[str, str] | None = None,
) -> Replay:
    """List after list, from the first month to the last, into a folder; what is finished there is not done again."""
    try:
        from arpad.bulk import replays
        from arpad.bulk.asking import system_of
    except ModuleNotFoundError as missing:
        raise MissingExtra(EXTRA, at=missing.name) from None
    return replays.Replay(replays.plan(games, players, first, last, out, system_of(system), columns or {}))


def evaluate(
    games: Any,
    players: Any = None,
    *,
    system: str = "elo",
    first: Any = None,
    last: Any = None,
    on: date | None = None,
    columns: Mapping[str, str] | None = None,
    **settings: Any,
) -> Evaluation:
    """How well a system with these settings foretells the games of the periods from `first` to `last`, or all."""
    try:
        from arpad.bulk import evaluation
    except ModuleNotFoundError as missing:
        raise MissingExtra(EXTRA, at=missing.name) from None
    return evaluation.evaluate(games, players, system, first, last, on, columns or {}, settings)
