"""How each kind of answer looks at the command: its figures, the tables below them, and who was looked up."""

from __future__ import annotations

from functools import singledispatch
from itertools import islice
from typing import TYPE_CHECKING, Any

from arpad.calculation.answer import Answer, Figure
from arpad.calculation.explain import wrapped
from arpad.calculation.serialise import to_json
from arpad.cli import show
from arpad.messages import figure, say
from arpad.systems.expectation import Expectation
from arpad.systems.first_rating import FirstRating
from arpad.systems.performance import Performance
from arpad.systems.rating_change import RatingChange

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arpad.questions import Asked, People


def reply_to(asked: Asked) -> show.Reply:
    """The reply to a question, or of a command that is none."""
    run = getattr(asked.question, "run", None)
    if run is not None:
        reply: show.Reply = run()
        return reply
    answer = asked.question.answer()
    reply = _looked_at(asked.question, answer) or show.Reply.to(
        answer, *_blocks(answer, asked.people), who=_who(asked.people)
    )
    return _with_people(reply, asked.people)


def _looked_at(question: Any, answer: Answer) -> show.Reply | None:
    """The reply of answers that have a view of their own."""
    from arpad.cli import more_views

    return more_views.view_of(question, answer)


def _blocks(answer: Answer, people: People) -> Sequence[Any]:
    names = [None if one is None else one.name for one in _opponents(people)]
    return [lambda _, text=text: text for text in blocks(answer, names) if text]


def _opponents(people: People) -> list[Any]:
    return [one for at, one in people.named.items() if at != "rating"]


def _who(people: People) -> list[Figure]:
    """Who the question is about, as a line of the summary."""
    me = people.named.get("rating")
    return [] if me is None else [Figure("player", me.name, say("answers.as_said", text=me.about))]


@singledispatch
def blocks(answer: Answer, names: Sequence[str | None]) -> list[str]:  # noqa: ARG001  # most have none
    """What is below the figures of an answer."""
    return []


@blocks.register(RatingChange)
def _(answer: RatingChange, names: Sequence[str | None]) -> list[str]:
    plain = answer.plain_elo
    formula = [] if plain is None else wrapped(str(say("answers.plain_elo", **_plain(plain))))
    return [_games(answer, names), "\n".join(formula)]


def _plain(change: RatingChange) -> dict[str, Any]:
    return {"expected": change.expected, "change": change.change, "new_rating": change.new_rating}


@blocks.register(FirstRating)
@blocks.register(Performance)
def _(answer: FirstRating | Performance, names: Sequence[str | None]) -> list[str]:
    return [show.games(answer.per_game, names)]


@blocks.register(Expectation)
def _(answer: Expectation, names: Sequence[str | None]) -> list[str]:  # noqa: ARG001  # an opponent is in the figures
    if answer.expected is None:
        return []
    rows = []
    for result in ("win", "draw", "loss"):
        chance = getattr(answer.chances, result)
        rows.append([result, figure(getattr(answer, result), signed=True), "" if chance is None else f"{chance:.0%}"])
    table = show.filled(["result", "change", "chance"], rows, left=["result"])
    model = [] if answer.chances.win is None else wrapped(str(say("answers.chances", model=answer.chances.model)))
    return ["\n".join([table, *model])]


def _games(change: RatingChange, names: Sequence[str | None]) -> str:
    """The games, under the event they belong to where there are several."""
    if not change.per_game:
        return ""
    if len(change.events) < 2:
        return show.games(change.per_game, names)
    parts, left = [], iter(names)
    for event in change.events:
        title = say(
            "answers.event",
            title=" ".join(filter(None, (event.name, f"({event.on})" if event.on else None)))
            or say("answers.an_event"),
            rating=event.rating,
            change=event.change,
        )
        parts.append(f"{title}\n{show.games(event.per_game, list(islice(left, len(event.per_game))))}")
    return "\n\n".join(parts)


def _with_people(reply: show.Reply, people: People) -> show.Reply:
    """A reply that says which lists were used and who was found."""
    notes = list(people.notes)
    if not notes:
        return reply

    def with_notes() -> dict[str, Any]:
        whole = reply.json()
        whole["notes"] = [*whole.get("notes", []), *map(str, notes)]
        whole["people"] = to_json(people.found)
        return whole

    return reply._replace(
        json=with_notes,
        footer=lambda: [*reply.footer(), *(row for note in notes for row in wrapped(str(note)))],
    )
