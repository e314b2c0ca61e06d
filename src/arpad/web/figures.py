"""Answers as a page shows them: their figures, and several systems side by side."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING

from arpad.calculation.answer import Figure
from arpad.core.roundings import decimal, half_up
from arpad.forecast.chances import percent, rating_or_unrated
from arpad.messages import Message, figure, say
from arpad.questions.read import DEFAULT_SYSTEM
from arpad.systems.performance import Performance
from arpad.systems.plain_elo import by_plain_elo
from arpad.systems.rating_change import RatingChange
from arpad.web.site import named

if TYPE_CHECKING:
    from arpad.calculation.answer import Answer
    from arpad.forecast import SeasonList
    from arpad.systems.comparison import ComparedSystem, Comparison

SMALLEST = 10  # points
FEW = 5  # games: with fewer, one result moves a performance by a hundred points and more


def figures_of(answer: Answer) -> list[Figure]:
    """The figures of an answer; a rating with a deviation in whole points, for the working has the decimals."""
    found = [one for one in (*answer.summary(), *_average(answer)) if one.value is not None]
    return [one._replace(value=_short(one.value)) for one in found] if hasattr(answer, "interval") else found


def _average(answer: Answer) -> list[Figure]:
    """The opponents' average, where several were met."""
    if not isinstance(answer, RatingChange | Performance):
        return []
    met = [decimal(game.opponent) for game in answer.per_game if game.rated and game.opponent is not None]
    return [Figure("opponents.average", half_up(sum(met, Decimal(0)) / len(met)))] if len(met) > 1 else []


def _short(value: object) -> object:
    """Ratings and deviations in whole points, in a message too; a volatility, which is small, as it is."""
    if isinstance(value, Message):
        return Message(value.key, {name: _short(one) for name, one in value.values.items()})
    if not isinstance(value, Decimal | float):
        return value
    exact = decimal(value)
    return half_up(exact) if abs(exact) >= SMALLEST else value


def change_of(answer: Answer) -> str:
    """The change that is shown beside a new rating, or nothing."""
    if not isinstance(answer, RatingChange):
        return ""
    return figure(half_up(answer.change) if hasattr(answer, "interval") else answer.change, signed=True)


def in_words(answer: Answer) -> Message | None:
    """What the games did to the rating, or what a performance is worth, in a sentence; None where no game counted."""
    if isinstance(answer, Performance) and answer.performance is not None:
        return _worth(answer)
    if not isinstance(answer, RatingChange) or not answer.games:
        return None
    points = half_up(decimal(answer.rounded))
    key = "gain" if points > 0 else "lose" if points < 0 else "stay"
    games = answer.games
    return say(f"pages.words.{key}", points=abs(points), score=answer.score, games=games, expected=answer.expected)


def _worth(answer: Performance) -> Message | None:
    """What a performance of few games, or of a perfect score, says and does not say."""
    if answer.score in (0, answer.games):
        return say("pages.words.all_won" if answer.score else "pages.words.all_lost", games=answer.games)
    return say("pages.words.few", games=answer.games) if answer.games < FEW else None


def other_calculators(answer: Answer) -> Message | None:
    """What most calculators would say of the same games, where FIDE's rules say something else."""
    if not isinstance(answer, RatingChange) or not answer.system.startswith("fide-") or not answer.games:
        return None
    plain = by_plain_elo(answer)
    theirs, ours = half_up(plain.change), half_up(answer.change)
    return None if theirs == ours else say("pages.words.others", points=theirs, k=plain.k_used)


@dataclass(frozen=True, slots=True)
class Beside:
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
    for line in sorted(comparison.systems, key=lambda one: (not one.rated, one.system != DEFAULT_SYSTEM)):
        groups.setdefault(_line(line), []).append(named("system", line.system))
    return [replace(line, systems=together(names)) for line, names in groups.items()]


def _line(one: ComparedSystem) -> Beside:
    """A system's line without its name."""
    if not one.rated or one.change is None:
        return Beside("", "", "", "", "", (), str(one.why))
    return Beside(
        "",
        "" if one.expected is None else f"{one.expected:.2f}",
        "" if one.k_used is None else figure(round(decimal(one.k_used), 1)),
        figure(round(one.change, 2), signed=True),
        str(say("answers.unrated")) if one.new_rating is None else figure(half_up(decimal(one.new_rating))),
        one.reasons,
        None,
    )


def together(names: list[str]) -> str:
    """Names with what they begin with said once: FIDE standard, rapid, blitz."""
    first = names[0].split()
    same = len(first) - 1 if len(names) > 1 else 0
    while same and any(name.split()[:same] != first[:same] for name in names):
        same -= 1
    return ", ".join([names[0], *(" ".join(name.split()[same:]) for name in names[1:])])


def between(one: SeasonList, low: float, high: float) -> str:
    """The ratings that have a share of the chances between them: `1764 to 1812`."""
    ends = [rating_or_unrated(one.quantile(share)) for share in (low, high)]
    return str(say("pages.text.between", low=ends[0], high=ends[1]))


def k_of(one: SeasonList) -> str:
    """K on a list, with its probability where there are several."""
    known = [used for used in one.k if used.k is not None]
    if len(known) == 1:
        return str(say("pages.listed_k", k=known[0].k))
    return ", ".join(str(say("pages.text.k_share", k=used.k, chance=percent(used.chance))) for used in known)
