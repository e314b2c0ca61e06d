"""IT3, the report of a title event: every field of the form; what the file lacks is left to fill in."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from arpad.core.tournaments import ASSUMED, event_kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from arpad.core import Player
    from arpad.core.tournaments import Tournament

RATED, UNRATED = "rated", "unrated"
ROWS = (RATED, UNRATED, "GM", "WGM", "IM", "WIM", "FM", "WFM")  # as the form pairs them, left and right
PROGRAM = "182"


@dataclass(frozen=True, slots=True)
class PlayerCount:
    """A row of the table: how many of a kind, of how many federations, of the host's and of others."""

    kind: str
    players: int
    federations: int
    host: int | None
    others: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EventForm:
    """The fields of IT3 in the order of the form; None is to be filled in by hand."""

    federation: str | None
    event: str | None
    place: str | None
    start: date | None
    end: date | None
    organiser: str | None
    rounds: int
    schedule: str | None  # rounds a day, as 1-1-2
    rate_of_play: str | None
    kind: str | None
    program: str | None  # that made the pairings; None where the file names none
    players: tuple[PlayerCount, ...]
    arbiter: str | None
    deputies: tuple[str | None, ...]  # so many as the number of players asks for


def event_form(tournament: Tournament, deputies: tuple[int, ...], organiser: str | None = None) -> EventForm:
    """The report of an event; a deputy is asked for above each of these numbers of players."""
    days = Counter(day for day in tournament.round_days if day is not None)
    program = next((one.text() for one in tournament.records if one.code == PROGRAM), None)
    asked = max(sum(len(tournament.entrants) > most for most in deputies), len(tournament.deputies))
    named = [*tournament.deputies, *[None] * asked][:asked]
    kind, source = event_kind(tournament)
    return EventForm(
        federation=tournament.federation,
        event=tournament.name,
        place=", ".join(filter(None, (tournament.city, tournament.federation))) or None,
        start=tournament.start,
        end=tournament.end,
        organiser=organiser,
        rounds=tournament.rounds,
        schedule="-".join(str(days[day]) for day in sorted(days)) or None,
        rate_of_play=tournament.time_control,
        kind=tournament.kind or (None if source == ASSUMED else kind),
        program=program or None,
        players=tuple(_counts(tournament)),
        arbiter=tournament.arbiter,
        deputies=tuple(named),
    )


def _counts(tournament: Tournament) -> Iterator[PlayerCount]:
    """The table of players, a row for each kind."""
    for kind in ROWS:
        there = [one.player.federation for one in tournament.entrants if _is(kind)(one.player)]
        host = None if tournament.federation is None else there.count(tournament.federation)
        others = None if host is None else len(there) - host
        yield PlayerCount(kind, len(there), len({one for one in there if one}), host, others)


def _is(kind: str) -> Callable[[Player], bool]:
    if kind in (RATED, UNRATED):
        return lambda player: (player.rating is not None) == (kind == RATED)
    return lambda player: player.title == kind
