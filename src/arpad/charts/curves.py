"""Charts of a game against opponents of every rating: the change for each result, and the expected score."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from arpad.charts.chart import Chart, Points, nearest, points
from arpad.charts.drawing import LETTERS, PLAIN_ZERO, Altair, Theme, altair, named
from arpad.charts.results import change_text, result_names, rounds_chart
from arpad.core import DRAW, HIGHEST_RATING, LOSS, LOWEST_RATING, WIN, DwzStanding, EloStanding, Player
from arpad.errors import Unsupported
from arpad.messages import figure, fixed, say
from arpad.systems import system as system_of

if TYPE_CHECKING:
    from arpad.core import Pace, Rating
    from arpad.systems.answers import Expectation, RatingChange
    from arpad.systems.base import System


REACH = 800  # points to either side that a curve shows; the rating tables end sooner
ALL = range(-REACH, REACH + 1, 5)
READ_AT = range(-500, 501, 100)  # the differences that the table beside a curve lists
MOST_NAMED = 2  # games that a caption names; with more, only the marks and the table show them
RESULTS = {WIN: "win", DRAW: "draw", LOSS: "loss"}
Changes = dict[str, Decimal | None]  # by result: win, draw, loss


def rating_charts(
    system: System,
    player: Player,
    marks: Sequence[Mark],
    *,
    on: date,
    pace: Pace | None = None,
    change: RatingChange | None = None,
) -> list[Chart]:
    """The charts of a calculation or of an upcoming game, except those a system does not support."""
    standing = system.standing.of(player)
    if change is not None and change.k_used and isinstance(standing, EloStanding | DwzStanding):
        player = replace(player, standing=replace(standing, k=change.k_used))  # after every limit
    curves = Curves(system, player, on=on, pace=pace)
    # With K = 0 no result changes anything.
    nothing_changes = change is not None and change.k_used == 0
    made = []
    for chart in (expected_chart,) if nothing_changes else (change_chart, expected_chart):
        with suppress(Unsupported):
            made.append(chart(curves, marks))
    if change is not None and len(change.per_game) > 1:
        with suppress(Unsupported):
            made.append(rounds_chart(change))
    return made


class Mark(NamedTuple):
    """A game to mark on the curves: its figures in its own event, and the change for each result to show."""

    opponent: int
    difference: int
    expected: float
    changes: Changes


def marks_of_games(change: RatingChange) -> list[Mark]:
    """The rated games of a calculation as marks."""
    return [
        Mark(int(game.opponent), int(game.difference or 0), float(game.expected), {RESULTS[game.score]: game.change})
        for game in change.per_game
        if game.rated and game.opponent is not None and game.expected is not None
    ]


def marks_of_game(game: Expectation, rating: Rating | None, opponent: Rating | None) -> list[Mark]:
    """An upcoming game as a mark; none if it would not be rated."""
    if rating is None or opponent is None or game.expected is None:
        return []
    return [Mark(int(opponent), int(rating - opponent), float(game.expected), _changes(game))]


def _changes(game: Expectation) -> Changes:
    return {"win": game.win, "draw": game.draw, "loss": game.loss}


class Curves:
    """What a player can expect against opponents of every rating; each game is calculated once."""

    def __init__(self, system: System, player: Player, *, on: date, pace: Pace | None = None) -> None:
        self.system, self.player, self.on, self.pace = system, player, on, pace
        self.own = int(player.rating_used or 0)
        self._known: dict[int, CurveGame] = {}

    def against(self, opponent: int) -> CurveGame:
        """One game before it is played."""
        if opponent not in self._known:
            game = self._asked(opponent)
            self._known[opponent] = CurveGame(game.expected, _changes(game))
        return self._known[opponent]

    def _asked(self, opponent: int) -> Expectation:
        return self.system.expect(self.player, Player(opponent), on=self.on, pace=self.pace)

    def at(self, differences: Iterable[int]) -> dict[int, CurveGame]:
        """The games at these differences, own rating minus opponent's, where the opponent's rating is possible."""
        return {gap: self.against(self.own - gap) for gap in differences if self._is_there(gap)}

    def widest(self) -> dict[int, Expectation]:
        """The games at both ends of the curve, with their steps."""
        there = [gap for gap in ALL if self._is_there(gap)]
        return {gap: self._asked(self.own - gap) for gap in (there[:1] + there[-1:])}

    def _is_there(self, gap: int) -> bool:
        return LOWEST_RATING <= self.own - gap <= HIGHEST_RATING


class CurveGame(NamedTuple):
    """What a curve shows of one game, without its steps: those of hundreds of games would fill a server's memory."""

    expected: Decimal | None
    changes: Changes


def change_chart(curves: Curves, marks: Sequence[Mark]) -> Chart:
    """The change for win, draw and loss against opponents of every rating."""
    own, names = curves.own, result_names()

    def points_of(opponent: int, changes: Changes) -> list[dict[str, object]]:
        """A point for each result; each tooltip has all three changes."""
        all_three = {name: None if change is None else float(change) for name, change in changes.items()}
        return [
            {"opponent": opponent, "result": names[name], "change": change, **all_three}
            for name, change in all_three.items()
        ]

    def drawn() -> Points:
        curve = [point for gap, game in curves.at(ALL).items() for point in points_of(own - gap, game.changes)]
        return {
            "curve": curve[::-1],
            "here": [point for mark in marks for point in points_of(mark.opponent, mark.changes)],
        }

    shown = {own - gap: game.changes for gap, game in reversed(curves.at(READ_AT).items())}
    opponent = marks[0].opponent if len(marks) == 1 else own
    return Chart(
        name="change",
        title=str(say("charts.change.title")),
        sentences=tuple(_change_sentences(own, opponent, curves.against(opponent).changes)),
        head=(named("opponent"), *names.values()),
        rows=tuple((str(rating), *map(change_text, found.values())) for rating, found in shown.items()),
        points=drawn,
        plot=_plot_change,
    )


def _change_sentences(own: int, opponent: int, changes: Changes) -> list[str]:
    """The changes against the only marked opponent, or an equal one, in words."""
    if changes["win"] is None:
        return [str(say("charts.change.not_rated", own=own, opponent=opponent))]
    figures = {result: change_text(change) for result, change in changes.items()}
    says = say("charts.change.says", own=own, opponent=opponent, **figures)
    return [str(says), str(say("charts.change.rises"))]


def _plot_change(colours: Theme, pointer: bool) -> Altair:
    x = _axis("opponent", format="d", tickCount=8)
    y = _axis("change", format="+.0f", tickCount=7)
    colour = _colours(
        "result", dict(zip(result_names().values(), (colours.win, colours.draw, colours.loss), strict=True))
    )
    tips = {"opponent": (named("opponent"), "d"), **{name: (text, "+.2f") for name, text in result_names().items()}}
    return _plot_curves(x, y, colour, "opponent", tips, colours, pointer)


def expected_chart(curves: Curves, marks: Sequence[Mark]) -> Chart:
    """The expected score by rating difference: the system's own, with its rule for wide gaps, and plain Elo's."""
    plain, on = system_of("elo"), curves.on
    curves.system.expected_score(0, on=on)  # raises Unsupported if the system has no such curve
    by_rules, by_formula = _curve_names()
    own, beside = (by_formula, None) if curves.system.name == plain.name else (by_rules, by_formula)

    def formula(gap: int) -> float:
        return float(plain.expected_score(gap, on=on))

    def both(gap: int, by: str, expected: float) -> dict[str, object]:
        """A point of a curve; its tooltip has the formula's figure too."""
        return {"difference": gap, "by": by, "expected": expected, "formula": formula(gap)}

    wide = {gap: game for gap, game in curves.widest().items() if game.capped}

    def drawn() -> Points:
        games = curves.at(ALL)
        curve = [both(gap, own, float(game.expected)) for gap, game in games.items() if game.expected is not None]
        if beside is not None:
            curve += [both(gap, beside, formula(gap)) for gap in ALL]
        return {
            "curve": curve,
            "here": [both(mark.difference, own, mark.expected) for mark in marks],
            "cap": [_cap_mark(game, gap) for gap, game in wide.items()],
        }

    return Chart(
        name="expected",
        title=str(say("charts.expected.title")),
        sentences=tuple(_expected_sentences(marks, next(iter(wide.values()), None))),
        head=(named("difference"), own, *([] if beside is None else [beside])),
        rows=tuple(
            (figure(gap), _expected_text(game), *([] if beside is None else [fixed(formula(gap), 2)]))
            for gap, game in curves.at(READ_AT).items()
        ),
        points=drawn,
        plot=_plot_expected,
    )


def _curve_names() -> tuple[str, str]:
    """The names of the two curves of expected scores: the system's own, and plain Elo's."""
    return str(say("charts.expected.by_rules")), str(say("charts.expected.by_formula"))


def _expected_text(game: CurveGame) -> str:
    return str(say("answers.not_rated")) if game.expected is None else fixed(float(game.expected), 2)


def _expected_sentences(marks: Sequence[Mark], wide: Expectation | None) -> list[str]:
    """The shape of the curve, where the games are on it, and the rule for wide gaps."""
    said = [str(say("charts.expected.rises"))]
    said += [
        str(say("charts.expected.at", difference=mark.difference, expected=fixed(mark.expected, 2)))
        for mark in (marks if len(marks) <= MOST_NAMED else ())
    ]
    if wide is not None:
        rule = next((step.rule for step in wide.steps if step.rule and step.key.startswith("difference.")), None)
        said += [] if rule is None else [str(say("charts.expected.rule", says=rule.says))]
    return list(dict.fromkeys(said))  # games with the same figures are mentioned once


def _cap_mark(game: Expectation, gap: int) -> dict[str, object]:
    """The difference from which larger ones count as this one, labelled on the outer side."""
    side = 1 if gap > 0 else -1
    text = str(say("charts.expected.cap", cap=game.cap))
    return {"difference": side * (game.cap or 0), "text": text, "out": 6 * side}


def _plot_expected(colours: Theme, pointer: bool) -> Altair:
    x = _axis("difference", format="+.0f", tickCount=8)
    y = _axis("expected", format=".2f", tickCount=6)
    colour = _colours("by", dict(zip(_curve_names(), (colours.win, colours.draw), strict=True)))
    cap = points("cap").encode(x=x)
    rule = cap.mark_rule(color=colours.faint, strokeWidth=0.75)
    place = {
        "y": {"expr": "datum.out > 0 ? height - 8 : 8"}, "dx": {"expr": "datum.out"},
        "align": {"expr": "datum.out > 0 ? 'left' : 'right'"}, "fontSize": LETTERS,
    }  # fmt: skip
    text = cap.encode(text="text:N")
    label = text.mark_text(stroke=colours.paper, strokeWidth=4, **place) + text.mark_text(color=colours.faint, **place)
    by_formula = _curve_names()[1]
    tips = {
        "difference": (named("difference"), "+d"),
        "expected": (named("expected"), ".2f"),
        "formula": (by_formula, ".2f"),
    }
    curves = _plot_curves(x, y, colour, "difference", tips, colours, pointer)
    return rule + curves + label


def _axis(field: str, **axis: object) -> Altair:
    alt = altair()
    kind = alt.Y if field in ("change", "expected") else alt.X
    scale = alt.Scale(zero=False, nice=False)
    return kind(
        field, type="quantitative", title=named(field), scale=scale, axis=alt.Axis(labelExpr=PLAIN_ZERO, **axis)
    )


def _colours(field: str, colours: Mapping[str, str]) -> Altair:
    alt = altair()
    return alt.Color(field, type="nominal", scale=alt.Scale(domain=list(colours), range=list(colours.values())))


def _plot_curves(
    x: object, y: object, colour: object, by: str, tips: Mapping[str, tuple[str, str]], colours: Theme, pointer: bool
) -> Altair:
    """Stepped lines like the rating table, a mark at each game, and the point nearest to the pointer if asked for.

    A tooltip has only numbers: the drawing library does not find texts under the nearest point.
    """
    alt = altair()
    curve = points("curve").encode(x=x, y=y, color=colour)
    tooltip = [alt.Tooltip(tip, type="quantitative", title=title, format=form) for tip, (title, form) in tips.items()]
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
