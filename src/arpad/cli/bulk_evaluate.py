"""`arpad bulk evaluate`: how good a system's ratings are on a file of games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.bulk import check_paths as check_places
from arpad.cli import show
from arpad.cli.bulk import TELL_REJECTED
from arpad.cli.options import add_reading, pairs_of, settings_of
from arpad.cli.writing import add_chart, add_force, check_chart, drawn
from arpad.core.counting import counted

if TYPE_CHECKING:
    import argparse
    from typing import Any

    from arpad.bulk import Evaluation

SUMMARY = "how good ratings are: how well they foretell games"
EXAMPLES = (
    "arpad bulk evaluate docs/examples/ladder.csv --system elo --set k=32",
    "arpad bulk evaluate games.csv --system glicko-2 --from 2026-01 --to 2026-11",
    "arpad bulk evaluate games.csv --set k=20 --from 96 --to 100 --chart out.svg",
)
HEAD = ("expected", "games", "mean", "score", "score − mean")


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `arpad bulk evaluate`."""
    parser.add_argument(
        "games", nargs="+", help="files of games: Parquet, CSV, JSON lines or DuckDB, by name or by glob"
    )
    parser.add_argument("--players", metavar="FILE", help="the list to start from; without it everybody is new")
    parser.add_argument("--from", dest="first", metavar="PERIOD", help="foretell from this period on: 2026-01, or 96")
    parser.add_argument("--to", dest="last", metavar="PERIOD", help="up to this one; earlier games are rated alone")
    parser.add_argument(
        "--columns", action="append", default=[], metavar="NAME=COLUMN", help="what a column is called, white=WhiteId"
    )
    group = parser.add_argument_group("files written")
    add_chart(group, "the calibration")
    group.add_argument("--rejected", metavar="FILE", help="the rejected rows with their reasons")
    add_force(group)
    group = parser.add_argument_group("rules")
    group.add_argument(
        "--system", default="elo", metavar="NAME", help="elo (default), glicko, glicko-2, fide-standard, …"
    )
    group.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of the system, for example k=20"
    )
    add_reading(group)


def run(options: argparse.Namespace) -> show.Reply:
    """Foretell, rate, measure."""
    found = _evaluated(options)
    written = drawn(options, lambda path: _draw(found, path))
    written += [] if options.rejected is None else [f"Written to {options.rejected}."]
    written += [TELL_REJECTED] if found.rejected and options.rejected is None else []
    reply = show.Reply.to(found, lambda _: _table(found))
    return reply._replace(footer=lambda: [*reply.footer(), *written])


def _evaluated(options: argparse.Namespace) -> Evaluation:
    """The evaluation; the rejected rows are written even when it is refused."""
    from arpad.bulk import NothingToRate, evaluate

    settings = settings_of(options)
    check_places([options.rejected], (*options.games, options.players), force=options.force)
    check_chart(options)
    try:
        found = evaluate(
            options.games,
            options.players,
            system=options.system,
            first=options.first,
            last=options.last,
            columns=pairs_of(options.columns, "--columns"),
            **settings,
        )
    except NothingToRate as refused:
        _write(options, refused.rejected)
        raise
    _write(options, found.rejects)
    return found


def _write(options: argparse.Namespace, rejected: Any) -> None:
    if options.rejected is not None:
        from arpad.bulk import write

        write({options.rejected: rejected}, force=options.force)


def _draw(found: Evaluation, path: str) -> None:
    from arpad.charts.populations import calibration
    from arpad.charts.saving import save

    games = counted(found.games, "game")
    save(calibration(found.calibration, f"Expected and scored: {found.system}, {games}"), path)


def _table(found: Evaluation) -> str:
    """What was expected and what came, by range."""
    rows = [
        [
            f"{one.low:.1f} to {one.high:.1f}",
            f"{one.games:,}",
            f"{one.expected:.3f}",
            f"{one.score:.3f}",
            f"{one.bias:+.3f}".replace("-", "−"),
        ]
        for one in found.calibration
    ]
    return show.table(HEAD, rows)
