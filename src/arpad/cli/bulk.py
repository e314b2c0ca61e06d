"""The `arpad bulk` commands: a rating period at once, many of them one after another, and how well systems predict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any, cast

from arpad.bulk import NothingToRate, check_paths, evaluate, method, rate, replay, write
from arpad.cli.files import ChartFile, Force, check_chart, write_chart
from arpad.cli.reply import AnswerReply, Done
from arpad.cli.show import table
from arpad.core import Rating
from arpad.errors import BadInput
from arpad.messages import fixed, say, thousands
from arpad.questions import readers
from arpad.questions.declare import defaulting, flag, optional, question, required, several
from arpad.questions.fields import LONGEST_PATH, Asking, chosen_system
from arpad.systems.chances import draw_model
from arpad.systems.fide import FILES

if TYPE_CHECKING:
    import pyarrow as pa

    from arpad.bulk import BulkRating, Evaluation, Finished, Method, MethodName, SparkRating
    from arpad.bulk.engines import EngineName
    from arpad.systems.base import System
    from arpad.systems.chances import DrawModel, DrawModelName


GAMES, LIST, LADDER = (f"docs/examples/{name}.csv" for name in ("club-games", "club-list", "ladder"))
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
            return method(cast("MethodName", self.system), **settings_of(self.set, self.reading))
        return chosen_system(self.system, self.rules, self.set, self.reading)


def settings_of(settings: tuple[tuple[str, str], ...], readings: tuple[tuple[str, str], ...]) -> dict[str, Any]:
    """The settings of a system together with its readings."""
    return {**dict(settings), **({"readings": dict(readings)} if readings else {})}


@question(
    "bulk",
    needs=("files", "period"),
    **ABOUT_FILES,
    examples=(
        {"files": [GAMES, LIST], "period": "2026-12"},
        {"files": [GAMES, LIST], "period": "2026-12", "out": "list.parquet"},
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

    def run(self) -> Done:
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
            engine=cast("EngineName", self.engine),
            pool=self.pool,
            since=self.since,
            on=self.on,
            columns=dict(self.columns),
            detail=self.detail is not None,
            memory=self.memory,
            spark=self.spark,
        )
        wrote = self._write(rated)
        below = [say("command.bulk.rules", system=rated.summary["system"], on=rated.on)]
        if rated.summary["rejected"] and self.rejected is None:
            below.append(say("command.bulk.see_rejected"))
        return Done(
            figures=rated.figures(),
            value={**rated.summary, "files": wrote},
            rules=rated.rules,
            below=[*below, say("command.wrote", path=wrote) if wrote else say("command.bulk.nothing_written")],
            look=bool(rated.summary["rejected"]),
        )

    def _write(self, rated: BulkRating | SparkRating) -> list[str]:
        """Write all the files asked for, or none; the rejected rows even if the period is refused."""
        refused = rated.refused(strict=self.strict)
        places = {self.rejected: rated.rejected}
        if refused is None:
            places |= {self.out: rated.players, self.detail: rated.games, self.pool_out: rated.pool}
        tables = {place: table for place, table in places.items() if place is not None and table is not None}
        write(tables, engine=cast("EngineName", self.engine), force=self.force)
        if refused is not None:
            raise BadInput(refused, at="files")
        return list(tables)


@question(
    "bulk evaluate",
    needs=("games",),
    **ABOUT_FILES,
    examples=(
        {"games": [LADDER], "system": "elo", "set": ["k=32"]},
        {"games": [LADDER], "system": "glicko-2", "first": "2026-05", "last": "2026-08"},
        {"games": [LADDER], "set": ["k=20"], "first": "2026-05", "last": "2026-08", "chart": "out.svg"},
    ),
)
@dataclass(frozen=True, kw_only=True)
class BulkEvaluate(Engine, ColumnNames, ChartFile, Rejected):
    """How well systems predict games."""

    games: tuple[str, ...] = several(
        readers.path, example="games.csv", word=True, longest=LONGEST_PATH, most=MOST_FILES
    )
    players: str | None = optional(readers.path, example="list.csv", longest=LONGEST_PATH)
    first: str | None = optional(readers.text, example="2026-01", option="from")
    last: str | None = optional(readers.text, example="2026-11", option="to")
    out: str | None = optional(readers.path, example="new", longest=LONGEST_PATH)
    system: str = defaulting(readers.text, "elo", example="elo", group="rules")
    set: tuple[tuple[str, str], ...] = several(readers.named_value, example="k=20", group="rules")
    reading: tuple[tuple[str, str], ...] = several(readers.named_value, example="rounding=per-event", group="rules")
    draws: str | None = optional(readers.text, example="calibrated", group="draws")
    draw_rate: Rating | None = optional(readers.share, example="0.4", group="draws")

    def run(self) -> EvaluationView:
        """Predict, rate, measure."""
        self.check_engine()
        if self.rejected is not None and self.engine == "spark":
            raise BadInput(say("command.bulk.rejected_there"), at="rejected")
        check_paths([self.rejected], (*self.games, self.players), force=self.force)
        check_chart(self.chart, force=self.force)
        found = self._evaluated()
        messages = write_chart(self.chart, lambda part: _draw(found, part), force=self.force)
        if self.out is not None:
            messages.append(say("command.bulk.replayed", folder=self.out))
        elif self.rejected is not None:
            messages.append(say("command.wrote", path=self.rejected))
        elif found.rejected:
            messages.append(say("command.bulk.see_rejected"))
        return EvaluationView(answer=found, below=messages, look=bool(found.rejected))

    def _evaluated(self) -> Evaluation:
        """The evaluation; the rejected rows are written even if it is refused."""
        try:
            found = evaluate(
                self.games,
                self.players,
                system=self.system,
                first=self.first,
                last=self.last,
                columns=dict(self.columns),
                draws=self._model(),
                engine=cast("EngineName", self.engine),
                spark=self.spark,
                out=self.out,
                **settings_of(self.set, self.reading),
            )
        except NothingToRate as refused:
            self._write(refused.rejected)
            raise
        self._write(found.rejects)
        return found

    def _model(self) -> DrawModel | None:
        """The model of chances asked for, if any."""
        if self.draws is None and self.draw_rate is None:
            return None
        return draw_model(cast("DrawModelName", self.draws or "davidson"), draw_rate=self.draw_rate)

    def _write(self, rejected: pa.Table | None) -> None:
        if self.rejected is not None and rejected is not None:
            write({self.rejected: rejected}, force=self.force)


def _draw(found: Evaluation, file: str) -> None:
    from arpad.charts.populations import evaluation_chart

    evaluation_chart(found).save(file)


class EvaluationView(AnswerReply["Evaluation"]):
    """The figures, then scores by expected score and by rating difference."""

    def paragraphs(self) -> Iterable[str]:
        yield _scores_table(self.answer)
        yield _bands(self.answer)


def _bands(found: Evaluation) -> str:
    """Favourites' expected and actual scores by rating difference; with a model of chances, draws as well."""
    head = ["favourite", "games", "mean", "score", "bias", *(["model_draws", "drawn"] if found.draws else [])]
    rows = [
        [
            band.name,
            thousands(band.games),
            fixed(band.expected, 3),
            fixed(band.score, 3),
            f"{band.bias:+.3f}".replace("-", "−"),
            *([fixed(band.draws, 3), fixed(band.drawn, 3)] if band.draws is not None else []),
        ]
        for band in found.bands
    ]
    return table(head, rows)


def _scores_table(found: Evaluation) -> str:
    """Expected and actual scores, by range of expected score."""
    rows = [
        [
            str(say("bulk.range", low=fixed(bin.low, 1), high=fixed(bin.high, 1))),
            thousands(bin.games),
            fixed(bin.expected, 3),
            fixed(bin.score, 3),
            f"{bin.bias:+.3f}".replace("-", "−"),
        ]
        for bin in found.calibration
    ]
    return table(["expected", "games", "mean", "score", "bias"], rows)


COUNTS = ("games", "rated", "changed", "first_ratings", "pool", "rejected")


@question(
    "bulk replay",
    needs=("games", "first", "last", "out"),
    **ABOUT_FILES,
    examples=(
        {"games": [GAMES], "players": LIST, "first": "2026-12", "last": "2026-12", "out": "new"},
        {"games": [LADDER], "system": "elo", "first": "2026-02", "last": "2026-09", "out": "ladder"},
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

    def run(self) -> Done:
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
            engine=cast("EngineName", self.engine),
            spark=self.spark,
        )
        finished = list(_with_bar(periods))
        value = {"periods": [{**period.summary, "before": period.before} for period in finished], "out": self.out}
        return Done(
            text=_periods_table(finished),
            value=value,
            below=[say("command.bulk.replayed", folder=self.out)],
            look=any(period.summary["rejected"] for period in finished),
        )


def _with_bar(periods: Iterable[Finished]) -> Iterable[Finished]:
    """The periods, with a progress bar on a terminal."""
    from tqdm import tqdm

    return tqdm(periods, unit=" lists", disable=None, leave=False)


def _periods_table(finished: Sequence[Finished]) -> str:
    """A line for each period."""
    before = str(say("command.bulk.finished_before"))
    rows = [
        [
            period.period,
            *(thousands(cast("int", period.summary[name])) for name in COUNTS),
            before if period.before else "",
        ]
        for period in finished
    ]
    return table(["list", *COUNTS, ""], rows)
