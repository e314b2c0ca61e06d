"""What rates a period and writes its tables: arrays on this machine, or Spark."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.errors import UnknownName, Unsupported

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

ENGINES = ("local", "spark")
NO_SPARK = "The engine spark needs pyspark and Java 17 or newer: pip install 'arpad[spark]'."


def engine_named(name: str) -> ModuleType:
    """The module of an engine; each has `rate` and `write`."""
    if name not in ENGINES:
        raise UnknownName("engine", name, known=ENGINES, at="engine")
    if name == "local":
        from arpad.bulk.engines import local

        return local
    try:
        from arpad.bulk.engines import spark
    except ModuleNotFoundError as missing:
        raise Unsupported(NO_SPARK, at=missing.name) from None
    return spark


def writer_of(name: str) -> Callable[..., None]:
    """What writes the tables of an engine."""
    write: Callable[..., None] = engine_named(name).write
    return write
