"""Whatever a client sends, the event loop only moves bytes.

A real server runs in this process, with real workers, and every step of its event loop is timed by the processor, so
that a busy machine does not matter. What hostile requests do to the loop is compared with a request for `/health`.
"""

import asyncio
import gc
import http.client
import json
import time
from functools import partial
from urllib.parse import quote

import pytest
import uvicorn
from serving import WAIT

from arpad.cli.serve import listen
from arpad.questions import questions_at
from arpad.systems import system_names
from arpad.web.api import QUICK
from arpad.web.middleware import LARGEST_FILE, SHORT
from arpad.web.server import LARGEST_HEAD, config_of
from arpad.web.settings import ServerSettings

MOST = 10  # times the longest step of a bare request; the code before this rule took thousands
MOST_OF_A_HEAD = 50  # the same for a head of as many lines as it may have, which h11 reads in one step
RATE = "/api/v1/fide-standard/rate"
EVENT = "/api/v1/fide-standard/event"
JSON = {"content-type": "application/json"}
HEAD = LARGEST_HEAD - 1000  # what is left for one long line


def names(count):
    """A JSON object of so many names, of which the last is there twice."""
    return ("{" + ",".join(f'"n{number}":1' for number in (*range(count), count - 1)) + "}").encode()


def form(size):
    """A form with a file of so many bytes, as a browser posts it."""
    head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'
    return head + b"1;Ann;1900\n" * (size // 11) + b"\r\n--x--\r\n"


def get(path, **headers):
    return "GET", path, None, {name.replace("_", "-"): text for name, text in headers.items()}


def post(path, body, kind="application/json"):
    return "POST", path, body, {"content-type": kind}


HOSTILE = {
    "a name that is there twice among 24,000": post(RATE, names(24_000)),
    "8 MB of empty objects": post(EVENT, b'{"text":[' + b"{}," * (LARGEST_FILE // 3 - 20) + b"{}]}"),
    "8 MB of nested lists": post(EVENT, b"[" * (LARGEST_FILE - 10)),
    "8 MB of text in a form": post("/", b"paste=" + b"1950+1%0A" * (LARGEST_FILE // 9 - 2), "x"),
    "8 MB of fields in a form": post("/", b"a=1&" * (LARGEST_FILE // 4 - 2), "x"),
    "8 MB of a file": post("/tournament", form(LARGEST_FILE - 1000), "multipart/form-data; boundary=x"),
    "8 MB of parts": post("/tournament", b"--x\r\n\r\n\r\n" * (LARGEST_FILE // 10), "multipart/form-data; boundary=x"),
    "8 MB of a pasted text": post("/api/v1/paste", json.dumps({"text": "1950 1\n" * 1_000_000}).encode()),
    "a body beyond the limit": post(RATE, b" " * 300_000),
    "30 KB of a paste in an address": get(f"/rate.json?paste={quote('1950 win ' * 3000)}"[:HEAD]),
    "30 KB of a list in an address": get(f"/need?rating=1780&reach=1800&list={'a+' * 30_000}"[:HEAD]),
    "fields in an address without end": get(f"{RATE}?{'a=1&' * 20_000}"[:HEAD]),
    "games in an address without end": get(f"{RATE}?rating=1750{'&game=1950:win' * 5000}"[:HEAD]),
    "escapes in an address without end": get(f"{RATE}?rating={'%41' * 20_000}"[:HEAD]),
    "tags without end": get("/health", if_none_match='"a",' * (HEAD // 4)),
    "ranges without end": get("/static/arpad.js", range=f"bytes={'0-1,' * (HEAD // 4)}0-1"),
    "addresses of proxies without end": get("/health", x_forwarded_for="1.1.1.1," * (HEAD // 8)),
    "encodings without end": get(f"{RATE}?rating=1750&game=1950:1", accept_encoding="gzip;q=0," * (HEAD // 9)),
    "a large answer": post(RATE, json.dumps({"rating": 1750, "k": 20, "game": ["1950:1"] * 1000, "steps": 1}).encode()),
    "everything about the API": get("/openapi.json", accept_encoding="gzip"),
    "the figures of the server": get("/metrics"),
    "a file to be compressed": get("/static/arpad.css", accept_encoding="gzip"),
    "an address that is not there": get("/nowhere", accept="text/html"),
    "a whole page": get("/?rating=1750&game=1950:win", accept="text/html"),
    "a page that is slow": get("/season?rating=1780&k=20&field=1800&spread=150&rounds=9", accept="text/html"),
    "a chart": get("/chart/rate/change.svg?rating=1750&k=20&game=1950:win"),
    "a hundred questions": post(
        "/api/v1/batch", json.dumps({"questions": [{"question": "rules", "system": "fide-standard"}] * 100}).encode()
    ),
}


HEADERS = get("/health", **{f"h{number}": "" for number in range(HEAD // 10)})


class Watched:
    """A server in this process, and the longest step that its event loop took."""

    def __init__(self, port):
        self.port = port
        self.longest = 0.0

    async def ask(self, method, path, body=None, headers=None):
        """The status of a reply, and the longest step meanwhile."""
        self.longest = 0.0
        status = await asyncio.to_thread(self._asked, method, path, body, headers or {})
        return status, self.longest

    def _asked(self, method, path, body, headers):
        asking = http.client.HTTPConnection("127.0.0.1", self.port, timeout=WAIT)
        try:
            asking.request(method, path, body, headers)
            reply = asking.getresponse()
            reply.read()
        except ConnectionError:  # a large body that is refused is not read to its end
            return 413
        else:
            return reply.status
        finally:
            asking.close()

    async def bare(self):
        """The longest step of a bare request, as most of them are."""
        return sorted([(await self.ask("GET", "/health"))[1] for _ in range(21)])[10]


@pytest.fixture
def watched(monkeypatch):
    """A function that does some asynchronous work with a watched server."""

    def run(work, **settings):
        async def within():
            listening = listen("127.0.0.1", 0)
            found = Watched(listening.getsockname()[1])
            real = asyncio.Handle._run  # noqa: SLF001  # the only place that sees every step

            def timed(handle):
                began = time.thread_time()
                real(handle)
                found.longest = max(found.longest, time.thread_time() - began)

            config = config_of(ServerSettings(**{"seconds": 300, **settings}), warm=False)
            config.log_config = None  # it would log over the tests' own
            server = uvicorn.Server(config)
            serving = asyncio.create_task(server.serve(sockets=[listening]))
            while not server.started:  # noqa: ASYNC110  # it tells nobody
                await asyncio.sleep(0.01)
            await found.ask(*HOSTILE["a whole page"])  # starts a worker, and loads what is loaded once
            await found.ask("GET", f"{RATE}?rating=1750&k=20&game=1950:win")
            gc.collect()
            gc.freeze()  # what the tests before have left behind is not looked at again
            monkeypatch.setattr(asyncio.Handle, "_run", timed)
            try:
                return await work(found)
            finally:
                monkeypatch.undo()
                gc.unfreeze()
                server.should_exit = True
                await serving

        return asyncio.run(within())

    return run


def test_no_request_holds_the_event_loop(watched):
    """Each of these once took seconds of the loop, or might: none takes much more of it than a bare request."""

    async def work(server):
        bare = await server.bare()
        found = {}
        for name, request in HOSTILE.items():
            tries = [await server.ask(*request) for _ in range(3)]
            status = tries[0][0]
            assert status < 500 or status == 503, name
            found[name] = (min(longest for _, longest in tries) / bare, status)
        assert min([(await server.ask(*HEADERS))[1] for _ in range(3)]) < MOST_OF_A_HEAD * bare
        return found

    found = watched(work, seconds=5)
    held = {name: times for name, times in found.items() if times[0] > MOST}
    assert held == {}, found


def test_the_dearest_short_questions_stay_short(watched):
    """What is answered in the loop at its largest, in every system: games up to the last character allowed."""

    async def work(server):
        bare = await server.bare()
        found = {}
        for system in system_names():
            for name in QUICK:
                query = "rating=1750&opponent=1950" if name == "expect" else "rating=1750"
                for part in ("&formula=yes", *["&game=1950:1"] * 10) if name == "rate" else ("&formula=yes",):
                    query += part if len(query) + len(part) <= SHORT else ""
                path = f"/api/v1/{system}/{name}?{query}"
                tries = [await server.ask("GET", path) for _ in range(3)]
                found[path] = min(longest for _, longest in tries) / bare
        return found

    found = watched(work)
    assert {path: times for path, times in found.items() if times > MOST} == {}


def largest(spec):
    """Bodies that ask as much of a question as its limits allow, more or less."""
    fields = spec.fields_at("api")
    games = ["1950:1", "1800:½", "2000:0"] * 333
    table = "No;Name;Rtg;R1\n" + "".join(f"{n};P{n};1800;{n + 1 if n % 2 else n - 1}w1\n" for n in range(1, 4001))
    wanted = {
        "rating": 1750, "k": 20, "opponent": 1950, "reach": [1800], "expected": None, "field": 1850, "spread": 150,
        "rounds": 30, "game": games, "against": [1800] * 999, "text": table, "file": "a.csv", "pace": "90+30",
        "wins": 1000, "draws": 1000, "losses": 1000, "player": None,
    }  # fmt: skip
    whole = {name: wanted[name] for name in fields if wanted.get(name) is not None}
    yield whole
    yield {name: value for name, value in whole.items() if name not in ("against", "field", "spread", "rounds")}
    yield {name: value for name, value in whole.items() if name not in ("game", "field", "spread", "rounds")}
    yield {name: value for name, value in whole.items() if name not in ("game", "against")}
    if "event" in fields:
        event = {"on": "2027-01-10", "field": 1800, "spread": 150, "rounds": 9}
        yield {"rating": 1780, "k": 20, "event": [{**event, "on": f"2027-{n % 12 + 1:02}-10"} for n in range(40)]}


def test_the_dearest_question_of_every_route_leaves_the_loop_alone(watched):
    """Every question of the API at its largest: answered, refused or given up by a worker, while the loop goes on."""

    async def work(server):
        bare = await server.bare()
        found = {}
        for name, spec in questions_at("api").items():
            path = f"/api/v1{spec.path or ('/fide-standard/' if 'system' in spec.fields else '/') + spec.name}"
            for number, given in enumerate(largest(spec)):
                request = post(path.replace("{id}", "1"), json.dumps(given).encode())
                status, longest = await server.ask(*request)
                if longest > MOST * bare:  # perhaps by chance
                    status, longest = await server.ask(*request)
                assert status in (200, 404, 405, 422, 503), (name, number)
                found[f"{name} {number}"] = longest / bare
        return found

    found = watched(work, seconds=3)
    assert {name: times for name, times in found.items() if times > MOST} == {}


def test_everything_else_is_answered_meanwhile(watched):
    """While eight clients send what once froze the process, `/health` is answered between any two of their steps."""

    async def work(server):
        asking = partial(asyncio.to_thread, server._asked)  # noqa: SLF001
        sent = [asyncio.create_task(asking(*HOSTILE["8 MB of empty objects"])) for _ in range(8)]
        answered = 0
        while not all(one.done() for one in sent):
            assert await asking("GET", "/health", None, {}) == 200
            answered += 1
        return answered, [one.result() for one in sent]

    answered, statuses = watched(work)
    assert answered > len(statuses)
    assert set(statuses) <= {413, 422, 503}
