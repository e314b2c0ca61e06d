"""Both players of a game at once, and a league: players by name that a list of results updates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar

from arpad.core import DRAW, LOSS, SCORES, WIN, Colour, Game, Player, Result, as_player, as_result
from arpad.errors import ArpadError, BadInput, UnknownName
from arpad.messages import say
from arpad.systems.answers import RatingChange

if TYPE_CHECKING:
    from arpad.core import Pace, Score
    from arpad.systems.base import Someone, System

C = TypeVar("C", bound=RatingChange)
C_co = TypeVar("C_co", bound=RatingChange, covariant=True)
# White's score for each printed result; the keys are those of `Result`.
RESULTS: Mapping[Result, Decimal] = {"1-0": WIN, "0-1": LOSS, "1/2-1/2": DRAW, "½-½": DRAW}
UNRATED_CODE = "unrated-player"  # of the error for a player whom a system does not rate without a rating


class BothChanges(NamedTuple, Generic[C_co]):
    """The changes of both players of a game."""

    white: C_co
    black: C_co


@dataclass(frozen=True, repr=False)
class League(Mapping[str, Player]):
    """Players by name after a list of results: `league["Ann"].rating`.

    `changes` has the answers for those who were rated, and `unrated` the names of those who played without a rating
    and still have none; `first_rating` of the system says what they lack.
    """

    players: Mapping[str, Player]
    changes: Mapping[str, RatingChange]
    unrated: tuple[str, ...] = ()

    def __repr__(self) -> str:
        ratings = {name: player.rating for name, player in self.players.items()}
        return f"League({ratings!r}{f', unrated={self.unrated!r}' if self.unrated else ''})"

    def __getitem__(self, name: str) -> Player:
        return self.players[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.players)

    def __len__(self) -> int:
        return len(self.players)

    def __hash__(self) -> int:
        return hash((frozenset(self.players.items()), self.unrated))

    def ranking(self) -> list[tuple[str, Player]]:
        """The names and players, the highest rating first; the unrated ones last, by name."""
        return sorted(self.players.items(), key=lambda item: (-(item[1].rating or 0), item[0]))


class RateMethod(Protocol[C_co]):
    """The method `rate` of a system."""

    def __call__(self, player: Someone, games: Game, /, *, on: date, pace: Pace | None) -> C_co: ...


def rate_both(
    rate: RateMethod[C], white: Someone, black: Someone, result: Result | Score, *, on: date, pace: Pace | None
) -> BothChanges[C]:
    """One game from both sides, each by the ratings before it."""
    one, other, score = as_player(white), as_player(black), score_of(result)
    return BothChanges(
        _of_side("white", rate, one, Game(other, score, colour="white"), on, pace),
        _of_side("black", rate, other, Game(one, 1 - score, colour="black"), on, pace),
    )


def _of_side(side: Colour, rate: RateMethod[C], player: Player, game: Game, on: date, pace: Pace | None) -> C:
    """One side's change; an error about the player names the side."""
    try:
        return rate(player, game, on=on, pace=pace)
    except ArpadError as error:
        error.at = side if error.at in ("rating", None) else f"{side}.{error.at}"
        raise


def score_of(result: Result | Score) -> Decimal:
    """White's score, from a printed result or a number."""
    if isinstance(result, str):
        return RESULTS[as_result(result)]
    exact = next((score for score in SCORES if score == result), None)
    if exact is None:
        raise BadInput(say("values.not.printed_result", value=repr(result), allowed=list(RESULTS)), at="result")
    return exact


def rate_league(
    system: System,
    players: Mapping[str, Someone],
    results: Iterable[tuple[str, str, Result | Score]],
    *,
    on: date,
    pace: Pace | None,
) -> League:
    """Everybody after the results, each by the ratings before them."""
    before = {name: as_player(player) for name, player in players.items()}
    games: dict[str, list[Game]] = {}
    for place, row in enumerate(results):
        if len(row) != 3:  # White, Black and the result
            raise BadInput(say("systems.league.row", value=repr(row)), at=f"results[{place}]")
        white, black, result = row
        for name in (white, black):
            if name not in before:
                raise UnknownName("league_player", name, known=before, at=f"results[{place}]")
        if white == black:
            raise BadInput(say("systems.league.oneself", name=white), at=f"results[{place}]")
        score = _score_at(place, result)
        games.setdefault(white, []).append(Game(before[black], score, colour="white"))
        games.setdefault(black, []).append(Game(before[white], 1 - score, colour="black"))
    after, changes, unrated = dict(before), {}, []
    for name, played in games.items():
        try:
            changes[name] = system.rate(before[name], played, on=on, pace=pace)
        except ArpadError as error:
            if before[name].rating is not None or error.code != UNRATED_CODE:
                error.at = name if error.at is None else f"{name}.{error.at}"
                raise
            unrated.append(name)
        else:
            after[name] = system.after(before[name], changes[name])
    return League(after, changes, tuple(unrated))


def _score_at(place: int, result: Result | Score) -> Decimal:
    try:
        return score_of(result)
    except BadInput as error:
        error.at = f"results[{place}]"
        raise
