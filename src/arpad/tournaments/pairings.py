"""The pairings of a round: boards in order, their results, byes, and in a team event the matches they belong to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import groupby
from typing import TYPE_CHECKING

from arpad.core.tournaments import BYES, FORFEIT, PENDING
from arpad.errors import BadInput
from arpad.messages import figure, say
from arpad.tournaments.points import bonus_of, paid, points_by_round

if TYPE_CHECKING:
    from arpad.core.tournaments import Entrant, Round, Team, Tournament

RESULTS = {Decimal(1): "1 – 0", Decimal("0.5"): "½ – ½", Decimal(0): "0 – 1"}
FORFEITS = {(True, False): "+ – −", (False, True): "− – +", (False, False): "− – −"}
SHORT_RESULTS = {Decimal(1): "1", Decimal("0.5"): "½", Decimal(0): "0"}
WIN, BLACK = Decimal(1), "black"


def pairings(tournament: Tournament, number: int | None = None) -> RoundPairings:
    """The pairings of a round, of the latest that is paired if none is named; BadInput if there is no such round.

    Files have no board numbers: boards are in order of points before the round, then of starting numbers; the boards of
    a match are in the order of the team that has White on the first.
    """
    paired = paired_rounds(tournament)
    if not paired:
        raise BadInput(say("tournaments.pairings.none"), at="path")
    if number is None:
        number = paired[-1]
    if number not in paired:
        raise BadInput(say("tournaments.pairings.no_round", round=number, last=paired[-1]), at="round")
    before = {
        entrant.no: sum(points_by_round(entrant, tournament)[: number - 1], bonus_of(entrant, tournament, number - 1))
        for entrant in tournament.entrants
    }
    boards = list(_boards(tournament, number, before))
    matches = tuple(_matches(tournament, boards, number)) if tournament.teams else ()
    alone = [replace(board, board=place) for place, board in enumerate(_in_order(boards), start=1)]
    return RoundPairings(
        round=number,
        boards=tuple(board for match in matches for board in match.boards) if matches else tuple(alone),
        matches=matches,
        byes=tuple(
            ByeOfRound(entrant, before[entrant.no], played.kind)
            for entrant in tournament.entrants
            if (played := _round(entrant, number)) is not None and played.kind in BYES
        ),
    )


def paired_rounds(tournament: Tournament) -> list[int]:
    """The rounds in which anybody has an opponent."""
    return [number for number in range(1, tournament.rounds + 1) if any(_opponents(tournament, number))]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundPairings:
    """A round: every board, in a team event also by match, and the players with a bye."""

    round: int
    boards: tuple[PairedBoard, ...]
    matches: tuple[TeamMatch, ...]
    byes: tuple[ByeOfRound, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedBoard:
    """Two players, their points before the round, and the result as it is printed; empty before the game.

    In a team event `board` is the board of the match, and `match` its number; otherwise there is none.
    """

    board: int
    match: int | None = None
    white: Entrant
    black: Entrant
    white_points: Decimal
    black_points: Decimal
    result: str
    colours: bool  # whether the file says who has White


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamMatch:
    """Two teams, the one with White on the first board named first, their boards, and their points so far."""

    number: int
    first: Team
    second: Team
    boards: tuple[PairedBoard, ...]
    points: tuple[Decimal, Decimal] | None  # None before the first result


@dataclass(frozen=True, slots=True)
class ByeOfRound:
    """A player without an opponent, and the kind of bye."""

    entrant: Entrant
    points: Decimal
    kind: str


def round_cell(played: Round, tournament: Tournament) -> str:
    """One round of a player in a table: `12w1`, number, colour and result; `-½` for a round without an opponent."""
    result = result_of(played, tournament)
    if played.opponent is None:
        return f"-{result}" if result else ""
    colour = ":" if played.colour is None else played.colour[0]
    return f"{played.opponent}{colour}{result}"


def result_of(played: Round, tournament: Tournament) -> str:
    """A player's own result: 1, ½ or 0, + or - by forfeit, the points of a bye; empty for an open game."""
    points = paid(played, tournament.scoring)
    if points is None:
        return ""
    if played.opponent is None or played.score is None:
        return SHORT_RESULTS.get(points, figure(points))
    return ("+" if played.score == WIN else "-") if played.kind == FORFEIT else SHORT_RESULTS[played.score]


def _round(entrant: Entrant, number: int) -> Round | None:
    return entrant.rounds[number - 1] if number <= len(entrant.rounds) else None


def _opponents(tournament: Tournament, number: int) -> Iterator[int]:
    """The opponents' numbers in a round."""
    for entrant in tournament.entrants:
        played = _round(entrant, number)
        if played is not None and played.opponent is not None:
            yield played.opponent


def _boards(tournament: Tournament, number: int, before: Mapping[int, Decimal]) -> Iterator[PairedBoard]:
    """Every game of a round once, as the player with White has it, otherwise as the lower number has it."""
    entrants = {entrant.no: entrant for entrant in reversed(tournament.entrants)}
    done: set[int] = set()
    for entrant in tournament.entrants:
        played = _round(entrant, number)
        other = None if played is None or played.opponent is None else entrants.get(played.opponent)
        if played is None or other is None or entrant.no in done:
            continue
        done |= {entrant.no, other.no}
        theirs = _round(other, number)
        lines = (entrant, played), (other, theirs)
        (white, own), (black, his) = reversed(lines) if played.colour == BLACK else lines
        yield PairedBoard(
            board=0,
            white=white,
            black=black,
            white_points=before[white.no],
            black_points=before[black.no],
            result=_result(own, his),
            colours=played.colour is not None,
        )


def _result(white: Round | None, black: Round | None) -> str:
    """The result as both players' lines have it; the other's line stands in for one that is missing."""
    if white is None:
        score = None if black is None or black.score is None else WIN - black.score
        kind = PENDING if black is None else black.kind
    else:
        score, kind = white.score, white.kind
    if kind == PENDING or score is None:
        return ""
    if kind == FORFEIT:
        won = black is not None and black.kind == FORFEIT and black.score == WIN
        return FORFEITS.get((score == WIN, won), "")
    return RESULTS[score]


def _in_order(boards: Sequence[PairedBoard]) -> list[PairedBoard]:
    """The boards by the higher points, the points of both, and the lower starting number."""

    def order(board: PairedBoard) -> tuple[Decimal, Decimal, int]:
        points = board.white_points, board.black_points
        return -max(points), -sum(points, Decimal(0)), min(board.white.no, board.black.no)

    return sorted(boards, key=order)


def _matches(tournament: Tournament, boards: Sequence[PairedBoard], number: int) -> Iterator[TeamMatch]:
    """The boards by match; those of players without a team are left out of every match."""
    team_of = {no: team for team in tournament.teams for no in team.members}
    place_of = {no: place for team in tournament.teams for place, no in enumerate(team.members)}

    def both(board: PairedBoard) -> tuple[int, int]:
        numbers = team_of[board.white.no].no, team_of[board.black.no].no
        return min(numbers), max(numbers)

    def made(entrant: Entrant) -> Decimal:
        return points_by_round(entrant, tournament)[number - 1]

    in_teams = sorted((board for board in boards if {board.white.no, board.black.no} <= team_of.keys()), key=both)
    for match, (_, found) in enumerate(groupby(in_teams, key=both), start=1):
        ordered = sorted(found, key=lambda board: min(place_of[board.white.no], place_of[board.black.no]))
        first, second = team_of[ordered[0].white.no], team_of[ordered[0].black.no]
        players = [player for board in ordered for player in (board.white, board.black)]
        points = tuple(
            sum((made(player) for player in players if team_of[player.no] is team), Decimal(0))
            for team in (first, second)
        )
        yield TeamMatch(
            number=match,
            first=first,
            second=second,
            boards=tuple(replace(board, board=place, match=match) for place, board in enumerate(ordered, start=1)),
            points=(points[0], points[1]) if any(board.result for board in ordered) else None,
        )
