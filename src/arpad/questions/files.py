"""Files given with a question: a rating period or a plan as TOML, with the fields' names, and pasted text."""

from __future__ import annotations

import re
import sys
from datetime import date
from os.path import basename, splitext
from typing import TYPE_CHECKING, Any

from arpad.errors import BadFile, cause
from arpad.messages import Message, say
from arpad.reading import parse_date

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

DOTTED_DAY = re.compile(r"\s*(\w+)\s*=\s*(\d{1,2}\.\d{1,2}\.\d{4})\s*(?:#|$)", re.ASCII)
SPELT = {"games": "game"}  # in a file an event has `games`
STANDARD_INPUT = "-"


def period_fields(paths: Sequence[str]) -> dict[str, Any]:
    """The player and the events of a rating period."""
    return _fields(paths[0])


def plan_fields(paths: Sequence[str]) -> dict[str, Any]:
    """The events of each plan under its name, and what the files say about the player."""
    given: dict[str, Any] = {}
    events: list[dict[str, Any]] = []
    names: set[str] = set()
    for path in paths:
        file = _fields(path)
        name = file.pop("name", splitext(basename(path))[0])
        if not isinstance(name, str):
            raise BadFile(say("questions.plan_name", value=name), at=path)
        if name in names:
            raise BadFile(say("questions.same_plan", name=name), at=path)
        names.add(name)
        plan = {"plan": name} if len(paths) > 1 else {}
        events += [{**event, **plan} for event in file.pop("event")]
        for field, value in file.items():
            if given.setdefault(field, value) != value:
                raise BadFile(say("questions.plans_differ", field_name=field, value=value, other=given[field]), at=path)
    return {**given, "event": events}


def pasted_text(path: str) -> str:
    """The pasted text in a file, or on standard input."""
    from arpad.formats.text import lines_of  # most questions are asked without a file

    name = str(say("questions.standard_input")) if path == STANDARD_INPUT else path
    try:
        if path == STANDARD_INPUT:
            data = sys.stdin.buffer.read()
        else:
            with open(path, "rb") as file:
                data = file.read()
    except FileNotFoundError:
        raise BadFile(say("questions.no_paste"), at=name) from None
    except (OSError, ValueError) as problem:
        reason = cause(problem)
        raise BadFile(say("questions.unreadable", reason=reason), at=name) from None
    return "\n".join(lines_of(data, name))


def _fields(path: str) -> dict[str, Any]:
    """The fields in a file, where an event's games are called `games`."""
    import tomllib  # most questions are asked without a file

    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except OSError as problem:
        raise BadFile(say("questions.unreadable", reason=cause(problem)), at=path) from None
    except ValueError as problem:
        raise BadFile(say("questions.not_toml", reason=problem), at=path) from None
    try:
        given = tomllib.loads(text)
    except (ValueError, RecursionError) as problem:
        raise BadFile(_dotted_day(text) or say("questions.not_toml", reason=problem), at=path) from None
    events = given.get("event")
    if not isinstance(events, list) or not all(isinstance(event, dict) for event in events):
        raise BadFile(say("questions.events_needed"), at=path)
    return {
        **_plain(given),
        "event": [{SPELT.get(name, name): value for name, value in _plain(event).items()} for event in events],
    }


def _dotted_day(text: str) -> Message | None:
    """What to write instead of `on = 05.12.2026`: TOML has no dates with dots."""
    for number, line in enumerate(text.splitlines(), start=1):
        if found := DOTTED_DAY.match(line):
            name, typed = found.groups()
            return say("questions.dotted_day", name=name, typed=typed, day=parse_date(typed), line=number)
    return None


def _plain(given: Mapping[str, Any]) -> dict[str, Any]:
    """Fields as text, the way a door receives them."""
    return {name: str(value) if isinstance(value, date) else value for name, value in given.items()}
