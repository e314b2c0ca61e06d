"""What rates a period and writes its tables: arrays on this machine, or Spark."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.errors import MissingExtra, UnknownName
from arpad.messages import say

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
    try:
        from arpad.bulk.engines import spark
    except ModuleNotFoundError as missing:
        raise MissingExtra(say("bulk.error.spark_extra"), at=missing.name) from None
    return spark


def writer_of(name: str) -> Callable[..., None]:
    """What writes the tables of an engine."""
    write: Callable[..., None] = engine_named(name).write
    return write
