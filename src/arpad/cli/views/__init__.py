"""How each kind of answer looks at the command: its figures, tables, and who was looked up."""

from __future__ import annotations

from functools import singledispatch
from importlib import import_module
from typing import TYPE_CHECKING, Any

from arpad.calculation.answer import Answer, Figure
from arpad.calculation.serialise import to_json
from arpad.cli.show import Reply, each_line, in_lines, reading_text
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arpad.messages import Message
    from arpad.questions import Asked
    from arpad.questions.declare import Question
    from arpad.reading.pasted import Paste

# The module with the views of a question's answers, imported only when needed.
HOMES = {
    "need": "forecasts",
    "outlook": "forecasts",
    "event": "tournaments",
    "norms": "tournaments",
    "next": "tournaments",
    "certificate": "tournaments",
    "ties": "tournaments",
    "standings": "tournaments",
    "check": "tournaments",
    "list find": "rules",
    "list show": "rules",
    "rules": "rules",
    "systems": "rules",
}


def reply_to(asked: Asked) -> Reply:
    """The reply to a question or another command."""
    run = getattr(asked.question, "run", None)
    if run is not None:
        reply: Reply = run()
        return reply
    _import_views(asked.question)
    return _with_people(answered(asked.question, asked), asked)


def reply_with(answer: Answer, asked: Asked) -> Reply:
    """The reply to a question that has already been answered."""
    _import_views(asked.question)
    return _with_people(view(answer, asked), asked)


def _import_views(question: Question) -> None:
    import_module(f"{__name__}.{HOMES.get(question.spec.name, 'ratings')}")


@singledispatch
def answered(question: Any, asked: Asked) -> Reply:
    """Answer a question; those that also read or write files register their own function."""
    return view(question.answer(), asked)


@singledispatch
def view(answer: Answer, asked: Asked) -> Reply:
    """The view of an answer: its figures, unless another view is registered for its type."""
    return Reply.to(answer, who=who(asked))


def who(asked: Asked, *places: str) -> list[Figure]:
    """The player the question is about, and others named at `places`, as lines of the summary."""
    found = {"player": asked.people.named.get("rating")}
    found |= {place: asked.people.named.get(place) for place in places}
    return [
        Figure(key, resolved.name, say("answers.as_said", text=resolved.about))
        for key, resolved in found.items()
        if resolved is not None
    ]


def opponent_names(asked: Asked, counts: Sequence[int]) -> list[list[str | None]]:
    """The names of the opponents, event by event; `counts` has the games of each. None if only a rating is known."""
    loose = bool(getattr(asked.question, "game", ()))  # games outside any event form the first event
    named = asked.people.named
    names = []
    for number, count in enumerate(counts):
        path = "game" if loose and number == 0 else f"event[{number - loose}].game"
        found = [named.get(f"{path}[{no}]") for no in range(count)]
        names.append([None if resolved is None else resolved.name for resolved in found])
    return names


def opponents_note(asked: Asked) -> list[Message]:
    """A note that names the opponents, for views without a table of games."""
    names = [resolved.shown for at, resolved in asked.people.named.items() if at != "rating"]
    return [say(f"command.people.opponent{'s' * (len(names) > 1)}", names="; ".join(names))] if names else []


def with_notes(reply: Reply, notes: Sequence[Message]) -> Reply:
    """A reply with more notes."""
    if not notes:
        return reply

    def json() -> dict[str, Any]:
        whole = reply.json()
        return {**whole, "notes": [*whole.get("notes", []), *map(str, notes)]}

    return reply._replace(
        json=json, footer=lambda: [*reply.footer(), *(row for note in notes for row in in_lines(note))]
    )


def _with_people(reply: Reply, asked: Asked) -> Reply:
    """A reply with the notes on lists and people, and with how pasted games were read."""
    noted = with_notes(reply, asked.notes)
    with_people = noted._replace(json=lambda: {**noted.json(), "people": to_json(asked.people.found)})
    reading = asked.reading
    return with_people if reading is None else _with_reading(with_people, reading)


def _with_reading(reply: Reply, reading: Paste) -> Reply:
    """A reply that says how pasted or typed games were read: in JSON, in the working, and as warnings."""

    def working() -> str:
        parts = [reading_text(reading), "" if reply.working is None else reply.working()]
        return "\n\n".join(filter(None, parts))

    return reply._replace(
        json=lambda: {**reply.json(), "reading": to_json(reading)},
        working=working,
        warnings=[*reply.warnings, *each_line(reading.doubtful)],
        unrated=reading.unrated,
        look=reply.look or bool(reading.doubtful or reading.players),
    )
