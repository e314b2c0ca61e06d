"""ICU, Ireland's rating: plain Elo with a K by rating, age and membership, a bonus, and provisional first ratings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation import formulas
from arpad.calculation.answer import date_notes
from arpad.calculation.step import Step, formula, found, known, ruled
from arpad.core import EloStanding, Period, Player
from arpad.core.numbers import ROUNDINGS, half_away_from_zero
from arpad.errors import BadInput
from arpad.messages import Message, say
from arpad.rulebooks import BadValue, Rule, Rulebook, one_of, positive, record, rounding_name
from arpad.systems import elo
from arpad.systems.answers import FirstRating, given_k, judged_games
from arpad.systems.base import National, System

if TYPE_CHECKING:
    from arpad.core import Event, Game, Pace, Rating
    from arpad.systems.answers import GameChange, RatingChange
    from arpad.systems.base import Calculation, Competitor, Field


SETTINGS = ("readings",)


@formula("{change} − ({threshold} + {each_game} × ({games} − {games_over}))")
def over_threshold(change: Any, threshold: Any, each_game: Any, games: Any, games_over: Any) -> Any:
    """How far a change exceeds the threshold, which depends on the number of games."""
    return change - (threshold + each_game * (games - games_over))


def build(name: str, *, readings: Mapping[str, str] | None = None, rules: str | None = None) -> System:
    """The Irish system."""
    method = elo.ByK(
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
        expect=partial(elo.expect, method),
        expected_score=partial(elo.expected_score, method),
        first_rating=partial(first_rating, method),
        national=national(method),
    )


def _rate_period(method: elo.ByK, player: Player, period: Period, *, on: date) -> RatingChange:
    """Tournaments are rated one at a time; a provisional rating is calculated from all games so far."""
    if len(period.events) > 1:
        raise BadInput(say("systems.icu.one_event", events=len(period.events)), at="event")
    under = method.book.at(on).first_rating.value.provisional_under
    games = EloStanding.of(player).games
    if games is not None and games < under:
        raise BadInput(say("systems.icu.provisional", games=games, under=under), at="games")
    return elo.rate_period(method, player, period, on=on)


def _curve(rules: IcuRules) -> elo.Curve:
    """The logistic curve."""
    scale = ruled("scale", rules.scale, Decimal(rules.scale.value))
    return lambda difference: found("expected.formula", formulas.logistic, difference=difference, scale=scale)


def _k(player: Player, entries: list[elo.Entry], rules: IcuRules, on: date) -> Step:
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


def _bonus(entry: elo.Entry, k: Step, change: Step, rules: IcuRules) -> Step | None:
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


Ratings = dict[int, Decimal]  # each player's rating as an opponent, by starting number


@formula("({before} × {rating} + {games} × {performance}) / ({before} + {games})")
def with_earlier_games(before: Any, rating: Any, games: Any, performance: Any) -> Any:
    """A provisional rating: the average over the earlier games and these."""
    return (before * rating + games * performance) / (before + games)


def national(method: elo.ByK) -> National:
    """How the union rates a whole event."""
    return National(
        "IRL",
        EloStanding,
        together=partial(_rate, method),
        notes=partial(_event_notes, method),
    )


class Found(NamedTuple):
    """The result of an iteration: everybody's rating, and the ratings it was calculated from."""

    last: Ratings
    before: Ratings


def _rate(method: elo.ByK, field: Field, event: Event, on: date) -> Mapping[int, Calculation]:
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
    method: elo.ByK, entrant: Competitor, event: Event, ratings: Ratings, on: date, bonus: Step | None = None
) -> RatingChange:
    """The change of a full rating; a bonus of the first round remains if the second round gives none."""
    first = method.bonus
    again = None if first is None else lambda *given: first(*given) or bonus
    by = method._replace(fractions=True, bonus=again)
    games = replace(event, games=_games(entrant, ratings))
    return elo.rate_period(by, entrant.player, Period((games,)), on=on)


def _plain(rating: Decimal | None) -> Rating | None:
    """A whole rating as an int, so that it is shown without decimals."""
    return int(rating) if rating is not None and rating == int(rating) else rating


def _bonus_of(change: RatingChange) -> Step | None:
    """The bonus in a change."""
    total: Any = change.trail[0].given["exact"].given["change"]  # type: ignore[union-attr]
    parts = total.given.get("parts", ())
    return next((part for part in parts if part.key == "bonus"), None)


def _first(method: elo.ByK, entrant: Competitor, event: Event, ratings: Ratings, on: date) -> FirstRating:
    """The rating of a newcomer or a provisional player, with the working of the last round."""
    rules: IcuRules = method.book.at(on)
    lines = judged_games([replace(event, games=_games(entrant, ratings))], rules.unplayed)
    exact, before = _performance(entrant, ratings, rules), EloStanding.of(entrant.player).games or 0
    return first_answer(method, on, lines, exact, "first.joint", rules.iteration, games_before=before)


def _event_notes(method: elo.ByK, field: Field, answers: Mapping[int, Calculation], on: date) -> Iterable[Message]:
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


@formula("({ratings} + {spread} × (2 × {score} − {games})) / {games}")
def linear(ratings: Any, spread: Any, score: Any, games: Any) -> Any:
    """The opponents' average, plus `spread` for each win and minus it for each loss, per game."""
    return (ratings + spread * (2 * score - games)) / games


def performance(results: Sequence[tuple[Rating | None, Decimal]], rules: IcuRules) -> Step:
    """The performance: the average of the opponents' ratings, more for wins and less for losses."""
    return found(
        "performance.linear",
        linear,
        ratings=known("ratings", sum((Decimal(rating or 0) for rating, _ in results), Decimal(0))),
        spread=known("spread", rules.first_rating.value.spread),
        score=known("score_sum", sum((score for _, score in results), Decimal(0))),
        games=known("rated_games", len(results)),
    )


def first_rating(method: elo.ByK, games: Iterable[Game | Event], *, on: date, pace: Pace | None = None) -> FirstRating:
    """A newcomer's rating from all games so far, which is provisional at first; games of all events count together."""
    rules: IcuRules = method.book.at(on)
    lines = judged_games(games, rules.unplayed, pace)
    results = [(line.opponent, line.score) for line in lines if line.rated]
    exact = performance(results, rules) if results else None
    return first_answer(method, on, lines, exact, "first.linear", rules.first_rating)


def first_answer(
    method: elo.ByK,
    on: date,
    lines: tuple[GameChange, ...],
    exact: Step | None,
    key: str,
    rule: Rule[object],
    *,
    games_before: int = 0,
) -> FirstRating:
    """The first rating from a performance and its rule; without a counted game, what is missing."""
    rules: IcuRules = method.book.at(on)
    if exact is None:
        first = Step("first.not_yet", None, {"games": known("games", 0)}, rules.first_rating)
        missing: tuple[Message, ...] = (say("systems.first.games", games=1),)
    else:
        first, missing = ruled(key, rule, ROUNDINGS[rules.rounding.value](Decimal(exact.value)), exact=exact), ()
    counted = games_before + sum(line.rated for line in lines)
    under = rules.first_rating.value.provisional_under

    def notes() -> Iterator[Message]:
        yield from date_notes(method.book, on)
        if first.value is not None and counted < under:
            yield say("notes.icu.provisional", games=counted, under=under)

    return FirstRating.of(
        method.name,
        on,
        first=first,
        missing=missing,
        so_far=None if first.value is None else first,
        per_game=lines,
        remarks=notes,
    )


class KLine(NamedTuple):
    """One line of the K rule and its conditions; the first line whose conditions are met applies."""

    k: int
    says: str
    rated_from: int | None = None
    under_age: int | None = None
    member_under: int | None = None  # years


class Bonus(NamedTuple):
    """Who gets a bonus, from which change on, how much more with a high K, and the rating a bonus cannot exceed."""

    k_over: int
    games_over: int
    change_over: int
    threshold: int
    each_game: int
    more_from_k: int
    more: Decimal
    limit: int


class Newcomer(NamedTuple):
    """The points for a win above the opponent's rating, and the games from which a rating is full."""

    spread: int
    provisional_under: int


class Iteration(NamedTuple):
    """How little ratings may change for the iteration to end, and after how many rounds it gives up."""

    within: Decimal
    rounds: int


class IcuRules(NamedTuple):
    """The rules of a day."""

    k: Rule[tuple[KLine, ...]]
    scale: Rule[int]
    bonus: Rule[Bonus]
    first_rating: Rule[Newcomer]
    iteration: Rule[Iteration]
    second_round: Rule[str]
    guests: Rule[str]
    rounding: Rule[str]
    unplayed: Rule[str]


def _k_lines(value: Any) -> tuple[KLine, ...]:
    lines = tuple(record(KLine, line) for line in value)
    if not lines or any(condition is not None for condition in lines[-1][2:]):
        raise BadValue(say("rulebooks.value.k_lines"))
    return lines


READERS: Mapping[str, Callable[[Any], Any]] = {
    "k": _k_lines,
    "scale": positive,
    "bonus": lambda value: record(Bonus, {**value, "more": Decimal(value["more"])}),
    "first_rating": lambda value: record(Newcomer, value),
    "iteration": lambda value: record(Iteration, {**value, "within": Decimal(value["within"])}),
    "second_round": one_of("once more"),
    "guests": one_of("FIDE rating"),
    "rounding": rounding_name,
    "unplayed": one_of("not rated"),
}
