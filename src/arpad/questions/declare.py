"""How a question is declared: one frozen dataclass, whose fields say how they are read, and at which doors.

    @question("expect", needs=("rating", "opponent"), examples=({"rating": 1500, "opponent": 1700},))
    @dataclass(frozen=True, kw_only=True)
    class Expect(PlayerFields, RuleFields):
        '''One game before it is played.'''

        opponent: Player = required(somebody, example="1700", word=True)

        def answer(self) -> Expectation: ...

The command's options, help and completion, the query and body of the API, the fields of the form, the OpenAPI document
and the reference pages are made from it. The words are in `messages/en/fields.txt` and `questions.txt`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import date
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, TypeVar, cast, get_type_hints

from arpad.messages import say, section, voice

if TYPE_CHECKING:
    from arpad.calculation.answer import Answer
    from arpad.questions.people import People

T = TypeVar("T")
DOORS = frozenset({"command", "api", "page"})
NO_PAGE: Mapping[str, Any] = {"doors": DOORS - {"page"}, "why": "it has no page yet"}
IN_REPORT: Mapping[str, Any] = {"doors": DOORS - {"page"}, "why": "the report of the tournament page has it"}
LONGEST = 200  # characters of one text: longer ones are no rating, game, date or name
MOST = 1000  # values of a field that takes several
MOST_RESULTS = 50_000  # players times rounds: what is worked out in some seconds


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
    nested: type[Any] | None = None  # the declared fields of each, where it takes several of a kind
    needed: bool = False
    default: object = None
    word: bool = False  # at the command it is given without an option
    option: str = ""  # the command's name for it, where it differs
    split: Callable[[Sequence[str]], Sequence[str]] | None = None  # several values in one text, taken apart
    takes: int | None = 1  # words behind its option at the command; None: all up to the next option
    group: str = "question"
    longest: int = LONGEST
    as_it_is: bool = False  # blanks around a text belong to it
    most: int = MOST
    instead_of: str = ""  # the field whose place it takes; the two cannot be given together
    systems: tuple[str, ...] = ()  # the systems that use it; all, if none is named
    doors: frozenset[str] = DOORS
    why: str = ""  # why it is not at every door
    expand: Callable[[Sequence[str]], Mapping[str, Any]] | None = None  # files that hold fields, turned into them

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
    """Several of a kind with fields of their own, such as events."""
    return cast("tuple[T, ...]", _declared(Given(nested=kind, many=True, **how), default=()))


def field_help(name: str, owner: str = "") -> str:
    """What a field means, in the words of the door; `owner` is a question whose field means something special."""
    own = f"{owner.replace(' ', '_')}.{name}"
    special = own in section(voice().language, "fields.help")
    return str(say(f"fields.help.{own if special else name}"))


def of_other_questions(name: str, known: Mapping[str, Given]) -> bool:
    """Whether a field that this question does not have is one of others, and no typo in the number: `games`."""
    singular, plural = name.removesuffix("s"), f"{name}s"
    return name in section(voice().language, "fields.help") and singular not in known and plural not in known


def given_fields(kind: type[Any]) -> dict[str, Given]:
    """The fields of a question, or of what is nested in one, by name and in their order."""
    found: dict[str, Given] = _GIVEN.get(kind, {})
    if not found:
        for one in fields(kind):
            given = one.metadata.get("given")
            if given is not None:
                found[one.name] = _named(given, one.name)
        _GIVEN[kind] = found
    return found


_GIVEN: dict[type[Any], dict[str, Given]] = {}


def _named(given: Given, name: str) -> Given:
    values = {one: getattr(given, one) for one in Given.__slots__}
    return Given(**{**values, "name": name})


class Question(Protocol):
    """What a declared question has."""

    spec: ClassVar[Spec]

    def answer(self) -> Answer:
        """The answer, or an ArpadError."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Spec:
    """A question's name, what it cannot do without, and examples that are answered."""

    name: str
    kind: type[Any]
    needs: tuple[str, ...] = ()  # `a|b`: either
    waits: tuple[str, ...] = ()  # what a form waits for, although some system answers without it
    examples: tuple[Mapping[str, Any], ...] = ()
    slow: bool = False  # a short question may take long to answer
    tool: bool = False  # assistants may ask it
    looks_up: bool = False  # it asks the rating lists, which are on a disk
    # The largest work that a server takes on; at the command, on a machine of one's own, it may take its time.
    most_values: int = MOST  # games and others in all fields together
    most_results: int = MOST_RESULTS  # of a tournament
    path: str = ""  # its address below the root of the API, where it is not the usual one
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
        """The fields that a door has."""
        return {name: one for name, one in self.fields.items() if door in one.doors}


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
    """The first need that nothing was given for, as the names of which one is enough; None if all are there."""
    for need in (*spec.needs, *(spec.waits if in_form else ())):
        names = need.split("|")
        if not any(given.get(name) for name in names):
            return names
    return None
