"""The view of several systems side by side."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from arpad.calculation.explain import WIDTH, footer
from arpad.calculation.serialise import success
from arpad.cli import show
from arpad.cli.show import Reply
from arpad.cli.views import view, who
from arpad.messages import figure, say
from arpad.systems.comparison import Comparison

if TYPE_CHECKING:
    from arpad.core import Rating
    from arpad.questions import Asked


@view.register(Comparison)
def _(answer: Comparison, asked: Asked) -> Reply:
    def summary(style: show.Style) -> str:
        named = who(asked)
        return "\n".join([*([show.facts(named, style)] if named else []), _side_by_side(answer)])

    return Reply(summary, lambda: success(answer), lambda: footer(answer)[1:], answer.explain)


def _side_by_side(answer: Comparison) -> str:
    """A row for each system that rates the games, then the reasons of every system."""
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
