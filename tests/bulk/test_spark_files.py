"""Untidy files on Spark: rated as on one machine, or refused in a sentence."""

from datetime import date

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from arpad import bulk

pytestmark = pytest.mark.xdist_group("spark")  # one worker has the session
PLAYED = date(2026, 11, 3)


def written(folder, name, table):
    """The name of a file with a table, or with a text."""
    path = folder / name
    if isinstance(table, str):
        path.write_text(table, encoding="utf-8")
    else:
        pq.write_table(table, path)
    return str(path)


@pytest.fixture
def listed(tmp_path):
    """A list of eight players as a file."""
    return written(tmp_path, "list.parquet", pa.table({"id": range(1, 9), "rating": range(1500, 1900, 50)}))


def ratings(table):
    """The rating of each player by id."""
    return {str(row["id"]): row["rating"] for row in table.to_pylist()}


def check_alike(spark, games, players, **asked):
    """Spark and one machine give the same list, summary and reasons; the answer of one machine."""
    here = bulk.rate(games, players, period="2026-12", **asked)
    there = bulk.rate(games, players, period="2026-12", **asked, engine="spark", spark=spark)
    assert there.summary == here.summary
    assert ratings(there.to_arrow()) == pytest.approx(ratings(here.players), rel=1e-9)
    reasons = [sorted(table["reason"].to_pylist()) for table in (here.rejected, there.rejected.toArrow())]
    assert reasons[0] == reasons[1]
    there.release()
    return here


def test_parquet_files_with_different_columns(spark, tmp_path, listed):
    """What only a later file says counts: here a blitz game and a forfeit are not rated."""
    plain = pa.table({"white": [1], "black": [2], "result": [1.0], "date": [PLAYED]})
    more = {"time": ["3+2", "90+30"], "how": ["played", "forfeit"]}
    other = pa.table({"white": [3, 5], "black": [4, 6], "result": [1.0, 1.0], "date": [PLAYED] * 2, **more})
    games = [written(tmp_path, "a.parquet", plain), written(tmp_path, "b.parquet", other)]
    assert check_alike(spark, games, listed).summary.rated == 1
