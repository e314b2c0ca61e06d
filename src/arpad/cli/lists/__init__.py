"""The `arpad list` commands: rating lists on this machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from arpad.questions import readers
from arpad.questions.declare import Place, optional
from arpad.questions.fields import LONGEST_PATH, Asking, ListFields

ABOUT_LISTS: Mapping[str, Any] = {
    "doors": frozenset({"command"}),
    "why": "it works with the rating lists of this machine",
}


@dataclass(frozen=True, kw_only=True)
class DataFolder(Asking):
    """Where the rating lists are."""

    folder: str | None = optional(readers.path, example="lists", option="data", group="lists", longest=LONGEST_PATH)


@dataclass(frozen=True, kw_only=True)
class ListOfDay(ListFields):
    """Which lists, in force on which day."""

    on: date | None = optional(readers.day, example="2026-11")


def pace_name(typed: str, _: Place) -> str | None:
    """Standard, rapid or blitz."""
    from arpad.lists import checked_pace

    return checked_pace(typed)


@dataclass(frozen=True, kw_only=True)
class OneList(DataFolder):
    """Which list, by name and by pace, where that is not clear."""

    name: str | None = optional(readers.text, example="fide")
    pace: str | None = optional(pace_name, example="rapid")
