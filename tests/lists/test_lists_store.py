"""The file of the lists: whatever goes wrong leaves the old data as they were, and a list goes with all it has."""

import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import time

import pytest
import rating_lists as made
from imported_lists import PEOPLE, check, stored, take

from arpad.cli import main
from arpad.errors import BadFile, Busy
from arpad.lists import Hints, find
from arpad.lists.store import lists_in, reading, run, writing


def test_two_imports_at_once(tmp_path, data):
    """While one program changes the lists, another is told so."""
    path = made.combined(tmp_path / "list.txt", 300)
    take(path, data)
    opened = f"with writing({data!r}):\n print('in', flush=True)\n sys.stdin.read()"
    code = f"import sys\nfrom arpad.lists.store import writing\n{opened}"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout.readline() == "in\n"
        with pytest.raises(Busy, match="Another program"):
            take(path, data)
        other.stdin.close()


def test_a_full_disk(tmp_path, data, monkeypatch):
    """When the disk is full the message says so and nothing has changed (the error has DuckDB's own words)."""
    import duckdb

    path = made.combined(tmp_path / "list.txt", 300)
    take(path, data)
    before = stored(data)
    full = duckdb.IOException(
        'IO Error: Could not write all bytes to file "lists.duckdb": wanted=262144 wrote=0 No space left on device'
    )
    monkeypatch.setattr("arpad.lists.importing.add_words", lambda *_: (_ for _ in ()).throw(full))
    with pytest.raises(BadFile, match="disk is full"):
        take(path, data, Hints(month="2026-12"))
    monkeypatch.undo()
    assert stored(data) == before


@pytest.mark.parametrize("place", [0, 5000, 0.3, 0.6, 0.9])
def test_a_damaged_database(place, tmp_path, data):
    """Zeros over a part of the file: it is searched, or refused in a sentence; the file stays as it was."""
    take(made.combined(tmp_path / "list.txt", 300), data)
    (file,) = (os.path.join(data, name) for name in os.listdir(data) if name.endswith(".duckdb"))
    with open(file, "r+b") as damaged:
        size = os.path.getsize(file)
        damaged.seek(int(place * size) if place < 1 else place)
        damaged.write(bytes(4096))
    with open(file, "rb") as found:
        before = found.read()
    words = [sys.executable, "-m", "arpad", "list", "find", "a", "--data", data]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1, 2), done.stderr
    with open(file, "rb") as found:
        assert found.read() == before


@pytest.mark.parametrize(("version", "says"), [(99, "newer Arpad"), (1, "earlier Arpad")])
def test_a_file_of_another_version_is_left_alone(tmp_path, data, version, says):
    """Lists written by another Arpad, whose tables are others, are neither changed nor read."""
    path = made.combined(tmp_path / "list.txt", 300)
    take(path, data)
    with writing(data) as connection:
        run(connection, f"UPDATE about SET version = {version}")
    with pytest.raises(BadFile, match=says):
        take(path, data)
    with pytest.raises(BadFile, match=says):
        find("karpov", data=data)


def test_kill_at_twenty_moments(tmp_path, data):
    """`kill -9` at 20 random moments of an import leaves a usable database with the old month in it each time."""
    take(made.combined(tmp_path / "old.txt", 300), data)
    path = made.combined(tmp_path / "new.txt", 60_000, seed=2)
    chance = random.Random(3)  # noqa: S311  # moments, not secrets
    code = "import sys\nfrom imported_lists import take, Hints\nprint('go', flush=True)\n"
    line = [sys.executable, "-c", f"{code}take({str(path)!r}, sys.argv[1], Hints(month='2026-12'))"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    killed, lasts = 0, None
    while killed < 20:
        copy = shutil.copytree(data, tmp_path / "copy")
        with subprocess.Popen([*line, copy], stdout=subprocess.PIPE, env=environment, text=True) as one:
            one.stdout.readline()
            begun = time.perf_counter()
            with contextlib.suppress(subprocess.TimeoutExpired):
                one.wait(None if lasts is None else chance.uniform(0, lasts))
            early = one.poll() is None
            one.send_signal(signal.SIGKILL)
        killed += early
        lasts = lasts if early else time.perf_counter() - begun  # an import that came to its end says how long one is
        with reading(copy) as connection:
            lists = {f"{one.month:%Y-%m}": one.players for one in lists_in(connection)}
            counts = dict(run(connection, "SELECT list, count(*) FROM player GROUP BY list"))
        assert lists in ({"2026-11": 300}, {"2026-11": 300, "2026-12": 60_000})
        assert sorted(counts.values()) == sorted(lists.values())
        assert early or len(lists) == 2
        check(copy, PEOPLE[0]) if len(lists) == 1 else None
        again = take(path, copy, Hints(month="2026-12")) if killed == 20 else None
        shutil.rmtree(copy)
    assert again.list.players == 60_000


def test_a_list_is_removed(tmp_path, data, capsys):
    """One list goes with all that belongs to it, and no other; where several could be meant none does."""
    assert main(["list", "remove", "2026-11", "--data", data]) == 2
    assert "No rating list has been imported" in capsys.readouterr().err
    for pace in ("standard", "rapid"):
        lines = [made.single_line(one, pace) for one in PEOPLE]
        take(made.written(tmp_path / f"{pace}_list.txt", made.single_head("NOV26"), lines), data)
    take(made.combined(tmp_path / "list.txt", 300), data, Hints(month="2026-10"))
    refused = {
        ("2026-11",): "That month has several lists: fide 2026-11 (standard)",
        ("2026-09",): "No such list; nothing was removed",
        ("2026-10", "--name", "club"): "No such list; nothing was removed",
        ("2026-11", "--pace", "x"): "pace",
    }
    for words, says in refused.items():
        assert main(["list", "remove", *words, "--data", data]) == 2
        assert says in capsys.readouterr().err
    assert main(["list", "remove", "2026-11", "--pace", "Rapid", "--data", data]) == 0
    assert capsys.readouterr().out.startswith("fide rapid 2026-11: removed, with 300 players.")
    assert main(["list", "remove", "2026-10", "--data", data, "--json"]) == 0
    other = str(tmp_path / "other")
    take(tmp_path / "standard_list.txt", other)
    assert stored(data) == stored(other)


def test_what_a_program_leaves_that_was_stopped_at_once(tmp_path, capsys):
    """An empty file, as a full disk or a kill leaves it before the first list, is none; the next import works."""
    (tmp_path / "lists.duckdb").touch()
    data = ["--data", str(tmp_path)]
    assert main(["list", "months", *data]) != 0
    assert "No rating list has been imported yet" in capsys.readouterr().err
    path = made.combined(tmp_path / "list.txt", 20)
    assert main(["list", "import", str(path), "--month", "2026-11", *data]) == 0
    assert "20 players" in capsys.readouterr().out


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_search_behind_a_fork(tmp_path):
    """A process that was forked from one that has searched searches too."""
    take(made.combined(tmp_path / "list.txt", 20), str(tmp_path))
    code = (
        "import os, sys; from arpad.lists import find; find('a', data=sys.argv[1]); child = os.fork()\n"
        "if not child: find('a', data=sys.argv[1]); os._exit(7)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    line = [sys.executable, "-c", code, str(tmp_path)]
    ran = subprocess.run(line, check=False, capture_output=True, text=True, env=environment)
    assert ran.stdout.strip() == "7"
