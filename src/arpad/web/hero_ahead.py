"""The heroes of games ahead: one game, an event with or without a target, a norm, a season, several plans."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from arpad.core import WIN, Game, Player
from arpad.core.numbers import decimal, half_up
from arpad.errors import ArpadError
from arpad.messages import Message, figure, fixed, say
from arpad.systems.answers import ASSUMED_DEVIATION, assumed_note
from arpad.web.hero_parts import (
    RESULTS,
    Assumption,
    Hero,
    HeroFact,
    HeroResult,
    Words,
    as_listed,
    day,
    exactly,
    k_fact,
    long_day,
    out_of,
    points,
    share,
    signed,
    span,
    whole,
)

if TYPE_CHECKING:
    from arpad.core import Rating
    from arpad.forecast.distribution import Outcome
    from arpad.forecast.needs import NeededRating, NeededScore
    from arpad.forecast.norm_chances import NormChance
    from arpad.forecast.outlook import Outlook
    from arpad.forecast.plans import PlanComparison
    from arpad.forecast.season import Season
    from arpad.questions import Asked
    from arpad.systems.answers import Expectation

GUESSED_FIELD = ("notes.field.like_named", "notes.field.by_score")  # where nobody said who is still to come
BY_SCORE = ("score", "performance")  # the conditions of a norm that the score decides
MOST_LISTS = 3


def game_hero(asked: Asked, answer: Expectation) -> Hero:
    """One game ahead: what each result would bring."""
    question: Any = asked.question
    rating, opponent = question.rating.rating_used, whole(question.opponent.rating_used)
    label = say("hero.game", rating=whole(rating)) if rating is not None else say("hero.game.unrated")
    if answer.expected is None:
        return Hero(
            label=label, figure="0", sentence=say("hero.sentence.not_rated", why=answer.why), short=say("hero.no_game")
        )
    results = tuple(_results(question, answer))
    draw = answer.draw or 0
    way = "gains" if draw > 0 else "costs" if draw < 0 else "level"
    facts = [HeroFact(say("hero.fact.expected"), figure(round(answer.expected, 2)), say("hero.of_a_point"))]
    facts += k_fact(asked, answer)
    ahead = answer.next_list
    if ahead is not None:
        still = ahead.k and ahead.k[0].k == answer.k
        remark = say("hero.k.still" if still else "hero.k.then", k=ahead.k[0].k) if ahead.k else None
        facts.append(HeroFact(say("hero.fact.next_list"), day(ahead.on), remark))
    assumed = assumed_note(answer, ASSUMED_DEVIATION)
    if assumed is not None:
        value = whole(decimal(assumed.values["value"]))  # type: ignore[arg-type]
        facts.append(HeroFact(say("hero.fact.deviation"), value, say("hero.deviation.both"), assumed=True))
    return Hero(
        label=label,
        figure=results[0].change,
        results=results,
        sentence=say(f"hero.sentence.game.{way}", opponent=opponent),
        facts=tuple(facts),
        short=say("hero.short.game"),
    )


def _results(question: Any, answer: Expectation) -> Iterator[HeroResult]:
    """The change and the new rating for each result, each rated as the list does it."""
    system = question.rating_system()
    player, opponent = question.player(system), question.opponent_known(question.opponent, system)
    for name, score in RESULTS.items():
        rated = system.rate(player, Game(opponent, score), on=question.day, pace=question.time)
        chance = getattr(answer.chances, name)
        gained, new = as_listed(rated)
        yield HeroResult(
            name,
            figure(gained, signed=True),
            whole(new),
            None if chance is None else round(100 * chance),
        )


def outlook_hero(asked: Asked, answer: Outlook) -> Hero:
    """An event: for a norm, for a target, or where it usually leads."""
    if answer.norms:
        return _norm(asked, answer, answer.norms[0])
    if answer.target is not None:
        return _target(answer, answer.target)
    low, high = answer.middle_half
    return Hero(
        label=say("hero.usual"),
        figure=span((low, high)),
        sentence=say("hero.sentence.usual", mean=signed(answer.mean), games=answer.open),
        facts=tuple(_usual_facts(answer)),
        assumptions=_unpaired(asked),
        short=say("hero.short.usual"),
    )


def _usual_facts(answer: Outlook) -> Iterator[HeroFact]:
    """The chance to gain, the score that does, and K on the next list."""
    yield HeroFact(say("hero.fact.gain"), share(answer.gain), _strength(answer))
    enough = _least(answer, lambda outcome: outcome.rounded > 0)
    if enough is not None and enough.score is not None:
        expected = say("hero.expected_score", score=_mean(answer, enough))
        yield HeroFact(say("hero.fact.break_even"), _needed(answer, enough).brief, expected)
    else:
        yield HeroFact(say("hero.fact.mean"), signed(answer.mean), say("hero.on_average"))
    if answer.next_list is not None and answer.next_list.k:
        first = answer.next_list.k[0]
        also = answer.next_list.k[1:]
        remark = (
            say("hero.k.or", k=also[0].k, chance=share(also[0].chance))
            if also
            else say("hero.on_list", on=day(answer.next_list.on))
        )
        yield HeroFact(say("hero.fact.k_then"), figure(first.k), remark)
    elif answer.so_far is not None:
        yield HeroFact(say("hero.fact.live"), whole(answer.so_far.new_rating), exactly(answer.so_far.change))
    elif answer.median is not None:
        yield HeroFact(say("hero.fact.median"), whole(answer.median), say("hero.median"))


def _mean(answer: Outlook, outcome: Outcome) -> str:
    """The score that is expected of the games in which an outcome's points are needed: all, or those that are left."""
    if answer.mean_score is None:
        return ""
    made = 0 if answer.so_far is None or outcome.remaining is None else (outcome.score or 0) - outcome.remaining
    return fixed(decimal(answer.mean_score) - decimal(made), 2)


def _least(answer: Outlook, enough: Callable[[Outcome], bool]) -> Outcome | None:
    """The first outcome that is enough; None if none is, or if the first is against a field and names no score."""
    return next((outcome for outcome in answer.outcomes if enough(outcome)), None)


def _needed(answer: Outlook, outcome: Outcome) -> Hero:
    """The points that an outcome takes: of all games or, once some have been played, of those that are left."""
    if answer.so_far is None or outcome.remaining is None:
        return Hero(label="", figure=points(outcome.score or 0), aside=say("hero.of_games", games=answer.games))
    return Hero(label="", figure=points(outcome.remaining), aside=say("hero.from_last", games=answer.open))


def _target(answer: Outlook, target: int) -> Hero:
    """The score that reaches a target, or its chance where a score alone does not decide."""
    facts = [
        HeroFact(say("hero.fact.chance"), share(answer.reach), _strength(answer)),
        HeroFact(say("hero.fact.usual"), span(answer.middle_half), say("hero.half")),
        HeroFact(say("hero.fact.gain"), share(answer.gain), _enough_to_gain(answer)),
    ]
    least = _least(answer, lambda outcome: (outcome.new_rating or 0) >= target)
    short = say("hero.short.target", target=target, chance=share(answer.reach))
    if least is None:
        best = answer.outcomes[-1]
        return Hero(
            label=say("hero.out_of_reach", target=target),
            figure=whole(best.new_rating),
            aside=say("hero.at_best"),
            sentence=say("hero.sentence.out_of_reach", new=whole(best.new_rating), target=target),
            facts=tuple(facts[1:]),
            short=say("hero.at_best"),
        )
    if least.score is None:
        return Hero(
            label=say("hero.chance_of", target=target),
            figure=share(answer.reach),
            sentence=say("hero.sentence.field", mean=signed(answer.mean), target=target),
            facts=tuple(facts[1:]),
            short=short,
        )
    needed = _needed(answer, least)
    return Hero(
        label=say("hero.to_reach" if answer.so_far is None else "hero.to_reach.still", target=target),
        figure=needed.figure,
        aside=needed.aside,
        sentence=_how_far(answer, least),
        facts=tuple(facts),
        short=short,
    )


def _how_far(answer: Outlook, least: Outcome) -> Message:
    """How far a score is from what the rating expects, and how often it happens."""
    often = {"chance": round(100 * (answer.reach or 0)), "usual": share(answer.reach)}
    # Where K is the same for every score, the change says what the rating expects.
    expected = (least.score or 0) - least.change / decimal(answer.k_used) if answer.k_used else answer.mean_score
    if expected is None or answer.so_far is not None:
        return say("hero.sentence.often", **often)
    more = (least.score or 0) - decimal(expected)
    way = "more" if more > 0 else "less"
    return say(f"hero.sentence.target.{way}", points=fixed(abs(more), 2), **often)


def _enough_to_gain(answer: Outlook) -> Message | None:
    least = _least(answer, lambda outcome: outcome.rounded > 0)
    if least is None or least.score is None:
        return None
    return say("hero.enough", needed=_needed(answer, least).brief)


def _strength(answer: Outlook | NeededScore | Season) -> Message | None:
    """The strength that chances are for, in amber if it is only typical of the age."""
    if answer.typical is not None:
        return say("hero.strength.typical", strength=whole(answer.strength))
    return None if answer.strength is None else say("hero.strength", strength=whole(answer.strength))


def _unpaired(asked: Asked) -> tuple[Assumption, ...]:
    """That opponents who are not paired yet are a guess."""
    question: Any = asked.question
    field, rounds = getattr(question, "field", None), getattr(question, "rounds", None)
    if field is None or not rounds:
        return ()
    return (Assumption(say("hero.unpaired", average=field, rounds=rounds), "field"),)


def _norm(asked: Asked, answer: Outlook, norm: NormChance) -> Hero:
    """The points that a norm still takes."""
    question: Any = asked.question
    made = sum((pairing.score for pairing in question.game if pairing.score is not None), Decimal(0))
    played = answer.games - answer.open
    tag = say("hero.round", round=played + 1, rounds=answer.games) if played and answer.open else None
    if norm.least_score is None or (norm.missing and not norm.chance):
        reasons = [condition.reason(norm.title) for condition in norm.missing]
        return Hero(
            label=say("hero.norm.not_here", title=norm.title),
            figure=share(norm.chance),
            sentence=say("hero.sentence.norm.missing", reasons=reasons) if reasons else norm.remark,
            facts=tuple(_usual_facts(answer)),
            tag=tag,
            short=say("hero.short.norm.none", title=norm.title),
        )
    left = max(norm.least_score - made, Decimal(0))
    row = next((row for row in _rows(norm) if row.score == norm.least_score), None)
    said = {"score": points(norm.least_score), "games": norm.games, "title": norm.title}
    like_those_so_far = (note.values["average"] for note in answer.notes if note.key in GUESSED_FIELD)
    typed = getattr(question, "field", None)
    average: Any = typed or next(like_those_so_far, None)
    if row is not None and average is not None:
        sentence = say("hero.sentence.norm.if", **said, rounds=question.rounds, average=average)
    else:
        sentence = say("hero.sentence.norm", **said)
    return Hero(
        label=say("hero.norm.still" if played else "hero.norm", title=norm.title),
        figure=points(left),
        aside=say("hero.from_last", games=answer.open) if played else say("hero.of_games", games=answer.games),
        sentence=sentence,
        assumptions=tuple(_guessed(norm, average, "so_far" if typed is None else "yours")),
        facts=(
            HeroFact(say("hero.fact.chance"), share(norm.chance), _strength(answer)),
            _other_conditions(norm),
            *_rating_then(question, answer, left),
        ),
        tag=tag,
        short=say("hero.short.norm", title=norm.title),
    )


def _rows(norm: NormChance) -> Sequence[Any]:
    return () if norm.simulation is None else norm.simulation.by_average


def _guessed(norm: NormChance, average: Rating | None, whose: str) -> Iterator[Assumption]:
    """Whose guess an average is, the range in which the score holds with it, and the scores on either side."""
    rows = _rows(norm)
    place = next((no for no, row in enumerate(rows) if row.score == norm.least_score), None)
    if place is None or average is None:
        return
    row = rows[place]
    below = points(rows[place - 1].remaining) if place else None
    above = points(rows[place + 1].remaining) if place + 1 < len(rows) else None
    key = {(True, True): "both", (True, False): "below", (False, True): "above"}.get(
        (below is not None, above is not None), "only"
    )
    guess = say(f"hero.guess.{whose}", average=average)
    yield Assumption(say(f"hero.guess.{key}", guess=guess, range=row.averages, below=below, above=above), "field")


def _other_conditions(norm: NormChance) -> HeroFact:
    """Whether anything but the score stands in the way of a norm."""
    label = say("hero.fact.conditions")
    if norm.simulation is None:
        if not norm.missing:
            return HeroFact(label, str(say("hero.all_met")), say("hero.by_opponents"))
        return HeroFact(label, str(say("hero.not_known")), norm.missing[0].reason(norm.title))
    others = [part for part in norm.simulation.conditions if part.name not in BY_SCORE]
    worst = min(others, key=lambda part: (part.chance, part.known), default=None)
    if worst is None or (worst.chance >= 1 and worst.known):
        return HeroFact(label, str(say("hero.all_met")), say("hero.whoever"))
    if worst.chance >= 1:
        return HeroFact(label, str(say("hero.not_known")), say(f"steps.label.norm.{worst.name}"))
    return HeroFact(label, share(worst.chance), say(f"steps.label.norm.{worst.name}"))


def _rating_then(question: Any, answer: Outlook, left: Decimal) -> Iterator[HeroFact]:
    """The rating with the points that are still needed, and what that rating brings."""
    games, more = [], left
    for planned in question.planned(question, question.rating, question.entries).pairings:
        score = planned.score
        if score is None:
            score = min(more, WIN)  # which games are won does not matter where K is the same for all
            more -= score
        opponent = (
            planned.opponent
            if isinstance(planned.opponent, Player)
            else Player(half_up(decimal(planned.opponent.average)))
        )
        games.append(Game(opponent, score, planned.how))
    system = question.rating_system()
    try:
        rated = system.rate(question.player(system), games, on=question.day, pace=question.time)
    except ArpadError:
        return
    new = rated.new_rating
    passed = [level for level in answer.levels if not level.below and new is not None and new >= level.level]
    remark = say("hero.passes", level=passed[0].level) if passed else exactly(rated.change)
    yield HeroFact(say("hero.fact.rating_then"), whole(new), remark)


def season_hero(_: Asked, answer: Season) -> Hero:
    """Several lists ahead: the chance of the target, or where they usually lead."""
    last = long_day(answer.last.on)
    games = sum(part.games for part in answer.lists)
    most = max(answer.lists, key=lambda part: part.games)
    said = {"all": games, "mean": signed(decimal(answer.mean or 0))}
    if sum(part.games == most.games for part in answer.lists) > 1:
        sentence = say("hero.sentence.season.even", **said)
    else:
        names = [one if isinstance(one, str) else day(most.on) for one in most.events]
        sentence = say("hero.sentence.season", events=names, games=most.games, **said)
    facts = tuple(
        HeroFact(
            say("hero.fact.list_of", on=day(part.on)),
            span((part.quantile(0.25), part.quantile(0.75))),
            say("hero.half"),
        )
        for part in answer.lists[-MOST_LISTS:]
    )
    if answer.target is None:
        return Hero(
            label=say("hero.season.usual", on=last),
            figure=span(answer.middle_half),
            sentence=sentence,
            facts=facts,
            short=say("hero.season.usual", on=last),
        )
    return Hero(
        label=say("hero.season.reach", on=last, target=answer.target),
        figure=share(answer.reach),
        sentence=sentence,
        facts=facts,
        short=say("hero.season.reach", on=last, target=answer.target),
    )


def plans_hero(_: Asked, answer: PlanComparison) -> Hero:
    """Several plans: the best one."""
    best = answer.best_plan
    if best.target is not None:
        facts = [
            HeroFact(plan.name or "", share(plan.reach), say("hero.reaches", target=best.target))
            for plan in answer.plans
        ]
    else:
        facts = [
            HeroFact(plan.name or "", signed(decimal(plan.mean or 0)), say("hero.on_average")) for plan in answer.plans
        ]
    chosen = answer.summary()[0]
    return Hero(
        label=say("hero.plans"),
        figure=answer.best or "",
        sentence=_why_best(answer),
        facts=tuple(facts),
        short=chosen.remark,
    )


def _why_best(answer: PlanComparison) -> Words:
    """Why a plan is the best."""
    best = answer.best_plan
    if best.reach is not None:
        on, chance = long_day(best.last.on), share(best.reach)
        return say("hero.sentence.plans.reach", chance=chance, target=best.target, on=on)
    return say("hero.sentence.plans", why=answer.summary()[0].remark)


def score_hero(_: Asked, answer: NeededScore) -> Hero:
    """The score that reaches a target."""
    first = answer.targets[0]
    if first.score is None:
        best = answer.table[-1]
        return Hero(
            label=say("hero.out_of_reach", target=first.reach),
            figure=whole(best.new_rating),
            aside=say("hero.at_best"),
            sentence=first.why,
            short=say("hero.at_best"),
        )
    facts = [HeroFact(say("hero.fact.chance"), share(first.chance), _strength(answer))]
    gain = next((row for row in answer.table if row.change > 0), None)
    if gain is not None:
        facts.append(HeroFact(say("hero.fact.break_even"), str(out_of(gain.score, answer.games))))
    if answer.deviation is not None:
        remark = say("hero.deviation.own" if not answer.deviation_assumed else "hero.assumed")
        facts.append(
            HeroFact(say("hero.fact.deviation"), whole(answer.deviation), remark, assumed=answer.deviation_assumed)
        )
    elif answer.next_list is not None:
        k = answer.next_list.k
        facts.append(
            HeroFact(say("hero.fact.next_list"), day(answer.next_list.on), say("hero.k.then", k=k[0].k) if k else None)
        )
    return Hero(
        label=say("hero.to_reach", target=first.reach),
        figure=points(first.score),
        aside=say("hero.of_games", games=answer.games),
        sentence=say("hero.sentence.often", chance=round(100 * (first.chance or 0)), usual=share(first.chance)),
        facts=tuple(facts),
        short=say("hero.short.target", target=first.reach, chance=share(first.chance)),
    )


def rating_hero(_: Asked, answer: NeededRating) -> Hero:
    """The rating for an expected score."""
    facts = []
    if answer.deviation is not None:
        facts.append(
            HeroFact(say("hero.fact.deviation"), whole(decimal(answer.deviation)), assumed=answer.deviation_assumed)
        )
    expected = points(answer.expected)
    return Hero(
        label=say("hero.needed_rating", expected=expected),
        figure=figure(answer.rating),
        sentence=say("hero.sentence.needed_rating", expected=expected),
        facts=tuple(facts),
        short=say("hero.needed_rating", expected=expected),
    )
