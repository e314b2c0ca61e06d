"""The built wheel, installed alone into an empty environment, is the whole program."""

import subprocess
import sys
import venv
import zipfile

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
