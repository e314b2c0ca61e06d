"""Which list an event enters, and whose K it has (7.1; fide-rating.md, section 2)."""

from datetime import date

import pytest

import arpad
from arpad.systems.fide.k import entered

RULES = arpad.rules("fide-standard")
ENTERED = [
    # An event of 31 October to 2 November entered the December list (shown by FIDE's pages).
    (date(2025, 11, 2), date(2025, 12, 1), date(2025, 11, 1)),
    # The list closes 3 days before it appears.
    (date(2026, 12, 29), date(2027, 1, 1), date(2026, 12, 1)),
    (date(2026, 12, 30), date(2027, 2, 1), date(2027, 1, 1)),
    # From July 2009 lists appeared every two months and closed 7 days before.
    (date(2010, 4, 24), date(2010, 5, 1), date(2010, 3, 1)),
    (date(2010, 4, 25), date(2010, 7, 1), date(2010, 5, 1)),
]


@pytest.mark.parametrize(("ended", "enters", "k_list"), ENTERED)
def test_the_list_an_event_enters(ended, enters, k_list):
    """The first list that closes after the event, and the list before it."""
    assert entered(ended, RULES.at(ended))[1:] == (enters, k_list)


def test_from_2009_k_goes_by_the_beginning_of_the_tournament():
    """FIDE's notice of July 2009: K is determined by the rating at the beginning of the tournament."""
    event = arpad.Event((arpad.win(1950),), on=date(2010, 3, 20), ended=date(2010, 5, 2))
    change = arpad.system("fide-standard").rate_period(1750, event, on=date(2010, 3, 20))
    assert "notes.k.list" not in {note.key for note in change.notes}


def test_a_round_robin_had_another_rule_for_unrated_opponents():
    """Before 2022 games against unrated players could count in a round robin (fide-rating.md, section 3)."""
    fide = arpad.system("fide-standard")
    for day, said in ((date(2015, 6, 1), True), (date(2026, 6, 1), False)):
        change = fide.rate(1750, [arpad.win(None), arpad.win(1800)], on=day)
        assert ("notes.unrated.round_robin" in {note.key for note in change.notes}) is said


def test_first_ratings_of_round_robins_differed_too():
    """Before 2022 a round robin had a procedure of its own for unrated players (fide-rating.md, section 3)."""
    fide = arpad.system("fide-standard")
    for day, said in ((date(2015, 6, 1), True), (date(2026, 6, 1), False)):
        first = fide.first_rating([arpad.win(1800)], on=day)
        assert ("notes.unrated.first_round_robin" in {note.key for note in first.notes}) is said


def test_the_day_used_is_said():
    """Only where it is another list than when the event began."""
    fide = arpad.system("fide-standard")

    def notes(ended):
        event = arpad.Event((arpad.win(1950),), on=date(2026, 12, 20), ended=ended)
        return [note.key for note in fide.rate_period(1750, event, on=date(2026, 12, 20)).notes]

    assert "notes.k.list" not in notes(date(2026, 12, 22))
    assert "notes.k.list" in notes(date(2027, 1, 3))
