"""One player, one pass: which formula rates the games, and the result (steps 4 and 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation import formulas
from arpad.calculation.step import NOTHING, Step, found, known, ruled, summed
from arpad.messages import say
from arpad.systems.uschess.special import (
    earlier_expected,
    linear,
    linear_expectancy,
    prior,
    score_in_all,
    special_rating,
)
from arpad.systems.uschess.standard import effective_games, k_by_games, standard_rating

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from arpad.systems.uschess.rules import UsChessRules
    from arpad.systems.uschess.standard import Meeting


class Before(NamedTuple):
    """A player before an event, as steps; `k` is None if the special formula is used."""

    rating: Step
    effective: Step
    formula: Step
    k: Step | None
    games: int | None
    previous: str | None


def before(
    rating: Step, games: int | None, played: int, rules: UsChessRules, *, previous: str | None = None, dual: bool
) -> Before:
    """The player before an event: effective games, and the formula chosen by N, not by N′ (step 4)."""
    # A record of only wins or only losses needs at least one game.
    previous = None if games == 0 else previous
    effective = effective_games(rating, games, rules)
    is_special = previous is not None or (games is not None and games <= rules.special_up_to.value)
    name = "special" if is_special else "standard"
    given = {"games": effective.given["games"]}
    chosen = Step(f"formula.{name}", name, given, rules.special_up_to, words={"previous": previous})
    k = None if is_special else k_by_games(rating, effective, played, rules, dual=dual)
    return Before(rating, effective, chosen, k, games, previous)


def one_pass(
    player: Before, meetings: Sequence[Meeting], rules: UsChessRules, *, no: int | None = None, match: bool = False
) -> Step:
    """The rating after the games against these ratings; at least 100."""
    if player.k is None:
        rated = _special(player, player.effective, meetings, rules, no)
    else:
        rated = standard_rating(player.rating, player.k, meetings, rules, match=match, no=no)
    rated = rated._replace(given={"formula": player.formula, **rated.given})
    return _at_least(rated, rules)


def first_look(player: Before, meetings: Sequence[Meeting], rules: UsChessRules) -> Step:
    """A newcomer's rating as an opponent: the special formula, with one effective game (step 3)."""
    effective = ruled("effective_games.first", rules.first_look, rules.first_look.value)
    return _at_least(_special(player, effective, meetings, rules, None)._replace(key="first_look"), rules)


def _at_least(rated: Step, rules: UsChessRules) -> Step:
    if rated.value >= rules.lowest.value:
        return rated
    return Step("at_least", rules.lowest.value, {"rating": rated}, rules.lowest)


def _special(player: Before, effective: Step, meetings: Sequence[Meeting], rules: UsChessRules, no: int | None) -> Step:
    """The special formula and its check: the expected score of each game at the resulting rating."""
    own = prior(player.rating.value, effective.value, player.previous, rules.one_sided.value)
    scored = sum(float(meeting.score) for meeting in meetings)
    opponents = [float(meeting.opponent.value) for meeting in meetings]
    value = special_rating(player.rating.value, own, opponents, scored, rules.special.value)
    rating = player.rating
    if player.previous is not None:
        rating = ruled(f"adjusted.{player.previous}", rules.one_sided, own.rating, rating=player.rating)
    earlier = Step("earlier_score", own.score, {"effective": effective})
    target = found("score_in_all", score_in_all, earlier=earlier, score=known("score", scored))
    # The check: the expected score of the resulting rating, in the effective games and in these.
    at = known("at", value)
    line = _line(at, rating, rules, key="expected.earlier", words=NOTHING)
    before_these = found("earlier_expected", earlier_expected, effective=effective, expected=line)
    games = tuple(
        _line(at, meeting.opponent, rules, key="expected.linear", words=meeting.words(number, no))
        for number, meeting in enumerate(meetings, start=1)
    )
    expected = summed("expected_in_all", formulas.total, (before_these, *games))
    given = {"rating": rating, "score": target, "expected": expected}
    return Step("pass" if no else "pass.only", value, given, rules.special, words={"no": no})


def _line(at: Step, opponent: Step, rules: UsChessRules, *, key: str, words: Mapping[str, Any]) -> Step:
    """The expected score on the straight line, zero or one beyond its reach."""
    difference = found("difference", formulas.difference, rating=at, opponent=opponent)
    reach = rules.special.value.reach
    if abs(difference.value) < reach:
        limit = ruled("constant.reach", rules.special, reach)
        return found(key, linear, words=words, difference=difference, reach=limit)
    value = linear_expectancy(at.value, opponent.value, reach)
    return Step(key, value, {"difference": difference}, words={**words, "says": say("uschess.beyond", reach=reach)})


def game_steps(rated: Step) -> tuple[Step, ...]:
    """The games of a pass as steps: each with its change or, under the special formula, its expected score."""
    step: Any = _formula_step(rated)
    if "change" in step.given:
        return step.given["change"].given["parts"]  # type: ignore[no-any-return]
    return step.given["expected"].given["parts"][1:]  # type: ignore[no-any-return]


def expected_sum(rated: Step) -> float:
    """The expected score of the games of a pass."""
    games: Any = game_steps(rated)
    return float(sum(game.given["expected"].value if game.key == "game" else game.value for game in games))


def bonus_of(rated: Step) -> float | None:
    """The bonus of a pass; None under the special formula."""
    bonus: Any = _formula_step(rated).given.get("bonus")
    return None if bonus is None else float(bonus.value)


def _formula_step(rated: Step) -> Step:
    """The step of the formula, even if the lowest rating replaced its value."""
    step: Any = rated.given["rating"] if rated.key == "at_least" else rated
    return step  # type: ignore[no-any-return]
