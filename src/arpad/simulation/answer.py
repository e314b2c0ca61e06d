"""What can still happen in an event, for everybody in it: scores, places, ratings, norms, prizes, the next pairings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from math import sqrt
from typing import TYPE_CHECKING, Literal

from arpad.calculation.answer import Answer, Figure, Table, TableColumn, derived
from arpad.core import Rating
from arpad.core.tournaments import numbered
from arpad.forecast.norm_simulation import simulated_percent
from arpad.forecast.targets import tenth
from arpad.messages import Message, figure, fixed, say

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

SHOWN_MEETINGS = 5  # of one player, with the highest chance
WORTH_A_LINE = 0.005  # a norm, a title, a prize or a meeting with a smaller chance has no line in a table
TEN = 10  # players, of whom all are among the first ten
WHOLE_POINTS = 0.25  # a mean change with this standard error or more is shown without tenths
NOISY = 0.05  # a share of the runs with one score, with this standard error or more, is not shown
HowPaired = Literal["known", "exact", "approximate"]


@dataclass(frozen=True, kw_only=True)
class EventChances(Answer):
    """The rest of an event, simulated: what can happen to every player, in the order of the expected places."""

    name: str | None
    event_kind: str
    after: int  # rounds held
    rounds: int
    runs: int
    seed: int
    by: tuple[str, ...]  # the tie-breaks simulated, after the points
    not_simulated: tuple[str, ...]
    withdrawn: tuple[int, ...]
    players: tuple[PlayerChances, ...]
    pairing: HowPaired  # of the rounds to come: known; the next by FIDE's algorithm in most runs; or all by our matcher
    next_round: int | None  # None if it is paired already
    meetings: tuple[NextMeeting, ...]  # in the next round, for the leaders

    @derived
    def error(self) -> float:
        """The largest standard error of a chance."""
        return 0.5 / sqrt(self.runs)

    def player(self, no: int) -> PlayerChances:
        """The chances of one player."""
        return numbered(self.players, no, lambda one: one.no)

    def for_player(self, no: int) -> EventChances:
        """The answer with one player alone."""
        met = tuple(meeting for meeting in self.meetings if no in (meeting.no, meeting.opponent))
        return replace(self, players=(self.player(no),), meetings=met)

    def summary(self) -> Sequence[Figure]:
        shown = [
            Figure("chances.event", self.name),
            Figure("chances.after", self.after, say("chances.of_rounds", rounds=self.rounds)),
            Figure("chances.runs", self.runs, say("chances.seeded", seed=self.seed, error=fixed(100 * self.error, 1))),
            Figure("chances.by", ", ".join(self.by) or say("chances.points_alone")),
        ]
        if len(self.players) == 1:
            shown += self.players[0].figures()
        return shown

    def tables(self) -> Iterator[Table]:
        """Everybody's places and ratings, or one's scores and places; then norms, titles, prizes and the next round."""
        if len(self.players) == 1:
            one = self.players[0]
            yield Table("scores", SCORES, one.scores)
            yield Table("places", PLACES, [line for line in one.places if line.chance >= WORTH_A_LINE])
        else:
            standings = STANDINGS if len(self.players) > TEN else [one for one in STANDINGS if one.key != "top10"]
            yield Table("players", standings, self.players)
            rated = [one for one in self.players if one.change is not None]
            if rated:
                yield Table("ratings", RATINGS, rated)
        for key, columns, rows in (
            ("norms", NORMS, [norm for one in self.players for norm in one.norms]),
            ("levels", LEVELS, [level for one in self.players for level in one.levels]),
            ("prizes", PRIZES, [prize for one in self.players for prize in one.prizes]),
            ("meetings", MEETINGS, self.meetings),
        ):
            likely = [row for row in rows if row.chance >= WORTH_A_LINE]
            if likely:
                yield Table(key, columns, likely)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerChances:
    """What can happen to one player; places and ratings from the lowest to the highest tenth leave out the extremes."""

    no: int
    name: str | None
    title: str | None
    rating: Rating | None
    points: Decimal
    final: float  # points at the end, on average
    scores: tuple[ScoreChance, ...]
    places: tuple[PlaceChance, ...]
    first: float
    top3: float
    top10: float
    place: int  # the median
    place_from: int  # nine times in ten it is this one or a lower one
    place_to: int  # and nine times in ten this one or a higher one
    change: float | None  # on average
    change_error: float | None  # its standard error
    gain: float | None  # the chance that the rating rises
    new_rating: int | None  # the median
    new_from: int | None
    new_to: int | None
    norms: tuple[EventNormChance, ...]
    levels: tuple[EventLevelChance, ...]
    prizes: tuple[PrizeChance, ...]
    runs: int

    @property
    def called(self) -> str:
        """The name; without one, the starting number."""
        return self.name or str(say("tournaments.called.no", no=self.no))

    def shown(self, chance: float) -> Message:
        """A chance in percent, without digits that are noise."""
        return simulated_percent(chance, error_of(chance, self.runs))

    @property
    def mean_change(self) -> Decimal | None:
        """The change on average, without digits that are noise."""
        if self.change is None or self.change_error is None:
            return None
        return tenth(self.change) if self.change_error < WHOLE_POINTS else Decimal(round(self.change))

    def figures(self) -> Iterator[Figure]:
        """The figures of one player."""
        yield Figure("chances.player", self.called)
        yield Figure("chances.points", self.points, say("chances.final", final=fixed(self.final, 1)))
        yield Figure("chances.first", self.shown(self.first))
        yield Figure("chances.top3", self.shown(self.top3))
        yield Figure("chances.place", self.place, say("chances.between", low=self.place_from, high=self.place_to))
        if self.mean_change is not None and self.gain is not None:
            yield Figure(
                "chances.new_rating", self.new_rating, say("chances.between", low=self.new_from, high=self.new_to)
            )
            change = figure(self.mean_change, signed=True)
            yield Figure("chances.gain", self.shown(self.gain), say("chances.mean_change", change=change))


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreChance:
    """A final score, and its chance."""

    points: Decimal
    chance: float
    error: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceChance:
    """A final place, and its chance."""

    place: int
    chance: float
    error: float


@dataclass(frozen=True, slots=True, kw_only=True)
class EventNormChance:
    """The chance of a norm, and what it takes: with each final score, how often it is a norm."""

    no: int
    called: str
    title: str
    chance: float
    error: float
    takes: tuple[NormAtScore, ...]

    @property
    def needs(self) -> Message:
        """The scores that may be enough, in words, and how often; where too few runs had a score, it stands alone."""
        parts: list[str | Message] = []
        for at in self.takes:
            points, percent = figure(at.points), f"{100 * at.norm:.0f}"
            parts.append(points if at.error >= NOISY else say("chances.at_score", points=points, percent=percent))
        return say("chances.takes", scores=parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class NormAtScore:
    """A final score, its chance, and how often it is a norm."""

    points: Decimal
    chance: float
    norm: float
    error: float  # of `norm`: few runs may have this score


@dataclass(frozen=True, slots=True, kw_only=True)
class EventLevelChance:
    """A title's rating that is not reached yet, and the chance to have it on the next list."""

    no: int
    called: str
    title: str
    level: int
    chance: float
    error: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeChance:
    """The prizes of one condition: the chance of any of them, and what they are worth on average."""

    no: int
    called: str
    condition: str
    chance: float
    error: float
    worth: float
    worth_error: float  # its standard error

    @property
    def worth_shown(self) -> int:
        """What they are worth on average, without digits that are noise."""
        step = 1
        while self.worth_error >= 2.5 * step and self.worth >= 5 * step:
            step *= 10
        return step * round(self.worth / step)


@dataclass(frozen=True, slots=True, kw_only=True)
class NextMeeting:
    """Two players who may meet in the next round; `white` is how often the first then has White."""

    no: int
    called: str
    opponent: int
    opponent_called: str
    chance: float
    error: float
    white: float


def error_of(chance: float, runs: int) -> float:
    """The standard error of a share of runs; at an end of the scale that of one case, because none was seen."""
    return 1 / runs if chance in (0, 1) else sqrt(chance * (1 - chance) / runs)


def _percent(name: str = "chance") -> Callable[[Any], Message]:
    """A column with a chance of a row, which has its own error or belongs to a player; short where it is a bound."""

    def shown(row: Any) -> Message:
        chance: float = getattr(row, name)
        error = error_of(chance, row.runs) if isinstance(row, PlayerChances) else row.error
        return simulated_percent(chance, error, brief=True)

    return shown


def _range(low: int | None, high: int | None) -> str | None:
    return None if low is None or high is None else str(low) if low == high else f"{low}–{high}"


CHANCE = TableColumn("chance", _percent())
SCORES = (TableColumn("points"), CHANCE)
PLACES = (TableColumn("place"), CHANCE)
WHO = (TableColumn("no"), TableColumn("name", "called", "text"))
STANDINGS = (
    *WHO,
    TableColumn("points"),
    TableColumn("final", lambda one: fixed(one.final, 1)),
    TableColumn("first", _percent("first")),
    TableColumn("top3", _percent("top3")),
    TableColumn("top10", _percent("top10")),
    TableColumn("place"),
    TableColumn("eight_in_ten", lambda one: _range(one.place_from, one.place_to)),
)
RATINGS = (
    *WHO,
    TableColumn("rating"),
    TableColumn("change", "mean_change", "signed"),
    TableColumn("gain", _percent("gain")),
    TableColumn("new_rating", short="new"),
    TableColumn("eight_in_ten", lambda one: _range(one.new_from, one.new_to)),
)
NORMS = (*WHO, TableColumn("norm", "title", "text"), CHANCE, TableColumn("needs", form="text"))
LEVELS = (*WHO, TableColumn("title", form="text"), TableColumn("rating", "level"), CHANCE)
PRIZES = (*WHO, TableColumn("condition", form="text"), CHANCE, TableColumn("worth", "worth_shown"))
MEETINGS = (*WHO, CHANCE, TableColumn("versus", "opponent"), TableColumn("opponent", "opponent_called", "text"))
