"""How a server is set up: by options, the environment or a file; the first that says something counts."""

from __future__ import annotations

import os
import tomllib
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

from arpad.errors import BadFile, BadInput
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Mapping

LOOPBACK = ("127.0.0.1", "localhost", "::1")
PREFIX = "ARPAD_"
FILE = f"{PREFIX}CONFIG"
LOGS = ("text", "json")
HIGHEST = {"port": 65535, "workers": 64, "processes": 64, "seconds": 600, "connections": 100_000}
LOWEST = {"port": 0, "processes": 0}


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """Everything that can be set."""

    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 1  # server processes
    processes: int = 2  # worker processes for heavy questions, of each server process
    seconds: int = 10  # for one question
    connections: int = 400  # of one client
    hosts: tuple[str, ...] = ()  # names that the server is asked under; none: those of this machine, or any
    origins: tuple[str, ...] = ("*",)  # sites whose pages may read the API
    proxies: tuple[str, ...] = ("127.0.0.1", "::1")  # whose word about the client is believed
    base: str = ""  # the prefix of its addresses
    data: str = ""  # the folder of the rating lists; none: the user's own
    log: str = "text"

    @property
    def is_local(self) -> bool:
        """Whether only this machine reaches it."""
        return self.host in LOOPBACK

    @property
    def allowed_hosts(self) -> list[str]:
        """The names it answers to; one that other machines reach answers to any, unless it says which."""
        if self.hosts:
            return [*self.hosts, *LOOPBACK, "[::1]"]
        return [*LOOPBACK, "[::1]"] if self.is_local else ["*"]


EMBEDDED = ServerSettings(processes=0, hosts=("*",))  # an application inside another program, which has its own rules


def settings_from(options: Mapping[str, Any], environment: Mapping[str, str] | None = None) -> ServerSettings:
    """The settings of a server; an option that was not given is None."""
    environment = os.environ if environment is None else environment
    found: dict[str, Any] = {}
    file = options.get("config") or environment.get(FILE)
    if file:
        found |= _read_file(str(file))
    found |= {
        name: environment[f"{PREFIX}{name.upper()}"] for name in _names() if environment.get(f"{PREFIX}{name.upper()}")
    }
    found |= {name: options[name] for name in _names() if options.get(name) is not None}
    return ServerSettings(**{name: _value(name, value) for name, value in found.items()})


def shown(settings: ServerSettings) -> dict[str, Any]:
    """The settings as JSON has them."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(settings).items()}


def _names() -> list[str]:
    return [one.name for one in fields(ServerSettings)]


def _read_file(path: str) -> dict[str, Any]:
    try:
        with open(path, "rb") as file:
            found = tomllib.load(file)
    except (OSError, ValueError, RecursionError) as problem:
        raise BadFile(say("command.serve.no_config", reason=problem), at=path) from None
    unknown = [name for name in found if name not in _names()]
    if unknown:
        raise BadFile(say("command.serve.unknown_setting", name=unknown[0][:50], known=_names()), at=path)
    return found


def _value(name: str, given: Any) -> Any:
    """A setting as its field has it."""
    default = getattr(ServerSettings(), name)
    if isinstance(default, tuple):
        texts = given if isinstance(given, list | tuple) else str(given).split(",")
        return tuple(text.strip() for text in map(str, texts) if text.strip())
    if isinstance(default, int):
        lowest, highest = LOWEST.get(name, 1), HIGHEST[name]
        text = str(given)
        if not (text.isascii() and text.isdigit() and len(text) < 10 and lowest <= int(text) <= highest):
            raise BadInput(say("command.serve.bad_number", name=name, lowest=lowest, highest=highest), at=name)
        return int(text)
    if name == "log" and given not in LOGS:
        raise BadInput(say("command.serve.bad_log", known=list(LOGS)), at=name)
    text = str(given).strip()
    return f"/{text.strip('/')}" if name == "base" and text.strip("/") else text.strip("/") if name == "base" else text
