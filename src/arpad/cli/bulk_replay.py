"""`arpad bulk replay`: years of rating periods in a row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.calculation.explain import listing, wrapped
from arpad.cli import show
from arpad.cli.bulk import add_tables, the_list
from arpad.cli.options import pairs_of
from arpad.errors import Unsupported

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from arpad.bulk.replays import Finished

SUMMARY = "years of rating periods in a row, list after list"
EXAMPLES = (
    "arpad bulk replay g.csv --players a.csv --from 2015-01 --to 2026-11 --out new",
    "arpad bulk replay games.csv --system elo --from 2026-02 --to 2026-12 --out new",
)
HEAD = ("list", "games", "rated", "changed", "first", "pool", "rejected", "")


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `arpad bulk replay`."""
    parser.add_argument("games", nargs="+", help="files of games with dates; also a glob")
    parser.add_argument("--players", metavar="FILE", help="the list before the first period; FIDE's lists need one")
    parser.add_argument("--from", dest="first", metavar="MONTH", required=True, help="the first list to make, 2015-01")
    parser.add_argument("--to", dest="last", metavar="MONTH", required=True, help="the last one, 2026-11")
    parser.add_argument(
        "--out", metavar="FOLDER", required=True, help="where the lists go; run again, it goes on there"
    )
    add_tables(parser)


def run(options: argparse.Namespace) -> show.Reply:
    """Rate period after period."""
    from arpad.bulk import replay

    if options.engine != "local":
        raise Unsupported("A replay runs on one machine; use the engine local.", at="--engine")
    periods = replay(
        options.games,
        options.players,
        first=options.first,
        last=options.last,
        out=options.out,
        system=the_list(options),
        columns=pairs_of(options.columns, "--columns"),
    )
    finished = list(_watched(periods))
    return show.Reply(
        lambda _: _table(finished),
        lambda: listing([], periods=[{**one.summary, "before": one.before} for one in finished], out=options.out),
        lambda: wrapped(
            f"The lists are in {options.out}, and the rejected rows beside them; run again, it goes on after the last "
            "finished one."
        ),
    )


def _watched(periods: Iterable[Finished]) -> Iterable[Finished]:
    """The periods with a progress bar on a terminal."""
    from tqdm import tqdm

    return tqdm(periods, unit=" lists", disable=None, leave=False)


def _table(finished: list[Finished]) -> str:
    """A line a period."""
    counts = ("games", "rated", "changed", "first_ratings", "pool", "rejected")
    rows = [
        [one.period, *(f"{one.summary[name]:,}" for name in counts), "kept" if one.before else ""] for one in finished
    ]
    return show.table(HEAD, rows)
