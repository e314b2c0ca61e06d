"""Public names that are imported when they are first used, so that a caller loads only what it needs.

A package keeps one table of the modules that its public names come from:

    _HOMES = {"formats": "read write", "matches": "MatchResult match"}
    _HOME = homes_by_name(_HOMES)
    __all__ = sorted(_HOME)
    __getattr__ = getter(__name__, _HOME)

Type checkers read `__init__.pyi` beside it, which `docs/generate.py` writes from the same table.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module


def homes_by_name(homes: Mapping[str, str]) -> dict[str, str]:
    """The module of each name, from a table of modules and their names."""
    return {name: module for module, names in homes.items() for name in names.split()}


def getter(package: str, home: Mapping[str, str]) -> Callable[[str], object]:
    """The `__getattr__` of a package: imports the module of a name and keeps the value; raises AttributeError."""

    def get(name: str) -> object:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value: object = getattr(import_module(f"{package}.{home[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return get
