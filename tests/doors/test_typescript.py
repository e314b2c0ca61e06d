"""A TypeScript client whose types come from the OpenAPI document: a strict compiler passes it, and it is answered."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from serving import served

from arpad.web.openapi import document
from conftest import require

PROGRAM = Path(__file__).parent / "typescript"
NODE, NPM = shutil.which("node"), shutil.which("npm")


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """A folder with the program, compiled against the document's types; its packages are locked by hash."""
    require("node", there=bool(NODE and NPM), line="Node.js and npm are not installed")
    folder = tmp_path_factory.mktemp("typescript")
    for file in PROGRAM.iterdir():
        shutil.copy(file, folder)
    (folder / "openapi.json").write_text(json.dumps(document()), encoding="utf-8")
    programs = folder / "node_modules" / ".bin"
    for line in (
        [NPM, "ci", "--ignore-scripts", "--no-audit", "--no-fund"],
        [programs / "openapi-typescript", "openapi.json", "--output", "api.ts"],
        [programs / "tsc", "--project", "."],
    ):
        ran = subprocess.run(line, cwd=folder, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stdout + ran.stderr
    return folder


def test_a_program_with_the_types_is_answered(compiled):
    """Ratings by FIDE and Glicko-2, a need, a match and a refusal, with the figures of docs/start.md."""
    with served() as serving:
        line = [NODE, "out/use.js", f"http://127.0.0.1:{serving.port}"]
        ran = subprocess.run(line, cwd=compiled, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    assert (found["change"], found["opponents"], found["articles"]) == ("30.40", [1950], True)
    assert found["needed"]["rating"] == 1889
    assert (found["games"], found["at"]) == (515, "rating")
    assert found["deviation"] == pytest.approx(151.52, abs=0.01)  # Glickman's example of Glicko-2


def test_the_compiler_sees_mistakes(compiled):
    """A field that no answer has does not compile, so that the types say something."""
    program = (compiled / "use.ts").read_text(encoding="utf-8")
    (compiled / "wrong.ts").write_text(program.replace("rated.data.value.change", "rated.data.value.chance"))
    config = json.loads((compiled / "tsconfig.json").read_text(encoding="utf-8")) | {"files": ["wrong.ts"]}
    (compiled / "wrong.json").write_text(json.dumps(config), encoding="utf-8")
    line = [compiled / "node_modules" / ".bin" / "tsc", "--project", "wrong.json", "--noEmit"]
    ran = subprocess.run(line, cwd=compiled, capture_output=True, text=True, check=False)
    assert ran.returncode != 0
    assert "chance" in ran.stdout
