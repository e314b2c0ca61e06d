"""What the pages say: their titles, examples and the names of choices, read from `words.toml`."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlencode

if TYPE_CHECKING:
    from collections.abc import Mapping


HERE = Path(__file__).parent


class Page(NamedTuple):
    """A page: the question behind it, its address, what it is called, what it says of itself, and an example."""

    question: str
    path: str
    short: str
    title: str
    says: str
    waiting: str = ""
    example: str = ""
    query: str = ""


@cache
def wording() -> Mapping[str, Any]:
    """The words of the pages."""
    return tomllib.loads((HERE / "words.toml").read_text(encoding="utf-8"))


@cache
def questions() -> list[dict[str, str]]:
    """The questions of the help page."""
    listed: list[dict[str, str]] = tomllib.loads((HERE / "questions.toml").read_text(encoding="utf-8"))["question"]
    return listed


def _page(question: str, fields: Mapping[str, str]) -> Page:
    return Page(question, **{{"try": "example"}.get(name, name): text for name, text in fields.items()})


PAGES = {question: _page(question, fields) for question, fields in wording()["page"].items()}
NOWHERE = _page("nowhere", wording()["nowhere"])
CHOICES: Mapping[str, str] = wording()["result"]
BODIES: Mapping[str, dict[str, Any]] = wording()["body"]
WITH_DEVIATION: list[str] = wording()["block"]["deviation"]


def named(kind: str, name: str) -> str:
    """What people call a system or a method."""
    return str(wording()[kind].get(name, name))


def field_label(question: str, name: str) -> str | None:
    """What a page calls a field; None if there is no such field."""
    label = wording()["field_on"].get(question, {}).get(name) or wording()["field"].get(name)
    return None if label is None else str(label)


def rule_name(name: str) -> str:
    """What people call a rule."""
    return str(wording()["rule"].get(name, name.replace("_", " ")))


ALONE = re.compile(r"(?: or set it)? \(`?--[\w-]+(?: [\w=]+)?`?\)")  # an option behind what it is about
OPTION = re.compile(r"`?--([a-z][\w-]*)`?")
COMMAND = re.compile(r"`arpad (\w+)[^`]*`")


def on_page(text: str) -> str:
    """A sentence that names fields and pages where the command has options and commands."""

    def field(found: re.Match[str]) -> str:
        label = wording()["field"].get(found[1].replace("-", "_"))
        return found[0] if label is None else f"“{label}”"

    def page(found: re.Match[str]) -> str:
        return f"the page “{PAGES[found[1]].short}”" if found[1] in PAGES else found[0]

    return OPTION.sub(field, COMMAND.sub(page, ALONE.sub("", text)))


def as_query(body: Mapping[str, Any]) -> str:
    """A JSON body as the query that asks the same."""
    pairs: list[tuple[str, Any]] = []
    for name, value in body.items():
        if name != "event":
            pairs += _pairs(name, value)
            continue
        for event in value:
            pairs.append(("event", event.get("name", "")))
            pairs += [pair for inner, one in event.items() if inner != "name" for pair in _pairs(inner, one)]
    return urlencode(pairs, safe=":")


def _pairs(name: str, value: Any) -> list[tuple[str, Any]]:
    return [(name, one) for one in (value if isinstance(value, list) else [value])]
