"""Every worked example through every door."""

import json
from functools import cache, reduce

import pytest
from closed_schemas import closed
from jsonschema import Draft202012Validator
from offenders import none_of
from worked_cases import CASES

from arpad.calculation.serialise import Schemas
from doors import agree, bulk, calculation, command, figures, http, library_value

IN_BULK = {"systems": ("fide-standard", "fide-rapid-blitz"), "questions": ("rate", "first")}


@pytest.mark.parametrize(("system", "case"), CASES)
def test_case(system, case):
    """Every way in gives the published answer, whose source is named; the answer is what its schema says."""
    about, system = system, case.get("system", system)
    answer = calculation(system, case)
    doors = {
        "library": library_value(case, answer),
        "command": command(system, case),
        "http": http(system, case),
    }
    offenders = [f"{door}: {what}" for door, value in doors.items() for what in differences(case, value)]
    if about in IN_BULK["systems"] and case["do"] in IN_BULK["questions"]:
        offenders += [f"in bulk: {what}" for what in differences_in_bulk(case, bulk(system, case))]
    offenders += [f"schema: {error.message}" for error in validator_of(type(answer)).iter_errors(answer.value())]
    offenders += [] if len(case["source"]) > 20 else ["the figure does not say where it comes from"]
    none_of(offenders)


def differences(case, value):
    """Where a value is not the published one; `within` is for figures that a source rounds, or floats compute."""
    got = {name: value.get(name) for name in case["expect"]}
    if not agree(figures(got), figures(case["expect"]), case.get("within", 0)):
        yield json.dumps(got, ensure_ascii=False, default=str)
    # A source that prints a rounded figure cannot be met more closely than it was rounded.
    for name, (figure, tolerance) in case.get("near", {}).items():
        found = reduce(lambda part, key: part[key], name.split("."), value)
        if float(found) != pytest.approx(float(figure), abs=tolerance):
            yield f"{name} is {found}"


def differences_in_bulk(case, value):
    """Where a whole period rated at once differs, in every figure that a list has."""
    expected = {name: figure for name, figure in case["expect"].items() if name in value}
    got = {name: value[name] for name in expected}
    if not expected:
        yield "nothing of this case was compared"
    elif not agree(figures(got), figures(expected)):
        yield str(got)


@cache
def validator_of(kind):
    """What the schema of a type of answer allows, with no further field."""
    schemas = Schemas()
    schema = schemas.of(kind)
    return Draft202012Validator(closed({**schema, "components": {"schemas": schemas.components}}))
