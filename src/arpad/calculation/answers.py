"""What the calculations answer: one class for each question, all of them `Calculation`s."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation.contract import Calculation, Figure, Rated
from arpad.calculation.explain import clause, figure, sentence
from arpad.calculation.step import Step, known, ruled

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import date

    from arpad.calculation.contract import Notes
    from arpad.core.model import Event, Game, Player, Rating
    from arpad.rulebooks.rulebook import Rule


HUNDREDTH = Decimal("0.01")


class GameChange(NamedTuple):
    """What one game gave, or why it gave nothing."""

    opponent: Rating | None
    score: Decimal
    difference: int | None
    counted: int | None
    expected: Decimal | None
    change: Decimal | None
    rated: bool
    why: str | None
    how: str = "played"

    @classmethod
    def of(cls, step: Step) -> GameChange:
        """Read a game off its step."""
        opponent, score = step.words["opponent"], step.words["score"]
        if step.rule is not None:
            how = step.words.get("how", "played")
            return cls(opponent, score, None, None, None, None, rated=False, why=because(step), how=how)
        expected: Any = step.given["expected"]
        counted = expected.given["difference"]
        true = counted.given.get("difference", counted)
        why = because(counted) if counted is not true else None
        return cls(opponent, score, true.value, counted.value, expected.value, step.value, rated=True, why=why)

    @classmethod
    def entered(cls, opponent: Rating | None, score: Decimal) -> GameChange:
        """A game that enters a sum, without a change of its own."""
        return cls(opponent, score, None, None, None, None, rated=True, why=None)

    def value(self) -> dict[str, Any]:
        """The game by the names of the public contract."""
        return {
            "opponent": plain(self.opponent),
            "score": plain(self.score),
            "difference": plain(self.difference),
            "counted": plain(self.counted),
            "expected": plain(self.expected),
            "change": exact(self.change),
            "rated": self.rated,
            "why": self.why,
            "how": self.how,
        }


class EventChange(NamedTuple):
    """One event of a period: the rating it was played with, each game's step, and the change they add up to."""

    event: Event
    rating: Step
    games: tuple[Step, ...]
    change: Step

    @property
    def per_game(self) -> list[GameChange]:
        """The games in the order they were given."""
        return [GameChange.of(step) for step in self.games]

    def value(self) -> dict[str, Any]:
        """The event by the names of the public contract."""
        games = self.per_game
        counted = [game for game in games if game.rated]
        return {
            "name": self.event.name,
            "on": self.event.on and self.event.on.isoformat(),
            "rating": plain(self.rating.value),
            "games": len(counted),
            "score": plain(sum(game.score for game in counted)),
            "expected": plain(sum(game.expected or 0 for game in counted)),
            "change": exact(self.change.value),
            "per_game": [game.value() for game in games],
        }


class RatingChange(Rated):
    """What the games of an event or a period do to a rating."""

    def __init__(
        self,
        system: str,
        on: date,
        *,
        base: Step,
        k: Step,
        k_used: Step,
        total: Step,
        rounded: Step,
        new: Step,
        events: tuple[EventChange, ...],
        performance: Callable[[], int | None],
        enter: Callable[[Step], tuple[Step, Step]] | None = None,
        k_until: Callable[[], date | None] | None = None,
        notes: Notes = tuple,
    ) -> None:
        super().__init__(system, on, (new,), notes)
        self._k_until = k_until
        self._base, self._k, self._k_used = base, k, k_used
        self._total, self._rounded, self._new = total, rounded, new
        self._performance = performance
        self._enter = enter
        self.events = events
        self.plain_elo: Rated | None = None  # the same games by plain Elo, if somebody asked for both
        self._games: list[GameChange] | None = None  # read off the steps when somebody asks

    @property
    def rating(self) -> Rating:
        """The published rating the change is added to."""
        rating: Rating = self._base.value
        return rating

    @property
    def k(self) -> Rating:
        """The player's K."""
        k: Rating = self._k.value
        return k

    @property
    def k_used(self) -> Rating:
        """K after the limit on K times games."""
        k: Rating = self._k_used.value
        return k

    @property
    def k_step(self) -> Step:
        """K after the limit, with its reasons."""
        return self._k_used

    @property
    def k_why(self) -> str | None:
        """The sentence behind K, whether it was worked out, assumed or read from a list; None if it was given."""
        return why_k(self._k)

    @property
    def k_until(self) -> date | None:
        """The list on which K changes by age; None if it does not."""
        return None if self._k_until is None else self._k_until()

    @property
    def change(self) -> Decimal:
        """The exact change, before rounding."""
        return Decimal(self._total.value)

    @property
    def enter(self) -> Callable[[Decimal], tuple[Rating, int | None]] | None:
        """How any other change of these games would enter the list, by the same steps; None if that is not all."""
        steps = self._enter
        if steps is None:
            return None

        def entered(change: Decimal) -> tuple[Rating, int | None]:
            rounded, new = steps(known("change", change))
            return rounded.value, new.value

        return entered

    @property
    def rounded(self) -> Rating:
        """The change that enters the list; where a rating has decimals, that to the whole rating."""
        rounded: Rating = self._rounded.value
        return rounded

    @property
    def new_rating(self) -> int | None:
        """The rating on the next list; None if it is below the floor."""
        new: int | None = self._new.value
        return new

    @property
    def why(self) -> str | None:
        """Why there is no new rating; None if there is one."""
        return because(self._new) if self._new.value is None else None

    @property
    def per_game(self) -> list[GameChange]:
        """Every game of every event, rated or not."""
        if self._games is None:
            self._games = [game for event in self.events for game in event.per_game]
        return self._games

    @property
    def expected(self) -> Decimal:
        """The expected score in the rated games."""
        return sum((game.expected for game in self.per_game if game.expected is not None), Decimal(0))

    @property
    def performance(self) -> int | None:
        """The performance rating of the rated games; None without any."""
        return self._performance()

    def figures(self) -> list[Figure]:
        reduced = f"{figure(self.k)} without the limit on K times games; " if self.k_used != self.k else ""
        return [
            Figure(
                "new_rating",
                "unrated" if self.new_rating is None else self.new_rating,
                self.why or f"{self.rating} {figure(self.rounded, signed=True)}",
            ),
            Figure("change", self.change),
            Figure("k", self.k_used, reduced + (self.k_why or "given")),
            Figure("score", f"{figure(self.score)} of {self.games}", f"expected {figure(self.expected)}"),
            Figure("performance", self.performance),
        ]

    def value(self) -> dict[str, Any]:
        until = self.k_until
        value = {
            "system": self.system,
            "on": self.on.isoformat(),
            "rating": plain(self.rating),
            "k": plain(self.k),
            "k_used": plain(self.k_used),
            "k_why": self.k_why,
            "k_until": until and until.isoformat(),
            "games": self.games,
            "score": plain(self.score),
            "expected": plain(self.expected),
            "change": exact(self.change),
            "rounded": plain(self.rounded),
            "new_rating": self.new_rating,
            "why": self.why,
            "performance": self.performance,
            "per_game": [game.value() for game in self.per_game],
        }
        if len(self.events) > 1:
            value["events"] = [event.value() for event in self.events]
        if self.plain_elo is not None:
            value["plain_elo"] = self.plain_elo.value()
        return value


class Expectation(Calculation):
    """One game before it is played."""

    def __init__(
        self,
        system: str,
        on: date,
        *,
        expected: Step,
        changes: Mapping[str, Step],
        table: Decimal | None,
        chances: Mapping[str, float],
        model: str,
        cap: int | None = None,
        k: Step | None,
        notes: Notes = tuple,
    ) -> None:
        super().__init__(system, on, (expected, *changes.values()), notes)
        self._expected = expected
        self._changes = changes
        self.table = table
        self.chances = chances
        self.model = model
        self.cap = cap
        self._k = k

    @property
    def k(self) -> Rating | None:
        """K; None where the system has none, or none before the result is known."""
        return None if self._k is None else self._k.value

    @property
    def k_why(self) -> str | None:
        """The sentence behind K; None if it was given, or if there is none."""
        return None if self._k is None else why_k(self._k)

    @property
    def expected(self) -> Decimal | None:
        """The expected score by the rules; None if the game would not be rated."""
        expected: Decimal | None = self._expected.value
        return expected

    @property
    def why(self) -> str | None:
        """Why the game would not be rated; None if it would."""
        return None if self._changes else because(self._expected)

    @property
    def capped(self) -> bool:
        """Whether a rule counts a wide difference as a smaller one."""
        return self.expected is not None and self.table is not None and self.table != self.expected

    @property
    def win(self) -> Decimal | None:
        """The change for a win."""
        return self._change("win")

    @property
    def draw(self) -> Decimal | None:
        """The change for a draw."""
        return self._change("draw")

    @property
    def loss(self) -> Decimal | None:
        """The change for a loss."""
        return self._change("loss")

    def _change(self, result: str) -> Decimal | None:
        return self._changes[result].value if self._changes else None

    def figures(self) -> list[Figure]:
        if self.expected is None:
            return [Figure("expected", "not rated", self.why or "")]
        beside = f"{figure(self.table)} by the table without the {self.cap}-point rule" if self.capped else ""
        return [Figure("expected", self.expected, beside), Figure("k", self.k, self.k_why or "given")]

    def value(self) -> dict[str, Any]:
        return {
            "system": self.system,
            "on": self.on.isoformat(),
            "k": plain(self.k),
            "k_why": self.k_why,
            "expected": plain(self.expected),
            "table": plain(self.table),
            "win": exact(self.win),
            "draw": exact(self.draw),
            "loss": exact(self.loss),
            "chances": {**self.chances, "model": self.model},
            "why": self.why,
        }


def given_k(player: Player) -> Step:
    """K as somebody gave it, or as a rating list has it."""
    if player.k_from is None:
        return known("k.given", player.k)
    return Step("k.listed", player.k, words={"list": player.k_from.list})


def why_k(k: Step) -> str | None:
    """Why K is what it is; None if somebody gave it."""
    return None if k.key == "k.given" else str(k.words.get("says") or clause(k))


def not_rated(number: int, game: Game, reason: str, rule: Rule[Any], rating: Rating | None, **facts: Any) -> Step:
    """The step of a game that does not count, with what its sentence needs beside the rule."""
    words = {"no": number, "opponent": rating, "score": game.score, "how": game.how, **facts}
    return ruled(f"not_rated.{reason}", rule, None, words=words)


def because(step: Step) -> str:
    """A step's clause as a sentence with its article."""
    return sentence(step) if step.rule is None else f"{sentence(step)} [{step.rule.cite}]"


def plain(number: Any) -> Any:
    """A number as JSON has it: whole if it is whole."""
    if not isinstance(number, Decimal):
        return number
    return int(number) if number == number.to_integral_value() else float(number)


def exact(number: Decimal | float | None) -> str | None:
    """A change as an exact decimal, with two places at least."""
    if number is None:
        return None
    text = str(number)
    return text if len(text.partition(".")[2]) >= 2 else str(Decimal(text).quantize(HUNDREDTH))
