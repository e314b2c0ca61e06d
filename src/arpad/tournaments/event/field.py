"""The players of an event, for a system that rates them all together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.systems.national import Competitor, Met

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Protocol

    from arpad.core.tournaments import Entrant
    from arpad.systems.national import Field
    from arpad.tournaments.event.games import Board
    from arpad.tournaments.event.player_data import NationalRatings

    class TakesPart(Protocol):
        """Somebody with games."""

        @property
        def entrant(self) -> Entrant: ...
        @property
        def boards(self) -> tuple[Board, ...]: ...


def field_of(parts: Iterable[TakesPart], ratings: NationalRatings | None) -> Field:
    """Everybody by starting number, with the games and the numbers of the opponents."""
    return {one.entrant.no: _competitor(one, ratings) for one in parts}


def _competitor(one: TakesPart, ratings: NationalRatings | None) -> Competitor:
    no, guests, unknown = one.entrant.no, ratings and ratings.guests, ratings and ratings.not_found
    games = tuple(Met(None if board.opponent is None else board.opponent.no, board.game) for board in one.boards)
    return Competitor(
        no, one.entrant.player, one.entrant.born, games, guest=no in (guests or ()), unknown=no in (unknown or ())
    )
