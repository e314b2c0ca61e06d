"""The registry: every system by name, and what it uses. A system's module is imported when it is first used."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from operator import attrgetter
from os.path import basename
from typing import TYPE_CHECKING, Literal, NamedTuple, cast, overload

from arpad.errors import BadInput, BadRulebook, UnknownName, Unsupported
from arpad.messages import add_folder, say
from arpad.rulebooks import based_on

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint
    from pathlib import Path

    from arpad.core import Colour, Number
    from arpad.rulebooks import Rulebook, Rules
    from arpad.systems.base import Setting, System
    from arpad.systems.dwz import Dwz
    from arpad.systems.ecf import Ecf
    from arpad.systems.elo import Elo
    from arpad.systems.fide import Fide
    from arpad.systems.glicko.chesscom import Chesscom
    from arpad.systems.glicko.glicko1 import Glicko
    from arpad.systems.glicko.glicko2 import Glicko2
    from arpad.systems.glicko.lichess import Lichess
    from arpad.systems.icu import Icu
    from arpad.systems.uschess import UsChess

    Readings = Mapping[str, str] | None
    FideName = Literal["fide-standard", "fide-rapid", "fide-blitz"]
    UsChessName = Literal[
        "uschess-regular", "uschess-quick", "uschess-blitz",
        "uschess-online-regular", "uschess-online-quick", "uschess-online-blitz",
    ]  # fmt: skip


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
OWN = {  # in the order in which people look for them
    "fide-standard": _FIDE,
    "fide-rapid": _FIDE,
    "fide-blitz": _FIDE,
    "uschess-regular": _US_CHESS,
    "uschess-quick": _US_CHESS,
    "uschess-blitz": _US_CHESS,
    "uschess-online-regular": _US_CHESS,
    "uschess-online-quick": _US_CHESS,
    "uschess-online-blitz": _US_CHESS,
    # DWZ and the ICU rate event by event.
    "dwz": _listing("dwz.Dwz", "national", "k born dwz_index ended base", lacks="period"),
    "ecf": _listing("ecf.Ecf", "national", "k born base", lacks="first"),
    "icu": _listing("icu.Icu", "national", "k born games base", lacks="period"),
    "lichess": _listing("glicko.lichess.Lichess", "online", "deviation volatility idle", lacks="first"),
    "chesscom": _listing("glicko.chesscom.Chesscom", "online", "deviation", lacks="first"),
    "elo": _listing("elo.Elo", "plain", "k base", lacks="first"),
    "glicko": _listing("glicko.glicko1.Glicko", "plain", "deviation idle", lacks="first"),
    "glicko-2": _listing("glicko.glicko2.Glicko2", "plain", "deviation volatility idle", lacks="first"),
}
GROUPS = ("fide", "national", "online", "plain")  # the headings under which people look for systems


class Registry(Mapping[str, Listing]):
    """Every system by name: our own, then those of other installed packages, in the order of their names.

    A package brings a system through the entry point `arpad.systems`: a subclass of System under its name. The
    installed packages are only looked through when a name is not one of our own, or when all systems are listed.
    """

    def __getitem__(self, name: str) -> Listing:
        return OWN[name] if name in OWN else outside()[name]

    def __contains__(self, name: object) -> bool:
        return name in OWN or name in outside()

    def __iter__(self) -> Iterator[str]:
        yield from OWN
        yield from outside()

    def __len__(self) -> int:
        return len(OWN) + len(outside())


@cache
def outside() -> dict[str, Listing]:
    """The systems of other packages; each says what our own table says about ours.

    Raises Unsupported for a package that brings something else, or a name that is taken.
    """
    from importlib.metadata import entry_points

    found: dict[str, Listing] = {}
    for point in sorted(entry_points(group="arpad.systems"), key=attrgetter("name")):
        if point.name in OWN or point.name in found:
            raise Unsupported(say("systems.outside.taken", name=point.name, package=point.value), at="arpad.systems")
        kind = _loaded(point)
        folder = kind.messages
        if folder is not None:
            add_folder(str(folder))
        home = f"{kind.__module__}.{kind.__qualname__}"
        found[point.name] = Listing(home, kind.group, frozenset(kind.uses), frozenset(kind.lacks))
    return found


def _loaded(point: EntryPoint) -> type[System]:
    """The class behind an entry point, checked as far as its declaration goes."""
    where = f"{point.name} = {point.value}"
    try:
        loaded = point.load()
    except (ImportError, AttributeError) as problem:
        raise Unsupported(say("systems.outside.not_loaded", why=problem), at=where) from None
    if not (isinstance(loaded, type) and issubclass(loaded, import_module("arpad.systems.base").System)):
        raise Unsupported(say("systems.outside.not_a_system"), at=where)
    kind = cast("type[System]", loaded)
    if kind.group not in GROUPS:
        raise UnknownName("system_group", kind.group, known=GROUPS, at=where)
    for fact in kind.uses:
        if fact not in USED:
            raise UnknownName("fact", fact, known=USED, at=where)
    return kind


SYSTEMS = Registry()


class SystemsUsing(Sequence[str]):
    """The systems that use a fact, asked when they are needed, so that no other package is loaded for our own."""

    def __init__(self, field: str) -> None:
        self.field = field

    def __contains__(self, name: object) -> bool:
        return name in SYSTEMS and self.field in SYSTEMS[str(name)].uses

    def __iter__(self) -> Iterator[str]:
        return (name for name, listing in SYSTEMS.items() if self.field in listing.uses)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[str, ...]: ...
    def __getitem__(self, place: int | slice) -> str | tuple[str, ...]:
        return tuple(self)[place]

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        return True


# What a standing calls a fact, and the field of the questions for it, where the two differ.
FIELDS = {"index": "dwz_index"}
USED = frozenset().union(*(listing.uses for listing in OWN.values()))  # all facts that systems may use
FACTS = ("k", "games", "peak", "standard", "deviation", "volatility", "idle", "index")
CALLED = {"uscf": "uschess", "classical": "fide-standard"}  # other names people use
_built: dict[str, System] = {}


def system_names() -> list[str]:
    """The names of all systems, in alphabetical order."""
    return sorted(SYSTEMS)


def systems_using(field: str) -> SystemsUsing:
    """The systems that use a fact about a player or an event, by the name of its field: `k`, `deviation`."""
    return SystemsUsing(field)


def facts_used_by(name: str) -> tuple[str, ...]:
    """The facts of a player's standing that a system uses, by the names of the standing's fields."""
    return tuple(fact for fact in FACTS if FIELDS.get(fact, fact) in SYSTEMS[name].uses)


def family(name: str) -> str:
    """What the systems of one class are called together: `fide`, `uschess`; one alone in its class keeps its name."""
    if name not in OWN:
        return name
    alike = [other for other, listing in OWN.items() if listing.home == OWN[name].home]
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


# Our own systems by name, for type checkers: `system("glicko-2").rate(...)` is a GlickoChange.
@overload
def system(name: FideName, *, readings: Readings = None) -> Fide: ...
@overload
def system(name: UsChessName, *, readings: Readings = None) -> UsChess: ...
@overload
def system(name: Literal["dwz"], *, readings: Readings = None) -> Dwz: ...
@overload
def system(name: Literal["ecf"], *, readings: Readings = None) -> Ecf: ...
@overload
def system(name: Literal["icu"], *, readings: Readings = None) -> Icu: ...
@overload
def system(name: Literal["elo"], *, k: Number | None = None, scale: Number | None = None) -> Elo: ...
@overload
def system(
    name: Literal["glicko"],
    *,
    c: Number | None = None,
    floor: Number | None = None,
    rating: Number | None = None,
    deviation: Number | None = None,
) -> Glicko: ...
@overload
def system(
    name: Literal["glicko-2"],
    *,
    tau: Number | None = None,
    tolerance: Number | None = None,
    rating: Number | None = None,
    deviation: Number | None = None,
    volatility: Number | None = None,
    readings: Readings = None,
) -> Glicko2: ...
@overload
def system(
    name: Literal["lichess"],
    *,
    variant: str = "standard",
    speed: str | None = None,
    colour: Colour | None = None,
    against: Literal["human", "bot"] = "human",
    tournament: Literal["no", "yes"] = "no",
    position: Literal["initial", "set"] = "initial",
) -> Lichess: ...
@overload
def system(name: Literal["chesscom"]) -> Chesscom: ...
@overload
def system(name: str, **settings: Setting) -> System: ...


def system(name: str, **settings: Setting) -> System:
    """A rating system by name, with its own settings: `system("fide-standard")`, `system("elo", k=24)`.

    Accepts a name that `system_names` lists. Gives the same system each time, if there are no settings. Raises
    UnknownName for a name that no system has, or a setting that this one does not have.
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

    Accepts the path of the file, and the settings of the system it is based on. Gives a system that is called after the
    file. Raises BadRulebook for a file with a mistake, and UnknownName for a setting.
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
    readings = settings.get("readings")
    if readings is not None and not isinstance(readings, Mapping):
        raise BadInput(say("systems.not_readings", value=repr(readings)), at="readings")
    for setting in settings:
        if setting in known:
            continue
        if setting == "readings":
            raise Unsupported(say("systems.no_readings", system=name), at="reading")
        if setting in facts_used_by(name):
            raise BadInput(say("systems.fact_as_setting", fact=setting, system=name), at="settings")
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
