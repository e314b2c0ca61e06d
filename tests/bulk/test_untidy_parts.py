"""Untidy tables rated in parts within a bound on memory: the same as in one piece."""

from datetime import date

import pyarrow as pa
import pytest

from arpad import bulk
from arpad.bulk.engines import spill
from arpad.bulk.tables.output import without_dictionaries

SHARDS = 23  # so many that players who meet are seldom in one
PLAYED = date(2026, 11, 3)
SYSTEMS = ["fide-standard", "elo", "glicko-2"]
LISTED = pa.table({"id": range(1, 9), "rating": range(1500, 1900, 50)})


@pytest.fixture(autouse=True)
def _many_shards(monkeypatch):
    monkeypatch.setattr(spill, "_shards", lambda *_: SHARDS)


def check_alike(games, players, **asked):
    """The list, the rejected rows and the summary are the same in parts; the answer in one piece."""
    whole = bulk.rate(games, players, period="2026-12", **asked)
    parts = bulk.rate(games, players, period="2026-12", **asked, memory="1GB")
    assert parts.summary == whole.summary
    assert listed(parts.players) == listed(whole.players)
    assert rejected(parts.rejected) == rejected(whole.rejected)
    return whole


def listed(table):
    """What a list says, by id."""
    return {row.pop("id"): row for row in without_dictionaries(table).to_pylist()}


def rejected(table):
    """The rejected rows without their contents, in an order."""
    return sorted(map(str, table.select(["table", "file", "row", "reason"]).to_pylist()))


@pytest.mark.parametrize("system", SYSTEMS)
def test_rounds_that_are_known_of_some_games(system):
    """Whether the result tells two games apart depends on these games, not on others that a part may not have."""
    games = pa.table(
        {
            "white": [1, 1, 3, 5, 7, 7, 7],
            "black": [2, 2, 4, 6, 8, 8, 8],
            "result": [1.0, 0.0, 1.0, 0.5, 1.0, 1.0, 0.0],
            "round": pa.array([None, None, "1", None, None, None, "2"]),
            "date": [PLAYED] * 7,
        }
    )
    assert check_alike(games, LISTED, system=system).summary.reasons == {"duplicate": 1}
