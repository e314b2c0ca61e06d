"""A paste: its games and the lines that were left out, and the account of what has been read so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from typing import Literal

from arpad.calculation.answer import derived, hidden
from arpad.errors import BadInput
from arpad.messages import Message, apart, say
from arpad.reading.particulars import NOTHING, Particulars, StatedValue, Value, gather
from arpad.reading.results import Colour, Result
from arpad.reading.text import fold, name_words, persons_called, plain

LOWEST_PASTED = 100  # a smaller number in a line is a round, a board or a starting number

Names = tuple[str, ...]
RatingState = Literal["rated", "unrated", "unknown"]

NOTATION: dict[Result, str] = {
    "win": ":win", "draw": ":draw", "loss": ":loss", "forfeit-win": ":+", "forfeit-loss": ":-", "to-come": "",
}  # fmt: skip

# Why lines are left out.
HEADING = say("reading.why.heading")
TOTAL = say("reading.why.total")
PARTICULARS = say("reading.why.particulars")
OTHERS = say("reading.why.others")
OWN_ROW = say("reading.why.own_row")
FURNITURE = say("reading.why.furniture")
RULE = say("reading.why.rule")
FOOTER = say("reading.why.footer")
WITHDRAWN = say("reading.why.withdrawn")
NOT_A_PLAYER = say("reading.why.not_a_player")

MOST_NAMES = 8  # to choose from


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
    suggestion: tuple[str, ...] = ()  # the games it might be, in Arpad's notation


@dataclass(frozen=True, slots=True, kw_only=True)
class PastedEvent:
    """One of several events in a text; its games have its name."""

    name: str
    on: date
    ended: date
    line: int  # where its name is, from 1
    lines: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnReading:
    """What a column of a table was taken for."""

    heading: str
    meaning: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Paste:
    """The games of a pasted text, what it says about the player and the event, what was left out, how it was read."""

    games: tuple[PastedGame, ...]
    left_out: tuple[LeftOutLine, ...]
    layout: str
    player: str | None = None  # whose games these are, if the text says so
    players: tuple[str, ...] = ()  # whose games could be meant, if that has to be asked
    columns: tuple[ColumnReading, ...] = ()
    about: Particulars = NOTHING
    events: tuple[PastedEvent, ...] = ()  # if there are several; a single one is in `about`
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


def lines_of(text: str) -> list[PastedLine]:
    """The lines of a text, numbered from 1, whatever the line endings."""
    raw = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return [PastedLine(number, line, plain(line)) for number, line in enumerate(raw, start=1)]


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


@dataclass(slots=True)
class Account:
    """What has been read of a paste so far."""

    lines: Sequence[PastedLine]
    player: str | None = None
    layout: str = ""
    games: list[PastedGame] = field(default_factory=list)
    left_out: dict[int, LeftOutLine] = field(default_factory=dict)
    used: set[int] = field(default_factory=set)
    notes: list[Message] = field(default_factory=list)
    players: list[str] = field(default_factory=list)
    columns: list[ColumnReading] = field(default_factory=list)
    people: list[str] = field(default_factory=list)  # in every table that was searched for the player
    found: bool = False  # whether the player is in one of them
    stated: list[tuple[str, StatedValue]] = field(default_factory=list)  # about the player and the event
    events: list[PastedEvent] = field(default_factory=list)

    def add(self, game: PastedGame, lines: Sequence[PastedLine]) -> None:
        """Add a game, with the lines it was read from."""
        self.games.append(replace(game, line=lines[0].number, lines=lines[-1].number - lines[0].number + 1))
        self.used.update(line.number for line in lines)

    def leave(
        self, lines: Iterable[PastedLine], why: Message, *, doubtful: bool = False, suggestion: Names = ()
    ) -> None:
        """Leave lines out; blank ones need no reason, and a doubtful one keeps its own."""
        for line in lines:
            doubted = line.number in self.left_out and self.left_out[line.number].doubtful and not doubtful
            if not line.is_blank and line.number not in self.used and not doubted:
                self.left_out[line.number] = LeftOutLine(
                    line=line.number, text=line.raw, why=why, doubtful=doubtful, suggestion=suggestion
                )

    def leave_part(self, line: PastedLine, why: Message) -> None:
        """Say that part of a line is left out; its other games are kept."""
        self.left_out[line.number] = LeftOutLine(line=line.number, text=line.raw, why=why, doubtful=True)

    def state(self, what: str, value: Value, line: PastedLine) -> None:
        """Say that a line gives something about the player or the event, by the name of its field in `Particulars`."""
        self.stated.append((what, StatedValue(value=value, line=line.number, text=line.raw.strip())))

    def note(self, sentence: Message) -> None:
        """Say how something was read, once."""
        if sentence not in self.notes:
            self.notes.append(sentence)

    def in_every_game(self, names: Sequence[str], games: int) -> str | None:
        """The player, who is the only person in all games if no name was given; None if nobody is, or several are."""
        counts = Counter(name_words(name) for name in names if name)
        everywhere = [words for words, count in counts.items() if count == games]
        if self.player is None and len(everywhere) == 1:
            self.player = next(name for name in names if name_words(name) == everywhere[0])
            self.note(say("reading.note.in_every_game", name=self.player))
        return self.player

    def whose(self, names: Sequence[str]) -> int | None:
        """The place of the player among the people of a table; None if it has to be asked.

        Without a name, a row called `me` is the player's.
        """
        if self.player is None:
            from arpad.reading.vocabulary import words  # not loaded for games in the notation

            own = [place for place, name in enumerate(names) if words("sentences").meaning(fold(name)) in ("I", "me")]
            if len({fold(names[place]) for place in own}) == 1:
                self.player = names[own[0]]
                return own[0]
            self.players = list(dict.fromkeys(name for name in names if name))
            self.note(say("reading.note.several_players"))
            return None
        self.people += [name for name in names if name]
        found = persons_called(self.player, names)
        if len({names[place] for place in found}) == 1:
            self.found = True
            return found[0]
        if found:
            several = _choices(names[place] for place in found)
            raise BadInput(say("reading.player_several", player=self.player, names=several), at="player")
        return None  # perhaps in another table of the text

    def paste(self) -> Paste:
        """The result; a line that was not accounted for is left out.

        Raises BadInput if the player is in none of the tables, with the names that are there.
        """
        if self.people and not self.found and self.player is not None:
            wanted = set(name_words(self.player))
            line = next((line.number for line in self.lines if wanted and wanted <= set(name_words(line.text))), None)
            key = "reading.player_unknown" if line is None else "reading.player_not_in_a_row"
            raise BadInput(say(key, player=self.player, line=line, names=_choices(self.people)), at="player")
        about = self._about()
        self.leave((line for line in self.lines if line.number not in self.left_out), FURNITURE)
        return Paste(
            games=tuple(self.games),
            left_out=tuple(self.left_out[number] for number in sorted(self.left_out)),
            layout=self.layout,
            player=self.player or (None if about.name is None else str(about.name.value)),
            players=tuple(self.players),
            columns=tuple(self.columns),
            about=about,
            events=tuple(self.events) if len(self.events) > 1 else (),
            notes=tuple(self.notes),
        )

    def _about(self) -> Particulars:
        """What the lines without games say about the player and the event; such a line is not left out."""
        if len(self.events) == 1:
            event = self.events[0]
            days = self.lines[event.line + event.lines - 2]
            self.state("event", event.name, self.lines[event.line - 1])
            self.state("on", str(event.on), days)
            self.state("ended", str(event.ended), days)
        rest = [line for line in self.lines if line.number not in self.used and not line.is_blank]
        above = 0 if self.events else min(self.used, default=0)
        gathered = gather(rest, self.stated, self.player, above)
        for sentence in gathered.notes:
            self.note(sentence)
        says = {number for event in self.events for number in range(event.line, event.line + event.lines)}
        rows = {one.line for _, one in self.stated}  # which may also have something to look at
        doubtful = {number for number in rows if number in self.left_out and self.left_out[number].doubtful}
        for number in (gathered.lines | says) - self.used - doubtful:
            self.left_out.pop(number, None)
            self.used.add(number)
        return gathered.about


def _choices(names: Iterable[str]) -> str:
    """The names to choose from, each once; only the first few if there are many."""
    people = list(dict.fromkeys(filter(None, names)))
    return apart([*people[:MOST_NAMES], *["…"] * (len(people) > MOST_NAMES)])
