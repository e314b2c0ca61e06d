"""A system of another package: installed beside Arpad into an empty environment, it is at every door.

The package is the one that docs/add-a-system.md builds, taken from the page. Between 1500 and 1600 its straight line
over 400 points expects ½ − 100/800 = 0.375, so that K 30 makes 30 × 0.625 = 18.75 of a win.
"""

import json
import os
import re
import subprocess
import sys
import sysconfig
import venv
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import arpad
from arpad import systems
from conftest import ROOT

PAGE = (ROOT / "docs" / "add-a-system.md").read_text(encoding="utf-8")
FILE = re.compile(r"<!-- file: (\S+) -->\n```\w+\n(.*?)^```", re.MULTILINE | re.DOTALL)
CONSOLE = r"<!-- in the folder -->\n```console\n\$ pip install \.\n\$ arpad ([^\n]*)\n(.*?)^```"
ASKED = re.compile(CONSOLE, re.MULTILINE | re.DOTALL)
ASK = ["rate", "1500", "1600:win", "--system", "bramble", "--on", "2026-11-15"]
DOORS = """
import json
from datetime import date

import pyarrow as pa
from starlette.testclient import TestClient

import arpad
from arpad import bulk
from arpad.web.app import create_app

day = date(2026, 11, 15)
games = pa.table({"white": [1], "black": [2], "result": [1.0], "date": [date(2026, 10, 3)]})
players = pa.table({"id": [1, 2], "rating": [1500, 1600]})
rated = bulk.rate(games, players, period="2026-11", system="bramble")
with TestClient(create_app()) as client:
    api = client.get("/api/v1/bramble/rate?rating=1500&game=1600:win&on=2026-11-15").json()
    page = client.get("/?system=bramble&rating=1500&game=1600:win&on=2026-11-15").text
    other = client.get("/?system=thistle&rating=1500&game=1600:win&on=2026-11-15").text
    none = client.get("/api/v1/thistle/rate?rating=1500&game=1600:win&on=2026-11-15").json()
    document = client.get("/openapi.json").text
print(json.dumps(default=str, obj={
    "home": arpad.__file__,
    "library": arpad.system("bramble").rate(1500, arpad.win(1600), on=day).new_rating,
    "bulk": [row["rating"] for row in rated.players.to_pylist()],
    "api": api["value"]["new_rating"],
    "page": ["1519" in page, 'value="bramble"' in page, "Bramble, the" in page],
    "openapi": "bramble" in document,
    "without": [none["value"]["expected"], "You scored 1 of 1." in other, "expected to score" in other],
    "compared": {line.system: line.expected for line in arpad.compare(1500, arpad.win(1600), on=day).systems},
}))
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """An empty environment with Arpad's wheel and that of the package, and nothing else."""
    folder = tmp_path_factory.mktemp("outside")
    package = folder / "package"
    for name, text in FILE.findall(PAGE):
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(text, encoding="utf-8")
    for source in (ROOT, package):
        line = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
        subprocess.run(line, cwd=source, check=True, capture_output=True)
    home = folder / "empty"
    venv.create(home, with_pip=True)
    wheels = [str(wheel) for wheel in folder.glob("*.whl")]
    pip = [str(home / "bin" / "pip"), "install", "--quiet", "--no-index", "--no-deps", *wheels]
    subprocess.run(pip, check=True, capture_output=True)
    return home


def run(home, *line, libraries=False, code=None):
    """The output of a program of that environment; with the optional libraries of this one, if need be."""
    here = {**os.environ, "PYTHONPATH": sysconfig.get_paths()["purelib"] if libraries else ""}
    program = [str(home / "bin" / line[0]), *line[1:]]
    ran = subprocess.run(program, cwd=home, env=here, capture_output=True, text=True, check=False)
    if code is not None:
        assert ran.returncode == code
        return ran.stderr
    assert ran.returncode in (0, 1), ran.stderr  # 1: an unrated player of the event needs a look
    return ran.stdout


def test_the_page_is_right_to_the_letter(home):
    """What the page says the command prints is what it prints."""
    asked = ASKED.findall(PAGE)
    assert len(asked) == 2
    for line, shown in asked:
        assert run(home, "arpad", *line.split()) == shown


def test_a_system_without_an_expected_score_says_none(home):
    """Thistle has a change and no expected score: no figure stands for it. A win against 1600 is worth 2100."""
    line = ["rate", "1500", "1600:win", "--system", "thistle", "--on", "2026-11-15"]
    told = run(home, "arpad", *line, "--brief")
    assert re.search(r"^new rating +2100 ", told)
    assert "expected" not in told
    assert "not 2" in run(home, "arpad", "rate", "1500", "--event", "1600:1", "--event", "1500:0", *line[3:], code=2)


def test_the_command_has_it(home):
    """Rated, explained with its own clauses and words, listed, its rules shown, its K taken, a whole event rated."""
    told = run(home, "arpad", *ASK, "--explain")
    assert "1519" in told
    assert "[Bramble 2]" in told
    assert "On this ladder, 400 points more are a sure win." in told
    assert json.loads(run(home, "arpad", *ASK, "--k", "10", "--json"))["value"]["change"] == "6.250"
    assert "bramble " in run(home, "arpad", "systems")
    assert "K is 30, and 20 from 1800 on" in run(home, "arpad", "rules", "bramble")
    run(home, "arpad", "example", "open.trf", "--force")
    assert "Lindqvist, Aron" in run(home, "arpad", "event", "open.trf", "--system", "bramble")


def test_library_bulk_page_and_api_have_it(home):
    """One program asks all of them, and none of Arpad's source knows the system."""
    found = json.loads(run(home, "python", "-c", DOORS, libraries=True))
    assert Path(found.pop("home")).is_relative_to(home)
    compared = found.pop("compared")
    assert (compared["bramble"], compared["thistle"]) == ("0.375", None)
    assert found == {
        "library": 1519,
        "bulk": [1519.0, 1581.0],
        "api": 1519,
        "page": [True, True, True],
        "openapi": True,
        "without": [None, True, False],
    }


def test_a_club_builds_on_it(home):
    """A rule file may be based on a system of another package, as its constructor takes `rules`."""
    (home / "street.toml").write_text(
        'title = "Street"\nbased_on = "bramble"\ncovered_from = 2026-01-01\nchecked = 2026-11-15\n'
        '[document.S]\nshort = "Street"\ntitle = "Street rules"\neffective = 2026-01-01\nlink = ""\n'
        '[[rule.k]]\nsince = 2026-01-01\narticle = "S 1"\nsays = "K is 8"\nsure = "confirmed"\n'
        "value = { below = 8, above = 8, level = 1800 }\n",
        encoding="utf-8",
    )
    line = ["rate", "1500", "1600:win", "--rules", "street.toml", "--on", "2026-11-15", "--json"]
    assert json.loads(run(home, "arpad", *line))["value"]["change"] == "5.000"


@pytest.fixture
def brought(monkeypatch):
    """A function that lets packages bring these entry points."""

    def bring(**points):
        found = [EntryPoint(name.replace("_", "-"), value, "arpad.systems") for name, value in points.items()]
        monkeypatch.setattr("importlib.metadata.entry_points", lambda **_: found)
        systems.outside.cache_clear()

    yield bring
    monkeypatch.undo()
    systems.outside.cache_clear()


@pytest.mark.parametrize(("points", "says"), [
    ({"elo": "arpad.systems.elo:Elo"}, "there is one of that name already"),
    ({"mine": "arpad.systems.no_such:Thing"}, "cannot be loaded"),
    ({"mine": "arpad.systems.elo:_game"}, "is not a subclass of arpad.System"),
])  # fmt: skip
def test_a_package_with_a_mistake_is_named(brought, points, says):
    """The sentence says which entry point, and what to do."""
    brought(**points)
    with pytest.raises(arpad.Unsupported) as refused:
        arpad.system_names()
    assert says in str(refused.value)


def test_our_own_systems_do_not_load_other_packages(brought):
    """Rating by a system of ours never looks through the installed packages."""
    brought(mine="arpad.systems.no_such:Thing")
    assert arpad.system("fide-standard").rate(1500, arpad.win(1500), on=arpad.rules("elo").checked).new_rating == 1510


def test_a_word_that_a_package_forgot_is_shown_by_its_key():
    """A missing text is no crash: the key and the values say what it is about."""
    assert str(arpad.Message("notes.mine.age", {"k": 20})) == "notes.mine.age (k=20)"
