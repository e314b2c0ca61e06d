"""The heroes of games that were played: a change, a period, a diary, a performance, a first rating."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, cast

from arpad.calculation.step import walk
from arpad.core import DRAW, LOSS, WIN
from arpad.core.numbers import decimal, half_up
from arpad.messages import Message, figure, say
from arpad.questions.read import DEFAULT_SYSTEM
from arpad.systems import family
from arpad.systems.answers import FirstRating, RatingChange
from arpad.systems.comparison import ESTIMATES
from arpad.systems.fide.rules import FideRules
from arpad.systems.glicko.rating import GlickoChange
from arpad.systems.uschess.estimate import UsChessChange
from arpad.web.hero_parts import (
    Hero,
    HeroFact,
    Words,
    as_listed,
    average,
    day,
    exactly,
    k_fact,
    list_of,
    long_day,
    out_of,
    points,
    short_k,
    signed,
    span,
    whole,
)

if TYPE_CHECKING:
    from arpad.calculation.step import Step
    from arpad.questions import Asked
    from arpad.systems.comparison import Comparison
    from arpad.systems.diary import Diary
    from arpad.systems.performance import Performance

FEW = 5  # games; with fewer, one result moves a performance by a hundred points or more


def change_hero(asked: Asked, answer: RatingChange) -> Hero:
    """What games did to a rating; several events are a period, which enters one list."""
    several = len(answer.events) > 1
    enters = list_of(asked, answer)
    where = "list" if several and enters is not None else "now"
    said = {"on": None if enters is None else long_day(enters)}
    if answer.new_rating is None:
        below = [note.values["ratings"] for note in answer.notes if note.key == "notes.rating.below_floor"]
        too_low = any(answer.rating in cast("list[object]", ratings) for ratings in below)  # before any game
        label = say("hero.change.too_low" if too_low else "hero.change.below")
        return Hero(
            label=label,
            figure=whole(None),
            aside=_from_to(answer),
            sentence=say("hero.sentence.too_low", why=answer.why) if too_low else answer.why,
            facts=tuple(_facts_of_change(asked, answer)),
            short=label,
        )
    gained, new = as_listed(answer)
    tag = say("hero.estimate") if any(note.key in ESTIMATES for note in answer.notes) else None
    if asked.question.rating.rating_used is None and not several:  # type: ignore[attr-defined]
        met = average(answer)
        score = {"score": points(answer.score), "games": answer.games, "average": whole(met)}
        return Hero(
            label=say("hero.first"),
            figure=whole(new),
            sentence=_what_happened(answer) if met is None else say("hero.sentence.first", **score),
            facts=tuple(_facts_of_change(asked, answer)),
            tag=tag,
            short=say("hero.short.first", games=answer.games),
        )
    way = "rises" if gained > 0 else "falls" if gained < 0 else "stays"
    return Hero(
        label=say(f"hero.change.{way}.{where}", **said),
        figure=figure(gained, signed=True),
        aside=_from_to(answer),
        sentence=_what_happened(answer),
        facts=tuple(_facts_of_change(asked, answer)),
        tag=tag,
        short=say("hero.becomes", before=whole(answer.rating), new=whole(new)),
    )


def _from_to(answer: RatingChange) -> Message:
    return say("hero.from_to", before=whole(answer.rating), new=whole(as_listed(answer)[1]))


def _what_happened(answer: RatingChange) -> Words | None:
    """The score beside the expected one; for one game the whole calculation; for several events their sum."""
    rated = [game for game in answer.per_game if game.rated]
    if not rated:
        why = next((game.why for game in answer.per_game if game.why is not None), None)
        return say("hero.sentence.none_rated") if why is None else say("hero.sentence.not_rated", why=why)
    said: dict[str, object] = {"score": points(answer.score), "games": answer.games}
    if answer.expected is None:
        return say("hero.sentence.score", **said)
    said["expected"] = figure(Decimal(answer.expected).quantize(Decimal("0.01")))
    if len(answer.events) > 1:
        listed = family(answer.system) == "fide" and answer.change != answer.rounded
        key = "period" if listed else "period.whole"
        return say(f"hero.sentence.{key}", events=len(answer.events), change=exactly(answer.change), **said)
    if len(rated) > 1:
        return say("hero.sentence.games", **said)
    game = rated[0]
    ended = {WIN: "won", DRAW: "drew", LOSS: "lost"}[game.score]
    said |= {"opponent": whole(game.opponent), "k": short_k(answer.k_used)}
    if answer.k_used is None or answer.change == 0 or hasattr(answer, "bonus"):
        return say(f"hero.sentence.{ended}", **said)
    worth = "gain" if answer.change > 0 else "loss"
    return say(f"hero.sentence.{ended}.{worth}", **said, points=abs(half_up(decimal(answer.rounded))))


def _facts_of_change(asked: Asked, answer: RatingChange) -> Iterator[HeroFact]:
    """By the kind of answer, the most telling first; the hero shows three."""
    makers = next(FACTS[kind] for kind in type(answer).__mro__ if kind in FACTS)
    if len(answer.events) > 1:
        makers = (_event_facts, *makers)
    said = set()
    for make in makers:
        for fact in make(asked, answer):
            if str(fact.label) not in said:  # of one game the exact change stands for the performance
                said.add(str(fact.label))
                yield fact


def _event_facts(_: Asked, answer: RatingChange) -> Iterator[HeroFact]:
    """Each event, if there are two."""
    if len(answer.events) == 2:
        for number, event in enumerate(answer.events, start=1):
            name = event.name or say("hero.event", number=number)
            yield HeroFact(name, exactly(event.change), out_of(event.score, event.games))


def _performance_fact(_: Asked, answer: RatingChange) -> Iterator[HeroFact]:
    """The performance of several games; of one game the exact change."""
    if answer.games > 1 and answer.performance is not None:
        yield HeroFact(say("hero.fact.performance"), whole(answer.performance), say("hero.level", games=answer.games))
    elif answer.games:
        yield from _exact_fact(_, answer)


def _exact_fact(_: Asked, answer: RatingChange) -> Iterator[HeroFact]:
    """The change before rounding, if it is rounded."""
    if answer.games and half_up(answer.change) != answer.change:
        listed = "list" if family(answer.system) == "fide" else "shown" if isinstance(answer, GlickoChange) else "once"
        yield HeroFact(say("hero.fact.exactly"), exactly(answer.change), say(f"hero.rounded.{listed}"))


def _list_fact(asked: Asked, answer: RatingChange) -> Iterator[HeroFact]:
    """The list that the games enter."""
    enters = list_of(asked, answer)
    if enters is not None:
        yield HeroFact(say("hero.fact.next_list"), day(enters))


def _average_fact(_: Asked, answer: RatingChange | Performance | FirstRating) -> Iterator[HeroFact]:
    """The opponents' average, if there were several."""
    met = average(answer)
    if met is not None and answer.games > 1:
        yield HeroFact(say("hero.fact.opponents"), figure(met), say("hero.on_average"))


def _deviation_fact(_: Asked, answer: GlickoChange) -> Iterator[HeroFact]:
    """The deviation after the games, in amber if the one before was assumed."""
    assumed = any(step.key == "deviation.assumed" for step in walk(*answer.trail))
    before = say("hero.deviation.assumed" if assumed else "hero.deviation.before", before=whole(answer.deviation))
    yield HeroFact(say("hero.fact.deviation"), whole(answer.new_deviation), before, assumed=assumed)


def _interval_fact(_: Asked, answer: GlickoChange) -> Iterator[HeroFact]:
    """Where the true strength lies."""
    low, high = answer.interval
    yield HeroFact(
        say("hero.fact.interval"), span((half_up(decimal(low)), half_up(decimal(high)))), say("hero.interval")
    )


def _bonus_fact(_: Asked, answer: UsChessChange) -> Iterator[HeroFact]:
    """US Chess's bonus, which is part of the change."""
    if answer.bonus:
        yield HeroFact(say("hero.fact.bonus"), signed(answer.bonus), say("hero.bonus"))


def _estimate_fact(_: Asked, answer: UsChessChange) -> Iterator[HeroFact]:
    """How many games the rating counts as."""
    yield HeroFact(say("hero.fact.effective"), short_k(answer.effective_games), say(f"hero.formula.{answer.formula}"))


FACTS: Mapping[type, tuple[Callable[..., Iterator[HeroFact]], ...]] = {
    GlickoChange: (_deviation_fact, _interval_fact, _exact_fact, _average_fact),
    UsChessChange: (k_fact, _performance_fact, _bonus_fact, _estimate_fact),
    RatingChange: (k_fact, _performance_fact, _list_fact, _average_fact, _exact_fact),
}


def diary_hero(_: Asked, answer: Diary) -> Hero:
    """The newest rating, and the way there."""
    newest = answer.entries[-1]
    lists = answer.next_list is not None
    rated = [entry for entry in answer.entries if entry.new_rating is not None]
    best = max(rated, key=lambda entry: decimal(entry.new_rating or 0), default=None)
    worst = min(rated, key=lambda entry: decimal(entry.new_rating or 0), default=None)
    said = "lists" if lists else "events"
    facts = [
        HeroFact(say(f"hero.fact.{name}.{said}"), whole(entry.new_rating), day(entry.day))
        for name, entry in (("best", best), ("worst", worst))
        if entry is not None
    ]
    if newest.k is not None:
        facts.append(HeroFact(say("hero.fact.k_now"), short_k(newest.k), say("hero.k.used", on=day(newest.on))))
    return Hero(
        label=say(f"hero.diary.{said}", on=long_day(newest.day)),
        figure=whole(newest.new_rating),
        sentence=say(
            f"hero.sentence.diary.{said}",
            before=whole(answer.rating),
            entries=len(answer.entries),
            games=answer.games,
            change=signed(decimal(newest.new_rating or 0) - decimal(answer.rating or 0)),
        ),
        facts=tuple(facts),
        short=say(f"hero.diary.{said}", on=long_day(newest.day)),
    )


def performance_hero(_: Asked, answer: Performance) -> Hero:
    """What a result was worth."""
    met = average(answer)
    said = {"score": points(answer.score), "games": answer.games, "average": whole(met)}
    extreme = "all_won" if answer.score == answer.games else "all_lost" if not answer.score else None
    key = extreme or ("few" if answer.games < FEW else "usual")
    return Hero(
        label=say("hero.performance"),
        figure=str(say("answers.none")) if answer.performance is None else figure(answer.performance),
        sentence=answer.why if answer.performance is None else say(f"hero.sentence.performance.{key}", **said),
        facts=(
            HeroFact(say("hero.fact.score"), str(out_of(answer.score, answer.games)), _percentage(answer)),
            HeroFact(say("hero.fact.opponents"), whole(met), say("hero.on_average")),
            HeroFact(say("hero.fact.games"), figure(answer.games), say(f"answers.method.{answer.method}")),
        ),
        short=say("hero.short.performance", score=points(answer.score), games=answer.games),
    )


def _percentage(answer: Performance) -> Message | None:
    return say("hero.percent", percent=half_up(100 * answer.score / answer.games)) if answer.games else None


def comparison_hero(_: Asked, answer: Comparison) -> Hero:
    """The same games under several systems: the first that rates them."""
    rated = [line.answer for line in answer.systems if line.answer is not None]
    rated.sort(key=lambda one: one.system != DEFAULT_SYSTEM)
    if not rated:
        return Hero(label=say("hero.compared.none"), figure="–", sentence=answer.systems[0].why)
    shown = say(f"pages.system.{rated[0].system}")
    return Hero(
        label=say("hero.compared", system=shown, systems=len(answer.systems)),
        figure=signed(rated[0].rounded),
        aside=_from_to(rated[0]),
        sentence=_what_happened(rated[0]),
        short=shown,
    )


def first_hero(asked: Asked, answer: FirstRating) -> Hero:
    """A first rating, or what is missing for one."""
    steps = {step.key: step for step in walk(*answer.trail)}
    if answer.rating is None:
        return _not_yet(answer, steps)
    draws, against = steps.get("draws"), steps.get("against")
    dp = steps.get("dp")
    said: dict[str, object] = {"games": answer.games, "score": points(answer.score), "average": whole(average(answer))}
    if dp is None or draws is None or against is None:
        sentence = say("hero.sentence.first", **said)
    else:
        way = "half" if dp.value == 0 else "above" if dp.value > 0 else "below"
        needed = _games_needed(answer)
        sentence = say(
            f"hero.sentence.first.{way}",
            **said,
            needed=needed,
            draws=int(draws.value),
            against=against.value,
            dp=abs(dp.value),
            percent=steps["percentage.rounded"].value,
        )
    return Hero(
        label=say("hero.first"),
        figure=figure(answer.rating),
        sentence=sentence,
        facts=tuple(_first_facts(asked, answer, steps)),
        short=say("hero.short.first", games=answer.games),
    )


def _games_needed(answer: FirstRating) -> int:
    """How many games a first rating takes, by the rule of its last step."""
    rule = answer.trail[0].rule
    return rule.value if rule is not None and isinstance(rule.value, int) else answer.games


def _first_facts(asked: Asked, answer: FirstRating, steps: Mapping[str, Step]) -> Iterator[HeroFact]:
    """The opponents, the score, and K from now on; FIDE adds hypothetical draws to both."""
    draws = int(steps["draws"].value) if "draws" in steps and "average.draws" in steps else 0
    opponents, score = say("hero.on_average"), None
    if draws:
        with_them = whole(steps["average.draws"].value)
        opponents = say("hero.with_draws", average=with_them, draws=draws)
        score = say("hero.score_with", score=points(answer.score + Decimal(draws) / 2), games=answer.games + draws)
    yield HeroFact(say("hero.fact.opponents"), whole(average(answer)), opponents)
    yield HeroFact(say("hero.fact.score"), str(out_of(answer.score, answer.games)), score)
    rules = asked.question.rating_system().rulebook.at(answer.on)  # type: ignore[attr-defined]
    if isinstance(rules, FideRules):
        newcomer = next((band for band in rules.k.value if band.games_under is not None), None)
        if newcomer is not None:
            k, until = say("pages.listed_k", k=newcomer.k), say("hero.until_games", games=newcomer.games_under)
            yield HeroFact(say("hero.fact.from_now"), str(k), until)


def _not_yet(answer: FirstRating, steps: Mapping[str, Step]) -> Hero:
    """What is missing for a first rating: games, or a higher result."""
    lacking = _games_needed(answer) - answer.games if "first.not_yet" in steps else 0
    facts = [HeroFact(say("hero.fact.score"), str(out_of(answer.score, answer.games)), say("answers.against_rated"))]
    if answer.so_far is not None:
        facts.insert(0, HeroFact(say("hero.fact.so_far"), figure(answer.so_far), say("hero.by_these_games")))
    reasons = [*answer.missing]
    if lacking <= 0:
        return Hero(
            label=say("hero.first.none"),
            figure=str(say("answers.none_yet")),
            sentence=answer.why if not reasons else say("hero.sentence.first.missing", reasons=reasons),
            facts=tuple(facts),
            short=say("hero.first.none"),
        )
    return Hero(
        label=say("hero.first.lacking"),
        figure=figure(lacking),
        aside=say("hero.more_games" if lacking > 1 else "hero.more_game"),
        sentence=say("hero.sentence.first.lacking", needed=_games_needed(answer), games=answer.games),
        facts=tuple(facts),
        short=say("hero.first.none"),
    )
