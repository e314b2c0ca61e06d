"""A published US Chess section, from its file through a ledger to its list."""

import csv

from ledgers import club

from conftest import shared
from real.test_other_vectors_uschess import CROSSTABLE_DAY as DAY


def test_a_section_of_64(tmp_path):
    """The file is accepted as it is; 51 of 64 published ratings are met exactly and 62 within a point.

    These are the figures of `arpad section` (test_other_vectors_uschess.py); the two others are held by a peak floor.
    """
    path = shared("data/uschess/uschess_crosstable_64.csv")
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    book = club(tmp_path, "uschess-regular", start=None)
    preview = book.preview(str(path), columns={"no": "pair_no"}, start=DAY, called="Section")
    assert {one.state for one in preview.entries} == {"new"}
    book.accept(preview.settle(anyway=True), who="Ann")
    (event,) = book.book.events.values()
    for row in rows:
        person = event.entries[int(row["pair_no"])].person
        games = {"games": row["pre_prov_games"]} if row["pre_prov_games"] else {}
        book.set_rating(person, rating=row["pre"], day=DAY, who="Ann", **games)
    new = {line.id: line.rating for line in book.list(DAY).players}
    missed = [new[event.entries[int(row["pair_no"])].person] - int(row["post"]) for row in rows]
    assert sum(miss == 0 for miss in missed) >= 51
    assert sum(abs(miss) <= 1 for miss in missed) >= 62
