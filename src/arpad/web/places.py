"""Where an error is, in the reader's words, and the field of the form it belongs to."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from arpad.messages import say
from arpad.web.site import choices, field_label

if TYPE_CHECKING:
    from arpad.web.forms import Form

PATH = re.compile(r"(?:event\[(?P<event>\d+)\]\.)?(?P<name>\w+)(?:\[(?P<number>\d+)\])?(?:, line (?P<line>\d+))?")
IN_ONE_LINE = {"need": "list"}  # pages with all opponents in one field
GAMES = ("game", "against", "paste")  # the fields that hold an event's games


class FormPlace(NamedTuple):
    """A place in words, and the id of its field."""

    text: str
    field: str


def place_of(at: str | None, question: str, form: Form) -> FormPlace | None:
    """The place of an error by its path; None if the page has no such place."""
    found = PATH.fullmatch(at or "")
    if found is None:
        return None
    name = found["name"]
    number = None if found["number"] is None else int(found["number"])
    line = found["line"]
    if found["event"] is not None:
        return _of_event(int(found["event"]) + 1, name, number, line)
    if name in ("game", "against"):
        if question in IN_ONE_LINE:
            label = field_label(question, IN_ONE_LINE[question]) or name
            text = label if number is None else _said("number", label=label, number=number + 1)
            return FormPlace(text, IN_ONE_LINE[question])
        if number is None:  # all games; with events it is not clear which ones
            return FormPlace(_said("all_games"), "row-1") if form.rows else None
        row = form.row_of(number)
        wrong = "opponent" if row >= len(form.rows) or form.rows[row].result in choices() else "result"
        return FormPlace(_said(wrong, game=row + 1), f"{'row' if wrong == 'opponent' else 'result'}-{row + 1}")
    label = field_label(question, name)
    return None if label is None else FormPlace(_in_line(label, line), name)


def _said(key: str, **values: object) -> str:
    return str(say(f"pages.place.{key}", **values))


def _in_line(place: str, line: str | None) -> str:
    """A place, with the line of a pasted list."""
    return place if line is None else _said("line", place=place, line=line)


def _of_event(event: int, name: str, number: int | None, line: str | None) -> FormPlace:
    """A place within one of several events."""
    if name in GAMES:
        text = _said("games", event=event) if number is None else _said("game", event=event, game=number + 1)
        return FormPlace(_in_line(text, line), f"schedule-{event}")
    label = (field_label("event", name) or name).lower()
    return FormPlace(_said("of_event", event=event, label=label), f"{name}-{event}")
