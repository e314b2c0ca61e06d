"""The questions: each is declared once, and every door is built from the declarations."""

from __future__ import annotations

from importlib import import_module

from arpad.errors import UnknownName
from arpad.questions.declare import QUESTIONS, Given, Place, Spec, given_fields, missing
from arpad.questions.read import Asked, FoundPlayer, People, by_name, read_question

# The module that declares each question, in the order questions are listed; imported only when the question is asked.
HOMES = {
    "rate": "ratings",
    "period": "ratings",
    "diary": "comparisons",
    "expect": "ratings",
    "need": "forecasts",
    "outlook": "forecasts",
    "season": "forecasts",
    "strength": "forecasts",
    "pupils": "forecasts",
    "first": "ratings",
    "performance": "ratings",
    "conversion": "comparisons",
    "paste": "paste",
    "event": "tournaments",
    "next": "tournaments",
    "norms": "tournaments",
    "direct": "tournaments",
    "certificate": "titles",
    "title": "titles",
    "entries": "entries",
    "ties": "standings",
    "standings": "standings",
    "chances": "chances",
    "check": "tournaments",
    "section": "uschess",
    "start": "uschess",
    "floor": "uschess",
    "pace": "time_control",
    "compare": "comparisons",
    "match": "matches",
    "list find": "lists",
    "list show": "lists",
    "rules": "rules",
    "systems": "rules",
}


def spec_of(name: str) -> Spec:
    """A question by name."""
    if name not in HOMES:
        raise UnknownName("question", name[:100], known=HOMES, at="question")
    import_module(f"arpad.questions.{HOMES[name]}")
    return QUESTIONS[name]


def questions_at(door: str) -> dict[str, Spec]:
    """The questions that a door has, by name."""
    specs = {name: spec_of(name) for name in HOMES}
    return {name: spec for name, spec in specs.items() if door in spec.doors}


__all__ = [
    "HOMES",
    "Asked",
    "FoundPlayer",
    "Given",
    "People",
    "Place",
    "Spec",
    "by_name",
    "given_fields",
    "missing",
    "questions_at",
    "read_question",
    "spec_of",
]
