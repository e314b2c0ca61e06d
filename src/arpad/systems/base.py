"""System, the base class of all rating systems, and NationalSystem, which also rates whole tournament files."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from datetime import date
from decimal import Decimal
from inspect import signature
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from arpad.core import EloStanding, Event, Game, Period, Player, Standing, as_day, as_games, as_period, as_player
from arpad.errors import BadInput, Unsupported
from arpad.messages import FieldName, Message, say
from arpad.systems.answers import FirstRating, RatingChange

if TYPE_CHECKING:
    from arpad.core import Number, Pace, Rating
    from arpad.rulebooks import Rulebook, Rules
    from arpad.systems.answers import Conversion, Expectation

    Setting = str | float | Decimal | Mapping[str, str] | None  # a number, a word, or readings by rule
    Someone = Player | Standing | Number | None  # a player, a standing, or only a rating; None is unrated

Calculation = RatingChange | FirstRating


class System(ABC):
    """A rating system: its name, its rules, and methods that apply the rules of a day to games.

    `base` is the name of the system whose rules and formulas these are; a club's own system has another name, but the
    same base. Answers have the name, refusals the base. `standing` is what its players have: a rating and a K, a rating
    and a deviation, a DWZ and an index.

    The public methods check and convert what they are given; a subclass implements `_change` and `_expectation`, and
    of the other underscored methods those that it has. Its constructor takes the name of the base and, as keywords,
    its settings; with the keyword `rules`, a club may build its own system on it.
    """

    name: str
    base: str
    title: str
    rulebook: Rulebook[Rules]
    standing: ClassVar[type[Standing]] = EloStanding

    def __init__(self, base: str, title: str, rulebook: Rulebook[Rules]) -> None:
        own = rulebook.own_name
        self.name = base if own is None else own
        self.base = base
        self.title = title if own is None else rulebook.title
        self.rulebook = rulebook

    def __repr__(self) -> str:
        based = "" if self.name == self.base else f", based on {self.base!r}"
        return f"<{type(self).__name__} {self.name!r}{based}>"

    @classmethod
    def settings(cls) -> tuple[str, ...]:
        """The names of the settings that the constructor takes, in its order."""
        return tuple(name for name in _keywords(cls) if name != "rules")

    @classmethod
    def takes_rules(cls) -> bool:
        """Whether a club may build its own system on this one, with a rule file."""
        return "rules" in _keywords(cls)

    @property
    def table_standing(self) -> type[Standing]:
        """What a table of an event's players may say about their ratings: the fields of this standing."""
        return self.standing

    def rate(
        self,
        player: Someone,
        games: Iterable[Game] | Game,
        *,
        on: date,
        base: Rating | None = None,
        pace: Pace | None = None,
    ) -> RatingChange:
        """The new rating after the games of one event, by the rules of the day `on`.

        `base` is the rating that the change is added to, if it is not the one the games were played with; `pace` is
        the time control. Raises BadInput for games or ratings that the system cannot rate, and UncoveredDate for a day
        before its rules begin.
        """
        period = Period((Event(as_games(games), pace=pace),), base)
        return self.rate_period(player, period, on=on)

    def rate_period(self, player: Someone, period: Period | Event | Iterable[Event], *, on: date) -> RatingChange:
        """The new rating after the events of one rating period; raises as `rate` does."""
        return self._change(self._own(player), as_period(period), as_day(on))

    def expect(self, player: Someone, opponent: Someone, *, on: date, pace: Pace | None = None) -> Expectation:
        """One game before it is played: the expected score, and the change for win, draw and loss; raises as `rate`."""
        return self._expectation(self._own(player), as_player(opponent), as_day(on), pace)

    def expected_score(self, difference: Rating, *, on: date) -> Decimal:
        """The expected score for a difference, player minus opponent, without any cap.

        Raises Unsupported in a system whose expected score depends on more than the difference.
        """
        return self._expected_score(difference, as_day(on))

    def first_rating(self, games: Iterable[Game | Event], *, on: date, pace: Pace | None = None) -> FirstRating:
        """The first rating of an unrated player from games or events, or what is still missing for one.

        `pace` is the time control of games without an event. Raises Unsupported in a system that has no such rating.
        """
        return self._first_rating(games, as_day(on), pace)

    def conversion(
        self,
        rating: Rating,
        *,
        on: date | None = None,
        standard: Rating | None = None,
        dwz_index: int | None = None,
    ) -> Conversion:
        """A published rating after a one-off conversion of the whole list: the latest one, or that of the day `on`.

        `standard` is FIDE's standard rating and `dwz_index` the index of a DWZ, where a conversion used them. Raises
        Unsupported in a system that converted no list.
        """
        return self._conversion(rating, on, standard, dwz_index)

    @abstractmethod
    def _change(self, player: Player, period: Period, on: date) -> RatingChange:
        """The rating after a period; the player has the system's own kind of standing."""

    @abstractmethod
    def _expectation(self, player: Player, opponent: Player, on: date, pace: Pace | None) -> Expectation:
        """One game before it is played."""

    def _expected_score(self, difference: Rating, on: date) -> Decimal:
        raise self._unsupported("expected_score")

    def _first_rating(self, games: Iterable[Game | Event], on: date, pace: Pace | None) -> FirstRating:
        raise self._unsupported("first_rating")

    def _conversion(
        self, rating: Rating, on: date | None, standard: Rating | None, dwz_index: int | None
    ) -> Conversion:
        raise self._unsupported("conversion")

    def _unsupported(self, what: str) -> Unsupported:
        return Unsupported(say(f"systems.unsupported.{what}", system=self.base))

    def _own(self, given: Someone) -> Player:
        """The player with the system's own kind of standing, and without a K from another system's list."""
        player = as_player(given)
        standing = player.standing
        if isinstance(standing, EloStanding) and self._from_another_list(standing):
            standing = replace(standing, k=None, k_from=None)
        if not isinstance(standing, self.standing):
            standing = self._converted(standing)
        return player if standing is player.standing else replace(player, standing=standing)

    def _from_another_list(self, standing: EloStanding) -> bool:
        """Whether K comes from another system's list."""
        return standing.k_from is not None and standing.k_from.system not in (None, self.base)

    def _converted(self, standing: Standing) -> Standing:
        """A standing as the system's own kind; refused if something the user gave would be lost."""
        rating_alone = type(standing) is Standing
        listed = isinstance(standing, EloStanding) and (standing.k is None or standing.k_from is not None)
        if rating_alone or listed:  # the user gave nothing else
            return self.standing(standing.rating)
        given = {
            field.name: value for field in fields(standing) if (value := getattr(standing, field.name)) is not None
        }
        unused = given.keys() - {field.name for field in fields(self.standing)}
        if unused:
            name = min(unused)
            raise BadInput(say("systems.unused", system=self.base, what=FieldName(name)), at=name)
        return self.standing(**given)


def _keywords(system: type[System]) -> list[str]:
    """The keyword-only parameters of a system's constructor."""
    parameters = signature(system).parameters.values()
    return [parameter.name for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY]


class NationalSystem(System):
    """A federation's own system, which also rates a tournament file in which everybody is known by number.

    `federation` is the code of its records in a file. If it `rates_together`, it rates everybody at once with
    `rate_field`; otherwise each player is rated separately. Whether the FIDE rating of a player without a rating in
    this system counts for the opponents is the rule `guests`.
    """

    federation: ClassVar[str]
    rates_together: ClassVar[bool] = False

    def event_day(self, began: date, ended: date | None) -> date:
        """The day whose rules apply to an event, from its first and its last day: in most systems the first."""
        return began

    def rate_field(self, field: Field, event: Event, on: date) -> Mapping[int, Calculation]:
        """The ratings of everybody who played, by starting number; only in a system that rates all at once."""
        raise NotImplementedError

    def field_notes(
        self,
        field: Field,
        answers: Mapping[int, Calculation],
        on: date,
    ) -> Iterable[Message]:
        """The notes about the field as a whole."""
        return ()


class Met(NamedTuple):
    """A game of an event, and the starting number of the opponent; a bye has none."""

    opponent: int | None
    game: Game


class Competitor(NamedTuple):
    """A player in an event: the number, the player with this system's standing, the date of birth, the games.

    A `guest` has a rating from another list, which counts for the opponents, but is not rated. About an `unknown`
    player nothing was found; neither the player nor games against them are rated.
    """

    no: int
    player: Player
    born: date | None
    games: tuple[Met, ...]
    guest: bool = False
    unknown: bool = False

    @property
    def newcomer(self) -> bool:
        """Whether the player has no rating yet."""
        return self.player.rating is None and not self.unknown

    def played_any(self, numbers: Iterable[int]) -> bool:
        """Whether a game was played against any of these players."""
        among = set(numbers)
        return any(met.game.how == "played" and met.opponent in among for met in self.games)


Field = Mapping[int, Competitor]  # the players of an event by starting number
