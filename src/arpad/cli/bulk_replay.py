"""`arpad bulk replay`: many rating periods, one after another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from arpad.bulk import replay
from arpad.calculation.serialise import listing
from arpad.cli.bulk import ABOUT_FILES, MOST_FILES, ListRules
from arpad.cli.show import Reply, in_lines, table
from arpad.messages import say
from arpad.questions import readers
from arpad.questions.declare import optional, question, required, several
from arpad.questions.fields import LONGEST_PATH

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from arpad.bulk import Finished

COUNTS = ("games", "rated", "changed", "first_ratings", "pool", "rejected")


@question(
    "bulk replay",
    needs=("games", "first", "last", "out"),
    **ABOUT_FILES,
    examples=(
        {"games": ["g.csv"], "players": "a.csv", "first": "2015-01", "last": "2026-11", "out": "new"},
        {"games": ["games.csv"], "system": "elo", "first": "2026-02", "last": "2026-12", "out": "new"},
    ),
)
@dataclass(frozen=True, kw_only=True)
class BulkReplay(ListRules):
    """Many rating periods, one after another."""

    games: tuple[str, ...] = several(
        readers.path, example="games.csv", word=True, longest=LONGEST_PATH, most=MOST_FILES
    )
    players: str | None = optional(readers.path, example="list.csv", longest=LONGEST_PATH)
    first: str = required(readers.text, example="2015-01", option="from")
    last: str = required(readers.text, example="2026-11", option="to")
    out: str = required(readers.path, example="new", longest=LONGEST_PATH)

    def run(self) -> Reply:
        """Rate period after period."""
        self.check_engine()
        periods = replay(
            self.games,
            self.players,
            first=self.first,
            last=self.last,
            out=self.out,
            system=self.list_system(),
            columns=dict(self.columns),
            engine=self.engine,
            spark=self.spark,
        )
        finished = list(_with_bar(periods))
        value = {"periods": [{**period.summary, "before": period.before} for period in finished], "out": self.out}
        return Reply(
            lambda _: _table(finished),
            lambda: listing([], **value),
            lambda: in_lines(say("command.bulk.replayed", folder=self.out)),
            look=any(period.summary["rejected"] for period in finished),
        )


def _with_bar(periods: Iterable[Finished]) -> Iterable[Finished]:
    """The periods, with a progress bar on a terminal."""
    from tqdm import tqdm

    return tqdm(periods, unit=" lists", disable=None, leave=False)


def _table(finished: Sequence[Finished]) -> str:
    """A line for each period."""
    before = str(say("command.bulk.finished_before"))
    rows = [
        [period.period, *(f"{period.summary[name]:,}" for name in COUNTS), before if period.before else ""]
        for period in finished
    ]
    return table(["list", *COUNTS, ""], rows)
