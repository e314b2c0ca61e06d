"""A rating period with arrays on this machine, from files or tables that speak Arrow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.bulk.engines.spill import memory_of, rate_within
from arpad.bulk.fide.period import rate_tables
from arpad.bulk.method_period import rate_by_method
from arpad.bulk.methods import Method
from arpad.bulk.request import Inputs
from arpad.bulk.tables.reader import sources
from arpad.bulk.tables.writer import write
from arpad.errors import BadInput
from arpad.messages import say

if TYPE_CHECKING:
    from arpad.bulk.request import Request
    from arpad.bulk.results import BulkRating
    from arpad.bulk.tables.reader import Tables

__all__ = ["rate", "rate_inputs", "write"]


def rate(asked: Request, games: Tables, players: Tables, pool: Tables | None, memory: str | None = None) -> BulkRating:
    """The period, rated from tables as a caller names them; with a bound on memory, in parts that wait on the disk."""
    carried = [] if pool is None else sources(pool, "pool")
    given = Inputs(sources(games, "games"), sources(players, "players"), carried)
    return rate_inputs(asked, given) if memory is None else rate_within(asked, given, memory_of(memory))


def rate_inputs(asked: Request, given: Inputs) -> BulkRating:
    """The period, rated."""
    if isinstance(asked.system, Method):
        return rate_by_method(asked, asked.system, given)
    rated = rate_tables(asked, asked.system, given)
    if not rated.players.num_rows:
        raise BadInput(say("bulk.error.no_players"), at="players")
    return rated
