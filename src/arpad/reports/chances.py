"""What can still happen in a running event, as tables for the tournament page and the desk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from arpad.calculation.explain import label_of
from arpad.messages import figure, fixed, say, section, voice
from arpad.simulation import chances
from arpad.systems.fide import LISTS

if TYPE_CHECKING:
    from collections.abc import Collection

    from arpad.calculation.answer import TableColumn
    from arpad.core.tournaments import Tournament
    from arpad.reports.page import Order
    from arpad.simulation.answer import EventChances, PlayerChances
    from arpad.tournaments.event.report import EventReport
    from arpad.tournaments.prizes import Prize

RUNS = 2500  # a second or two for an open of USUAL_PLAYERS; the command plays more
USUAL_PLAYERS = 150


class ChancesTable(NamedTuple):
    """A table of chances: its title, its headings, its rows as text, and which columns are words and not figures."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    texts: Collection[int]


class ChancesPart(NamedTuple):
    """The chances on a page: how they were found, the tables, and what was assumed; or why there are none."""

    says: str = ""
    tables: Sequence[ChancesTable] = ()
    notes: Sequence[str] = ()
    why: str = ""


def is_running(rated: EventReport, order: Order) -> bool:
    """Whether rounds are still to come in an event of players, rated by one of FIDE's lists."""
    known = order.standings
    return known is not None and not known.teams and known.round < rated.event.rounds and rated.system in LISTS.values()


def runs_for(event: Tournament) -> int:
    """How often a page plays an event: a very large one less often, so that its answer is in time."""
    return min(RUNS, RUNS * USUAL_PLAYERS // max(1, len(event.entrants)))


def simulated(
    rated: EventReport,
    by: Sequence[str] = (),
    *,
    withdrawn: Sequence[int] = (),
    prizes: Sequence[Prize] = (),
    several: bool = False,
) -> EventChances:
    """The rest of an event that has been rated, played many times, by these tie-breaks or those of the file."""
    return chances(
        rated.event,
        system=rated.system,
        on=rated.on,
        by=by,
        withdrawn=withdrawn,
        prizes=prizes,
        several=several,
        runs=runs_for(rated.event),
    )


def chances_part(found: EventChances) -> ChancesPart:
    """The chances of everybody in the event, as a page shows them."""
    said = say(
        "chances.shown",
        after=found.after,
        rounds=found.rounds,
        runs=found.runs,
        seed=found.seed,
        error=fixed(100 * found.error, 1),
    )
    of_one = [_figures(found.players[0])] if len(found.players) == 1 else []
    return ChancesPart(str(said), [*of_one, *_tables(found)], [str(note) for note in found.notes])


def _figures(player: PlayerChances) -> ChancesTable:
    """The figures of one player, with what they mean."""
    figures = [fact for fact in player.figures() if fact.value is not None and fact.key != "chances.player"]
    rows = [[label_of(fact.key), figure(fact.value), str(fact.remark or "")] for fact in figures]
    return ChancesTable(player.called, (), rows, (0, 2))


def _shown(cell: object, column: TableColumn) -> str:
    return "" if cell is None else figure(cell, signed=column.form == "signed")


def _tables(found: EventChances) -> Sequence[ChancesTable]:
    titles, headings = (section(voice().language, f"chances.{part}") for part in ("table", "column"))
    tables = [table.for_door("screen") for table in found.tables()]
    return [
        ChancesTable(
            titles[table.key],
            [headings[column.key] for column in table.columns],
            [[_shown(cell, column) for column, cell in zip(table.columns, row, strict=True)] for row in table.cells()],
            [at for at, column in enumerate(table.columns) if column.form == "text"],
        )
        for table in tables
    ]
