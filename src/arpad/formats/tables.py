"""Tables in CSV or Excel: a crosstable with one line per player, or a list with one game per line.

The opponents of a crosstable are given by starting number or by rank; a round robin has a column for each of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import NamedTuple

from arpad.core import COLOURS, WIN
from arpad.core.tournaments import ABSENT, FORFEIT, Entrant, Oddity, Round, Source, Tournament
from arpad.errors import BadFile, BadInput
from arpad.formats.games import MOST_PLAYERS, MOST_ROUNDS, Paired, Side, entrants_of, result_of, round_number
from arpad.formats.headings import BLANKS, SCORES, Headings, Notation, round_of
from arpad.formats.persons import player_of
from arpad.formats.sheets import EXCEL, Row, csv_sheets, excel_sheets
from arpad.formats.text import check_oddities, place
from arpad.formats.trf.fields import as_number, as_points
from arpad.messages import Message, say

HEAD = 30  # lines that are searched for headings
ENOUGH = 3  # recognised headings
EVERY = 500  # rows between two calls of a progress hook
OWN_CELLS = ("", "*", "**", "***", "x", "xx", "■", "\\", "-")
BLANK_CELLS = tuple(mark for mark in OWN_CELLS if mark != "-")  # a dash against another player is a forfeit
ONE_RESULT = r"1/2|0[.,]5|\.5|1\.0|0\.0|[10+\-]k|[10½=+\-]"
RESULTS = re.compile(rf"({ONE_RESULT})({ONE_RESULT})?", re.IGNORECASE)  # two in a double round robin
NOTHING = Round(ABSENT)


def read_table(
    data: bytes,
    path: str,
    columns: Mapping[str, str] | None = None,
    progress: Callable[[int, int], object] | None = None,
    *,
    entries: bool = False,
) -> Tournament:
    """The tournament in a table with recognised columns, or columns named by the user; `entries` need no rounds.

    Raises BadFile if the columns are not recognised, or if no player or game can be read.
    """
    excel = data.startswith(EXCEL)
    best: tuple[int, Headings | None, list[Row], int] = (0, None, [], 0)
    listed = False  # whether some line has the headings of an entry list
    for rows in (excel_sheets if excel else csv_sheets)(data, path):
        for index, row in enumerate(rows[:HEAD]):
            headings = Headings(row.cells)
            if columns and not {heading.strip().casefold() for heading in columns.values()} <= {
                cell.strip().casefold() for cell in row.cells
            }:
                continue
            listed = listed or headings.entries >= ENOUGH
            score = max(headings.worth, headings.entries if entries else 0) + (ENOUGH if columns else 0)
            if score > best[0]:
                best = score, headings, rows, index
    score, found, rows, at = best
    if found is None or score < ENOUGH:
        said = say("formats.table.only_entries" if listed else "formats.table.not_recognised")
        if columns:
            said = say("formats.table.no_such_headings", headings=list(columns.values()))
        raise BadFile(said, at=place(path, 1))
    if columns:
        found.mapped(columns, path, rows[at].number)
    odd: list[Oddity] = []
    if found.unused:
        odd.append(Oddity(say("formats.table.unused", columns=found.unused), rows[at].number))
    odd += [
        Oddity(say("formats.table.too_wide"), row.number, len(found.row) + 1, True)
        for row in rows[at + 1 :]
        if any(row.cells[len(found.row) :])
    ]
    check_oddities(odd, path, rows[at].number)
    build = _game_list if found.is_games else _crosstable
    filled = [row for row in rows[at + 1 :] if any(row.cells)]
    tournament = build(_Sheet(filled, found, path, odd, progress))
    return replace(tournament, source=Source("xlsx" if excel else "csv", data))


def _game_list(sheet: _Sheet) -> Tournament:
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


class _Sheet(NamedTuple):
    """The filled rows below the headings, and the oddities so far."""

    rows: list[Row]
    headings: Headings
    path: str
    odd: list[Oddity]
    progress: Callable[[int, int], object] | None = None

    def each_row(self) -> Iterator[Row]:
        """Each row in turn; too many oddities stop the reading."""
        for done, row in enumerate(self.rows, start=1):
            yield row
            check_oddities(self.odd, self.path, row.number)
            if self.progress is not None and (done % EVERY == 0 or done == len(self.rows)):
                self.progress(done, len(self.rows))


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


def _crosstable(sheet: _Sheet) -> Tournament:
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


def _number(text: str) -> int | None:
    """A starting number; None if the text is not one."""
    try:
        return as_number(text.removesuffix(".0").rstrip("."))
    except ValueError:
        return None


def results_in(cell: str) -> list[str]:
    """The results in a cell, one or two; none for a blank, and a ValueError for anything else."""
    plain = cell.translate(BLANKS)
    if not plain:
        return []
    match = RESULTS.fullmatch(plain)
    if match is None:
        raise ValueError(cell)
    return [result for result in match.groups() if result]


def players_across(rows: Sequence[Row], headings: Headings) -> dict[int, int] | None:
    """The row index of each opponent by heading, in a table headed 1, 2, 3 …; None if it is not a round robin.

    A heading is a starting number, a rank or a place in the table: the first of these that leaves the diagonal free.
    """
    columns = headings.rounds
    if not headings.bare_rounds or len(columns) != len(rows) or len(rows) < 2:
        return None
    by_field = [_numbers(rows, headings.fields[name]) for name in ("no", "rank") if name in headings.fields]
    for numbers in (*by_field, list(range(1, len(rows) + 1))):
        if numbers is not None and set(numbers) == set(columns) and _is_table(rows, numbers, columns):
            return {number: index for index, number in enumerate(numbers)}
    return None


def _numbers(rows: Sequence[Row], column: int) -> list[int] | None:
    """The numbers of a column; None if they are not all whole."""
    try:
        found = [as_number(row.cell(column).removesuffix(".0").rstrip(".")) for row in rows]
    except ValueError:
        return None
    return [number or 0 for number in found]


def _is_table(rows: Sequence[Row], numbers: Sequence[int], columns: Mapping[int, int]) -> bool:
    """Whether nobody has a result against themselves, and every other cell is a result or blank."""
    played = 0
    for row, own in zip(rows, numbers, strict=True):
        for number, column in columns.items():
            cell = row.cell(column)
            if number == own:
                if cell.lower() not in OWN_CELLS:
                    return False
                continue
            try:
                played += len(results_in(cell))
            except ValueError:
                return False
    return played > 0


def by_starting_number(entrants: Sequence[Entrant]) -> tuple[Entrant, ...] | None:
    """The entrants with opponents by starting number, if the table has them by rank; None if it has not.

    A numbering is proven if both sides of every game agree under it. If ranks fit at least as well as numbers but not
    every game, or if both fit every game, it is unclear: a BadInput then asks the user.
    """
    ranks = {entrant.rank: entrant for entrant in entrants if entrant.rank is not None}
    if len(ranks) < len(entrants) or all(entrant.rank == entrant.no for entrant in entrants):
        return None
    games = sum(played.opponent is not None for entrant in entrants for played in entrant.rounds)
    by_rank = _agreeing(entrants, ranks, by_rank=True)
    by_number = _agreeing(entrants, {entrant.no: entrant for entrant in entrants}, by_rank=False)
    if by_rank < by_number or not by_rank:
        return None
    if by_rank < games or by_number == games:
        raise BadInput(say("formats.table.rank_or_number", games=games, by_number=by_number, by_rank=by_rank), at="no")
    return tuple(_renumbered(entrant, ranks) for entrant in entrants)


def _agreeing(entrants: Sequence[Entrant], known: Mapping[int, Entrant], *, by_rank: bool) -> int:
    """In how many rounds a player and the opponent agree about their game."""
    alike = 0
    for entrant in entrants:
        own = entrant.rank if by_rank else entrant.no
        for number, played in enumerate(entrant.rounds):
            other = None if played.opponent is None else known.get(played.opponent)
            if other is not None and other is not entrant and number < len(other.rounds):
                theirs = other.rounds[number]
                alike += theirs.opponent == own and _sides_agree(played, theirs)
    return alike


def _sides_agree(own: Round, other: Round) -> bool:
    """Whether both sides of a game agree: different colours, and scores that add up to a point, if there are any."""
    if own.colour is not None and own.colour == other.colour:
        return False
    if own.score is None or other.score is None:
        return own.score == other.score
    return own.kind == FORFEIT or own.score + other.score == WIN


def _renumbered(entrant: Entrant, ranks: Mapping[int, Entrant]) -> Entrant:
    rounds = tuple(
        replace(played, opponent=ranks[played.opponent].no)
        if played.opponent is not None and played.opponent in ranks
        else played
        for played in entrant.rounds
    )
    return replace(entrant, rounds=rounds)
