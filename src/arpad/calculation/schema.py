"""The JSON Schema of answers, derived from their types, so that it matches what the serialiser writes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import is_dataclass
from datetime import date
from decimal import Decimal
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from arpad.calculation.reasons import Reason
from arpad.calculation.serialise import field_types, json_name
from arpad.messages import Message

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
        """The schema of a type; a dataclass becomes a component, and a reference to it."""
        if kind in PLAIN:
            return PLAIN[kind]
        if get_origin(kind) is not None:
            return self._composed(kind, get_origin(kind), get_args(kind))
        if isinstance(kind, type) and issubclass(kind, Message | Reason):
            return {"type": "string"}
        if is_dataclass(kind):
            return self._object(kind)
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

    def _object(self, kind: Any) -> Schema:
        """A dataclass or any of its subclasses."""
        kinds = [kind, *_subclasses(kind)]
        return self._any_of([self._component(each) for each in kinds])

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
