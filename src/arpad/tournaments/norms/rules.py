"""The typed rules of the Title Regulations: what a norm requires on a day, and the titles that need only a rating."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Literal, NamedTuple, TypeVar, get_args

from arpad.core import EloStanding, Player
from arpad.core.tournaments import EVENT_KINDS
from arpad.messages import say
from arpad.rulebooks import BadValue, Rule, Rulebook, one_of, positive, record, text, whole
from arpad.systems import performance as performances

NormTitle = Literal["GM", "IM", "WGM", "WIM"]
NORMS: tuple[NormTitle, ...] = get_args(NormTitle)
ByTitle = Mapping[str, int]
T = TypeVar("T")


def edition(on: date, readings: Mapping[str, str] | None = None) -> Edition:
    """The rules in force on the day an event starts, under the chosen readings."""
    return Edition(rulebook(tuple(sorted((readings or {}).items()))).at(on), performances.rulebook().at(on))


class Edition(NamedTuple):
    """The rules for norms on a day: the Title Regulations, and the table and roundings of performances."""

    titles: TitleRules
    performances: performances.PerformanceRules


class TitleRules(NamedTuple):
    """The Title Regulations of a day."""

    women: Rule[tuple[str, ...]]
    games: Rule[tuple[LeastGames, ...]]
    eight_of_nine: Rule[EightOfNine]
    extra_games: Rule[int]
    later_rounds: Rule[tuple[str, ...]]
    won_games: Rule[tuple[str, ...]]
    most_games: Rule[int]
    no_federation: Rule[tuple[str, ...]]
    fid: Rule[str]
    zero_scorer: Rule[tuple[str, ...]]
    unplayed: Rule[tuple[str, ...]]
    short_games: Rule[str]
    no_show: Rule[str]
    score: Rule[LeastScore]
    titled: Rule[Titled]
    same_title: Rule[SameTitle]
    double: Rule[Double]
    federations: Rule[int]
    own_federation: Rule[Share]
    one_federation: Rule[Share]
    exempt_a: Rule[str]
    exempt_b: Rule[str]
    exempt_c: Rule[str]
    exempt_d: Rule[BigSwiss]
    unrated: Rule[int]
    unrated_share: Rule[Share]
    floor: Rule[ByTitle]
    average: Rule[ByTitle]
    performance: Rule[ByTitle]
    one_round_a_day: Rule[OneRoundADay]
    thinking_time: Rule[ThinkingTime]
    rounds_a_day: Rule[int]
    long_event: Rule[int]
    rated_games: Rule[int]
    title_ratings: Rule[tuple[TitleRating, ...]]
    strong_event: Rule[StrongEvent] | None = None
    fast_classic: Rule[tuple[str, ...]] | None = None


class Share(NamedTuple):
    """A share of the games as the article writes it: a third, three fifths."""

    part: int
    of: int

    def least(self, games: int) -> int:
        """The share as a minimum, rounded up."""
        return -(-games * self.part // self.of)

    def most(self, games: int) -> int:
        """The share as a maximum, rounded down."""
        return games * self.part // self.of


class LeastGames(NamedTuple):
    """The fewest games of a norm in events of a kind and length, and how many they count as."""

    least: int
    kind: str | None = None
    rounds: tuple[int, ...] = ()
    counts_as: int | None = None


class EightOfNine(NamedTuple):
    """The games needed in an event with this number of rounds, and how many they count as."""

    rounds: int
    least: int
    counts_as: int


class LeastScore(NamedTuple):
    """The lowest score in percent, by the exact or the rounded percentage."""

    percent: int
    taken: str

    def halves(self, games: int) -> int:
        """The lowest number of half points in this many games."""
        doubled = 2 * self.percent - (self.taken == "rounded")
        return -(-doubled * games // 100)

    def disputed(self, halves: int, games: int) -> bool:
        """Whether a score is enough by one reading but not by the other."""
        low, high = (self._replace(taken=taken).halves(games) for taken in ("rounded", "exact"))
        return low <= halves < high


class Titled(NamedTuple):
    """The share of opponents with one of these titles."""

    share: Share
    titles: tuple[str, ...]


class SameTitle(NamedTuple):
    """The share of opponents with the title of the norm or a higher one, and the lowest number."""

    share: Share
    least: int
    titles: Mapping[str, tuple[str, ...]]

    def needed(self, games: int) -> int:
        """How many are needed in this many games."""
        return max(self.least, self.share.least(games))


class Double(NamedTuple):
    """What a double round robin requires: players, and a share of the usual opponents, or of the games."""

    players: int
    of: str
    share: Share


class BigSwiss(NamedTuple):
    """Who must take part in every round for exemption d; players who missed more than `missed` rounds do not count."""

    players: int
    federations: int
    titled: int
    titles: tuple[str, ...]
    missed: int | None = None


class StrongEvent(NamedTuple):
    """The number of participants and their average in every round."""

    players: int
    average: int
    missed: int


class OneRoundADay(NamedTuple):
    """Days with only one round, required for these titles."""

    days: int
    titles: tuple[str, ...]


class ThinkingTime(NamedTuple):
    """The least time for a player, in minutes, for a game of this many moves."""

    minutes: int
    moves: int


@cache
def rulebook(readings: tuple[tuple[str, str], ...] = ()) -> Rulebook[TitleRules]:
    """The rulebook of title norms under the chosen readings."""
    return Rulebook("fide-titles", TitleRules, READERS, readings=dict(readings))


def _words(value: Iterable[object]) -> tuple[str, ...]:
    return tuple(text(word) for word in value)


def _with(kind: Callable[..., T], /, **readers: Callable[..., object]) -> Callable[[Mapping[str, object]], T]:
    """A reader of tables with special readers for some fields."""
    return lambda value: record(
        kind, {name: readers[name](item) if name in readers else item for name, item in value.items()}
    )


def _share(value: object) -> Share:
    part, _, of = text(value).partition("/")
    share = Share(int(part), int(of))
    if not 0 < share.part < share.of:
        raise BadValue(say("rulebooks.value.fraction"))
    return share


def _by_title(value: Mapping[str, object]) -> ByTitle:
    return {title: whole(value[title]) for title in NORMS}


def _title_ratings(lines: Iterable[Mapping[str, object]]) -> tuple[TitleRating, ...]:
    return tuple(_with(TitleRating, rating=whole)(line) for line in lines)


LEAST_GAMES = _with(LeastGames, kind=one_of(*EVENT_KINDS), rounds=lambda value: tuple(map(whole, value)))
READERS: Mapping[str, Callable[..., object]] = {
    "women": _words,
    "games": lambda lines: tuple(map(LEAST_GAMES, lines)),
    "eight_of_nine": _with(EightOfNine),
    "extra_games": positive,
    "later_rounds": _words,
    "won_games": _words,
    "most_games": positive,
    "no_federation": _words,
    "fid": one_of("left out", "no federation"),
    "zero_scorer": _words,
    "unplayed": _words,
    "short_games": one_of("left out", "counted"),
    "no_show": one_of("loss"),
    "score": _with(LeastScore, taken=one_of("exact", "rounded")),
    "titled": _with(Titled, share=_share, titles=_words),
    "same_title": _with(SameTitle, share=_share, titles=lambda value: {title: _words(value[title]) for title in NORMS}),
    "double": _with(Double, of=one_of("opponents", "games"), share=_share),
    "federations": positive,
    "own_federation": _share,
    "one_federation": _share,
    "exempt_a": one_of("host", "everybody"),
    "exempt_b": one_of("host", "everybody"),
    "exempt_c": one_of("host", "everybody"),
    "exempt_d": _with(BigSwiss, titles=_words),
    "unrated": positive,
    "unrated_share": _share,
    "floor": _by_title,
    "average": _by_title,
    "performance": _by_title,
    "one_round_a_day": _with(OneRoundADay, titles=_words),
    "thinking_time": _with(ThinkingTime),
    "rounds_a_day": positive,
    "long_event": positive,
    "rated_games": positive,
    "strong_event": _with(StrongEvent),
    "title_ratings": _title_ratings,
    "fast_classic": _words,
}


def rating_titles(player: Player, titles: Sequence[TitleRating], least_games: int) -> tuple[RatingTitle, ...]:
    """The highest title reached by rating, and the highest women's title, if higher than the one held."""
    if player.rating is None:
        return ()
    rating = int(player.rating)
    held = max((line.rating for line in titles if line.title == player.title), default=0)
    reached = [line for line in titles if not line.norms and held < line.rating <= rating]
    best = [
        max(family, key=lambda line: line.rating)
        for family in ([line for line in reached if line.women == women] for women in (False, True))
        if family
    ]
    games = EloStanding.of(player).games
    enough = None if games is None else games >= least_games
    return tuple(
        RatingTitle(line.title, rating, line.rating, games, least_games, enough)
        for line in best
        if not line.women or is_woman(player)
    )


@dataclass(frozen=True, slots=True)
class RatingTitle:
    """A title whose rating was reached; `met` is whether there were enough games, None if unknown."""

    title: str
    rating: int
    needed: int
    games: int | None
    least_games: int
    met: bool | None


def is_woman(player: Player) -> bool | None:
    """Whether a player may hold a women's title; None if the sex is not known."""
    return None if player.sex is None else player.sex == "w"


@cache
def rating_rulebook() -> Rulebook[RatingRules]:
    """The rulebook of ratings for titles."""
    return Rulebook("fide-title-ratings", RatingRules, {"title_ratings": _title_ratings})


class RatingRules(NamedTuple):
    """The rules of ratings for titles on a day."""

    title_ratings: Rule[tuple[TitleRating, ...]]


class TitleRating(NamedTuple):
    """The rating a title requires, and whether it requires norms as well."""

    title: str
    rating: int
    norms: bool = False
    women: bool = False
