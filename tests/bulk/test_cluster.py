"""A Spark cluster on this machine, to whose workers Arpad is shipped, and a Spark Connect server.

The driver runs in a process of its own, so that it can have another session than the other tests.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import zipfile
from contextlib import suppress
from datetime import date
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from bulk_games import draw

from arpad import bulk
from arpad.bulk.tables.columns import without_dictionaries
from conftest import ROOT, library, require

pyspark = library("pyspark")
STARTED = 120  # seconds until a cluster must be there
SESSION = """
import sys
from pyspark.sql import SparkSession
from arpad import bulk

master, archive, folder = sys.argv[1:]
shipped = {"spark.archives": f"{archive}#shipped", "spark.executorEnv.PYTHONPATH": "shipped"}
shipped["spark.task.maxFailures"] = "20"  # a task may be killed as often as that
spark = SparkSession.builder.master(master).appName("arpad").config(map=shipped).getOrCreate()
games, players = f"{folder}/games.parquet", f"{folder}/players.parquet"
"""
RATE = """
rated = bulk.rate(games, players, period="2026-12", engine="spark", spark=spark)
print("rated", flush=True)
sys.stdin.readline()
bulk.write({f"{folder}/out.parquet": rated.players}, engine="spark")
spark.stop()
"""
REPLAY = """
list(bulk.replay(games, players, first="2024-02", last="2024-04", out=f"{folder}/cut", engine="spark", spark=spark))
spark.stop()
"""
# Ten moments of a replay on Spark, by what its folder has just got.
MOMENTS = (
    "list-2024-02.parquet",
    "list-2024-02.parquet/_SUCCESS",
    "pool-2024-02.parquet",
    "rejected-2024-02.parquet/_SUCCESS",
    "done-2024-02.json/_SUCCESS",
    "list-2024-03.parquet",
    "pool-2024-03.parquet/_SUCCESS",
    "rejected-2024-03.parquet",
    "done-2024-03.json",
    "done-2024-03.json/_SUCCESS",
)


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """Arpad as an archive for the workers, as `docs/scale.md` describes it."""
    name = tmp_path_factory.mktemp("archive") / "arpad.zip"
    with zipfile.ZipFile(name, "w") as archive:
        for file in sorted((ROOT / "src").rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                archive.write(file, file.relative_to(ROOT / "src"))
    return str(name)


@pytest.fixture
def start(tmp_path):
    """What starts one of Spark's own programs; at the end all of them are killed."""
    require("java", there=shutil.which("java"), line="Java is missing; `make java` installs it where it may")
    home = os.path.dirname(pyspark.__file__)
    settings = {"SPARK_HOME": home, "SPARK_LOCAL_IP": "127.0.0.1"}
    without = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    started = []

    def begin(program, *words, **environment):
        with open(tmp_path / f"{program}-{len(started)}.log", "wb") as log:
            process = subprocess.Popen(
                [os.path.join(home, "bin", program), *words], env={**without, **settings, **environment},
                stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip
        started.append(process)
        return process

    yield begin
    for process in started:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def free_port():
    """A port that nobody uses."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return str(free.getsockname()[1])


@pytest.fixture
def cluster(start, tmp_path):
    """The URL of a master on loopback, and the processes of its two workers, of a core each."""
    port = free_port()
    url, here = f"spark://127.0.0.1:{port}", ("--host", "127.0.0.1", "--webui-port", "0")
    start("spark-class", "org.apache.spark.deploy.master.Master", *here, "--port", port)
    workers = [
        start("spark-class", "org.apache.spark.deploy.worker.Worker", url, *here, "--cores", "1", "--memory", "1g",
              "--work-dir", str(tmp_path / f"work-{number}"))
        for number in range(2)
    ]  # fmt: skip
    return url, workers


def draw_to(folder, since, on, games):
    """A drawn period as files."""
    drawn = draw("standard", since, on, games=games, players=games // 5, seed=7)
    for name, table in (("games", drawn.games), ("players", drawn.players)):
        pq.write_table(table, folder / f"{name}.parquet")
    return [str(folder / f"{name}.parquet") for name in ("games", "players")]


def drive(script, url, archive, folder):
    """A driver at a cluster; the workers' Python has the libraries and no Arpad."""
    (folder / "driver.py").write_text(SESSION + script, encoding="utf-8")
    python = folder / "python"  # it does not look at the links of a development install
    libraries = os.path.dirname(os.path.dirname(pyspark.__file__))
    python.write_text(
        f'#!/bin/sh\nPYTHONPATH="$PYTHONPATH:{libraries}" exec {sys.executable} -S "$@"\n', encoding="utf-8"
    )
    python.chmod(0o755)
    environment = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": str(python)}
    environment |= {"PYTHONPATH": str(ROOT / "src"), "PYSPARK_DRIVER_PYTHON": sys.executable}
    return subprocess.Popen(
        [sys.executable, str(folder / "driver.py"), url, archive, str(folder)],
        env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip


def same_list(ours, name):
    """Whether a list of one machine is the one that Spark wrote."""
    ours, theirs = without_dictionaries(ours).sort_by("id"), pq.read_table(name).sort_by("id")
    return theirs.select(ours.schema.names).cast(ours.schema).equals(ours)


def wait_for(moment, running):
    """Wait until a file is there."""
    while running.poll() is None and not moment.exists():
        time.sleep(0.005)
    assert running.poll() is None, f"the replay ended before {moment}"


def test_a_cluster_rates_like_one_machine_and_survives_a_worker(cluster, archive, tmp_path):
    """Arpad goes to two workers as an archive; one is killed before the list is written, and the list is the same."""
    url, workers = cluster
    games, players = draw_to(tmp_path, date(2026, 11, 1), date(2026, 11, 30), 2_000)
    driver = drive(RATE, url, archive, tmp_path)
    try:
        assert driver.stdout.readline().strip() == "rated"
        os.killpg(workers[0].pid, signal.SIGKILL)  # with what it kept of the answer
        driver.communicate("go on\n", timeout=10 * STARTED)
    finally:
        driver.kill()
        driver.wait()
    assert same_list(bulk.rate(games, players, period="2026-12").players, tmp_path / "out.parquet")


def test_a_connect_server_rates_like_one_machine(start, tmp_path):
    """The command asks a Spark Connect server, which has Arpad; the list is the same."""
    library("grpc")
    games, players = draw_to(tmp_path, date(2026, 11, 1), date(2026, 11, 30), 2_000)
    port = free_port()
    server = start(
        "spark-submit", "--master", "local[2]", "--conf", f"spark.connect.grpc.binding.port={port}",
        "--class", "org.apache.spark.sql.connect.service.SparkConnectServer", "spark-internal",
        PYSPARK_PYTHON=sys.executable, PYTHONPATH=str(ROOT / "src"),
    )  # fmt: skip
    while server.poll() is None and not answers(port):
        time.sleep(0.1)
    line = [sys.executable, "-m", "arpad", "bulk", games, players, "--period", "2026-12", "--engine", "spark"]
    line += ["--spark", f"sc://127.0.0.1:{port}", "--out", str(tmp_path / "out.parquet")]
    asked = subprocess.run(
        line, env={**os.environ, "PYTHONPATH": str(ROOT / "src")}, capture_output=True, text=True, check=False
    )
    assert asked.returncode in (0, 1), asked.stderr  # 1 if rows were rejected
    assert same_list(bulk.rate(games, players, period="2026-12").players, tmp_path / "out.parquet")


def answers(port):
    """Whether somebody listens."""
    with suppress(OSError), socket.create_connection(("127.0.0.1", int(port)), 1):
        return True
    return False


@pytest.fixture
def months(tmp_path):
    """The games and the players of three months as files, and what one machine makes of them."""
    games, players = draw_to(tmp_path, date(2024, 1, 1), date(2024, 3, 31), 500)
    periods = {"first": "2024-02", "last": "2024-04"}
    local = list(bulk.replay(games, players, **periods, out=str(tmp_path / "local")))
    return games, players, local


def executors(worker):
    """The processes in a worker's group that rate."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has just ended
            rates = b"CoarseGrainedExecutorBackend" in (folder / "cmdline").read_bytes()
            found += [int(folder.name)] if rates and os.getpgid(int(folder.name)) == worker.pid else []
    return found


@pytest.mark.usefixtures("months")
def test_a_replay_goes_on_while_workers_are_killed(cluster, archive, tmp_path):
    """`kill -9` at ten moments, of one worker and the other in turn: its part is done again, the list is the same."""
    url, workers = cluster
    driver = drive(REPLAY, url, archive, tmp_path)
    try:
        for number, moment in enumerate(MOMENTS):
            wait_for(tmp_path / "cut" / moment, driver)
            one, other = workers[number % 2], workers[1 - number % 2]
            while not (there := executors(one) or executors(other)):  # it has not started again yet
                assert driver.poll() is None, f"the replay ended after {moment}"
                time.sleep(0.05)
            for process in there:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
        driver.communicate(timeout=10 * STARTED)
    finally:
        driver.kill()
        driver.wait()
    assert driver.returncode == 0
    assert same_list(
        pq.read_table(tmp_path / "local" / "list-2024-04.parquet"), tmp_path / "cut" / "list-2024-04.parquet"
    )


def test_a_killed_replay_resumes_to_the_same_list(tmp_path, months):
    """`kill -9` of the driver with all below it, again and again: the final list is that of one machine.

    Each time Spark has to start again, so every third moment is tried; with KILLS=all, all of them.
    """
    games, players, local = months
    cut = tmp_path / "cut"
    line = [sys.executable, "-m", "arpad", "bulk", "replay", games, "--players", players, "--out", str(cut), "--json"]
    line += ["--from", "2024-02", "--to", "2024-04", "--engine", "spark", "--spark", "local[2]"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    for moment in MOMENTS if os.environ.get("KILLS") == "all" else MOMENTS[::3]:
        running = subprocess.Popen(
            line, env=environment, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            wait_for(cut / moment, running)
        finally:
            os.killpg(running.pid, signal.SIGKILL)
            running.wait()
    again = subprocess.run(line, env=environment, capture_output=True, text=True, check=False)
    periods = json.loads(again.stdout)["value"]["periods"]
    assert [one["before"] for one in periods] == [True, True, False]
    assert [one["rated"] for one in periods] == [one.summary.rated for one in local]
    assert same_list(pq.read_table(tmp_path / "local" / "list-2024-04.parquet"), cut / "list-2024-04.parquet")
