"""Systems whose change is K × (score − expected), and plain Elo, the simplest of them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Generic, NamedTuple, Protocol, TypeVar, cast

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
from arpad.rulebooks import Rule, Rulebook, Rules, one_of, positive, rounding_name
from arpad.systems import performance as performances
from arpad.systems import system
from arpad.systems.answers import Chances, EventChange, Expectation, RatingChange, given_k, not_rated, why_k
from arpad.systems.base import System, each_event

if TYPE_CHECKING:
    from arpad.core import Number, Pace, Rating


Curve = Callable[[Step], Step]  # from a difference, player minus opponent, to the expected score
R = TypeVar("R", bound=Rules)


class KRules(Protocol):
    """What the rules of every system by K must include."""

    @property
    def rounding(self) -> Rule[str]: ...
    @property
    def unplayed(self) -> Rule[str]: ...


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


class KSystem(System, Generic[R]):
    """A system whose change is K × (score − expected); its rules must include those of `KRules`.

    A subclass provides `_curve` and `_k` and, if it differs there, the notes, the K of one game, the bonus of an event
    and the lowest rating.
    """

    rulebook: Rulebook[R]
    fractions: ClassVar[bool] = False  # whether ratings may have decimals
    performance: ClassVar[performances.PerformanceMethod | None] = (
        None  # the performance method that belongs to the system
    )
    k_before: ClassVar[bool] = False  # whether K is the same for every result

    @abstractmethod
    def _curve(self, rules: R) -> Curve:
        """The curve of expected scores."""

    @abstractmethod
    def _k(self, player: Player, entries: Sequence[Entry], rules: R, on: date) -> Step:
        """The player's K for these events."""

    def _k_of_game(self, k: Step, game: Game, rules: R) -> Step:
        """The K of one game: in most systems that of the player."""
        return k

    def _bonus(self, entry: Entry, k: Step, change: Step, rules: R) -> Step | None:
        """The extra points of an event, if there are any."""
        return None

    def _minimum(self, rules: R) -> Rule[int] | None:
        """The rule for the lowest rating, if there is one."""
        return None

    def _notes(self, player: Player, rules: R, on: date) -> Iterable[Message]:
        """What was assumed about the player."""
        return ()

    def _change(self, player: Player, period: Period, on: date) -> RatingChange:
        return self._rated(player, period, on)

    def _rated(self, player: Player, period: Period, on: date) -> RatingChange:
        """The new rating: the changes of all games, added to the rating before them and rounded once."""
        rules = self.rulebook.at(on)
        check_size(period)
        check_born(player, on)
        if player.rating is None:
            raise BadInput(say("systems.no_first_rating", system=self.base), at="rating")
        own = self._listed(player.rating, "rating")
        curve = self._curve(rules)
        entries = each_event(period, lambda event: self._entry(event, own, curve, rules))
        k = self._k(player, entries, rules, on)
        events = tuple(self._event_change(entry, k, rules) for entry in entries)
        found_bonuses = (
            self._bonus(entry, k, event.change_step, rules) for entry, event in zip(entries, events, strict=True)
        )
        bonuses = [bonus for bonus in found_bonuses if bonus is not None]
        parts = (*(event.change_step for event in events), *bonuses)
        total = parts[0] if len(parts) == 1 else summed("change", formulas.total, parts)
        base = own if period.base is None else self._listed(period.base, "rating.base")
        enter = partial(_enter, base, cast("KRules", rules).rounding, self._minimum(rules))
        rounded, new = enter(total)
        return RatingChange(
            system=self.name,
            on=on,
            trail=(new,),
            remarks=lambda: [
                *date_notes(self.rulebook, on),
                *(say("notes.bonus", bonus=bonus.value) for bonus in bonuses),
                *self._notes(player, rules, on),
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
            enter=enter if self.k_before else None,
            find_performance=partial(_performance, self.performance, entries, on),
        )

    def _listed(self, rating: Rating, key: str, *, at: str = "rating") -> Step:
        """A rating as it is on the system's list: whole, unless the system has decimals."""
        if not self.fractions and not isinstance(rating, int):
            raise BadInput(say("systems.whole_ratings", rating=rating, system=self.base), at=at)
        return known(key, rating)

    def _entry(self, event: Event, own: Step, curve: Curve, rules: R) -> Entry:
        rating = own if event.rating is None else self._listed(event.rating, "rating")
        lines = tuple(self._judged(no, game, rating, curve, rules) for no, game in enumerate(event.games, start=1))
        return Entry(event, rating, lines)

    def _judged(self, no: int, game: Game, own: Step, curve: Curve, rules: R) -> Judged:
        rating = game.opponent.rating
        if game.how != "played" or rating is None:
            reason = "unrated" if game.how == "played" else game.how
            return Judged(no, game, None, not_rated(no, game, reason, cast("KRules", rules).unplayed, rating))
        opponent = self._listed(rating, "opponent", at=f"game[{no - 1}]")
        difference = found("difference", formulas.difference, rating=own, opponent=opponent)
        return Judged(no, game, curve(difference), None)

    def _event_change(self, entry: Entry, k: Step, rules: R) -> EventChange:
        games = tuple(_game(line, self._k_of_game(k, line.game, rules)) for line in entry.lines)
        counted = tuple(step for step in games if step.rule is None)
        left_out = tuple(step for step in games if step.rule is not None)
        change = summed("change", formulas.total, counted, left_out=left_out)
        return EventChange.of(entry.event, entry.rating, games, change)

    def _expectation(self, player: Player, opponent: Player, on: date, pace: Pace | None) -> Expectation:
        """One game before it is played: each result is rated as an event of one game."""
        results = {
            name: self._rated(player, one_game(opponent, score, pace), on)
            for name, score in (("win", WIN), ("draw", DRAW), ("loss", LOSS))
        }
        games = {name: change.events[0].game_steps[0] for name, change in results.items()}
        rated = games["win"].rule is None
        mine, other = player.rating, opponent.rating
        k = {change.k for change in results.values()}
        return Expectation.of(
            self.name,
            on,
            expected=games["win"].given["expected"] if rated else games["win"],  # type: ignore[arg-type]  # a rated game's is one step
            changes={name: step._replace(key=f"if.{name}") for name, step in games.items()} if rated else {},
            chances=Chances() if mine is None or other is None else Chances.of(mine, other, system=self.base),
            k=results["win"].k_step if len(k) == 1 else None,
            remarks=lambda: results["win"].notes,
        )

    def _expected_score(self, difference: Rating, on: date) -> Decimal:
        return Decimal(self._curve(self.rulebook.at(on))(known("difference", difference)).value)


def _game(line: Judged, k: Step) -> Step:
    """The change of a game, or why it is not rated."""
    if line.left_out is not None or line.expected is None:
        return line.left_out  # type: ignore[return-value]  # a line has one of the two
    words = {"no": line.no, "opponent": line.game.opponent.rating, "score": line.game.score}
    score = known("score", line.game.score)
    return found("game", formulas.change, k=k, score=score, expected=line.expected, words=words)


def _enter(base: Step, rounding: Rule[str], minimum: Rule[int] | None, total: Step) -> tuple[Step, Step]:
    """How a change enters the list: added to the rating, the sum rounded, and no lower than the minimum."""
    exact = found("new_rating", formulas.new_rating, rating=base, change=total)
    by = ROUNDINGS[rounding.value]
    new = ruled("new_rating.rounded", rounding, by(Decimal(exact.value)), exact=exact)
    if minimum is not None and new.value < minimum.value:
        new = ruled("new_rating.minimum", minimum, minimum.value, rounded=new)
    return found("rounded", formulas.difference, rating=new, opponent=base), new


def _performance(method: performances.PerformanceMethod | None, entries: Sequence[Entry], on: date) -> int | None:
    """The performance rating of the games that counted, if the system has a method for it."""
    counted = [line.game for entry in entries for line in entry.rated]
    if not counted or method is None:
        return None
    try:
        return performances.performance(counted, on=on, method=method).performance
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


LARGEST_SCALE = 100_000  # points; with a larger scale every game would be even


class Elo(KSystem[EloRules]):
    """Plain Elo, with a club's own K and scale, or its own rule file, if it has them.

    `k` and `scale`, the rating difference for odds of ten to one, are None where the rule's value counts.
    """

    fractions = True
    performance = "linear"
    k_before = True

    def __init__(
        self, base: str, *, k: Number | None = None, scale: Number | None = None, rules: str | None = None
    ) -> None:
        self.k = None if k is None else k_of(k, at="k")
        self.scale = None if scale is None else number(scale, "scale", at="scale")
        if self.scale is not None and not 1 <= self.scale <= LARGEST_SCALE:
            raise refused(scale, "scale", at="scale")
        super().__init__(base, "Plain Elo", Rulebook("elo", EloRules, READERS, path=rules))

    def _k(self, player: Player, entries: Sequence[Entry], rules: EloRules, on: date) -> Step:
        standing = EloStanding.of(player)
        if standing.k is not None:
            return given_k(standing.k, standing.k_from)
        if self.k is not None:
            return known("k.given", self.k)
        return ruled("k.other", rules.k, rules.k.value, words={"says": rules.k.says})

    def _curve(self, rules: EloRules) -> Curve:
        """The logistic curve with the scale in force."""
        if self.scale is not None:
            scale = known("scale", Decimal(self.scale))
        else:
            scale = ruled("scale", rules.scale, Decimal(rules.scale.value))
        return lambda difference: found("expected.formula", formulas.logistic, difference=difference, scale=scale)


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
