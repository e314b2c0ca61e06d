"""A whole event by ICU's rules: new and provisional players together, then the rated ones, and again after a bonus."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation.step import Step, formula, found, known
from arpad.core import EloStanding, Period, Player
from arpad.errors import BadInput
from arpad.messages import Message, say
from arpad.systems import by_k
from arpad.systems.first_rating import FirstRating, judged_games
from arpad.systems.icu.first import first_answer, performance
from arpad.systems.national import National

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import date

    from arpad.core import Event, Game, Rating
    from arpad.systems.icu.rules import IcuRules
    from arpad.systems.national import Calculation, Competitor, Field
    from arpad.systems.rating_change import RatingChange

Ratings = dict[int, Decimal]  # what everybody counts with, by starting number


@formula("({before} × {rating} + {games} × {performance}) / ({before} + {games})")
def with_earlier_games(before: Any, rating: Any, games: Any, performance: Any) -> Any:
    """A provisional rating: the average over the earlier games and these."""
    return (before * rating + games * performance) / (before + games)


def national(method: by_k.ByK) -> National:
    """How the union takes a whole event."""
    return National(
        "IRL",
        EloStanding,
        together=partial(_rate, method),
        notes=partial(_notes, method),
    )


class Found(NamedTuple):
    """The result of an iteration: everybody's rating, and the previous one it was calculated from."""

    last: Ratings
    before: Ratings


def _rate(method: by_k.ByK, field: Field, event: Event, on: date) -> Mapping[int, Calculation]:
    """Rate everybody who played: the results of newcomers and provisional players count for their opponents."""
    rules: IcuRules = method.book.at(on)
    playing = {no: one for no, one in field.items() if _played(one) and not one.unknown}
    full = {no: one for no, one in field.items() if one.guest or _is_full(one, rules)}
    own = {no: Decimal(one.player.rating or 0) for no, one in full.items()}
    found = _iterated(playing, own, rules, start={}, rounds=rules.iteration.value.rounds)
    met = found.last | own
    rated = {no: one for no, one in full.items() if no in playing and not one.guest}
    changes = {no: _change(method, one, event, met, on) for no, one in rated.items()}
    bonuses = {no: bonus for no, change in changes.items() if (bonus := _bonus_of(change)) is not None}
    if bonuses:
        # Everybody once more: who got a bonus counts with the rating that it gave.
        own |= {no: own[no] + changes[no].change for no in bonuses}
        met |= own
        changes = {no: _change(method, one, event, met, on, bonuses.get(no)) for no, one in rated.items()}
        found = _iterated(playing, own, rules, start=found.last, rounds=1)
    firsts = {no: _first(method, one, event, found.before | own, on) for no, one in playing.items() if no not in full}
    return {no: (changes | firsts)[no] for no in playing if no in changes or no in firsts}


def _is_full(one: Competitor, rules: IcuRules) -> bool:
    """Whether a player has a full rating, by number of games; if that is unknown, the rating counts as full."""
    games = EloStanding.of(one.player).games
    under = rules.first_rating.value.provisional_under
    return one.player.rating is not None and (games is None or games >= under)


def _played(one: Competitor) -> bool:
    return any(met.game.how == "played" for met in one.games)


def _iterated(
    playing: Mapping[int, Competitor], full: Ratings, rules: IcuRules, *, start: Ratings, rounds: int
) -> Found:
    """Everybody's performance, until all stand still, or for a single round; full ratings count as they are."""
    before = start
    for _ in range(rounds):
        worked_out = {no: _worked_out(one, before | full, rules) for no, one in playing.items()}
        last = before | {no: Decimal(step.value) for no, step in worked_out.items() if step is not None}
        still = all(no in before and abs(last[no] - before[no]) < rules.iteration.value.within for no in last)
        if still or rounds == 1:
            return Found(last, before)
        before = last
    raise BadInput(say("systems.icu.not_still", rounds=rounds), at="players")


def _worked_out(one: Competitor, ratings: Ratings, rules: IcuRules) -> Step | None:
    """The performance against the opponents who have a rating so far; None without any."""
    results = [
        (ratings[met.opponent], met.game.score)
        for met in one.games
        if met.game.how == "played" and met.opponent in ratings
    ]
    if not results:
        return None
    here = performance(results, rules)
    before = EloStanding.of(one.player).games
    if one.newcomer or one.guest or not before or _is_full(one, rules):
        return here
    return found(
        "performance.provisional",
        with_earlier_games,
        before=known("games_before", before),
        rating=known("rating", one.player.rating),
        games=known("rated_games", len(results)),
        performance=here,
    )


def _games(one: Competitor, ratings: Ratings) -> tuple[Game, ...]:
    """The games with the opponents' ratings that count; an opponent without one is unrated."""
    return tuple(
        met.game if met.opponent is None else replace(met.game, opponent=Player(_plain(ratings.get(met.opponent))))
        for met in one.games
    )


def _change(
    method: by_k.ByK, one: Competitor, event: Event, ratings: Ratings, on: date, bonus: Step | None = None
) -> RatingChange:
    """A full rating's change; a bonus of the first round stays where the second gives none."""
    first = method.bonus
    again = None if first is None else lambda *given: first(*given) or bonus
    by = method._replace(fractions=True, bonus=again)
    games = replace(event, games=_games(one, ratings))
    return by_k.rate_period(by, one.player, Period((games,)), on=on)


def _plain(rating: Decimal | None) -> Rating | None:
    """A whole rating as one, so that it is shown without decimals."""
    return int(rating) if rating is not None and rating == int(rating) else rating


def _bonus_of(change: RatingChange) -> Step | None:
    """The bonus in a change."""
    total: Any = change.trail[0].given["exact"].given["change"]  # type: ignore[union-attr]
    parts = total.given.get("parts", ())
    return next((part for part in parts if part.key == "bonus"), None)


def _first(method: by_k.ByK, one: Competitor, event: Event, ratings: Ratings, on: date) -> FirstRating:
    """The rating of a newcomer or a provisional player, with the working of the last round."""
    rules: IcuRules = method.book.at(on)
    lines = judged_games([replace(event, games=_games(one, ratings))], rules.unplayed)
    exact, before = _worked_out(one, ratings, rules), EloStanding.of(one.player).games or 0
    return first_answer(method, on, lines, exact, "first.joint", rules.iteration, games_before=before)


def _notes(method: by_k.ByK, field: Field, answers: Mapping[int, Calculation], on: date) -> Iterable[Message]:
    """What was assumed of the field, and what later versions of the software do otherwise."""
    rules: IcuRules = method.book.at(on)
    under = rules.first_rating.value.provisional_under
    unknown = [
        no
        for no, one in field.items()
        if not one.guest and one.player.rating is not None and EloStanding.of(one.player).games is None
    ]
    if unknown:
        yield say("notes.icu.full", players=unknown, under=under)
    if any(not isinstance(answer, FirstRating) and _bonus_of(answer) is not None for answer in answers.values()):
        yield say("notes.icu.second_round", cite=rules.second_round.cite)
