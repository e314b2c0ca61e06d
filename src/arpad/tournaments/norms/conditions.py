"""The conditions of a norm, one by one, in whole numbers.

`judge` looks at one list of games and says of every condition whether it is met, what was found and what is needed.
It knows no tournament and leaves nothing out: that is for `choice`. It is quick enough to be asked thousands of times.
"""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from arpad.core import Player
from arpad.core.tournaments import DOUBLE_ROUND_ROBIN, SWISS
from arpad.messages import Message, say
from arpad.rulebooks.rulebook import Rule
from arpad.systems.performance import in_whole_numbers
from arpad.tournaments.norms.ratings import is_woman
from arpad.tournaments.norms.rules import Edition, LeastGames, TitleRules

FID = "FID"  # FIDE's own flag, which is no federation
OPEN_TO_ALL = say("tournaments.norms.open_to_all")

Found = int | Decimal | str | Message | None  # what a condition looks at
AT_LEAST, AT_MOST = "at least", "at most"
MIX = ("titled", "same_title", "federations", "own_federation", "one_federation")


class CountedGame(NamedTuple):
    """A game that counts for a norm: who the opponent was, and the own score in half points."""

    rating: int | None
    title: str | None = None
    federation: str | None = None
    halves: int = 0
    opponent: int | None = None  # a number or name of who it was: in a double round robin each counts once
    round: int = 0


class Condition(NamedTuple):
    """One condition: whether it is met (None where nobody can know), what was found and what is needed."""

    name: str
    met: bool | None
    found: Found
    needed: Found = None
    bound: str = AT_LEAST
    rule: Rule[object] | None = None
    lifted: bool = False  # met by an exemption alone
    information: bool = False  # for the application, not judged


class Setting(NamedTuple):
    """What the conditions depend on in the event: its kind, the games a norm needs, players, exemption, titles."""

    kind: str = SWISS
    games: LeastGames | None = None  # None: the usual number
    players: int | None = None
    exempt: Rule[object] | None = None
    titles: bool = True  # whether anybody's title is known; where nobody's is, none may be missing


class Verdict(NamedTuple):
    """What the conditions say of one list of games, and how that list was chosen."""

    title: str
    met: bool | None
    conditions: tuple[Condition, ...]
    games: tuple[CountedGame, ...]
    counts_as: int
    average: int | None
    performance: int | None
    by: Rule[object] | None = None  # the article by which a game short is enough
    dropped: tuple[int, ...] = ()  # rounds left out
    extra: int = 0  # games added for whole points above the norm
    short: int | None = None  # half points missing, where nothing else is
    searched: bool = True  # whether every list that could be chosen was tried

    @property
    def halves(self) -> int:
        """The score in half points."""
        return sum(game.halves for game in self.games)

    def condition(self, name: str) -> Condition:
        """The condition of a name."""
        return next(one for one in self.conditions if one.name == name)

    @property
    def failed(self) -> tuple[Condition, ...]:
        """The conditions that are not met."""
        return tuple(one for one in self.conditions if one.met is False)

    @property
    def unknown(self) -> tuple[Condition, ...]:
        """The conditions that depend on something nobody knows."""
        return tuple(one for one in self.conditions if one.met is None)


class Tally(NamedTuple):
    """A list of games, counted."""

    games: int
    halves: int
    titled: int
    same_title: int  # with the title of the norm or a better one
    federations: Mapping[str, int]
    unknown: int  # of a federation that nobody knows


def judge(
    title: str, player: Player, games: Sequence[CountedGame], edition: Edition, setting: Setting | None = None
) -> Verdict:
    """Whether these games, all of them, are a norm for a title."""
    setting = setting or USUAL_SETTING
    rules = edition.titles
    tally = _tally(title, games, rules)
    count = tally.games
    least = setting.games or rules.games.value[0]
    average, performance = _performance(title, games, tally.halves, edition)
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
    met = all_met([one.met for one in conditions])
    return Verdict(title, met, conditions, tuple(games), max(count, least.counts_as or 0), average, performance)


USUAL_SETTING = Setting()


def _tally(title: str, games: Sequence[CountedGame], rules: TitleRules) -> Tally:
    """One pass over the games: this is what takes the time when a verdict is asked for thousands of times."""
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


def all_met(parts: Sequence[bool | None]) -> bool | None:
    """Whether all are met; None if that depends on something nobody knows."""
    return False if False in parts else None if None in parts else True


def in_points(halves: int) -> Decimal:
    """Half points as points."""
    return Decimal(halves) / 2


def _sex(title: str, player: Player, rules: TitleRules) -> Condition:
    if title not in rules.women.value:
        return Condition("sex", met=True, found=OPEN_TO_ALL, bound="")
    return Condition("sex", is_woman(player), player.sex, "w", "", rules.women)


def _players(setting: Setting, rules: TitleRules) -> tuple[Condition, ...]:
    """A double round robin needs players enough."""
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
    """Opponents with a title, and with the title of the norm or a better one."""
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
    return conditions if setting.titles else tuple(one._replace(met=None, found=None) for one in conditions)


def _different(games: Iterable[CountedGame]) -> int:
    """How many opponents; those without a number or name are each another."""
    return len({place if game.opponent is None else (game.opponent,) for place, game in enumerate(games)})


def _federations(player: Player, tally: Tally, setting: Setting, rules: TitleRules) -> tuple[Condition, ...]:
    """Foreign federations and the two ceilings; an opponent of unknown federation may be of any."""
    met, unknown, home = tally.federations, tally.unknown, player.federation
    foreign, own = len(met) - (home in met), met.get(home, 0) if home else 0
    # Whose own federation is not known may be of any that was met, and then has one foreign federation less.
    unsure, fewer = (unknown, 0) if home else (tally.games, 1)
    most_own = rules.own_federation.value.most(tally.games)
    most_one = rules.one_federation.value.most(tally.games)
    one = max(met.values(), default=0)
    needed = rules.federations.value
    enough = True if foreign - fewer >= needed else None if unknown + foreign >= needed else False
    conditions: tuple[Condition, ...] = (
        Condition("federations", enough, foreign, needed, AT_LEAST, rules.federations),
        Condition("own_federation", _within(own, unsure, most_own), own, most_own, AT_MOST, rules.own_federation),
        Condition("one_federation", _within(one, unknown, most_one), one, most_one, AT_MOST, rules.one_federation),
    )
    if tally.games and unknown == tally.games:  # nobody's federation is known
        conditions = tuple(part._replace(found=None) if part.met is None else part for part in conditions)
    if setting.exempt is None:
        return conditions
    return tuple(part if part.met else part._replace(met=True, lifted=True) for part in conditions)


def _within(found: int, unsure: int, most: int) -> bool | None:
    """Whether a count stays under its ceiling; None if that depends on players nobody knows."""
    return False if found > most else True if found + unsure <= most else None


def _performance(
    title: str, games: Sequence[CountedGame], halves: int, edition: Edition
) -> tuple[int | None, int | None]:
    """Average and performance, with the lowest opponent raised to the floor; None without a game."""
    if not games:
        return None, None
    return in_whole_numbers(sum(raised(title, games, edition.titles)), halves, len(games), edition.performances)


def raised(title: str, games: Sequence[CountedGame], rules: TitleRules) -> list[int]:
    """The opponents' ratings: the unrated at their value, and the lowest alone at the floor if it is below."""
    ratings = [rules.unrated.value if game.rating is None else game.rating for game in games]
    lowest = min(ratings)
    ratings[ratings.index(lowest)] = max(lowest, rules.floor.value[title])
    return ratings


def _reaches(name: str, found: int | None, rule: Rule[Mapping[str, int]], title: str) -> Condition:
    needed = rule.value[title]
    return Condition(name, found is not None and found >= needed, found, needed, AT_LEAST, rule)
