"""The built wheel, installed alone into an empty environment, is the whole program."""

import subprocess
import sys
import venv
import zipfile

import pytest

from conftest import ROOT


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel that `pip install .` would build."""
    folder = tmp_path_factory.mktemp("dist")
    line = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(line, cwd=ROOT, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


def test_wheel_installed_alone(wheel, tmp_path):
    """Without any other package there is the command, its rule files and its words, and it rates a game."""
    home = tmp_path / "empty"
    venv.create(home, with_pip=True)
    pip = [str(home / "bin" / "pip"), "install", "--quiet", "--no-index", "--no-deps", str(wheel)]
    subprocess.run(pip, check=True, capture_output=True)
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


def test_wheel_brings_the_manual_the_completions_and_the_examples(wheel, tmp_path):
    """`man arpad` and the shells find theirs below the prefix; `arpad example` writes a file that can be rated."""
    names = {name.partition("/data/")[2] for name in zipfile.ZipFile(wheel).namelist() if ".data/data/" in name}
    assert names == {
        "share/man/man1/arpad.1",
        "share/bash-completion/completions/arpad",
        "share/zsh/site-functions/_arpad",
        "share/tcsh/completions/arpad.csh",
    }
    home = tmp_path / "empty"
    venv.create(home, with_pip=True)
    pip = [str(home / "bin" / "pip"), "install", "--quiet", "--no-index", "--no-deps", str(wheel)]
    subprocess.run(pip, check=True, capture_output=True)
    manual = (home / "share" / "man" / "man1" / "arpad.1").read_text(encoding="utf-8")
    assert r"\fBarpad rate\fR" in manual
    assert r"\fB\-\-born\fR \fIYEAR\fR" in manual
    for line in (["example", "open.trf"], ["event", "open.trf"]):
        whole = [str(home / "bin" / "arpad"), *line]
        ran = subprocess.run(whole, check=False, capture_output=True, text=True, cwd=tmp_path)
        assert ran.returncode == 0, ran.stderr
    assert "Lindqvist, Aron" in ran.stdout
