"""System, a record of functions, and Calculation, what every one of them answers with."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation.step import Step, walk
from arpad.core.model import Event, Period, Player, as_day, as_games, as_period, as_player
from arpad.core.roundings import decimal, half_up
from arpad.errors import Unsupported

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Protocol

    from arpad.calculation.answers import Expectation
    from arpad.calculation.first_rating import FirstRating
    from arpad.core.model import Game, Pace, Rating
    from arpad.rulebooks.rulebook import Rule, Rulebook
    from arpad.systems.fide.conversion import Conversion

    class GameLine(Protocol):
        """One game in an answer, as every door shows it; `counted` is the difference that the rules looked at."""

        @property
        def opponent(self) -> Any: ...
        @property
        def score(self) -> Decimal: ...
        @property
        def difference(self) -> Any: ...
        @property
        def counted(self) -> Any: ...
        @property
        def expected(self) -> Any: ...
        @property
        def change(self) -> Any: ...
        @property
        def rated(self) -> bool: ...
        @property
        def why(self) -> str | None: ...

    class RatePeriod(Protocol):
        """The events of one rating period to a new rating."""

        def __call__(self, player: Player | Rating, period: Period, *, on: date) -> Rated: ...

    class Expect(Protocol):
        """One game before it is played: the expected score, and the change for win, draw and loss."""

        def __call__(
            self, player: Player | Rating, opponent: Player | Rating, *, on: date, pace: Pace | None = None
        ) -> Expectation: ...

    class FirstRate(Protocol):
        """An unrated player's games, or events, to a first rating."""

        def __call__(self, games: Iterable[Game | Event], *, on: date, pace: Pace | None = None) -> FirstRating: ...

    class Convert(Protocol):
        """A published rating to what a one-off conversion made of it."""

        def __call__(self, rating: Rating, *, on: date | None = None, standard: Rating | None = None) -> Conversion: ...

    class ExpectedScore(Protocol):
        """The expected score for a difference, player minus opponent, without any cap."""

        def __call__(self, difference: Rating, *, on: date) -> Decimal: ...


class Note(NamedTuple):
    """Something the reader should know: what was assumed, or where readings differ. `render` has the words."""

    key: str
    values: Mapping[str, Any]


class Figure(NamedTuple):
    """A figure of the summary: what it is (a key of the words), the value, and a remark. None is left out."""

    key: str
    value: Any
    remark: str = ""


def date_notes(book: Rulebook[Any], on: date) -> list[Note]:
    """That the edition may have changed since the rules were last checked."""
    return [Note("date.future", {"on": on, "checked": book.checked})] if book.may_have_changed(on) else []


Notes = Callable[[], Iterable[Note]]  # notes are worked out when somebody reads them
Roots = Callable[[], tuple[Step, ...]]  # and so are the steps of an answer about many players


class Calculation:
    """An answer: its steps, the rules behind them, and notes."""

    def __init__(self, system: str, on: date, roots: tuple[Step, ...] | Roots, notes: Notes = tuple) -> None:
        self.system = system
        self.on = on
        self._roots = roots
        self._notes = notes

    @property
    def roots(self) -> tuple[Step, ...]:
        """The steps that the answer ends in."""
        if not isinstance(self._roots, tuple):
            self._roots = self._roots()
        return self._roots

    @property
    def notes(self) -> tuple[Note, ...]:
        """What the reader should know beside the figures."""
        return tuple(self._notes())

    @property
    def steps(self) -> list[Step]:
        """Every step once, in the order of a hand calculation."""
        return list(walk(*self.roots))

    @property
    def rules(self) -> list[Rule[Any]]:
        """The rules that were applied, each once."""
        return self.applied(self.steps)

    def applied(self, steps: Sequence[Step]) -> list[Rule[Any]]:
        """The rules behind these steps of the answer, each once."""
        # By identity: a rule's value may be a table, which has no hash.
        return list({id(step.rule): step.rule for step in steps if step.rule is not None}.values())

    def value(self) -> dict[str, Any]:
        """The answer as plain values, by the names of the public contract."""
        raise NotImplementedError

    def figures(self) -> list[Figure]:
        """The figures a reader looks for first, in order."""
        raise NotImplementedError

    def explain(self, form: str = "text") -> str:
        """The working as `text`, `markdown`, `html` or `json`."""
        # Words are loaded when somebody asks for them, not by every calculation.
        from arpad.calculation.explain import explain

        return explain(self, form)

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in self.value().items() if not isinstance(value, list))
        return f"{type(self).__name__}({shown})"


class Rated(Calculation):
    """What games did to a rating, in whatever system; a system without a K has none."""

    @property
    def rating(self) -> Any:
        """The rating before."""
        raise NotImplementedError

    @property
    def k(self) -> Any:
        """The player's K; None where the system has none."""
        return None

    @property
    def k_used(self) -> Any:
        """K after any limit."""
        return self.k

    @property
    def k_step(self) -> Step | None:
        """K after any limit, with its reasons; None where the system has none."""
        return None

    @property
    def k_why(self) -> str | None:
        """The sentence behind K."""
        return None

    @property
    def enter(self) -> Callable[[Decimal], tuple[Rating, int | None]] | None:
        """How any other change of these games would enter the list, as rounded change and new rating.

        None where the results decide more than the sum of the changes.
        """
        return None

    @property
    def rounded(self) -> Rating:
        """The change in whole points."""
        return half_up(decimal(self.change))

    @property
    def per_game(self) -> Sequence[GameLine]:
        """Every game, rated or not."""
        raise NotImplementedError

    @property
    def expected(self) -> Any:
        """The expected score in the rated games."""
        raise NotImplementedError

    @property
    def change(self) -> Any:
        """The exact change."""
        raise NotImplementedError

    @property
    def new_rating(self) -> Any:
        """The rating after the games; None if there is none."""
        raise NotImplementedError

    @property
    def games(self) -> int:
        """How many games were rated."""
        return sum(game.rated for game in self.per_game)

    @property
    def score(self) -> Decimal:
        """The score in the rated games."""
        return sum((game.score for game in self.per_game if game.rated), Decimal(0))


def not_yet(system: str, what: str) -> Any:
    """A function for what a system does not have; it says so when called."""

    def refuse(*_: Any, **__: Any) -> Any:
        raise Unsupported(f"The system {system} has no {what}; `arpad systems` shows what each one can do.")

    return refuse


def _own_player(value: Any, system: str) -> Player:
    """Somebody as a system rates them: the K of another system's list is nothing to it."""
    player = as_player(value)
    if player.k_from is None or player.k_from.system in (None, system):
        return player
    return player._replace(k=None, k_from=None)


def _dated(function: Callable[..., Any] | None) -> Any:
    """A function that gets a day, whatever the caller had for one; None if there is none."""
    return function and (lambda *given, on, **more: function(*given, on=as_day(on), **more))


class System(NamedTuple):
    """A rating system: its name, its rules, and the functions that apply the rules of a day to games.

    `base` is the name of the system whose rules and formulas these are; a club's own system keeps its base's.
    """

    name: str
    base: str
    title: str
    rulebook: Rulebook[Any]
    rate_period: RatePeriod
    expect: Expect
    expected_score: ExpectedScore
    first_rating: FirstRate
    conversion: Convert

    @classmethod
    def of(
        cls,
        name: str,
        title: str,
        rulebook: Rulebook[Any],
        *,
        rate_period: RatePeriod,
        expect: Expect,
        expected_score: ExpectedScore | None = None,
        first_rating: FirstRate | None = None,
        conversion: Convert | None = None,
    ) -> System:
        """A system with what it can do; what it cannot says so when it is asked.

        Its functions get players and days, whatever the caller had for them.
        """

        def rated(player: Player | Rating, period: Period, *, on: date) -> Rated:
            # Most have both already, and this is asked of every calculation.
            if type(player) is not Player or player.k_from is not None:
                player = _own_player(player, name)
            if type(period) is not Period:
                period = as_period(period)
            return rate_period(player, period, on=on if type(on) is date else as_day(on))

        def expects(
            player: Player | Rating, opponent: Player | Rating, *, on: date, pace: Pace | None = None
        ) -> Expectation:
            return expect(_own_player(player, name), as_player(opponent), on=as_day(on), pace=pace)

        return cls(
            name,
            name,
            title,
            rulebook,
            rated,
            expects,
            _dated(expected_score) or not_yet(name, "expected score without deviations"),
            _dated(first_rating) or not_yet(name, "first rating"),
            conversion or not_yet(name, "conversion"),
        )

    def rate(
        self,
        player: Player | Rating,
        games: Iterable[Game] | Game,
        *,
        on: date,
        base: Rating | None = None,
        pace: Pace | None = None,
    ) -> Rated:
        """Games of one event to a new rating: a period of one event."""
        period = Period((Event(as_games(games), pace=pace),), base)
        return self.rate_period(player, period, on=on)
