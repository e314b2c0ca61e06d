"""Every rulebook by name: those of the rating systems, and of the regulations that no rating system is."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from arpad.calculation.explain import change_value, listing, rule_value
from arpad.errors import UnknownName
from arpad.systems import SYSTEMS, rulebook_of, system_names, unknown

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from arpad.rulebooks.rulebook import Change, Rule, Rulebook

BOOKS = {
    "fide-performance": "arpad.systems.performance",
    "fide-ties": "arpad.tournaments.tiebreaks.rules",
    "fide-titles": "arpad.tournaments.norms.rules",
}


def rules(name: str, **settings: Any) -> Rulebook[Any]:
    """The rulebook of a system with its settings, or of a regulation beside them: `rules("fide-titles")`."""
    if name not in BOOKS:
        if name not in SYSTEMS:
            raise unknown(name, (*SYSTEMS, *BOOKS))
        return rulebook_of(name, **settings)
    for setting in settings:
        if setting != "readings":
            raise UnknownName(f"setting of {name}", setting, known=["readings"], at="settings")
    book: Rulebook[Any] = import_module(BOOKS[name]).rulebook(tuple(settings.get("readings", {}).items()))
    return book


def rulebook_names() -> list[str]:
    """The names of all rulebooks, the systems' first."""
    return [*system_names(), *BOOKS]


def in_force_value(name: str, in_force: Sequence[Rule[Any]], on: date) -> dict[str, Any]:
    """The rules of a day as JSON, for every door."""
    listed = [rule_value(rule) for rule in in_force]
    return listing(listed, system=name, on=on.isoformat(), rules=listed)


def changes_value(name: str, changes: Sequence[Change]) -> dict[str, Any]:
    """What changed, as JSON, for every door."""
    return listing([], system=name, changes=[change_value(change) for change in changes])
