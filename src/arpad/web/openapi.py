"""The description of the API: its names come from the questions, its shapes from the public contract."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.formats.section import COLUMNS
from arpad.questions.asking import ABOUT_RULES, NAMES
from arpad.questions.questions import QUESTIONS, event_names
from arpad.questions.rulebooks import rulebook_names
from arpad.systems import system_names
from arpad.web import lists
from arpad.web.lists import Schema
from arpad.web.wording import BODIES

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOT = "/api/v1"

TEXT: Schema = {"type": "string"}
TEXT_OR_NONE: Schema = {"type": ["string", "null"]}
NUMBER: Schema = {"type": "number"}
NUMBER_OR_NONE: Schema = {"type": ["number", "null"]}
GIVEN: Schema = {"type": ["string", "number"]}
ONE: Schema = {"type": ["string", "number", "null"]}
MANY: Schema = {"type": ["array", "string", "number", "null"], "items": GIVEN}
EXACT: Schema = {"type": ["string", "null"], "description": "an exact decimal"}

RULE: Schema = {
    "type": "object",
    "required": ["name", "value", "since", "article", "says", "sure"],
    "properties": {
        "name": TEXT, "value": {}, "since": TEXT, "article": TEXT, "says": TEXT,
        "sure": {"enum": ["confirmed", "inferred", "disputed"]}, "reading": TEXT_OR_NONE,
    },
}  # fmt: skip
STEP: Schema = {
    "type": "object",
    "required": ["key", "kind", "label", "value", "figures", "says", "article", "from"],
    "properties": {
        "key": TEXT, "kind": {"enum": ["known", "ruled", "found"]}, "label": TEXT, "value": {}, "figures": TEXT,
        "says": TEXT, "article": TEXT_OR_NONE, "from": {"type": "array", "items": {"type": "integer"}},
    },
}  # fmt: skip
GAME: Schema = {
    "type": "object",
    "required": ["opponent", "score", "difference", "expected", "change", "rated", "why"],
    "properties": {
        "opponent": NUMBER_OR_NONE, "score": NUMBER, "difference": NUMBER_OR_NONE, "counted": NUMBER_OR_NONE,
        "expected": NUMBER_OR_NONE, "change": EXACT, "rated": {"type": "boolean"}, "why": TEXT_OR_NONE,
    },
}  # fmt: skip
GAMES: Schema = {"type": "array", "items": {"$ref": "#/components/schemas/Game"}}
ITEMS: Schema = {"type": "array", "items": {"type": "object"}}
RATED: dict[str, Schema] = {
    "system": TEXT, "on": TEXT, "rating": NUMBER, "k": NUMBER_OR_NONE, "k_used": NUMBER_OR_NONE,
    "games": {"type": "integer"}, "score": NUMBER, "expected": NUMBER, "change": EXACT, "new_rating": NUMBER_OR_NONE,
    "performance": NUMBER_OR_NONE, "per_game": GAMES,
}  # fmt: skip
VALUES: dict[str, dict[str, Schema]] = {
    "rate": RATED,
    "period": RATED,
    "expect": {
        "system": TEXT, "on": TEXT, "expected": NUMBER_OR_NONE, "win": EXACT, "draw": EXACT, "loss": EXACT,
        "chances": {"type": "object"},
    },
    "need": {"system": TEXT, "on": TEXT},
    "first": {
        "system": TEXT, "on": TEXT, "rating": NUMBER_OR_NONE, "why": TEXT_OR_NONE,
        "missing": {"type": "array", "items": TEXT}, "per_game": GAMES,
    },
    "performance": {"method": TEXT, "on": TEXT, "performance": NUMBER_OR_NONE, "why": TEXT_OR_NONE, "per_game": GAMES},
    "conversion": {"system": TEXT, "on": TEXT, "rating": NUMBER},
    "event": {"system": TEXT, "on": TEXT},
    "norms": {"norms": ITEMS, "players": ITEMS},
    "ties": {
        "on": TEXT, "by": {"type": "array", "items": TEXT}, "criteria": {"type": "array", "items": TEXT},
        "dropped": ITEMS, "players": ITEMS,
    },
    "strength": {"system": TEXT, "on": TEXT, "rating": NUMBER_OR_NONE, "strength": NUMBER_OR_NONE},
    "rules": {"system": TEXT},
    "systems": {"systems": {"type": "array", "items": {"type": "object"}}},
    "lists": {"list": TEXT},
}  # fmt: skip
# What looks ahead answers in one of three shapes: one list, several, or plans side by side.
LOOKED: dict[str, Schema] = {
    "system": TEXT, "on": TEXT, "rating": NUMBER, "strength": NUMBER, "target": NUMBER_OR_NONE, "reach": NUMBER_OR_NONE,
    "gain": NUMBER, "lose": NUMBER_OR_NONE, "levels": ITEMS,
}  # fmt: skip
OUTLOOK: dict[str, Schema] = {
    **LOOKED, "mean": NUMBER, "outcomes": {"type": "array", "items": {"$ref": "#/components/schemas/Outcome"}},
}  # fmt: skip
SEASON: dict[str, Schema] = {
    **LOOKED, "method": {"enum": ["exact", "sampled"]}, "seasons": NUMBER_OR_NONE, "error": NUMBER,
    "reached": NUMBER_OR_NONE, "mean": NUMBER_OR_NONE, "unrated": NUMBER,
    "lists": {"type": "array", "items": {"$ref": "#/components/schemas/List"}}, "outcomes": ITEMS,
}  # fmt: skip
PLANS: dict[str, Schema] = {"system": TEXT, "on": TEXT, "best": TEXT, "plans": ITEMS}
# What only some systems have.
SOME = {
    "norms",
    "players",
    "k",
    "k_used",
    "games",
    "score",
    "expected",
    "change",
    "performance",
    "chances",
    "win",
    "draw",
    "loss",
}
ERROR: Schema = {
    "type": "object",
    "required": ["ok", "error", "at"],
    "properties": {"ok": {"const": False}, "error": TEXT, "at": TEXT_OR_NONE},
    "additionalProperties": False,
}
OUTCOME: Schema = {
    "type": "object",
    "required": ["score", "change", "new_rating", "probability"],
    "properties": {
        "score": NUMBER_OR_NONE, "remaining": NUMBER_OR_NONE, "change": EXACT, "new_rating": NUMBER_OR_NONE,
        "probability": NUMBER,
    },
}  # fmt: skip
LIST: Schema = {
    "type": "object",
    "required": ["on", "events", "games", "mean_rating", "quantiles", "reach", "reached", "k", "not_rated"],
    "properties": {
        "on": TEXT, "events": {"type": "array", "items": TEXT}, "games": {"type": "integer"},
        "mean_rating": NUMBER_OR_NONE, "quantiles": {"type": "object"}, "unrated": NUMBER, "reach": NUMBER_OR_NONE,
        "reached": NUMBER_OR_NONE, "k": ITEMS, "not_rated": ITEMS, "deviation": NUMBER_OR_NONE,
    },
}  # fmt: skip
COMPONENTS: Schema = {"Rule": RULE, "Step": STEP, "Game": GAME, "Outcome": OUTCOME, "List": LIST, "Error": ERROR}
SYSTEM: Schema = {
    "name": "system",
    "in": "path",
    "required": True,
    "description": "the rating system",
    "schema": {"type": "string", "enum": system_names()},
}
RULEBOOK: Schema = {
    **SYSTEM,
    "description": "the rating system, or another regulation",
    "schema": {"type": "string", "enum": rulebook_names()},
}


def path_of(question: str) -> str:
    """A question's place under the root: behind the system, if it has one."""
    return f"/{{system}}/{question}" if "system" in _names(question) else f"/{question}"


def methods_of(question: str) -> list[str]:
    """By query and by body; what a query cannot hold only by body, and what is short only by query."""
    if question in ("rules", "systems"):
        return ["GET"]
    return ["POST"] if by_body_alone(question) else ["GET", "POST"]


def by_body_alone(question: str) -> bool:
    """Whether a query cannot hold what a question needs: many players, or a file."""
    return not {"players", "text"}.isdisjoint(_names(question))


def paths() -> Schema:
    """Every address of the API."""
    says = {name: question.says for name, question in QUESTIONS.items()}
    says["rules"] = "the rules of a day, or what changed between two"
    says["systems"] = "the rating systems and the days they cover"
    return {
        f"{ROOT}{path_of(name)}": {
            method.lower(): {
                "summary": summary,
                "operationId": f"{name}_{method.lower()}",
                **operation(name, body=method == "POST"),
            }
            for method in methods_of(name)
        }
        for name, summary in says.items()
    } | lists.paths(responses)


def operation(question: str, *, body: bool = False) -> Schema:
    """The names a question takes and the shape of its answer."""
    names = [name for name in _names(question) if name != "system"]
    described: Schema = {
        "parameters": [RULEBOOK if question == "rules" else SYSTEM] if "system" in _names(question) else [],
        "responses": responses(question, body=body),
    }
    if body:
        described["requestBody"] = {
            "required": True,
            "content": {
                "application/json": {"schema": _object(names, event_names(question)), "example": BODIES[question]}
            },
        }
    else:
        behind = [name for name in event_names(question) if name not in names] if "event" in names else []
        described["parameters"] = [*described["parameters"], *map(_parameter, [*names, *behind])]
    return described


def responses(question: str, *, body: bool = False) -> Schema:
    """The good answer and the refusals."""
    refusals = {"404": "no such system", "422": "an input was refused; `at` is the path of its field"}
    if question == "systems":
        refusals = {}
    elif question == "lists":
        refusals["404"] = "no list was imported, or nobody on it has that ID"
        refusals["503"] = "a list is being imported just now; `Retry-After` says when to ask again"
    elif "system" not in _names(question):
        del refusals["404"]
    if body:
        refusals["413"] = "the body is too large"
    return {
        "200": {"description": "the answer with its steps", "content": _json(_answer(question))},
        **{
            status: {"description": says, "content": _json({"$ref": "#/components/schemas/Error"})}
            for status, says in refusals.items()
        },
    }


def _names(question: str) -> tuple[str, ...]:
    if question in ("systems", "lists"):
        return ()
    return ABOUT_RULES if question == "rules" else QUESTIONS[question].names


def _parameter(name: str) -> Schema:
    schema = {"type": "array", "items": TEXT} if NAMES[name].many else TEXT
    return {
        "name": name, "in": "query", "required": False, "description": _describe(name), "schema": schema,
        "example": [NAMES[name].example] if NAMES[name].many else NAMES[name].example,
    }  # fmt: skip


def _object(names: Iterable[str], event: tuple[str, ...] = ()) -> Schema:
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": {name: _given(name, event) for name in names},
    }


def _given(name: str, event: tuple[str, ...]) -> Schema:
    if name == "event":
        return {"type": ["array", "null"], "description": "the events, each an object", "items": _object(event)}
    if name == "players":
        row = {"type": "object", "properties": dict.fromkeys(COLUMNS, ONE), "additionalProperties": False}
        return {"type": ["array", "null"], "description": _describe(name), "items": row}
    schema = MANY if NAMES[name].many else ONE
    return {**schema, "description": _describe(name)}


def _describe(name: str) -> str:
    return f"{NAMES[name].says}, for example {NAMES[name].example}" if NAMES[name].example else NAMES[name].says


def _answer(question: str) -> Schema:
    ahead = question in ("outlook", "season")
    shapes = [_shape(value) for value in ((OUTLOOK, SEASON, PLANS) if ahead else (VALUES.get(question, {}),))]
    return {
        "type": "object",
        "required": ["ok", "value", "steps", "rules"],
        "properties": {
            "ok": {"const": True},
            "value": shapes[0] if len(shapes) == 1 else {"anyOf": shapes},
            "steps": {"type": "array", "items": {"$ref": "#/components/schemas/Step"}},
            "rules": {"type": "array", "items": {"$ref": "#/components/schemas/Rule"}},
            "notes": {"type": "array", "items": TEXT},
        },
    }


def _shape(value: dict[str, Schema]) -> Schema:
    return {"type": "object", "required": [*(value.keys() - SOME)], "properties": value}


def _json(schema: Schema) -> Schema:
    return {"application/json": {"schema": schema}}
