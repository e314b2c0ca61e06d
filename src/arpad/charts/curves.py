"""Pictures of a calculation: curves of change and expectation, and the rating by round."""

from __future__ import annotations

from contextlib import suppress
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation.explain import figure
from arpad.charts.chart import Picture, nearest, points
from arpad.charts.theme import LETTERS, PLAIN_NOUGHT, Theme, altair
from arpad.core.model import HIGHEST_RATING, LOWEST_RATING, Player
from arpad.errors import MissingExtra, Unsupported
from arpad.systems import system as system_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import date

    from arpad.calculation.answers import Expectation, RatingChange
    from arpad.calculation.contract import System
    from arpad.core.model import Pace

REACH = 800  # points to either side that a curve shows; the tables end before that
ALL = range(-REACH, REACH + 1, 5)
READ_AT = range(-500, 501, 100)  # the differences that the text equivalent lists
RESULTS = ("win", "draw", "loss")
# A tick a round; the drawing library would put some between them, and some beyond the last.
WHOLE = {"format": "d", "values": {"expr": "sequence(0, 1 + domain('x')[1], max(1, ceil(domain('x')[1] / 12)))"}}


class Mark(NamedTuple):
    """A game to mark on the curves, with the figures it has in its own event, and the change for each result shown."""

    opponent: int
    difference: int
    expected: float
    changes: Mapping[str, Any]


class Curves:
    """What a player may expect against opponents of every rating, asked for once."""

    def __init__(self, system: System, player: Player, *, on: date, pace: Pace | None = None) -> None:
        self.system, self.player, self.on, self.pace = system, player, on, pace
        self.own = int(player.rating or player.standard or 0)
        self._known: dict[int, Expectation] = {}

    def against(self, opponent: int) -> Expectation:
        """One game before it is played."""
        if opponent not in self._known:
            self._known[opponent] = self.system.expect(self.player, Player(opponent), on=self.on, pace=self.pace)
        return self._known[opponent]

    def at(self, differences: Iterable[int]) -> dict[int, Expectation]:
        """The games at these differences, own rating minus opponent's, as far as there are such opponents."""
        ratings = {gap: self.own - gap for gap in differences}
        return {gap: self.against(one) for gap, one in ratings.items() if LOWEST_RATING <= one <= HIGHEST_RATING}


def change_picture(curves: Curves, marks: Sequence[Mark]) -> Picture:
    """The change for win, draw and loss against opponents of every rating."""
    own = curves.own

    def point(opponent: int, result: str, change: Any) -> dict[str, Any]:
        return {"opponent": opponent, "result": result, "change": None if change is None else float(change)}

    def changes(game: Expectation) -> dict[str, Any]:
        return {result: getattr(game, result) for result in RESULTS}

    curve = [point(own - gap, *one) for gap, game in curves.at(ALL).items() for one in changes(game).items()]
    shown = {own - gap: changes(game) for gap, game in reversed(curves.at(READ_AT).items())}
    opponent = marks[0].opponent if len(marks) == 1 else own
    return Picture(
        "change",
        "Change against every opponent",
        _says_change(own, opponent, changes(curves.against(opponent))),
        ("opponent", *RESULTS),
        tuple((str(rating), *map(_signed, found.values())) for rating, found in shown.items()),
        {
            "curve": curve[::-1],
            "here": [point(mark.opponent, *one) for mark in marks for one in mark.changes.items()],
        },
        _change_drawing,
    )


def expected_picture(curves: Curves, marks: Sequence[Mark]) -> Picture:
    """The expected score by rating difference: the system's own with its rule for wide gaps, and plain Elo's."""
    plain, on = system_of("elo"), curves.on
    curves.system.expected_score(0, on=on)  # a system without a curve of its own has no such picture
    first, second = ("by the rules", "by the formula") if curves.system.name != plain.name else ("by the formula", "")

    def formula(gap: int) -> float:
        return float(plain.expected_score(gap, on=on))

    def told(game: Expectation) -> str:
        return "not rated" if game.expected is None else f"{float(game.expected):.2f}"

    games = curves.at(ALL)
    curve = [
        {"difference": gap, "by": first, "expected": float(game.expected)}
        for gap, game in games.items()
        if game.expected is not None
    ]
    if second:
        curve += [{"difference": gap, "by": second, "expected": formula(gap)} for gap in ALL]
    wide = {gap: game for gap, game in games.items() if game.capped}
    says = [f"at {figure(mark.difference)} it is {mark.expected:.2f}" for mark in marks]
    says += [_rule_for_wide_gaps(game) for game in list(wide.values())[:1]]
    return Picture(
        "expected",
        "Expected score by difference",
        "; ".join(["The expected score rises with the difference, own rating minus opponent's", *dict.fromkeys(says)])
        + ".",
        ("difference", *filter(None, (first, second))),
        tuple(
            (figure(gap), told(game), *([f"{formula(gap):.2f}"] if second else []))
            for gap, game in curves.at(READ_AT).items()
        ),
        {
            "curve": curve,
            "here": [{"difference": mark.difference, "by": first, "expected": mark.expected} for mark in marks],
            "cap": [_cap_mark(game, gap) for gap, game in wide.items() if gap in (min(wide), max(wide))],
        },
        _expected_drawing,
    )


def _rule_for_wide_gaps(game: Expectation) -> str:
    """What the rule behind a capped difference says."""
    return next((step.rule.says for step in game.steps if step.rule and step.key.startswith("difference.")), "")


def _cap_mark(game: Expectation, gap: int) -> dict[str, Any]:
    """Where a wide difference begins to count as a smaller one, with its name on the outer side."""
    side = 1 if gap > 0 else -1
    return {"difference": side * (game.cap or 0), "text": f"{game.cap}-point rule", "out": 6 * side}


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
    curves = Curves(system, player, on=on, pace=pace)
    made = []
    for picture in (change_picture, expected_picture):
        with suppress(MissingExtra, Unsupported):
            made.append(picture(curves, marks))
    if change is not None and len(change.per_game) > 1:
        made.append(running_picture(change))
    return made


def _signed(change: Any) -> str:
    return "not rated" if change is None else figure(change, signed=True)


def _says_change(own: int, opponent: int, changes: Mapping[str, Any]) -> str:
    """The picture's middle, or the one opponent that is marked, in words."""
    if changes["win"] is None:
        return f"A game of {own} against {opponent} is not rated."
    parts = [f"{result} {_signed(change)}" for result, change in changes.items()]
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
    cap = points("cap").encode(x=x)
    rule = cap.mark_rule(color=colours.faint, strokeWidth=0.75)
    place = {
        "y": {"expr": "datum.out > 0 ? height - 8 : 8"}, "dx": {"expr": "datum.out"},
        "align": {"expr": "datum.out > 0 ? 'left' : 'right'"}, "fontSize": LETTERS,
    }  # fmt: skip
    text = cap.encode(text="text:N")
    label = text.mark_text(stroke=colours.paper, strokeWidth=4, **place) + text.mark_text(color=colours.faint, **place)
    return rule + _curves(x, y, colour, "difference", ["difference", "by", "expected"], colours, pointer) + label


def _running_drawing(colours: Theme, pointer: bool) -> Any:
    alt = altair()
    x = alt.X("round", type="quantitative", title="round", axis=alt.Axis(grid=False, **WHOLE))
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
    scale = alt.Scale(zero=False, nice=False)
    return kind(field, type="quantitative", title=title, scale=scale, axis=alt.Axis(labelExpr=PLAIN_NOUGHT, **axis))


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
