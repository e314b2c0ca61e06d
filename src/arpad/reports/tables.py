"""The tables of a report, as plain values under their heads: what a spreadsheet, a CSV file and a page all show."""

# No postponed annotations here: named tuples would compile each one.

from typing import Any, NamedTuple

from arpad.event.answer import EventRating
from arpad.reports.norms import Norms


class Column(NamedTuple):
    """A column: its head, its width in characters, and what it holds: text, a number, or a change with its sign."""

    head: str
    width: int = 8
    holds: str = "number"


class Table(NamedTuple):
    """A table with a name."""

    name: str
    columns: tuple[Column, ...]
    rows: list[tuple[Any, ...]]


NO, RANK = Column("no", 6), Column("rank", 6)
TITLE, NAME, FEDERATION = Column("title", 6, "text"), Column("name", 30, "text"), Column("federation", 11, "text")
WHY = Column("why", 70, "text")


def tables(rated: EventRating, norms: Norms | None = None) -> list[Table]:
    """Every table of a report; norms where they are known."""
    return [standings(rated), changes(rated), games(rated), *([] if norms is None else [norm_table(norms)])]


def standings(rated: EventRating) -> Table:
    """The final order, as the file claims it."""
    columns = (RANK, NO, TITLE, NAME, FEDERATION, Column("rating"), Column("points"), Column("performance", 12))
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
        Column("fide_id", 12),
        Column("Rc"),
        Column("Ro"),
        Column("w"),
        Column("n"),
        Column("expected", 10),
        Column("chg", 8, "change"),
        Column("K"),
        Column("K×chg", 9, "change"),
        Column("new_rating", 12),
        Column("Rp"),
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
        Column("round", 7),
        Column("colour", 8, "text"),
        Column("opponent", 10),
        Column("opponent_name", 30, "text"),
        Column("opponent_rating", 16),
        Column("how", 9, "text"),
        Column("score", 7),
        Column("expected", 10),
        Column("change", 9, "change"),
        Column("counts", 8, "text"),
        WHY,
    )
    rows = [
        (
            one.no,
            one.name,
            board.round,
            board.game.colour,
            board.opponent and board.opponent.no,
            board.opponent and board.opponent.player.name,
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
    """Norms made, still possible, or missed by one condition."""
    columns = (NO, NAME, Column("norm", 8, "text"), Column("verdict", 24, "text"), Column("figures", 60, "text"))
    return Table("norms", columns, [tuple(line) for line in norms.rows])
