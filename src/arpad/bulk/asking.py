"""A question to bulk, checked: the period's days, the system, the columns, the engine."""

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from functools import partial
from typing import Any

from arpad.bulk import ENGINES
from arpad.bulk.answer import BulkRating
from arpad.bulk.layout import of_table
from arpad.bulk.local import Task, rate_locally
from arpad.bulk.methods import METHODS, Method, method_of
from arpad.bulk.source import sources
from arpad.calculation.contract import System
from arpad.errors import BadInput, UnknownName, Unsupported
from arpad.reading.notation import parse_date
from arpad.systems import system as system_named
from arpad.systems.fide import FILES

Engine = Callable[[Task, Any, Any, Any], BulkRating]


def asked(
    system: str | System | Method,
    period: str,
    since: date | None,
    on: date | None,
    columns: Mapping[str, str],
    *,
    detail: bool,
) -> Task:
    """The question, with every name found and every day known; its tables are the engine's business."""
    rules = system_of(system)
    last = on or last_day_of(period)
    first = since or last.replace(day=1)
    if first > last:
        raise BadInput(f"The period would begin on {first} and end on {last}; it begins before it ends.", at="since")
    mapped = {table: of_table(table, columns) for table in ("games", "players")}
    return Task([], [], [], rules, first, last, mapped, detail)


def system_of(system: str | System | Method) -> System | Method:
    """One of FIDE's lists, or another system for columns, by its name or as it is."""
    if isinstance(system, Method):
        return system
    if isinstance(system, str):
        return method_of(system) if system in METHODS else system_of(system_named(system))
    if system.base in METHODS:
        raise Unsupported(
            f"Give {system.name} to bulk as arpad.bulk.method('{system.base}', …), with its settings.", at="system"
        )
    if system.base not in FILES:
        there = ", ".join([*FILES, *METHODS])
        raise Unsupported(f"Periods of {system.name} are not rated in bulk; those of {there} are.", at="system")
    return system


def last_day_of(period: str) -> date:
    """The last day of the month whose games enter the list of a month: that of 2026-12 has those of November."""
    return parse_date(period, at="period").replace(day=1) - timedelta(days=1)


def engine_of(name: str, spark: Any = None) -> Engine:
    """What rates a period: arrays on this machine, or Spark."""
    if name not in ENGINES:
        raise UnknownName("engine", name, known=ENGINES, at="engine")
    if name == "local":
        return _local
    from arpad.bulk.spark import rate_on_spark

    return partial(rate_on_spark, spark=spark)


def writer_of(name: str) -> Callable[..., None]:
    """What writes the tables of an engine."""
    if name == "local":
        from arpad.bulk.sink import write

        return write
    from arpad.bulk import spark

    return spark.write


def _local(question: Task, games: Any, players: Any, pool: Any) -> BulkRating:
    """The period on this machine, from files or tables that speak Arrow."""
    return rate_locally(
        question._replace(
            games=sources(games, "games"),
            players=sources(players, "players"),
            pool=[] if pool is None else sources(pool, "pool"),
        )
    )
