"""Plain Elo: the logistic curve and one K, because players compare with it."""

from __future__ import annotations

from decimal import Decimal
from functools import partial
from typing import Any, NamedTuple

from arpad import formulas, performances
from arpad.answers import EventChange, Expectation, RatingChange, not_rated
from arpad.contract import System, not_yet
from arpad.draws import labelle
from arpad.errors import BadInput
from arpad.model import DRAW, LOSS, MOST_GAMES, WIN, Event, Game, Period, Player, k_of, number
from arpad.rounding import ROUNDINGS
from arpad.rulebook import Rule, Rulebook, rounding_name, text, whole
from arpad.trail import Step, found, known, ruled, summed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import date

    from arpad.model import Pace, Rating


class EloRules(NamedTuple):
    """The conventions of plain Elo."""

    k: Rule[int]
    scale: Rule[int]
    rounding: Rule[str]
    unplayed: Rule[str]


READERS = {"k": whole, "scale": whole, "rounding": rounding_name, "unplayed": text}


class Elo(NamedTuple):
    """Plain Elo with its settings."""

    book: Rulebook[EloRules]
    k: Rating | None
    scale: Rating | None


SETTINGS = ("k", "scale")


def build(name: str, *, k: Any = None, scale: Any = None) -> System:
    """Plain Elo, with a club's own K and scale if it has them."""
    elo = Elo(Rulebook("elo", EloRules, READERS), None if k is None else k_of(k, at="k"), _scale_of(scale))
    return System(
        name=name,
        title="Plain Elo",
        rulebook=elo.book,
        rate=partial(_rate, elo),
        rate_period=partial(_rate_period, elo),
        expect=partial(_expect, elo),
        expected_score=partial(_expected_score, elo),
        first_rating=not_yet(name, "first rating"),
        conversion=not_yet(name, "conversion"),
    )


def _scale_of(value: Any) -> Rating | None:
    """How many points are odds of ten to one."""
    if value is None:
        return None
    scale = number(value, "a scale", "a scale is a number above 0", at="scale")
    if scale <= 0:
        raise BadInput(f"{value} is not a scale; a scale is a number above 0.", at="scale")
    return scale


def _rate(
    elo: Elo,
    player: Player,
    games: Iterable[Game],
    *,
    on: date,
    base: Rating | None = None,
    pace: Pace | None = None,
) -> RatingChange:
    """All games are rated against the rating before the event."""
    return _rate_period(elo, player, Period((Event(tuple(games), pace=pace),), base), on=on)


def _rate_period(elo: Elo, player: Player, period: Period, *, on: date) -> RatingChange:
    rules = elo.book.at(on)
    if player.rating is None:
        raise BadInput("An unrated player has no rating to change; plain Elo needs one.", at="rating")
    games = sum(len(event.games) for event in period.events)
    if not 0 < games <= MOST_GAMES:
        raise BadInput(f"{games} games cannot be rated at once; give from 1 to {MOST_GAMES}.", at="games")
    own = known("rating", player.rating)
    k, scale = _k(elo, player, rules), _scale(elo, rules)
    events = tuple(_event(event, own, k, scale, rules) for event in period.events)
    parts = tuple(event.change for event in events)
    total = parts[0] if len(parts) == 1 else summed("change", formulas.total, parts)
    base = own if period.base is None else known("rating.base", period.base)
    exact = found("new_rating", formulas.new_rating, rating=base, change=total)
    new = ruled(
        "new_rating.rounded", rules.rounding, ROUNDINGS[rules.rounding.value](Decimal(exact.value)), exact=exact
    )
    rounded = found("rounded", formulas.difference, rating=new, opponent=base)
    return RatingChange(
        "elo",
        on,
        base=base,
        k=k,
        k_used=k,
        total=total,
        rounded=rounded,
        new=new,
        events=events,
        performance=lambda: _performance(events, on),
    )


def _k(elo: Elo, player: Player, rules: EloRules) -> Step:
    given = player.k if player.k is not None else elo.k
    if given is not None:
        return known("k.given", given)
    return ruled("k.other", rules.k, rules.k.value, words={"says": rules.k.says})


def _scale(elo: Elo, rules: EloRules) -> Step:
    if elo.scale is not None:
        return known("scale", Decimal(elo.scale))
    return ruled("scale", rules.scale, Decimal(rules.scale.value))


def _event(event: Event, own: Step, k: Step, scale: Step, rules: EloRules) -> EventChange:
    rating = own if event.rating is None else known("rating", event.rating)
    games = tuple(_game(no, game, rating, k, scale, rules) for no, game in enumerate(event.games, start=1))
    counted = tuple(step for step in games if step.rule is None)
    left_out = tuple(step for step in games if step.rule is not None)
    return EventChange(event, rating, games, summed("change", formulas.total, counted, left_out=left_out))


def _game(no: int, game: Game, own: Step, k: Step, scale: Step, rules: EloRules) -> Step:
    words = {"no": no, "opponent": game.opponent.rating, "score": game.score}
    if game.how != "played" or game.opponent.rating is None:
        reason = "unrated" if game.how == "played" else game.how
        return not_rated(no, game, reason, rules.unplayed, game.opponent.rating)
    difference = found("difference", formulas.difference, rating=own, opponent=known("opponent", game.opponent.rating))
    exact = difference._replace(value=Decimal(difference.value))
    expected = found("expected.formula", formulas.logistic, difference=exact, scale=scale)
    return found("game", formulas.change, k=k, score=known("score", game.score), expected=expected, words=words)


def _performance(events: tuple[EventChange, ...], on: date) -> int | None:
    counted = [Game(line.opponent, line.score) for event in events for line in event.per_game if line.rated]
    return performances.performance(counted, on=on, method="linear").performance if counted else None


def _expect(
    elo: Elo, player: Player | Rating, opponent: Player | Rating, *, on: date, pace: Pace | None = None
) -> Expectation:
    me = player if isinstance(player, Player) else Player(player)
    results = {
        name: _rate(elo, me, [Game(opponent, score)], on=on, pace=pace).events[0].games[0]
        for name, score in (("win", WIN), ("draw", DRAW), ("loss", LOSS))
    }
    game = results["win"]
    rated = game.rule is None
    other = Game(opponent, WIN).opponent.rating
    chances: Mapping[str, float] = {} if other is None else labelle(float(me.rating or 0), float(other))
    return Expectation(
        "elo",
        on,
        expected=game.given["expected"] if rated else game,  # type: ignore[arg-type]  # a rated game's is one step
        changes=results if rated else {},
        table=None,
        chances=chances,
        model="labelle",
        k=_k(elo, me, elo.book.at(on)).value,
    )


def _expected_score(elo: Elo, difference: int, *, on: date) -> Decimal:
    score: Decimal = formulas.logistic(Decimal(difference), _scale(elo, elo.book.at(on)).value)
    return score
