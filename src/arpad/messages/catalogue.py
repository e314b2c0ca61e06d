"""The message files: a folder per language, a file per subject, a `key = text` per line.

A line in brackets starts a section, whose name is put before its keys: `k = K` under `[label]` in `steps.txt` is
`steps.label.k`. A text too long for one line continues on indented lines. `norms|ties.on = the day` is the text of both
`norms.on` and `ties.on`.
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
    """The languages that have message files."""
    from pathlib import Path  # slow to import, and no command needs the languages

    return sorted(
        folder.name for folder in Path(FOLDER).iterdir() if folder.is_dir() and not folder.name.startswith("_")
    )


def entry(language: str, key: str) -> str:
    """The text of a message. A missing key is a bug, which the tests catch."""
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
    # Simpler and faster than a TOML parser: the command reads two of these files every time it starts.
    texts: dict[str, str] = {}
    keys: list[str] = []
    start = ""
    with open(join(FOLDER, language, f"{subject}.txt"), encoding="utf-8") as file:
        lines = file.read().splitlines()
    for line in lines:
        if line.startswith("["):
            start = f"{line.strip()[1:-1]}."
        elif line.startswith(" "):
            for key in keys:
                texts[key] += f" {line.strip()}"
        elif line and not line.startswith("#"):
            name, _, text = line.partition(" = ")
            owners, dot, last = name.strip().rpartition(".")
            keys = [f"{start}{owner}{dot}{last}" for owner in owners.split("|")]
            texts.update(dict.fromkeys(keys, text.strip()))
    return texts
