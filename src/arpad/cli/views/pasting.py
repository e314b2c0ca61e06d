"""The view of a pasted text: its games, and what was left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.cli.readings import each_line, game_table
from arpad.cli.show import Reply, in_lines
from arpad.cli.views import view
from arpad.messages import say
from arpad.questions.paste import PasteReading

if TYPE_CHECKING:
    from collections.abc import Iterable

    from arpad.messages import Message
    from arpad.questions import Asked
    from arpad.reading.pasted import LeftOutLine


@view.register(PasteReading)
def _(answer: PasteReading, asked: Asked) -> Reply:  # noqa: ARG001  # nobody is looked up
    reply = Reply.to(answer, *([lambda _: game_table(answer.games)] if answer.games else []))
    doubtful = [line for line in answer.left_out if line.doubtful]
    names = [say("reading.players", names="; ".join(answer.players))] if answer.players else []
    return reply._replace(
        footer=lambda: [row for said in (*answer.notes, *names, *_grouped(answer.left_out)) for row in in_lines(said)],
        working=lambda: "\n".join(
            row for said in (*answer.notes, *each_line(answer.left_out)) for row in in_lines(said)
        ),
        warnings=list(each_line(doubtful)),
        look=bool(doubtful or answer.players),
    )


def _grouped(left_out: Iterable[LeftOutLine]) -> Iterable[Message]:
    """Each reason once, after the lines it is about."""
    found: dict[str, list[int]] = {}
    for line in left_out:
        found.setdefault(str(line.why), []).append(line.line)
    for why, lines in found.items():
        yield say(f"reading.left_lines.{'one' if len(lines) == 1 else 'several'}", lines=lines, why=why)
