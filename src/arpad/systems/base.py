"""System: a rating system as a record of its rules and of the functions that apply them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import date
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from arpad.core import EloStanding, Event, Game, Period, Player, Standing, as_day, as_games, as_period, as_player
from arpad.errors import BadInput, Unsupported
from arpad.messages import FieldName, Message, say
from arpad.systems.answers import FirstRating, RatingChange

if TYPE_CHECKING:
    from arpad.core import Number, Pace, Rating
    from arpad.rulebooks import Rulebook, Rules
    from arpad.systems.answers import Conversion, Expectation

    Setting = str | float | Decimal | Mapping[str, str] | None  # a number, a word, or readings by rule

    class RatesPeriods(Protocol):
        """Rates the events of one rating period."""

        def __call__(
            self, player: Player | Standing | Number | None, period: Period | Event | Iterable[Event], *, on: date
        ) -> RatingChange: ...

    class Expects(Protocol):
        """One game before it is played: the expected score, and the change for win, draw and loss."""

        def __call__(
            self,
            player: Player | Standing | Number | None,
            opponent: Player | Standing | Number | None,
            *,
            on: date,
            pace: Pace | None = None,
        ) -> Expectation: ...

    class FirstRates(Protocol):
        """Gives an unrated player a first rating from games or events."""

        def __call__(self, games: Iterable[Game | Event], *, on: date, pace: Pace | None = None) -> FirstRating: ...

    class Converts(Protocol):
        """Converts a published rating as a one-off conversion did."""

        def __call__(
            self,
            rating: Rating,
            *,
            on: date | None = None,
            standard: Rating | None = None,
            dwz_index: int | None = None,
        ) -> Conversion: ...

    class ExpectsScores(Protocol):
        """The expected score for a difference, player minus opponent, without any cap."""

        def __call__(self, difference: Rating, *, on: date) -> Decimal: ...


@dataclass(frozen=True, slots=True)
class System:
    """A rating system: its name, its rules, and the functions that apply the rules of a day to games.

    `base` is the name of the system whose rules and formulas these are; a club's own system has another name, but the
    same base. `standing` is what its players have: a rating and a K, a rating and a deviation, a DWZ and an index.
    `national` is how a federation's own system rates a whole event; None for all others.
    """

    name: str
    base: str
    title: str
    rulebook: Rulebook[Rules]
    standing: type[Standing]
    rate_period: RatesPeriods
    expect: Expects
    expected_score: ExpectsScores
    first_rating: FirstRates
    conversion: Converts
    national: National | None = None

    @classmethod
    def of(
        cls,
        name: str,
        title: str,
        rulebook: Rulebook[Rules],
        *,
        rate_period: Callable[..., RatingChange],
        expect: Callable[..., Expectation],
        standing: type[Standing] = EloStanding,
        expected_score: ExpectsScores | None = None,
        first_rating: FirstRates | None = None,
        conversion: Converts | None = None,
        national: National | None = None,
    ) -> System:
        """A system from its functions; one that it does not have raises Unsupported when it is called.

        The functions get a Player and a date, however the caller gave them.
        """

        def rate(
            player: Player | Standing | Number | None, period: Period | Event | Iterable[Event], *, on: date
        ) -> RatingChange:
            return rate_period(own_player(player, standing, name), as_period(period), on=as_day(on))

        def expects(
            player: Player | Standing | Number | None,
            opponent: Player | Standing | Number | None,
            *,
            on: date,
            pace: Pace | None = None,
        ) -> Expectation:
            own = own_player(player, standing, name)
            return expect(own, as_player(opponent), on=as_day(on), pace=pace)

        return cls(
            name,
            name,
            title,
            rulebook,
            standing,
            rate,
            expects,
            _with_checked_day(expected_score) or partial(_unsupported, name, "expected_score"),
            _with_checked_day(first_rating) or partial(_unsupported, name, "first_rating"),
            conversion or partial(_unsupported, name, "conversion"),
            national,
        )

    def rate(
        self,
        player: Player | Standing | Number | None,
        games: Iterable[Game] | Game,
        *,
        on: date,
        base: Rating | None = None,
        pace: Pace | None = None,
    ) -> RatingChange:
        """The new rating after the games of one event."""
        period = Period((Event(as_games(games), pace=pace),), base)
        return self.rate_period(player, period, on=on)


def own_player(value: Player | Standing | Number | None, kind: type[Standing], system: str) -> Player:
    """The player with the system's own kind of standing, and without a K from another system's list."""
    player = as_player(value)
    standing = player.standing
    if isinstance(standing, EloStanding) and _of_another_list(standing, system):
        standing = replace(standing, k=None, k_from=None)
    if not isinstance(standing, kind):
        standing = _converted(standing, kind, system)
    return player if standing is player.standing else replace(player, standing=standing)


def _of_another_list(standing: EloStanding, system: str) -> bool:
    """Whether K is from another system's list; where FIDE's standard rating stands in, its K does not count as one."""
    if standing.k_from is None or standing.k_from.system in (None, system):
        return False
    stands_in = standing.rating is None and standing.standard is not None
    return not (stands_in and system.startswith("fide-"))


def _converted(standing: Standing, kind: type[Standing], system: str) -> Standing:
    """A standing as another kind; refused if something the user gave would be lost."""
    rating_alone = type(standing) is Standing
    listed = isinstance(standing, EloStanding) and (standing.k is None or standing.k_from is not None)
    if rating_alone or listed:  # the user gave nothing else
        return kind(standing.rating)
    given = {field.name: value for field in fields(standing) if (value := getattr(standing, field.name)) is not None}
    unused = given.keys() - {field.name for field in fields(kind)}
    if unused:
        name = min(unused)
        raise BadInput(say("systems.unused", system=system, what=FieldName(name)), at=name)
    return kind(**given)


def _with_checked_day(function: Callable[..., Any] | None) -> Any:
    """The function with its day checked; None if there is no function."""
    return function and (lambda *given, on, **more: function(*given, on=as_day(on), **more))


def _unsupported(system: str, what: str, *_: Any, **__: Any) -> Any:
    """Stands in for a function that a system does not have."""
    raise Unsupported(say(f"systems.unsupported.{what}", system=system))


Calculation = RatingChange | FirstRating


class Met(NamedTuple):
    """A game of an event, and the starting number of the opponent; a bye has none."""

    opponent: int | None
    game: Game


class Competitor(NamedTuple):
    """A player in an event: the number, the player with this system's standing, the date of birth, the games.

    A `guest` has a rating from another list, which counts for the opponents, but is not rated. About an `unknown`
    player nothing was found; neither the player nor games against them are rated.
    """

    no: int
    player: Player
    born: date | None
    games: tuple[Met, ...]
    guest: bool = False
    unknown: bool = False

    @property
    def newcomer(self) -> bool:
        """Whether the player has no rating yet."""
        return self.player.rating is None and not self.unknown

    def played_any(self, numbers: Iterable[int]) -> bool:
        """Whether a game was played against any of these players."""
        among = set(numbers)
        return any(met.game.how == "played" and met.opponent in among for met in self.games)


Field = Mapping[int, Competitor]
Together = Callable[[Field, Event, date], Mapping[int, Calculation]]
FieldNotes = Callable[[Field, Mapping[int, Calculation], date], Iterable[Message]]


def first_day(began: date, ended: date | None) -> date:  # noqa: ARG001  # other systems use it
    """The first day of the event, whose rules apply in most systems."""
    return began


def no_notes(*_: object) -> Iterable[Message]:
    """No notes about the field as a whole."""
    return ()


@dataclass(frozen=True, slots=True)
class National:
    """How a federation's own system rates a tournament file.

    `federation` is the code of its records in a file, `standing` what a table may give for its players, and `day` finds
    the day whose rules apply from the first and the last day of the event. `together` rates everybody at once; if it is
    None, each player is rated separately. `notes` gives the notes about the field as a whole. Whether the FIDE rating
    of a player without a rating in this system counts for the opponents is the rule `guests`.
    """

    federation: str
    standing: type[Standing]
    day: Callable[[date, date | None], date] = first_day
    together: Together | None = None
    notes: FieldNotes = no_notes
