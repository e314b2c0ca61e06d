"""Untidy tables rated in parts within a bound on memory: the same as in one piece."""

from datetime import date

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from bulk_games import simple

from arpad import bulk
from arpad.bulk.engines import spill
from arpad.bulk.tables.columns import without_dictionaries
from arpad.errors import ArpadError

SHARDS = 23  # so many that players who meet are seldom in one
PLAYED = date(2026, 11, 3)
SYSTEMS = ["fide-standard", "elo", "glicko-2"]
LISTED = pa.table({"id": range(1, 9), "rating": range(1500, 1900, 50)})


@pytest.fixture(autouse=True)
def _many_shards(monkeypatch):
    monkeypatch.setattr(spill, "_shards_needed", lambda *_: SHARDS)


def check_alike(games, players, **asked):
    """The list, the rejected rows and the summary are the same in parts; the answer in one piece."""
    whole = bulk.rate(games, players, period="2026-12", **asked)
    parts = bulk.rate(games, players, period="2026-12", **asked, memory="1GB")
    assert parts.summary == whole.summary
    assert listed(parts.players) == listed(whole.players)
    assert rejected(parts.rejected) == rejected(whole.rejected)
    return whole


def listed(table):
    """What a list says, by id; a part may have numbers as texts."""
    return {str(row.pop("id")): row for row in without_dictionaries(table).to_pylist()}


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


# One player's id in every way it may be written, and the type of the column.
WRITTEN = {
    "numbers": (lambda number: number, pa.int64()),
    "short numbers": (lambda number: number, pa.int32()),
    "doubles": (float, pa.float64()),
    "texts": (str, pa.string()),
    "texts of doubles": ("{}.0".format, pa.string()),
    "zeros": ("{:012}".format, pa.string()),
    "blanks": (" {}\t".format, pa.large_string()),
}


def further(table, columns):
    """A table with ids of eight digits."""
    for name in columns:
        table = table.set_column(table.schema.get_field_index(name), name, pc.add(table[name], 10_000_000))
    return table


def rewritten(table, columns, way):
    """A table with its ids written in another way."""
    write, kind = WRITTEN[way]
    for name in columns:
        ids = pa.array([write(number) for number in table[name].to_pylist()], kind)
        table = table.set_column(table.schema.get_field_index(name), name, ids)
    return table


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("way", WRITTEN)
def test_an_id_is_one_player_however_it_is_written(system, way):
    """Of eight digits, on the list and in the games: everybody is found, and the ratings are those of numbers."""
    players, games = simple(300, 40)
    players, games = further(players, ["id"]), further(games, ["white", "black"])
    plain = bulk.rate(games, players, period="2026-12", system=system)
    written_list, written_games = rewritten(players, ["id"], way), rewritten(games, ["white", "black"], way)
    for given in ((games, written_list), (written_games, players), (written_games, written_list)):
        assert by_number(check_alike(*given, system=system).players) == by_number(plain.players)


def by_number(table):
    """The ratings by the numbers of the players."""
    return {int(row["id"]): row["rating"] for row in table.to_pylist()}


@pytest.mark.parametrize("system", SYSTEMS)
def test_names_stay_names(system):
    """Blanks around a name do not count; what is empty, or a number with decimals, is nobody; 7 and 07.0 are one."""
    players = pa.table({"id": ["x", " 1", "07.0", "7", ""], "rating": [1500, 1600, 1700, 1800, 1900]})
    games = pa.table({"white": ["x ", "7", "", "1"], "black": ["1.0", "x", "x", "01"], "result": [1, 0, 1, 1]})
    games = games.append_column("date", pa.array([PLAYED] * 4))
    whole = check_alike(games, players, system=system)
    assert whole.summary.reasons == {"no_white": 1, "against_himself": 1, "no_id": 1, "duplicate_id": 1}
    assert sorted(whole.players["id"].to_pylist()) == ["1", "7", "x"]
    doubles = games.set_column(0, "white", pa.array([1.0, 7.0, 7.5, None]))
    assert check_alike(doubles, players, system=system).summary.reasons["no_white"] == 2


@pytest.mark.parametrize("system", SYSTEMS)
def test_files_of_different_kinds(tmp_path, system):
    """Numbers in one file and texts in the other, more columns in one; on the lists too."""
    more = {"round": ["1", None], "how": [None, "forfeit"]}
    games = pa.table({"white": [1, 2], "black": [2, 3], "result": [1.0, 0.5], "date": [PLAYED] * 2, **more})
    lines = "white,black,result,date\nx,4,1/2-1/2,2026-11-04\n5,6,1,2026.11.05\n"
    given = [written(tmp_path, "g.parquet", games), written(tmp_path, "g.csv", lines)]
    players = [written(tmp_path, "p.parquet", LISTED), written(tmp_path, "p.csv", "name,id,rating\nX,x,1500\n")]
    assert check_alike(given, players, system=system).summary.rated == 3


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("other", ["3,4\n5,6,1,2026-11-04\n", None, ""], ids=["short", "cut", "without columns"])
def test_a_file_that_cannot_be_read_does_not_stop_the_rest(tmp_path, system, other):
    """It is among the rejected rows, and what can be read of it is rated."""
    header = "white,black,result,date\n"
    whole = written(tmp_path, "a.csv", f"{header}1,2,1,2026-11-03\n")
    cut = tmp_path / "b.parquet"
    cut.write_bytes(b"PAR1 and no more")
    bad = str(cut) if other is None else written(tmp_path, "b.csv", header + other if other else "white\n1\n")
    summary = check_alike([whole, bad], LISTED, system=system).summary
    assert summary.rated == (2 if other else 1)
    assert summary.reasons == {"bad_file": 1}
    with pytest.raises(ArpadError):
        bulk.rate(str(cut), LISTED, period="2026-12", system=system, memory="1GB")


def written(folder, name, table):
    """The name of a file with a table, or with a text."""
    if isinstance(table, str):
        (folder / name).write_text(table, encoding="utf-8")
    else:
        pq.write_table(table, folder / name)
    return str(folder / name)
