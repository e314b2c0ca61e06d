"""The answers of the systems: a rating change with its events and games, expectations, first ratings, conversions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from arpad.calculation.answer import Answer, Exact, Figure, Table, TableColumn, Text, derived, hidden, same
from arpad.calculation.explain import Clause, Reason, words
from arpad.calculation.step import Step, known, ruled
from arpad.core import Event, Game, ListedK, Period, Rating, check_size
from arpad.core.games import HOWS
from arpad.core.numbers import decimal
from arpad.errors import BadInput
from arpad.messages import Message, figure, fixed, say
from arpad.systems.chances import calibrated

if TYPE_CHECKING:
    from arpad.core import Pace
    from arpad.rulebooks import Rule, Rulebook, Rules


Enter = Callable[[Step], tuple[Step, Step]]  # a change to what the list gets: rounded change, new rating


@dataclass(frozen=True, slots=True, kw_only=True)
class GameChange:
    """The change from one game, or why it is not rated. `counted` is the difference after any cap."""

    opponent: Rating | None
    score: Decimal
    difference: Rating | None = None
    counted: Rating | None = None
    expected: Decimal | None = None
    change: Exact | None = None
    rated: bool = True
    why: Text | None = None
    how: Annotated[str, HOWS] = "played"
    deviation: Rating | None = None  # the opponent's, in the systems that have one

    @classmethod
    def of(cls, step: Step) -> GameChange:
        """A game from its step."""
        opponent, score = step.words["opponent"], step.words["score"]
        if step.rule is not None:
            how = step.words.get("how", "played")
            return cls(opponent=opponent, score=score, rated=False, why=Reason(step), how=how)
        expected: Any = step.given["expected"]
        counted = expected.given["difference"]
        true = counted.given.get("difference", counted)
        return cls(
            opponent=opponent,
            score=score,
            difference=true.value,
            counted=counted.value,
            expected=expected.value,
            change=step.value,
            why=Reason(counted) if counted is not true else None,
        )


class CountedGames:
    """Games of which only the rated ones count."""

    per_game: tuple[GameChange, ...]

    @derived
    def games(self) -> int:
        """How many games were rated."""
        return sum(game.rated for game in self.per_game)

    @derived
    def score(self) -> Decimal:
        """The score in the rated games."""
        return score_of(self.per_game)


class GamesOfSteps:
    """Games read from their steps on demand; in JSON they come before their totals."""

    @derived
    def per_game(self) -> tuple[GameChange, ...]:
        """Every game, rated or not, in the order they were given."""
        return tuple(self.read_games())

    games = CountedGames.games
    score = CountedGames.score

    @derived
    def expected(self) -> Decimal | None:
        """The expected score in the rated games; None if the system has none."""
        found = [game.expected for game in self.per_game if game.expected is not None]
        return sum(found, Decimal(0)) if found or not self.games else None

    def read_games(self) -> Iterable[GameChange]:
        """Read the games from their steps."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class EventChange(GamesOfSteps):
    """One event of a period: the rating it was played with, its games, and the change they add up to."""

    name: str | None
    on: date | None
    rating: Rating | None
    change: Exact
    event: Event = hidden()
    change_step: Step = hidden()
    game_steps: tuple[Step, ...] = hidden()
    read: Callable[[Step], GameChange] = hidden(default=GameChange.of)

    @classmethod
    def of(
        cls,
        event: Event,
        rating: Step,
        games: tuple[Step, ...],
        change: Step,
        *,
        read: Callable[[Step], GameChange] = GameChange.of,
    ) -> EventChange:
        """An event from its steps."""
        return cls(
            name=event.name,
            on=event.on,
            rating=rating.value,
            change=decimal(change.value),
            event=event,
            change_step=change,
            game_steps=games,
            read=read,
        )

    def read_games(self) -> Iterable[GameChange]:
        return map(self.read, self.game_steps)


def score_of(games: Iterable[GameChange]) -> Decimal:
    """The score in the rated games."""
    return sum((game.score for game in games if game.rated), Decimal(0))


def no_performance() -> int | None:
    """No performance rating."""
    return None


@dataclass(frozen=True, kw_only=True)
class RatingChange(GamesOfSteps, Answer):
    """How the games of an event or a period change a rating; K is None in a system without one."""

    rating: Rating | None
    k: Rating | None = None
    k_used: Rating | None = None
    k_why: Text | None = None
    k_until: date | None = None
    change: Exact
    rounded: Rating
    new_rating: Rating | None
    why: Text | None = None
    events: tuple[EventChange, ...] = ()
    plain_elo: RatingChange | None = None  # the same games by plain Elo, if asked for
    other_side: RatingChange | None = None  # the same game as the opponent sees it, if asked for
    k_step: Step | None = hidden(default=None)  # K after any limit, with its reasons
    enter: Enter | None = hidden(default=None)  # how another change of these games would enter the list
    find_performance: Callable[[], int | None] = hidden(default=no_performance)

    def read_games(self) -> Iterable[GameChange]:
        return (game for event in self.events for game in event.per_game)

    @derived
    def performance(self) -> int | None:
        """The performance rating of the rated games; None without any."""
        return self.find_performance()

    def entered(self, change: Decimal) -> tuple[Rating, Rating | None] | None:
        """How another change of these games would enter the list: rounded change and new rating.

        None if the new rating depends on more than the sum of the changes.
        """
        if self.enter is None:
            return None
        rounded, new = self.enter(known("change", change))
        return rounded.value, new.value

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "find_performance": partial(same, self.performance)}

    def summary(self) -> Sequence[Figure]:
        return (
            new_rating_figure(self),
            Figure("change", self.change),
            Figure("k", self.k_used, self._k_remark()),
            score_figure(self),
            Figure("performance", self.performance),
        )

    def _k_remark(self) -> Text:
        why = self.k_why or say("answers.k.given")
        return why if self.k_used == self.k else say("answers.k.limited", k=self.k, why=why)


def new_rating_figure(change: RatingChange) -> Figure:
    """The new rating, with the old rating and the change."""
    if change.new_rating is None:
        return Figure("new_rating", say("answers.unrated"), change.why)
    came = say("answers.from" if change.rounded else "answers.unchanged", rating=change.rating, change=change.rounded)
    return Figure("new_rating", change.new_rating, came)


def score_figure(change: RatingChange) -> Figure:
    """The score of the rated games beside the expected one, if there is one."""
    score = say("answers.score_of", score=change.score, games=change.games)
    expected = None if change.expected is None else say("answers.expected", expected=change.expected)
    return Figure("score", score, expected)


# Notes that say that K, or a deviation, rests on something that was not given.
ASSUMED_K = ("notes.k.assumed.", "notes.ecf.age", "notes.dwz.", "notes.icu.age", "notes.games.assumed")
ASSUMED_DEVIATION = ("notes.deviation.assumed",)


def assumed_note(answer: Answer, about: tuple[str, ...] = (*ASSUMED_K, *ASSUMED_DEVIATION)) -> Message | None:
    """The first note that says what was assumed about the player; None if nothing was."""
    return next((note for note in answer.notes if note.key.startswith(about)), None)


def given_k(k: Rating, listed: ListedK | None = None) -> Step:
    """K as the user gave it, or from a rating list."""
    return known("k.given", k) if listed is None else Step("k.listed", k, words={"list": listed.list})


def why_k(k: Step) -> Text | None:
    """The reason for K; None if it was given."""
    return None if k.key == "k.given" else Clause(k)


def not_rated(number: int, game: Game, reason: str, rule: Rule[object], rating: Rating | None, **facts: Any) -> Step:
    """The step of a game that does not count, with the facts that its sentence needs."""
    words = {"no": number, "opponent": rating, "score": game.score, "how": game.how, **facts}
    return ruled(f"not_rated.{reason}", rule, None, words=words)


def opponent_of(game: GameChange) -> str:
    """The opponent's rating as text; empty for a bye."""
    if game.opponent is None:
        return "" if game.how == "bye" else words("value")["opponent.unrated"]
    return figure(game.opponent)


def ending(game: GameChange) -> str:
    """How a game ended, in words; forfeits and byes have their own."""
    texts, score = words("score"), f"{game.score.normalize():f}"
    return texts.get(game.how) or texts.get(f"{score}.{game.how}") or texts.get(score) or figure(game.score)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chances:
    """The probabilities of win, draw and loss, the model, and how well it holds; None if the model cannot say."""

    win: float | None = None
    draw: float | None = None
    loss: float | None = None
    model: str = "none"
    holds: Message | None = None

    @property
    def says(self) -> Message:
        """Which model gave them, and how well it holds."""
        return say("answers.chances", model=say(f"systems.draws.name.{self.model}"), holds=self.holds)

    @classmethod
    def of(cls, rating: Rating, opponent: Rating, *, system: str, scale: Callable[[float], float] = float) -> Chances:
        """Chances by the calibrated model, for unknown colours; `scale` converts ratings to today's scale."""
        model = calibrated()
        mine, other = scale(float(rating)), scale(float(opponent))
        win, draw, loss = model.chances(mine, other, None)
        holds = model.how_well(mine - other, system)
        return cls(win=win, draw=draw, loss=loss, model="calibrated", holds=holds)


@dataclass(frozen=True, kw_only=True)
class Expectation(Answer):
    """One game before it is played: the expected score, and the change for win, draw and loss."""

    k: Rating | None = None
    k_why: Text | None = None
    expected: Decimal | None  # None if the game would not be rated
    table: Decimal | None = None  # the table's expected score, where a rule caps the difference
    win: Exact | None = None
    draw: Exact | None = None
    loss: Exact | None = None
    chances: Chances
    why: Text | None = None  # why the game would not be rated
    cap: int | None = None  # the largest difference that counts, if there is a limit
    next_list: ListAhead | None = None  # the list that the game enters, and K on it; None without lists
    other_side: Expectation | None = None  # the same game as the opponent sees it, if asked for

    @classmethod
    def of(
        cls,
        system: str,
        on: date,
        *,
        expected: Step,
        changes: Mapping[str, Step],
        chances: Chances,
        table: Decimal | None = None,
        cap: int | None = None,
        k: Step | None = None,
        next_list: ListAhead | None = None,
        remarks: Callable[[], Iterable[Message]],
    ) -> Expectation:
        """An expectation from its steps; without changes, the game would not be rated."""
        worth = {result: decimal(step.value) for result, step in changes.items()}
        return cls(
            system=system,
            on=on,
            trail=(expected, *changes.values()),
            remarks=remarks,
            k=None if k is None else k.value,
            k_why=None if k is None else why_k(k),
            expected=None if expected.value is None else decimal(expected.value),
            table=table,
            chances=chances,
            why=None if changes else Reason(expected),
            cap=cap,
            next_list=next_list,
            win=worth.get("win"),
            draw=worth.get("draw"),
            loss=worth.get("loss"),
        )

    @property
    def capped(self) -> bool:
        """Whether a rule reduced the difference that counts."""
        return self.expected is not None and self.table is not None and self.table != self.expected

    def summary(self) -> Sequence[Figure]:
        if self.expected is None:
            return (Figure("expected", say("answers.not_rated"), self.why),)
        beside = say("answers.without_cap", table=self.table, cap=self.cap) if self.capped else None
        return (
            Figure("expected", self.expected, beside),
            Figure("k", self.k, self.k_why or say("answers.k.given")),
            *([] if self.next_list is None else [self.next_list.figure]),
        )

    def tables(self) -> Iterable[Table]:
        """A row for each result, with its chance if a model can say; none if the game would not be rated."""
        if self.expected is None:
            return

        def percent(result: str) -> Message | None:
            chance = getattr(self.chances, result)
            return None if chance is None else say("answers.percent", percent=f"{100 * chance:.0f}")

        columns = (
            TableColumn("result", lambda result: say(f"reading.result.{result}"), "text"),
            TableColumn("change", partial(getattr, self), "signed"),
            TableColumn("chance", percent),
        )
        yield Table(
            "results", columns, ("win", "draw", "loss"), () if self.chances.win is None else (self.chances.says,)
        )


def judged_games(
    games: Iterable[Game | Event] | Game | Event, unplayed: Rule[object], pace: Pace | None = None
) -> tuple[GameChange, ...]:
    """All games of all events: those against rated opponents, and why the others do not count."""
    given = [games] if isinstance(games, Game | Event) else list(games)
    events = tuple(item if isinstance(item, Event) else Event((item,), pace=pace) for item in given)
    check_size(Period(events))
    played = [game for event in events for game in event.games]
    return tuple(_judged(no, game, unplayed) for no, game in enumerate(played, start=1))


def _judged(no: int, game: Game, unplayed: Rule[object]) -> GameChange:
    rating = game.opponent.rating
    if game.how == "played" and rating is not None:
        return GameChange(opponent=rating, score=game.score)
    reason = "unrated" if game.how == "played" else game.how
    return GameChange.of(not_rated(no, game, reason, unplayed, rating))


@dataclass(frozen=True, kw_only=True)
class FirstRating(CountedGames, Answer):
    """An unrated player's first rating, or what is still missing."""

    rating: int | None  # None if there is none yet
    why: Text | None  # why there is none yet
    missing: tuple[Text, ...]
    so_far: int | None  # the rating from the games so far; None if none counts yet
    per_game: tuple[GameChange, ...]

    @classmethod
    def of(
        cls,
        system: str,
        on: date,
        *,
        first: Step,
        missing: tuple[Text, ...],
        so_far: Step | None,
        per_game: tuple[GameChange, ...],
        remarks: Callable[[], Iterable[Message]],
    ) -> FirstRating:
        """A first rating from its steps."""
        return cls(
            system=system,
            on=on,
            trail=(first,),
            remarks=remarks,
            rating=first.value,
            why=Reason(first) if first.value is None else None,
            missing=missing,
            so_far=None if so_far is None else int(so_far.value),
            per_game=per_game,
        )

    def summary(self) -> Sequence[Figure]:
        return (
            Figure("first", say("answers.none_yet") if self.rating is None else self.rating, self.why),
            *(Figure("missing", missing) for missing in self.missing),
            Figure("so_far", self.so_far if self.rating is None else None, say("answers.counted_games")),
            Figure("score", say("answers.score_of", score=self.score, games=self.games), say("answers.against_rated")),
        )


@dataclass(frozen=True, kw_only=True)
class Conversion(Answer):
    """A rating after a one-off conversion; `dwz_index` is the index after it, if the index was given."""

    before: Rating
    rating: int
    dwz_index: int | None = None

    def summary(self) -> Sequence[Figure]:
        return (
            Figure("rating", self.rating, say("answers.converted", before=self.before, on=self.on)),
            Figure("dwz_index", self.dwz_index),
        )


def one_off(book: Rulebook[Rules], on: date | None) -> Rule[Any]:
    """The conversion of a day's list, or the latest one; an error if there was none."""
    dated = book.rules["one_off"]
    rule = dated[-1] if on is None else one_off_on(book, on)
    if rule is not None:
        return rule
    raise BadInput(say("systems.no_conversion", on=on, days=[str(rule.since) for rule in dated]), at="on")


def one_off_on(book: Rulebook[Rules], day: date) -> Rule[Any] | None:
    """The conversion of a day's list; None if there was none."""
    return next((rule for rule in book.rules["one_off"] if rule.since == day), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class KOnList:
    """A K, and how probable it is on the next list."""

    k: Rating
    chance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ListAhead:
    """The list that games of a day enter, and the possible values of K on it, the likeliest first."""

    on: date
    k: tuple[KOnList, ...]  # empty if the user gave K, or no rating is left

    @property
    def figure(self) -> Figure:
        """The list for a summary."""
        return Figure("next_list", self.on, self._remark())

    def _remark(self) -> Message | None:
        if not self.k:
            return None
        first, *others = self.k
        if not others:
            return say("answers.next_k", k=first.k)
        shares = tuple(say("answers.next_k.perhaps", k=item.k, percent=fixed(100 * item.chance, 1)) for item in self.k)
        return say("answers.next_k.several", shares=shares)
