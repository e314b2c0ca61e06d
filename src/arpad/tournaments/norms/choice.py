"""Which games count for a norm: all, all but those that may be left out, or one game less (1.4.1, 1.4.2c)."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from arpad.systems.performance import in_whole_numbers
from arpad.tournaments.norms.conditions import MIX, CountedGame, Setting, Verdict, judge
from arpad.tournaments.norms.rules import LeastGames

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from arpad.core import Player
    from arpad.tournaments.norms.games import Scoresheet
    from arpad.tournaments.norms.rules import Edition, TitleRules

WON = 2  # half points
MOST_SETS = 20_000  # an event of 13 rounds has at most 1093; the answer says if more were not tried


def settle(title: str, player: Player, sheet: Scoresheet, edition: Edition, setting: Setting) -> Verdict:
    """The verdict on the games that are best for a norm; on all games if no selection makes it, or might."""
    rules = edition.titles
    setting = setting._replace(games=least_games(sheet.rounds, setting.kind, rules))
    whole = judge(title, player, sheet.games, edition, setting)
    if whole.met or whole.condition("sex").met is False:
        return _measured(whole, edition)
    lists = legal_sets(sheet.games, whole, setting, rules) if _hopeful(whole, setting, edition) else ()
    undecided = whole if whole.met is None else None
    for tried, kept in enumerate(lists):
        if tried == MOST_SETS:
            whole = whole._replace(searched=False)
            break
        verdict = judge(title, player, kept, edition, setting)
        if verdict.met is False or (verdict.met is None and undecided is not None):
            continue
        rounds = {game.round for game in kept}
        verdict = verdict._replace(dropped=tuple(game.round for game in sheet.games if game.round not in rounds))
        if verdict.met:
            return _measured(verdict, edition)
        undecided = verdict
    chosen = _one_game_less(title, player, sheet, edition, setting) or undecided or whole
    return _measured(chosen._replace(searched=whole.searched), edition)


def least_games(rounds: int, kind: str, rules: TitleRules) -> LeastGames:
    """The fewest games for a norm in an event of this length and kind."""
    usual, *special = rules.games.value
    fits = (line for line in special if line.kind == kind and (not line.rounds or rounds in line.rounds))
    return next(fits, usual)


def forgiven_games(sheet: Scoresheet, count: int, rules: TitleRules) -> LeastGames | None:
    """The fewest games for a norm if a forfeit win or an allocated bye took one away (1.4.1c); otherwise None."""
    short = rules.eight_of_nine.value
    if not sheet.spared or sheet.rounds != short.rounds or count != short.least:
        return None
    return LeastGames(short.least, counts_as=short.counts_as)


def legal_sets(
    games: Sequence[CountedGame], whole: Verdict, setting: Setting, rules: TitleRules
) -> Iterator[tuple[CountedGame, ...]]:
    """The sets of games that remain: without some last rounds and any games won; the fewest left out first."""
    least = (setting.games or rules.games.value[0]).least
    tails = setting.kind not in rules.later_rounds.value
    wins = setting.kind not in rules.won_games.value or all(whole.condition(name).met for name in MIX)
    seen = set()
    for left_out in range(1, len(games) - least + 1):
        for tail in range(left_out + 1 if tails else 1):
            head = games[: len(games) - tail]
            won = [game for game in head if game.halves == WON and wins]
            for dropped in combinations(won, left_out - tail):
                kept = tuple(game for game in head if game not in dropped)
                if kept not in seen:  # a won game at the end may be left out under either article
                    seen.add(kept)
                    yield kept


def _hopeful(whole: Verdict, setting: Setting, edition: Edition) -> bool:
    """Whether any selection could make a norm: the strongest opponents with all the points, and enough titles.

    No selection can do better than that, so otherwise the search is skipped.
    """
    rules, least = edition.titles, (setting.games or edition.titles.games.value[0]).least
    if len(whole.games) <= least:
        return False
    floor, unrated = rules.floor.value[whole.title], rules.unrated.value
    best = sorted((max(game.rating or unrated, floor) for game in whole.games), reverse=True)[:least]
    average, performance = in_whole_numbers(sum(best), min(whole.halves, 2 * least), least, edition.performances)
    titled = sum(game.title in rules.titled.value.titles for game in whole.games)
    return (
        average >= rules.average.value[whole.title]
        and performance >= rules.performance.value[whole.title]
        and (titled >= rules.titled.value.share.least(least) or not setting.titles)
    )


def _one_game_less(title: str, player: Player, sheet: Scoresheet, edition: Edition, setting: Setting) -> Verdict | None:
    """The verdict with eight games in nine rounds, or with a last opponent who did not appear; None in other cases."""
    rules = edition.titles
    least = setting.games.least if setting.games else 0
    verdict, forgiven = None, forgiven_games(sheet, len(sheet.games), rules)
    if forgiven is not None and len(sheet.games) < least:
        verdict = judge(title, player, sheet.games, edition, setting._replace(games=forgiven))
        verdict = verdict._replace(by=rules.eight_of_nine)
    if sheet.no_show is not None and len(sheet.games) < least and not (verdict and verdict.met):
        shown = judge(title, player, (*sheet.games, sheet.no_show), edition, setting)._replace(by=rules.no_show)
        verdict = shown if shown.met or verdict is None else verdict
    return verdict


def _measured(verdict: Verdict, edition: Edition) -> Verdict:
    """A norm with the games that whole points above it add (1.4.1d), or with the points that it lacks."""
    if verdict.average is None or (
        not verdict.met and [condition.name for condition in verdict.failed] != ["performance"]
    ):
        return verdict
    least = least_halves(verdict, edition)
    if not verdict.met:
        return verdict._replace(short=None if least is None else least - verdict.halves)
    return verdict._replace(extra=(verdict.halves - (least or 0)) // WON * edition.titles.extra_games.value)


def least_halves(verdict: Verdict, edition: Edition) -> int | None:
    """The fewest half points for the performance against these opponents; None if it is out of reach."""
    if verdict.average is None:
        return None
    rules, count = edition.titles, len(verdict.games)
    needed = rules.performance.value[verdict.title]
    total = verdict.average * count
    enough = (
        halves
        for halves in range(rules.score.value.halves(count), 2 * count + 1)
        if in_whole_numbers(total, halves, count, edition.performances)[1] >= needed
    )
    return next(enough, None)
