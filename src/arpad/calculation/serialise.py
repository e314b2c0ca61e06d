"""Answers as JSON: one serialiser for every answer, one shape for every reply, and the schemas of both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date
from decimal import Context, Decimal
from functools import lru_cache
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from arpad.calculation.explain import Reason, figures, label, sentence
from arpad.calculation.step import walk
from arpad.core.numbers import decimal
from arpad.messages import Message, entry, subject_texts

if TYPE_CHECKING:
    from arpad.calculation.answer import Answer
    from arpad.calculation.step import Step
    from arpad.errors import ArpadError
    from arpad.rulebooks import Rule


HUNDREDTH = Decimal("0.01")
MOST_DIGITS = Context(prec=13)  # for inexact values: further digits depend on the machine's C library
NOISE = Decimal("1E-20")  # what is smaller was left by rounding, where a sum is zero
# The steps whose value is a change of rating, which is an exact decimal as text, as in the answers (`Exact`).
CHANGES = frozenset(
    ("change", "event", "game", "if.draw", "if.loss", "if.win", "inflation", "outcome.change", "player.change")
)
AS_THEY_ARE = frozenset((NoneType, str, bool, int))  # types that JSON has
MOST_ROWS = 20  # in an answer, a longer table is replaced by its number of rows


def success(answer: Answer, *, steps: bool = True) -> dict[str, Any]:
    """The JSON reply with an answer, with or without its steps; the rules it applies are always quoted."""
    taken = list(walk(*answer.trail))
    place = {id(step): number for number, step in enumerate(taken)}
    return {
        "ok": True,
        "value": value_of(answer),
        **({"steps": [_step(step, place) for step in taken]} if steps else {}),
        "rules": [{**_quoted(rule), "says": str(rule.says)} for rule in answer.clauses_of(taken)],
        "notes": [str(note) for note in answer.notes],
    }


def listing(kind: str, rules: Sequence[Rule[object]], **value: object) -> dict[str, Any]:
    """The JSON reply of a command that is not a question; `kind` names what it did."""
    whole = {"kind": kind, **to_json(value)}
    return {"ok": True, "value": whole, "steps": [], "rules": [rule_value(rule) for rule in rules]}


def failure(error: ArpadError) -> dict[str, Any]:
    """The JSON reply with an error."""
    return {"ok": False, "code": error.code, "error": error.message, "at": error.at}


def value_of(noun: object) -> dict[str, Any]:
    """A dataclass by its public fields."""
    found = {}
    for name, key, is_exact in public_fields(type(noun)):
        value = getattr(noun, name)
        found[key] = exact(value) if is_exact else value if type(value) in AS_THEY_ARE else to_json(value)
    return found


def public_fields(kind: type[Any]) -> tuple[tuple[str, str, bool], ...]:
    """The public fields of a dataclass: name, name in JSON, and whether it is an exact decimal."""
    if kind not in _PUBLIC:
        types = field_types(kind)
        _PUBLIC[kind] = tuple((name, json_name(kind, name), _is_exact(hint)) for name, hint in types.items())
    return _PUBLIC[kind]


_PUBLIC: dict[type[Any], tuple[tuple[str, str, bool], ...]] = {}  # by class, so that each is found once


def json_name(kind: type[Any], name: str) -> str:
    """What a field is called in JSON: its name, unless the kind's `json_names` says otherwise."""
    names: Mapping[str, str] = getattr(kind, "json_names", {})
    return names.get(name, name)


def field_types(kind: type[Any]) -> dict[str, Any]:
    """The public fields of a dataclass and their types: first the stored ones, then the derived ones.

    An answer begins with the name of its type, `kind`.
    """
    hints = get_type_hints(kind, include_extras=True)
    found = {"kind": Literal[kind.__name__]} if _is_answer(kind) else {}
    found |= {item.name: hints[item.name] for item in fields(kind) if not item.metadata.get("hidden")}
    for base in reversed(kind.__mro__):
        for name, member in vars(base).items():
            if type(member).__name__ == "derived":
                found[name] = get_type_hints(member.func, include_extras=True)["return"]
    return found


def _is_answer(kind: type[Any]) -> bool:
    """Whether a type is an answer; what an answer consists of has no `kind`, or one with a meaning of its own."""
    return isinstance(getattr(kind, "kind", None), property)


def _is_exact(hint: Any) -> bool:
    """Whether a type is an exact decimal, optional or not."""
    if get_origin(hint) is Annotated:
        return "exact" in hint.__metadata__
    return any(_is_exact(inner) for inner in get_args(hint) if get_origin(inner) is Annotated)


def to_json(value: Any) -> Any:
    """A value as JSON can hold it."""
    kind = type(value)
    if kind in AS_THEY_ARE:
        return value
    if kind is tuple or kind is list:
        return [to_json(inner) for inner in value]
    if kind in _PUBLIC:  # the usual types first, because each answer asks dozens of times
        return value_of(value)
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(MOST_DIGITS.plus(value))
    if isinstance(value, (date, Message, Reason)):
        return str(value)
    if isinstance(value, float):
        return int(value) if value.is_integer() else float(f"{value:.{MOST_DIGITS.prec}g}")
    return _rarely(value)


def _rarely(value: Any) -> Any:
    """A value of a type that few answers have."""
    if isinstance(value, (str, int)):
        return value
    if is_dataclass(value):
        return value_of(value)
    if hasattr(value, "_fields"):
        return {name: to_json(inner) for name, inner in value._asdict().items() if inner is not None}
    if isinstance(value, Mapping):
        return {str(name): to_json(inner) for name, inner in value.items()}
    if isinstance(value, frozenset | set):
        return sorted(to_json(inner) for inner in value)
    return [to_json(inner) for inner in value]


def exact(number: Decimal | None) -> str | None:
    """An exact decimal as text, with at least two decimal places; an inexact one has no meaningless digits."""
    if number is None:
        return None
    if abs(number) < NOISE:
        return "0.00"
    text = f"{MOST_DIGITS.plus(number):f}"
    return text if len(text.partition(".")[2]) > 1 else str(number.quantize(HUNDREDTH))


def rule_value(rule: Rule[object]) -> dict[str, Any]:
    """A rule as JSON, with the public field names."""
    return {
        "name": rule.name,
        "value": to_json(rule.value),
        "since": rule.since.isoformat(),
        "article": rule.article,
        "says": str(rule.says),
        "sure": rule.sure,
        "reading": rule.reading,
    }


@lru_cache(maxsize=1024)  # every answer quotes the same few rules
def _quoted(rule: Rule[object]) -> dict[str, Any]:
    """A rule as shown with an answer: a long table is replaced by its number of rows."""
    quoted = rule_value(rule)
    value = quoted["value"]
    many = isinstance(value, list | dict) and len(value) > MOST_ROWS
    return {**quoted, "value": f"{len(value)} rows"} if many else quoted


def _step(step: Step, place: Mapping[int, int]) -> dict[str, Any]:
    return {
        "key": step.key,
        "kind": step.kind,
        "label": label(step),
        "value": exact(decimal(step.value)) if step.key in CHANGES else to_json(step.value),
        "figures": figures(step),
        "says": sentence(step),
        "article": None if step.rule is None else step.rule.article,
        "from": [place[id(reason)] for reason in step.reasons()],
    }


Schema = dict[str, Any]
EXACT: Schema = {"type": "string", "format": "decimal"}
PLAIN: Mapping[Any, Schema] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    Decimal: {"type": "number"},
    NoneType: {"type": "null"},
    date: {"type": "string", "format": "date"},
    Any: {},
}


class Schemas:
    """Schemas by name, as an OpenAPI document collects them."""

    def __init__(self) -> None:
        self.components: dict[str, Schema] = {}

    def of(self, kind: object) -> Schema:
        """The schema of a type; a dataclass and its subclasses become components, and references to them."""
        if kind in PLAIN:
            return PLAIN[kind]
        if get_origin(kind) is not None:
            return self._composed(kind, get_origin(kind), get_args(kind))
        if isinstance(kind, type) and issubclass(kind, Message | Reason):
            return {"type": "string"}
        if isinstance(kind, type) and is_dataclass(kind):
            several = (kind, *_subclasses(kind)) if _is_answer(kind) else (kind,)
            return self._any_of([self._component(each) for each in several])
        raise TypeError(f"{kind!r} has no JSON schema")

    def _composed(self, kind: Any, origin: Any, inner: tuple[Any, ...]) -> Schema:
        """The schema of a type with parameters: a union, a literal, a tuple, a mapping or a list."""
        if origin is Annotated:
            return self._annotated(inner[0], kind.__metadata__[0])
        if origin in (Union, UnionType):
            return self._any_of([self.of(member) for member in inner])
        if origin is Literal:
            return {"type": "string", "const": inner[0]} if len(inner) == 1 else {"type": "string", "enum": list(inner)}
        if origin is tuple and inner[-1] is not Ellipsis:
            size = len(inner)
            return {"type": "array", "prefixItems": list(map(self.of, inner)), "minItems": size, "maxItems": size}
        if origin in (dict, Mapping):
            return {"type": "object", "additionalProperties": self.of(inner[1])}
        return {"type": "array", "items": self.of(inner[0])}

    def _annotated(self, kind: Any, said: object) -> Schema:
        """The schema of a type that says more than its name: an exact decimal, or a text with its few values."""
        if said == "exact":
            return EXACT
        return {"type": "string", "enum": list(said)} if isinstance(said, tuple) else self.of(kind)

    def _component(self, kind: Any) -> Schema:
        name = kind.__name__
        if name not in self.components:
            self.components[name] = {}  # so that a type may refer to itself
            types = {json_name(kind, field): hint for field, hint in field_types(kind).items()}
            self.components[name] = {
                "type": "object",
                "description": (kind.__doc__ or "").strip().partition("\n")[0],
                "properties": {field: described(self.of(hint), name, field) for field, hint in types.items()},
                "required": list(types),
            }
        return {"$ref": f"#/components/schemas/{name}"}

    @staticmethod
    def _any_of(schemas: list[Schema]) -> Schema:
        """One of several; plain types are joined: `["string", "null"]`."""
        distinct = [schema for place, schema in enumerate(schemas) if schema not in schemas[:place]]
        if len(distinct) == 1:
            return distinct[0]
        if all(set(schema) == {"type"} and isinstance(schema["type"], str) for schema in distinct):
            names = [schema["type"] for schema in distinct]
            return {"type": [name for name in names if name != "integer" or "number" not in names]}
        references = [schema for schema in distinct if "$ref" in schema]
        if len(references) == len(distinct):
            return one_of_kinds(references)
        return {"anyOf": distinct}


def described(schema: Schema, owner: str, field: str) -> Schema:
    """The schema of a field with what it means, in the words of the documentation."""
    says = property_help(owner, field)
    return {**schema, "description": says} if says else schema


def property_help(owner: str, field: str) -> str:
    """What a field of an answer means, which may be special to one answer; empty for a user's own answers."""
    texts = subject_texts("en", "properties")
    key = next((key for key in (f"{owner}.{field}", field) if key in texts), None)
    return "" if key is None else entry("en", f"properties.{key}")


def one_of_kinds(references: Sequence[Schema]) -> Schema:
    """One of several answers, which `kind` tells apart."""
    names = {reference["$ref"].rpartition("/")[2]: reference["$ref"] for reference in references}
    return {"oneOf": list(references), "discriminator": {"propertyName": "kind", "mapping": names}}


def _subclasses(kind: type[Any]) -> list[type[Any]]:
    """All subclasses of a class, direct and indirect."""
    found = []
    for subclass in kind.__subclasses__():
        found += [subclass, *_subclasses(subclass)]
    return found
