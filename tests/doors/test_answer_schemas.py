"""OpenAPI describes every field of every answer; that the answers of all cases fit is in test_cases.py."""

from arpad.questions import questions_at
from arpad.web.api import ROOT, path_of
from arpad.web.openapi import document


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


def test_every_question_of_the_api_is_described():
    """The document has an address for each question, with the schema of its answer."""
    paths = document()["paths"]
    for spec in questions_at("api").values():
        reply = paths[f"{ROOT}{path_of(spec)}"]["post"]["responses"]["200"]["content"]["application/json"]["schema"]
        assert reply["properties"]["value"], spec.name
