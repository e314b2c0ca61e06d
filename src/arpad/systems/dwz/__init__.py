"""DWZ, Germany's rating: new ratings, the first DWZ since June 2026, and that month's raise of the whole list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import partial
from math import sqrt
from typing import TYPE_CHECKING

from arpad.calculation.answer import date_notes
from arpad.calculation.step import N, Step, formula, found, known, ruled
from arpad.core import DRAW, DwzStanding, Standing
from arpad.core.numbers import ROUNDINGS
from arpad.errors import BadInput, Unsupported
from arpad.messages import FieldName, Message, say
from arpad.rulebooks import Rulebook
from arpad.systems.answers import Conversion, FirstRating, judged_games, one_off
from arpad.systems.base import NationalSystem
from arpad.systems.chances import normal
from arpad.systems.dwz.coefficient import assumed_of, change_constant
from arpad.systems.dwz.rules import READERS, DwzRules
from arpad.systems.elo import Curve, Entry, KSystem

if TYPE_CHECKING:
    from arpad.calculation.answer import Text
    from arpad.core import Event, Game, Pace, Period, Player, Rating
    from arpad.rulebooks import Rule
    from arpad.systems.answers import RatingChange
    from arpad.systems.base import Calculation, Field
    from arpad.systems.dwz.rules import FirstDwz, Lift


HIGHEST = 8000.0  # limit of the search for a performance, up and down
DECIMALS = 6  # of a performance


class Dwz(KSystem[DwzRules], NationalSystem):
    """The German system, with the chosen readings.

    In an event each player is rated separately, newcomers from their games against rated players.
    """

    standing = DwzStanding
    federation = "GER"

    def __init__(self, base: str, *, readings: Mapping[str, str] | None = None, rules: str | None = None) -> None:
        super().__init__(base, "DWZ", Rulebook("dwz", DwzRules, READERS, path=rules, readings=readings))

    def _change(self, player: Player, period: Period, on: date) -> RatingChange:
        """Tournaments are rated one by one, in the order of their last days (2.2.3); there is no rating period."""
        if len(period.events) > 1:
            raise BadInput(say("systems.dwz.one_event", events=len(period.events)), at="event")
        ended = next((event.ended for event in period.events if event.ended is not None), None)
        if ended is None:
            return self._rated(player, period, on)
        day = self.event_day(on, ended)
        change = self._rated(player, period, day)
        return replace(change, trail=(ruled("decides", self.rulebook.at(ended).decides, day), *change.trail))

    def _standing_after(self, standing: Standing, change: RatingChange) -> Standing:
        """A DWZ after a tournament has an index one higher, if a game counted."""
        own = DwzStanding(standing.rating) if not isinstance(standing, DwzStanding) else standing
        index = own.index if own.index is None or not change.games else own.index + 1
        return replace(own, rating=change.new_rating, index=index)

    def _curve(self, rules: DwzRules) -> Curve:
        """The normal curve for a difference between two players whose results vary by the same deviation (3.3.1)."""

        def expected(difference: Step) -> Step:
            # Computed for the stronger side, so that both expected scores add up to exactly one.
            share = Decimal(repr(normal(abs(int(difference.value)) / (rules.expected.value * sqrt(2)))))
            return ruled(
                "expected.normal", rules.expected, share if difference.value >= 0 else 1 - share, difference=difference
            )

        return expected

    def _k(self, player: Player, entries: Sequence[Entry], rules: DwzRules, on: date) -> Step:
        return change_constant(player, entries, rules, on)

    def _minimum(self, rules: DwzRules) -> Rule[int] | None:
        return rules.minimum

    def _notes(self, player: Player, rules: DwzRules, on: date) -> Iterator[Message]:
        """What was assumed about the player."""
        if DwzStanding.of(player).k is None:
            yield from (say(f"notes.dwz.{what}", over=over) for what, over in assumed_of(player, rules).items())

    def _first_rating(self, games: Iterable[Game | Event], on: date, pace: Pace | None) -> FirstRating:
        """A first DWZ by the rules of the day, or what is still missing; games of several events count together."""
        rules = self.rulebook.at(on)
        rule = rules.first_rating
        if rule is None:
            since = self.rulebook.rules["first_rating"][0].since
            raise Unsupported(say("systems.dwz.no_first", since=since), at="on")
        lines = judged_games(games, rules.unplayed, pace)
        counted = [line for line in lines if line.rated]
        score = sum((line.score for line in counted), Decimal(0))
        so_far = _first([line.opponent for line in counted if line.opponent is not None], score, rule, rules)
        first, missing = _verdict(so_far, len(counted), rule)
        return FirstRating.of(
            self.name,
            on,
            first=first,
            missing=missing,
            so_far=so_far,
            per_game=lines,
            remarks=partial(date_notes, self.rulebook, on),
        )

    def _conversion(self, rating: Rating, on: date | None, standard: Rating | None, index: int | None) -> Conversion:
        """A DWZ and its index after the raise."""
        if standard is not None:
            raise BadInput(say("systems.unused", system=self.base, what=FieldName("standard")), at="standard")
        rule: Rule[Lift] = one_off(self.rulebook, on)
        rules = self.rulebook.at(rule.since)
        before = self._listed(rating, "rating")
        index = DwzStanding(index=index).index
        lifted = new = _lifted(before, rule, rules)
        if rules.minimum is not None and lifted.value < rules.minimum.value:
            new = ruled("converted.minimum", rules.minimum, rules.minimum.value, lifted=lifted)

        def notes() -> Iterator[Message]:
            yield from date_notes(self.rulebook, rule.since)
            if new is not lifted:
                yield say("notes.dwz.lift_below", minimum=new.value, lifted=lifted.value)

        return Conversion(
            system=self.name,
            on=rule.since,
            trail=(new,),
            remarks=notes,
            before=rating,
            rating=int(new.value),
            dwz_index=None if index is None else index + rule.value.adds_to_index,
        )

    def event_day(self, began: date, ended: date | None) -> date:
        """The day whose rules an event is rated by: the rules of its last day say which."""
        if ended is None:
            return began
        return ended if self.rulebook.at(ended).decides.value == "last day" else began

    def field_notes(self, field: Field, answers: Mapping[int, Calculation], on: date) -> Iterable[Message]:
        """The players for whom the order may give other figures."""
        newcomers = [no for no, entrant in field.items() if entrant.newcomer]
        together = [no for no in newcomers if field[no].played_any(newcomers)]
        if together:
            yield say("notes.dwz.together", players=together)
        rules = self.rulebook.at(on)
        far = [
            no for no, answer in answers.items() if not isinstance(answer, FirstRating) and _far_above(answer, rules)
        ]
        if far and rules.far_above is not None:
            key = "far_above" if rules.by_index is None else "far_above.new"
            yield say(f"notes.dwz.{key}", players=far, points=rules.far_above.value, cite=rules.far_above.cite)


def _first(opponents: list[Rating], score: Decimal, rule: Rule[FirstDwz], rules: DwzRules) -> Step | None:
    """The DWZ from the games; None without a point."""
    if score == 0:
        return None
    performance = performance_of(opponents, score, rules)
    _, level, share, least = rule.value
    exact = performance.value
    if exact < least:
        exact = least + share * (level - least) * exact / least
    elif exact < level:
        exact += share * (level - exact)
    return ruled("first.dwz", rule, ROUNDINGS[rules.rounding.value](exact), performance=performance)


def performance_of(opponents: list[Rating], score: Decimal, rules: DwzRules) -> Step:
    """The performance in games with at least half a point: the rating for which the score was expected."""
    if score == len(opponents):
        # A perfect score has no performance: a draw against the opponents' average is added.
        average = sum(map(Decimal, opponents), Decimal(0)) / len(opponents)
        opponents, score = [*opponents, average], score + DRAW
    return ruled(
        "performance.dwz",
        rules.expected,
        _performance([float(rating) for rating in opponents], float(score), rules.expected.value * sqrt(2)),
        games=known("rated_games", len(opponents)),
        score=known("score_sum", score),
    )


def _performance(opponents: list[float], score: float, deviation: float) -> Decimal:
    """The rating whose expected scores add up to the score, by bisection; never below zero."""
    low, high = -HIGHEST, HIGHEST
    while high - low > 10 ** -(DECIMALS + 1):
        middle = (low + high) / 2
        expected = sum(normal((middle - opponent) / deviation) for opponent in opponents)
        low, high = (middle, high) if expected < score else (low, middle)
    return max(Decimal(0), Decimal(repr(round(high, DECIMALS))))


def _verdict(so_far: Step | None, games: int, rule: Rule[FirstDwz]) -> tuple[Step, tuple[Text, ...]]:
    """The first DWZ, or a step without a value and what is missing."""
    counted = known("games", games)
    if so_far is not None and games >= rule.value.games:
        return so_far, ()
    missing: list[Text] = []
    if games < rule.value.games:
        missing.append(say("systems.first.games", games=rule.value.games - games))
    if so_far is None:
        missing.append(say("systems.dwz.first_point"))
    given = {"games": counted} if so_far is None else {"games": counted, "rating": so_far}
    return Step("first.not_yet", None, given, rule), tuple(missing)


def _far_above(answer: Calculation, rules: DwzRules) -> bool:
    """Whether a player performed so far above the rating that the order may count the performance for opponents."""
    opponents = [line.opponent for line in answer.per_game if line.rated and line.opponent is not None]
    if rules.far_above is None or not opponents or not answer.score or answer.rating is None:
        return False
    reached = performance_of(opponents, answer.score, rules).value
    return bool(reached - answer.rating > rules.far_above.value)


def _lifted(rating: Step, rule: Rule[Lift], rules: DwzRules) -> Step:
    """The lowest ratings get fixed points, most follow a line, and the highest stay the same."""
    lift = rule.value
    if rating.value >= lift.line_until:
        return ruled("converted.unchanged", rule, rating.value, rating=rating)
    if rating.value < lift.line_from:
        return ruled("converted.raised", rule, rating.value + lift.add, rating=rating)
    exact = found(
        "converted",
        on_a_line,
        factor=known("factor", lift.factor),
        rating=rating,
        constant=known("constant", lift.constant),
    )
    return ruled("converted.rounded", rule, ROUNDINGS[rules.rounding.value](exact.value), exact=exact)


@formula("{factor} × {rating} + {constant}")
def on_a_line(factor: N, rating: N, constant: N) -> N:
    """A rating converted by a straight line."""
    return factor * rating + constant
