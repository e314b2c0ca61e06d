"""What changed between two lists, and whether the K of the later one is what the rules give."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from datetime import date
from typing import TYPE_CHECKING, Any, TypeVar

from arpad.calculation.serialise import to_json
from arpad.core import EARLIEST_BIRTH
from arpad.errors import BadInput
from arpad.lists.players import valid_lists
from arpad.lists.store import FIDE, RatingList, lists_in, reading, run
from arpad.messages import Message, say
from arpad.systems import rulebook_of
from arpad.systems.fide.rules import FideRules

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from arpad.systems.fide.rules import KBand


T = TypeVar("T")
Ask = Callable[[str], list[tuple[Any, ...]]]  # SQL in, rows out
STANDARD = "standard"
MOST = 50  # players of a kind that are listed by default
EARLIER = " earlier"  # after a line of the rule that only a list before these two can show to apply
RETITLED = "in_both AND old_title IS DISTINCT FROM title"
MOVED, UNPLAYED = "old_rating <> rating", "coalesce(games, 0) = 0"
AGES = 5  # years in an age group


def audit_lists(
    before: date,
    after: date,
    *,
    pace: str = "standard",
    name: str | None = None,
    most: int = MOST,
    data: str | None = None,
) -> Audit:
    """Compare the lists of two months; all players of a kind are counted, and at most `most` of them listed."""
    if before >= after:
        raise BadInput(say("lists.audit.order", before=f"{before:%Y-%m}", after=f"{after:%Y-%m}"), at="month")
    with reading(data, all_cores=True) as connection:
        asked = valid_lists(connection, name).newest.name
        lists = [_list_of(connection, asked, month, pace) for month in (before, after)]
        return _Audit(connection, lists[0], lists[1], pace, most).result()


def _list_of(connection: DuckDBPyConnection, name: str, month: date, pace: str) -> RatingList:
    known = [found for found in lists_in(connection, name) if pace in found.paces]
    for found in known:
        if found.month == month.replace(day=1):
            return found
    months = [f"{found.month:%Y-%m}" for found in known] or say("lists.none")
    raise BadInput(say("lists.audit.no_list", pace=pace, month=f"{month:%Y-%m}", months=months), at="month")


@dataclass(frozen=True, slots=True)
class Audit:
    """Two lists side by side."""

    before: RatingList
    after: RatingList
    pace: str
    counts: AuditCounts
    entered_k: tuple[EnteredK, ...]
    entered: tuple[EnteredPlayer, ...]
    titles: tuple[ChangedPlayer, ...]
    corrections: tuple[ChangedPlayer, ...]  # moved without games, or moved at all if the list has no games
    k: tuple[ExplainedK, ...]  # by the line of the rule that explains it, and by K
    unexplained: tuple[UnexplainedK, ...]
    article: str
    checks: tuple[KCheck, ...]
    distributions: tuple[ListGroup, ...]
    standing_in: tuple[StandingIn, ...]  # adults new to rapid or blitz, by their K in standard a month before
    adults: NewcomersK | None  # of rapid or blitz: who has the K of a newcomer

    @property
    def name(self) -> str:
        """Whose lists, and which of them: `fide standard`."""
        return f"{self.after.name} {self.pace}"

    def value(self) -> dict[str, object]:
        """The audit as plain values."""
        lists: dict[str, object] = {"before": str(self.before), "after": str(self.after)}
        others = [field.name for field in fields(self) if field.name not in lists]
        return lists | {name: to_json(getattr(self, name)) for name in others}


@dataclass(frozen=True, slots=True)
class AuditCounts:
    """How many players there were and are, and how many entered, left, moved, changed title or have an odd K."""

    before: int
    after: int
    entered: int
    left: int
    moved: int
    moved_without_games: int | None  # None if the list has no games
    titles: int
    unexplained: int


@dataclass(frozen=True, slots=True)
class EnteredPlayer:
    """A player who was not on the earlier list."""

    id: int
    name: str | None
    federation: str | None
    rating: int
    k: int | None


@dataclass(frozen=True, slots=True)
class ChangedPlayer:
    """A player whose title or rating changed."""

    id: int
    name: str | None
    before: str | int | None
    after: str | int | None


@dataclass(frozen=True, slots=True)
class UnexplainedK:
    """A player whose K no line of the rule explains, or who entered without a newcomer's K."""

    id: int
    name: str | None
    rating: int
    born: int | None
    k: int | None
    k_before: int | None


@dataclass(frozen=True, slots=True)
class EnteredK:
    """How many players entered with this K."""

    k: int | None
    players: int


@dataclass(frozen=True, slots=True)
class ExplainedK:
    """How many players have this K by a line of the rule; `line` is None if none explains it."""

    line: str | Message | None
    k: int | None
    players: int


@dataclass(frozen=True, slots=True)
class KCheck:
    """A line of the rule: how many players it applies to, and how many of them have its K."""

    line: str
    k: int
    says: str | Message
    players: int
    as_ruled: int


@dataclass(frozen=True, slots=True)
class StandingIn:
    """Newcomers with one K in standard; `points` is their distance from the standard rating, per root of a game."""

    k: int
    players: int
    same_k: int
    points: float


@dataclass(frozen=True, slots=True)
class NewcomersK:
    """Adults rated below `under`: how many have the `k` of a newcomer, and how many who had it now have `then`."""

    under: int | None
    players: int
    k: int
    with_k: int
    entered: int
    had_k_and_played: int
    then: int
    now: int


@dataclass(frozen=True, slots=True)
class ListGroup:
    """Players of one federation, age or sex, with their mean rating."""

    by: str  # federation, age or sex
    group: str | Message
    players: int
    mean: float


class _Audit:
    """A comparison: a temporary table of both lists, and queries on it."""

    def __init__(
        self, connection: DuckDBPyConnection, before: RatingList, after: RatingList, pace: str, most: int
    ) -> None:
        self.connection, self.before, self.after, self.pace, self.most = connection, before, after, pace, most
        book = rulebook_of(f"fide-{pace}" if before.name == FIDE else "fide-standard")
        self.rules = book.of(FideRules).at(after.month)
        lists = {"before": before.list, "after": after.list}
        self.ask(
            "CREATE TEMP TABLE both_lists AS "
            "WITH listed AS (SELECT list, id, rating, games, k FROM rating WHERE pace = $pace AND rating IS NOT NULL), "
            "earlier AS (FROM listed WHERE list = $before), "
            "later AS (FROM listed WHERE list = $after) "
            "SELECT id, earlier.rating AS old_rating, earlier.k AS old_k, later.rating, later.games, later.k, "
            "greatest(later.rating, earlier.rating) AS peak FROM earlier FULL JOIN later USING (id)",
            {**lists, "pace": pace},
        )
        self.ask(
            "CREATE TEMP TABLE people AS SELECT id, any_value(name) AS name, any_value(federation) AS federation, "
            f"any_value(sex) AS sex, any_value(born) FILTER (born >= {EARLIEST_BIRTH}) AS born, "
            "any_value(born) FILTER (born > 0) AS born_as_listed, "
            "any_value(flag) AS flag, "
            "max(title) FILTER (list = $before) AS old_title, max(title) FILTER (list = $after) AS title, "
            "bool_or(list = $before) AND bool_or(list = $after) AS in_both FROM player "
            "WHERE list IN ($before, $after) GROUP BY id",
            lists,
        )

    def ask(self, sql: str, parameters: Mapping[str, object] | None = None) -> list[tuple[Any, ...]]:
        return run(self.connection, sql, parameters)

    def result(self) -> Audit:
        """The whole comparison."""
        year, bands = self.after.month.year, self.rules.k.value
        self.ask(
            f"CREATE TEMP TABLE explained AS SELECT *, {explanation(bands, year)} AS line "
            "FROM both_lists JOIN people USING (id) WHERE rating IS NOT NULL"
        )
        ((before, after, entered, left, moved, corrected, k, games),) = self.ask(
            "SELECT count(old_rating), count(rating), count(*) FILTER (old_rating IS NULL), "
            f"count(*) FILTER (rating IS NULL), count(*) FILTER ({MOVED}), "
            f"count(*) FILTER ({MOVED} AND {UNPLAYED}), count(k), count(games) FROM both_lists"
        )
        ((titles,),) = self.ask(f"SELECT count(*) FROM people WHERE {RETITLED}")
        ruled = k > 0 and self.after.name == FIDE  # FIDE's rule does not apply to the K of other lists
        strange = f"line IS NULL OR (old_rating IS NULL AND k NOT IN ({_newcomer_ks(bands)}))"
        ((unexplained,),) = self.ask(f"SELECT count(*) FROM explained WHERE {strange}") if ruled else ((0,),)
        return Audit(
            self.before, self.after, self.pace,
            AuditCounts(before, after, entered, left, moved, corrected if games else None, titles, unexplained),
            tuple(
                EnteredK(*row)
                for row in self.ask(
                    "SELECT k, count(*) FROM both_lists WHERE old_rating IS NULL GROUP BY k ORDER BY 2 DESC"
                )
            ),
            self._first_rows(
                EnteredPlayer,
                "SELECT id, name, federation, rating, k FROM explained WHERE old_rating IS NULL "
                "ORDER BY rating DESC, id",
            ),
            self._first_rows(
                ChangedPlayer, f"SELECT id, name, old_title, title FROM people WHERE {RETITLED} ORDER BY id"
            ),
            self._first_rows(
                ChangedPlayer,
                f"SELECT id, name, old_rating, rating FROM both_lists JOIN people USING (id) WHERE {MOVED} "
                f"AND {UNPLAYED if games else 'true'} ORDER BY abs(rating::INTEGER - old_rating) DESC, id",
            ),
            self._explained() if ruled else (),
            self._first_rows(
                UnexplainedK,
                f"SELECT id, name, rating, born, k, old_k FROM explained WHERE {strange} ORDER BY rating DESC, id",
            ) if ruled else (),
            self.rules.k.cite,
            self._checks(bands, year) if ruled else (),
            self._distributions(year),
            *self._practice(bands, year, ruled=ruled),
        )  # fmt: skip

    def _explained(self) -> tuple[ExplainedK, ...]:
        """Every K with the line of the rule that explains it, the most players first."""
        found = self.ask("SELECT line, k, count(*) FROM explained GROUP BY ALL ORDER BY 3 DESC")
        return tuple(ExplainedK(_line(line), k, players) for line, k, players in found)

    def _first_rows(self, kind: Callable[..., T], sql: str) -> tuple[T, ...]:
        """The first rows of a query, each as an object of this kind."""
        return tuple(kind(*row) for row in self.ask(f"{sql} LIMIT {self.most}"))

    def _checks(self, bands: tuple[KBand, ...], year: int) -> tuple[KCheck, ...]:
        """For each line of the rule that a list can check: how many players it applies to, and how many have its K."""
        checks = []
        for place, band in enumerate(bands):
            if band.games_under is not None or (band.peak_from is None and band.peak_under is None):
                continue
            above = [_holds(other, year, peak="rating") for other in bands[:place] if other.games_under is None]
            here = " AND ".join([_holds(band, year, peak="rating"), *(f"NOT ({condition})" for condition in above)])
            ((players, as_ruled),) = self.ask(
                f"SELECT count(*), count(*) FILTER (k = {band.k}) FROM explained WHERE {here}"
            )
            checks.append(KCheck(band.name, band.k, band.says, players, as_ruled))
        ((entered, new),) = self.ask(
            f"SELECT count(*), count(*) FILTER (k IN ({_newcomer_ks(bands)})) FROM explained WHERE old_rating IS NULL"
        )
        k = int(_newcomer_ks(bands).split(",")[0])
        return (*checks, KCheck("entered", k, say("lists.audit.entered"), entered, new))

    def _practice(
        self, bands: tuple[KBand, ...], year: int, *, ruled: bool
    ) -> tuple[tuple[StandingIn, ...], NewcomersK | None]:
        """What rapid and blitz lists show about K where the regulations are unclear; nothing for standard."""
        if not ruled or self.pace == STANDARD:
            return (), None
        earlier = [found for found in lists_in(self.connection, self.before.name) if found.month == self.before.month]
        standard = next((found.list for found in earlier if STANDARD in found.paces), None)
        stood_in = () if standard is None else standing_in(self.ask, bands, year, standard)
        return stood_in, adults(self.ask, bands, year)

    def _distributions(self, year: int) -> tuple[ListGroup, ...]:
        """Players and their mean rating: by federation and sex, the largest first; by age, the youngest first."""
        youngest = f"({year} - born) // {AGES} * {AGES}"
        groups = {
            "federation": ("federation", "count(*) DESC, 1"),
            "age": (f"({youngest}) || '–' || ({youngest} + {AGES - 1})", f"min({youngest})"),
            "sex": ("sex", "count(*) DESC, 1"),
        }
        return tuple(
            ListGroup(by, group or say("lists.audit.unknown"), players, mean)
            for by, (sql, order) in groups.items()
            for group, players, mean in self.ask(
                f"SELECT {sql}, count(*), round(avg(rating), 1) FROM explained GROUP BY 1 ORDER BY {order}"
            )
        )


def explanation(bands: tuple[KBand, ...], year: int) -> str:
    """SQL for the line of the rule that explains a published K; null if no history can explain it."""
    cases, earlier = [], []
    for place, band in enumerate(bands):
        above = [_holds(other, year) for other in bands[:place] if other.games_under is None]
        none_above = " AND ".join(f"NOT ({condition})" for condition in above) or "true"
        cases.append(f"WHEN k = {band.k} AND {_holds(band, year)} AND {none_above} THEN '{band.name}'")
        certain = [_holds(other, year) for other in bands[:place] if other.peak_from is not None]
        not_certain = " AND ".join(f"NOT ({condition})" for condition in certain) or "true"
        if band.until_age is None and band.games_under is None:
            earlier.append(f"WHEN k = {band.k} AND {not_certain} THEN '{band.name}{EARLIER}'")
    return f"CASE {' '.join(cases)} {' '.join(earlier)} END"


def _holds(band: KBand, year: int, *, peak: str = "peak") -> str:
    """A line of the rule as SQL, without the number of games, which a list does not have."""
    conditions = [
        f"{peak} >= {band.peak_from}" if band.peak_from is not None else "",
        f"{peak} < {band.peak_under}" if band.peak_under is not None else "",
        f"coalesce({year} - born <= {band.until_age}, false)" if band.until_age is not None else "",
    ]
    return " AND ".join(filter(None, conditions)) or "true"


def _newcomer_ks(bands: tuple[KBand, ...]) -> str:
    """The K of newcomers, as a list for SQL."""
    return ", ".join(str(band.k) for band in bands if band.games_under is not None)


def _line(name: str | None) -> str | Message | None:
    """A line of the rule, with a remark if only an earlier list can show that it applies."""
    if name is None or not name.endswith(EARLIER):
        return name
    return say("lists.audit.earlier", line=name.removesuffix(EARLIER))


def standing_in(ask: Ask, bands: tuple[KBand, ...], year: int, standard: int) -> tuple[StandingIn, ...]:
    """Adults who entered the list by playing, grouped by their K on the earlier standard list."""
    until_age = max((band.until_age or 0 for band in bands), default=0)
    rows = ask(
        "SELECT earlier.k, count(*), count(*) FILTER (explained.k = earlier.k), "
        "round(sqrt(avg((explained.rating::INTEGER - earlier.rating) ** 2 / explained.games)), 1) "
        f"FROM explained JOIN rating AS earlier ON earlier.id = explained.id AND earlier.list = {standard} "
        "AND earlier.pace = 'standard' AND earlier.rating IS NOT NULL AND earlier.k IS NOT NULL "
        f"WHERE old_rating IS NULL AND explained.games > 0 AND coalesce({year} - born > {until_age}, true) "
        "GROUP BY earlier.k ORDER BY earlier.k"
    )
    return tuple(StandingIn(*row) for row in rows)


def adults(ask: Ask, bands: tuple[KBand, ...], year: int) -> NewcomersK | None:
    """Adults below the juniors' level: how many have a newcomer's K, and how it changed; None without such rules."""
    new = next((band for band in bands if band.games_under is not None), None)
    junior = next((band for band in bands if band.until_age is not None), None)
    if new is None or junior is None:
        return None
    ((players, newcomers_k, entered, had, now_other),) = ask(
        f"SELECT count(*), count(*) FILTER (k = {new.k}), count(*) FILTER (k = {new.k} AND old_rating IS NULL), "
        f"count(*) FILTER (old_k = {new.k} AND games > 0), "
        f"count(*) FILTER (old_k = {new.k} AND games > 0 AND k = {bands[-1].k}) "
        # A player born in the year 198, as a list has it, is not a junior either.
        f"FROM explained WHERE {year} - born_as_listed > {junior.until_age} AND rating < {junior.peak_under}"
    )
    return NewcomersK(junior.peak_under, players, new.k, newcomers_k, entered, had, then=bands[-1].k, now=now_other)
