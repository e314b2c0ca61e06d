"""The view of a time control."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.cli.show import Reply, in_lines
from arpad.cli.views import view
from arpad.messages import say
from arpad.questions.time_control import TimeControl

if TYPE_CHECKING:
    from arpad.questions import Asked


@view.register(TimeControl)
def _(answer: TimeControl, asked: Asked) -> Reply:  # noqa: ARG001  # nobody is looked up
    by_the_rules = say("reading.by_the_rules", on=answer.on)
    return Reply.to(answer)._replace(footer=lambda: in_lines(by_the_rules), look=answer.pace_class == "unclear")
