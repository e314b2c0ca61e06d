"""The order of a report: the standings by the criteria chosen, or why there are none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation.serialise import to_json
from arpad.errors import ArpadError
from arpad.tournaments.standings.ranks import difference_lines
from arpad.tournaments.standings.report import standings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arpad.core import Rating
    from arpad.messages import Message
    from arpad.tournaments.event.player import PlayerReport
    from arpad.tournaments.event.report import EventReport
    from arpad.tournaments.standings.report import EventStandings
    from arpad.tournaments.tiebreaks.table import Shown


class OrderLine(NamedTuple):
    """A player in the order of a report, with the values of the criteria."""

    place: int
    player: PlayerReport
    values: tuple[Shown, ...]


@dataclass(frozen=True, slots=True)
class Order:
    """The standings of an event, or why there are none beside the ranks of its file."""

    standings: EventStandings | None
    why: Message | str | None = None

    @property
    def ranked(self) -> EventStandings | None:
        """The standings, if criteria give the order or teams are ranked; else the ranks of the file say more."""
        found = self.standings
        return found if found is not None and (found.by or found.teams) else None

    @property
    def criteria(self) -> tuple[str, ...]:
        """The criteria behind the points of the players; none where the order is the file's."""
        return () if self.ranked is None or self.ranked.teams else self.ranked.criteria

    def lines(self, rated: EventReport) -> list[OrderLine]:
        """The players by the criteria, else by the ranks of the file."""
        found = self.ranked
        if found is None or found.teams:
            ranks = enumerate(rated.standings, start=1)
            return [OrderLine(one.rank or number, one, ()) for number, one in ranks]
        values = [tuple(one.values[name] for name in self.criteria) for one in found.players]
        return [OrderLine(one.place, rated.player(one.no), own) for one, own in zip(found.players, values, strict=True)]

    @property
    def remarks(self) -> list[Message | str]:
        """What is to be said about the order: where the ranks of the file differ, what was dropped or assumed."""
        if self.standings is None:
            return [] if self.why is None else [self.why]
        if self.ranked is None:
            return []
        dropped = [one.why for one in self.standings.dropped]
        notes = [one for one in self.standings.notes if one.key.startswith("notes.ties.")]
        return [*map(str, dropped), *notes, *difference_lines(self.standings.differences, self.standings.lines)]

    def value(self) -> dict[str, Any]:
        """The standings by the names of the public contract."""
        return {"players": [], "why": to_json(self.why)} if self.standings is None else self.standings.value()


def order_of(rated: EventReport, names: Sequence[str] = (), *, unrated: Rating | None = None) -> Order:
    """The standings of a rated event; criteria that somebody asked for are refused if they cannot be used."""
    try:
        return Order(standings(rated.event, names, on=rated.on, unrated=unrated))
    except ArpadError as error:
        if names:
            raise
        return Order(None, error.said)
