"""What the forms offer: remaining fields, fields about the player, and choices that come from rules."""

from __future__ import annotations

from typing import Any

from arpad.questions import Given, given_fields, spec_of
from arpad.questions.fields import PersonFields, RuleFields
from arpad.questions.read import DEFAULT_SYSTEM
from arpad.systems import system
from arpad.web.api import today

IN_ROWS = {"game", "against", "event", "reading", "changes"}  # fields that forms show as rows, lines and lists


def _in_force(name: str, rule: str) -> Any:
    """The value of a system's rule, as in force today."""
    book = system(name).rulebook
    return next(found.value for found in book.in_force(max(today(), book.covered_from)) if found.name == rule)


def k_choices() -> list[str]:
    """FIDE's values of K, the largest first."""
    return [str(k) for k in sorted({band.k for band in _in_force(DEFAULT_SYSTEM, "k")}, reverse=True)]


def speeds() -> list[str]:
    """The Lichess speeds that have their own factors."""
    return list(_in_force("lichess", "regulator").speed)


def of_player() -> list[str]:
    """The fields about the player, rating first, which a browser can remember for its user."""
    return [*(name for name in given_fields(PersonFields) if name not in ("on", "age")), "system"]


def fields_left(question: str, rendered: set[str]) -> list[Given]:
    """The fields of a question that its form has not shown yet."""
    spec = spec_of(question)
    chosen = IN_ROWS if issubclass(spec.kind, RuleFields) else IN_ROWS - {"reading"}  # offered where a system is asked
    return [
        given for given in spec.fields_at("page").values() if given.name not in rendered and given.name not in chosen
    ]
