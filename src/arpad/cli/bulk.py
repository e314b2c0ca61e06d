"""`arpad bulk`: all games of a rating period at once; and what the bulk commands share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

from arpad.bulk import check_paths, method, rate, write
from arpad.calculation.explain import wrapped
from arpad.calculation.serialise import listing
from arpad.cli import show
from arpad.cli.files import Force
from arpad.cli.show import Reply, in_lines
from arpad.errors import BadInput
from arpad.messages import say
from arpad.questions import readers
from arpad.questions.declare import defaulting, flag, optional, question, required, several
from arpad.questions.fields import LONGEST_PATH, Asking, chosen_system
from arpad.systems.fide import FILES

if TYPE_CHECKING:
    from arpad.bulk import BulkRating, Method, SparkRating
    from arpad.messages import Message
    from arpad.systems.system import System

MOST_FILES = 100_000  # a shell expands a pattern into all its files
ABOUT_FILES: Mapping[str, Any] = {"doors": frozenset({"command"}), "why": "it reads and writes files of this machine"}


@dataclass(frozen=True, kw_only=True)
class ColumnNames(Asking):
    """What the columns of the tables are called."""

    columns: tuple[tuple[str, str], ...] = several(readers.named_value, example="white=WhiteId")


@dataclass(frozen=True, kw_only=True)
class Rejected(Force):
    """Where the rejected rows go."""

    rejected: str | None = optional(readers.path, example="rejected.csv", group="files", longest=LONGEST_PATH)


@dataclass(frozen=True, kw_only=True)
class Engine(Asking):
    """The engine that does the work."""

    engine: str = defaulting(readers.text, "local", example="local")
    spark: str | None = optional(readers.text, example="local[2]", longest=LONGEST_PATH)

    def check_engine(self) -> None:
        """Refuse an address of Spark with another engine."""
        if self.spark is not None and self.engine != "spark":
            raise BadInput(say("command.bulk.spark_alone"), at="spark")


@dataclass(frozen=True, kw_only=True)
class ListRules(Engine, ColumnNames):
    """Which list to make, by which rules."""

    system: str = defaulting(readers.text, "fide-standard", example="fide-standard", group="rules")
    rules: str | None = optional(
        readers.path, example="club.toml", group="rules", longest=LONGEST_PATH, instead_of="system"
    )
    set: tuple[tuple[str, str], ...] = several(readers.named_value, example="k=20", group="rules")
    reading: tuple[tuple[str, str], ...] = several(readers.named_value, example="rounding=per-event", group="rules")

    def list_system(self) -> System | Method:
        """The system whose list is made, with the settings and readings asked for."""
        if self.rules is None and self.system not in FILES:
            return method(self.system, **settings_of(self.set, self.reading))
        return chosen_system(self.system, self.rules, self.set, self.reading)


def settings_of(settings: tuple[tuple[str, str], ...], readings: tuple[tuple[str, str], ...]) -> dict[str, Any]:
    """The settings of a system together with its readings."""
    return {**dict(settings), **({"readings": dict(readings)} if readings else {})}


@question(
    "bulk",
    needs=("files", "period"),
    **ABOUT_FILES,
    examples=(
        {"files": ["games.csv", "list.csv"], "period": "2026-12"},
        {"files": ["games.parquet", "players.parquet"], "period": "2026-12", "out": "list.parquet"},
        {"files": ["november/*.csv", "list.csv"], "period": "2026-12", "rejected": "rejected.csv"},
    ),
)
@dataclass(frozen=True, kw_only=True)
class Bulk(ListRules, Rejected):
    """All games of a rating period at once: the next list from files."""

    files: tuple[str, ...] = several(
        readers.path, example="games.csv", word=True, longest=LONGEST_PATH, most=MOST_FILES
    )
    period: str = required(readers.text, example="2026-12")
    since: date | None = optional(readers.day, example="2026-11-01")
    on: date | None = optional(readers.day, example="2026-11-30")
    pool: str | None = optional(readers.path, example="pool.parquet", longest=LONGEST_PATH)
    strict: bool = flag()
    memory: str | None = optional(readers.text, example="4GB")
    out: str | None = optional(readers.path, example="list.parquet", group="files", longest=LONGEST_PATH)
    detail: str | None = optional(readers.path, example="detail.parquet", group="files", longest=LONGEST_PATH)
    pool_out: str | None = optional(readers.path, example="pool.parquet", group="files", longest=LONGEST_PATH)

    def run(self) -> Reply:
        """Rate the period and write its files."""
        if len(self.files) < 2:  # games, and the previous list
            raise BadInput(say("command.bulk.two_files"), at="files")
        *games, players = self.files
        system = self.list_system()
        outputs = (self.out, self.detail, self.rejected, self.pool_out)
        check_paths(outputs, (*self.files, self.pool), force=self.force)
        self.check_engine()
        rated = rate(
            games,
            players,
            period=self.period,
            system=system,
            engine=self.engine,
            pool=self.pool,
            since=self.since,
            on=self.on,
            columns=dict(self.columns),
            detail=self.detail is not None,
            memory=self.memory,
            spark=self.spark,
        )
        wrote = self._write(rated)
        return Reply(
            lambda style: show.facts(rated.figures(), style),
            lambda: listing(rated.rules, **rated.summary, files=wrote),
            lambda: [row for said in self._footer(rated, wrote) for row in in_lines(said)],
            lambda: "\n".join(
                row for rule in rated.rules for row in wrapped(f"{rule.name}: {rule.says} [{rule.cite}]")
            ),
            look=bool(rated.summary["rejected"]),
        )

    def _write(self, rated: BulkRating | SparkRating) -> list[str]:
        """Write all the files asked for, or none; the rejected rows even if the period is refused."""
        refused = rated.refused(strict=self.strict)
        places = {self.rejected: rated.rejected}
        if refused is None:
            places |= {self.out: rated.players, self.detail: rated.games, self.pool_out: rated.pool}
        tables = {place: table for place, table in places.items() if place is not None and table is not None}
        write(tables, engine=self.engine, force=self.force)
        if refused is not None:
            raise BadInput(refused, at="files")
        return list(tables)

    def _footer(self, rated: BulkRating | SparkRating, wrote: list[str]) -> list[Message]:
        """Which rules were used, which files were written, and how to see the rejected rows."""
        said = [say("command.bulk.rules", system=rated.summary["system"], on=rated.on)]
        if rated.summary["rejected"] and self.rejected is None:
            said.append(say("command.bulk.see_rejected"))
        return [*said, say("command.wrote", path=wrote) if wrote else say("command.bulk.nothing_written")]
