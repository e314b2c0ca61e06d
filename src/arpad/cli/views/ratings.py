"""Views of what games do to a rating: the games with their opponents' names, and systems side by side."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import wrap
from typing import TYPE_CHECKING

from arpad.calculation.explain import WIDTH
from arpad.cli.reply import AnswerReply, shows
from arpad.cli.show import Style, declared, facts, games, in_lines
from arpad.messages import apart, say
from arpad.systems.answers import Expectation, FirstRating, RatingChange, assumed_note
from arpad.systems.comparison import Comparison
from arpad.systems.performance import Performance

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arpad.calculation.answer import Figure
    from arpad.messages import Message


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
        other = self.answer.other_side
        if other is not None:
            about = {"rating": other.rating, "change": other.change, "new_rating": other.new_rating}
            yield "\n".join(in_lines(say("answers.other_side", **about, how=_assumed_of(other))))


def _assumed_of(other: RatingChange | Expectation) -> Message:
    """What was assumed about the opponent; K if nothing was."""
    assumed = assumed_note(other) is not None
    k = other.k_used if isinstance(other, RatingChange) else other.k
    if k is not None:
        return say("answers.other_side.k.assumed" if assumed else "answers.other_side.k", k=k)
    return say("answers.other_side.assumed" if assumed else "answers.other_side.known")


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
    """Both players may have been looked up; then the game as the opponent sees it, if asked for."""

    def people(self) -> Sequence[Figure]:
        return self.named("rating", "opponent")

    def paragraphs(self) -> Iterable[str]:
        yield from super().paragraphs()
        other = self.answer.other_side
        if other is not None:
            changes = {"win": other.loss, "draw": other.draw, "loss": other.win}
            yield "\n".join(in_lines(say("answers.other_side.ahead", **changes, how=_assumed_of(other))))


@shows(Comparison)
class ComparisonView(AnswerReply[Comparison]):
    """A row for each system that rates the games, then the reasons of every system."""

    def summary(self, style: Style) -> str:
        about: dict[str, list[str]] = {}
        for line in self.answer.systems:
            reason = apart(line.reasons) if line.rated else str(line.why)
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
