"""Write the generated pages (the commands, the references, the rules by date) and the stubs of the public names.

make docs             writes them
generate.py --check   says whether they are up to date, without changing them
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import api_reference
from python_reference import reference

import arpad
import arpad.ledger
import arpad.lists
from arpad.calculation.explain import doubt
from arpad.cli import command_spec
from arpad.cli import commands as command_names
from arpad.cli.help import help_of
from arpad.messages import FOLDER, speaking
from arpad.rulebooks import REGULATIONS

HERE = Path(__file__).parent
FUZZED = HERE.parent / "tests" / "fuzz" / "counts.json"
MADE = re.compile(r"(<!-- (rules|questions|fields|fuzzed|errors):? ?([\w-]*) -->\n).*?(<!-- end -->)", re.DOTALL)


def commands() -> str:
    """The reference of the command line, from the help of each command."""
    parts = ["# Commands\n\nMade from `arpad COMMAND --help` by `make docs`.\n"]
    for name in command_names():
        with speaking(door="command"):
            help_text = help_of(command_spec(name))
        parts.append(f"## arpad {name}\n\n```text\n{help_text}\n```\n")
    return "\n".join(parts)


def rules(name: str) -> str:
    """A rulebook as a table: what each rule was, and since when."""
    lines = ["| rule | since | what it says | article | sure |", "|---|---|---|---|---|"]
    for rule in arpad.rules(name):
        cells = (f"`{rule.name}`", str(rule.since), rule.says, rule.cite, doubt(rule) or "confirmed")
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def fuzzed() -> str:
    """How many inputs each fuzz target has been given so far."""
    counts = json.loads(FUZZED.read_text(encoding="utf-8"))
    guided, damaged = (sum(count[how] for count in counts.values()) for how in ("guided", "damaged"))
    lines = [f"| {name} | {count['guided']:,} | {count['damaged']:,} |" for name, count in counts.items()]
    return "\n".join(
        [
            "| target | guided | damaged |",
            "|---|---|---|",
            *lines,
            f"| **all** | **{guided:,}** | **{damaged:,}** |",
            "",
        ]
    )


def modules() -> str:
    """Every module with its subject: the first sentence of its docstring."""
    begins = "# Every module\n\nMade from the first sentence of each module by `make docs`."
    parts = [f"{begins} How the rooms fit together is in [the architecture](architecture.md).\n"]
    package = Path(arpad.__file__).parent
    for room in sorted({path.relative_to(package).parts[0] for path in package.glob("*/**/*.py")}):
        lines = [f"## {room}", "", "| module | subject |", "|---|---|"]
        for path in sorted((package / room).rglob("*.py")):
            told = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
            if told:
                sentence = " ".join(told.split("\n\n")[0].split())
                lines.append(f"| `{path.relative_to(package)}` | {sentence} |")
        parts.append("\n".join([*lines, ""]))
    return "\n".join(parts)


def rule_texts() -> str:
    """What the rule files say, as a message file: the texts that translators have before them."""
    lines, said = ["# What the rulebooks say, made from the rule files by `make docs`: English is mended there."], set()
    for path in sorted(Path(REGULATIONS).glob("*.toml")):
        texts = [(key, text) for key, text in _quoted(tomllib.loads(path.read_text(encoding="utf-8")))]
        own = {text: key for key, text in reversed(texts) if text not in said}  # a text that comes again has one key
        said |= {*own}
        here = [f"{key} = {text}" for key, text in texts if own.get(text) == key]
        lines += ["", f"[{path.stem}]", *here] if here else []
    return "\n".join([*lines, ""])


def _quoted(file: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The texts of a rule file: its title, what each rule says since when, and the parts of its value."""
    yield from ((key, file[key]) for key in ("title", "compared") if key in file)
    for name, dated in file.get("rule", {}).items():
        for rule in dated:
            key = f"{name}.{rule['since']}"
            yield key, rule["says"]
            yield from _in_value(rule["value"], key)
            for reading, value in rule.get("readings", {}).items():
                yield from _in_value(value, f"{key}.{reading}")


def _in_value(value: object, key: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, list):
        for number, one in enumerate(value, 1):
            if isinstance(one, dict) and "says" in one:
                yield f"{key}.{one.get('name', number)}", one["says"]


def part(kind: str, name: str) -> str:
    """The text between two markers of a page."""
    if kind == "rules":
        return rules(name)
    if kind == "fuzzed":
        return fuzzed()
    return {
        "questions": api_reference.questions,
        "fields": api_reference.fields,
        "errors": api_reference.errors,
    }[kind]()


def stub(package: ModuleType) -> str:
    """The public names of a package for type checkers, which cannot see what is imported when it is first used."""
    homes = {name: f"{package.__name__}.{module}" for name, module in package._HOME.items()}  # noqa: SLF001
    others = set(dir(package)) - homes.keys() - {"__version__"}  # modules, which are imported in the same way
    homes |= dict.fromkeys(others, package.__name__)
    lines = [
        f"from {homes[name]} import {name} as {name}"
        for name in sorted(homes, key=lambda name: (homes[name], _isort(name)))
    ]
    version = ["", "__version__: str"] if "__version__" in package.__all__ else []
    return "\n".join([f"# Made from {package.__name__}._HOMES by `make docs`.", *lines, *version, ""])


def _isort(name: str) -> tuple[int, str]:
    """The order in which an import block has names: constants, classes, functions."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2), name


def pages() -> dict[Path, str]:
    """Every generated page and stub with the text it should have."""
    made = {HERE / "commands.md": commands(), HERE / "modules.md": modules(), HERE / "reference.md": reference()}
    made[Path(FOLDER, "en", "rules.txt")] = rule_texts()
    made |= {
        Path(str(package.__file__)).with_suffix(".pyi"): stub(package)
        for package in (arpad, arpad.ledger, arpad.lists, arpad.reading)
    }
    for page in HERE.rglob("*.md"):
        text = page.read_text(encoding="utf-8")
        if MADE.search(text):
            made[page] = MADE.sub(lambda found: found[1] + part(found[2], found[3]) + found[4], text)
    return made


def main() -> int:
    """Write the pages, or only compare them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; exit with 1 if one is out of date")
    check = parser.parse_args().check
    stale = [page for page, text in pages().items() if not page.exists() or page.read_text(encoding="utf-8") != text]
    for page in stale:
        print(f"{'out of date' if check else 'written'}: {page.name}")
        if not check:
            page.write_text(pages()[page], encoding="utf-8")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
