"""Answers from rating lists: the players found, and everything about one of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Annotated

from arpad.calculation.answer import Answer, Figure, Text, hidden
from arpad.calculation.explain import Reason
from arpad.lists.players import SEXES
from arpad.messages import Message, say

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from arpad.lists.players import ListedPlayer, ListedRating, NextK
    from arpad.lists.search import SearchResult
    from arpad.lists.store import RatingList

FIDE = "fide"  # lists whose IDs are called FIDE IDs
FLAGS = (None, "", "i", "w", "wi")  # those that are said in words


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingLine:
    """A rating on one list; `games` are those of the period, `k` is for the next one."""

    list: str
    rating: int | None
    games: int | None
    k: int | None

    @classmethod
    def of(cls, row: ListedRating) -> RatingLine:
        """A rating as a line."""
        return cls(list=f"{row.list.month:%Y-%m}", rating=row.rating, games=row.games, k=row.k)


@dataclass(frozen=True, kw_only=True)
class ListedFields:
    """What the lists say about a player."""

    id: int
    name: str | None
    federation: str | None
    sex: Annotated[str, ("m", "w")] | None
    title: str | None
    w_title: str | None
    o_title: str | None
    foa_title: str | None
    born: int | None
    flag: str | None
    inactive: tuple[str, ...]  # paces
    ratings: Mapping[str, RatingLine]  # by pace


@dataclass(frozen=True, kw_only=True)
class PlayerLine(ListedFields):
    """A player as the lists have them."""

    @classmethod
    def of(cls, player: ListedPlayer) -> PlayerLine:
        """A player as a line."""
        return cls(**_person(player))


def _person(player: ListedPlayer) -> dict[str, Any]:
    women, other, online = player.other_titles
    return {
        "id": player.id,
        "name": player.name,
        "federation": player.federation,
        "sex": SEXES.get(player.sex or ""),
        "title": player.title,
        "w_title": women,
        "o_title": other,
        "foa_title": online,
        "born": player.born,
        "flag": player.flag,
        "inactive": player.inactive,
        "ratings": {pace: RatingLine.of(row) for pace, row in player.ratings.items()},
    }


@dataclass(frozen=True, kw_only=True)
class ListAnswer(Answer):
    """An answer from rating lists."""

    list: str  # the lists that were searched


@dataclass(frozen=True, kw_only=True)
class PlayersFound(ListAnswer):
    """The players that a name or an ID may mean, the best first."""

    total: int
    players: tuple[PlayerLine, ...]
    next: str | None = None  # the cursor of the next page

    @classmethod
    def of(cls, found: SearchResult) -> PlayersFound:
        """The answer to a search."""
        return cls(
            system=found.list.name,
            on=found.list.month,
            trail=(),
            remarks=lambda: found.notes,
            list=found.source,
            total=found.total,
            players=tuple(PlayerLine.of(player) for player in found.players),
            next=None if found.following is None else str(found.following),
        )

    def summary(self) -> Sequence[Figure]:
        return (Figure("list.found", self.total),)


@dataclass(frozen=True, slots=True, kw_only=True)
class NextKLine:
    """K on the next list, and why."""

    on: date
    k: int
    why: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryLine:
    """A rating on one of the imported lists."""

    list: str
    pace: str
    rating: int | None
    games: int | None
    k: int | None


@dataclass(frozen=True, kw_only=True)
class PlayerPage(ListedFields, ListAnswer):
    """Everything the lists say about a player, and K on the next list with its reason."""

    next_k: Mapping[str, NextKLine]
    history: tuple[HistoryLine, ...]
    birth_year: int | None = hidden()  # None if the number on the list cannot be a year

    @classmethod
    def of(
        cls,
        player: ListedPlayer,
        newest: RatingList,
        coming: Sequence[NextK],
        history: Sequence[tuple[str, ListedRating]],
    ) -> PlayerPage:
        """The page of a player."""
        until = next((next_k for next_k in coming if next_k.until is not None), None)
        notes = [say("notes.list.used", list=str(newest))]
        if until is not None:
            level = until.next.words["band"].peak_under
            notes.append(say("notes.k.until.age", k=until.next.value, until=until.until, level=level))
        return cls(
            system=newest.name,
            on=newest.month,
            trail=tuple(next_k.next for next_k in coming),
            remarks=lambda: notes,
            list=str(newest),
            next_k={
                next_k.pace: NextKLine(on=next_k.on, k=next_k.next.value, why=Reason(next_k.next)) for next_k in coming
            },
            history=tuple(
                HistoryLine(list=f"{row.list.month:%Y-%m}", pace=pace, rating=row.rating, games=row.games, k=row.k)
                for pace, row in history
            ),
            birth_year=player.birth_year,
            **_person(player),
        )

    def summary(self) -> Sequence[Figure]:
        titles = ", ".join(dict.fromkeys(filter(None, (self.title, self.w_title, self.o_title, self.foa_title))))
        number = say("lists.fide_id" if self.system == FIDE else "lists.id", id=self.id)
        bad_year = self.born is not None and self.birth_year is None
        marks = [
            *([say("lists.flag.woman")] if "w" in (self.flag or "") else []),
            *([inactive_in(self.inactive)] if self.inactive else []),
        ]
        return (
            Figure("list.name", self.name or say("lists.no_name"), number),
            Figure("list.federation", self.federation),
            Figure("list.title", titles or None),
            Figure("list.born", self.born and str(self.born), say("lists.not_a_year") if bad_year else None),
            Figure("list.flag", ", ".join(map(str, marks)) or (None if self.flag in FLAGS else self.flag)),
            *(
                Figure(f"list.{pace}", say("answers.unrated") if row.rating is None else row.rating, _remark(row))
                for pace, row in self.ratings.items()
            ),
            *(Figure(f"list.next_k.{pace}", line.k, line.why) for pace, line in self.next_k.items()),
        )


def inactive_in(paces: Sequence[str]) -> Message:
    """Says in which paces a player is inactive."""
    return say("lists.flag.inactive", paces=list(paces))


def _remark(row: RatingLine) -> Text:
    """K and games on a list."""
    if row.k is None and row.games is None:
        return say("lists.remark", list=row.list)
    if row.k is None:
        return say("lists.remark_games", games=row.games, list=row.list)
    if row.games is None:
        return say("lists.remark_k", k=row.k, list=row.list)
    return say("lists.remark_k_games", k=row.k, games=row.games, list=row.list)
