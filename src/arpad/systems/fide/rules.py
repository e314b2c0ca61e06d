"""The typed rules of FIDE's three lists: what each value is, and how it is read."""

# No postponed annotations here: named tuples would compile each one, which costs the command line milliseconds.

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from arpad.messages import say
from arpad.rulebooks import TABLES, BadValue, ExpectedTable, Rule, one_of, record, rounding_name, text, whole, within


class KBand(NamedTuple):
    """One line of the K rule and its conditions; the first line whose conditions are met applies."""

    k: int
    name: str
    says: str
    peak_from: int | None = None
    peak_under: int | None = None
    until_age: int | None = None
    games_under: int | None = None


class Cap(NamedTuple):
    """The 400-point rule: the limit, which games, which side, and below which own rating."""

    over: int
    games: str
    side: str
    own_under: int | None = None


class TooFar(NamedTuple):
    """The gap from which a game is not rated if either player is above a level."""

    gap: int
    above: int


class Rounding(NamedTuple):
    """How a change is rounded, and how often."""

    by: str
    once_per: str


class TimeBand(NamedTuple):
    """The minutes for 60 moves that a game needs, by the highest rating in the game or in the tournament."""

    rated_from: int = 0
    of: str = "game"
    at_least: int | None = None
    more_than: int | None = None
    less_than: int | None = None
    at_most: int | None = None

    def __str__(self) -> str:
        bounds = [name for name in ("at_least", "more_than", "less_than", "at_most") if getattr(self, name) is not None]
        said = [say(f"steps.minutes.{name}", minutes=getattr(self, name)) for name in bounds]
        return str(say("steps.minutes.all", bounds=said))


class FirstEvent(NamedTuple):
    """What an event needs to start a first rating; with `every`, what each event needs to count.

    With `once` only the very first event can be dropped; otherwise every event until one qualifies.
    """

    points: Decimal
    opponents: int
    every: bool
    once: bool = False


class PoolMonths(NamedTuple):
    """How long results are pooled: in monthly rating periods, or to the day."""

    months: int
    counted: str


class FirstRule(NamedTuple):
    """Either hypothetical draws and a ceiling, or a bonus for each half point over 50 %."""

    draws: int = 0
    against: int = 0
    at_most: int | None = None
    bonus: Decimal | None = None


class ListDates(NamedTuple):
    """The months between two lists, how many days before a list its events must have ended, and which K counts.

    K is that of the list before the one an event enters (`list`), or that of the day the event began (`start`).
    """

    months: int
    closing: int
    k: str


class OneOff(NamedTuple):
    """A one-off conversion: part of the way to a level, or to a given distance below the standard rating."""

    level: int | None = None
    share: Decimal | None = None
    within: int | None = None


class FideRules(NamedTuple):
    """The rules of a day; a rule that did not exist then is None."""

    expected: Rule[ExpectedTable]
    dp: Rule[Mapping[int, int]]
    k: Rule[tuple[KBand, ...]]
    cap: Rule[Cap]
    rounding: Rule[Rounding]
    floor: Rule[int]
    unrated_opponent: Rule[str]
    unplayed: Rule[str]
    time_control: Rule[Mapping[str, tuple[TimeBand, ...]]]
    first_games: Rule[int]
    first_event: Rule[FirstEvent]
    first_rating: Rule[FirstRule]
    percentage: Rule[str]
    lists: Rule[ListDates]
    k_limit: Rule[int] | None = None
    pool_months: Rule[PoolMonths] | None = None
    one_off: Rule[OneOff] | None = None
    too_far: Rule[TooFar] | None = None
    stands_in: Rule[str] | None = None
    stands_in_k: Rule[str] | None = None
    fast_classic: Rule[tuple[str, ...]] | None = None

    @property
    def k_of_standard(self) -> bool:
        """Whether a player whose standard rating stands in has the K of the standard list."""
        return self.stands_in_k is not None and self.stands_in_k.value == "standard"

    @property
    def round_robins_differ(self) -> bool:
        """Whether games of unrated players counted in round robins, by a procedure that is not implemented here."""
        return self.unrated_opponent.value == "not rated in a Swiss"

    @property
    def k_at_start(self) -> bool:
        """Whether K is that of the start of each tournament."""
        return self.lists.value.k == "start"

    @property
    def time_by_tournament(self) -> bool:
        """Whether the highest rating of the whole tournament decides how much time its games need."""
        return any(band.of == "tournament" for bands in self.time_control.value.values() for band in bands)

    def publishes(self, rating: int | Decimal) -> bool:
        """Whether a rating is published: not below the floor (7.2.1)."""
        return rating >= self.floor.value


def _k(value: Any) -> tuple[KBand, ...]:
    bands = tuple(record(KBand, band) for band in value)
    if not bands or any(condition is not None for condition in bands[-1][3:]):
        raise BadValue(say("rulebooks.value.k_lines"))
    return bands


def _rounding(value: Any) -> Rounding:
    rounding = record(Rounding, value)
    rounding_name(rounding.by)
    one_of("period", "event")(rounding.once_per)
    return rounding


def _cap(value: Any) -> Cap:
    cap = record(Cap, value)
    one_of("every", "largest")(cap.games)
    one_of("both", "higher")(cap.side)
    return cap


def _time_control(value: Any) -> Mapping[str, tuple[TimeBand, ...]]:
    read = {pace: tuple(record(TimeBand, band) for band in bands) for pace, bands in value.items()}
    for bands in read.values():
        for band in bands:
            one_of("game", "tournament")(band.of)
    return read


def _first_event(value: Any) -> FirstEvent:
    return FirstEvent(Decimal(value["points"]), whole(value["opponents"]), value["every"], value.get("once", False))


def _first_rating(value: Any) -> FirstRule:
    if "bonus" in value:
        return FirstRule(bonus=Decimal(value["bonus"]))
    return record(FirstRule, value)


def _pool_months(value: Any) -> PoolMonths:
    pool = record(PoolMonths, value)
    within(pool.months, 1, 1200)
    one_of("periods", "to the day")(pool.counted)
    return pool


def _lists(value: Any) -> ListDates:
    lists = record(ListDates, value)
    within(lists.months, 1, 12)
    within(lists.closing, 0, 28)
    one_of("list", "start")(lists.k)
    return lists


def _one_off(value: Any) -> OneOff:
    if "share" in value:
        return OneOff(whole(value["level"]), Decimal(value["share"]))
    return OneOff(within=whole(value["within"]))


EVERY_LIST: Mapping[str, Callable[[Any], Any]] = {
    **TABLES,
    "k": _k,
    "k_limit": whole,
    "cap": _cap,
    "rounding": _rounding,
    "floor": whole,
    "unrated_opponent": one_of("not rated", "not rated in a Swiss"),
    "unplayed": one_of("not rated"),
    "time_control": _time_control,
    "first_games": whole,
    "first_event": _first_event,
    "pool_months": _pool_months,
    "first_rating": _first_rating,
    "percentage": rounding_name,
    "one_off": _one_off,
    "lists": _lists,
}
STANDARD: Mapping[str, Callable[[Any], Any]] = {
    **EVERY_LIST,
    "fast_classic": lambda value: tuple(text(pace) for pace in value),
}
RAPID_AND_BLITZ: Mapping[str, Callable[[Any], Any]] = {
    **EVERY_LIST,
    "too_far": lambda value: record(TooFar, value),
    "stands_in": one_of("standard"),
    "stands_in_k": one_of("standard", "newcomer"),
}
