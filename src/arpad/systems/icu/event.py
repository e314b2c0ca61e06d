"""A whole event by the ICU's rules: new and provisional players together, then rated ones, and again after a bonus."""

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

Ratings = dict[int, Decimal]  # each player's rating as an opponent, by starting number


@formula("({before} × {rating} + {games} × {performance}) / ({before} + {games})")
def with_earlier_games(before: Any, rating: Any, games: Any, performance: Any) -> Any:
    """A provisional rating: the average over the earlier games and these."""
    return (before * rating + games * performance) / (before + games)


def national(method: by_k.ByK) -> National:
    """How the union rates a whole event."""
    return National(
        "IRL",
        EloStanding,
        together=partial(_rate, method),
        notes=partial(_notes, method),
    )


class Found(NamedTuple):
    """The result of an iteration: everybody's rating, and the ratings it was calculated from."""

    last: Ratings
    before: Ratings


def _rate(method: by_k.ByK, field: Field, event: Event, on: date) -> Mapping[int, Calculation]:
    """Rate everybody who played: the results of newcomers and provisional players count for their opponents."""
    rules: IcuRules = method.book.at(on)
    playing = {no: entrant for no, entrant in field.items() if _played(entrant) and not entrant.unknown}
    full = {no: entrant for no, entrant in field.items() if entrant.guest or _is_full(entrant, rules)}
    own = {no: Decimal(entrant.player.rating or 0) for no, entrant in full.items()}
    found = _iterated(playing, own, rules, start={}, rounds=rules.iteration.value.rounds)
    met = found.last | own
    rated = {no: entrant for no, entrant in full.items() if no in playing and not entrant.guest}
    changes = {no: _change(method, entrant, event, met, on) for no, entrant in rated.items()}
    bonuses = {no: bonus for no, change in changes.items() if (bonus := _bonus_of(change)) is not None}
    if bonuses:
        # Everybody once more: a player with a bonus now counts with the rating after it.
        own |= {no: own[no] + changes[no].change for no in bonuses}
        met |= own
        changes = {no: _change(method, entrant, event, met, on, bonuses.get(no)) for no, entrant in rated.items()}
        found = _iterated(playing, own, rules, start=found.last, rounds=1)
    firsts = {
        no: _first(method, entrant, event, found.before | own, on) for no, entrant in playing.items() if no not in full
    }
    return {no: (changes | firsts)[no] for no in playing if no in changes or no in firsts}


def _is_full(entrant: Competitor, rules: IcuRules) -> bool:
    """Whether a player has enough games for a full rating; if the number is unknown, the rating counts as full."""
    games = EloStanding.of(entrant.player).games
    under = rules.first_rating.value.provisional_under
    return entrant.player.rating is not None and (games is None or games >= under)


def _played(entrant: Competitor) -> bool:
    return any(met.game.how == "played" for met in entrant.games)


def _iterated(
    playing: Mapping[int, Competitor], full: Ratings, rules: IcuRules, *, start: Ratings, rounds: int
) -> Found:
    """Everybody's performance, repeated until none changes, or for a single round; full ratings stay as they are."""
    before = start
    for _ in range(rounds):
        performances = {no: _performance(entrant, before | full, rules) for no, entrant in playing.items()}
        last = before | {no: Decimal(step.value) for no, step in performances.items() if step is not None}
        settled = all(no in before and abs(last[no] - before[no]) < rules.iteration.value.within for no in last)
        if settled or rounds == 1:
            return Found(last, before)
        before = last
    raise BadInput(say("systems.icu.not_still", rounds=rounds), at="players")


def _performance(entrant: Competitor, ratings: Ratings, rules: IcuRules) -> Step | None:
    """The performance against the opponents who have a rating so far; None if there are none."""
    results = [
        (ratings[met.opponent], met.game.score)
        for met in entrant.games
        if met.game.how == "played" and met.opponent in ratings
    ]
    if not results:
        return None
    here = performance(results, rules)
    before = EloStanding.of(entrant.player).games
    if entrant.newcomer or entrant.guest or not before or _is_full(entrant, rules):
        return here
    return found(
        "performance.provisional",
        with_earlier_games,
        before=known("games_before", before),
        rating=known("rating", entrant.player.rating),
        games=known("rated_games", len(results)),
        performance=here,
    )


def _games(entrant: Competitor, ratings: Ratings) -> tuple[Game, ...]:
    """The games with the opponents' ratings that count; an opponent without a rating is unrated."""
    return tuple(
        met.game if met.opponent is None else replace(met.game, opponent=Player(_plain(ratings.get(met.opponent))))
        for met in entrant.games
    )


def _change(
    method: by_k.ByK, entrant: Competitor, event: Event, ratings: Ratings, on: date, bonus: Step | None = None
) -> RatingChange:
    """The change of a full rating; a bonus of the first round remains if the second round gives none."""
    first = method.bonus
    again = None if first is None else lambda *given: first(*given) or bonus
    by = method._replace(fractions=True, bonus=again)
    games = replace(event, games=_games(entrant, ratings))
    return by_k.rate_period(by, entrant.player, Period((games,)), on=on)


def _plain(rating: Decimal | None) -> Rating | None:
    """A whole rating as an int, so that it is shown without decimals."""
    return int(rating) if rating is not None and rating == int(rating) else rating


def _bonus_of(change: RatingChange) -> Step | None:
    """The bonus in a change."""
    total: Any = change.trail[0].given["exact"].given["change"]  # type: ignore[union-attr]
    parts = total.given.get("parts", ())
    return next((part for part in parts if part.key == "bonus"), None)


def _first(method: by_k.ByK, entrant: Competitor, event: Event, ratings: Ratings, on: date) -> FirstRating:
    """The rating of a newcomer or a provisional player, with the working of the last round."""
    rules: IcuRules = method.book.at(on)
    lines = judged_games([replace(event, games=_games(entrant, ratings))], rules.unplayed)
    exact, before = _performance(entrant, ratings, rules), EloStanding.of(entrant.player).games or 0
    return first_answer(method, on, lines, exact, "first.joint", rules.iteration, games_before=before)


def _notes(method: by_k.ByK, field: Field, answers: Mapping[int, Calculation], on: date) -> Iterable[Message]:
    """What was assumed about the players, and what later versions of the software do differently."""
    rules: IcuRules = method.book.at(on)
    under = rules.first_rating.value.provisional_under
    unknown = [
        no
        for no, entrant in field.items()
        if not entrant.guest and entrant.player.rating is not None and EloStanding.of(entrant.player).games is None
    ]
    if unknown:
        yield say("notes.icu.full", players=unknown, under=under)
    if any(not isinstance(answer, FirstRating) and _bonus_of(answer) is not None for answer in answers.values()):
        yield say("notes.icu.second_round", cite=rules.second_round.cite)
