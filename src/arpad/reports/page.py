"""A report as one page that needs nothing else: no script, no network, and light or dark as its reader likes."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arpad.calculation.explain import figure, note, words
from arpad.core.tournament import gathered
from arpad.errors import MissingExtra
from arpad.reports.pictures import pictures

if TYPE_CHECKING:
    from jinja2 import Environment

    from arpad.reports.norms import Norms
    from arpad.tournaments.event.entrant import EntrantRating
    from arpad.tournaments.event.report import EventRating

TEMPLATES = Path(__file__).parent / "templates"


def page(rated: EventRating, norms: Norms | None = None, *, cards: bool = True) -> str:
    """The whole page, with a card for everybody or without."""
    style = "".join((TEMPLATES / name).read_text(encoding="utf-8") for name in ("page.css", "report.css"))
    return templates().get_template("page.html").render(**_shown(rated, norms, cards=cards), style=style)


def body(rated: EventRating, norms: Norms | None = None) -> str:
    """The report alone, for a page that has its own head; `stylesheet` goes with it."""
    return templates().get_template("report.html").render(**_shown(rated, norms, cards=True))


def stylesheet() -> str:
    """How the report looks, with the colours that the page around it names."""
    return (TEMPLATES / "report.css").read_text(encoding="utf-8")


def _shown(rated: EventRating, norms: Norms | None, *, cards: bool) -> dict[str, Any]:
    try:
        drawn, undrawn = pictures(rated), None
    except MissingExtra as missing:
        drawn, undrawn = [], str(missing)
    return {
        "rated": rated,
        "event": rated.tournament,
        "norms": norms,
        "cards": cards,
        "pictures": drawn,
        "undrawn": undrawn,
    }


@cache
def templates() -> Environment:
    """The templates with the words they use."""
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
    except ImportError:
        raise MissingExtra("A report page needs Jinja; `pip install 'arpad[reports]'` brings it.", at="to") from None
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        auto_reload=False,
    )
    made.filters.update(
        figure=lambda value: "" if value is None else figure(value),
        signed=lambda value: "" if value is None else figure(value, signed=True),
        way=_way,
        note=note,
        score=_score,
    )
    made.globals.update(label=label, reasons=_reasons, gathered=gathered)
    return made


def label(key: str) -> str:
    """What a figure is called."""
    return words()["label"].get(key, key)


def _way(change: Any) -> str:
    """Whether a change goes up or down."""
    return "" if not change else "up" if change > 0 else "down"


def _score(score: Any) -> str:
    """A score as a crosstable has it."""
    whole, half, _ = figure(score).partition(".5")
    return f"{'' if half and whole == '0' else whole}{'½' * bool(half)}"


def _reasons(one: EntrantRating) -> list[tuple[str, list[int]]]:
    """Each reason in a player's games once, with its rounds."""
    found: dict[str, list[int]] = {}
    for board, line in one.lines():
        if line is not None and line.why is not None:
            found.setdefault(line.why, []).append(board.round)
    return list(found.items())
