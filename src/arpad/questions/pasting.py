"""What people paste: paste."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from datetime import date
from functools import cached_property, partial
from pathlib import Path

from arpad.calculation.answer import Answer, Figure, same
from arpad.core import Game
from arpad.errors import BadFile, BadInput
from arpad.formats.text import lines_of
from arpad.messages import say
from arpad.questions import readers
from arpad.questions.declare import Place, optional, question
from arpad.questions.fields import COMMAND_ALONE, LONGEST_PATH, Asking
from arpad.reading import ColumnReading, LeftOutLine, Paste, PastedGame, parse_game, read_paste
from arpad.reading.paste import LONGEST_PASTE

STANDARD_INPUT = "-"
MOST_NAMES = 8  # of players that a refusal lists


@dataclass(frozen=True, kw_only=True)
class PasteReading(Answer):
    """The games of a pasted text, what was left out and why, and how the text was read."""

    games: tuple[PastedGame, ...]
    left_out: tuple[LeftOutLine, ...]
    layout: str
    player: str | None  # whose games these are, where the text says it
    players: tuple[str, ...]  # whose games could be meant, where that has to be asked
    columns: tuple[ColumnReading, ...]

    @classmethod
    def of(cls, paste: Paste, on: date) -> PasteReading:
        """A reading as an answer."""
        return cls(
            system="all",
            on=on,
            trail=(),
            remarks=partial(same, paste.notes),
            games=paste.games,
            left_out=paste.left_out,
            layout=paste.layout,
            player=paste.player,
            players=paste.players,
            columns=paste.columns,
        )

    def summary(self) -> tuple[Figure, ...]:
        to_come = sum(game.result == "to-come" for game in self.games)
        return (
            Figure("games", len(self.games), say("reading.to_come", games=to_come) if to_come else None),
            Figure("left_out", sum(line.doubtful for line in self.left_out) or None, say("reading.look")),
        )


@question(
    "paste",
    needs=("path|text",),
    doors=frozenset({"command", "api"}),
    why="on the page a paste is part of a form",
    examples=({"path": "docs/examples/card.txt"},),
)
@dataclass(frozen=True, kw_only=True)
class PasteOf(Asking):
    """The games of a pasted text, what was left out and why."""

    path: str | None = optional(readers.path, example="card.txt", word=True, longest=LONGEST_PATH, **COMMAND_ALONE)
    text: str | None = optional(
        readers.text,
        example="1950 win",
        longest=LONGEST_PASTE,
        as_it_is=True,
        doors=frozenset({"api"}),
        why="at the command a text is a file, or standard input",
    )
    player: str | None = optional(readers.text, example="Lindqvist, Tyra")

    def answer(self) -> PasteReading:
        """The reading."""
        text = (self.text or "") if self.path is None else pasted_text(self.path)
        return PasteReading.of(read_paste(text, player=self.player), self.today)


def file_text(typed: str, _: Place) -> str:
    """The text of a file with a paste, or of standard input."""
    return pasted_text(typed)


@dataclass(frozen=True, kw_only=True, init=False, repr=False, eq=False)
class PasteFields(Asking):
    """Games that are pasted: a file at the command, its text elsewhere."""

    paste: str | None = optional(
        readers.text,
        example="1950 win",
        longest=LONGEST_PASTE,
        as_it_is=True,
        group="event",
        doors=frozenset({"api"}),
        why="at the command a paste is a file; on the page it is read into rows",
    )
    paste_file: str | None = optional(
        file_text,
        example="card.txt",
        option="paste",
        group="event",
        longest=LONGEST_PATH,
        **COMMAND_ALONE,
    )
    whose: str | None = optional(
        readers.text,
        example="Lindqvist, Tyra",
        option="player",
        group="event",
        doors=frozenset({"command", "api"}),
        why="on the page it is asked where a paste has several players",
    )

    @cached_property
    def pasted(self) -> Paste | None:
        """What was read of the paste; None if nothing was pasted."""
        text = self.paste if self.paste_file is None else self.paste_file
        return None if text is None else read_paste(text, player=self.whose)

    def pasted_games(self) -> tuple[Game, ...]:
        """The pasted games that have a result and a rating: the others are not rated, and said to be so."""
        if self.pasted is None:
            return ()
        if self.pasted.players:
            names = "; ".join(self.pasted.players[:MOST_NAMES])
            raise BadInput(say("reading.whose_games", names=names), at="whose")
        if not self.pasted.games:
            raise BadInput(say("reading.no_games"), at="paste" if self.paste_file is None else "paste_file")
        games = self.pasted.games
        return tuple(parse_game(game.notation) for game in games if game.notation and game.result != "to-come")


def pasted_text(path: str) -> str:
    """The text of a file, or of standard input."""
    name = str(say("questions.standard_input")) if path == STANDARD_INPUT else path
    try:
        data = sys.stdin.buffer.read() if path == STANDARD_INPUT else Path(path).read_bytes()
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise BadFile(say("questions.unreadable", reason=reason), at=name) from None
    return "\n".join(lines_of(data, name))
