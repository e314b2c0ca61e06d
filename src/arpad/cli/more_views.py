"""Views of answers about whole tournaments and about the future, which replace the usual one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arpad.calculation.answer import Answer
    from arpad.cli.show import Reply


def view_of(question: Any, answer: Answer) -> Reply | None:  # noqa: ARG001
    """None yet."""
    return None
