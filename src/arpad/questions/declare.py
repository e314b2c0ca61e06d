"""How a question is declared: a frozen dataclass whose fields say how they are read and which doors have them.

    @question("expect", needs=("rating", "opponent"), examples=({"rating": 1500, "opponent": 1700},))
    @dataclass(frozen=True, kw_only=True)
    class Expect(RuleFields, PersonFields):
        '''One game before it is played.'''

        opponent: Player = required(readers.opponent, example="1700", word=True)

        def answer(self) -> Expectation: ...

The command's options, help and completion, the query and body of the API, the fields of the form, the OpenAPI document
and the reference pages are all made from it. The words are in `messages/en/fields.txt` and `questions.txt`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from datetime import date
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, TypedDict, TypeVar, Unpack, cast, get_type_hints

from arpad.errors import ArpadError, BadInput, UnknownName
from arpad.messages import FieldName, say, section, voice

if TYPE_CHECKING:
    from arpad.calculation.answer import Answer
    from arpad.questions.read import People


class SomeDoors(TypedDict):
    """The doors that have a field or a question which is not at every door, and why."""

    doors: frozenset[str]
    why: str


DOORS = frozenset({"command", "api", "page"})
NO_PAGE: SomeDoors = {"doors": DOORS - {"page"}, "why": "it has no page yet"}
IN_REPORT: SomeDoors = {"doors": DOORS - {"page"}, "why": "the report of the tournament page has it"}
LONGEST = 200  # characters of one text: nothing longer is a rating, a game, a date or a name
NEAREST = 3  # options that the error for an unknown one offers
MOST = 1000  # values of a field that takes several
MOST_RESULTS = 50_000  # players times rounds: what takes a few seconds to work out


class Place(NamedTuple):
    """Where a text was given, and what its reading may depend on: the day, the system, and who can be looked up."""

    at: str
    day: date
    system: str
    people: People


class HasFields(Protocol):
    """A dataclass: a question, or an object nested in one."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]  # as typeshed has it


T = TypeVar("T")
N = TypeVar("N", bound=HasFields)
Reader = Callable[[str, Place], T]
Split = Callable[[Sequence[str]], Sequence[str]]
Expand = Callable[[Sequence[str]], Mapping[str, object]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """How a field is given: its reader, an example, and the doors that have it."""

    name: str = ""
    read: Reader[object] | None = None  # None for a flag and for nested fields
    example: str = ""
    many: bool = False
    flag: bool = False
    nested: type[HasFields] | None = None  # for a field that holds objects: the class that declares their fields
    needed: bool = False
    default: object = None
    word: bool = False  # given without an option at the command
    option: str = ""  # the command's name for it, if different
    split: Split | None = None  # splits one text into several values
    takes: int | None = 1  # words after its option at the command; None: all up to the next option
    group: str = "question"
    longest: int = LONGEST
    as_it_is: bool = False  # keep the blanks around the text
    most: int = MOST
    instead_of: str = ""  # the field it replaces; the two cannot be given together
    only_with: tuple[str, ...] = ()  # it means nothing without one of these; a form may show it all the same
    systems: Sequence[str] = ()  # the systems that use it; all, if none is named
    doors: frozenset[str] = DOORS
    why: str = ""  # why it is not at every door
    expand: Expand | None = None  # reads the fields from files
    choices: tuple[str, ...] = ()  # all its values, if they are few
    as_object: type[HasFields] | None = None  # declares the fields of an object that may be given instead of a text

    def __post_init__(self) -> None:
        if (self.doors == DOORS) == bool(self.why):
            raise TypeError(f"{self.name}: a field that is not at every door says why, and no other does")

    def used_by(self, system: str) -> bool:
        """Whether a system uses it."""
        return not self.systems or system in self.systems


class How(TypedDict, total=False):
    """What a declaration may say about a field, by the names that `Given` has."""

    example: str
    word: bool
    option: str
    split: Split
    takes: int | None
    group: str
    longest: int
    as_it_is: bool
    most: int
    instead_of: str
    only_with: tuple[str, ...]
    systems: Sequence[str]
    doors: frozenset[str]
    why: str
    expand: Expand
    choices: tuple[str, ...]
    as_object: type[HasFields]


def required(read: Reader[T], **how: Unpack[How]) -> T:
    """A field that must be given."""
    return cast("T", field(metadata={"given": Given(read=read, needed=True, **how)}))


def optional(read: Reader[T], **how: Unpack[How]) -> T | None:
    """A field that may be left out."""
    return field(default=None, metadata={"given": Given(read=read, **how)})


def defaulting(read: Reader[T], default: T, **how: Unpack[How]) -> T:
    """A field with a default."""
    return field(default=default, metadata={"given": Given(read=read, default=default, **how)})


def several(read: Reader[T], **how: Unpack[How]) -> tuple[T, ...]:
    """A field that may be given more than once."""
    return field(default=(), metadata={"given": Given(read=read, many=True, **how)})


def flag(**how: Unpack[How]) -> bool:
    """Yes or no; no if it is left out."""
    return field(default=False, metadata={"given": Given(flag=True, default=False, **how)})


def nested(kind: type[N], **how: Unpack[How]) -> tuple[N, ...]:
    """Several objects with fields of their own, such as events."""
    return field(default=(), metadata={"given": Given(nested=kind, many=True, **how)})


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
    return UnknownName(kind, typed, known=known, at=at, meant=usual, nearest=NEAREST if kind == "option" else None)


def given_fields(kind: type[HasFields]) -> dict[str, Given]:
    """The fields of a question, or of an object nested in one, by name and in order."""
    if kind not in _GIVEN:
        given = {one.name: one.metadata["given"] for one in fields(kind) if "given" in one.metadata}
        _GIVEN[kind] = {name: replace(one, name=name) for name, one in given.items()}
    return _GIVEN[kind]


_GIVEN: dict[type[HasFields], dict[str, Given]] = {}
_AT_DOOR: dict[tuple[type[HasFields], str], dict[str, Given]] = {}


class Question(HasFields, Protocol):
    """What every declared question has."""

    spec: ClassVar[Spec]

    def answer(self) -> Answer:
        """The answer, or an ArpadError."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Spec:
    """A question's name, what it needs, how much work it may be, and examples that can be run."""

    name: str
    kind: type[Question]
    needs: tuple[str, ...] = ()  # `a|b`: one of them is enough
    waits: tuple[str, ...] = ()  # what a form waits for, though some systems answer without it
    examples: tuple[Mapping[str, object], ...] = ()
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
        if (self.kind, door) not in _AT_DOOR:
            _AT_DOOR[self.kind, door] = {name: given for name, given in self.fields.items() if door in given.doors}
        return _AT_DOOR[self.kind, door]


class Settings(TypedDict, total=False):
    """What a declaration may say about a question, by the names that `Spec` has."""

    needs: tuple[str, ...]
    waits: tuple[str, ...]
    examples: tuple[Mapping[str, object], ...]
    slow: bool
    tool: bool
    looks_up: bool
    most_values: int
    most_results: int
    path: str
    doors: frozenset[str]
    why: str


QUESTIONS: dict[str, Spec] = {}


def question(name: str, **settings: Unpack[Settings]) -> Callable[[type[N]], type[N]]:
    """Declare a question under a name."""

    def declare(kind: type[N]) -> type[N]:
        asked = cast("type[Question]", kind)  # it is one as soon as it has its specification
        asked.spec = QUESTIONS[name] = Spec(name=name, kind=asked, **settings)
        return kind

    return declare


def missing(spec: Spec, given: Mapping[str, object], *, in_form: bool = False) -> Sequence[str] | None:
    """The first unmet need, as names of which one is enough; None if nothing is missing."""
    for need in (*spec.needs, *(spec.waits if in_form else ())):
        names = need.split("|")
        if not any(given.get(name) for name in names):
            return names
    return None
