"""What is inconsistent in a tournament: opponents, results, colours, points, ranks, days, federations, IDs."""

# No postponed annotations here: named tuples would compile each one.

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from arpad.core import WIN
from arpad.core.counting import the_first
from arpad.core.federations import FEDERATIONS
from arpad.core.tournament import ALLOCATED_BYE, FORFEIT, PENDING, Entrant, Round, Tournament, as_tournament
from arpad.messages import Message, say
from arpad.tournaments.points import points_made

FEDERATION_LETTERS = 3


class Finding(NamedTuple):
    """One inconsistency: what kind, a sentence, and the player, round and line it is about."""

    kind: str
    says: str
    no: int | None = None
    round: int | None = None
    line: int | None = None

    def __str__(self) -> str:
        about = [f"player {self.no}"] if self.no is not None else []
        about += [f"round {self.round}"] if self.round is not None else []
        return f"{', '.join(about)}: {self.says}" if about else self.says


def inconsistencies(tournament: Tournament) -> list[Finding]:
    """Everything that does not fit together, in the order opponents, points, ranks, byes, days, federations, IDs."""
    checks = (_opponents, _points, _ranks, _byes, _days, _federations, _ids, _members)
    return [finding for check in checks for finding in check(as_tournament(tournament))]


def game_inconsistencies(tournament: Tournament) -> list[Finding]:
    """What does not fit together in the games alone, on which ratings, norms and tie-breaks rest."""
    return [finding for check in (_opponents, _points) for finding in check(tournament) if finding.kind != "colour"]


def file_notes(tournament: Tournament) -> Iterator[Message]:
    """That some of a file could not be read, or that its games contradict one another."""
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
            about = {"no": entrant.no, "round": number, "line": entrant.line}
            if one.opponent not in field:
                yield Finding("opponent", f"the opponent {one.opponent} does not exist.", **about)
            elif one.opponent == entrant.no:
                yield Finding("opponent", "the player's own number stands as the opponent's.", **about)
            else:
                rounds = field[one.opponent].rounds
                other = rounds[number - 1] if number <= len(rounds) else None
                yield from _mirrored(entrant, number, one, other, about)


def _mirrored(
    entrant: Entrant, number: int, one: Round, other: Round | None, about: Mapping[str, int | None]
) -> Iterator[Finding]:
    """One game, seen from one side; what both sides would say is said by the lower number."""
    if other is None or other.opponent != entrant.no:
        has = "has no opponent" if other is None or other.opponent is None else f"has {other.opponent}"
        says = f"the opponent {one.opponent} {has} in round {number}."
        yield Finding("opponent", says, **about)
        return
    if entrant.no > (one.opponent or 0):
        return
    if one.colour is not None and one.colour == other.colour:
        yield Finding("colour", f"both players, also {one.opponent}, have {one.colour}.", **about)
    if PENDING in (one.kind, other.kind):
        if one.kind != other.kind:
            says = f"only one of the two, {entrant.no} and {one.opponent}, has a result."
            yield Finding("result", says, **about)
        return
    if one.kind != other.kind:
        says = f"the game is {one.kind} here and {other.kind} for {one.opponent}."
        yield Finding("result", says, **about)
    elif one.score is not None and other.score is not None and not _add_up(one, other):
        says = f"the scores, {one.score} and {other.score} for {one.opponent}, do not make one point."
        yield Finding("result", says, **about)


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
            says = f"the file says {entrant.points} points, the results make {made}."
            yield Finding("points", says, entrant.no, line=entrant.line)


def _ranks(tournament: Tournament) -> Iterator[Finding]:
    """Everybody has a rank, and nobody another's."""
    without = [one for one in tournament.entrants if one.rank is None]
    if without:
        who = "no player has a rank" if len(without) == len(tournament.entrants) else f"no rank: {_listed(without)}"
        yield Finding("rank", f"{who}.", line=without[0].line)
    shared: dict[int, list[Entrant]] = {}
    for one in tournament.entrants:
        if one.rank is not None:
            shared.setdefault(one.rank, []).append(one)
    for rank, entrants in sorted(shared.items()):
        if len(entrants) > 1:
            yield Finding("rank", f"the rank {rank} is shared: {_listed(entrants)}.", line=entrants[1].line)


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
            yield Finding("bye", f"{times} players have the pairing-allocated bye.", round=number)


def _days(tournament: Tournament) -> Iterator[Finding]:
    """The event ends after it begins, and its rounds follow one another within it."""
    start, end = tournament.start, tournament.end
    if start is not None and end is not None and end < start:
        yield Finding("date", f"the event ends on {end}, before it begins on {start}.")
    before = None
    for number, day in enumerate(tournament.round_days, start=1):
        if day is None:
            continue
        if before is not None and day < before:
            yield Finding("date", f"it is on {day}, before the round that precedes it.", round=number)
        if (start is not None and day < start) or (end is not None and day > end):
            yield Finding("date", f"it is on {day}, outside the event.", round=number)
        before = day
    for entrant in tournament.entrants:
        born = entrant.player.birth_year
        if start is not None and born is not None and born > start.year:
            yield Finding("date", f"the player is born in {born}, after the event.", entrant.no, line=entrant.line)


def _federations(tournament: Tournament) -> Iterator[Finding]:
    """A federation is one of FIDE's codes."""
    if tournament.federation is not None and (why := _federation(tournament.federation)):
        yield Finding("federation", f"the event's federation, '{tournament.federation}', {why}.")
    for entrant in tournament.entrants:
        code = entrant.player.federation
        if code is not None and (why := _federation(code)):
            yield Finding("federation", f"the federation '{code}' {why}.", entrant.no, line=entrant.line)


def _federation(code: str) -> str | None:
    """Why this is no federation; None if it is one."""
    if len(code) != FEDERATION_LETTERS or not (code.isascii() and code.isalpha() and code.isupper()):
        return "is not three capital letters"
    return None if code in FEDERATIONS else "is none of FIDE's codes"


def _ids(tournament: Tournament) -> Iterator[Finding]:
    """A FIDE ID belongs to one player."""
    seen: dict[int, int] = {}
    for one in tournament.entrants:
        number = one.player.fide_id
        if number is not None and seen.setdefault(number, one.no) != one.no:
            says = f"the FIDE ID {number} is also that of player {seen[number]}."
            yield Finding("id", says, one.no, line=one.line)


def _members(tournament: Tournament) -> Iterator[Finding]:
    """The players of a team exist, and play for one team."""
    field = {one.no for one in tournament.entrants}
    home: dict[int, int] = {}
    for team in tournament.teams:
        for no in team.members:
            if no not in field:
                yield Finding("team", f"the team {team.no} has a player {no} who does not exist.")
            elif home.setdefault(no, team.no) != team.no:
                yield Finding("team", f"the player is in the teams {home[no]} and {team.no}.", no)


def _listed(entrants: list[Entrant]) -> str:
    return f"player{'s' * (len(entrants) > 1)} {the_first([one.no for one in entrants])}"
