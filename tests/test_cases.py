"""Every worked example through every door."""

import json
import tomllib
from functools import reduce
from pathlib import Path

import pytest

from doors import DOORS, agree, doors_of, figures

FILES = sorted((Path(__file__).parent / "cases").glob("*.toml"))
CASES = [
    pytest.param(file.stem, case, id=f"{file.stem}: {case['name']}")
    for file in FILES
    for case in tomllib.loads(file.read_text(encoding="utf-8"))["case"]
]


@pytest.mark.parametrize(
    ("system", "case", "door"),
    [pytest.param(*one.values, door, id=f"{one.id}-{door}") for one in CASES for door in doors_of(one.values[1])],
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


@pytest.mark.parametrize(("system", "case"), CASES)
def test_case_names_its_source(system, case):
    """An expected figure comes from outside the code and says from where."""
    assert len(case["source"]) > 20, (system, case["name"])
