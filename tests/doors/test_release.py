"""What a release is made of: built to the same bytes, with whole addresses, and refused if something does not agree."""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile

import pytest
import yaml
from offenders import none_of

import arpad
from conftest import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
LEFT_OUT = {".dockerignore", ".cache"}  # nothing needs them outside a checkout; the latter is made by other tests


def tool(name):
    """A script in tools/ as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


RELEASE = tool("release")


def copied(folder, day):
    """A copy of everything that a checkout has, all from another day."""
    ignored = shutil.ignore_patterns(".git", ".venv", "__pycache__", "dist", "site", "screenshots", ".*_cache", ".hyp*")
    shutil.copytree(ROOT, folder, ignore=ignored)
    for path in folder.rglob("*"):
        os.utime(path, (day, day))
    return folder


def built(folder, epoch):
    """The wheel and the source package of a folder, as bytes by their names."""
    here = {**os.environ, "SOURCE_DATE_EPOCH": str(epoch)}
    line = [sys.executable, "-m", "hatchling", "build", "--clean", "--directory", str(folder / "made")]
    subprocess.run(line, cwd=folder, env=here, check=True, capture_output=True)
    return {path.name: path.read_bytes() for path in sorted((folder / "made").iterdir())}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A checkout elsewhere."""
    return copied(tmp_path_factory.mktemp("release") / "here", 1_000_000_000)


@pytest.fixture(scope="module")
def packages(checkout):
    """What it builds for a release of the 1 December 2026."""
    return built(checkout, 1_796_083_200)


@pytest.fixture(scope="module")
def unpacked(packages, tmp_path_factory):
    """The source package, unpacked; nothing lies beside it."""
    folder = tmp_path_factory.mktemp("source")
    (folder / "source.tar.gz").write_bytes(packages[f"arpad-{arpad.__version__}.tar.gz"])
    with tarfile.open(folder / "source.tar.gz") as archive:
        archive.extractall(folder, filter="data")
    return folder / f"arpad-{arpad.__version__}"


def test_both_packages_are_built_to_the_same_bytes(packages, tmp_path):
    """Place and time of the build are not in them; SOURCE_DATE_EPOCH is."""
    assert list(packages) == [f"arpad-{arpad.__version__}-py3-none-any.whl", f"arpad-{arpad.__version__}.tar.gz"]
    elsewhere = copied(tmp_path / "elsewhere", 1_700_000_000)
    assert built(elsewhere, 1_796_083_200) == packages
    later = built(elsewhere, 1_796_169_600)
    assert [later[name] == packages[name] for name in packages] == [False, False]


def test_the_source_package_builds_the_same_wheel(packages, unpacked):
    """So a distributor needs no checkout."""
    wheel = f"arpad-{arpad.__version__}-py3-none-any.whl"
    assert built(unpacked, 1_796_083_200)[wheel] == packages[wheel]


def test_the_source_package_has_everything(checkout, unpacked):
    """Tests with their files, documentation, locks and tools: whatever a checkout has."""
    there = {path.relative_to(checkout) for path in checkout.rglob("*") if path.is_file()}
    none_of(
        str(path)
        for path in sorted(there)
        if path.parts[0] not in {"made", *LEFT_OUT} and path.suffix != ".pyc" and not (unpacked / path).exists()
    )


def test_the_source_package_can_be_tested_without_the_outside_material(unpacked):
    """A contributor without it: the tests run, and what needs it is skipped with a reason; with CI set it fails."""
    some = ["tests/house/test_shape.py", "tests/systems/test_national.py", "tests/real/test_declared_orders.py"]
    line = [sys.executable, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", *some]
    here = {name: value for name, value in os.environ.items() if name not in {"CI", "ARPAD_WITHOUT"}}
    here["PYTHONPATH"] = str(unpacked / "src")
    ran = subprocess.run(line, cwd=unpacked, env=here, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout
    assert re.search(r"SKIPPED .*the outside material \.\./shared/\S+ is not here", ran.stdout)
    strict = subprocess.run(line, cwd=unpacked, env={**here, "CI": "1"}, capture_output=True, text=True, check=False)
    assert strict.returncode != 0
    assert "is not here" in strict.stdout


ADDRESS = "https://host.example/owner/arpad"


@pytest.mark.parametrize("address", ["", ADDRESS])
def test_the_metadata_have_links_that_work_on_an_index(address, tmp_path):
    """No link and no picture needs the files beside the README; without an address there are none."""
    for name in ("pyproject.toml", "README.md", "tools/metadata.py", "src/arpad/__init__.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        text = (ROOT / name).read_text(encoding="utf-8")
        set_to = re.sub(r'^repository = "[^"]*"', f'repository = "{address}"', text, flags=re.MULTILINE)
        (tmp_path / name).write_text(set_to, encoding="utf-8")
    line = [sys.executable, "-m", "hatchling", "metadata"]
    about = json.loads(subprocess.run(line, cwd=tmp_path, check=True, capture_output=True, text=True).stdout)
    shown = about["readme"]["text"]
    targets = re.findall(r"\]\(([^)]+)\)", shown)
    assert about["readme"]["content-type"] == "text/markdown"
    assert "pip install arpad" in shown
    if not address:
        assert (targets, about.get("urls", {})) == ([], {})
        return
    places = [target.removeprefix(f"{address}/") for target in targets]
    assert len(places) > 20
    assert all(re.match(rf"(blob|raw)/v{arpad.__version__}/", place) for place in places)
    none_of(place for place in places if not (ROOT / re.sub(r"^[^/]+/[^/]+/|#.*", "", place)).exists())
    assert f"![The calculator page]({ADDRESS}/raw/v{arpad.__version__}/docs/calculator.png)" in shown
    assert about["urls"]["Source"] == ADDRESS
    assert {"Documentation", "Changes", "Issues"} < set(about["urls"])


LOG = "# Changes\n\n## 1.2.0, 2026-12-01\n\nMore.\n\n## 1.1.0, 2026-11-01\n\nLess.\n"
HERE = {"GITHUB_SERVER_URL": "https://host.example", "GITHUB_REPOSITORY": "owner/arpad"}


@pytest.mark.parametrize(("tag", "log", "address", "here", "says"), [
    ("v1.2.0", LOG, ADDRESS, HERE, []),
    ("v1.2.0", LOG, ADDRESS, {}, []),
    ("v1.2.1", LOG, ADDRESS, HERE, ["The tag is v1.2.1, but"]),
    ("v1.2.0", LOG.replace("1.2.0", "1.3.0"), ADDRESS, HERE, ["does not begin with version 1.2.0"]),
    ("v1.2.0", LOG.replace("2026-12-01", "to be released"), ADDRESS, HERE, ["no day for 1.2.0"]),
    ("v1.2.0", LOG, "", HERE, ["address of the repository is empty"]),
    ("v1.2.0", LOG, "https://host.example/other/arpad", HERE, ["but this is https://host.example/owner/arpad"]),
    ("1.2.0", "", "", {}, ["The tag is 1.2.0", "does not begin", "is empty"]),
])  # fmt: skip
def test_a_release_that_does_not_agree_is_refused(tag, log, address, here, says):
    """Tag, version, changelog and address are one."""
    found = [*RELEASE.faults(tag, "1.2.0", log, address, here)]
    assert len(found) == len(says)
    assert all(part in fault for part, fault in zip(says, found, strict=True))


def test_the_notes_are_the_newest_part_of_the_changelog():
    """And the script refuses the source as it is, or allows it, with an exit code."""
    assert RELEASE.notes(LOG) == "More.\n"
    line = [sys.executable, str(ROOT / "tools" / "release.py"), "check", "v0.0"]
    ran = subprocess.run(line, capture_output=True, text=True, check=False)
    assert (ran.returncode, f"says {arpad.__version__}." in ran.stdout) == (1, True)


def steps():
    """Every step of every workflow, with the permissions of its job."""
    for path in WORKFLOWS:
        for name, job in yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].items():
            for step in job.get("steps", []):
                yield f"{path.name} {name}", job, step


def test_actions_are_pinned():
    """Each to a commit, with the release it belongs to beside it; one release of each."""
    used = re.findall(r"uses: (\S+)(.*)", "\n".join(path.read_text(encoding="utf-8") for path in WORKFLOWS))
    others = [(action, release) for action, release in used if not action.startswith("./")]
    none_of(
        action for action, release in others if not re.fullmatch(r"\S+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action + release)
    )
    names = {action.partition("@")[0] for action, _ in others}
    assert len({action for action, _ in others}) == len(names)


def test_only_the_publishing_job_can_publish():
    """It has no source and no password, and runs nothing but the download and the upload, after the tests."""
    publishing = [(where, job, step) for where, job, step in steps() if "pypi-publish" in step.get("uses", "")]
    ((where, job, step),) = publishing
    assert where == "release.yml publish"
    assert job["permissions"] == {"id-token": "write"}
    assert job["needs"] == ["tests", "build"]
    assert job["environment"] == "pypi"
    assert step["with"]["attestations"] is True
    assert not any("run" in other for other in job["steps"])
    assert "password" not in step["with"]


def test_the_version_stands_once():
    """In the package, and nowhere else that somebody would have to change, but for the changelog."""
    version = re.compile(rf"(?<![\d.]){re.escape(arpad.__version__)}(?![\d.])")
    places = [ROOT / "pyproject.toml", ROOT / "Makefile", *(ROOT / "src").rglob("*.py"), *(ROOT / "tools").glob("*.py")]
    found = [path.relative_to(ROOT).as_posix() for path in places if version.search(path.read_text(encoding="utf-8"))]
    assert found == ["src/arpad/__init__.py"]
