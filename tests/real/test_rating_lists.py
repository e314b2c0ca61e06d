"""FIDE's lists of August and September 2025 in ../shared/data/lists, nameless: K, newcomers, the 2024 conversion."""

import csv
import lzma
from collections import Counter
from datetime import date
from functools import cache

import pytest

import arpad
from arpad.lists import Hints, ListedPlayer, ListedRating, RatingList, audit_lists, import_list, next_k, recognise
from conftest import shared

COLUMNS = ("id", "federation", "sex", "born", "rating", "games", "k", "flag")
MONTHS = {"08": "2025-08", "09": "2025-09"}


@pytest.fixture(scope="module")
def audited(tmp_path_factory):
    """The audit of the standard lists, each month imported as a list of one's own under FIDE's name."""
    folder = tmp_path_factory.mktemp("lists")
    data = str(folder / "data")
    for month, named in MONTHS.items():
        path = folder / f"{named}.csv"
        with (
            lzma.open(shared("data/lists/fide_standard_2025-08_2025-09.csv.xz"), "rt") as file,
            path.open("w", newline="") as out,
        ):
            rows = csv.writer(out)
            rows.writerow(COLUMNS)
            for one in csv.DictReader(file):
                if one[f"rating_{month}"]:
                    rows.writerow(
                        [
                            one["fide_id"],
                            one["fed"],
                            one["sex"],
                            one["born"],
                            *(one[f"{name}_{month}"] for name in COLUMNS[4:]),
                        ]
                    )
        import_list(recognise(str(path), Hints("fide", named)), data=data)
    return audit_lists(date(2025, 8, 1), date(2025, 9, 1), data=data)


def checked(audited, line):
    (found,) = [one for one in audited.checks if one.line == line]
    return found.players, found.as_ruled


def test_k_of_the_lists(audited):
    """Nobody from 2400 on is without K 10; 108,434 of 108,634 juniors under 2300 have K 40 (counted on the files)."""
    players, as_ruled = checked(audited, "top")
    assert players - as_ruled == 0
    assert players == 2971
    assert checked(audited, "junior") == (108_634, 108_434)


def test_newcomers_have_k_40(audited):
    """Of 5,640 who entered 5,634 have K 40; the 6 at K 20, at 1400 to 1425, came back over the floor and are listed."""
    assert audited.counts.entered == 5640
    assert [(one.k, one.players) for one in audited.entered_k] == [(40, 5634), (20, 6)]
    back = [one for one in audited.unexplained if one.k == 20]
    assert len(back) == 6
    assert all(1400 <= one.rating <= 1425 for one in back)


def test_the_rest_is_explained_or_listed(audited):
    """Every K has a line of the rule behind it but two, a K 15 and a K 2, and those two are listed."""
    without = [one for one in audited.k if one.line is None]
    assert sorted((one.k, one.players) for one in without) == [(2, 1), (15, 1)]
    assert {one.k for one in audited.unexplained} == {2, 15, 20}
    assert sum(one.players for one in audited.k) == audited.counts.after == 518_307


def test_next_k_is_the_k_that_came():
    """Of 436,823 players who stood still in August 2025 all but three had in September the K predicted from August.

    The three: the K 15 and the K 2 that no rule explains, and one whose K fell from 40 to 20 without a game.
    """
    august = RatingList(1, "fide", date(2025, 8, 1), ("standard",), "csv", "", 0, 0)
    still = Counter()
    with lzma.open(shared("data/lists/fide_standard_2025-08_2025-09.csv.xz"), "rt") as file:
        for one in csv.DictReader(file):
            if one["games_09"] == "0" and one["rating_08"] == one["rating_09"]:
                still[tuple(int(one[name] or 0) for name in ("rating_08", "k_08", "born", "k_09"))] += 1
    came, others = 0, []
    for (rating, k, born, k_after), players in still.items():
        ratings = {"standard": ListedRating(august, rating, 0, k)}
        player = ListedPlayer(1, None, None, None, None, born or None, None, (None,) * 3, ratings, {"standard": rating})
        if next_k(player, "standard").next.value == k_after:
            came += players
        else:
            others.append((k, k_after, players))
    assert (came, sorted(others)) == (436_820, [(2, 2, 1), (15, 15, 1), (40, 20, 1)])


def test_the_conversion_of_march_2024():
    """Of 34,271 players below 2000 who were inactive on both lists 23,530 moved exactly as `conversion` says."""
    convert = cache(lambda rating: arpad.system("fide-standard").conversion(rating, on=date(2024, 3, 1)).rating)
    with lzma.open(shared("data/lists/fide_conversion_check_2014-04_2025-08.csv.xz"), "rt") as file:
        pairs = [(int(one["rating_2014_04"]), int(one["rating_2025_08"])) for one in csv.DictReader(file)]
    below = [(before, after) for before, after in pairs if before < 2000]
    assert len(below) == 34_271
    assert sum(convert(before) == after for before, after in below) == 23_530
