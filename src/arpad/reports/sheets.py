"""A report as a spreadsheet and as CSV: numbers stay numbers, and text never becomes a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from decimal import Decimal
from operator import itemgetter
from typing import TYPE_CHECKING, TypeAlias

from arpad.calculation.answer import Table, TableColumn
from arpad.calculation.explain import label_of
from arpad.core.tournaments import grouped
from arpad.errors import MissingExtra
from arpad.formats.saving import safe_cell
from arpad.messages import in_english, say, section, voice
from arpad.reports.page import Order, words

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

    from arpad.reports.page import Norms
    from arpad.systems.answers import GameChange
    from arpad.tournaments.event.games import Board
    from arpad.tournaments.event.player import PlayerReport
    from arpad.tournaments.event.report import EventReport

    Played: TypeAlias = tuple[PlayerReport, Board, GameChange | None]  # a player, a game, and its change if any
    Fact: TypeAlias = tuple[str, object, str | None]  # a label, a value, and a remark

WIDTH, RESULT_WIDTH = 8, 7  # of a column in characters: in general, and of a result in a crosstable
# The widths of other columns by their keys; first by the key of the table, if only one table differs.
WIDTHS = {
    **dict.fromkeys(("no", "rank", "place", "title"), 6),
    **dict.fromkeys(("round", "score"), 7),
    **dict.fromkeys(("how", "change", "K×chg"), 9),
    **dict.fromkeys(("opponent", "expected"), 10),
    **dict.fromkeys(("fide_id", "national_id", "new_rating", "performance", "match_points", "game_points"), 12),
    **dict.fromkeys(("name", "opponent_name"), 30),
    **dict.fromkeys(("remark", "norms"), 100),
    "federation": 11,
    "places.points": 12,
    "points": WIDTH,
    "opponent_rating": 16,
    "about": 18,
    "verdict": 24,
    "value": 26,
    "figures": 60,
    "why": 70,
}
SIGNED = "+0.00;-0.00;0.00"  # how a spreadsheet shows a change
UNPRINTABLE = {number: None for number in range(32) if chr(number) not in "\t\n\r"}  # a spreadsheet cannot hold them


def comma_separated(rated: EventReport) -> bytes:
    """The rating changes, a row per player; a text that looks like a formula gets an apostrophe in front."""
    table = changes(rated)
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    with in_english():  # for programs: the same in every language
        writer.writerow([column.key for column in table.columns])
        writer.writerows(map(safe_cell, row) for row in table.cells())
    # The byte order mark tells spreadsheet programs that names are in UTF-8.
    return out.getvalue().encode("utf-8-sig", "replace")


def workbook(rated: EventReport, norms: Norms | None = None, order: Order | None = None) -> bytes:
    """A workbook with a sheet for each table; headings stay in view, and columns suit their contents."""
    try:
        from openpyxl import Workbook
    except ImportError:
        raise MissingExtra(say("reports.needs_openpyxl"), at="to") from None
    book = Workbook()
    book.remove(book.active)  # type: ignore[arg-type]  # a new book has a sheet
    for table in tables(rated, norms, order):
        _fill(book.create_sheet(words(f"sheet.{table.key}")), table)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _fill(sheet: Worksheet, table: Table) -> None:
    """Write a table to an empty sheet."""
    from openpyxl.styles import Alignment, Font
    from openpyxl.utils import get_column_letter
    from openpyxl.worksheet.properties import PageSetupProperties

    # Without a text of ours, a column is called by its key: FIDE's own short names, tie-breaks and rounds.
    headings = section(voice().language, "reports.column")
    otherwise = RESULT_WIDTH if table.key == "crosstable" else WIDTH
    sheet.append([headings.get(column.key, column.key) for column in table.columns])
    for place, column in enumerate(table.columns, start=1):
        sheet.cell(1, place).font = Font(bold=True)
        width = WIDTHS.get(f"{table.key}.{column.key}") or WIDTHS.get(column.key, otherwise)
        sheet.column_dimensions[get_column_letter(place)].width = width
    for number, row in enumerate(table.cells(), start=2):
        for place, (column, value) in enumerate(zip(table.columns, row, strict=True), start=1):
            if value in (None, ""):
                continue
            cell = sheet.cell(number, place)
            if column.form == "prose":
                cell.alignment = Alignment(wrap_text=True, vertical="top")
            if isinstance(value, str):
                cell.value = value.translate(UNPRINTABLE)
                cell.data_type = "s"  # a name that begins with = is a name
            else:
                cell.value = value if isinstance(value, int | Decimal) else float(value)  # type: ignore[arg-type]
                if column.form == "signed":
                    cell.number_format = SIGNED
    sheet.freeze_panes = "A2"
    sheet.auto_filter.ref = sheet.dimensions
    sheet.page_setup.orientation, sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = "landscape", 1, 0
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    sheet.print_title_rows = "1:1"


STANDINGS = (
    TableColumn("rank", lambda line: line.place),
    TableColumn("no", lambda line: line.player.no),
    TableColumn("title", lambda line: line.player.title, "text"),
    TableColumn("name", lambda line: line.player.called, "text"),
    TableColumn("federation", lambda line: line.player.federation, "text"),
    TableColumn("rating", lambda line: line.player.rating),
    TableColumn("points", lambda line: line.player.points),
    TableColumn("performance", lambda line: line.player.performance),
)
GAMES = (
    TableColumn("no", lambda played: played[0].no),
    TableColumn("name", lambda played: played[0].called, "text"),
    TableColumn("round", lambda played: played[1].round),
    TableColumn("colour", lambda played: played[1].game.colour and words(f"colour.{played[1].game.colour}"), "text"),
    TableColumn("opponent", lambda played: played[1].opponent and played[1].opponent.no),
    TableColumn("opponent_name", lambda played: played[1].opponent and played[1].opponent.called, "text"),
    TableColumn("opponent_rating", lambda played: played[1].opponent and played[1].opponent.player.rating),
    TableColumn("how", lambda played: words(played[1].game.how), "text"),
    TableColumn("score", lambda played: played[1].game.score),
    TableColumn("expected", lambda played: played[2] and played[2].expected),
    TableColumn("change", lambda played: played[2] and played[2].change, "signed"),
    TableColumn("counts", lambda played: words("yes" if played[2] is not None and played[2].rated else "no"), "text"),
    TableColumn("why", lambda played: _text((played[0] if played[2] is None else played[2]).why), "text"),
)
NORMS = (
    TableColumn("no"),
    TableColumn("name", form="text"),
    TableColumn("norm", "title", "text"),
    TableColumn("verdict", form="text"),
    TableColumn("figures", form="text"),
)
ABOUT = (
    TableColumn("about", itemgetter(0), "text"),
    TableColumn("value", itemgetter(1)),
    TableColumn("remark", itemgetter(2), "prose"),
)


def tables(rated: EventReport, norms: Norms | None = None, order: Order | None = None) -> list[Table]:
    """Every table of a report, including standings by criteria, a crosstable and norms if they are known."""
    games: list[Played] = [(player, *played) for player in rated.players for played in player.played()]
    order = order or Order(None)
    ranked = []
    if order.standings is not None:
        found = order.standings.tables()
        ranked = [table.for_door("file") for table in found if table.key in ("places", "crosstable")]
    sheets = [
        Table("event", ABOUT, [*_head(rated), *_figures(rated), *_remarks(rated, norms)]),
        Table("standings", STANDINGS, order.lines(rated)),
        *ranked,
        changes(rated),
        Table("games", GAMES, games),
    ]
    if norms is not None and norms.rows:
        sheets.append(Table("norms", NORMS, norms.rows))
    elif norms is not None:  # a sentence that there are none
        sheets.append(Table("norms", (TableColumn("norms", str, "prose"),), (norms.says,)))
    return sheets


def changes(rated: EventReport) -> Table:
    """The rating changes, with every column that a file has."""
    return next(table.for_door("file") for table in rated.tables() if table.key == "changes")


def _head(rated: EventReport) -> Iterator[Fact]:
    event = rated.event
    head = {
        "event": event.name,
        "place": ", ".join(filter(None, (event.city, event.federation))),
        "began": event.start and event.start.isoformat(),
        "ended": event.end and event.end.isoformat(),
        "rounds": event.rounds or None,
        "kind": event.kind,
        "time_control": event.time_control,
        "arbiter": event.arbiter,
        "list": event.from_list and event.from_list.name,
    }
    yield from ((words(f"about.{key}"), value, None) for key, value in head.items() if value)
    yield words("about.rules"), rated.system, words("about.in_force", on=rated.on)


def _figures(rated: EventReport) -> Iterator[Fact]:
    """The summary, with numbers in place of the texts with a sign."""
    totals = rated.totals
    numbers = {
        "biggest_gain": totals.gain and totals.gain.change,
        "biggest_loss": totals.loss and totals.loss.change,
        "inflation": totals.inflation,
    }
    for shown in rated.summary():
        if shown.value is not None:
            yield label_of(shown.key), numbers.get(shown.key, shown.value), _text(shown.remark)


def _remarks(rated: EventReport, norms: Norms | None) -> Iterator[Fact]:
    event, totals = rated.event, rated.totals
    yield from ((words("about.remark"), None, str(says)) for says in rated.notes)
    for nobody in totals.no_rating:
        yield words("about.no_rating"), len(nobody.players), str(rated.remark(nobody))
    for reason in totals.not_counted:
        yield words("about.not_counted"), len(reason.games), str(reason.says)
    if norms is not None:
        yield from ((words("about.norms"), None, str(says)) for says in (norms.says, *norms.notes) if says)
    for finding in rated.findings:
        line = None if finding.line is None else str(say("tournaments.place.line", line=finding.line))
        yield words("about.finding"), line, str(finding)
    yield from ((words("about.oddity"), None, str(says)) for says in grouped(event.oddities))


def _text(said: object) -> str | None:
    return None if said is None else str(said)
