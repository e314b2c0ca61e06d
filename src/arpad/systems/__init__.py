"""The registry: every system by name. A system's module is imported when it is first used."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from os.path import basename, splitext
from typing import TYPE_CHECKING, Any

from arpad.errors import BadRulebook, UnknownName, Unsupported
from arpad.messages import say
from arpad.rulebooks import based_on

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path
    from types import ModuleType

    from arpad.rulebooks import Rulebook, Rules
    from arpad.systems.base import National, Setting, System

SYSTEMS = {
    "chesscom": "arpad.systems.glicko.chesscom",
    "dwz": "arpad.systems.dwz",
    "ecf": "arpad.systems.ecf",
    "elo": "arpad.systems.elo",
    "fide-blitz": "arpad.systems.fide",
    "fide-rapid": "arpad.systems.fide",
    "fide-standard": "arpad.systems.fide",
    "icu": "arpad.systems.icu",
    "glicko": "arpad.systems.glicko.glicko1",
    "glicko-2": "arpad.systems.glicko.glicko2",
    "lichess": "arpad.systems.glicko.lichess",
    "uschess-blitz": "arpad.systems.uschess",
    "uschess-online-blitz": "arpad.systems.uschess",
    "uschess-online-quick": "arpad.systems.uschess",
    "uschess-online-regular": "arpad.systems.uschess",
    "uschess-quick": "arpad.systems.uschess",
    "uschess-regular": "arpad.systems.uschess",
}
CALLED = {"uscf": "uschess", "classical": "fide-standard"}  # other names people use
_built: dict[str, System] = {}


def system_names() -> list[str]:
    """The names of all systems."""
    return sorted(SYSTEMS)


def coverage(books: Mapping[str, Rulebook[Rules]] | None = None) -> list[dict[str, str]]:
    """Every system with the title of its rules, the day they are covered from, and the day they were last checked."""
    if books is None:
        books = {name: rulebook_of(name) for name in system_names()}
    return [
        {
            "name": name,
            "title": book.title,
            "covered_from": str(book.covered_from),
            "checked": str(book.checked),
            "compared": book.compared,
        }
        for name, book in books.items()
    ]


def system(name: str, **settings: Setting) -> System:
    """A rating system by name, with its own settings: `system("elo", k=24)`."""
    if name not in SYSTEMS:
        raise unknown(name, SYSTEMS)
    if not settings and name in _built:
        return _built[name]
    built: System = _module(name, settings).build(name, **settings)
    if not settings:
        _built[name] = built
    return built


def unknown(name: str, known: Iterable[str]) -> UnknownName:
    """The error for a name that no system has."""
    return UnknownName("system", name, known=known, at="system", meant=CALLED.get(str(name).lower()))


def system_from(path: str | Path, **settings: Setting) -> System:
    """A custom system: a rule file that names the system it is based on and says where it differs."""
    file = str(path)
    base = based_on(file)
    bases = [name for name in SYSTEMS if "rules" in (_module(name, {}).build.__kwdefaults__ or {})]
    if base not in bases:
        raise BadRulebook(say("rulebooks.file.base", base=base, known=bases), at=basename(file))
    built: System = _module(base, settings).build(base, rules=file, **settings)
    return _renamed(built, splitext(basename(file))[0])


def _renamed(built: System, name: str) -> System:
    """A system under another name, which its answers have too."""

    def named(function: Callable[..., Any]) -> Any:
        def call(*args: Any, **kwargs: Any) -> Any:
            return replace(function(*args, **kwargs), system=name)

        return call

    return replace(
        built,
        name=name,
        title=built.rulebook.title,
        rate_period=named(built.rate_period),
        expect=named(built.expect),
        first_rating=named(built.first_rating),
        conversion=named(built.conversion),
        national=_renamed_national(built.national, name),
    )


def _renamed_national(national: National | None, name: str) -> National | None:
    """How a system rates whole events, with answers under another name."""
    if national is None or national.together is None:
        return national
    together = national.together

    def call(*given: Any) -> Any:
        return {no: replace(answer, system=name) for no, answer in together(*given).items()}

    return replace(national, together=call)


def _module(name: str, settings: Mapping[str, Setting]) -> ModuleType:
    """The module of a system, after checking that it has these settings."""
    module = import_module(SYSTEMS[name])
    for setting in settings:
        if setting in module.SETTINGS:
            continue
        if setting == "readings":
            raise Unsupported(say("systems.no_readings", system=name), at="reading")
        known = [other for other in module.SETTINGS if other != "readings"]  # users choose readings apart from settings
        raise UnknownName("setting", setting, of=name, known=known, at="settings")
    return module


def rulebook_of(name: str, **settings: Setting) -> Rulebook[Rules]:
    """The rulebook of a system."""
    return system(name, **settings).rulebook
