"""View of the round to come: who plays whom, and what a win, a draw and a loss would do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.cli import show
from arpad.cli.show import Reply, in_lines
from arpad.cli.views import tournaments, view
from arpad.messages import figure
from arpad.tournaments.next_round import NextRound, norm_words

if TYPE_CHECKING:
    from arpad.questions import Asked
    from arpad.tournaments.next_round import AfterResult, PairedPlayer

FILES = tournaments  # whose answers to files are registered there
ROUND = ("no", "name", "points", "versus", "win", "draw", "loss", "if_won", "if_drawn", "if_lost")
ONE = ("result", "points", "places", "change", "new")


@view.register(NextRound)
def _(answer: NextRound, asked: Asked) -> Reply:  # noqa: ARG001
    return Reply.to(answer, lambda _: _one(answer.players[0]) if answer.player is not None else round_table(answer))


def round_table(answer: NextRound) -> str:
    """A line a player: the change of the event after a win, a draw and a loss, then the places; norms below."""
    rows = [
        [
            str(one.no),
            one.called,
            figure(one.points),
            one.versus,
            *(_change(after) for after in one.results),
            *(after.places for after in one.results),
        ]
        for one in answer.players
    ]
    lines = [show.filled(ROUND, rows, left=("name",))]
    norms = [
        row for one in answer.players for said in norm_words(one) for row in in_lines(f"{one.no} {one.called}, {said}")
    ]
    return "\n\n".join(filter(None, [*lines, "\n".join(norms)]))


def _one(player: PairedPlayer) -> str:
    """What each result would do to one player."""
    rows = [
        [
            one.result,
            figure(one.points),
            one.places,
            _signed(one.change),
            "" if one.new_rating is None else figure(one.new_rating),
        ]
        for one in player.results
    ]
    opponent = "" if player.met is None else player.met.called
    title = " ".join(filter(None, (f"{player.no} {player.called}", "–", player.versus, opponent)))
    return "\n".join([title, show.filled(ONE, rows, left=("result",), yields=""), *map(str, norm_words(player))])


def _change(after: AfterResult) -> str:
    """The change over the event, or an unrated player's first rating."""
    if after.change is not None:
        return _signed(after.change)
    return "" if after.new_rating is None else figure(after.new_rating)


def _signed(value: object) -> str:
    return "" if value is None else figure(value, signed=True)
