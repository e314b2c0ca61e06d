"""FIDE's three lists: standard, rapid and blitz, each under the edition of the day; and the list of a time control."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal

from arpad.errors import UncoveredDate
from arpad.rulebooks import Rulebook
from arpad.systems import rulebook_of
from arpad.systems.base import System
from arpad.systems.fide.change import expect, rate_period
from arpad.systems.fide.first_rating import first_rating
from arpad.systems.fide.games import conversion, whole_rating
from arpad.systems.fide.rules import RAPID_AND_BLITZ, STANDARD, FideRules

if TYPE_CHECKING:
    from arpad.core import EloStanding, Event, Game, Pace, Period, Player, Rating
    from arpad.rulebooks import Rule
    from arpad.systems.answers import Conversion, Expectation, FirstRating, RatingChange


FILES = {
    "fide-standard": ("fide-standard", STANDARD),
    "fide-rapid": ("fide-rapid-blitz", RAPID_AND_BLITZ),
    "fide-blitz": ("fide-rapid-blitz", RAPID_AND_BLITZ),
}
FideClass = Literal["standard", "rapid", "blitz"]
LISTS: dict[FideClass, str] = {"standard": "fide-standard", "rapid": "fide-rapid", "blitz": "fide-blitz"}


class Fide(System):
    """One of FIDE's lists, with the chosen readings of disputed rules, or with a club's own rule file.

    `chapter` is the list's word for its time controls: standard, rapid or blitz.
    """

    rulebook: Rulebook[FideRules]

    def __init__(self, base: str, *, readings: Mapping[str, str] | None = None, rules: str | None = None) -> None:
        file, readers = FILES[base]
        self.chapter = base.removeprefix("fide-")
        super().__init__(
            base, f"FIDE {self.chapter}", Rulebook(file, FideRules, readers, path=rules, readings=readings)
        )

    def _change(self, player: Player, period: Period, on: date) -> RatingChange:
        return rate_period(self, player, period, on)

    def _expectation(self, player: Player, opponent: Player, on: date, pace: Pace | None) -> Expectation:
        return expect(self, player, opponent, on, pace)

    def _expected_score(self, difference: Rating, on: date) -> Decimal:
        """PD by the table alone."""
        return self.rulebook.at(on).expected.value.expected(whole_rating(difference))

    def _first_rating(self, games: Iterable[Game | Event], on: date, pace: Pace | None) -> FirstRating:
        return first_rating(self, games, on, pace)

    def _conversion(self, rating: Rating, on: date | None, standard: Rating | None, index: int | None) -> Conversion:
        return conversion(self, rating, on, standard, index)

    def _from_another_list(self, standing: EloStanding) -> bool:
        """Where the standard rating stands in, the K of its list does not count as another list's."""
        stands_in = standing.rating is None and standing.standard is not None
        return not stands_in and super()._from_another_list(standing)


@dataclass(frozen=True, slots=True)
class FidePace:
    """A class of time control, its list, the rule behind it, and the rating from which games need more time."""

    name: FideClass
    list: str
    rule: Rule[Any]
    not_from: int | None


def fide_pace(pace: Pace, on: date) -> FidePace | None:
    """The class of a time control, for players who need the least time; None if FIDE rates no such games."""
    for name, rating_list in LISTS.items():
        try:
            rule = rulebook_of(rating_list).of(FideRules).at(on).time_control
        except UncoveredDate:
            continue
        bands = rule.value[name]
        if pace.fits(bands[-1]):
            levels = [band.rated_from for band in bands if not pace.fits(band)]
            return FidePace(name, rating_list, rule, min(levels, default=None))
    return None
