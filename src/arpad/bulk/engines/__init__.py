"""What rates a period and writes its tables: arrays on this machine, or Spark."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

from arpad.errors import UnknownName, extra_needed

if TYPE_CHECKING:
    from types import ModuleType

    from pyspark.sql import SparkSession

    from arpad.bulk._replay import Workplace
    from arpad.bulk.tables.paths import Tables

EngineName = Literal["local", "spark"]
ENGINES: tuple[EngineName, ...] = get_args(EngineName)


def engine_named(name: str) -> ModuleType:
    """The module of an engine; each has `rate` and `write`."""
    if name not in ENGINES:
        raise UnknownName("engine", name, known=ENGINES, at="engine")
    if name == "local":
        from arpad.bulk.engines import local

        return local
    with extra_needed("bulk.error.spark_extra"):
        from arpad.bulk.engines import spark
    return spark


def workplace(
    name: str,
    games: Tables,
    players: Tables | None,
    columns: dict[str, str],
    folder: str,
    spark: SparkSession | str | None,
) -> Workplace:
    """Where an engine rates the periods of a replay."""
    engine_named(name)  # refuses one that is not known or not installed
    if name == "local":
        from arpad.bulk.engines.local import LocalReplay

        return LocalReplay(games, players, columns, folder)
    from arpad.bulk.engines.spark import SparkReplay

    return SparkReplay(games, players, columns, spark)  # type: ignore[arg-type]  # names of files are tables everywhere
