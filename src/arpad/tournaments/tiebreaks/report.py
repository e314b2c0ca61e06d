"""The tie-breaks of a tournament: everybody, in the order that points and criteria give."""

# No postponed annotations here: named tuples would compile each one, which costs the command line milliseconds.

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from functools import partial
from typing import Any, NamedTuple

from arpad.calculation.answers import because, plain
from arpad.calculation.contract import Calculation, Figure, date_notes
from arpad.calculation.step import Step, ruled
from arpad.core import Rating, rating_of
from arpad.core.tournament import ASSUMED, FIXED_PAIRINGS, FORFEIT, Entrant, Tournament, day_of, event_kind, numbered
from arpad.errors import BadInput
from arpad.messages import Message, say
from arpad.tournaments.checks import file_notes
from arpad.tournaments.points import points_of
from arpad.tournaments.tiebreaks.rules import Criterion, TieRules, parse_criterion, rulebook
from arpad.tournaments.tiebreaks.values import TieGames

SYSTEM = "fide-ties"


class PlayerTies(NamedTuple):
    """A player's place by points and the criteria, and the value of each."""

    entrant: Entrant
    points: Decimal | None  # None where the file has neither points nor rounds
    place: int
    values: tuple[Step, ...]

    @property
    def step(self) -> Step:
        """The points with the values that stand behind them."""
        name = self.entrant.player.name
        who = f"no. {self.entrant.no}" + (f", {name}" if name else "")
        return Step("tie", self.points, {"values": self.values}, words={"who": who})


class TieBreaks(Calculation):
    """The tie-breaks of everybody, in the order they give."""

    def __init__(
        self,
        on: date,
        criteria: tuple[Criterion, ...],
        order: tuple[Criterion, ...],
        players: Sequence[PlayerTies],
        dropped: tuple[Criterion, ...],
        rules: TieRules,
        notes: Callable[[], Iterator[Message]],
    ) -> None:
        super().__init__(SYSTEM, on, self._working, notes)
        self.criteria = criteria
        self.order = order
        self.players = tuple(players)
        self.dropped = dropped
        self._dropped = tuple(ruled(f"tie.{one.name}", rules.unrated, None) for one in dropped)

    def _working(self) -> tuple[Step, ...]:
        return (*self._dropped, *(player.step for player in self.players))

    def player(self, no: int) -> PlayerTies:
        """The values of a starting number."""
        return numbered(self.players, no, lambda one: one.entrant.no)

    def of(self, no: int) -> dict[str, int | None]:
        """A player's values by criterion."""
        return {str(name): step.value for name, step in zip(self.criteria, self.player(no).values, strict=True)}

    def value(self) -> dict[str, Any]:
        return {
            "on": self.on.isoformat(),
            "by": [str(one) for one in self.order],
            "criteria": [str(one) for one in self.criteria],
            "dropped": [
                {"name": str(one), "why": because(step)} for one, step in zip(self.dropped, self._dropped, strict=True)
            ],
            "players": [
                {
                    "place": one.place,
                    "no": one.entrant.no,
                    "name": one.entrant.player.name,
                    "rating": plain(one.entrant.player.rating),
                    "points": plain(one.points),
                    "values": {str(name): step.value for name, step in zip(self.criteria, one.values, strict=True)},
                }
                for one in self.players
            ],
        }

    def figures(self) -> list[Figure]:
        shown = [Figure("ties", ", ".join(map(str, self.criteria)) or "none")]
        if self.dropped:
            shown.append(Figure("tie.dropped", ", ".join(map(str, self.dropped)), because(self._dropped[0])))
        return shown


def tie_breaks(
    tournament: Tournament,
    names: Sequence[str] = (),
    *,
    on: date | None = None,
    unrated: Rating | None = None,
    kind: str | None = None,
    readings: Mapping[str, str] | None = None,
) -> TieBreaks:
    """Tie-breaks by ratings, as the edition of the day has them: `ARO`, `ARO/C1`, `TPR`, `PTP`, `APRO`, `APPO`, `RTNG`.

    Named, they give the order of the players; without names everything the edition has is worked out, and none does.
    With an unrated player in the event they are dropped, unless `unrated` is what the published rule counts one as.
    """
    day = day_of(tournament, on)
    names = (names,) if isinstance(names, str) else names
    rules = rulebook(tuple(sorted((readings or {}).items()))).at(day)
    asked = tuple(parse_criterion(name, rules, day) for name in names or rules.criteria.value)
    counted = None if unrated is None else _whole(unrated)
    unknown = counted is None and any(one.player.rating is None for one in tournament.entrants)
    criteria = () if unknown else asked
    order = criteria if names else ()
    event, source = event_kind(tournament, kind)
    games = TieGames(tournament, event, counted, rules, day)

    lines = [
        PlayerTies(one, points_of(one, tournament), 0, tuple(games.value(name, one.no) for name in criteria))
        for one in tournament.entrants
    ]
    told = "ties.dropped" if unknown else None if order else "ties.unordered"
    notes = partial(_notes, tournament, day, counted, event, source, rules, told)
    return TieBreaks(day, criteria, order, _placed(lines, order), asked if unknown else (), rules, notes)


def _whole(rating: Rating) -> int:
    """What an unrated player counts as: a rating without a fraction."""
    counted = rating_of(rating, at="unrated")
    if not isinstance(counted, int):
        raise BadInput(f"An unrated player counts as a whole rating; {counted} is not.", at="unrated")
    return counted


def _notes(
    tournament: Tournament,
    on: date,
    unrated: int | None,
    kind: str,
    source: str,
    rules: TieRules,
    told: str | None,
) -> Iterator[Message]:
    """What was assumed or not named, and the disputed reading where something hangs on it."""
    yield from date_notes(rulebook(), on)
    yield from file_notes(tournament)
    if told is not None:
        yield say(f"notes.{told}")
    if unrated is not None:
        yield say("notes.ties.unrated", unrated=unrated)
    forfeits, disputed = rules.forfeits, bool(rules.forfeits.others)
    if disputed and any(one.kind == FORFEIT for entrant in tournament.entrants for one in entrant.rounds):
        if source == ASSUMED:
            yield say("notes.norms.kind", kind=kind)
        if kind in FIXED_PAIRINGS:
            yield say("notes.norms.reading", says=forfeits.says, rule=forfeits.name, others=forfeits.others)


def _placed(lines: Sequence[PlayerTies], order: Sequence[Criterion]) -> list[PlayerTies]:
    """By points and the criteria in order; who is equal in all has the same place, and no value comes last."""

    def rank(line: PlayerTies) -> list[tuple[Any, ...]]:
        values = zip(order, line.values, strict=False)  # what nobody put into an order decides nothing
        return [_worth(line.points), *(_worth(value.value, low=name.reversed) for name, value in values)]

    ordered = sorted(lines, key=rank, reverse=True)
    placed: list[PlayerTies] = []
    for number, line in enumerate(ordered, start=1):
        same = placed and rank(placed[-1]) == rank(line)
        placed.append(line._replace(place=placed[-1].place if same else number))
    return placed


def _worth(value: Decimal | int | None, *, low: bool = False) -> tuple[Any, ...]:
    """What is compared: a value above none, and where low is good the lower above the higher."""
    return () if value is None else (-value if low else value,)
