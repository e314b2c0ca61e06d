"""A rating period of Elo, Glicko or Glicko-2 from lists and games to the next list; newcomers join it by playing."""

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from arpad.bulk.answer import BulkRating, head_of
from arpad.bulk.layout import POOL
from arpad.bulk.methods import Method, Pairs, Standings
from arpad.bulk.rejects import Rejects
from arpad.bulk.season_intake import read_played
from arpad.bulk.start_list import read_list, with_list
from arpad.errors import Unsupported

if TYPE_CHECKING:
    from arpad.bulk.local import Task


def rate_by_method(asked: "Task", method: Method) -> BulkRating:
    """The period, rated with arrays; the list has everybody who was on it or played."""
    if asked.detail:
        raise Unsupported(f"The detail of each game is there for FIDE's lists, not for {method.name}.", at="detail")
    rejects = Rejects()
    listed = read_list(asked.players, asked.columns["players"], method.columns, rejects)
    days = (asked.since, asked.on)
    taken = read_played(asked.games, asked.columns["games"], rejects, days, listed.column("id").combine_chunks())
    before = with_list(method.newcomers(len(taken.ids)), taken.ids, listed)
    # In the order they were played, which matters game by game.
    games = taken.games.where(np.argsort(taken.when, kind="stable"))
    after = method.rate(before, games)
    played = np.bincount(games.white, minlength=len(taken.ids)) + np.bincount(games.black, minlength=len(taken.ids))
    return BulkRating(
        _list(method, taken.ids, before, after, played),
        None,
        pa.table({name: pa.nulls(0) for name in POOL}),
        rejects.table(),
        _summary(asked, before, games, played, rejects),
        tuple(step.rule for step in method.settings if step.rule is not None),
        asked.on,
    )


def _list(method: Method, ids: pa.Array, before: Standings, after: Standings, played: Any) -> pa.Table:
    """The list after the period: what the system has of everybody, the rating before, the change, and the games."""
    columns = {name: pa.array(getattr(after, name), mask=~after.played) for name in method.columns}
    new = ~(before.played & after.played)
    return pa.table(
        {
            "id": ids,
            **columns,
            "before": pa.array(before.rating, mask=~before.played),
            "change": pa.array(after.rating - before.rating, mask=new),
            "rated": pa.array(played, pa.int32()),
        }
    )


def _summary(asked: "Task", before: Standings, games: Pairs, played: Any, rejects: Rejects) -> dict[str, Any]:
    """What came in, and what became of it, by the names of every bulk rating."""
    return {
        **head_of(asked.system.name, asked.since, asked.on),
        "games": len(games.score) + sum(rejects.counts("games").values()),
        "rated": len(games.score),
        "not_rated": {},
        "players": len(played),
        "changed": int(np.count_nonzero(played)),
        "first_ratings": int((~before.played & (played > 0)).sum()),
        "below_floor": 0,
        "converted": 0,
        "pool": 0,
        "rejected": len(rejects),
        "reasons": rejects.counts(),
    }
