"""Answers as a page shows them: their figures, and several systems side by side."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.core.roundings import decimal, half_up
from arpad.messages import figure
from arpad.questions.asking import DEFAULT_SYSTEM
from arpad.web.wording import named

if TYPE_CHECKING:
    from arpad.calculation.contract import Calculation, Figure
    from arpad.systems.comparison import Compared, Comparison


POINTS = re.compile(r"\d\d+\.\d+")
METHOD = re.compile(r"by the method (\w+)")


def figures_of(answer: Calculation) -> list[Figure]:
    """The figures of an answer; a rating with a deviation in whole points, for the working has the decimals."""
    found = [one for one in answer.figures() if one.value is not None]
    found = [one._replace(remark=METHOD.sub(lambda said: named("method", said[1]), one.remark)) for one in found]
    if not hasattr(answer, "interval"):
        return found
    return [one._replace(value=_in_points(figure(one.value)), remark=_in_points(one.remark)) for one in found]


def change_of(answer: Calculation) -> str:
    """The change that stands beside a new rating, or nothing."""
    change = getattr(answer, "shown_change", getattr(answer, "change", None))
    if change is None or not hasattr(answer, "rounded"):
        return ""
    signed = figure(change, signed=True)
    return _in_points(signed) if hasattr(answer, "interval") else signed


def _in_points(text: str) -> str:
    """A text with its ratings in whole points."""
    return POINTS.sub(lambda number: whole_points(number[0]), text)


class Beside(NamedTuple):
    """What one or more systems make of the games, or what they lack; figures as people write them."""

    systems: str
    expected: str
    k: str
    change: str
    new_rating: str
    reasons: tuple[str, ...]
    why: str | None


def side_by_side(comparison: Comparison) -> list[Beside]:
    """The answers, the default system's first and what lacks data last."""
    groups: dict[Beside, list[str]] = {}
    for line in sorted(comparison.lines, key=lambda one: (one.answer is None, one.name != DEFAULT_SYSTEM)):
        groups.setdefault(_line(line), []).append(named("system", line.name))
    return [line._replace(systems=together(names)) for line, names in groups.items()]


def _line(one: Compared) -> Beside:
    """A system's line without its name."""
    if one.answer is None:
        return Beside("", "", "", "", "", (), one.why)
    value = one.answer.value()
    new, change, expected = (value.get(name) for name in ("new_rating", "change", "expected"))
    return Beside(
        "",
        "" if expected is None else f"{expected:.2f}",
        _short(value.get("k_used", value.get("k"))),
        "" if change is None else figure(round(decimal(change), 2), signed=True),
        "unrated" if new is None else whole_points(new),
        tuple(one.reasons),
        None,
    )


def whole_points(number: Any) -> str:
    """A number in whole points, for a headline; the working has the rest."""
    return figure(half_up(decimal(number)))


def _short(k: Any) -> str:
    return "" if k is None else figure(round(decimal(k), 1))


def together(names: list[str]) -> str:
    """Names with what they begin with said once: FIDE standard, rapid, blitz."""
    first = names[0].split()
    same = len(first) - 1 if len(names) > 1 else 0
    while same and any(name.split()[:same] != first[:same] for name in names):
        same -= 1
    return ", ".join([names[0], *(" ".join(name.split()[same:]) for name in names[1:])])
