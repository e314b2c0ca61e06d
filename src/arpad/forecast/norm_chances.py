"""The chances of norms: in one event, where the opponents fix every condition but the score, and in several ahead."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from itertools import chain, product
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from arpad.calculation.answer import Figure, hidden
from arpad.calculation.step import Step
from arpad.core import WIN, Field
from arpad.core.tournaments import DOUBLE_ROUND_ROBIN, EVENT_KINDS, SWISS
from arpad.errors import BadInput, UnknownName
from arpad.forecast.distribution import convolved
from arpad.forecast.schedule import RESULTS
from arpad.forecast.targets import percent
from arpad.messages import Message, say
from arpad.tournaments.norms.answer import Norm, norm_step
from arpad.tournaments.norms.conditions import (
    FID,
    CountedGame,
    Setting,
    in_points,
    judge,
    least_games,
    legal_sets,
    settle,
)
from arpad.tournaments.norms.games import Scoresheet
from arpad.tournaments.norms.rules import NORMS, edition

if TYPE_CHECKING:
    from arpad.core import Pairing, PlannedEvent, Player
    from arpad.forecast.schedule import Chances, Model
    from arpad.tournaments.norms.conditions import Verdict
    from arpad.tournaments.norms.rules import Edition


WON = 2  # half points
MOST_SELECTIONS = 500  # eleven games have 79
MOST_WORK = 20_000_000  # selections times results: eleven games to play, about two seconds
KINDS = tuple(kind for kind in EVENT_KINDS if kind != DOUBLE_ROUND_ROBIN)  # where meeting an opponent twice matters


def norms_ahead(
    asked: str | Sequence[str] | None,
    player: Player,
    events: Sequence[tuple[PlannedEvent, Model]],
    *,
    on: date,
    kind: str,
) -> NormsAhead:
    """The chance of each norm in each event; where there are several, one against a field gets a note instead."""
    titles = {title.upper(): title for title in ([asked] if isinstance(asked, str) else asked or ())}
    if not titles:
        return NormsAhead()

    named = [(event, model) for event, model in events if not _has_field(event)]
    if not named:
        raise BadInput(say("forecast.refused.norm_field"), at="norm")
    several = len(events) > 1
    work = MOST_WORK // len(named)
    chances = []
    for event, model in named:
        for title in titles.values():
            chance = norm_chance(title, player, event.pairings, model, on=event.on or on, kind=kind, most_work=work)
            chances.append(replace(chance, event=called(event, on)) if several else chance)
    unknown = tuple(say("notes.norm.field", event=called(event, on)) for event, _ in events if _has_field(event))
    return NormsAhead(tuple(chances), unknown)


class NormsAhead(NamedTuple):
    """The chance of each requested norm in each event, and the events for which it cannot be known."""

    chances: tuple[NormChance, ...] = ()
    notes: tuple[Message, ...] = ()


def norm_chance(
    title: str,
    player: Player,
    pairings: Sequence[Pairing],
    model: Model,
    *,
    on: date,
    kind: str = SWISS,
    most_work: int = MOST_WORK,
) -> NormChance:
    """The chance of a norm in one event, by the edition in force when it starts."""
    norm = _NormQuestion.of(title, player, pairings, on, kind)
    to_play = [no for no, pairing in enumerate(norm.pairings) if pairing.score is None]
    chances = [model.against(norm.pairings[no]) for no in to_play]
    made = sum(game.halves for game in norm.sheet.games)
    verdicts = [norm.verdict(total) for total in range(made, made + WON * len(to_play) + 1)]
    more = next((halves for halves, verdict in enumerate(verdicts) if verdict.met), None)
    selections = norm.selections()
    exact = selections is not None and len(selections) * len(RESULTS) ** len(to_play) <= most_work
    chance: float | None = 0.0 if more is None else min(1.0, sum(convolved(chances)[more:]))
    if more is None and verdicts[-1].met is None:
        chance = None
    elif selections and exact:  # otherwise all games count, or it is too much work
        chance = _by_result(norm.sheet.games, to_play, chances, selections)
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
        step=norm.step(shown, chance),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class NormChance:
    """How probable a norm is, the least score of all games that makes it, and the conditions in its way."""

    title: str
    event: str | Message | None = None  # its name or day; None where there is only one
    chance: float | None  # None where a condition cannot be judged
    least_score: Decimal | None  # None where no score makes it without leaving games out
    games: int
    exact: bool  # otherwise leaving games out was not tried, and the chance is at least this
    missing: tuple[MissingCondition, ...]
    step: Step = hidden()

    @property
    def figure(self) -> Figure:
        """The chance for a summary."""
        return Figure("norm.chance", percent(self.chance) or say("forecast.norm.not_known"), self.remark)

    @property
    def remark(self) -> Message:
        """The score that the norm takes, or the conditions in its way; with the event, where there are several."""
        if self.missing and self.least_score is None and not self.chance:
            reasons = tuple(condition.reason(self.title) for condition in self.missing)
            remark = say("forecast.norm.missing", title=self.title, reasons=reasons)
        else:
            remark = say("forecast.norm.of", title=self.title)
            if self.least_score is not None:
                remark = say("forecast.norm.enough", title=self.title, score=self.least_score, games=self.games)
            if not self.exact:
                remark = say("forecast.norm.at_least", remark=remark)
        return remark if self.event is None else say("forecast.norm.in_event", remark=remark, event=self.event)


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingCondition:
    """A condition of a norm that no result can fulfil (`met` is False), or that cannot be judged (None)."""

    name: str
    met: bool | None
    found: int | Decimal | str | Message | None
    needed: int | Decimal | str | Message | None

    def reason(self, title: str) -> Message:
        """Why a norm for a title is missed: the condition is not met, or cannot be judged."""
        if self.met is None:
            return say("forecast.norm.unknown", condition=say(f"steps.label.norm.{self.name}"))
        return say(f"tournaments.missed.{self.name}", found=self.found, needed=self.needed, title=title)


@dataclass(frozen=True, slots=True, kw_only=True)
class SomeNorm:
    """How probable it is to make at least one norm for a title in several events."""

    title: str
    chance: float | None  # None where that of an event is not known
    exact: bool  # otherwise the chance is at least this

    @property
    def figure(self) -> Figure:
        """The chance for a summary."""
        remark = say("forecast.norm.some", title=self.title)
        value = percent(self.chance) or say("forecast.norm.not_known")
        return Figure("norm.some", value, remark if self.exact else say("forecast.norm.at_least", remark=remark))


def some_norms(norms: Sequence[NormChance]) -> tuple[SomeNorm, ...]:
    """The chance of at least one norm for each title; for a given strength, events are independent."""
    found = []
    for title in dict.fromkeys(norm.title for norm in norms):
        chances = [norm.chance for norm in norms if norm.title == title]
        known = [chance for chance in chances if chance is not None]
        chance = None if len(known) < len(chances) else 1 - prod(1 - chance for chance in known)
        found.append(
            SomeNorm(title=title, chance=chance, exact=all(norm.exact for norm in norms if norm.title == title))
        )
    return tuple(found)


def norm_figures(norms: Sequence[NormChance]) -> Iterator[Figure]:
    """Each chance for a summary; with several events, the chance of at least one norm comes first."""
    if any(norm.event is not None for norm in norms):
        yield from (some.figure for some in some_norms(norms))
    yield from (norm.figure for norm in norms)


def called(event: PlannedEvent, on: date) -> str | Message:
    """An event by its name, or by its day."""
    return event.name or say("forecast.event_of", on=event.on or on)


def _has_field(event: PlannedEvent) -> bool:
    """Whether only the average of some opponents is known; a norm depends on who they are."""
    return any(isinstance(pairing.opponent, Field) for pairing in event.pairings)


class _NormQuestion(NamedTuple):
    """The question: which norm, for whom, in which games, by which rules."""

    title: str
    player: Player
    pairings: tuple[Pairing, ...]  # those that count
    sheet: Scoresheet
    rules: Edition
    setting: Setting

    @classmethod
    def of(cls, title: str, player: Player, pairings: Sequence[Pairing], on: date, kind: str) -> _NormQuestion:
        """The question, checked."""
        if title.upper() not in NORMS:
            raise UnknownName("title_with_norms", title, known=NORMS, at="norm")
        if kind not in KINDS:
            raise UnknownName("event_kind_ahead", kind, known=KINDS, at="event_kind")
        rules = edition(on)
        counted = tuple(pairing for pairing in pairings if _counts(pairing, rules))
        games = tuple(_game(pairing, number) for number, pairing in enumerate(counted, start=1))
        spared = any(pairing.how == "forfeit" and pairing.score == WIN for pairing in pairings)
        sheet = Scoresheet(games, spared=spared, rounds=len(pairings))
        setting = Setting(kind, least_games(len(pairings), kind, rules.titles))
        return cls(title.upper(), player, counted, sheet, rules, setting)

    @property
    def least_games(self) -> int:
        """The fewest games of a norm here."""
        return 0 if self.setting.games is None else self.setting.games.least

    def verdict(self, halves: int) -> Verdict:
        """The verdict on all games with this many half points; only their sum matters to the conditions."""
        games = []
        for game in self.sheet.games:
            mine = min(WON, halves)
            halves -= mine
            games.append(game._replace(halves=mine))
        if len(games) > self.least_games:
            return judge(self.title, self.player, games, self.rules, self.setting)
        # No game can be left out, but being a game short may be allowed.
        return settle(self.title, self.player, self.sheet._replace(games=tuple(games)), self.rules, self.setting)

    def selections(self) -> list[_Selection] | None:
        """All games, and every selection of them that can make the norm; None if they are too many.

        The list is empty where no game can be left out.
        """
        won = tuple(game._replace(halves=WON) for game in self.sheet.games)
        if len(won) <= self.least_games:
            return []
        selections = []
        rules, setting = self.rules.titles, self.setting
        verdict = judge(self.title, self.player, won, self.rules, setting)
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

        def met(halves: int) -> bool:
            scored = (first._replace(halves=halves), *rest)
            return bool(judge(self.title, self.player, scored, self.rules, self.setting).met)

        # More points never undo a norm, so a binary search finds the least.
        least = bisect_left(range(WON * len(games) + 1), True, key=met)
        return least if least <= WON * len(games) else None

    def step(self, shown: Verdict, chance: float | None) -> Step:
        """The chance, resting on the conditions at the least score that is enough, or at a full score."""
        held = self.player.title in self.rules.titles.same_title.value.titles[self.title]
        norm = Norm(shown, (), held, shown.counts_as)
        who = say("forecast.norm.who", score=in_points(shown.halves), games=len(shown.games))
        conditions = norm_step(norm, self.sheet, self.rules, who)
        value = None if chance is None else Decimal(chance)
        return Step("norm.chance", value, {"norm": conditions}, words={"title": self.title})


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


def _counts(pairing: Pairing, rules: Edition) -> bool:
    """Whether a game counts for a norm once it is played (1.4.2)."""
    opponent = _opponent(pairing)
    return pairing.how == "played" and not (opponent.federation == FID and rules.titles.fid.value == "left out")


def _game(pairing: Pairing, number: int) -> CountedGame:
    opponent = _opponent(pairing)
    if opponent.rating is not None and not isinstance(opponent.rating, int):
        raise BadInput(say("forecast.refused.norm_whole", rating=opponent.rating), at="norm")
    halves = int(2 * (pairing.score or 0))
    return CountedGame(opponent.rating, opponent.title, opponent.federation, halves, number, number)


def _opponent(pairing: Pairing) -> Player:
    """The opponent; a norm depends on who that is, so a field is refused."""
    if isinstance(pairing.opponent, Field):
        raise BadInput(say("forecast.refused.norm_field"), at="norm")
    return pairing.opponent
