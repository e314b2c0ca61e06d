"""A whole tournament: every player's games, and every player's calculation by one system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from arpad.core import Event
from arpad.core.tournaments import day_of, last_day_of
from arpad.errors import ArpadError, BadInput, Unsupported
from arpad.messages import Message, say
from arpad.systems import system as system_of
from arpad.tournaments.event.games import boards, enter, with_known, without_national
from arpad.tournaments.event.player import Participation, PlayerReport, calculated, refused, uncalculated
from arpad.tournaments.event.report import EventFacts, EventReport, UsedList, event_notes
from arpad.tournaments.event.totals import trail_of
from arpad.tournaments.points import points_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import date

    from arpad.core import Player, Rating
    from arpad.core.tournaments import Entrant, Tournament
    from arpad.systems.base import System
    from arpad.tournaments.event.games import Entered
    from arpad.tournaments.event.player import Calculation

UNSUITED = ("uschess", "glicko", "lichess", "chesscom")  # families that need more than ratings, or everybody at once


def rate_event(
    tournament: Tournament,
    system: str | System = "fide-standard",
    *,
    on: date | None = None,
    k: Rating | Mapping[int, Rating] | None = None,
    known: Mapping[int, Player] | None = None,
    qc_approved: bool = False,
    watch: Callable[[Sequence[Entrant]], Iterable[Entrant]] = iter,
    **settings: object,
) -> EventReport:
    """Every player's rating change or first rating, by the rules of the day the event began.

    `k` is one K for all, or K by starting number; `known` is what a list or a table says of players, by FIDE ID or
    starting number. `qc_approved` is whether FIDE's qualification commission approved the event. `watch` gets the
    entrants and returns them one by one, for whoever shows progress.
    """
    chosen = system_of(system, **settings) if isinstance(system, str) else system
    _check_suited(chosen)
    day = day_of(tournament, on)
    chosen.rulebook.at(day)  # a day that is not covered is one refusal, not one for each player
    if not tournament.entrants:
        raise BadInput(say("tournaments.no_players"), at="players")
    tournament, national = without_national(with_known(tournament, known or {}), chosen.rulebook.at(day))
    entered = enter(tournament, _k_by_no(tournament, k), chosen.standing)
    event = Event(
        (),
        pace=tournament.pace,
        ended=last_day_of(tournament, day),
        qc_approved=qc_approved,
        highest=max((one.player.rating_used for one in entered.entrants if one.player.rating_used), default=None),
    )
    players = tuple(_rated(chosen, one, entered, event, day, tournament) for one in watch(entered.entrants))
    return EventReport(
        system=chosen.name,
        on=day,
        trail=trail_of(players),
        # The notes hold no reference to the answer itself: without a cycle its memory is freed at once.
        remarks=partial(event_notes, chosen, day, tournament, players, national, qc_approved=qc_approved),
        tournament=EventFacts.of(tournament),
        list=None if tournament.from_list is None else UsedList.of(tournament.from_list),
        players=players,
        event=tournament,
        qc_approved=qc_approved,
    )


def _check_suited(system: System) -> None:
    family = system.base.partition("-")[0]
    if family in UNSUITED:
        raise Unsupported(say(f"tournaments.event.unsuited.{family}", system=system.name), at="system")


def _k_by_no(tournament: Tournament, k: Rating | Mapping[int, Rating] | None) -> Mapping[int, Rating]:
    if k is None:
        return {}
    return k if isinstance(k, Mapping) else {one.no: k for one in tournament.entrants}


def _rated(
    system: System, entrant: Entrant, entered: Entered, event: Event, day: date, tournament: Tournament
) -> PlayerReport:
    """One player's calculation; what is refused is said of this one, and the others go on."""
    alone = Participation(system.name, day, entrant, (), points_of(entrant, tournament))
    try:
        played = replace(alone, boards=boards(entrant, entered))
    except ArpadError as error:
        return refused(alone, _why(error))
    if not played.boards:
        return uncalculated(played, say("tournaments.event.no_games"))
    own = replace(event, games=tuple(board.game for board in played.boards))
    try:
        return calculated(played, partial(_calculated, system, entrant.player, own, day))
    except ArpadError as error:
        return refused(played, _why(error))


def _why(error: ArpadError) -> Message:
    """What an error says, and where."""
    says = error.said if isinstance(error.said, Message) else say("answers.as_said", text=error.said)
    return says if error.at is None else say("tournaments.event.refused", says=says, at=error.at)


def _calculated(system: System, player: Player, event: Event, day: date) -> Calculation:
    """The change of a rated player, or the first rating of an unrated one."""
    if player.rating_used is None:
        return system.first_rating([event], on=day)
    return system.rate_period(player, event, on=day)
