"""Which games count, and the expected score of each (5.1, 1.1, 8.3.1, 8.1.2)."""

from __future__ import annotations

from typing import Any, NamedTuple

from arpad import formulas
from arpad.answers import not_rated
from arpad.errors import BadInput
from arpad.trail import Step, found, known, ruled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal

    from arpad.model import Game, Pace, Player, Rating
    from arpad.rulebook import Rule
    from arpad.systems.fide.rules import Cap, FideRules, TimeBand


class Weighed(NamedTuple):
    """A game with its expected score if it is rated, or with the reason if it is not."""

    game: Game
    rating: Rating | None
    rated: bool
    step: Step


def rating_used(player: Player, rules: FideRules, key: str = "rating") -> Step | None:
    """The rating somebody is rated with: the list's own, or the standard one that stands in; None if unrated."""
    if player.rating is not None:
        return known(key, whole(player.rating))
    if player.standard is not None and rules.stands_in is not None:
        return ruled(f"{key}.standard", rules.stands_in, whole(player.standard))
    return None


def whole(rating: Rating) -> int:
    """FIDE ratings are whole numbers."""
    if not isinstance(rating, int):
        raise BadInput(f"{rating} is not a FIDE rating; FIDE ratings are whole numbers.", at="rating")
    return rating


def weigh(games: Sequence[Game], own: Step, rules: FideRules, chapter: str, pace: Pace | None) -> list[Weighed]:
    """Every game of an event: its expected score, or why it is not rated."""
    weighed: list[Weighed] = []
    for number, game in enumerate(games, start=1):
        opponent = rating_used(game.opponent, rules, "opponent")
        rating = None if opponent is None else opponent.value
        reason = why_not(game, own.value, rating, rules, chapter, pace)
        if reason is None and opponent is not None:
            difference = found("difference", formulas.difference, rating=own, opponent=opponent)
            weighed.append(Weighed(game, rating, rated=True, step=difference))
        elif reason is not None:
            weighed.append(Weighed(game, rating, rated=False, step=not_rated(number, game, *reason, rating)))
    capped = _capped(weighed, own.value, rules.cap.value)
    return [
        Weighed(line.game, line.rating, True, _expected(_counted(line.step, number in capped, rules), rules))  # noqa: FBT003  # the field's name stands above
        if line.rated
        else line
        for number, line in enumerate(weighed)
    ]


def why_not(
    game: Game, own: int | None, opponent: int | None, rules: FideRules, chapter: str, pace: Pace | None
) -> tuple[str, Rule[Any]] | None:
    """Why a game does not count, as a word and the rule; None if it does. An unrated player's own rating is None."""
    if game.how != "played":
        return game.how, rules.unplayed
    if opponent is None:
        return "unrated", rules.unrated_opponent
    higher = opponent if own is None else max(own, opponent)
    if pace is not None and not _slow_enough(pace, higher, rules.time_control.value[chapter]):
        return "time_control", rules.time_control
    if rules.too_far is not None and own is not None:
        gap, above = rules.too_far.value
        if abs(own - opponent) >= gap and higher > above:
            return "too_far", rules.too_far
    return None


def _slow_enough(pace: Pace, rating: int, bands: tuple[TimeBand, ...]) -> bool:
    """Whether a time control fits the list, counted as 60 moves (1.1)."""
    minutes = pace.minutes + pace.increment
    band = next(band for band in bands if rating >= band.rated_from)
    return (
        (band.at_least is None or minutes >= band.at_least)
        and (band.more_than is None or minutes > band.more_than)
        and (band.less_than is None or minutes < band.less_than)
        and (band.at_most is None or minutes <= band.at_most)
    )


def _capped(lines: Sequence[Weighed], own: int, cap: Cap) -> set[int]:
    """The games in which the 400-point rule applies."""
    if cap.own_under is not None and own >= cap.own_under:
        return set()
    over = [
        (abs(line.step.value), -number)
        for number, line in enumerate(lines)
        if line.rated and abs(line.step.value) > cap.over and (cap.side == "both" or line.step.value > 0)
    ]
    if cap.games == "largest":
        over = [max(over)] if over else []
    return {-number for _, number in over}


def _counted(difference: Step, capped: bool, rules: FideRules) -> Step:
    """The difference that counts, with the 400-point rule named wherever it was looked at."""
    over = rules.cap.value.over
    true = difference.value
    if -over <= true <= over:
        return difference
    if capped:
        return ruled("difference.capped", rules.cap, over if true > 0 else -over, difference=difference)
    return ruled("difference.full", rules.cap, true, difference=difference)


def _expected(difference: Step, rules: FideRules) -> Step:
    """PD of table 8.1.2."""
    row = rules.expected.value.row(difference.value)
    score: Decimal = row.higher if difference.value >= 0 else row.lower
    return ruled("expected", rules.expected, score, words={"row": row}, difference=difference)
