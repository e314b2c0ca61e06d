"""Lichess: Glicko-2 game by game, with White's advantage, a regulator and bounds, in the order of its source code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation import formulas
from arpad.calculation.answer import Figure, date_notes
from arpad.calculation.step import N, Step, formula, found, known, ruled
from arpad.core import COLOURS, WIN, Game
from arpad.errors import BadInput, UnknownName
from arpad.messages import Message, say
from arpad.rulebooks import Rule, Rulebook, one_of
from arpad.systems.answers import not_rated
from arpad.systems.glicko import glicko2
from arpad.systems.glicko.glicko2 import Constants, after_idle, constants_of, expected_between, meet, update
from arpad.systems.glicko.rating import (
    GlickoChange,
    GlickoSystem,
    StandingSteps,
    StartValues,
    events_of,
    finished,
    idle_of,
    real,
    resumed,
    standing_of,
    start,
    start_standing,
    sums,
)

if TYPE_CHECKING:
    from arpad.core import Period, Player
    from arpad.systems.answers import EventChange
    from arpad.systems.glicko.rating import Remarks


STANDARD, USUAL_SPEED = "standard", "blitz"
AGAINST = ("human", "bot")
TOURNAMENT = ("no", "yes")
POSITION = ("initial", "set")


class Bounds(NamedTuple):
    """The lowest and the highest value allowed."""

    least: float
    most: float


class Regulator(NamedTuple):
    """The factor by which a gain is multiplied: by speed in standard chess, by variant otherwise."""

    speed: Mapping[str, float]
    variant: Mapping[str, float]


class LichessRules(NamedTuple):
    """The rules in the source code; scale, volatility and interval are from the paper."""

    start: Rule[StartValues]
    usual_deviation: Rule[float]
    tau: Rule[float]
    scale: Rule[glicko2.Unit]
    volatility: Rule[float]
    growth: Rule[int]
    interval: Rule[float]
    unplayed: Rule[str]
    periods_per_day: Rule[float]
    deviation_bounds: Rule[Bounds]
    least_rating: Rule[float]
    most_volatility: Rule[float]
    most_change: Rule[float]
    advantage: Rule[Mapping[str, float]]
    regulator: Rule[Regulator]
    against_bot: Rule[float]
    sane: Rule[StartValues]
    shown: Rule[str]
    provisional: Rule[float]
    no_show: Rule[str]
    set_position: Rule[str]


def _table(value: Mapping[str, Any]) -> Mapping[str, float]:
    return {name: real(number) for name, number in value.items()}


READERS: Mapping[str, Callable[[Any], Any]] = {
    **glicko2.READERS,
    "periods_per_day": real,
    "deviation_bounds": lambda value: Bounds(**_table(value)),
    "least_rating": real,
    "most_volatility": real,
    "most_change": real,
    "advantage": _table,
    "regulator": lambda value: Regulator(_table(value["speed"]), _table(value["variant"])),
    "against_bot": real,
    "sane": start,
    "shown": one_of("truncated"),
    "provisional": real,
    "no_show": one_of("rated"),
    "set_position": one_of("no advantage"),
}


class Lichess(GlickoSystem):
    """Lichess for a variant or a speed; `colour` is for games without a colour, `against` is human or bot.

    In a tournament (`yes`) no-shows are rated; a game from a `set` position is only rated in a tournament.
    """

    rulebook: Rulebook[LichessRules]
    takes_pace = False
    one_by_one = True

    def __init__(
        self,
        base: str,
        *,
        variant: str = STANDARD,
        speed: str | None = None,
        colour: str | None = None,
        against: str = "human",
        tournament: str = "no",
        position: str = "initial",
    ) -> None:
        super().__init__(base, "Lichess", Rulebook("lichess", LichessRules, READERS))
        factors = self.rulebook.rules["regulator"][-1].value
        _one_of(variant, "variant", (STANDARD, *factors.variant))
        _one_of(speed or USUAL_SPEED, "speed", factors.speed)
        _one_of(colour or COLOURS[0], "colour", COLOURS)
        _one_of(against, "against", AGAINST)
        _one_of(tournament, "tournament", TOURNAMENT)
        _one_of(position, "position", POSITION)
        if position == "set" and (tournament == "no" or variant != STANDARD):
            raise BadInput(say("glicko.lichess.set_position"), at="position")
        self.played = Played(variant, speed, colour, against == "bot", tournament == "yes", position == "set")

    def _change(self, player: Player, period: Period, on: date) -> LichessChange:
        """The games one by one: each starts from the result of the last one. Without games only time passes."""
        day, played = InForce.of(self.rulebook, on), self.played
        games = self._games(period)
        if not games and idle_of(player) is None:
            raise BadInput(say("glicko.lichess.nothing"), at="games")
        before = day.standing(player)
        last = standing = loaded(player, before, day)
        trail: list[Step] = []
        if played.set_position:
            trail.append(ruled("set_position", day.rules.set_position, day.rules.set_position.value))
        results = []
        for no, game in enumerate(games, start=1):
            no_show = played.tournament and game.how == "forfeit"
            if no_show:
                trail.append(ruled("no_show", day.rules.no_show, day.rules.no_show.value))
            if game.how == "played" or no_show:
                step, last = rated(no, game, standing, played, day)
                trail += [part for part in last if part is not None]
            else:
                step = not_rated(no, game, game.how, day.rules.unplayed, game.opponent.rating)
                trail.append(step)
            results.append(finished(step, standing.rating, last.rating.value - standing.rating.value))
            standing = resumed(last, no)
        return lichess_change(
            on,
            day.rules,
            before=before,
            after=last,
            events=events_of(period, results, before.rating, last.rating),
            earlier=tuple(trail),
            remarks=lambda: self._notes(games, on),
        )

    def _expected(self, player: Player, opponent: Player, on: date) -> Step:
        day = InForce.of(self.rulebook, on)
        own = loaded(player, day.standing(player), day)
        own, theirs = with_advantage(own, Game(opponent, WIN), self.played, day)
        return expected_between(own, theirs, day.constants.scale)

    def _notes(self, games: Sequence[Game], on: date) -> Iterator[Message]:
        """What was assumed, and whether the site's code may have changed since."""
        played = self.played
        if played.variant == STANDARD and played.speed is None and games:
            yield say("notes.lichess.speed", speed=say(f"pages.speed.{USUAL_SPEED}"))
        known_colour = played.set_position or played.variant not in self.rulebook.at(on).advantage.value
        if not known_colour and any((game.colour or played.colour) is None for game in games):
            yield say("notes.lichess.colour")
        yield from date_notes(self.rulebook, on)


def _one_of(name: str, setting: str, names: Iterable[str]) -> None:
    if name not in names:
        raise UnknownName(f"lichess_{setting}", str(name), known=names, at=setting)


@dataclass(frozen=True, kw_only=True)
class LichessChange(GlickoChange):
    """How games, or days without games, change a Lichess rating."""

    shown_rating: int
    shown_change: int
    provisional: bool  # whether the site puts a question mark after the rating

    def summary(self) -> Sequence[Figure]:
        shown = say(
            "glicko.lichess.provisional" if self.provisional else "glicko.lichess.shown", rating=self.shown_rating
        )
        first = Figure("shown", shown, say("glicko.lichess.by_the_site", change=self.shown_change))
        return (self._with_assumption(first), *super().summary())


def lichess_change(
    on: date,
    rules: LichessRules,
    *,
    before: StandingSteps,
    after: StandingSteps,
    events: tuple[EventChange, ...],
    earlier: tuple[Step, ...],
    remarks: Remarks,
) -> LichessChange:
    """A change from its steps, with what the site shows."""
    shown = ruled("shown", rules.shown, int(after.rating.value), exact=after.rating)
    was = ruled("shown.before", rules.shown, int(before.rating.value), exact=before.rating)
    change = found("shown_change", formulas.difference, rating=shown, opponent=was)
    uncertain = after.deviation.value >= rules.provisional.value
    provisional = ruled("provisional", rules.provisional, uncertain, deviation=after.deviation)
    return LichessChange.of(
        "lichess",
        on,
        before=before,
        after=after,
        interval=rules.interval,
        events=events,
        earlier=earlier,
        later=(change, provisional),
        remarks=remarks,
        shown_rating=shown.value,
        shown_change=change.value,
        provisional=provisional.value,
    )


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


@formula("{days} × {per_day}")
def periods(days: N, per_day: N) -> N:
    """Days as rating periods."""
    return days * per_day


@formula("{rating} + {advantage} / 2")
def advantaged(rating: N, advantage: N) -> N:
    """White's rating inside E."""
    return rating + advantage / 2


@formula("{rating} − {advantage} / 2")
def disadvantaged(rating: N, advantage: N) -> N:
    """Black's rating inside E."""
    return rating - advantage / 2


@formula("{rating} + ({factor} − 1) × ({rating} − {before})")
def enlarged(rating: N, factor: N, before: N) -> N:
    """A rating after a gain, with the gain multiplied by a factor."""
    return rating + (factor - 1) * (rating - before)


@formula("{before} + {share} × ({after} − {before})")
def part_way(before: N, share: N, after: N) -> N:
    """A share of the way from the old value to the new one."""
    return before + share * (after - before)


def bounded(step: Step, rule: Rule[object], least: float = -inf, most: float = inf) -> Step:
    """A value within its limits; the rule is named if it changes the value."""
    value = min(max(step.value, least), most)
    return step if value == step.value else ruled(f"{step.key}.bound", rule, value, exact=step)
