"""The orders that real files declare, against the ranks that the files have."""

from itertools import combinations

import pytest

import arpad
from arpad.formats import read
from arpad.tournaments.tiebreaks.scoreboard import MP, team_fields
from conftest import shared

FOLDER = shared("data/tournaments")


@pytest.mark.parametrize(
    ("name", "ranked", "differences"),
    [
        ("tec_exercise_held_team.trf", 14, 0),
        ("trf26_sharly_team_sample.trf", 0, 0),
        ("trf26_tec_grandmommys_cup_team.trf", 50, 32),  # explained below
    ],
)
def test_ranks_of_the_files(name, ranked, differences):
    """The ranks come out, or the next test says why not."""
    event = read(FOLDER / name)
    found = arpad.standings(event)
    assert sum(team.rank is not None for team in event.teams) == ranked
    assert len(found.differences) == differences


def test_the_cup_was_ranked_by_the_rule_before_2023():
    """Match points, then Buchholz cut 1 with virtual opponents: all pairs with equal points are as the file has them.

    Section 9 of the notes on tie-breaks: an opponent's unplayed rounds count as draws; an own one is a game against a
    virtual opponent, who has the own score before it, what the own result leaves, and a draw for each round after it.
    """
    event = read(FOLDER / "trf26_tec_grandmommys_cup_team.trf")
    field = team_fields(event, fixed=False)[0][MP]
    win, draw, rounds = field.win, field.draw, len(field.slots[1])
    counted = {no: sum(one.points if one.kind == "played" else draw for one in own) for no, own in field.slots.items()}
    buchholz = {}
    for no, own in field.slots.items():
        parts, before = [], 0
        for number, one in enumerate(own, start=1):
            virtual = before + win - one.points + draw * (rounds - number)
            parts.append(counted[one.opponent] if one.kind == "played" else virtual)
            before += one.points
        buchholz[no] = sum(sorted(parts)[1:])
    order = sorted(event.teams, key=lambda team: team.rank)
    tied = [pair for pair in combinations(order, 2) if pair[0].match_points == pair[1].match_points]
    assert len(tied) == 94
    assert all(buchholz[above.no] >= buchholz[below.no] for above, below in tied)
