"""Tie-breaks and standings of a tournament, from its file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from arpad.core import Rating
from arpad.core.tournaments import EVENT_KINDS, Tournament
from arpad.errors import BadInput
from arpad.formats.organiser_tables import prizes_of, read_prizes
from arpad.messages import say
from arpad.questions import readers
from arpad.questions.declare import IN_REPORT, defaulting, flag, optional, question, several
from arpad.questions.fields import COMMAND_ALONE, LONGEST_PATH, Asking
from arpad.questions.tournaments import (
    EXAMPLE,
    LONGEST_TABLE,
    NEEDS,
    SENT,
    FileFields,
    Watched,
    criteria,
    starting_number,
)
from arpad.tournaments.prizes import SHARES, Prize
from arpad.tournaments.standings import EventStandings, standings
from arpad.tournaments.tiebreaks import TieBreaks, TieOptions, tie_breaks

if TYPE_CHECKING:
    from arpad.core.tournaments import EventKind
    from arpad.tournaments.prizes import Share

PRIZES = ("prizes", "table")


@dataclass(frozen=True, kw_only=True)
class TieFields(FileFields):
    """A tournament file and the criteria that put its players in order."""

    by: tuple[tuple[str, ...], ...] = several(criteria, example="DE,BH/C1,SB")
    unrated: Rating | None = optional(readers.rating, example="1400")
    event_kind: str | None = optional(readers.text, example="swiss", group="event", choices=EVENT_KINDS)

    @property
    def names(self) -> list[str]:
        """The criteria one by one."""
        return [criterion for group in self.by for criterion in group]

    @property
    def options(self) -> TieOptions:
        """What the criteria depend on besides the file."""
        kind, readings = cast("EventKind | None", self.event_kind), dict(self.reading)
        return {"on": self.on, "unrated": self.unrated, "kind": kind, "readings": readings}


@dataclass(frozen=True, kw_only=True)
class PrizeFields(Asking):
    """A table of prizes, and how they are shared."""

    prizes: str | None = optional(
        readers.path, example="prizes.csv", longest=LONGEST_PATH, group="prizes", **COMMAND_ALONE
    )
    table: str | None = optional(readers.text, longest=LONGEST_TABLE, group="prizes", **SENT)
    share: str = defaulting(readers.text, "places", example="hort", group="prizes", only_with=PRIZES, choices=SHARES)
    several: bool = flag(group="prizes", only_with=PRIZES)

    def prize_table(self) -> tuple[Prize, ...]:
        """The prizes in the table, if one was given."""
        if self.prizes is not None and self.table is not None:
            raise BadInput(say("questions.file_once"), at="table")
        if self.prizes is not None:
            return read_prizes(self.prizes)
        return () if self.table is None else prizes_of(self.table, str(say("questions.the_table")))


@question(
    "ties",
    needs=NEEDS,
    most_results=12_000,  # every part of every value is in the answer, by far the longest of all
    examples=(
        {"path": EXAMPLE, "by": ["DE,BH/C1,BH,SB,WIN"]},
        {"path": EXAMPLE, "by": ["ARO/C1,TPR"], "unrated": 1400},
        {"path": "docs/examples/norms.trf", "by": ["APRO,PTP,RTNG"]},
    ),
    **IN_REPORT,
)
@dataclass(frozen=True, kw_only=True)
class TiesOf(TieFields):
    """The tie-breaks of a tournament."""

    def answer(self) -> TieBreaks:
        """Every player's values."""
        return tie_breaks(self.tournament(), self.names, **self.options)


@question(
    "standings",
    needs=NEEDS,
    examples=(
        {"path": EXAMPLE, "by": ["DE,BH/C1,BH"]},
        {"path": EXAMPLE, "by": ["BH/C1,BH"], "why": [2, 4]},
        {"path": EXAMPLE, "by": ["BH"], "round": 4, "group": "U2000"},
        {"path": EXAMPLE, "crosstable": True},
    ),
    **IN_REPORT,
)
@dataclass(frozen=True, kw_only=True)
class StandingsOf(TieFields, PrizeFields, Watched):
    """The standings of a tournament after any round, with groups and prizes."""

    round: int | None = optional(readers.count, example="5")
    why: tuple[int, ...] = several(starting_number, example="4", takes=2, most=2)
    group: str | None = optional(readers.text, example="U18")
    crosstable: bool = flag(doors=frozenset({"command"}), why="elsewhere the answer has it always")

    def answer(self) -> EventStandings:
        """The players in order."""
        return self.standings_in(self.tournament())

    def standings_in(self, tournament: Tournament) -> EventStandings:
        """The players of a tournament that has been read, in order."""
        return standings(
            tournament,
            self.names,
            **self.options,
            round=self.round,
            group=self.group,
            why=self.why,
            prizes=self.prize_table(),
            share=cast("Share", self.share),
            several=self.several,
        )
