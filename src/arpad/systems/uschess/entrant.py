"""What a section is made of: its players, what is known of each, and their results."""

from __future__ import annotations

from collections import Counter
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.core import DRAW, WIN, EloStanding, Game, Rating, number, rating_of
from arpad.errors import BadInput, UnknownName
from arpad.systems.uschess.floors import count_of
from arpad.systems.uschess.special import PREVIOUS
from arpad.systems.uschess.start import age_of

if TYPE_CHECKING:
    from collections.abc import Sequence


class Result(NamedTuple):
    """A result against another player of the section: the id, the own score, and `played`, `forfeit` or `bye`."""

    opponent: str | None
    score: Decimal
    how: str = "played"


class _Entrant(NamedTuple):
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


class Entrant(_Entrant):
    """A player of a section; what is not known is None.

    `rating` is the one before the event, None for an unrated player, who starts from `start`, `fide` or `age`. `games`
    is N, the games it rests on; None stands for an established rating. `previous` is `wins` or `losses` if every game
    so far was one. `wins`, `draws` and `events` (of three rated games) are counts before this event; `floor` is a floor
    the office has set. What was gained in earlier matches is for a match alone.
    """

    __slots__ = ()

    def __new__(
        cls,
        id: Any,
        results: Sequence[Result | tuple[Any, ...]],
        *,
        rating: Any = None,
        games: Any = None,
        start: Any = None,
        age: Any = None,
        born: date | None = None,
        fide: Any = None,
        adult: bool = False,
        previous: str | None = None,
        peak: Any = None,
        wins: Any = None,
        draws: Any = None,
        events: Any = None,
        floor: Any = None,
        gained_180_days: Any = None,
        gained_3_years: Any = None,
        name: str | None = None,
    ) -> Entrant:
        # A Player has the same bounds of sense for these.
        player = EloStanding(rating, games=games, peak=peak)
        if previous is not None and previous not in PREVIOUS:
            raise UnknownName("one-sided record", previous, known=PREVIOUS, at="previous")
        if rating is not None and start is not None:
            raise BadInput("A rated player has no start rating; give `rating` or `start`.", at="start")
        return super().__new__(
            cls,
            str(id),
            tuple(_result(*result) for result in results),
            player.rating,
            player.games,
            None if start is None else rating_of(start, at="start"),
            None if age is None else age_of(age),
            born,
            None if fide is None else rating_of(fide, at="fide"),
            adult,
            previous,
            player.peak,
            None if wins is None else count_of(wins, "wins"),
            None if draws is None else count_of(draws, "draws"),
            None if events is None else count_of(events, "events"),
            None if floor is None else rating_of(floor, at="floor"),
            _gain(gained_180_days, "gained_180_days"),
            _gain(gained_3_years, "gained_3_years"),
            name,
        )

    @property
    def played(self) -> tuple[Result, ...]:
        """The games that were played; the others are not rated."""
        return tuple(result for result in self.results if result.how == "played")

    def tally(self) -> tuple[int, int]:
        """The wins and draws of this event."""
        scores = Counter(result.score for result in self.played)
        return scores[WIN], scores[DRAW]


def _result(opponent: Any, score: Any, how: str = "played") -> Result:
    game = Game(None, score, how)
    return Result(None if opponent is None else str(opponent), game.score, game.how)


def _gain(value: Any, what: str) -> Rating | None:
    if value is None:
        return None
    return number(value, "gain", at=what)


class Problem(NamedTuple):
    """What is wrong with a section: whose row, which field, and a sentence."""

    place: int
    field: str
    says: str


def problem(entrants: Sequence[Entrant]) -> Problem | None:
    """The first thing that keeps a section from being rated; None if all is well."""
    if not entrants:
        return Problem(0, "id", "A section has players; this one is empty.")
    places: dict[str, int] = {}
    for place, entrant in enumerate(entrants):
        if entrant.id in places:
            return Problem(place, "id", f"The id {entrant.id} stands twice; each player has an id of their own.")
        places[entrant.id] = place
    for place, entrant in enumerate(entrants):
        for result in entrant.results:
            if result.opponent is None and result.how == "played":
                return Problem(place, "results", f"A game of player {entrant.id} has no opponent; name one.")
            if result.opponent == entrant.id:
                return Problem(place, "results", f"Player {entrant.id} cannot meet player {entrant.id}.")
            if result.opponent is not None and result.opponent not in places:
                met = result.opponent
                says = f"Player {entrant.id} met {met}, who is not in the section; add a row for {met}."
                return Problem(place, "results", says)
    return _one_sided(entrants)


def _one_sided(entrants: Sequence[Entrant]) -> Problem | None:
    """A game that the two players do not tell alike."""
    told = Counter((one.id, result.opponent, result.score) for one in entrants for result in one.played)
    for place, entrant in enumerate(entrants):
        for result in entrant.played:
            mine = told[entrant.id, result.opponent, result.score]
            theirs = told[result.opponent or "", entrant.id, WIN - result.score]
            if mine != theirs:
                says = (
                    f"Player {entrant.id} has {result.score} against {result.opponent} {_times(mine)}, but "
                    f"{result.opponent} has {WIN - result.score} against {entrant.id} {_times(theirs)}; "
                    "the two must agree."
                )
                return Problem(place, "results", says)
    return None


def _times(count: int) -> str:
    return ("never", "once", "twice")[count] if count < 3 else f"{count} times"
