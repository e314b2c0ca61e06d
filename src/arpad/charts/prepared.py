"""Plots made ahead of time for the static site, where Altair cannot be installed; nothing else ships them.

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
    """Everything a plot depends on besides its points."""

    plot: str
    theme: str
    pointer: bool
    size: tuple[int, int] | None
    language: str

    @property
    def key(self) -> str:
        """Its key in the file of plots."""
        return json.dumps(self)


@cache
def prepared() -> Mapping[str, dict[str, Any]]:
    """The plots by the keys of their looks; empty if there is no file of plots."""
    try:
        found: dict[str, dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    return found
