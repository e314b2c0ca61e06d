"""The voice a request is answered in: the server's language, and the door."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.messages import speaking

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from starlette.types import Scope

    from arpad.messages import Voice


def answering(scope: Scope, door: str) -> AbstractContextManager[Voice]:
    """Speak the server's language at a door."""
    return speaking(scope["app"].state.language, door=door)
