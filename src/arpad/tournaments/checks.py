"""What is inconsistent in a tournament: opponents, results, colours, points, ranks, days, federations, IDs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arpad.core import WIN
from arpad.core.federations import FEDERATIONS, FORMER
from arpad.core.tournaments import ALLOCATED_BYE, FORFEIT, PENDING, as_tournament
from arpad.messages import Message, say
from arpad.tournaments.points import points_made

if TYPE_CHECKING:
    from collections.abc import Iterator

    from arpad.core.tournaments import Entrant, Round, Tournament

FEDERATION_LETTERS = 3


@dataclass(frozen=True, slots=True)
class Finding:
    """One inconsistency: what kind, what it says, and the player, round and line it is about."""

    kind: str
    says: Message
    no: int | None = None
    round: int | None = None
    line: int | None = None

    @property
    def placed(self) -> Message:
        """What it says, after the player and the round."""
        if self.no is None and self.round is None:
            return self.says
        about = "round" if self.no is None else "player" if self.round is None else "both"
        return say(f"tournaments.about.{about}", no=self.no, round=self.round, says=self.says)

    def __str__(self) -> str:
        return str(self.placed)


def _found(
    kind: str,
    key: str,
    /,
    *,
    player: Entrant | None = None,
    at: int | None = None,
    line: int | None = None,
    **values: object,
) -> Finding:
    """A finding about a player, a round or the event."""
    says = say(f"tournaments.finding.{key}", **values)
    if player is None:
        return Finding(kind, says, None, at, line)
    return Finding(kind, says, player.no, at, player.line)


def inconsistencies(tournament: Tournament) -> list[Finding]:
    """Everything that does not fit together, in the order opponents, points, ranks, byes, days, federations, IDs."""
    checks = (_opponents, _points, _ranks, _byes, _days, _federations, _ids, _members)
    return [finding for check in checks for finding in check(as_tournament(tournament))]


def game_inconsistencies(tournament: Tournament) -> list[Finding]:
    """Inconsistencies in the games, on which ratings, norms and tie-breaks rest."""
    return [finding for check in (_opponents, _points) for finding in check(tournament) if finding.kind != "colour"]


def file_notes(tournament: Tournament) -> Iterator[Message]:
    """Which list knew the players, that some of a file could not be read, that its games contradict each other."""
    if tournament.from_list is not None:
        yield from tournament.from_list.notes
    lost, found = sum(oddity.lost for oddity in tournament.oddities), len(game_inconsistencies(tournament))
    if lost:
        yield say("notes.file.lost", lost=lost)
    if found:
        yield say("notes.file.inconsistent", found=found)


def _opponents(tournament: Tournament) -> Iterator[Finding]:
    """Both sides of every game say the same."""
    field = {one.no: one for one in tournament.entrants}
    for entrant in tournament.entrants:
        for number, one in enumerate(entrant.rounds, start=1):
            if one.opponent is None:
                continue
            if one.opponent not in field:
                yield _found("opponent", "no_such_opponent", player=entrant, at=number, opponent=one.opponent)
            elif one.opponent == entrant.no:
                yield _found("opponent", "itself", player=entrant, at=number)
            else:
                rounds = field[one.opponent].rounds
                other = rounds[number - 1] if number <= len(rounds) else None
                yield from _mirrored(entrant, number, one, other)


def _mirrored(entrant: Entrant, number: int, one: Round, other: Round | None) -> Iterator[Finding]:
    """One game seen from one side; a finding about both sides is reported for the lower number."""
    met = one.opponent or 0
    if other is None or other.opponent is None:
        yield _found("opponent", "other_has_none", player=entrant, at=number, opponent=met, round=number)
        return
    if other.opponent != entrant.no:
        yield _found(
            "opponent", "other_has_another", player=entrant, at=number, opponent=met, other=other.opponent, round=number
        )
        return
    if entrant.no > met:
        return
    if one.colour is not None and one.colour == other.colour:
        yield _found("colour", "colour", player=entrant, at=number, opponent=met, colour=one.colour)
    if PENDING in (one.kind, other.kind):
        if one.kind != other.kind:
            yield _found("result", "one_result", player=entrant, at=number, no=entrant.no, opponent=met)
    elif one.kind != other.kind:
        yield _found("result", "kinds", player=entrant, at=number, kind=one.kind, other=other.kind, opponent=met)
    elif one.score is not None and other.score is not None and not _add_up(one, other):
        yield _found("result", "scores", player=entrant, at=number, score=one.score, other=other.score, opponent=met)


def _add_up(one: Round, other: Round) -> bool:
    """Whether two scores make the one point of a game, or none where neither player came."""
    both = (one.score or 0) + (other.score or 0)
    return both == WIN or (one.kind == FORFEIT and both == 0)


def _points(tournament: Tournament) -> Iterator[Finding]:
    """The points are what the results pay."""
    for entrant in tournament.entrants:
        if entrant.points is None:
            continue
        made = points_made(entrant, tournament)
        if made != entrant.points:
            yield _found("points", "points", player=entrant, points=entrant.points, made=made)


def _ranks(tournament: Tournament) -> Iterator[Finding]:
    """Everybody has a rank, and nobody another's."""
    without = [one for one in tournament.entrants if one.rank is None]
    if without:
        key = "no_ranks" if len(without) == len(tournament.entrants) else "no_rank"
        yield _found("rank", key, line=without[0].line, players=[one.no for one in without])
    shared: dict[int, list[Entrant]] = {}
    for one in tournament.entrants:
        if one.rank is not None:
            shared.setdefault(one.rank, []).append(one)
    for rank, entrants in sorted(shared.items()):
        if len(entrants) > 1:
            players = [one.no for one in entrants]
            yield _found("rank", "shared_rank", line=entrants[1].line, rank=rank, players=players)


def _byes(tournament: Tournament) -> Iterator[Finding]:
    """One pairing-allocated bye a round; a whole team may have it together."""
    if tournament.teams:
        return
    byes = Counter(
        number
        for entrant in tournament.entrants
        for number, one in enumerate(entrant.rounds, start=1)
        if one.kind == ALLOCATED_BYE
    )
    for number, times in sorted(byes.items()):
        if times > 1:
            yield _found("bye", "byes", at=number, players=times)


def _days(tournament: Tournament) -> Iterator[Finding]:
    """The event ends after it begins, and its rounds follow one another within it."""
    start, end = tournament.start, tournament.end
    if start is not None and end is not None and end < start:
        yield _found("date", "ends", start=start, end=end)
    before = None
    for number, day in enumerate(tournament.round_days, start=1):
        if day is None:
            continue
        if before is not None and day < before:
            yield _found("date", "round_before", at=number, day=day)
        if (start is not None and day < start) or (end is not None and day > end):
            yield _found("date", "round_outside", at=number, day=day)
        before = day
    for entrant in tournament.entrants:
        born = entrant.player.birth_year
        if start is not None and born is not None and born > start.year:
            yield _found("date", "born", player=entrant, born=born)


def _federations(tournament: Tournament) -> Iterator[Finding]:
    """A federation is one of FIDE's codes."""
    if tournament.federation is not None and (wrong := _wrong_code(tournament.federation)):
        yield _found("federation", f"event_federation.{wrong}", code=tournament.federation)
    for entrant in tournament.entrants:
        code = entrant.player.federation
        if code is not None and (wrong := _wrong_code(code)):
            yield _found("federation", f"federation.{wrong}", player=entrant, code=code)


def _wrong_code(code: str) -> str | None:
    """What is wrong with a federation's code, by the key of its message; None if nothing is."""
    if len(code) != FEDERATION_LETTERS or not (code.isascii() and code.isalpha() and code.isupper()):
        return "letters"
    return None if code in FEDERATIONS or code in FORMER else "unknown"


def _ids(tournament: Tournament) -> Iterator[Finding]:
    """A FIDE ID belongs to one player."""
    seen: dict[int, int] = {}
    for one in tournament.entrants:
        number = one.player.fide_id
        if number is not None and seen.setdefault(number, one.no) != one.no:
            yield _found("id", "id", player=one, id=number, other=seen[number])


def _members(tournament: Tournament) -> Iterator[Finding]:
    """The players of a team exist, and play for one team."""
    field = {one.no: one for one in tournament.entrants}
    home: dict[int, int] = {}
    for team in tournament.teams:
        for no in team.members:
            if no not in field:
                yield _found("team", "no_such_member", team=team.no, no=no)
            elif home.setdefault(no, team.no) != team.no:
                yield _found("team", "two_teams", player=field[no], first=home[no], second=team.no)
