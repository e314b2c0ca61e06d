"""`arpad bulk`: all games of a rating period at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.bulk import check_paths as check_places
from arpad.calculation.explain import listing, rule_value, wrapped
from arpad.cli import show
from arpad.cli.options import add_reading, given_day, pairs_of, settings_of, the_system
from arpad.cli.writing import add_force
from arpad.errors import BadInput
from arpad.reading.notation import parse_date

if TYPE_CHECKING:
    import argparse

    from arpad.bulk import BulkRating, Method
    from arpad.calculation.contract import System

SUMMARY = "all games of a rating period at once: the next list from files"
EXAMPLES = (
    "arpad bulk games.csv list.csv --period 2026-12",
    "arpad bulk games.parquet players.parquet --period 2026-12 --out list.parquet",
    "arpad bulk 'november/*.csv' list.csv --period 2026-12 --rejected rejected.csv",
)
TELL_REJECTED = "--rejected FILE writes the rejected rows with their row numbers."


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `arpad bulk`."""
    parser.add_argument("games", nargs="+", help="files of games: Parquet, CSV, JSON lines, DuckDB; also a glob")
    parser.add_argument("players", help="the list before the period")
    parser.add_argument("--period", metavar="MONTH", required=True, help="the month of the next list, 2026-12")
    parser.add_argument("--since", metavar="DATE", help="first day of the period (default: of the month before)")
    parser.add_argument("--on", metavar="DATE", help="last day of the period (default: of the month before)")
    parser.add_argument("--pool", metavar="FILE", help="games of unrated players carried over from the last period")
    parser.add_argument("--strict", action="store_true", help="refuse the period if a row is rejected")
    add_tables(parser)
    group = parser.add_argument_group("files written")
    group.add_argument("--out", metavar="FILE", help="the next list")
    group.add_argument("--detail", metavar="FILE", help="what every game gave")
    group.add_argument("--rejected", metavar="FILE", help="the rejected rows with their reasons")
    group.add_argument("--pool-out", metavar="FILE", help="the pool to carry over")
    add_force(group)


def add_tables(parser: argparse.ArgumentParser) -> None:
    """Which list, by which rules, from which columns, by what."""
    parser.add_argument(
        "--columns", action="append", default=[], metavar="NAME=COLUMN", help="what a column is called, white=WhiteId"
    )
    parser.add_argument("--engine", default="local", metavar="NAME", help="local (default) or spark")
    parser.add_argument("--spark", metavar="URL", help="where Spark is: local[2], spark://…, yarn, or sc://… (Connect)")
    group = parser.add_argument_group("rules")
    one = group.add_mutually_exclusive_group()
    one.add_argument(
        "--system", default="fide-standard", metavar="NAME", help="fide-standard (default), …, elo, glicko, glicko-2"
    )
    one.add_argument("--rules", metavar="FILE", help="a rule file of your own")
    group.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of the system, for example k=20"
    )
    add_reading(group)


def the_list(options: argparse.Namespace) -> System | Method:
    """The list asked for, with its settings and under the readings asked for."""
    from arpad.bulk import method
    from arpad.systems.fide import FILES

    settings = settings_of(options)
    if options.rules is None and options.system not in FILES:
        return method(options.system, **settings)
    return the_system(options)


def run(options: argparse.Namespace) -> show.Reply:
    """Rate the period and write its files."""
    from arpad.bulk import rate

    system = the_list(options)
    outputs = (options.out, options.detail, options.rejected, options.pool_out)
    check_places(outputs, (*options.games, options.players, options.pool), force=options.force)
    rated = rate(
        options.games,
        options.players,
        period=options.period,
        system=system,
        engine=options.engine,
        pool=options.pool,
        since=None if options.since is None else parse_date(options.since, at="--since"),
        on=given_day(options),
        columns=pairs_of(options.columns, "--columns"),
        detail=options.detail is not None,
        spark=options.spark,
    )
    written = _write(options, rated)
    return show.Reply(
        lambda style: show.facts(rated.figures(), style),
        lambda: listing([rule_value(rule) for rule in rated.rules], **rated.summary, files=written),
        lambda: _footer(rated, written, told=options.rejected is not None),
        lambda: "\n".join(row for rule in rated.rules for row in wrapped(f"{rule.name}: {rule.says} [{rule.cite}]")),
    )


def _write(options: argparse.Namespace, rated: BulkRating) -> list[str]:
    """The files asked for, all of them or none; the rejected rows even when the period is refused."""
    from arpad.bulk.engines import writer_of

    refused = rated.refused(strict=options.strict)
    places = {options.rejected: rated.rejected}
    if refused is None:
        places |= {options.out: rated.players, options.detail: rated.games, options.pool_out: rated.pool}
    tables = {place: table for place, table in places.items() if place is not None and table is not None}
    writer_of(options.engine)(tables, force=options.force)
    if refused is not None:
        raise BadInput(refused, at="games")
    return list(tables)


def _footer(rated: BulkRating, written: list[str], *, told: bool) -> list[str]:
    """By which rules, where it is, and where more would be."""
    says = [f"By the rules of {rated.summary['system']} on {rated.on}, and on the day each event began."]
    says += [] if told or not rated.summary["rejected"] else [TELL_REJECTED]
    says += [
        f"Written to {', '.join(written)}." if written else "Nothing was written; --out FILE writes the next list."
    ]
    return [row for one in says for row in wrapped(one)]
