"""One player of a rated event: the games, their result, and access to the full calculation, which is made on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from datetime import date
from decimal import Decimal
from functools import cached_property, partial
from typing import Annotated, Any

from arpad.calculation.answer import Answer, Exact, Figure, Text, derived, hidden, same
from arpad.calculation.explain import Reason
from arpad.calculation.step import NOTHING, Step
from arpad.core import Rating
from arpad.core.games import COLOURS
from arpad.core.tournaments import Entrant
from arpad.errors import BadInput, UncoveredDate
from arpad.messages import Message, knows, say
from arpad.systems.answers import FirstRating, GameChange, score_of
from arpad.systems.base import Calculation
from arpad.systems.performance import average_rating, of_ratings
from arpad.tournaments.event.games import Board

# Prefixes of the notes on what was assumed about a player; an event shows each note once for all players concerned.
GAME_FIELDS = tuple(item.name for item in fields(GameChange))


def lazy_trail(work: Callable[[Any], tuple[Step, ...]]) -> Any:
    """The field `trail` of an answer whose steps are computed when they are first read."""
    # A field with a descriptor as its default keeps the descriptor on the class, and the constructor leaves it alone.
    return hidden(init=False, default=cached_property(work))


def _trail(player: PlayerReport) -> tuple[Step, ...]:
    return player.calculation.trail if player.calculated else ()


@dataclass(frozen=True, kw_only=True)
class PlayerReport(Answer):
    """A player of a rated event with the figures of the calculation, or why there is none; `change` is K × `chg`.

    The calculation itself, a trail of some hundred steps, is made again when it is needed, so that an event with
    thousands of players stays small.
    """

    trail: tuple[Step, ...] = lazy_trail(_trail)
    no: int
    name: str | None
    title: str | None
    federation: str | None
    fide_id: int | None
    national_id: str | None
    rank: int | None
    points: Decimal | None  # in the event; None if the file has neither points nor rounds
    rating: Rating | None  # Ro, before the event; None for an unrated player
    k: Rating | None = None  # the K used
    k_why: Text | None = None
    expected: Decimal | None = None  # None for an unrated player
    change: Exact | None = None  # K × chg, exactly
    rounded: Rating | None = None
    new_rating: Rating | None = None  # after the event, possibly a first rating; None if there is none
    first: bool = False  # whether this is about a first rating
    so_far: int | None = None  # the rating from an unrated player's games so far
    missing: tuple[Text, ...] = ()  # what is still missing for a first rating
    why: Text | None = None  # why there is no calculation, or no new rating
    entrant: Entrant = hidden()
    refused: bool = hidden(default=False)
    assumed: tuple[Message, ...] = hidden(default=())  # the notes on what was assumed about K
    boards: tuple[Board, ...] = field(default=(), repr=False, metadata={"hidden": True})
    lines: tuple[GameChange, ...] = field(default=(), repr=False, metadata={"hidden": True})
    calculate: Callable[[], Calculation] | None = hidden(default=None)

    @property
    def called(self) -> str:
        """The name; without one, the FIDE ID or else the starting number."""
        return self.entrant.called

    @property
    def calculated(self) -> bool:
        """Whether there is a calculation."""
        return self.calculate is not None

    @property
    def calculation(self) -> Calculation:
        """The full calculation with its working; an error if there is none."""
        if self.calculate is None:
            said = say("tournaments.no_name_no_result", name=self.called, why=self.why)
            raise BadInput(said, at=f"player {self.no}")
        return self.calculate()

    @cached_property
    def notes(self) -> tuple[Message, ...]:
        """What the reader should know besides the figures."""
        notes = self.calculation.notes if self.calculated else ()
        whom = say("notes.event.whom.one")
        return (*(assumption(note, whom) if _is_assumed(note) else note for note in notes), *self.remarks())

    def summary(self) -> Sequence[Figure]:
        """The player, then the figures of the calculation."""
        who = Figure("player", self.no, say("answers.as_said", text=" ".join(filter(None, (self.title, self.called)))))
        if self.calculated:
            return (who, *self.calculation.summary())
        return (
            who,
            Figure("new_rating", say("answers.none") if self.new_rating is None else self.new_rating, self.why),
        )

    @derived
    def games(self) -> int:
        """n: how many games count."""
        return sum(line.rated for line in self.lines)

    @derived
    def score(self) -> Decimal:
        """w: the score in the games that count."""
        return score_of(self.lines)

    @derived
    def chg(self) -> Exact | None:
        """FIDE's chg: score minus expected score."""
        return None if self.expected is None else self.score - self.expected

    @derived
    def average(self) -> int | None:
        """Rc: the average rating of the opponents in the games that count."""
        return self._by_table(average_rating, self._met)

    @derived
    def performance(self) -> int | None:
        """Rp: the performance rating of the games that count."""
        return self._by_table(of_ratings, self._met, self.score)

    def _by_table(self, figure: Callable[..., int], *given: object) -> int | None:
        """A figure by FIDE's tables; None without a game, or before the tables begin."""
        try:
            return figure(*given, on=self.on) if self._met else None
        except UncoveredDate:
            return None

    @derived
    def per_game(self) -> tuple[EventGame, ...]:
        """Every game, rated or not."""
        return tuple(EventGame.at(board, line) for board, line in self.played())

    @property
    def _met(self) -> list[Rating]:
        return [line.opponent for line in self.lines if line.rated and line.opponent is not None]

    def played(self) -> Iterator[tuple[Board, GameChange | None]]:
        """Every game with its change; None if the calculation was refused."""
        yield from zip(self.boards, self.lines or (None,) * len(self.boards), strict=True)

    def __getstate__(self) -> dict[str, Any]:
        # A system's functions cannot be sent to another process, so the calculation is made first.
        calculate = None if self.calculate is None else partial(same, self.calculation)
        return {**super().__getstate__(), "remarks": self.remarks, "calculate": calculate}


@dataclass(frozen=True, slots=True, kw_only=True)
class EventGame(GameChange):
    """A game of an event: its round, the opponent's number and name, the player's colour, and the change."""

    round: int
    no: int | None
    name: str | None
    colour: Annotated[str, COLOURS] | None
    called: str = hidden(default="")  # the opponent's name or, without one, the ID or number

    @classmethod
    def at(cls, board: Board, line: GameChange | None) -> EventGame:
        """A game with its change; without a calculation it is not rated."""
        met, game = board.opponent, board.game
        change = line or GameChange(opponent=game.opponent.rating, score=game.score, rated=False, how=game.how)
        return cls(
            round=board.round,
            no=None if met is None else met.no,
            name=None if met is None else met.player.name,
            colour=game.colour,
            called="" if met is None else met.called,
            **{name: getattr(change, name) for name in GAME_FIELDS},
        )


def _is_assumed(note: Message) -> bool:
    """Whether a note is about something assumed about a player: it then has a second text, for an event."""
    return knows(_for_event(note))


def _for_event(note: Message) -> str:
    return f"notes.event.{note.key.removeprefix('notes.')}"


@dataclass(frozen=True, slots=True)
class Participation:
    """One player's part in an event: the entrant, the games and the points; and the system and the day."""

    system: str
    on: date
    entrant: Entrant
    boards: tuple[Board, ...]
    points: Decimal | None

    def facts(self) -> dict[str, Any]:
        """What a player's report says with or without a calculation."""
        player = self.entrant.player
        return {
            "system": self.system,
            "on": self.on,
            "no": self.entrant.no,
            "name": player.name,
            "title": player.title,
            "federation": player.federation,
            "fide_id": player.fide_id,
            "national_id": self.entrant.national_id,
            "rank": self.entrant.rank,
            "points": self.points,
            "rating": player.rating,
            "entrant": self.entrant,
            "boards": self.boards,
        }


def uncalculated(played: Participation, why: Text) -> PlayerReport:
    """A player without a calculation, who keeps the rating."""
    return PlayerReport(**played.facts(), new_rating=played.entrant.player.rating, why=why)


def without(played: Participation, why: Text) -> PlayerReport:
    """A player who is not rated."""
    return PlayerReport(**played.facts(), why=why)


def refused(played: Participation, why: Text) -> PlayerReport:
    """A player whose calculation was refused."""
    return PlayerReport(**played.facts(), refused=True, why=why)


def calculated(played: Participation, calculate: Callable[[], Calculation]) -> PlayerReport:
    """A player with the figures of the calculation."""
    answer = calculate()
    facts = played.facts() | {"calculate": calculate, "lines": answer.per_game}
    if isinstance(answer, FirstRating):
        return PlayerReport(
            **facts,
            first=True,
            new_rating=answer.rating,
            so_far=answer.so_far,
            missing=answer.missing,
            why=_bare(answer.why),
            assumed=_assumed(answer),
        )
    newcomer = answer.rating is None  # the starting rating is not published, so there is no change
    return PlayerReport(
        **facts | {"rating": answer.rating},
        k=answer.k_used,
        k_why=_bare(answer.k_why),
        expected=None if newcomer else answer.expected,
        change=None if newcomer else answer.change,
        rounded=None if newcomer else answer.rounded,
        new_rating=answer.new_rating,
        first=newcomer,
        why=_bare(answer.why),
        assumed=_assumed(answer),
    )


def _bare(why: Text | None) -> Text | None:
    """A reason without the steps behind it, which take most of the memory."""
    return type(why)(why.step._replace(given=NOTHING)) if isinstance(why, Reason) else why


def _assumed(answer: Calculation) -> tuple[Message, ...]:
    return tuple(note for note in answer.notes if _is_assumed(note))


def assumption(note: Message, whom: Message) -> Message:
    """A note on an assumption, worded for an event, where a table of players can replace it."""
    return say(_for_event(note), **note.values, whom=whom)
