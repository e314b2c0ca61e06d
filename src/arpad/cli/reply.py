"""What a command gives back, and how it is printed: as text, with the working, or as JSON."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import singledispatch
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from arpad.calculation.answer import Answer, Figure
from arpad.calculation.explain import wrapped
from arpad.calculation.serialise import listing, success, to_json
from arpad.cli.show import (
    ASCII,
    Style,
    declared,
    each_line,
    facts,
    in_lines,
    json_text,
    lines_of,
    printable,
    reading_text,
)
from arpad.messages import say

if TYPE_CHECKING:
    from arpad.messages import Message
    from arpad.questions import Asked
    from arpad.questions.declare import Question
    from arpad.rulebooks import Rule

A = TypeVar("A", bound=Answer)

# The module with the views of a question's answers, imported only when needed.
HOMES = {
    "need": "forecasts",
    "outlook": "forecasts",
    "pupils": "forecasts",
    "event": "tournaments",
    "norms": "tournaments",
    "next": "tournaments",
    "certificate": "tournaments",
    "ties": "tournaments",
    "standings": "tournaments",
    "chances": "tournaments",
    "check": "tournaments",
    "entries": "entries",
    "section": "lookups",
    "pace": "lookups",
    "paste": "lookups",
    "list find": "lookups",
    "list show": "lookups",
    "rules": "lookups",
    "systems": "lookups",
}
VIEWS: dict[type[Answer], Callable[..., AnswerReply[Any]]] = {}


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What a command prints."""

    look: bool = False  # answered, but something needs a look: exit code 1
    data: bool = False  # the text is the content of a file, passed unchanged to other programs
    below: Sequence[Message | str] = ()  # what comes below the text
    warnings: Sequence[Message] = ()  # for standard error

    def summary(self, style: Style) -> str:
        """The text; its first paragraph is what `--brief` shows."""
        raise NotImplementedError

    def footer(self) -> Iterable[Message | str]:
        """What comes below the text, unless the working does."""
        return self.below

    def working(self) -> str:
        """The working for `--explain`; empty if there is none."""
        return ""

    def json(self) -> dict[str, Any]:
        """The JSON object."""
        raise NotImplementedError

    def needs_a_look(self) -> bool:
        """Whether something in the answer needs a look: exit code 1."""
        return self.look

    def on_standard_error(self, output: Collection[str]) -> Sequence[Message]:
        """The warnings, for these options of the output."""
        del output
        return self.warnings

    def shown(self, output: Collection[str], style: Style) -> str:
        """What to print, for these options of the output."""
        if "json" in output:
            return json_text(self.json())
        text = self.summary(style)
        if self.data and not style.terminal:
            return text
        if "brief" in output:
            text = text.partition("\n\n")[0]
        else:
            under = self.working() if "explain" in output else ""
            under = under or "\n".join(style("faint", row) for row in lines_of(self.footer()))
            text = f"{text}\n\n{under}" if under else text
        return printable(text.translate(ASCII) if style.plain else text, coloured=style.colour)


@dataclass(frozen=True, kw_only=True)
class Done(Reply):
    """The reply of a command that is not a question: its figures or its text, and the value for a program."""

    kind: str = ""  # the name of the command's class, in JSON
    figures: Sequence[Figure] = ()
    text: str = ""
    value: Mapping[str, Any] = field(default_factory=dict)
    notes: Sequence[Message] | None = None  # both below the text and in the JSON object; None if it never has any
    rules: Sequence[Rule[object]] = ()

    def summary(self, style: Style) -> str:
        return "\n\n".join(filter(None, [facts(self.figures, style), self.text]))

    def footer(self) -> Iterable[Message | str]:
        return (*(self.notes or ()), *self.below)

    def working(self) -> str:
        return "\n".join(row for rule in self.rules for row in wrapped(f"{rule.name}: {rule.says} [{rule.cite}]"))

    def json(self) -> dict[str, Any]:
        whole = listing(self.kind, self.rules, **self.value)
        return whole if self.notes is None else {**whole, "notes": [str(note) for note in self.notes]}


@dataclass(frozen=True, kw_only=True)
class AnswerReply(Reply, Generic[A]):
    """The reply to a question: its answer, and what the answer cannot know.

    That is who was looked up, how pasted games were read, and the file that was written in place of the tables.
    Answers that need more than their figures and tables have a view of their own in `cli.views`.
    """

    answer: A
    asked: Asked | None = None
    written: str | None = None

    def summary(self, style: Style) -> str:
        figures = facts(self.figures(), style, self.people())
        if self.written is not None:
            return f"{figures}\n\n" + "\n".join(in_lines(say("command.wrote", path=self.written)))
        return "\n\n".join(filter(None, [figures, *self.paragraphs()]))

    def figures(self) -> Sequence[Figure]:
        """The figures above everything else."""
        return self.answer.summary()

    def paragraphs(self) -> Iterable[str]:
        """What comes below the figures."""
        return map(declared, self.answer.tables())

    def people(self) -> Sequence[Figure]:
        """Who was looked up, as lines above the figures."""
        return self.named("rating")

    def named(self, *places: str) -> list[Figure]:
        """The people looked up at these places of the question, as lines above the figures."""
        found = {} if self.asked is None else self.asked.people.named
        return [
            Figure(
                "player" if place == "rating" else place,
                found[place].name,
                say("answers.as_said", text=found[place].about),
            )
            for place in places
            if place in found
        ]

    def opponent_names(self, counts: Sequence[int]) -> list[list[str | None]]:
        """The opponents' names, event by event; `counts` has the games of each. None if only a rating is known."""
        if self.asked is None:
            return [[None] * count for count in counts]
        loose = bool(getattr(self.asked.question, "game", ()))  # games outside any event form the first event
        names = []
        for number, count in enumerate(counts):
            path = "game" if loose and number == 0 else f"event[{number - loose}].game"
            found = [self.asked.people.named.get(f"{path}[{no}]") for no in range(count)]
            names.append([None if resolved is None else resolved.name for resolved in found])
        return names

    def remarks(self) -> Iterable[Message | str]:
        """The lines right below the answer: which rules were used, and its notes."""
        return (say("answers.by_the_rules", system=self.answer.system, on=self.answer.on), *self.answer.notes)

    def more_notes(self) -> Sequence[Message]:
        """Notes that the answer does not have, both below it and in the JSON object."""
        return ()

    def footer(self) -> Iterable[Message | str]:
        asked = () if self.asked is None else self.asked.notes
        return (*self.remarks(), *self.more_notes(), *self.below, *asked)

    def working(self) -> str:
        reading = None if self.asked is None else self.asked.reading
        parts = ["" if reading is None else reading_text(reading), self.answer_working()]
        return "\n\n".join(filter(None, parts))

    def answer_working(self) -> str:
        """The working of the answer; empty if it has none."""
        return self.answer.explain()

    def json(self) -> dict[str, Any]:
        whole = success(self.answer)
        if self.written is not None:
            whole["written"] = self.written
        if self.asked is None:
            return whole
        whole["notes"] += [str(note) for note in (*self.more_notes(), *self.asked.notes)]
        whole["people"] = to_json(self.asked.people.found)
        if self.asked.reading is not None:
            whole["reading"] = to_json(self.asked.reading)
        return whole

    def needs_a_look(self) -> bool:
        reading = None if self.asked is None else self.asked.reading
        return self.look or (reading is not None and bool(reading.doubtful or reading.players))

    def on_standard_error(self, output: Collection[str]) -> Sequence[Message]:
        """The warnings, what was read with doubt, and the games that are not rated if no footer says so."""
        reading = None if self.asked is None else self.asked.reading
        if reading is None:
            return self.warnings
        unrated = reading.unrated if {"brief", "explain"} & set(output) else ()
        return [*self.warnings, *each_line(reading.doubtful), *unrated]


def shows(*kinds: type[Answer]) -> Callable[[type[AnswerReply[A]]], type[AnswerReply[A]]]:
    """Register a view for these kinds of answers, and for those derived from them."""

    def register(view: type[AnswerReply[A]]) -> type[AnswerReply[A]]:
        VIEWS.update(dict.fromkeys(kinds, view))
        return view

    return register


def reply_to(asked: Asked) -> Reply:
    """The reply to a question or another command."""
    run = getattr(asked.question, "run", None)
    if run is not None:
        reply: Reply = run()
        return replace(reply, kind=type(asked.question).__name__) if isinstance(reply, Done) else reply
    import_views(asked.question)
    return answered(asked.question, asked)


def reply_with(answer: Answer, asked: Asked, **known: Any) -> AnswerReply[Any]:
    """The reply to a question that has already been answered; `known` are further fields of the reply."""
    import_views(asked.question)
    view = next((VIEWS[kind] for kind in type(answer).__mro__ if kind in VIEWS), AnswerReply)
    return view(answer=answer, asked=asked, **known)


def import_views(question: Question) -> None:
    """Import the views of a question's answers, so that they are registered."""
    import_module(f"arpad.cli.views.{HOMES.get(question.spec.name, 'ratings')}")


@singledispatch
def answered(question: Any, asked: Asked) -> Reply:
    """Answer a question; those that also read or write files register their own function."""
    return reply_with(question.answer(), asked)
