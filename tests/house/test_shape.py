"""The shape of the house: imports point down, modules stay small, nothing dated stands in code."""

import ast
import re
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from statistics import median

import pytest

import arpad

SOURCE = Path(arpad.__file__).parent
MODULES = sorted(SOURCE.rglob("*.py"))
LONGEST, MEDIAN = 400, 150

# From the top to the ground; a room may import from its own layer and from those below.
LAYERS = [
    ("cli", "web", "__main__"),
    ("questions",),
    ("reports", "charts"),
    ("lists", "bulk", "formats"),
    ("reading",),
    ("forecast", "tournaments", "matches"),
    ("systems",),
    ("calculation",),
    ("rulebooks",),
    ("core",),
    ("errors",),
    ("messages",),
]
HEIGHT = {name: len(LAYERS) - place for place, names in enumerate(LAYERS) for name in names}
TESTS = Path(__file__).parents[1]
PURE = ["questions", "reading", *(name for names in LAYERS[5:] for name in names)]
IMPURE = {"os", "socket", "time", "subprocess", "urllib", "http", "random", "logging"}


def module_of(path):
    """The full name of a module: `arpad.systems.fide.k`."""
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def name_of(path):
    """The room a module is in."""
    return path.relative_to(SOURCE).with_suffix("").parts[0]


KNOWN = {module_of(path) for path in MODULES}


def imports(path):
    """The modules a file imports at run time; what only a type checker reads is left out."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    hidden = [
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"
        for inner in ast.walk(node)
    ]
    for node in ast.walk(tree):
        if node in hidden:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if name in KNOWN else node.module for name in names)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_point_down(path):
    """No module imports from a layer above its own."""
    name = name_of(path)
    if name == "__init__":
        return
    targets = {module.split(".")[1] for module in imports(path) if module.startswith("arpad.")}
    assert {target for target in targets if HEIGHT[target] > HEIGHT[name]} == set()


def test_no_module_imports_itself_through_others():
    """The graph of modules, on full paths, has no circle."""
    graph = {module_of(path): {name for name in imports(path) if name in KNOWN} for path in MODULES}
    cycle = []
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        cycle = error.args[1]
    assert cycle == []


@pytest.mark.parametrize("path", [p for p in MODULES if name_of(p) in PURE], ids=lambda p: str(p.relative_to(SOURCE)))
def test_below_the_files_all_is_pure(path):
    """No clock, network, process, chance, printing or disk below the files, and the standard library alone.

    Two modules read what is packaged with them, the rule files and the words; one reads files that a question names.
    """
    foreign = {module.split(".")[0] for module in imports(path)} - set(sys.stdlib_module_names) - {"arpad"}
    text = path.read_text(encoding="utf-8")
    chance = {"random"} if path.name == "sampling.py" else set()  # seeded: the same question has the same answer
    assert foreign | (set(imports(path)) & IMPURE - chance) == set()
    assert not re.search(r"\bprint\(|\.today\(|\.now\(", text)
    assert "open(" not in text or path.name in {"rulebook.py", "catalogue.py", "files.py"}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_year_or_date_stands_in_code(path):
    """A rule's date is in a rule file: no code compares with a year or builds a day from numbers."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    years = [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and type(node.value) is int and 1900 <= node.value <= 2100
    ]
    days = [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", "") in {"date", "datetime"}
        and all(isinstance(arg, ast.Constant) for arg in node.args)
    ]
    if name_of(path) == "questions":
        years = []  # numbers in examples are ratings
    # 2000 / 7 is the spread of the rating curve, not a year.
    curve = {n for n, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1) if "2000 / 7" in line}
    assert set(years) - curve == set()
    assert days == []


# A US Chess section's entrant is made by hand and a tournament's is read, but both are somebody who entered.
ONE_WORD_AT_TWO_DOORS = {"Entrant"}


def test_a_class_name_has_one_meaning():
    """No two modules have a class of the same name, so that a name can be looked up without asking which is meant."""
    homes = {}
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(str(path.relative_to(SOURCE)))
    twice = {name: places for name, places in homes.items() if len(places) > 1 and name not in ONE_WORD_AT_TWO_DOORS}
    assert twice == {}


def test_modules_are_small():
    """No module is longer than 400 lines, and half of them are under 150."""
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES}
    assert {path.name: length for path, length in lengths.items() if length > LONGEST} == {}
    assert median(lengths.values()) < MEDIAN


def test_public_names_are_sorted_and_true():
    """`__all__` is sorted, complete, and no public function has the name of a module."""
    assert arpad.__all__ == sorted(arpad.__all__)
    assert all(hasattr(arpad, name) for name in arpad.__all__)
    modules = {path.stem for path in SOURCE.iterdir() if path.suffix == ".py" or path.is_dir()}
    assert set(arpad.__all__) & modules == set()


def test_every_error_is_in_the_tree():
    """The tree drawn at the top of errors.py has every exception, and nothing else."""
    from arpad import errors

    drawn = set(re.findall(r"── (\w+)", errors.__doc__)) | {"ArpadError"}
    there = {name for name, value in vars(errors).items() if isinstance(value, type) and issubclass(value, Exception)}
    assert drawn == there == {name for name in arpad.__all__ if name in there}


def test_importing_arpad_brings_no_heavy_module():
    """`import arpad` and `arpad rate` load neither a template engine nor arrays nor an event loop."""
    probe = (
        "import sys, arpad.cli\n"
        "arpad.cli.main(['rate', '1750', '1950:win', '--k', '40'])\n"
        "print(sorted({'numpy', 'jinja2', 'shtab', 'difflib', 'asyncio'} & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "[]"


def test_every_test_file_has_its_own_name():
    """Pytest imports test files by their names alone: two of one name are an error in a run of all."""
    names = [path.name for path in TESTS.rglob("*.py") if "__pycache__" not in path.parts]
    assert sorted({name for name in names if names.count(name) > 1}) == []
