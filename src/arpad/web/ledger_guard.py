"""Who may use a ledger's page: this machine, and devices that gave the code; and no other site in their browsers.

Another site can make a browser send a form here, or point its own name at this address. So a request needs a name of
ours, what changes something needs a secret that only our own forms have, and a device elsewhere needs the code first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hmac import compare_digest
from ipaddress import ip_address
from secrets import randbelow, token_urlsafe
from typing import TYPE_CHECKING

from arpad.messages import Message, say
from arpad.web.middleware import LARGEST_FILE

if TYPE_CHECKING:
    from starlette.requests import Request

NAMES = ("127.0.0.1", "localhost", "[::1]")
MOST_TRIES = 20  # wrong codes, of all devices together, until no more are taken
NO_SITE, MISDIRECTED, TOO_LARGE, FORBIDDEN = ("same-origin", "none"), 421, 413, 403


class NotAnswered(Exception):
    """A request that is not answered: the status, and what is said."""

    def __init__(self, status: int, said: Message) -> None:
        super().__init__(said)
        self.status, self.said = status, said


@dataclass
class Guard:
    """The secrets of a running page, and the devices that know the code."""

    owner: str  # who uses this machine
    network: bool = False  # whether other devices may use the page
    code: str = field(default_factory=lambda: f"{randbelow(10**6):06}")
    form: str = field(default_factory=token_urlsafe)  # in every form of ours
    devices: dict[str, str] = field(default_factory=dict)  # by cookie: who decides there
    tries: int = 0

    def check(self, request: Request) -> None:
        """Refuse a request that came under another name, from another site, or with too much."""
        host = request.headers.get("host", "")
        if not self._ours(host):
            raise NotAnswered(MISDIRECTED, say("web.wrong_host", host=host[:100]))
        if request.method != "POST":
            return
        origin = request.headers.get("origin")
        if origin not in (None, f"{request.url.scheme}://{host}"):
            raise NotAnswered(FORBIDDEN, say("ledger.page.other_site"))
        if request.headers.get("sec-fetch-site", NO_SITE[0]) not in NO_SITE:
            raise NotAnswered(FORBIDDEN, say("ledger.page.other_site"))
        length = request.headers.get("content-length", "")
        if not length.isdigit() or len(length) > len(str(LARGEST_FILE)) or int(length) > LARGEST_FILE:
            raise NotAnswered(TOO_LARGE, say("web.too_large", most=LARGEST_FILE))

    def check_form(self, given: Mapping[str, str]) -> None:
        """Refuse a form that is not one of ours: an old one, or one of another site."""
        if not compare_digest(given.get("form", "").encode(), self.form.encode()):
            raise NotAnswered(FORBIDDEN, say("ledger.page.old_form"))

    def _ours(self, host: str) -> bool:
        """A name of this machine; in a network also an address in figures, which no other site can have."""
        name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
        if name.lower() in NAMES:
            return True
        try:
            return self.network and bool(ip_address(name.strip("[]")))
        except ValueError:
            return False

    def who(self, request: Request) -> str | None:
        """Who decides: the name given on this device, or the user of this machine; None for an unknown device."""
        device = request.cookies.get(cookie(request), "")
        known = self.devices.get(device)
        if known is not None:
            return known
        return self.owner if self._is_here(request) else None

    @staticmethod
    def _is_here(request: Request) -> bool:
        client = request.client
        try:
            return client is not None and ip_address(client.host).is_loopback
        except ValueError:
            return False

    def enter(self, request: Request, name: str, code: str) -> str:
        """Let a device in under a name, and give its cookie; raises NotAnswered for a wrong code or no name."""
        if self.who(request) is None:
            if self.tries >= MOST_TRIES:
                raise NotAnswered(FORBIDDEN, say("ledger.page.too_many_codes"))
            if not compare_digest("".join(code.split()).encode(), self.code.encode()):
                self.tries += 1
                raise NotAnswered(FORBIDDEN, say("ledger.page.wrong_code"))
        if not name.strip():
            raise NotAnswered(FORBIDDEN, say("ledger.needs_who"))
        device = token_urlsafe()
        self.devices[device] = name.strip()[:100]
        return device


def cookie(request: Request) -> str:
    """The name of the cookie: another port is another ledger."""
    return f"arpad-ledger-{request.url.port or 80}"
