"""What the family answers: a rating with its deviation, its volatility and its interval."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation import formulas
from arpad.calculation.answers import Expectation, because, exact, plain
from arpad.calculation.contract import Figure, Rated
from arpad.calculation.step import Step, found, ruled, walk
from arpad.core import DRAW, LOSS, WIN
from arpad.messages import figure
from arpad.systems.glicko import curve
from arpad.systems.glicko.standing import assumed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import date
    from decimal import Decimal

    from arpad.calculation.contract import Notes
    from arpad.core import Rating
    from arpad.rulebooks.rulebook import Rule
    from arpad.systems.glicko.standing import Standing


class GlickoGame(NamedTuple):
    """What one game gave; in a period it is the game's share of the change, for all of its games count together."""

    opponent: Rating | None
    deviation: float | None
    score: Decimal
    difference: float | None
    expected: float | None
    change: float | None
    rated: bool
    why: str | None
    how: str = "played"

    @property
    def counted(self) -> float | None:
        """The whole difference counts: this family has no cap."""
        return self.difference

    @classmethod
    def of(cls, step: Step, own: Step, change: float | None) -> GlickoGame:
        """Read a game off its step."""
        opponent, score = step.words["opponent"], step.words["score"]
        if step.rule is not None:
            return cls(opponent, None, score, None, None, None, rated=False, why=because(step), how=step.words["how"])
        expected: Any = step.given["expected"]
        gap = None if opponent is None else own.value - float(opponent)
        return cls(opponent, step.words["deviation"], score, gap, expected.value, change, rated=True, why=None)

    def value(self) -> dict[str, Any]:
        """The game by the names of the public contract."""
        return {
            **self._asdict(),
            "opponent": plain(self.opponent),
            "score": plain(self.score),
            "counted": self.counted,
            "change": exact(self.change),
        }


class GlickoChange(Rated):
    """What games, or a time without any, do to a rating, its deviation and its volatility."""

    def __init__(
        self,
        system: str,
        on: date,
        *,
        before: Standing,
        after: Standing,
        interval: Rule[float],
        games: Sequence[GlickoGame],
        earlier: tuple[Step, ...] = (),
        later: tuple[Step, ...] = (),
        notes: Notes = tuple,
    ) -> None:
        width = ruled("interval", interval, interval.value)
        self._before, self._after = before, after
        self._change = found("change", formulas.difference, rating=after.rating, opponent=before.rating)
        self._interval = tuple(
            found(key, by, rating=after.rating, width=width, deviation=after.deviation)
            for key, by in (("interval.low", curve.interval_low), ("interval.high", curve.interval_high))
        )
        self._games = list(games)
        standing = [step for step in after if step is not None]
        roots = (*earlier, *standing, self._change, *self._interval, *later)
        super().__init__(system, on, roots, lambda: (*assumed(self.steps), *notes()))

    @property
    def rating(self) -> float:
        """The rating before the games."""
        return float(self._before.rating.value)

    @property
    def deviation(self) -> float:
        """The deviation before the games, and before any time without games."""
        return float(self._before.deviation.value)

    @property
    def volatility(self) -> float | None:
        """The volatility before the games; None in a system without."""
        return _value(self._before.volatility)

    @property
    def new_rating(self) -> float:
        """The rating after the games, not rounded."""
        return float(self._after.rating.value)

    @property
    def new_deviation(self) -> float:
        """The deviation after the games."""
        return float(self._after.deviation.value)

    @property
    def new_volatility(self) -> float | None:
        """The volatility after the games; None in a system without."""
        return _value(self._after.volatility)

    @property
    def change(self) -> float:
        """New rating minus old."""
        return float(self._change.value)

    @property
    def change_step(self) -> Step:
        """The change with its reasons."""
        return self._change

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true strength lies in 95 of 100 cases."""
        low, high = self._interval
        return low.value, high.value

    @property
    def per_game(self) -> list[GlickoGame]:
        """Every game, rated or not."""
        return self._games

    @property
    def expected(self) -> float:
        """The expected score in the rated games."""
        return sum(game.expected for game in self._games if game.expected is not None)

    def figures(self) -> list[Figure]:
        low, high = self.interval
        return [
            Figure("new_rating", self.new_rating, f"{figure(self.rating)} {_signed(self.change)}"),
            Figure("deviation", self.new_deviation, f"{figure(self.deviation)} before"),
            Figure(
                "volatility",
                self.new_volatility,
                "" if self.volatility is None else f"{figure(self.volatility)} before",
            ),
            Figure("interval", f"{figure(low)} to {figure(high)}", "the true strength, 95 times of 100"),
            Figure(
                "score",
                f"{figure(self.score)} of {self.games}" if self.per_game else None,
                f"expected {figure(self.expected)}",
            ),
        ]

    def value(self) -> dict[str, Any]:
        return {
            "system": self.system,
            "on": self.on.isoformat(),
            "rating": self.rating,
            "k": None,
            "games": self.games,
            "score": plain(self.score),
            "expected": self.expected,
            "change": exact(self.change),
            "new_rating": self.new_rating,
            "performance": None,
            "deviation": self.deviation,
            "new_deviation": self.new_deviation,
            "volatility": self.volatility,
            "new_volatility": self.new_volatility,
            "interval": list(self.interval),
            "per_game": [game.value() for game in self.per_game],
        }


def expectation(expected: Step, rate: Callable[[Decimal], GlickoChange], *, notes: Notes = tuple) -> Expectation:
    """One game before it is played; no chances, because the draw models know nothing of deviations."""
    rated = {name: rate(score) for name, score in (("win", WIN), ("draw", DRAW), ("loss", LOSS))}
    changes = {name: one.change_step._replace(key=f"if.{name}") for name, one in rated.items()}
    return Expectation(
        rated["win"].system,
        rated["win"].on,
        expected=expected,
        changes=changes,
        table=None,
        chances={},
        model="none",
        k=None,
        notes=lambda: (*assumed(walk(expected, *changes.values())), *notes()),
    )


def _value(step: Step | None) -> float | None:
    return None if step is None else float(step.value)


def _signed(change: float) -> str:
    return figure(change, signed=True) if change else "unchanged"
