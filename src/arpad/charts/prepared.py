"""Plots made ahead of time, for where Altair cannot be installed: the static site ships them, nothing else does.

A plot is a specification without its points, so one for each look is enough.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

FILE = Path(__file__).with_name("plots.json")


class Look(NamedTuple):
    """Everything that a plot depends on beside its points."""

    plot: str
    theme: str
    pointer: bool
    size: tuple[int, int] | None
    language: str

    @property
    def key(self) -> str:
        """Its name in the file."""
        return json.dumps(self)


@cache
def prepared() -> Mapping[str, dict[str, Any]]:
    """The plots by the names of their looks; none where nobody made any."""
    try:
        found: dict[str, dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    return found
