"""The standings of a tournament: places, why one player is above another, groups and prizes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Unpack

from arpad.calculation.answer import Answer, Figure, date_notes, derived, hidden
from arpad.calculation.step import Step
from arpad.core.tournaments import BYES, no_such_number, numbered
from arpad.errors import BadInput, Unsupported
from arpad.messages import Message, say
from arpad.tournaments.lazy import lazy_trail
from arpad.tournaments.standings.crosstable import ResultsTable, crosstable_of
from arpad.tournaments.standings.groups import check_condition, members
from arpad.tournaments.standings.prizes import PLACES, Prize, PrizeWon, share_prizes
from arpad.tournaments.standings.ranks import RankDifference, rank_differences
from arpad.tournaments.tiebreaks.choice import SYSTEM, Chosen, DroppedCriterion, TieOptions, book, choose
from arpad.tournaments.tiebreaks.report import PlayerTies, TeamTies, criteria_figures, player_lines, team_lines
from arpad.tournaments.tiebreaks.table import Shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from arpad.core.tournaments import Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyAbove:
    """The criterion that puts one player above another, and both values; no criterion if they are equal."""

    above: int
    below: int
    criterion: str | None
    above_value: Shown
    below_value: Shown
    equal_in: tuple[str, ...]
    says: Message
    steps: tuple[Step, ...] = hidden(default=())


def _trail(standings: EventStandings) -> tuple[Step, ...]:
    if standings.why is not None:
        return standings.why.steps
    return tuple(line.step for line in standings.lines)


@dataclass(frozen=True, kw_only=True)
class EventStandings(Answer):
    """All players in order, after a round or at the end."""

    trail: tuple[Step, ...] = lazy_trail(_trail)
    by: tuple[str, ...]  # the criteria after the points
    criteria: tuple[str, ...]
    dropped: tuple[DroppedCriterion, ...]
    round: int  # the last round counted
    group: str | None
    players: tuple[PlayerTies, ...]
    teams: tuple[TeamTies, ...]
    differences: tuple[RankDifference, ...]  # from the ranks in the file
    why: WhyAbove | None
    prizes: tuple[PrizeWon, ...]
    chosen: Chosen = hidden()

    @derived
    def crosstable(self) -> ResultsTable:
        """All rounds in order of place; in a round robin, everybody against everybody."""
        return crosstable_of(self.chosen, [line.no for line in self.lines])

    @property
    def lines(self) -> tuple[PlayerTies | TeamTies, ...]:
        """The players, or the teams of a team event."""
        return self.teams or self.players

    def place(self, no: int) -> int:
        """The place of a player, or of a team in a team event."""
        return numbered(self.lines, no, lambda line: line.no).place

    def summary(self) -> Sequence[Figure]:
        shown = [*criteria_figures(self.criteria, self.dropped), Figure("standings.round", self.round)]
        if self.group is not None:
            shown.append(Figure("standings.group", self.group))
        if self.why is not None:
            shown.append(Figure("standings.why", self.why.says))
        return shown


def standings(
    tournament: Tournament,
    names: Sequence[str] | str = (),
    *,
    round: int | None = None,  # the name at every door
    group: str | None = None,
    why: Sequence[int] = (),
    prizes: Sequence[Prize] = (),
    share: str = PLACES,
    several: bool = False,
    **options: Unpack[TieOptions],
) -> EventStandings:
    """The standings by the criteria named, otherwise by those the file declares, otherwise by points only."""
    chosen = choose(tournament, names, until=round, show_all=False, **options)
    players = player_lines(chosen)
    if (group is not None or prizes) and chosen.teams:
        raise Unsupported(say("tournaments.standings.teams"), at="group" if group is not None else "prizes")
    won = (
        share_prizes(
            prizes,
            [(line.entrant, line.points or Decimal(0), line.place) for line in players],
            on=chosen.on,
            share=share,
            several=several,
        )
        if prizes
        else ()
    )
    complete = round is None and group is None
    return EventStandings(
        system=SYSTEM,
        on=chosen.on,
        remarks=partial(_notes, chosen, group),
        by=chosen.by,
        criteria=chosen.criteria,
        dropped=chosen.dropped,
        round=chosen.held,
        group=group,
        players=players if group is None else _grouped(players, group, chosen.on),
        teams=team_lines(chosen),
        differences=rank_differences(chosen) if complete else (),
        why=_why(chosen, why),
        prizes=won,
        chosen=chosen,
    )


def _notes(chosen: Chosen, group: str | None) -> Iterator[Message]:
    yield from date_notes(book(), chosen.on)
    yield from chosen.notes()
    if chosen.held < chosen.tournament.rounds:
        yield say("notes.standings.interim", held=chosen.held, rounds=chosen.tournament.rounds)
    ahead = sorted(
        {
            number
            for entrant in chosen.tournament.entrants
            for number, played in enumerate(entrant.rounds, start=1)
            if number > chosen.held and played.kind in BYES
        }
    )
    if ahead and chosen.until is None:
        yield say("notes.standings.ahead", rounds=ahead)
    if group is not None:
        yield say("notes.standings.group")


def _grouped(players: Sequence[PlayerTies], group: str, on: date) -> tuple[PlayerTies, ...]:
    """The players of a group, with their places in it."""
    check_condition(group)
    inside = {entrant.no for entrant in members((line.entrant for line in players), group, on)}
    if not inside:
        raise BadInput(say("tournaments.standings.nobody", group=group), at="group")
    found: list[PlayerTies] = []
    before = None
    for line in players:
        if line.no in inside:
            place = found[-1].place if before == line.place else len(found) + 1
            before = line.place
            found.append(replace(line, place=place))
    return tuple(found)


def _why(chosen: Chosen, numbers: Sequence[int]) -> WhyAbove | None:
    """The criterion that decides between two players."""
    if not numbers:
        return None
    order = {no: place for place, no in enumerate(no for group in chosen.ranking.groups for no in group)}
    for no in numbers:
        if no not in order:
            raise no_such_number(no, order, at="why")
    if len(set(numbers)) != 2:
        raise BadInput(say("tournaments.standings.two"), at="why")
    above, below = sorted(numbers, key=lambda no: order[no])
    decided = chosen.ranking.decided_by(above, below)
    equal = []
    for stage in chosen.ranking.stages:
        if decided is not None and stage.name == decided.name:
            break
        equal.append(stage.name)
    key = "equal" if decided is None else "first" if not equal else "by"
    values = (None, None) if decided is None else (decided.worth[above].shown, decided.worth[below].shown)
    return WhyAbove(
        above=above,
        below=below,
        criterion=None if decided is None else decided.name,
        above_value=values[0],
        below_value=values[1],
        equal_in=tuple(equal),
        says=say(
            f"tournaments.standings.why.{key}",
            above=above,
            below=below,
            criterion="" if decided is None else decided.name,
            own=values[0],
            other=values[1],
            equal=equal,
        ),
        steps=() if decided is None else tuple(chosen.ranking.step(decided, no) for no in (above, below)),
    )
