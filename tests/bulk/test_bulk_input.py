"""What comes in: formats, Arrow interfaces, columns by other names, and everything that can be wrong with a row."""

import builtins
import json
import os
import sys
from datetime import date
from decimal import Decimal
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import arpad
from arpad import bulk
from arpad.bulk.results import reason_text
from arpad.bulk.tables.files import write
from arpad.cli import main
from arpad.errors import BadFile, BadInput, MissingExtra, UncoveredDate, UnknownName, Unsupported
from conftest import ROOT
from doors import asked

DAY = date(2026, 11, 7)
PLAYERS = pa.table(
    {
        "id": [1, 2, 3, 4],
        "rating": [1750, 1950, 2700, None],
        "born": [2010, 1990, 1985, 2012],
        "games": [100, 400, 900, None],
        "name": ["Ada", "Ben", "Cleo", "Dan"],
    }
)
GAMES = pa.table({"white": [1, 3], "black": [2, 2], "result": [1.0, 0.5], "date": [DAY, DAY], "event": ["a", "b"]})
# By hand: 40 × (1 − 0.24) = 30.4; 10 × (0.5 − 1.00) = −5 (2700 is above 2650, 750 points in full);
# 20 × (0 − 0.76) + 20 × (0.5 − 0.08) = −6.8 (1950 is below 2650, so 750 points are 400).
CHANGES = {1: "30.40", 2: "-6.80", 3: "-5.00", 4: None}


def changes(table):
    return {int(row["id"]): row["change"] and f"{float(row['change']):.2f}" for row in table.to_pylist()}


def rated(games=GAMES, players=PLAYERS, **more):
    return bulk.rate(games, players, period="2026-12", **more)


def reasons(answer):
    return [row["reason"] for row in answer.rejected.to_pylist()]


@pytest.mark.parametrize("ending", ["parquet", "csv", "csv.gz", "csv.xz", "jsonl", "jsonl.gz", "duckdb"])
def test_every_format_in_and_out(tmp_path, ending):
    """Each format gives the changes worked out by hand from table 8.1.2, and the list written can be the next input."""
    games, players, out = (str(tmp_path / f"{name}.{ending}") for name in ("games", "players", "out"))
    if ending == "duckdb":
        with duckdb.connect(games) as connection:
            connection.register("rows", GAMES)
            connection.execute("CREATE TABLE games AS FROM rows")
    else:
        write({games: GAMES})
    write({players: PLAYERS})
    answer = rated(games, players)
    assert changes(answer.players) == CHANGES
    write({out: answer.players})
    again = rated(games, out)
    assert again.players["before"].to_pylist() == answer.players["rating"].to_pylist()
    assert again.players["name"].to_pylist() == ["Ada", "Ben", "Cleo", "Dan"]
    begins = {".gz": b"\x1f\x8b", ".xz": b"\xfd7zXZ"}.get(os.path.splitext(out)[1], b"")
    with open(out, "rb") as file:
        assert file.read().startswith(begins)


@pytest.mark.parametrize("name", ["list.parquet.gz", "list.jsonl.xz", "list.duckdb.gz"])
def test_a_format_that_is_not_written_compressed_is_refused(tmp_path, name):
    """Nothing is written under a name that says what the file would not be."""
    with pytest.raises(BadInput, match=r"cannot be written as \.[gx]z; leave out"):
        write({str(tmp_path / name): PLAYERS})
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("shape", ["table", "reader", "relation", "capsule"])
def test_whatever_speaks_arrow(shape):
    """A pyarrow table, a stream, a DuckDB relation and any object with the Arrow stream interface are all tables."""

    class Capsule:
        def __init__(self, table):
            self._table = table

        def __arrow_c_stream__(self, requested_schema=None):
            return self._table.__arrow_c_stream__(requested_schema)

    connection = duckdb.connect()
    make = {
        "table": lambda table: table,
        "reader": lambda table: table.to_reader(),
        "relation": connection.from_arrow,
        "capsule": Capsule,
    }[shape]
    answer = rated(make(GAMES), make(PLAYERS))
    assert changes(answer.players) == CHANGES
    # What comes out goes on as it is: DuckDB adds the exact decimals up.
    assert connection.from_arrow(answer.players).sum("change").fetchall() == [(Decimal("18.60"),)]


def test_texts_as_polars_gives_them():
    """Views of texts, alone and as categories, are texts; a row with them is rejected like any other."""
    views = {
        "white": [1, 3, 1],
        "black": [2, 2, 3],
        "result": pa.array(["1", "½", "5"], pa.string_view()),
        "event": pa.DictionaryArray.from_arrays(pa.array([0, 1, 1]), pa.array(["a", "b"], pa.string_view())),
        "date": [DAY] * 3,
    }
    answer = rated(pa.table(views))
    assert changes(answer.players) == CHANGES
    assert reasons(answer) == ["bad_result"]


def test_a_player_who_is_there_twice_is_told_of_by_file_and_row(tmp_path):
    """The row is that of the file, also behind rows that were rejected and in the second of two files."""
    (tmp_path / "1.csv").write_text("id,rating\n9,99999\n1,1750\n2,1950\n", encoding="utf-8")
    (tmp_path / "2.csv").write_text("id,rating\n3,2700\n1,1800\n", encoding="utf-8")
    answer = rated(players=str(tmp_path / "*.csv"))
    told = [(Path(row["file"]).name, row["row"], row["reason"]) for row in answer.rejected.to_pylist()]
    assert told == [("1.csv", 1, "bad_rating"), ("2.csv", 2, "duplicate_id")]
    assert answer.players["before"].to_pylist() == [1750, 1950, 2700]


def test_columns_by_other_names():
    """Columns are recognised by the usual other names, or mapped; a name that is not there is refused."""
    games = GAMES.rename_columns(["WhiteFideId", "BlackFideId", "Score", "Day", "Tournament"])
    assert changes(rated(games).players) == CHANGES
    games = GAMES.rename_columns(["hvit", "svart", "resultat", "dato", "turnering"])
    columns = {"white": "hvit", "black": "svart", "result": "resultat", "date": "dato", "event": "turnering"}
    assert changes(rated(games, columns=columns).players) == CHANGES
    with pytest.raises(UnknownName, match="hvid"):
        rated(games, columns={**columns, "white": "hvid"})
    with pytest.raises(UnknownName, match="colour"):
        rated(games, columns={"colour": "hvit"})
    with pytest.raises(BadInput, match="no column white"):
        rated(games)


@pytest.mark.parametrize(("row", "reason"), [
    ((9, 2, "1", DAY), "unknown_white"),
    ((1, 9, "1", DAY), "unknown_black"),
    ((None, 2, "1", DAY), "no_white"),
    ((1, None, "1", DAY), "no_black"),
    ((1, 1, "1", DAY), "against_himself"),
    ((1, 2, "2", DAY), "bad_result"),
    ((1, 2, "*", DAY), "bad_result"),
    ((1, 2, "0.75", DAY), "bad_result"),
    ((1, 2, None, DAY), "bad_result"),
    ((1, 2, "1", None), "bad_date"),
    ((1, 2, "1", date(2026, 10, 31)), "outside_period"),
    ((1, 2, "1", date(2026, 12, 1)), "outside_period"),
    ((3, 2, "1", DAY), "duplicate"),
])  # fmt: skip
def test_bad_row(row, reason):
    """One bad row is rejected with its reason and its content, and the good one is rated all the same."""
    names = ("white", "black", "result", "date")
    kinds = pa.schema([("white", pa.int64()), ("black", pa.int64()), ("result", pa.string()), ("date", pa.date32())])
    good = (3, 2, "1", DAY)
    games = pa.Table.from_pylist([dict(zip(names, one, strict=True)) for one in (good, row)], schema=kinds)
    answer = rated(games)
    (rejected,) = answer.rejected.to_pylist()
    assert (rejected["reason"], rejected["row"], rejected["table"]) == (reason, 2, "games")
    assert rejected["says"] == reason_text(reason)
    assert json.loads(rejected["given"])["white"] == row[0]
    assert answer.summary["rated"] == 1
    assert answer.summary["reasons"] == {reason: 1}


@pytest.mark.parametrize(("column", "value", "reason"), [
    ("time", "fast", "bad_time"),
    ("how", "adjourned", "bad_how"),
    ("white_rating", 5000, "bad_game_rating"),
    ("white_rating", 0, "bad_game_rating"),
    ("start", "1999-01-01", "before_rules"),
    ("start", "2026-12-24", "outside_period"),
    ("start", "yesterday", "bad_date"),
    ("date", "31.12.", "bad_date"),
])  # fmt: skip
def test_bad_value_in_a_column_that_may_be_missing(column, value, reason):
    """What need not be there must be readable where it is."""
    games = pa.table({"white": [1, 3], "black": [2, 2], "result": ["1", "1"], column: [None, value]})
    if column == "date":
        games = games.set_column(3, "date", pa.array(["2026-11-07", value]))
    elif column == "start":
        games = games.append_column("date", pa.array([DAY, DAY]))
    assert reasons(rated(games)) == [reason]


@pytest.mark.parametrize(("column", "value", "reason"), [
    ("rating", 4001, "bad_rating"),
    ("rating", -1, "bad_rating"),
    ("k", 1001, "bad_k"),
    ("born", 1492, "bad_born"),
    ("games", -3, "bad_games"),
    ("peak", 9999, "bad_peak"),
    ("standard", 9999, "bad_standard"),
    ("base", 9999, "bad_base"),
    ("id", None, "no_id"),
    ("id", 1, "duplicate_id"),
])  # fmt: skip
def test_bad_player(column, value, reason):
    """A player whose row cannot be taken is rejected, and with him his games, as those of somebody unknown."""
    players = {name: PLAYERS[name].to_pylist() for name in ("id", "rating")}
    players.setdefault(column, [None] * 4)[2] = value
    answer = rated(players=pa.table(players))
    assert reasons(answer) == [reason, "unknown_white"]
    assert answer.summary["rated"] == 1


def test_a_player_who_is_not_born_yet():
    """Nobody plays before being born: the game is rejected, and the player stays on the list."""
    players = PLAYERS.set_column(2, "born", pa.array([2030, 1990, 1985, 2012]))
    answer = rated(players=players)
    assert reasons(answer) == ["not_born"]
    assert answer.players.num_rows == 4


def test_two_games_of_a_match_are_no_double():
    """The same two on one day, with the same colours: two games if the results differ, or else if the rounds do."""
    match = {"white": [1, 1], "black": [2, 2], "date": [DAY, DAY]}
    assert rated(pa.table({**match, "result": [1.0, 0.5]})).summary["rated"] == 2
    assert reasons(rated(pa.table({**match, "result": [1.0, 1.0]}))) == ["duplicate"]
    assert rated(pa.table({**match, "result": [1.0, 1.0], "round": [1, 2]})).summary["rated"] == 2
    assert reasons(rated(pa.table({**match, "result": [1.0, 0.0], "round": [1, 1]}))) == ["duplicate"]


def test_many_files_one_of_them_cut_short(tmp_path):
    """Of many files the one that cannot be read is rejected as a file; if none can be read, that is the error."""
    whole, cut = tmp_path / "a.parquet", tmp_path / "b.parquet"
    write({str(whole): GAMES})
    cut.write_bytes(whole.read_bytes()[:-20])
    answer = rated(str(tmp_path / "*.parquet"))
    assert changes(answer.players) == CHANGES
    (rejected,) = answer.rejected.to_pylist()
    assert (rejected["reason"], rejected["file"], rejected["row"]) == ("bad_file", str(cut), None)
    with pytest.raises(BadFile, match="cannot be read"):
        rated(str(cut))


def test_a_table_cut_short(tmp_path):
    """A CSV file that ends in the middle of a row gives all rows before it, and says so."""
    path = tmp_path / "games.csv"
    write({str(path): GAMES})
    path.write_text(path.read_text(encoding="utf-8") + "1,2\n", encoding="utf-8")
    answer = rated(str(path))
    assert changes(answer.players) == CHANGES
    assert reasons(answer) == ["bad_file"]
    lines = tmp_path / "games.jsonl"
    write({str(lines): GAMES})
    lines.write_text(lines.read_text(encoding="utf-8") + '{"white": 1, "bla', encoding="utf-8")
    answer = rated(str(lines))
    assert changes(answer.players) == CHANGES
    assert reasons(answer) == ["no_white"]


@pytest.mark.parametrize("text", [
    "white,black,result\n1,2,M\xfcller\n",
    "white,black,result\n1,2,1\n1,2,M\xfcller,0\n",  # a line with too many fields, too
    "wei\xdf,black,result\n1,2,1\n",
])  # fmt: skip
def test_a_table_that_is_not_utf_8_says_how_to_save_it(text, tmp_path, capfd):
    """A spreadsheet's Latin-1 is refused in one sentence, and nothing else stands on standard error."""
    (tmp_path / "games.csv").write_bytes(text.encode("latin-1"))
    write({str(tmp_path / "list.csv"): PLAYERS})
    line = ["bulk", str(tmp_path / "games.csv"), str(tmp_path / "list.csv"), "--period", "2026-12"]
    assert main(line) == 2
    said = capfd.readouterr().err
    assert said.startswith("arpad: The file is not in UTF-8; save it again as UTF-8")
    assert said.count("\n") == 1


def test_no_games_are_said_to_be_none(tmp_path, capsys):
    """A file of headings alone has no games, whatever is wrong with the players."""
    (tmp_path / "games.csv").write_text("white,black,result\n", encoding="utf-8")
    (tmp_path / "list.csv").write_text("id,rating\n1,1750\n2,abc\n", encoding="utf-8")
    assert main(["bulk", str(tmp_path / "games.csv"), str(tmp_path / "list.csv"), "--period", "2026-12"]) == 2
    assert "no list was written: there are no games." in capsys.readouterr().err


def test_a_missing_column_in_one_of_many_files(tmp_path):
    """A file without a needed column is rejected with a sentence that names it; the others are rated."""
    write({str(tmp_path / "a.csv"): GAMES, str(tmp_path / "b.csv"): GAMES.drop_columns(["result"])})
    answer = rated(str(tmp_path / "*.csv"))
    assert answer.summary["rated"] == 2
    assert "no column result" in answer.rejected.to_pylist()[0]["given"]


@pytest.mark.parametrize(("more", "error", "words"), [
    ({"system": "dwz"}, Unsupported, "fide-standard"),
    ({"engine": "abacus"}, UnknownName, "local"),
    ({"period": "soon"}, BadInput, "2026-11"),
    ({"period": "2009-07"}, UncoveredDate, "2009-07-01"),
    ({"games": 7}, BadInput, "supports Arrow"),
    ({"games": "nowhere.parquet"}, BadFile, "no such file"),
    ({"games": "nowhere/*.parquet"}, BadFile, "No file matches this pattern"),
    ({"games": "README.md"}, UnknownName, "parquet"),
    ({"players": PLAYERS.slice(0, 0)}, BadInput, "no players"),
    ({"since": date(2026, 12, 24)}, BadInput, "must begin before it ends"),
])  # fmt: skip
def test_what_is_refused(more, error, words, monkeypatch):
    """A question that cannot be answered is refused in a sentence that says what can."""
    monkeypatch.chdir(ROOT)
    asked_for = {"games": GAMES, "players": PLAYERS, "period": "2026-12", **more}
    with pytest.raises(error, match=words):
        bulk.rate(asked_for.pop("games"), asked_for.pop("players"), **asked_for)


def test_texts_as_ids():
    """Ids may be texts, and a number in one file is the same number written as text in the other."""
    games = GAMES.set_column(0, "white", pa.array(["1", "3"])).set_column(1, "black", pa.array(["2", "2"]))
    assert changes(rated(games).players) == CHANGES
    named = pa.table({"white": ["ann"], "black": ["bob"], "result": ["1-0"]})
    players = pa.table({"id": ["ann", "bob"], "rating": [2000, 2000], "k": [20, 20]})
    assert rated(named, players).players["rating"].to_pylist() == [2010, 1990]


@pytest.mark.parametrize("far_apart", [1, 1_000_003, 10**15])
def test_ids_of_any_kind(far_apart):
    """Ids that are close together, far apart or very large are found alike, and an unknown one is not."""
    ids = [far_apart * place for place in range(1, 2001)]
    players = pa.table({"id": ids, "rating": [2000] * 2000, "k": [20] * 2000})
    games = pa.table(
        {"white": [ids[0], ids[1999], ids[7] + 1], "black": [ids[1], ids[999], 5 * 10**17], "result": [1.0] * 3}
    )
    answer = rated(games, players)
    assert reasons(answer) == ["unknown_white" if far_apart > 1 else "unknown_black"]
    new = dict(zip(ids, answer.players["rating"].to_pylist(), strict=True))
    assert [new[ids[place]] for place in (0, 1, 1999, 999, 500)] == [2010, 1990, 2010, 1990, 2000]


def test_output_appears_whole_or_not_at_all(tmp_path):
    """If one file cannot be written none is, what was there stays, and nothing is left lying about."""
    old = tmp_path / "list.csv"
    old.write_text("before", encoding="utf-8")
    with pytest.raises(BadFile, match="cannot be written"):
        write({str(old): PLAYERS, str(tmp_path / "nowhere" / "pool.csv"): PLAYERS}, force=True)
    with pytest.raises(BadFile, match="cannot be written") as caught:
        write({str(tmp_path / "nowhere" / "pool.jsonl"): PLAYERS})
    assert caught.value.at == str(tmp_path / "nowhere" / "pool.jsonl")
    assert old.read_text(encoding="utf-8") == "before"
    assert [path.name for path in tmp_path.iterdir()] == ["list.csv"]


def test_a_database_is_not_replaced(tmp_path):
    """A DuckDB file may hold other tables, so an existing one is refused, whatever is forced."""
    name = str(tmp_path / "lists.duckdb")
    write({name: PLAYERS})
    with pytest.raises(BadInput, match="exists already"):
        write({name: PLAYERS})
    with pytest.raises(BadFile, match="This file exists"):
        write({name: PLAYERS}, force=True)


def test_nothing_is_written_over_unasked(tmp_path, capsys):
    """A file that is there is refused before any work, unless --force; what is read is never written over."""
    games, players, out = (str(tmp_path / f"{name}.csv") for name in ("games", "players", "out"))
    write({games: GAMES, players: PLAYERS, out: GAMES})
    before = Path(players).read_bytes()
    line = ["bulk", games, players, "--period", "2026-12"]
    assert main([*line, "--out", out]) == 2
    assert "exists already" in capsys.readouterr().err
    assert main([*line, "--out", out, "--force"]) == 0
    assert pa.csv.read_csv(out).num_rows == PLAYERS.num_rows
    for more in (["--out", players], ["--detail", str(tmp_path / "." / "games.csv")]):
        assert main([*line, *more, "--force"]) == 2
        assert "is also an input" in capsys.readouterr().err
    assert main(["bulk", str(tmp_path / "g*.csv"), players, "--period", "2026-12", "--out", games, "--force"]) == 2
    assert "is also an input" in capsys.readouterr().err
    new = str(tmp_path / "new.csv")
    assert main([*line, "--out", new, "--rejected", new]) == 2
    assert "Two files" in capsys.readouterr().err
    assert Path(players).read_bytes() == before
    assert not Path(new).exists()


def test_the_command(tmp_path, capsys):
    """The command writes what was asked for; --strict or a period without games is refused, its rejects are kept."""
    games, players = (str(ROOT / "docs" / "examples" / f"club-{name}.csv") for name in ("games", "list"))
    out, rejected = tmp_path / "list.csv", tmp_path / "rejected.csv"
    line = ["bulk", games, players, "--period", "2026-12", "--out", str(out), "--rejected", str(rejected), "--json"]
    value = asked(line)["value"]
    assert (value["rated"], value["rejected"], value["first_ratings"]) == (6, 1, 1)
    assert pa.csv.read_csv(out).num_rows == 8
    line = ["bulk", games, players, "--rejected", str(rejected), "--force"]
    assert main([*line, "--period", "2026-12", "--strict"]) == 2
    assert main([*line, "--period", "2026-10"]) == 2
    assert "Nothing could be rated" in capsys.readouterr().err
    assert "outside_period" in rejected.read_text(encoding="utf-8")


def test_first_rating_of_the_example():
    """Hugo's five games: (2055 + 1893 + 1655 + 1760 + 1408 + 2 × 1800) / 7 and dp of 3.5 / 7 = 50 %, by 8.2.3."""
    games, players = (str(ROOT / "docs" / "examples" / f"club-{name}.csv") for name in ("games", "list"))
    hugo = rated(games, players).players.to_pylist()[-1]
    assert (hugo["rating"], hugo["games"], hugo["k_next"], hugo["flags"]) == (1767, 5, 40, "new")


def test_pool_is_carried_over(tmp_path):
    """Four games this month and one in the next make a first rating then; the same as all five at once."""
    ratings = [1902, 1877, 1884, 2012, 1832]  # the official first rating of December 2025: 1922
    points = [1.0, 1.0, 0.5, 0.0, 0.5]
    players = pa.table({"id": list(range(6)), "rating": [None, *ratings]})
    days = [date(2025, 10, 4)] * 4 + [date(2025, 11, 2)]
    games = pa.table({"white": [0] * 5, "black": [1, 2, 3, 4, 5], "result": points, "date": days, "event": [1] * 5})
    october = bulk.rate(games.slice(0, 4), players, period="2025-11")
    assert october.pool.num_rows == 4
    write({str(tmp_path / "pool.csv"): october.pool})
    november = bulk.rate(games.slice(4), players, period="2025-12", pool=str(tmp_path / "pool.csv"))
    assert november.players["rating"].to_pylist()[0] == 1922
    assert november.pool.num_rows == 0


@pytest.fixture
def without(monkeypatch):
    """Take a module away, for imports of bulk's modules from now on."""

    def take_away(missing):
        real = builtins.__import__

        def imported(name, *args):
            if name == missing or name.startswith(f"{missing}."):
                raise ModuleNotFoundError(f"no {missing}", name=missing)
            return real(name, *args)

        for name in [name for name in sys.modules if name.startswith("arpad.bulk.")]:
            monkeypatch.delitem(sys.modules, name)
        monkeypatch.setattr(builtins, "__import__", imported)

    return take_away


def test_a_missing_extra_is_named(without):
    """Without the libraries the answer is which extra to install."""
    without("pyarrow")
    with pytest.raises(MissingExtra, match=r"arpad\[bulk\]"):
        arpad.bulk.rate(GAMES, PLAYERS, period="2026-12")


def test_a_missing_module_of_our_own_is_a_bug(without):
    """Nobody is told to install a library because a module of Arpad is missing."""
    without("arpad.bulk.tables")
    with pytest.raises(ModuleNotFoundError, match=r"arpad\.bulk\.tables"):
        arpad.bulk.rate(GAMES, PLAYERS, period="2026-12")


def test_path_objects(tmp_path):
    """A file may be given as a path as well."""
    write({str(tmp_path / "g.parquet"): GAMES, str(tmp_path / "p.parquet"): PLAYERS})
    assert changes(rated(Path(tmp_path / "g.parquet"), Path(tmp_path / "p.parquet")).players) == CHANGES
    assert pq.read_metadata(tmp_path / "g.parquet").num_rows == 2


def test_days_as_files_have_them():
    """ISO, with points or strokes, with a time behind it, and with dots the day first; a stroke there is no day."""
    from arpad.bulk.tables.columns import BAD_DAY, days

    texts = ["2026-11-05", "2026.11.05", "2026/11/05 10:30", "05.11.2026", "5.11.2026", "05/11/2026"]
    read = days(pa.array(texts)).tolist()
    assert read == [(date(2026, 11, 5) - date(1970, 1, 1)).days] * 5 + [BAD_DAY]
