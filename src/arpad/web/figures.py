"""Answers as a page shows them: their figures, and several systems side by side."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING

from arpad.calculation.answer import Figure
from arpad.core.numbers import decimal, half_up
from arpad.forecast.targets import percent, rating_or_unrated
from arpad.messages import Message, figure, say
from arpad.questions.read import DEFAULT_SYSTEM
from arpad.systems.answers import RatingChange
from arpad.systems.elo import by_plain_elo
from arpad.systems.performance import Performance
from arpad.web.site import named

if TYPE_CHECKING:
    from arpad.calculation.answer import Answer
    from arpad.forecast.season import SeasonList
    from arpad.systems.comparison import ComparedSystem, Comparison

SMALLEST = 10  # points
FEW = 5  # games; with fewer, one result moves a performance by a hundred points or more


def figures_of(answer: Answer) -> list[Figure]:
    """The figures of an answer. A rating with a deviation is shown in whole points; the working has the decimals."""
    found = [shown for shown in (*answer.summary(), *_average(answer)) if shown.value is not None]
    return (
        [shown._replace(value=_whole_points(shown.value)) for shown in found] if hasattr(answer, "interval") else found
    )


def _average(answer: Answer) -> list[Figure]:
    """The opponents' average rating, if there were several."""
    if not isinstance(answer, RatingChange | Performance):
        return []
    met = [decimal(game.opponent) for game in answer.per_game if game.rated and game.opponent is not None]
    return [Figure("opponents.average", half_up(sum(met, Decimal(0)) / len(met)))] if len(met) > 1 else []


def _whole_points(value: object) -> object:
    """A rating or deviation in whole points, also inside a message; a small number such as a volatility unchanged."""
    if isinstance(value, Message):
        return Message(value.key, {name: _whole_points(inner) for name, inner in value.values.items()})
    if not isinstance(value, Decimal | float):
        return value
    exact = decimal(value)
    return half_up(exact) if abs(exact) >= SMALLEST else value


def change_of(answer: Answer) -> str:
    """The change to show next to a new rating; empty if there is none."""
    if not isinstance(answer, RatingChange):
        return ""
    return figure(half_up(answer.change) if hasattr(answer, "interval") else answer.change, signed=True)


def in_words(answer: Answer) -> Message | None:
    """What the games did to the rating, or how far to trust a performance, in a sentence; None if no game counted."""
    if isinstance(answer, Performance) and answer.performance is not None:
        return _performance_in_words(answer)
    if not isinstance(answer, RatingChange) or not answer.games:
        return None
    points = half_up(decimal(answer.rounded))
    key = "gain" if points > 0 else "lose" if points < 0 else "stay"
    games = answer.games
    return say(f"pages.words.{key}", points=abs(points), score=answer.score, games=games, expected=answer.expected)


def _performance_in_words(answer: Performance) -> Message | None:
    """A caution about a performance from few games, or from all wins or all losses."""
    if answer.score in (0, answer.games):
        return say("pages.words.all_won" if answer.score else "pages.words.all_lost", games=answer.games)
    return say("pages.words.few", games=answer.games) if answer.games < FEW else None


def other_calculators(answer: Answer) -> Message | None:
    """What most calculators would say about the same games, if FIDE's rules differ."""
    if not isinstance(answer, RatingChange) or not answer.system.startswith("fide-") or not answer.games:
        return None
    plain = by_plain_elo(answer)
    theirs, ours = half_up(plain.change), half_up(answer.change)
    return None if theirs == ours else say("pages.words.others", points=theirs, k=plain.k_used)


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
    return [replace(line, systems=together(names)) for line, names in groups.items()]


def _line(line: ComparedSystem) -> ComparedLine:
    """A system's line without its name."""
    if not line.rated or line.change is None:
        return ComparedLine("", "", "", "", "", (), str(line.why))
    return ComparedLine(
        "",
        "" if line.expected is None else f"{line.expected:.2f}",
        "" if line.k_used is None else figure(round(decimal(line.k_used), 1)),
        figure(round(line.change, 2), signed=True),
        str(say("answers.unrated")) if line.new_rating is None else figure(half_up(decimal(line.new_rating))),
        line.reasons,
        None,
    )


def together(names: list[str]) -> str:
    """Names with their common beginning only once: FIDE standard, rapid, blitz."""
    first = names[0].split()
    same = len(first) - 1 if len(names) > 1 else 0
    while same and any(name.split()[:same] != first[:same] for name in names):
        same -= 1
    return ", ".join([names[0], *(" ".join(name.split()[same:]) for name in names[1:])])


def between(list_after: SeasonList, low: float, high: float) -> str:
    """The ratings at two quantiles: `1764 to 1812`."""
    ends = [rating_or_unrated(list_after.quantile(share)) for share in (low, high)]
    return str(say("pages.text.between", low=ends[0], high=ends[1]))


def k_of(list_after: SeasonList) -> str:
    """K on a list; if there are several, each with its probability."""
    known = [used for used in list_after.k if used.k is not None]
    if len(known) == 1:
        return str(say("pages.listed_k", k=known[0].k))
    return ", ".join(str(say("pages.text.k_share", k=used.k, chance=percent(used.chance))) for used in known)
