"""Which criteria an event is ranked by: those asked for, those its file declares, or all of the edition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, TypedDict, Unpack

from arpad.calculation.answer import Text
from arpad.calculation.explain import Reason
from arpad.calculation.step import ruled
from arpad.core import Rating, rating_of
from arpad.core.tournaments import ASSUMED, FIXED_PAIRINGS, FORFEIT, all_play_all, day_of, event_kind
from arpad.errors import ArpadError, BadInput
from arpad.messages import say
from arpad.tournaments.checks import file_notes
from arpad.tournaments.tiebreaks.criteria import OWN, RATINGS, Criterion, declared, parse_criterion
from arpad.tournaments.tiebreaks.ranking import ranked, with_points
from arpad.tournaments.tiebreaks.ratings import RatedGames
from arpad.tournaments.tiebreaks.rounds import players_field
from arpad.tournaments.tiebreaks.rules import rulebook
from arpad.tournaments.tiebreaks.table import TieTable
from arpad.tournaments.tiebreaks.teams import primary_score, team_fields
from arpad.tournaments.tiebreaks.working import OWN_GAMES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from arpad.calculation.step import Step
    from arpad.core.tournaments import Tournament
    from arpad.messages import Message
    from arpad.rulebooks import Rulebook
    from arpad.tournaments.tiebreaks.ranking import Ranking
    from arpad.tournaments.tiebreaks.rules import TieRules

ASKED, DECLARED, ALL = "asked", "declared", "all"  # where the criteria come from
PAIRED = "paired"  # the kind of event was seen from the pairings
SYSTEM = "fide-ties"


class TieOptions(TypedDict, total=False):
    """What criteria depend on besides the file; anything not given comes from the file."""

    on: date | None  # the day the event began
    unrated: Rating | None  # the rating of unrated players by the published rules of the event
    kind: str | None  # the kind of event
    readings: Mapping[str, str] | None  # of disputed rules


@dataclass(frozen=True, slots=True)
class DroppedCriterion:
    """A criterion that was not calculated, and why."""

    name: str
    why: Text


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

    def notes(self) -> Iterator[Message]:
        """What was assumed or not given, and disputed readings if they matter."""
        if self.until is None:
            yield from file_notes(self.tournament)
        if self.source != ASKED:
            key = "declared" if self.source == DECLARED else "unordered" if self.criteria else "points"
            yield say(f"notes.ties.{key}")
        if any(criterion.name.partition("/")[0] in RATINGS for criterion in self.dropped) and self.unrated is None:
            yield say("notes.ties.dropped")
        if self.unrated is not None:
            yield say("notes.ties.unrated", unrated=self.unrated)
        forfeits = any(played.kind == FORFEIT for entrant in self.tournament.entrants for played in entrant.rounds)
        if self.kind_from == PAIRED:
            yield say("notes.ties.paired", kind=self.kind)
        elif forfeits and self.kind_from == ASSUMED:
            yield say("notes.norms.kind", kind=self.kind)
        if forfeits and self.kind in FIXED_PAIRINGS:
            used = {name.partition("/")[0] for name in self.criteria}
            for rule, names in ((self.rules.forfeits, RATINGS), (self.rules.own_forfeits, OWN_GAMES)):
                if rule.others and used & names:
                    yield say("notes.norms.reading", says=rule.says, rule=rule.name, others=rule.others)


def choose(
    tournament: Tournament,
    names: Sequence[str] | str,
    *,
    until: int | None = None,
    show_all: bool = True,
    **options: Unpack[TieOptions],
) -> Chosen:
    """The event ranked by the criteria asked for, or else by those its file declares.

    If there are neither, the points decide, and all criteria are shown besides, unless `show_all` is off.
    """
    names = (names,) if isinstance(names, str) else names
    day = day_of(tournament, options.get("on"))
    rules = book(options.get("readings")).at(day)
    event, source = _kind(tournament, options.get("kind"))
    given = _asked(tournament, names)
    teams = _ranks_teams(tournament, given[1], rules)
    picked, dropped = _criteria(given, rules, day, event, teams=teams) if names or show_all or given[1] else ([], [])
    unrated = options.get("unrated")
    counted = None if unrated is None else _whole(unrated)
    by_ratings = any(criterion.name in RATINGS for criterion in picked)
    if by_ratings and counted is None and any(entrant.player.rating is None for entrant in tournament.entrants):
        dropped += [_unrated(criterion, rules) for criterion in picked if criterion.name in RATINGS]
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
    ordering = given[0] != ALL
    order = with_points(picked if ordering else ())
    ranking = ranked(table, numbers, order, () if ordering else picked)
    named = [stage.name for stage in ranking.stages if stage.criterion in picked]
    return Chosen(
        tournament=tournament,
        on=day,
        rules=rules,
        ranking=ranking,
        source=given[0],
        by=tuple(named) if ordering else (),
        criteria=tuple(named),
        dropped=tuple(dropped),
        teams=teams,
        kind=event,
        kind_from=source,
        unrated=counted,
        until=until,
    )


def book(readings: Mapping[str, str] | None = None) -> Rulebook[TieRules]:
    """The rulebook under the chosen readings."""
    return rulebook(tuple(sorted((readings or {}).items())))


def _kind(tournament: Tournament, asked: str | None) -> tuple[str, str]:
    """The kind of event: given or written in the file, otherwise seen from the pairings, otherwise assumed."""
    event, source = event_kind(tournament, asked)
    paired = all_play_all(tournament) if source == ASSUMED else None
    return (event, source) if paired is None else (paired, PAIRED)


def _asked(tournament: Tournament, names: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Where the criteria come from, and the criteria as written."""
    if names:
        return ASKED, tuple(names)
    written = declared(tournament)
    return (DECLARED, written) if written else (ALL, ())


def _ranks_teams(tournament: Tournament, names: Sequence[str], rules: TieRules) -> bool:
    """Whether teams are ranked: in a team event, unless all criteria asked for are only for players."""
    codes = [name.strip().upper().replace("-", "/").partition("/")[0].partition(":")[0] for name in names]
    for_players = [code for code in codes if code in rules.criteria.value and code not in rules.team_criteria.value]
    return bool(tournament.teams) and not (codes and len(for_players) == len(codes))


def _criteria(
    given: tuple[str, Sequence[str]], rules: TieRules, day: date, kind: str, *, teams: bool
) -> tuple[list[Criterion], list[DroppedCriterion]]:
    """The criteria, and those of the file that cannot be used; one that was asked for is refused instead."""
    source, names = given
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


# Not shown with the others: the points, other names for the same criterion, and those that need two tied teams.
UNLISTED = ("PTS", "GE", "EDEC", "EDET", "EDEB", "EDEBT", "EDEBB")


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


def _unrated(criterion: Criterion, rules: TieRules) -> DroppedCriterion:
    step = ruled("tie.value", rules.unrated, None, words={"criterion": str(criterion)})
    return DroppedCriterion(str(criterion), Reason(step))


def _whole(rating: Rating) -> int:
    """The rating that unrated players count with: a whole number."""
    counted = rating_of(rating, at="unrated")
    if not isinstance(counted, int):
        raise BadInput(say("tournaments.ties.unrated_whole", rating=counted), at="unrated")
    return counted
