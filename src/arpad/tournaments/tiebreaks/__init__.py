"""Tie-breaks by FIDE's Handbook C.07: which criteria an event is ranked by, and the values of all players or teams."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, TypedDict, Unpack

from arpad.calculation.answer import Answer, Figure, Table, TableColumn, Text, date_notes, hidden
from arpad.calculation.explain import Reason
from arpad.calculation.step import Step, ruled
from arpad.core import Rating, rating_of
from arpad.core.tournaments import (
    ASSUMED,
    FIXED_PAIRINGS,
    FORFEIT,
    ROUND_ROBIN,
    SWISS,
    Entrant,
    Team,
    all_play_all,
    day_of,
    event_kind,
    named_kind,
    numbered,
)
from arpad.errors import ArpadError, BadInput
from arpad.messages import say
from arpad.tournaments.checks import file_notes
from arpad.tournaments.event.player import lazy_trail
from arpad.tournaments.tiebreaks.criteria import OWN, RATINGS, Criterion, declared, parse_criterion, rulebook
from arpad.tournaments.tiebreaks.ranking import OWN_GAMES, ranked, with_points
from arpad.tournaments.tiebreaks.scoreboard import LIMITED, Shown, TieTable, players_field, primary_score, team_fields
from arpad.tournaments.tiebreaks.values import EXTENDED_SB, RatedGames

if TYPE_CHECKING:
    from arpad.core.tournaments import EventKind, Tournament
    from arpad.messages import Message
    from arpad.rulebooks import Rulebook
    from arpad.tournaments.tiebreaks.criteria import TieRules
    from arpad.tournaments.tiebreaks.ranking import Ranking


ASKED, DECLARED, RECOMMENDED, ALL = "asked", "declared", "recommended", "all"  # where the criteria come from
PAIRED = "paired"  # the kind of event was seen from the pairings
SYSTEM = "fide-ties"
OF_OPPONENTS = frozenset({"BH", "FB", "AOB", "SB", *EXTENDED_SB})  # by what opponents and dummies count for
# Not shown with the others: the points, other names for the same criterion, and those that need two tied teams.
UNLISTED = ("PTS", "GE", "EDEC", "EDET", "EDEB", "EDEBT", "EDEBB")


def tie_breaks(
    tournament: Tournament,
    names: Sequence[str] | str = (),
    **options: Unpack[TieOptions],
) -> TieBreaks:
    """Tie-breaks by the edition of the day, such as `DE`, `BH/C1`, `SB`, `WIN`, `ARO/C1` and `TPR`.

    Accepts a tournament and the names of criteria, which decide the order; without names, those that the file declares.
    If it declares none, all criteria of the edition are calculated, but do not change the order. With an unrated player
    in the event, criteria based on ratings are dropped, unless `unrated` is the rating of unrated players by the
    event's published rules.

    Gives TieBreaks: every player's values, in the resulting order. Raises UnknownName or BadInput for a criterion that
    the edition or the kind of event does not allow.
    """
    chosen = choose(tournament, names, **options)
    return TieBreaks(
        system=SYSTEM,
        on=chosen.on,
        remarks=lambda: (*date_notes(book(), chosen.on), *chosen.notes()),
        by=chosen.by,
        criteria=chosen.criteria,
        dropped=chosen.dropped,
        players=player_lines(chosen),
        teams=team_lines(chosen),
    )


class TieOptions(TypedDict, total=False):
    """What criteria depend on besides the file; anything not given comes from the file."""

    on: date | None  # the day the event began
    unrated: Rating | None  # the rating of unrated players by the published rules of the event
    kind: EventKind | None  # the kind of event
    readings: Mapping[str, str] | None  # of disputed rules


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

    def tables(self) -> Iterator[Table]:
        """The players or teams with their values; none without a criterion."""
        if self.criteria:
            yield places_table(self.lines, self.criteria)


def places_table(lines: Sequence[PlayerTies | TeamTies], criteria: Sequence[str]) -> Table:
    """The players or teams in order, with the value of each criterion."""
    rated = any(isinstance(line, PlayerTies) and line.rating is not None for line in lines)
    points = [TableColumn("points")]
    if any(isinstance(line, TeamTies) for line in lines):
        in_file = [TableColumn(key, only="file") for key in ("match_points", "game_points")]
        points = [TableColumn("points", only="screen"), *in_file]
    columns = (
        TableColumn("place"),
        TableColumn("no"),
        TableColumn("name", "called", "text"),
        *([TableColumn("rating", only="screen")] if rated else []),
        *points,
        *(TableColumn(name, partial(_value_in, name)) for name in criteria),
    )
    return Table("places", columns, lines, fixed=True)


def _value_in(name: str, line: PlayerTies | TeamTies) -> Shown:
    return line.values[name]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerTies:
    """A player's place by points and the criteria, and the value of each criterion."""

    place: int
    no: int
    name: str | None
    rating: Rating | None
    points: Decimal | None  # None if the file has neither points nor rounds
    values: Mapping[str, Shown] = field(hash=False)
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
    values: Mapping[str, Shown] = field(hash=False)
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


@dataclass(frozen=True, slots=True)
class DroppedCriterion:
    """A criterion that was not calculated, and why."""

    name: str
    why: Text

    def __str__(self) -> str:
        return f"{self.name}: {self.why}"


def choose(
    tournament: Tournament,
    names: Sequence[str] | str,
    *,
    until: int | None = None,
    recommended: bool = False,
    **options: Unpack[TieOptions],
) -> Chosen:
    """The event ranked by the criteria asked for, or else by those its file declares.

    If there are neither, the order that FIDE last recommended decides if `recommended`; otherwise the points decide,
    and all criteria are shown besides.
    """
    names = (names,) if isinstance(names, str) else names
    day = day_of(tournament, options.get("on"))
    rules = book(options.get("readings")).at(day)
    event, kind_from = _kind(tournament, options.get("kind"))
    written = tuple(names) or declared(tournament)
    source = ASKED if names else DECLARED if written else RECOMMENDED if recommended else ALL
    teams = _ranks_teams(tournament, written, rules)
    if source == RECOMMENDED:
        written = _recommended(rules, event, teams=teams)
    picked, dropped = _criteria(source, written, rules, day, event, teams=teams)
    unrated = options.get("unrated")
    counted = None if unrated is None else _whole_rating(unrated)
    by_ratings = any(criterion.name in RATINGS for criterion in picked)
    if by_ratings and counted is None and any(entrant.player.rating is None for entrant in tournament.entrants):
        for criterion in picked:
            if criterion.name in RATINGS:
                step = ruled("tie.value", rules.unrated, None, words={"criterion": str(criterion)})
                dropped.append(DroppedCriterion(str(criterion), Reason(step)))
        picked = [criterion for criterion in picked if criterion.name not in RATINGS]
        by_ratings = False
    if until is not None and not 0 < until <= tournament.rounds:
        raise BadInput(say("tournaments.ties.no_round", round=until, rounds=tournament.rounds), at="round")
    fixed = event in FIXED_PAIRINGS
    if teams:
        fields, boards = team_fields(tournament, fixed=fixed, until=until)
        table = TieTable(rules, fields, primary_score(tournament), boards=boards)
    else:
        games = RatedGames(tournament, event, counted, rules, day, until=until) if by_ratings else None
        table = TieTable(rules, {"": players_field(tournament, fixed=fixed, until=until)}, ratings=games)
    numbers = list(table.fields[table.primary].slots)
    ordering = source != ALL
    order = with_points(picked if ordering else ())
    ranking = ranked(table, numbers, order, () if ordering else picked)
    named = [stage.name for stage in ranking.stages if stage.criterion in picked]
    return Chosen(
        tournament=tournament,
        on=day,
        rules=rules,
        ranking=ranking,
        source=source,
        by=tuple(named) if ordering else (),
        criteria=tuple(named),
        dropped=tuple(dropped),
        teams=teams,
        kind=event,
        kind_from=kind_from,
        unrated=counted,
        until=until,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A ranked event, and what was chosen for it."""

    tournament: Tournament
    on: date
    rules: TieRules
    ranking: Ranking
    source: str
    by: tuple[str, ...]  # the criteria that decide the order, as shown
    criteria: tuple[str, ...]  # all that were calculated
    dropped: tuple[DroppedCriterion, ...]
    teams: bool
    kind: str
    kind_from: str
    unrated: int | None
    until: int | None

    @property
    def held(self) -> int:
        """The last round counted."""
        return self.ranking.table.fields[self.ranking.table.primary].held

    def edition(self) -> tuple[Step, ...]:
        """The criteria of the edition and, in a round robin, which of them may not be used."""
        rule = self.rules.team_criteria if self.teams else self.rules.criteria
        steps = [ruled("tie.edition", rule, ", ".join(self.criteria) or None)]
        if self.kind in FIXED_PAIRINGS:
            steps.append(ruled("tie.round_robin", self.rules.round_robin, self.kind))
        return tuple(steps)

    def source_notes(self) -> Iterator[Message]:
        """Where the criteria come from, unless they were asked for."""
        if self.source == RECOMMENDED:
            rule = self.rules.recommended
            yield say("notes.ties.recommended", criteria=", ".join(self.by), says=rule.says, article=rule.cite)
            yield say("notes.ties.name_them")
        elif self.source != ASKED:
            yield say(f"notes.ties.{'declared' if self.source == DECLARED else 'unordered'}")

    def notes(self) -> Iterator[Message]:
        """What was assumed or not given, and disputed readings if they matter."""
        if self.until is None:
            yield from file_notes(self.tournament)
        yield from self.source_notes()
        if any(criterion.name.partition("/")[0] in RATINGS for criterion in self.dropped) and self.unrated is None:
            yield say("notes.ties.dropped")
        if self.unrated is not None:
            yield say("notes.ties.unrated", unrated=self.unrated)
        forfeits = any(played.kind == FORFEIT for entrant in self.tournament.entrants for played in entrant.rounds)
        if self.kind_from == PAIRED:
            yield say("notes.ties.paired", kind=named_kind(self.kind))
        elif forfeits and self.kind_from == ASSUMED:
            yield say("notes.norms.kind", kind=named_kind(self.kind))
        yield from self._reading_notes(forfeits=forfeits)
        yield from self._interim_notes()

    @property
    def _used(self) -> set[str]:
        """The codes of the criteria that were calculated."""
        return {name.partition("/")[0].partition(":")[0] for name in self.criteria}

    def _reading_notes(self, *, forfeits: bool) -> Iterator[Message]:
        """Disputed readings about forfeits, if there are any and a criterion depends on them."""
        rules = self.rules
        readings = ((rules.forfeits, RATINGS), (rules.own_forfeits, OWN_GAMES))
        for rule, names in readings if self.kind in FIXED_PAIRINGS else ((rules.koya_forfeits, {"KS"}),):
            if forfeits and rule.others and self._used & names:
                yield say("notes.norms.reading", says=rule.says, rule=rule.name, others=rule.others)

    def _interim_notes(self) -> Iterator[Message]:
        """How criteria that depend on the number of rounds are taken before the event is complete."""
        board = self.ranking.table.fields[self.ranking.table.primary]
        if board.held >= board.rounds:
            return
        if "FB" in self._used:
            key = "notes.ties.fore.paired" if board.final else "notes.ties.fore.open"
            yield say(key, final=board.rounds, article=self.rules.fb.cite)
        if self._used & {"KS", "SSSC"} or (self.rules.dummy.value == LIMITED and self._used & OF_OPPONENTS):
            yield say("notes.ties.interim", held=board.held, rounds=board.rounds)


def book(readings: Mapping[str, str] | None = None) -> Rulebook[TieRules]:
    """The rulebook under the chosen readings."""
    return rulebook(tuple(sorted((readings or {}).items())))


def _kind(tournament: Tournament, asked: str | None) -> tuple[EventKind, str]:
    """The kind of event: given or written in the file, otherwise seen from the pairings, otherwise assumed."""
    event, source = event_kind(tournament, asked)
    paired = all_play_all(tournament) if source == ASSUMED else None
    return (event, source) if paired is None else (paired, PAIRED)


def _ranks_teams(tournament: Tournament, names: Sequence[str], rules: TieRules) -> bool:
    """Whether teams are ranked: in a team event, unless all criteria asked for are only for players."""
    codes = [name.strip().upper().replace("-", "/").partition("/")[0].partition(":")[0] for name in names]
    for_players = [code for code in codes if code in rules.criteria.value and code not in rules.team_criteria.value]
    return bool(tournament.teams) and not (codes and len(for_players) == len(codes))


def _recommended(rules: TieRules, kind: str, *, teams: bool) -> tuple[str, ...]:
    """The order that FIDE last recommended for this kind of event, without what its edition bars there."""
    fixed = kind in FIXED_PAIRINGS
    order = rules.recommended.value["team" if teams else ROUND_ROBIN if fixed else SWISS]
    barred = rules.round_robin.value if fixed else ()
    return tuple(name for name in order if name.partition("/")[0] not in barred)


def _criteria(
    source: str, names: Sequence[str], rules: TieRules, day: date, kind: str, *, teams: bool
) -> tuple[list[Criterion], list[DroppedCriterion]]:
    """The criteria, and those of the file that cannot be used; one that was asked for is refused instead."""
    known = (rules.team_criteria if teams else rules.criteria).value
    if source == ALL:
        barred = rules.round_robin.value if kind in FIXED_PAIRINGS else ()
        return [Criterion(name) for name in known if name not in (*barred, *UNLISTED)], []
    picked: list[Criterion] = []
    dropped: list[DroppedCriterion] = []
    for name in names:
        try:
            picked.append(_criterion(name, known, rules, day, kind, teams=teams))
        except ArpadError as error:
            if source == ASKED:
                raise
            dropped.append(DroppedCriterion(name, say("tournaments.ties.not_used", says=error.said)))
    return picked, dropped


def _criterion(
    written: str, known: Mapping[str, str], rules: TieRules, day: date, kind: str, *, teams: bool
) -> Criterion:
    """One criterion; refused if the kind of event does not allow it."""
    if written.upper().startswith(OWN):
        raise BadInput(say("tournaments.ties.own", written=written), at="by")
    found = parse_criterion(written, known, rules.cuts.value, day)
    if found.name in rules.round_robin.value and kind in FIXED_PAIRINGS:
        article = rules.round_robin.cite
        raise BadInput(say("tournaments.ties.round_robin", name=found.name, article=article), at="by")
    if found.score and not teams:
        raise BadInput(say("tournaments.ties.no_teams", written=written), at="by")
    return found


def _whole_rating(rating: Rating) -> int:
    """The rating that unrated players count with: a whole number."""
    counted = rating_of(rating, at="unrated")
    if not isinstance(counted, int):
        raise BadInput(say("tournaments.ties.unrated_whole", rating=counted), at="unrated")
    return counted


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


def places_of(chosen: Chosen) -> list[tuple[int, int]]:
    """Place and number from the top; players equal in everything share a place."""
    found, place = [], 1
    for group in chosen.ranking.groups:
        found += [(place, no) for no in group]
        place += len(group)
    return found


def _values(chosen: Chosen, no: int) -> dict[str, Shown]:
    return {stage.name: stage.worth[no].shown for stage in chosen.ranking.stages if stage.name in chosen.criteria}


def criteria_figures(criteria: Sequence[str], dropped: Sequence[DroppedCriterion]) -> list[Figure]:
    """The criteria, and those dropped, with the reason."""
    shown = [Figure("ties", ", ".join(criteria) or say("answers.none"))]
    by_reason: dict[str, list[DroppedCriterion]] = {}
    for criterion in dropped:
        by_reason.setdefault(str(criterion.why), []).append(criterion)
    for why, group in by_reason.items():
        names = ", ".join(criterion.name for criterion in group)
        shown.append(Figure("tie.dropped", names, group[0].why if why else None))
    return shown


def value_steps(chosen: Chosen, no: int) -> tuple[Step, ...]:
    """The working of all values of one player or team."""
    stages = [stage for stage in chosen.ranking.stages if stage.name in chosen.criteria]
    return tuple(chosen.ranking.step(stage, no) for stage in stages)


def line_step(line: PlayerTies | TeamTies) -> Step:
    """A line with the working of its values."""
    who = say("tournaments.who" if line.name else "tournaments.who.nameless", no=line.no, name=line.name)
    return Step("tie", line.points, {"values": line.steps}, words={"who": who})
