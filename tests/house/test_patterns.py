"""No regular expression of the code takes long on hostile text, used as the code uses it."""

import ast
import importlib
import json
import re
import subprocess
import sys
from collections import Counter

import pytest

from conftest import ROOT

SOURCE = ROOT / "src"
SIZE = 64 * 1024
SECONDS = 60  # of a processor, for one room: what is linear needs a few, and one quadratic pattern needs minutes
METHODS = ("match", "fullmatch", "search", "sub", "split", "finditer", "findall")
UNITS = [
    "a", "a ", "a, ", "a,", "Ab, Cd ", "a@", "@1", "a@1 ", "a+", "é", "1", "1 ", "1.", "1,", "1-", "1/2 ", "90+",
    "1950:win ", " ", "\t", "\n", "a\n", "\r\n", "-", "--a ", ".", ":", ";", "/", "|", "=", "(", "[", "{", "{a:", "`a",
    '"', '\\"', "\\", "<a ", "R1", "w1", "½", '[White "', "https://a.b/", "<player>", "<a>",
]  # fmt: skip
HEADER = "ID Number Name Fed Sex Tit WTit OTit"  # of a rating list, behind which blanks may be
BEGINNINGS = [("", unit) for unit in UNITS] + [(HEADER, " "), ("<player>", "<a>"), ("ID number Name Titl Fed", " ")]
# Patterns that are built while the program runs, by their modules: examples of them, and how they are used.
BUILT = {
    "arpad.bulk.engines.spark_tables": lambda module: [
        *((one, ["findall"]) for one in (*module.REASONS, module.TYPES)),
        (module.FILE_READ, ["search"]),
    ],
    "arpad.formats.saving": lambda module: [(module.FORMULA, ["match"])],
    "arpad.formats.sheets": lambda module: [(module.FORMULA, ["match"])],
    "arpad.lists.fide_files": lambda module: [
        *((module._pattern(headings), ["fullmatch"]) for headings in module.LAYOUTS.values()),  # noqa: SLF001
        (module._UsualPlayers("<a>1</a>\n<b></b>", {})._pattern.pattern, ["split"]),  # noqa: SLF001
    ],
    "arpad.reports.ledger_site": lambda module: [(module._in_any_order("Baker, Ann Mary").pattern, ["split"])],  # noqa: SLF001
    "arpad.reading.time_words": lambda module: [
        (module._unspaced().pattern, ["findall"]),  # noqa: SLF001
        *((module._compiled(one).pattern, ["match"]) for one in (*module.MOVE_NUMBERS, *module.US_NOTATION)),  # noqa: SLF001
    ],
    "arpad.reading.tables.cells": lambda module: [(one.pattern, ["fullmatch"]) for one in module._forms()],  # noqa: SLF001
}
ROOMS = sorted(path.name for path in (SOURCE / "arpad").iterdir() if (path / "__init__.py").exists())
RUN = """
import json, re, sys
try:
    import resource
    resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[3]), int(sys.argv[3])))  # however busy the machine is
except ImportError:
    pass
size = int(sys.argv[2])
texts = [(begins + unit * (size // len(unit)))[:size] for begins, unit in json.loads(sys.argv[1])]
texts += [f"{text}\\0" for text in texts]
for module, name, pattern, flags, methods, is_bytes in json.load(sys.stdin):
    compiled = re.compile(pattern.encode() if is_bytes else pattern, flags)
    print(module, name, flush=True)
    for text in texts:
        for method in methods:
            given = text.encode() if is_bytes else text
            found = getattr(compiled, method)(*((given[:0],) if method == "sub" else ()), given)
            if method == "finditer":
                all(found)
"""


def module_of(path):
    """The dotted name of a source file."""
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def uses(tree):
    """How a module uses its names: the methods of a pattern that are called on each."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr in METHODS:
            found.setdefault(node.value.id, set()).add(node.attr)
    return found


def calls(tree):
    """The calls that make or use a regular expression."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "re"
            and node.func.attr in (*METHODS, "compile")
        ):
            yield node


def inline(tree):
    """The patterns that are written where they are used: `re.sub(r"…", …)`."""
    for node in calls(tree):
        if node.func.attr in METHODS and isinstance(node.args[0], ast.Constant):
            yield f"line {node.lineno}", node.args[0].value, [node.func.attr]


def kept(value):
    """The patterns that a name has: one, or several in a tuple, a list or a dictionary."""
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict):
        yield from (one for one in value.values() if isinstance(one, re.Pattern))
    elif isinstance(value, list | tuple | set | frozenset):
        yield from (one for one in value if isinstance(one, re.Pattern))


def modules_in(room):
    """The files of a room; what only Alembic can run, in the middle of a migration, is left out."""
    return sorted(path for path in (SOURCE / "arpad" / room).rglob("*.py") if path.name != "env.py")


def patterns(room):
    """Every regular expression of a room with the ways it is used; all of them where that is not seen."""
    for path in modules_in(room):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        name_of_module = module_of(path)
        module = importlib.import_module(name_of_module)
        used = uses(tree)
        for name, value in vars(module).items():
            for one in kept(value):
                is_bytes = isinstance(one.pattern, bytes)
                text = one.pattern.decode() if is_bytes else one.pattern
                yield name_of_module, name, text, one.flags, sorted(used.get(name, METHODS)), is_bytes
        for name, pattern, methods in inline(tree):
            yield name_of_module, name, pattern, 0, methods, False
        for pattern, methods in BUILT.get(name_of_module, lambda _: [])(module):
            yield name_of_module, "built", pattern, 0, methods, False


@pytest.mark.parametrize("room", ROOMS)
def test_hostile_text_holds_up_no_pattern(room):
    """64 KB of anything over and over: a process of its own tries them all, and is stopped at the first that hangs."""
    command = [sys.executable, "-c", RUN, json.dumps(BEGINNINGS), str(SIZE), str(SECONDS)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as trying:
        try:
            seen, _ = trying.communicate(json.dumps(list(patterns(room))), timeout=20 * SECONDS)
        except subprocess.TimeoutExpired:
            trying.kill()
            seen, _ = trying.communicate()
    assert trying.returncode == 0, f"hangs: {seen.splitlines()[-1:]}"


def test_the_patterns_are_found():
    """The test looks at something: two patterns that once took a minute are among them."""
    found = {name: methods for _, name, _, _, methods, _ in patterns("reading")}
    assert {"sub", "finditer"} <= {*found["NAME_BEFORE_ID"], *found["WHOLE_NAME"]}


@pytest.mark.parametrize("room", ROOMS)
def test_no_pattern_is_missed(room):
    """A module has as many patterns as it makes, or says in BUILT what those are that it makes while it runs."""
    found = Counter(module for module, *_ in patterns(room))
    for path in modules_in(room):
        made = list(calls(ast.parse(path.read_text(encoding="utf-8"))))
        assert found[module_of(path)] >= len(made) or module_of(path) in BUILT, path
