"""What rates a period and writes its tables: arrays on this machine, or Spark."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.errors import UnknownName, extra_needed

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

ENGINES = ("local", "spark")


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


def writer_of(name: str) -> Callable[..., None]:
    """What writes the tables of an engine."""
    write: Callable[..., None] = engine_named(name).write
    return write
