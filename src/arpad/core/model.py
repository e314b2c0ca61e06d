"""The nouns: Player, Game, Event, Period, Pace, and Field, Pairing, PlannedEvent ahead. All are frozen."""

# No postponed annotations here: named tuples would compile each one, which costs the command line milliseconds.

from collections.abc import Iterable
from datetime import date
from decimal import Decimal, InvalidOperation
from operator import index
from re import fullmatch
from typing import Any, NamedTuple

from arpad.errors import BadInput

# Outside these no chess rating of any pool is meant: the bounds catch typing errors, not rules.
LOWEST_RATING, HIGHEST_RATING = 1, 4000
HIGHEST_K = 1000
LOWEST_DEVIATION, HIGHEST_DEVIATION = Decimal("0.001"), 1000
LOWEST_VOLATILITY, HIGHEST_VOLATILITY = Decimal("0.00001"), 1
LONGEST_IDLE = 100_000
MOST_GAMES = 1000
EARLIEST_BIRTH = 1850

WIN, DRAW, LOSS = Decimal(1), Decimal("0.5"), Decimal(0)
SCORES = (WIN, DRAW, LOSS)
FIGURES = set("0123456789.+-")  # of a number as people write one
DECIMAL_COMMA = r"-?(0,[0-9]{1,9}|[0-9]{1,9},[0-9]{1,2})"

Rating = int | Decimal


def number(value: Any, what: str, allowed: str, *, at: str | None = None) -> int | Decimal:
    """A finite number, whole if it is whole, or a BadInput that says what is allowed."""
    if type(value) is str and len(value) <= 9 and value.isascii() and value.isdigit():
        return int(value)  # what most texts are, without the way round
    try:
        exact = Decimal(_plain_number(value))
    except (InvalidOperation, TypeError, ValueError):
        raise BadInput(f"{value!r} is not {what}; {allowed}.", at=at) from None
    # A number of a billion or more is refused before anybody tries to write it out.
    if not exact.is_finite() or exact.adjusted() > 9:
        raise BadInput(f"{value!r} is not {what}; {allowed}.", at=at)
    return int(exact) if exact == exact.to_integral_value() else exact


def _plain_number(value: Any) -> Any:
    """A number as `Decimal` takes it; an array library's integers count, truth values and `1e3` do not, `1e-9` does.

    The comma of `0,75` is a decimal one; that of `1,750` could part thousands, so it is refused.
    """
    if isinstance(value, str) and fullmatch(DECIMAL_COMMA, value.strip()):
        return value.strip().replace(",", ".")
    if isinstance(value, bool) or (isinstance(value, str) and not set(value.strip().replace("e-", "")) <= FIGURES):
        return "NaN"
    if isinstance(value, float):
        return repr(float(value))
    return index(value) if hasattr(value, "__index__") else value


def rating_of(value: Any, *, at: str | None = None) -> Rating:
    """A rating within the bounds of sense."""
    if type(value) is int and LOWEST_RATING <= value <= HIGHEST_RATING:
        return value
    allowed = f"a rating is a number from {LOWEST_RATING} to {HIGHEST_RATING}"
    if isinstance(value, str) and "," in value:  # between two opponents, more likely than in a rating
        raise BadInput(f"{value!r} is not a rating; {allowed}.", at=at)
    rating = number(value, "a rating", allowed, at=at)
    if not LOWEST_RATING <= rating <= HIGHEST_RATING:
        raise BadInput(f"{value} is not a rating; {allowed}.", at=at)
    return rating


def k_of(value: Any, *, at: str | None = None) -> Rating:
    """A development coefficient given by hand."""
    return between(value, "a K", 0, HIGHEST_K, at=at)


def deviation_of(value: Any, *, at: str | None = None) -> Rating:
    """A rating deviation."""
    return between(value, "a deviation", LOWEST_DEVIATION, HIGHEST_DEVIATION, at=at)


def volatility_of(value: Any, *, at: str | None = None) -> Rating:
    """A volatility."""
    return between(value, "a volatility", LOWEST_VOLATILITY, HIGHEST_VOLATILITY, at=at)


def between(value: Any, what: str, above: Rating, at_most: Rating, *, at: str | None) -> Rating:
    """A number above one bound and at most another."""
    allowed = f"{what} is a number above {above} and at most {at_most}; leave it out if you do not know it"
    exact = number(value, what, allowed, at=at)
    if not above < exact <= at_most:
        raise BadInput(f"{value} is not {what}; {allowed}.", at=at)
    return exact


def whole_of(value: Any, what: str, low: int, high: int | None = None, *, at: str | None) -> int:
    """A whole number between two bounds, or from one on."""
    allowed = f"{what} is a whole number from {low} {'on' if high is None else f'to {high}'}"
    exact = number(value, what, allowed, at=at)
    if not isinstance(exact, int) or exact < low or (high is not None and exact > high):
        raise BadInput(f"{value} is not {what}; {allowed}.", at=at)
    return exact


class KOrigin(NamedTuple):
    """The rating list that a K was read from, and the system it is the K of; None is whatever system rates."""

    list: str
    system: str | None = None


class _Player(NamedTuple):
    rating: Rating | None
    k: Rating | None
    k_from: KOrigin | None
    birth_year: int | None
    games: int | None
    peak: Rating | None
    standard: Rating | None
    deviation: Rating | None
    volatility: Rating | None
    dwz_index: int | None
    idle: Rating | None
    title: str | None
    federation: str | None
    sex: str | None
    fide_id: int | None
    name: str | None


class Player(_Player):
    """Somebody with a rating, or without one (`None`), and what is known of them.

    `k_from` is the rating list that has this K; None where it was given by hand. `peak` is the highest published
    rating, `games` the rated games completed so far, and `standard` the standard rating that stands in where a rapid
    or blitz rating is missing. `deviation`, `volatility` and `idle` (the rating periods without a game so far; days at
    Lichess) are for the systems that have them, Glicko's family; `dwz_index` is Germany's count of rated tournaments.
    What is not known is `None`, never 0.
    """

    __slots__ = ()

    def __new__(
        cls,
        rating: Any,
        *,
        k: Any = None,
        k_from: KOrigin | None = None,
        birth_year: Any = None,
        games: Any = None,
        peak: Any = None,
        standard: Any = None,
        deviation: Any = None,
        volatility: Any = None,
        dwz_index: Any = None,
        idle: Any = None,
        title: str | None = None,
        federation: str | None = None,
        sex: str | None = None,
        fide_id: int | None = None,
        name: str | None = None,
    ) -> "Player":
        return super().__new__(
            cls,
            None if rating is None else rating_of(rating, at="rating"),
            None if k is None else k_of(k, at="k"),
            None if k is None else k_from,
            None if birth_year is None else whole_of(birth_year, "a year of birth", EARLIEST_BIRTH, at="born"),
            None if games is None else whole_of(games, "a number of games", 0, 1_000_000, at="games"),
            None if peak is None else rating_of(peak, at="peak"),
            None if standard is None else rating_of(standard, at="standard"),
            None if deviation is None else deviation_of(deviation, at="deviation"),
            None if volatility is None else volatility_of(volatility, at="volatility"),
            None if dwz_index is None else whole_of(dwz_index, "a DWZ index", 0, 10_000, at="dwz_index"),
            None if not idle and idle in (None, 0, "0") else between(idle, "an idle time", 0, LONGEST_IDLE, at="idle"),
            title,
            federation,
            sex,
            fide_id,
            name,
        )

    def __repr__(self) -> str:
        known = ", ".join(f"{name}={value!r}" for name, value in self._asdict().items() if value is not None)
        return f"Player({known or 'None'})"


UNRATED = Player(None)


class _Game(NamedTuple):
    opponent: Player
    score: Decimal
    how: str
    colour: str | None


class Game(_Game):
    """One result: the opponent, the player's own score, and whether it was `played`, a `forfeit`, a `bye` or `short`.

    `colour` is the player's own, `white` or `black`, for the systems that look at it; None if it is not known.
    """

    __slots__ = ()

    def __new__(cls, opponent: Any, score: Any, how: str = "played", *, colour: str | None = None) -> "Game":
        exact = Decimal(number(score, "a score", "a score is 1, 0.5 or 0", at="score"))
        if exact not in SCORES:
            raise BadInput(f"{score} is not a score; a score is 1, 0.5 or 0.", at="score")
        if how not in HOWS:
            raise BadInput(f"A game is one of {', '.join(HOWS)}, not {how!r}.", at="how")
        if not isinstance(opponent, Player):
            opponent = UNRATED if opponent is None else Player(opponent)
        if colour is not None and colour not in COLOURS:
            raise BadInput(f"{colour!r} is not a colour; a colour is white or black.", at="colour")
        return super().__new__(cls, opponent, exact, how, colour)


HOWS = ("played", "forfeit", "bye", "short")  # a short game ended before both had moved
COLOURS = ("white", "black")


def win(opponent: Any) -> Game:
    """A game won against a rating, a Player, or None for an unrated opponent."""
    return Game(opponent, WIN)


def draw(opponent: Any) -> Game:
    """A game drawn against a rating, a Player, or None for an unrated opponent."""
    return Game(opponent, DRAW)


def loss(opponent: Any) -> Game:
    """A game lost against a rating, a Player, or None for an unrated opponent."""
    return Game(opponent, LOSS)


def updated(player: Player, told: Player) -> Player:
    """A player with what somebody tells of them in the place of what was known; a K comes with where it is from."""
    known = {name: value for name, value in told._asdict().items() if value is not None}
    return player._replace(**known if told.k is None else {**known, "k_from": told.k_from})


def as_player(value: Any) -> Player:
    """Somebody, or somebody known by a rating alone."""
    return value if isinstance(value, Player) else Player(value)


def as_games(value: Any) -> tuple[Game, ...]:
    """Games; a single one counts as a list of one."""
    if isinstance(value, Game):
        return (value,)
    games = tuple(value) if not isinstance(value, str) else (value,)
    for number_of_it, game in enumerate(games, start=1):
        if not isinstance(game, Game):
            raise BadInput(
                f"{game!r} is not a game; make one with win(1950), draw(1950) or loss(1950).", at=f"game {number_of_it}"
            )
    return games


def as_opponents(value: Any) -> list[Any]:
    """Opponents, as players or ratings; a single one counts as a list of one, for a Player is a tuple too."""
    return [value] if isinstance(value, (Player, Decimal, int, float, str)) else list(value)


def as_day(value: Any) -> date:
    """A day, without a time of day."""
    if type(value) is not date:
        raise BadInput(f"{value!r} is not a day; give a datetime.date.", at="on")
    return value


class Pace(NamedTuple):
    """A time control: minutes for the game and seconds added for each move."""

    minutes: Rating
    increment: Rating = 0

    @property
    def total(self) -> Rating:
        """Minutes and seconds, added: the minutes that 60 moves may take."""
        return self.minutes + self.increment

    def fits(self, span: Any) -> bool:
        """Whether the total is what a rule asks for, by its `at_least`, `more_than`, `less_than` and `at_most`."""
        total = self.total
        return (
            (span.at_least is None or total >= span.at_least)
            and (span.more_than is None or total > span.more_than)
            and (span.less_than is None or total < span.less_than)
            and (span.at_most is None or total <= span.at_most)
        )

    def __str__(self) -> str:
        return f"{self.minutes}+{self.increment}"


class Event(NamedTuple):
    """The games of one tournament, with the list rating and the rules of the day on which it began."""

    games: tuple[Game, ...]
    rating: Rating | None = None
    on: date | None = None
    name: str | None = None
    pace: Pace | None = None


class Period(NamedTuple):
    """The events that enter one rating list, and the rating they are added to if FIDE corrected it."""

    events: tuple[Event, ...]
    base: Rating | None = None


def as_period(value: Any) -> Period:
    """A period; an event alone or a list of events is one without a corrected base."""
    events = (value,) if isinstance(value, Event) else tuple(value)
    for number_of_it, event in enumerate(events, start=1):
        if not isinstance(event, Event):
            raise BadInput(f"{event!r} is not an event; make one with Event((win(1950),)).", at=f"event {number_of_it}")
    return Period(events)


def check_size(period: Period) -> None:
    """A period has games, and not too many to be rated at once."""
    games = sum(len(event.games) for event in period.events)
    if not 0 < games <= MOST_GAMES:
        raise BadInput(f"{games} games cannot be rated at once; give from 1 to {MOST_GAMES}.", at="games")


def check_born(player: Player, day: date) -> None:
    """Nobody plays before being born."""
    if player.birth_year is not None and player.birth_year > day.year:
        raise BadInput(f"Born in {player.birth_year} is after {day}, the day of the event.", at="born")


def with_pace(events: Iterable[Event], pace: Pace | None) -> list[Event]:
    """Events with a time control that holds for all, where they have none of their own."""
    if pace is None:
        return list(events)
    return [event if event.pace is not None else event._replace(pace=pace) for event in events]


def last_day(events: Iterable[Event]) -> date | None:
    """The day of the last event; None if none has one."""
    return max((event.on for event in events if event.on is not None), default=None)


def one_game(opponent: Any, score: Any, pace: Pace | None = None) -> Period:
    """A period of one game."""
    return Period((Event((Game(opponent, score),), pace=pace),))


class Field(NamedTuple):
    """Opponents who are not known yet: the average rating of those one may meet, and its standard deviation."""

    average: Rating
    spread: Rating


class Pairing(NamedTuple):
    """A game on the schedule: the opponent, the score once there is one, and the player's colour if it is known."""

    opponent: Player | Field
    score: Decimal | None = None
    colour: str | None = None
    how: str = "played"


class PlannedEvent(NamedTuple):
    """An event of which some games, or all, are still to be played."""

    pairings: tuple[Pairing, ...]
    on: date | None = None
    name: str | None = None
    pace: Pace | None = None
