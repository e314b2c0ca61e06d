"""All games of a rating period at once: columns in, columns out.

`rate` takes a table of games and a table of players and gives the next list. A table is anything that speaks Arrow
(`__arrow_c_stream__`: pyarrow, Polars, pandas, a DuckDB relation) or the name of a file (Parquet, CSV, JSON lines,
`some.duckdb::table`; a glob names many). Columns are recognised by these names and by other usual ones, or mapped with
`columns={"white": "WhiteId"}`. Those with a star are needed; the others may be missing or null: not known.

games     white*, black*      ids of the players, numbers or texts
          result*             White's score: 1, 0.5, 0 (also ½, win, 1-0, 1/2-1/2, 0-1; +- and -+ are forfeits)
          date                the day of the game: it decides the period
          period              a whole number instead of a date, for `evaluate`
          start               the day the event began: it decides the edition; otherwise the date does
          event               the event's id; without it all games of a player are one event
          round               distinguishes games of the same two players on the same day
          time                time control, 90+30
          how                 played (if missing), forfeit or bye
          approved            yes if FIDE's qualification commission approved the event (45+30 and 60+30 in 2026)
          highest             the highest rating in the tournament, which decided the time needed in the older editions
          white_rating, black_rating   list ratings on the day the event began, where the list differs

players   id*                 as in the games
          rating*             on the latest list; null for unrated
          k                   K-factor (calculated if missing)
          born                year of birth
          games               rated games completed so far
          peak                highest published rating
          standard            standard rating, used on the rapid and blitz lists where there is no other
          base                the latest published rating if FIDE corrected it: the change is added to it
          others              anything else is carried over to the next list

pool      player*, event, start, opponent*, half_points*, minutes, highest: games of unrated players, carried forward
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, overload

from arpad.bulk.engines import ENGINES, EngineName, engine_named, workplace
from arpad.bulk.results import BulkRating, Finished, NothingToRate, PeriodSummary, SparkRating
from arpad.bulk.tables.paths import check_paths
from arpad.errors import BadInput, extra_needed
from arpad.lazy import getter
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date
    from typing import Required, TypedDict, Unpack

    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

    from arpad.bulk._replay import Replay
    from arpad.bulk.engines.spark_tables import Frames
    from arpad.bulk.evaluation import Evaluation
    from arpad.bulk.methods import Method
    from arpad.bulk.tables.paths import Tables
    from arpad.bulk.tally import Band, Bin
    from arpad.systems.base import Setting, System
    from arpad.systems.chances import DrawModel

    MethodName = Literal["elo", "glicko", "glicko-2"]

    class BulkChoices(TypedDict, total=False):
        """The options of `rate` that both engines have."""

        period: Required[str]
        system: str | System | Method
        since: date | None
        on: date | None
        columns: Mapping[str, str] | None
        detail: bool


__all__ = [
    "ENGINES",
    "Band",
    "Bin",
    "BulkRating",
    "Evaluation",
    "Finished",
    "Method",
    "NothingToRate",
    "PeriodSummary",
    "Replay",
    "SparkRating",
    "check_paths",
    "evaluate",
    "method",
    "rate",
    "replay",
    "write",
]


def method(system: MethodName, on: date | None = None, **settings: Setting) -> Method:
    """Elo, Glicko or Glicko-2 with their settings, for `rate` and `replay`: `method("elo", k=20, white=35)`.

    Accepts the rules' day, by default the one they were last checked, and the system's settings. Gives a Method. Raises
    UnknownName for another system or setting, BadInput for a setting that cannot be right, and MissingExtra without the
    extra `bulk`.
    """
    with extra_needed("bulk.error.extra"):
        from arpad.bulk.periods import method_of
    return method_of(system, on, **settings)


@overload
def rate(
    games: Tables,
    players: Tables,
    *,
    engine: Literal["local"] = ...,
    pool: Tables | None = ...,
    memory: str | None = ...,
    spark: None = ...,
    **choices: Unpack[BulkChoices],
) -> BulkRating: ...
@overload
def rate(
    games: Frames,
    players: Frames,
    *,
    engine: Literal["spark"],
    pool: Frames | None = ...,
    spark: SparkSession | str | None = ...,
    **choices: Unpack[BulkChoices],
) -> SparkRating: ...
@overload
def rate(
    games: Tables,
    players: Tables,
    *,
    engine: EngineName,
    pool: Tables | None = ...,
    memory: str | None = ...,
    spark: str | None = ...,
    **choices: Unpack[BulkChoices],
) -> BulkRating | SparkRating: ...
def rate(
    games: Tables | DataFrame,
    players: Tables | DataFrame,
    *,
    period: str,
    system: str | System | Method = "fide-standard",
    engine: EngineName = "local",
    pool: Tables | DataFrame | None = None,
    since: date | None = None,
    on: date | None = None,
    columns: Mapping[str, str] | None = None,
    detail: bool = False,
    memory: str | None = None,
    spark: SparkSession | str | None = None,
) -> BulkRating | SparkRating:
    """The list of a month from the games of the month before, by the rules of that month's last day.

    Accepts the games and the players of the last list as tables or names of files. `since` and `on` are the first and
    the last day of the period if it is not that month. With `memory`, such as "4GB",
    the games are kept on disk and rated in parts that fit. With the engine `spark`, tables are Spark data frames, or
    names of files that Spark reads; `spark` is the session, or the URL of a master or of a Spark Connect server.

    Gives the new list, the pool of first ratings and what was rejected, as tables. Raises BadInput for columns or a
    period that cannot be used, BadFile for a file that cannot be read, Unsupported for a system that does not rate
    whole periods, and MissingExtra without the extra `bulk`.
    """
    with extra_needed("bulk.error.extra"):
        from arpad.bulk.engines import local
        from arpad.bulk.request import request
    asked = request(system, period, since, on, columns or {}, detail=detail)
    module = engine_named(engine)
    if module is local:
        return local.rate(asked, games, players, pool, memory)
    if memory is not None:
        raise BadInput(say("bulk.spark.memory"), at="memory")
    rated: SparkRating = module.rate(asked, games, players, pool, spark)
    return rated


def replay(
    games: Tables,
    players: Tables | None = None,
    *,
    first: str,
    last: str,
    out: str,
    system: str | System | Method = "fide-standard",
    columns: Mapping[str, str] | None = None,
    engine: EngineName = "local",
    spark: SparkSession | str | None = None,
) -> Replay:
    """List after list, from the first month to the last, written to a folder; finished lists are not made again.

    Accepts what `rate` does. Gives a Replay, which yields a summary of each period as it is finished. Raises as `rate`
    does.
    """
    with extra_needed("bulk.error.extra"):
        from arpad.bulk import _replay
        from arpad.bulk.request import columns_by_table, resolve_system
    periods = _replay.months_between(first, last)
    rated_by, names = resolve_system(system), columns_by_table(columns or {})
    place = workplace(engine, games, players, names["games"], out, spark)
    return _replay.Replay(_replay.ReplayPlan(periods, rated_by, names, out, place))


def evaluate(
    games: Tables,
    players: Tables | None = None,
    *,
    system: str = "elo",
    first: str | int | None = None,
    last: str | int | None = None,
    on: date | None = None,
    columns: Mapping[str, str] | None = None,
    draws: DrawModel | None = None,
    engine: EngineName = "local",
    spark: SparkSession | str | None = None,
    out: str | None = None,
    **settings: Setting,
) -> Evaluation:
    """How well a system with these settings predicts the games of the periods from `first` to `last`, or of all.

    Accepts what `rate` does. With a model of chances (`draws`) the predictions are the model's, from the system's
    ratings. The engine `spark` goes from month to month like a replay, and keeps each list in the folder `out`; what is
    finished there is not done again.

    Gives an Evaluation: how far the predictions were off, over all games and by groups. Raises as `rate` does.
    """
    with extra_needed("bulk.error.extra"):
        from arpad.bulk import evaluation
        from arpad.bulk.engines import local
    asked = evaluation.EvaluationRequest(system, first, last, on, columns or {}, settings, draws)
    module = engine_named(engine)
    if module is local:
        if out is not None:
            raise BadInput(say("bulk.error.folder_alone"), at="out")
        return evaluation.evaluate(games, players, asked)
    if out is None:
        raise BadInput(say("bulk.spark.no_folder"), at="out")
    return evaluation.evaluate_on_spark(games, players, asked, out, spark)  # type: ignore[arg-type]  # as in `replay`


def write(
    tables: Mapping[str, pa.Table] | Mapping[str, DataFrame], *, engine: EngineName = "local", force: bool = False
) -> None:
    """Write tables of an engine to files; files appear whole or not at all.

    Accepts the tables by the names of their files. Gives nothing. Raises BadInput for a file that exists, unless
    `force` is set, and for an extension that names no format.
    """
    engine_named(engine).write(tables, force=force)


# The types of answers need the optional libraries, so they are loaded only when they are used.
_HOMES = {"Band": "tally", "Bin": "tally", "Evaluation": "evaluation", "Method": "methods", "Replay": "_replay"}
_imported = getter(__name__, _HOMES)

if not TYPE_CHECKING:  # or every name would be known to type checkers, a misspelt one too

    def __getattr__(name: str) -> object:
        with extra_needed("bulk.error.extra"):
            return _imported(name)


def __dir__() -> list[str]:
    return __all__
