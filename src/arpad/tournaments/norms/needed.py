"""Before the last round: what is still needed for a norm."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from itertools import chain
from typing import Annotated

from arpad.calculation.answer import derived, hidden
from arpad.core import Player
from arpad.systems.performance import in_whole_numbers
from arpad.tournaments.norms.conditions import (
    MIX,
    CountedGame,
    Setting,
    Verdict,
    all_met,
    forgiven_games,
    in_points,
    judge,
    least_games,
    raised,
    settle,
)
from arpad.tournaments.norms.games import Scoresheet
from arpad.tournaments.norms.rules import Edition, TitleRules

RESULTS = {0: "loss", 1: "draw", 2: "win"}
TITLED, FOREIGN = "titled", "foreign"  # what an opponent may need to be
UNKNOWN = "not known"  # used if titles or federations are not in the file


def still_needed(
    verdict: Verdict, player: Player, sheet: Scoresheet, edition: Edition, setting: Setting, strongest: int | None
) -> Needs | None:
    """What is needed in the rounds left; None if none are left. `strongest` is the highest rating in the field."""
    if not sheet.left:
        return None
    if verdict.condition("sex").met is False:
        return Needs(sheet.left, made=False)
    title, made = verdict.title, bool(verdict.met)
    if sheet.left == 1 and sheet.next is not None:
        trials = tuple(
            Trial(result, settle(title, player, sheet.with_game(sheet.next, halves), edition, setting))
            for halves, result in RESULTS.items()
        )
        return Needs(sheet.left, made, sheet.next, trials)
    counts = _further(sheet, edition.titles, setting.kind)
    demands = (_demands(title, player, sheet, further, edition, setting, strongest) for further in counts)
    return Needs(sheet.left, made, None, (), tuple(chain.from_iterable(demands)))


@dataclass(frozen=True)
class Needs:
    """What is still needed: against a known opponent in the last round, or per score in the rounds left."""

    rounds_left: int
    made: bool  # whether the norm is complete without the rounds left
    last_game: CountedGame | None = hidden(default=None)  # against a known opponent; the score is still open
    results: tuple[Trial, ...] = ()
    scores: tuple[Demand, ...] = ()

    @derived
    def opponent(self) -> int | None:
        """The known opponent's starting number."""
        return None if self.last_game is None else self.last_game.opponent

    @derived
    def result(self) -> str | None:
        """The lowest result against the known opponent that makes the norm; None if none does."""
        return next((trial.result for trial in self.results if trial.met), None)

    @property
    def best(self) -> Verdict | None:
        """The verdict after the best result against the known opponent; None if the opponent is not known."""
        return self.results[-1].verdict if self.results else None

    @property
    def possible(self) -> bool:
        """Whether the norm is achieved or still possible."""
        return self.made or self.result is not None or any(UNKNOWN not in demand.opponent for demand in self.scores)

    @property
    def undecided(self) -> bool:
        """Whether that depends on unknown facts."""
        return not self.possible and (bool(self.scores) or any(trial.met is None for trial in self.results))


@dataclass(frozen=True)
class Trial:
    """A possible result of the last game, and the verdict after it."""

    result: Annotated[str, tuple(RESULTS.values())]
    verdict: Verdict = field(repr=False, metadata={"hidden": True})

    @derived
    def met(self) -> bool | None:
        """Whether it would make the norm; None if unknown."""
        return self.verdict.met

    @derived
    def performance(self) -> int | None:
        """The performance after it."""
        return self.verdict.performance

    @derived
    def failed(self) -> tuple[str, ...]:
        """The conditions that would not be met."""
        return tuple(condition.name for condition in self.verdict.failed)


@dataclass(frozen=True, slots=True)
class Demand:
    """A score in further games, the lowest average rating of the opponents, and what they need to be.

    `rating` is None if any opponent will do.
    """

    games: int
    score: Decimal
    rating: int | None
    opponent: tuple[str, ...]


def _further(sheet: Scoresheet, rules: TitleRules, kind: str) -> list[int]:
    """After how many further games a norm may be complete: the fewest possible, and all that are left.

    If pairings are fixed, all rounds are needed. Games that could be left out after a win are not considered.
    """
    played, left = len(sheet.games), sheet.left
    least = forgiven_games(sheet, played + left, rules) or least_games(sheet.rounds, kind, rules)
    fewest = left if kind in rules.later_rounds.value else max(1, least.least - played)
    return sorted({fewest, left}) if played + left >= least.least else []


def _demands(
    title: str,
    player: Player,
    sheet: Scoresheet,
    further: int,
    edition: Edition,
    setting: Setting,
    strongest: int | None,
) -> tuple[Demand, ...]:
    """The lowest average of the opponents to come, for each score; empty if the mix cannot be met."""
    rules, count = edition.titles, len(sheet.games) + further
    scored = sum(game.halves for game in sheet.games)
    scores = [halves for halves in range(2 * further + 1) if scored + halves >= rules.score.value.halves(count)]
    ratings = {halves: least_rating(title, sheet, further, scored + halves, edition) for halves in scores}
    within = [
        halves for halves, rating in ratings.items() if rating is None or strongest is None or rating <= strongest
    ]
    wanted = _wanted(title, player, sheet, further, edition, setting) if within else None
    if wanted is None:
        return ()
    return tuple(Demand(further, in_points(halves), ratings[halves], wanted) for halves in within)


def least_rating(title: str, sheet: Scoresheet, further: int, halves: int, edition: Edition) -> int | None:
    """The lowest average of the opponents to come; None if any will do.

    The floor applies to the lowest opponent: an earlier one or, with one game to come, the last one.
    """
    rules, count = edition.titles, len(sheet.games) + further
    dp = in_whole_numbers(0, halves, count, edition.performances)[1]
    least = max(rules.average.value[title], rules.performance.value[title] - dp)
    total = -(-(2 * least - 1) * count // 2)  # the smallest sum whose average rounds up to it
    ratings = [rules.unrated.value if game.rating is None else game.rating for game in sheet.games]
    if further == 1 and sum(ratings) + rules.floor.value[title] >= total:
        return None
    missing = total - (sum(raised(title, sheet.games, rules)) if ratings else 0)
    return -(-missing // further)


def _wanted(
    title: str, player: Player, sheet: Scoresheet, further: int, edition: Edition, setting: Setting
) -> tuple[str, ...] | None:
    """What the opponents to come need to be for the mix; None if even the best would not do."""
    same = edition.titles.same_title.value.titles[title]
    other = next(titled for titled in edition.titles.titled.value.titles if titled not in same)
    unknown = False
    for foreign in (False, True):
        for held, word in ((None, ""), (other, TITLED), (title, title)):
            # Each foreigner to come is from another federation, so that none of them breaks a limit.
            trial = (
                CountedGame(None, held, f"{FOREIGN} {number}" if foreign else player.federation, 0, -number)
                for number in range(further)
            )
            verdict = judge(title, player, (*sheet.games, *trial), edition, setting)
            met = all_met([verdict.condition(name).met for name in ("sex", *MIX)])
            if met:
                return tuple(filter(None, (word, FOREIGN * foreign)))
            unknown |= met is None
    return (UNKNOWN,) if unknown else None
