"""The order of a report: the standings by the criteria chosen, or why there are none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation.serialise import to_json
from arpad.errors import ArpadError
from arpad.tournaments.standings import difference_lines, standings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arpad.core import Rating
    from arpad.messages import Message
    from arpad.tournaments.event.player import PlayerReport
    from arpad.tournaments.event.report import EventReport
    from arpad.tournaments.standings import EventStandings
    from arpad.tournaments.tiebreaks.scoreboard import Shown


class OrderLine(NamedTuple):
    """A player's place in a report, with the values of the criteria."""

    place: int
    player: PlayerReport
    values: tuple[Shown, ...]


@dataclass(frozen=True, slots=True)
class Order:
    """The standings of an event, or why there are only the ranks in its file."""

    standings: EventStandings | None
    why: Message | str | None = None

    @property
    def ranked(self) -> EventStandings | None:
        """The standings, if criteria were chosen or teams are ranked; otherwise the ranks in the file are better."""
        found = self.standings
        return found if found is not None and (found.by or found.teams) else None

    @property
    def criteria(self) -> tuple[str, ...]:
        """The criteria after the players' points; none if the order is the file's or teams are ranked."""
        return () if self.ranked is None or self.ranked.teams else self.ranked.criteria

    def lines(self, rated: EventReport) -> list[OrderLine]:
        """The players by the criteria, or by the ranks in the file."""
        found = self.ranked
        if found is None or found.teams:
            ranks = enumerate(rated.standings, start=1)
            return [OrderLine(player.rank or number, player, ()) for number, player in ranks]
        values = [tuple(player.values[name] for name in self.criteria) for player in found.players]
        return [
            OrderLine(player.place, rated.player(player.no), own)
            for player, own in zip(found.players, values, strict=True)
        ]

    @property
    def remarks(self) -> list[Message | str]:
        """Remarks on the order: what was dropped or assumed, and where the ranks in the file differ."""
        if self.standings is None:
            return [] if self.why is None else [self.why]
        if self.ranked is None:
            return []
        dropped = [criterion.why for criterion in self.standings.dropped]
        notes = [note for note in self.standings.notes if note.key.startswith("notes.ties.")]
        return [*map(str, dropped), *notes, *difference_lines(self.standings.differences, self.standings.lines)]

    def value(self) -> dict[str, Any]:
        """The standings as JSON, with the API's field names."""
        return {"players": [], "why": to_json(self.why)} if self.standings is None else self.standings.value()


def order_of(rated: EventReport, names: Sequence[str] = (), *, unrated: Rating | None = None) -> Order:
    """The standings of a rated event; criteria that were asked for but cannot be used are an error."""
    try:
        return Order(standings(rated.event, names, on=rated.on, unrated=unrated))
    except ArpadError as error:
        if names:
            raise
        return Order(None, error.said)
