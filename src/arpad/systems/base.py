"""System, the base class of all rating systems, and NationalSystem, which also rates whole tournament files."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import fields, replace
from datetime import date
from decimal import Decimal
from inspect import signature
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar, cast

from arpad.core import (
    EloStanding,
    Event,
    Game,
    Period,
    Player,
    Standing,
    as_day,
    as_games,
    as_period,
    as_player,
    is_federation,
)
from arpad.errors import ArpadError, BadInput, Unsupported
from arpad.messages import FieldName, Message, say
from arpad.systems import FIELDS, SYSTEMS, facts_used_by, system
from arpad.systems.answers import FirstRating, RatingChange
from arpad.systems.league import BothChanges, League, rate_both, rate_league

if TYPE_CHECKING:
    from os import PathLike

    from arpad.core import Number, Pace, Rating, Result, Score, Sex, Title
    from arpad.rulebooks import Rulebook, Rules
    from arpad.systems.answers import Conversion, Expectation

    Setting = str | float | Decimal | Mapping[str, str] | None  # a number, a word, or readings by rule
    Someone = Player | Standing | Number | None  # a player, a standing, or only a rating; None is unrated

Calculation = RatingChange | FirstRating
A = TypeVar("A", bound="RatingChange | Expectation")
T = TypeVar("T")
LISTED = ("peak", "standard")  # what a rating list says about a player besides the rating and K


class System(ABC):
    """A rating system: its name, its rules, and methods that apply the rules of a day to players and games.

    `arpad.system("fide-standard")` gives one. `base` is the name of the system whose rules and formulas these are; a
    club's own system has another name, but the same base. Answers have the name, refusals the base. `standing` is what
    its players have: a rating and a K, a rating and a deviation, a DWZ and an index.

    Wherever a player is asked for, a bare rating is enough, and None is an unrated player. The methods change nothing:
    they give an answer, and `after` makes the player with the new rating from it.

    The public methods check and convert what they are given; a subclass implements `_change` and `_expectation`, and
    of the other underscored methods those that it has. Its constructor takes the name of the base and, as keywords,
    its settings; with the keyword `rules`, a club may build its own system on it. A system of another package also says
    what it uses, and where its words are (docs/add-a-system.md).
    """

    name: str
    base: str
    title: str
    rulebook: Rulebook[Rules]
    standing: ClassVar[type[Standing]] = EloStanding
    # What a system of another package says about itself; for our own, the table in `arpad.systems` does.
    group: ClassVar[str] = "plain"  # the heading under which people look for it: fide, national, online or plain
    uses: ClassVar[Collection[str]] = ()  # the facts about players and events that it uses: k, born, games, deviation
    lacks: ClassVar[Collection[str]] = ()  # the questions that it cannot answer: first, period
    messages: ClassVar[str | PathLike[str] | None] = None  # the folder of its words, with `en/notes.txt` and the like

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

    def player(
        self,
        rating: Number | None = None,
        *,
        birth_year: int | str | None = None,
        k: Number | None = None,
        games: int | None = None,
        peak: Number | None = None,
        standard: Number | None = None,
        deviation: Number | None = None,
        volatility: Number | None = None,
        idle: Number | None = None,
        index: int | None = None,
        title: Title | None = None,
        federation: str | None = None,
        sex: Sex | None = None,
        fide_id: int | None = None,
        name: str | None = None,
    ) -> Player:
        """A player of this system: `fide.player(1750, games=12, birth_year=2010)`, `dwz.player(1887, index=44)`.

        Accepts the rating, or None for an unrated player, and what this system uses of: `k`, the rated `games` so far,
        the highest rating so far (`peak`), the `standard` rating that stands in for a missing rapid one, the
        `deviation`, the `volatility`, the periods without games (`idle`), and the DWZ `index`. Who somebody is (the
        year of birth, a title, a name) may be said to every system.

        Gives a Player. Raises BadInput for a fact that this system does not use, and for a value that cannot be right.
        """
        facts: dict[str, Number | None] = {
            "k": k,
            "games": games,
            "peak": peak,
            "standard": standard,
            "deviation": deviation,
            "volatility": volatility,
            "idle": idle,
            "index": index,
        }
        given = {fact: value for fact, value in facts.items() if value is not None}
        used = facts_used_by(self.base)
        for fact in given:
            if fact not in used:
                raise self._not_used(fact, used)
        if federation is not None and not is_federation(federation):
            raise BadInput(say("reading.not_a_federation", text=federation), at="federation")
        standing = cast("Callable[..., Standing]", self.standing)(rating, **given)
        return Player(
            standing,
            birth_year=birth_year,
            title=title,
            federation=federation,
            sex=sex,
            fide_id=fide_id,
            name=name,
        )

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

            fide.rate(fide.player(1750, birth_year=2010), [win(1950), draw(1800)], on=date(2026, 11, 15)).new_rating

        Accepts a player or a rating, and games or a single one. `base` is the rating that the change is added to, if it
        is not the one the games were played with; `pace` is the time control.

        Gives a RatingChange: the new rating, the change, K, each game, the working and the notes.

        Raises BadInput for games or ratings that the system cannot rate, and UncoveredDate for a day before its rules
        begin.
        """
        return self.rate_period(player, one_event(games, base, pace), on=on)

    def rate_period(self, player: Someone, period: Period | Event | Iterable[Event], *, on: date) -> RatingChange:
        """The new rating after the events of one rating period, by the rules of the day `on`.

            fide.rate_period(1750, [Event((win(1950),)), Event((draw(1800), win(1700)))], on=date(2026, 11, 15))

        Accepts a Period, one event or several. Gives a RatingChange with a part for each event. Raises what `rate`
        does, and BadInput for several events in a system that rates them one by one.
        """
        taken = as_period(period)
        return self._noting_opponents(self._change(self._own(player), taken, as_day(on)), opponents_in(taken))

    def game(
        self, white: Someone, black: Someone, result: Result | Score, *, on: date, pace: Pace | None = None
    ) -> BothChanges[RatingChange]:
        """One game between two players: the changes of both.

            white, black = fide.game(1750, 1950, "1-0", on=date(2026, 11, 15))

        Accepts two players or ratings, and the result as it is printed, `1-0`, `0-1` or `1/2-1/2`, or as White's score.
        Both are rated by the ratings they had before the game.

        Gives the two RatingChanges, as `white` and `black`. Raises as `rate` does.
        """
        return rate_both(self.rate, white, black, result, on=on, pace=pace)

    def league(
        self,
        players: Mapping[str, Someone],
        results: Iterable[tuple[str, str, Result | Score]],
        *,
        on: date,
        pace: Pace | None = None,
    ) -> League:
        """Players by name after a list of results: White, Black, and the result.

            table = fide.league({"Ann": 1750, "Ben": 1690}, [("Ann", "Ben", "1-0")], on=date(2026, 11, 15))
            table = fide.league(table, [("Ben", "Ann", "1/2-1/2")], on=date(2026, 12, 15))

        Accepts players or ratings by name, and the results of one rating period or event: everybody is rated by the
        ratings before it. For more than a few thousand games, use `arpad.bulk`.

        Gives a League: a mapping of all names to the players afterwards, with the `changes` of those who played. The
        players who stay `unrated`, because this system does not rate them without a rating, are named.

        Raises UnknownName for a player who is not in the mapping, and BadInput as `rate` does, with the name.
        """
        return rate_league(self, players, results, on=on, pace=pace)

    def after(self, player: Someone, change: RatingChange) -> Player:
        """The player after a change: with the new rating, more games, and what else follows from it.

        Accepts the player that was rated and the answer. A K from a rating list belongs to that list and is left out;
        one that was given stays. What was not known, such as the number of games, stays unknown. Gives a Player. Raises
        BadInput for the answer of a system of another kind.
        """
        own = self._own(player)
        return replace(own, standing=self._standing_after(own.standing, change))

    def expect(self, player: Someone, opponent: Someone, *, on: date, pace: Pace | None = None) -> Expectation:
        """One game before it is played: the expected score, and the change for win, draw and loss.

            fide.expect(1500, 1700, on=date(2026, 11, 15)).win

        Accepts two players or ratings. Gives an Expectation, with the chances of each result where a model has them.
        Raises as `rate` does.
        """
        other = as_player(opponent)
        return self._noting_opponents(self._expectation(self._own(player), other, as_day(on), pace), (other,))

    def expected_score(self, difference: Rating, *, on: date) -> Decimal:
        """The expected score for a difference, player minus opponent, without any cap.

            fide.expected_score(-200, on=date(2026, 11, 15))

        Accepts points, and gives a share of one. Raises Unsupported in a system whose expected score depends
        on more than the difference.
        """
        return self._expected_score(difference, as_day(on))

    def first_rating(self, games: Iterable[Game | Event], *, on: date, pace: Pace | None = None) -> FirstRating:
        """The first rating of an unrated player, or what is still missing for one.

            fide.first_rating([win(1902), win(1877), draw(1884), loss(2012), draw(1832)], on=date(2026, 11, 15)).rating

        Accepts games or events; `pace` is the time control of games without an event. Gives a FirstRating, whose
        rating is None as long as something is missing. Raises Unsupported in a system that has no such rating.
        """
        return self._first_rating(games, as_day(on), pace)

    def conversion(
        self,
        rating: Rating,
        *,
        on: date | None = None,
        standard: Rating | None = None,
        index: int | None = None,
    ) -> Conversion:
        """A published rating after a one-off conversion of the whole list: the latest one, or that of the day `on`.

            fide.conversion(1500, on=date(2024, 3, 1)).rating

        Accepts the rating before it; `standard` is FIDE's standard rating and `index` the index of a DWZ, where a
        conversion used them. Gives a Conversion. Raises Unsupported in a system that converted no list, and BadInput
        for a day without a conversion.
        """
        return self._conversion(rating, on, standard, index)

    @abstractmethod
    def _change(self, player: Player, period: Period, on: date) -> RatingChange:
        """The rating after a period; the player has the system's own kind of standing."""

    @abstractmethod
    def _expectation(self, player: Player, opponent: Player, on: date, pace: Pace | None) -> Expectation:
        """One game before it is played."""

    def _standing_after(self, standing: Standing, change: RatingChange) -> Standing:
        """A standing of the system's own kind after a change."""
        if not isinstance(standing, EloStanding):
            return replace(standing, rating=change.new_rating)
        peaks = [rating for rating in (standing.peak, standing.rating_used, change.new_rating) if rating is not None]
        return replace(
            standing,
            rating=change.new_rating,
            k=None if standing.k_from is not None else standing.k,
            games=None if standing.games is None else standing.games + change.games,
            peak=max(peaks, default=None) if "peak" in facts_used_by(self.base) else standing.peak,
        )

    def _expected_score(self, difference: Rating, on: date) -> Decimal:
        raise self._unsupported("expected_score")

    def _first_rating(self, games: Iterable[Game | Event], on: date, pace: Pace | None) -> FirstRating:
        raise self._unsupported("first_rating")

    def _conversion(self, rating: Rating, on: date | None, standard: Rating | None, index: int | None) -> Conversion:
        raise self._unsupported("conversion")

    def _unsupported(self, what: str) -> Unsupported:
        """The error for a method that this system does not have; it names the systems that have it."""
        question, method = {"first_rating": "first"}.get(what, what), f"_{what}"
        able = [
            name
            for name, listing in SYSTEMS.items()
            if question not in listing.lacks and getattr(type(system(name)), method) is not getattr(System, method)
        ]
        return Unsupported(say(f"systems.unsupported.{what}", system=self.base, systems=able))

    def _own(self, given: Someone) -> Player:
        """The player with the system's own kind of standing, and without a K from another system's list."""
        player = as_player(given)
        standing = player.standing
        if isinstance(standing, EloStanding) and self._from_another_list(standing):
            standing = replace(standing, k=None, k_from=None)
        if not isinstance(standing, self.standing):
            unused = self._unused(player)
            if unused:
                raise self._not_used(unused[0], facts_used_by(self.base))
            known = {field.name for field in fields(self.standing)}
            standing = self.standing(
                **{name: value for name, value in facts_of(player).items() if name in known and name != "k_from"}
            )
        return player if standing is player.standing else replace(player, standing=standing)

    def _from_another_list(self, standing: EloStanding) -> bool:
        """Whether K comes from another system's list."""
        return standing.k_from is not None and standing.k_from.system not in (None, self.base)

    def _unused(self, player: Player) -> list[str]:
        """The facts in a standing of another kind that this system has no place for."""
        if isinstance(player.standing, self.standing):
            return []
        return sorted(facts_of(player).keys() - {field.name for field in fields(self.standing)})

    def _not_used(self, fact: str, used: Iterable[str]) -> BadInput:
        field, others = FieldName(FIELDS.get(fact, fact)), [FieldName(FIELDS.get(name, name)) for name in used]
        key = "systems.unused_of" if others else "systems.unused"
        return BadInput(say(key, system=self.base, what=field, used=others), at=str(field))

    def _noting_opponents(self, answer: A, opponents: Iterable[Player]) -> A:
        """An answer, with a note on what was said about opponents that this system does not use."""
        unused = {
            fact
            for opponent in opponents
            if type(opponent.standing) is not Standing  # the usual case
            for fact in self._unused(opponent)
        }
        if not unused:
            return answer
        note = say(
            "notes.opponents.unused", system=self.base, facts=[FieldName(FIELDS.get(f, f)) for f in sorted(unused)]
        )
        before = answer.remarks
        return replace(answer, remarks=lambda: (*before(), note))


def facts_of(player: Player) -> dict[str, Any]:
    """The known facts of a player's standing, without those that only a rating list has said."""
    standing = player.standing
    known = {field.name: value for field in fields(standing) if (value := getattr(standing, field.name)) is not None}
    if "k_from" in known:
        del known["k_from"], known["k"]
    listed = LISTED if isinstance(standing, EloStanding) and player.fide_id is not None else ()
    return {name: value for name, value in known.items() if name not in listed}


def opponents_in(period: Period) -> Iterator[Player]:
    """The opponents of all games."""
    return (game.opponent for event in period.events for game in event.games)


def each_event(period: Period, enter: Callable[[Event], T]) -> list[T]:
    """What `enter` gives for each event; of several, a refusal names the one that it is about."""
    entered = []
    for place, event in enumerate(period.events):
        try:
            entered.append(enter(event))
        except ArpadError as error:
            if error.at is not None and len(period.events) > 1:
                error.at = f"event[{place}].{error.at}"
            raise
    return entered


def one_event(games: Iterable[Game] | Game, base: Rating | None, pace: Pace | None) -> Period:
    """Games as a period of one event."""
    return Period((Event(as_games(games), pace=pace),), base)


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
