"""Entry lists and standings as people paste them; names are invented."""

from decimal import Decimal

import pytest

from arpad import BadInput
from arpad.reading.tables.people import read_players

STANDINGS = """Rank after round 5
Rk.\tSNo\t\tName\tFED\tRtg\tPts.\tTB1
1\t3\tGM\tKovarik, Tomasz\tPOL\t2520\t5\t15,5
2\t4\tIM\tNagy, Bela\tHUN\t2430\t4,5\t20
3\t7\t\tLind, Tyra\tSWE\t0\t3½\t20
4\t9\tFM\tMoser, Kai\tAUT\tmany\t3\t18
"""
ENTRIES = """no,name,fide_id,federation,rating,title,sex
1,"Halvorsen, Eskil",90001007,NOR,2561,GM,m
2,"Duarte, Nuno",90001014,POR,2534,GM,m
"""


def test_standings_have_points():
    """Title before the name, federation, rating and points; a row whose rating cannot be read is left out and said."""
    found = read_players(STANDINGS)
    read = [
        (one.player.name, one.player.title, one.player.federation, one.player.rating, one.points)
        for one in found.entries
    ]
    assert read == [
        ("Kovarik, Tomasz", "GM", "POL", 2520, Decimal(5)),
        ("Nagy, Bela", "IM", "HUN", 2430, Decimal("4.5")),
        ("Lind, Tyra", None, "SWE", None, Decimal("3.5")),
    ]
    assert [line.line for line in found.doubtful] == [6]
    assert [line.line for line in found.left_out] == [1, 2, 6]


def test_an_entry_list_has_none():
    """A table with commas, as a program writes it."""
    found = read_players(ENTRIES)
    assert [(one.player.rating, one.player.title, one.points) for one in found.entries] == [
        (2561, "GM", None),
        (2534, "GM", None),
    ]


def test_a_national_title_is_no_reason_to_refuse_the_list():
    """FIDE does not have it, so it does not count for norms; the player stays."""
    found = read_players("No\tTitle\tName\tRtg\tPts\n1\tNM\tSmith, Ada\t1850\t2\n2\tFM\tJones, Bo\t1900\t1\n")
    assert [(one.player.name, one.player.title) for one in found.entries] == [("Smith, Ada", None), ("Jones, Bo", "FM")]


TYPED = {
    "in the notation": "2520gm/POL 2430im/HUN\n2310fm/GER",
    "with commas": "2520gm/POL, 2430im/HUN, 2310fm/GER",
    "in words": "GM 2520 POL\nIM 2430 HUN\nFM 2310 GER",
    "cells without headings": (
        "1\tGM\tKovarik, Tomasz\tPOL\t2520\n2\tIM\tNagy, Bela\tHUN\t2430\n3\tFM\tAuer, Jan\tGER\t2310"
    ),
}


@pytest.mark.parametrize("text", TYPED.values(), ids=TYPED)
def test_players_may_be_typed(text):
    """One in a line or several, and a table without its headings."""
    found = read_players(text)
    assert [(one.player.rating, one.player.title, one.player.federation) for one in found.entries] == [
        (2520, "GM", "POL"),
        (2430, "IM", "HUN"),
        (2310, "FM", "GER"),
    ]


def test_a_text_without_players_is_refused():
    """With what it should look like."""
    with pytest.raises(BadInput, match="No player could be read"):
        read_players("nobody here")
