"""US Chess: six lists with the same formulas; a whole section exactly, or one player as an estimate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import date
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any

from arpad.calculation import formulas
from arpad.core import Rating, Standing
from arpad.core.numbers import decimal
from arpad.errors import Unsupported
from arpad.messages import Message, say
from arpad.systems.answers import not_rated
from arpad.systems.base import NationalSystem
from arpad.systems.uschess.estimate import Estimate, RatedEvent, SectionChange, estimate, expect, linear_performance
from arpad.systems.uschess.floors import Floor, floor_of
from arpad.systems.uschess.passes import Meeting, game_steps
from arpad.systems.uschess.rules import rulebook, rules_of
from arpad.systems.uschess.section import (
    Entrant,
    PlayerRating,
    Result,
    SectionRating,
    passes_of,
    rate_section,
    section_notes,
)
from arpad.systems.uschess.start import StartRating, start_rating
from arpad.systems.uschess.time_controls import RatedIn, rated_in

if TYPE_CHECKING:
    from arpad.calculation.step import Step
    from arpad.core import Event, Game, Pace, Period, Player
    from arpad.rulebooks import Rulebook
    from arpad.systems.answers import Expectation, FirstRating
    from arpad.systems.base import Calculation, Competitor, Field
    from arpad.systems.uschess.rules import UsChessRules
    from arpad.systems.uschess.section import Passes


__all__ = [
    "Entrant",
    "Estimate",
    "Floor",
    "PlayerRating",
    "RatedIn",
    "Result",
    "SectionRating",
    "StartRating",
    "UsChess",
    "UsChessStanding",
    "floor_of",
    "rate_section",
    "rated_in",
    "start_rating",
]


class UsChess(NationalSystem):
    """One of the six lists, with the chosen readings; in an event everybody is rated as one section."""

    rulebook: Rulebook[UsChessRules]
    federation = "USA"
    rates_together = True

    def __init__(self, base: str, *, readings: Mapping[str, str] | None = None) -> None:
        title = f"US Chess {base.removeprefix('uschess-').replace('-', ' ')}"
        super().__init__(base, title, rulebook(readings))

    @property
    def table_standing(self) -> type[Standing]:
        """A section needs more than a rating."""
        return UsChessStanding

    def rules(self, day: date) -> UsChessRules:
        """The rules of a day for this list; raises UncoveredDate if the list did not exist yet."""
        return rules_of(self.base, day, self.rulebook.readings)

    def _change(self, player: Player, period: Period, on: date) -> Estimate:
        return estimate(self, player, period, on)

    def _expectation(self, player: Player, opponent: Player, on: date, pace: Pace | None) -> Expectation:
        return expect(self, player, opponent, on, pace)

    def _expected_score(self, difference: Rating, on: date) -> Decimal:
        """The logistic curve alone."""
        score: Decimal = formulas.logistic(Decimal(difference), Decimal(self.rules(on).expected.value))
        return score

    def _first_rating(self, games: Iterable[Game | Event], on: date, pace: Pace | None) -> FirstRating:
        """Refused, with a hint: a newcomer's rating depends on more than the games."""
        raise Unsupported(say("uschess.first", system=self.base), at="first")

    def event_day(self, began: date, ended: date | None) -> date:
        """The last day of an event, whose rules apply."""
        return ended or began

    def rate_field(self, field: Field, event: Event, on: date) -> Mapping[int, Calculation]:
        """The ratings of everybody who played, calculated as one section."""
        rules = self.rules(on)
        entrants = tuple(_entrant(player, on) for player in field.values())
        rated = passes_of(entrants, rules, on=on, system=self.base, pace=event.pace)
        return {
            player.no: _section_change(player, passes, event, rules, self.name, on)
            for player, passes in zip(field.values(), rated, strict=True)
            if passes.second is not None
        }

    def field_notes(self, field: Field, answers: Mapping[int, Calculation], on: date) -> Iterable[Message]:
        """What was assumed, and about which players."""
        rules = self.rules(on)
        changes = [answer for answer in answers.values() if isinstance(answer, SectionChange)]
        pace = changes[0].events[0].event.pace if changes else None
        yield say("notes.section.opponents")
        yield from section_notes(tuple(change.passes for change in changes), rules, self.base, on, pace)
        standings = {no: UsChessStanding.of(player.player) for no, player in field.items()}
        unknown = [no for no, player in field.items() if not player.newcomer and standings[no].games is None]
        if unknown:
            yield say("notes.section.established", players=unknown, established=rules.established.value)
        by_fide = [no for no, player in field.items() if player.newcomer and standings[no].fide is not None]
        by_year = [no for no, player in field.items() if _by_year(player)]
        if by_year:
            yield say("notes.section.by_year", players=by_year, a_year=rules.start_age.value.a_year)
        if by_fide:
            yield say("notes.section.by_fide", players=by_fide)


@dataclass(frozen=True, slots=True, repr=False)
class UsChessStanding(Standing):
    """A US Chess rating with everything else that a section needs; the fields are those of `Entrant`."""

    games: int | None = None
    start: Rating | None = None
    age: float | None = None
    fide: Rating | None = None
    adult: bool | None = None
    previous: str | None = None
    peak: Rating | None = None
    wins: int | None = None
    draws: int | None = None
    events: int | None = None
    floor: Rating | None = None

    def __post_init__(self) -> None:
        checked = Entrant("", (), **self.known())
        for name in self.known():
            object.__setattr__(self, name, getattr(checked, name))

    def known(self) -> dict[str, Any]:
        """The known fields, by name."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if value is not None}


def _entrant(player: Competitor, on: date) -> Entrant:
    standing = UsChessStanding.of(player.player)
    results = [
        Result(None if met.opponent is None else str(met.opponent), met.game.score, met.game.how)
        for met in player.games
    ]
    known = standing.known()
    if _by_year(player):
        known["age"] = on.year - (player.player.birth_year or 0)
    born = player.born if player.newcomer and standing.age is None else None
    return Entrant(str(player.no), results, **known, born=born, name=player.player.name)


def _by_year(player: Competitor) -> bool:
    """Whether only the year of birth is known to find a newcomer's starting rating."""
    standing = UsChessStanding.of(player.player)
    better = (standing.start, standing.fide, standing.age, player.born)
    return player.newcomer and player.player.birth_year is not None and all(value is None for value in better)


def _section_change(
    player: Competitor, passes: Passes, event: Event, rules: UsChessRules, system: str, on: date
) -> SectionChange:
    second: Any = passes.second
    rated = RatedEvent(event, passes.before, tuple(_lines(player, second, rules)), second, passes.final)
    return SectionChange.of(
        system,
        on,
        rated=[rated],
        rules=rules,
        rating=passes.entrant.rating,
        remarks=lambda: [say("notes.section.opponents")],
        find_performance=partial(linear_performance, [rated], on),
        new=passes.new,
        first_look=None if passes.first_look is None else decimal(passes.first_look.value),
        first_pass=None if passes.first is None else decimal(passes.first.value),
        passes=passes,
    )


def _lines(player: Competitor, second: Step, rules: UsChessRules) -> Iterator[Meeting | Step]:
    """The games in order: as they count in the second pass, or why they do not count."""
    counted: Iterator[Any] = iter(game_steps(second))
    for number, met in enumerate(player.games, start=1):
        game = met.game
        if game.how != "played":
            yield not_rated(number, game, game.how, rules.unplayed, game.opponent.rating)
            continue
        step = next(counted)
        expected = step.given["expected"] if step.key == "game" else step
        yield Meeting(str(met.opponent), expected.given["difference"].given["opponent"], game.score)
