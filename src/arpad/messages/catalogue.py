"""The message files: one folder a language, one file a subject, one `key = text` a line.

A line in brackets begins a section, whose name goes before its keys: `k = K` under `[label]` in `steps.txt` is
`steps.label.k`. A text that is too long for a line goes on in indented lines.
"""

from __future__ import annotations

from functools import cache
from os.path import dirname, join
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDER = dirname(__file__)
ORIGINAL = "en"


def languages() -> list[str]:
    """The languages there are."""
    from pathlib import Path  # slow to import, and no command asks for the languages

    return sorted(one.name for one in Path(FOLDER).iterdir() if one.is_dir() and not one.name.startswith("_"))


def entry(language: str, key: str) -> str:
    """The text of a message; a missing key is a mistake of ours, and the tests find it."""
    subject, _, rest = key.partition(".")
    return subject_texts(language, subject)[rest]


@cache
def section(language: str, name: str) -> Mapping[str, str]:
    """The texts of one section by their keys: `section("en", "steps.label")["k"]`."""
    subject, _, inner = name.partition(".")
    start = f"{inner}."
    texts = subject_texts(language, subject)
    return {key.removeprefix(start): text for key, text in texts.items() if key.startswith(start)}


@cache
def subject_texts(language: str, subject: str) -> Mapping[str, str]:
    """All texts of one file."""
    # A plain reader instead of a TOML parser: the command reads two of these files at every start.
    texts: dict[str, str] = {}
    key = start = ""
    with open(join(FOLDER, language, f"{subject}.txt"), encoding="utf-8") as file:
        lines = file.read().splitlines()
    for line in lines:
        if line.startswith("["):
            start = f"{line.strip()[1:-1]}."
        elif line.startswith(" "):
            texts[key] += f" {line.strip()}"
        elif line and not line.startswith("#"):
            name, _, text = line.partition(" = ")
            key = start + name.strip()
            texts[key] = text.strip()
    return texts
