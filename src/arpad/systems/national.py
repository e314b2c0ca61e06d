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
