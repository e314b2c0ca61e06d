"""Types: a program that uses the library passes strict checks, and nothing public is `Any`."""

import dataclasses
import inspect
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import arpad
from conftest import ROOT

USE = Path(__file__).with_name("typed_use.py.txt")
BIN = Path(sys.executable).parent
CHECKS = {
    "mypy": ["--strict", "--follow-imports=silent", "--python-executable", sys.executable],
    "basedpyright": ["--pythonpath", sys.executable],
}
PUBLIC = [name for name in arpad.__all__ if not name.startswith("__")]


@pytest.mark.parametrize("tool", CHECKS)
def test_a_program_passes_strict_checks(tool, tmp_path):
    """Every function of the library, and the fields of its answers, without a cast and without an ignored error."""
    shutil.copy(USE, tmp_path / "use.py")
    (tmp_path / "pyrightconfig.json").write_text(f'{{"extraPaths": ["{ROOT / "src"}"]}}', encoding="utf-8")
    line = [str(BIN / tool), *CHECKS[tool], "use.py"]
    where = {**os.environ, "MYPYPATH": str(ROOT / "src")}
    ran = subprocess.run(line, cwd=tmp_path, env=where, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout


def test_the_program_uses_every_function():
    """A public function that the program leaves out fails the build; so do a cast and an ignored error."""
    text = USE.read_text(encoding="utf-8")
    functions = [name for name in PUBLIC if inspect.isfunction(getattr(arpad, name))]
    assert [name for name in functions if not re.search(rf"\b{name}\(", text)] == []
    assert not re.search(r"\bcast\(|type: ignore|pyright: ignore|\bAny\b", text)


@pytest.mark.parametrize("name", PUBLIC)
def test_nothing_public_is_any(name):
    """No parameter, result or public field has the type `Any`."""
    value = getattr(arpad, name)
    found = {}
    if inspect.isfunction(value):
        found = {part: str(one) for part, one in inspect.get_annotations(value).items()}
    elif dataclasses.is_dataclass(value):
        found = {one.name: str(one.type) for one in dataclasses.fields(value) if not one.metadata.get("hidden")}
    assert {part: one for part, one in found.items() if re.fullmatch(r"(typing\.)?Any( \| None)?", one)} == {}
