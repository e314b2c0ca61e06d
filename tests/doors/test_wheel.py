"""The built wheel, installed alone into an empty environment, is the whole program."""

import os
import re
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from conftest import ROOT

# `pip install` builds in an environment that has what pyproject.toml requires for it, and nothing else.
BUILD = """
import sys

HAS = {*sys.stdlib_module_names, "arpad", "hatchling", "packaging", "pathspec", "pluggy", "shtab", "trove_classifiers"}

class Nothing:
    def find_spec(self, name, path=None, target=None):
        if path is None and name not in HAS:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Nothing())
from hatchling.cli import hatchling
sys.exit(hatchling())
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel that `pip install .` would build."""
    folder = tmp_path_factory.mktemp("dist")
    line = [sys.executable, "-c", BUILD, "build", "--target", "wheel", "--directory", str(folder)]
    ran = subprocess.run(line, cwd=ROOT, check=False, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def home(wheel, tmp_path_factory):
    """An empty environment with the wheel, and without any other package."""
    home = tmp_path_factory.mktemp("home")
    venv.create(home, with_pip=True)
    pip = [str(home / "bin" / "pip"), "install", "--quiet", "--no-index", "--no-deps", str(wheel)]
    subprocess.run(pip, check=True, capture_output=True)
    return home


def pythons():
    """Every Python from 3.11 that is at hand, one for each minor release: this one, those on the path, and pyenv's."""
    found = {sys.version_info[1]: sys.executable}
    for minor in range(11, 20):
        installed = (Path.home() / ".pyenv" / "versions").glob(f"3.{minor}.*/bin/python")
        there = [*map(str, sorted(installed)), *filter(None, [shutil.which(f"python3.{minor}")])]
        for path in there:
            if minor not in found and subprocess.run([path, "-c", "import ensurepip"], check=False).returncode == 0:
                found[minor] = path
    return [pytest.param(path, id=f"3.{minor}") for minor, path in sorted(found.items())]


CONSOLE, PYTHON = (re.compile(rf"^```{kind}\n(.*?)^```", re.MULTILINE | re.DOTALL) for kind in ("console", "python"))


@pytest.mark.parametrize("python", pythons())
def test_the_first_pages_are_right_on_every_python(python, wheel, tmp_path):
    """Someone installs the wheel alone, opens an empty folder, and does what README and the first pages say."""
    subprocess.run([python, "-m", "venv", tmp_path / "home"], check=True, capture_output=True)
    own = tmp_path / "home" / "bin"
    pip = [own / "pip", "install", "--quiet", "--no-index", "--no-deps", wheel]
    subprocess.run(pip, check=True, capture_output=True)
    here = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "ARPAD"))}
    here |= {"PATH": f"{own}:{here['PATH']}", "LC_ALL": "C.UTF-8"}
    (tmp_path / "empty").mkdir()

    def run(*line):
        return subprocess.run(line, cwd=tmp_path / "empty", env=here, check=False, capture_output=True, text=True)

    asked = 0
    for page in ("README.md", "docs/README.md", "docs/start.md"):
        text = (ROOT / page).read_text(encoding="utf-8")
        for block in CONSOLE.findall(text):
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                line, _, shown = part.partition("\n")
                ran = run("sh", "-c", line)
                assert (line, ran.stdout, ran.stderr) == (line, shown, "")
                asked += 1
        for block in PYTHON.findall(text):
            ran = run("python", "-c", block)
            assert ran.returncode == 0, ran.stderr
    assert asked > 15


def test_wheel_installed_alone(home, tmp_path):
    """Without any other package there is the command, its rule files and its words, and it rates a game."""
    line = [
        str(home / "bin" / "arpad"),
        "rate",
        "1750",
        "1950:win",
        "--born",
        "2010",
        "--on",
        "2026-11-15",
        "--explain",
    ]
    ran = subprocess.run(line, check=True, capture_output=True, text=True, cwd=tmp_path)
    assert "1780" in ran.stdout
    assert "[FIDE 8.3.3]" in ran.stdout


def test_wheel_holds_what_it_needs_and_no_more(wheel):
    """Rule files, words and the typing marker are in; tests and outside data are not."""
    names = zipfile.ZipFile(wheel).namelist()
    there = (ROOT / "src" / "arpad").rglob("*")
    packaged = {path.relative_to(ROOT / "src").as_posix() for path in there if path.suffix in {".toml", ".txt"}}
    assert packaged <= set(names)
    assert "arpad/py.typed" in names
    assert not [name for name in names if name.startswith(("tests", "shared", "docs"))]


def test_all_public_names_are_there_without_any_other_package(home, tmp_path):
    """A library that a function needs is asked for when it is called."""
    ask = """
from importlib.resources import files
from arpad import *
try:
    chances(read((files("arpad") / "examples" / "open.trf").read_bytes(), name="open.trf"))
except MissingExtra as missing:
    assert "arpad[bulk]" in str(missing)
else:
    raise SystemExit("numpy is there")
"""
    line = [str(home / "bin" / "python"), "-c", ask]
    ran = subprocess.run(line, check=False, capture_output=True, text=True, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr


def test_every_command_helps_without_any_other_package(home, tmp_path):
    """What a command needs is asked for when it runs; its help, and so the completions, need nothing."""
    ask = """
from arpad.cli import commands, main
failed = [name for name in commands() if main([*name.split(), "--help"])]
assert not failed, failed
"""
    line = [str(home / "bin" / "python"), "-c", ask]
    ran = subprocess.run(line, check=False, capture_output=True, text=True, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr


def test_wheel_brings_the_manual_the_completions_and_the_examples(wheel, home, tmp_path):
    """`man arpad` and the shells find theirs below the prefix; `arpad example` writes a file that can be rated."""
    names = {name.partition("/data/")[2] for name in zipfile.ZipFile(wheel).namelist() if ".data/data/" in name}
    assert names == {
        "share/man/man1/arpad.1",
        "share/bash-completion/completions/arpad",
        "share/zsh/site-functions/_arpad",
        "share/tcsh/completions/arpad.csh",
    }
    manual = (home / "share" / "man" / "man1" / "arpad.1").read_text(encoding="utf-8")
    assert r"\fBarpad rate\fR" in manual
    assert r"\fB\-\-born\fR \fIYEAR\fR" in manual
    for line in (["example", "open.trf"], ["event", "open.trf"]):
        whole = [str(home / "bin" / "arpad"), *line]
        ran = subprocess.run(whole, check=False, capture_output=True, text=True, cwd=tmp_path)
        assert ran.returncode == 0, ran.stderr
    assert "Lindqvist, Aron" in ran.stdout
