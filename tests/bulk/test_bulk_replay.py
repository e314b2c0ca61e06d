"""Years of periods in a row: list after list, interrupted and resumed."""

import os
import shutil
import signal
import subprocess
import sys
import time
from datetime import date, timedelta

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from bulk_games import draw

import arpad
from arpad import bulk
from arpad.bulk import _replay
from arpad.bulk.tables.files import write
from arpad.cli import main
from arpad.errors import BadInput
from conftest import ROOT

FIRST, LAST = "2023-12", "2024-06"


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Half a year of games over two editions and a conversion, in a file for each of two quarters, and a list."""
    folder = tmp_path_factory.mktemp("replay")
    drawn = draw("standard", date(2023, 11, 1), date(2024, 5, 31), games=6000, players=800, seed=5)
    turn = pa.scalar(date(2024, 2, 15))
    games = drawn.games.sort_by("date")
    early = pa.compute.less(games["date"], turn)
    pq.write_table(games.filter(early), folder / "games-1.parquet", row_group_size=500)
    write(
        {
            str(folder / "games-2.csv"): games.filter(pa.compute.invert(early)),
            str(folder / "list.parquet"): drawn.players,
        }
    )
    return folder


def replayed(folder, out, last=LAST):
    names = [str(folder / "games-1.parquet"), str(folder / "games-2.csv")]
    return list(bulk.replay(names, str(folder / "list.parquet"), first=FIRST, last=last, out=str(out)))


def test_a_replay_is_its_periods_one_by_one(files, tmp_path):
    """Every list of a replay is what rating that month alone gives, from the list and the pool before it."""
    finished = replayed(files, tmp_path)
    assert [one.period for one in finished] == ["2023-12", *(f"2024-0{month}" for month in range(1, 7))]
    games = pa.concat_tables(
        [
            pq.read_table(files / "games-1.parquet"),
            pa.csv.read_csv(files / "games-2.csv").cast(pq.read_schema(files / "games-1.parquet")),
        ]
    )
    players, pool = pq.read_table(files / "list.parquet"), None
    for one in finished:
        last = date.fromisoformat(f"{one.period}-01") - timedelta(days=1)
        days = games["date"]
        inside = pa.compute.and_(
            pa.compute.greater_equal(days, pa.scalar(last.replace(day=1))), pa.compute.less_equal(days, pa.scalar(last))
        )
        alone = bulk.rate(games.filter(inside), players, pool=pool, period=one.period)
        assert pq.read_table(tmp_path / f"list-{one.period}.parquet").equals(alone.players)
        assert one.summary == alone.summary
        players, pool = alone.players, alone.pool
    assert sum(one.summary["games"] for one in finished) == games.num_rows
    assert {one.period: one.summary["converted"] > 0 for one in finished}["2024-03"]


def test_a_replay_can_be_gone_through_twice(files, tmp_path):
    """The second time begins with the first list again, also where the lists have been taken away."""
    given = str(files / "games-1.parquet"), str(files / "list.parquet")
    months = bulk.replay(*given, first=FIRST, last="2024-01", out=str(tmp_path / "out"))
    first = [one.summary for one in months]
    assert [one.before for one in months] == [True, True]
    shutil.rmtree(tmp_path / "out")
    assert [one.summary for one in months] == first


def test_a_finished_period_is_not_done_again(files, tmp_path):
    """A second run keeps what is there, a longer one adds to it, and a changed input is noticed."""
    replayed(files, tmp_path, last="2024-02")
    before = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    finished = replayed(files, tmp_path, last="2024-04")
    assert [one.before for one in finished] == [True, True, True, False, False]
    assert {name: (tmp_path / name).stat().st_mtime_ns for name in before} == before
    os.utime(files / "games-2.csv")
    assert [one.before for one in replayed(files, tmp_path, last="2024-04")] == [True, True, True, False, False]
    os.utime(files / "list.parquet")
    assert not any(one.before for one in replayed(files, tmp_path, last="2024-04"))


def test_other_rules_are_another_replay(files, tmp_path):
    """Lists made under one reading are not taken for those of another."""
    names = [str(files / "games-1.parquet"), str(files / "games-2.csv")]
    system = arpad.system("fide-standard", readings={"rounding": "per-event"})
    for chosen in ("fide-standard", system):
        line = bulk.replay(
            names, str(files / "list.parquet"), first=FIRST, last=FIRST, out=str(tmp_path), system=chosen
        )
        assert [one.before for one in line] == [False]


def test_a_note_does_not_vouch_for_tables_written_later(monkeypatch, tmp_path):
    """Cut between its tables and its note, a replay with other settings leaves no note of the first ones."""
    games = str(ROOT / "docs/examples/ladder.csv")

    def with_k(k):
        return bulk.replay(games, first="2026-02", last="2026-02", out=str(tmp_path), system=bulk.method("elo", k=k))

    list(with_k(20))
    first = pq.read_table(tmp_path / "list-2026-02.parquet")
    with monkeypatch.context() as cut:
        cut.setattr(_replay, "_note", lambda *_: pytest.fail("cut", pytrace=False))
        with pytest.raises(pytest.fail.Exception):
            list(with_k(200))
    assert not pq.read_table(tmp_path / "list-2026-02.parquet").equals(first)
    assert [one.before for one in with_k(20)] == [False]
    assert pq.read_table(tmp_path / "list-2026-02.parquet").equals(first)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("system", ["fide-standard", "elo"])
def test_rejected_rows_have_their_numbers(tmp_path, ending, system):
    """Of a file of many months the rejected rows are told of by the row of the file, also where parts are left out."""
    days = [date(2026, 9 + row // 4, 1 + row % 4) for row in range(12)]
    results = [1.0] * 12
    results[6] = results[9] = 7.0
    names = {"white": [1, 3] * 6, "black": [2, 4] * 6}
    games = pa.table({"date": days, **names, "result": results})
    games = pa.concat_tables([games, games.slice(10, 1)])  # the eleventh again, as the thirteenth
    players = pa.table({"id": [1, 2, 3, 4], "rating": [2000] * 4})
    name = str(tmp_path / f"games.{ending}")
    if ending == "parquet":
        pq.write_table(games, name, row_group_size=4)
    else:
        write({name: games})
    write({str(tmp_path / "list.parquet"): players})
    out = tmp_path / "out"
    listed = str(tmp_path / "list.parquet")
    list(bulk.replay(name, listed, first="2026-11", last="2026-12", out=str(out), system=system))
    told = {
        month: [(row["file"], row["row"], row["reason"]) for row in rows.to_pylist()]
        for month in ("2026-11", "2026-12")
        for rows in [pq.read_table(out / f"rejected-{month}.parquet")]
    }
    assert told == {
        "2026-11": [(name, 7, "bad_result")],
        "2026-12": [(name, 10, "bad_result"), (name, 13, "duplicate")],
    }


def test_killed_and_resumed(files, tmp_path):
    """`kill -9` between periods, then the same command again: the same final list, nothing finished done twice."""
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    replayed(files, whole)
    line = [sys.executable, "-m", "arpad", "bulk", "replay", str(files / "games-1.parquet"), str(files / "games-2.csv")]
    line += ["--players", str(files / "list.parquet"), "--from", FIRST, "--to", LAST, "--out", str(cut)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    running = subprocess.Popen(line, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while running.poll() is None and not (cut / "done-2024-01.json").exists():
            time.sleep(0.002)
    finally:
        running.send_signal(signal.SIGKILL)
        running.wait()
    done = {path.name: path.stat().st_mtime_ns for path in cut.glob("done-*")}
    assert done, "nothing was finished before the kill"
    again = subprocess.run(line, env=environment, capture_output=True, text=True, check=True)
    assert again.stdout.count("done earlier") == len(done)
    assert {name: (cut / name).stat().st_mtime_ns for name in done} == done
    for kind in ("list", "pool", "rejected"):
        name = f"{kind}-{LAST}.parquet"
        assert pq.read_table(cut / name).equals(pq.read_table(whole / name))


def test_names_of_columns_are_those_of_the_first_list(files, tmp_path):
    """What the columns of the list are called is said once: the lists after it have names of our own."""
    players = pq.read_table(files / "list.parquet")
    pq.write_table(players.rename_columns({"rating": "Wertung"}), tmp_path / "list.parquet")
    given = {"games": str(files / "games-1.parquet"), "first": FIRST, "last": "2024-01"}
    named = {"players": str(tmp_path / "list.parquet"), "columns": {"rating": "Wertung"}, "out": str(tmp_path / "a")}
    plain = {"players": str(files / "list.parquet"), "out": str(tmp_path / "b")}
    ours, theirs = ([one.summary for one in bulk.replay(**given, **more)] for more in (named, plain))
    assert ours == theirs
    assert ours[1].changed > 0


@pytest.mark.parametrize(("more", "words"), [
    ({"games": pa.table({"white": [1]})}, "rated from files"),
    ({"first": "2024-07"}, "swap them"),
])  # fmt: skip
def test_what_a_replay_refuses(files, tmp_path, more, words):
    """A replay needs files to go on from, and its months in order."""
    line = {"games": str(files / "games-1.parquet"), "first": FIRST, "last": LAST, **more}
    with pytest.raises(BadInput, match=words):
        list(bulk.replay(line.pop("games"), str(files / "list.parquet"), out=str(tmp_path), **line))


def test_where_spark_is_belongs_to_the_engine_spark(tmp_path, capsys):
    """Where Spark is cannot be said of a replay on this machine, and is not ignored."""
    words = ["bulk", "replay", "g.csv", "--from", "2026-01", "--to", "2026-02", "--out", str(tmp_path / "new")]
    assert main([*words, "--spark", "local[2]"]) == 2
    assert "--spark says where Spark is; use it with --engine spark." in capsys.readouterr().err
