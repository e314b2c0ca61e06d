"""The questions of the HTTP API: their addresses, fields and examples, from the declarations."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from arpad.messages import section, speaking
from arpad.questions import given_fields, missing, questions_at
from arpad.questions.declare import field_help
from arpad.web.openapi import document

if TYPE_CHECKING:
    from arpad.questions import Given, Spec


def questions() -> str:
    """The addresses as a table, an example of each, and the fields."""
    about = section("en", "questions.about")
    addresses = ["| address | methods | what it answers | fields |", "|---|---|---|---|"]
    examples = ["Examples, each as a body to send:", "", "```text"]
    paths = document()["paths"].items()
    for (path, operations), (name, spec) in zip(paths, questions_at("api").items(), strict=False):
        fields = [field for field in spec.fields_at("api") if f"{{{field}}}" not in path]
        methods = ", ".join(method.upper() for method in operations)
        names = ", ".join(f"`{field}`" for field in fields) or "none"
        addresses.append(f"| `{path}` | {methods} | {_cell(about[name])} | {names} |")
        body = operations["post"]["requestBody"]["content"]["application/json"]["example"]
        if body and missing(spec, body) is None:
            body = {name: value for name, value in body.items() if name in fields}
            examples.append(f"{_address(spec, path)}  {json.dumps(body, ensure_ascii=False)}")
    return "\n".join([*addresses, "", *examples, "```", ""])


def fields() -> str:
    """Every field once: what it is, and an example."""
    lines = ["| field | what | example |", "|---|---|---|"]
    for name, (question, one) in sorted(_every_field().items()):
        example = f"`{one.example}`" if one.example else "`yes`" if one.flag else ""
        with speaking(door="api"):
            lines.append(f"| `{name}` | {_cell(field_help(name, question))} | {example} |")
    return "\n".join(lines) + "\n"


def errors() -> str:
    """Every code of an error, and what it means."""
    lines = [f"| `{code}` | {says} |" for code, says in section("en", "errors.code").items()]
    return "\n".join(["| code | meaning |", "|---|---|", *lines, ""])


def _every_field() -> dict[str, tuple[str, Given]]:
    """The fields of all questions, and of the events and players within them, by name; with the first question."""
    found: dict[str, tuple[str, Given]] = {}
    for question, spec in questions_at("api").items():
        for name, one in spec.fields_at("api").items():
            inner = {} if one.nested is None else given_fields(one.nested)
            for inside, given in {name: one, **inner}.items():
                found.setdefault(inside, (question, given))
    return found


def _address(spec: Spec, path: str) -> str:
    """The address of a question's example."""
    given = {name: one.default for name, one in spec.fields.items()} | dict(spec.examples[0])
    return re.sub(r"{(\w+)}", lambda place: _text(given[place[1]]), path)


def _text(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
