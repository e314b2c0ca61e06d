"""One game on Lichess, step by step as the site's server calculates it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation.step import Step, found, known, ruled
from arpad.systems.glicko.glicko2 import Constants, after_idle, constants_of, meet, update
from arpad.systems.glicko.lichess.rules import advantaged, bounded, disadvantaged, enlarged, part_way, periods
from arpad.systems.glicko.standing import StandingSteps, StartValues, idle_of, standing_of, start_standing, sums

if TYPE_CHECKING:
    from datetime import date

    from arpad.core import Game, Player
    from arpad.rulebooks import Rulebook
    from arpad.systems.glicko.lichess.rules import LichessRules

STANDARD, USUAL_SPEED = "standard", "blitz"


class Played(NamedTuple):
    """What is played: variant, speed and colour (None if not given), against whom, and where."""

    variant: str
    speed: str | None
    colour: str | None
    bot: bool
    tournament: bool = False
    set_position: bool = False


class InForce(NamedTuple):
    """What applies on a day: the rules, and the constants and start values as steps."""

    rules: LichessRules
    constants: Constants
    start: StandingSteps

    @classmethod
    def of(cls, book: Rulebook[LichessRules], on: date) -> InForce:
        """The rules of a day."""
        rules = book.at(on)
        return cls(rules, constants_of(rules), start_standing(rules.start, StartValues()))

    def standing(self, player: Player, *, opponent: bool = False) -> StandingSteps:
        """A player's standing by the rules of the day."""
        return standing_of(player, self.start, self.rules.usual_deviation, opponent=opponent)


def loaded(player: Player, standing: StandingSteps, day: InForce) -> StandingSteps:
    """Step 1: the deviation grows with the days since the last game, and all values are brought within their limits."""
    idle = idle_of(player)
    if idle is not None:
        rule = day.rules.periods_per_day
        per_day = ruled("periods_per_day", rule, rule.value)
        passed = found("periods", periods, days=known("days", float(idle)), per_day=per_day)
        standing = after_idle(standing, passed, day.constants.scale)
    return _within_bounds(standing, day.rules)


def with_advantage(own: StandingSteps, game: Game, played: Played, day: InForce) -> tuple[StandingSteps, StandingSteps]:
    """Step 2: both players as E sees them: White with more, Black with less than the rating."""
    opponent = loaded(game.opponent, day.standing(game.opponent, opponent=True), day)
    rule, colour = day.rules.advantage, game.colour or played.colour
    if colour is None or played.variant not in rule.value or played.set_position:
        return own, opponent
    advantage = ruled("advantage", rule, rule.value[played.variant])
    up, down = (advantaged, disadvantaged) if colour == "white" else (disadvantaged, advantaged)
    return (
        own._replace(rating=found("rating.colour", up, rating=own.rating, advantage=advantage)),
        opponent._replace(rating=found("opponent.colour", down, rating=opponent.rating, advantage=advantage)),
    )


def rated(no: int, game: Game, own: StandingSteps, played: Played, day: InForce) -> tuple[Step, StandingSteps]:
    """Steps 2 to 5: one game, and the standing after it."""
    rules, scale = day.rules, day.constants.scale
    mine, theirs = with_advantage(own, game, played, day)
    mu = scale.mu(own.rating)
    step = meet(no, game, mu if mine is own else scale.mu(mine.rating, "mu.colour"), theirs, scale)
    new = update(own, mu, sums([step]), day.constants)
    new = new._replace(rating=_regulated(new.rating, own.rating, played, rules))
    if played.bot:
        new = _against_bot(own, new, rules)
    most = rules.most_change.value
    near = bounded(new.rating, rules.most_change, own.rating.value - most, own.rating.value + most)
    return step, _within_bounds(_reset_if_impossible(new._replace(rating=near), rules), rules)


def _regulated(new: Step, old: Step, played: Played, rules: LichessRules) -> Step:
    """Step 3: a gain becomes a little larger."""
    by_speed, by_variant = rules.regulator.value
    factor = by_speed[played.speed or USUAL_SPEED] if played.variant == STANDARD else by_variant[played.variant]
    if factor == 1 or new.value <= old.value:
        return new
    regulator = ruled("regulator", rules.regulator, factor)
    return found("new_rating.regulated", enlarged, rating=new, factor=regulator, before=old)


def _against_bot(old: StandingSteps, new: StandingSteps, rules: LichessRules) -> StandingSteps:
    """Step 4: against a bot, only a share of the change counts."""
    share = ruled("against_bot", rules.against_bot, rules.against_bot.value)
    steps: list[Any] = [
        found(f"new_{name}.halved", part_way, before=before, share=share, after=after)
        for name, before, after in zip(StandingSteps._fields, old, new, strict=True)
        if before is not None and after is not None
    ]
    return StandingSteps(*steps)


def _reset_if_impossible(new: StandingSteps, rules: LichessRules) -> StandingSteps:
    """Step 5: an impossible result resets the player to the start values."""
    limits = rules.sane.value
    if all(step is None or 0 < step.value < limit for step, limit in zip(new, limits, strict=True)):
        return new
    return StandingSteps(
        *(
            ruled(f"new_{name}.reset", rules.sane, value, exact=new.rating)
            for name, value in zip(StandingSteps._fields, rules.start.value, strict=True)
        )
    )


def _within_bounds(standing: StandingSteps, rules: LichessRules) -> StandingSteps:
    """Steps 1 and 5: rating, deviation and volatility within their limits."""
    least, most = rules.deviation_bounds.value
    volatility = standing.volatility
    return StandingSteps(
        bounded(standing.rating, rules.least_rating, least=rules.least_rating.value),
        bounded(standing.deviation, rules.deviation_bounds, least, most),
        None if volatility is None else bounded(volatility, rules.most_volatility, most=rules.most_volatility.value),
    )
