"""The settings of a server: from options, the environment or a file, in that order of precedence."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, NamedTuple

from arpad.errors import BadFile, BadInput, UnknownName, cause
from arpad.messages import say

LOOPBACK = ("127.0.0.1", "localhost", "::1")
PREFIX = "ARPAD_"
FILE = f"{PREFIX}CONFIG"
LOGS = ("text", "json")
LIMITS = {"port": (0, 65535), "workers": (1, 64), "processes": (0, 64), "seconds": (1, 600)}
SHAPES = {
    "hosts": re.compile(r"\*|[\w.-]+|\[[0-9a-f:.]+\]"),
    "origins": re.compile(r"\*|https?://(?:[\w.-]+|\[[0-9a-f:.]+\])(?::\d+)?"),
    "base": re.compile(r"(?:/[\w.~-]+)+"),
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
    def allowed_hosts(self) -> list[str]:
        """The names it answers to: those set; otherwise this machine's, or any if other machines can reach it."""
        if self.hosts:
            return [*self.hosts, *LOOPBACK, "[::1]"]
        return [*LOOPBACK, "[::1]"] if self.is_local else ["*"]


NAMES = [setting.name for setting in fields(ServerSettings)]
EMBEDDED = ServerSettings(processes=0, hosts=("*",))  # an application inside another program, which has its own rules


def settings_from(options: Mapping[str, object], environment: Mapping[str, str] | None = None) -> ServerSettings:
    """The settings of a server, from options (None if not given), environment variables and a file.

    Raises BadFile for a file that cannot be read, UnknownName or BadInput for what is no setting or no value of one.
    """
    environment = os.environ if environment is None else environment
    found: dict[str, _Given] = {}
    file = options.get("config") or environment.get(FILE)
    if file:
        found |= {name: _Given(value, str(file)) for name, value in _read_file(str(file)).items()}
    for name in NAMES:
        variable = f"{PREFIX}{name.upper()}"
        if environment.get(variable):
            found[name] = _Given(environment[variable], variable)
        if options.get(name) is not None:
            found[name] = _Given(options[name], name)
    return ServerSettings(**{name: _value(name, given) for name, given in found.items()})


def shown(settings: ServerSettings) -> dict[str, object]:
    """The settings as JSON."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(settings).items()}


class _Given(NamedTuple):
    """The value of a setting, and where it comes from: a file, an environment variable or an option."""

    value: object
    at: str

    def refused(self, why: str, name: str, **values: object) -> BadInput:
        return BadInput(say(f"command.serve.{why}", name=name, given=str(self.value)[:100], **values), at=self.at)


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
        if name not in NAMES:
            raise UnknownName("server_setting", name[:50], known=NAMES, at=path)
    return found


def _value(name: str, given: _Given) -> Any:
    """A setting, checked and converted to the type of its field."""
    default, text = getattr(ServerSettings(), name), str(given.value)
    if isinstance(default, int):
        lowest, highest = LIMITS[name]
        if not (text.isascii() and text.isdigit() and len(text) < 10 and lowest <= int(text) <= highest):
            raise given.refused("bad_number", name, lowest=str(lowest), highest=str(highest))
        return int(text)
    if isinstance(default, tuple):  # a list in a file; a text separated by commas as an option or a variable
        texts = given.value.split(",") if isinstance(given.value, str) else given.value
        if not isinstance(texts, list | tuple) or not all(isinstance(one, str) for one in texts):
            raise given.refused("not_a_list", name)
        return tuple(_shaped(name, one.strip().lower(), given) for one in texts if one.strip())
    if not isinstance(given.value, str):
        raise given.refused("not_a_text", name)
    if name == "log" and text.strip() not in LOGS:
        raise given.refused("bad_log", name, known=list(LOGS))
    if name == "base":
        text = f"/{text.strip('/ ')}" if text.strip("/ ") else ""
    return _shaped(name, text.strip(), given)


def _shaped(name: str, text: str, given: _Given) -> str:
    """A text, if it has the form that its setting asks for."""
    if name in SHAPES and text and not SHAPES[name].fullmatch(text):
        raise given.refused(f"bad_{name}", name)
    return text
