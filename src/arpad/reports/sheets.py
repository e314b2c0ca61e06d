"""A report as a spreadsheet and as CSV: numbers stay numbers, and text never becomes a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation.explain import label_of
from arpad.core.tournaments import grouped
from arpad.errors import MissingExtra
from arpad.formats.saving import safe_cell
from arpad.messages import say
from arpad.reports.page import words

if TYPE_CHECKING:
    from arpad.calculation.answer import Text
    from arpad.reports.page import Norms, Order
    from arpad.tournaments.event.report import EventReport
    from arpad.tournaments.standings import EventStandings


FORMATS = {"change": "+0.00;-0.00;0.00"}
UNPRINTABLE = {
    number: None for number in range(32) if chr(number) not in "\t\n\r"
}  # characters a spreadsheet cannot hold


def comma_separated(rated: EventReport) -> bytes:
    """The rating changes, a row per player; a text that looks like a formula gets an apostrophe in front."""
    table = changes(rated)
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow([column.key for column in table.columns])  # for programs: the same in every language
    writer.writerows(map(safe_cell, row) for row in table.rows)
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
        _fill(book.create_sheet(table.name), table)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _fill(sheet: Any, table: Table) -> None:
    from openpyxl.styles import Font
    from openpyxl.utils import get_column_letter

    sheet.append([column.head for column in table.columns])
    for place, column in enumerate(table.columns, start=1):
        sheet.cell(1, place).font = Font(bold=True)
        sheet.column_dimensions[get_column_letter(place)].width = column.width
    for number, row in enumerate(table.rows, start=2):
        for place, (column, value) in enumerate(zip(table.columns, row, strict=True), start=1):
            if value not in (None, ""):
                _cell(sheet.cell(number, place), column, value)
    sheet.freeze_panes = "A2"
    sheet.auto_filter.ref = sheet.dimensions
    sheet.page_setup.orientation, sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = "landscape", 1, 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True
    sheet.print_title_rows = "1:1"


def _cell(cell: Any, column: ReportColumn, value: Any) -> None:
    if column.holds == "prose":
        from openpyxl.styles import Alignment

        cell.alignment = Alignment(wrap_text=True, vertical="top")
    if isinstance(value, str):
        cell.value = value.translate(UNPRINTABLE)
        cell.data_type = "s"  # a name that begins with = is a name
        return
    cell.value = value if isinstance(value, int | Decimal) else float(value)
    if column.holds in FORMATS:
        cell.number_format = FORMATS[column.holds]


class ReportColumn(NamedTuple):
    """A column: its key, its width in characters, and what it holds: text, prose, a number or a signed change."""

    key: str
    width: int = 8
    holds: str = "number"

    @property
    def head(self) -> str:
        """The heading of the column; FIDE's own short headings are the same in every language."""
        return self.key if self.key in FIDE_HEADS else words(f"column.{self.key}")


class ValueColumn(ReportColumn):
    """A column whose key is its heading: a tie-break or a round."""

    @property
    def head(self) -> str:
        return self.key


FIDE_HEADS = ("Rc", "Ro", "w", "n", "chg", "K", "K×chg", "Rp")


class Table(NamedTuple):
    """A table with a name."""

    name: str
    columns: tuple[ReportColumn, ...]
    rows: list[tuple[Any, ...]]


NO, RANK, PLACE, POINTS = (
    ReportColumn("no", 6),
    ReportColumn("rank", 6),
    ReportColumn("place", 6),
    ReportColumn("points"),
)
TITLE, NAME, FEDERATION = (
    ReportColumn("title", 6, "text"),
    ReportColumn("name", 30, "text"),
    ReportColumn("federation", 11, "text"),
)
WHY = ReportColumn("why", 70, "text")


def tables(rated: EventReport, norms: Norms | None = None, order: Order | None = None) -> list[Table]:
    """Every table of a report, including standings by criteria, a crosstable and norms if they are known."""
    found = [about(rated, norms), standings(rated), changes(rated), games(rated)]
    if order is not None and order.standings is not None:
        ranked = [] if order.ranked is None else [places(order.ranked)]
        found[2:2] = [*ranked, crosstable(order.standings)]
    return found if norms is None else [*found, norm_table(norms)]


def places(ranked: EventStandings) -> Table:
    """The players or teams by the criteria chosen, with the value of each."""
    scores = ("match_points", "game_points") if ranked.teams else ("points",)
    columns = (PLACE, NO, NAME, *(ReportColumn(key, 12) for key in scores), *map(ValueColumn, ranked.criteria))
    rows = [
        (
            line.place,
            line.no,
            line.called,
            *(getattr(line, key) for key in scores),
            *(line.values[name] for name in ranked.criteria),
        )
        for line in ranked.lines
    ]
    return Table(words("sheet.places"), columns, rows)


def crosstable(ranked: EventStandings) -> Table:
    """A row for each player or team; the columns are rounds, or opponents in a round robin."""
    shown = ranked.crosstable
    columns = (PLACE, NO, NAME, *(ValueColumn(str(number), 7, "text") for number in shown.columns), POINTS)
    rows = [
        (line.place, line.no, line.called, *row.cells, line.points)
        for line, row in zip(ranked.lines, shown.lines, strict=True)
    ]
    return Table(words("sheet.crosstable"), columns, rows)


def about(rated: EventReport, norms: Norms | None = None) -> Table:
    """The event itself: facts, rules, summary, and every remark and oddity."""
    columns = (ReportColumn("about", 18, "text"), ReportColumn("value", 26), ReportColumn("remark", 100, "prose"))
    rows = [*_head(rated), *_figures(rated), *_remarks(rated, norms)]
    return Table(words("sheet.event"), columns, rows)


def _head(rated: EventReport) -> Iterator[tuple[Any, ...]]:
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


def _figures(rated: EventReport) -> Iterator[tuple[Any, ...]]:
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


def _remarks(rated: EventReport, norms: Norms | None) -> Iterator[tuple[Any, ...]]:
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


def _text(said: Text | None) -> str | None:
    return None if said is None else str(said)


def standings(rated: EventReport) -> Table:
    """The final order as the file gives it."""
    columns = (
        RANK,
        NO,
        TITLE,
        NAME,
        FEDERATION,
        ReportColumn("rating"),
        POINTS,
        ReportColumn("performance", 12),
    )
    rows = [
        (
            player.rank,
            player.no,
            player.title,
            player.called,
            player.federation,
            player.rating,
            player.points,
            player.performance,
        )
        for player in rated.standings
    ]
    return Table(words("sheet.standings"), columns, rows)


def changes(rated: EventReport) -> Table:
    """Every player in FIDE's columns: Rc, Ro, w, n, chg, K, K×chg; then the new rating, or why there is none.

    A report for a national federation has the national ID as well.
    """
    own = rated.national is not None
    columns = (
        NO,
        TITLE,
        NAME,
        FEDERATION,
        ReportColumn("fide_id", 12),
        *([ReportColumn("national_id", 12, "text")] if own else []),
        ReportColumn("Rc"),
        ReportColumn("Ro"),
        ReportColumn("w"),
        ReportColumn("n"),
        ReportColumn("expected", 10),
        ReportColumn("chg", 8, "change"),
        ReportColumn("K"),
        ReportColumn("K×chg", 9, "change"),
        ReportColumn("new_rating", 12),
        ReportColumn("Rp"),
        WHY,
    )
    rows = [
        (
            player.no,
            player.title,
            player.called,
            player.federation,
            player.fide_id,
            *([player.national_id] if own else []),
            player.average,
            player.rating,
            player.score if player.calculated else None,
            player.games if player.calculated else None,
            player.expected,
            player.chg,
            player.k,
            player.change,
            player.new_rating,
            player.performance,
            "; ".join(str(said) for said in (player.why, *player.missing) if said is not None),
        )
        for player in rated.players
    ]
    return Table(words("sheet.changes"), columns, rows)


def games(rated: EventReport) -> Table:
    """Every game of every player, with its rating change or why it does not count."""
    columns = (
        NO,
        NAME,
        ReportColumn("round", 7),
        ReportColumn("colour", 8, "text"),
        ReportColumn("opponent", 10),
        ReportColumn("opponent_name", 30, "text"),
        ReportColumn("opponent_rating", 16),
        ReportColumn("how", 9, "text"),
        ReportColumn("score", 7),
        ReportColumn("expected", 10),
        ReportColumn("change", 9, "change"),
        ReportColumn("counts", 8, "text"),
        WHY,
    )
    rows = [
        (
            player.no,
            player.called,
            board.round,
            board.game.colour and words(f"colour.{board.game.colour}"),
            board.opponent and board.opponent.no,
            board.opponent and board.opponent.called,
            board.opponent and board.opponent.player.rating,
            words(board.game.how),
            board.game.score,
            line and line.expected,
            line and line.change,
            words("yes" if line is not None and line.rated else "no"),
            _text(player.why if line is None else line.why),
        )
        for player in rated.players
        for board, line in player.played()
    ]
    return Table(words("sheet.games"), columns, rows)


def norm_table(norms: Norms) -> Table:
    """Norms made, still possible, not known, or missed by one condition; or a sentence that there are none."""
    if not norms.rows:
        return Table(words("sheet.norms"), (ReportColumn("norms", 100, "prose"),), [(str(norms.says),)])
    columns = (
        NO,
        NAME,
        ReportColumn("norm", 8, "text"),
        ReportColumn("verdict", 24, "text"),
        ReportColumn("figures", 60, "text"),
    )
    rows = [(row.no, row.name, row.title, row.verdict, row.figures) for row in norms.rows]
    return Table(words("sheet.norms"), columns, rows)
