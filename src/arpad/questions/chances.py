"""What can still happen in a running event, for everybody in it, from its file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, cast

from arpad.core import Rating
from arpad.core.tournaments import EVENT_KINDS
from arpad.questions import readers
from arpad.questions.declare import IN_REPORT, defaulting, optional, question, several
from arpad.questions.standings import PrizeFields
from arpad.questions.tournaments import LAST_ROUND, NEEDS, SentFile, criteria, starting_number
from arpad.simulation import RUNS, SEED, chances
from arpad.simulation.answer import EventChances

if TYPE_CHECKING:
    from arpad.core.tournaments import EventKind
    from arpad.tournaments.prizes import Share


@question(
    "chances",
    tool=True,
    needs=NEEDS,
    slow=True,
    most_results=12_000,
    examples=(
        {"path": LAST_ROUND, "runs": 2000},
        {"path": LAST_ROUND, "runs": 2000, "player": 12},
        {"path": LAST_ROUND, "runs": 2000, "round": 7, "seed": 7},
    ),
    **IN_REPORT,
)
@dataclass(frozen=True, kw_only=True)
class ChancesOf(PrizeFields, SentFile):
    """The chances of everybody in a running event: score, place, rating, norms, prizes, and the next opponents."""

    player: int | None = optional(starting_number, example="1")
    by: tuple[tuple[str, ...], ...] = several(criteria, example="DE,BH/C1,SB")
    round: int | None = optional(readers.count, example="7")
    withdrawn: tuple[int, ...] = several(starting_number, example="12")
    runs: int = defaulting(readers.count, RUNS, example="2000")
    seed: int = defaulting(readers.count, SEED, example="7")
    event_kind: str | None = optional(readers.text, example="swiss", group="event", choices=EVENT_KINDS)
    k: Rating | None = optional(readers.k, example="20", group="player")
    system: str = defaulting(readers.text, "fide-standard", example="fide-standard", group="rules")
    on: date | None = optional(readers.day, example="2026-11-15", group="rules")
    watch_runs: Callable[[int, int], object] | None = field(default=None, repr=False, compare=False)

    def answer(self) -> EventChances:
        """Everybody's chances, or one player's."""
        tournament = self.tournament()
        found = chances(
            tournament,
            system=self.system,
            on=self.on or tournament.start or self.day,
            by=[criterion for group in self.by for criterion in group],
            kind=cast("EventKind | None", self.event_kind),
            after=self.round,
            withdrawn=self.withdrawn,
            prizes=self.prize_table(),
            share=cast("Share", self.share),
            several=self.several,
            runs=self.runs,
            seed=self.seed,
            k=self.k,
            progress=self.watch_runs,
        )
        return found if self.player is None else found.for_player(self.player)
