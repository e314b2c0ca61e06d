"""A diary: each event enters the list of its day, and the next begins where that list ended."""

from datetime import date
from decimal import Decimal

import pytest

import arpad
from arpad.reading import parse_game

FIDE = arpad.system("fide-standard")


def event(day, *games, name=None, ended=None):
    return arpad.Event(tuple(map(parse_game, games)), on=date.fromisoformat(day), name=name, ended=ended)


# By hand from FIDE's table 8.1.2 (50 points: 0.57 and 0.43; 30: 0.46; 130: 0.32) and K 40 for a junior (8.3.3):
# 40 × (0.43 + 0.07) = 20; from 1770, 40 × (−0.46 + 0.68) = 8.8. Closing dates of lists: 7.1, three days before.
EVENTS = [
    event("2026-09-10", "1700:win", "1800:draw", name="September"),
    event("2026-10-30", "1800:loss"),
    event("2026-11-10", "1900:win"),
]


def test_each_list_begins_where_the_one_before_ended():
    """An event that ends after a list has closed enters the next one, together with that month's events."""
    diary = arpad.keep_diary(FIDE, arpad.Player(1750, birth_year=2010), EVENTS, on=date(2026, 11, 15))
    assert [(entry.list, entry.change, entry.new_rating) for entry in diary.entries] == [
        (date(2026, 10, 1), Decimal(20), 1770),
        (date(2026, 12, 1), Decimal("8.8"), 1779),
    ]
    assert (diary.now, diary.next_list, diary.next_rating) == (1770, date(2026, 12, 1), 1779)
    assert (diary.games, diary.highest) == (4, 1779)


def test_an_event_of_today_may_miss_the_next_list():
    """The list of December closes three days before it appears (7.1), so an event of the 29th is for January."""
    diary = arpad.keep_diary(
        FIDE, arpad.Player(1750, birth_year=2010), [event("2026-11-29", "1700:win")], on=date(2026, 11, 29)
    )
    assert diary.entries[0].list == date(2027, 1, 1)
    assert (diary.next_list, diary.next_rating) == (date(2026, 12, 1), 1750)


def test_k_follows_the_published_rating():
    """K is 10 once 2400 was published (8.3.3): from 2395, 20 × 0.5 against an equal makes 2405."""
    player = arpad.Player(arpad.EloStanding(2395, games=100), birth_year=1990)
    played = [event("2026-09-10", "2395:win"), event("2026-10-10", "2405:loss")]
    first, second = arpad.keep_diary(FIDE, player, played, on=date(2026, 11, 15)).entries
    assert (first.k, first.new_rating, second.k, second.new_rating) == (20, 2405, 10, 2400)


def test_without_lists_every_event_counts_at_once():
    """DWZ is worked out from tournament to tournament, so the diary has an entry for each."""
    player = arpad.Player(arpad.DwzStanding(1750, 5), birth_year=1990)
    diary = arpad.keep_diary(arpad.system("dwz"), player, EVENTS[:2], on=date(2026, 11, 15))
    assert [(entry.list, entry.day) for entry in diary.entries] == [
        (None, date(2026, 9, 10)),
        (None, date(2026, 10, 30)),
    ]
    assert diary.entries[1].rating == diary.entries[0].new_rating
    assert diary.next_list is None


def test_below_the_floor_there_is_nothing_to_go_on_from():
    """A rating below 1400 is not published (7.2.1): what comes after it has no rating to change."""
    lost = [event("2026-09-10", "1400:loss", "1405:loss"), event("2026-10-10", "1500:win")]
    with pytest.raises(arpad.Unsupported, match="2026-10-01"):
        arpad.keep_diary(FIDE, 1402, lost, on=date(2026, 11, 15))
