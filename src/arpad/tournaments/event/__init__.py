"""A rated tournament: every player's games, and every player's calculation by one system."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from arpad.calculation.answer import same
from arpad.core import Event
from arpad.core.tournaments import day_of, last_day_of
from arpad.errors import ArpadError, BadInput, Unsupported
from arpad.messages import FieldName, Message, knows, say
from arpad.systems import system as system_of
from arpad.systems import systems_using
from arpad.systems.base import NationalSystem
from arpad.tournaments.event.games import boards, enter, field_of, without_national
from arpad.tournaments.event.player import Participation, PlayerReport, calculated, refused, uncalculated, without
from arpad.tournaments.event.player_data import Known, called, guest_rule, with_known, with_national
from arpad.tournaments.event.report import EventFacts, EventReport, UsedList, event_notes, trail_of
from arpad.tournaments.points import points_of

if TYPE_CHECKING:
    from arpad.core import Player, Rating
    from arpad.core.tournaments import Entrant, Tournament
    from arpad.systems.base import Calculation, Setting, System
    from arpad.tournaments.event.games import Entered
    from arpad.tournaments.event.player_data import NationalRatings


def rate_event(
    tournament: Tournament,
    system: str | System = "fide-standard",
    *,
    on: date | None = None,
    k: Rating | Mapping[int, Rating] | None = None,
    known: Mapping[int, Player] | Known | None = None,
    qc_approved: bool = False,
    watch: Callable[[Sequence[Entrant]], Iterable[Entrant]] = iter,
    **settings: Setting,
) -> EventReport:
    """Every player's rating change or first rating, by the rules of the day the event began.

    Accepts a tournament, as `arpad.read` gives it, and a system or its name. `k` is one K for all, or K by starting
    number; `known` is what a list or a table says about players, by FIDE ID or
    starting number. `qc_approved` is whether FIDE's qualification commission approved the event. `watch` gets the
    entrants and returns them one by one, to show progress. A federation's own system uses the day that its rules name,
    and its own ratings if `known` or the file's national records have them.

    Gives an EventReport, with a PlayerReport for each player; one who cannot be rated has the reason in it. Raises
    UnknownName for an unknown system, Unsupported for one that cannot rate an event, UncoveredDate before its rules
    begin, BadInput without players.
    """
    chosen = system_of(system, **settings) if isinstance(system, str) else system
    family = chosen.base.partition("-")[0]
    if chosen.base in systems_using("deviation"):  # which no tournament file has
        key = f"tournaments.event.unsuited.{family}"
        said = say(key if knows(key) else "tournaments.event.unsuited", system=chosen.name)
        raise Unsupported(said, at="system")
    day = day_of(tournament, on)
    ended = last_day_of(tournament, day)
    if isinstance(chosen, NationalSystem):
        day = chosen.event_day(day, ended)
    chosen.rulebook.at(day)  # an uncovered day is one error, not one for each player
    if not tournament.entrants:
        raise BadInput(say("tournaments.no_players"), at="players")
    facts = Known.of(known or {}, tournament)
    ratings: NationalRatings | None = None
    below: tuple[Entrant, ...] = ()
    if isinstance(chosen, NationalSystem):
        with_guests = guest_rule(chosen, day) is not None
        tournament, ratings = with_national(tournament, facts, chosen, with_guests=with_guests)
    else:
        tournament, below = without_national(with_known(tournament, facts), chosen.rulebook.at(day))
    by_hand = _k_by_no(chosen, tournament, k)
    return _report(tournament, _Terms(chosen, day, ended, by_hand, ratings, below, qc_approved), watch)


class _Terms(NamedTuple):
    """What an event is rated with, apart from its games: the system, the day, K, and whose ratings are known."""

    system: System
    day: date
    ended: date | None
    k: Mapping[int, Rating]
    ratings: NationalRatings | None
    below: tuple[Entrant, ...]  # whose rating is below FIDE's floor
    qc_approved: bool


def _k_by_no(system: System, tournament: Tournament, k: Rating | Mapping[int, Rating] | None) -> Mapping[int, Rating]:
    if k is None:
        return {}
    if "k" not in {field.name for field in fields(system.table_standing)}:
        raise BadInput(say("systems.unused", system=system.name, what=FieldName("k")), at="k")
    return k if isinstance(k, Mapping) else {entrant.no: k for entrant in tournament.entrants}


def _report(
    tournament: Tournament, terms: _Terms, watch: Callable[[Sequence[Entrant]], Iterable[Entrant]] = iter
) -> EventReport:
    """The report of a tournament whose players have the ratings that count."""
    system, day, ratings = terms.system, terms.day, terms.ratings
    entered = enter(tournament, terms.k, system.standing)
    event = Event(
        (),
        pace=tournament.pace,
        ended=terms.ended,
        qc_approved=terms.qc_approved,
        highest=max(
            (entrant.player.rating_used for entrant in entered.entrants if entrant.player.rating_used), default=None
        ),
    )
    at = _Context(system, day, event, tournament, entered, ratings)
    if isinstance(system, NationalSystem) and system.rates_together:
        players = _together(at, system)
    else:
        players = tuple(_rated(at, entrant) for entrant in watch(entered.entrants))
    return EventReport(
        system=system.name,
        on=day,
        trail=trail_of(players),
        # The notes have no reference to the answer itself: without a cycle its memory is freed at once.
        remarks=partial(
            event_notes, system, day, tournament, players, terms.below, ratings, qc_approved=terms.qc_approved
        ),
        tournament=EventFacts.of(tournament),
        list=None if tournament.from_list is None else UsedList.of(tournament.from_list),
        national=ratings,
        players=players,
        event=tournament,
        qc_approved=terms.qc_approved,
        rate=partial(_report, terms=terms),
    )


class _Context(NamedTuple):
    """What a player's report needs: the system, its day, the event, and who entered."""

    system: System
    day: date
    event: Event
    tournament: Tournament
    entered: Entered
    ratings: NationalRatings | None

    def taking_part(self, entrant: Entrant) -> Participation:
        """A player's entry, still without games."""
        return Participation(self.system.name, self.day, entrant, (), points_of(entrant, self.tournament))

    def unknown(self, no: int) -> str | None:
        """Why a federation's own system does not rate a player: `guest` or `not_found`; None if it does."""
        if self.ratings is None:
            return None
        return "guest" if no in self.ratings.guests else "not_found" if no in self.ratings.not_found else None


def _rated(at: _Context, entrant: Entrant) -> PlayerReport:
    """One player's calculation; an error is reported for this player only."""
    alone = at.taking_part(entrant)
    try:
        played = replace(alone, boards=boards(entrant, at.entered))
    except ArpadError as error:
        return refused(alone, _why(error))
    unknown = at.unknown(entrant.no)
    if unknown is not None:
        return _not_known(played, unknown)
    if not played.boards:
        return uncalculated(played, say("tournaments.event.no_games"))
    own = replace(at.event, games=tuple(board.game for board in played.boards))
    try:
        return calculated(played, partial(_calculated, at.system, entrant.player, own, at.day))
    except ArpadError as error:
        return refused(played, _why(error))


def _why(error: ArpadError) -> Message:
    """The message of an error, with its place."""
    says = error.said if isinstance(error.said, Message) else say("answers.as_said", text=error.said)
    return says if error.at is None else say("tournaments.event.refused", says=says, at=error.at)


def _not_known(played: Participation, how: str) -> PlayerReport:
    """A player without a rating in the system."""
    why = say(f"tournaments.event.{how}", system=played.system)
    return without(played, why) if how == "guest" else refused(played, why)


def _calculated(system: System, player: Player, event: Event, day: date) -> Calculation:
    """The change of a rated player, or the first rating of an unrated one."""
    if player.rating_used is None:
        return system.first_rating([event], on=day)
    return system.rate_period(player, event, on=day)


def _together(at: _Context, system: NationalSystem) -> tuple[PlayerReport, ...]:
    """Everybody at once, because the ratings depend on each other; one error stops the whole calculation."""
    ratings, entered = at.ratings, at.entered
    if ratings is not None and ratings.not_found:
        players = called(ratings.not_found, entered.by_no)
        raise BadInput(say("tournaments.event.all_known", system=system.name, players=players), at="table")
    if entered.duplicates:
        raise BadInput(say("tournaments.event.duplicate_opponent", opponent=min(entered.duplicates)), at="players")
    parts = []
    for entrant in entered.entrants:
        try:
            parts.append(replace(at.taking_part(entrant), boards=boards(entrant, entered)))
        except ArpadError as error:
            raise BadInput(error.said, at=", ".join(filter(None, (f"player {entrant.no}", error.at)))) from None
    answers = system.rate_field(field_of(parts, ratings), at.event, at.day)
    return tuple(_rated_together(part, answers.get(part.entrant.no), at) for part in parts)


def _rated_together(played: Participation, answer: Calculation | None, at: _Context) -> PlayerReport:
    """The report of one player, after everybody was rated at once."""
    unknown = at.unknown(played.entrant.no)
    if unknown is not None:
        return _not_known(played, unknown)
    if answer is None:
        return uncalculated(played, say("tournaments.event.no_games"))
    return calculated(played, partial(same, answer))
