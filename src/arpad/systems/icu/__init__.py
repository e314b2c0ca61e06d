"""ICU, Ireland's rating: plain Elo with a K by rating, age and membership, a bonus, and provisional first ratings."""

from __future__ import annotations

from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any

from arpad.calculation import formulas
from arpad.calculation.step import Step, formula, found, known, ruled
from arpad.core import EloStanding
from arpad.core.numbers import half_away_from_zero
from arpad.errors import BadInput
from arpad.messages import Message, say
from arpad.rulebooks import Rulebook
from arpad.systems import by_k
from arpad.systems.base import System
from arpad.systems.icu.event import national
from arpad.systems.icu.first import first_rating, performance
from arpad.systems.icu.rules import READERS, IcuRules, KLine
from arpad.systems.rating_change import given_k

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import date

    from arpad.core import Period, Player
    from arpad.systems.rating_change import RatingChange

SETTINGS = ("readings",)


@formula("{change} − ({threshold} + {each_game} × ({games} − {games_over}))")
def over_threshold(change: Any, threshold: Any, each_game: Any, games: Any, games_over: Any) -> Any:
    """How far a change exceeds the threshold, which depends on the number of games."""
    return change - (threshold + each_game * (games - games_over))


def build(name: str, *, readings: Mapping[str, str] | None = None, rules: str | None = None) -> System:
    """The Irish system."""
    method = by_k.ByK(
        name,
        Rulebook("icu", IcuRules, READERS, path=rules, readings=readings),
        curve=_curve,
        k=_k,
        notes=_notes,
        fractions=False,
        performance="linear",
        bonus=_bonus,
    )
    return System.of(
        name,
        "ICU",
        method.book,
        rate_period=partial(_rate_period, method),
        expect=partial(by_k.expect, method),
        expected_score=partial(by_k.expected_score, method),
        first_rating=partial(first_rating, method),
        national=national(method),
    )


def _rate_period(method: by_k.ByK, player: Player, period: Period, *, on: date) -> RatingChange:
    """Tournaments are rated one at a time; a provisional rating is calculated from all games so far."""
    if len(period.events) > 1:
        raise BadInput(say("systems.icu.one_event", events=len(period.events)), at="event")
    under = method.book.at(on).first_rating.value.provisional_under
    games = EloStanding.of(player).games
    if games is not None and games < under:
        raise BadInput(say("systems.icu.provisional", games=games, under=under), at="games")
    return by_k.rate_period(method, player, period, on=on)


def _curve(rules: IcuRules) -> by_k.Curve:
    """The logistic curve."""
    scale = ruled("scale", rules.scale, Decimal(rules.scale.value))
    return lambda difference: found("expected.formula", formulas.logistic, difference=difference, scale=scale)


def _k(player: Player, entries: list[by_k.Entry], rules: IcuRules, on: date) -> Step:
    """K by the first line of the rule that applies; nobody is assumed to be a new member."""
    standing = EloStanding.of(player)
    if standing.k is not None:
        return given_k(standing.k, standing.k_from)
    (entry,) = entries
    line = next(line for line in rules.k.value if _applies(line, entry.rating.value, player, on))
    given = {"rating": entry.rating}
    if player.birth_year is not None:
        given["born"] = known("born", player.birth_year)
    return Step("k.other", line.k, given, rules.k, words={"says": line.says})


def _applies(line: KLine, rating: Any, player: Player, on: date) -> bool:
    """Whether a line applies: the age is that of the year, and the years as a member are not known."""
    if line.rated_from is not None:
        return bool(rating >= line.rated_from)
    if line.under_age is not None:
        return player.birth_year is not None and on.year - player.birth_year < line.under_age
    return line.member_under is None


def _notes(player: Player, rules: IcuRules, on: date) -> Iterator[Message]:
    """What was assumed if the last line of K applies: the age, a birthday in this year, the years as a member."""
    if EloStanding.of(player).k is not None or player.rating is None:
        return
    *others, usual = rules.k.value
    if any(_applies(line, player.rating, player, on) for line in others):
        return
    for line in others:
        if line.member_under is not None:
            yield say("notes.icu.member", k=usual.k, new=line.k, years=line.member_under)
        elif line.under_age is not None and player.birth_year is None:
            yield say("notes.icu.age", k=line.k, under=line.under_age)
        elif line.under_age is not None and on.year - (player.birth_year or 0) == line.under_age:
            yield say("notes.icu.birthday", k=line.k, age=line.under_age)


def _bonus(entry: by_k.Entry, k: Step, change: Step, rules: IcuRules) -> Step | None:
    """The bonus of a player with a high K and a large gain; None if there is none."""
    rule, games, rating = rules.bonus.value, len(entry.rated), entry.rating.value
    if k.value <= rule.k_over or games <= rule.games_over:
        return None
    if change.value <= rule.change_over or rating + change.value >= rule.limit:
        return None
    exact = found(
        "bonus.over",
        over_threshold,
        change=change,
        threshold=known("threshold", rule.threshold),
        each_game=known("each_game", rule.each_game),
        games=known("rated_games", games),
        games_over=known("games_over", rule.games_over),
    )
    bonus = Decimal(half_away_from_zero(exact.value))
    if k.value >= rule.more_from_k:
        bonus = Decimal(half_away_from_zero(rule.more * bonus))
    results = [(line.game.opponent.rating, line.game.score) for line in entry.rated]
    reached = performance(results, rules)
    bonus = Decimal(half_away_from_zero(min(bonus, rule.limit - rating, reached.value - rating)))
    return ruled("bonus", rules.bonus, bonus, over=exact, performance=reached) if bonus > 0 else None
