"""The players of an event, for a system that rates them all together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.systems.system import Competitor, Met

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Protocol

    from arpad.core.tournaments import Entrant
    from arpad.systems.system import Field
    from arpad.tournaments.event.games import Board
    from arpad.tournaments.event.player_data import NationalRatings

    class TakesPart(Protocol):
        """A player with games."""

        @property
        def entrant(self) -> Entrant: ...
        @property
        def boards(self) -> tuple[Board, ...]: ...


def field_of(parts: Iterable[TakesPart], ratings: NationalRatings | None) -> Field:
    """Everybody by starting number, with the games and the numbers of the opponents."""
    return {part.entrant.no: _competitor(part, ratings) for part in parts}


def _competitor(part: TakesPart, ratings: NationalRatings | None) -> Competitor:
    no, guests, unknown = part.entrant.no, ratings and ratings.guests, ratings and ratings.not_found
    games = tuple(Met(None if board.opponent is None else board.opponent.no, board.game) for board in part.boards)
    return Competitor(
        no, part.entrant.player, part.entrant.born, games, guest=no in (guests or ()), unknown=no in (unknown or ())
    )
