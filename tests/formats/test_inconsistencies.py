"""Each way in which a tournament may not fit together, by an edit to a clean one that breaks that alone."""

import pytest
from report_files import read_edited

import arpad

FIRST = b"     6 w 1     4 b ="  # two rounds of player 1
SIXTH = b"     1 b 0     5 w ="  # and of player 6
BOTH = {("opponent", 1, 1), ("opponent", 6, 1)}

# What is changed in the invented open, and what must be found: kind, player, round.
EDITS = {
    "an opponent who does not exist": (FIRST, b"    66 w 1     4 b =", BOTH),
    "another opponent": (FIRST, b"     7 w 1     4 b =", BOTH),
    "the own number": (FIRST, b"     1 w 1     4 b =", BOTH),
    "the same colour twice": (FIRST, b"     6 b 1     4 b =", {("colour", 1, 1)}),
    "two winners": (SIXTH, b"     1 b 1     5 w =", {("result", 1, 1), ("points", 6, None)}),
    "a result only one side has": (SIXTH, b"     1 b       5 w =", {("result", 1, 1)}),
    "a game for one, a forfeit for the other": (SIXTH, b"     1 b -     5 w =", {("result", 1, 1)}),
    "wrong points": (b"  5.0    1 ", b"  5.5    1 ", {("points", 1, None)}),
    "a rank twice": (b"  4.5    2 ", b"  4.5    1 ", {("rank", None, None)}),
    "no rank": (b"  4.5    2 ", b"  4.5      ", {("rank", None, None)}),
    "rounds out of order": (b"26/08/17  26/08/18", b"26/08/18  26/08/17", {("date", None, 4)}),
    "a round outside the event": (b"26/08/19  26/08/20", b"26/08/19  26/08/27", {("date", None, 6)}),
    "born after the event": (b"2012/07/19", b"2032/07/19", {("date", 10, None)}),
    "no federation": (b" SWE ", b" Swe ", {("federation", 1, None)}),
    "an unknown federation": (b" SWE ", b" XQZ ", {("federation", 1, None)}),
    "an event's federation": (b"032 CRO", b"032 Croatia", {("federation", None, None)}),
    "an ID twice": (b"90000025", b"90000017", {("id", 2, None)}),
}  # fmt: skip


@pytest.mark.parametrize("name", EDITS)
def test_each_inconsistency(name):
    """One edit, and exactly what it breaks is found."""
    old, new, expected = EDITS[name]
    found = {(one.kind, one.no, one.round) for one in arpad.inconsistencies(read_edited(old, new))}
    assert found == expected


def test_two_byes_in_one_round():
    """More than one pairing-allocated bye in a round is found by the round."""
    tournament = read_edited(b"0000 - H", b"0000 - U", 9)
    byes = [one for one in arpad.inconsistencies(tournament) if one.kind == "bye"]
    assert [(one.round, str(one.says)) for one in byes] == [
        (3, "2 players have the pairing-allocated bye."),
        (4, "2 players have the pairing-allocated bye."),
    ]


def test_dates_of_the_event():
    """An event that ends before it begins."""
    found = arpad.inconsistencies(read_edited(b"052 2026/08/20", b"052 2026/08/01"))
    assert str(found[0].says) == "the event ends on 2026-08-01, before it begins on 2026-08-15."


def test_team_members_exist_and_are_in_one_team():
    """A team with a player who does not exist, and a player in two teams."""
    teams = f"{'310   1 Hawks':<73}   1   11\r\n{'310   2 Owls':<73}   1    2\r\n"
    tournament = read_edited(b"XXR 6\r\n", b"142 6\r\n" + teams.encode())
    assert [one.members for one in tournament.teams] == [(1, 11), (1, 2)]
    says = [str(one.says) for one in arpad.inconsistencies(tournament) if one.kind == "team"]
    assert says == ["the team 1 has a player 11, who does not exist.", "the player is in the teams 1 and 2."]


def test_a_team_out_of_its_columns():
    """A team's player who stands between two columns is not lost in silence."""
    team = f"{'310   1 Hawks':<73}   1     3\r\n"
    tournament = read_edited(b"XXR 6\r\n", b"142 6\r\n" + team.encode())
    assert [(one.line, one.column, one.lost) for one in tournament.oddities if one.line == 15] == [(15, 83, True)]
