"""The message files: a folder for each language, a file for each subject, and English where a language has no text yet.

A file is in INI form, so that programs for translators read and write it: sections, `key = text`, and lines that begin
with a space continue the text above. The whole key is `file.section.key`; a section with the name of its file adds
nothing. `next|event.on` are two keys with one text.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from os.path import dirname, isfile, join

FOLDER = dirname(__file__)
ORIGINAL = "en"
_further: list[str] = []  # folders of packages that bring systems


class Borrowed(str):
    """An English text that another language uses because it has none of its own yet."""

    __slots__ = ()


@cache
def languages() -> tuple[str, ...]:
    """The languages that have a folder, English first."""
    from pathlib import Path  # slow to import, and a command in English does not need the languages

    found = {path.parent.name for path in Path(FOLDER).glob("*/locale.txt")}
    return (ORIGINAL, *sorted(found - {ORIGINAL}))


def entry(language: str, key: str) -> str:
    """The text of a message. A key that English does not have is a bug, which the tests catch."""
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
    """All texts of one file; what a language has not translated yet is borrowed from English."""
    own = own_texts(language, subject)
    if language == ORIGINAL:
        return own
    english = own_texts(ORIGINAL, subject)
    return {key: own[key] if key in own else Borrowed(text) for key, text in english.items()}


@cache
def own_texts(language: str, subject: str) -> Mapping[str, str]:
    """The texts that a language itself has in one file."""
    texts: dict[str, str] = {}
    paths = [join(folder, language, f"{subject}.txt") for folder in (FOLDER, *_further)]
    there = [path for path in paths if isfile(path)]
    if language == ORIGINAL and not there:
        raise FileNotFoundError(paths[0])  # English has every subject
    for path in there:
        texts = {**_texts_in(path, subject), **texts}  # nobody changes our own words
    return texts


@cache
def rule_texts(language: str) -> Mapping[str, str]:
    """What the rule files say in a language, by the English of the rule files."""
    if language == ORIGINAL:
        return {}
    own = own_texts(language, "rules")
    return {text: own[key] for key, text in own_texts(ORIGINAL, "rules").items() if key in own}


def _texts_in(path: str, subject: str) -> dict[str, str]:
    # Simpler and faster than a parser of INI: the command reads three of these files every time it starts.
    texts: dict[str, str] = {}
    keys: list[str] = []
    start = ""
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    for line in lines:
        if line.startswith("["):
            name = line.strip()[1:-1]
            start = "" if name == subject else f"{name}."
        elif line.startswith(" "):
            for key in keys:
                texts[key] += f" {line.strip()}"
        elif line and not line.startswith("#"):
            name, _, text = line.partition("=")
            owners, dot, last = name.strip().rpartition(".")
            keys = [f"{start}{owner}{dot}{last}" for owner in owners.split("|")]
            texts.update(dict.fromkeys(keys, text.strip()))
    return texts


def as_written(language: str) -> str:
    """All files of a language, one after the other."""
    from pathlib import Path

    files = sorted(Path(FOLDER, language).glob("*.txt"))
    return "\n".join(f"# messages/{language}/{file.name}\n{file.read_text(encoding='utf-8')}" for file in files)


def add_folder(folder: str) -> None:
    """Take the words of another package into account: a folder with `en/notes.txt` and others, as ours has."""
    if folder not in _further:
        _further.append(folder)
        for known in (section, subject_texts, own_texts, rule_texts):
            known.cache_clear()
