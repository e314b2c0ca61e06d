"""Elo, Glicko and Glicko-2 for columns by name, and a rating period of each: a list and games in, the next list out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from arpad.bulk import elo, glicko
from arpad.bulk.methods import Method, Pairs, Standings, predicted
from arpad.bulk.results import BulkRating, PeriodSummary
from arpad.bulk.tables.columns import Words
from arpad.bulk.tables.history import read_played
from arpad.bulk.tables.ids import NOWHERE, Index
from arpad.bulk.tables.players import NO_GAMES, read_list, with_list
from arpad.bulk.tables.rejects import Rejects
from arpad.errors import UnknownName, Unsupported
from arpad.messages import say
from arpad.systems.fide import FILES
from arpad.systems.glicko.glicko1 import Glicko
from arpad.systems.glicko.glicko2 import Glicko2

if TYPE_CHECKING:
    from arpad.bulk.request import Inputs, Request
    from arpad.bulk.tables.columns import Bools, Ints
    from arpad.systems.base import Setting


# The names of each system's settings, and the function that builds it from them.
METHODS: dict[str, tuple[Sequence[str], Callable[..., Method]]] = {
    "elo": (elo.SETTINGS, elo.elo),
    "glicko": (Glicko.settings(), glicko.glicko),
    "glicko-2": (Glicko2.settings(), glicko.glicko2),
}


def method_of(system: str, on: date | None = None, **settings: Setting) -> Method:
    """A system for columns by name, with the rules of a day: by default the day they were last checked.

    Raises UnknownName for another system, or a setting that it does not have.
    """
    if system not in METHODS:
        raise UnknownName("system_for_bulk", system, known=(*METHODS, *FILES), at="system")
    known, build = METHODS[system]
    for setting in settings:
        if setting not in known:
            raise UnknownName("setting", setting, of=system, known=known, at="settings")
    return build(on, **settings)


def rate_by_method(asked: Request, method: Method, given: Inputs) -> BulkRating:
    """The period, or a part of it, rated with arrays; the list has everybody who was on it or played, except guests.

    Newcomers join by playing. A game between two parts of a period is counted where White is.
    """
    if asked.detail:
        raise Unsupported(say("bulk.error.no_detail", system=method.name), at="detail")
    rejects = Rejects()
    listed = read_list(given.players, asked.columns["players"], method.columns, rejects)
    days = (asked.since, asked.on)
    taken = read_played(given.games, asked.columns["games"], rejects, days, listed.column("id").combine_chunks())
    before, own = with_list(method.newcomers(len(taken.ids)), taken.ids, listed), np.ones(len(taken.ids), bool)
    if given.guests is not None:
        before = with_list(before, taken.ids, given.guests)
        own = Index(given.guests.column("id").combine_chunks()).places(taken.ids) == NOWHERE
    # In the order played, which matters if each game depends on the one before.
    games = taken.games.where(np.argsort(taken.when, kind="stable"))
    played = np.bincount(games.white, minlength=len(taken.ids)) + np.bincount(games.black, minlength=len(taken.ids))
    after, sums = _standings_after(method, before, games, own, played, taken.ids, given)
    counts = own if sums is None else own | (Index(sums.column("id").combine_chunks()).places(taken.ids) != NOWHERE)
    counted = games.where(counts[games.white])
    played[~own] = 0
    return BulkRating(
        players=_next_list(method, taken.ids, before, after, played).filter(pa.array(own)),
        games=None,
        pool=NO_GAMES.table(taken.ids, Words()),
        rejected=rejects.table(),
        summary=PeriodSummary(
            system=asked.system.name,
            period=asked.period,
            since=asked.since.isoformat(),
            on=asked.on.isoformat(),
            games=len(counted.score) + rejects.rows("games"),
            rated=len(counted.score),
            players=int(own.sum()),
            changed=int(np.count_nonzero(played)),
            first_ratings=int((~before.played & after.played & (played > 0)).sum()),
            rejected=len(rejects),
            reasons=rejects.counts(),
        ),
        rules=method.rules,
        on=asked.on,
        forecast=predicted(method, before, counted) if asked.predict else None,
        sums=sums,
    )


def _standings_after(
    method: Method, before: Standings, games: Pairs, own: Bools, played: Ints, ids: pa.Array, given: Inputs
) -> tuple[Standings, pa.Table | None]:
    """The new standings and, with busy guests, the totals of their games."""
    if method.by_sums is None or given.busy is None:
        return method.rate(before, games, own), None
    sums, index = method.by_sums.add_up(before, games), Index(ids)
    columns = sums._asdict()
    if given.sums is not None:
        places = index.places(given.sums.column("id").combine_chunks())
        played[places] = given.sums.column("games").to_numpy()
        for name, column in columns.items():
            column[places] = given.sums.column(name).to_numpy()
    busy_sums = pa.table({"id": ids, "games": played, **columns}).take(pa.array(index.places_there(given.busy)))
    return method.by_sums.update(before, sums, own & (played > 0)), busy_sums


def _next_list(method: Method, ids: pa.Array, before: Standings, after: Standings, played: Ints) -> pa.Table:
    """The list after the period: every player's standing, the rating before, the change, and the games."""
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
