"""One line per player with a column per round, or the table of a round robin with a column per opponent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.core.tournaments import ABSENT, Entrant, Oddity, Round, Tournament
from arpad.errors import BadFile, BadInput
from arpad.formats.pairings import MOST_PLAYERS, MOST_ROUNDS
from arpad.formats.persons import player_of
from arpad.formats.spreadsheets.cells import SCORES, Notation, round_of
from arpad.formats.spreadsheets.numbering import by_starting_number
from arpad.formats.spreadsheets.roundrobin import ITSELF, players_across, results_in
from arpad.formats.text import place
from arpad.formats.trf.values import as_number, as_points
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from decimal import Decimal

    from arpad.formats.spreadsheets.headings import Headings
    from arpad.formats.spreadsheets.rows import Row
    from arpad.formats.spreadsheets.sheet import Sheet
    from arpad.messages import Message

NOTHING = Round(ABSENT)


def crosstable(sheet: Sheet) -> Tournament:
    """The tournament of a crosstable."""
    rows, headings, path, odd, _ = sheet
    _check_size(rows, headings, path)
    table = _Table(rows, headings, odd)
    for number, row in enumerate(sheet.each_row(), start=1):
        table.line(row, number)
    if not table.entrants:
        raise BadFile(say("formats.table.no_player"), at=place(path, rows[0].number if rows else None))
    entrants = tuple(table.entrants[no] for no in sorted(table.entrants))
    if table.across:
        odd.append(Oddity(say("formats.table.no_rounds")))
    elif "no" in headings.fields and "no" not in headings.chosen:
        try:
            renumbered = by_starting_number(entrants)
        except BadInput as question:
            raise BadFile(question.said, at=place(path, rows[0].number - 1)) from None
        if renumbered is not None:
            odd.append(Oddity(say("formats.table.by_rank")))
            entrants = renumbered
    seen = max(len(entrant.rounds) for entrant in entrants)
    planned = 0 if table.across else max(headings.rounds, default=0)
    return Tournament(entrants, rounds=max(seen, planned), oddities=tuple(odd))


def _check_size(rows: list[Row], headings: Headings, path: str) -> None:
    rounds = max([*headings.rounds, *headings.parts, *headings.across, 0])
    if rounds > MOST_ROUNDS:
        raise BadFile(say("formats.table.many_rounds", rounds=rounds, most=MOST_ROUNDS), at=path)
    if len(rows) > MOST_PLAYERS:
        said = say("formats.table.many_players", most=MOST_PLAYERS)
        raise BadFile(said, at=place(path, rows[MOST_PLAYERS].number))


class _Table:
    """A crosstable being read, line by line."""

    def __init__(self, rows: list[Row], headings: Headings, odd: list[Oddity]) -> None:
        self.headings = headings
        self.odd = odd
        self.entrants: dict[int, Entrant] = {}
        lines = players_across(rows, headings)
        self.across: Mapping[int, int] = headings.across if lines is None else headings.rounds  # columns by opponent
        self.numbers = {number: number for number in self.across}  # the starting number behind each heading
        if lines is not None and "no" in headings.fields:
            numbers = {number: _number(rows[line].cell(headings.fields["no"])) for number, line in lines.items()}
            self.numbers = {number: no for number, no in numbers.items() if no}
        elif lines is not None:
            self.numbers = {number: line + 1 for number, line in lines.items()}
        notation = Notation.of(row.cell(column) for row in rows for column in headings.rounds.values())
        self.notation = notation._replace(paired=True) if headings.parts else notation

    def line(self, row: Row, place_in_table: int) -> None:
        """One player."""
        fields = self.headings.fields
        texts = {field: row.cell(column) for field, column in fields.items()}

        def note(says: Message, field: str) -> None:
            self.odd.append(Oddity(says, row.number, fields.get(field, 0) + 1, True))

        no = self._new_number(texts["no"], row) if "no" in fields else place_in_table
        if no is None:
            return
        player, born = player_of(texts, note)
        rounds = self._games_across(row, no) if self.across else self._rounds(row)
        points, rank = self._claimed(texts, "points", note), self._claimed(texts, "rank", note)
        whole_rank = None if rank is None or rank != int(rank) or rank < 1 else int(rank)
        self.entrants[no] = Entrant(no, player, rounds, points, whole_rank, born.day, row.number)

    def _new_number(self, text: str, row: Row) -> int | None:
        """The starting number; None, with an oddity, if it is missing or already taken."""
        no = _number(text)
        if no and no not in self.entrants:
            return no
        said = say("formats.table.not_a_number", text=text)
        if no:
            said = say("formats.table.duplicate_number", no=no, line=self.entrants[no].line)
        self.odd.append(Oddity(said, row.number, self.headings.fields["no"] + 1, True))
        return None

    @staticmethod
    def _claimed(texts: Mapping[str, str], field: str, note: Callable[[Message, str], None]) -> Decimal | None:
        text = texts.get(field, "").replace("½", ".5").rstrip(".")
        try:
            return as_points(text)
        except ValueError:
            note(say("formats.table.not_figure", text=texts[field], column=field), field)
            return None

    def _rounds(self, row: Row) -> tuple[Round, ...]:
        """The rounds up to the last that is not blank."""
        found: dict[int, Round] = {}
        for number, column in self.headings.rounds.items():
            self._keep(found, number, row.cell(column), row, column)
        for number, parts in self.headings.parts.items():
            texts = {part: row.cell(column) for part, column in parts.items()}
            colour = texts.get("colour", "")[:1].lower().strip("-")
            if texts.get("opponent") and texts.get("result") and not colour:
                colour = "?"  # keeps number and result apart
            cell = f"{texts.get('opponent', '')}{colour}{texts.get('result', '')}"
            self._keep(found, number, cell, row, min(parts.values()))
        return tuple(found.get(number, NOTHING) for number in range(1, max(found, default=0) + 1))

    def _keep(self, found: dict[int, Round], number: int, cell: str, row: Row, column: int) -> None:
        try:
            played = round_of(cell, self.notation)
        except ValueError:
            alone = not self.notation.paired and cell.strip().lower() in SCORES
            key = "formats.table.no_opponent" if alone else "formats.table.not_a_round"
            self.odd.append(Oddity(say(key, cell=cell), row.number, column + 1, True))
            return
        if played is not None:
            found[number] = played

    def _games_across(self, row: Row, no: int) -> tuple[Round, ...]:
        """A round robin's line; the game of i and j goes into round i + j modulo the size, where both are free.

        A second game against the same opponent comes that many rounds later.
        """
        size = max(self.across)
        own = next((number for number, starting in self.numbers.items() if starting == no), no)
        found: dict[int, Round] = {}
        for number, column in self.across.items():
            cell = row.cell(column)
            if number == own or cell.lower() in BLANK_CELLS:
                continue
            try:
                results = results_in(cell)
            except ValueError:
                self.odd.append(Oddity(say("formats.table.not_a_round", cell=cell), row.number, column + 1, True))
                continue
            for time, result in enumerate(results):
                played = round_of(f"{self.numbers.get(number, number)}?{result}")
                if played is not None:
                    found[(own + number) % size + time * size] = played
        return tuple(found.get(index, NOTHING) for index in range(size * (1 + any(at >= size for at in found))))


BLANK_CELLS = tuple(mark for mark in ITSELF if mark != "-")  # a dash against another player is a forfeit


def _number(text: str) -> int | None:
    """A starting number; None if the text is not one."""
    try:
        return as_number(text.removesuffix(".0").rstrip("."))
    except ValueError:
        return None
