"""The systems for columns, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.bulk import elo, glicko, glicko2
from arpad.errors import UnknownName
from arpad.systems.fide import FILES

if TYPE_CHECKING:
    from datetime import date

    from arpad.bulk.methods import Method
    from arpad.systems.system import Setting

METHODS = {"elo": elo, "glicko": glicko, "glicko-2": glicko2}


def method_of(system: str, on: date | None = None, **settings: Setting) -> Method:
    """A system for columns by name, with the rules of a day: by default the day they were last checked."""
    if system not in METHODS:
        raise UnknownName("system_for_bulk", system, known=(*METHODS, *FILES), at="system")
    module = METHODS[system]
    for setting in settings:
        if setting not in module.SETTINGS:
            raise UnknownName("setting", setting, of=system, known=module.SETTINGS, at="settings")
    method: Method = module.build(on, **settings)
    return method
