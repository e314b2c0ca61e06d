"""How a question is declared: a frozen dataclass whose fields say how they are read and which doors have them.

    @question("expect", needs=("rating", "opponent"), examples=({"rating": 1500, "opponent": 1700},))
    @dataclass(frozen=True, kw_only=True)
    class Expect(PlayerFields, RuleFields):
        '''One game before it is played.'''

        opponent: Player = required(somebody, example="1700", word=True)

        def answer(self) -> Expectation: ...

The command's options, help and completion, the query and body of the API, the fields of the form, the OpenAPI document
and the reference pages are all made from it. The words are in `messages/en/fields.txt` and `questions.txt`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import date
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, TypeVar, cast, get_type_hints

from arpad.errors import ArpadError, BadInput, UnknownName
from arpad.messages import FieldName, say, section, voice

if TYPE_CHECKING:
    from arpad.calculation.answer import Answer
    from arpad.questions.read import People

T = TypeVar("T")
DOORS = frozenset({"command", "api", "page"})
NO_PAGE: Mapping[str, Any] = {"doors": DOORS - {"page"}, "why": "it has no page yet"}
IN_REPORT: Mapping[str, Any] = {"doors": DOORS - {"page"}, "why": "the report of the tournament page has it"}
LONGEST = 200  # characters of one text: nothing longer is a rating, a game, a date or a name
MOST = 1000  # values of a field that takes several
MOST_RESULTS = 50_000  # players times rounds: what takes a few seconds to work out


class Place(NamedTuple):
    """Where a text was given, and what its reading may depend on: the day, the system, and who can be looked up."""

    at: str
    day: date
    system: str
    people: People


Reader = Callable[[str, Place], T]


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """How a field is given: its reader, an example, and the doors that have it."""

    name: str = ""
    read: Reader[Any] | None = None  # None for a flag and for nested fields
    example: str = ""
    many: bool = False
    flag: bool = False
    nested: type[Any] | None = None  # for a field that holds objects: the class that declares their fields
    needed: bool = False
    default: object = None
    word: bool = False  # given without an option at the command
    option: str = ""  # the command's name for it, if different
    split: Callable[[Sequence[str]], Sequence[str]] | None = None  # splits one text into several values
    takes: int | None = 1  # words after its option at the command; None: all up to the next option
    group: str = "question"
    longest: int = LONGEST
    as_it_is: bool = False  # keep the blanks around the text
    most: int = MOST
    instead_of: str = ""  # the field it replaces; the two cannot be given together
    only_with: tuple[str, ...] = ()  # it means nothing without one of these; a form may show it all the same
    systems: tuple[str, ...] = ()  # the systems that use it; all, if none is named
    doors: frozenset[str] = DOORS
    why: str = ""  # why it is not at every door
    expand: Callable[[Sequence[str]], Mapping[str, Any]] | None = None  # reads the fields from files

    def __post_init__(self) -> None:
        if (self.doors == DOORS) == bool(self.why):
            raise TypeError(f"{self.name}: a field that is not at every door says why, and no other does")

    def used_by(self, system: str) -> bool:
        """Whether a system uses it."""
        return not self.systems or system in self.systems


def _declared(given: Given, **settings: Any) -> Any:
    return field(metadata={"given": given}, **settings)


def required(read: Reader[T], **how: Any) -> T:
    """A field that must be given."""
    return cast("T", _declared(Given(read=read, needed=True, **how)))


def optional(read: Reader[T], **how: Any) -> T | None:
    """A field that may be left out."""
    return cast("T | None", _declared(Given(read=read, **how), default=None))


def defaulting(read: Reader[T], default: T, **how: Any) -> T:
    """A field with a default."""
    return cast("T", _declared(Given(read=read, default=default, **how), default=default))


def several(read: Reader[T], **how: Any) -> tuple[T, ...]:
    """A field that may be given more than once."""
    return cast("tuple[T, ...]", _declared(Given(read=read, many=True, **how), default=()))


def flag(**how: Any) -> bool:
    """Yes or no; no if it is left out."""
    return cast("bool", _declared(Given(flag=True, default=False, **how), default=False))


def nested(kind: type[T], **how: Any) -> tuple[T, ...]:
    """Several objects with fields of their own, such as events."""
    return cast("tuple[T, ...]", _declared(Given(nested=kind, many=True, **how), default=()))


def field_help(name: str, owner: str = "") -> str:
    """What a field means, in the door's words; `owner` is the question, which may give the field a special meaning."""
    own = f"{owner.replace(' ', '_')}.{name}"
    special = own in section(voice().language, "fields.help")
    return str(say(f"fields.help.{own if special else name}"))


def unknown_field(
    kind: str, typed: str, name: str, fields: Mapping[str, Given], *, known: Iterable[str], at: str
) -> ArpadError:
    """The error for a field that a question does not have: it is one of other questions, or nobody knows its name.

    A plural for a singular, `games` for `game`, is a typo all the same.
    """
    language = voice().language
    if name in section(language, "fields.help") and not fields.keys() & {name.removesuffix("s"), f"{name}s"}:
        return BadInput(say("questions.not_taken", field_name=FieldName(name)), at=at)
    usual = section(language, "fields.other_names").get(name)  # what people call `date` is `on`
    return UnknownName(kind, typed, known=known, at=at, meant=usual)


def given_fields(kind: type[Any]) -> dict[str, Given]:
    """The fields of a question, or of an object nested in one, by name and in order."""
    found: dict[str, Given] = _GIVEN.get(kind, {})
    if not found:
        for declared in fields(kind):
            given = declared.metadata.get("given")
            if given is not None:
                found[declared.name] = _named(given, declared.name)
        _GIVEN[kind] = found
    return found


_GIVEN: dict[type[Any], dict[str, Given]] = {}


def _named(given: Given, name: str) -> Given:
    values = {slot: getattr(given, slot) for slot in Given.__slots__}
    return Given(**{**values, "name": name})


class Question(Protocol):
    """What every declared question has."""

    spec: ClassVar[Spec]

    def answer(self) -> Answer:
        """The answer, or an ArpadError."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Spec:
    """A question's name, what it needs, how much work it may be, and examples that can be run."""

    name: str
    kind: type[Any]
    needs: tuple[str, ...] = ()  # `a|b`: one of them is enough
    waits: tuple[str, ...] = ()  # what a form waits for, though some systems answer without it
    examples: tuple[Mapping[str, Any], ...] = ()
    slow: bool = False  # even a short question may take long to answer
    tool: bool = False  # assistants may ask it
    looks_up: bool = False  # it reads the rating lists from disk
    # The most work a server takes on. At the command there is no limit: it is the user's own machine.
    most_values: int = MOST  # games and other values in all fields together
    most_results: int = MOST_RESULTS  # of a tournament
    path: str = ""  # its address below the root of the API, if not the usual one
    doors: frozenset[str] = DOORS
    why: str = ""  # why it is not at every door

    def __post_init__(self) -> None:
        if (self.doors == DOORS) == bool(self.why):
            raise TypeError(f"{self.name}: a question that is not at every door says why, and no other does")

    @property
    def fields(self) -> dict[str, Given]:
        """The fields by name."""
        return given_fields(self.kind)

    @property
    def answer_type(self) -> Any:
        """The type of its answer."""
        return get_type_hints(self.kind.answer)["return"]

    def fields_at(self, door: str) -> dict[str, Given]:
        """The fields available at a door."""
        return {name: given for name, given in self.fields.items() if door in given.doors}


QUESTIONS: dict[str, Spec] = {}
K = TypeVar("K", bound=type[Any])


def question(name: str, **settings: Any) -> Callable[[K], K]:
    """Declare a question under a name."""

    def declare(kind: K) -> K:
        spec = Spec(name=name, kind=kind, **settings)
        kind.spec = spec
        QUESTIONS[name] = spec
        return kind

    return declare


def missing(spec: Spec, given: Mapping[str, Any], *, in_form: bool = False) -> Sequence[str] | None:
    """The first unmet need, as names of which one is enough; None if nothing is missing."""
    for need in (*spec.needs, *(spec.waits if in_form else ())):
        names = need.split("|")
        if not any(given.get(name) for name in names):
            return names
    return None
