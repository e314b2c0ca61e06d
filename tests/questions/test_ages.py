"""An age instead of the year of birth: the likelier year, said with the other."""

import json

import pytest
from starlette.testclient import TestClient

from arpad.cli import main
from arpad.web.app import create_app

GAME = ["rate", "1750", "1950:win"]


def answer(capsys, *words):
    """The JSON of a command."""
    assert main([*GAME, *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("age", "on", "year", "other"),
    [
        ("14", "2026-11-15", 2012, 2011),
        ("14 years", "2026-11-15", 2012, 2011),
        ("14 Jahre", "2026-07-01", 2012, 2011),
        ("18", "2026-06-30", 2007, 2008),
        ("0", "2026-01-01", 2025, 2026),
    ],
)
def test_an_age_is_the_likelier_year_and_says_the_other(capsys, age, on, year, other):
    """Most people have had their birthday from July on; K is that of the year, and both years are named."""
    by_age = answer(capsys, "--age", age, "--on", on)
    by_year = answer(capsys, "--born", str(year), "--on", on)
    assert by_age["value"] == by_year["value"]
    assert [note for note in by_age["notes"] if f"born in {year} or {other}; {year} is assumed" in note]
    assert by_age["notes"] != by_year["notes"]


def test_on_the_last_day_of_a_year_there_is_nothing_to_assume(capsys):
    """Whoever is 14 on 31 December 2026 was born in 2012."""
    by_age = answer(capsys, "--age", "14", "--on", "2026-12-31")
    assert by_age == answer(capsys, "--born", "2012", "--on", "2026-12-31")


@pytest.mark.parametrize("born", ["2010-05-12", "12.5.2010", "12/05/2010", "May 2010", "20100512", "2010"])
def test_a_date_of_birth_is_its_year(capsys, born):
    """A whole date, in any form whose year is clear, is the year."""
    assert answer(capsys, "--born", born, "--on", "2026-11-15") == answer(
        capsys, "--born", "2010", "--on", "2026-11-15"
    )


def test_age_and_year_are_not_given_together(capsys):
    """One of the two is enough, and they could differ."""
    assert main([*GAME, "--age", "14", "--born", "2012"]) == 2
    assert "cannot be combined" in capsys.readouterr().err


def test_an_age_over_http():
    """The API takes it as the command does."""
    found = (
        TestClient(create_app()).get("/api/v1/fide-standard/rate?rating=1750&game=1950:win&age=14&on=2026-11-15").json()
    )
    assert found["value"]["k"] == 40
    assert any("2012 is assumed" in note for note in found["notes"])
