"""The rating change of a rated player over one rating period (8.3)."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation import formulas
from arpad.calculation.answer import date_notes
from arpad.calculation.explain import Reason
from arpad.calculation.step import NOTHING, Step, found, known, ruled, summed
from arpad.core import DRAW, LOSS, MOST_GAMES, WIN, EloStanding, Event, Game, Period, Player
from arpad.core.numbers import ROUNDINGS
from arpad.errors import BadInput
from arpad.messages import Message, say
from arpad.systems.answers import Chances, EventChange, Expectation, RatingChange, why_k
from arpad.systems.base import each_event
from arpad.systems.fide.games import Weighed, fast_classic, list_rating, rating_used, time_test, todays_scale, weigh
from arpad.systems.fide.k import (
    NextList,
    development_coefficient,
    entering,
    first_day_without,
    k_notes,
    list_ahead,
    next_k_notes,
    without_expired_k,
)
from arpad.systems.performance import of_ratings

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date

    from arpad.core import Pace, Rating
    from arpad.rulebooks import Rulebook
    from arpad.systems.fide import Fide
    from arpad.systems.fide.rules import FideRules

# The list on which newcomers have another K than the regulation says, and the reading that follows the list.
BLITZ, BY_THE_LISTS = "fide-blitz", "blitz-lists"
RESULTS = {"win": WIN, "draw": DRAW, "loss": LOSS}
BY_VALUE = attrgetter("value")
SCORES = {score: known("score", score) for score in RESULTS.values()}


class WeighedEvent(NamedTuple):
    """An event with the rating it was played with, and its games with their expected scores."""

    event: Event
    rating: Step
    games: list[Weighed]


def rate_period(fide: Fide, player: Player, period: Period, on: date) -> RatingChange:
    """The rating after a period's events: the change is rounded once and added to the latest published rating."""
    rules = fide.rulebook.at(on)
    _check(period, on)
    own = _own_rating(player, rules)
    player = _as_listed(player, own, rules)
    events = each_event(period, lambda event: _play(fide, event, own, on))
    list_after = entering(period.events, rules)
    k_day = on if list_after is None else list_after.k_list
    listed_in = EloStanding.of(player).k_from
    player = without_expired_k(player, rules, k_day)
    each_k = _k_of_events(player, own, events, rules, k_day, cite_list=list_after is not None)
    k = max(each_k, key=BY_VALUE)
    games = sum([game.rated for played in events for game in played.games])
    each_used = [within_limit(event_k, games, rules) for event_k in each_k]
    k_used = max(each_used, key=BY_VALUE)
    key = "change" if len(events) == 1 else "event"
    changes = tuple(
        [
            _event_change(key, number, played, used)
            for number, (played, used) in enumerate(zip(events, each_used, strict=True), start=1)
        ]
    )
    parts = tuple([event.change_step for event in changes])
    total = parts[0] if len(parts) == 1 else summed("change", formulas.total, parts)
    base = own if period.base is None else known("rating.base", list_rating(period.base, "base"))
    enter = partial(_enter, base, changes, rules)
    rounded, new = enter(total)

    def notes() -> Iterable[Message]:
        peak = _peak(player, own, events, rules)
        if list_after is not None and (k.rule is not None or listed_in is not None):
            yield from list_after.notes(on, EloStanding.of(player).k_from)
        if len({event_k.value for event_k in each_k}) > 1:
            yield say("notes.k.each_event", k=[event_k.value for event_k in each_k])
        yield from k_notes(k, k_used, player, peak, rules)
        yield from _practice_notes(k, own, rules, fide.base)
        yield from next_k_notes(k, player, NextList(k_day, games, max(peak, new.value or 0)), rules)
        yield from _rounding_note(total, changes, rules)
        yield from _notes(fide.rulebook, on, own, events)

    return RatingChange(
        system=fide.name,
        on=on,
        trail=(new,),
        remarks=notes,
        rating=base.value,
        k=k.value,
        k_used=k_used.value,
        k_why=why_k(k),
        k_until=first_day_without(k),
        change=Decimal(total.value),
        rounded=rounded.value,
        new_rating=new.value,
        why=Reason(new) if new.value is None else None,
        events=changes,
        k_step=k_used,
        enter=enter,
        find_performance=partial(_performance, events, on),
    )


def _enter(base: Step, events: Sequence[EventChange], rules: FideRules, total: Step) -> tuple[Step, Step]:
    """How a change enters the list: rounded (8.3.4), then added to the published rating.

    A rating below the floor is not published: the player becomes unrated (7.2.1).
    """
    rounded = ruled("rounded", rules.rounding, _rounded(total, events, *rules.rounding.value), change=total)
    new = found("new_rating", formulas.new_rating, rating=base, change=rounded)
    if not rules.publishes(new.value):
        new = ruled("new_rating.unrated", rules.floor, None, rating=new._replace(key="new_rating.unpublished"))
    return rounded, new


def expect(fide: Fide, player: Player, opponent: Player, on: date, pace: Pace | None) -> Expectation:
    """One game before it is played."""
    rules = fide.rulebook.at(on)
    own = _own_rating(player, rules)
    me = _as_listed(player, own, rules)
    played = _play(fide, Event((Game(opponent, WIN),), pace=pace), own, on)
    peak = _peak(me, own, [played], rules)
    k = _with_standing_in(development_coefficient(me, peak, rules, on), own, rules)
    game = played.games[0]
    gap = None if game.rating is None else own.value - game.rating
    changes = {
        name: found(f"if.{name}", formulas.change, k=k, score=SCORES[score], expected=game.step)
        for name, score in RESULTS.items()
        if game.rated
    }
    chances = (
        Chances()
        if gap is None
        else Chances.of(own.value, own.value - gap, system=fide.base, scale=todays_scale(fide.rulebook, on))
    )
    # Without chances all results count equally: what matters is which values K may have.
    likely = {result: getattr(chances, result) for result in changes}
    endings = [
        (_alone(own, step, rules), 1 / len(changes) if likely[result] is None else likely[result])
        for result, step in changes.items()
    ]
    return Expectation.of(
        fide.name,
        on,
        expected=game.step,
        changes=changes,
        table=None if gap is None else rules.expected.value.expected(gap),
        chances=chances,
        cap=rules.cap.value.over,
        k=k,
        next_list=list_ahead(rules, me, endings, games=1, on=on) if endings else None,
        remarks=lambda: [
            *k_notes(k, k, me, peak, rules),
            *_practice_notes(k, own, rules, fide.base),
            *_notes(fide.rulebook, on, own, [played]),
        ],
    )


def _check(period: Period, on: date) -> None:
    """Refuse a period without games, with too many, or with an event in the future."""
    games = 0
    for number, event in enumerate(period.events):
        games += len(event.games)
        if not event.games and len(period.events) > 1:
            raise BadInput(say("systems.empty_event"), at=f"event[{number}]")
        if event.on is not None and event.on > on:
            raise BadInput(say("systems.event_later", event=event.on, on=on), at=f"event[{number}]")
    if not games:
        raise BadInput(say("systems.no_games"), at="games")
    if games > MOST_GAMES:
        raise BadInput(say("values.too.many_games", games=games, most=MOST_GAMES), at="games")


def _own_rating(player: Player, rules: FideRules) -> Step:
    own = rating_used(player, rules)
    if own is None:
        raise BadInput(say("systems.unrated"), at="rating")
    return own


def _play(fide: Fide, event: Event, own: Step, on: date) -> WeighedEvent:
    """An event with its games' expected scores, by the rules and the list rating of the day it began."""
    rules = fide.rulebook.at(event.on or on)
    rating = own if event.rating is None else known("rating", list_rating(event.rating, "rating"))
    games = weigh(event.games, rating, rules, fide.chapter, time_test(event, rating.value, rules))
    return WeighedEvent(event, rating, games)


def _as_listed(player: Player, own: Step, rules: FideRules) -> Player:
    """A player whose standard rating stands in keeps the standard list's K or counts as new here: a rule decides."""
    if own.rule is None or rules.k_of_standard:
        return player
    standing = EloStanding.of(player)
    if standing.k_from is not None:
        standing = replace(standing, k=None, k_from=None)  # the K of a list that has the standard rating
    games = 0 if standing.games is None else standing.games
    return replace(player, standing=replace(standing, games=games))


def _k_of_events(
    player: Player, own: Step, events: Sequence[WeighedEvent], rules: FideRules, k_day: date, *, cite_list: bool
) -> list[Step]:
    """K of each event: one for the whole period, or in the older editions the K at the start of each tournament."""
    if rules.k_at_start:
        return [
            _k(
                player,
                played.rating,
                [played],
                rules,
                played.event.on or k_day,
                cite_list=played.event.ended is not None,
            )
            for played in events
        ]
    return [_k(player, own, events, rules, k_day, cite_list=cite_list)] * len(events)


def _k(
    player: Player, own: Step, events: Sequence[WeighedEvent], rules: FideRules, day: date, *, cite_list: bool
) -> Step:
    """K on a day; with `cite_list`, the step also has the day and the rule that chose it."""
    k = development_coefficient(player, _peak(player, own, events, rules), rules, day)
    k = _with_standing_in(k, own, rules)
    return k._replace(given={"list": ruled("k_list", rules.lists, day), **k.given}) if cite_list and k.rule else k


def _with_standing_in(k: Step, own: Step, rules: FideRules) -> Step:
    """K with the rule that makes it the standard list's, if the standard rating stands in."""
    if own.rule is None or rules.stands_in_k is None or k.rule is None:
        return k
    return k._replace(given={"basis": ruled("k_basis", rules.stands_in_k, own.value), **k.given})


def _peak(player: Player, own: Step, events: Sequence[WeighedEvent], rules: FideRules) -> Rating:
    """The highest known rating on the list whose K counts: the player's peak, or a rating used here."""
    published = [played.rating.value for played in events if played.rating.rule is None or rules.k_of_standard]
    known_here = own.rule is None or rules.k_of_standard
    peak: Rating = max(EloStanding.of(player).peak or 0, own.value if known_here else 0, *published)
    return peak


def within_limit(k: Step, games: int, rules: FideRules) -> Step:
    """K, reduced if K times the rated games of the period would exceed the limit (8.3.3)."""
    if rules.k_limit is None or k.value * games <= rules.k_limit.value:
        return k
    limit = ruled("k_limit", rules.k_limit, rules.k_limit.value)
    return found("k_used", formulas.largest_k, limit=limit, games=known("rated_games", games), k=k)


def _event_change(key: str, number: int, played: WeighedEvent, k: Step) -> EventChange:
    """The changes of the games of an event, and their sum (8.3.2)."""
    games: list[Step] = []
    counted: list[Step] = []
    left_out: list[Step] = []
    for no, line in enumerate(played.games, start=1):
        step = line.step
        if line.rated:
            score = line.game.score
            words = {"no": no, "opponent": line.rating, "score": score}
            step = found("game", formulas.change, words=words, k=k, score=SCORES[score], expected=line.step)
        games.append(step)
        (counted if line.rated else left_out).append(step)
    event = played.event
    heading = NOTHING if key == "change" else {"title": _event_title(number, event)}
    others = {"left_out": tuple(left_out)} if left_out else {}
    change = summed(key, formulas.total, tuple(counted), words=heading, **others)
    return EventChange.of(event, played.rating, tuple(games), change)


def _event_title(number: int, event: Event) -> Message:
    """An event by its number, with its name and day where they are known."""
    known = "named_dated" if event.name and event.on else "named" if event.name else "dated" if event.on else "numbered"
    return say(f"steps.event.{known}", number=number, name=event.name, on=event.on)


def _alone(own: Step, change: Step, rules: FideRules) -> Rating | None:
    """The rating after this one game; None below the floor."""
    new: Rating = own.value + ROUNDINGS[rules.rounding.value[0]](Decimal(change.value))
    return new if rules.publishes(new) else None


def _rounded(total: Step, events: Sequence[EventChange], by: str, once_per: str) -> int:
    """The change that enters the list (8.3.4), rounded once per period or once per event."""
    if once_per == "period":
        return ROUNDINGS[by](Decimal(total.value))
    return sum([ROUNDINGS[by](event.change) for event in events])


def _performance(events: Sequence[WeighedEvent], on: date) -> int | None:
    """FIDE's performance rating of the games that counted."""
    counted = [line for played in events for line in played.games if line.rated]
    ratings = [line.rating for line in counted if line.rating is not None]
    return of_ratings(ratings, sum([line.game.score for line in counted], Decimal(0)), on=on) if counted else None


def _notes(book: Rulebook[FideRules], on: date, own: Step, events: Sequence[WeighedEvent]) -> Iterable[Message]:
    """Notes on the date, the time control and the ratings."""
    yield from date_notes(book, on)
    for played in events:
        day = played.event.on or on
        pace = played.event.pace
        if pace is not None and played.event.qc_approved and (rule := fast_classic(pace, book.at(day))) is not None:
            yield say("notes.time.approved", time=str(pace), says=rule.says, cite=rule.cite)
        yield from _tournament_notes(played, book.at(day))
        unrated = any(line.rating is None and line.game.how == "played" for line in played.games)
        if unrated and book.at(day).round_robins_differ:
            yield say("notes.unrated.round_robin")
        floor = book.at(day).floor.value
        ratings: set[Any] = {played.rating.value, own.value, *(line.rating for line in played.games)} - {None}
        below = sorted(rating for rating in ratings if rating < floor)
        if below:
            yield say("notes.rating.below_floor", ratings=below, floor=floor, on=day)


def _practice_notes(k: Step, own: Step, rules: FideRules, system: str) -> Iterable[Message]:
    """Notes where FIDE's lists may show another K than the regulation."""
    if k.rule is None:
        return
    if own.rule is not None and rules.k_of_standard:
        yield say("notes.k.standard")
    band = k.words["band"]
    if system == BLITZ and band.games_under is not None and BY_THE_LISTS in rules.k.others:
        yield say("notes.k.blitz", k=k.value, listed=rules.k.value[-1].k, games=band.games_under)


def _tournament_notes(played: WeighedEvent, rules: FideRules) -> Iterable[Message]:
    """A note that another player's rating may have made the time control too fast, where that was the rule."""
    event = played.event
    if event.pace is None or event.highest is not None or not rules.time_by_tournament:
        return
    too_fast = [band for band in rules.time_control.value["standard"] if not event.pace.fits(band)]
    if too_fast and any(line.rated for line in played.games):
        yield say("notes.time.tournament", time=str(event.pace), level=too_fast[-1].rated_from)


def _rounding_note(total: Step, events: Sequence[EventChange], rules: FideRules) -> Iterable[Message]:
    """A note if rounding each event separately would give another number."""
    if len(events) == 1:
        return
    by, once_per = rules.rounding.value
    once, each = (_rounded(total, events, by, unit) for unit in ("period", "event"))
    if once != each:
        yield say(f"notes.rounding.differs.{once_per}", once=once, each=each)
