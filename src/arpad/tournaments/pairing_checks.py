"""The pairing of a round before it is played: what the basic rules of Swiss pairings, or the file itself, forbid."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from arpad.core import WIN
from arpad.core.tournaments import (
    ABSENT,
    ALLOCATED_BYE,
    BYES,
    FIXED_PAIRINGS,
    FORFEIT,
    PLAYED,
    ROUND_ROBIN,
    SHORT,
    SWISS,
    event_kind,
)
from arpad.messages import say
from arpad.rulebooks import Rule, Rulebook, one_of, positive
from arpad.tournaments.checks import Finding
from arpad.tournaments.pairings import pairings

if TYPE_CHECKING:
    from arpad.core.tournaments import Entrant, Round, Tournament
    from arpad.messages import Message
    from arpad.tournaments.pairings import RoundPairings

OVER_THE_BOARD = (PLAYED, SHORT)
FORFEIT_WIN = "forfeit-win"
REQUESTED, FORBIDDEN = "240", "260"  # the codes of records: byes that were asked for, pairs that may not meet


def pairing_findings(tournament: Tournament, number: int) -> list[Finding]:
    """What is wrong or doubtful in the pairing of a round; an empty list if nothing is.

    A round robin is only checked for games that were played before, a team event for matches.
    """
    kind = event_kind(tournament)[0]
    rules = rulebook().at(max(tournament.start or rulebook().checked, rulebook().covered_from))
    paired = pairings(tournament, number)
    checks: list[Iterator[Finding]] = []
    if tournament.teams:
        checks += [_matches_again(tournament, paired, rules)] if kind == SWISS else []
    else:
        checks += [_games_again(paired, rules)] if kind in (SWISS, ROUND_ROBIN) else []
        checks += [_forbidden(tournament, paired)]
        if kind not in FIXED_PAIRINGS:
            checks += [_byes(paired, rules), _colours(tournament, paired, rules), _left_out(tournament, paired)]
        checks += [_requested(tournament, paired)]
    return [finding for check in checks for finding in check]


def _games_again(paired: RoundPairings, rules: PairingRules) -> Iterator[Finding]:
    """Players who have played each other; a game won by forfeit was not played."""
    for board in paired.boards:
        met = [
            number
            for number, played in enumerate(board.white.rounds[: paired.round - 1], start=1)
            if played.opponent == board.black.no and played.kind in OVER_THE_BOARD
        ]
        if len(met) >= rules.meetings.value:
            yield _found(paired, "again", [board.white], rules.meetings, opponent=board.black.no, rounds=met)


def _matches_again(tournament: Tournament, paired: RoundPairings, rules: PairingRules) -> Iterator[Finding]:
    """Teams that have played each other."""
    team_of = {no: team.no for team in tournament.teams for no in team.members}
    members = {entrant.no: entrant for entrant in tournament.entrants}
    for match in paired.matches:
        met = {
            number
            for no in match.first.members
            for number, played in enumerate(members[no].rounds[: paired.round - 1] if no in members else (), start=1)
            if played.kind in OVER_THE_BOARD and team_of.get(played.opponent or 0) == match.second.no
        }
        if len(met) >= rules.meetings.value:
            says = _says("teams_again", rules.meetings, teams=[match.first.no, match.second.no], rounds=sorted(met))
            yield Finding("pairing", says, None, paired.round)


def _forbidden(tournament: Tournament, paired: RoundPairings) -> Iterator[Finding]:
    """Pairs that the file itself forbids in this round."""
    for record in tournament.records:
        if record.code != FORBIDDEN:
            continue
        last = record.number("last_round") or paired.round
        if not record.number("first_round") <= paired.round <= last:
            continue
        numbers = set(record.numbers("numbers"))
        for board in paired.boards:
            if {board.white.no, board.black.no} <= numbers:
                yield _found(paired, "forbidden", [board.white], opponent=board.black.no)


def _byes(paired: RoundPairings, rules: PairingRules) -> Iterator[Finding]:
    """The pairing-allocated bye for somebody who may not have it any more."""
    for bye in paired.byes:
        if bye.kind != ALLOCATED_BYE:
            continue
        for number, played in enumerate(bye.entrant.rounds[: paired.round - 1], start=1):
            if _kind(played) in rules.no_bye_after.value:
                yield _found(paired, "bye", [bye.entrant], rules.no_bye_after, before=number)
                break


def _kind(played: Round) -> str:
    return FORFEIT_WIN if played.kind == FORFEIT and played.score == WIN else played.kind


def _colours(tournament: Tournament, paired: RoundPairings, rules: PairingRules) -> Iterator[Finding]:
    """Players who get one colour too often; only games that were played count."""
    last = "last" if tournament.rounds and paired.round >= tournament.rounds else "before"
    for board in paired.boards:
        if not board.colours:
            continue
        for entrant, colour in ((board.white, "white"), (board.black, "black")):
            before = entrant.rounds[: paired.round - 1]
            own = [played.colour for played in before if played.colour and played.kind in OVER_THE_BOARD] + [colour]
            said = say(f"reports.colour.{colour}")
            row = next(len(list(same)) for _, same in groupby(reversed(own)))
            more = 2 * own.count(colour) - len(own)
            if row > rules.colours_in_a_row.value:
                yield _found(paired, f"row.{last}", [entrant], rules.colours_in_a_row, colour=said, times=row)
            if more > rules.colour_difference.value:
                yield _found(paired, f"difference.{last}", [entrant], rules.colour_difference, colour=said, more=more)


def _requested(tournament: Tournament, paired: RoundPairings) -> Iterator[Finding]:
    """Players who asked for a bye in this round and have a game."""
    asked = {
        no
        for record in tournament.records
        if record.code == REQUESTED and record.number("round") == paired.round
        for no in record.numbers("numbers")
    }
    players = [player for board in paired.boards for player in (board.white, board.black) if player.no in asked]
    if players:
        yield _found(paired, "requested", sorted(players, key=lambda player: player.no))


def _left_out(tournament: Tournament, paired: RoundPairings) -> Iterator[Finding]:
    """Players who have neither a game nor a bye, though they played in the round before."""

    def kind(entrant: Entrant, number: int) -> str:
        return entrant.rounds[number - 1].kind if 0 < number <= len(entrant.rounds) else ABSENT

    left = [
        entrant
        for entrant in tournament.entrants
        if kind(entrant, paired.round - 1) in OVER_THE_BOARD and kind(entrant, paired.round) == ABSENT
    ]
    if left:
        yield _found(paired, "left_out", left)


def _found(
    paired: RoundPairings, key: str, players: Sequence[Entrant], rule: Rule[object] | None = None, **values: object
) -> Finding:
    """A finding about one player, or about several."""
    named = [f"{player.no} {player.called}" for player in players]
    return Finding("pairing", _says(key, rule, players=named, **values), None, paired.round)


def _says(key: str, rule: Rule[object] | None, **values: object) -> Message:
    return say(f"tournaments.pairing.{key}", article="" if rule is None else rule.cite, **values)


@cache
def rulebook() -> Rulebook[PairingRules]:
    """The rulebook of Swiss pairings."""
    return Rulebook("fide-pairings", PairingRules, READERS)


class PairingRules(NamedTuple):
    """The basic rules of Swiss pairings on a day."""

    meetings: Rule[int]
    no_bye_after: Rule[tuple[str, ...]]
    colour_difference: Rule[int]
    colours_in_a_row: Rule[int]


def _kinds(value: Iterable[object]) -> tuple[str, ...]:
    read = one_of(*BYES, FORFEIT_WIN)
    return tuple(read(kind) for kind in value)


READERS: Mapping[str, Callable[..., object]] = {
    "meetings": positive,
    "no_bye_after": _kinds,
    "colour_difference": positive,
    "colours_in_a_row": positive,
}
