"""The view of a diary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.cli import show
from arpad.cli.show import Reply
from arpad.cli.views import view, who
from arpad.messages import figure, say
from arpad.systems.diary import Diary

if TYPE_CHECKING:
    from arpad.questions import Asked


@view.register(Diary)
def _(answer: Diary, asked: Asked) -> Reply:
    return Reply.to(answer, lambda _: _entries(answer), who=who(asked))


def _entries(diary: Diary) -> str:
    """A line for each list, or for each event in a system without lists."""
    rows = [
        [
            str(entry.day),
            ", ".join(event.name or str(event.on) for event in entry.events),
            "" if entry.k is None else figure(entry.k),
            figure(entry.change, signed=True),
            str(say("answers.unrated")) if entry.new_rating is None else figure(entry.new_rating),
        ]
        for entry in diary.entries
    ]
    return show.filled(["list", "event", "k", "change", "new_rating"], rows, left=["list", "event"])
