"""Systems whose change is K × (score − expected): the curve, K and the notes differ, the rest is shared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation import formulas
from arpad.calculation.answer import date_notes
from arpad.calculation.step import Step, found, known, ruled, summed
from arpad.core import (
    DRAW,
    LOSS,
    WIN,
    EloStanding,
    Event,
    Game,
    Period,
    Player,
    check_born,
    check_size,
    k_of,
    number,
    one_game,
    refused,
)
from arpad.core.numbers import ROUNDINGS
from arpad.errors import BadInput, UncoveredDate
from arpad.messages import Message, say
from arpad.rulebooks import Rule, Rulebook, one_of, positive, rounding_name
from arpad.systems import performance as performances
from arpad.systems import system
from arpad.systems.answers import Chances, EventChange, Expectation, RatingChange, given_k, not_rated, why_k
from arpad.systems.base import System

if TYPE_CHECKING:
    from arpad.core import Pace, Rating


Curve = Callable[[Step], Step]  # from a difference, player minus opponent, to the expected score


class Judged(NamedTuple):
    """A game with its expected score, or with the step that says why it is not rated."""

    no: int
    game: Game
    expected: Step | None
    left_out: Step | None


class Entry(NamedTuple):
    """An event before K is known: the rating it was played with, and its games."""

    event: Event
    rating: Step
    lines: tuple[Judged, ...]

    @property
    def rated(self) -> list[Judged]:
        """The games that count."""
        return [line for line in self.lines if line.expected is not None]


def no_minimum(_: Any) -> Rule[int] | None:
    """No lowest rating, as in most systems."""
    return None


class ByK(NamedTuple):
    """What one system has of its own; its rules must include `rounding` and `unplayed`."""

    name: str
    book: Rulebook[Any]
    curve: Callable[[Any], Curve]  # from the rules of the day
    k: Callable[[Player, list[Entry], Any, date], Step]
    notes: Callable[[Player, Any, date], Iterable[Message]]
    fractions: bool  # whether ratings may have decimals
    performance: str | None  # the performance method that belongs to the system
    k_before: bool = False  # whether K is the same for every result
    minimum: Callable[[Any], Rule[int] | None] = no_minimum  # the rule for the lowest rating
    bonus: Callable[[Entry, Step, Step, Any], Step | None] | None = None  # an event's extra points
    k_of_game: Callable[[Step, Game, Any], Step] | None = None  # K of one game, if it depends on the opponent


def rate_period(method: ByK, player: Player, period: Period, *, on: date) -> RatingChange:
    """The new rating: the changes of all games, added to the rating before them and rounded once."""
    rules = method.book.at(on)
    check_size(period)
    check_born(player, on)
    own = _own_rating(method, player)
    curve = method.curve(rules)
    entries = [_entry(method, event, own, curve, rules) for event in period.events]
    k = method.k(player, entries, rules, on)
    events = tuple(_change(method, entry, k, rules) for entry in entries)
    bonuses = _bonuses(method, entries, events, k, rules)
    parts = (*(event.change_step for event in events), *bonuses)
    total = parts[0] if len(parts) == 1 else summed("change", formulas.total, parts)
    base = own if period.base is None else list_rating(method, period.base, "rating.base")
    enter = partial(_enter, base, rules.rounding, method.minimum(rules))
    rounded, new = enter(total)
    return RatingChange(
        system=method.name,
        on=on,
        trail=(new,),
        remarks=lambda: [
            *date_notes(method.book, on),
            *(say("notes.bonus", bonus=bonus.value) for bonus in bonuses),
            *method.notes(player, rules, on),
        ],
        rating=base.value,
        k=k.value,
        k_used=k.value,
        k_why=why_k(k),
        change=Decimal(total.value),
        rounded=rounded.value,
        new_rating=new.value,
        events=events,
        k_step=k,
        enter=enter if method.k_before else None,
        find_performance=partial(_performance, method, entries, on),
    )


def _bonuses(method: ByK, entries: Sequence[Entry], events: Sequence[EventChange], k: Step, rules: Any) -> list[Step]:
    """The bonuses of the events, in a system that has them."""
    if method.bonus is None:
        return []
    pairs = zip(entries, events, strict=True)
    bonuses = [method.bonus(entry, k, event.change_step, rules) for entry, event in pairs]
    return [bonus for bonus in bonuses if bonus is not None]


def _enter(base: Step, rounding: Rule[str], minimum: Rule[int] | None, total: Step) -> tuple[Step, Step]:
    """How a change enters the list: added to the rating, the sum rounded, and no lower than the minimum."""
    exact = found("new_rating", formulas.new_rating, rating=base, change=total)
    by = ROUNDINGS[rounding.value]
    new = ruled("new_rating.rounded", rounding, by(Decimal(exact.value)), exact=exact)
    if minimum is not None and new.value < minimum.value:
        new = ruled("new_rating.minimum", minimum, minimum.value, rounded=new)
    return found("rounded", formulas.difference, rating=new, opponent=base), new


def expect(method: ByK, player: Player, opponent: Player, *, on: date, pace: Pace | None = None) -> Expectation:
    """One game before it is played: each result is rated as an event of one game."""
    results = {
        name: rate_period(method, player, one_game(opponent, score, pace), on=on)
        for name, score in (("win", WIN), ("draw", DRAW), ("loss", LOSS))
    }
    games = {name: change.events[0].game_steps[0] for name, change in results.items()}
    rated = games["win"].rule is None
    mine, other = player.rating, opponent.rating
    k = {change.k for change in results.values()}
    return Expectation.of(
        method.name,
        on,
        expected=games["win"].given["expected"] if rated else games["win"],  # type: ignore[arg-type]  # a rated game's is one step
        changes={name: step._replace(key=f"if.{name}") for name, step in games.items()} if rated else {},
        chances=Chances() if mine is None or other is None else Chances.of(mine, other, system=method.name),
        k=results["win"].k_step if len(k) == 1 else None,
        remarks=lambda: results["win"].notes,
    )


def expected_score(method: ByK, difference: Rating, *, on: date) -> Decimal:
    """The expected score for a difference, player minus opponent."""
    return Decimal(method.curve(method.book.at(on))(known("difference", difference)).value)


def _own_rating(method: ByK, player: Player) -> Step:
    if player.rating is None:
        raise BadInput(say("systems.no_first_rating", system=method.name), at="rating")
    return list_rating(method, player.rating, "rating")


def list_rating(method: ByK, rating: Rating, key: str, *, at: str = "rating") -> Step:
    """A rating as it is on the system's list: whole, unless the system has decimals."""
    if not method.fractions and not isinstance(rating, int):
        raise BadInput(say("systems.whole_ratings", rating=rating, system=method.name), at=at)
    return known(key, rating)


def _entry(method: ByK, event: Event, own: Step, curve: Curve, rules: Any) -> Entry:
    rating = own if event.rating is None else list_rating(method, event.rating, "rating")
    lines = tuple(_line(method, no, game, rating, curve, rules) for no, game in enumerate(event.games, start=1))
    return Entry(event, rating, lines)


def _line(method: ByK, no: int, game: Game, own: Step, curve: Curve, rules: Any) -> Judged:
    rating = game.opponent.rating
    if game.how != "played" or rating is None:
        reason = "unrated" if game.how == "played" else game.how
        return Judged(no, game, None, not_rated(no, game, reason, rules.unplayed, rating))
    opponent = list_rating(method, rating, "opponent", at=f"game[{no - 1}]")
    difference = found("difference", formulas.difference, rating=own, opponent=opponent)
    return Judged(no, game, curve(difference), None)


def _change(method: ByK, entry: Entry, k: Step, rules: Any) -> EventChange:
    own_k = method.k_of_game or _same_k
    games = tuple(_game(line, own_k(k, line.game, rules)) for line in entry.lines)
    counted = tuple(step for step in games if step.rule is None)
    left_out = tuple(step for step in games if step.rule is not None)
    change = summed("change", formulas.total, counted, left_out=left_out)
    return EventChange.of(entry.event, entry.rating, games, change)


def _same_k(k: Step, _: Game, __: Any) -> Step:
    """In most systems every game has the same K."""
    return k


def _game(line: Judged, k: Step) -> Step:
    if line.left_out is not None or line.expected is None:
        return line.left_out  # type: ignore[return-value]  # a line has one of the two
    words = {"no": line.no, "opponent": line.game.opponent.rating, "score": line.game.score}
    score = known("score", line.game.score)
    return found("game", formulas.change, k=k, score=score, expected=line.expected, words=words)


def _performance(method: ByK, entries: list[Entry], on: date) -> int | None:
    counted = [line.game for entry in entries for line in entry.rated]
    if not counted or method.performance is None:
        return None
    try:
        return performances.performance(counted, on=on, method=method.performance).performance
    except UncoveredDate:
        # Performance ratings have a rulebook of their own, which may begin later.
        return None


class EloRules(NamedTuple):
    """The conventions of plain Elo."""

    k: Rule[int]
    scale: Rule[int]
    rounding: Rule[str]
    unplayed: Rule[str]


READERS = {"k": positive, "scale": positive, "rounding": rounding_name, "unplayed": one_of("not rated")}


class Settings(NamedTuple):
    """A club's own K and scale; None means the rule's value."""

    k: Rating | None
    scale: Rating | None


LARGEST_SCALE = 100_000  # points; with a larger scale every game would be even
SETTINGS = ("k", "scale")


def build(name: str, *, k: Any = None, scale: Any = None, rules: str | None = None) -> System:
    """Plain Elo, with a club's own K and scale, or its own rule file, if it has them."""
    settings = settings_of(k, scale)
    method = ByK(
        name,
        Rulebook("elo", EloRules, READERS, path=rules),
        curve=partial(_curve, settings),
        k=partial(_k, settings),
        notes=lambda _player, _rules, _on: (),
        fractions=True,
        performance="linear",
        k_before=True,
    )
    return System.of(
        name,
        "Plain Elo",
        method.book,
        rate_period=partial(rate_period, method),
        expect=partial(expect, method),
        expected_score=partial(expected_score, method),
    )


def settings_of(k: Any = None, scale: Any = None) -> Settings:
    """A club's own K and scale, each within its bounds."""
    return Settings(None if k is None else k_of(k, at="k"), _scale_of(scale))


def _scale_of(value: Any) -> Rating | None:
    """The scale: the rating difference for odds of ten to one."""
    if value is None:
        return None
    scale = number(value, "scale", at="scale")
    if not 1 <= scale <= LARGEST_SCALE:
        raise refused(value, "scale", at="scale")
    return scale


def _k(settings: Settings, player: Player, _: list[Entry], rules: EloRules, __: date) -> Step:
    standing = EloStanding.of(player)
    if standing.k is not None:
        return given_k(standing.k, standing.k_from)
    if settings.k is not None:
        return known("k.given", settings.k)
    return ruled("k.other", rules.k, rules.k.value, words={"says": rules.k.says})


def _curve(settings: Settings, rules: EloRules) -> Curve:
    """The logistic curve with the scale in force."""
    if settings.scale is not None:
        scale = known("scale", Decimal(settings.scale))
    else:
        scale = ruled("scale", rules.scale, Decimal(rules.scale.value))

    def expected(difference: Step) -> Step:
        return found("expected.formula", formulas.logistic, difference=difference, scale=scale)

    return expected


def with_plain_elo(change: RatingChange) -> RatingChange:
    """A change, with the same games by plain Elo and the same K beside it."""
    if change.k_used is None:
        raise BadInput(say("systems.plain_elo", system=change.system), at="formula")
    return replace(change, plain_elo=by_plain_elo(change, k=change.k_used))


def by_plain_elo(change: RatingChange, *, k: Rating | None = None) -> RatingChange:
    """The same games by plain Elo, with a given K or the one that most calculators use."""
    events = tuple(replace(event.event, rating=event.rating) for event in change.events)
    own = Player(EloStanding(events[0].rating, k=k))
    return system("elo").rate_period(own, Period(events, change.rating), on=change.on)
