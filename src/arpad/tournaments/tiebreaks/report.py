"""The tie-breaks of a tournament: all players, ranked by points and criteria."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Unpack

from arpad.calculation.answer import Answer, Figure, date_notes, hidden
from arpad.calculation.explain import Reason
from arpad.calculation.step import Step
from arpad.core import Rating
from arpad.core.tournaments import Entrant, Team, numbered
from arpad.messages import say
from arpad.tournaments.lazy import lazy_trail
from arpad.tournaments.tiebreaks.choice import SYSTEM, Chosen, DroppedCriterion, TieOptions, book, choose
from arpad.tournaments.tiebreaks.table import Shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from arpad.core.tournaments import Tournament
    from arpad.messages import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerTies:
    """A player's place by points and the criteria, and the value of each criterion."""

    place: int
    no: int
    name: str | None
    rating: Rating | None
    points: Decimal | None  # None if the file has neither points nor rounds
    values: Mapping[str, Shown]
    entrant: Entrant = hidden()
    chosen: Chosen = hidden()

    @property
    def called(self) -> str:
        """The name; without one, the FIDE ID or else the starting number."""
        return self.entrant.called

    @property
    def steps(self) -> tuple[Step, ...]:
        """The working of the values, in their order."""
        return value_steps(self.chosen, self.no)

    @property
    def step(self) -> Step:
        """The points with the values behind them."""
        return line_step(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamTies:
    """A team's place by its score and the criteria, and the value of each criterion."""

    place: int
    no: int
    name: str
    points: Decimal
    match_points: Decimal
    game_points: Decimal
    values: Mapping[str, Shown]
    team: Team = hidden()
    chosen: Chosen = hidden()

    @property
    def called(self) -> str:
        """The name of the team."""
        return self.name

    @property
    def steps(self) -> tuple[Step, ...]:
        """The working of the values, in their order."""
        return value_steps(self.chosen, self.no)

    @property
    def step(self) -> Step:
        """The score with the values behind it."""
        return line_step(self)


def value_steps(chosen: Chosen, no: int) -> tuple[Step, ...]:
    """The working of all values of one player or team."""
    stages = [stage for stage in chosen.ranking.stages if stage.name in chosen.criteria]
    return tuple(chosen.ranking.step(stage, no) for stage in stages)


def line_step(line: PlayerTies | TeamTies) -> Step:
    """A line with the working of its values."""
    who = say("tournaments.who" if line.name else "tournaments.who.nameless", no=line.no, name=line.name)
    return Step("tie", line.points, {"values": line.steps}, words={"who": who})


def _trail(ties: TieBreaks) -> tuple[Step, ...]:
    reasons = [dropped.why.step for dropped in ties.dropped if isinstance(dropped.why, Reason)]
    edition = ties.lines[0].chosen.edition() if ties.lines else ()
    return (*reasons, *edition, *(line.step for line in ties.lines))


@dataclass(frozen=True, kw_only=True)
class TieBreaks(Answer):
    """The tie-breaks of all players, in the resulting order."""

    trail: tuple[Step, ...] = lazy_trail(_trail)
    by: tuple[str, ...]  # the criteria that decide the order
    criteria: tuple[str, ...]
    dropped: tuple[DroppedCriterion, ...]
    players: tuple[PlayerTies, ...]
    teams: tuple[TeamTies, ...]  # in a team event, instead of players

    @property
    def lines(self) -> tuple[PlayerTies | TeamTies, ...]:
        """The players, or the teams of a team event."""
        return self.teams or self.players

    def player(self, no: int) -> PlayerTies:
        """The values of a player, by starting number."""
        return numbered(self.players, no, lambda player: player.no)

    def of(self, no: int) -> dict[str, Shown]:
        """The values of a player, or of a team in a team event, by criterion."""
        return dict(numbered(self.lines, no, lambda line: line.no).values)

    def summary(self) -> Sequence[Figure]:
        return criteria_figures(self.criteria, self.dropped)


def criteria_figures(criteria: Sequence[str], dropped: Sequence[DroppedCriterion]) -> list[Figure]:
    """The criteria, and those dropped, with the reason."""
    shown = [Figure("ties", ", ".join(criteria) or say("answers.none"))]
    for why, group in _by_reason(dropped).items():
        names = ", ".join(criterion.name for criterion in group)
        shown.append(Figure("tie.dropped", names, group[0].why if why else None))
    return shown


def _by_reason(dropped: Sequence[DroppedCriterion]) -> dict[str, list[DroppedCriterion]]:
    groups: dict[str, list[DroppedCriterion]] = {}
    for criterion in dropped:
        groups.setdefault(str(criterion.why), []).append(criterion)
    return groups


def tie_breaks(
    tournament: Tournament,
    names: Sequence[str] | str = (),
    **options: Unpack[TieOptions],
) -> TieBreaks:
    """Tie-breaks by the edition of the day, such as `DE`, `BH/C1`, `SB`, `WIN`, `ARO/C1` and `TPR`.

    The criteria named decide the order; without names, those that the file declares. If it declares none, all criteria
    of the edition are calculated, but do not change the order. With an unrated player in the event, criteria based on
    ratings are dropped, unless `unrated` gives the rating of unrated players by the event's published rules.
    """
    chosen = choose(tournament, names, **options)
    return TieBreaks(
        system=SYSTEM,
        on=chosen.on,
        remarks=partial(_notes, chosen),
        by=chosen.by,
        criteria=chosen.criteria,
        dropped=chosen.dropped,
        players=player_lines(chosen),
        teams=team_lines(chosen),
    )


def _notes(chosen: Chosen) -> Iterator[Message]:
    yield from date_notes(book(), chosen.on)
    yield from chosen.notes()


def places_of(chosen: Chosen) -> list[tuple[int, int]]:
    """Place and number from the top; players equal in everything share a place."""
    found, place = [], 1
    for group in chosen.ranking.groups:
        found += [(place, no) for no in group]
        place += len(group)
    return found


def _values(chosen: Chosen, no: int) -> dict[str, Shown]:
    return {stage.name: stage.worth[no].shown for stage in chosen.ranking.stages if stage.name in chosen.criteria}


def player_lines(chosen: Chosen) -> tuple[PlayerTies, ...]:
    """The players in order; empty in a team event."""
    if chosen.teams:
        return ()
    field = chosen.ranking.table.fields[""]
    entrants = {entrant.no: entrant for entrant in reversed(chosen.tournament.entrants)}
    return tuple(
        PlayerTies(
            place=place,
            no=no,
            name=entrants[no].player.name,
            rating=entrants[no].player.rating,
            points=None if no in field.unknown else field.points(field.totals[no]),
            values=_values(chosen, no),
            entrant=entrants[no],
            chosen=chosen,
        )
        for place, no in places_of(chosen)
    )


def team_lines(chosen: Chosen) -> tuple[TeamTies, ...]:
    """The teams in order; empty unless it is a team event."""
    if not chosen.teams:
        return ()
    table, teams = chosen.ranking.table, {team.no: team for team in chosen.tournament.teams}
    totals = {
        score: {no: field.points(total) for no, total in field.totals.items()} for score, field in table.fields.items()
    }
    return tuple(
        TeamTies(
            place=place,
            no=no,
            name=teams[no].name,
            points=totals[table.primary][no],
            match_points=totals["MP"][no],
            game_points=totals["GP"][no],
            values=_values(chosen, no),
            team=teams[no],
            chosen=chosen,
        )
        for place, no in places_of(chosen)
    )
