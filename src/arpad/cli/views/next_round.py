"""The view of the next round: who plays whom, and what a win, a draw and a loss would do."""

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

FILES = tournaments  # imported because it registers how files are read
ROUND = ("no", "name", "points", "versus", "win", "draw", "loss", "if_won", "if_drawn", "if_lost")
ONE_PLAYER = ("result", "points", "places", "change", "new")


@view.register(NextRound)
def _(answer: NextRound, asked: Asked) -> Reply:  # noqa: ARG001
    return Reply.to(
        answer, lambda _: _one_player(answer.players[0]) if answer.player is not None else round_table(answer)
    )


def round_table(answer: NextRound) -> str:
    """A line per player: the event's rating change after a win, a draw and a loss, then the places; norms below."""
    rows = [
        [
            str(player.no),
            player.called,
            figure(player.points),
            player.versus,
            *(_change(after) for after in player.results),
            *(after.places for after in player.results),
        ]
        for player in answer.players
    ]
    lines = [show.filled(ROUND, rows, left=("name",))]
    norms = [
        row
        for player in answer.players
        for said in norm_words(player)
        for row in in_lines(f"{player.no} {player.called}, {said}")
    ]
    return "\n\n".join(filter(None, [*lines, "\n".join(norms)]))


def _one_player(player: PairedPlayer) -> str:
    """What each result would do to one player."""
    rows = [
        [
            after.result,
            figure(after.points),
            after.places,
            _signed(after.change),
            "" if after.new_rating is None else figure(after.new_rating),
        ]
        for after in player.results
    ]
    opponent = "" if player.met is None else player.met.called
    title = " ".join(filter(None, (f"{player.no} {player.called}", "–", player.versus, opponent)))
    return "\n".join([title, show.filled(ONE_PLAYER, rows, left=("result",), yields=""), *map(str, norm_words(player))])


def _change(after: AfterResult) -> str:
    """The change over the event, or an unrated player's first rating."""
    if after.change is not None:
        return _signed(after.change)
    return "" if after.new_rating is None else figure(after.new_rating)


def _signed(value: object) -> str:
    return "" if value is None else figure(value, signed=True)
