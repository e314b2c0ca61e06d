"""Which games count, and the expected score of each (5.1, 1.1, 8.3.1, 8.1.2); and the one-off conversions of lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation import formulas
from arpad.calculation.step import NOTHING, Step, found, known, ruled
from arpad.core import EloStanding, rating_of
from arpad.core.numbers import half_away_from_zero
from arpad.errors import BadInput
from arpad.messages import FieldName, say
from arpad.systems.answers import Conversion, not_rated, one_off
from arpad.systems.fide.rules import OneOff

if TYPE_CHECKING:
    from arpad.core import Event, Game, Pace, Player, Rating
    from arpad.rulebooks import Rule, Rulebook, Rules
    from arpad.systems.fide import Fide
    from arpad.systems.fide.rules import FideRules, TimeBand


class Weighed(NamedTuple):
    """A game with its expected score if it is rated, or with the reason if it is not."""

    game: Game
    rating: Rating | None
    rated: bool
    step: Step


def rating_used(player: Player, rules: FideRules, key: str = "rating", game: int | None = None) -> Step | None:
    """The rating that counts for a player: the list's own, or the standard one that stands in; None if unrated."""
    rating = player.rating
    if rating is not None:
        return known(key, rating if type(rating) is int else whole_rating(rating, game))
    standard = EloStanding.of(player).standard
    if standard is None:
        return None
    if rules.stands_in is None:  # the standard list itself
        return known(key, whole_rating(standard, game))
    return ruled(f"{key}.standard", rules.stands_in, whole_rating(standard, game))


def list_rating(rating: Rating, at: str) -> int:
    """A rating from a list: whole and plausible."""
    return whole_rating(rating_of(rating, at=at))


def whole_rating(rating: Rating, game: int | None = None) -> int:
    """The rating, if it is a whole number, as all FIDE ratings are; `game` is the number of the opponent's game."""
    if not isinstance(rating, int):
        at = "rating" if game is None else f"game[{game - 1}]"
        raise BadInput(say("systems.whole_ratings", rating=rating, system="FIDE"), at=at)
    return rating


class TimeTest(NamedTuple):
    """The time control that games are tested by, and the tournament's highest rating, if that sets the time."""

    pace: Pace
    highest: Rating | None = None


def weigh(games: Sequence[Game], own: Step, rules: FideRules, chapter: str, time: TimeTest | None) -> list[Weighed]:
    """Every game of an event: its expected score, or why it is not rated."""
    cap = rules.cap.value
    largest = _largest_gap(games, own.value, rules, chapter, time) if cap.games == "largest" else 0
    weighed = []
    for number, game in enumerate(games, start=1):
        opponent = rating_used(game.opponent, rules, "opponent", number)
        rating = None if opponent is None else opponent.value
        reason = why_not(game, own.value, rating, rules, chapter, time)
        if reason is not None or opponent is None:
            why = reason or Exclusion("unrated", rules.unrated_opponent)
            weighed.append(Weighed(game, rating, False, not_rated(number, game, *why[:2], rating, **why.facts)))
            continue
        difference = found("difference", formulas.difference, rating=own, opponent=opponent)
        if not -cap.over <= difference.value <= cap.over:
            capped = (
                capped_difference(difference.value, own.value, rules) if largest in (0, number) else difference.value
            )
            key = "difference.full" if capped == difference.value else "difference.capped"
            difference = ruled(key, rules.cap, capped, difference=difference)  # the rule is named in both cases
        row = rules.expected.value.row(difference.value)
        score = row.higher if difference.value >= 0 else row.lower
        step = ruled("expected", rules.expected, score, words={"row": row}, difference=difference)
        weighed.append(Weighed(game, rating, True, step))
    return weighed


class Exclusion(NamedTuple):
    """Why a game does not count: a word, the rule, and further facts for the sentence."""

    word: str
    rule: Rule[object]
    facts: Mapping[str, Any] = NOTHING


def why_not(
    game: Game, own: int | None, opponent: int | None, rules: FideRules, chapter: str, time: TimeTest | None
) -> Exclusion | None:
    """Why a game does not count; None if it does. `own` is None for an unrated player."""
    if game.how != "played":
        return Exclusion(game.how, rules.unplayed)
    if opponent is None:
        return Exclusion("unrated", rules.unrated_opponent)
    higher = opponent if own is None else max(own, opponent)
    if time is not None:
        level = higher if time.highest is None else max(higher, time.highest)
        band = next(band for band in rules.time_control.value[chapter] if level >= band.rated_from)
        if not time.pace.fits(band):
            return _wrong_pace(time.pace, band, rules)
    if rules.too_far is not None and own is not None:
        gap, above = rules.too_far.value
        if abs(own - opponent) >= gap and higher > above:
            return Exclusion("too_far", rules.too_far)
    return None


def _wrong_pace(pace: Pace, band: TimeBand, rules: FideRules) -> Exclusion:
    """The exclusion for a time control that is not one of this list (1.1), or needs an approval."""
    if (fast := fast_classic(pace, rules)) is not None:
        return Exclusion("time_control.fast", fast, {"minutes": pace.total, "needed": band})
    word = "time_control"
    if band.rated_from:
        word = f"time_control.{'level' if band.of == 'game' else band.of}"
    return Exclusion(word, rules.time_control, {"minutes": pace.total, "needed": band, "level": band.rated_from})


def _largest_gap(games: Sequence[Game], own: int, rules: FideRules, chapter: str, time: TimeTest | None) -> int:
    """The number of the game that the 400-point rule applies to, the first of equal gaps; −1 if there is none."""
    largest, its_number = 0, -1
    for number, game in enumerate(games, start=1):
        opponent = rating_used(game.opponent, rules)
        if opponent is None or why_not(game, own, opponent.value, rules, chapter, time) is not None:
            continue
        gap = competing_gap(own - opponent.value, rules)
        if gap > largest:
            largest, its_number = gap, number
    return its_number


def capped_difference(difference: int, own: int, rules: FideRules) -> int:
    """A difference under the 400-point rule; in full for players rated too high for the rule."""
    cap = rules.cap.value
    if cap.own_under is not None and own >= cap.own_under:
        return difference
    return max(-cap.over, min(cap.over, difference))


def competing_gap(difference: int, rules: FideRules) -> int:
    """The size of a gap, if the rule is for the largest gap of an event; 0 on a side the rule does not cover."""
    return abs(difference) if difference > 0 or rules.cap.value.side == "both" else 0


def time_test(event: Event, own: int | None, rules: FideRules) -> TimeTest | None:
    """The time test for the games of an event; None without a time control, or with an approved one."""
    if event.pace is None or (event.qc_approved and fast_classic(event.pace, rules) is not None):
        return None
    if not rules.time_by_tournament:
        return TimeTest(event.pace)
    opponents = (rating_used(game.opponent, rules) for game in event.games)
    ratings = (own, event.highest, *(None if opponent is None else opponent.value for opponent in opponents))
    return TimeTest(event.pace, max((rating for rating in ratings if rating is not None), default=None))


def fast_classic(pace: Pace, rules: FideRules) -> Rule[tuple[str, ...]] | None:
    """The rule by which a time control counts if the qualification commission approved the event."""
    rule = rules.fast_classic
    return rule if rule is not None and str(pace) in rule.value else None


def rating_turns(rules: FideRules, chapter: str) -> list[int]:
    """The ratings at which the rules for games change; between two of them they are the same."""
    turns = {band.rated_from for band in rules.time_control.value[chapter]}
    if rules.cap.value.own_under is not None:
        turns.add(rules.cap.value.own_under)
    if rules.too_far is not None:
        turns.add(rules.too_far.value.above + 1)
    return sorted(turns)


def conversion(fide: Fide, rating: Rating, on: date | None, standard: Rating | None, index: int | None) -> Conversion:
    """A rating after the conversion of a list; by default the latest conversion."""
    if index is not None:
        raise BadInput(say("systems.unused", system=fide.base, what=FieldName("dwz_index")), at="dwz_index")
    rule: Rule[OneOff] = one_off(fide.rulebook, on)
    before = known("rating", whole_rating(rating))
    new = _lift(before, rule) if rule.value.share is not None else _raise_to_standard(before, standard, rule)
    return Conversion(system=fide.name, on=rule.since, trail=(new,), before=rating, rating=int(new.value))


def has_todays_scale(book: Rulebook[Rules], on: date) -> bool:
    """Whether ratings of a day are on today's scale, because no later conversion raised them."""
    return not _lifts_after(book, on)


def todays_scale(book: Rulebook[Rules], on: date) -> Callable[[float], float]:
    """Converts a rating of a day to today's scale: all later raises, without rounding."""
    later = _lifts_after(book, on)
    if not later:
        return float

    def lifted(rating: float) -> float:
        for lift in later:
            rating = max(float(rating), float(formulas.lifted(Decimal(rating), lift.share, lift.level)))
        return rating

    return lifted


def _lifts_after(book: Rulebook[Rules], on: date) -> list[OneOff]:
    """The conversions after a day that raised ratings part of the way to a level."""
    dated = [rule.value for rule in book.rules.get("one_off", ()) if rule.since > on]
    return [value for value in dated if isinstance(value, OneOff) and value.share is not None]


def _lift(rating: Step, rule: Rule[OneOff]) -> Step:
    """A rating raised part of the way to a level; at the level and above it stays the same."""
    level, share = rule.value.level, rule.value.share
    if level is None or rating.value >= level:
        return ruled("converted.unchanged", rule, rating.value, rating=rating)
    exact = found("converted", formulas.lifted, rating=rating, share=known("share", share), level=known("level", level))
    return ruled("converted.rounded", rule, half_away_from_zero(exact.value), exact=exact)


def _raise_to_standard(rating: Step, standard: Rating | None, rule: Rule[OneOff]) -> Step:
    """A rating raised to a given distance below the standard rating, unless it is nearer already."""
    if standard is None:
        raise BadInput(say("systems.conversion_standard", since=rule.since), at="standard")
    given = known("standard", whole_rating(standard))
    least = found("converted", formulas.lowest_within, standard=given, within=known("within", rule.value.within))
    if rating.value >= least.value:
        return ruled("converted.unchanged", rule, rating.value, rating=rating, least=least)
    return ruled("converted.raised", rule, least.value, rating=rating, least=least)
