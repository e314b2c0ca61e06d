"""The pairings of a round: who sits where, how it ended, who had a bye, and the matches of teams."""

from dataclasses import replace
from decimal import Decimal

import pytest

import arpad
from arpad.errors import BadInput
from arpad.tournaments.pairings import pairings, result_of, round_cell
from conftest import ROOT, shared

OPEN = arpad.read(ROOT / "docs" / "examples" / "open.trf")
AHEAD = arpad.read(ROOT / "docs" / "examples" / "last-round.trf")


def test_boards_are_in_order_of_points():
    """Round 9 of the file, sorted by hand: 9 has 7 points; then the boards with 5 points on one side."""
    found = pairings(AHEAD)
    assert found.round == 9
    boards = [(board.board, board.white.no, board.black.no, board.result) for board in found.boards]
    assert boards[:5] == [(1, 15, 9, ""), (2, 1, 5, ""), (3, 2, 4, ""), (4, 6, 12, ""), (5, 14, 3, "")]
    assert (found.boards[0].white_points, found.boards[0].black_points) == (5, 7)
    assert len(boards) == 10


def test_results_forfeits_and_byes():
    """Round 5 of the Harbour Open has a forfeit, round 3 two byes, as the file's codes +, -, U and H say."""
    fifth = {(board.white.no, board.black.no): board.result for board in pairings(OPEN, 5).boards}
    assert fifth == {(1, 3): "½ – ½", (8, 2): "0 – 1", (4, 5): "1 – 0", (7, 6): "+ – −", (10, 9): "½ – ½"}
    third = pairings(OPEN, 3)
    assert [(bye.entrant.no, bye.kind) for bye in third.byes] == [(7, "allocated-bye"), (10, "half-bye")]
    assert len(third.boards) == 4


@pytest.mark.parametrize(("no", "number", "cell", "own"), [
    (1, 1, "6w1", "1"), (1, 2, "4b½", "½"), (6, 5, "7b-", "-"), (7, 5, "6w+", "+"), (7, 3, "-1", "1"),
    (9, 2, "-0", "0"), (10, 3, "-½", "½"),
])  # fmt: skip
def test_a_round_in_a_cell(no, number, cell, own):
    """The cells of the crosstable, read off the lines of the file."""
    played = OPEN.entrant(no).rounds[number - 1]
    assert (round_cell(played, OPEN), result_of(played, OPEN)) == (cell, own)


def test_a_round_that_is_not_paired():
    """The last round with pairings is named; a file without any says so."""
    with pytest.raises(BadInput, match="Round 7 is not paired; the last round with pairings is 6"):
        pairings(OPEN, 7)
    with pytest.raises(BadInput, match="no pairings yet"):
        pairings(replace(OPEN, entrants=tuple(replace(one, rounds=()) for one in OPEN.entrants)))


def test_matches_of_teams():
    """Round 1 of the TEC's team exercise: every board belongs to one match, and the points add up to the boards."""
    event = arpad.read(shared("data/tournaments/tec_exercise_held_team.trf"))
    found = pairings(event, 1)
    teams = [team.no for match in found.matches for team in (match.first, match.second)]
    assert len(teams) == len(set(teams))
    for match in found.matches:
        assert match.boards[0].white.no in match.first.members
        assert [board.board for board in match.boards] == list(range(1, len(match.boards) + 1))
        assert match.points is not None
        assert sum(match.points, Decimal(0)) <= len(match.boards)
    assert sum(len(match.boards) for match in found.matches) == len(found.boards)
