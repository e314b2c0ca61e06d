"""Views of what games do to a rating: the games with their opponents' names, systems side by side, pasted games."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import wrap
from typing import TYPE_CHECKING

from arpad.calculation.explain import WIDTH
from arpad.cli.reply import AnswerReply, shows
from arpad.cli.show import Style, declared, each_line, facts, game_table, games, in_lines, lines_of
from arpad.messages import say
from arpad.questions.paste import PasteReading
from arpad.questions.time_control import TimeControl
from arpad.systems.answers import Expectation, FirstRating, RatingChange
from arpad.systems.comparison import Comparison
from arpad.systems.performance import Performance
from arpad.systems.uschess import SectionRating

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from arpad.calculation.answer import Figure
    from arpad.messages import Message
    from arpad.reading.pasted import LeftOutLine


@shows(RatingChange)
class RatingView(AnswerReply[RatingChange]):
    """The games, grouped by event if there are several; then what plain Elo would give, if asked for."""

    def paragraphs(self) -> Iterable[str]:
        events = self.answer.events
        names = self.opponent_names([len(event.per_game) for event in events])
        if len(events) < 2 and self.answer.per_game:
            yield games(self.answer.per_game, names[0] if names else ())
        elif self.answer.per_game:
            for event, known in zip(events, names, strict=True):
                title = " ".join(filter(None, (event.name, f"({event.on})" if event.on else None)))
                about = {"title": title or say("answers.an_event"), "rating": event.rating, "change": event.change}
                yield f"{say('answers.event', **about)}\n{games(event.per_game, known)}"
        plain = self.answer.plain_elo
        if plain is not None:
            figures = {"expected": plain.expected, "change": plain.change, "new_rating": plain.new_rating}
            yield "\n".join(in_lines(say("answers.plain_elo", **figures)))


@shows(FirstRating, Performance)
class GamesView(AnswerReply["FirstRating | Performance"]):
    """All games in one table."""

    def paragraphs(self) -> Iterable[str]:
        counts = [len(event.game) for event in getattr(self.asked and self.asked.question, "event", ())]
        loose = len(self.answer.per_game) - sum(counts)
        known = self.opponent_names([*([loose] if loose else []), *counts])
        yield games(self.answer.per_game, [name for event in known for name in event])


@shows(Expectation)
class ExpectationView(AnswerReply[Expectation]):
    """Both players may have been looked up."""

    def people(self) -> Sequence[Figure]:
        return self.named("rating", "opponent")


@shows(Comparison)
class ComparisonView(AnswerReply[Comparison]):
    """A row for each system that rates the games, then the reasons of every system."""

    def summary(self, style: Style) -> str:
        about: dict[str, list[str]] = {}
        for line in self.answer.systems:
            reason = "; ".join(map(str, line.reasons)) if line.rated else str(line.why)
            about.setdefault(reason, []).append(line.system)
        reasons = [
            row
            for reason, names in about.items()
            for row in wrap(f"{', '.join(names)}: {reason}", WIDTH, subsequent_indent="  ", break_on_hyphens=False)
        ]
        who = facts(self.people(), style)
        tables = [f"{declared(table)}\n" for table in self.answer.tables()]
        return "\n".join([*([who] if who else []), *tables, *reasons])

    def remarks(self) -> Iterable[Message]:
        return self.answer.notes


@shows(SectionRating)
class SectionView(AnswerReply[SectionRating]):
    """The table of the players alone."""

    def figures(self) -> Sequence[Figure]:
        return ()


@shows(TimeControl)
class TimeControlView(AnswerReply[TimeControl]):
    """A time control that may not be understood."""

    def remarks(self) -> Iterable[Message]:
        yield say("reading.by_the_rules", on=self.answer.on)

    def needs_a_look(self) -> bool:
        return self.answer.pace_class == "unclear"


@shows(PasteReading)
class PasteView(AnswerReply[PasteReading]):
    """The games of a pasted text; below them what was left out: each reason once, or in the working line by line."""

    def paragraphs(self) -> Iterable[str]:
        if self.answer.games:
            yield game_table(self.answer.games)

    def remarks(self) -> Iterable[Message]:
        yield from self.answer.notes
        if self.answer.players:
            yield say("reading.players", names="; ".join(self.answer.players))
        found: dict[str, list[int]] = {}
        for line in self.answer.left_out:
            found.setdefault(str(line.why), []).append(line.line)
        for why, lines in found.items():
            yield say(f"reading.left_lines.{'one' if len(lines) == 1 else 'several'}", lines=lines, why=why)

    def answer_working(self) -> str:
        return "\n".join(lines_of((*self.answer.notes, *each_line(self.answer.left_out))))

    def needs_a_look(self) -> bool:
        return bool(self._doubtful() or self.answer.players)

    def on_standard_error(self, output: Collection[str]) -> Sequence[Message]:
        return [*each_line(self._doubtful()), *super().on_standard_error(output)]

    def _doubtful(self) -> list[LeftOutLine]:
        return [line for line in self.answer.left_out if line.doubtful]
