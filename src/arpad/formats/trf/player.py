"""A player's line, 001: strict where it follows FIDE's format, and tolerant where it does not."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

from arpad.core import Player, Rating
from arpad.core.tournaments import ABSENT, FORFEIT, PENDING, Entrant, Round
from arpad.errors import BadFile, BadInput
from arpad.formats.text import place
from arpad.formats.trf.columns import CODE, COLOUR, MOST_ROUNDS, OPPONENT, PLAYER, RESULT, round_column
from arpad.formats.trf.fields import BYE_LETTERS, GAMES, WHOLE, ReportLine, as_number
from arpad.messages import Message, say
from arpad.reading.players import SEXES, title_of

COLUMNS = {column.name: column for column in PLAYER}
BEHIND, TO_COLOUR, TO_RESULT = OPPONENT.width, COLOUR.first - OPPONENT.first, RESULT.first - OPPONENT.first
COLOURS = {"w": "white", "b": "black", "W": "white", "B": "black", "-": None, "": None}
HALF = "½"  # how some programs write a draw

# By how many columns a part may have shifted.
SHIFTS = (-1, 1, -2, 2, -3, 3, -4, 4)
NOTHING = Round(ABSENT)
NOBODY = ("", "0", "0000")


def entrant_of(line: ReportLine) -> Entrant | None:
    """The player of a line; None, with the reason noted, if it cannot be read."""
    read = line.changed(line.text)
    entrant = _entrant(read)
    if any(oddity.lost for oddity in read.odd) and (repaired := _shifted(line)) is not None:
        read, entrant = repaired
    line.odd += read.odd
    return entrant


def _entrant(line: ReportLine) -> Entrant | None:
    """The player of the line as it is; None without a starting number."""
    text = COLUMNS["no"].cut(line.text)
    if not WHOLE.fullmatch(text) or not int(text):
        key = "formats.trf.not_a_number" if text else "formats.trf.without_number"
        line.note(say(key, text=text), COLUMNS["no"].first, lost=True)
        return None
    for at in line.between(PLAYER, OPPONENT.first - 1):
        line.note(say("formats.trf.between"), at, lost=True)
    if line.end < COLUMNS["points"].last:
        line.note(say("formats.trf.short"), line.end + 1)
    born, year = _born(line)
    known = {name: line.field(COLUMNS[name]) for name in ("rating", "name", "federation", "points", "rank")}
    if known["rating"] == 0:
        line.note(say("formats.trf.rating_0"), COLUMNS["rating"].first)
    if not known["name"]:
        line.note(say("formats.trf.no_name"), COLUMNS["name"].first)
    player = possible_player(
        known["rating"] or None,
        year,
        lambda name, says: line.note(says, COLUMNS[name].first, lost=True),
        title=_spelt(line, "title", title_of),
        federation=known["federation"] or None,
        sex=_spelt(line, "sex", lambda text: SEXES[text.lower()] if text else None),
        fide_id=_fide_id(line),
        name=known["name"] or None,
    )
    return Entrant(int(text), player, _rounds(line), known["points"], known["rank"] or None, born, line.number)


def possible_player(
    rating: Rating | None, year: int | None, left_out: Callable[[str, Message], object], **known: Any
) -> Player:
    """The player without a rating or a year of birth that nobody can have; `left_out` is told the field and why."""
    while True:
        try:
            return Player(rating, birth_year=year, **known)
        except BadInput as error:
            name = "rating" if error.at == "rating" else "born"
            left_out(name, say("formats.left_out", says=error.said))
            rating, year = (None, year) if name == "rating" else (rating, None)


def _spelt(line: ReportLine, name: str, read: Callable[[str], str | None]) -> str | None:
    """A title or a sex; what FIDE spells in another way is noted, and what is none is left out."""
    column = COLUMNS[name]
    text = column.cut(line.text)
    try:
        value = read(text)
    except (ValueError, KeyError):
        line.note(say(f"formats.trf.{name}", text=text), column.first, lost=True)
        return None
    if value not in (None, text):
        line.note(say(f"formats.trf.{name}_form", text=text, **{name: value}), column.first)
    return value


def _fide_id(line: ReportLine) -> int | None:
    column = COLUMNS["id"]
    text = column.cut(line.text)
    if text and not (text.isascii() and text.isdigit()):
        line.note(say("formats.trf.id", text=text), column.first, lost=True)
        return None
    if text and not int(text):
        line.note(say("formats.trf.id_0"), column.first)
    return int(text or 0) or None


def _born(line: ReportLine) -> tuple[date | None, int | None]:
    """The day of birth and the year, as far as the file says them clearly."""
    column = COLUMNS["born"]
    text, written = column.cut(line.text), line.field(column)
    if written is None:
        return None, None
    if written.short:
        line.note(say("formats.day.short_birth", text=text), column.first, lost=True)
        return None, None
    found = line.settled(written)
    if found.meant:
        line.note(say("formats.day.birth", text=text, days=found.candidates), column.first, lost=True)
    elif not found.exact:
        line.note(say("formats.trf.born_form"), column.first)
    return found.day, found.year


def _rounds(line: ReportLine) -> tuple[Round, ...]:
    """The rounds up to the end of the line."""
    beyond = line.end - OPPONENT.first
    rounds = -(-(beyond + 2) // OPPONENT.every) if beyond >= 0 else 0
    if rounds > MOST_ROUNDS:
        said = say("formats.trf.many_rounds", rounds=rounds, most=MOST_ROUNDS)
        raise BadFile(said, at=place(line.path, line.number, round_column(MOST_ROUNDS + 1)))
    columns = range(OPPONENT.first, OPPONENT.first + rounds * OPPONENT.every, OPPONENT.every)
    return tuple([_round(line, at) for at in columns])


def _round(line: ReportLine, at: int) -> Round:
    """The round whose columns begin here."""
    group = line.text[at - 1 : at - 1 + OPPONENT.every]
    met, own, result = (
        group[:BEHIND].strip(),
        group[TO_COLOUR : TO_COLOUR + 1].strip(),
        group[TO_RESULT : TO_RESULT + 1],
    )
    letter = result.strip().lower()
    if letter == HALF:
        letter = "="
        line.note(say("formats.trf.result_form", result=letter, text=result), at + TO_RESULT)
    if own not in COLOURS:
        line.note(say("formats.trf.colour", text=own), at + TO_COLOUR, lost=True)
    if (group[BEHIND:TO_COLOUR] + group[TO_COLOUR + 1 : TO_RESULT] + group[TO_RESULT + 1 :]).strip():
        line.note(say("formats.trf.between_round"), at, lost=True)
    if met in NOBODY:
        if met == "0":
            line.note(say("formats.trf.opponent_0"), at + BEHIND - 1)
        return _alone(line, letter, result, at)
    return _game(line, met, COLOURS.get(own), letter, result, at)


def _alone(line: ReportLine, letter: str, result: str, at: int) -> Round:
    """A round without an opponent."""
    if not letter:
        return NOTHING
    if letter in BYE_LETTERS:
        return Round(BYE_LETTERS[letter])
    kind, score = GAMES.get(letter, (None, None))
    if kind == FORFEIT:
        return Round(kind, score=score)
    key = "formats.trf.needs_opponent" if kind else "formats.trf.not_a_result_round"
    line.note(say(key, result=result), at + TO_RESULT, lost=True)
    return NOTHING


def _game(line: ReportLine, met: str, colour: str | None, letter: str, result: str, at: int) -> Round:
    """A round with an opponent."""
    try:
        opponent = as_number(met)
    except ValueError:
        line.note(say("formats.trf.opponent", text=met), at, lost=True)
        return NOTHING
    if letter in GAMES:
        kind, score = GAMES[letter]
        return Round(kind, opponent, colour, score)
    if letter in BYE_LETTERS:
        line.note(say("formats.trf.bye_opponent", result=result), at, lost=True)
        return Round(BYE_LETTERS[letter])
    if letter:
        line.note(say("formats.trf.result", result=result), at + TO_RESULT, lost=True)
    return Round(PENDING, opponent, colour)


def _shifted(line: ReportLine) -> tuple[ReportLine, Entrant] | None:
    """The line read with a part of it shifted into its columns; None unless that fixes everything."""
    for what, start, move in (("name", COLUMNS["name"].last, _tail_shifted), ("code", CODE.stop, _line_shifted)):
        for shift in SHIFTS:
            moved = move(line.text, shift)
            if moved is None:
                continue
            read = line.changed(moved)
            entrant = _entrant(read)
            if entrant is not None and not any(oddity.lost for oddity in read.odd):
                side = "left" if shift < 0 else "right"
                line.note(say(f"formats.trf.shift.{what}.{side}", columns=abs(shift)), start + 1 + min(shift, 0))
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
