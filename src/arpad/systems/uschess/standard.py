"""The standard formula (4.2), and the effective games (3), which the special formula uses as well."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation import formulas
from arpad.calculation.step import Formula, Step, formula, found, known, ruled, summed
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from decimal import Decimal

    from arpad.rulebooks import Rule
    from arpad.systems.uschess.rules import UsChessRules


@formula("{most} / ({base} + {slope} × ({centre} − {rating}) ^ 2) ^ 0.5")
def most_effective_games(most: Any, base: Any, slope: Any, centre: Any, rating: Any) -> Any:
    """N*: the most games that a rating can count for."""
    return most / (base + slope * (centre - rating) ** 2) ** 0.5


@formula("{numerator} / ({effective} + {games})")
def k_factor(numerator: Any, effective: Any, games: Any) -> Any:
    """K by the effective games and the games of the event."""
    return numerator / (effective + games)


@formula("{numerator} × ({base} − {slope} × {rating}) / ({effective} + {games})")
def dual_k_factor(numerator: Any, base: Any, slope: Any, rating: Any, effective: Any, games: Any) -> Any:
    """The regular K of a dual-rated event between the two levels."""
    return numerator * (base - slope * rating) / (effective + games)


@formula("{change} − {multiplier} × {games} ^ 0.5")
def above_threshold(change: Any, multiplier: Any, games: Any) -> Any:
    """How far a change exceeds the bonus threshold."""
    return change - multiplier * games**0.5


@formula("{rating} + {change} + {bonus}")
def with_bonus(rating: Any, change: Any, bonus: Any) -> Any:
    """The rating after change and bonus."""
    return rating + change + bonus


class Meeting(NamedTuple):
    """A rated game: the opponent's ID (None if unknown), the opponent's rating as a step, and the score."""

    who: str | None
    opponent: Step
    score: Decimal | float

    def words(self, number: int, no: int | None) -> Mapping[str, Any]:
        """The game for a heading: its number, and which pass if there are two."""
        opponent = self.opponent.value if self.who is None else say("uschess.player", who=self.who)
        game = say("uschess.game_of_pass", game=number, no=no) if no else number
        return {"no": game, "opponent": opponent, "score": self.score}


def by_rule(key: str, by: Formula, rule: Rule[object], **given: Any) -> Step:
    """The value of a formula, with the rule that contains it."""
    return found(key, by, **given)._replace(rule=rule)


def effective_games(rating: Step, games: int | None, rules: UsChessRules) -> Step:
    """N′: the games before the event, but no more than the rating can count for (3)."""
    most = _most(rating, rules)
    if games is None:
        before = ruled("games_before.established", rules.established, None)
        return ruled("effective_games", rules.effective_games, most.value, games=before, most=most)
    before = known("games_before", games)
    return ruled("effective_games", rules.effective_games, min(games, most.value), games=before, most=most)


def _most(rating: Step, rules: UsChessRules) -> Step:
    rule = rules.effective_games
    most, base, slope, centre, up_to = rule.value
    if rating.value > up_to:
        return ruled("most_effective.top", rule, most, rating=rating)
    constants = {"most": most, "base": base, "slope": slope, "centre": centre}
    given: dict[str, Any] = {name: ruled(f"constant.{name}", rule, value) for name, value in constants.items()}
    return by_rule("most_effective", most_effective_games, rule, rating=rating, **given)


def k_by_games(rating: Step, effective: Step, games: int, rules: UsChessRules, *, dual: bool) -> Step:
    """K = 800 / (N′ + m); smaller above 2200 on the regular side of a dual-rated event."""
    given: dict[str, Any] = {"effective": effective, "games": known("games", games)}
    numerator = ruled("constant.numerator", rules.k, rules.k.value)
    if not dual or rating.value <= rules.dual_k.value.above:
        return by_rule("k.uschess", k_factor, rules.k, numerator=numerator, **given)
    _, base, slope, top_from, top = rules.dual_k.value
    if rating.value >= top_from:
        highest = ruled("constant.top", rules.dual_k, top)
        return by_rule("k.dual", k_factor, rules.dual_k, numerator=highest, rating=rating, **given)
    line: dict[str, Any] = {"base": ruled("constant.base", rules.dual_k, base)}
    line["slope"] = ruled("constant.slope", rules.dual_k, slope)
    return by_rule("k.dual", dual_k_factor, rules.dual_k, numerator=numerator, rating=rating, **line, **given)


def standard_rating(
    rating: Step, k: Step, meetings: Sequence[Meeting], rules: UsChessRules, *, match: bool, no: int | None
) -> Step:
    """R + K(S − E) and the bonus, as the step of one pass."""
    scale = ruled("scale", rules.expected, rules.expected.value)
    games = tuple(
        _game(meeting, rating, k, scale, meeting.words(number, no)) for number, meeting in enumerate(meetings, start=1)
    )
    change = summed("change", formulas.total, games)
    bonus = _bonus(change, meetings, rules, match=match)
    return found("pass" if no else "pass.only", with_bonus, words={"no": no}, rating=rating, change=change, bonus=bonus)


def _game(meeting: Meeting, rating: Step, k: Step, scale: Step, words: Mapping[str, Any]) -> Step:
    difference = found("difference", formulas.difference, rating=rating, opponent=meeting.opponent)
    expected = found("expected.formula", formulas.logistic, difference=difference, scale=scale)
    score = known("score", float(meeting.score))
    return found("game", formulas.change, words=words, k=k, score=score, expected=expected)


def _bonus(change: Step, meetings: Sequence[Meeting], rules: UsChessRules, *, match: bool) -> Step:
    """The bonus; zero if the games do not allow one or the change is too small."""
    against = rules.bonus_games if match else bonus_refused([meeting.who for meeting in meetings], rules)
    if against is not None:
        return ruled("bonus.none", against, 0, change=change)
    least = rules.bonus_games.value.counted_as
    games = ruled("bonus.games", rules.bonus_games, max(len(meetings), least), words={"least": least})
    multiplier = ruled("bonus.multiplier", rules.bonus, rules.bonus.value)
    above = by_rule("bonus", above_threshold, rules.bonus, change=change, multiplier=multiplier, games=games)
    return above if above.value > 0 else ruled("bonus.short", rules.bonus, 0, above=above._replace(key="bonus.above"))


def bonus_refused(met: Sequence[str | None], rules: UsChessRules) -> Rule[object] | None:
    """The rule against a bonus, None if there may be one; opponents without an ID count as different players."""
    needs = rules.bonus_games.value
    named = [who for who in met if who is not None]
    most = max((named.count(who) for who in named), default=0)
    if len(met) < needs.at_least or most > needs.meetings:
        return rules.bonus_games
    return rules.bonus_in_three if len(met) == needs.at_least and most > rules.bonus_in_three.value else None
