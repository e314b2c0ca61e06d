"""The settings of a server: from options, the environment or a file, in that order of precedence."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from arpad.errors import BadFile, BadInput, UnknownName, cause
from arpad.messages import say

LOOPBACK = ("127.0.0.1", "localhost", "::1", "[::1]")
PREFIX = "ARPAD_"
FILE = f"{PREFIX}CONFIG"
LOGS = ("text", "json")
LIMITS = {"port": (0, 65535), "workers": (1, 64), "processes": (0, 64), "seconds": (1, 600)}
SHAPES = {
    "hosts": re.compile(r"\*|[\w.-]+|\[[0-9a-f:.]+\]"),
    "origins": re.compile(r"\*|https?://(?:[\w.-]+|\[[0-9a-f:.]+\])(?::\d+)?"),
    "base": re.compile(r"(?:/[\w.~-]+)*"),
    "log": re.compile("|".join(LOGS)),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """Everything that can be set."""

    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 1  # server processes
    processes: int = 2  # worker processes for heavy questions, per server process
    seconds: int = 10  # for one question
    hosts: tuple[str, ...] = ()  # names the server answers to; none: those of this machine, or any
    origins: tuple[str, ...] = ("*",)  # sites whose pages may read the API
    proxies: tuple[str, ...] = ("127.0.0.1", "::1")  # trusted to say who the client is
    base: str = ""  # the prefix of its addresses
    data: str = ""  # the folder of the rating lists; empty: the user's own
    log: str = "text"

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach it."""
        return self.host in LOOPBACK

    @property
    def allowed_hosts(self) -> frozenset[str]:
        """The names it answers to: those set and this machine's; any if other machines can reach it and none is set."""
        return frozenset((*self.hosts, *LOOPBACK) if self.hosts or self.is_local else ("*",))


DEFAULTS = {setting.name: setting.default for setting in fields(ServerSettings)}
EMBEDDED = ServerSettings(processes=0, hosts=("*",))  # an application inside another program, which has its own rules


def settings_from(options: Mapping[str, object], environment: Mapping[str, str] | None = None) -> ServerSettings:
    """The settings of a server, from options (None if not given), environment variables and a file.

    Raises BadFile for a file that cannot be read, UnknownName or BadInput for what is no setting or no value of one.
    """
    environment = os.environ if environment is None else environment
    file = options.get("config") or environment.get(FILE)
    # Each with the place it comes from
    given = {name: (value, str(file)) for name, value in _read_file(str(file)).items()} if file else {}
    for name in DEFAULTS:
        variable = f"{PREFIX}{name.upper()}"
        if environment.get(variable):
            given[name] = (environment[variable], variable)
        if options.get(name) is not None:
            given[name] = (options[name], name)
    return ServerSettings(**{name: _checked(name, value, at) for name, (value, at) in given.items()})


def _read_file(path: str) -> dict[str, object]:
    try:
        with open(path, "rb") as file:
            found = tomllib.load(file)
    except OSError as problem:
        raise BadFile(say("formats.file.unreadable", why=cause(problem)), at=path) from None
    except RecursionError:
        raise BadFile(say("command.serve.nested"), at=path) from None
    except ValueError as problem:
        raise BadFile(say("command.serve.not_toml", reason=problem), at=path) from None
    for name in found:
        if name not in DEFAULTS:
            raise UnknownName("server_setting", name[:50], known=DEFAULTS, at=path)
    return found


def _checked(name: str, value: object, at: str) -> Any:
    """A setting as its field takes it: a number, a text, or texts, which are a list in a file and else have commas."""

    def refused(why: str, **more: object) -> BadInput:
        return BadInput(say(f"command.serve.{why}", name=name, given=str(value)[:100], **more), at=at)

    default = DEFAULTS[name]
    if isinstance(default, int):
        lowest, highest = LIMITS[name]
        if not re.fullmatch("[0-9]{1,9}", str(value)) or not lowest <= int(str(value)) <= highest:
            raise refused("bad_number", lowest=str(lowest), highest=str(highest))
        return int(str(value))
    is_list = isinstance(default, tuple)
    texts = value.split(",") if is_list and isinstance(value, str) else value if is_list else [value]
    if not isinstance(texts, list | tuple) or not all(isinstance(text, str) for text in texts):
        raise refused("not_a_list" if is_list else "not_a_text")
    found = [text.strip().lower() for text in texts if text.strip()] if is_list else [texts[0].strip()]
    if name == "base":
        found = [f"/{found[0].strip('/ ')}".rstrip("/")]
    for text in found:
        if name in SHAPES and not SHAPES[name].fullmatch(text):
            raise refused(f"bad_{name}", known=list(LOGS))
    return tuple(found) if is_list else found[0]
