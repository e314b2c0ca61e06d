"""Every worked example through every door."""

import json
from functools import reduce

import pytest
from worked_cases import CASES

from doors import DOORS, agree, bulk, figures


@pytest.mark.parametrize(
    ("system", "case", "door"),
    [pytest.param(*one.values, door, id=f"{one.id}-{door}") for one in CASES for door in DOORS],
)
def test_case(system, case, door):
    """Every way in gives the published answer; `within` is for figures that a source rounds, or floats compute."""
    value = DOORS[door](case.get("system", system), case)
    got = {name: value.get(name) for name in case["expect"]}
    assert agree(figures(got), figures(case["expect"]), case.get("within", 0)), json.dumps(got, ensure_ascii=False)
    # A source that prints a rounded figure cannot be met more closely than it was rounded.
    for name, (figure, tolerance) in case.get("near", {}).items():
        got = reduce(lambda part, key: part[key], name.split("."), value)
        assert float(got) == pytest.approx(float(figure), abs=tolerance), name


IN_BULK = [
    param
    for param in CASES
    if param.values[0] in ("fide-standard", "fide-rapid-blitz") and param.values[1]["do"] in ("rate", "first")
]


@pytest.mark.parametrize(("system", "case"), IN_BULK)
def test_case_in_bulk(system, case):
    """A whole period rated at once gives the published answer too, in every figure that a list has."""
    value = bulk(case.get("system", system), case)
    expected = {name: figure for name, figure in case["expect"].items() if name in value}
    got = {name: value[name] for name in expected}
    assert expected, "nothing of this case was compared"
    assert agree(figures(got), figures(expected)), str(got)


@pytest.mark.parametrize(("system", "case"), CASES)
def test_case_names_its_source(system, case):
    """An expected figure comes from outside the code and says from where."""
    assert len(case["source"]) > 20, (system, case["name"])
