"""OpenAPI describes every field of every answer: the answers of all cases are valid, with no further field allowed."""

import pytest
from jsonschema import Draft202012Validator
from worked_cases import CASES

from arpad.calculation.serialise import Schemas
from arpad.questions import questions_at
from arpad.web.api import ROOT, path_of
from arpad.web.openapi import document
from doors import calculation


def open_objects(schema, path=""):
    """The places of a schema where an object may have fields that are not described."""
    if isinstance(schema, dict):
        described = "properties" in schema or "additionalProperties" in schema
        if schema.get("type") == "object" and (
            not described or ("properties" in schema and schema.get("additionalProperties") is not False)
        ):
            yield path
        for name, inner in schema.items():
            yield from open_objects(inner, f"{path}/{name}")
    elif isinstance(schema, list):
        for place, inner in enumerate(schema):
            yield from open_objects(inner, f"{path}/{place}")


def test_no_object_of_the_document_is_open():
    """Every object has its fields described, and no others; those of a batch are described at their own addresses."""
    assert [path for path in open_objects(document()) if "/api/v1/batch/" not in path] == []


@pytest.mark.parametrize(("system", "case"), CASES)
def test_the_answer_of_a_case_fits_its_schema(system, case):
    """What the serialiser writes is what the schema of its type says."""
    answer = calculation(case.get("system", system), case)
    schemas = Schemas()
    schema = schemas.of(type(answer))
    validator = Draft202012Validator({**schema, "components": {"schemas": schemas.components}})
    assert [error.message for error in validator.iter_errors(answer.value())] == []


def test_every_question_of_the_api_is_described():
    """The document has an address for each question, with the schema of its answer."""
    paths = document()["paths"]
    for spec in questions_at("api").values():
        reply = paths[f"{ROOT}{path_of(spec)}"]["post"]["responses"]["200"]["content"]["application/json"]["schema"]
        assert reply["properties"]["value"], spec.name
