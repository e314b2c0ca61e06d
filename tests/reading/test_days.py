"""Days: typed ones are read or asked about, those in a file follow the file's own order of year, month and day."""

from datetime import date

import pytest
from report_files import EXAMPLE, read_edited, said

from arpad.core.tournaments import day_of
from arpad.errors import BadInput
from arpad.formats import read_bytes
from arpad.reading import parse_date
from arpad.reading.days import order_of_days, read_day


def report(*edits):
    """The invented open with several pieces changed."""
    data = EXAMPLE.read_bytes()
    for old, new in edits:
        assert old in data
        data = data.replace(old, new, 1)
    return read_bytes(data, "open.trf")


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("15 ноября 2026", date(2026, 11, 15)), ("15 marts 2026", date(2026, 3, 15)),
        ("15 de noviembre de 2026", date(2026, 11, 15)), ("Nov 15th, 2026", date(2026, 11, 15)),
        ("15. 8. 2026", date(2026, 8, 15)), ("2026. 11. 15.", date(2026, 11, 15)), ("20261115", date(2026, 11, 15)),
        ("25/09/2025", date(2025, 9, 25)), ("09/25/2025", date(2025, 9, 25)),
    ],
)  # fmt: skip
def test_one_grammar_for_what_is_typed_and_for_files(text, day):
    """A day that can be read in one way is the same day in a field and in a file."""
    assert parse_date(text) == read_day(text).day == day
    tournament = read_edited(b"042 2026/08/15", f"042 {text}".encode())
    assert tournament.start == day


def test_a_typed_day_that_can_be_two_is_asked_about():
    """Nothing beside a typed day settles its order, so both days are named."""
    with pytest.raises(BadInput, match="2026-03-04 or 2026-04-03"):
        parse_date("03/04/2026")


def test_the_order_of_a_file():
    """A day that can be read in one order alone settles it for all; days that contradict each other settle nothing."""
    assert order_of_days(["03/04/2026", "25/09/2025"]) == ("dmy", "25/09/2025")
    assert order_of_days(["03/04/2026", "09/25/2025"]) == ("mdy", "09/25/2025")
    assert order_of_days(["03/04/2026"]) is None
    assert order_of_days(["25/09/2025", "09/25/2025"]) is None
    assert order_of_days(["2026/08/15", "1988"]) is None


def test_a_day_in_a_report_follows_the_reports_other_days():
    """The last day, 25/09/2025, can only begin with the day: so does the first, and the answer says so."""
    tournament = report(
        (b"042 2026/08/15", b"042 03/09/2025"), (b"052 2026/08/20", b"052 25/09/2025"), (b"1988/04/12", b"05/06/1988")
    )
    assert (tournament.start, tournament.end) == (date(2025, 9, 3), date(2025, 9, 25))
    assert tournament.entrant(1).born == date(1988, 6, 5)
    (note,) = said(tournament, "because the file also writes 25/09/2025")
    assert (note.line, note.lost) == (4, False)


def test_a_day_in_a_report_that_nothing_settles_is_asked_for():
    """Without another day both candidates are named, beside the file and where the day is needed."""
    tournament = report((b"042 2026/08/15", b"042 03/04/2026"), (b"132 ", b"### "))
    (note,) = said(tournament, "may be 2026-03-04 or 2026-04-03")
    assert (note.line, note.column, note.lost) == (4, 5, True)
    with pytest.raises(BadInput, match=r"not clear when the event began.*2026-03-04 or 2026-04-03"):
        day_of(tournament, None)


def test_a_year_of_two_digits_in_a_report():
    """`25/09/10` may begin with the year or the day; a round on one of the two days settles which."""
    alone = report((b"042 2026/08/15", b"042 25/09/10"), (b"132 ", b"### "))
    assert alone.start is None
    assert len(said(alone, "may be 2010-09-25 or 2025-09-10")) == 1
    beside_rounds = report(
        (b"042 2026/08/15", b"042 25/09/10"), (b"26/08/15", b"25/09/10"), (b"052 2026/08/20", b"052 2025/09/20")
    )
    assert beside_rounds.start == date(2025, 9, 10)


def test_a_birth_in_two_digits_is_left_out():
    """A birth in 85 may be of either century."""
    tournament = read_edited(b"1988/04/12", b"12/04/88  ")
    assert tournament.entrant(1).player.birth_year is None
    assert [one.lost for one in said(tournament, "either century")] == [True]
    unclear = read_edited(b"1988/04/12", b"12/04/1988")
    assert (unclear.entrant(1).born, unclear.entrant(1).player.birth_year) == (None, 1988)
