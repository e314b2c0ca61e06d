"""Player data from tables and lists, in addition to the file; and the ratings a federation's own system uses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation.step import NOTHING
from arpad.core import Player, Rating, Standing, updated
from arpad.core.tournaments import NATIONAL, Entrant, Oddity, Record, Tournament
from arpad.messages import Message, say

if TYPE_CHECKING:
    from arpad.rulebooks import Rule
    from arpad.systems.base import NationalSystem, System


# The notes of a report on national ratings.
OF_RATINGS = ("notes.event.ratings.file", "notes.event.ratings", "notes.event.guests", "notes.event.not_found")
TABLE, RECORDS, FILE = "table", "records", "file"  # where national ratings come from


@dataclass(frozen=True, slots=True)
class Known:
    """Player data by starting number, and the rows that match nobody or are not used."""

    by_no: Mapping[int, PlayerData]
    nobody: tuple[str, ...] = ()
    oddities: tuple[Oddity, ...] = ()

    @classmethod
    def of(cls, given: Mapping[int, Player] | Known, tournament: Tournament) -> Known:
        """The data of players given by starting number or FIDE ID."""
        if isinstance(given, Known):
            return given
        numbers = {entrant.no for entrant in tournament.entrants}
        keys = {entrant.no: _key(entrant, given, numbers) for entrant in tournament.entrants}
        unused = given.keys() - {key for key in keys.values() if key is not None}
        by_no = {no: PlayerData(given[key]) for no, key in keys.items() if key is not None}
        return cls(by_no, tuple(str(key) for key in given if key in unused))

    @property
    def notes(self) -> tuple[Oddity, ...]:
        """Notes about the data."""
        if not self.nobody:
            return self.oddities
        return (*self.oddities, Oddity(say("tournaments.list.unused", numbers=self.nobody)))


@dataclass(frozen=True, slots=True)
class PlayerData:
    """What a table or a list says about a player; `unrated` means that it says there is no rating."""

    player: Player
    unrated: bool = False
    national_id: str | None = None
    born: date | None = None

    @property
    def says_rating(self) -> bool:
        """Whether the data say anything about the rating."""
        return self.unrated or self.player.rating is not None


def _key(entrant: Entrant, known: Mapping[int, Player], numbers: set[int]) -> int | None:
    """The key of a player's data; an ID is never mistaken for a starting number, or the other way round."""
    by_id = entrant.player.fide_id
    if by_id is not None and by_id in known and (known[by_id].fide_id is not None or by_id not in numbers):
        return by_id
    return entrant.no if entrant.no in known and known[entrant.no].fide_id is None else None


def with_known(tournament: Tournament, known: Known) -> Tournament:
    """The tournament, with the data of a table in place of the file's."""
    entrants: list[Entrant] = []
    oddities = list(tournament.oddities)
    for entrant in tournament.entrants:
        data = known.by_no.get(entrant.no)
        if data is None:
            entrants.append(entrant)
            continue
        oddities += differs(entrant, data.player)
        player = updated(entrant.player, data.player)
        if data.unrated:
            player = replace(player, standing=replace(player.standing, rating=None))
        national_id, born = data.national_id or entrant.national_id, data.born or entrant.born
        entrants.append(replace(entrant, player=player, national_id=national_id, born=born))
    return replace(tournament, entrants=tuple(entrants), oddities=(*oddities, *known.notes))


def differs(entrant: Entrant, listed: Player) -> list[Oddity]:
    """Oddities where a list has another rating or federation than the file."""
    mine = entrant.player
    pairs = ((mine.rating, listed.rating), (mine.federation, listed.federation))
    return [
        Oddity(say("tournaments.list.differs", no=entrant.no, here=here, there=there), entrant.line)
        for here, there in pairs
        if there is not None and here not in (None, there)
    ]


def with_national(tournament: Tournament, known: Known, system: NationalSystem, *, with_guests: bool) -> NationalEntry:
    """All players with the system's own rating: from the table, otherwise from the file's national records.

    If neither has ratings, the file's ratings count as the system's own. Otherwise a player in neither is a guest,
    whose FIDE rating counts for the opponents if `with_guests`, or is unknown.
    """
    records = national_records(tournament, system.federation)
    by_table = any(data.says_rating for data in known.by_no.values())
    sources = [name for name, used in ((TABLE, by_table), (RECORDS, bool(records))) if used]
    entrants, guests, not_found = [], [], []
    for entrant in tournament.entrants:
        data, record = known.by_no.get(entrant.no), records.get(entrant.no)
        player = entrant.player
        if not sources:
            of_file = {} if tournament.from_list else _given(player.standing)  # a list's K is FIDE's
            new = _player(entrant, data, system, player.rating, of_file=of_file)
        elif (data is not None and data.says_rating) or record is not None:
            if data is not None and data.says_rating:
                rating = data.player.rating
            else:  # a rating of 0 means none
                rating = None if record is None else record.number("rating") or None
            new = _player(entrant, data, system, rating, fide=player.rating)
        elif with_guests and player.rating is not None:
            guests.append(entrant.no)
            new = replace(player, standing=Standing(player.rating))
        else:
            not_found.append(entrant.no)
            new = replace(player, standing=Standing())
        born = (data and data.born) or entrant.born
        by_record = None if record is None else record.text("id")
        national_id = (data and data.national_id) or by_record or entrant.national_id or None
        entrants.append(replace(entrant, player=new, national_id=national_id, born=born))
    return NationalEntry(
        replace(tournament, entrants=tuple(entrants), oddities=(*tournament.oddities, *known.notes)),
        NationalRatings(
            federation=system.federation,
            sources=tuple(sources) or (FILE,),
            guests=tuple(guests),
            not_found=tuple(not_found),
        ),
    )


class NationalEntry(NamedTuple):
    """The tournament with the ratings that a federation's own system uses."""

    tournament: Tournament
    ratings: NationalRatings


@dataclass(frozen=True, slots=True, kw_only=True)
class NationalRatings:
    """Where the ratings of a federation's own system come from, and who has none."""

    federation: str
    sources: tuple[str, ...]  # table, records of the file, or the file's own ratings
    guests: tuple[int, ...]  # without one: their FIDE ratings count for the opponents, but they are not rated
    not_found: tuple[int, ...]  # without one: neither they nor games against them are rated


def national_records(tournament: Tournament, federation: str) -> dict[int, Record]:
    """The records of a federation's ratings by starting number."""
    found = (record for record in tournament.records if record.code == NATIONAL)
    return {record.number("no"): record for record in found if record.text("federation") == federation}


def _player(
    entrant: Entrant,
    data: PlayerData | None,
    system: NationalSystem,
    rating: Rating | None,
    *,
    fide: Rating | None = None,
    of_file: Mapping[str, object] = NOTHING,
) -> Player:
    """A player with the system's own standing; a newcomer may start from the FIDE rating, if the system allows it."""
    names = {field.name for field in fields(system.table_standing)}
    given = {**of_file, **({} if data is None else _given(data.player.standing))}
    standing: dict[str, Any] = {name: value for name, value in given.items() if name in names} | {"rating": rating}
    newcomer = rating is None and "fide" in names and not {"fide", "start"} & given.keys()
    if newcomer and entrant.player.fide_id is not None and fide is not None:
        standing["fide"] = fide
    player = entrant.player if data is None else updated(entrant.player, replace(data.player, standing=Standing()))
    return replace(player, standing=system.table_standing(**standing))


def _given(standing: Standing) -> dict[str, object]:
    values = {field.name: getattr(standing, field.name) for field in fields(standing)}
    return {name: value for name, value in values.items() if value is not None}


def guest_rule(system: System, on: date) -> Rule[str] | None:
    """The rule by which the FIDE rating of a player without a rating of the system counts for opponents, if any."""
    rule: Rule[str] | None = getattr(system.rulebook.at(on), "guests", None)
    return rule


def national_notes(
    system: System, on: date, ratings: NationalRatings, entrants: Sequence[Entrant]
) -> Iterator[Message]:
    """Where the ratings come from, and who has none."""
    named, guests = {entrant.no: entrant for entrant in entrants}, guest_rule(system, on)
    if ratings.sources == (FILE,):
        yield say("notes.event.ratings.file", system=system.name)
    else:
        sources = [say(f"notes.event.source.{name}") for name in ratings.sources]
        yield say("notes.event.ratings", system=system.name, sources=sources)
    if ratings.guests and guests is not None:
        players = [
            say("tournaments.list.player", no=no, name=named[no].called, rating=named[no].player.rating)
            for no in ratings.guests
        ]
        yield say("notes.event.guests", system=system.name, players=players, cite=guests.cite)
    if ratings.not_found:
        yield say("notes.event.not_found", system=system.name, players=called(ratings.not_found, named))


def called(numbers: Sequence[int], named: Mapping[int, Entrant]) -> list[Message]:
    """Players with number and name."""
    return [say("tournaments.event.player", no=no, name=named[no].called) for no in numbers]
