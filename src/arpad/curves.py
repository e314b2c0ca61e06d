"""Pictures of a calculation: curves of change and expectation, and the rating by round; also in words and figures."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

from arpad.ahead.chances import percent
from arpad.errors import NotYet, UnknownName
from arpad.model import HIGHEST_RATING, LOWEST_RATING, Player
from arpad.render import figure
from arpad.systems import system as system_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import date

    from arpad.ahead.outlook import Outlook
    from arpad.answers import RatingChange
    from arpad.contract import System
    from arpad.model import Pace

VEGA_LITE = "6.4"
REACH = 800  # points to either side that a curve shows; the tables end before that
STEP = 5
READ_AT = range(-400, 401, 100)  # the differences that the text equivalent lists
BAR = 0.3  # of the distance to the next outcome, to either side
NARROW = 400  # a drawing less wide than this is for a telephone
RESULTS = ("win", "draw", "loss")


class Mark(NamedTuple):
    """A game to mark on a curve: the opponent, and the result if it was played."""

    opponent: int
    result: str | None = None


class Picture(NamedTuple):
    """A chart: its name, a title, what it shows in a sentence, the same as a table, and the points to draw."""

    name: str
    title: str
    says: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    points: Mapping[str, list[dict[str, Any]]]


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
    )


def running_picture(change: RatingChange) -> Picture:
    """The rating after each round, before the one rounding at the end."""
    played = [game.change or 0 for game in change.per_game]
    ratings = list(accumulate(played, initial=change.rating))
    points = [{"round": number, "rating": float(rating)} for number, rating in enumerate(ratings)]
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
        {"curve": points},
    )


def outcomes_picture(outlook: Outlook) -> Picture:
    """The new ratings of an outlook with their chances, and the target."""
    target = outlook.asked.reach
    chances: dict[int, float] = {}
    for one in outlook.outcomes:
        if one.new_rating is not None:
            chances[one.new_rating] = chances.get(one.new_rating, 0.0) + one.probability
    ratings = sorted(chances)
    half = BAR * min((after - before for before, after in pairwise(ratings)), default=STEP)
    curve = [
        {"rating": rating, "from": rating - half, "to": rating + half, "chance": chances[rating],
         "reaches": target is None or rating >= target}
        for rating in ratings
    ]  # fmt: skip
    unrated = outlook.chance(lambda one: one.new_rating is None)
    rows = [(str(rating), percent(chances[rating]) or "") for rating in ratings]
    return Picture(
        "outcomes",
        f"New rating after {figure(outlook.rating)}",
        _says_outcomes(outlook, unrated),
        ("new rating", "chance"),
        tuple([("unrated", percent(unrated) or ""), *rows] if unrated else rows),
        {"curve": curve, "here": [] if target is None else [{"target": target}]},
    )


def _says_outcomes(outlook: Outlook, unrated: float) -> str:
    """The middle half and the target in words."""
    low, high = (outlook.quantile(share) or "unrated" for share in (0.25, 0.75))
    parts = [f"At least half of all outcomes lie from {low} to {high}"]
    if outlook.asked.reach is not None:
        parts.append(f"{outlook.asked.reach} or more has a chance of {percent(outlook.reach)}")
    if unrated:
        parts.append(f"no rating at all, {percent(unrated)}")
    return f"{'; '.join(parts)}."


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


def specification(picture: Picture, *, theme: str = "light", width: int = 560, pointer: bool = False) -> dict[str, Any]:
    """The Vega-Lite specification of a picture; with `pointer` it shows the point nearest to the pointer."""
    if theme not in THEMES:
        raise UnknownName("theme", theme, known=THEMES, at="theme")
    return {**_drawing(picture.name, theme, width, pointer), "datasets": dict(picture.points)}


def svg(picture: Picture, *, theme: str = "light", width: int = 560) -> str:
    """A picture as SVG, drawn without a browser."""
    import vl_convert

    drawn: str = vl_convert.vegalite_to_svg(specification(picture, theme=theme, width=width), vl_version=VEGA_LITE)
    return drawn


def script() -> str:
    """The JavaScript that draws a specification in a page, from the same library that draws it without one."""
    import vl_convert

    bundle: str = vl_convert.javascript_bundle(vl_version=VEGA_LITE)  # type: ignore[call-arg]  # the snippet is optional
    return bundle


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


class Theme(NamedTuple):
    """The colours of a drawing."""

    ink: str
    faint: str
    line: str
    win: str
    draw: str
    loss: str
    paper: str


THEMES: Mapping[str, Theme] = {
    "light": Theme("#26231e", "#6a6459", "#ddd6c8", "#2c6a4f", "#8a6d1f", "#a2402f", "#fffdf8"),
    "dark": Theme("#ece6da", "#a79f90", "#3b372f", "#7cc4a0", "#d9b85c", "#e58d7a", "#1f1d19"),
}
BROAD = ("running", "outcomes")  # what reads along the page
LETTERS, LETTERS_BROAD = 12, 15  # a broad drawing is made smaller on a screen that is not
FONT = "Palatino, 'Palatino Linotype', P052, 'Book Antiqua', Georgia, serif"


@lru_cache(maxsize=32)  # the drawing stays the same, only the points change
def _drawing(name: str, theme: str, width: int, pointer: bool) -> dict[str, Any]:
    drawn = DRAWINGS[name](THEMES[theme], pointer)
    wide = width >= NARROW
    size = {
        "width": 2 * width + 20 if wide and name in BROAD else width,
        "height": round(width * (0.5 if wide else 0.66)),
    }
    chart = drawn.properties(**size, background="transparent")
    letters = LETTERS_BROAD if wide and name in BROAD else LETTERS
    return dressed(chart, THEMES[theme], letters).to_dict(validate=False)  # type: ignore[no-any-return]


def dressed(chart: Any, colours: Theme, letters: int = LETTERS) -> Any:
    """Hairlines, the page's letters, and no box."""
    return chart.configure(
        view={"stroke": None},
        font=FONT,
        axis={
            "labelColor": colours.faint, "titleColor": colours.faint, "gridColor": colours.line,
            "domainColor": colours.faint, "tickColor": colours.line, "labelFontSize": letters, "titleFontSize": letters,
            "titleFontWeight": "normal", "titlePadding": 8, "domain": False, "tickSize": 4,
        },
        legend={
            "labelColor": colours.ink, "labelFontSize": letters, "title": None, "orient": "top",
            "symbolStrokeWidth": 2.5,
        },
    )  # fmt: skip


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
    import altair as alt

    x = alt.X("round", type="quantitative", title="round", axis=alt.Axis(tickMinStep=1, format="d", grid=False))
    y = alt.Y(
        "rating",
        type="quantitative",
        title="rating",
        scale=alt.Scale(zero=False),
        axis=alt.Axis(format="d", tickCount=6),
    )
    chart = alt.Chart(alt.NamedData(name="curve")).encode(
        x=x, y=y, tooltip=[alt.Tooltip("round:Q"), alt.Tooltip("rating:Q", format=".2f")]
    )
    line = chart.mark_line(color=colours.win, strokeWidth=2)
    points = chart.mark_point(filled=True, color=colours.win, opacity=1, size=45)
    if not pointer:
        return line + points
    nearest = _nearest("round")
    return line + points.encode(size=alt.condition(nearest, alt.value(160), alt.value(45))).add_params(nearest)


def _axis(field: str, title: str, **axis: Any) -> Any:
    import altair as alt

    kind = alt.Y if field in ("change", "expected") else alt.X
    return kind(field, type="quantitative", title=title, scale=alt.Scale(zero=False, nice=False), axis=alt.Axis(**axis))


def _colours(field: str, colours: Mapping[str, str]) -> Any:
    import altair as alt

    return alt.Color(field, type="nominal", scale=alt.Scale(domain=list(colours), range=list(colours.values())))


def _nearest(field: str) -> Any:
    import altair as alt

    return alt.selection_point(name="under", nearest=True, on="pointerover", fields=[field], empty=False)


def _curves(x: Any, y: Any, colour: Any, by: str, tips: list[str], colours: Theme, pointer: bool) -> Any:
    """Lines that step as the table does, a mark at the games, and the point nearest to the pointer if asked for."""
    import altair as alt

    curve = alt.Chart(alt.NamedData(name="curve")).encode(x=x, y=y, color=colour)
    tooltip = [alt.Tooltip(tip, type="nominal" if tip in ("result", "by") else "quantitative") for tip in tips]
    lines = curve.mark_line(strokeWidth=2, interpolate="step-after")
    here = alt.Chart(alt.NamedData(name="here")).encode(x=x, tooltip=tooltip)
    rule = here.mark_rule(strokeDash=[2, 3], color=colours.faint)
    mark = here.mark_point(filled=True, size=110, stroke=colours.paper, strokeWidth=2, opacity=1)
    marked = rule + mark.encode(y=y, color=colour)
    if not pointer:
        return lines + marked
    nearest = _nearest(by)
    points = curve.mark_point(filled=True, size=70).encode(
        opacity=alt.condition(nearest, alt.value(1), alt.value(0)), tooltip=tooltip
    )
    return lines + points.add_params(nearest) + marked


def _outcomes_drawing(colours: Theme, pointer: bool) -> Any:  # noqa: ARG001  # a bar is under the pointer as it is
    import altair as alt

    x = alt.X("from", type="quantitative", title="new rating", scale=alt.Scale(zero=False), axis=alt.Axis(format="d"))
    y = alt.Y("chance", type="quantitative", title="chance", axis=alt.Axis(format="%", tickCount=5))
    bars = (
        alt.Chart(alt.NamedData(name="curve"))
        .mark_bar()
        .encode(
            x=x,
            x2="to",
            y=y,
            y2=alt.datum(0),
            color=alt.condition("datum.reaches", alt.value(colours.win), alt.value(colours.faint)),
            tooltip=[
                alt.Tooltip("rating:Q", title="new rating", format="d"),
                alt.Tooltip("chance:Q", format=".1%"),
            ],
        )
    )
    here = alt.Chart(alt.NamedData(name="here")).encode(x="target:Q")
    rule = here.mark_rule(strokeDash=[4, 3], color=colours.loss, strokeWidth=1.5)
    above = here.mark_text(color=colours.loss, y=-7, fontSize=LETTERS_BROAD).encode(text="target:Q")
    return bars + rule + above


DRAWINGS = {
    "change": _change_drawing,
    "expected": _expected_drawing,
    "running": _running_drawing,
    "outcomes": _outcomes_drawing,
}
