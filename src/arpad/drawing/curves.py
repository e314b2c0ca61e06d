"""Pictures of a calculation: curves of change and expectation, and the rating by round."""

from __future__ import annotations

from contextlib import suppress
from itertools import accumulate
from typing import Any, NamedTuple

from arpad.drawing.picture import Picture, nearest, points
from arpad.drawing.theme import Theme, altair
from arpad.errors import NotYet
from arpad.model import HIGHEST_RATING, LOWEST_RATING, Player
from arpad.render import figure
from arpad.systems import system as system_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import date

    from arpad.answers import RatingChange
    from arpad.contract import System
    from arpad.model import Pace

REACH = 800  # points to either side that a curve shows; the tables end before that
STEP = 5
READ_AT = range(-400, 401, 100)  # the differences that the text equivalent lists
RESULTS = ("win", "draw", "loss")


class Mark(NamedTuple):
    """A game to mark on a curve: the opponent, and the result if it was played."""

    opponent: int
    result: str | None = None


def change_picture(
    system: System, player: Player, marks: Iterable[Mark], *, on: date, pace: Pace | None = None
) -> Picture:
    """The change for win, draw and loss against opponents of every rating."""
    own = int(player.rating or player.standard or 0)

    def changes(opponent: int) -> dict[str, Any]:
        expectation = system.expect(player, Player(opponent), on=on, pace=pace)
        return {result: getattr(expectation, result) for result in RESULTS}

    def point(opponent: int, result: str, change: Any) -> dict[str, Any]:
        return {"opponent": opponent, "result": result, "change": None if change is None else float(change)}

    ratings = _within(range(own - REACH, own + REACH + 1, STEP))
    curve = [point(rating, *one) for rating in ratings for one in changes(rating).items()]
    shown = _within(own + gap for gap in READ_AT)
    rows = tuple((str(rating), *(_signed(change) for change in changes(rating).values())) for rating in shown)
    marked = list(marks)
    here = [
        point(mark.opponent, result, change)
        for mark in marked
        for result, change in changes(mark.opponent).items()
        if change is not None and mark.result in (None, result)
    ]
    return Picture(
        "change",
        "Change against every opponent",
        _says_change(own, marked, changes),
        ("opponent", *RESULTS),
        rows,
        {"curve": curve, "here": here},
        _change_drawing,
    )


def expected_picture(system: System, own: int, marks: Iterable[Mark], *, on: date) -> Picture:
    """The expected score by rating difference: the system's own, and the formula of plain Elo."""
    plain = system_of("elo")
    lines = {"by the rules" if system.name != plain.name else "by the formula": system}
    lines.setdefault("by the formula", plain)

    def expected(line: System, difference: int) -> Any:
        return line.expected_score(difference, on=on)

    curve = [
        {"difference": gap, "by": name, "expected": float(expected(line, gap))}
        for name, line in lines.items()
        for gap in range(-REACH, REACH + 1, STEP)
    ]
    gaps = [own - mark.opponent for mark in marks]
    here = [{"difference": gap, "by": next(iter(lines)), "expected": float(expected(system, gap))} for gap in gaps]
    rows = tuple((figure(gap), *(f"{float(expected(line, gap)):.2f}" for line in lines.values())) for gap in READ_AT)
    says = "; ".join(f"at {figure(gap)} it is {float(expected(system, gap)):.2f}" for gap in dict.fromkeys(gaps))
    return Picture(
        "expected",
        "Expected score by difference",
        f"The expected score rises with the difference, own rating minus opponent's{f'; {says}' if says else ''}.",
        ("difference", *lines),
        rows,
        {"curve": curve, "here": here},
        _expected_drawing,
    )


def running_picture(change: RatingChange) -> Picture:
    """The rating after each round, before the one rounding at the end."""
    played = [game.change or 0 for game in change.per_game]
    ratings = list(accumulate(played, initial=change.rating))
    curve = [{"round": number, "rating": float(rating)} for number, rating in enumerate(ratings)]
    rows = tuple(
        (str(number), _signed(part), figure(rating))
        for number, (part, rating) in enumerate(zip(played, ratings[1:], strict=True), start=1)
    )
    peak = max(range(len(ratings)), key=lambda number: ratings[number])
    after = f"after round {peak}" if peak else "before round 1"
    return Picture(
        "running",
        "Rating by round",
        f"From {figure(change.rating)} to {figure(ratings[-1])}, highest {figure(ratings[peak])} {after}; "
        "the list rounds once, at the end.",
        ("round", "change", "rating"),
        rows,
        {"curve": curve},
        _running_drawing,
        broad=True,
    )


def pictures(
    system: System,
    player: Player,
    marks: Sequence[Mark],
    *,
    on: date,
    pace: Pace | None = None,
    change: RatingChange | None = None,
) -> list[Picture]:
    """The pictures a calculation has; what a system cannot say has none."""
    if change is not None:
        player = player._replace(k=change.k_used)  # the K that was used, after every limit
    own = int(player.rating or player.standard or 0)
    made = []
    with suppress(NotYet):
        made.append(change_picture(system, player, marks, on=on, pace=pace))
    with suppress(NotYet):
        made.append(expected_picture(system, own, marks, on=on))
    if change is not None and len(change.per_game) > 1:
        made.append(running_picture(change))
    return made


def _within(ratings: Iterable[int]) -> list[int]:
    return [rating for rating in ratings if LOWEST_RATING <= rating <= HIGHEST_RATING]


def _signed(change: Any) -> str:
    return "not rated" if change is None else figure(change, signed=True)


def _says_change(own: int, marks: Sequence[Mark], changes: Any) -> str:
    """The picture's middle, or the one opponent that is marked, in words."""
    opponent = marks[0].opponent if len(marks) == 1 else own
    found = changes(opponent)
    if found["win"] is None:
        return f"A game of {own} against {opponent} is not rated."
    parts = [f"{result} {_signed(change)}" for result, change in found.items()]
    return f"{own} against {opponent}: {', '.join(parts)}. The stronger the opponent, the more every result is worth."


def _change_drawing(colours: Theme, pointer: bool) -> Any:
    x = _axis("opponent", "opponent's rating", format="d", tickCount=8)
    y = _axis("change", "change", format="+.0f", tickCount=7)
    colour = _colours("result", dict(zip(RESULTS, (colours.win, colours.draw, colours.loss), strict=True)))
    return _curves(x, y, colour, "opponent", ["opponent", "result", "change"], colours, pointer)


def _expected_drawing(colours: Theme, pointer: bool) -> Any:
    x = _axis("difference", "own rating minus opponent's", format="+.0f", tickCount=8)
    y = _axis("expected", "expected score", format=".2f", tickCount=6)
    colour = _colours("by", {"by the rules": colours.win, "by the formula": colours.draw})
    return _curves(x, y, colour, "difference", ["difference", "by", "expected"], colours, pointer)


def _running_drawing(colours: Theme, pointer: bool) -> Any:
    alt = altair()
    x = alt.X("round", type="quantitative", title="round", axis=alt.Axis(tickMinStep=1, format="d", grid=False))
    y = alt.Y(
        "rating",
        type="quantitative",
        title="rating",
        scale=alt.Scale(zero=False),
        axis=alt.Axis(format="d", tickCount=6),
    )
    chart = points("curve").encode(x=x, y=y, tooltip=[alt.Tooltip("round:Q"), alt.Tooltip("rating:Q", format=".2f")])
    line = chart.mark_line(color=colours.win, strokeWidth=2)
    dots = chart.mark_point(filled=True, color=colours.win, opacity=1, size=45)
    if not pointer:
        return line + dots
    under = nearest("round")
    return line + dots.encode(size=alt.condition(under, alt.value(160), alt.value(45))).add_params(under)


def _axis(field: str, title: str, **axis: Any) -> Any:
    alt = altair()
    kind = alt.Y if field in ("change", "expected") else alt.X
    return kind(field, type="quantitative", title=title, scale=alt.Scale(zero=False, nice=False), axis=alt.Axis(**axis))


def _colours(field: str, colours: Mapping[str, str]) -> Any:
    alt = altair()
    return alt.Color(field, type="nominal", scale=alt.Scale(domain=list(colours), range=list(colours.values())))


def _curves(x: Any, y: Any, colour: Any, by: str, tips: list[str], colours: Theme, pointer: bool) -> Any:
    """Lines that step as the table does, a mark at the games, and the point nearest to the pointer if asked for."""
    alt = altair()
    curve = points("curve").encode(x=x, y=y, color=colour)
    tooltip = [alt.Tooltip(tip, type="nominal" if tip in ("result", "by") else "quantitative") for tip in tips]
    lines = curve.mark_line(strokeWidth=2, interpolate="step-after")
    here = points("here").encode(x=x, tooltip=tooltip)
    rule = here.mark_rule(strokeDash=[2, 3], color=colours.faint)
    mark = here.mark_point(filled=True, size=110, stroke=colours.paper, strokeWidth=2, opacity=1)
    marked = rule + mark.encode(y=y, color=colour)
    if not pointer:
        return lines + marked
    under = nearest(by)
    dots = curve.mark_point(filled=True, size=70).encode(
        opacity=alt.condition(under, alt.value(1), alt.value(0)), tooltip=tooltip
    )
    return lines + dots.add_params(under) + marked
