"""The chances of norms, in one event and in several ahead.

Named opponents fix every condition but the score, so the chance is exact; opponents who are not known are simulated.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from itertools import chain, product
from math import prod, sqrt
from typing import TYPE_CHECKING, NamedTuple

from arpad.calculation.answer import Figure, hidden
from arpad.calculation.step import Step, ruled
from arpad.core import LOWEST_RATING, Field
from arpad.forecast.distribution import convolved
from arpad.forecast.norm_simulation import (
    MOST_RUNS,
    SEED,
    NormCase,
    NormSimulation,
    norm_game,
    simulate_norm,
    simulated_percent,
)
from arpad.forecast.schedule import RESULTS
from arpad.forecast.targets import percent
from arpad.messages import Message, say
from arpad.tournaments.norms.answer import Norm, norm_step
from arpad.tournaments.norms.conditions import WON, CountedGame, in_points, judge, legal_sets, settle
from arpad.tournaments.norms.games import Scoresheet

if TYPE_CHECKING:
    from arpad.core import PlannedEvent, Player
    from arpad.forecast.schedule import Chances, Model
    from arpad.tournaments.norms.conditions import Verdict


MOST_SELECTIONS = 500  # eleven games have 79
SAME = 1e-6  # a standard error below this: every simulated event had the same chance
MOST_WORK = 20_000_000  # selections times results: eleven games to play, about two seconds


def norms_ahead(
    asked: str | Sequence[str] | None,
    player: Player,
    events: Sequence[tuple[PlannedEvent, Model]],
    *,
    on: date,
    kind: str,
    lowest: int = LOWEST_RATING,
    seed: int = SEED,
) -> tuple[NormChance, ...]:
    """The chance of each norm in each event; `lowest` is the lowest rating that an unknown opponent may have."""
    titles = {title.upper(): title for title in ([asked] if isinstance(asked, str) else asked or ())}
    several = len(events) > 1
    limits = NormLimits(MOST_WORK // max(1, len(events)), MOST_RUNS // max(1, len(events) * len(titles)), lowest, seed)
    chances = []
    for event, model in events:
        for title in titles.values():
            norm = NormCase.of(title, player, event.pairings, event.on or on, kind)
            chance = norm_chance(norm, model, complete=several or event.complete, limits=limits)
            if chance.simulation is not None and event.assumed:
                chance = replace(chance, simulation=_explained(chance.simulation, event))
            chances.append(replace(chance, event=called(event, on)) if several else chance)
    return tuple(chances)


def _explained(simulation: NormSimulation, event: PlannedEvent) -> NormSimulation:
    """A simulation with the event's own notes on its field, which say more than the figures alone."""
    others = [note for note in simulation.assumed if note.key != "notes.field.drawn"]
    return replace(simulation, assumed=(*event.assumed, *others))


class NormLimits(NamedTuple):
    """How much may be tried and simulated, the lowest rating to draw, and the seed."""

    work: int = MOST_WORK
    runs: int = MOST_RUNS
    lowest: int = LOWEST_RATING
    seed: int = SEED


def norm_chance(norm: NormCase, model: Model, *, complete: bool = True, limits: NormLimits | None = None) -> NormChance:
    """The chance of a norm in one event.

    It is not known if there are too few games for a norm, unless the event is `complete` and has no more rounds.
    """
    limits = limits or NormLimits()
    if norm.unpaired and norm.rounds >= norm.least_games:
        return _simulated(norm, model, limits)
    if norm.rounds < norm.least_games and (norm.unpaired or not complete):
        # An event that is too short can make no norm; one that is not complete may get longer.
        return _too_few_games(norm, None if not complete and not norm.unpaired else 0.0)
    return _exact(norm, model, limits.work)


def _exact(norm: NormCase, model: Model, most_work: int) -> NormChance:
    """The chance where all opponents are known: that of the least score that is enough."""
    case = _NamedOpponents.of(norm)
    to_play = [no for no, pairing in enumerate(norm.pairings) if pairing.score is None]
    chances = [model.against(norm.pairings[no]) for no in to_play]
    made = sum(game.halves for game in case.sheet.games)
    verdicts = [case.verdict(total) for total in range(made, made + WON * len(to_play) + 1)]
    more = next((halves for halves, verdict in enumerate(verdicts) if verdict.met), None)
    selections = case.selections()
    exact = selections is not None and len(selections) * len(RESULTS) ** len(to_play) <= most_work
    chance: float | None = 0.0 if more is None else min(1.0, sum(convolved(chances)[more:]))
    if more is None and verdicts[-1].met is None:
        chance = None
    elif selections and exact:  # otherwise all games count, or it is too much work
        chance = _by_result(case.sheet.games, to_play, chances, selections)
    shown = verdicts[-1 if more is None else more]
    return NormChance(
        title=norm.title,
        chance=chance,
        least_score=None if more is None else in_points(made + more),
        games=len(shown.games),
        exact=exact,
        missing=tuple(
            MissingCondition(name=condition.name, met=condition.met, found=condition.found, needed=condition.needed)
            for condition in (*shown.failed, *shown.unknown)
            if condition.name not in ("score", "performance")
        ),
        step=case.step(shown, chance),
    )


def _simulated(norm: NormCase, model: Model, limits: NormLimits) -> NormChance:
    """The chance where some opponents are not known: the share of simulated events with a norm."""
    chance, simulation = simulate_norm(norm, model, lowest=limits.lowest, seed=limits.seed, runs=limits.runs)
    fields = [pairing.opponent for pairing in norm.unpaired if isinstance(pairing.opponent, Field)]
    average = round(sum(float(field.average) for field in fields) / len(fields))
    enough = next((row for row in simulation.by_average if row.holds(average)), None)
    words = {"title": norm.title, "runs": simulation.runs, "seed": simulation.seed}
    conditions = tuple(
        Step("norm.share", Decimal(part.chance), words={"condition": say(f"steps.label.norm.{part.name}")})
        for part in simulation.conditions
    )
    return NormChance(
        title=norm.title,
        chance=chance,
        least_score=None if enough is None else enough.score,
        games=len(norm.pairings),
        exact=False,
        missing=tuple(
            MissingCondition(name=part.name, met=False, found=None, needed=None)
            for part in simulation.conditions
            if not part.chance and part.name not in ("score", "performance")
        ),
        simulation=simulation,
        step=Step("norm.simulated", Decimal(chance), {"conditions": conditions}, words=words),
    )


def _too_few_games(norm: NormCase, chance: float | None) -> NormChance:
    """An event with fewer games than a norm takes: no chance, or not known if more rounds may follow."""
    rule = norm.rules.titles.games
    few = MissingCondition(
        name="games", met=None if chance is None else False, found=norm.rounds, needed=norm.least_games
    )
    value = None if chance is None else Decimal(0)
    games = ruled("norm.games", rule, norm.rounds)
    return NormChance(
        title=norm.title,
        chance=chance,
        least_score=None,
        games=norm.rounds,
        exact=True,
        missing=(few,),
        step=Step("norm.chance", value, {"games": games}, words={"title": norm.title}),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class NormChance:
    """How probable a norm is, the least score of all games that makes it, and the conditions in its way.

    Where opponents are not known, the chance is simulated, and the least score is for the expected average of them.
    """

    title: str
    event: str | Message | None = None  # its name or day; None where there is only one
    chance: float | None  # None where a condition cannot be judged
    least_score: Decimal | None  # None where no score makes it without leaving games out
    games: int
    exact: bool  # otherwise it was simulated, or leaving games out was not tried and the chance is at least this
    missing: tuple[MissingCondition, ...]
    simulation: NormSimulation | None = None
    step: Step = hidden()

    @property
    def at_least(self) -> bool:
        """Whether the chance is a lower bound."""
        return not self.exact and self.simulation is None

    @property
    def figure(self) -> Figure:
        """The chance for a summary."""
        return Figure("norm.chance", self.shown or say("forecast.norm.not_known"), self.remark)

    @property
    def shown(self) -> Message | None:
        """The chance in percent, with the digits that mean something; None if it is not known."""
        if self.chance is None or self.simulation is None or self.simulation.error < SAME:
            return percent(self.chance)
        return simulated_percent(self.chance, self.simulation.error)

    @property
    def remark(self) -> Message:
        """The score that the norm takes, or the conditions in its way; with the event, where there are several."""
        if self.missing and not self.chance and (self.least_score is None or self.simulation is not None):
            reasons = tuple(condition.reason(self.title) for condition in self.missing)
            remark = say("forecast.norm.missing", title=self.title, reasons=reasons)
        else:
            remark = say("forecast.norm.of", title=self.title)
            if self.least_score is not None:
                remark = self._enough(self.least_score)
            if self.simulation is not None:
                remark = _with_error(remark, self.simulation.error)
            elif self.at_least:
                remark = say("forecast.norm.at_least", remark=remark)
        return remark if self.event is None else say("forecast.norm.in_event", remark=remark, event=self.event)

    def _enough(self, score: Decimal) -> Message:
        """The least score that makes the norm, with the opponents for whom it does if they are not all known."""
        values = {"title": self.title, "score": score, "games": self.games}
        rows = () if self.simulation is None else self.simulation.by_average
        row = next((row for row in rows if row.score == score), None)
        if row is None or (row.from_average is None and row.to_average is None):
            return say("forecast.norm.enough", **values)
        low, high = row.from_average, row.to_average
        key = "up_to" if low is None else "from" if high is None else "between"
        return say(f"forecast.norm.enough.{key}", **values, low=low, high=high)


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingCondition:
    """A condition of a norm that no result can fulfil (`met` is False), or that cannot be judged (None)."""

    name: str
    met: bool | None
    found: int | Decimal | str | Message | None
    needed: int | Decimal | str | Message | None

    def reason(self, title: str) -> Message:
        """Why a norm for a title is missed: the condition is not met, or cannot be judged."""
        condition = say(f"steps.label.norm.{self.name}")
        if self.met is None and self.name == "games":
            return say("forecast.norm.more_rounds", found=self.found, needed=self.needed)
        if self.met is None:
            return say("forecast.norm.unknown", condition=condition)
        if self.needed is None:
            return say("forecast.norm.never", condition=condition)
        return say(f"tournaments.missed.{self.name}", found=self.found, needed=self.needed, title=title)


@dataclass(frozen=True, slots=True, kw_only=True)
class SomeNorm:
    """How probable it is to make at least one norm for a title in several events."""

    title: str
    chance: float | None  # None where that of an event is not known
    exact: bool  # otherwise that of an event was simulated or is a lower bound
    at_least: bool  # whether the chance is a lower bound
    error: float  # the standard error; zero if nothing was simulated

    @property
    def figure(self) -> Figure:
        """The chance for a summary."""
        remark = say("forecast.norm.some", title=self.title)
        value = percent(self.chance)
        if self.chance is not None and self.error >= SAME:
            value = simulated_percent(self.chance, self.error)
            remark = _with_error(remark, self.error)
        remark = say("forecast.norm.at_least", remark=remark) if self.at_least else remark
        return Figure("norm.some", value or say("forecast.norm.not_known"), remark)


def _with_error(remark: Message, error: float) -> Message:
    """A remark with the standard error of the chance; without one, where every simulated event had the same chance."""
    if error < SAME:
        return remark
    return say("forecast.norm.simulated", remark=remark, error=Decimal(f"{100 * error:.1g}"))


def some_norms(norms: Sequence[NormChance]) -> tuple[SomeNorm, ...]:
    """The chance of at least one norm for each title; for a given strength, events are independent."""
    found = []
    for title in dict.fromkeys(norm.title for norm in norms):
        own = [norm for norm in norms if norm.title == title]
        known = [norm.chance for norm in own if norm.chance is not None]
        none = prod(1 - chance for chance in known)
        errors = [
            none / (1 - norm.chance) * norm.simulation.error
            for norm in own
            if norm.simulation is not None and norm.chance is not None and norm.chance < 1
        ]
        found.append(
            SomeNorm(
                title=title,
                chance=None if len(known) < len(own) else 1 - none,
                exact=all(norm.exact for norm in own),
                at_least=any(norm.at_least for norm in own),
                error=sqrt(sum(error**2 for error in errors)),
            )
        )
    return tuple(found)


def norm_figures(norms: Sequence[NormChance]) -> Iterator[Figure]:
    """Each chance for a summary; with several events, the chance of at least one norm comes first."""
    if any(norm.event is not None for norm in norms):
        yield from (some.figure for some in some_norms(norms))
    yield from (norm.figure for norm in norms)


def field_notes(events: Sequence[PlannedEvent], norms: Sequence[NormChance]) -> list[Message]:
    """What was assumed about opponents who are not known, each once: of the events, then of the simulated norms."""
    simulations = [norm.simulation for norm in norms if norm.simulation is not None]
    notes = [note for event in events for note in event.assumed]
    drawn = [note for simulation in simulations for note in simulation.assumed]
    how = [say("notes.norm.simulated", runs=one.runs, seed=one.seed) for one in simulations]
    once: list[Message] = []
    for note in (*notes, *drawn, *how):
        once += [] if note in once else [note]
    return once


def called(event: PlannedEvent, on: date) -> str | Message:
    """An event by its name, or by its day."""
    return event.name or say("forecast.event_of", on=event.on or on)


class _NamedOpponents(NamedTuple):
    """A norm against opponents who are all known."""

    norm: NormCase
    sheet: Scoresheet

    @classmethod
    def of(cls, norm: NormCase) -> _NamedOpponents:
        """The games of the event on a scoresheet."""
        games = tuple(norm_game(pairing, number) for number, pairing in enumerate(norm.pairings, start=1))
        return cls(norm, Scoresheet(games, spared=norm.spared, rounds=norm.rounds))

    def verdict(self, halves: int) -> Verdict:
        """The verdict on all games with this many half points; only their sum matters to the conditions."""
        games = []
        for game in self.sheet.games:
            mine = min(WON, halves)
            halves -= mine
            games.append(game._replace(halves=mine))
        norm = self.norm
        if norm.can_leave_out:
            return judge(norm.title, norm.player, games, norm.rules, norm.setting)
        # No game can be left out, but being a game short may be allowed.
        sheet = self.sheet._replace(games=tuple(games))
        return settle(norm.title, norm.player, sheet, norm.rules, norm.setting)

    def selections(self) -> list[_Selection] | None:
        """All games, and every selection of them that can make the norm; None if they are too many.

        The list is empty where no game can be left out.
        """
        won = tuple(game._replace(halves=WON) for game in self.sheet.games)
        norm = self.norm
        if not norm.can_leave_out:
            return []
        selections = []
        rules, setting = norm.rules.titles, norm.setting
        verdict = judge(norm.title, norm.player, won, norm.rules, setting)
        may_drop_last = setting.kind not in rules.later_rounds.value
        for tried, kept in enumerate(chain((won,), legal_sets(won, verdict, setting, rules))):
            if tried == MOST_SELECTIONS:
                return None
            rounds = {game.round for game in kept}
            dropped = tuple(no for no, game in enumerate(won) if game.round not in rounds)
            least = self._least(kept)
            if least is not None:
                # The last rounds may be left out whatever their results.
                must_win = tuple(no for no in dropped if not may_drop_last or won[no].round < max(rounds))
                selections.append(_Selection(dropped, must_win, least))
        return selections

    def _least(self, games: Sequence[CountedGame]) -> int | None:
        """The least number of half points with which these games are a norm; None if none is enough."""
        first, *rest = (game._replace(halves=0) for game in games)
        norm = self.norm

        def met(halves: int) -> bool:
            scored = (first._replace(halves=halves), *rest)
            return bool(judge(norm.title, norm.player, scored, norm.rules, norm.setting).met)

        # More points never undo a norm, so a binary search finds the least.
        least = bisect_left(range(WON * len(games) + 1), True, key=met)
        return least if least <= WON * len(games) else None

    def step(self, shown: Verdict, chance: float | None) -> Step:
        """The chance, resting on the conditions at the least score that is enough, or at a full score."""
        norm = self.norm
        held = norm.player.title in norm.rules.titles.same_title.value.titles[norm.title]
        who = say("forecast.norm.who", score=in_points(shown.halves), games=len(shown.games))
        conditions = norm_step(Norm(shown, (), held, shown.counts_as), self.sheet, norm.rules, who)
        value = None if chance is None else Decimal(chance)
        return Step("norm.chance", value, {"norm": conditions}, words={"title": norm.title})


class _Selection(NamedTuple):
    """A selection of games: the places left out, those of them that must be won, and the least score of the rest."""

    dropped: tuple[int, ...]
    won: tuple[int, ...]
    least: int


def _by_result(
    games: Sequence[CountedGame], to_play: Sequence[int], chances: Sequence[Chances], selections: Sequence[_Selection]
) -> float:
    """The chance of a norm, by trying every result: it counts if any selection of the games makes the norm."""
    halves = [game.halves for game in games]
    fewest = min(kept.least + WON * len(kept.won) for kept in selections)
    made = sum(halves)
    chance = 0.0
    for results in product(range(WON + 1), repeat=len(to_play)):
        total = made + sum(results)
        if total < fewest:
            continue
        for no, result in zip(to_play, results, strict=True):
            halves[no] = result
        if any(
            total - sum([halves[no] for no in kept.dropped]) >= kept.least and all(halves[no] == WON for no in kept.won)
            for kept in selections
        ):
            chance += prod(game[WON - result] for game, result in zip(chances, results, strict=True))
    return min(1.0, chance)
