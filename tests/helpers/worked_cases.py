"""The worked examples of `tests/cases`, each with the system it is about."""

import tomllib
from pathlib import Path

import pytest

FILES = sorted((Path(__file__).parents[1] / "cases").glob("*.toml"))
CASES = [
    pytest.param(file.stem, case, id=f"{file.stem}: {case['name']}")
    for file in FILES
    for case in tomllib.loads(file.read_text(encoding="utf-8"))["case"]
]
