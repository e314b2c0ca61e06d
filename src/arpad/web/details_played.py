"""What is below the hero of games that were played: the games, the opponent, other systems, lists, methods."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any, get_args

from arpad.core import WIN, Game, Player
from arpad.core.numbers import decimal, half_away_from_zero, half_up
from arpad.errors import ArpadError
from arpad.messages import apart, figure, fixed, say, voice
from arpad.questions.read import DEFAULT_SYSTEM
from arpad.systems import family, system, system_names
from arpad.systems.answers import RatingChange, assumed_note, ending, opponent_of
from arpad.systems.comparison import Comparison, compare
from arpad.systems.elo import by_plain_elo
from arpad.systems.performance import PerformanceMethod, performance
from arpad.web.details_parts import Card, Detail, Grid, Row, columns
from arpad.web.hero_parts import (
    RESULTS,
    Words,
    as_listed,
    average,
    day,
    exactly,
    list_of,
    long_day,
    points,
    short_k,
    signed,
    whole,
)
from arpad.web.site import named
from arpad.web.svg import Point
from arpad.web.svg import line as line_chart

if TYPE_CHECKING:
    from arpad.systems.answers import EventChange, Expectation, FirstRating
    from arpad.systems.comparison import ComparedSystem
    from arpad.systems.diary import Diary
    from arpad.systems.performance import Performance
    from arpad.web.view import View

SUMMARY = ("dwz", "uschess-regular", "lichess", "fide-standard")  # systems beside the line "in other systems"
MOST_SUMMARY = 3


def games_detail(view: View, answer: RatingChange) -> Iterator[Detail]:
    """Game by game; event by event if there are several."""
    if not answer.per_game or (len(answer.per_game) == 1 and answer.per_game[0].why is None):
        return  # the hero says everything of a single game
    several = len(answer.events) > 1
    grids = [
        _game_grid(event, view.names(f"event[{place}]." if several else ""), _title(event, place) if several else "")
        for place, event in enumerate(answer.events)
    ]
    aside = say("hero.detail.count", games=len(answer.per_game)) if several else ""
    yield Detail("d-games", say("hero.detail.games"), aside, grids=tuple(grids))


def _title(event: EventChange, place: int) -> Words:
    name = event.name or say("hero.event", number=place + 1)
    on = "" if event.on is None else day(event.on)
    return say("hero.detail.event", name=name, on=on, change=exactly(event.change)) if on else name


def _game_grid(event: EventChange, names: Sequence[str], title: Words) -> Grid:
    """The games of one event, with their total."""
    known = (*names, *[""] * len(event.per_game))
    rows = []
    for game, name in zip(event.per_game, known, strict=False):
        opponent = f"{opponent_of(game)} {name}".strip()
        expected = "" if game.expected is None else figure(round(game.expected, 2))
        change = "" if game.change is None else exactly(game.change)
        why: Words = ""
        if game.why and game.rated:
            why = say("hero.detail.counted", rating=figure(game.counted), why=game.why)
        elif game.why:
            why = say("hero.sentence.not_rated", why=game.why)
        rows.append(Row((opponent, ending(game), expected, change), why=why))
    if len(rows) > 1:
        total = say("hero.detail.count", games=event.games)
        rows.append(Row((total, points(event.score), _expected(event, 2), exactly(event.change)), total=True))
    return Grid(columns("opponent", "result", "expected:r", "change:c"), tuple(rows), title)


def _expected(played: EventChange | RatingChange, places: int) -> str:
    """The expected score; nothing in a system that has none."""
    return "" if played.expected is None else fixed(played.expected, places)


def rounding_detail(_: View, answer: RatingChange) -> Iterator[Detail]:
    """Why a period is not the sum of its rounded events."""
    if len(answer.events) < 2 or family(answer.system) != "fide":
        return
    apart = sum(half_away_from_zero(event.change) for event in answer.events)
    if apart == answer.rounded:
        return
    parts = " + ".join(figure(event.change) for event in answer.events).replace("+ −", "− ")
    said = {"parts": parts, "change": exactly(answer.change), "ours": signed(answer.rounded), "theirs": signed(apart)}
    rule = system(answer.system).rulebook.at(answer.on)
    cite = getattr(getattr(rule, "rounding", None), "cite", "")
    title = say("hero.detail.why_not", **said)
    yield Detail("d-rounding", title, says=(say("hero.detail.rounded_once", **said, cite=cite),))


def other_results_detail(view: View, answer: RatingChange) -> Iterator[Detail]:
    """What a single game would have done with each other result."""
    question: Any = view.asked.question if view.asked is not None else None
    games: Sequence[Game] = getattr(question, "game", ())
    if len(games) != 1 or answer.games != 1 or games[0].how != "played":
        return
    rows, asides = [], []
    for name, score in RESULTS.items():
        if score == games[0].score:
            continue
        other = replace(question, game=(replace(games[0], score=score),)).answer()
        gained, new = as_listed(other)
        asides.append(f"{say(f'pages.text.{name}')} {figure(gained, signed=True)}")
        rows.append(Row((say(f"hero.detail.if.{name}"), exactly(other.change), whole(new))))
    grid = Grid(columns("result", "change:c", "new:r"), tuple(rows))
    yield Detail("d-instead", say("hero.detail.instead"), " · ".join(asides), grids=(grid,))


def other_side_detail(view: View, _: RatingChange | Expectation) -> Iterator[Detail]:
    """The game as the opponent sees it."""
    question: Any = view.asked.question if view.asked is not None else None
    other = question.other_side() if hasattr(question, "other_side") else None
    if other is None:
        return
    how = _how_known(other)
    if isinstance(other, RatingChange):
        gained, new = as_listed(other)
        aside = say("hero.detail.other.aside", change=figure(gained, signed=True), new=whole(new))
        row = Row((whole(other.rating), exactly(other.change), whole(new)))
        grid = Grid(columns("opponent", "change:c", "new:r"), (row,))
        yield Detail("d-other", say("hero.detail.other"), aside, (how,), (grid,))
        return
    chosen = question.rating_system()
    opponent = question.opponent_known(question.opponent, chosen)
    rows, changes = [], []
    for name, score in RESULTS.items():
        theirs = Game(question.player(chosen), WIN - score)
        gained, new = as_listed(chosen.rate(opponent, theirs, on=question.day, pace=question.time))
        exact = {"win": other.loss, "draw": other.draw, "loss": other.win}[name]
        rows.append(Row((say(f"hero.detail.if.{name}"), exactly(exact or Decimal(0)), whole(new))))
        changes.append(figure(gained, signed=True))
    grid = Grid(columns("result", "change:c", "new:r"), tuple(rows))
    yield Detail("d-other", say("hero.detail.other"), " · ".join(changes), (how,), (grid,))


def _how_known(other: RatingChange | Expectation) -> Words:
    """What the opponent's side rests on, in amber if it is assumed."""
    known = "known" if assumed_note(other) is None else "assumed"
    k = other.k_used if isinstance(other, RatingChange) else other.k
    if k is None:
        return say(f"hero.detail.other.deviation.{known}")
    return say(f"hero.detail.other.{known}", k=short_k(k))


def systems_detail(view: View, answer: RatingChange) -> Iterator[Detail]:
    """The same games in one system of each family, without conversion."""
    question: Any = view.asked.question if view.asked is not None else None
    games = [game for event in answer.events for game in event.event.games]
    if answer.rating is None or not games or not hasattr(question, "standings"):
        return
    player = replace(question.rating, birth_year=question.birth_year or question.rating.birth_year)
    try:
        one_each = [
            *{
                **{family(name): name for name in (*system_names(), *SUMMARY)},
                family(answer.system): answer.system,
            }.values()
        ]
        other = compare(
            player, games, on=answer.on, systems=one_each, pace=question.time, standings=question.standings()
        )
    except ArpadError:
        return
    changes = {line.system: line.change for line in other.systems if line.change is not None}
    shown = [name for name in SUMMARY if name in changes and name != answer.system][:MOST_SUMMARY]
    aside = " · ".join(f"{say(f'hero.system.{name}')} {signed(changes[name])}" for name in shown)
    yield Detail("d-systems", say("hero.detail.systems"), aside, tuple(other.notes), (_systems_grid(other),))


def comparison_detail(_: View, answer: Comparison) -> Iterator[Detail]:
    """Every system of a comparison."""
    yield Detail("d-systems", say("hero.detail.systems"), grids=(_systems_grid(answer),))


def _systems_grid(comparison: Comparison) -> Grid:
    """A row for each system, or for several with the same result; then those that do not rate the games."""
    rows = [
        Row((one.systems, one.expected, one.k, one.change, one.new_rating), why=apart(one.reasons))
        if one.why is None
        else Row((one.systems, "", "", "", ""), why=one.why)
        for one in side_by_side(comparison)
    ]
    return Grid(columns("system", "expected:r", "k:r", "change:c", "new:r"), tuple(rows))


@dataclass(frozen=True, slots=True)
class ComparedLine:
    """The result in one or more systems, or why there is none, with figures as text."""

    systems: str
    expected: str
    k: str
    change: str
    new_rating: str
    reasons: tuple[str, ...]
    why: str | None


def side_by_side(comparison: Comparison) -> list[ComparedLine]:
    """The results, with the default system first and systems without a result last; equal ones share a line."""
    groups: dict[ComparedLine, list[str]] = {}
    for line in sorted(comparison.systems, key=lambda line: (not line.rated, line.system != DEFAULT_SYSTEM)):
        groups.setdefault(_line(line), []).append(named("system", line.system))
    return [replace(line, systems=apart(names)) for line, names in groups.items()]


def _line(line: ComparedSystem) -> ComparedLine:
    """A system's line without its name."""
    if not line.rated or line.change is None:
        return ComparedLine("", "", "", "", "", (), str(line.why))
    return ComparedLine(
        "",
        "" if line.expected is None else fixed(line.expected, 2),
        "" if line.k_used is None else figure(round(decimal(line.k_used), 1)),
        figure(round(line.change, 2), signed=True),
        str(say("answers.unrated")) if line.new_rating is None else figure(half_up(decimal(line.new_rating))),
        line.reasons,
        None,
    )


def calculators_detail(_: View, answer: RatingChange) -> Iterator[Detail]:
    """What plain Elo says, explained in two steps: another K, then another curve and rounding."""
    if family(answer.system) != "fide" or not answer.games or answer.k_used is None or answer.rating is None:
        return
    usual = by_plain_elo(answer)
    if half_up(usual.change) == half_up(answer.change):
        return
    same_k = by_plain_elo(answer, k=answer.k_used)
    rows = (
        Row(
            (
                say("hero.detail.plain.fide"),
                figure(answer.k_used),
                _expected(answer, 2),
                exactly(answer.change),
            ),
            sel=True,
        ),
        Row((say("hero.detail.plain.same_k"), figure(answer.k_used), _expected(same_k, 3), exactly(same_k.change))),
        Row((say("hero.detail.plain.usual"), figure(usual.k_used), _expected(usual, 3), exactly(usual.change))),
    )
    said = {"points": signed(usual.change), "ours": signed(answer.change), "k": usual.k_used, "own": answer.k_used}
    first = say("hero.detail.plain.k" if usual.k_used != answer.k_used else "hero.detail.plain.k.same", **said)
    second = say("hero.detail.plain.curve", change=exactly(same_k.change), fide=exactly(answer.change))
    grid = Grid(columns("calculation", "k:r", "expected:r", "change:c"), rows)
    yield Detail("d-plain", say("hero.detail.plain", **said), says=(first, second), grids=(grid,))


def diary_detail(_: View, answer: Diary) -> Iterator[Detail]:
    """List by list, the newest first."""
    rows = []
    for entry in reversed(answer.entries):
        events = apart(
            say(
                "hero.detail.entry",
                name=event.name or say("hero.an_event"),
                score=points(event.score),
                games=event.games,
                change=exactly(event.change),
            )
            for event in entry.events
        )
        k = "" if entry.k is None else figure(round(decimal(entry.k), 1))
        rows.append(Row((day(entry.day), k, exactly(entry.change), whole(entry.new_rating)), why=events))
    kind = "lists" if answer.next_list is not None else "events"
    yield Detail(
        "d-lists", say(f"hero.detail.{kind}"), grids=(Grid(columns("list", "k:r", "change:c", "new:r"), tuple(rows)),)
    )


def diary_card(_: View, answer: Diary) -> Iterator[Card]:
    """The rating from list to list."""
    first = answer.entries[0]
    start = Point(day(first.events[0].on or first.on), None if answer.rating is None else float(answer.rating))
    data = [
        start,
        *(
            Point(day(entry.day), None if entry.new_rating is None else float(entry.new_rating))
            for entry in answer.entries
        ),
    ]
    if len(data) < 3:
        return
    says = say(
        "hero.card.diary.says",
        before=whole(answer.rating),
        now=whole(answer.entries[-1].new_rating),
        best=whole(answer.highest),
    )
    yield Card(say("hero.card.diary"), says, line_chart(data, str(says)))


def methods_detail(view: View, answer: Performance) -> Iterator[Detail]:
    """The same result by every method."""
    question: Any = view.asked.question if view.asked is not None else None
    if question is None:
        return
    rows = []
    for method in get_args(PerformanceMethod):
        try:
            found = performance(question.played(), on=answer.on, method=method, readings=dict(question.reading))
        except ArpadError:
            continue
        value = figure(found.performance) if found.performance is not None else str(say("answers.none"))
        rows.append(Row((say(f"answers.method.{method}"), value), sel=method == answer.method, why=found.why or ""))
    yield Detail(
        "d-methods", say("hero.detail.methods"), grids=(Grid(columns("method", "performance:r"), tuple(rows)),)
    )


def plain_games_detail(view: View, answer: Performance | FirstRating) -> Iterator[Detail]:
    """The games, with the reason where one does not count."""
    known = (*view.names(), *[""] * len(answer.per_game))
    rows = tuple(
        Row((f"{opponent_of(game)} {name}".strip(), ending(game)), why=game.why or "")
        for game, name in zip(answer.per_game, known, strict=False)
    )
    yield Detail("d-games", say("hero.detail.games"), grids=(Grid(columns("opponent", "result"), rows),))


def one_more_card(view: View, answer: FirstRating) -> Iterator[Card]:
    """What one more game against an average opponent would do to a first rating."""
    question: Any = view.asked.question if view.asked is not None else None
    met = average(answer)
    if answer.rating is None or met is None or question is None:
        return
    against = (met + 5) // 10 * 10  # a round figure
    events = question.events()
    last = events[-1]
    rows = []
    for name, score in RESULTS.items():
        more = replace(last, games=(*last.games, Game(Player(against), score)))
        try:
            found = question.rating_system().first_rating([*events[:-1], more], on=answer.on)
        except ArpadError:
            return
        if found.rating is None:
            return
        rows.append(
            Row((say(f"hero.detail.a.{name}"), figure(found.rating - answer.rating, signed=True), figure(found.rating)))
        )
    grid = Grid(columns("result", "change:c", "first:r"), tuple(rows))
    yield Card(say("hero.card.one_more"), say("hero.card.one_more.says", against=against), grid=grid)


def published_detail(view: View, answer: FirstRating) -> Iterator[Detail]:
    """When a first rating appears on a list."""
    if answer.rating is None or view.asked is None or family(answer.system) != "fide":
        return
    enters = list_of(view.asked, answer)
    if enters is not None:
        yield Detail(
            "d-published",
            say("hero.detail.published"),
            day(enters),
            (say("hero.detail.published.says", on=long_day(enters)),),
        )


def readings_detail(view: View, answer: RatingChange | FirstRating) -> Iterator[Detail]:
    """The rules that can be read in more than one way, if another reading gives another rating."""
    question: Any = view.asked.question if view.asked is not None else None
    ours = answer.new_rating if isinstance(answer, RatingChange) else answer.rating
    rows = []
    for rule, says, readings in view.readings:
        for reading in readings:
            try:
                other = replace(question, reading=(*question.reading, (rule, reading))).answer()
            except ArpadError:
                continue
            theirs = other.new_rating if isinstance(other, RatingChange) else other.rating
            if theirs != ours:
                rows.append(Row((voice().reading(reading), whole(theirs)), why=str(says)))
    if rows:
        grid = Grid(columns("reading", "new:r"), tuple(rows))
        yield Detail("d-readings", say("hero.detail.readings"), say("hero.detail.disputed"), grids=(grid,))
