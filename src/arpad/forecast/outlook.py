"""Looking ahead over one rating period: every outcome with its probability, and the live rating on the way."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation import formulas
from arpad.calculation.answers import exact, plain
from arpad.calculation.contract import Calculation, Figure
from arpad.calculation.step import Step, found, known, summed
from arpad.core import (
    HIGHEST_RATING,
    Field,
    Pairing,
    PlannedEvent,
    Player,
    as_day,
    as_player,
    number,
    rating_of,
    refused,
)
from arpad.core.tournament import SWISS
from arpad.errors import BadInput
from arpad.forecast.chances import UNLIKELY, percent, quantile, signed
from arpad.forecast.distribution import Outcome, distribution
from arpad.forecast.levels import Level, level_figures, level_steps, level_values, levels
from arpad.forecast.schedule import Model, curve, look, lowest_published, rating_met
from arpad.messages import Message, figure
from arpad.systems.draw_models import LABELLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from datetime import date

    from arpad.calculation.contract import GameLine, Rated, System
    from arpad.core import Pace, Rating
    from arpad.forecast.norm_chance import NormChance
    from arpad.forecast.schedule import Ahead, Chances
    from arpad.systems.draw_models import DrawModel

Planned = Pairing | PlannedEvent | Player | Field | int | Decimal

MOST_PARTS = 60  # outcomes whose shares are steps of their own; of more, the sum is


class Aim(NamedTuple):
    """What is asked of the future: a target to reach, a loss to fear, the strength assumed and the draw model."""

    reach: int | None
    lose: Rating | None
    strength: Rating
    draws: DrawModel


class Outlook(Calculation):
    """What the games ahead in one rating period can do to a rating."""

    def __init__(
        self,
        system: System,
        player: Player,
        on: date,
        *,
        asked: Aim,
        ahead: Ahead,
        outcomes: Sequence[Outcome],
        so_far: Rated | None,
        model: Model,
        norm: NormChance | None = None,
    ) -> None:
        self.norm = norm
        self.asked = asked
        self.outcomes = merged(outcomes)
        self.so_far = so_far
        self._ahead = ahead
        self._shown = self._line(asked.reach).calculate()
        known_levels = levels(system, player, self._shown.k_why, on=on)
        self.levels = [(level, chance) for level in known_levels if (chance := self._passing(level)) >= UNLIKELY]
        self._steps = _Steps(self, model)
        super().__init__(
            system.name, on, (*self._steps.roots, *([norm.step] if norm else []), *self._shown.roots), self._noted
        )

    def _noted(self) -> list[Message]:
        """What holds whatever happens; what one outcome does to K is only one of the outcomes."""
        return [one for one in self._shown.notes if one.key not in ("k.next", "k.games", "k.game")]

    @property
    def rating(self) -> Rating:
        """The rating before the games."""
        rating: Rating = self._shown.rating
        return rating

    @property
    def per_game(self) -> Sequence[GameLine]:
        """The games of the outcome whose working is shown; those that are not rated say why in every outcome."""
        return self._shown.per_game

    @property
    def mean(self) -> Decimal:
        """The mean change."""
        return sum((Decimal(one.probability) * one.change for one in self.outcomes), Decimal(0))

    @property
    def mean_rating(self) -> float | None:
        """The mean new rating, over the outcomes that leave one; None if none does."""
        left = [(one.probability, one.new_rating) for one in self.outcomes if one.new_rating is not None]
        total = sum(share for share, _ in left)
        return sum(share * rating for share, rating in left) / total if total else None

    @property
    def mean_score(self) -> Decimal | None:
        """The mean score in the rated games; None against a field."""
        scores = [(Decimal(one.probability), one.score) for one in self.outcomes if one.score is not None]
        return sum((share * score for share, score in scores), Decimal(0)) if scores else None

    @property
    def reach(self) -> float | None:
        """The chance to have the target or more on the next list; None without a target."""
        target = self.asked.reach
        return None if target is None else self.chance(lambda one: (one.new_rating or 0) >= target)

    @property
    def gain(self) -> float:
        """The chance that the rating rises."""
        return self.chance(lambda one: one.rounded > 0)

    @property
    def lose(self) -> float | None:
        """The chance to lose more than was asked about; None if nothing was."""
        most = self.asked.lose
        return None if most is None else self.chance(lambda one: -one.rounded > most)

    def quantile(self, share: float) -> int | None:
        """The new rating that is reached or missed with this share on its lower side; None is unrated."""
        return quantile([(one.new_rating, one.probability) for one in self.outcomes], share)

    def chance(self, holds: Callable[[Outcome], bool]) -> float:
        """The probability of the outcomes for which something holds."""
        return min(1.0, sum(one.probability for one in self.outcomes if holds(one)))

    def _passing(self, level: Level) -> float:
        if level.below:
            return self.chance(lambda one: one.new_rating is None)
        return self.chance(lambda one: (one.new_rating or 0) >= level.level)

    def _line(self, target: int | None) -> Outcome:
        """The outcome whose working is shown: the least that reaches the target, or the middle one."""
        reached = [one for one in self.outcomes if target is not None and (one.new_rating or 0) >= target]
        below = 0.0
        for one in self.outcomes:
            below += one.probability
            if below >= 0.5:
                break
        return reached[0] if reached else one

    def figures(self) -> list[Figure]:
        low, high = (self.quantile(share) or "unrated" for share in (0.25, 0.75))
        games = f"expected score {float(self.mean_score):.2f}; " if self.mean_score is not None else ""
        kept = ", if there is one" if any(one.new_rating is None for one in self.outcomes) else ""
        live = self.so_far
        return [
            Figure("reach", percent(self.reach), f"to have {self.asked.reach} or more on the next list"),
            Figure("live", live and live.new_rating, f"by the results so far, {figure(live.change, signed=True)}"
                   if live else ""),
            Figure("mean", signed(self.mean), f"{games}new rating {self.mean_rating:.0f} on average{kept}"
                   if self.mean_rating else ""),
            Figure("middle_half", f"{low} to {high}", "at least half of all outcomes lie here"),
            Figure("gain", percent(self.gain), "that the rating rises"),
            Figure("lose", percent(self.lose), f"to lose more than {self.asked.lose} points"),
            *([self.norm.figure] if self.norm else []),
            *level_figures(self.levels),
            Figure("strength", self.asked.strength, f"draw model: {self.asked.draws}"),
        ]  # fmt: skip

    def value(self) -> dict[str, Any]:
        return {
            "system": self.system,
            "on": self.on.isoformat(),
            "rating": self.rating,
            "strength": plain(self.asked.strength),
            "draws": self.asked.draws._asdict(),
            "k": plain(self._shown.k),
            "k_used": plain(self._shown.k_used),
            "games": len(self._ahead.pairings),
            "open": len(self._ahead.open),
            "target": self.asked.reach,
            "reach": self.reach,
            "mean": float(self.mean),
            "mean_rating": self.mean_rating,
            "mean_score": None if self.mean_score is None else float(self.mean_score),
            "middle_half": [self.quantile(0.25), self.quantile(0.75)],
            "median": self.quantile(0.5),
            "gain": self.gain,
            "lose_more_than": plain(self.asked.lose),
            "lose": self.lose,
            "levels": level_values(self.levels),
            "norm": self.norm and self.norm.value(),
            "so_far": self.so_far and {"change": exact(self.so_far.change), "new_rating": self.so_far.new_rating},
            "chances": self._steps.chances,
            "not_rated": [
                {"game": no, "why": game.why} for no, game in enumerate(self.per_game, start=1) if not game.rated
            ],
            "outcomes": [
                {
                    "score": plain(one.score),
                    "remaining": plain(one.remaining),
                    "change": exact(one.change),
                    "new_rating": one.new_rating,
                    "probability": one.probability,
                }
                for one in self.outcomes
            ],
        }


class _Steps:
    """The trail of an outlook: each game's chances, each outcome's probability, and what they add up to."""

    def __init__(self, outlook: Outlook, model: Model) -> None:
        ahead = outlook._ahead  # noqa: SLF001  # one subject in two classes
        pairings = [(no, ahead.pairings[no]) for no in ahead.open]
        games = [(no, one, rating_met(one.opponent), model.against(one)) for no, one in pairings]
        self.chances = [
            {"game": no + 1, "opponent": plain(met), "colour": one.colour, "win": win, "draw": drawn, "loss": lost}
            for no, one, met, (win, drawn, lost) in games
        ]
        asked = tuple(self._chances(outlook.asked, [(met, chances) for _, _, met, chances in games]))
        many = len(outlook.outcomes) > MOST_PARTS
        roots = self._sum(outlook, asked) if many else self._parts(outlook, asked)
        self.roots = (*roots, *level_steps(outlook.levels))

    def _chances(self, asked: Aim, games: Sequence[tuple[Rating, Chances]]) -> Iterator[Step]:
        """The chances against each opponent; games that are alike are one step."""
        strength = known("strength", asked.strength)
        for (met, chances), times in Counter(games).items():
            win, drawn, _ = chances
            said = {name: percent(one) for name, one in zip(("win", "draw", "loss"), chances, strict=True)}
            yield Step(
                "chances" if times == 1 else "chances.alike",
                Decimal(win + drawn / 2),
                {"strength": strength, "opponent": known("opponent", met)},
                words={"opponent": met, "times": times, "model": str(asked.draws), **said},
            )

    def _parts(self, outlook: Outlook, chances: tuple[Step, ...]) -> Iterator[Step]:
        """The mean and the chance to reach the target, as sums over the outcomes."""
        likely = {
            id(one): Step(
                "probability" if one.score is not None else "probability.rating",
                Decimal(one.probability),
                {"chances": chances},
                words={"points": one.new_rating or "unrated" if one.score is None else one.score},
            )
            for one in outlook.outcomes
        }
        parts = tuple(
            found("outcome", formulas.weighted, probability=likely[id(one)], change=known("outcome.change", one.change))
            for one in outlook.outcomes
        )
        yield summed("mean", formulas.total, parts)
        target = outlook.asked.reach
        if target is not None:
            reaching = tuple(likely[id(one)] for one in outlook.outcomes if (one.new_rating or 0) >= target)
            yield summed("reach", formulas.total, reaching, words={"target": target})

    def _sum(self, outlook: Outlook, chances: tuple[Step, ...]) -> Iterator[Step]:
        """The same where the outcomes are too many to be read."""
        words = {"outcomes": len(outlook.outcomes), "target": outlook.asked.reach}
        mean = Step("mean.many", outlook.mean, {"chances": chances}, words=words)
        yield mean
        if outlook.reach is not None:
            yield Step("reach.many", Decimal(outlook.reach), {"chances": chances}, words=words)


def look_ahead(
    system: System,
    player: Player | Rating,
    against: Iterable[Planned],
    *,
    on: date,
    reach: Any = None,
    lose: Any = None,
    strength: Any = None,
    draws: DrawModel = LABELLE,
    pace: Pace | None = None,
    norm: str | None = None,
    kind: str = SWISS,
) -> Outlook:
    """Every outcome of the games of one rating period, played or to be played, and the chances they add up to."""
    player, on = as_player(player), as_day(on)
    events = planned_events(against, pace)
    asked = question(system, player, on=on, reach=reach, lose=lose, strength=strength, draws=draws)
    ahead = look(system, player, events, on=on)
    model = Model(float(asked.strength), draws, curve(system, on))
    played = [
        replace(event, pairings=tuple(one for one in event.pairings if one.score is not None)) for event in events
    ]
    started = any(event.pairings for event in played)
    return Outlook(
        system,
        player,
        on,
        asked=asked,
        ahead=ahead,
        outcomes=distribution(ahead, model),
        so_far=_so_far(system, player, played, on) if started else None,
        model=model,
        norm=None if norm is None else _norm(norm, player, events, model, on, kind),
    )


def _norm(title: str, player: Player, events: Sequence[PlannedEvent], model: Model, on: date, kind: str) -> NormChance:
    """The chance of a norm, which is made in one event."""
    from arpad.forecast.norm_chance import norm_chance  # most outlooks ask for none

    if len(events) > 1:
        raise BadInput("A norm is made in one event; give the games of one alone.", at="norm")
    return norm_chance(title, player, events[0].pairings, model, on=events[0].on or on, kind=kind)


def _so_far(system: System, player: Player, played: Sequence[PlannedEvent], on: date) -> Rated:
    """What the results so far give by themselves: the live rating."""
    ahead = look(system, player, [event for event in played if event.pairings], on=on)
    return distribution(ahead, Model(0.0, LABELLE, float))[0].calculate()


def planned_events(against: Iterable[Planned], pace: Pace | None = None) -> list[PlannedEvent]:
    """Loose pairings are one event; a rating or a player is a game to be played."""
    given = list(against)
    loose = tuple(_pairing(one) for one in given if not isinstance(one, PlannedEvent))
    events = [one for one in given if isinstance(one, PlannedEvent)]
    return [PlannedEvent(loose, pace=pace), *events] if loose else events


def _pairing(one: Any) -> Pairing:
    if isinstance(one, Pairing):
        return one
    return Pairing(one if isinstance(one, Player | Field) else Player(one))


def question(
    system: System, player: Player, *, on: date, reach: Any, lose: Any, strength: Any, draws: DrawModel
) -> Aim:
    """What is asked, checked; the strength is the rating unless another is given."""
    rating = player.rating_used
    if rating is None:
        raise BadInput("An unrated player has no rating to change; an outlook needs one.", at="rating")
    target = None if reach is None else rating_of(reach, at="reach")
    lowest = lowest_published(system, on)
    if target is not None and target < lowest:
        raise BadInput(
            f"The target {target} is below the floor of {lowest}, so it is never published; ask for {lowest} or more.",
            at="reach",
        )
    if target is not None and not isinstance(target, int):
        raise BadInput(f"{target} is not a target; ratings are published as whole numbers.", at="reach")
    if rating < lowest:
        raise BadInput(f"{rating} is below the floor of {lowest}: whoever has it is unrated.", at="rating")
    most = None if lose is None else number(lose, "loss", low=0, high=HIGHEST_RATING, at="lose")
    if most is not None and not 0 <= most <= HIGHEST_RATING:
        raise refused(lose, "loss", low=0, high=HIGHEST_RATING, at="lose")
    true = rating if strength is None else rating_of(strength, at="strength")
    return Aim(target, most, true, draws)


def merged(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Against a field: one outcome for each new rating, with the mean of the changes that lead to it."""
    if all(one.score is not None for one in outcomes):
        return list(outcomes)
    groups: dict[tuple[int | None, Rating], list[Outcome]] = {}
    for one in outcomes:
        groups.setdefault((one.new_rating, one.rounded), []).append(one)
    together = []
    for group in groups.values():
        if len(group) == 1:
            together += group
            continue
        total = sum(one.probability for one in group)
        if not total:
            continue
        change = sum(Decimal(one.probability) * one.change for one in group) / Decimal(total)
        together.append(group[0]._replace(probability=total, change=change))
    return together
