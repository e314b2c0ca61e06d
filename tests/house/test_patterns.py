"""No regular expression of the code takes long on hostile text, used as the code uses it."""

import ast
import importlib
import json
import re
import subprocess
import sys

import pytest

from conftest import ROOT

SOURCE = ROOT / "src"
SIZE = 64 * 1024
SECONDS = 60  # for one room: what is linear needs a few, and one quadratic pattern needs minutes
METHODS = ("match", "fullmatch", "search", "sub", "split", "finditer", "findall")
UNITS = [
    "a", "a ", "a, ", "a,", "Ab, Cd ", "a@", "@1", "a@1 ", "a+", "é", "1", "1 ", "1.", "1,", "1-", "1/2 ", "90+",
    "1950:win ", " ", "\t", "\n", "a\n", "\r\n", "-", "--a ", ".", ":", ";", "/", "|", "=", "(", "[", "{", "{a:", "`a",
    '"', '\\"', "\\", "<a ", "R1", "w1", "½", '[White "', "https://a.b/",
]  # fmt: skip
ROOMS = sorted(path.name for path in (SOURCE / "arpad").iterdir() if (path / "__init__.py").exists())
RUN = """
import json, re, sys
texts = [unit * (int(sys.argv[2]) // len(unit)) for unit in json.loads(sys.argv[1])]
for module, name, pattern, flags, methods in json.load(sys.stdin):
    compiled = re.compile(pattern, flags)
    print(module, name, flush=True)
    for text in [*texts, *(f"{text}\\0" for text in texts)]:
        for method in methods:
            found = getattr(compiled, method)(*(("",) if method == "sub" else ()), text)
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


def inline(tree):
    """The patterns that are written where they are used: `re.sub(r"…", …)`."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "re"
            and node.func.attr in METHODS
            and isinstance(node.args[0], ast.Constant)
        ):
            yield f"line {node.lineno}", node.args[0].value, [node.func.attr]


def patterns(room):
    """Every regular expression of a room with the ways it is used; all of them where that is not seen."""
    for path in sorted((SOURCE / "arpad" / room).rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        module = module_of(path)
        used = uses(tree)
        for name, value in vars(importlib.import_module(module)).items():
            if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
                yield module, name, value.pattern, value.flags, sorted(used.get(name, METHODS))
        for name, pattern, methods in inline(tree):
            yield module, name, pattern, 0, methods


@pytest.mark.parametrize("room", ROOMS)
def test_hostile_text_holds_up_no_pattern(room):
    """64 KB of anything over and over: a process of its own tries them all, and is stopped at the first that hangs."""
    command = [sys.executable, "-c", RUN, json.dumps(UNITS), str(SIZE)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as trying:
        try:
            seen, _ = trying.communicate(json.dumps(list(patterns(room))), timeout=SECONDS)
        except subprocess.TimeoutExpired:
            trying.kill()
            seen, _ = trying.communicate()
            pytest.fail(f"hangs: {seen.splitlines()[-1]}")
    assert trying.returncode == 0


def test_the_patterns_are_found():
    """The test looks at something: two patterns that once took a minute are among them."""
    found = {name: methods for _, name, _, _, methods in patterns("reading")}
    assert {"sub", "finditer"} <= {*found["NAME_BEFORE_ID"], *found["WHOLE_NAME"]}
