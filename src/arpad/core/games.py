"""Game, one result; Pairing and Field, games still to be played."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import Literal, NamedTuple, Protocol, get_args

from arpad.core.numbers import MOST_GAMES, Number, Rating, number
from arpad.core.players import UNRATED, Player, Standing
from arpad.errors import BadInput
from arpad.messages import AsTyped, Message, say

WIN, DRAW, LOSS = Decimal(1), Decimal("0.5"), Decimal(0)
SCORES = (WIN, DRAW, LOSS)
How = Literal["played", "forfeit", "bye", "short"]  # a short game ended before both had moved
Colour = Literal["white", "black"]
Result = Literal["1-0", "0-1", "1/2-1/2", "½-½"]  # as printed, White first
PRINTED: tuple[Result, ...] = get_args(Result)
DASHES = str.maketrans("–−", "--")
HOWS: tuple[How, ...] = get_args(How)
COLOURS: tuple[Colour, ...] = get_args(Colour)

Opponent = Player | Standing | Number | None  # how an opponent may be given; None is unrated
Score = float | Decimal  # White's score in a program: 1, 0.5 or 0
Shares = tuple[tuple[str, float], ...]  # of titles or federations: (("GM", 0.2), ("IM", 0.3))


@dataclass(frozen=True, slots=True, init=False)
class Game:
    """One result: the opponent, the player's own score, and whether it was `played`, a `forfeit`, a `bye` or `short`.

    Accepts a rating, a player, or None for an unrated opponent, and 1, 0.5 or 0; `colour` is the player's colour,
    `white` or `black`, for the systems that use it, and None if unknown. Raises BadInput for anything else.
    """

    opponent: Player
    score: Decimal
    how: How
    colour: Colour | None

    def __init__(self, opponent: Opponent, score: Number, how: How = "played", *, colour: Colour | None = None) -> None:
        exact = score if score in SCORES and isinstance(score, Decimal) else Decimal(number(score, "score", at="score"))
        if exact not in SCORES:
            raise BadInput(say("values.not.score", value=score), at="score")
        if how not in HOWS:
            as_how(how)
        if colour is not None:
            as_colour(colour)
        if not isinstance(opponent, Player):
            opponent = UNRATED if opponent is None else Player(opponent)
        object.__setattr__(self, "opponent", opponent)
        object.__setattr__(self, "score", exact)
        object.__setattr__(self, "how", how)
        object.__setattr__(self, "colour", colour)


def as_how(value: str) -> How:
    """How a game ended; raises BadInput for anything else."""
    if value not in HOWS:
        raise BadInput(say("values.not.how", value=repr(value), allowed=HOWS), at="how")
    return next(how for how in HOWS if how == value)


def as_colour(value: str | None) -> Colour | None:
    """A colour, or None if it is unknown; raises BadInput for anything else."""
    if value is not None and value not in COLOURS:
        raise BadInput(say("values.not.colour", value=repr(value)), at="colour")
    return next((colour for colour in COLOURS if colour == value), None)


def as_result(text: str) -> Result:
    """A result of a game from text, White first: `1-0`, `0-1`, `1/2-1/2`; also `1–0`, `½-½` and `0.5-0.5`.

    Accepts it with spaces and with a long dash too. Gives one of the results that `System.game` and `System.league`
    take. Raises BadInput for anything else.
    """
    plain = "".join(text.split()).translate(DASHES)
    plain = {"0.5-0.5": "1/2-1/2", "0,5-0,5": "1/2-1/2"}.get(plain, plain)
    for result in PRINTED:
        if result == plain:
            return result
    raise BadInput(say("values.not.printed_result", value=AsTyped(text), allowed=PRINTED), at="result")


def win(opponent: Opponent) -> Game:
    """A game won.

    Accepts the opponent: a rating, a Player, or None if unrated. Gives a Game. Raises BadInput for anything else.
    """
    return Game(opponent, WIN)


def draw(opponent: Opponent) -> Game:
    """A game drawn.

    Accepts the opponent: a rating, a Player, or None if unrated. Gives a Game. Raises BadInput for anything else.
    """
    return Game(opponent, DRAW)


def loss(opponent: Opponent) -> Game:
    """A game lost.

    Accepts the opponent: a rating, a Player, or None if unrated. Gives a Game. Raises BadInput for anything else.
    """
    return Game(opponent, LOSS)


def as_games(value: object) -> tuple[Game, ...]:
    """Games as a tuple; a single game becomes a tuple of one."""
    if isinstance(value, Game):
        return (value,)
    games = tuple(value) if isinstance(value, Iterable) and not isinstance(value, str) else (value,)
    for place, game in enumerate(games):
        if not isinstance(game, Game):
            raise BadInput(say("values.not.game", value=repr(game)), at=f"game[{place}]")
    return games


@dataclass(frozen=True, slots=True)
class Field:
    """Opponents who are not known yet: their average rating and its standard deviation, and who they may be.

    If `players` are given, each opponent is one of them, and none is met twice. `titles` and `federations` are shares
    of all opponents; the others have no title, or are from other federations, each from a different one.
    """

    average: Rating
    spread: Rating
    players: tuple[Player, ...] = ()
    titles: Shares = ()
    federations: Shares = ()


class FieldPlayer(NamedTuple):
    """A player of an entry list, or of standings with the points so far."""

    player: Player
    points: Decimal | None = None


@dataclass(frozen=True, slots=True, init=False)
class Pairing:
    """A scheduled game: the opponent, the score if it has been played, and the player's colour if known.

    Accepts a rating, a player, None for an unrated opponent, or a Field for one who is not known yet:
    `Pairing(1600)`, `Pairing(1600, 0.5, "white")`. Raises BadInput as Game does.
    """

    opponent: Player | Field
    score: Decimal | None
    colour: Colour | None
    how: How

    def __init__(
        self,
        opponent: Opponent | Field,
        score: Number | None = None,
        colour: Colour | None = None,
        how: How = "played",
    ) -> None:
        against = None if isinstance(opponent, Field) else opponent
        checked = Game(against, LOSS if score is None else score, how, colour=colour)
        object.__setattr__(self, "opponent", opponent if isinstance(opponent, Field) else checked.opponent)
        object.__setattr__(self, "score", None if score is None else checked.score)
        object.__setattr__(self, "colour", colour)
        object.__setattr__(self, "how", how)


class TimeBounds(Protocol):
    """The limits that a rule sets for a time control; None means no limit."""

    @property
    def at_least(self) -> Rating | None: ...
    @property
    def more_than(self) -> Rating | None: ...
    @property
    def less_than(self) -> Rating | None: ...
    @property
    def at_most(self) -> Rating | None: ...


@dataclass(frozen=True, slots=True)
class Pace:
    """A time control: minutes for the game and seconds added for each move: `Pace(90, 30)`."""

    minutes: Rating
    increment: Rating = 0

    @property
    def total(self) -> Rating:
        """Minutes for 60 moves: the minutes plus the increment in seconds."""
        return self.minutes + self.increment

    def fits(self, span: TimeBounds) -> bool:
        """Whether the total is within a rule's limits."""
        total = self.total
        return (
            (span.at_least is None or total >= span.at_least)
            and (span.more_than is None or total > span.more_than)
            and (span.less_than is None or total < span.less_than)
            and (span.at_most is None or total <= span.at_most)
        )

    def __str__(self) -> str:
        return f"{self.minutes}+{self.increment}"


@dataclass(frozen=True, slots=True)
class Event:
    """The games of one tournament, with the list rating and the rules of the day on which it began.

    `ended` is its last day, if known: it decides when the event enters a list. `qc_approved` is whether FIDE's
    qualification commission approved the event, which matters for a faster time control. `highest` is the highest
    rating in the whole tournament, if known: in the older editions it decided how long games had to be.
    """

    games: tuple[Game, ...]
    rating: Rating | None = None
    on: date | None = None
    name: str | None = None
    pace: Pace | None = None
    ended: date | None = None
    qc_approved: bool = False
    highest: Rating | None = None

    def __post_init__(self) -> None:
        if self.on is not None and self.ended is not None and self.ended < self.on:
            raise BadInput(say("values.not.ended", on=self.on, ended=self.ended), at="ended")


@dataclass(frozen=True, slots=True)
class Period:
    """The events that enter one rating list, and the rating they are added to if FIDE corrected it."""

    events: tuple[Event, ...]
    base: Rating | None = None


@dataclass(frozen=True, slots=True)
class PlannedEvent:
    """An event with some or all games still to be played; it is `complete` if no round is missing.

    `assumed` are notes on opponents who are not known yet.
    """

    pairings: tuple[Pairing, ...]
    on: date | None = None
    name: str | None = None
    pace: Pace | None = None
    qc_approved: bool = False
    complete: bool = False
    assumed: tuple[Message, ...] = ()


def as_day(value: date) -> date:
    """The date; anything else, such as a datetime, is refused."""
    if type(value) is not date:
        raise BadInput(say("values.not.day", value=repr(value)), at="on")
    return value


def as_period(value: Period | Event | Iterable[Event]) -> Period:
    """A period; a single event or a list of events becomes one, without a corrected base."""
    if isinstance(value, Period):
        return value
    events = (value,) if isinstance(value, Event) else tuple(value)
    for place, event in enumerate(events):
        if not isinstance(event, Event):
            raise BadInput(say("values.not.event", value=repr(event)), at=f"event[{place}]")
    return Period(events)


def check_size(period: Period) -> None:
    """Refuse a period without games, or with too many."""
    games = sum(len(event.games) for event in period.events)
    if not 0 < games <= MOST_GAMES:
        raise BadInput(say("values.too.many_games", games=games, most=MOST_GAMES), at="games")


def with_pace(events: Iterable[Event], pace: Pace | None) -> list[Event]:
    """The events, with this time control where they have none of their own."""
    if pace is None:
        return list(events)
    return [event if event.pace is not None else replace(event, pace=pace) for event in events]


def last_day(events: Iterable[Event]) -> date | None:
    """The day of the latest event; None if no event has a day."""
    return max((event.on for event in events if event.on is not None), default=None)


def one_game(opponent: Opponent, score: Number, pace: Pace | None = None) -> Period:
    """A period of one game."""
    return Period((Event((Game(opponent, score),), pace=pace),))
