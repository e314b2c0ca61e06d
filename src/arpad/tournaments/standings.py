"""Standings after any round: places, groups and prizes, the crosstable, and where the file's own ranks differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING, Unpack

from arpad.calculation.answer import Answer, Figure, Table, TableColumn, date_notes, derived, hidden
from arpad.calculation.step import Step
from arpad.core.tournaments import BYES, FIXED_PAIRINGS, FORFEIT, PENDING, PLAYED, SHORT, no_such_number, numbered
from arpad.errors import BadInput, Unsupported
from arpad.messages import Message, halves, say
from arpad.tournaments.event.player import lazy_trail
from arpad.tournaments.prizes import (
    PLACES,
    Contender,
    Prize,
    PrizeWon,
    Share,
    check_condition,
    left_over,
    members,
    share_prizes,
)
from arpad.tournaments.tiebreaks import (
    RECOMMENDED,
    SYSTEM,
    Chosen,
    DroppedCriterion,
    PlayerTies,
    TeamTies,
    TieOptions,
    book,
    choose,
    criteria_figures,
    places_table,
    player_lines,
    team_lines,
)
from arpad.tournaments.tiebreaks.criteria import ENCOUNTERS, RATINGS, Criterion
from arpad.tournaments.tiebreaks.ranking import VALUES
from arpad.tournaments.tiebreaks.scoreboard import GP, Shown

if TYPE_CHECKING:
    from arpad.core.tournaments import Tournament
    from arpad.tournaments.tiebreaks.scoreboard import TieRound


PRIZES = (
    TableColumn("no"),
    TableColumn("name", form="text"),
    TableColumn("condition", form="text"),
    TableColumn("prize", lambda won: ", ".join(won.prizes), "text"),
    TableColumn("amount"),
    TableColumn("working", form="text"),
)
SHOWN = 3  # how many criteria are named as an explanation
ROUNDS, OPPONENTS = "rounds", "opponents"
GAMES = {"win": "1", "draw": "½", "loss": "0"}
FORFEITS = {"win": "+", "draw": "=", "loss": "-"}
ITSELF = "×"


def standings(
    tournament: Tournament,
    names: Sequence[str] | str = (),
    *,
    round: int | None = None,  # the name at every door
    group: str | None = None,
    why: Sequence[int] = (),
    prizes: Sequence[Prize] = (),
    share: Share = PLACES,
    several: bool = False,
    **options: Unpack[TieOptions],
) -> EventStandings:
    """The standings by the criteria named, otherwise by those the file declares, otherwise as FIDE last recommended.

    Accepts a tournament, as `arpad.read` gives it. `round` is the last round counted, `group` a condition such as `U18`
    or `W`, `why` two players to compare, `share` how tied players share prizes, and `several` whether a player may win
    prizes of several conditions. Gives EventStandings: the places with their tie-breaks, the crosstable and the prizes.
    Raises Unsupported for groups of teams and for prizes with a condition in a team event, BadInput for a round, group
    or player that the event does not have.
    """
    chosen = choose(tournament, names, until=round, recommended=True, **options)
    players = player_lines(chosen)
    teams = team_lines(chosen)
    for_players = {"group": group is not None, "prizes": any(prize.condition for prize in prizes)}
    if chosen.teams and any(for_players.values()):
        raise Unsupported(say("tournaments.standings.teams"), at=next(at for at, asked in for_players.items() if asked))
    order = [
        Contender(line.no, line.called, line.points or Decimal(0), line.place, getattr(line, "entrant", None))
        for line in teams or players
    ]
    won = share_prizes(prizes, order, on=chosen.on, share=share, several=several)
    complete = round is None and group is None
    results, games = _results_of(tournament, chosen.held)
    return EventStandings(
        system=SYSTEM,
        on=chosen.on,
        remarks=partial(_notes, chosen, group, left_over(prizes, won)),
        by=chosen.by,
        criteria=chosen.criteria,
        dropped=chosen.dropped,
        round=chosen.held,
        results=results,
        games=games,
        group=group,
        players=players if group is None else _grouped(players, group, chosen.on),
        teams=teams,
        differences=rank_differences(chosen) if complete else (),
        why=_why(chosen, why),
        prizes=won,
        chosen=chosen,
    )


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
    results: int  # of its games
    games: int  # paired in it
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
        shown = [*criteria_figures(self.criteria, self.dropped), *self.progress()]
        if self.group is not None:
            shown.append(Figure("standings.group", self.group))
        if self.why is not None:
            shown.append(Figure("standings.why", self.why.says))
        return shown

    def progress(self) -> Iterator[Figure]:
        """The last round counted; while it is being played, how many of its results are in."""
        if self.results < self.games:
            says = say("tournaments.standings.results", round=self.round, results=self.results, games=self.games)
            yield Figure("standings.so_far", says)
        else:
            yield Figure("standings.round", self.round)

    def tables(self) -> Iterator[Table]:
        """The players or teams in order, the crosstable, and the prizes if there are any."""
        yield places_table(self.lines, self.criteria)
        cells = {line.no: line.cells for line in self.crosstable.lines}
        columns = [
            TableColumn("place"),
            TableColumn("no"),
            TableColumn("name", "called", "text"),
            *(
                TableColumn(str(number), partial(_result, cells, at))
                for at, number in enumerate(self.crosstable.columns)
            ),
            TableColumn("points"),
        ]
        yield Table("crosstable", columns, self.lines, fixed=True)
        if self.prizes:
            yield Table("prizes", PRIZES, self.prizes)


def _results_of(tournament: Tournament, number: int) -> tuple[int, int]:
    """How many games of a round have a result, and how many are paired."""
    boards: dict[frozenset[int], bool] = {}
    for entrant in tournament.entrants:
        for played in entrant.rounds[number - 1 : number] if number else ():
            if played.opponent is not None and played.kind in (PLAYED, SHORT, FORFEIT, PENDING):
                pair = frozenset({entrant.no, played.opponent})
                boards[pair] = boards.get(pair, False) or (played.kind != PENDING and played.score is not None)
    return sum(boards.values()), len(boards)


def _result(cells: Mapping[int, Sequence[str]], at: int, line: PlayerTies | TeamTies) -> str:
    return cells[line.no][at]


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


def _notes(chosen: Chosen, group: str | None, not_given: Sequence[Prize]) -> Iterator[Message]:
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
    if chosen.source == RECOMMENDED and chosen.until is None:
        others = len(set(_differing(chosen, chosen.ranking.groups)) - set(_differing(chosen, _point_groups(chosen))))
        if others:
            yield say("notes.standings.other_ranks", players=others)
    if ahead and chosen.until is None:
        yield say("notes.standings.ahead", rounds=ahead)
    if group is not None:
        yield say("notes.standings.group")
    if not_given:
        yield say("notes.standings.not_given", prizes=[prize.name for prize in not_given])


def crosstable_of(chosen: Chosen, order: Sequence[int]) -> ResultsTable:
    """The crosstable of an event whose players or teams are in this order."""
    # A match is shown with its game points, whichever score decides first.
    board = chosen.ranking.table.fields[GP if chosen.teams else ""]

    def result(played: TieRound) -> str:
        if played.kind == PENDING:
            return ""
        if chosen.teams or played.result is None:
            return halves(board.points(played.points))
        return (FORFEITS if played.kind == FORFEIT else GAMES)[played.result]

    if chosen.kind in FIXED_PAIRINGS:
        against = {no: _against(board.slots[no], order, no, result) for no in order}
        return ResultsTable(OPPONENTS, tuple(order), tuple(ResultsLine(no, tuple(against[no])) for no in order))

    def in_round(played: TieRound) -> str:
        if played.opponent is None:
            return f"-{result(played)}"
        colour = ":" if played.colour is None else played.colour[0]
        return f"{played.opponent}{colour}{result(played)}"

    lines = tuple(ResultsLine(no, tuple(map(in_round, board.slots[no]))) for no in order)
    return ResultsTable(ROUNDS, tuple(range(1, board.held + 1)), lines)


@dataclass(frozen=True, slots=True)
class ResultsTable:
    """The lines in order of place; a round is `12w1` (number, colour, result), or `-½` for a bye."""

    by: str  # rounds or opponents
    columns: tuple[int, ...]  # the numbers of the rounds, or of the opponents
    lines: tuple[ResultsLine, ...]


@dataclass(frozen=True, slots=True)
class ResultsLine:
    """One player or team: a cell for each round, or for each opponent."""

    no: int
    cells: tuple[str, ...]


def _against(
    slots: Sequence[TieRound], order: Sequence[int], own: int, result: Callable[[TieRound], str]
) -> Iterator[str]:
    """The results against everybody in this order; two games against the same opponent share a cell."""
    found: dict[int | None, list[str]] = {}
    for played in slots:
        found.setdefault(played.opponent, []).append(result(played))
    for no in order:
        yield ITSELF if no == own else " ".join(found.get(no, ()))


def rank_differences(chosen: Chosen) -> tuple[RankDifference, ...]:
    """Players whose order in the file differs from the order here.

    If the file names no criteria, its order among equal points is not judged.
    """
    ranks = file_ranks(chosen)
    groups = _point_groups(chosen) if chosen.source == RECOMMENDED else chosen.ranking.groups
    places = _possible_places(groups)
    order = sorted(ranks, key=lambda no: ranks[no])
    found = []
    for no in _differing(chosen, groups):
        pair = _exchanged(order, order.index(no), places, ranks)
        if pair is not None:
            found.append(RankDifference(no, ranks[no], *places[no], pair, tuple(_explaining(chosen, *pair))))
    return tuple(found)


def _point_groups(chosen: Chosen) -> Sequence[Sequence[int]]:
    """Those with equal points together, from the top."""
    return chosen.ranking.stages[0].after


def _possible_places(groups: Sequence[Sequence[int]]) -> dict[int, tuple[int, int]]:
    """The first and the last place that each member of a group can have."""
    places: dict[int, tuple[int, int]] = {}
    first = 1
    for group in groups:
        places |= dict.fromkeys(group, (first, first + len(group) - 1))
        first += len(group)
    return places


def _differing(chosen: Chosen, groups: Sequence[Sequence[int]]) -> list[int]:
    """Those whose rank in the file is outside of their group, in the order of the file."""
    ranks, places = file_ranks(chosen), _possible_places(groups)
    order = sorted(ranks, key=lambda no: ranks[no])
    best_below = list(accumulate((places[no][1] for no in reversed(order)), min))[::-1]
    worst_above = list(accumulate((places[no][0] for no in order), max))
    return [no for at, no in enumerate(order) if best_below[at] < places[no][0] or worst_above[at] > places[no][1]]


@dataclass(frozen=True, slots=True)
class RankDifference:
    """A rank in the file that differs from ours, and the criteria by which the file's order would be right."""

    no: int
    rank: int  # the file's
    first: int  # the possible places by the criteria
    last: int
    exchanged: tuple[int, int]  # two players in the opposite order in the file: upper, lower
    explained_by: tuple[str, ...]


def difference_lines(
    differences: Sequence[RankDifference], lines: Sequence[PlayerTies | TeamTies]
) -> Iterator[Message]:
    """The differences in ranks and what could explain them, as messages."""
    names = {line.no: line.called for line in lines}
    for found in differences:
        place = str(found.first) if found.first == found.last else f"{found.first}–{found.last}"
        key = "explained" if found.explained_by else "open"
        criteria = list(found.explained_by[:SHOWN])
        values = {"name": names[found.no], "rank": found.rank, "place": place, "criteria": criteria}
        yield say(f"tournaments.standings.difference.{key}", **values)


def file_ranks(chosen: Chosen) -> Mapping[int, int]:
    """The ranks in the file, of players or of teams; empty if they are just the starting numbers."""
    lines = chosen.tournament.teams if chosen.teams else chosen.tournament.entrants
    ranks = {line.no: line.rank for line in lines if line.rank}
    return {} if all(no == rank for no, rank in ranks.items()) else ranks


def candidates(chosen: Chosen) -> list[Criterion]:
    """The criteria that can be calculated for any two players, plain and with one cut."""
    known = (chosen.rules.team_criteria if chosen.teams else chosen.rules.criteria).value
    skipped = {"PTS", "GE", *ENCOUNTERS, *(() if chosen.ranking.table.ratings else RATINGS)}
    plain = [Criterion(name) for name in known if name not in skipped]
    return plain + [Criterion(name, lowest=1) for name, takes in known.items() if "C" in takes and name not in skipped]


def _exchanged(
    order: Sequence[int], at: int, places: Mapping[int, tuple[int, int]], ranks: Mapping[int, int]
) -> tuple[int, int] | None:
    """This player and the nearest one in the opposite order in the file: upper, then lower."""
    no = order[at]
    for other in order[at + 1 :]:
        if places[other][1] < places[no][0] and ranks[other] > ranks[no]:
            return no, other
    for other in reversed(order[:at]):
        if places[other][0] > places[no][1] and ranks[other] < ranks[no]:
            return other, no
    return None


def _explaining(chosen: Chosen, above: int, below: int) -> Iterator[str]:
    """The criteria by which one player is above the other; empty if their points differ."""
    points = chosen.ranking.stages[0].worth
    if points[above].key != points[below].key:
        return
    table = chosen.ranking.table
    for criterion in candidates(chosen):
        value = VALUES[criterion.name]
        own, other = value(table, criterion, above).key, value(table, criterion, below).key
        if own is None:
            continue
        if other is None or own > other:  # type: ignore[operator]  # keys of one criterion are of one kind
            yield str(criterion)
