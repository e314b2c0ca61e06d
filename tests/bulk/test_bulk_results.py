"""Answers of bulk are values: frozen, equal when equal, copyable and picklable, with their tables as Arrow."""

import copy
import pickle
from dataclasses import FrozenInstanceError

import pyarrow as pa
import pytest

import arpad.bulk
from conftest import ROOT

PLAYERS = pa.table({"id": [1, 2], "rating": [1750, 1950], "born": [2010, 1990], "games": [100, 400]})
GAMES = pa.table({"white": [1, 9], "black": [2, 2], "result": [1.0, 1.0]})
LADDER = str(ROOT / "docs" / "examples" / "ladder.csv")


def rated():
    return arpad.bulk.rate(GAMES, PLAYERS, period="2026-12", detail=True)


@pytest.mark.parametrize("answer", [rated, lambda: arpad.bulk.evaluate(LADDER)], ids=["rate", "evaluate"])
def test_answers_are_values(answer):
    """The same question twice gives equal answers; a copy is equal too, and nothing in it can be replaced."""
    found = answer()
    assert found == answer() == copy.copy(found) == pickle.loads(pickle.dumps(found))  # noqa: S301  # our own bytes
    with pytest.raises(FrozenInstanceError):
        found.on = None


def test_a_summary_is_read_by_attribute_and_by_name():
    """What came in and what became of it; the JSON of the command has the same names."""
    summary = rated().summary
    assert (summary.rated, summary["rated"], summary.games) == (1, 1, 2)
    assert summary.reasons == {"unknown_white": 1}
    assert {**summary}["period"] == "2026-12"
    with pytest.raises(KeyError):
        summary["nothing"]


def test_tables_come_as_arrow():
    """`to_arrow` is the next list, or the predictions."""
    assert rated().to_arrow()["rating"].to_pylist()[0] == 1780  # 1750 + 40 × 0.76 (table 8.1.2)
    found = arpad.bulk.evaluate(LADDER)
    assert found.to_arrow().schema.names == ["expected", "score", "new", "white", "black", "draw"]
    assert found.to_arrow().num_rows == found.games


def test_every_public_name_is_there():
    """`arpad.bulk.__all__` is true, also of the names that are loaded when they are asked for."""
    assert all(hasattr(arpad.bulk, name) for name in arpad.bulk.__all__)
    assert not hasattr(arpad.bulk, "Roster")
