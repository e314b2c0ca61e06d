"""Views of what games do to a rating: changes, expectations, first ratings, performances, systems side by side."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from arpad.calculation.explain import WIDTH, footer
from arpad.calculation.serialise import success
from arpad.cli import show
from arpad.cli.show import Reply, told
from arpad.cli.views import opponent_names, view, who
from arpad.messages import figure, say
from arpad.systems.comparison import Comparison
from arpad.systems.expectation import Expectation
from arpad.systems.first_rating import FirstRating
from arpad.systems.performance import Performance
from arpad.systems.rating_change import RatingChange

if TYPE_CHECKING:
    from arpad.core import Rating
    from arpad.questions import Asked


@view.register(RatingChange)
def _(answer: RatingChange, asked: Asked) -> Reply:
    below = [lambda _: _events(answer, asked)] if answer.per_game else []
    plain = answer.plain_elo
    if plain is not None:
        figures = {"expected": plain.expected, "change": plain.change, "new_rating": plain.new_rating}
        below.append(lambda _: "\n".join(told(say("answers.plain_elo", **figures))))
    return Reply.to(answer, *below, who=who(asked))


def _events(change: RatingChange, asked: Asked) -> str:
    """The games, under the event they belong to where there are several."""
    names = opponent_names(asked, [len(event.per_game) for event in change.events])
    if len(change.events) < 2:
        return show.games(change.per_game, names[0] if names else ())
    parts = []
    for event, known in zip(change.events, names, strict=True):
        title = " ".join(filter(None, (event.name, f"({event.on})" if event.on else None)))
        heading = say("answers.event", title=title or say("answers.an_event"), rating=event.rating, change=event.change)
        parts.append(f"{heading}\n{show.games(event.per_game, known)}")
    return "\n\n".join(parts)


@view.register(FirstRating)
@view.register(Performance)
def _(answer: FirstRating | Performance, asked: Asked) -> Reply:
    counts = [len(event.game) for event in getattr(asked.question, "event", ())]
    loose = len(answer.per_game) - sum(counts)
    known = opponent_names(asked, [*([loose] if loose else []), *counts])
    names = [name for event in known for name in event]
    return Reply.to(answer, lambda _: show.games(answer.per_game, names))


@view.register(Expectation)
def _(answer: Expectation, asked: Asked) -> Reply:
    below = [] if answer.expected is None else [lambda _: _results(answer)]
    return Reply.to(answer, *below, who=who(asked, "opponent"))


def _results(answer: Expectation) -> str:
    """A line for each result."""
    rows = []
    for result in ("win", "draw", "loss"):
        chance = getattr(answer.chances, result)
        share = "" if chance is None else str(say("command.percent", percent=f"{100 * chance:.0f}"))
        rows.append([result, figure(getattr(answer, result), signed=True), share])
    model = [] if answer.chances.win is None else told(answer.chances.says)
    return "\n".join([show.filled(["result", "change", "chance"], rows, left=["result"]), *model])


@view.register(Comparison)
def _(answer: Comparison, asked: Asked) -> Reply:
    def summary(style: show.Style) -> str:
        named = who(asked)
        return "\n".join([*([show.facts(named, style)] if named else []), _side_by_side(answer)])

    return Reply(summary, lambda: success(answer), lambda: footer(answer)[1:], answer.explain)


def _side_by_side(answer: Comparison) -> str:
    """A row for each system that has an answer, then a reason for every one."""
    rows = [
        [
            line.system,
            "" if line.expected is None else figure(line.expected),
            "" if line.k_used is None else figure(line.k_used),
            figure(line.change, signed=True),
            _rating(line.new_rating),
        ]
        for line in answer.systems
        if line.rated
    ]
    head = ["system", "expected", "k", "change", "new_rating"]
    table = [show.table(head, rows, left=["system"]), ""] if rows else []
    about: dict[str, list[str]] = {}
    for line in answer.systems:
        about.setdefault("; ".join(map(str, line.reasons)) if line.rated else str(line.why), []).append(line.system)
    reasons = [
        row
        for reason, names in about.items()
        for row in wrap(f"{', '.join(names)}: {reason}", WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    ]
    return "\n".join([*table, *reasons])


def _rating(rating: Rating | None) -> str:
    return str(say("answers.unrated")) if rating is None else figure(rating)
