"""What the layers around the application have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send


class Layer(ABC):
    """An application around another that does something about requests; starting and stopping pass through."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await (self.request if scope["type"] == "http" else self.app)(scope, receive, send)

    @abstractmethod
    async def request(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, with the help of the application inside."""
