"""Types: a program that uses the library passes strict checks, and nothing public is `Any`."""

import dataclasses
import inspect
import os
import re
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import get_args

import pytest

import arpad
from arpad.calculation.answer import Answer
from arpad.calculation.explain import Reason
from arpad.calculation.serialise import field_types
from arpad.questions.rules import rulebook_names
from conftest import ROOT

USE = Path(__file__).with_name("typed_use.py.txt")
BIN = Path(sys.executable).parent
CHECKS = {
    "mypy": ["--strict", "--follow-imports=silent", "--python-executable", sys.executable],
    "basedpyright": ["--pythonpath", sys.executable],
}
PUBLIC = [name for name in arpad.__all__ if not name.startswith("__")]
CLASSES = [one for name in PUBLIC if isinstance(one := getattr(arpad, name), type)]
# What may be `Any`, and why.
OPEN = {
    "Step.value": "what a regulation speaks of: a number, a table or a word",
    "Step.words": "what only a sentence needs",
    "Answer.value": "JSON, typed as json.loads types it",
    "GlickoChange.of": "the fields that a subclass adds",
}


@pytest.mark.parametrize("tool", CHECKS)
def test_programs_pass_strict_checks(tool, tmp_path):
    """One uses every function as the documentation does, one reads every public field, one asks for every rulebook."""
    (tmp_path / "use.py").write_text(USE.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "read.py").write_text(reading_program(), encoding="utf-8")
    (tmp_path / "rules.py").write_text(rules_program(), encoding="utf-8")
    (tmp_path / "pyrightconfig.json").write_text(f'{{"extraPaths": ["{ROOT / "src"}"]}}', encoding="utf-8")
    line = [str(BIN / tool), *CHECKS[tool], "use.py", "read.py", "rules.py"]
    where = {**os.environ, "MYPYPATH": str(ROOT / "src")}
    ran = subprocess.run(line, cwd=tmp_path, env=where, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout


MISSPELT = """\
from arpad.questions import readers
from arpad.questions.declare import NO_PAGE, defaulting, flag, nested, optional, question, required, several
from arpad.questions.ratings import PlayedEvent
several(readers.game, exmaple="1950:win")
optional(readers.day, example=2026)
required(readers.text, gruop="rules")
defaulting(readers.count, 1, exampel="2")
flag(onlywith=("to",))
nested(PlayedEvent, grup="event")
question("rate", need=("rating",), **NO_PAGE)
"""


def test_a_misspelt_setting_of_a_field_is_found(tmp_path):
    """What a field or a question may say about itself is typed: `exmaple` is an error, not a field without one."""
    (tmp_path / "misspelt.py").write_text(MISSPELT, encoding="utf-8")
    line = [str(BIN / "mypy"), *CHECKS["mypy"], "misspelt.py"]
    where = {**os.environ, "MYPYPATH": str(ROOT / "src")}
    ran = subprocess.run(line, cwd=tmp_path, env=where, capture_output=True, text=True, check=False)
    assert [int(number) for number in re.findall(r"misspelt.py:(\d+): error", ran.stdout)] == [4, 5, 6, 7, 8, 9, 10]


def test_the_program_uses_every_function():
    """A public function that the program leaves out fails the build; so do a cast and an ignored error."""
    text = USE.read_text(encoding="utf-8")
    functions = [name for name in PUBLIC if inspect.isfunction(getattr(arpad, name))]
    assert [name for name in functions if not re.search(rf"\b{name}\(", text)] == []
    assert not re.search(r"\bcast\(|type: ignore|pyright: ignore|\bAny\b", text)


def inner_types(hint):
    """A type, and those it is made of."""
    yield hint
    for part in get_args(hint):
        yield from inner_types(part)


def fields_of_answers():
    """The public fields of every kind of answer and of every dataclass in one of those fields, by module and name."""
    for name in arpad.system_names():
        arpad.system(name)  # whose module is imported here: a system may have answers that extend the others'
    found, left = {}, [one for one in CLASSES if issubclass(one, Answer)]
    while left:
        kind = left.pop()
        if (kind.__module__, kind.__name__) not in found:
            types = field_types(kind)
            found[kind.__module__, kind.__name__] = list(types)
            parts = [one for hint in types.values() for one in inner_types(hint) if dataclasses.is_dataclass(one)]
            ours = [one for one in kind.__subclasses__() if one.__module__.startswith("arpad.")]  # not another test's
            left += [*ours, *(one for one in parts if not issubclass(one, arpad.Message | Reason))]
    return found


def fields_of_nouns():
    """The public fields of every other public class that has some, by module and name."""
    found = {}
    for kind in CLASSES:
        if not issubclass(kind, Answer | arpad.Step):  # to mypy all of a tuple is open that has open fields
            own = dataclasses.fields(kind) if dataclasses.is_dataclass(kind) else ()
            names = [one.name for one in own if not one.metadata.get("hidden")] or getattr(kind, "_fields", ())
            found |= {(kind.__module__, kind.__name__): list(names)} if names else {}
    return found


def reading_program():
    """A program that reads every public field of every answer and noun."""
    imports, functions = [], []
    for number, ((module, name), fields) in enumerate(sorted((fields_of_nouns() | fields_of_answers()).items())):
        imports.append(f"from {module} import {name} as Kind{number}")
        values = "".join(f"        one.{field},\n" for field in fields)
        of = {"Rule": "[object]", "BothChanges": "[RatingChange]"}.get(name, "")
        functions.append(f"def read_{number}(one: Kind{number}{of}) -> list[object]:\n    return [\n{values}    ]\n")
    lines = [
        "# pyright: strict, reportAny=error",
        "# mypy: disallow-any-expr",
        "from arpad import RatingChange",
        *imports,
        "",
        "",
        *functions,
    ]
    return "\n".join(lines)


def rules_program():
    """A program in which every rulebook has the rules that it really has."""
    lines = ["# pyright: strict, reportAny=error", "from typing import assert_type", "import arpad"]
    for number, name in enumerate(rulebook_names()):
        schema = type(arpad.rules(name).at(date(2026, 11, 15)))
        lines.append(f"from {schema.__module__} import {schema.__name__} as Rules{number}")
        lines.append(f"book{number} = assert_type(arpad.rules({name!r}), arpad.Rulebook[Rules{number}])")
    return "\n".join([*lines, ""])


def test_the_fields_are_those_of_the_answers():
    """The list of fields has what the public contract names, those that follow from others, and what is nested."""
    found = {name: fields for (_, name), fields in fields_of_answers().items()}
    assert {"k_used", "new_rating", "per_game", "events", "performance"} <= set(found["RatingChange"])
    assert {"opponent", "score", "difference", "expected", "change", "rated", "why"} <= set(found["GameChange"])
    assert {"new_deviation", "new_volatility"} <= set(found["GlickoChange"])
    assert {"name", "met", "found", "needed"} <= set(found["NormCondition"])


def signatures():
    """The annotations of every public function and method, and of every public class, by name."""
    for name in PUBLIC:
        value = getattr(arpad, name)
        if inspect.isfunction(value):
            yield name, inspect.get_annotations(value)
        for kind in value.__mro__ if isinstance(value, type) else ():
            if kind.__module__.startswith("arpad."):
                yield from signatures_of(kind)


def signatures_of(kind):
    """The annotations of the fields, properties and methods that a class itself has."""
    own = inspect.get_annotations(kind)
    yield from ((f"{kind.__name__}.{name}", {name: own[name]}) for name in own if not name.startswith("_"))
    for name, value in vars(kind).items():
        method = next((found for part in ("__func__", "fget", "func") if (found := getattr(value, part, None))), value)
        made = dataclasses.is_dataclass(kind) and name == "__init__"  # from the fields
        if inspect.isfunction(method) and not made and (not name.startswith("_") or name in ("__init__", "__iter__")):
            yield f"{kind.__name__}.{name}", inspect.get_annotations(method)


def test_nothing_public_is_any():
    """No parameter, result or field of a public function or class has `Any` in its type without a reason."""
    found = {where for where, types in signatures() if any(re.search(r"\bAny\b", str(one)) for one in types.values())}
    assert found == set(OPEN)
