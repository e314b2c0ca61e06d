"""One player, one pass: effective games (3), the standard and the special formula (4), and the limits of matches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation import formulas
from arpad.calculation.step import NOTHING, Formula, N, Step, formula, found, known, ruled, summed
from arpad.errors import BadInput
from arpad.messages import say

if TYPE_CHECKING:
    from arpad.rulebooks import Rule
    from arpad.systems.uschess.rules import Special, UsChessRules
    from arpad.systems.uschess.section import Entrant


PREVIOUS = ("wins", "losses")  # every earlier game was won, or lost

FORMULAS = ("standard", "special")


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


@formula("{most} / ({base} + {slope} × ({centre} − {rating}) ^ 2) ^ 0.5")
def most_effective_games(most: N, base: N, slope: N, centre: N, rating: N) -> N:
    """N*: the most games that a rating can count for."""
    return most / (base + slope * (centre - rating) ** 2) ** 0.5


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


@formula("{numerator} / ({effective} + {games})")
def k_factor(numerator: N, effective: N, games: N) -> N:
    """K by the effective games and the games of the event."""
    return numerator / (effective + games)


@formula("{numerator} × ({base} − {slope} × {rating}) / ({effective} + {games})")
def dual_k_factor(numerator: N, base: N, slope: N, rating: N, effective: N, games: N) -> N:
    """The regular K of a dual-rated event between the two levels."""
    return numerator * (base - slope * rating) / (effective + games)


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


@formula("{change} − {multiplier} × {games} ^ 0.5")
def above_threshold(change: N, multiplier: N, games: N) -> N:
    """How far a change exceeds the bonus threshold."""
    return change - multiplier * games**0.5


@formula("{rating} + {change} + {bonus}")
def with_bonus(rating: N, change: N, bonus: N) -> N:
    """The rating after change and bonus."""
    return rating + change + bonus


def by_rule(key: str, by: Formula, rule: Rule[object], **given: Any) -> Step:
    """The value of a formula, with the rule that contains it."""
    return found(key, by, **given)._replace(rule=rule)


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


@formula("1 / 2 + {difference} / (2 × {reach})")
def linear(difference: N, reach: N) -> N:
    """Expected score on the straight line, inside its reach."""
    return 1 / 2 + difference / (2 * reach)


@formula("{effective} × {expected}")
def earlier_expected(effective: N, expected: N) -> N:
    """The expected score of the resulting rating in the effective games."""
    return effective * expected


@formula("{earlier} + {score}")
def score_in_all(earlier: N, score: N) -> N:
    """S′: the score of the effective games and of the event."""
    return earlier + score


class Prior(NamedTuple):
    """What earlier games count as: a number of effective games against `rating`, with `score`."""

    rating: float
    effective: float
    score: float


def prior(rating: float, effective: float, previous: str | None, shift: int) -> Prior:
    """R₀′ and the score behind it: half the effective games; after only wins all of them, after only losses none."""
    if previous == "wins":
        return Prior(rating - shift, effective, effective)
    if previous == "losses":
        return Prior(rating + shift, effective, 0)
    return Prior(rating, effective, effective / 2)


def special_rating(rating: float, before: Prior, opponents: Sequence[float], score: float, rule: Special) -> float:
    """The rating nearest to R₀′ at which expected and actual score are equal, at most the highest; no floor yet."""
    reach = rule.reach

    def surplus(at: float) -> float:
        expected = before.effective * linear_expectancy(at, before.rating, reach)
        for opponent in opponents:
            expected += linear_expectancy(at, opponent, reach)
        return expected - (score + before.score)

    # The surplus never falls and is a straight line between these points, so it is solved one stretch at a time.
    knots = sorted({centre + side for centre in (before.rating, *opponents) for side in (-reach, reach)})
    found = float(before.rating)
    found = _walk(found, surplus, knots[::-1], rule.within, down=True)
    found = _walk(found, surplus, knots, rule.within, down=False)
    # Compared with the knots themselves: a difference of 400 may come out as 400.0000000000001.
    if not any(centre - reach <= found <= centre + reach for centre in (before.rating, *opponents)):
        found = _nearest_on_flat(found, knots, rating)
    return min(found, float(rule.most))


def linear_expectancy(rating: float, opponent: float, reach: int) -> float:
    """PWe: a straight line, and zero or one from `reach` points on."""
    if rating <= opponent - reach:
        return 0.0
    if rating >= opponent + reach:
        return 1.0
    return float(linear(rating - opponent, reach))


def _walk(at: float, surplus: Callable[[float], float], knots: Sequence[float], within: float, *, down: bool) -> float:
    """Go from knot to knot until the surplus is zero."""
    sign, nearer = (1, max) if down else (-1, min)
    here = surplus(at)
    for knot in knots:
        if sign * here <= within:
            break
        if sign * (at - knot) <= 0:
            continue
        there = surplus(knot)
        if sign * there <= within:
            # Rounding must not move the answer past the knot.
            return nearer(at - here * (at - knot) / (here - there), knot)
        at, here = knot, there
    return at


def _nearest_on_flat(at: float, knots: Sequence[float], rating: float) -> float:
    """Where no opponent is within reach, every rating of the stretch fits: the one nearest to the old rating."""
    below = max((knot for knot in knots if knot < at), default=-inf)
    above = min((knot for knot in knots if knot > at), default=inf)
    return min(max(rating, below), above)


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


def check_match(field: Sequence[Entrant], rules: UsChessRules) -> None:
    """Refuse a match unless it is between two players with established ratings, not too far apart."""
    if len(field) != 2:
        raise BadInput(say("uschess.match.players", players=len(field)), at="match")
    for player in field:
        if player.rating is None or (player.games is not None and player.games <= rules.established.value):
            raise BadInput(say("uschess.match.established", games=rules.established.value, id=player.id), at="match")
    ratings = sorted(player.rating for player in field if player.rating is not None)
    apart = ratings[-1] - ratings[0]
    if apart > rules.match.value.apart:
        raise BadInput(say("uschess.match.apart", most=rules.match.value.apart, apart=apart), at="match")


def within_limits(rated: Step, rating: Step, player: Entrant, rules: UsChessRules) -> Step:
    """The rating after a match, within the limits for one match, half a year and three years."""
    limits = rules.match.value
    spans = [(limits.a_match, 0.0)]
    if player.gained_180_days is not None:
        spans.append((limits.half_a_year, float(player.gained_180_days)))
    if player.gained_3_years is not None:
        spans.append((limits.three_years, float(player.gained_3_years)))
    # A player who is already past a limit can only move back towards it.
    lowest = rating.value + min(max(-points - gained for points, gained in spans), 0)
    highest = rating.value + max(min(points - gained for points, gained in spans), 0)
    held = min(max(rated.value, lowest), highest)
    if held == rated.value:
        return rated
    return ruled("match.held", rules.match, held, rating=rated)
