"""A Spark cluster on this machine: a master and two workers that do not have Arpad, which is shipped to them.

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
from datetime import date

import pyarrow.parquet as pq
import pytest
from bulk_games import draw

from arpad import bulk
from arpad.bulk.tables.output import without_dictionaries
from conftest import ROOT

pyspark = pytest.importorskip("pyspark")
pytestmark = pytest.mark.xdist_group("spark")  # one at a time
STARTED = 120  # seconds until a cluster must be there
DRIVER = """
import sys
from pyspark.sql import SparkSession
from arpad import bulk

master, archive, folder = sys.argv[1:]
shipped = {"spark.archives": f"{archive}#shipped", "spark.executorEnv.PYTHONPATH": "shipped"}
spark = SparkSession.builder.master(master).appName("arpad").config(map=shipped).getOrCreate()
rated = bulk.rate(f"{folder}/games.parquet", f"{folder}/players.parquet", period="2026-12", engine="spark", spark=spark)
print("rated", flush=True)
sys.stdin.readline()
bulk.write({f"{folder}/out.parquet": rated.players}, engine="spark")
spark.stop()
"""


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
def cluster(tmp_path):
    """The URL of a master on loopback, and the processes of its two workers, of a core each."""
    if shutil.which("java") is None and not os.environ.get("CI"):
        pytest.skip("Java is missing; `make java` installs it where it may")
    home = os.path.dirname(pyspark.__file__)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"spark://127.0.0.1:{port}"
    settings = {"SPARK_HOME": home, "SPARK_LOCAL_IP": "127.0.0.1"}
    without = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    started = []

    def start(kind, *words):
        line = [os.path.join(home, "bin", "spark-class"), f"org.apache.spark.deploy.{kind}", *words]
        with open(tmp_path / f"{kind}-{len(started)}.log", "wb") as log:
            process = subprocess.Popen(
                line, env={**without, **settings}, stdout=log, stderr=log, start_new_session=True
            )
        started.append(process)
        return process

    start("master.Master", "--host", "127.0.0.1", "--port", str(port), "--webui-port", "0")
    workers = [
        start("worker.Worker", url, "--host", "127.0.0.1", "--cores", "1", "--memory", "1g", "--webui-port", "0",
              "--work-dir", str(tmp_path / f"work-{number}"))
        for number in range(2)
    ]  # fmt: skip
    yield url, workers
    for process in started:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def test_a_cluster_rates_like_one_machine_and_survives_a_worker(cluster, archive, tmp_path):
    """Arpad goes to two workers as an archive; one is killed before the list is written, and the list is the same."""
    url, workers = cluster
    drawn = draw("standard", date(2026, 11, 1), date(2026, 11, 30), games=2_000, players=300, seed=3)
    pq.write_table(drawn.games, tmp_path / "games.parquet")
    pq.write_table(drawn.players, tmp_path / "players.parquet")
    local = bulk.rate(drawn.games, drawn.players, period="2026-12")
    (tmp_path / "driver.py").write_text(DRIVER, encoding="utf-8")
    # The workers' Python has the libraries and no Arpad: it does not look at the links of a development install.
    python = tmp_path / "python"
    libraries = os.path.dirname(os.path.dirname(pyspark.__file__))
    python.write_text(
        f'#!/bin/sh\nPYTHONPATH="$PYTHONPATH:{libraries}" exec {sys.executable} -S "$@"\n', encoding="utf-8"
    )
    python.chmod(0o755)
    environment = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": str(python)}
    environment |= {"PYTHONPATH": str(ROOT / "src"), "PYSPARK_DRIVER_PYTHON": sys.executable}
    driver = subprocess.Popen(
        [sys.executable, str(tmp_path / "driver.py"), url, archive, str(tmp_path)],
        env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    try:
        assert driver.stdout.readline().strip() == "rated"
        os.killpg(workers[0].pid, signal.SIGKILL)  # with what it kept of the answer
        driver.communicate("go on\n", timeout=10 * STARTED)
    finally:
        driver.kill()
        driver.wait()
    listed = pq.read_table(tmp_path / "out.parquet").sort_by("id")
    ours = without_dictionaries(local.players).sort_by("id")
    assert listed.select(ours.schema.names).cast(ours.schema).equals(ours)


# Moments of a replay on Spark, by what its folder has just got.
MOMENTS = ("done-2024-02.json/_SUCCESS",)


def test_a_killed_replay_resumes_to_the_same_list(tmp_path):
    """`kill -9` of the driver with all below it, after the first list: the final list is that of one machine."""
    drawn = draw("standard", date(2024, 1, 1), date(2024, 3, 31), games=1_000, players=200, seed=7)
    games, players = (str(tmp_path / f"{name}.parquet") for name in ("games", "players"))
    pq.write_table(drawn.games, games)
    pq.write_table(drawn.players, players)
    given = {"first": "2024-02", "last": "2024-04"}
    local = list(bulk.replay(games, players, **given, out=str(tmp_path / "local")))
    cut = tmp_path / "cut"
    line = [sys.executable, "-m", "arpad", "bulk", "replay", games, "--players", players, "--out", str(cut), "--json"]
    line += ["--from", given["first"], "--to", given["last"], "--engine", "spark", "--spark", "local[2]"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    for moment in MOMENTS:
        running = subprocess.Popen(
            line, env=environment, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            while running.poll() is None and not (cut / moment).exists():
                time.sleep(0.01)
            assert running.poll() is None, f"the replay ended before {moment}"
        finally:
            os.killpg(running.pid, signal.SIGKILL)
            running.wait()
    again = subprocess.run(line, env=environment, capture_output=True, text=True, check=False)
    periods = json.loads(again.stdout)["value"]["periods"]
    assert [one["before"] for one in periods] == [True, False, False]
    assert [one["rated"] for one in periods] == [one.summary.rated for one in local]
    ours, theirs = (
        without_dictionaries(pq.read_table(folder / "list-2024-04.parquet")).sort_by("id")
        for folder in (tmp_path / "local", cut)
    )
    assert theirs.select(ours.schema.names).cast(ours.schema).equals(ours)
