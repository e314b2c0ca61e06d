"""The tie-breaks of a tournament: everybody, in the order that points and criteria give."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any

from arpad.calculation.answer import Answer, Figure, Text, date_notes, hidden
from arpad.calculation.reasons import Reason
from arpad.calculation.step import Step, ruled
from arpad.core import Rating, rating_of
from arpad.core.tournaments import ASSUMED, FIXED_PAIRINGS, FORFEIT, Entrant, day_of, event_kind, numbered
from arpad.errors import BadInput
from arpad.messages import say
from arpad.tournaments.checks import file_notes
from arpad.tournaments.points import points_of
from arpad.tournaments.tiebreaks.rules import parse_criterion, rulebook
from arpad.tournaments.tiebreaks.values import TieGames

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from arpad.core.tournaments import Tournament
    from arpad.messages import Message
    from arpad.tournaments.tiebreaks.rules import Criterion, TieRules

SYSTEM = "fide-ties"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerTies:
    """A player's place by points and the criteria, and the value of each criterion."""

    place: int
    no: int
    name: str | None
    rating: Rating | None
    points: Decimal | None  # None where the file has neither points nor rounds
    values: Mapping[str, int | None]
    entrant: Entrant = hidden()
    steps: tuple[Step, ...] = field(repr=False, metadata={"hidden": True})  # of the values, in their order

    @property
    def step(self) -> Step:
        """The points with the values behind them."""
        who = say("tournaments.who" if self.name else "tournaments.who.nameless", no=self.no, name=self.name)
        return Step("tie", self.points, {"values": self.steps}, words={"who": who})


@dataclass(frozen=True, slots=True)
class DroppedCriterion:
    """A criterion that was not worked out, and why."""

    name: str
    why: Text


@dataclass(frozen=True, kw_only=True)
class TieBreaks(Answer):
    """The tie-breaks of everybody, in the order they give."""

    by: tuple[str, ...]  # the criteria that give the order
    criteria: tuple[str, ...]
    dropped: tuple[DroppedCriterion, ...]
    players: tuple[PlayerTies, ...]

    def player(self, no: int) -> PlayerTies:
        """The values of a starting number."""
        return numbered(self.players, no, lambda player: player.no)

    def of(self, no: int) -> dict[str, int | None]:
        """A player's values by criterion."""
        return dict(self.player(no).values)

    def summary(self) -> Sequence[Figure]:
        names: object = ", ".join(self.criteria) or say("answers.none")
        shown = [Figure("ties", names)]
        if self.dropped:
            shown.append(Figure("tie.dropped", ", ".join(one.name for one in self.dropped), self.dropped[0].why))
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

    lines = [_line(one, games, criteria, points_of(one, tournament)) for one in tournament.entrants]
    left_out = tuple(ruled(f"tie.{one.name}", rules.unrated, None) for one in asked) if unknown else ()
    placed = tuple(_placed(lines, order))
    note = "ties.dropped" if unknown else None if order else "ties.unordered"
    return TieBreaks(
        system=SYSTEM,
        on=day,
        trail=(*left_out, *(player.step for player in placed)),
        remarks=partial(_notes, tournament, day, counted, event, source, rules, note),
        by=tuple(map(str, order)),
        criteria=tuple(map(str, criteria)),
        dropped=tuple(DroppedCriterion(str(one), Reason(step)) for one, step in zip(asked, left_out, strict=False)),
        players=placed,
    )


def _line(entrant: Entrant, games: TieGames, criteria: Sequence[Criterion], points: Decimal | None) -> PlayerTies:
    """A player's values; the place comes later."""
    steps = tuple(games.value(criterion, entrant.no) for criterion in criteria)
    return PlayerTies(
        place=0,
        no=entrant.no,
        name=entrant.player.name,
        rating=entrant.player.rating,
        points=points,
        values={str(criterion): step.value for criterion, step in zip(criteria, steps, strict=True)},
        entrant=entrant,
        steps=steps,
    )


def _whole(rating: Rating) -> int:
    """What an unrated player counts as: a rating without a fraction."""
    counted = rating_of(rating, at="unrated")
    if not isinstance(counted, int):
        raise BadInput(say("tournaments.ties.unrated_whole", rating=counted), at="unrated")
    return counted


def _notes(
    tournament: Tournament,
    on: date,
    unrated: int | None,
    kind: str,
    source: str,
    rules: TieRules,
    note: str | None,
) -> Iterator[Message]:
    """What was assumed or not named, and the disputed reading where it matters."""
    yield from date_notes(rulebook(), on)
    yield from file_notes(tournament)
    if note is not None:
        yield say(f"notes.{note}")
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
        # What nobody put into an order decides nothing.
        return [_worth(line.points), *(_worth(line.values[str(name)], low=name.reversed) for name in order)]

    ordered = sorted(lines, key=rank, reverse=True)
    placed: list[PlayerTies] = []
    for number, line in enumerate(ordered, start=1):
        same = placed and rank(placed[-1]) == rank(line)
        placed.append(replace(line, place=placed[-1].place if same else number))
    return placed


def _worth(value: Decimal | int | None, *, low: bool = False) -> tuple[Any, ...]:
    """What is compared: a value above none, and where low is good the lower above the higher."""
    return () if value is None else (-value if low else value,)
