"""The view of what games do to a rating."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.cli import show
from arpad.cli.show import Reply, in_lines
from arpad.cli.views import opponent_names, view, who
from arpad.messages import say
from arpad.systems.answers import RatingChange

if TYPE_CHECKING:
    from arpad.questions import Asked


@view.register(RatingChange)
def _(answer: RatingChange, asked: Asked) -> Reply:
    below = [lambda _: _events(answer, asked)] if answer.per_game else []
    plain = answer.plain_elo
    if plain is not None:
        figures = {"expected": plain.expected, "change": plain.change, "new_rating": plain.new_rating}
        below.append(lambda _: "\n".join(in_lines(say("answers.plain_elo", **figures))))
    return Reply.to(answer, *below, who=who(asked))


def _events(change: RatingChange, asked: Asked) -> str:
    """The games, grouped by event if there are several."""
    names = opponent_names(asked, [len(event.per_game) for event in change.events])
    if len(change.events) < 2:
        return show.games(change.per_game, names[0] if names else ())
    parts = []
    for event, known in zip(change.events, names, strict=True):
        title = " ".join(filter(None, (event.name, f"({event.on})" if event.on else None)))
        heading = say("answers.event", title=title or say("answers.an_event"), rating=event.rating, change=event.change)
        parts.append(f"{heading}\n{show.games(event.per_game, known)}")
    return "\n\n".join(parts)
