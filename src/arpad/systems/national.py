"""How a federation's own system rates a whole event: where ratings come from, who counts, who is rated together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from arpad.core import Event, Game, Player, Standing
from arpad.messages import Message
from arpad.systems.first_rating import FirstRating
from arpad.systems.rating_change import RatingChange

Calculation = RatingChange | FirstRating


class Met(NamedTuple):
    """A game of an event, and the starting number of the opponent; a bye has none."""

    opponent: int | None
    game: Game


class Competitor(NamedTuple):
    """Somebody in an event: the number, the player with this system's standing, the day of birth, the games.

    A `guest` has a rating of another list, which counts for the opponents, and is not rated; of somebody `unknown`
    nothing was found, so neither the player nor the games against them are rated.
    """

    no: int
    player: Player
    born: date | None
    games: tuple[Met, ...]
    guest: bool = False
    unknown: bool = False

    @property
    def newcomer(self) -> bool:
        """Whether there is no rating yet."""
        return self.player.rating is None and not self.unknown

    def played_any(self, numbers: Iterable[int]) -> bool:
        """Whether a game was played against any of these players."""
        among = set(numbers)
        return any(one.game.how == "played" and one.opponent in among for one in self.games)


Field = Mapping[int, Competitor]
Together = Callable[[Field, Event, date], Mapping[int, Calculation]]
FieldNotes = Callable[[Field, Mapping[int, Calculation], date], Iterable[Message]]


def first_day(began: date, ended: date | None) -> date:  # noqa: ARG001  # others go by it
    """The day the event began, whose rules apply in most systems."""
    return began


def no_notes(*_: object) -> Iterable[Message]:
    """No notes about the field as a whole."""
    return ()


@dataclass(frozen=True, slots=True)
class National:
    """A federation's own system, as it takes a tournament file.

    `federation` is the code of its records in a file, `standing` what a table may say of its players, `day` the day
    whose rules apply, found from the first and the last day of the event. `together` rates everybody at once; where it
    is None, each player is rated alone. `notes` is what is to be said of the field as a whole. Whether FIDE ratings
    count for the opponents of somebody without a rating of the system is a rule of its rulebook, `guests`.
    """

    federation: str
    standing: type[Standing]
    day: Callable[[date, date | None], date] = first_day
    together: Together | None = None
    notes: FieldNotes = no_notes
