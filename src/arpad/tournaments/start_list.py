"""An entry list as a starting list: sorted and numbered, with who was found on a rating list and what is missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, NamedTuple

from arpad.core import EloStanding, Player, Rating
from arpad.core.tournaments import Entrant, Tournament
from arpad.messages import Message, apart, say

BY_ID, BY_NAME = "id", "name"  # how a player was found on the list
# FIDE's order of titles among players with the same rating (C.04.2).
TITLE_ORDER = ("GM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM")
FEW = 6  # candidates shown
NEEDED = ("fide_id", "name", "federation", "birth_year", "sex")  # of every player in a tournament report


class ListMatch(NamedTuple):
    """What a list says about an entry: how it was found, or who may be meant."""

    found_by: str | None = None
    candidates: tuple[Player, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A player on the list who may be meant."""

    fide_id: int | None
    name: str | None
    federation: str | None
    born: int | None
    rating: Rating | None

    def __str__(self) -> str:
        about = (self.name, self.federation, self.born, self.rating, f"@{self.fide_id}")
        return " ".join(str(part) for part in about if part is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryLine:
    """A player of the starting list, and what is not known about them."""

    no: int
    title: str | None
    name: str
    federation: str | None
    rating: Rating | None
    born: int | None
    sex: Annotated[str, ("m", "w")] | None
    fide_id: int | None
    found_by: str | None  # id or name; none if the list does not settle who it is
    candidates: tuple[Candidate, ...]
    missing: tuple[str, ...]
    line: int | None  # in the file

    @property
    def lacks(self) -> str:
        """What is missing, in words."""
        return ", ".join(str(say(f"tournaments.start.lacks.{name}")) for name in self.missing)


def start_list(tournament: Tournament, matches: Mapping[int, ListMatch]) -> tuple[Tournament, tuple[EntryLine, ...]]:
    """The players by rating, title and name with new numbers, without rounds; and the same as lines.

    `matches` are what a list says, by the numbers before.
    """
    order = sorted(tournament.entrants, key=_rank)
    entrants = tuple(
        replace(entrant, no=number, rounds=(), points=None, rank=None, player=_without_k(entrant.player))
        for number, entrant in enumerate(order, start=1)
    )
    lines = tuple(
        _line(entrant, matches.get(before.no, ListMatch())) for entrant, before in zip(entrants, order, strict=True)
    )
    return replace(tournament, entrants=entrants, source=None), lines


def _without_k(player: Player) -> Player:
    """The player with the rating alone: the K of a list is that of its month, not of the event."""
    return replace(player, standing=EloStanding(player.rating))


def _rank(entrant: Entrant) -> tuple[float, int, str, int]:
    """The higher rating first, then the higher title, then the alphabet."""
    player = entrant.player
    title = TITLE_ORDER.index(player.title) if player.title in TITLE_ORDER else len(TITLE_ORDER)
    return -float(player.rating or 0), title, (player.name or "").casefold(), entrant.no


def _line(entrant: Entrant, match: ListMatch) -> EntryLine:
    player = entrant.player
    return EntryLine(
        no=entrant.no,
        title=player.title,
        name=entrant.called,
        federation=player.federation,
        rating=player.rating,
        born=player.birth_year,
        sex=player.sex,
        fide_id=player.fide_id,
        found_by=match.found_by,
        candidates=tuple(map(_candidate, match.candidates)),
        missing=tuple(name for name in NEEDED if getattr(player, name) is None),
        line=entrant.line,
    )


def _candidate(player: Player) -> Candidate:
    return Candidate(
        fide_id=player.fide_id,
        name=player.name,
        federation=player.federation,
        born=player.birth_year,
        rating=player.rating,
    )


def entry_notes(lines: Sequence[EntryLine]) -> Iterator[Message]:
    """Who is not settled, with everybody who may be meant; and IDs that two entries have."""
    for line in lines:
        if line.candidates:
            by_year = "candidates" if line.born is None else "candidates.born"
            key = "other_name" if line.fide_id is not None else by_year
            found = list(map(str, line.candidates[:FEW]))
            more = len(line.candidates) - FEW
            if more > 0:
                found.append(str(say("notes.entries.more", more=more)))
            yield say(f"notes.entries.{key}", no=line.no, name=line.name, id=str(line.fide_id), found=apart(found))
    times = Counter(line.fide_id for line in lines if line.fide_id is not None)
    for fide_id in (fide_id for fide_id, count in times.items() if count > 1):
        yield say(
            "notes.entries.same_id", id=str(fide_id), players=[line.no for line in lines if line.fide_id == fide_id]
        )
