"""The conditions of a norm, one by one, in whole numbers; and which games count, where some may be left out.

`judge` takes a list of games and says for every condition whether it is met, what was found and what is needed. It does
not know the tournament and does not leave games out: `settle` does that. It is fast enough for thousands of calls.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from arpad.core import Player
from arpad.core.tournaments import DOUBLE_ROUND_ROBIN, SWISS
from arpad.messages import Message, say
from arpad.rulebooks import Rule
from arpad.systems.performance import in_whole_numbers
from arpad.tournaments.norms.rules import Edition, LeastGames, TitleRules, is_woman

if TYPE_CHECKING:
    from arpad.tournaments.norms.games import Scoresheet


FID = "FID"  # FIDE's own flag, which is not a federation
OPEN_TO_ALL = say("tournaments.norms.open_to_all")
Found = int | Decimal | str | Message | None  # what a condition compares
AT_LEAST, AT_MOST = "at least", "at most"
MIX = ("titled", "same_title", "federations", "own_federation", "one_federation")
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


def judge(
    title: str, player: Player, games: Sequence[CountedGame], edition: Edition, setting: Setting | None = None
) -> Verdict:
    """Whether all these games together are a norm for a title."""
    setting = setting or USUAL_SETTING
    rules = edition.titles
    tally = _tally(title, games, rules)
    count = tally.games
    least = setting.games or rules.games.value[0]
    average = performance = None
    if games:
        total = sum(raised(title, games, rules))
        average, performance = in_whole_numbers(total, tally.halves, count, edition.performances)
    conditions = (
        _sex(title, player, rules),
        Condition("games", count >= least.least, count, least.least, AT_LEAST, rules.games),
        *_players(setting, rules),
        _score(tally, rules),
        *_titles(title, games, tally, setting, rules),
        *_federations(player, tally, setting, rules),
        _reaches("average", average, rules.average, title),
        _reaches("performance", performance, rules.performance, title),
    )
    met = all_met([condition.met for condition in conditions])
    return Verdict(title, met, conditions, tuple(games), max(count, least.counts_as or 0), average, performance)


class CountedGame(NamedTuple):
    """A game that counts for a norm: the opponent, and the player's score in half points."""

    rating: int | None
    title: str | None = None
    federation: str | None = None
    halves: int = 0
    opponent: int | None = None  # identifies the opponent: in a double round robin each counts once
    round: int = 0


class Condition(NamedTuple):
    """One condition: whether it is met (None if unknown), what was found and what is needed."""

    name: str
    met: bool | None
    found: Found
    needed: Found = None
    bound: str = AT_LEAST
    rule: Rule[object] | None = None
    lifted: bool = False  # met only because of an exemption
    information: bool = False  # needed for the application, but not judged


class Setting(NamedTuple):
    """What the conditions depend on: the kind of event, the games a norm needs, players, exemption, titles."""

    kind: str = SWISS
    games: LeastGames | None = None  # None: the usual number
    players: int | None = None
    exempt: Rule[object] | None = None
    titles: bool = True  # whether any titles are known; if not, no opponent can be said to lack one


USUAL_SETTING = Setting()


class Verdict(NamedTuple):
    """The verdict on a list of games, and how the list was chosen."""

    title: str
    met: bool | None
    conditions: tuple[Condition, ...]
    games: tuple[CountedGame, ...]
    counts_as: int
    average: int | None
    performance: int | None
    by: Rule[object] | None = None  # the article by which one game less is enough
    dropped: tuple[int, ...] = ()  # rounds left out
    extra: int = 0  # games added for whole points above the norm
    short: int | None = None  # missing half points, if nothing else is missing
    searched: bool = True  # whether every possible list was tried

    @property
    def halves(self) -> int:
        """The score in half points."""
        return sum(game.halves for game in self.games)

    def condition(self, name: str) -> Condition:
        """The condition with a name."""
        return next(condition for condition in self.conditions if condition.name == name)

    @property
    def failed(self) -> tuple[Condition, ...]:
        """The conditions that are not met."""
        return tuple(condition for condition in self.conditions if condition.met is False)

    @property
    def unknown(self) -> tuple[Condition, ...]:
        """The conditions that depend on unknown facts."""
        return tuple(condition for condition in self.conditions if condition.met is None)


class Tally(NamedTuple):
    """The counts of a list of games."""

    games: int
    halves: int
    titled: int
    same_title: int  # with the title of the norm or a higher one
    federations: Mapping[str, int]
    unknown: int  # opponents of unknown federation


def _tally(title: str, games: Sequence[CountedGame], rules: TitleRules) -> Tally:
    """The counts in one pass over the games, which takes most of the time of a verdict."""
    with_title, with_same = rules.titled.value.titles, rules.same_title.value.titles[title]
    halves = titled = same = unknown = 0
    federations: dict[str, int] = {}
    for game in games:
        halves += game.halves
        titled += game.title in with_title
        same += game.title in with_same
        if game.federation is None:
            unknown += 1
        elif game.federation != FID:
            federations[game.federation] = federations.get(game.federation, 0) + 1
    return Tally(len(games), halves, titled, same, federations, unknown)


def _sex(title: str, player: Player, rules: TitleRules) -> Condition:
    if title not in rules.women.value:
        return Condition("sex", met=True, found=OPEN_TO_ALL, bound="")
    return Condition("sex", is_woman(player), player.sex, "w", "", rules.women)


def _players(setting: Setting, rules: TitleRules) -> tuple[Condition, ...]:
    """The condition that a double round robin has enough players."""
    if setting.kind != DOUBLE_ROUND_ROBIN:
        return ()
    needed = rules.double.value.players
    met = None if setting.players is None else setting.players >= needed
    return (Condition("players", met, setting.players, needed, rule=rules.double),)


def _score(tally: Tally, rules: TitleRules) -> Condition:
    needed = rules.score.value.halves(tally.games)
    met = tally.halves >= needed and tally.games > 0
    return Condition("score", met, in_points(tally.halves), in_points(needed), AT_LEAST, rules.score)


def _titles(
    title: str, games: Sequence[CountedGame], tally: Tally, setting: Setting, rules: TitleRules
) -> tuple[Condition, ...]:
    """Opponents with a title, and with the title of the norm or a higher one."""
    enough = rules.titled.value.share.least(tally.games)
    found, needed = tally.same_title, rules.same_title.value.needed(tally.games)
    rule: Rule[object] = rules.same_title
    if setting.kind == DOUBLE_ROUND_ROBIN:
        rule, double = rules.double, rules.double.value
        if double.of == "opponents":
            wanted = rules.same_title.value.titles[title]
            found, needed = _different(game for game in games if game.title in wanted), double.share.least(needed)
        else:
            needed = double.share.least(tally.games)
    conditions = (
        Condition("titled", tally.titled >= enough, tally.titled, enough, AT_LEAST, rules.titled),
        Condition("same_title", found >= needed, found, needed, AT_LEAST, rule),
    )
    return conditions if setting.titles else tuple(part._replace(met=None, found=None) for part in conditions)


def _different(games: Iterable[CountedGame]) -> int:
    """How many different opponents there are; those without a number or name all count as different."""
    return len({place if game.opponent is None else (game.opponent,) for place, game in enumerate(games)})


def _federations(player: Player, tally: Tally, setting: Setting, rules: TitleRules) -> tuple[Condition, ...]:
    """Foreign federations and the two limits; an opponent of unknown federation could be from any."""
    met, unknown, home = tally.federations, tally.unknown, player.federation
    foreign, own = len(met) - (home in met), met.get(home, 0) if home else 0
    # A player of unknown federation could be from any of those met, which would then be one foreign federation less.
    unsure, fewer = (unknown, 0) if home else (tally.games, 1)
    most_own = rules.own_federation.value.most(tally.games)
    most_one = rules.one_federation.value.most(tally.games)
    largest = max(met.values(), default=0)
    needed = rules.federations.value
    enough = True if foreign - fewer >= needed else None if unknown + foreign >= needed else False
    conditions: tuple[Condition, ...] = (
        Condition("federations", enough, foreign, needed, AT_LEAST, rules.federations),
        Condition("own_federation", _within(own, unsure, most_own), own, most_own, AT_MOST, rules.own_federation),
        Condition(
            "one_federation", _within(largest, unknown, most_one), largest, most_one, AT_MOST, rules.one_federation
        ),
    )
    if tally.games and unknown == tally.games:  # no federation is known
        conditions = tuple(part._replace(found=None) if part.met is None else part for part in conditions)
    if setting.exempt is None:
        return conditions
    return tuple(part if part.met else part._replace(met=True, lifted=True) for part in conditions)


def _within(found: int, unsure: int, most: int) -> bool | None:
    """Whether a count stays within its limit; None if that depends on unknown facts."""
    return False if found > most else True if found + unsure <= most else None


def _reaches(name: str, found: int | None, rule: Rule[Mapping[str, int]], title: str) -> Condition:
    needed = rule.value[title]
    return Condition(name, found is not None and found >= needed, found, needed, AT_LEAST, rule)


def all_met(parts: Sequence[bool | None]) -> bool | None:
    """Whether all are met; None if that depends on unknown facts."""
    return False if False in parts else None if None in parts else True


def in_points(halves: int) -> Decimal:
    """Half points as points."""
    return Decimal(halves) / 2


def raised(title: str, games: Sequence[CountedGame], rules: TitleRules) -> list[int]:
    """The opponents' ratings: unrated players at their fixed value, and only the lowest raised to the floor."""
    ratings = [rules.unrated.value if game.rating is None else game.rating for game in games]
    lowest = min(ratings)
    ratings[ratings.index(lowest)] = max(lowest, rules.floor.value[title])
    return ratings


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


def bound_said(bound: str) -> Message:
    """`at least` or `at most`, in the current language."""
    return say(f"tournaments.bound.{'most' if bound == AT_MOST else 'least'}")
