"""Requests are answered by worker processes, which are stopped in time, and clients take turns at them."""

import asyncio
import json
import os
import signal
from collections import Counter
from contextlib import asynccontextmanager

import pytest
from starlette.requests import ClientDisconnect

from arpad.errors import Busy
from arpad.questions import questions_at
from arpad.web import workers as module
from arpad.web.middleware import Gate, completed, lane_of
from arpad.web.settings import EMBEDDED, ServerSettings
from arpad.web.workers import Lane, WorkerPool, client_of

ROUTE = {"type": "http", "method": "GET", "query_string": b"", "headers": [], "root_path": ""}
RATE = {**ROUTE, "path": "/api/v1/fide-standard/rate", "query_string": b"rating=1750&k=20&game=1950:win"}
NEVER = """
import arpad.web.app, os, time

async def app(scope, receive, send):
    work = scope["path"].removeprefix("/")
    if work == "sleep":
        time.sleep(3600)
    if work == "memory":
        bytearray(2 * 1024**3)
    if work == "crash":
        os._exit(3)
    body = (await receive())["body"]
    await send({"type": "http.response.start", "status": 200, "headers": [(b"x-process", str(os.getpid()).encode())]})
    await send({"type": "http.response.body", "body": body})

arpad.web.app.inner_app = lambda *_: app
"""


@pytest.fixture
def odd_jobs(tmp_path, monkeypatch):
    """Workers whose application sleeps, crashes or takes memory as its path says, and otherwise sends the body back."""
    (tmp_path / "sitecustomize.py").write_text(NEVER, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))


def in_pool(work, *, seconds=300, processes=1, **settings):
    """What comes of some asynchronous work with a pool."""

    async def within():
        pool = WorkerPool(ServerSettings(processes=processes, seconds=seconds, **settings))
        try:
            return await work(pool)
        finally:
            await pool.close()

    return asyncio.run(within())


def asked(pool, path, body=()):
    return pool.answer("heavy", {**ROUTE, "path": f"/{path}"}, body)


def process_of(reply):
    return int(dict(reply.headers)[b"x-process"])


async def until(there):
    """Wait for something to come true, however busy the machine is."""
    async with asyncio.timeout(300):
        while not there():  # noqa: ASYNC110  # what is waited for tells nobody
            await asyncio.sleep(0.01)


def test_a_worker_gives_the_reply_of_the_application():
    """Status, headers and body are those that the same application sends anywhere else; the process is used again."""
    from arpad.web.app import inner_app

    async def work(pool):
        return [await pool.answer("heavy", RATE, ()) for _ in range(2)], len(pool.lanes["heavy"].idle)

    (first, second), idle = in_pool(work)
    expected = asyncio.run(completed(inner_app(ServerSettings(), "en"), dict(RATE), b""))
    assert first.status == second.status == expected.status == 200
    assert first.headers == expected.headers
    assert b"".join(first.body) == b"".join(second.body) == b"".join(expected.body)
    assert idle == 1


@pytest.mark.usefixtures("odd_jobs")
def test_a_large_body_goes_through_in_pieces():
    """No piece that the event loop moves is larger than 64 KB, however large the body, there and back."""

    async def work(pool):
        return await asked(pool, "echo", [b"a" * 65536] * 100 + [b"b"])

    reply = in_pool(work)
    assert max(map(len, reply.body)) <= module.PIECE
    assert b"".join(reply.body) == b"a" * 6553600 + b"b"


@pytest.mark.usefixtures("odd_jobs")
def test_work_that_takes_too_long_is_stopped():
    """The time limit ends the work itself, and the next question gets a new worker."""

    async def work(pool):
        before = process_of(await asked(pool, "echo"))
        with pytest.raises(Busy, match="longer than 5 seconds"):
            await asked(pool, "sleep")
        return before, process_of(await asked(pool, "echo"))

    before, after = in_pool(work, seconds=5)  # enough for the quick ones on a busy machine
    assert before != after
    with pytest.raises(ProcessLookupError):
        os.kill(before, 0)


@pytest.mark.usefixtures("odd_jobs")
def test_work_that_takes_too_much_memory_is_refused():
    """A worker has a gigabyte; more is refused in a sentence, and the next question is answered by a new one."""

    async def work(pool):
        before = process_of(await asked(pool, "echo"))
        with pytest.raises(Busy, match="more memory"):
            await asked(pool, "memory")
        return before, process_of(await asked(pool, "echo"))

    before, after = in_pool(work)
    assert before != after


@pytest.mark.usefixtures("odd_jobs")
def test_a_worker_that_dies_is_replaced():
    """A crash costs one question, which is told to come back; one while nobody asks costs nothing."""

    async def work(pool):
        with pytest.raises(Busy, match="was stopped"):
            await asked(pool, "crash")
        idle = process_of(await asked(pool, "echo"))
        os.kill(idle, signal.SIGKILL)
        await pool.lanes["heavy"].idle[0].gone()  # until the event loop has heard of it
        return idle, process_of(await asked(pool, "echo"))

    idle, after = in_pool(work)
    assert idle != after


@pytest.mark.usefixtures("odd_jobs")
def test_closing_ends_those_at_work_too():
    """Whoever is asking hears that it was stopped, and no process is left behind."""

    async def work(pool):
        other = process_of(await asked(pool, "echo"))
        asking = asyncio.create_task(asked(pool, "sleep"))
        await until(lambda: pool.lanes["heavy"].busy)
        await pool.close()
        with pytest.raises(Busy):
            await asking
        return other

    process = in_pool(work)
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


BUG = """
import arpad.web.api

def broken(*_):
    raise ZeroDivisionError

arpad.web.api.answer_of = broken
"""


def test_a_bug_is_a_reply_and_a_line_in_the_log(tmp_path, monkeypatch, capfd):
    """A worker writes in the form that the server writes in, and goes on."""
    (tmp_path / "sitecustomize.py").write_text(BUG, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))

    async def work(pool):
        replies = [await pool.answer("heavy", RATE, ()) for _ in range(2)]
        return replies, len(pool.lanes["heavy"].idle)

    (first, second), idle = in_pool(work, log="json")
    assert (first.status, second.status, idle) == (500, 500, 1)
    body = json.loads(b"".join(first.body))
    assert (body["code"], "ZeroDivisionError" in body["error"], "Traceback" in body["error"]) == (
        "internal-error",
        True,
        False,
    )
    line = json.loads(capfd.readouterr().err.splitlines()[0])
    assert line["level"] == "error"
    assert "ZeroDivisionError" in line["message"]


@pytest.mark.usefixtures("odd_jobs")
def test_a_full_queue_says_so(monkeypatch):
    """Beyond the queue the answer is Busy, at once; whoever leaves makes room."""
    monkeypatch.setattr(module, "QUEUE", 2)

    async def work(pool):
        lane = pool.lanes["heavy"]
        asking = [asyncio.create_task(asked(pool, "sleep")) for _ in range(3)]
        await until(lambda: (lane.busy, lane.waiting.total()) == (1, 2))
        assert lane.is_full
        with pytest.raises(Busy):
            await asked(pool, "echo")
        for one in asking:
            one.cancel()
        await asyncio.gather(*asking, return_exceptions=True)
        assert (lane.busy, lane.waiting.total()) == (0, 0)
        return await asked(pool, "echo")

    assert in_pool(work)


@pytest.mark.usefixtures("odd_jobs")
def test_heavy_work_leaves_a_worker_for_the_rest():
    """While every heavy place is taken, a page is answered."""

    async def work(pool):
        asking = asyncio.create_task(asked(pool, "sleep"))
        await until(lambda: pool.lanes["heavy"].busy)
        page = await pool.answer("light", {**ROUTE, "path": "/echo"}, ())
        asking.cancel()
        return page.status

    assert in_pool(work) == 200


@pytest.mark.usefixtures("odd_jobs")
def test_a_client_that_hangs_up_frees_its_worker():
    """The work is stopped, nobody is answered, and the place is free."""

    class App:
        state = type("State", (), {})()

    async def work(pool):
        App.state.pool = pool
        gate = Gate(None, EMBEDDED)

        async def receive():
            await until(lambda: pool.lanes["heavy"].busy)
            return {"type": "http.disconnect"}

        scope = {**ROUTE, "path": "/sleep", "app": App}
        with pytest.raises(ClientDisconnect):
            await gate._answered("heavy", scope, (), receive)  # noqa: SLF001
        return pool.lanes["heavy"].busy

    assert in_pool(work, seconds=3000) == 0


@asynccontextmanager
async def taking(lane, *clients):
    """Each client takes a place or waits for one, in this order; gives who has had a place so far, in order."""
    had, release = [], {}

    async def take(number, client):
        async with lane.turn(client, 300):
            had.append(client)
            await release.setdefault(number, asyncio.Event()).wait()

    tasks = []
    for number, client in enumerate(clients):
        tasks.append(asyncio.create_task(take(number, client)))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    yield had, [release.setdefault(number, asyncio.Event()) for number in range(len(clients))]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert (lane.busy, lane.waiting) == (0, Counter())


def test_nobody_has_more_than_half_of_the_places():
    """One client asks ten times before a second asks once: the second does not wait."""

    async def work():
        async with taking(Lane(4), *["a"] * 10, "b") as (had, _):
            return had

    assert asyncio.run(work()) == ["a", "a", "b"]


def test_clients_take_turns():
    """With one place, whoever has waited for it is served in turn, however much the others ask for."""

    async def work():
        async with taking(Lane(1), "a", "a", "a", "b", "c", "b") as (had, release):
            for done in (0, 3, 4, 1, 5):
                release[done].set()
                await asyncio.sleep(0.01)
            return had

    assert asyncio.run(work()) == ["a", "b", "c", "a", "b", "a"]


def test_a_person_at_this_machine_may_have_all_places():
    """Who comes from loopback is nobody in particular."""

    async def work():
        async with taking(Lane(4), *[client_of({"client": ("127.0.0.1", 1)})] * 5) as (had, _):
            return had

    assert asyncio.run(work()) == [""] * 4


def test_nobody_fills_the_queue_alone(monkeypatch):
    """Half of the queue is one client's; another still finds room."""
    monkeypatch.setattr(module, "QUEUE", 4)

    async def work():
        lane = Lane(1)
        async with taking(lane, "a", "a", "a", "b"):
            with pytest.raises(Busy):
                async with lane.turn("a", 1):
                    pass
            return dict(lane.waiting)

    assert asyncio.run(work()) == {"a": 2, "b": 1}


def test_a_turn_that_comes_too_late_is_passed_on():
    """Whoever is cancelled in the moment of their turn takes no place with them."""

    async def work():
        lane = Lane(1)
        first, second = lane.turn("a", 300), lane.turn("b", 300)
        await first.__aenter__()
        waiting = asyncio.create_task(second.__aenter__())
        await until(lambda: lane.waiting)
        await first.__aexit__(None, None, None)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        async with lane.turn("c", 300):
            return lane.busy

    assert asyncio.run(work()) == 1


@pytest.mark.parametrize(
    ("address", "client"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::1", ""),
        ("127.0.0.2", ""),
        ("unix", "unix"),
    ],
)
def test_who_takes_turns(address, client):
    """An IPv6 customer has a whole network; behind a proxy the address is the forwarded one."""
    assert client_of({"client": (address, 1)}) == client


@pytest.mark.parametrize(
    ("path", "query", "size", "lane"),
    [
        ("/health", b"", 0, None),
        ("/static/arpad.css", b"v=1", 0, None),
        ("/api/v1/fide-standard/rate", b"rating=1750&game=1950:win", 0, None),
        ("/api/v1/fide-standard/rate", b"rating=1750&game=Carlsen:win", 0, "light"),
        ("/api/v1/fide-standard/rate", b"r%61ting=Carlsen&game=1950:win", 0, "light"),
        ("/api/v1/fide-standard/rate", b"game=1950:win" * 9, 0, "light"),
        ("/api/v1/fide-standard/rate", b"game=1950:win" * 300, 0, "heavy"),
        ("/api/v1/fide-standard/rate", b"", 5000, "heavy"),
        ("/", b"rating=1750", 0, "light"),
        ("/rate.part", b"rating=1750&paste=" + b"x" * 3000, 0, "heavy"),
        ("/season", b"", 0, "heavy"),
        ("/season.part", b"", 0, "heavy"),
        ("/chart/season/rating.json", b"", 0, "heavy"),
        ("/chart/rate/change.svg", b"", 0, "heavy"),
        ("/picture/rate.png", b"", 0, "heavy"),
        ("/tournament", b"", 500, "heavy"),
        ("/tournament", b"", 0, "light"),
        ("/api/v1/batch", b"", 100, "heavy"),
        ("/openapi.json", b"", 0, "light"),
        ("/nowhere", b"", 0, "light"),
        ("/ratings/health", b"", 0, "light"),
    ],
)
def test_where_a_request_is_answered(path, query, size, lane):
    """Only what is short and quick stays in the event loop; whoever has to be looked up leaves it."""
    assert lane_of({**ROUTE, "path": path, "query_string": query}, size) == lane


def test_json_is_decoded_by_a_worker():
    """However short it is."""
    posted = {**ROUTE, "method": "POST", "path": "/api/v1/fide-standard/rate"}
    assert lane_of(posted, 10) == "light"


def test_slow_questions_are_heavy():
    """However short they are: `need` under Lichess once held up all others for a second."""
    slow = [name for name, spec in questions_at("api").items() if spec.slow]
    assert {"season", "outlook", "strength", "norms", "event", "compare", "need"} <= set(slow)
    assert {lane_of({**ROUTE, "path": f"/api/v1/elo/{name}"}, 0) for name in slow} == {"heavy"}
