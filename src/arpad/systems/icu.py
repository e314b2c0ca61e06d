"""ICU, Ireland's rating: plain Elo with a K by rating, age and membership, a bonus, and provisional first ratings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation import formulas
from arpad.calculation.answer import date_notes
from arpad.calculation.step import N, Step, formula, found, known, ruled
from arpad.core import EloStanding, Period, Player
from arpad.core.numbers import ROUNDINGS, half_away_from_zero
from arpad.errors import BadInput
from arpad.messages import Message, say
from arpad.rulebooks import BadValue, Rule, Rulebook, one_of, positive, record, rounding_name
from arpad.systems.answers import FirstRating, given_k, judged_games
from arpad.systems.base import NationalSystem
from arpad.systems.elo import Curve, Entry, KSystem

if TYPE_CHECKING:
    from arpad.core import Event, Game, Pace, Rating
    from arpad.systems.answers import GameChange, RatingChange
    from arpad.systems.base import Calculation, Competitor, Field


Ratings = dict[int, Decimal]  # each player's rating as an opponent, by starting number


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


class Icu(KSystem[IcuRules], NationalSystem):
    """The Irish system."""

    performance = "linear"
    federation = "IRL"
    rates_together = True

    def __init__(self, base: str, *, readings: Mapping[str, str] | None = None, rules: str | None = None) -> None:
        super().__init__(base, "ICU", Rulebook("icu", IcuRules, READERS, path=rules, readings=readings))

    def _change(self, player: Player, period: Period, on: date) -> RatingChange:
        """Tournaments are rated one at a time; a provisional rating is calculated from all games so far."""
        if len(period.events) > 1:
            raise BadInput(say("systems.icu.one_event", events=len(period.events)), at="event")
        under = self.rulebook.at(on).first_rating.value.provisional_under
        games = EloStanding.of(player).games
        if games is not None and games < under:
            raise BadInput(say("systems.icu.provisional", games=games, under=under), at="player")
        return self._rated(player, period, on)

    def _curve(self, rules: IcuRules) -> Curve:
        """The logistic curve."""
        scale = ruled("scale", rules.scale, Decimal(rules.scale.value))
        return lambda difference: found("expected.formula", formulas.logistic, difference=difference, scale=scale)

    def _k(self, player: Player, entries: Sequence[Entry], rules: IcuRules, on: date) -> Step:
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

    def _notes(self, player: Player, rules: IcuRules, on: date) -> Iterator[Message]:
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

    def _bonus(self, entry: Entry, k: Step, change: Step, rules: IcuRules) -> Step | None:
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

    def _first_rating(self, games: Iterable[Game | Event], on: date, pace: Pace | None) -> FirstRating:
        """A newcomer's rating from all games so far, which is provisional at first; all events count together."""
        rules = self.rulebook.at(on)
        lines = judged_games(games, rules.unplayed, pace)
        results = [(line.opponent, line.score) for line in lines if line.rated]
        exact = performance(results, rules) if results else None
        return self._first_answer(on, lines, exact, "first.linear", rules.first_rating)

    def _first_answer(
        self,
        on: date,
        lines: tuple[GameChange, ...],
        exact: Step | None,
        key: str,
        rule: Rule[object],
        *,
        games_before: int = 0,
    ) -> FirstRating:
        """The first rating from a performance and its rule; without a counted game, what is missing."""
        rules = self.rulebook.at(on)
        if exact is None:
            first = Step("first.not_yet", None, {"games": known("games", 0)}, rules.first_rating)
            missing: tuple[Message, ...] = (say("systems.first.games", games=1),)
        else:
            first, missing = ruled(key, rule, ROUNDINGS[rules.rounding.value](Decimal(exact.value)), exact=exact), ()
        counted = games_before + sum(line.rated for line in lines)
        under = rules.first_rating.value.provisional_under

        def notes() -> Iterator[Message]:
            yield from date_notes(self.rulebook, on)
            if first.value is not None and counted < under:
                yield say("notes.icu.provisional", games=counted, under=under)

        return FirstRating.of(
            self.name,
            on,
            first=first,
            missing=missing,
            so_far=None if first.value is None else first,
            per_game=lines,
            remarks=notes,
        )

    def rate_field(self, field: Field, event: Event, on: date) -> Mapping[int, Calculation]:
        """Rate everybody who played: the results of newcomers and provisional players count for their opponents."""
        rules = self.rulebook.at(on)
        playing = {
            no: entrant
            for no, entrant in field.items()
            if not entrant.unknown and any(met.game.how == "played" for met in entrant.games)
        }
        full = {no: entrant for no, entrant in field.items() if entrant.guest or _is_full(entrant, rules)}
        own = {no: Decimal(entrant.player.rating or 0) for no, entrant in full.items()}
        found = _iterated(playing, own, rules, start={}, rounds=rules.iteration.value.rounds)
        met = found.last | own
        rated = {no: entrant for no, entrant in full.items() if no in playing and not entrant.guest}
        changes = {no: self._full_change(entrant, event, met, on) for no, entrant in rated.items()}
        bonuses = {no: bonus for no, change in changes.items() if (bonus := _bonus_of(change)) is not None}
        if bonuses:
            # Everybody once more: a player with a bonus now counts with the rating after it.
            own |= {no: own[no] + changes[no].change for no in bonuses}
            met |= own
            changes = {no: self._full_change(entrant, event, met, on, bonuses.get(no)) for no, entrant in rated.items()}
            found = _iterated(playing, own, rules, start=found.last, rounds=1)
        firsts = {
            no: self._joint_first(entrant, event, found.before | own, on)
            for no, entrant in playing.items()
            if no not in full
        }
        return {no: (changes | firsts)[no] for no in playing if no in changes or no in firsts}

    def _full_change(
        self, entrant: Competitor, event: Event, ratings: Ratings, on: date, bonus: Step | None = None
    ) -> RatingChange:
        """The change of a full rating in an event; `bonus` is that of the first round."""
        own = replace(event, games=_games(entrant, ratings))
        return _IcuEvent(self, bonus).change_of(entrant.player, own, on)

    def _joint_first(self, entrant: Competitor, event: Event, ratings: Ratings, on: date) -> FirstRating:
        """The rating of a newcomer or a provisional player, with the working of the last round."""
        rules = self.rulebook.at(on)
        lines = judged_games([replace(event, games=_games(entrant, ratings))], rules.unplayed)
        exact, before = _performance(entrant, ratings, rules), EloStanding.of(entrant.player).games or 0
        return self._first_answer(on, lines, exact, "first.joint", rules.iteration, games_before=before)

    def field_notes(self, field: Field, answers: Mapping[int, Calculation], on: date) -> Iterable[Message]:
        """What was assumed about the players, and what later versions of the software do differently."""
        rules = self.rulebook.at(on)
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


class _IcuEvent(Icu):
    """The system inside a whole event: opponents' ratings may have decimals.

    A bonus of the first round remains if the second round gives none.
    """

    fractions = True

    def __init__(self, icu: Icu, bonus: Step | None) -> None:
        KSystem.__init__(self, icu.base, icu.title, icu.rulebook)
        self._earlier_bonus = bonus

    def change_of(self, player: Player, event: Event, on: date) -> RatingChange:
        """The change of a full rating."""
        return self._rated(player, Period((event,)), on)

    def _bonus(self, entry: Entry, k: Step, change: Step, rules: IcuRules) -> Step | None:
        return super()._bonus(entry, k, change, rules) or self._earlier_bonus


def _applies(line: KLine, rating: Any, player: Player, on: date) -> bool:
    """Whether a line applies: the age is that of the year, and the years as a member are not known."""
    if line.rated_from is not None:
        return bool(rating >= line.rated_from)
    if line.under_age is not None:
        return player.birth_year is not None and on.year - player.birth_year < line.under_age
    return line.member_under is None


@formula("{change} − ({threshold} + {each_game} × ({games} − {games_over}))")
def over_threshold(change: N, threshold: N, each_game: N, games: N, games_over: N) -> N:
    """How far a change exceeds the threshold, which depends on the number of games."""
    return change - (threshold + each_game * (games - games_over))


class Found(NamedTuple):
    """The result of an iteration: everybody's rating, and the ratings it was calculated from."""

    last: Ratings
    before: Ratings


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


def _is_full(entrant: Competitor, rules: IcuRules) -> bool:
    """Whether a player has enough games for a full rating; if the number is unknown, the rating counts as full."""
    games = EloStanding.of(entrant.player).games
    under = rules.first_rating.value.provisional_under
    return entrant.player.rating is not None and (games is None or games >= under)


def _games(entrant: Competitor, ratings: Ratings) -> tuple[Game, ...]:
    """The games with the opponents' ratings that count; an opponent without a rating is unrated."""
    return tuple(
        met.game if met.opponent is None else replace(met.game, opponent=Player(_plain(ratings.get(met.opponent))))
        for met in entrant.games
    )


def _plain(rating: Decimal | None) -> Rating | None:
    """A whole rating as an int, so that it is shown without decimals."""
    return int(rating) if rating is not None and rating == int(rating) else rating


def _bonus_of(change: RatingChange) -> Step | None:
    """The bonus in a change."""
    total: Any = change.trail[0].given["exact"].given["change"]  # type: ignore[union-attr]
    parts = total.given.get("parts", ())
    return next((part for part in parts if part.key == "bonus"), None)


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


@formula("({ratings} + {spread} × (2 × {score} − {games})) / {games}")
def linear(ratings: N, spread: N, score: N, games: N) -> N:
    """The opponents' average, plus `spread` for each win and minus it for each loss, per game."""
    return (ratings + spread * (2 * score - games)) / games


@formula("({before} × {rating} + {games} × {performance}) / ({before} + {games})")
def with_earlier_games(before: N, rating: N, games: N, performance: N) -> N:
    """A provisional rating: the average over the earlier games and these."""
    return (before * rating + games * performance) / (before + games)
