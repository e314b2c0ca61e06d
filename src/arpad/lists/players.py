"""Players on the lists: all three ratings on the lists valid on a day, the history over the months, and the next K."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from arpad.calculation.step import Step, known, ruled
from arpad.core import EARLIEST_BIRTH, EloStanding, ListedK, Player, Sex, as_title
from arpad.errors import BadInput, UncoveredDate
from arpad.lists.store import FIDE, NO_LIST, PACES, RatingList, lists_in, reading, run
from arpad.messages import say
from arpad.systems import rulebook_of
from arpad.systems.fide.k import development_coefficient, first_day_without
from arpad.systems.fide.rules import FideRules

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


SEXES: Mapping[str, Sex] = {"F": "w", "M": "m"}  # as tournament files have them
LARGEST_ID = (1 << 32) - 1
PERSON = ("id", "name", "federation", "sex", "title", "born", "flag")
OTHER_TITLES = ("w_title", "o_title", "foa_title")
RATINGS = tuple(f"{pace}{part}" for pace in PACES for part in ("", "_games", "_k"))


@dataclass(frozen=True, slots=True)
class ListedRating:
    """A player's rating on one list; `games` are those of the period, `k` is for the next period."""

    list: RatingList
    rating: int | None
    games: int | None
    k: int | None

    def k_from(self, pace: str) -> ListedK:
        """Where K comes from; on FIDE's list it is the K of FIDE's own system."""
        return ListedK(str(self.list), f"{FIDE}-{pace}" if self.list.name == FIDE else None, self.list.month)


@dataclass(frozen=True, slots=True)
class ListedPlayer:
    """A player as the lists have them."""

    id: int
    name: str | None
    federation: str | None
    sex: str | None
    title: str | None
    born: int | None
    flag: str | None
    other_titles: tuple[str | None, str | None, str | None]  # women's, arbiter's and trainer's, online
    ratings: Mapping[str, ListedRating]  # by pace
    peaks: Mapping[str, int]  # the highest rating on the imported lists so far, by pace
    inactive: tuple[str, ...] = ()  # the paces in which a list says that there was no game for a year

    def rating(self, pace: str) -> int | None:
        """The rating of a pace."""
        return self.ratings[pace].rating if pace in self.ratings else None

    @property
    def birth_year(self) -> int | None:
        """The year of birth if it is plausible: the lists also have 198 and 1064."""
        return self.born if self.born is not None and self.born >= EARLIEST_BIRTH else None

    def player(self, pace: str) -> Player:
        """The player as the rating systems use it."""
        rating = self.rating(pace)
        used = pace if rating is not None else "standard"  # the standard rating is used instead, with its K
        listed = self.ratings.get(used)
        standing = EloStanding(
            rating,
            k=None if listed is None or listed.rating is None else listed.k,
            k_from=None if listed is None else listed.k_from(used),
            peak=self.peaks.get(pace) if rating is not None else None,
            standard=self.rating("standard") if rating is None and pace != "standard" else None,
        )
        return Player(
            standing,
            birth_year=self.birth_year,
            title=as_title(self.title) or as_title(self.other_titles[0]),
            federation=self.federation,
            sex=SEXES.get(self.sex or ""),
            fide_id=self.id,
            name=self.name,
        )


@dataclass(frozen=True, slots=True)
class ValidLists:
    """The lists valid on a day: the newest, the newest of each pace, and all earlier ones."""

    newest: RatingList
    paces: Mapping[str, RatingList]
    all: tuple[RatingList, ...]  # the newest first

    @property
    def lists(self) -> tuple[RatingList, ...]:
        """The lists in which players are looked up, the newest first."""
        return tuple(dict.fromkeys((self.newest, *self.paces.values())))

    @property
    def source(self) -> str:
        """These lists, for a sentence."""
        return " and ".join(map(str, self.lists))


def valid_lists(connection: DuckDBPyConnection, name: str | None = None, on: date | None = None) -> ValidLists:
    """The lists valid on a day, or the newest ones; FIDE's unless another name is asked for."""
    lists = lists_in(connection)
    if not lists:
        raise BadInput(NO_LIST, at="list")
    names = sorted({found.name for found in lists})
    asked = name or (FIDE if FIDE in names else names[0])
    known = [found for found in lists if found.name == asked]
    if not known:
        raise BadInput(say("lists.unknown_list", name=asked, names=names), at="list")
    valid = [found for found in known if on is None or found.month <= on]
    if not valid:
        raise BadInput(say("lists.too_early", month=f"{known[-1].month:%Y-%m}", on=on), at="list")
    paces: dict[str, RatingList] = {}
    for found in valid:
        for pace in found.paces:
            paces.setdefault(pace, found)
    return ValidLists(valid[0], paces, tuple(valid))


def players_by_id(
    connection: DuckDBPyConnection, ids: Iterable[int], valid: ValidLists, *, lines: Iterable[int] = ()
) -> dict[int, ListedPlayer]:
    """Players on the valid lists, in the order of the IDs; an ID that is on none of them is left out.

    `lines` are the players' lines, if known: the table is in this order, so a single list is read faster.
    """
    wanted = [player for player in ids if player <= LARGEST_ID]
    if not wanted:
        return {}
    columns = (*PERSON, *OTHER_TITLES, *RATINGS)
    numbers = [found.list for found in valid.all]
    known: dict[str, list[int]] = {"id": wanted}
    if len(numbers) == 1 and (there := list(lines)):
        known["line"] = there
    # Cast to the columns' type, or DuckDB would compare larger numbers.
    conditions = [f"{column} IN (SELECT unnest(${column})::UINTEGER)" for column in known]
    rows = run(
        connection,
        f"SELECT list, {', '.join(columns)} FROM player WHERE list IN ({', '.join(map(str, numbers))}) "
        f"AND {' AND '.join(conditions)}",
        known,
    )
    entries: dict[int, dict[int, dict[str, Any]]] = {player: {} for player in wanted}  # by player and list
    for number, *values in sorted(rows, key=lambda row: numbers.index(row[0])):
        entries[values[0]][number] = dict(zip(columns, values, strict=True))
    searched = {found.list for found in valid.lists}
    return {player: _listed(found, valid) for player, found in entries.items() if searched & set(found)}


def _listed(entries: Mapping[int, Mapping[str, Any]], valid: ValidLists) -> ListedPlayer:
    """A player from the entries on all lists: as on the newest valid one, with the rating of each pace."""
    person = next(entries[found.list] for found in valid.lists if found.list in entries)
    ratings = {}
    for pace, found in valid.paces.items():
        rating = _rating(entries.get(found.list, {}), pace, found)
        if rating is not None:
            ratings[pace] = rating
    highest = {pace: max((entry[pace] or 0 for entry in entries.values()), default=0) for pace in PACES}
    return ListedPlayer(
        **{column: person[column] for column in PERSON},
        other_titles=(person["w_title"], person["o_title"], person["foa_title"]),
        ratings=ratings,
        peaks={pace: peak for pace, peak in highest.items() if peak},
        inactive=tuple(pace for pace in PACES if "i" in _flag(entries, valid, pace)),
    )


def _flag(entries: Mapping[int, Mapping[str, Any]], valid: ValidLists, pace: str) -> str:
    """The mark that is about a pace: of the list of that pace alone; the one of a combined list is about standard."""
    used = valid.paces.get(pace)
    if used is None:
        return ""
    own = next((found for found in valid.all if found.paces == (pace,) and found.month >= used.month), None)
    about = own or (used if pace == PACES[0] else None)
    return "" if about is None else entries.get(about.list, {}).get("flag") or ""


def _rating(entry: Mapping[str, Any], pace: str, found: RatingList) -> ListedRating | None:
    """The rating for a pace in an entry of a list; None if the list says nothing about it."""
    figures = [entry.get(f"{pace}{part}") for part in ("", "_games", "_k")]
    return ListedRating(found, *figures) if any(figures) else None


def look_up(
    player: int, *, name: str | None = None, on: date | None = None, data: str | None = None
) -> tuple[ListedPlayer, RatingList]:
    """A player by ID, and the newest valid list."""
    with reading(data) as connection:
        valid = valid_lists(connection, name, on)
        found = players_by_id(connection, [player], valid)
        earlier = [] if player in found else _lists_with(connection, player, valid)
    if player not in found:
        if earlier:
            month = f"{earlier[0].month:%Y-%m}"
            said = say("lists.left", lists=valid.source, id=str(player), earlier=str(earlier[0]), month=month)
        else:
            said = say("lists.unknown_id", lists=valid.source, id=str(player))
        raise BadInput(said, at="id")
    return found[player], valid.newest


def _lists_with(connection: DuckDBPyConnection, player: int, valid: ValidLists) -> list[RatingList]:
    """The valid and earlier lists that have a player, the newest first."""
    if player > LARGEST_ID:
        return []
    numbers = {number for (number,) in run(connection, "SELECT list FROM player WHERE id = ?", [player])}
    return [found for found in valid.all if found.list in numbers]


def history(
    player: int, *, name: str | None = None, on: date | None = None, data: str | None = None
) -> list[tuple[str, ListedRating]]:
    """A player's pace and rating on every imported list up to a day, the newest first."""
    with reading(data) as connection:
        lists = {found.list: found for found in valid_lists(connection, name, on).all}
        rows = run(
            connection,
            "SELECT list, pace, rating, games, k FROM rating WHERE id = $id AND list IN (SELECT unnest($lists))",
            {"id": player, "lists": list(lists)},
        )
    order = list(lists)
    rows.sort(key=lambda row: (order.index(row[0]), PACES.index(row[1])))
    return [(pace, ListedRating(lists[number], rating, games, k)) for number, pace, rating, games, k in rows]


def players_on(
    ids: Iterable[int], on: date, *, pace: str = "standard", name: str | None = None, data: str | None = None
) -> tuple[Mapping[int, Player], RatingList]:
    """Players by ID from the list valid on a day, and that list; an ID that is not on it is left out."""
    with reading(data) as connection:
        valid = valid_lists(connection, name, on)
        if pace not in valid.paces:
            about = {"name": valid.newest.name, "on": on, "pace": pace, "paces": list(valid.paces)}
            raise BadInput(say("lists.no_pace", **about), at="list")
        found = players_by_id(connection, ids, valid)
    return {player: listed.player(pace) for player, listed in found.items()}, valid.paces[pace]


def with_k_on(
    players: Mapping[int, Player], on: date, *, pace: str = "standard", name: str | None = None, data: str | None = None
) -> tuple[Mapping[int, Player], RatingList]:
    """Players by ID with the K of the list valid on a later day, and that list; a player not on it keeps their K."""
    later, used = players_on(players, on, pace=pace, name=name, data=data)
    return {no: _with_k(player, later.get(no)) for no, player in players.items()}, used


def _with_k(player: Player, later: Player | None) -> Player:
    standing = player.standing
    if later is None or not isinstance(standing, EloStanding) or not isinstance(later.standing, EloStanding):
        return player
    if later.standing.k is None:
        return player
    return replace(player, standing=replace(standing, k=later.standing.k, k_from=later.standing.k_from))


def players_of(
    ids: Iterable[int], on: date, *, pace: str = "standard", name: str | None = None, data: str | None = None
) -> Mapping[int, Player]:
    """Players by ID from the list valid on a day; an ID that is not on it is left out."""
    return players_on(ids, on, pace=pace, name=name, data=data)[0]


@dataclass(frozen=True, slots=True)
class PlayersBelow:
    """How many players of a list have a lower rating than one that is asked about."""

    list: RatingList
    below: int
    rated: int


def players_below(
    rating: Decimal, *, pace: str = "standard", on: date | None = None, data: str | DuckDBPyConnection | None = None
) -> PlayersBelow:
    """How many players on the list valid on a day are rated below a rating, and how many are rated at all.

    Raises BadInput without a list that has ratings of that pace.
    """
    with reading(data) as connection:
        used = valid_lists(connection, on=on).paces.get(pace)
        if used is None:
            raise BadInput(NO_LIST, at="list")
        counts = f"count(*) FILTER ({pace} < $rating), count(*)"
        ((below, rated),) = run(
            connection,
            f"SELECT {counts} FROM player WHERE list = $list AND {pace} > 0",
            {"rating": rating, "list": used.list},
        )
    return PlayersBelow(used, below, rated)


@dataclass(frozen=True, slots=True)
class NextK:
    """K on the next list, the day of that list, and the day on which age alone will change it."""

    pace: str
    printed: int | None
    on: date
    next: Step
    until: date | None


def month_after(day: date) -> date:
    """The first of the next month."""
    return date(day.year + day.month // 12, day.month % 12 + 1, 1)


def next_k(player: ListedPlayer, pace: str) -> NextK | None:
    """K on the list after the valid one if no games are played; None without a rating or a rule for that day."""
    standing = player.ratings.get(pace)
    if standing is None or standing.rating is None:
        return None
    on = month_after(standing.list.month)
    try:
        in_force = rulebook_of(f"fide-{pace}").of(FideRules).at(on)
    except UncoveredDate:
        return None
    step = _k_step(player, pace, standing, in_force, on)
    return NextK(pace, standing.k, on, step, first_day_without(step))


def _k_step(player: ListedPlayer, pace: str, standing: ListedRating, rules: FideRules, on: date) -> Step:
    """K by the rule, using what the published K reveals about the player."""
    bands = rules.k.value
    # A published K distinguishes newcomers from everybody else; without one the number of games is unknown.
    enough = None if standing.k is None else max((band.games_under or 0 for band in bands), default=0)
    own = EloStanding(standing.rating, games=enough)
    plain = Player(own, birth_year=player.birth_year)
    reached = max(standing.rating or 0, player.peaks.get(pace, 0))

    def explains(player: Player, peak: int) -> bool:
        return bool(development_coefficient(player, peak, rules, standing.list.month).value == standing.k)

    if standing.k is not None and not explains(plain, reached):
        if explains(replace(plain, standing=replace(own, games=0)), reached):
            return _newcomer_k_step(player, standing.k, rules)
        for level in {band.peak_from or band.peak_under or 0 for band in bands}:  # perhaps reached on an earlier list
            if explains(plain, max(reached, level)):
                return development_coefficient(plain, max(reached, level), rules, on)
    return development_coefficient(plain, reached, rules, on)


def _newcomer_k_step(player: ListedPlayer, k: int, rules: FideRules) -> Step:
    """A newcomer's K as a step; without a year of birth it may also be a junior's."""
    (band,) = (line for line in rules.k.value if line.games_under is not None)
    junior = player.birth_year is None and any(line.k == k and line.until_age is not None for line in rules.k.value)
    key = "k.new.or.junior" if junior else "k.new"
    return ruled(key, rules.k, k, words={"says": band.says, "band": band}, printed=known("k.printed", k))


def coming_k(player: ListedPlayer, newest: RatingList) -> list[NextK]:
    """K on the next list for every pace; only for FIDE's lists, which follow FIDE's rule."""
    asked = [next_k(player, pace) for pace in PACES] if newest.name == FIDE else []
    return [coming for coming in asked if coming is not None]
