"""One game per line: white, black, result, round, and what is known about both players."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.core import COLOURS
from arpad.core.tournaments import Oddity, Tournament
from arpad.errors import BadFile
from arpad.formats.pairings import Paired, Side, entrants_of, result_of, round_number
from arpad.formats.persons import player_of
from arpad.formats.text import place
from arpad.messages import say

if TYPE_CHECKING:
    from arpad.formats.spreadsheets.headings import Headings
    from arpad.formats.spreadsheets.rows import Row
    from arpad.formats.spreadsheets.sheet import Sheet
    from arpad.messages import Message


def game_list(sheet: Sheet) -> Tournament:
    """The tournament of a list of games."""
    odd = sheet.odd
    read = [_game(row, sheet.headings, odd) for row in sheet.each_row()]
    games = [game for game in read if game is not None]
    if not games:
        where = odd[-1].line if odd else None
        raise BadFile(say("formats.table.no_game"), at=place(sheet.path, where))
    entrants = entrants_of(games, sheet.path, odd)
    rounds = max((len(entrant.rounds) for entrant in entrants), default=0)
    return Tournament(entrants, rounds=rounds, oddities=tuple(odd))


def _game(row: Row, headings: Headings, odd: list[Oddity]) -> Paired | None:
    texts = {field: row.cells[column] if column < len(row.cells) else "" for field, column in headings.fields.items()}
    try:
        score, kind = result_of(texts["result"])
    except ValueError as error:
        odd.append(Oddity(say("formats.game.result", text=error), row.number, headings.fields["result"] + 1, True))
        return None
    try:
        at = round_number(texts.get("round", ""))
    except ValueError as error:
        odd.append(Oddity(say("formats.game.round", text=error), row.number, headings.fields["round"] + 1, True))
        return None
    white, black = (_side(texts, colour, row, headings, odd) for colour in COLOURS)
    if white is None or black is None:
        odd.append(Oddity(say("formats.game.no_side"), row.number, 1, True))
        return None
    return Paired(white, black, score, kind, at, row.number)


def _side(texts: dict[str, str], colour: str, row: Row, headings: Headings, odd: list[Oddity]) -> Side | None:
    """One player of a game; None if there is no number, ID or name."""
    own = {field.removeprefix(f"{colour}_"): text for field, text in texts.items() if field.startswith(f"{colour}_")}
    own["name"] = texts.get(colour, "")

    def note(says: Message, field: str) -> None:
        column = headings.fields.get(f"{colour}_{field}", headings.fields.get(colour, 0))
        odd.append(Oddity(says, row.number, column + 1, True))

    player, _ = player_of(own, note)
    no = own.get("no", "")
    number = int(no) if no.isascii() and no.isdigit() and len(no) <= 6 and int(no) else None
    if number is None and player.fide_id is None and player.name is None:
        return None
    return Side(player, number)
