"""The OpenAPI document, made from the declared questions and the types of their answers."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING

from arpad import __version__
from arpad.calculation.serialise import Schema, Schemas, described, one_of_kinds
from arpad.errors import CODES, CODES_OF_CLASSES
from arpad.messages import entry, section, speaking
from arpad.questions import HOMES, FoundPlayer, given_fields, missing, questions_at
from arpad.questions.declare import field_help
from arpad.questions.read import NO, YES
from arpad.questions.rules import rulebook_names, rules
from arpad.reading.pasted import Paste
from arpad.rulebooks import SURE
from arpad.systems import system, system_names
from arpad.web.api import (
    FORM,
    MOST_AT_ONCE,
    OCTETS,
    ROOT,
    STEPS,
    ApiIndex,
    answer_of,
    batch_reply,
    index_of,
    methods_of,
    path_of,
)

if TYPE_CHECKING:
    from arpad.questions import Given, Spec
    from arpad.questions.declare import HasFields


def _words(key: str) -> str:
    """A description in the document, which is in English like its names."""
    return entry("en", f"web.openapi.{key}")


TEXT: Schema = {"type": "string"}
MAYBE_TEXT: Schema = {"type": ["string", "null"]}
ONE: Schema = {"type": ["string", "number", "null"]}
WORDS: Schema = {"enum": ["", *YES, *NO]}  # upper or lower case; an empty text counts as none, as everywhere
FLAG: Schema = {"anyOf": [{"type": "boolean"}, WORDS]}
FLAG_IN_JSON: Schema = {"anyOf": [{"type": ["boolean", "null"]}, WORDS, {"enum": [0, 1]}]}
SEVERAL: Schema = {"type": ["array", "string", "number", "null"], "items": {"type": ["string", "number"]}}
ANY_JSON: Schema = {}
PROBLEM_TYPE = "application/problem+json"
# What any address may reply besides its answer.
STATUSES = ("404", "405", "413", "415", "422", "429", "503")
# It has no body; without a content a generator would type it, and so every reply, as anything.
UNCHANGED: Schema = {"description": _words("304"), "content": {"text/plain": {"schema": {"type": "string"}}}}
STEPS_ASKED: Schema = {
    "name": STEPS,
    "in": "query",
    "required": False,
    "description": _words("steps"),
    "schema": FLAG,
    "example": True,
}
# The examples of questions whose own examples are files on the user's machine.
TABLE = (
    "No,Name,Rtg,1.Rd,2.Rd,3.Rd\n1,Ada,1950,2w1,3b1,4w\n2,Ben,1900,1b0,4w½,3b\n"
    "3,Cleo,1850,4b1,1w0,2w\n4,Dan,1800,3w0,2b½,1b\n"
)
TRF = (
    "012 Open\n"
    "022 Lima\n"
    "032 PER\n"
    "042 2026/02/25\n"
    "052 2026/02/25\n"
    "062 2\n"
    "072 2\n"
    "082 0\n"
    "XXR 1\n"
    "001    1      Ada, A                            2450 GER    90001084                          2 w 1\n"
    "001    2      Ben, B                            2440 FRA    90001092                          1 b 0\n"
)  # a tournament file with two players
FILE_EXAMPLE = {"text": TABLE, "file": "open.csv", "on": "2026-11-15"}
BATCH = {"questions": [{"question": "expect", "rating": 1500, "opponent": 1700}]}
SECONDS = 60  # for the answers of the examples; together they take one
SENT_EXAMPLES: dict[str, Schema] = {
    "pupils": {"text": "name,rating,reach,against\nAda,1800,1810,1750 1820 1850"},
    "section": {
        "on": "2026-08-30",
        "players": [
            {"id": "1", "rating": 1500, "games": 30, "results": "2:1"},
            {"id": "2", "rating": 1400, "games": 12, "results": "1:0"},
        ],
    },
    "title": {"title": "IM", "text": [TRF], "id": 90001084},
    "certificate": {**FILE_EXAMPLE, "sheet": "it3"},
    "paste": {"text": "1950 win\n1800 draw"},
}


# What a server says that has the list in docs/examples; these questions alone need one.
KARL = json.loads(
    '{"id": 9900064, "name": "Weissmueller, Karl", "federation": "GER", "sex": "m", "title": null, "w_title": null, '
    '"o_title": null, "foa_title": null, "born": null, "flag": "i", "inactive": ["standard"], '
    '"ratings": {"standard": {"list": "2026-11", "rating": 1950, "games": 0, "k": 20}}}'
)
LISTED_ON = {"system": "fide", "on": "2026-11-01", "list": "fide standard 2026-11"}
LISTED: dict[str, Schema] = {
    "list find": {
        "ok": True,
        "value": {"kind": "PlayersFound", **LISTED_ON, "total": 1, "players": [KARL], "next": None},
        "rules": [],
        "notes": [],
        "people": [],
    },
    "list show": {
        "ok": True,
        "value": {
            "kind": "PlayerPage",
            **LISTED_ON,
            **KARL,
            "next_k": {},
            "history": [{"pace": "standard", **KARL["ratings"]["standard"]}],
        },
        "rules": [],
        "notes": ["From the rating list fide standard 2026-11."],
        "people": [],
    },
}


def _object(name: str, /, **properties: Schema) -> Schema:
    """The schema of an object of the document, all of whose properties are always there."""
    return {
        "type": "object",
        "description": _words(name.lower()),
        "properties": {field: described(schema, name, field) for field, schema in properties.items()},
        "required": list(properties),
    }


def _own_schemas() -> dict[str, Schema]:
    """The parts of replies that are not answers: steps, rules and errors."""
    step = _object(
        "Step",
        key=TEXT,
        kind={"type": "string", "enum": ["known", "ruled", "found"]},
        label=TEXT,
        value=ANY_JSON,
        figures=TEXT,
        says=TEXT,
        article=MAYBE_TEXT,
        **{"from": {"type": "array", "items": {"type": "integer"}}},
    )
    rule = _object(
        "Rule",
        name=TEXT,
        value=ANY_JSON,
        since={"type": "string", "format": "date"},
        article=TEXT,
        says=TEXT,
        sure={"type": "string", "enum": list(SURE)},
        reading=MAYBE_TEXT,
    )
    problem = _object(
        "Problem",
        ok={"type": "boolean", "const": False},
        code={"type": "string", "enum": sorted({*CODES, *CODES_OF_CLASSES.values()})},
        error=TEXT,
        at=MAYBE_TEXT,
        pointer={"type": ["string", "null"], "format": "json-pointer"},
        type={"type": "string", "format": "uri-reference"},
        title=TEXT,
        status={"type": "integer"},
        detail=TEXT,
    )
    return {"Step": step, "Rule": rule, "Problem": problem}


@cache
def document() -> Schema:
    """The whole document."""
    for name in system_names():
        system(name)  # imports its module, which may extend the answers of others
    schemas = Schemas()
    schemas.components.update(_own_schemas())
    specs = questions_at("api")
    paths = {f"{ROOT}{path_of(spec)}": _operations(spec, schemas) for spec in specs.values()}
    paths[ROOT] = {"get": _index(schemas)}
    paths[f"{ROOT}/batch"] = {"post": _batch(schemas)}
    with speaking("en", door="api"):
        examples = {"IndexReply": index_of(""), "BatchReply": json.loads(batch_reply(BATCH["questions"], SECONDS))}
        examples |= {reply_name(spec): _answered(spec) for spec in specs.values()}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Arpad", "version": __version__, "summary": entry("en", "command.about")},
        "tags": [{"name": name, "description": says} for name, says in section("en", "web.openapi.tag").items()],
        "paths": paths,
        "components": {
            "schemas": dict(sorted(schemas.components.items())),
            "examples": {name: {"value": value} for name, value in sorted(examples.items())},
        },
    }


def reply_name(spec: Spec) -> str:
    """The name of the component that describes the reply to a question."""
    return f"{spec.name.title().replace(' ', '')}Reply"


def _answered(spec: Spec) -> Schema:
    """The reply to the example of a question: what anybody gets who sends it."""
    place = {"system": _system_of(spec)} if "{system}" in path_of(spec) else {}
    return LISTED[spec.name] if spec.looks_up else answer_of(spec.name, {**_example(spec), **place})


def _operations(spec: Spec, schemas: Schemas) -> Schema:
    """The operations of a question: by query if possible, and by body."""
    reply = _reply(reply_name(spec), schemas.of(spec.answer_type), schemas)
    in_path = [name for name in spec.fields if f"{{{name}}}" in path_of(spec)]
    fixed = [_path_parameter(spec, name) for name in in_path]
    asked = {name: given for name, given in spec.fields_at("api").items() if name not in in_path}
    query = [*(_parameter(given, spec) for given in asked.values() if given.nested is None), STEPS_ASKED]
    body = {"application/json": {"schema": body_schema(spec, asked), "example": _example(spec)}}
    posted_query: list[Schema] = []
    if "data" in asked:
        body |= _file_bodies(spec, asked)
        posted_query = [{**one, "required": False} for one in query if one["name"] not in ("text", "data")]
    posted = _operation(spec, "post", _responses(reply), parameters=[*fixed, *posted_query])
    posted["requestBody"] = {"required": True, "content": body}
    if "GET" not in methods_of(spec):
        return {"post": posted}
    got = _operation(spec, "get", {"304": UNCHANGED, **_responses(reply)}, [*fixed, *query])
    return {"get": got, "post": posted}


def _file_bodies(spec: Spec, fields: dict[str, Given]) -> Schema:
    """A tournament file in a form with the other fields, or by itself, with the other fields in the query."""
    texts = {
        name: {**_schema(given), "description": field_help(name, spec.name)}
        for name, given in fields.items()
        if name not in ("text", "data", "file") and given.nested is None
    }
    file = {"type": "string", "format": "binary", "description": _words("file")}
    form = {"type": "object", "properties": {"file": file, **texts}, "required": ["file"]}
    beside = {name: value for name, value in _example(spec).items() if name in texts}
    return {
        FORM: {"schema": form, "example": {"file": _example(spec)["text"], **beside}},
        OCTETS: {"schema": {"type": "string", "format": "binary"}, "example": _example(spec)["text"]},
    }


def _operation(spec: Spec, method: str, replies: Schema, parameters: list[Schema]) -> Schema:
    return {
        "operationId": f"{spec.name.replace(' ', '_')}_{method}",
        "tags": [HOMES[spec.name].replace("_", "-")],
        "summary": section("en", "questions.about")[spec.name],
        "parameters": parameters,
        "responses": dict(sorted(replies.items())),
    }


def _path_parameter(spec: Spec, name: str) -> Schema:
    """A field that is part of the address: the system, or a player's ID."""
    example = _system_of(spec) if name == "system" else None
    return {
        "name": name,
        "in": "path",
        "required": True,
        "description": field_help(name, spec.name),
        "schema": system_schema(spec) if name == "system" else TEXT,
        "example": example or spec.fields[name].example,
    }


def _system_of(spec: Spec) -> object:
    """The system that the examples of a question are about."""
    return spec.examples[0].get("system", spec.fields["system"].default)


def system_schema(spec: Spec) -> Schema:
    """The names of the systems a question can be about."""
    return {"type": "string", "enum": rulebook_names() if spec.name == "rules" else system_names()}


def _parameter(given: Given, spec: Spec) -> Schema:
    """A field of the query; one that takes several values is repeated."""
    word = True if given.flag else given.example or _example(spec).get(given.name)
    return {
        "name": given.name,
        "in": "query",
        "required": given.name in _always_needed(spec),
        "description": field_help(given.name, spec.name),
        "schema": _schema(given),
        **({"example": [word] if given.many and not isinstance(word, list) else word} if word else {}),
    }


def _always_needed(spec: Spec) -> list[str]:
    """The fields without which there is no answer; one of several is none of them, but a path is not given here."""
    here = spec.fields_at("api")
    needs = ([name for name in need.split("|") if name in here] for need in spec.needs)
    return [name for names in needs if len(names) == 1 for name in names]


@cache
def _readings() -> tuple[str, ...]:
    """Every reading of a disputed rule in some system, as it is asked for."""
    found = {f"{rule.name}={other}" for name in rulebook_names() for rule in rules(name) for other in rule.others}
    return tuple(sorted(found))


def _choices(given: Given) -> tuple[str, ...]:
    return _readings() if given.name == "reading" else given.choices


def _schema(given: Given) -> Schema:
    """A field of a query or a form, where everything is text; a client may send a number where the example is one."""
    one: Schema = {"type": ["string", "number"]} if given.example.replace(".", "", 1).isdecimal() else TEXT
    if _choices(given):
        one = {"type": "string", "enum": ["", *_choices(given)]}
    return {"type": "array", "items": one} if given.many else FLAG if given.flag else one


def body_schema(spec: Spec, fields: dict[str, Given]) -> Schema:
    """The fields of the JSON body; where a paste may give the rating, it need not be sent."""
    from_paste = {"rating"} if "paste" in fields else set()
    needed = [name for name in _always_needed(spec) if name in fields and name not in from_paste]
    return {
        "type": "object",
        "properties": {
            **{name: _field(given, spec.name) for name, given in fields.items()},
            STEPS: {**FLAG_IN_JSON, "description": _words("steps")},
        },
        **({"required": needed} if needed else {}),
        "additionalProperties": False,
    }


def _field(given: Given, question: str) -> Schema:
    """A field of the JSON body."""
    says = {"description": field_help(given.name, question)}
    if given.nested is not None:
        return {"type": ["array", "null"], "items": _inner(given.nested, f"in_{given.name}"), **says}
    if given.as_object is not None:
        items: Schema = {"anyOf": [{"type": ["string", "number"]}, _inner(given.as_object, f"in_{given.name}")]}
        return {"anyOf": [{"type": "array", "items": items}, ONE], **says}
    if _choices(given):
        one: Schema = {"type": ["string", "null"], "enum": ["", *_choices(given), None]}
        return {"anyOf": [{"type": "array", "items": one}, one], **says} if given.many else {**one, **says}
    return {**(SEVERAL if given.many else FLAG_IN_JSON if given.flag else ONE), **says}


def _inner(kind: type[HasFields], owner: str) -> Schema:
    """An object inside the body, such as an event or a game."""
    fields = given_fields(kind)
    needed = [name for name, given in fields.items() if given.needed]
    return {
        "type": "object",
        "properties": {name: _field(given, owner) for name, given in fields.items()},
        **({"required": needed} if needed else {}),
        "additionalProperties": False,
    }


def _example(spec: Spec) -> Schema:
    """A body that is answered: the question's own example, or the one for whoever sends a file."""
    fields = [name for name in spec.fields_at("api") if f"{{{name}}}" not in path_of(spec)]
    for example in spec.examples:
        body = {name: value for name, value in example.items() if name in fields}
        if missing(spec, example) is None and "path" not in example:
            return body
    sent = SENT_EXAMPLES.get(spec.name, FILE_EXAMPLE)
    return {name: value for name, value in sent.items() if name in fields}


def _reply(name: str, value: Schema, schemas: Schemas, **beside: Schema) -> Schema:
    """A reply with an answer, as a component."""
    properties: Schema = {
        **beside,
        "ok": {"type": "boolean", "const": True},
        "value": value,
        "steps": {"type": "array", "items": {"$ref": "#/components/schemas/Step"}},
        "rules": {"type": "array", "items": {"$ref": "#/components/schemas/Rule"}},
        "notes": {"type": "array", "items": TEXT},
        "people": {"type": "array", "items": schemas.of(FoundPlayer)},
        "reading": schemas.of(Paste),
    }
    schemas.components[name] = {
        "type": "object",
        "description": _words("reply"),
        "properties": {field: described(schema, "Reply", field) for field, schema in properties.items()},
        "required": [field for field in properties if field not in (STEPS, "reading")],
    }
    return {"$ref": f"#/components/schemas/{name}"}


def _responses(reply: Schema) -> Schema:
    """A successful reply, and the errors."""
    problem = {PROBLEM_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    found = {status: {"description": _words(status), "content": problem} for status in STATUSES}
    example = {"$ref": reply["$ref"].replace("/schemas/", "/examples/")}
    good = {"application/json": {"schema": reply, "examples": {"reply": example}}}
    return {"200": {"description": _words("200"), "content": good}, **found}


def _index(schemas: Schemas) -> Schema:
    """The operation that lists all others."""
    properties = {"ok": {"type": "boolean", "const": True}, "value": schemas.of(ApiIndex)}
    schemas.components["IndexReply"] = {
        "type": "object",
        "description": _words("index"),
        "properties": {field: described(schema, "Reply", field) for field, schema in properties.items()},
        "required": list(properties),
    }
    return {
        "operationId": "index_get",
        "tags": ["rules"],
        "summary": _words("index"),
        "parameters": [],
        "responses": {"304": UNCHANGED, **_responses({"$ref": "#/components/schemas/IndexReply"})},
    }


def _batch(schemas: Schemas) -> Schema:
    """The operation for several questions at once, each with its own answer or error."""
    name = {"type": "string", "enum": list(questions_at("api")), "description": _words("question")}
    asked = {
        "type": "object",
        "properties": {"question": name},
        "required": ["question"],
    }
    body = {
        "type": "object",
        "properties": {
            "questions": {
                "type": "array",
                "items": {"anyOf": [asked, {}]},
                "maxItems": MOST_AT_ONCE,
                "description": entry("en", "web.batch"),
            }
        },
        "required": ["questions"],
        "additionalProperties": False,
    }
    answers = {f"#/components/schemas/{name}" for name in schemas.components if _is_answer(schemas.components[name])}
    value = one_of_kinds([{"$ref": reference} for reference in sorted(answers)])
    answered = _reply("BatchedReply", value, schemas, status={"type": "integer", "const": 200})
    item = {"anyOf": [answered, {"$ref": "#/components/schemas/Problem"}]}
    schemas.components["BatchReply"] = {
        "type": "object",
        "description": entry("en", "web.batch"),
        "properties": {
            "ok": described({"type": "boolean", "const": True}, "Reply", "ok"),
            "answers": described({"type": "array", "items": item}, "BatchReply", "answers"),
        },
        "required": ["ok", "answers"],
    }
    return {
        "operationId": "batch_post",
        "tags": ["batch"],
        "summary": entry("en", "web.batch"),
        "requestBody": {"required": True, "content": {"application/json": {"schema": body, "example": BATCH}}},
        "responses": _responses({"$ref": "#/components/schemas/BatchReply"}),
    }


def _is_answer(schema: Schema) -> bool:
    """Whether a component is an answer."""
    return "const" in schema["properties"].get("kind", {})
