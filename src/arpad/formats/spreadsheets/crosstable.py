"""One line a player, the rounds beside one another; or a round robin's table, the opponents beside one another."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from arpad.core.tournament import ABSENT, Entrant, Oddity, Round, Tournament
from arpad.errors import BadFile
from arpad.formats.pairings import MOST_PLAYERS, MOST_ROUNDS
from arpad.formats.persons import player_of
from arpad.formats.spreadsheets.cells import is_signed, round_of
from arpad.formats.text import check_oddities, place
from arpad.formats.trf.values import as_number, as_points

if TYPE_CHECKING:
    from collections.abc import Callable
    from decimal import Decimal

    from arpad.formats.spreadsheets.headings import Headings
    from arpad.formats.spreadsheets.rows import Row

EVERY = 500
ITSELF = ("", "*", "x", "xx", "***", "■", "\\")
NOTHING = Round(ABSENT)


def crosstable(
    rows: list[Row],
    headings: Headings,
    path: str,
    odd: list[Oddity],
    progress: Callable[[int, int], object] | None = None,
) -> Tournament:
    """The tournament of a crosstable."""
    rows = [row for row in rows if any(row.cells)]
    _check_size(rows, headings, path)
    cells = (row.cells[column] for row in rows for column in headings.rounds.values() if column < len(row.cells))
    table = _Table(headings, odd, signed=is_signed(cells), players=len(rows))
    for done, row in enumerate(rows, start=1):
        table.line(row)
        check_oddities(odd, path, row.number)
        if progress is not None and (done % EVERY == 0 or done == len(rows)):
            progress(done, len(rows))
    if not table.entrants:
        raise BadFile("No player can be read from the table.", at=place(path, rows[0].number if rows else None))
    if headings.across:
        says = "A round robin's table has no rounds: its games are put into rounds in an order of our own."
        odd.append(Oddity(says))
    entrants = tuple(table.entrants[no] for no in sorted(table.entrants))
    seen = max(len(one.rounds) for one in entrants)
    return Tournament(entrants, rounds=max(seen, max(headings.rounds, default=0)), oddities=tuple(odd))


def _check_size(rows: list[Row], headings: Headings, path: str) -> None:
    rounds = max([*headings.rounds, *headings.parts, *headings.across, 0])
    if rounds > MOST_ROUNDS:
        raise BadFile(f"A column of round {rounds}; a tournament of at most {MOST_ROUNDS} can be read.", at=path)
    if len(rows) > MOST_PLAYERS:
        raise BadFile(
            f"A table of at most {MOST_PLAYERS} players can be read.", at=place(path, rows[MOST_PLAYERS].number)
        )


class _Table:
    """A crosstable being read, line by line."""

    def __init__(self, headings: Headings, odd: list[Oddity], *, signed: bool, players: int) -> None:
        self.headings = headings
        self.odd = odd
        self.signed = signed
        self.players = players
        self.entrants: dict[int, Entrant] = {}

    def line(self, row: Row) -> None:
        """One player."""
        fields = self.headings.fields
        texts = {field: self._cell(row, column) for field, column in fields.items()}

        def note(says: str, field: str) -> None:
            self.odd.append(Oddity(says, row.number, fields.get(field, 0) + 1, True))

        no = self._number(texts.get("no", ""), row) if "no" in fields else len(self.entrants) + 1
        if no is None:
            return
        player, born = player_of(texts, note)
        rounds = self._across(row, no) if self.headings.across else self._rounds(row)
        points, rank = self._claimed(texts, "points", note), self._claimed(texts, "rank", note)
        place_of_it = None if rank is None or rank != int(rank) or rank < 1 else int(rank)
        self.entrants[no] = Entrant(no, player, rounds, points, place_of_it, born.day, row.number)

    @staticmethod
    def _cell(row: Row, column: int) -> str:
        return row.cells[column] if column < len(row.cells) else ""

    def _number(self, text: str, row: Row) -> int | None:
        """The starting number; without a new one the line is left out."""
        column = self.headings.fields["no"] + 1
        try:
            no = as_number(text.removesuffix(".0").rstrip("."))
        except ValueError:
            no = None
        if not no:
            says = f"'{text}' is no starting number; the line is left out."
        elif no in self.entrants:
            says = f"The starting number {no} stands in line {self.entrants[no].line} already; this line is left out."
        else:
            return no
        self.odd.append(Oddity(says, row.number, column, True))
        return None

    @staticmethod
    def _claimed(texts: dict[str, str], field: str, note: Callable[[str, str], None]) -> Decimal | None:
        text = texts.get(field, "").replace("½", ".5").rstrip(".")
        try:
            return as_points(text)
        except ValueError:
            note(f"'{texts[field]}' is not a number ({field}); it is left out.", field)
            return None

    def _rounds(self, row: Row) -> tuple[Round, ...]:
        """The rounds up to the last that says anything."""
        found: dict[int, Round] = {}
        for number, column in self.headings.rounds.items():
            self._keep(found, number, self._cell(row, column), row, column)
        for number, parts in self.headings.parts.items():
            texts = {part: self._cell(row, column) for part, column in parts.items()}
            colour = texts.get("colour", "")[:1].lower()
            cell = f"{texts.get('opponent', '')}{colour.strip('-')}{texts.get('result', '')}"
            self._keep(found, number, cell, row, min(parts.values()))
        return tuple(found.get(number, NOTHING) for number in range(1, max(found, default=0) + 1))

    def _keep(self, found: dict[int, Round], number: int, cell: str, row: Row, column: int) -> None:
        try:
            one = round_of(cell, signed=self.signed)
        except ValueError:
            says = f"'{cell}' is not a round; a round is written as 12w1, 12b½, W12 or bye. It is left out."
            self.odd.append(Oddity(says, row.number, column + 1, True))
            return
        if one is not None:
            found[number] = one

    def _across(self, row: Row, no: int) -> tuple[Round, ...]:
        """A round robin's line; game (i, j) is put into round i + j, counted round, in which both are free."""
        size = max(self.headings.across)
        rounds = [NOTHING] * size
        for opponent, column in self.headings.across.items():
            cell = self._cell(row, column)
            if opponent == no or cell.lower() in ITSELF:
                continue
            found: dict[int, Round] = {}
            self._keep(found, 1, f"{opponent}w{cell}", row, column)  # a colour keeps number and result apart
            if found:
                rounds[(no + opponent) % size] = replace(found[1], colour=None)
        return tuple(rounds)
