"""The view of a rated US Chess section."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.cli import show
from arpad.cli.show import Reply
from arpad.cli.views import view
from arpad.messages import figure, say
from arpad.systems.uschess import SectionRating

if TYPE_CHECKING:
    from arpad.core import Rating
    from arpad.questions import Asked

HEAD = ("id", "name", "before", "n", "formula", "k", "score", "exp", "bonus", "pass_1", "pass_2", "new")


@view.register(SectionRating)
def _(answer: SectionRating, asked: Asked) -> Reply:  # noqa: ARG001  # nobody is looked up
    return Reply.to(answer)._replace(summary=lambda _: _players(answer))


def _players(rated: SectionRating) -> str:
    """A line per player, and below the table where a floor or a limit applied."""
    unrated = str(say("answers.unrated"))
    rows = [
        [
            player.id,
            player.name or "",
            unrated if player.rating is None else figure(player.rating),
            figure(player.games),
            player.formula,
            *map(
                _two_decimals,
                (player.k, player.score, player.expected, player.bonus, player.first_pass, player.second_pass),
            ),
            unrated if player.new_rating is None else figure(player.new_rating),
        ]
        for player in rated.players
    ]
    reasons = [
        row
        for player in rated.players
        if player.why
        for row in show.in_lines(say("command.section.why", id=player.id, why=player.why))
    ]
    return "\n".join([show.filled(HEAD, rows, left=["id", "name", "formula"]), *reasons])


def _two_decimals(value: Rating | None) -> str:
    """Two decimals, as US Chess shows them."""
    return "" if value is None else f"{value:.2f}".removesuffix(".00")
