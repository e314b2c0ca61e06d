"""The OpenAPI document, made from the declared questions and the types of their answers."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from arpad import __version__
from arpad.calculation.serialise import Schema, Schemas
from arpad.messages import entry, section
from arpad.questions import FoundPlayer, given_fields, questions_at
from arpad.questions.declare import field_help
from arpad.questions.read import NO, YES
from arpad.questions.rules import rulebook_names
from arpad.reading.pasted import Paste
from arpad.systems import system, system_names
from arpad.web.api import MOST_AT_ONCE, ROOT, methods_of, path_of

if TYPE_CHECKING:
    from arpad.questions import Given, Spec


def _words(key: str) -> str:
    """A description in the document, which is in English like its names."""
    return entry("en", f"web.openapi.{key}")


TEXT: Schema = {"type": "string"}
ONE: Schema = {"type": ["string", "number", "null"]}
WORDS: Schema = {"enum": ["", *YES, *NO]}  # upper or lower case; an empty text counts as none, as everywhere
FLAG: Schema = {"anyOf": [{"type": "boolean"}, WORDS]}
FLAG_IN_JSON: Schema = {"anyOf": [{"type": ["boolean", "null"]}, WORDS, {"enum": [0, 1]}]}
SEVERAL: Schema = {"type": ["array", "string", "number", "null"], "items": {"type": ["string", "number"]}}
ANY_JSON: Schema = {}
STEP: Schema = {
    "type": "object",
    "description": _words("step"),
    "properties": {
        "key": TEXT,
        "kind": {"enum": ["known", "ruled", "found"]},
        "label": TEXT,
        "value": ANY_JSON,
        "figures": TEXT,
        "says": TEXT,
        "article": {"type": ["string", "null"]},
        "from": {"type": "array", "items": {"type": "integer"}, "description": _words("from")},
    },
    "required": ["key", "kind", "label", "value", "figures", "says", "article", "from"],
    "additionalProperties": False,
}
RULE: Schema = {
    "type": "object",
    "description": _words("rule"),
    "properties": {
        "name": TEXT,
        "value": ANY_JSON,
        "since": {"type": "string", "format": "date"},
        "article": TEXT,
        "says": TEXT,
        "sure": {"enum": ["confirmed", "inferred", "disputed"]},
        "reading": {"type": ["string", "null"]},
    },
    "required": ["name", "value", "since", "article", "says", "sure", "reading"],
    "additionalProperties": False,
}
REFUSAL: Schema = {
    "type": "object",
    "description": _words("refusal"),
    "properties": {"ok": {"const": False}, "error": TEXT, "at": {"type": ["string", "null"]}},
    "required": ["ok", "error", "at"],
    "additionalProperties": False,
}
PROBLEM: Schema = {
    "type": "object",
    "description": _words("problem"),
    "properties": {
        **REFUSAL["properties"],
        "type": TEXT,
        "title": TEXT,
        "status": {"type": "integer"},
        "detail": TEXT,
    },
    "required": [*REFUSAL["required"], "type", "title", "status", "detail"],
    "additionalProperties": False,
}
STATUSES = ("404", "413", "422", "503")


@cache
def document() -> Schema:
    """The whole document."""
    for name in system_names():
        system(name)  # imports its module, which may extend the answers of others
    schemas = Schemas()
    schemas.components.update(Step=STEP, Rule=RULE, Refusal=REFUSAL, Problem=PROBLEM)
    specs = questions_at("api")
    paths = {f"{ROOT}{path_of(spec)}": _operations(spec, schemas) for spec in specs.values()}
    paths[f"{ROOT}/batch"] = {"post": _batch()}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Arpad", "version": __version__, "summary": entry("en", "command.about")},
        "paths": paths,
        "components": {"schemas": dict(sorted(schemas.components.items()))},
    }


def _operations(spec: Spec, schemas: Schemas) -> Schema:
    """The operations of a question: by query if possible, and by body."""
    summary = section("en", "questions.about")[spec.name]
    replies = responses(schemas.of(spec.answer_type), schemas)
    in_path = [name for name in spec.fields if f"{{{name}}}" in path_of(spec)]
    fixed = [_path_parameter(spec, name) for name in in_path]
    asked = {name: given for name, given in spec.fields_at("api").items() if name not in in_path}
    query = [_parameter(given, spec.name) for given in asked.values() if given.nested is None]
    return {
        **(
            {"get": _operation(spec, "get", summary, replies, parameters=[*fixed, *query])}
            if "GET" in methods_of(spec)
            else {}
        ),
        "post": {
            **_operation(spec, "post", summary, replies, parameters=fixed),
            "requestBody": {
                "required": True,
                "content": {"application/json": {"schema": body_schema(spec, asked), "example": _example(spec)}},
            },
        },
    }


def _operation(spec: Spec, method: str, summary: str, replies: Schema, *, parameters: list[Schema]) -> Schema:
    return {
        "operationId": f"{spec.name.replace(' ', '_')}_{method}",
        "summary": summary,
        "parameters": parameters,
        "responses": replies,
    }


def _path_parameter(spec: Spec, name: str) -> Schema:
    """A field that is part of the address: the system, or a player's ID."""
    schema = system_schema(spec) if name == "system" else TEXT
    example = {} if name == "system" else {"example": spec.fields[name].example}
    return {
        "name": name,
        "in": "path",
        "required": True,
        "description": field_help(name, spec.name),
        "schema": schema,
        **example,
    }


def system_schema(spec: Spec) -> Schema:
    """The names of the systems a question can be about."""
    return {"type": "string", "enum": rulebook_names() if spec.name == "rules" else system_names()}


def _parameter(given: Given, question: str) -> Schema:
    """A field of the query; one that takes several values is repeated."""
    schema: Schema = {"type": "array", "items": TEXT} if given.many else FLAG if given.flag else TEXT
    word = True if given.flag else given.example
    example = {"example": [word] if given.many else word} if word else {}
    return {
        "name": given.name,
        "in": "query",
        "required": False,
        "description": field_help(given.name, question),
        "schema": schema,
        **example,
    }


def body_schema(spec: Spec, fields: dict[str, Given]) -> Schema:
    """The fields of the JSON body."""
    needed = [need for need in spec.needs if "|" not in need and need in fields]
    return {
        "type": "object",
        "properties": {name: _field(given, spec.name) for name, given in fields.items()},
        **({"required": needed} if needed else {}),
        "additionalProperties": False,
    }


def _field(given: Given, question: str) -> Schema:
    if given.nested is not None:
        fields = given_fields(given.nested)
        inner = {name: _field(inner_field, f"in_{given.name}") for name, inner_field in fields.items()}
        needed = [name for name, inner_field in fields.items() if inner_field.needed]
        items = {
            "type": "object",
            "properties": inner,
            **({"required": needed} if needed else {}),
            "additionalProperties": False,
        }
        return {"type": ["array", "null"], "items": items, "description": field_help(given.name, question)}
    schema = SEVERAL if given.many else FLAG_IN_JSON if given.flag else ONE
    return {**schema, "description": field_help(given.name, question)}


def _example(spec: Spec) -> Schema:
    """The first example, with only the fields that the API takes."""
    example = dict(spec.examples[0])
    example.pop("system", None)
    return {name: value for name, value in example.items() if "api" in spec.fields[name].doors}


def responses(value: Schema, schemas: Schemas) -> Schema:
    """A successful reply with a value of this schema, and the errors."""
    good = {
        "type": "object",
        "properties": {
            "ok": {"const": True},
            "value": value,
            "steps": {"type": "array", "items": {"$ref": "#/components/schemas/Step"}},
            "rules": {"type": "array", "items": {"$ref": "#/components/schemas/Rule"}},
            "notes": {"type": "array", "items": TEXT},
            "people": {"type": "array", "items": schemas.of(FoundPlayer)},
            "reading": schemas.of(Paste),
        },
        "required": ["ok", "value", "steps", "rules", "notes", "people"],
        "additionalProperties": False,
    }
    return {
        "200": {"description": _words("200"), "content": {"application/json": {"schema": good}}},
        **_refusals(),
    }


def _refusals() -> Schema:
    forms = {"application/json": "Refusal", "application/problem+json": "Problem"}
    content = {kind: {"schema": {"$ref": f"#/components/schemas/{name}"}} for kind, name in forms.items()}
    return {status: {"description": _words(status), "content": content} for status in STATUSES}


def _batch() -> Schema:
    """The operation for several questions at once, each with its own answer or error."""
    asked = {
        "type": "object",
        "properties": {"question": {"enum": list(questions_at("api"))}},
        "required": ["question"],
    }
    body = {
        "type": "object",
        "properties": {"questions": {"type": "array", "items": {"anyOf": [asked, {}]}, "maxItems": MOST_AT_ONCE}},
        "required": ["questions"],
        "additionalProperties": False,
    }
    answer = {"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]}
    good = {
        "type": "object",
        "properties": {"ok": {"const": True}, "answers": {"type": "array", "items": answer}},
        "required": ["ok", "answers"],
        "additionalProperties": False,
    }
    example = {"questions": [{"question": "expect", "rating": 1500, "opponent": 1700}]}
    return {
        "operationId": "batch_post",
        "summary": entry("en", "web.batch"),
        "requestBody": {"required": True, "content": {"application/json": {"schema": body, "example": example}}},
        "responses": {
            "200": {"description": _words("200"), "content": {"application/json": {"schema": good}}},
            **_refusals(),
        },
    }
