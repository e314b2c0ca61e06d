"""The result of reading a paste: its games, and the lines that were left out, with reasons."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from arpad.calculation.answer import derived, hidden
from arpad.messages import Message, say
from arpad.reading.results import Colour, Result

RatingState = Literal["rated", "unrated", "unknown"]
NOTATION: dict[Result, str] = {
    "win": ":win", "draw": ":draw", "loss": ":loss", "forfeit-win": ":+", "forfeit-loss": ":-", "to-come": "",
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class PastedGame:
    """A game as it was understood; what the text does not say is None."""

    result: Result
    round: int | None = None
    opponent: int | None = None  # the rating
    rating_state: RatingState = "unknown"  # unrated: the opponent has none; unknown: the text does not say
    name: str | None = None
    title: str | None = None
    federation: str | None = None
    colour: Colour | None = None  # the player's own
    points: Decimal | None = None  # of a round without an opponent
    national_rating: int | None = None
    capped: bool = False  # whether the printed rating is the player's own plus or minus 400
    event: str | None = None
    line: int = 1  # where it begins, from 1
    lines: int = 1
    read_from: str = ""  # what the result was read from
    typed: str | None = hidden(default=None)  # the game itself, if it was typed in Arpad's notation

    @derived
    def notation(self) -> str | None:
        """The game in Arpad's notation, `1950:win` or `1950@w`; None if the rating is unknown."""
        if self.typed is not None or self.result == "bye":
            return self.typed or "bye"
        if self.rating_state == "unknown":
            return None
        opponent = "unrated" if self.opponent is None else str(self.opponent)
        colour = f"@{self.colour[0]}" if self.colour else ""
        return f"{opponent}{colour}{NOTATION[self.result]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOutLine:
    """A line without a game in it, or with one that cannot be read."""

    line: int
    text: str
    why: Message
    doubtful: bool = False  # whether it may hold a game: worth a look


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnReading:
    """What a column of a table was taken for."""

    heading: str
    meaning: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Paste:
    """The games of a pasted text, what was left out, and how the text was read."""

    games: tuple[PastedGame, ...]
    left_out: tuple[LeftOutLine, ...]
    layout: str
    player: str | None = None  # whose games these are, if the text says so
    players: tuple[str, ...] = ()  # whose games could be meant, if that has to be asked
    columns: tuple[ColumnReading, ...] = ()
    notes: tuple[Message, ...] = ()

    @property
    def unrated(self) -> tuple[Message, ...]:
        """How many games are not rated, and why: those to come, and those without the opponent's rating."""
        to_come = sum(game.result == "to-come" for game in self.games)
        no_rating = sum(game.notation is None and game.result != "to-come" for game in self.games)
        counts = {"to_come": to_come, "no_rating": no_rating}
        return tuple(say(f"reading.not_rated.{why}", games=count) for why, count in counts.items() if count)

    @property
    def doubtful(self) -> tuple[LeftOutLine, ...]:
        """The lines that may hold a game and could not be read."""
        return tuple(line for line in self.left_out if line.doubtful)
