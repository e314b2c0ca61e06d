"""Where Arpad's parts come from: locked by hash, listed in the wheel, built to the same bytes, with licences."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile

import pytest

from conftest import ROOT

LOCKS = sorted((ROOT / "locks").glob("*.txt"))
PINNED = re.compile(r"^([\w.-]+)==([^\s;]+)", re.MULTILINE)
BUILT = ("src", "tools", "locks", "docs", "pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md")


def plain(name):
    """A package's name as every index has it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(text):
    """The packages of a lock, or of the constraints, with their versions."""
    found = {}
    for name, version in PINNED.findall(text):
        found.setdefault(plain(name), set()).add(version)
    return found


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.stem)
def test_a_lock_has_a_hash_for_every_package(lock):
    """Every package has one version and its hashes, as `pip --require-hashes` asks; no address of an index is in it."""
    text = lock.read_text(encoding="utf-8")
    parts = re.split(r"\n(?=\S)", text)[1:]
    assert parts
    assert all(re.match(r"[\w.-]+==\S+", part) and "--hash=sha256:" in part for part in parts)
    assert "://" not in text


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.stem)
def test_a_lock_has_what_its_extras_need(lock):
    """Every requirement of the extras that it is named after, as the constraints pin it; else run `make lock`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted, extras, seen = list(project["dependencies"]), lock.stem.split(","), set()
    while extras:
        extra = extras.pop()
        if extra not in seen:
            seen.add(extra)
            for needed in project["optional-dependencies"][extra]:
                own = re.match(r"arpad\[(.*)\]", needed)
                extras += own[1].split(",") if own else []
                wanted += [] if own else [needed]
    locked = pins(lock.read_text(encoding="utf-8"))
    assert {plain(re.match(r"[\w.-]+", one)[0]) for one in wanted} <= set(locked)
    pinned = pins((ROOT / "constraints.txt").read_text(encoding="utf-8"))
    assert {name: locked[name] for name in locked if name in pinned} == {
        name: pinned[name] for name in locked if name in pinned
    }


def built(folder):
    """The wheel that a folder's project builds."""
    line = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder / "made")]
    subprocess.run(line, cwd=folder, check=True, capture_output=True)
    return next((folder / "made").glob("*.whl"))


def copied(folder, day):
    """A copy of the project, all of whose files are from another day."""
    folder.mkdir()
    for name in BUILT:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / name)
    for path in folder.rglob("*"):
        os.utime(path, (day, day))
    return folder


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    """The wheel, built twice in different places, of files with different times."""
    folder = tmp_path_factory.mktemp("built")
    return [built(copied(folder / name, day)) for name, day in (("here", 1_000_000_000), ("elsewhere", 1_700_000_000))]


def test_a_wheel_is_built_to_the_same_bytes(wheels):
    """Neither the place nor the time of the build is in it."""
    first, second = wheels
    assert first.name == second.name
    assert first.read_bytes() == second.read_bytes()


def test_a_wheel_carries_its_bill_of_materials(wheels):
    """CycloneDX, where PEP 770 has it, with every package of every extra in the version that is locked."""
    with zipfile.ZipFile(wheels[0]) as wheel:
        (name,) = [name for name in wheel.namelist() if ".dist-info/sboms/" in name]
        bill = json.loads(wheel.read(name))
    assert (bill["bomFormat"], bill["metadata"]["component"]["name"]) == ("CycloneDX", "arpad")
    listed = {(plain(one["name"]), one["version"]) for one in bill["components"]}
    locked = pins((ROOT / "locks" / "all.txt").read_text(encoding="utf-8"))
    assert listed == {(name, version) for name, versions in locked.items() for version in versions}
    assert all(one["purl"] == f"pkg:pypi/{one['name']}@{one['version']}" for one in bill["components"])


def test_the_licence_of_every_package_is_listed():
    """One line a package; none that is installed is without a declared licence."""
    line = [sys.executable, str(ROOT / "tools" / "supply.py"), "licences"]
    ran = subprocess.run(line, capture_output=True, text=True, check=True)
    found = dict(row.split(None, 1) for row in ran.stdout.splitlines())
    assert set(map(plain, found)) == set(pins((ROOT / "locks" / "all.txt").read_text(encoding="utf-8")))
    assert "BSD" in found["starlette"]
    assert "not declared" not in ran.stdout
