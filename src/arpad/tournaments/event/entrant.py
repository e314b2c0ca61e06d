"""One entrant of a rated event: the games, what they came to, and the way back to the full calculation."""

# No postponed annotations here: named tuples would compile each one.

from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple

from arpad.calculation.answers import exact, plain
from arpad.calculation.contract import Calculation, Rated
from arpad.core import Rating
from arpad.core.tournament import Entrant
from arpad.errors import BadInput
from arpad.systems.first_rating import FirstRating
from arpad.systems.performance import average_rating, of_ratings
from arpad.tournaments.event.games import Board

NO_GAMES = "no game was played"
ASSUMED = "k.assumed."


class Changed(NamedTuple):
    """What a rated player's calculation came to."""

    rating: Any
    k: Any
    k_why: str | None
    expected: Any
    change: Any
    rounded: Rating
    new_rating: Any
    why: str | None
    assumed: tuple[str, ...]  # the notes on what was assumed about K


class First(NamedTuple):
    """What an unrated player's calculation came to."""

    rating: int | None
    so_far: int | None
    why: str | None
    missing: tuple[str, ...]


class EntrantRating(NamedTuple):
    """An entrant with the figures of the calculation, or why there is none.

    The calculation itself, a trail of some hundred steps, is made again when somebody asks for it, so that an event of
    thousands stays small.
    """

    entrant: Entrant
    boards: tuple[Board, ...]
    on: date
    per_game: tuple[Any, ...] = ()
    changed: Changed | None = None
    first: First | None = None
    refused: str | None = None
    again: Callable[[], Calculation] | None = None
    points: Decimal | None = None  # what the event pays; None where the file has neither points nor rounds

    @property
    def no(self) -> int:
        """The starting number."""
        return self.entrant.no

    @property
    def name(self) -> str:
        """The name, or what somebody without one is called."""
        return self.entrant.called

    @property
    def calculation(self) -> Calculation:
        """The full calculation with the working; refused if there is none."""
        if self.again is None:
            raise BadInput(f"{self.name} has no calculation: {self.why}.", at=f"player {self.no}")
        return self.again()

    @property
    def calculated(self) -> bool:
        """Whether there is a calculation."""
        return self.again is not None

    @property
    def rating(self) -> Rating | None:
        """Ro: the rating before; None for an unrated player."""
        return self.entrant.player.rating if self.changed is None else self.changed.rating

    @property
    def counted(self) -> list[Any]:
        """The games that count."""
        return [game for game in self.per_game if game.rated]

    @property
    def games(self) -> int:
        """n: how many games count."""
        return len(self.counted)

    @property
    def score(self) -> Decimal:
        """w: the score in the games that count."""
        return sum((game.score for game in self.counted), Decimal(0))

    @property
    def k(self) -> Any:
        """K as it was used."""
        return self.changed and self.changed.k

    @property
    def expected(self) -> Any:
        """The expected score; None for an unrated player."""
        return None if self.changed is None else self.changed.expected

    @property
    def chg(self) -> Any:
        """FIDE's chg: score minus expected score."""
        return None if self.changed is None else self.score - self.changed.expected

    @property
    def change(self) -> Any:
        """K × chg, exactly; None for an unrated player."""
        return None if self.changed is None else self.changed.change

    @property
    def new_rating(self) -> Any:
        """The rating after the event, a first one included; None if there is none."""
        after = self.changed or self.first
        if after is None:
            return None if self.refused else self.rating
        return after.rating if isinstance(after, First) else after.new_rating

    @property
    def average(self) -> int | None:
        """Rc: the average rating of the opponents in the games that count."""
        met = [game.opponent for game in self.counted]
        return average_rating(met, on=self.on) if met else None

    @property
    def performance(self) -> int | None:
        """Rp: the performance rating of the games that count."""
        met = [game.opponent for game in self.counted]
        return of_ratings(met, self.score, on=self.on) if met else None

    @property
    def why(self) -> str | None:
        """Why there is no calculation, or no new rating; None if there is nothing to say."""
        after = self.changed or self.first
        return (self.refused or NO_GAMES) if after is None else after.why

    @property
    def missing(self) -> tuple[str, ...]:
        """What an unrated player still lacks for a first rating."""
        return () if self.first is None else self.first.missing

    def lines(self) -> Iterator[tuple[Board, Any]]:
        """Every game with what it gave; None where the calculation was refused."""
        yield from zip(self.boards, self.per_game or (None,) * len(self.boards), strict=True)

    def value(self) -> dict[str, Any]:
        """The entrant by the names of the public contract; `chg` is score minus expected, and `change` K × chg."""
        entrant, player = self.entrant, self.entrant.player
        return {
            "no": self.no,
            "name": player.name,
            "title": player.title,
            "federation": player.federation,
            "fide_id": player.fide_id,
            "rank": entrant.rank,
            "points": plain(self.points),
            "rating": plain(self.rating),
            "k": plain(self.k),
            "k_why": self.changed and self.changed.k_why,
            "games": self.games,
            "score": plain(self.score),
            "expected": plain(self.expected),
            "chg": exact(self.chg),
            "change": exact(self.change),
            "rounded": self.changed and plain(self.changed.rounded),
            "new_rating": plain(self.new_rating),
            "first": self.first is not None,
            "so_far": self.first and self.first.so_far,
            "missing": list(self.missing),
            "average": self.average,
            "performance": self.performance,
            "why": self.why,
            "per_game": [_game(board, line) for board, line in self.lines()],
        }


def rated_entrant(
    entrant: Entrant, boards: tuple[Board, ...], on: date, calculate: Callable[[], Calculation]
) -> EntrantRating:
    """An entrant with the figures of the calculation, which may be refused."""
    answer = calculate()
    if isinstance(answer, FirstRating):
        first = First(answer.rating, answer.so_far, answer.why, answer.missing)
        return EntrantRating(entrant, boards, on, answer.per_game, first=first, again=calculate)
    if not isinstance(answer, Rated):
        raise TypeError(type(answer).__name__)
    changed = Changed(
        answer.rating,
        answer.k_used,
        answer.k_why,
        answer.expected,
        answer.change,
        answer.rounded,
        answer.new_rating,
        getattr(answer, "why", None),
        tuple([note.key for note in answer.notes if note.key.startswith(ASSUMED)]),
    )
    return EntrantRating(entrant, boards, on, tuple(answer.per_game), changed=changed, again=calculate)


def _game(board: Board, line: Any) -> dict[str, Any]:
    """A game by the names of the public contract, with its round and the opponent's number."""
    return {
        "round": board.round,
        "no": board.opponent and board.opponent.no,
        "name": board.opponent and board.opponent.player.name,
        "colour": board.game.colour,
        **({"rated": False, "score": plain(board.game.score)} if line is None else line.value()),
    }
