"""What rating a whole event answers: a line for every entrant, and figures of the event as a whole."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from arpad.calculation.contract import Calculation, Figure, date_notes
from arpad.core.tournament import FIXED_PAIRINGS, event_kind, numbered
from arpad.messages import Message, say
from arpad.tournaments.checks import game_inconsistencies
from arpad.tournaments.event.summary import Summary

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from arpad.calculation.step import Step
    from arpad.core.tournament import Oddity, Tournament
    from arpad.rulebooks.rulebook import Rule
    from arpad.systems.base import System
    from arpad.tournaments.checks import Finding
    from arpad.tournaments.event.entrant import EntrantRating


class EventRating(Calculation):
    """A rated event: every entrant in the order of the file, and what the whole came to."""

    def __init__(
        self,
        system: System,
        on: date,
        tournament: Tournament,
        players: tuple[EntrantRating, ...],
    ) -> None:
        self.summary = summary = Summary(players)
        # The notes hold no reference to the answer itself: without a cycle it goes when it is let go.
        super().__init__(system.name, on, summary.roots, lambda: _notes(system, on, tournament, players, summary))
        self.tournament = tournament
        self.players = players

    @property
    def oddities(self) -> tuple[Oddity, ...]:
        """What was odd in the file, or differs from a list."""
        return self.tournament.oddities

    def entrant(self, no: int) -> EntrantRating:
        """One entrant by starting number."""
        return numbered(self.players, no, lambda one: one.no)

    def player(self, no: int) -> Calculation:
        """One entrant's full calculation, with the working; refused if there is none."""
        return self.entrant(no).calculation

    @cached_property
    def findings(self) -> list[Finding]:
        """What does not fit together in the games: the figures rest on what each player's own line says."""
        return game_inconsistencies(self.tournament)

    @cached_property
    def standings(self) -> list[EntrantRating]:
        """The entrants by the rank the file claims, else by points."""

        def place(one: EntrantRating) -> tuple[Any, ...]:
            rank = one.entrant.rank
            return (rank is None, rank or 0, -(one.points or 0), one.no)

        return sorted(self.players, key=place)

    def applied(self, _: Sequence[Step]) -> list[Rule[Any]]:
        """The rules behind every entrant's calculation, each once; the event's own steps rest on theirs."""
        found = {id(rule): rule for one in self.players if one.again for rule in one.calculation.rules}
        return list(found.values())

    def figures(self) -> list[Figure]:
        return self.summary.figures()

    def value(self) -> dict[str, Any]:
        event = self.tournament
        return {
            "system": self.system,
            "on": self.on.isoformat(),
            "tournament": {
                "name": event.name,
                "city": event.city,
                "federation": event.federation,
                "start": event.start and event.start.isoformat(),
                "end": event.end and event.end.isoformat(),
                "kind": event.kind,
                "rounds": event.rounds,
                "time_control": event.time_control,
                "arbiter": event.arbiter,
            },
            "list": event.from_list and event.from_list.value(),
            "summary": self.summary.value(),
            "players": [player.value() for player in self.players],
            "findings": [finding._asdict() for finding in self.findings],
            "oddities": [str(oddity) for oddity in self.oddities],
        }


def _notes(
    system: System, on: date, tournament: Tournament, players: tuple[EntrantRating, ...], summary: Summary
) -> Iterator[Message]:
    """What was assumed about the players, each kind once, and what the rules do not settle."""
    yield from date_notes(system.rulebook, on)
    assumed: dict[str, int] = {}
    for one in players:
        for key in one.changed.assumed if one.changed else ():
            assumed[key] = assumed.get(key, 0) + 1
    for key, count in assumed.items():
        yield say(f"notes.event.{key}", players=count)
    if summary.unrated > 0 and _old_round_robin(system, on, tournament):
        yield say("notes.event.round_robin")


def _old_round_robin(system: System, on: date, tournament: Tournament) -> bool:
    """Whether unrated players counted in a way that is not settled: round robins under the old editions."""
    rule = getattr(system.rulebook.at(on), "unrated_opponent", None)
    fixed = event_kind(tournament)[0] in FIXED_PAIRINGS
    return fixed and rule is not None and rule.value == "not rated in a Swiss"
