"""A coach's table: pupils with their coming events, each with the chance of the target, K, and what is needed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from arpad.calculation.answer import Answer, Figure, Table, TableColumn, Text, hidden
from arpad.core import DRAW, Event, Field, Game, Pairing, PlannedEvent, Player, Rating
from arpad.errors import ArpadError
from arpad.forecast.needs import score_needed
from arpad.forecast.outlook import look_ahead
from arpad.forecast.targets import percent, tenth
from arpad.forecast.typical import typical_is_known
from arpad.messages import Message, say
from arpad.systems.answers import assumed_note
from arpad.systems.diary import brought_up

if TYPE_CHECKING:
    from arpad.systems.base import System

USUAL_SPREAD = 100  # points, of a field without one
K_ASSUMED = "notes.k.assumed."


def pupils_ahead(
    system: System, pupils: Iterable[Pupil], *, on: date, looked_up: Sequence[Message] = ()
) -> PupilsAhead:
    """One line for each pupil, in the order given; a pupil whose line cannot be answered has the reason in it.

    `looked_up` says in which rating lists pupils were found.
    """
    lines = tuple(_line(system, pupil, on) for pupil in pupils)
    notes = (say("notes.pupils.method", spread=USUAL_SPREAD), *_assumed(lines), *looked_up)
    return PupilsAhead(system=system.name, on=on, trail=(), remarks=lambda: notes, pupils=lines)


def _assumed(lines: Sequence[PupilAhead]) -> Iterator[Message]:
    """What was assumed about pupils: for whom the K, and anything else once for all of them."""
    by_k = [line.called for line in lines if line.assumed is not None and line.assumed.key.startswith(K_ASSUMED)]
    if by_k:
        yield say("notes.pupils.k", names=by_k)
    yield from dict.fromkeys(
        line.assumed for line in lines if line.assumed is not None and not line.assumed.key.startswith(K_ASSUMED)
    )


class Pupil(NamedTuple):
    """A pupil: who, the rating to reach, the games to come, which count for one list, and the events before them."""

    player: Player
    games: tuple[Pairing, ...]
    reach: int | None = None
    on: date | None = None  # the day the games begin, if not the day asked about
    diary: tuple[Event, ...] = ()  # from the rating given; they are rated first


@dataclass(frozen=True, kw_only=True)
class PupilsAhead(Answer):
    """A coach's table, a line for each pupil."""

    pupils: tuple[PupilAhead, ...]

    def summary(self) -> Sequence[Figure]:
        return (Figure("pupils", len(self.pupils)),)

    def tables(self) -> Iterator[Table]:
        """The pupils."""
        yield Table("pupils", COLUMNS, self.pupils, [line.remark for line in self.pupils if line.why is not None])


@dataclass(frozen=True, slots=True, kw_only=True)
class PupilAhead:
    """What one pupil's games may bring."""

    name: str | None
    rating: Rating | None
    games: int
    reach: int | None
    chance: float | None  # to have the target or more
    gain: float | None
    mean: float | None  # the mean change
    score: Decimal | None  # still needed for the target; opponents of a field count at its average
    k: Rating | None
    k_until: date | None  # the list on which the K for juniors ends
    why: Text | None  # why there is no answer
    assumed: Message | None = hidden(default=None)  # about K or the deviation

    @property
    def called(self) -> str | Message:
        """The name; without one, that there is none."""
        return self.name or say("forecast.pupil.unnamed")

    @property
    def needs(self) -> Decimal | Message | None:
        """The score still needed, or that no opponent and no score would do; None without a target or an answer."""
        return say("forecast.need.out_of_reach") if self.chance == 0 else self.score

    @property
    def remark(self) -> Message:
        """Why there is no answer, with the name."""
        return say("forecast.pupil.refused", name=self.called, why=self.why)


COLUMNS = (
    TableColumn("name", form="text"),
    TableColumn("rating"),
    TableColumn("games"),
    TableColumn("target", "reach"),
    TableColumn("chance", lambda line: None if line.chance is None else percent(line.chance), only="screen"),
    TableColumn("gain", lambda line: None if line.gain is None else percent(line.gain), only="screen"),
    TableColumn("chance", lambda line: None if line.chance is None else round(line.chance, 4), only="file"),
    TableColumn("gain", lambda line: None if line.gain is None else round(line.gain, 4), only="file"),
    TableColumn("change", lambda line: None if line.mean is None else tenth(line.mean), "signed"),
    TableColumn("needs", "needs", only="screen"),
    TableColumn("needs", "score", only="file"),
    TableColumn("k"),
    TableColumn("k_until"),
    TableColumn("why", form="prose", only="file"),
)


def _line(system: System, pupil: Pupil, on: date) -> PupilAhead:
    day, player = pupil.on or on, pupil.player
    empty = {"chance": None, "gain": None, "mean": None, "score": None, "k": None, "k_until": None}
    known = {"name": player.name, "rating": player.rating, "games": len(pupil.games), "reach": pupil.reach}
    try:
        player, before = brought_up(system, player, pupil.diary, day)
        known["rating"] = player.rating
        so_far = tuple(
            Pairing(game.opponent, game.score, game.colour, game.how) for event in before for game in event.games
        )
        found = _found(system, pupil._replace(player=player, games=(*so_far, *pupil.games)), day)
        return PupilAhead(**known, **found, why=None)  # type: ignore[arg-type]
    except ArpadError as error:
        says = error.said if isinstance(error.said, Message) else say("answers.as_said", text=error.said)
        return PupilAhead(**known, **empty, why=says)  # type: ignore[arg-type]


def _found(system: System, pupil: Pupil, day: date) -> dict[str, object]:
    player = pupil.player
    typical = player.birth_year is not None and typical_is_known(system, day)
    outlook = look_ahead(system, player, [PlannedEvent(pupil.games)], on=day, typical=typical, reach=pupil.reach or ())
    score = None
    if pupil.reach is not None:
        against = [game.opponent.average if isinstance(game.opponent, Field) else game.opponent for game in pupil.games]
        needed = score_needed(system, player, against, reach=pupil.reach, on=day).score
        so_far = sum((game.score for game in pupil.games if game.score is not None), Decimal(0))
        score = None if needed is None else max(needed - so_far, Decimal(0))
    rated = system.rate_period(player, Event((Game(player.rating or 0, DRAW),)), on=day)
    return {
        "chance": outlook.reach if pupil.reach is not None else None,
        "gain": outlook.gain,
        "mean": float(outlook.mean),
        "score": score,
        "k": rated.k,
        "k_until": rated.k_until,
        "assumed": assumed_note(rated),
    }
