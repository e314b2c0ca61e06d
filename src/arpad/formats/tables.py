"""A tournament from a table: a crosstable with one line per player, or a list with one game per line.

The one reader of tables says what is in the rows of a text, a sheet or a saved page; here it becomes a tournament.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from arpad.core.tournaments import ALLOCATED_BYE, HALF_BYE, ZERO_BYE, Entrant, Oddity, Record, Round, Source, Tournament
from arpad.errors import BadFile, BadInput
from arpad.formats.games import MOST_PLAYERS, MOST_ROUNDS, NOTHING, Bye, Paired, Side, entrants_of, score_and_kind
from arpad.formats.programs import national_record
from arpad.formats.saving import plain_cell
from arpad.formats.sheets import excel_sheets, html_tables, html_text
from arpad.formats.text import EXCEL, check_oddities, lines_of, place
from arpad.formats.trf.fields import as_points
from arpad.messages import Message, say
from arpad.reading.days import order_of_days, read_day
from arpad.reading.pasted import PARTICULARS, RULE, PastedLine
from arpad.reading.pgn import round_number
from arpad.reading.results import both_results, compact
from arpad.reading.tables import MORE_CELLS, FoundTable, examined, tables_in_rows, tables_in_text
from arpad.reading.tables.boards import boards_in_matches, seat_columns
from arpad.reading.tables.cells import ENDED, bye_points, no_game_in, number_in, rating_in
from arpad.reading.tables.columns import UnclearColumn
from arpad.reading.tables.crosstable import NOT_PROVEN, crosstable_of, is_own_cell, own_columns, results_in
from arpad.reading.tables.player import player_of
from arpad.reading.text import fold, plain
from arpad.reading.vocabulary import words

if TYPE_CHECKING:
    from arpad.reading.days import DayOrder
    from arpad.reading.tables.boards import Seat
    from arpad.reading.tables.rows import PastedRow

    Progress = Callable[[int, int], object]

EVERY = 500  # rows between two calls of a progress hook
OF_A_PLAYER = ("name", "surname", "given", "rating", "title", "federation", "id", "member", "born", "sex")
BYES = {Decimal(1): ALLOCATED_BYE, Decimal("0.5"): HALF_BYE, Decimal(0): ZERO_BYE}
OF_GAMES = ("games", "matches")
KINDS = ("crosstable", "round robin", "games", "matches", "line-up", "standing", "card")  # the best first
DWZ_FEDERATION = "GER"
LONGEST_SHOWN = 60  # characters of a line


def read_table(
    data: bytes,
    path: str,
    columns: Mapping[str, str] | None = None,
    progress: Progress | None = None,
    *,
    entries: bool = False,
) -> Tournament:
    """The tournament in a table with recognised columns, or columns named by the user; `entries` need no rounds.

    Raises BadFile if the columns are not recognised or may mean two things, or if no player or game can be read.
    """
    form, tables = _tables(data, path, tuple((columns or {}).values()))
    if not tables:
        key = "no_such_headings" if columns else "not_recognised"
        raise BadFile(say(f"formats.table.{key}", headings=list((columns or {}).values())), at=place(path, 1))
    known = _examined(tables, path, columns or {}, entries=entries)
    best = known[0]
    if best.kind == "card" or (best.kind == "standing" and not entries):
        key = "only_a_card" if best.kind == "card" else "only_entries"
        named = best.kind == "card" or best.headings.count("name", "surname")
        raise BadFile(say(f"formats.table.{key if named else 'not_recognised'}"), at=place(path, best.line.number))
    reading = _Reading(path, [], progress)
    used = [table for table in known if table.kind == best.kind] if best.kind in OF_GAMES else [best]
    for table in known:
        if table in used:
            reading.left_out(table)
        else:
            reading.odd.append(Oddity(say("formats.table.other_table", rows=len(table.rows)), table.line.number))
    used.sort(key=lambda table: table.line.number)
    entrants = reading.games(used) if best.kind in OF_GAMES else reading.players(best)
    planned = 0 if best.kind in (*OF_GAMES, "round robin") else best.headings.last_round
    seen = max((len(entrant.rounds) for entrant in entrants), default=0)
    days = reading.days(used) if best.kind == "games" else []
    by_round = {number: day for number, day in reversed(days) if number}
    odd = tuple(sorted(reading.odd, key=lambda oddity: (oddity.line or 0, oddity.column or 0)))
    return Tournament(
        entrants,
        rounds=max(seen, planned),
        start=min((day for _, day in days), default=None),
        end=max((day for _, day in days), default=None),
        round_days=tuple(by_round.get(number) for number in range(1, max(seen, planned) + 1)) if by_round else (),
        records=() if len(used) > 1 else tuple(_dwz_records(best, entrants)),
        oddities=odd,
        source=Source(form, data),
    )


def _dwz_records(table: FoundTable, entrants: Sequence[Entrant]) -> Iterator[Record]:
    """The players' DWZ, if a table has them beside other ratings."""
    column = table.headings.dwz
    rows = {} if column is None else {row.lines[0].number: row for row in table.rows}
    for entrant in entrants:
        row = rows.get(entrant.line or 0)
        rating = None if row is None else rating_in(row.cell(column))
        if rating is not None and rating.rating is not None:
            yield national_record(entrant, DWZ_FEDERATION, rating.rating)


def _examined(
    tables: Sequence[FoundTable], path: str, columns: Mapping[str, str], *, entries: bool
) -> list[FoundTable]:
    """The tables whose columns are clear, the best first; a BadFile if none of them has players or games."""
    known: list[FoundTable] = []
    unclear: BadFile | None = None
    for table in tables:
        try:
            if columns:
                table.headings = table.headings.with_columns(columns)
            known.append(examined(table, entries=entries))
        except UnclearColumn as question:
            example = " or ".join(f"{meaning}={question.column}" for meaning in question.meanings)
            said = say("formats.table.unclear_column", says=question.said, example=example)
            unclear = unclear or BadFile(said, at=place(path, table.line.number))
        except BadInput as error:
            raise BadFile(error.said, at=path) from None
    known.sort(key=lambda table: (KINDS.index(table.kind), -len(table.rows)))
    if unclear is not None and (not known or known[0].kind in ("standing", "card")):
        raise unclear
    return known


def _tables(data: bytes, path: str, columns: Sequence[str]) -> tuple[str, list[FoundTable]]:
    """The format, and the tables with headings."""
    if data.startswith(EXCEL):
        return "xlsx", [table for rows in excel_sheets(data, path) for table in tables_in_rows(rows, columns)]
    if is_html(data):
        pages = html_tables(html_text(data, path), path)
        return "html", [table for rows in pages for table in tables_in_rows(rows, columns)]
    lines = [PastedLine(number, line, plain(line)) for number, line in enumerate(lines_of(data, path), start=1)]
    tables, _ = tables_in_text(lines, columns)
    for table in tables:
        for row in table.rows:
            row.cells = [plain_cell(cell.strip()) for cell in row.cells]
    return "csv", tables


def is_html(data: bytes) -> bool:
    """Whether a file is a web page."""
    start = data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return start.startswith((b"<!doctype html", b"<html", b"<table", b"<!--", b"<head", b"<meta"))


class _Reading(NamedTuple):
    """A tournament being read from tables, and its oddities so far."""

    path: str
    odd: list[Oddity]
    progress: Progress | None

    def left_out(self, table: FoundTable) -> None:
        """Say what in a table is not a player or a game, and which columns are not used."""
        day_at = _day_column(table)
        unused = [text for text in table.headings.unused if day_at is None or text != table.headings.texts[day_at]]
        if unused:
            self.odd.append(Oddity(say("formats.table.unused", columns=unused), table.line.number))
        for line, why, doubtful in table.left_out:
            if why is MORE_CELLS:
                self.note(say("formats.table.too_wide"), line.number, len(table.headings.texts), lost=True)
            elif why is not RULE:
                said = say("formats.table.left_line", why=why, text=" ".join(line.raw.split())[:LONGEST_SHOWN])
                self.odd.append(Oddity(said, line.number, None, doubtful or why is PARTICULARS))

    def note(self, says: Message, line: int, column: int | None, *, lost: bool = True) -> None:
        """Add an oddity; columns are counted from 0."""
        self.odd.append(Oddity(says, line, None if column is None else column + 1, lost))

    def _each(self, rows: Sequence[PastedRow]) -> Iterator[PastedRow]:
        """Each row in turn; too many oddities stop the reading."""
        for done, row in enumerate(rows, start=1):
            yield row
            check_oddities(self.odd, self.path, row.lines[0].number)
            if self.progress is not None and (done % EVERY == 0 or done == len(rows)):
                self.progress(done, len(rows))

    def _person(self, row: PastedRow, columns: Mapping[str, int], order: DayOrder | None) -> Entrant:
        """The player of a row, with what only a file has: the day of birth, another number, the line."""
        line = row.lines[0].number
        texts = {role: row.cell(column) for role, column in columns.items()}
        player, born = player_of(texts, lambda says, role: self.note(says, line, columns.get(role, 0)), order)
        member = texts.get("member", "").removesuffix(".0") or None
        return Entrant(0, player, born=born.day, line=line, national_id=member)

    def games(self, tables: Sequence[FoundTable]) -> tuple[Entrant, ...]:
        """The players of lists of games."""
        scores = {compact(row.cell(table.headings.place("result"))) for table in tables for row in table.rows}
        two_points = bool(scores & {"2:0", "0:2"})
        found: list[Paired | Bye] = []
        for table in tables:
            read = self._match_games if table.kind == "matches" else self._listed_games
            found += read(table, two_points=two_points)
        games = [game for game in found if isinstance(game, Paired)]
        if not games:
            line = self.odd[-1].line if self.odd else None
            raise BadFile(say("formats.table.no_game"), at=place(self.path, line))
        return entrants_of(games, self.path, self.odd, [bye for bye in found if isinstance(bye, Bye)])

    def days(self, tables: Sequence[FoundTable]) -> list[tuple[int | None, date]]:
        """The round and the day of each row with a day, by the habit of the file; none if one of them is not clear."""
        columns = [(table, at) for table in tables if (at := _day_column(table)) is not None]
        order = order_of_days(row.cell(at) for table, at in columns for row in table.rows)
        found: list[tuple[int | None, date]] = []
        noted: set[str] = set()
        unclear = False
        for table, at in columns:
            for row in table.rows:
                if not (text := row.cell(at)):
                    continue
                says, day = _day_in(text, order)
                if says is not None and says.key not in noted:
                    self.note(says, row.lines[0].number, at, lost=False)
                    noted.add(says.key)
                if day is None:
                    unclear = True
                else:
                    found.append((number_in(row.cell(table.headings.place("round"))) or table.round, day))
        return [] if unclear else found

    def _listed_games(self, table: FoundTable, *, two_points: bool) -> Iterator[Paired | Bye]:
        """The games and byes of a table with a game in each row; what cannot be used is noted."""
        columns = seat_columns(table.headings)
        order = _day_order(table.rows, [side["born"] for side in columns if "born" in side])
        round_at, result_at = table.headings.place("round"), table.headings.place("result")
        for row in self._each(table.rows):
            line, result = row.lines[0].number, row.cell(result_at)
            white, black = (self._side(row, own, order) for own in columns)
            present = white or black
            try:
                at = round_number(row.cell(round_at)) or table.round
            except ValueError as error:
                self.note(say("formats.game.round", text=error), line, round_at)
                continue
            if white is not None and black is not None:
                both = both_results(result, two_points=two_points)
                if both is None:
                    self.note(say("formats.game.result", text=result), line, result_at)
                else:
                    yield Paired(white, black, *score_and_kind(both), at, line)
            elif present is None or at is None:
                self.note(say("formats.game.no_side"), line, 0)
            else:
                points = bye_points(result)
                yield Bye(present, ALLOCATED_BYE if points is None else BYES[points], at, line)

    def _side(self, row: PastedRow, columns: Mapping[str, int], order: DayOrder | None) -> Side | None:
        """One player of a game; None if there is no number, ID or name, or nobody sat there."""
        if no_game_in(row.cell(columns.get("name"))):
            return None
        number = number_in(row.cell(columns.get("no")), digits=6) or None
        side = Side(self._person(row, columns, order).player, number)
        return side if side.keys else None

    def _match_games(self, table: FoundTable, *, two_points: bool) -> Iterator[Paired]:
        """The games of team matches, which do not say who had White."""
        for board in boards_in_matches([line for row in table.rows for line in row.lines], table.round):
            line = board.lines[0].number
            both = both_results(board.score, two_points=two_points)
            seats = (board.left, board.right)
            if both is None or any(seat.name is None or no_game_in(seat.name) for seat in seats):
                key = "bye" if both is not None else "result"
                self.note(say(f"formats.game.{key}", text=board.score), line, None)
            else:
                left, right = map(_seated, seats)
                yield Paired(left, right, *score_and_kind(both), board.round, line, False)

    def players(self, table: FoundTable) -> tuple[Entrant, ...]:
        """The players of a table with a line for each."""
        headings, rows = table.headings, table.rows
        if headings.last_round > MOST_ROUNDS:
            raise BadFile(say("formats.table.many_rounds", rounds=headings.last_round, most=MOST_ROUNDS), at=self.path)
        if len(rows) > MOST_PLAYERS:
            said = say("formats.table.many_players", most=MOST_PLAYERS)
            raise BadFile(said, at=place(self.path, rows[MOST_PLAYERS].lines[0].number))
        numbers = self._numbers(table)
        if table.kind == "round robin":
            rounds = self._round_robin(table, numbers)
            self.odd.append(Oddity(say("formats.table.no_rounds")))
        else:
            rounds = self._swiss(table, numbers)
        if (national := headings.national_alone) is not None:
            counts, column = national == headings.place("rating"), headings.texts[national].strip()
            said = say(f"formats.table.national_{'alone' if counts else 'only'}", column=column)
            self.odd.append(Oddity(said, table.line.number, None, lost=not counts))
        columns = {role: at for role, at in headings.first.items() if role in OF_A_PLAYER}
        order = _day_order(rows, [columns["born"]] if "born" in columns else [])
        entrants = []
        for row, no, own in zip(self._each(rows), numbers, rounds, strict=True):
            if no is not None:
                about = self._person(row, columns, order)
                points, rank = (self._claimed(row, headings.place(role), role) for role in ("points", "rank"))
                whole_rank = None if rank is None or rank != int(rank) or rank < 1 else int(rank)
                entrants.append(replace(about, no=no, rounds=own, points=points, rank=whole_rank))
        if not entrants:
            raise BadFile(say("formats.table.no_player"), at=place(self.path, table.line.number + 1))
        return tuple(sorted(entrants, key=lambda entrant: entrant.no))

    def _numbers(self, table: FoundTable) -> list[int | None]:
        """The starting number of each row; None, with an oddity, if it is missing or taken."""
        at = table.headings.place("no")
        if at is None:
            return list(range(1, len(table.rows) + 1))
        lines: dict[int, int] = {}
        found: list[int | None] = []
        for row in table.rows:
            text, line = row.cell(at), row.lines[0].number
            no = number_in(text.removesuffix(".0"), digits=9)
            if not no:
                self.note(say("formats.table.not_a_number", text=text), line, at)
            elif no in lines:
                self.note(say("formats.table.duplicate_number", no=no, line=lines[no]), line, at)
            found.append(no if no and no not in lines else None)
            lines.setdefault(no, line)
        return found

    def _claimed(self, row: PastedRow, at: int | None, role: str) -> Decimal | None:
        """The points or the rank that the row gives."""
        text = row.cell(at).replace("½", ".5").rstrip(".")
        try:
            return as_points(text)
        except ValueError:
            said = say("formats.table.not_figure", text=row.cell(at), column=role)
            self.note(said, row.lines[0].number, at)
            return None

    def _swiss(self, table: FoundTable, numbers: Sequence[int | None]) -> Iterator[tuple[Round, ...]]:
        """The rounds of each row of a crosstable up to the last that is not blank; opponents by starting number."""
        crosstable = crosstable_of(table.headings, table.rows)
        column, players = crosstable.column, crosstable.players
        if column is None:
            counts = {f"by_{'number' if name == 'no' else name}": found for name, found in crosstable.agreeing.items()}
            said = say("formats.table.rank_or_number", games=crosstable.games, **counts)
            raise BadFile(said, at=place(self.path, table.line.number))
        if column == "rank" and "no" in crosstable.agreeing:
            self.odd.append(Oddity(say("formats.table.by_rank")))
        own = zip(reversed(players), reversed(numbers), strict=True)
        starting = {player.numbers.get(column): no for player, no in own if no}
        places = {number: at for at, number in table.headings.rounds}
        for player, no in zip(players, numbers, strict=True):
            for number, (text, at) in player.unread.items() if no is not None else ():
                alone = not crosstable.paired and bool(results_in(text))
                key = "no_opponent" if alone else "not_proven" if at == NOT_PROVEN else "not_a_round"
                shown_at = places.get(number, 0) if at == NOT_PROVEN else at
                self.note(say(f"formats.table.{key}", cell=text), player.row.lines[0].number, shown_at)
            found = {number: cell.round(crosstable.colours) for number, cell in player.rounds.items()}
            if column != "no":
                found = {number: _renumbered(played, starting) for number, played in found.items()}
            yield tuple(found.get(number, NOTHING) for number in range(1, max(found, default=0) + 1))

    def _round_robin(self, table: FoundTable, numbers: Sequence[int | None]) -> Iterator[tuple[Round, ...]]:
        """The games of each row of a table whose columns are opponents.

        The game of i and j goes into round i + j modulo the size, where both are free; a second game against the same
        opponent comes that many rounds later.
        """
        columns = own_columns(table.rows, table.headings)
        size = max(number for _, number in table.headings.rounds)
        starting = dict(zip(columns, numbers, strict=True))
        for row, column, no in zip(table.rows, columns, numbers, strict=True):
            own = column or no or 0
            found: dict[int, Round] = {}
            for at, number in table.headings.rounds if no is not None else ():
                cell = row.cell(at)
                if number == own or not cell or is_own_cell(cell):
                    continue
                results = results_in(cell)
                if not results:
                    self.note(say("formats.table.not_a_round", cell=cell), row.lines[0].number, at)
                for time, result in enumerate(results):
                    kind, score = ENDED[result]
                    found[(own + number) % size + time * size] = Round(
                        kind, starting.get(number) or number, None, score
                    )
            times = 1 + any(at >= size for at in found)
            yield tuple(found.get(index, NOTHING) for index in range(size * times))


def _renumbered(played: Round, starting: Mapping[int | None, int]) -> Round:
    """A round with the opponent's starting number instead of the rank."""
    return replace(played, opponent=played.opponent and starting.get(played.opponent, played.opponent))


def _seated(seat: Seat) -> Side:
    """A player of a team match."""
    texts = {"name": seat.name or "", "title": seat.title or ""}
    if seat.rating is not None and seat.rating.rating is not None:
        texts["rating"] = str(seat.rating.rating)
    return Side(player_of(texts, lambda *_: None)[0])


def _day_column(table: FoundTable) -> int | None:
    """The column for the day of each game in a list of games; None if there is none, or more than one."""
    texts = table.headings.texts if table.kind == "games" else ()
    places = [at for at, text in enumerate(texts) if words("events").phrase(fold(text.strip())) == "days"]
    return places[0] if len(places) == 1 else None


def _day_in(text: str, order: DayOrder | None) -> tuple[Message | None, date | None]:
    """What is to be said about a cell with a day, and the day if it is known."""
    try:
        written = read_day(text)
    except ValueError:
        return say("formats.trf.date", text=text), None
    day = written.by(order.order if order else None).day
    if day is None:
        key = "day.either" if written.meant else "trf.partial_date"
        return say(f"formats.{key}", text=text, days=written.candidates), None
    if order is None or not written.meant:
        return None, day
    return say("formats.day.settled", text=text, day=day, settled_by=order.settled_by), day


def _day_order(rows: Sequence[PastedRow], columns: Sequence[int]) -> DayOrder | None:
    """The order of year, month and day in these columns."""
    return order_of_days(row.cell(column) for row in rows for column in columns)
