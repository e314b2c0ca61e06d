"""A player's line, 001: strict where it follows FIDE's format, and tolerant where it does not."""

from __future__ import annotations

from datetime import date
from typing import Any

from arpad.core import Player
from arpad.core.tournaments import ABSENT, FORFEIT, PENDING, Entrant, Oddity, Round
from arpad.errors import BadFile, BadInput
from arpad.formats.text import place
from arpad.formats.trf.columns import CODE, COLOUR, OPPONENT, PLAYER, RESULT, round_column
from arpad.formats.trf.fields import (
    BYE_LETTERS,
    COLOURS,
    FORMS,
    GAMES,
    OTHER_RESULTS,
    OTHER_SEXES,
    REFUSED,
    SEXES,
    as_number,
)
from arpad.messages import Message, say
from arpad.reading.days import DayOrder
from arpad.reading.players import title_of

MOST_ROUNDS = 200
COLUMNS = {column.name: column for column in PLAYER}
GAPS = [at for at in range(4, OPPONENT.first) if not any(column.first <= at <= column.last for column in PLAYER)]
TO_COLOUR, TO_RESULT = COLOUR.first - OPPONENT.first, RESULT.first - OPPONENT.first

# By how many columns a part may have shifted.
SHIFTS = (-1, 1, -2, 2, -3, 3, -4, 4)
NOTHING = Round(ABSENT)
NOBODY = ("", "0", "0000")
BLANK = ("", " ", "\t")


def entrant_of(line: str, number: int, odd: list[Oddity], path: str, order: DayOrder | None = None) -> Entrant | None:
    """The player of a line; None, with the reason added to the oddities, if it cannot be read."""
    read = _Reading(line, number, order)
    entrant = read.entrant(path)
    if any(oddity.lost for oddity in read.odd) and (repaired := _shifted(line, number, path, order)) is not None:
        read, entrant = repaired
    odd += read.odd
    return entrant


class _Reading:
    """One attempt to read a line: its fields and its oddities."""

    def __init__(self, line: str, number: int, order: DayOrder | None = None) -> None:
        self.line = line
        self.order = order
        self.number = number
        self.odd: list[Oddity] = []

    def note(self, says: Message, column: int, *, lost: bool = False) -> None:
        """Add an oddity of this line."""
        self.odd.append(Oddity(says, self.number, column, lost))

    def field(self, name: str) -> Any:
        """A field by its form; None if it cannot be read."""
        column = COLUMNS[name]
        text = column.cut(self.line)
        try:
            return FORMS[column.form](text)
        except ValueError:
            self.note(say(REFUSED[column.form], text=text, column=name), column.first, lost=True)
            return None

    def entrant(self, path: str) -> Entrant | None:
        """The player of the line; None without a starting number."""
        no = self._no()
        if no is None:
            return None
        for at in GAPS:
            if self.line[at - 1 : at] not in BLANK:
                self.note(say("formats.trf.between"), at, lost=True)
        end = len(self.line.rstrip())
        if end < COLUMNS["points"].last:
            self.note(say("formats.trf.short"), end + 1)
        born, year = self._born()
        rating = self._rating()
        player = {
            "standing": rating,
            "birth_year": year,
            "title": self._title(),
            "federation": self.field("federation") or None,
            "sex": self._sex(),
            "fide_id": self._fide_id(),
            "name": self._name(),
        }
        return Entrant(
            no,
            self._player(player),
            self._rounds(path),
            self.field("points"),
            self.field("rank") or None,
            born,
            self.number,
        )

    def _no(self) -> int | None:
        column = COLUMNS["no"]
        text = column.cut(self.line)
        try:
            no = as_number(text)
        except ValueError:
            no = None
        if not no:
            key = "formats.trf.not_a_number" if text else "formats.trf.without_number"
            self.note(say(key, text=text), column.first, lost=True)
        return no or None

    def _player(self, known: dict[str, Any]) -> Player:
        """The player; an impossible rating or year of birth is left out with a note."""
        while True:
            try:
                return Player(**known)
            except BadInput as error:
                name = "standing" if error.at == "rating" else "birth_year"
                column = COLUMNS["rating" if name == "standing" else "born"]
                self.note(say("formats.left_out", says=error.said), column.first, lost=True)
                known[name] = None

    def _rating(self) -> int | None:
        rating: int | None = self.field("rating")
        if rating == 0:
            self.note(say("formats.trf.rating_0"), COLUMNS["rating"].first)
        return rating or None

    def _name(self) -> str | None:
        name = COLUMNS["name"].cut(self.line)
        if not name:
            self.note(say("formats.trf.no_name"), COLUMNS["name"].first)
        return name or None

    def _title(self) -> str | None:
        column = COLUMNS["title"]
        text = column.cut(self.line)
        try:
            title, spelt = title_of(text)
        except ValueError:
            self.note(say("formats.trf.title", text=text), column.first, lost=True)
            return None
        if not spelt:
            self.note(say("formats.trf.title_form", title=title, text=text), column.first)
        return title

    def _sex(self) -> str | None:
        column = COLUMNS["sex"]
        text = column.cut(self.line)
        if not text or text in SEXES:
            return text or None
        if text in OTHER_SEXES:
            self.note(say("formats.trf.sex_form", sex=OTHER_SEXES[text], text=text), column.first)
            return OTHER_SEXES[text]
        self.note(say("formats.trf.sex", text=text), column.first, lost=True)
        return None

    def _fide_id(self) -> int | None:
        column = COLUMNS["id"]
        text = column.cut(self.line)
        if not text:
            return None
        if not (text.isascii() and text.isdigit()):
            self.note(say("formats.trf.id", text=text), column.first, lost=True)
            return None
        if not int(text):
            self.note(say("formats.trf.id_0"), column.first)
        return int(text) or None

    def _born(self) -> tuple[date | None, int | None]:
        written = self.field("born")
        if written is None:
            return None, None
        column = COLUMNS["born"]
        text = column.cut(self.line)
        if written.short:
            self.note(say("formats.day.short_birth", text=text), column.first, lost=True)
            return None, None
        found = written.by(self.order and self.order.order)
        if found.meant:
            self.note(say("formats.day.birth", text=text, days=found.candidates), column.first, lost=True)
        elif not found.exact:
            self.note(say("formats.trf.born_form"), column.first)
        return found.day, found.year

    def _rounds(self, path: str) -> tuple[Round, ...]:
        """The rounds up to the end of the line."""
        end = len(self.line.rstrip())
        rounds = max(0, -(-(end - OPPONENT.first + 2) // OPPONENT.every)) if end >= OPPONENT.first else 0
        if rounds > MOST_ROUNDS:
            said = say("formats.trf.many_rounds", rounds=rounds, most=MOST_ROUNDS)
            raise BadFile(said, at=place(path, self.number, round_column(MOST_ROUNDS + 1)))
        return tuple([self._round(time) for time in range(rounds)])

    def _round(self, time: int) -> Round:
        at = OPPONENT.first + time * OPPONENT.every
        group = self.line[at - 1 : at - 1 + OPPONENT.every]
        met, own, result = (
            group[: OPPONENT.width].strip(),
            group[TO_COLOUR : TO_COLOUR + 1].strip(),
            group[TO_RESULT : TO_RESULT + 1],
        )
        letter = result.strip().lower()
        if letter in OTHER_RESULTS:
            self.note(say("formats.trf.result_form", result=OTHER_RESULTS[letter], text=result), at + TO_RESULT)
            letter = OTHER_RESULTS[letter]
        if own not in COLOURS:
            self.note(say("formats.trf.colour", text=own), at + TO_COLOUR, lost=True)
        if (group[OPPONENT.width : TO_COLOUR] + group[TO_COLOUR + 1 : TO_RESULT] + group[TO_RESULT + 1 :]).strip():
            self.note(say("formats.trf.between_round"), at, lost=True)
        if met in NOBODY:
            if met == "0":
                self.note(say("formats.trf.opponent_0"), at + OPPONENT.width - 1)
            return self._alone(letter, result, at)
        return self._game(met, COLOURS.get(own), letter, result, at)

    def _alone(self, letter: str, result: str, at: int) -> Round:
        """A round without an opponent."""
        if not letter:
            return NOTHING
        if letter in BYE_LETTERS:
            return Round(BYE_LETTERS[letter])
        kind, score = GAMES.get(letter, (None, None))
        if kind == FORFEIT:
            return Round(kind, score=score)
        key = "formats.trf.needs_opponent" if kind else "formats.trf.not_a_result_round"
        self.note(say(key, result=result), at + TO_RESULT, lost=True)
        return NOTHING

    def _game(self, met: str, colour: str | None, letter: str, result: str, at: int) -> Round:
        """A round with an opponent."""
        try:
            opponent = as_number(met)
        except ValueError:
            self.note(say("formats.trf.opponent", text=met), at, lost=True)
            return NOTHING
        if not letter:
            return Round(PENDING, opponent, colour)
        if letter in GAMES:
            kind, score = GAMES[letter]
            return Round(kind, opponent, colour, score)
        if letter in BYE_LETTERS:
            self.note(say("formats.trf.bye_opponent", result=result), at, lost=True)
            return Round(BYE_LETTERS[letter])
        self.note(say("formats.trf.result", result=result), at + TO_RESULT, lost=True)
        return Round(PENDING, opponent, colour)


def _shifted(line: str, number: int, path: str, order: DayOrder | None) -> tuple[_Reading, Entrant] | None:
    """The line read with a part of it shifted into its columns; None unless that fixes everything."""
    for what, start, move in (("name", COLUMNS["name"].last, _tail_shifted), ("code", CODE.stop, _line_shifted)):
        for shift in SHIFTS:
            moved = move(line, shift)
            if moved is None:
                continue
            read = _Reading(moved, number, order)
            entrant = read.entrant(path)
            if entrant is not None and not any(oddity.lost for oddity in read.odd):
                side = "left" if shift < 0 else "right"
                said = say(f"formats.trf.shift.{what}.{side}", columns=abs(shift))
                read.odd.insert(0, Oddity(said, number, start + 1 + min(shift, 0)))
                return read, entrant
    return None


def _tail_shifted(line: str, shift: int) -> str | None:
    """The line with everything after the name shifted: programs that count bytes pad a name with accents too little."""
    end = COLUMNS["name"].last
    if shift < 0:
        return line[: end + shift].ljust(end) + line[end + shift :]
    return None if line[end : end + shift].strip() else line[:end] + line[end + shift :]


def _line_shifted(line: str, shift: int) -> str | None:
    """The line with everything after the code shifted."""
    if shift < 0:
        return f"{line[CODE]}{' ' * -shift}{line[CODE.stop :]}"
    return None if line[CODE.stop : CODE.stop + shift].strip() else line[CODE] + line[CODE.stop + shift :]
