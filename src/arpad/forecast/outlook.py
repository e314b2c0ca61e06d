"""Looking ahead over one rating period: every outcome with its probability, the live rating, and the working."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Unpack

from arpad.calculation import formulas
from arpad.calculation.answer import Answer, Exact, Figure, arrow_table, derived
from arpad.calculation.step import Step, found, known, summed
from arpad.core import Field, Pairing, PlannedEvent, Player, Rating, as_day, as_player
from arpad.core.games import COLOURS
from arpad.core.tournaments import SWISS, EventKind
from arpad.forecast.distribution import Ending, Outcome, chance_of, chance_to_reach, distribution, mean_change
from arpad.forecast.norm_chances import NormChance, field_notes, norm_figures, norms_ahead
from arpad.forecast.norm_simulation import SEED
from arpad.forecast.schedule import Model, NotRatedGame, look, not_rated_games, opponent_rating
from arpad.forecast.strength import Widened, with_uncertainty
from arpad.forecast.targets import (
    Level,
    LevelChance,
    TargetChance,
    level_chances,
    level_figures,
    level_steps,
    levels,
    middle_half_text,
    percent,
    quantile,
    rating_or_unrated,
    reach_figures,
    signed,
    target_chances,
)
from arpad.forecast.typical import AimOptions, Reliability, Typical, aim_of, strength_figure
from arpad.messages import Message, fixed, say
from arpad.systems.answers import ListAhead
from arpad.systems.chances import CALIBRATED, DrawModel
from arpad.systems.fide.k import list_ahead

if TYPE_CHECKING:
    from pyarrow import Table

    from arpad.core import Number, Pace
    from arpad.forecast.schedule import Ahead, Chances
    from arpad.forecast.typical import Aim
    from arpad.systems.base import System
    from arpad.tournaments.norms.rules import NormTitle


Planned = Pairing | PlannedEvent | Player | Field | int | Decimal
# Notes on what one outcome does to K; they do not hold for the whole outlook.
ONE_OUTCOME = ("notes.k.next", "notes.k.games")
MOST_PARTS = 60  # up to this many outcomes get a step each; beyond it, only the sum does


def look_ahead(
    system: System,
    player: Player | Number,
    against: Iterable[Planned],
    *,
    on: date,
    uncertain: Number | Reliability | None = None,
    pace: Pace | None = None,
    norm: NormTitle | Sequence[NormTitle] | None = None,
    kind: EventKind = SWISS,
    seed: int = SEED,
    **asked: Unpack[AimOptions],
) -> Outlook:
    """Every outcome of the games of one rating period, played or to be played, and the chances they add up to.

    Accepts the player, and opponents as ratings or players, pairings, or events. `reach` is a rating to reach, or
    several, and `lose` a loss to watch for; `strength` is the player's true strength
    if it is not the rating, or `typical` takes it from the age; `draws` is the model of chances. `uncertain` adds the
    same chances where the strength is uncertain, `norm` the chances of title norms, simulated with a `seed` where
    opponents are not known.

    Gives an Outlook: every outcome with its chance, the mean, and the chances asked for. Raises BadInput for a player
    without a rating and for targets below the lowest published rating.
    """
    player, on = as_player(player), as_day(on)
    events = planned_events(against, pace)
    aim = aim_of(system, player, on=on, **asked)
    ahead = look(system, player, events, on=on)
    model = Model.on(on, system, aim.strength, aim.draws)
    endings = _merged(distribution(ahead, model))
    outcomes = tuple(ending.outcome for ending in endings)
    shown = _shown(endings, aim.target).calculate()

    def passing(level: Level) -> float:
        if level.below:
            return chance_of(outcomes, lambda outcome: outcome.new_rating is None)
        return chance_to_reach(outcomes, level.level)

    passed = level_chances(levels(system, player, shown, on=on), passing)
    models = [(event, model) for event in events]
    norms = norms_ahead(norm, player, models, on=on, kind=kind, lowest=ahead.lowest, seed=seed)
    chances = tuple(_chances(ahead, model))
    steps = outlook_trail(aim, chances, outcomes, passed)
    return Outlook(
        system=system.name,
        on=on,
        trail=(*steps, *(norm_chance.step for norm_chance in norms), *shown.trail),
        remarks=lambda: [
            *aim.notes,
            *([uncertain.note] if isinstance(uncertain, Reliability) else []),
            *(note for note in shown.notes if note.key not in ONE_OUTCOME),
            *field_notes(events, norms),
            *model.how_well([game.opponent for game in chances], system.name),
        ],
        rating=aim.rating if shown.rating is None else shown.rating,
        strength=aim.strength,
        typical=aim.typical,
        draws=aim.draws,
        k=shown.k,
        k_used=shown.k_used,
        games=len(ahead.pairings),
        open=len(ahead.open),
        target=aim.target,
        targets=target_chances(aim.targets, [(outcome.new_rating, outcome.probability) for outcome in outcomes]),
        lose_more_than=aim.lose_more_than,
        chances=chances,
        not_rated=not_rated_games(shown.per_game),
        so_far=_so_far(system, player, events, on),
        outcomes=outcomes,
        levels=passed,
        norms=norms,
        next_list=list_ahead(
            system.rulebook.at(on),
            player,
            [(outcome.new_rating, outcome.probability) for outcome in outcomes],
            games=len(ahead.pairings) - len(not_rated_games(shown.per_game)),
            on=on,
        ),
        widened=None if uncertain is None else with_uncertainty(ahead, model, aim, uncertain),
    )


@dataclass(frozen=True, kw_only=True)
class Outlook(Answer):
    """What the games ahead in one rating period can do to a rating."""

    rating: Rating
    strength: Rating
    typical: Typical | None  # what was assumed for the age, if that was asked
    draws: DrawModel
    k: Rating | None
    k_used: Rating | None
    games: int
    open: int  # of the games, those still to be played
    target: int | None  # the first of the targets
    targets: tuple[TargetChance, ...]
    lose_more_than: Rating | None
    chances: tuple[GameChances, ...]
    not_rated: tuple[NotRatedGame, ...]
    so_far: LiveRating | None  # None before the first result
    outcomes: tuple[Outcome, ...]  # the lowest score or change first
    levels: tuple[LevelChance, ...]
    norms: tuple[NormChance, ...]  # of each title that was asked about, in each event
    next_list: ListAhead | None  # the list that the games enter, and K on it; None where there are no lists
    widened: Widened | None  # the same chances where the strength is uncertain, if that was asked or is likely

    @derived
    def mean(self) -> Decimal:
        """The mean change."""
        return mean_change(self.outcomes)

    @derived
    def mean_rating(self) -> float | None:
        """The mean new rating over the outcomes that leave a rating; None if none does."""
        left = [
            (outcome.probability, outcome.new_rating) for outcome in self.outcomes if outcome.new_rating is not None
        ]
        total = sum(share for share, _ in left)
        return sum(share * rating for share, rating in left) / total if total else None

    @derived
    def mean_score(self) -> Decimal | None:
        """The mean score in the rated games; None against a field."""
        scores = [
            (Decimal(outcome.probability), outcome.score) for outcome in self.outcomes if outcome.score is not None
        ]
        return sum((share * score for share, score in scores), Decimal(0)) if scores else None

    @derived
    def reach(self) -> float | None:
        """The chance to have the target or more on the next list; None without a target."""
        return None if self.target is None else chance_to_reach(self.outcomes, self.target)

    @derived
    def norm(self) -> NormChance | None:
        """The chance of the first norm; None if none was asked about."""
        return self.norms[0] if self.norms else None

    @derived
    def gain(self) -> float:
        """The chance that the rating rises."""
        return chance_of(self.outcomes, lambda outcome: outcome.rounded > 0)

    @derived
    def lose(self) -> float | None:
        """The chance to lose more than `lose_more_than` points; None without it."""
        most = self.lose_more_than
        return None if most is None else chance_of(self.outcomes, lambda outcome: -outcome.rounded > most)

    @derived
    def unrated(self) -> float:
        """The chance to end below the floor, without a rating."""
        return chance_of(self.outcomes, lambda outcome: outcome.new_rating is None)

    @derived
    def median(self) -> int | None:
        """The median new rating; None means unrated."""
        return self.quantile(0.5)

    @derived
    def middle_half(self) -> tuple[int | None, int | None]:
        """The range of the middle half of the outcomes."""
        return self.quantile(0.25), self.quantile(0.75)

    def quantile(self, share: float) -> int | None:
        """The new rating at this quantile, such as 0.25; None means unrated."""
        return quantile([(outcome.new_rating, outcome.probability) for outcome in self.outcomes], share)

    def to_arrow(self) -> Table:
        """The outcomes as an Arrow table."""
        return arrow_table(
            score=("float64", [outcome.score for outcome in self.outcomes]),
            remaining=("float64", [outcome.remaining for outcome in self.outcomes]),
            change=("float64", [outcome.change for outcome in self.outcomes]),
            new_rating=("int64", [outcome.new_rating for outcome in self.outcomes]),
            probability=("float64", [outcome.probability for outcome in self.outcomes]),
        )

    def summary(self) -> Sequence[Figure]:
        live = self.so_far
        return (
            *reach_figures(self.targets, "next"),
            *([Figure("live", live.new_rating, say("forecast.live", change=live.change))] if live else []),
            Figure("mean", signed(self.mean), self._mean_remark()),
            Figure("middle_half", middle_half_text(self.middle_half), say("forecast.middle_half")),
            Figure("gain", percent(self.gain), say("forecast.gain.next")),
            Figure("lose", percent(self.lose), say("forecast.lose.next", points=self.lose_more_than)),
            *(self.widened.figures() if self.widened else ()),
            *norm_figures(self.norms),
            *level_figures(self.levels, "next"),
            *([] if self.next_list is None else [self.next_list.figure]),
            strength_figure(self.strength, self.typical, say("forecast.draw_model", model=self.draws.called)),
        )

    def _mean_remark(self) -> Message | None:
        """The mean new rating, with the mean score where there is one."""
        if self.mean_rating is None:
            return None
        key = "forecast.mean.if_rated" if self.unrated else "forecast.mean.new_rating"
        mean = say(key, rating=f"{self.mean_rating:.0f}")
        return (
            mean if self.mean_score is None else say("forecast.mean.score", score=fixed(self.mean_score, 2), mean=mean)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class GameChances:
    """The chances of win, draw and loss in a game to be played, by its number."""

    game: int
    opponent: Rating
    colour: Annotated[str, COLOURS] | None
    win: float
    draw: float
    loss: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveRating:
    """What the results so far give by themselves."""

    change: Exact
    new_rating: Rating | None


def planned_events(against: Iterable[Planned], pace: Pace | None = None) -> list[PlannedEvent]:
    """The events given; loose pairings become one event, and a rating or a player a game to be played."""
    loose: list[Pairing] = []
    events: list[PlannedEvent] = []
    for planned in against:
        if isinstance(planned, PlannedEvent):
            events.append(planned)
        elif isinstance(planned, Pairing):
            loose.append(planned)
        else:
            loose.append(Pairing(planned if isinstance(planned, Player | Field) else Player(planned)))
    return [PlannedEvent(tuple(loose), pace=pace), *events] if loose else events


def _merged(endings: Sequence[Ending]) -> list[Ending]:
    """Against a field: one ending for each new rating, with the mean of the changes that lead to it."""
    if all(ending.outcome.score is not None for ending in endings):
        return list(endings)
    groups: dict[tuple[int | None, Rating], list[Ending]] = {}
    for ending in endings:
        groups.setdefault((ending.outcome.new_rating, ending.outcome.rounded), []).append(ending)
    together = []
    for group in groups.values():
        outcomes = [ending.outcome for ending in group]
        total = sum(outcome.probability for outcome in outcomes)
        if len(group) == 1:
            together += group
        elif total:
            change = mean_change(outcomes) / Decimal(total)
            together.append(group[0]._replace(outcome=replace(outcomes[0], probability=total, change=change)))
    return together


def _shown(endings: Sequence[Ending], target: int | None) -> Ending:
    """The ending whose working is shown: the lowest that reaches the target, or else the median."""
    reached = [ending for ending in endings if target is not None and (ending.outcome.new_rating or 0) >= target]
    below = 0.0
    for ending in endings:
        below += ending.outcome.probability
        if below >= 0.5:
            break
    return reached[0] if reached else ending


def _chances(ahead: Ahead, model: Model) -> Iterable[GameChances]:
    """The chances in each game to be played."""
    for no in ahead.open:
        pairing = ahead.pairings[no]
        win, drawn, lost = model.against(pairing)
        opponent = opponent_rating(pairing.opponent)
        yield GameChances(game=no + 1, opponent=opponent, colour=pairing.colour, win=win, draw=drawn, loss=lost)


def _so_far(system: System, player: Player, events: Sequence[PlannedEvent], on: date) -> LiveRating | None:
    """What the results so far give by themselves; None before the first."""
    started = []
    for event in events:
        # A result that is not rated, such as a forfeit, does not count.
        played = tuple(pairing for pairing in event.pairings if pairing.score is not None and pairing.how == "played")
        if played:
            started.append(replace(event, pairings=played))
    if not started:
        return None
    ahead = look(system, player, started, on=on)
    live = distribution(ahead, Model(0.0, CALIBRATED, float))[0].calculate()
    return LiveRating(change=live.change, new_rating=live.new_rating)


def outlook_trail(
    aim: Aim, games: Sequence[GameChances], outcomes: Sequence[Outcome], passed: Iterable[LevelChance]
) -> tuple[Step, ...]:
    """The final steps of an outlook: the mean, the chance to reach each target, and the levels."""
    chances = chance_steps(aim, [(game.opponent, (game.win, game.draw, game.loss)) for game in games])
    sums = _sums_only if len(outcomes) > MOST_PARTS else _sums
    return (*sums(aim, outcomes, chances), *level_steps(passed))


def _sums_only(aim: Aim, outcomes: Sequence[Outcome], chances: tuple[Step, ...]) -> Iterator[Step]:
    """The same figures in one step each, where there are too many outcomes to list."""
    words = {"outcomes": len(outcomes)}
    yield Step("mean.many", mean_change(outcomes), {"chances": chances}, words=words)
    for target in aim.targets:
        reach = Decimal(chance_to_reach(outcomes, target))
        yield Step("reach.many", reach, {"chances": chances}, words={**words, "target": target})


def _sums(aim: Aim, outcomes: Sequence[Outcome], chances: tuple[Step, ...]) -> Iterator[Step]:
    """The mean and the chance to reach each target, as sums over the outcomes."""
    likely = [
        Step(
            "probability" if outcome.score is not None else "probability.rating",
            Decimal(outcome.probability),
            {"chances": chances},
            words={"points": rating_or_unrated(outcome.new_rating) if outcome.score is None else outcome.score},
        )
        for outcome in outcomes
    ]
    parts = tuple(
        found("outcome", formulas.weighted, probability=step, change=known("outcome.change", outcome.change))
        for step, outcome in zip(likely, outcomes, strict=True)
    )
    yield summed("mean", formulas.total, parts)
    for target in aim.targets:
        reaching = tuple(
            step for step, outcome in zip(likely, outcomes, strict=True) if (outcome.new_rating or 0) >= target
        )
        yield summed("reach", formulas.total, reaching, words={"target": target})


def chance_steps(aim: Aim, games: Iterable[tuple[Rating, Chances]]) -> tuple[Step, ...]:
    """A step for the chances against each opponent; identical games share one."""
    strength = aim.strength_step
    return tuple(
        Step(
            "chances" if times == 1 else "chances.alike",
            Decimal(win + drawn / 2),
            {"strength": strength, "opponent": known("opponent", opponent)},
            words={
                "opponent": opponent,
                "times": times,
                "model": aim.draws,
                "win": percent(win),
                "draw": percent(drawn),
                "loss": percent(lost),
            },
        )
        for (opponent, (win, drawn, lost)), times in Counter(games).items()
    )
