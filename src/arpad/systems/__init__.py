"""The registry: every system by name, and what it uses. A system's module is imported when it is first used."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from os.path import basename
from typing import TYPE_CHECKING, NamedTuple

from arpad.errors import BadRulebook, UnknownName, Unsupported
from arpad.messages import say
from arpad.rulebooks import based_on

if TYPE_CHECKING:
    from pathlib import Path

    from arpad.rulebooks import Rulebook, Rules
    from arpad.systems.base import Setting, System


class Listing(NamedTuple):
    """What is said about a system without loading its module, because questions and forms about all systems need it.

    `home` is its class, `group` the heading under which people look for it. `uses` are those facts about players and
    events that only some systems use, by the names of the questions' fields; `lacks` the questions it cannot answer.
    """

    home: str
    group: str
    uses: frozenset[str]
    lacks: frozenset[str]


def _listing(home: str, group: str, uses: str, lacks: str = "") -> Listing:
    return Listing(f"arpad.systems.{home}", group, frozenset(uses.split()), frozenset(lacks.split()))


_FIDE = _listing("fide.Fide", "fide", "k born games peak standard ended base")
_US_CHESS = _listing("uschess.UsChess", "national", "born games peak", lacks="first")
SYSTEMS = {  # in the order in which people look for them
    "fide-standard": _FIDE,
    "fide-rapid": _FIDE,
    "fide-blitz": _FIDE,
    "uschess-regular": _US_CHESS,
    "uschess-quick": _US_CHESS,
    "uschess-blitz": _US_CHESS,
    "uschess-online-regular": _US_CHESS,
    "uschess-online-quick": _US_CHESS,
    "uschess-online-blitz": _US_CHESS,
    # DWZ and the ICU rate event by event. With deviations it matters for a target whom a player beats.
    "dwz": _listing("dwz.Dwz", "national", "k born dwz_index ended base", lacks="period"),
    "ecf": _listing("ecf.Ecf", "national", "k born base", lacks="first"),
    "icu": _listing("icu.Icu", "national", "k born games base", lacks="period"),
    "lichess": _listing("glicko.lichess.Lichess", "online", "deviation volatility idle", lacks="need first"),
    "chesscom": _listing("glicko.chesscom.Chesscom", "online", "deviation", lacks="need first"),
    "elo": _listing("elo.Elo", "plain", "k base", lacks="first"),
    "glicko": _listing("glicko.glicko1.Glicko", "plain", "deviation idle", lacks="need first"),
    "glicko-2": _listing("glicko.glicko2.Glicko2", "plain", "deviation volatility idle", lacks="need first"),
}
CALLED = {"uscf": "uschess", "classical": "fide-standard"}  # other names people use
_built: dict[str, System] = {}


def system_names() -> list[str]:
    """The names of all systems."""
    return sorted(SYSTEMS)


def systems_using(field: str) -> tuple[str, ...]:
    """The systems that use a fact about a player or an event, by the name of its field: `k`, `deviation`."""
    return tuple(name for name, listing in SYSTEMS.items() if field in listing.uses)


def family(name: str) -> str:
    """What the systems of one class are called together: `fide`, `uschess`; one alone in its class keeps its name."""
    alike = [other for other, listing in SYSTEMS.items() if listing.home == SYSTEMS[name].home]
    return name.partition("-")[0] if len(alike) > 1 else name


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
    """A rating system by name, with its own settings: `system("elo", k=24)`.

    Raises UnknownName for a name that no system has, or a setting that this one does not have.
    """
    if name not in SYSTEMS:
        raise unknown(name, SYSTEMS)
    if not settings and name in _built:
        return _built[name]
    built = _build(name, settings)
    if not settings:
        _built[name] = built
    return built


def unknown(name: str, known: Iterable[str]) -> UnknownName:
    """The error for a name that no system has."""
    return UnknownName("system", name, known=known, at="system", meant=CALLED.get(str(name).lower()))


def system_from(path: str | Path, **settings: Setting) -> System:
    """A custom system: a rule file that names the system it is based on and says where it differs.

    It is called after the file. Raises BadRulebook for a file with a mistake.
    """
    file = str(path)
    base = based_on(file)
    bases = [name for name in system_names() if _class(name).takes_rules()]
    if base not in bases:
        raise BadRulebook(say("rulebooks.file.base", base=base, known=bases), at=basename(file))
    return _build(base, settings, rules=file)


def _build(name: str, settings: Mapping[str, Setting], **rules: str) -> System:
    """A system with these settings, after checking that it has them."""
    kind: Callable[..., System] = _class(name)
    known = _class(name).settings()
    for setting in settings:
        if setting in known:
            continue
        if setting == "readings":
            raise Unsupported(say("systems.no_readings", system=name), at="reading")
        # Users choose readings separately from settings.
        raise UnknownName(
            "setting", setting, of=name, known=[other for other in known if other != "readings"], at="settings"
        )
    return kind(name, **settings, **rules)


def _class(name: str) -> type[System]:
    module, _, called = SYSTEMS[name].home.rpartition(".")
    found: type[System] = getattr(import_module(module), called)
    return found


def rulebook_of(name: str, **settings: Setting) -> Rulebook[Rules]:
    """The rulebook of a system."""
    return system(name, **settings).rulebook
