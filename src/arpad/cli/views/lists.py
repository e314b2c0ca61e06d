"""Views of rating lists: the players that were found, and one player."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.cli.show import Reply, filled, in_lines, table
from arpad.cli.views import view
from arpad.lists.answers import PlayerPage, PlayersFound
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from arpad.messages import Message
    from arpad.questions import Asked

PACES = ("standard", "rapid", "blitz")


@view.register(PlayersFound)
def _(answer: PlayersFound, asked: Asked) -> Reply:  # noqa: ARG001  # nobody else is looked up
    reply = Reply.to(answer)
    return reply._replace(
        summary=lambda _: _found(answer), footer=lambda: [row for note in _notes(answer) for row in in_lines(note)]
    )


def _notes(answer: PlayersFound) -> Iterator[Message]:
    """How to see more of the players found, and which list was searched."""
    from arpad.lists import MOST

    shown, total = len(answer.players), answer.total
    if total > shown:
        key = "narrow" if shown >= MOST else "show_all" if total <= MOST else "show_more"
        yield say(f"command.lists.{key}", shown=shown, total=f"{total:,}", most=min(total, MOST))
    yield say("command.lists.source", list=answer.list)


def _found(answer: PlayersFound) -> str:
    if not answer.players:
        return "\n".join(in_lines(say("command.lists.nobody", advice=" ".join(map(str, answer.notes)))))
    rows = [
        [
            str(player.id),
            player.name or "",
            player.federation or "",
            str(player.born or ""),
            player.title or player.w_title or "",
            *(str(player.ratings[pace].rating or "") if pace in player.ratings else "" for pace in PACES),
            str(say("command.lists.inactive")) if "i" in (player.flag or "") else "",
        ]
        for player in answer.players
    ]
    head = ("id", "name", "fed", "born", "title", *PACES, "")
    return filled(head, rows, left=["name", "fed", "title", ""])


@view.register(PlayerPage)
def _(answer: PlayerPage, asked: Asked) -> Reply:  # noqa: ARG001  # the player is the answer
    several_months = len({line.list for line in answer.history}) > 1
    reply = Reply.to(answer, *([lambda _: _history(answer)] if several_months else []))
    return reply._replace(footer=lambda: [row for note in answer.notes for row in in_lines(note)])


def _history(answer: PlayerPage) -> str:
    rows = [
        [
            line.list,
            line.pace,
            str(line.rating or say("answers.unrated")),
            str(line.k or ""),
            "" if line.games is None else str(line.games),
        ]
        for line in answer.history
    ]
    return table(["list", "pace", "rating", "k", "games"], rows, left=["list", "pace"])
