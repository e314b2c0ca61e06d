"""The players of a section, what is known about each, and their results."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from arpad.core import DRAW, WIN, Game, Rating, games_before_of, number, rating_of
from arpad.errors import BadInput, UnknownName
from arpad.messages import Message, say
from arpad.systems.uschess.floors import count_of
from arpad.systems.uschess.special import PREVIOUS
from arpad.systems.uschess.start import age_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from arpad.core import Number


@dataclass(frozen=True, slots=True)
class Result:
    """A result against another player of the section: the opponent's ID, the player's score, and how the game ended.

    `how` is `played`, `forfeit`, `bye` or `short`; a bye has no opponent.
    """

    opponent: str | None
    score: Decimal
    how: str = "played"


@dataclass(frozen=True, slots=True, init=False)
class Entrant:
    """A player of a section; what is not known is None.

    `rating` is the rating before the event, None for an unrated player, who starts from `start`, `fide` or `age`.
    `games` is N, the number of games behind it; None means an established rating. `previous` is `wins` or `losses` if
    every game so far was one. `wins`, `draws` and `events` (of three rated games) are counts before this event; `floor`
    is a floor that the office has set. The gains in earlier matches only matter in a match.
    """

    id: str
    results: tuple[Result, ...]
    rating: Rating | None
    games: int | None
    start: Rating | None
    age: float | None
    born: date | None
    fide: Rating | None
    adult: bool
    previous: str | None
    peak: Rating | None
    wins: int | None
    draws: int | None
    events: int | None
    floor: Rating | None
    gained_180_days: Rating | None
    gained_3_years: Rating | None
    name: str | None

    def __init__(
        self,
        id: str | int,
        results: Iterable[Result | tuple[str | int | None, Number] | tuple[str | int | None, Number, str]],
        *,
        rating: Number | None = None,
        games: Number | None = None,
        start: Number | None = None,
        age: Number | None = None,
        born: date | None = None,
        fide: Number | None = None,
        adult: bool = False,
        previous: str | None = None,
        peak: Number | None = None,
        wins: Number | None = None,
        draws: Number | None = None,
        events: Number | None = None,
        floor: Number | None = None,
        gained_180_days: Number | None = None,
        gained_3_years: Number | None = None,
        name: str | None = None,
    ) -> None:
        if previous is not None and previous not in PREVIOUS:
            raise UnknownName("previous_record", previous, known=PREVIOUS, at="previous")
        if rating is not None and start is not None:
            raise BadInput(say("uschess.section.rated_start"), at="start")
        for field, value in (
            ("id", str(id)),
            ("results", tuple(_result(result) for result in results)),
            ("rating", _rating(rating, "rating")),
            ("games", None if games is None else games_before_of(games, at="games")),
            ("start", _rating(start, "start")),
            ("age", None if age is None else age_of(age)),
            ("born", born),
            ("fide", _rating(fide, "fide")),
            ("adult", adult),
            ("previous", previous),
            ("peak", _rating(peak, "peak")),
            ("wins", _count(wins, "wins")),
            ("draws", _count(draws, "draws")),
            ("events", _count(events, "events")),
            ("floor", _rating(floor, "floor")),
            ("gained_180_days", _gain(gained_180_days, "gained_180_days")),
            ("gained_3_years", _gain(gained_3_years, "gained_3_years")),
            ("name", name),
        ):
            object.__setattr__(self, field, value)

    @property
    def played(self) -> tuple[Result, ...]:
        """The games that were played; the others are not rated."""
        return tuple(result for result in self.results if result.how == "played")

    def tally(self) -> tuple[int, int]:
        """The wins and draws of this event."""
        scores = Counter(result.score for result in self.played)
        return scores[WIN], scores[DRAW]


def _result(
    given: Result | tuple[str | int | None, Number] | tuple[str | int | None, Number, str],
) -> Result:
    """A result, checked like a game."""
    if isinstance(given, Result):
        given = (given.opponent, given.score, given.how)
    opponent, score, *how = given
    game = Game(None, score, *how)
    return Result(None if opponent is None else str(opponent), game.score, game.how)


def _rating(value: Number | None, at: str) -> Rating | None:
    return None if value is None else rating_of(value, at=at)


def _count(value: Number | None, at: str) -> int | None:
    return None if value is None else count_of(value, at)


def _gain(value: Number | None, at: str) -> Rating | None:
    return None if value is None else number(value, "gain", at=at)


class Problem(NamedTuple):
    """What is wrong with a section: which row, which field, and the message."""

    place: int
    field: str
    says: Message


def problem(entrants: Sequence[Entrant]) -> Problem | None:
    """The first problem that prevents rating a section; None if there is none."""
    if not entrants:
        return Problem(0, "id", say("uschess.section.empty"))
    places: dict[str, int] = {}
    for place, entrant in enumerate(entrants):
        if entrant.id in places:
            return Problem(place, "id", say("uschess.section.duplicate", id=entrant.id))
        places[entrant.id] = place
    for place, entrant in enumerate(entrants):
        for result in entrant.results:
            wrong = _bad_opponent(entrant, result, places)
            if wrong is not None:
                return Problem(
                    place, "results", say(f"uschess.section.{wrong}", id=entrant.id, opponent=result.opponent)
                )
    return _disagreement(entrants)


def _bad_opponent(entrant: Entrant, result: Result, known: Iterable[str]) -> str | None:
    """Why this opponent is impossible; None if all is well."""
    if result.opponent is None:
        return "no_opponent" if result.how == "played" else None
    if result.opponent == entrant.id:
        return "themselves"
    return None if result.opponent in known else "missing"


def _disagreement(entrants: Sequence[Entrant]) -> Problem | None:
    """A game for which the two players have different results; None if there is none."""
    counts = Counter((entrant.id, result.opponent, result.score) for entrant in entrants for result in entrant.played)
    for place, entrant in enumerate(entrants):
        for result in entrant.played:
            other = WIN - result.score
            mine = counts[entrant.id, result.opponent, result.score]
            theirs = counts[result.opponent or "", entrant.id, other]
            if mine != theirs:
                says = say(
                    "uschess.section.disagree",
                    id=entrant.id,
                    opponent=result.opponent,
                    mine=mine,
                    score=result.score,
                    theirs=theirs,
                    other=other,
                )
                return Problem(place, "results", says)
    return None
