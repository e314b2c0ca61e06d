"""What is inconsistent in a tournament: opponents, results, colours, points, ranks, days, federations, IDs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arpad.core import WIN
from arpad.core.players import FEDERATIONS, FORMER
from arpad.core.tournaments import ALLOCATED_BYE, FORFEIT, PENDING, as_tournament
from arpad.messages import Message, say
from arpad.tournaments.points import points_made

MOST_COMMENTS = 5  # of a file, in a note

if TYPE_CHECKING:
    from arpad.core.tournaments import Entrant, Round, Tournament


FEDERATION_LETTERS = 3


def inconsistencies(tournament: Tournament) -> list[Finding]:
    """All inconsistencies, in order: opponents, points, ranks, byes, days, federations, IDs, team members.

    Accepts a tournament, as `read` gives it; an empty list means that nothing contradicts itself. Raises BadInput for
    anything else.
    """
    checks = (_opponents, _points, _ranks, _byes, _days, _federations, _ids, _members)
    return [finding for check in checks for finding in check(as_tournament(tournament))]


def game_inconsistencies(tournament: Tournament) -> list[Finding]:
    """Inconsistencies in the games, which affect ratings, norms and tie-breaks."""
    return [finding for check in (_opponents, _points) for finding in check(tournament) if finding.kind != "colour"]


def file_notes(tournament: Tournament) -> Iterator[Message]:
    """Notes on the list used, on parts of the file that could not be read, and on games that contradict each other."""
    if tournament.from_list is not None:
        yield from tournament.from_list.notes
    if tournament.comments:
        yield comments_note(tournament)
    lost, found = sum(oddity.lost for oddity in tournament.oddities), len(game_inconsistencies(tournament))
    if lost:
        yield say("notes.file.lost", lost=lost)
    if found:
        yield say("notes.file.inconsistent", found=found)


def comments_note(tournament: Tournament) -> Message:
    """The comments in the file: the first of them, and how many more there are."""
    said = [comment.placed for comment in tournament.comments]
    key = "notes.file.comments" if len(said) <= MOST_COMMENTS else "notes.file.comments.more"
    return say(key, said=said[:MOST_COMMENTS], more=len(said) - MOST_COMMENTS)


@dataclass(frozen=True, slots=True)
class Finding:
    """One inconsistency: its kind, the message, and the player, round and line it is about."""

    kind: str
    says: Message
    no: int | None = None
    round: int | None = None
    line: int | None = None

    @property
    def placed(self) -> Message:
        """The message, with the player and the round in front of it."""
        if self.no is None and self.round is None:
            return self.says
        about = "round" if self.no is None else "player" if self.round is None else "both"
        return say(f"tournaments.about.{about}", no=self.no, round=self.round, says=self.says)

    def __str__(self) -> str:
        return str(self.placed)


def _opponents(tournament: Tournament) -> Iterator[Finding]:
    """Games on which the two sides do not agree."""
    field = {entrant.no: entrant for entrant in tournament.entrants}
    for entrant in tournament.entrants:
        for number, own in enumerate(entrant.rounds, start=1):
            if own.opponent is None:
                continue
            if own.opponent not in field:
                yield _found("opponent", "no_such_opponent", player=entrant, at=number, opponent=own.opponent)
            elif own.opponent == entrant.no:
                yield _found("opponent", "itself", player=entrant, at=number)
            else:
                rounds = field[own.opponent].rounds
                other = rounds[number - 1] if number <= len(rounds) else None
                yield from _mirrored(entrant, number, own, other)


def _mirrored(entrant: Entrant, number: int, own: Round, other: Round | None) -> Iterator[Finding]:
    """One game seen from one side; a finding about both sides is reported for the lower number."""
    met = own.opponent or 0
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
    if own.colour is not None and own.colour == other.colour:
        yield _found(
            "colour", "colour", player=entrant, at=number, opponent=met, colour=say(f"reports.colour.{own.colour}")
        )
    if PENDING in (own.kind, other.kind):
        if own.kind != other.kind:
            yield _found("result", "one_result", player=entrant, at=number, no=entrant.no, opponent=met)
    elif own.kind != other.kind:
        yield _found("result", "kinds", player=entrant, at=number, kind=own.kind, other=other.kind, opponent=met)
    elif own.score is not None and other.score is not None:
        both = own.score + other.score
        if both == WIN or (own.kind == FORFEIT and both == 0):  # both players may forfeit
            return
        yield _found("result", "scores", player=entrant, at=number, score=own.score, other=other.score, opponent=met)


def _points(tournament: Tournament) -> Iterator[Finding]:
    """Players whose points are not the sum of their results."""
    for entrant in tournament.entrants:
        if entrant.points is None:
            continue
        made = points_made(entrant, tournament)
        if made != entrant.points:
            yield _found("points", "points", player=entrant, points=entrant.points, made=made)


def _ranks(tournament: Tournament) -> Iterator[Finding]:
    """Players without a rank, and ranks that several players have; a file without any standings contradicts nothing."""
    without = [entrant for entrant in tournament.entrants if entrant.rank is None]
    if without and not any(without_standings(tournament)):
        key = "no_ranks" if len(without) == len(tournament.entrants) else "no_rank"
        yield _found("rank", key, line=without[0].line, players=[entrant.no for entrant in without])
    shared: dict[int, list[Entrant]] = {}
    for entrant in tournament.entrants:
        if entrant.rank is not None:
            shared.setdefault(entrant.rank, []).append(entrant)
    for rank, entrants in sorted(shared.items()):
        if len(entrants) > 1:
            players = [entrant.no for entrant in entrants]
            yield _found("rank", "shared_rank", line=entrants[1].line, rank=rank, players=players)


def without_standings(tournament: Tournament) -> Iterator[Finding]:
    """That no player has points or a rank, which a report for a rating office needs."""
    if all(entrant.rank is None and entrant.points is None for entrant in tournament.entrants):
        yield _found("rank", "no_ranks")


def _byes(tournament: Tournament) -> Iterator[Finding]:
    """Rounds with more than one pairing-allocated bye; in team events a whole team may have one."""
    if tournament.teams:
        return
    byes = Counter(
        number
        for entrant in tournament.entrants
        for number, played in enumerate(entrant.rounds, start=1)
        if played.kind == ALLOCATED_BYE
    )
    for number, times in sorted(byes.items()):
        if times > 1:
            yield _found("bye", "byes", at=number, players=times)


def _days(tournament: Tournament) -> Iterator[Finding]:
    """Dates in the wrong order: of the event, of its rounds, and of births."""
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
    """Codes of federations that are not FIDE's."""
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
    """FIDE IDs that several players have."""
    seen: dict[int, int] = {}
    for entrant in tournament.entrants:
        number = entrant.player.fide_id
        if number is not None and seen.setdefault(number, entrant.no) != entrant.no:
            yield _found("id", "id", player=entrant, id=number, other=seen[number])


def _members(tournament: Tournament) -> Iterator[Finding]:
    """Team members who do not exist, or play for two teams."""
    field = {entrant.no: entrant for entrant in tournament.entrants}
    home: dict[int, int] = {}
    for team in tournament.teams:
        for no in team.members:
            if no not in field:
                yield _found("team", "no_such_member", team=team.no, no=no)
            elif home.setdefault(no, team.no) != team.no:
                yield _found("team", "two_teams", player=field[no], first=home[no], second=team.no)


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
