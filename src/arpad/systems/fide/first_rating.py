"""The first rating of an unrated player (7.1.4, 8.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from arpad.calculation import formulas
from arpad.calculation.answer import Text, date_notes
from arpad.calculation.step import Step, found, known, ruled
from arpad.core import DRAW, MOST_GAMES, Event, Game, as_games
from arpad.core.numbers import ROUNDINGS, half_away_from_zero
from arpad.errors import BadInput
from arpad.messages import say
from arpad.systems.answers import FirstRating, GameChange, not_rated
from arpad.systems.fide.games import rating_used, time_test, why_not

if TYPE_CHECKING:
    from arpad.core import Pace
    from arpad.messages import Message
    from arpad.rulebooks import Rule, Rulebook
    from arpad.systems.fide import Fide
    from arpad.systems.fide.rules import FideRules, PoolMonths


Pooled = list[tuple[Game, int]]


class FirstGames(NamedTuple):
    """The games that count for a first rating, every game with its verdict, and the steps of those left out."""

    counted: Pooled
    lines: list[GameChange]
    left_out: list[Step]


def first_rating(fide: Fide, games: Iterable[Game | Event], on: date, pace: Pace | None) -> FirstRating:
    """A first rating by the rules of the day, or what is still missing."""
    rules = fide.rulebook.at(on)
    events = _as_events(games, on, pace)
    pool = _pool(events, rules, on, fide.chapter)
    counted = known("games", len(pool.counted))
    so_far = None
    if pool.counted:
        score = sum((game.score for game, _ in pool.counted), Decimal(0))
        so_far = rating_from(counted, score, sum(rating for _, rating in pool.counted), rules)
    first, missing = _verdict(so_far, counted, pool, rules)
    if pool.left_out:
        first = first._replace(given={"left_out": tuple(pool.left_out), **first.given})
    return FirstRating.of(
        fide.name,
        on,
        first=first,
        missing=missing,
        so_far=so_far,
        per_game=tuple(pool.lines),
        remarks=partial(_notes, fide.rulebook, rules, on),
    )


def _notes(book: Rulebook[FideRules], rules: FideRules, on: date) -> Iterator[Message]:
    """Notes on the date, and on round robins if they had another rule."""
    yield from date_notes(book, on)
    if rules.round_robins_differ:
        yield say("notes.unrated.first_round_robin")


def _as_events(games: Iterable[Game | Event], on: date, pace: Pace | None) -> list[Event]:
    """The events by date; games without an event become one event on the day asked for."""
    given = [games] if isinstance(games, Game | Event) else list(games)
    loose = as_games(game for game in given if not isinstance(game, Event))
    events = [replace(event, on=event.on or on) for event in given if isinstance(event, Event)]
    if loose:
        events.append(Event(loose, on=on, pace=pace))
    late = [event.on for event in events if event.on is not None and event.on > on]
    if late:
        raise BadInput(say("systems.event_later", event=late[0], on=on), at="event")
    count = sum(len(event.games) for event in events)
    if not count:
        raise BadInput(say("systems.no_games"), at="games")
    if count > MOST_GAMES:
        raise BadInput(say("values.too.many_games", games=count, most=MOST_GAMES), at="games")
    return sorted(events, key=lambda event: event.on or on)


def _pool(events: Sequence[Event], rules: FideRules, on: date, chapter: str) -> FirstGames:
    """The games that count: rated opponents, inside the pool's months, after an event that qualifies (8.2.1)."""
    pool = FirstGames([], [], [])
    met = False  # whether an earlier event had rated opponents
    for event in events:
        games = [_judged(number, game, event, rules, chapter) for number, game in enumerate(event.games, start=1)]
        rated = [(game, rating) for game, rating, out in games if out is None and rating is not None]
        started = bool(pool.counted) or (met and rules.first_event.value.once)
        dropped = _event_dropped(event, rated, rules, on, started=started)
        met = met or (bool(rated) and dropped is not rules.pool_months)
        if dropped is not None:
            words = {"name": event.name, "on": event.on}
            pool.left_out.append(ruled(f"dropped.{dropped.name}", dropped, None, words=words))
        else:
            pool.counted.extend(rated)
        for number, (game, rating, out) in enumerate(games, start=1):
            if out is not None:
                pool.left_out.append(out)
                pool.lines.append(GameChange.of(out))
            elif dropped is not None:
                pool.lines.append(GameChange.of(not_rated(number, game, "dropped", dropped, rating)))
            else:
                pool.lines.append(GameChange(opponent=rating, score=game.score))
    return pool


def _judged(
    number: int, game: Game, event: Event, rules: FideRules, chapter: str
) -> tuple[Game, int | None, Step | None]:
    """A game with the opponent's rating and, if it does not count, the step that says why."""
    opponent = rating_used(game.opponent, rules, "opponent", number)
    rating = None if opponent is None else int(opponent.value)
    why = why_not(game, None, rating, rules, chapter, time_test(event, None, rules))
    return game, rating, None if why is None else not_rated(number, game, *why[:2], rating, **why.facts)


def _event_dropped(event: Event, rated: Pooled, rules: FideRules, on: date, *, started: bool) -> Rule[object] | None:
    """The rule that excludes a whole event; None if the event counts."""
    began = event.on or on
    if rules.pool_months is not None and began < pool_begins(on, rules.pool_months.value):
        return rules.pool_months
    score = sum((game.score for game, _ in rated), Decimal(0))
    return None if event_counts(len(rated), score, rules, started=started) else rules.first_event


def event_counts(games: int, score: Decimal, rules: FideRules, *, started: bool) -> bool:
    """Whether an event counts, by its games against rated opponents; `started` if an earlier event already did."""
    points, opponents, every, _ = rules.first_event.value
    return (started and not every) or (games >= opponents and score >= points)


def enough_games(games: int, rules: FideRules) -> bool:
    """Whether these are enough games for a first rating."""
    return games >= max(rules.first_games.value, 1)


def pool_begins(day: date, pool: PoolMonths) -> date:
    """The first day of the pool: counted in monthly rating periods including the current one, or to the day."""
    to_the_day = pool.counted == "to the day"
    month = day.year * 12 + day.month - 1 - pool.months + (not to_the_day)
    first = date(month // 12, month % 12 + 1, 1)
    return first + timedelta(days=day.day - 1) if to_the_day else first


def rating_from(games: Step, score: Decimal, opponents: int, rules: FideRules) -> Step:
    """Ru from games, score and the sum of the opponents' ratings: rounded, at most the ceiling (8.2.2, 8.2.3)."""
    method = rules.first_rating.value
    ratings, points = ruled("ratings.met", rules.first_rating, Decimal(opponents)), known("score", score)
    if method.bonus is None:
        exact = _with_draws(ratings, points, games, rules)
    else:
        exact = _with_bonus(ratings, points, games, rules)
    rating = half_away_from_zero(exact.value)
    if method.at_most is not None and rating > method.at_most:
        return ruled("first.ceiling", rules.first_rating, method.at_most, exact=exact)
    return ruled("first.rounded", rules.first_rating, rating, exact=exact)


def _with_draws(ratings: Step, score: Step, games: Step, rules: FideRules) -> Step:
    method = rules.first_rating.value
    rule = rules.first_rating
    draws, against = ruled("draws", rule, Decimal(method.draws)), ruled("against", rule, method.against)
    average = found(
        "average.draws", formulas.average_with_draws, total=ratings, games=games, draws=draws, against=against
    )
    share = found("percentage.draws", formulas.percentage_with_draws, score=score, games=games, draws=draws)
    dp = _dp(share._replace(rule=rule), rules)
    return found("first.exact", formulas.performance, average=average._replace(rule=rule), dp=dp)._replace(rule=rule)


def _with_bonus(ratings: Step, score: Step, games: Step, rules: FideRules) -> Step:
    rule = rules.first_rating
    average = found("average.opponents", formulas.average, total=ratings, games=games)._replace(rule=rule)
    share = found("percentage.games", formulas.average, total=score, games=games)._replace(rule=rule)
    if share.value < DRAW:
        return found("first.exact", formulas.performance, average=average, dp=_dp(share, rules))._replace(rule=rule)
    bonus = ruled("bonus", rule, rule.value.bonus)
    exact = found(
        "first.exact", formulas.first_rating_with_bonus, average=average, bonus=bonus, score=score, games=games
    )
    return exact._replace(rule=rule)


def _dp(share: Step, rules: FideRules) -> Step:
    by = ROUNDINGS[rules.percentage.value]
    percent = ruled("percentage.rounded", rules.percentage, by(100 * share.value), share=share)
    return ruled("dp", rules.dp, rules.dp.value[percent.value], percentage=percent)


def _verdict(so_far: Step | None, counted: Step, pool: FirstGames, rules: FideRules) -> tuple[Step, tuple[Text, ...]]:
    """The published rating, or a step without a value, its rule and what is missing."""
    given = {"games": counted} if so_far is None else {"games": counted, "rating": so_far}
    if so_far is None or not enough_games(counted.value, rules):
        missing: list[Text] = [say("systems.first.games", games=rules.first_games.value - counted.value)]
        if not pool.counted:
            points, opponents, *_ = rules.first_event.value
            missing.append(say("systems.first.event", points=points, opponents=opponents))
        return Step("first.not_yet", None, given, rules.first_games), tuple(missing)
    if not rules.publishes(so_far.value):
        step = Step("first.below_floor", None, given, rules.floor)
        return step, (say("systems.first.floor", floor=rules.floor.value, rating=so_far.value),)
    return ruled("first.published", rules.first_games, so_far.value, games=counted, rating=so_far), ()
