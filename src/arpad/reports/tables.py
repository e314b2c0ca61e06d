"""The tables of a report, as plain values under their heads: what a spreadsheet, a CSV file and a page all show."""

# No postponed annotations here: named tuples would compile each one.

from typing import Any, NamedTuple

from arpad.calculation.explain import note
from arpad.core.tournament import gathered
from arpad.reports.norms import Norms
from arpad.reports.page import label
from arpad.tournaments.event.report import EventRating


class ReportColumn(NamedTuple):
    """A column: its head, its width in characters, and what it holds: text, prose, a number, a change with its sign."""

    head: str
    width: int = 8
    holds: str = "number"


class Table(NamedTuple):
    """A table with a name."""

    name: str
    columns: tuple[ReportColumn, ...]
    rows: list[tuple[Any, ...]]


NO, RANK = ReportColumn("no", 6), ReportColumn("rank", 6)
TITLE, NAME, FEDERATION = (
    ReportColumn("title", 6, "text"),
    ReportColumn("name", 30, "text"),
    ReportColumn("federation", 11, "text"),
)
WHY = ReportColumn("why", 70, "text")


def tables(rated: EventRating, norms: Norms | None = None) -> list[Table]:
    """Every table of a report; norms where they are known."""
    whole = [about(rated, norms), standings(rated), changes(rated), games(rated)]
    return whole if norms is None else [*whole, norm_table(norms)]


def about(rated: EventRating, norms: Norms | None = None) -> Table:
    """The event itself: its head, the rules, the summary, and every remark and oddity."""
    event = rated.tournament
    head = {
        "event": event.name,
        "place": ", ".join(filter(None, (event.city, event.federation))),
        "began": event.start and event.start.isoformat(),
        "ended": event.end and event.end.isoformat(),
        "rounds": event.rounds or None,
        "kind of event": event.kind,
        "time control": event.time_control,
        "chief arbiter": event.arbiter,
        "rating list": event.from_list and event.from_list.name,
    }
    rows: list[tuple[Any, ...]] = [(name, value, None) for name, value in head.items() if value]
    rows.append(("rules", rated.system, f"as in force on {rated.on}"))
    signed = _signed(rated)
    figures = (one for one in rated.figures() if one.value is not None)
    rows += [(label(one.key), signed.get(one.key, one.value), one.remark) for one in figures]
    listed = [] if event.from_list is None else event.from_list.remarks
    rows += [("remark", None, says) for says in (*map(note, rated.notes), *listed)]
    rows += [("no new rating", len(reason.players), str(reason)) for reason in rated.summary.no_rating]
    rows += [("not counted", len(reason.games), str(reason)) for reason in rated.summary.not_counted]
    if norms is not None:
        rows += [("norms", None, says) for says in (norms.says, *map(note, norms.notes)) if says]
    rows += [("does not fit", one.line and f"line {one.line}", str(one)) for one in rated.findings]
    rows += [("odd in the file", None, says) for says in gathered(rated.oddities)]
    return Table(
        "event",
        (ReportColumn("about", 18, "text"), ReportColumn("value", 26), ReportColumn("remark", 100, "prose")),
        rows,
    )


def _signed(rated: EventRating) -> dict[str, Any]:
    """The figures of the summary that its readers see with a sign, as numbers."""
    gain, loss = rated.summary.gain, rated.summary.loss
    return {
        "biggest_gain": gain and gain.change,
        "biggest_loss": loss and loss.change,
        "inflation": rated.summary.inflation,
    }


def standings(rated: EventRating) -> Table:
    """The final order, as the file claims it."""
    columns = (
        RANK,
        NO,
        TITLE,
        NAME,
        FEDERATION,
        ReportColumn("rating"),
        ReportColumn("points"),
        ReportColumn("performance", 12),
    )
    rows = [
        (
            one.entrant.rank,
            one.no,
            one.entrant.player.title,
            one.name,
            one.entrant.player.federation,
            one.rating,
            one.points,
            one.performance,
        )
        for one in rated.standings
    ]
    return Table("standings", columns, rows)


def changes(rated: EventRating) -> Table:
    """Every player in FIDE's columns: Rc, Ro, w, n, chg, K, K×chg; then the new rating, and why there is none."""
    columns = (
        NO,
        TITLE,
        NAME,
        FEDERATION,
        ReportColumn("fide_id", 12),
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
            one.no,
            one.entrant.player.title,
            one.name,
            one.entrant.player.federation,
            one.entrant.player.fide_id,
            one.average,
            one.rating,
            one.score if one.calculated else None,
            one.games if one.calculated else None,
            one.expected,
            one.chg,
            one.k,
            one.change,
            one.new_rating,
            one.performance,
            "; ".join(filter(None, (one.why, *one.missing))),
        )
        for one in rated.players
    ]
    return Table("rating changes", columns, rows)


def games(rated: EventRating) -> Table:
    """Every game of every player, with what it gave or why it does not count."""
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
            one.no,
            one.name,
            board.round,
            board.game.colour,
            board.opponent and board.opponent.no,
            board.opponent and board.opponent.called,
            board.opponent and board.opponent.player.rating,
            board.game.how,
            board.game.score,
            line and line.expected,
            line and line.change,
            "yes" if line is not None and line.rated else "no",
            one.why if line is None else line.why,
        )
        for one in rated.players
        for board, line in one.lines()
    ]
    return Table("games", columns, rows)


def norm_table(norms: Norms) -> Table:
    """Norms made, still possible, not known, or missed by one condition; a line says if there are none."""
    if not norms.rows:
        return Table("norms", (ReportColumn("norms", 100, "prose"),), [(norms.says,)])
    columns = (
        NO,
        NAME,
        ReportColumn("norm", 8, "text"),
        ReportColumn("verdict", 24, "text"),
        ReportColumn("figures", 60, "text"),
    )
    return Table("norms", columns, [tuple(line) for line in norms.rows])
