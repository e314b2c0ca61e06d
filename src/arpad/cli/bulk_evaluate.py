"""`arpad bulk evaluate`: how good a system's ratings are on a file of games."""

from __future__ import annotations

from arpad.cli import show
from arpad.cli.options import add_reading, pairs_of, settings_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from arpad.bulk.evaluation import Evaluation

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
    parser.add_argument("--chart", metavar="FILE", help="the calibration as a picture: out.svg, out.png or out.html")
    parser.add_argument("--rejected", metavar="FILE", help="the rejected rows with their reasons")
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
    from arpad.bulk import evaluate

    found = evaluate(
        options.games,
        options.players,
        system=options.system,
        first=options.first,
        last=options.last,
        columns=pairs_of(options.columns, "--columns"),
        **settings_of(options),
    )
    if options.rejected is not None:
        from arpad.bulk.sink import write

        write({options.rejected: found.rejects})
    if options.chart is not None:
        from arpad.drawing.populations import calibration
        from arpad.drawing.saving import save

        save(calibration(found.calibration, f"Expected and scored: {found.system}, {found.games} games"), options.chart)
    return show.Reply.to(found, lambda _: _table(found))


def _table(found: Evaluation) -> str:
    """What was expected and what came, by range."""
    rows = [
        [
            f"{one.low:.1f} to {one.high:.1f}",
            str(one.games),
            f"{one.expected:.3f}",
            f"{one.score:.3f}",
            f"{one.score - one.expected:+.3f}".replace("-", "−"),
        ]
        for one in found.calibration
    ]
    return show.table(HEAD, rows)
