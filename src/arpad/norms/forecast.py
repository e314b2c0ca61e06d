"""Before the last round: what is still needed for a norm."""

# No postponed annotations here: named tuples would compile each one, which costs the command line milliseconds.

from decimal import Decimal
from typing import NamedTuple

from arpad.model import Player
from arpad.norms.choice import least_games, settle
from arpad.norms.conditions import MIX, CountedGame, Setting, Verdict, judge, points, raised
from arpad.norms.games import Scoresheet
from arpad.norms.rules import Edition, TitleRules
from arpad.performances import in_whole_numbers

RESULTS = {0: "loss", 1: "draw", 2: "win"}
TITLED, FOREIGN = "titled", "foreign"  # what an opponent may have to be


class Trial(NamedTuple):
    """A result of the last game and what it would give."""

    result: str
    verdict: Verdict


class Demand(NamedTuple):
    """A score in the rounds left, the least average rating of the opponents it needs, and what they must be.

    No rating is needed (None) where any opponent will do.
    """

    score: Decimal
    rating: int | None
    opponent: tuple[str, ...]


class Needs(NamedTuple):
    """What is still needed: against a known opponent in the last round, or per score in the rounds left."""

    left: int
    made: bool  # the norm is complete without the rounds left
    opponent: CountedGame | None = None
    trials: tuple[Trial, ...] = ()
    demands: tuple[Demand, ...] = ()

    @property
    def result(self) -> str | None:
        """The least result against the known opponent that makes the norm; None if none does."""
        return next((trial.result for trial in self.trials if trial.verdict.met), None)

    @property
    def possible(self) -> bool:
        """Whether the norm can still be made, or is."""
        return self.made or self.result is not None or bool(self.demands)


def still_needed(
    verdict: Verdict, player: Player, sheet: Scoresheet, edition: Edition, setting: Setting, strongest: int | None
) -> Needs | None:
    """What the rounds left must bring; None if none is left. Nobody in the field is above the `strongest`."""
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
    return Needs(sheet.left, made, None, (), _demands(title, player, sheet, edition, setting, strongest))


def _demands(
    title: str, player: Player, sheet: Scoresheet, edition: Edition, setting: Setting, strongest: int | None
) -> tuple[Demand, ...]:
    """The least average of the opponents to come, per score; none where the games or the mix cannot be met."""
    rules, left = edition.titles, sheet.left
    games = least_games(sheet.rounds, setting.kind, rules)
    count = len(sheet.games) + left
    if count < games.least:
        return ()
    scored = sum(game.halves for game in sheet.games)
    scores = [halves for halves in range(2 * left + 1) if scored + halves >= rules.score.value.halves(count)]
    ratings = {halves: _least_rating(title, sheet, scored + halves, edition) for halves in scores}
    within = [halves for halves, one in ratings.items() if one is None or strongest is None or one <= strongest]
    wanted = _wanted(title, player, sheet, edition, setting._replace(games=games)) if within else None
    return () if wanted is None else tuple(Demand(points(halves), ratings[halves], wanted) for halves in within)


def _least_rating(title: str, sheet: Scoresheet, halves: int, edition: Edition) -> int | None:
    """The least average of those to come; None if any will do.

    The floor may be used on an earlier opponent or, with one round left, on the last one: whoever is the lowest.
    """
    rules, left = edition.titles, sheet.left
    count = len(sheet.games) + left
    dp = in_whole_numbers(0, halves, count, edition.performances)[1]
    least = max(rules.average.value[title], rules.performance.value[title] - dp)
    total = -(-(2 * least - 1) * count // 2)  # the smallest sum whose average is rounded up to it
    ratings = [rules.unrated.value if game.rating is None else game.rating for game in sheet.games]
    if left == 1 and sum(ratings) + rules.floor.value[title] >= total:
        return None
    missing = total - (sum(raised(title, sheet.games, rules)) if ratings else 0)
    return -(-missing // left)


def _wanted(
    title: str, player: Player, sheet: Scoresheet, edition: Edition, setting: Setting
) -> tuple[str, ...] | None:
    """What the opponents to come must be for the mix; None if even the best would not do."""
    for foreign in (False, True):
        for held, called in _titles(title, edition.titles):
            # Foreigners to come are of as many federations, so that none of them breaks a ceiling.
            trial = (
                CountedGame(None, held, f"{FOREIGN} {number}" if foreign else player.federation, 0, -number)
                for number in range(sheet.left)
            )
            verdict = judge(title, player, (*sheet.games, *trial), edition, setting)
            if all(verdict.condition(name).met for name in ("sex", *MIX)):
                return tuple(one for one in (called, FOREIGN * foreign) if one)
    return None


def _titles(title: str, rules: TitleRules) -> tuple[tuple[str | None, str], ...]:
    """Opponents by title, from none to that of the norm, and what one would have to be called."""
    other = next(one for one in rules.titled.value.titles if one not in rules.same_title.value.titles[title])
    return (None, ""), (other, TITLED), (title, title)
