"""A player's rating, deviation and volatility, each with its reason; and the games of a period."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation import formulas
from arpad.calculation.step import Step, found, known, ruled, summed
from arpad.core import MOST_GAMES, GlickoStanding, between, deviation_of, rating_of, volatility_of
from arpad.errors import BadInput
from arpad.messages import Message, say
from arpad.systems.glicko import curve

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from arpad.core import Game, Number, Period, Player, Rating
    from arpad.rulebooks import Rule


class StartValues(NamedTuple):
    """The start values of an unrated player; None if not set."""

    rating: float | None = None
    deviation: float | None = None
    volatility: float | None = None


class StandingSteps(NamedTuple):
    """A player's standing as steps: rating, deviation and, if the system has one, volatility."""

    rating: Step
    deviation: Step
    volatility: Step | None = None


def real(value: Any) -> float:
    """A number from TOML."""
    if type(value) not in (int, float):
        raise TypeError("it must be a number")
    return float(value)


def start(value: Mapping[str, Any]) -> StartValues:
    """Start values from TOML."""
    return StartValues(**{name: real(number) for name, number in value.items()})


def start_given(
    rating: Number | None = None, deviation: Number | None = None, volatility: Number | None = None
) -> StartValues:
    """Start values set by the user."""
    return StartValues(
        None if rating is None else float(rating_of(rating, at="rating")),
        None if deviation is None else float(deviation_of(deviation, at="deviation")),
        None if volatility is None else float(volatility_of(volatility, at="volatility")),
    )


def setting(value: Number | None, kind: str, above: Rating, at_most: Rating, *, at: str) -> float | None:
    """A setting within its bounds; None if it is not set."""
    return None if value is None else float(between(value, kind, above, at_most, at=at))


def given_or_ruled(key: str, given: float | None, rule: Rule[object], value: Any) -> Step:
    """The value that was set, or else the rule's."""
    return ruled(key, rule, value) if given is None else known(f"{key}.given", given)


def start_standing(rule: Rule[StartValues], given: StartValues) -> StandingSteps:
    """The standing of an unrated player."""
    rating, deviation, volatility = (
        None if value is None else given_or_ruled(f"{name}.start", own, rule, value)
        for name, own, value in zip(StartValues._fields, given, rule.value, strict=True)
    )
    if rating is None or deviation is None:
        raise TypeError("start values need a rating and a deviation")
    return StandingSteps(rating, deviation, volatility)


def standing_of(player: Player, start: StandingSteps, usual: Rule[float], *, opponent: bool = False) -> StandingSteps:
    """A player's standing; missing values are start values without a rating, and assumed ones with a rating."""
    own = GlickoStanding.of(player)
    prefix = "opponent." if opponent else ""
    missing = "start" if player.rating is None else "assumed"
    deviation = start.deviation if player.rating is None else ruled("deviation", usual, usual.value)

    def part(key: str, value: Any, otherwise: Step) -> Step:
        return otherwise._replace(key=f"{key}.{missing}") if value is None else known(key, float(value))

    return StandingSteps(
        part("opponent" if opponent else "rating", player.rating, start.rating),
        part(f"{prefix}deviation", own.deviation, deviation),
        None if start.volatility is None else part(f"{prefix}volatility", own.volatility, start.volatility),
    )


def idle_of(player: Player) -> Rating | None:
    """The rating periods without a game; None if there were none, or if it is not known."""
    return GlickoStanding.of(player).idle


def assumed(steps: Iterable[Step]) -> Iterator[Message]:
    """A note for each kind of value that was assumed."""
    values = {step.key.split(".")[-2]: step.value for step in steps if step.key.endswith(".assumed")}
    for name, value in values.items():
        yield say(f"notes.{name}.assumed", value=value)


SITES = ("lichess", "chesscom")


def games_of(period: Period, system: str) -> list[Game]:
    """The games of a period; in these systems one rating applies to all of them."""
    if period.base is not None or any(event.rating is not None for event in period.events):
        raise BadInput(say("glicko.one_rating", system=system), at="rating")
    if system in SITES and any(event.pace is not None for event in period.events):
        raise BadInput(say("glicko.no_pace", system=system), at="time")
    games = [game for event in period.events for game in event.games]
    if len(games) > MOST_GAMES:
        raise BadInput(say("values.too.many_games", games=len(games), most=MOST_GAMES), at="games")
    return games


def rated_game(no: int, game: Game, opponent: StandingSteps, g: Step, expected: Step) -> Step:
    """How surprising a game's result was, with everything that led to it."""
    return found(
        "surprise",
        curve.surprise,
        words={
            "no": no,
            "opponent": game.opponent.rating,
            "score": game.score,
            "deviation": opponent.deviation.value,
        },
        g=g,
        score=known("score", float(game.score)),
        expected=expected,
        information=found("information", curve.information, g=g, expected=expected),
    )


class GlickoSums(NamedTuple):
    """The sums over all games: how surprising the results were, and how much they tell about the rating."""

    surprise: Step
    information: Step


def sums(games: Iterable[Step]) -> GlickoSums | None:
    """The sums over the rated games; None if no game is rated."""
    games = tuple(games)
    rated = tuple(game for game in games if game.rule is None)
    left_out = tuple(game for game in games if game.rule is not None)
    if not rated:
        return None
    parts: tuple[Any, ...] = tuple(game.given["information"] for game in rated)
    return GlickoSums(
        summed("surprises", formulas.total, rated, left_out=left_out), summed("informations", formulas.total, parts)
    )


def resumed(after: StandingSteps, no: int) -> StandingSteps:
    """The standing before the next game, on a site that rates game by game: each game is a separate calculation."""

    def part(key: str, step: Step) -> Step:
        return Step(f"{key}.resumed", step.value, words={"no": no})

    return StandingSteps(
        part("rating", after.rating),
        part("deviation", after.deviation),
        None if after.volatility is None else part("volatility", after.volatility),
    )
