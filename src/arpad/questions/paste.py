"""Pasted text: the question `paste`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import partial

from arpad.calculation.answer import Answer, Figure, same
from arpad.messages import say
from arpad.questions import readers
from arpad.questions.declare import optional, question, several
from arpad.questions.fields import COMMAND_ALONE, LONGEST_PATH, Asking
from arpad.questions.files import pasted_text
from arpad.reading import read_paste
from arpad.reading.particulars import Particulars
from arpad.reading.pasted import ColumnReading, LeftOutLine, Paste, PastedEvent, PastedGame
from arpad.reading.text import LONGEST_PASTE


@dataclass(frozen=True, kw_only=True)
class PasteReading(Answer):
    """The games of a pasted text, what it says about the player and the event, and what was left out and why."""

    games: tuple[PastedGame, ...]
    left_out: tuple[LeftOutLine, ...]
    layout: str
    player: str | None  # whose games these are, if the text says so
    players: tuple[str, ...]  # whose games they could be, if we have to ask
    columns: tuple[ColumnReading, ...]
    about: Particulars  # what the text says about the player and the event
    events: tuple[PastedEvent, ...]  # if there are several

    @classmethod
    def of(cls, paste: Paste, on: date) -> PasteReading:
        """A paste as an answer; without a game it says so, unless its own notes say what it has instead."""
        notes = paste.notes or (() if paste.games else (say("reading.no_games_here"),))
        return cls(
            system="all",
            on=on,
            trail=(),
            remarks=partial(same, notes),
            games=paste.games,
            left_out=paste.left_out,
            layout=paste.layout,
            player=paste.player,
            players=paste.players,
            columns=paste.columns,
            about=paste.about,
            events=paste.events,
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
    accept: tuple[int, ...] = several(readers.count, example="3")

    def answer(self) -> PasteReading:
        """What was read from the text."""
        text = (self.text or "") if self.path is None else pasted_text(self.path)
        return PasteReading.of(read_paste(text, player=self.player, accept=self.accept), self.today)
