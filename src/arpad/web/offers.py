"""What the forms offer: the fields that are left, those that say who a player is, and choices that rules have."""

from __future__ import annotations

from typing import Any

from arpad.questions import Given, given_fields, spec_of
from arpad.questions.fields import PersonFields, RuleFields
from arpad.questions.read import DEFAULT_SYSTEM
from arpad.systems import system
from arpad.web.api import today

IN_ROWS = {"game", "against", "event", "reading", "changes"}  # fields that the forms give in rows, lines and lists


def _in_force(name: str, rule: str) -> Any:
    """The value of a system's rule in force today."""
    book = system(name).rulebook
    return next(one.value for one in book.in_force(max(today(), book.covered_from)) if one.name == rule)


def k_choices() -> list[str]:
    """FIDE's values of K, the largest first."""
    return [str(k) for k in sorted({band.k for band in _in_force(DEFAULT_SYSTEM, "k")}, reverse=True)]


def speeds() -> list[str]:
    """The speeds of Lichess, which have factors of their own."""
    return list(_in_force("lichess", "regulator").speed)


def of_player() -> list[str]:
    """The fields that say who a player is, the rating first: what a browser may remember of its user."""
    return [*(name for name in given_fields(PersonFields) if name not in ("on", "age")), "system"]


def fields_left(question: str, rendered: set[str]) -> list[Given]:
    """The fields of a question that its form has not shown yet."""
    spec = spec_of(question)
    chosen = IN_ROWS if issubclass(spec.kind, RuleFields) else IN_ROWS - {"reading"}  # offered where a system is asked
    return [one for one in spec.fields_at("page").values() if one.name not in rendered and one.name not in chosen]
