"""Import and search of 1.8 million invented players, compared with DuckDB reading the same bytes in the same run.

Each measurement is a separate process, so that its peak memory is known; loading libraries is not counted.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "helpers"))

PLAYERS = 1_800_000
TIMES = 9
QUERIES = 1000
MOST_RATIO, MOST_MEMORY = 22, 1000  # times DuckDB's reading (docs/decisions/0018); megabytes
MOST_WAIT, MOST_XML = 50, 40  # milliseconds for 19 in 20 searches; seconds
SHORT = ("a", "k", "x", "ka", "ta", "ma", "kal", "ber", "ka la", "m a")  # beginnings of very many names
SAYS = {"": "search", "open ": "        on an open connection", "short ": "        of one to three letters"}
LINES = (
    "SELECT count(line) FROM read_csv(?, columns={'line': 'VARCHAR'}, delim='\x01', quote='', escape='', header=false, "
    "auto_detect=false)"
)


def baseline(path: str) -> dict[str, float]:
    """DuckDB reads the same bytes as one text column and counts lines."""
    import duckdb

    with duckdb.connect() as connection:
        start = time.perf_counter()
        connection.execute(LINES, [path]).fetchall()
        return {"seconds": time.perf_counter() - start}


def imported(path: str, data: str) -> dict[str, float]:
    """Our import of the same file, with its search index."""
    import duckdb  # noqa: F401
    import numpy as np  # noqa: F401
    import pyarrow.compute  # noqa: F401

    from arpad.lists import Hints, import_list, recognise

    start = time.perf_counter()
    result = import_list(recognise(path, Hints(month="2026-11")), data=data)
    return {"seconds": time.perf_counter() - start, "players": result.list.players}


def searched(data: str) -> dict[str, float]:
    """Mixed queries, each with its own connection, and then all with one connection."""
    from arpad.lists import find, reading

    queries = _queries(data)
    find("warm up", data=data)  # loading the library is not counted
    waits, met = [], 0
    for player, query in queries:
        start = time.perf_counter()
        found = find(query, data=data)
        waits.append(1000 * (time.perf_counter() - start))
        met += any(candidate.id == player for candidate in found.players)
    opened, short = [], []
    with reading(data) as connection:
        find("warm up", data=connection)
        for _, query in queries:
            start = time.perf_counter()
            find(query, data=connection)
            opened.append(1000 * (time.perf_counter() - start))
    for query in SHORT:
        start = time.perf_counter()
        find(query, data=data)
        short.append(1000 * (time.perf_counter() - start))
    return {**_percentiles("", waits), **_percentiles("open ", opened), **_percentiles("short ", short), "met": met}


def _queries(data: str) -> list[tuple[int, str]]:
    """Whole and reversed names, surnames, initials, beginnings, IDs and misspelt names, with the player meant."""
    from arpad.lists.store import reading, run

    chance = random.Random(1)  # noqa: S311  # names, not secrets
    with reading(data) as connection:
        people = run(connection, "SELECT id, name FROM player ORDER BY hash(id) LIMIT ?", [QUERIES])
    queries = []
    for place, (player, name) in enumerate(people):
        surname, _, given = name.partition(", ")
        slip = chance.randrange(1, len(surname) - 1)
        query = (
            name, f"{given} {surname}", surname, f"{surname}, {given[:1]}", surname[:6], str(player),
            f"{surname[:slip]}{surname[slip + 1 :]}, {given}",
            f"{surname[: slip - 1]}{surname[slip]}{surname[slip - 1]}{surname[slip + 1 :]} {given}",
        )[place % 8]  # fmt: skip
        queries.append((player, query))
    return queries


def _percentiles(what: str, waits: list[float]) -> dict[str, float]:
    waits.sort()
    return {
        f"{what}p50": waits[len(waits) // 2],
        f"{what}p95": waits[len(waits) * 95 // 100],
        f"{what}worst": waits[-1],
    }


def _child(what: str, *arguments: str) -> dict[str, float]:
    """A measurement in a separate process, with its peak memory in megabytes."""
    line = [sys.executable, __file__, what, *arguments]
    ran = subprocess.run(line, capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(ran.stdout)
    return found


def _sorted_by_name(path: Path) -> Path:
    """The same list sorted by name, like FIDE's lists."""
    with path.open("rb") as file:
        header, lines = file.readline(), file.readlines()
    with path.open("wb") as file:
        file.write(header)
        file.writelines(sorted(lines, key=lambda line: line[15:76]))
    return path


def main() -> int:
    """Generate, measure, print."""
    import rating_lists as made

    with tempfile.TemporaryDirectory() as folder:
        text = _sorted_by_name(made.combined(Path(folder, "list.txt"), PLAYERS))
        os.sync()  # otherwise the first measurement would wait for the disk
        data = str(Path(folder, "data"))
        reads, imports = [], []
        for number in range(TIMES):
            reads.append(_child("baseline", str(text))["seconds"])
            imports.append(_child("imported", str(text), f"{data}{number}"))
        ratio = sorted(run["seconds"] for run in imports)[TIMES // 2] / sorted(reads)[TIMES // 2]
        memory = max(run["memory"] for run in imports)
        print(f"import: {ratio:.1f} times DuckDB's reading ({MOST_RATIO}), {memory:.0f} MB ({MOST_MEMORY})")
        wait = _child("searched", f"{data}0")
        for what, limit in (("", f" (at most {MOST_WAIT})"), ("open ", ""), ("short ", "")):
            p50, p95, worst = (f"{wait[what + part]:.0f} ms" for part in ("p50", "p95", "worst"))
            print(f"{SAYS[what]}: p50 {p50}, p95 {p95}{limit}, worst {worst}")
        print(f"        {wait['met']} of {QUERIES} found among the first twenty")
        text.unlink()
        markup = made.xml(Path(folder, "list.xml"), made.players(PLAYERS))
        streamed = _child("imported", str(markup), f"{data}xml")
        print(f"XML:    {streamed['seconds']:.0f} s (at most {MOST_XML}), {streamed['memory']:.0f} MB ({MOST_MEMORY})")
    good = (
        ratio <= MOST_RATIO
        and wait["p95"] <= MOST_WAIT
        and streamed["seconds"] <= MOST_XML
        and max(memory, streamed["memory"]) <= MOST_MEMORY
    )
    return 0 if good else 1


if __name__ == "__main__":
    if len(sys.argv) > 1:
        import resource

        measured = {"baseline": baseline, "imported": imported, "searched": searched}[sys.argv[1]](*sys.argv[2:])
        measured["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
        print(json.dumps(measured))
    else:
        sys.exit(main())
