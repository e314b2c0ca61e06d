"""IT3, the report of a title event: all fields of the form; those the file lacks are left blank."""

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
ROWS = (RATED, UNRATED, "GM", "WGM", "IM", "WIM", "FM", "WFM")  # in the order of the form, left and right
PROGRAM = "182"


@dataclass(frozen=True, slots=True)
class PlayerCount:
    """A row of the table: how many players of a kind, from how many federations, from the host and from others."""

    kind: str
    players: int
    federations: int
    host: int | None
    others: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EventForm:
    """The fields of IT3 in the order of the form; None is left to fill in by hand."""

    federation: str | None
    event: str | None
    place: str | None
    start: date | None
    end: date | None
    organiser: str | None
    rounds: int
    schedule: str | None  # rounds per day, such as 1-1-2
    rate_of_play: str | None
    kind: str | None
    program: str | None  # the pairing program; None if the file names none
    players: tuple[PlayerCount, ...]
    arbiter: str | None
    deputies: tuple[str | None, ...]  # as many as the number of players requires


def event_form(tournament: Tournament, deputies: tuple[int, ...], organiser: str | None = None) -> EventForm:
    """The report of an event; another deputy is required above each of these numbers of players."""
    days = Counter(day for day in tournament.round_days if day is not None)
    program = next((record.text() for record in tournament.records if record.code == PROGRAM), None)
    required = max(sum(len(tournament.entrants) > most for most in deputies), len(tournament.deputies))
    named = [*tournament.deputies, *[None] * required][:required]
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
        federations = [entrant.player.federation for entrant in tournament.entrants if _is(kind)(entrant.player)]
        host = None if tournament.federation is None else federations.count(tournament.federation)
        others = None if host is None else len(federations) - host
        yield PlayerCount(kind, len(federations), len(set(filter(None, federations))), host, others)


def _is(kind: str) -> Callable[[Player], bool]:
    if kind in (RATED, UNRATED):
        return lambda player: (player.rating is not None) == (kind == RATED)
    return lambda player: player.title == kind
