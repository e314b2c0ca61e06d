"""What a hero consists of, and how its figures are written: rounded as the list rounds them, ½ not .5, 1 Dec 2026."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from arpad.calculation.explain import Reason
from arpad.core import DRAW, LOSS, WIN
from arpad.core.numbers import decimal, half_up
from arpad.messages import Message, dated, figure, halves, say
from arpad.systems.answers import ASSUMED_K, Expectation, FirstRating, RatingChange, assumed_note
from arpad.systems.fide.k import entered
from arpad.systems.fide.rules import FideRules
from arpad.systems.glicko.lichess import LichessChange

if TYPE_CHECKING:
    from arpad.calculation.answer import Text
    from arpad.core import Rating
    from arpad.questions import Asked
    from arpad.systems.performance import Performance

LONG_FIGURE = 6  # characters; a longer figure is set smaller
RESULTS = {"win": WIN, "draw": DRAW, "loss": LOSS}
BELONGING = ("hero.of_games", "hero.from_last", "hero.more_games", "hero.more_game")  # asides that complete a figure
# Labels that the figure completes to a sentence: `To reach 1800 you need 4½ of 7`. After others stands a colon.
READS_ON = {
    f"hero.{name}"
    for name in (
        *(f"change.{way}.{where}" for way in ("rises", "falls", "stays") for where in ("now", "list")),
        "usual", "performance", "to_reach", "to_reach.still", "norm", "norm.still", "needed_rating", "first",
        "first.lacking",
    )
}  # fmt: skip
Words = Message | Reason | str


@dataclass(frozen=True, slots=True, kw_only=True)
class Hero:
    """The answer in one glance."""

    label: Words
    figure: str
    aside: Message | None = None  # beside the figure: `1750 → 1775`, `of 9`
    sentence: Words | None = None
    assumptions: tuple[Assumption, ...] = ()
    facts: tuple[HeroFact, ...] = ()
    results: tuple[HeroResult, ...] = ()  # of one game ahead, instead of the figure
    tag: Message | None = None
    short: Words | None = None  # what the figure is, in a few words

    @property
    def long(self) -> bool:
        """Whether the figure needs smaller type."""
        return len(self.figure) > LONG_FIGURE

    @property
    def brief(self) -> str:
        """The figure with what belongs to it: `+25`, `5½ of 9`, `+15 +5 −5`."""
        if self.results:
            return " ".join(result.change for result in self.results)
        if self.aside is None or self.aside.key not in BELONGING:
            return self.figure
        aside = say("hero.of_games", **self.aside.values) if self.aside.key == "hero.from_last" else self.aside
        return f"{self.figure} {plain(aside)}"

    @property
    def spoken(self) -> str:
        """The answer in a sentence or two, as plain text."""
        if self.results:
            parts = [f"{result.label} {result.change}" for result in self.results]
            ways = say("pages.text.step_says", label=plain(self.label), says=", ".join(parts))
            return f"{ways}. {plain(self.sentence)}".strip()
        beside = "" if self.aside is None or self.aside.key in BELONGING else f", {plain(self.aside)}"
        says: Words = f"{plain(self.label)} {self.brief}".strip()
        if isinstance(self.label, Message) and self.label.key not in READS_ON:
            says = say("pages.text.step_says", label=plain(self.label), says=self.brief)
        return f"{says}{beside}. {plain(self.sentence)}".strip()


@dataclass(frozen=True, slots=True)
class HeroFact:
    """A figure beside the answer, with a remark; `assumed` if it rests on something that was not given."""

    label: Words
    value: str
    remark: Words | None = None
    assumed: bool = False


@dataclass(frozen=True, slots=True)
class Assumption:
    """What an answer assumes, and what it would be otherwise; `field` is where it can be given."""

    says: Message
    field: str | None = None

    @property
    def ask(self) -> Message | None:
        """The invitation to give it."""
        return None if self.field is None else say(f"hero.give.{self.field}")


@dataclass(frozen=True, slots=True)
class HeroResult:
    """What one result of a game would bring: the change, the new rating, and its chance in percent."""

    name: str
    change: str
    new_rating: str
    chance: int | None = None

    @property
    def label(self) -> str:
        """The result in words."""
        return str(say(f"pages.text.{self.name}"))


def plain(text: Words | None) -> str:
    """A text without its emphasis."""
    return "" if text is None else str(text).replace("*", "")


def points(score: Decimal | int) -> str:
    """A score as players write it: 2½."""
    return halves(score)


def day(on: date) -> str:
    """A day for people: 1 Dec 2026."""
    return dated(on, "day")


def long_day(on: date) -> str:
    """A day in a sentence: 1 December 2026."""
    return dated(on, "long_day")


def month(on: date) -> str:
    """A month in a sentence: January 2029."""
    return dated(on, "month")


def share(chance: float | None) -> str:
    """A chance in whole percent; what is not certain is neither 0 nor 100."""
    if chance is None:
        return str(say("hero.not_known"))
    whole = round(100 * chance)
    if whole == 0 and chance > 0:
        return str(say("hero.under", percent=1))
    if whole == 100 and chance < 1:
        return str(say("hero.over", percent=99))
    return str(say("hero.percent", percent=whole))


def whole(rating: Rating | None) -> str:
    """A rating in whole points, or the word for having none."""
    return str(say("answers.unrated")) if rating is None else figure(half_up(decimal(rating)))


def signed(change: Rating) -> str:
    """A change in whole points."""
    return figure(half_up(decimal(change)), signed=True)


def exactly(change: Decimal) -> str:
    """A change to the hundredth."""
    return figure(Decimal(change).quantize(Decimal("0.01")), signed=True)


def span(ends: tuple[int | None, int | None]) -> str:
    """Two ratings, 1728–1788, or the one that both are."""
    return "–".join(dict.fromkeys(whole(end) for end in ends))


def out_of(score: Decimal, games: int) -> Message:
    """A score with its games: 2½ of 3."""
    return say("hero.score_of", score=points(score), games=games)


def short_k(k: Rating | None) -> str:
    """K to the tenth; empty in a system without one."""
    return "" if k is None else figure(round(decimal(k), 1))


def as_listed(answer: RatingChange) -> tuple[int, Rating | None]:
    """The change and the new rating as the list or the site shows them."""
    if isinstance(answer, LichessChange):
        return answer.shown_change, answer.shown_rating
    return half_up(decimal(answer.rounded)), answer.new_rating


def average(answer: RatingChange | Performance | FirstRating) -> int | None:
    """The average rating of the opponents in rated games; None without any."""
    met = [decimal(game.opponent) for game in answer.per_game if game.rated and game.opponent is not None]
    return half_up(sum(met, Decimal(0)) / len(met)) if met else None


def list_of(asked: Asked, answer: RatingChange | FirstRating) -> date | None:
    """The list that games enter, by the closing dates; None in a system without lists."""
    question: Any = asked.question
    rules = question.rating_system().rulebook.at(answer.on)
    if not isinstance(rules, FideRules):
        return None
    days = [event.ended or event.on or answer.on for event in question.events()]
    return entered(max(days, default=answer.on), rules).enters


def k_fact(_: Asked, answer: RatingChange | Expectation) -> Iterator[HeroFact]:
    """K with its reason, in amber if it is assumed."""
    k = answer.k_used if isinstance(answer, RatingChange) else answer.k
    if k is None:
        return
    assumed = assumed_note(answer, ASSUMED_K)
    until = getattr(answer, "k_until", None)
    remark: Text
    if assumed is not None:
        remark = say(f"hero.k.{assumed.key.removeprefix('notes.')}", **assumed.values)
    elif until is not None:
        remark = say("hero.k.until", month=month(until))
    else:
        remark = answer.k_why or say("answers.k.given")
    limited = isinstance(answer, RatingChange) and answer.k_used != answer.k and answer.k is not None
    yield HeroFact(
        say("hero.fact.k"),
        short_k(k),
        say("hero.k.limited", k=short_k(getattr(answer, "k", None))) if limited else remark,
        assumed=assumed is not None,
    )
