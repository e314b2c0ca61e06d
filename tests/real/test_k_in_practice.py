"""The K that FIDE's lists of August and September 2025 show, where the text says otherwise (../shared/data/lists)."""

import csv
import json
import lzma
from itertools import product
from math import sqrt

import pytest

from arpad.cli import main
from arpad.lists import Hints, import_list, recognise
from conftest import shared

YEAR, JUNIOR_UNTIL = 2025, 18


def players(pace):
    """A list of both months, by FIDE ID."""
    with lzma.open(shared(f"data/lists/fide_{pace}_2025-08_2025-09.csv.xz"), "rt") as file:
        return {row["fide_id"]: row for row in csv.DictReader(file)}


def adult(row):
    """Nobody who is known to be a junior."""
    born = int(row["born"] or 0)
    return YEAR - born > JUNIOR_UNTIL


@pytest.fixture(scope="module")
def standard():
    return players("standard")


@pytest.fixture(scope="module")
def rapid():
    return players("rapid")


@pytest.fixture(scope="module")
def blitz():
    return players("blitz")


def newcomers(rows, standard, k, *, juniors=False):
    """Who played their way onto a list in September, and had such a K in standard in August."""
    return [
        (row, standard[player])
        for player, row in rows.items()
        if not row["rating_08"] and row["rating_09"] and int(row["games_09"] or 0) and (juniors or adult(row))
        and standard.get(player, {}).get("rating_08") and standard[player]["k_08"] == k
    ]  # fmt: skip


def spread(pairs):
    """How far the new ratings lie from the standard ones, for each root of a game (rms)."""
    changes = [(int(new["rating_09"]) - int(old["rating_08"])) ** 2 / int(new["games_09"]) for new, old in pairs]
    return sqrt(sum(changes) / len(changes))


def test_whose_standard_rating_stands_in_has_the_k_of_the_standard_list(standard, rapid):
    """Of 255 adults new to rapid with K 20 in standard 251 have K 20; their changes have that size, not that of 40.

    Figures of the check of November 2026: rms 11.1 against 23.8 for K 40, of all ages.
    """
    pairs = newcomers(rapid, standard, "20")
    assert (len(pairs), sum(new["k_09"] == "20" for new, _ in pairs)) == (255, 251)
    assert spread(pairs) == pytest.approx(11.1, abs=0.5)
    assert spread(newcomers(rapid, standard, "40", juniors=True)) == pytest.approx(23.8, abs=0.5)


def test_blitz_alike(standard, blitz):
    """Adults new to blitz who had K 20 in standard change about half as much as those who had K 40."""
    by_k = [spread(newcomers(blitz, standard, k)) for k in ("20", "40")]
    assert by_k[1] / by_k[0] == pytest.approx(2, abs=0.3)


def test_blitz_k_of_adults(blitz):
    """Of 186,935 adults below 2300 744 have K 40 in September, nearly all newcomers; of 76 who had it 75 have 20."""
    known = [row for row in blitz.values() if int(row["born"] or 0) and adult(row)]
    adults = [row for row in known if 0 < int(row["rating_09"] or 0) < 2300]
    forty = [row for row in adults if row["k_09"] == "40"]
    assert (len(adults), len(forty), sum(not row["rating_08"] for row in forty)) == (186_935, 744, 741)
    played = [row for row in adults if row["k_08"] == "40" and int(row["games_09"] or 0)]
    assert (len(played), sum(row["k_09"] == "20" for row in played)) == (76, 75)


@pytest.fixture(scope="module")
def imported(tmp_path_factory, standard, rapid, blitz):
    """The folder with both months of all three lists, imported as tables under FIDE's name."""
    folder = tmp_path_factory.mktemp("lists")
    data = str(folder / "data")
    paces = {"standard": standard, "rapid": rapid, "blitz": blitz}
    for pace, month in (("standard", "08"), *product(("rapid", "blitz"), ("08", "09"))):
        path = folder / f"{pace}-{month}.csv"
        with path.open("w", newline="") as file:
            table = csv.writer(file)
            table.writerow(("id", "federation", "sex", "born", "rating", "games", "k", "flag"))
            table.writerows(
                (row["fide_id"], row["fed"], row["sex"], row["born"],
                 *(row[f"{name}_{month}"] for name in ("rating", "games", "k", "flag")))
                for row in paces[pace].values() if row[f"rating_{month}"]
            )  # fmt: skip
        import_list(recognise(str(path), Hints("fide", f"2025-{month}", pace)), data=data)
    return data


def test_the_audit_prints_the_same_counts(imported, capsys):
    """`arpad list audit` of the two months has the counts above."""
    assert main(["list", "audit", "2025-08", "2025-09", "--pace", "rapid", "--data", imported, "--json"]) == 0
    rapid = json.loads(capsys.readouterr().out)["value"]
    twenty = next(one for one in rapid["standing_in"] if one["k"] == 20)
    assert (twenty["players"], twenty["same_k"]) == (255, 251)
    assert twenty["points"] == pytest.approx(11.1, abs=0.5)
    assert main(["list", "audit", "2025-08", "2025-09", "--pace", "blitz", "--data", imported]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "Of 186,935 adults below 2300, 744 have K 40, 741 of them new to the list." in shown
    assert "Of 76 who had K 40 before and played, 75 have K 20." in shown
