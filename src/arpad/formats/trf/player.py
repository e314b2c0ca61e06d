"""A player's line, 001: strict where it is written as FIDE wants it, and tolerant where it is not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arpad.core import Player
from arpad.core.tournament import ABSENT, FORFEIT, PENDING, Entrant, Oddity, Round
from arpad.errors import BadFile, BadInput
from arpad.formats.text import place
from arpad.formats.trf.columns import CODE, COLOUR, OPPONENT, PLAYER, RESULT, round_column
from arpad.formats.trf.values import (
    BYE_LETTERS,
    COLOURS,
    FORMS,
    GAMES,
    OTHER_RESULTS,
    OTHER_SEXES,
    SEXES,
    WHAT,
    as_number,
    title_of,
)

if TYPE_CHECKING:
    from datetime import date

MOST_ROUNDS = 200
COLUMNS = {column.name: column for column in PLAYER}
GAPS = [at for at in range(4, OPPONENT.first) if not any(column.first <= at <= column.last for column in PLAYER)]
TO_COLOUR, TO_RESULT = COLOUR.first - OPPONENT.first, RESULT.first - OPPONENT.first

# What may have slipped, and by how many columns.
BEHIND_NAME, BEHIND_CODE = "What is behind the name", "What is behind 001"
SHIFTS = (-1, 1, -2, 2, -3, 3, -4, 4)
NOTHING = Round(ABSENT)
NOBODY = ("", "0", "0000")
BLANK = ("", " ", "\t")


def entrant_of(line: str, number: int, odd: list[Oddity], path: str) -> Entrant | None:
    """The player of a line; None, with the reason among the oddities, if it cannot be read."""
    read = _Reading(line, number)
    entrant = read.entrant(path)
    if any(one.lost for one in read.odd) and (mended := _moved(line, number, path)) is not None:
        read, entrant = mended
    odd += read.odd
    return entrant


def _moved(line: str, number: int, path: str) -> tuple[_Reading, Entrant] | None:
    """The line read with a part of it moved into its columns, if that mends everything."""
    for what, start, move in ((BEHIND_NAME, COLUMNS["name"].last, _tail_moved), (BEHIND_CODE, CODE.stop, _line_moved)):
        for shift in SHIFTS:
            moved = move(line, shift)
            if moved is None:
                continue
            read = _Reading(moved, number)
            entrant = read.entrant(path)
            if entrant is not None and not any(one.lost for one in read.odd):
                says = f"{what} stands {abs(shift)} too far to the {'left' if shift < 0 else 'right'}."
                read.odd.insert(0, Oddity(says, number, start + 1 + min(shift, 0)))
                return read, entrant
    return None


def _tail_moved(line: str, shift: int) -> str | None:
    """What stands behind the name: programs that count bytes pad a name with accents too little."""
    end = COLUMNS["name"].last
    if shift < 0:
        return line[: end + shift].ljust(end) + line[end + shift :]
    return None if line[end : end + shift].strip() else line[:end] + line[end + shift :]


def _line_moved(line: str, shift: int) -> str | None:
    """Everything behind the code."""
    if shift < 0:
        return f"{line[CODE]}{' ' * -shift}{line[CODE.stop :]}"
    return None if line[CODE.stop : CODE.stop + shift].strip() else line[CODE] + line[CODE.stop + shift :]


class _Reading:
    """One attempt at one line: its fields, and what was odd."""

    def __init__(self, line: str, number: int) -> None:
        self.line = line
        self.number = number
        self.odd: list[Oddity] = []

    def note(self, says: str, column: int, *, lost: bool = False) -> None:
        """Something odd in this line."""
        self.odd.append(Oddity(says, self.number, column, lost))

    def field(self, name: str) -> Any:
        """A field by its form; nothing if it cannot be read."""
        column = COLUMNS[name]
        text = column.cut(self.line)
        try:
            return FORMS[column.form](text)
        except ValueError:
            self.note(f"'{text}' is not {WHAT[column.form]} ({name}); it is left out.", column.first, lost=True)
            return None

    def entrant(self, path: str) -> Entrant | None:
        """The whole line."""
        no = self._no()
        if no is None:
            return None
        for at in GAPS:
            if self.line[at - 1 : at] not in BLANK:
                self.note("Something stands between two columns.", at, lost=True)
        end = len(self.line.rstrip())
        if end < COLUMNS["points"].last:
            self.note("The line ends here, before the points; whatever should follow is missing.", end + 1)
        born, year = self._born()
        rating = self._rating()
        player = {
            "rating": rating,
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
            found = f"'{text}' is no starting number" if text else "it has no starting number"
            self.note(f"The player's line cannot be read: {found}. The player is left out.", column.first, lost=True)
        return no or None

    def _player(self, known: dict[str, Any]) -> Player:
        """The player; a rating or year outside the bounds of sense is left out, and said so."""
        while True:
            try:
                return Player(**known)
            except BadInput as error:
                name = "rating" if error.at == "rating" else "birth_year"
                column = COLUMNS["rating" if name == "rating" else "born"]
                self.note(f"{error.message} It is left out.", column.first, lost=True)
                known[name] = None

    def _rating(self) -> int | None:
        rating: int | None = self.field("rating")
        if rating == 0:
            self.note("An unrated player is written with a rating of 0.", COLUMNS["rating"].first)
        return rating or None

    def _name(self) -> str | None:
        name = COLUMNS["name"].cut(self.line)
        if not name:
            self.note("The player has no name.", COLUMNS["name"].first)
        return name or None

    def _title(self) -> str | None:
        column = COLUMNS["title"]
        text = column.cut(self.line)
        try:
            title, spelt = title_of(text)
        except ValueError:
            self.note(f"'{text}' is none of FIDE's eight titles; it is left out.", column.first, lost=True)
            return None
        if not spelt:
            self.note(f"The title {title} is written '{text}'.", column.first)
        return title

    def _sex(self) -> str | None:
        column = COLUMNS["sex"]
        text = column.cut(self.line)
        if not text or text in SEXES:
            return text or None
        if text in OTHER_SEXES:
            self.note(f"The sex {OTHER_SEXES[text]} is written '{text}'.", column.first)
            return OTHER_SEXES[text]
        self.note(f"'{text}' is neither m nor w; it is left out.", column.first, lost=True)
        return None

    def _fide_id(self) -> int | None:
        column = COLUMNS["id"]
        text = column.cut(self.line)
        if not text:
            return None
        if not (text.isascii() and text.isdigit()):
            self.note(f"'{text}' is not a FIDE ID; it is left out.", column.first, lost=True)
            return None
        if not int(text):
            self.note("A player without a FIDE ID is written with an ID of 0.", column.first)
        return int(text) or None

    def _born(self) -> tuple[date | None, int | None]:
        found = self.field("born")
        if found is None:
            return None, None
        if not found.exact:
            self.note("The birth date is not written as YYYY/MM/DD.", COLUMNS["born"].first)
        return found.day, found.year

    def _rounds(self, path: str) -> tuple[Round, ...]:
        """The rounds up to the last one that says anything."""
        end = len(self.line.rstrip())
        rounds = max(0, -(-(end - OPPONENT.first + 2) // OPPONENT.every)) if end >= OPPONENT.first else 0
        if rounds > MOST_ROUNDS:
            raise BadFile(
                f"The line has {rounds} rounds; a tournament of at most {MOST_ROUNDS} can be read.",
                at=place(path, self.number, round_column(MOST_ROUNDS + 1)),
            )
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
            self.note(f"The result {OTHER_RESULTS[letter]} is written '{result}'.", at + TO_RESULT)
            letter = OTHER_RESULTS[letter]
        if own not in COLOURS:
            self.note(f"'{own}' is not a colour; a colour is w, b or -.", at + TO_COLOUR, lost=True)
        if (group[OPPONENT.width : TO_COLOUR] + group[TO_COLOUR + 1 : TO_RESULT] + group[TO_RESULT + 1 :]).strip():
            self.note("Something stands between two columns of a round.", at, lost=True)
        if met in NOBODY:
            if met == "0":
                self.note("No opponent is written '0' instead of '0000'.", at + OPPONENT.width - 1)
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
        what = "needs an opponent" if kind else "is not a result"
        self.note(f"'{result}' {what}; the round is left out.", at + TO_RESULT, lost=True)
        return NOTHING

    def _game(self, met: str, colour: str | None, letter: str, result: str, at: int) -> Round:
        """A round with an opponent."""
        try:
            opponent = as_number(met)
        except ValueError:
            self.note(f"'{met}' is not an opponent's number; the round is left out.", at, lost=True)
            return NOTHING
        if not letter:
            return Round(PENDING, opponent, colour)
        if letter in GAMES:
            kind, score = GAMES[letter]
            return Round(kind, opponent, colour, score)
        if letter in BYE_LETTERS:
            self.note(f"A bye, '{result}', with an opponent; the opponent is left out.", at, lost=True)
            return Round(BYE_LETTERS[letter])
        self.note(f"'{result}' is not a result; it is left out.", at + TO_RESULT, lost=True)
        return Round(PENDING, opponent, colour)
