"""A whole tournament: every entrant's games, and every entrant's calculation by one system."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from arpad.core.tournament import day_of
from arpad.errors import ArpadError, BadInput, Unsupported
from arpad.systems import system as system_of
from arpad.tournaments.event.entrant import EntrantRating, rated_entrant
from arpad.tournaments.event.games import boards, enter, with_known
from arpad.tournaments.event.report import EventRating
from arpad.tournaments.points import points_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import date

    from arpad.calculation.contract import Calculation, System
    from arpad.core.model import Game, Player, Rating
    from arpad.core.tournament import Entrant, Tournament
    from arpad.tournaments.event.games import Board, Entered

# Families that cannot rate an event player by player from ratings alone, and why.
UNSUITED = {
    "uschess": "US Chess rates everybody again, against what the section made of the others; see `arpad section`",
    "glicko": "Glicko needs everybody's deviation, which tournament files do not have",
    "lichess": "Lichess rates game by game with deviations, which tournament files do not have",
    "chesscom": "Chess.com rates game by game with deviations, which tournament files do not have",
}


def rate_event(
    tournament: Tournament,
    system: str | System = "fide-standard",
    *,
    on: date | None = None,
    k: Rating | Mapping[int, Rating] | None = None,
    known: Mapping[int, Player] | None = None,
    watch: Callable[[Sequence[Entrant]], Iterable[Entrant]] = iter,
    **settings: Any,
) -> EventRating:
    """Every entrant's rating change or first rating, by the rules of the day the event began.

    `k` is one K for all, or K by starting number; `known` is what a list or a table says of players, by FIDE ID or
    starting number. `watch` is handed the entrants and gives them back one by one, for whoever shows progress.
    """
    chosen = system_of(system, **settings) if isinstance(system, str) else system
    _check_suited(chosen)
    day = day_of(tournament, on)
    chosen.rulebook.at(day)  # a day that is not covered is one refusal, not one for each player
    if not tournament.entrants:
        raise BadInput("The tournament has no players.", at="players")
    tournament = with_known(tournament, known or {})
    entered = enter(tournament, _k_by_no(tournament, k))
    rated = tuple(
        _entrant(chosen, one, entered, day, tournament)._replace(points=points_of(one, tournament))
        for one in watch(entered.entrants)
    )
    return EventRating(chosen, day, tournament, rated)


def _check_suited(system: System) -> None:
    why = UNSUITED.get(system.base.partition("-")[0])
    if why is not None:
        raise Unsupported(f"A whole event cannot be rated by {system.name}: {why}.", at="system")


def _k_by_no(tournament: Tournament, k: Rating | Mapping[int, Rating] | None) -> Mapping[int, Rating]:
    if k is None:
        return {}
    return k if isinstance(k, Mapping) else {one.no: k for one in tournament.entrants}


def _entrant(system: System, entrant: Entrant, entered: Entered, day: date, tournament: Tournament) -> EntrantRating:
    """One entrant's calculation; what is refused is said of this one, and the others go on."""
    played: tuple[Board, ...] = ()
    try:
        played = boards(entrant, entered)
        if not played:
            return EntrantRating(entrant, played, day)
        games = [board.game for board in played]
        return rated_entrant(entrant, played, day, partial(_calculated, system, entrant.player, games, day, tournament))
    except ArpadError as error:
        return EntrantRating(entrant, played, day, refused=str(error))


def _calculated(system: System, player: Player, games: list[Game], day: date, tournament: Tournament) -> Calculation:
    """The change of a rated player, or the first rating of an unrated one."""
    if player.rating is None and player.standard is None:
        return system.first_rating(games, on=day, pace=tournament.pace)
    return system.rate(player, games, on=day, pace=tournament.pace)
