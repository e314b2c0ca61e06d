"""The view of one game before it is played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.cli import show
from arpad.cli.show import Reply, in_lines
from arpad.cli.views import view, who
from arpad.messages import figure, say
from arpad.systems.answers import Expectation

if TYPE_CHECKING:
    from arpad.questions import Asked


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
    model = [] if answer.chances.win is None else in_lines(answer.chances.says)
    return "\n".join([show.filled(["result", "change", "chance"], rows, left=["result"]), *model])
