"""Players as the lists have them: the list valid on a day, all three ratings, and the history over the months."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.core import EARLIEST_BIRTH, ListedK, Player
from arpad.errors import BadInput
from arpad.lists.blocks import LARGEST
from arpad.lists.store import FIDE, NO_LIST, RatingList, lists_in, reading, run

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import date

PERSON = "id, name, federation, sex, title, born, flag, w_title, o_title, foa_title"


class Listing(NamedTuple):
    """A player's line in one list for one pace; `games` are those of the period, `k` is the next period's."""

    list: RatingList
    rating: int | None
    games: int | None
    k: int | None

    def k_from(self, pace: str) -> ListedK:
        """Where K is from, and that on FIDE's list it is the K of FIDE's own system."""
        return ListedK(str(self.list), f"{FIDE}-{pace}" if self.list.name == FIDE else None)


class Listed(NamedTuple):
    """A player as a list has them."""

    id: int
    name: str | None
    federation: str | None
    sex: str | None
    title: str | None
    born: int | None
    flag: str | None
    other_titles: tuple[str | None, str | None, str | None]  # women's, arbiter's and trainer's, online
    ratings: Mapping[str, Listing]  # by pace
    peaks: Mapping[str, int]  # the highest on the imported lists up to then

    def rating(self, pace: str) -> int | None:
        """The rating of a pace."""
        return self.ratings[pace].rating if pace in self.ratings else None

    @property
    def birth_year(self) -> int | None:
        """The year of birth if it can be one: the lists have a 198 and a 1064."""
        return self.born if self.born is not None and self.born >= EARLIEST_BIRTH else None

    def player(self, pace: str) -> Player:
        """The player as the rating systems know one."""
        standing = self.ratings.get(pace)
        rating = None if standing is None else standing.rating
        return Player(
            rating,
            k=None if standing is None or rating is None else standing.k,
            k_from=None if standing is None else standing.k_from(pace),
            birth_year=self.birth_year,
            peak=self.peaks.get(pace) if rating is not None else None,
            standard=self.rating("standard") if rating is None and pace != "standard" else None,
            title=self.title or self.other_titles[0],
            federation=self.federation,
            sex=self.sex,
            fide_id=self.id,
            name=self.name,
        )

    def value(self) -> dict[str, Any]:
        """The player as plain values."""
        women, others, online = self.other_titles
        return {
            "id": self.id, "name": self.name, "federation": self.federation, "sex": self.sex, "title": self.title,
            "w_title": women, "o_title": others, "foa_title": online, "born": self.born, "flag": self.flag,
            "ratings": {
                pace: {"list": f"{one.list.month:%Y-%m}", "rating": one.rating, "games": one.games, "k": one.k}
                for pace, one in self.ratings.items()
            },
        }  # fmt: skip


class Valid(NamedTuple):
    """The lists valid on a day: the newest, and for each pace the newest that has it."""

    people: RatingList
    paces: Mapping[str, RatingList]
    before: tuple[RatingList, ...]  # all of them, the newest first

    @property
    def lists(self) -> tuple[RatingList, ...]:
        """The lists that players are looked for in, the newest first."""
        return tuple(dict.fromkeys((self.people, *self.paces.values())))

    @property
    def source(self) -> str:
        """The same, for a sentence."""
        return " and ".join(map(str, self.lists))


def valid_lists(connection: Any, name: str | None = None, on: date | None = None) -> Valid:
    """The lists valid on a day, or the newest ones; FIDE's unless another name is asked for."""
    everyone = lists_in(connection)
    names = sorted({one.name for one in everyone})
    if not everyone:
        raise BadInput(NO_LIST, at="list")
    asked = name or (FIDE if FIDE in names else names[0])
    known = [one for one in everyone if one.name == asked]
    if not known:
        raise BadInput(f"No list is called '{asked}'; there are: {', '.join(names)}.", at="list")
    valid = [one for one in known if on is None or one.month <= on]
    if not valid:
        raise BadInput(
            f"The lists begin with {known[-1].month:%Y-%m}, so none was valid on {on}; import that month's list.",
            at="list",
        )
    paces: dict[str, RatingList] = {}
    for one in valid:
        for pace in one.paces:
            paces.setdefault(pace, one)
    return Valid(valid[0], paces, tuple(valid))


def listed(connection: Any, ids: Iterable[int], valid: Valid) -> dict[int, Listed]:
    """Players by ID, as the valid lists have them; whoever is on none of them is left out."""
    wanted = [one for one in ids if one <= LARGEST["id"]]
    if not wanted:
        return {}
    numbers = [one.list for one in valid.lists]
    rows = run(
        connection,
        f"SELECT list, {PERSON} FROM player LEFT JOIN other_title USING (list, id) "
        f"WHERE list IN ({', '.join(map(str, numbers))}) AND id IN (SELECT unnest($ids)::UINTEGER)",
        {"ids": wanted},
    )
    # Of several lists the one that has the newest or most.
    return with_ratings(connection, [row[1:] for row in sorted(rows, key=lambda row: -numbers.index(row[0]))], valid)


def with_ratings(connection: Any, people: Sequence[tuple[Any, ...]], valid: Valid) -> dict[int, Listed]:
    """People, a row of the columns PERSON each, with their ratings; of several rows of one player the last."""
    wanted = [row[0] for row in people]
    if not wanted:
        return {}
    every = {one.list: one for one in valid.before}
    rows = run(
        connection,
        f"SELECT list, pace, id, rating, games, k FROM rating WHERE list IN ({', '.join(map(str, every))}) "
        "AND id IN (SELECT unnest($ids)::UINTEGER)",  # of the column's own type, or DuckDB compares larger numbers
        {"ids": wanted},
    )
    ratings: dict[int, dict[str, Listing]] = {}
    peaks: dict[int, dict[str, int]] = {}
    for number, pace, player, rating, games, k in rows:
        if rating is not None:
            peaks.setdefault(player, {})[pace] = max(rating, peaks.get(player, {}).get(pace, 0))
        if valid.paces[pace].list == number:
            ratings.setdefault(player, {})[pace] = Listing(every[number], rating, games, k)
    return {
        row[0]: Listed._make((*row[:7], tuple(row[7:]), ratings.get(row[0], {}), peaks.get(row[0], {})))
        for row in people
    }


def look_up(
    player: int, *, name: str | None = None, on: date | None = None, data: str | None = None
) -> tuple[Listed, RatingList]:
    """One player by ID, and the newest list that was valid."""
    with reading(data) as connection:
        valid = valid_lists(connection, name, on)
        found = listed(connection, [player], valid)
        earlier = [] if player in found else _lists_with(connection, player, valid)
    if player not in found:
        once = f" The list {earlier[0]} has one: --on {earlier[0].month:%Y-%m} shows it." if earlier else ""
        raise BadInput(f"No player on the list {valid.source} has the ID {player}.{once}", at="id")
    return found[player], valid.people


def _lists_with(connection: Any, player: int, valid: Valid) -> list[RatingList]:
    """The lists up to a day that have a player, the newest first."""
    if player > LARGEST["id"]:
        return []
    numbers = {number for (number,) in run(connection, "SELECT list FROM person WHERE id = ?", [player])}
    return [one for one in valid.before if one.list in numbers]


def history(
    player: int, *, name: str | None = None, on: date | None = None, data: str | None = None
) -> list[tuple[str, Listing]]:
    """A player's pace and standing in every imported list up to a day, the newest first."""
    with reading(data) as connection:
        valid = valid_lists(connection, name, on)
        every = {one.list: one for one in valid.before}
        rows = run(
            connection,
            "SELECT list, pace, rating, games, k FROM rating WHERE id = $id AND list IN (SELECT unnest($lists))",
            {"id": player, "lists": list(every)},
        )
    order = list(every)
    rows.sort(key=lambda row: order.index(row[0]))
    return [(pace, Listing(every[number], rating, games, k)) for number, pace, rating, games, k in rows]


def players_of(
    ids: Iterable[int], on: date, *, pace: str = "standard", name: str | None = None, data: str | None = None
) -> Mapping[int, Player]:
    """Players by FIDE ID as the list valid on a day has them; whoever is not on it is left out."""
    return look_up_all(ids, on, pace=pace, name=name, data=data)[0]


def look_up_all(
    ids: Iterable[int], on: date, *, pace: str = "standard", name: str | None = None, data: str | None = None
) -> tuple[Mapping[int, Player], RatingList]:
    """The same, and the list whose ratings they have."""
    with reading(data) as connection:
        valid = valid_lists(connection, name, on)
        if pace not in valid.paces:
            raise BadInput(
                f"The lists of {valid.people.name} valid on {on} have no {pace} ratings (they have: "
                f"{', '.join(valid.paces)}); import that list, or ask for another system.",
                at="list",
            )
        found = listed(connection, ids, valid)
    return {player: one.player(pace) for player, one in found.items()}, valid.paces[pace]
