"""Two lists side by side, one player over several, and lists of one pace each: what an officer asks of them."""

import csv
from dataclasses import asdict
from datetime import date

import pytest

from arpad.cli import main
from arpad.errors import BadInput
from arpad.lists import Hints, audit_lists, export_lists, history, import_list, look_up, recognise

OCTOBER, NOVEMBER = date(2026, 10, 1), date(2026, 11, 1)
HEAD = ("id", "name", "title", "born", "rating", "games", "k")


@pytest.fixture
def bring(tmp_path):
    """A list of invented players, brought as a table; the folder it is kept in."""
    data = str(tmp_path / "data")

    def brought(month, rows, name="fide", pace="standard", head=HEAD):
        path = tmp_path / f"{name}-{pace}-{month}.csv"
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([head, *rows])
        import_list(recognise(str(path), Hints(name, month, pace)), data=data)
        return data

    return brought


@pytest.fixture
def says(capsys):
    def said(words):
        assert main(words) == 0
        return capsys.readouterr().out

    return said


def person(number, title="", born=1980, rating=1800, games=0, k=20):
    return (number, f"Player, No{number:03}", title, born, rating, games, k)


def test_all_are_counted_and_as_many_listed_as_asked_for(bring, says):
    """Of 120 new titles, 60 who entered and 70 corrections each list has five, and the counts have them all."""
    stayed = range(1, 121)
    bring("2026-10", [person(one) for one in stayed])
    entered = [person(one, rating=1500 + one, k=40) for one in range(201, 261)]
    data = bring("2026-11", [*(person(one, "FM", rating=1810 if one <= 70 else 1800) for one in stayed), *entered])
    found = audit_lists(OCTOBER, NOVEMBER, most=5, data=data)
    assert asdict(found.counts) == {
        "before": 120, "after": 180, "entered": 60, "left": 0, "moved": 70, "moved_without_games": 70, "titles": 120,
        "unexplained": 0,
    }  # fmt: skip
    assert [len(one) for one in (found.entered, found.titles, found.corrections)] == [5, 5, 5]
    assert asdict(found.entered[0]) == {"id": 260, "name": "Player, No260", "federation": None, "rating": 1760, "k": 40}
    assert "… and 115 more; --most 120 lists them" in says(
        ["list", "audit", "2026-10", "2026-11", "--data", data, "--most", "5"]
    )


def test_the_earlier_month_comes_first(bring):
    bring("2026-10", [person(1)])
    data = bring("2026-11", [person(1)])
    with pytest.raises(BadInput, match="2026-11 is not before 2026-10; the earlier month comes first"):
        audit_lists(NOVEMBER, OCTOBER, data=data)


def test_the_k_of_a_club_is_not_judged_by_fide(bring, says):
    """A list of one's own has its own K or none, and FIDE's rule says nothing of either."""
    for month in ("2026-10", "2026-11"):
        data = bring(month, [(1, "Player, A", 1800), (2, "Player, B", 1900)], "club", head=("id", "name", "rating"))
    found = audit_lists(OCTOBER, NOVEMBER, name="club", data=data)
    assert (found.k, found.checks, found.unexplained, found.counts.unexplained) == ((), (), (), 0)
    assert "K against" not in says(["list", "audit", "2026-10", "2026-11", "--list", "club", "--data", data])


def test_a_year_that_is_none_is_of_no_age(bring):
    """FIDE's lists of 2025 have players born in 198 and in 1064."""
    bring("2026-10", [person(1, born=198)])
    data = bring("2026-11", [person(1, born=198), person(2, born=2000)])
    ages = [
        (str(one.group), one.players)
        for one in audit_lists(OCTOBER, NOVEMBER, data=data).distributions
        if one.by == "age"
    ]
    assert ages == [("25–29", 1), ("unknown", 1)]


def test_whoever_left_is_on_an_earlier_list(bring):
    """Who is not on the newest list is looked for on the earlier ones, and history ends on the day asked for."""
    bring("2026-09", [person(7)])
    bring("2026-10", [person(7), person(8)])
    data = bring("2026-11", [person(8)])
    with pytest.raises(BadInput, match="The list fide standard 2026-10 has one: use `on` 2026-10 to see it"):
        look_up(7, data=data)
    with pytest.raises(BadInput, match=r"has the ID 9\. \(at id\)"):
        look_up(9, data=data)
    months = [f"{one.list.month:%Y-%m}" for _, one in history(7, on=date(2026, 9, 15), data=data)]
    assert months == ["2026-09"]


def test_export_has_every_pace(bring, tmp_path):
    """Lists of one pace each are one table, with the newest of each pace and each player once."""
    bring("2026-11", [person(1), person(2, rating=1900)])
    bring("2026-11", [person(2, rating=1850), person(3, rating=1700)], pace="rapid")
    data = bring("2026-12", [person(2, rating=1860), person(3, rating=1710)], pace="rapid")
    lists, rows = export_lists(str(tmp_path / "out.csv"), data=data)
    assert ([str(one) for one in lists], rows) == (["fide rapid 2026-12", "fide standard 2026-11"], 3)
    with (tmp_path / "out.csv").open(encoding="utf-8") as file:
        found = [(one["id"], one["standard"], one["rapid"], one["blitz"]) for one in csv.DictReader(file)]
    assert found == [("1", "1800", "", ""), ("2", "1900", "1860", ""), ("3", "", "1710", "")]


def test_a_list_without_games_says_nothing_of_them(bring, says, capsys):
    """A club's list has no column of games: who moved is counted and listed, and nobody moved "without games"."""
    head = ("id", "name", "rating")
    bring("2026-10", [(1, "Moewe, Ada", 1750), (2, "Storch, Bo", 1620)], name="club", head=head)
    data = bring("2026-11", [(1, "Moewe, Ada", 1788), (2, "Storch, Bo", 1620)], name="club", head=head)
    found = audit_lists(OCTOBER, NOVEMBER, name="club", data=data)
    assert (found.counts.moved, found.counts.moved_without_games) == (1, None)
    line = ["list", "audit", "2026-10", "2026-11", "--data", data]
    text = says(line)
    assert "\nmoved          1\n" in text
    assert "Moved, the largest change first" in text
    assert main([*line, "--pace", "rapit"]) == 2
    assert "No pace is called 'rapit'. Did you mean 'rapid'?" in capsys.readouterr().err
