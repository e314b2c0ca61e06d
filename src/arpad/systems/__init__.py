"""The registry: every system by name. A system's module is imported when somebody asks for it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from arpad.errors import UnknownName

TYPE_CHECKING = False
if TYPE_CHECKING:
    from arpad.contract import System
    from arpad.rulebook import Rulebook

SYSTEMS = {
    "chesscom": "arpad.systems.glicko.chesscom",
    "elo": "arpad.systems.elo",
    "fide-blitz": "arpad.systems.fide",
    "fide-rapid": "arpad.systems.fide",
    "fide-standard": "arpad.systems.fide",
    "glicko": "arpad.systems.glicko.glicko1",
    "glicko-2": "arpad.systems.glicko.glicko2",
    "lichess": "arpad.systems.glicko.lichess",
}
_built: dict[str, System] = {}


def system_names() -> list[str]:
    """The names of all systems."""
    return sorted(SYSTEMS)


def system(name: str, **settings: Any) -> System:
    """A rating system by name, with its own settings: `system("elo", k=24)`."""
    if name not in SYSTEMS:
        raise UnknownName("system", name, known=SYSTEMS, at="system")
    if not settings and name in _built:
        return _built[name]
    module = import_module(SYSTEMS[name])
    for setting in settings:
        if setting not in module.SETTINGS:
            raise UnknownName(f"setting of {name}", setting, known=module.SETTINGS, at="settings")
    built: System = module.build(name, **settings)
    if not settings:
        _built[name] = built
    return built


def rules(name: str, **settings: Any) -> Rulebook[Any]:
    """The rulebook of a system."""
    return system(name, **settings).rulebook
