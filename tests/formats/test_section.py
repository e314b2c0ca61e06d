"""A US Chess section as a file: what is refused, with line and column."""

import pytest

from arpad.errors import BadFile
from arpad.formats.section import read_section

HEAD = "id,rating,games,age,results\n"
BROKEN = {
    "an age of 200": ("A,,,200,B:1\nB,1500,,,A:0\n", "line 2, age", "from 0 to 120"),
    "negative games": ("A,1500,-3,,B:1\nB,1500,,,A:0\n", "line 2, games", "whole number from 0"),
    "a rating that is none": ("A,1500,,,B:1\nB,good,,,A:0\n", "line 3, rating", "a rating is a number"),
    "an opponent who is missing": ("A,1500,,,C:1\nB,1500,,,\n", "line 2, results", "C, who is not in the section"),
    "a player as their own opponent": ("A,1500,,,A:1\n", "line 2, results", "cannot be their own"),
    "a one-sided result": ("A,1500,,,B:1\nB,1500,,,A:1\n", "line 2, results", "the two must agree"),
    "a result on one side only": ("A,1500,,,B:1 B:0\nB,1500,,,A:0\n", "line 2, results", "the two must agree"),
    "a duplicate id": ("A,1500,,,B:1\nB,1500,,,A:0\nA,1400,,,\n", "line 4, id", "appears twice"),
    "no id": (",1500,,,\n", "line 2, id", "needs an id"),
    "a result that is none": ("A,1500,,,B:3\nB,1500,,,A:0\n", "line 2, results", "a result is win"),
    "a game without a result": ("A,1500,,,B\nB,1500,,,A:0\n", "line 2, results", "opponent:result"),
    "too many fields": ("A,1500,,,B:1,more\nB,1500,,,A:0\n", "line 2", "more or fewer fields"),
    "nobody at all": ("", "", "empty"),
}


@pytest.mark.parametrize(("rows", "place", "says"), BROKEN.values(), ids=BROKEN)
def test_broken_file(rows, place, says, tmp_path):
    """A bad row is refused with one sentence that names file, line and column."""
    path = tmp_path / "section.csv"
    path.write_text(HEAD + rows, encoding="utf-8")
    with pytest.raises(BadFile, match=says) as caught:
        read_section(str(path))
    assert caught.value.at.endswith(place)


@pytest.mark.parametrize(
    ("text", "says"),
    [("id,rating\nA,1500\n", "missing: results"), ("id,results,elo\n", "Unknown columns: elo"),
     ("id,results,id\n", "appears twice")],
)  # fmt: skip
def test_broken_columns(text, says, tmp_path):
    """A file with other columns is refused at its first line."""
    path = tmp_path / "section.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadFile, match=says) as caught:
        read_section(str(path))
    assert caught.value.at.endswith("line 1")


def test_no_file():
    """A file that is not there is said to be unreadable."""
    with pytest.raises(BadFile, match="cannot be read"):
        read_section("nowhere.csv")
