"""Views of first ratings and performances: the figures, and the games behind them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.cli import show
from arpad.cli.show import Reply
from arpad.cli.views import opponent_names, view
from arpad.systems.answers import FirstRating
from arpad.systems.performance import Performance

if TYPE_CHECKING:
    from arpad.questions import Asked


@view.register(FirstRating)
@view.register(Performance)
def _(answer: FirstRating | Performance, asked: Asked) -> Reply:
    counts = [len(event.game) for event in getattr(asked.question, "event", ())]
    loose = len(answer.per_game) - sum(counts)
    known = opponent_names(asked, [*([loose] if loose else []), *counts])
    names = [name for event in known for name in event]
    return Reply.to(answer, lambda _: show.games(answer.per_game, names))
