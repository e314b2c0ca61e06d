"""The norms of a tournament: all players, all titles, by the edition of the day the event starts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from arpad.calculation.answer import date_notes
from arpad.core.tournaments import (
    ASSUMED,
    DOUBLE_ROUND_ROBIN,
    GIVEN,
    SHORT,
    as_tournament,
    day_of,
    event_kind,
    named_kind,
)
from arpad.errors import BadInput, UnknownName
from arpad.messages import Message, say
from arpad.tournaments.checks import file_notes
from arpad.tournaments.norms.answer import SYSTEM, Norm, NormsReport, PlayerNorms
from arpad.tournaments.norms.conditions import AT_MOST, Condition, Setting, Verdict, settle
from arpad.tournaments.norms.games import (
    Crosstable,
    Foreigners,
    check_exemption,
    event_conditions,
    exemption,
    fast_classic,
    foreigners,
)
from arpad.tournaments.norms.needed import Needs, still_needed
from arpad.tournaments.norms.rules import NORMS, Edition, edition, rating_titles, rulebook

if TYPE_CHECKING:
    from arpad.core import Player
    from arpad.core.tournaments import Entrant, EventKind, Tournament
    from arpad.rulebooks import Rule
    from arpad.tournaments.norms.games import Exemption
    from arpad.tournaments.norms.rules import NormTitle


NORM_LIST = "fide-standard"  # the list whose events can have norms
MOST_ROUNDS = 20  # every choice of games to leave out is tried; no event with norms has so many
TITLES, FEDERATIONS = "titles", "federations"
FORBIDDING = ("thinking_time", "rounds_a_day")  # conditions without which an event cannot have norms at all


def find_norms(
    tournament: Tournament,
    *,
    on: date | None = None,
    titles: NormTitle | Sequence[NormTitle] = NORMS,
    kind: EventKind | None = None,
    host: str | None = None,
    exempt: Exemption | None = None,
    qc_approved: bool = False,
    readings: Mapping[str, str] | None = None,
) -> NormsReport:
    """Title norms of all players in a tournament, each condition with its verdict, and what is still needed.

    `on` is the day the event starts, `kind` the kind of event (`swiss`, `round-robin`, `double-round-robin`,
    `knock-out`, `team` for World and Continental team events, `world-cup`), `host` the federation that registered it,
    `exempt` the exemption a, b or c of 1.4.3, `qc_approved` whether FIDE's qualification commission approved the event;
    anything not given comes from the file, and the answer says so.

    Accepts a tournament, as `arpad.read` gives it. Gives a NormsReport, with PlayerNorms for each player. Raises
    UnknownName for a title without norms and for an unknown kind or exemption, BadInput for an event with too many
    rounds.
    """
    titles = (titles,) if isinstance(titles, str) else titles
    for title in titles:
        if title not in NORMS:
            raise UnknownName("title_with_norms", title, known=NORMS, at="title")
    if as_tournament(tournament).rounds > MOST_ROUNDS:
        raise BadInput(say("tournaments.norms.many_rounds", rounds=tournament.rounds, most=MOST_ROUNDS), at="rounds")
    event = _circumstances(tournament, on, kind, host, exempt, readings, qc_approved=qc_approved)
    players: list[PlayerNorms] = []

    @cache  # shared by all players
    def notes() -> tuple[Message, ...]:
        return tuple(_notes(event, players))

    players += (_player(entrant, event, titles, notes) for entrant in tournament.entrants)
    return NormsReport(
        system=SYSTEM,
        on=event.on,
        remarks=notes,
        event_kind=event.table.kind,
        event_kind_from=event.kind_from,
        unknown=event.unknown,
        host=event.host,
        foreigners=event.foreigners,
        players=tuple(players),
        written_kind=tournament.kind,
    )


class Circumstances(NamedTuple):
    """What applies to all players of an event: the rules of its day, the crosstable, the host, the field."""

    on: date
    rules: Edition
    table: Crosstable
    kind_from: str  # given, written or assumed
    host: str | None
    host_given: bool
    exempt: str | None
    foreigners: Foreigners | None
    conditions: tuple[Condition, ...]  # of the event itself
    strongest: int | None
    unknown: tuple[str, ...]  # what the file does not have for any player


def _circumstances(
    tournament: Tournament,
    on: date | None,
    kind: str | None,
    host: str | None,
    exempt: str | None,
    readings: Mapping[str, str] | None,
    *,
    qc_approved: bool,
) -> Circumstances:
    day = day_of(tournament, on)
    rules = edition(day, readings)
    found, source = event_kind(tournament, kind)
    table = Crosstable(tournament, found, rules.titles)
    home = host or tournament.federation
    check_exemption(exempt, home)
    players = [entrant.player for entrant in tournament.entrants]
    unknown = []  # not missing: what no player of the file has is not known
    if not any(player.title for player in players):
        unknown.append(TITLES)
    if not any(player.federation for player in players):
        unknown.append(FEDERATIONS)
    return Circumstances(
        on=day,
        rules=rules,
        table=table,
        kind_from=source,
        host=home,
        host_given=host is not None,
        exempt=exempt,
        foreigners=foreigners(table, home),
        conditions=event_conditions(table, qc_approved=qc_approved),
        strongest=max((int(player.rating) for player in players if player.rating), default=None),
        unknown=tuple(unknown),
    )


def _player(
    entrant: Entrant, event: Circumstances, titles: Iterable[str], notes: Callable[[], Iterable[Message]]
) -> PlayerNorms:
    """The norms of one player for all titles."""
    player, sheet, rules = entrant.player, event.table.scoresheet(entrant), event.rules
    lifted = exemption(player, event.exempt, event.host, event.foreigners, rules.titles)
    known = TITLES not in event.unknown
    setting = Setting(event.table.kind, players=len(event.table.entrants), exempt=lifted, titles=known)
    norms = []
    for title in titles:
        verdict = settle(title, player, sheet, rules, setting)
        needs = still_needed(verdict, player, sheet, rules, setting, event.strongest)
        norms.append(_norm(verdict, needs, player, event, lifted))
    reached = rating_titles(player, rules.titles.title_ratings.value, rules.titles.rated_games.value)
    return PlayerNorms.of(entrant, sheet, tuple(norms), reached, rules, on=event.on, remarks=notes)


def _norm(
    verdict: Verdict, needs: Needs | None, player: Player, event: Circumstances, exempt: Rule[object] | None
) -> Norm:
    """A verdict with the exemption it rests on, and what the title requires of the event."""
    rules = event.rules.titles
    rule = exempt if any(condition.lifted for condition in verdict.conditions) else None
    letter = None if rule is None else rule.name[-1]
    beside = [Condition("exemption", met=True, found=letter, bound="", rule=rule, information=True)]
    concerned = rules.one_round_a_day.value.titles
    beside += [part for part in event.conditions if part.name != "one_round_a_day" or verdict.title in concerned]
    share, unrated = rules.unrated_share, sum(game.rating is None for game in verdict.games)
    most = share.value.most(len(verdict.games))
    if unrated > most:  # an older edition would have refused the norm
        beside.append(Condition("unrated_share", False, unrated, most, AT_MOST, share, information=True))
    held = None if TITLES in event.unknown else player.title in rules.same_title.value.titles[verdict.title]
    covers = min(verdict.counts_as, rules.most_games.value) + verdict.extra
    return Norm(verdict, tuple(beside), held, covers, needs)


def _notes(event: Circumstances, players: Sequence[PlayerNorms]) -> Iterator[Message]:
    """What was taken from the file or assumed, and the disputed readings that matter here."""
    yield from date_notes(rulebook(), event.on)
    yield from file_notes(event.table.tournament)
    yield from _event_notes(event)
    if event.unknown:
        yield say(f"notes.norms.unknown.{'.'.join(event.unknown)}")
    if event.kind_from == ASSUMED:
        yield say("notes.norms.kind", kind=named_kind(event.table.kind))
    if event.kind_from != GIVEN and event.table.tournament.teams:
        yield say("notes.norms.team", kind=named_kind(event.table.kind))
    if event.host is None:
        yield say("notes.norms.no_host")
    elif not event.host_given:
        yield say("notes.norms.host", host=event.host)
    if any(not norm.verdict.searched for player in players for norm in player.norms):
        yield say("notes.norms.not_searched")
    for rule in _disputed(event.table, players):
        yield say("notes.norms.reading", says=rule.says, rule=rule.name, others=rule.others)


def _event_notes(event: Circumstances) -> Iterator[Message]:
    """What rules out norms in the event, or would without the commission's approval."""
    for part in event.conditions:
        if part.name in FORBIDDING and part.met is False:
            fast = part.name == "thinking_time" and fast_classic(event.table)
            yield say(f"notes.norms.{'fast' if fast else part.name}", found=part.found, needed=part.needed)
        elif part.lifted and part.rule is not None:
            pace = str(event.table.tournament.pace)
            yield say("notes.norms.approved", time=pace, says=part.rule.says, cite=part.rule.cite)


def _disputed(table: Crosstable, players: Iterable[PlayerNorms]) -> Iterator[Rule[object]]:
    """The disputed rules that matter in this event."""
    rules = table.rules
    if table.kind == DOUBLE_ROUND_ROBIN:
        yield rules.double
    if any(played.kind == SHORT for entrant in table.tournament.entrants for played in entrant.rounds):
        yield rules.short_games
    if any(
        rules.score.value.disputed(norm.verdict.halves, len(norm.verdict.games))
        for player in players
        for norm in player.norms
    ):
        yield rules.score
