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
from arpad.messages import Message

if TYPE_CHECKING:
    from arpad.calculation.answer import Answer
    from arpad.calculation.step import Step
    from arpad.errors import ArpadError
    from arpad.rulebooks import Rule


HUNDREDTH = Decimal("0.01")
MOST_DIGITS = Context(prec=13)  # for inexact values: further digits depend on the machine's C library
MOST_ROWS = 20  # in an answer, a longer table is replaced by its number of rows


def success(answer: Answer) -> dict[str, Any]:
    """The JSON reply with an answer."""
    steps = list(walk(*answer.trail))
    place = {id(step): number for number, step in enumerate(steps)}
    return {
        "ok": True,
        "value": value_of(answer),
        "steps": [_step(step, place) for step in steps],
        "rules": [_quoted(rule) for rule in answer.clauses_of(steps)],
        "notes": [str(note) for note in answer.notes],
    }


def listing(rules: Sequence[Rule[object]], **value: object) -> dict[str, Any]:
    """The JSON reply with something looked up rather than calculated."""
    return {"ok": True, "value": to_json(value), "steps": [], "rules": [rule_value(rule) for rule in rules]}


def failure(error: ArpadError) -> dict[str, Any]:
    """The JSON reply with an error."""
    return {"ok": False, "error": error.message, "at": error.at}


def value_of(noun: object) -> dict[str, Any]:
    """A dataclass by its public fields."""
    return {
        key: exact(getattr(noun, name)) if is_exact else to_json(getattr(noun, name))
        for name, key, is_exact in public_fields(type(noun))
    }


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
    """The public fields of a dataclass and their types: first the stored ones, then the derived ones."""
    hints = get_type_hints(kind, include_extras=True)
    found = {item.name: hints[item.name] for item in fields(kind) if not item.metadata.get("hidden")}
    for base in reversed(kind.__mro__):
        for name, member in vars(base).items():
            if type(member).__name__ == "derived":
                found[name] = get_type_hints(member.func, include_extras=True)["return"]
    return found


def _is_exact(hint: Any) -> bool:
    """Whether a type is an exact decimal, optional or not."""
    if get_origin(hint) is Annotated:
        return "exact" in hint.__metadata__
    return any(_is_exact(inner) for inner in get_args(hint) if get_origin(inner) is Annotated)


def to_json(value: Any) -> Any:
    """A value as JSON can hold it."""
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        return _shortened(value)
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(_shortened(value))
    if isinstance(value, date | Message | Reason):
        return str(value)
    if is_dataclass(value):
        return value_of(value)
    if hasattr(value, "_fields"):
        return {name: to_json(inner) for name, inner in value._asdict().items() if inner is not None}
    if isinstance(value, Mapping):
        return {str(name): to_json(inner) for name, inner in value.items()}
    if isinstance(value, frozenset | set):
        return sorted(to_json(inner) for inner in value)
    return [to_json(inner) for inner in value]


def _shortened(value: Any) -> Any:
    """A number without its meaningless digits; anything else unchanged."""
    if isinstance(value, float):
        return float(f"{value:.{MOST_DIGITS.prec}g}")
    return MOST_DIGITS.plus(value) if isinstance(value, Decimal) else value


def exact(number: Decimal | None) -> str | None:
    """An exact decimal as text, with at least two decimal places."""
    if number is None:
        return None
    text = f"{number:f}"
    return text if len(text.partition(".")[2]) > 1 else str(number.quantize(HUNDREDTH))


def rule_value(rule: Rule[object]) -> dict[str, Any]:
    """A rule as JSON, with the public field names."""
    return {
        "name": rule.name,
        "value": rule_json(rule.value),
        "since": rule.since.isoformat(),
        "article": rule.article,
        "says": rule.says,
        "sure": rule.sure,
        "reading": rule.reading,
    }


def rule_json(value: Any) -> Any:
    """A rule's value as JSON; decimals become strings, so that they stay as the regulation writes them."""
    if isinstance(value, Decimal | date):
        return str(value)
    if hasattr(value, "_fields"):
        return {name: rule_json(inner) for name, inner in value._asdict().items() if inner is not None}
    if isinstance(value, Mapping):
        return {str(name): rule_json(inner) for name, inner in value.items()}
    if isinstance(value, frozenset):
        return sorted(rule_json(inner) for inner in value)
    return [rule_json(inner) for inner in value] if isinstance(value, list | tuple) else value


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
        "value": rule_json(_shortened(step.value)),
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
            return self._any_of([self._component(each) for each in (kind, *_subclasses(kind))])
        raise TypeError(f"{kind!r} has no JSON schema")

    def _composed(self, kind: Any, origin: Any, inner: tuple[Any, ...]) -> Schema:
        """The schema of a type with parameters: a union, a literal, a tuple, a mapping or a list."""
        if origin is Annotated:
            return EXACT if "exact" in kind.__metadata__ else self.of(inner[0])
        if origin in (Union, UnionType):
            return self._any_of([self.of(member) for member in inner])
        if origin is Literal:
            return {"enum": list(inner)}
        if origin is tuple and inner[-1] is not Ellipsis:
            size = len(inner)
            return {"type": "array", "prefixItems": list(map(self.of, inner)), "minItems": size, "maxItems": size}
        if origin in (dict, Mapping):
            return {"type": "object", "additionalProperties": self.of(inner[1])}
        return {"type": "array", "items": self.of(inner[0])}

    def _component(self, kind: Any) -> Schema:
        name = kind.__name__
        if name not in self.components:
            self.components[name] = {}  # so that a type may refer to itself
            types = {json_name(kind, field): hint for field, hint in field_types(kind).items()}
            self.components[name] = {
                "type": "object",
                "description": (kind.__doc__ or "").strip().partition("\n")[0],
                "properties": {field: self.of(hint) for field, hint in types.items()},
                "required": list(types),
                "additionalProperties": False,
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
        return {"anyOf": distinct}


def _subclasses(kind: type[Any]) -> list[type[Any]]:
    """All subclasses of a class, direct and indirect."""
    found = []
    for subclass in kind.__subclasses__():
        found += [subclass, *_subclasses(subclass)]
    return found
