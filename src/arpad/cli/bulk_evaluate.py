"""`arpad bulk evaluate`: how well systems predict games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from arpad.bulk import NothingToRate, check_paths, evaluate, write
from arpad.cli.bulk import ABOUT_FILES, MOST_FILES, ColumnNames, Engine, Rejected, settings_of
from arpad.cli.files import ChartFile, check_chart, write_chart
from arpad.cli.show import Reply, in_lines, table
from arpad.core import Rating
from arpad.errors import BadInput
from arpad.messages import say
from arpad.questions import readers
from arpad.questions.declare import defaulting, optional, question, several
from arpad.questions.fields import LONGEST_PATH
from arpad.systems.chances import draw_model

if TYPE_CHECKING:
    import pyarrow as pa

    from arpad.bulk import Evaluation
    from arpad.systems.chances import DrawModel


@question(
    "bulk evaluate",
    needs=("games",),
    **ABOUT_FILES,
    examples=(
        {"games": ["docs/examples/ladder.csv"], "system": "elo", "set": ["k=32"]},
        {"games": ["games.csv"], "system": "glicko-2", "first": "2026-01", "last": "2026-11"},
        {"games": ["games.csv"], "set": ["k=20"], "first": 96, "last": 100, "chart": "out.svg"},
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

    def run(self) -> Reply:
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
        reply = Reply.to(found, lambda _: _table(found), lambda _: _bands(found))
        return reply._replace(
            footer=lambda: [*reply.footer(), *(row for message in messages for row in in_lines(message))],
            look=bool(found.rejected),
        )

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
                engine=self.engine,
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
        return draw_model(self.draws or "davidson", draw_rate=self.draw_rate)

    def _write(self, rejected: pa.Table | None) -> None:
        if self.rejected is not None and rejected is not None:
            write({self.rejected: rejected}, force=self.force)


def _draw(found: Evaluation, file: str) -> None:
    from arpad.charts.populations import evaluation_chart

    evaluation_chart(found).save(file)


def _bands(found: Evaluation) -> str:
    """Favourites' expected and actual scores by rating difference; with a model of chances, draws as well."""
    head = ["favourite", "games", "mean", "score", "bias", *(["model_draws", "drawn"] if found.draws else [])]
    rows = [
        [
            band.name,
            f"{band.games:,}",
            f"{band.expected:.3f}",
            f"{band.score:.3f}",
            f"{band.bias:+.3f}".replace("-", "−"),
            *([f"{band.draws:.3f}", f"{band.drawn:.3f}"] if band.draws is not None else []),
        ]
        for band in found.bands
    ]
    return table(head, rows)


def _table(found: Evaluation) -> str:
    """Expected and actual scores, by range of expected score."""
    rows = [
        [
            str(say("bulk.range", low=f"{bin.low:.1f}", high=f"{bin.high:.1f}")),
            f"{bin.games:,}",
            f"{bin.expected:.3f}",
            f"{bin.score:.3f}",
            f"{bin.bias:+.3f}".replace("-", "−"),
        ]
        for bin in found.calibration
    ]
    return table(["expected", "games", "mean", "score", "bias"], rows)
