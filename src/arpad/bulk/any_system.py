"""Any system for columns: each player is rated by the system itself, as `System.rate` does; slower than arrays."""

from __future__ import annotations

from collections import defaultdict
from datetime import date
from typing import TYPE_CHECKING, Any

import numpy as np

from arpad.bulk.methods import Method, Pairs, Standings
from arpad.core import Game, GlickoStanding, Player, Standing
from arpad.errors import ArpadError, Unsupported
from arpad.messages import FieldName, say
from arpad.systems import FACTS, FIELDS, facts_used_by
from arpad.systems.glicko.rating import GlickoSystem
from arpad.systems.league import UNRATED_CODE

if TYPE_CHECKING:
    from arpad.bulk.tables.columns import Bools, Floats
    from arpad.systems.base import System

IN_COLUMNS = ("k", "deviation", "volatility", "idle")  # facts that a list has, or that are given by hand


def player_by_player(system: System, on: date | None = None) -> Method:
    """A system of another package for columns, by the rules of a day: by default the day they were last checked.

    A list has ratings and, where the system's players have them, deviations and volatilities. Raises Unsupported for a
    system that needs more: the year of birth, or the number of games.
    """
    needed = [FieldName(FIELDS.get(fact, fact)) for fact in facts_used_by(system.base) if fact not in IN_COLUMNS]
    if needed:
        raise Unsupported(say("bulk.error.needs_facts", system=system.name, facts=needed), at="system")
    day = system.rulebook.checked if on is None else on
    pool = _Pool(system, day)
    return Method(system.name, day, (), pool.newcomers, pool.expected, pool.rate)


class _Pool:
    """The players of a period as the system's own kind of player, and back."""

    def __init__(self, system: System, on: date) -> None:
        self.system, self.on = system, on
        uncertain = isinstance(system, GlickoSystem) and set(FACTS) & {*facts_used_by(system.base)}
        self.columns = [name for name in ("deviation", "volatility") if uncertain and name in uncertain]

    def newcomers(self, players: int) -> Standings:
        """Players without a rating."""
        empty = {name: np.full(players, np.nan) for name in self.columns}
        return Standings(np.full(players, np.nan), np.zeros(players, bool), **empty)

    def expected(self, standings: Standings, games: Pairs) -> Floats:
        """White's expected scores; nothing is expected where a rating is missing, or the system cannot say."""
        found = np.full(len(games.score), np.nan)
        for place, (white, black) in enumerate(zip(games.white.tolist(), games.black.tolist(), strict=True)):
            if standings.played[white] and standings.played[black]:
                ahead = self.system.expect(self._player(standings, white), self._player(standings, black), on=self.on)
                found[place] = np.nan if ahead.expected is None else float(ahead.expected)
        return found

    def rate(self, before: Standings, games: Pairs, own: Bools | None = None, /) -> Standings:
        """Everybody's games of the period, against the ratings before it."""
        players = [self._player(before, no) for no in range(len(before.rating))]
        played: dict[int, list[Game]] = defaultdict(list)
        for white, black, score in zip(*(column.tolist() for column in games), strict=True):
            played[white].append(Game(players[black], score, colour="white"))
            played[black].append(Game(players[white], 1 - score, colour="black"))
        columns: dict[str, Any] = {name: getattr(before, name).copy() for name in ("rating", "played", *self.columns)}
        for no, met in played.items():
            if own is not None and not own[no]:
                continue
            after = self._after(players[no], met)
            columns["played"][no] = after.rating is not None
            for name in ("rating", *self.columns):
                value = getattr(after, name)
                columns[name][no] = np.nan if value is None else float(value)
        return before._replace(**columns)

    def _player(self, standings: Standings, no: int) -> Player:
        if not standings.played[no]:
            return Player(None)
        values = {name: float(getattr(standings, name)[no]) for name in ("rating", *self.columns)}
        known = {name: value for name, value in values.items() if not np.isnan(value)}
        return Player(GlickoStanding(**known) if self.columns else Standing(known.get("rating")))  # type: ignore[arg-type]  # checked there

    def _after(self, player: Player, games: list[Game]) -> Standing:
        """The standing after the games; without a rating, the system may have none to change."""
        try:
            return self.system.after(player, self.system.rate(player, games, on=self.on)).standing
        except ArpadError as error:
            if player.rating is not None or error.code != UNRATED_CODE:
                raise
            return player.standing
