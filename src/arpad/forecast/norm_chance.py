"""The chance of a title norm: the opponents fix every condition but score and performance, and results decide those.

Where no game may be left out, the least score that makes the norm is found once, and its chance is that of the total.
Where some may (1.4.1), a norm is made if one of the selections of games makes it: every result is tried.
"""

from __future__ import annotations

from bisect import bisect_left
from decimal import Decimal
from itertools import chain, product
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from arpad.calculation.step import Step
from arpad.core import WIN, Field
from arpad.core.tournaments import DOUBLE_ROUND_ROBIN, EVENT_KINDS, SWISS
from arpad.errors import BadInput, UnknownName
from arpad.forecast.distribution import convolved
from arpad.forecast.norm_answer import MissingCondition, NormChance
from arpad.forecast.schedule import RESULTS
from arpad.messages import say
from arpad.tournaments.norms.answer import Norm
from arpad.tournaments.norms.choice import least_games, legal_sets, settle
from arpad.tournaments.norms.conditions import FID, CountedGame, Setting, in_points, judge
from arpad.tournaments.norms.games import Scoresheet
from arpad.tournaments.norms.rules import NORMS, edition
from arpad.tournaments.norms.working import norm_step

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from arpad.core import Pairing, Player
    from arpad.forecast.schedule import Chances, Model
    from arpad.tournaments.norms.conditions import Verdict
    from arpad.tournaments.norms.rules import Edition

WON = 2  # half points
MOST_SELECTIONS = 500  # eleven games have 79
MOST_WORK = 20_000_000  # selections times results: eleven games to play, about two seconds
KINDS = tuple(kind for kind in EVENT_KINDS if kind != DOUBLE_ROUND_ROBIN)  # where meeting somebody twice matters


class _Selection(NamedTuple):
    """A selection of games: the places left out, those of them that must be won, and the least score of the rest."""

    dropped: tuple[int, ...]
    won: tuple[int, ...]
    least: int


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
        missing=_missing(shown),
        step=norm.step(shown, chance),
    )


def _missing(verdict: Verdict) -> tuple[MissingCondition, ...]:
    """The conditions that no result can fulfil, and those that cannot be judged."""
    return tuple(
        MissingCondition(name=condition.name, met=condition.met, found=condition.found, needed=condition.needed)
        for condition in (*verdict.failed, *verdict.unknown)
        if condition.name not in ("score", "performance")
    )


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


def _opponent(pairing: Pairing) -> Player:
    """The opponent; a norm depends on who that is, so a field is refused."""
    if isinstance(pairing.opponent, Field):
        raise BadInput(say("forecast.refused.norm_field"), at="norm")
    return pairing.opponent


def _game(pairing: Pairing, number: int) -> CountedGame:
    opponent = _opponent(pairing)
    if opponent.rating is not None and not isinstance(opponent.rating, int):
        raise BadInput(say("forecast.refused.norm_whole", rating=opponent.rating), at="norm")
    halves = int(2 * (pairing.score or 0))
    return CountedGame(opponent.rating, opponent.title, opponent.federation, halves, number, number)
