"""A whole section, all players at once: who played whom, five steps in two passes (1), and the new ratings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from arpad.calculation.answer import Answer, Figure, Table, TableColumn, Text, date_notes, derived
from arpad.calculation.explain import Reason
from arpad.calculation.step import Step, known, ruled
from arpad.core import DRAW, WIN, Game, Rating, as_how, games_before_of, number, rating_of
from arpad.core.numbers import ROUNDINGS, decimal
from arpad.errors import BadInput, UnknownName
from arpad.messages import Message, fixed, say
from arpad.systems.uschess.floors import absolute_floor, count_of, highest, peak_floor
from arpad.systems.uschess.passes import (
    FORMULAS,
    PREVIOUS,
    Before,
    Meeting,
    before,
    bonus_of,
    check_match,
    expected_sum,
    first_look,
    one_pass,
    within_limits,
)
from arpad.systems.uschess.rules import OVER_THE_BOARD, REGULAR, rulebook, rules_of
from arpad.systems.uschess.start import Initial, age_of, start_of
from arpad.systems.uschess.time_controls import is_dual

if TYPE_CHECKING:
    from arpad.core import Number, Pace
    from arpad.systems.uschess.rules import UsChessRules


def rate_section(
    entrants: Iterable[Entrant],
    *,
    on: date,
    system: str = "uschess-regular",
    pace: Pace | None = None,
    match: bool = False,
    readings: Mapping[str, str] | None = None,
) -> SectionRating:
    """Every player's new rating by the five steps; `on` is the last day of the event."""
    rules = rules_of(system, on, readings)
    rated = passes_of(tuple(entrants), rules, on=on, system=system, pace=pace, match=match)
    return SectionRating(
        system=system,
        on=on,
        trail=tuple(passes.new for passes in rated),
        remarks=partial(section_notes, rated, rules, system, on, pace),
        players=tuple(PlayerRating.of(system, on, passes) for passes in rated),
    )


def passes_of(
    field: tuple[Entrant, ...], rules: UsChessRules, *, on: date, system: str, pace: Pace | None, match: bool = False
) -> tuple[Passes, ...]:
    """The results of the five steps for each player."""
    wrong = problem(field)
    if wrong is not None:
        at = f"player {field[wrong.place].id}, {wrong.field}" if field else "players"
        raise BadInput(wrong.says, at=at)
    dual = is_dual(pace, system, rules)
    if match:
        check_match(field, rules)
    # Steps 1 and 2: everybody's rating before the event, and the effective games behind it.
    starts = {entrant.id: _before(entrant, rules, on, dual=dual) for entrant in field}
    # Step 3: newcomers get a first rating, which their opponents are rated against.
    at_start = {name: known("opponent", player.rating.value) for name, player in starts.items()}
    looks = {
        entrant.id: first_look(starts[entrant.id], _meetings(entrant, at_start), rules)
        for entrant in field
        if starts[entrant.id].games == 0 and entrant.rating is None and entrant.played
    }
    seen = {
        name: ruled("opponent.first_look", rules.first_look, looks[name].value, words={"who": name})
        if name in looks
        else at_start[name]
        for name in starts
    }
    # Step 4; then step 5, the same again against the opponents' ratings after step 4.
    first = _pass(field, starts, seen, rules, no=1, match=match)
    after = {
        name: ruled("opponent.intermediate", rules.second_pass, step.value, words={"who": name})
        for name, step in first.items()
    }
    second = _pass(field, starts, after, rules, no=2, match=match)
    return tuple(
        _passes(
            Course(entrant, starts[entrant.id], looks.get(entrant.id), first.get(entrant.id), second.get(entrant.id)),
            rules,
            system=system,
            match=match,
        )
        for entrant in field
    )


def _before(entrant: Entrant, rules: UsChessRules, on: date, *, dual: bool) -> Before:
    """Steps 1 and 2: the rating before the event, and the effective games."""
    games = entrant.games
    if entrant.rating is not None:
        rating = known("rating", number_of(entrant.rating))
    elif entrant.start is not None:
        rating, games = known("start.given", number_of(entrant.start)), games or 0
    else:
        start = _start_of(entrant, rules, on)
        rating, games = start.rating, start.games if games is None else games
    return before(rating, games, len(entrant.played), rules, previous=entrant.previous, dual=dual)


def _start_of(entrant: Entrant, rules: UsChessRules, on: date) -> Initial:
    """A newcomer's starting rating; an error names the player."""
    try:
        return start_of(rules, on, age=entrant.age, born=entrant.born, fide=entrant.fide, adult=entrant.adult)
    except BadInput as error:
        raise BadInput(error.said, at=f"player {entrant.id}, {error.at}") from None


def number_of(rating: Rating) -> float:
    """A rating as a number for the formulas."""
    return rating if isinstance(rating, int) else float(rating)


def _meetings(entrant: Entrant, ratings: Mapping[str, Step]) -> list[Meeting]:
    return [
        Meeting(result.opponent, ratings[result.opponent], result.score)
        for result in entrant.played
        if result.opponent is not None
    ]


def _pass(
    field: tuple[Entrant, ...],
    starts: Mapping[str, Before],
    ratings: Mapping[str, Step],
    rules: UsChessRules,
    *,
    no: int,
    match: bool,
) -> dict[str, Step]:
    """The ratings of everybody who played, from the rating before the event, against these ratings."""
    return {
        entrant.id: one_pass(starts[entrant.id], _meetings(entrant, ratings), rules, no=no, match=match)
        for entrant in field
        if entrant.played
    }


class Course(NamedTuple):
    """A player before the event, after the first look and after each pass; None for what did not take place."""

    entrant: Entrant
    start: Before
    look: Step | None
    first: Step | None
    second: Step | None


def _passes(played: Course, rules: UsChessRules, *, system: str, match: bool) -> Passes:
    """The final rating with limits and floors, and the official one."""
    entrant, start, look, first, second = played
    if first is None or second is None:
        return _unplayed(entrant, start, rules)
    final = within_limits(second, start.rating, entrant, rules) if match else second
    floor = _floor(entrant, rules, system)
    if final.value < floor.value:
        final = Step("floored", floor.value, {"rating": final, "floor": floor}, floor.rule, words=floor.words)
    looked: dict[str, Any] = {} if look is None else {"first_look": look}
    new = ruled(
        "new_rating.rounded", rules.rounding, official(final, rules), **looked, first=first, exact=final, floor=floor
    )
    return Passes(entrant, start, look, first, second, floor, final, new)


def official(rating: Step, rules: UsChessRules) -> int:
    """The official rating: the nearest whole number."""
    return ROUNDINGS[rules.rounding.value](decimal(rating.value))


def _unplayed(entrant: Entrant, start: Before, rules: UsChessRules) -> Passes:
    """A player without a game keeps the rating, or stays unrated."""
    if entrant.rating is None:
        none = ruled("new_rating.unplayed", rules.unplayed, None)
        return Passes(entrant, start, None, None, None, None, none, none)
    new = ruled("new_rating.rounded", rules.rounding, official(start.rating, rules), exact=start.rating)
    return Passes(entrant, start, None, None, None, None, start.rating, new)


def _floor(entrant: Entrant, rules: UsChessRules, system: str) -> Step:
    """The floor after the event, with its wins, draws and games counted."""
    wins, draws = entrant.tally()
    three = len(entrant.played) >= rules.absolute_floor.value.event_games
    provisional = entrant.games is not None and entrant.games <= rules.established.value
    return highest(
        [
            absolute_floor(
                (entrant.wins or 0) + wins,
                (entrant.draws or 0) + draws,
                (entrant.events or 0) + three,
                rules,
                system=system,
            ),
            None if entrant.peak is None or provisional else peak_floor(entrant.peak, rules, system=system),
            None if entrant.floor is None else known("floor.given", number_of(entrant.floor)),
        ]
    )


def section_notes(
    rated: tuple[Passes, ...], rules: UsChessRules, system: str, on: date, pace: Pace | None
) -> Iterator[Message]:
    """What was assumed, and about which players."""
    yield from date_notes(rulebook(), on)
    above = rules.dual_k.value.above
    masters = [passes.entrant.id for passes in rated if (passes.entrant.rating or 0) > above]
    if masters and pace is None and system == REGULAR:
        yield say("notes.dual.unknown", above=above, players=masters)
    unknown = [passes.entrant.id for passes in rated if passes.before.rating.key == "start.unknown"]
    if unknown:
        yield say("notes.start.unknown", players=unknown, start=rules.start_age.value.unknown)
    low = [passes.entrant.id for passes in rated if _floor_is_partial(passes, rules)]
    if low and system in OVER_THE_BOARD:
        yield say("notes.floor.partial", players=low, most=rules.absolute_floor.value.most)


def _floor_is_partial(passes: Passes, rules: UsChessRules) -> bool:
    """Whether earlier wins, draws and events, which were not given, could raise the rating."""
    counts = (passes.entrant.wins, passes.entrant.draws, passes.entrant.events)
    low = passes.final.value is not None and passes.final.value < rules.absolute_floor.value.most
    return low and None in counts and passes.before.games != 0


class Passes(NamedTuple):
    """The results of the steps for one player; without a game there is no pass and no floor."""

    entrant: Entrant
    before: Before
    first_look: Step | None
    first: Step | None
    second: Step | None
    floor: Step | None
    final: Step
    new: Step


@dataclass(frozen=True, kw_only=True)
class PlayerRating(Answer):
    """One player of a rated section; a figure that the player does not have is None."""

    id: str
    name: str | None
    rating: Rating | None  # before the event
    start: Rating | None  # the start of an unrated player
    games_before: int | None
    effective_games: Rating
    formula: Annotated[str, FORMULAS]
    k: Rating | None
    games: int
    score: Decimal
    expected: Decimal | None
    bonus: Rating | None
    first_look: Rating | None  # a newcomer's rating for the opponents' first pass (step 3)
    first_pass: Rating | None  # after step 4
    second_pass: Rating | None  # after step 5
    floor: Rating | None
    exact: Rating | None  # the rating before rounding
    new_rating: int | None  # the official rating; None for an unrated player without a game
    why: Text | None  # why a floor or a limit decided the rating instead of the formula

    @classmethod
    def of(cls, system: str, on: date, passes: Passes) -> PlayerRating:
        """A player's answer from the steps."""
        entrant, before, second = passes.entrant, passes.before, passes.second
        played = second is not None
        return cls(
            system=system,
            on=on,
            trail=(passes.new,),
            id=entrant.id,
            name=entrant.name,
            rating=entrant.rating,
            start=_value(before.rating) if entrant.rating is None else None,
            games_before=before.games,
            effective_games=decimal(before.effective.value),
            formula=before.formula.value,
            k=_value(before.k) if played else None,
            games=len(entrant.played),
            score=sum((result.score for result in entrant.played), Decimal(0)),
            expected=None if second is None else decimal(expected_sum(second)),
            bonus=None if second is None else _decimal(bonus_of(second)),
            first_look=_value(passes.first_look),
            first_pass=_value(passes.first),
            second_pass=_value(second),
            floor=_value(passes.floor),
            exact=_value(passes.final),
            new_rating=passes.new.value,
            why=Reason(passes.final) if played and passes.final is not second else None,
        )

    def summary(self) -> Sequence[Figure]:
        expected = None if self.expected is None else say("answers.expected", expected=self.expected)
        return (
            Figure("new_rating", say("answers.unrated") if self.new_rating is None else self.new_rating, self.why),
            Figure("exact", self.exact),
            Figure("formula", self.formula),
            Figure("effective_games", self.effective_games),
            Figure("k", self.k),
            Figure("score", say("answers.score_of", score=self.score, games=self.games), expected),
            Figure("bonus", self.bonus),
        )


def _value(step: Step | None) -> Decimal | None:
    return None if step is None else _decimal(step.value)


def _decimal(number: float | None) -> Decimal | None:
    return None if number is None else decimal(number)


def _hundredths(name: str) -> Callable[[PlayerRating], str | None]:
    """A figure with two decimals, as US Chess shows it."""

    def shown(player: PlayerRating) -> str | None:
        value = getattr(player, name)
        return None if value is None else fixed(value, 0 if f"{value:.2f}".endswith(".00") else 2)

    return shown


COLUMNS = (
    TableColumn("id", form="text"),
    TableColumn("name", form="text"),
    TableColumn("before", "rating", "rating"),
    TableColumn("n", "games"),
    TableColumn("formula", form="text"),
    TableColumn("k", _hundredths("k")),
    TableColumn("score", _hundredths("score")),
    TableColumn("exp", _hundredths("expected")),
    TableColumn("bonus", _hundredths("bonus")),
    TableColumn("pass_1", _hundredths("first_pass")),
    TableColumn("pass_2", _hundredths("second_pass")),
    TableColumn("new", "new_rating", "rating"),
)


@dataclass(frozen=True, kw_only=True)
class SectionRating(Answer):
    """A rated section: every player's new rating, in the order the players were given."""

    players: tuple[PlayerRating, ...]

    @derived
    def new_ratings(self) -> Mapping[str, int | None]:
        """The new ratings by ID."""
        return {player.id: player.new_rating for player in self.players}

    def player(self, id: str | int) -> PlayerRating:
        """One player by ID."""
        for player in self.players:
            if player.id == str(id):
                return player
        raise BadInput(say("uschess.section.no_player", id=id, ids=list(self.new_ratings)), at="player")

    def summary(self) -> Sequence[Figure]:
        return (Figure("players", len(self.players)),)

    def tables(self) -> Iterable[Table]:
        """A row for each player, and below them where a floor or a limit applied."""
        remarks = [say("uschess.section.why", id=player.id, why=player.why) for player in self.players if player.why]
        yield Table("players", COLUMNS, self.players, remarks)


@dataclass(frozen=True, slots=True)
class Result:
    """A result against another player of the section: the opponent's ID, the player's score, and how the game ended.

    `how` is `played`, `forfeit`, `bye` or `short`; a bye has no opponent.
    """

    opponent: str | None
    score: Decimal
    how: str = "played"


@dataclass(frozen=True, slots=True, init=False)
class Entrant:
    """A player of a section; what is not known is None.

    `rating` is the rating before the event, None for an unrated player, who starts from `start`, `fide` or `age`.
    `games` is N, the number of games behind it; None means an established rating. `previous` is `wins` or `losses` if
    every game so far was one. `wins`, `draws` and `events` (of three rated games) are counts before this event; `floor`
    is a floor that the office has set. The gains in earlier matches only matter in a match.
    """

    id: str
    results: tuple[Result, ...]
    rating: Rating | None
    games: int | None
    start: Rating | None
    age: float | None
    born: date | None
    fide: Rating | None
    adult: bool
    previous: str | None
    peak: Rating | None
    wins: int | None
    draws: int | None
    events: int | None
    floor: Rating | None
    gained_180_days: Rating | None
    gained_3_years: Rating | None
    name: str | None

    def __init__(
        self,
        id: str | int,
        results: Iterable[Result | tuple[str | int | None, Number] | tuple[str | int | None, Number, str]],
        *,
        rating: Number | None = None,
        games: Number | None = None,
        start: Number | None = None,
        age: Number | None = None,
        born: date | None = None,
        fide: Number | None = None,
        adult: bool = False,
        previous: str | None = None,
        peak: Number | None = None,
        wins: Number | None = None,
        draws: Number | None = None,
        events: Number | None = None,
        floor: Number | None = None,
        gained_180_days: Number | None = None,
        gained_3_years: Number | None = None,
        name: str | None = None,
    ) -> None:
        if previous is not None and previous not in PREVIOUS:
            raise UnknownName("previous_record", previous, known=PREVIOUS, at="previous")
        if rating is not None and start is not None:
            raise BadInput(say("uschess.section.rated_start"), at="start")
        for field, value in (
            ("id", str(id)),
            ("results", tuple(_result(result) for result in results)),
            ("rating", _rating(rating, "rating")),
            ("games", None if games is None else games_before_of(games, at="games")),
            ("start", _rating(start, "start")),
            ("age", None if age is None else age_of(age)),
            ("born", born),
            ("fide", _rating(fide, "fide")),
            ("adult", adult),
            ("previous", previous),
            ("peak", _rating(peak, "peak")),
            ("wins", _count(wins, "wins")),
            ("draws", _count(draws, "draws")),
            ("events", _count(events, "events")),
            ("floor", _rating(floor, "floor")),
            ("gained_180_days", _gain(gained_180_days, "gained_180_days")),
            ("gained_3_years", _gain(gained_3_years, "gained_3_years")),
            ("name", name),
        ):
            object.__setattr__(self, field, value)

    @property
    def played(self) -> tuple[Result, ...]:
        """The games that were played; the others are not rated."""
        return tuple(result for result in self.results if result.how == "played")

    def tally(self) -> tuple[int, int]:
        """The wins and draws of this event."""
        scores = Counter(result.score for result in self.played)
        return scores[WIN], scores[DRAW]


def _result(
    given: Result | tuple[str | int | None, Number] | tuple[str | int | None, Number, str],
) -> Result:
    """A result, checked like a game."""
    if isinstance(given, Result):
        given = (given.opponent, given.score, given.how)
    opponent, score, *how = given
    game = Game(None, score, *map(as_how, how))
    return Result(None if opponent is None else str(opponent), game.score, game.how)


def _rating(value: Number | None, at: str) -> Rating | None:
    return None if value is None else rating_of(value, at=at)


def _count(value: Number | None, at: str) -> int | None:
    return None if value is None else count_of(value, at)


def _gain(value: Number | None, at: str) -> Rating | None:
    return None if value is None else number(value, "gain", at=at)


class Problem(NamedTuple):
    """What is wrong with a section: which row, which field, and the message."""

    place: int
    field: str
    says: Message


def problem(entrants: Sequence[Entrant]) -> Problem | None:
    """The first problem that prevents rating a section; None if there is none."""
    if not entrants:
        return Problem(0, "id", say("uschess.section.empty"))
    places: dict[str, int] = {}
    for place, entrant in enumerate(entrants):
        if entrant.id in places:
            return Problem(place, "id", say("uschess.section.duplicate", id=entrant.id))
        places[entrant.id] = place
    for place, entrant in enumerate(entrants):
        for result in entrant.results:
            wrong = _bad_opponent(entrant, result, places)
            if wrong is not None:
                return Problem(
                    place, "results", say(f"uschess.section.{wrong}", id=entrant.id, opponent=result.opponent)
                )
    return _disagreement(entrants)


def _bad_opponent(entrant: Entrant, result: Result, known: Iterable[str]) -> str | None:
    """Why this opponent is impossible; None if all is well."""
    if result.opponent is None:
        return "no_opponent" if result.how == "played" else None
    if result.opponent == entrant.id:
        return "themselves"
    return None if result.opponent in known else "missing"


def _disagreement(entrants: Sequence[Entrant]) -> Problem | None:
    """A game for which the two players have different results; None if there is none."""
    counts = Counter((entrant.id, result.opponent, result.score) for entrant in entrants for result in entrant.played)
    for place, entrant in enumerate(entrants):
        for result in entrant.played:
            other = WIN - result.score
            mine = counts[entrant.id, result.opponent, result.score]
            theirs = counts[result.opponent or "", entrant.id, other]
            if mine != theirs:
                says = say(
                    "uschess.section.disagree",
                    id=entrant.id,
                    opponent=result.opponent,
                    mine=mine,
                    score=result.score,
                    theirs=theirs,
                    other=other,
                )
                return Problem(place, "results", says)
    return None
