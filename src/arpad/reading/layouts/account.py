"""The account of a paste: every line becomes a game or is left out with a reason."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from arpad.errors import BadInput
from arpad.reading.characters import plain
from arpad.reading.names import persons_called
from arpad.reading.pasted import ColumnReading, LeftOutLine, Paste, PastedGame

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

HEADING = "a heading"
TOTAL = "a total, not a game"
PARTICULARS = "about the player or the event, not a game"
OTHERS = "somebody else's row"
OWN_ROW = "the player's own row"
FURNITURE = "not part of the table"
RULE = "a line between rows"
MOST_NAMES = 8


@dataclass(frozen=True, slots=True)
class PastedLine:
    """A line of the text: as it was pasted, and with plain characters."""

    number: int
    raw: str
    text: str

    @property
    def is_blank(self) -> bool:
        """Whether there is nothing in it."""
        return not self.text.strip()


def lines_of(text: str) -> list[PastedLine]:
    """The lines of a text, numbered from 1; whichever way they end."""
    raw = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return [PastedLine(number, line, plain(line)) for number, line in enumerate(raw, start=1)]


@dataclass(slots=True)
class Account:
    """What has been read of a paste so far."""

    lines: Sequence[PastedLine]
    player: str | None = None
    layout: str = ""
    games: list[PastedGame] = field(default_factory=list)
    left_out: dict[int, LeftOutLine] = field(default_factory=dict)
    used: set[int] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)
    players: list[str] = field(default_factory=list)
    columns: list[ColumnReading] = field(default_factory=list)

    def add(self, game: PastedGame, lines: Sequence[PastedLine]) -> None:
        """A game, and the lines it was read from."""
        self.games.append(replace(game, line=lines[0].number, lines=lines[-1].number - lines[0].number + 1))
        self.used.update(line.number for line in lines)

    def leave(self, lines: Iterable[PastedLine], why: str, *, doubtful: bool = False) -> None:
        """Leave lines out; blank ones need no reason."""
        for line in lines:
            if not line.is_blank and line.number not in self.used:
                self.left_out[line.number] = LeftOutLine(line=line.number, text=line.raw, why=why, doubtful=doubtful)

    def leave_part(self, line: PastedLine, why: str) -> None:
        """Say that a part of a line with other games in it is left out."""
        self.left_out[line.number] = LeftOutLine(line=line.number, text=line.raw, why=why, doubtful=True)

    def note(self, sentence: str) -> None:
        """Say how something was read, once."""
        if sentence not in self.notes:
            self.notes.append(sentence)

    def whose(self, names: Sequence[str]) -> int | None:
        """The place of the player among the people of a table; None if it has to be asked.

        A name that nobody has is refused, with the names that are there.
        """
        if self.player is None:
            self.players = list(dict.fromkeys(name for name in names if name))
            self.note("The text has several players; give the name of the one whose games you want.")
            return None
        found = persons_called(self.player, names)
        if len({names[place] for place in found}) == 1:
            return found[0]
        people = list(dict.fromkeys(names[place] for place in found) if found else dict.fromkeys(filter(None, names)))
        listed = "; ".join(people[:MOST_NAMES]) + ("; …" if len(people) > MOST_NAMES else "")
        problem = "fits several players" if found else "is not in the text"
        people_found = listed or "it names nobody"
        raise BadInput(f"'{self.player}' {problem}: {people_found}. Give one of these names.", at="player")

    def paste(self) -> Paste:
        """The reading; a line that nobody accounted for is left out."""
        self.leave((line for line in self.lines if line.number not in self.left_out), FURNITURE)
        return Paste(
            games=tuple(self.games),
            left_out=tuple(self.left_out[number] for number in sorted(self.left_out)),
            layout=self.layout,
            player=self.player,
            players=tuple(self.players),
            columns=tuple(self.columns),
            notes=tuple(self.notes),
        )
