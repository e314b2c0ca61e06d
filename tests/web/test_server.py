"""A real server on loopback: what once brought it down, and what it does behind a proxy or for many at once."""

import asyncio
import json
import os
import re
import signal
import socket
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from serving import WAIT, burst, connected, get, is_worker, served, workers_of

from arpad.cli import main
from arpad.cli.serve import listen
from arpad.web.settings import settings_from
from conftest import library

RATE = "/api/v1/fide-standard/rate?rating=1750&born=2010&game=1950:win&on=2026-11-15"
EVENT = {"on": "2027-01-10", "field": 1800, "spread": 150, "rounds": 9}
HEAVY = {"rating": 1780, "k": 20, "event": [{**EVENT, "on": f"2027-{month:02}-10"} for month in range(1, 9)]}
SEASON = "/api/v1/fide-standard/season"
OUTLOOK = "/api/v1/fide-standard/outlook?rating=1780&k=20&against=1800"


@pytest.fixture(scope="module")
def server():
    """The port and the process of a server that gives up heavy questions after ten seconds, as it does by default."""
    with served(env={"ARPAD_SECONDS": "10"}) as found:
        yield found


def ask_season(port):
    """One of the dearest questions: the status alone."""
    return get(port, SEASON, method="POST", body=json.dumps(HEAVY), headers={"content-type": "application/json"})[0]


def test_a_line_of_thirty_kilobytes_is_read(server):
    """What once took 47 seconds, `a+` over and over where opponents are listed, is refused as any other text."""
    port = server.port
    for name in ("list", "schedule"):
        assert get(port, f"/need.json?rating=1780&reach=1800&{name}={'a+' * 15_000}")[0] == 422


def _sent(port, text):
    """What comes back for bytes that are sent as they are."""
    with connected(port) as connection:
        connection.sendall(text)
        reply = b""
        while part := connection.recv(65536):
            reply += part
    return reply


def test_a_client_that_offers_http_2_can_send_a_body(server):
    """Java's own client offers it with every request; the body counts all the same."""
    body = b'{"rating": 1750, "k": 20, "game": ["1950:win"]}'
    head = (
        "POST /api/v1/fide-standard/rate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
        "HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA\r\n\r\n"
    ).encode()
    with connected(server.port) as connection:
        connection.sendall(head + body)
        assert connection.recv(65536).startswith(b"HTTP/1.1 200")


def test_trailers_have_an_end(server):
    """Header lines behind a body in chunks are limited as those before it are."""
    head = b"POST /api/v1/fide-standard/rate HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    with connected(server.port) as connection:
        connection.sendall(head + b"2\r\n{}\r\n0\r\n")
        with pytest.raises(ConnectionError):
            connection.sendall(b"x: y\r\n" * 4_000_000)


def test_a_length_of_many_digits_is_no_fault(server):
    """Zeros before a length are read or refused, never a bug."""
    head = b"POST /api/v1/fide-standard/rate HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    reply = _sent(server.port, head + b"Content-Length: " + b"0" * 5000 + b"2\r\n\r\n{}")
    assert reply.split(b" ", 2)[1] in (b"400", b"422")


@pytest.mark.parametrize(
    "sent",
    [
        b"no HTTP at all\r\n\r\n",
        b"GET / HTTP/1.1\r\nno header\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nno length\r\n",
    ],
)
def test_what_is_no_http_is_refused_with_the_headers_of_every_reply(server, sent):
    """The one reply that the application has no part in."""
    status, *lines = _sent(server.port, sent).partition(b"\r\n\r\n")[0].decode().splitlines()
    headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
    assert status.split(" ")[1] == "400"
    assert {name: headers.get(name) for name in ("x-frame-options", "x-content-type-options", "connection")} == {
        "x-frame-options": "DENY",
        "x-content-type-options": "nosniff",
        "connection": "close",
    }
    assert "frame-ancestors 'none'" in headers["content-security-policy"]


def test_a_killed_worker_costs_a_question_and_no_more():
    """Whoever was waiting for it is told to come back, and the next question is answered."""
    with served() as serving:
        assert get(serving.port, OUTLOOK)[0] == 200
        for worker in workers_of(serving.process):
            os.kill(int(worker), signal.SIGKILL)
        assert get(serving.port, OUTLOOK)[0] in (200, 503)
        assert get(serving.port, OUTLOOK.replace("1800", "1801"))[0] == 200


def test_heavy_questions_leave_room_for_others(server):
    """While thirty seasons are asked at once, health and a cheap question are answered; some are told to come back."""
    port = server.port
    with ThreadPoolExecutor(30) as askers:
        asked = [askers.submit(ask_season, port) for _ in range(30)]
        for _ in range(5):
            assert get(port, "/health")[0] == 200
            assert get(port, RATE)[0] == 200
        statuses = [one.result() for one in asked]
    assert set(statuses) <= {200, 503}
    assert 503 in statuses
    assert len(workers_of(server.process)) <= 3  # two for these, one for pages


def test_a_head_of_many_megabytes_is_refused(server):
    """It ends the connection."""
    with connected(server.port) as large:
        line = b"X-A: " + b"a" * 60_000 + b"\r\n"
        with pytest.raises(ConnectionError):
            large.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n" + line * 5000)


def test_a_body_in_chunks_has_the_same_limit(server):
    """Chunks beyond the limit are 413 in the one shape."""
    port = server.port
    chunks = (b" " * 1000 for _ in range(300))
    status, _, body = get(port, "/api/v1/elo/rate", method="POST", body=chunks, headers={"content-type": "x"})
    assert status == 413
    assert json.loads(body)["at"] == "body"


def answers(port):
    try:
        return get(port, "/health")[0] == 200
    except ConnectionError:
        return False


def test_a_burst_of_connections_ends():
    """1,500 connections for a server that may open 1,024 files: it answers again afterwards, and logs one line."""
    with served(files=1024) as serving:
        with burst(serving.port, 1500):
            pass
        deadline = time.monotonic() + WAIT  # it takes what was left in its queue first
        while not answers(serving.port) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert get(serving.port, OUTLOOK)[0] == 200
        log = serving.stop()
    assert "Traceback" not in log
    assert len([line for line in log.splitlines() if "/health" not in line and "/api/v1" not in line]) <= 1


def test_another_host_is_refused(server):
    """A page of another site that points its own name at this machine gets nothing."""
    port = server.port
    for host in ("evil.example", f"evil.example:{port}", "127.0.0.1.evil.example", "[::2]"):
        status, _, body = get(port, RATE, headers={"host": host})
        assert (status, json.loads(body)["at"]) == (421, "host")
    for host in ("localhost", f"127.0.0.1:{port}", f"[::1]:{port}", "LOCALHOST"):
        assert get(port, RATE, headers={"host": host})[0] == 200


def test_a_client_that_hangs_up_frees_its_worker(server):
    """Twice as many seasons as there are workers, each hung up on: no worker is left at work, and nothing is logged."""
    port = server.port
    body = json.dumps(HEAVY).encode()
    head = f"POST {SEASON} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    for _ in range(4):
        with connected(port) as asking:
            asking.sendall(head + body)
    with connected(port) as asking:
        asking.sendall(head + body[:10])
    for _ in range(10 * WAIT):
        busy = re.search(rb"^arpad_workers_busy (\S+)", get(port, "/metrics")[2], re.MULTILINE)
        if float(busy[1]) == 0:
            break
        time.sleep(0.1)
    assert float(busy[1]) == 0
    server.log.seek(0)
    assert "bug" not in server.log.read()


def test_shutdown_does_not_wait_for_heavy_work():
    """A server that is stopped with work in flight stops its workers too."""
    with served() as serving, ThreadPoolExecutor(4) as askers:
        asked = [askers.submit(ask_season, serving.port) for _ in range(4)]
        while not workers_of(serving.process) and not all(one.done() for one in asked):
            time.sleep(0.1)
        started = workers_of(serving.process)
        serving.stop()
        for one in asked:
            one.exception(timeout=WAIT)
        deadline = time.monotonic() + WAIT  # a busy machine takes a moment to clear a stopped process away
        while any(map(is_worker, started)) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert not any(map(is_worker, started))


def test_the_log_cannot_be_forged():
    """A line for each request with its ID; what a client calls itself is escaped."""
    with served() as serving:
        forged = '1.1.1.1" 200 0\\n2.2.2.2 - - ['
        get(serving.port, "/health", headers={"x-forwarded-for": forged, "x-request-id": "abc-1"})
        get(serving.port, "/health", headers={"x-forwarded-for": "192.0.2.7", "x-request-id": "a b"})
        log = serving.stop()
    first, second = [line for line in log.splitlines() if "/health" in line][-2:]
    assert first.startswith("1.1.1.1%22%20200%200")
    assert first.count('"') == 2
    assert first.endswith(" abc-1")
    assert second.startswith("192.0.2.7 - - [")
    assert re.search(r" [0-9a-f]{32}$", second)


def test_settings_from_environment_and_file(tmp_path):
    """JSON lines, a prefix and names of hosts from the environment and a file; workers as an option."""
    file = tmp_path / "arpad.toml"
    file.write_text('hosts = ["chess.example"]\nlog = "text"\nbase = "ratings"\n', encoding="utf-8")
    env = {"ARPAD_LOG": "json", "ARPAD_CONFIG": str(file), "ARPAD_DATA": str(tmp_path)}
    with served("--workers", "2", env=env) as serving:
        port = serving.port
        status, headers, body = get(port, "/", headers={"host": "chess.example"})
        assert (status, b'href="/ratings/static/arpad.css' in body) == (200, True)
        assert get(port, "/openapi.json")[2].decode().count('"url":"/ratings"') == 1
        assert get(port, "/api/v1/fide-standard/outlook?rating=1780&k=20&against=1800")[0] == 200
        log = serving.stop()
    lines = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
    found = next(line for line in lines if line.get("path") == "/ratings/")
    assert (found["status"], found["request"], found["client"]) == (200, headers["x-request-id"], "127.0.0.1")


def test_a_server_process_may_take_its_time_to_start():
    """Five seconds, as uvicorn has it, are too few on a busy machine: each is replaced before it has begun."""
    from arpad.web.server import config_of
    from arpad.web.settings import ServerSettings

    assert config_of(ServerSettings(workers=2)).timeout_worker_healthcheck >= 60


def test_server_processes_count_together(tmp_path):
    """Whichever of two processes is asked, the figures are those of both; the folder that they share goes with them."""
    library("prometheus_client")
    with served("--workers", "2", env={"TMPDIR": str(tmp_path)}) as serving:
        for _ in range(20):
            get(serving.port, "/health")
        asked, deadline = 21, time.monotonic() + WAIT  # the first request was that of `served`
        while (counted := float(_figure(serving.port, REQUESTS))) != asked and time.monotonic() < deadline:
            asked += 1  # a request is counted after its reply, so the last one may still be missing
        assert counted == asked
        assert _figure(serving.port, "arpad_workers_busy") == "0.0"
        serving.stop()
    assert not list(tmp_path.iterdir())


REQUESTS = r'arpad_requests_total\{method="GET",status="200"\}'


def _figure(port, name):
    """One figure of /metrics."""
    status, _headers, body = get(port, "/metrics")
    assert status == 200
    return re.search(rf"^{name} (\S+)", body.decode(), re.MULTILINE)[1]


def test_the_settings_that_hold_are_shown(tmp_path, monkeypatch, capsys):
    """An option counts more than the environment, that more than the file, and that more than the default."""
    file = tmp_path / "arpad.toml"
    file.write_text('port = 1\nworkers = 2\nbase = "ratings"\n', encoding="utf-8")
    monkeypatch.setenv("ARPAD_WORKERS", "3")
    monkeypatch.setenv("ARPAD_PORT", "2")
    monkeypatch.setenv("ARPAD_ORIGINS", "https://a.example, https://b.example")
    assert main(["serve", "--show-config", "--port", "3", "--config", str(file)]) == 0
    shown = capsys.readouterr().out.splitlines()
    held = {
        "port = 3", "workers = 3", 'base = "/ratings"', 'origins = ["https://a.example", "https://b.example"]',
        'host = "127.0.0.1"',
    }  # fmt: skip
    assert held <= set(shown)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("prot = 1", "No setting of the server is called 'prot'. Did you mean 'port'?"),
        ('port = "http"', "port must be a whole number from 0 to 65535, not http."),
        ("workers = true", "workers must be a whole number from 1 to 64, not True."),
        ("host = 7", "host must be a text in quotes, not 7."),
        ('data = ["a"]', "data must be a text in quotes, not ['a']."),
        ("hosts = 5", "hosts must be a list of texts in quotes, not 5."),
        ('hosts = [["a"]]', "hosts must be a list of texts in quotes"),
        ('hosts = "https://chess.example"', "hosts takes host names such as chess.example"),
        ('origins = ["club.example"]', "origins takes addresses such as https://club.example"),
        ('base = "https://chess.example/ratings"', "base must be the path of an address"),
        ('log = "xml"', "The log must be text or json, not xml."),
        ("port = = 1", "The settings are not TOML"),
        (f"port = {'[' * 20_000}", "nested too deeply"),
    ],
)
def test_a_wrong_setting_is_said_in_a_sentence(line, says, tmp_path, capsys):
    """What is wrong, what is allowed, and the file it is in."""
    file = tmp_path / "arpad.toml"
    file.write_text(line, encoding="utf-8")
    assert main(["serve", "--show-config", "--config", str(file)]) == 2
    said = capsys.readouterr().err
    assert says in said
    assert said.endswith(f"(at {file})\n")
    assert said.count("\n") == 1


def test_a_wrong_setting_names_who_said_it(tmp_path, monkeypatch, capsys):
    """A variable, an option, or a file that is not there."""
    missing = str(tmp_path / "none.toml")
    assert main(["serve", "--show-config", "--config", missing]) == 2
    assert main(["serve", "--show-config", "--config", str(tmp_path)]) == 2
    assert main(["serve", "--workers", "100"]) == 2
    monkeypatch.setenv("ARPAD_PORT", "http")
    assert main(["serve", "--show-config"]) == 2
    assert [line.partition("(at ")[2] for line in capsys.readouterr().err.splitlines()] == [
        f"{missing})", f"{tmp_path})", "--workers)", "ARPAD_PORT)",
    ]  # fmt: skip


def test_names_of_hosts_are_read_in_any_case():
    """Browsers ask for a host in small letters."""
    assert settings_from({}, {"ARPAD_HOSTS": "Chess.Example, [::2]"}).hosts == ("chess.example", "[::2]")


def test_a_taken_port_is_said_in_a_sentence():
    """No traceback where the port is somebody else's."""
    import subprocess
    import sys

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = subprocess.run(
            [sys.executable, "-m", "arpad", "serve", "--port", port], capture_output=True, text=True, check=False
        )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


def test_replies_are_sent_at_once():
    """A connection has TCP_NODELAY, so the end of a reply does not wait until its beginning is acknowledged."""

    async def work():
        taken = asyncio.get_running_loop().create_future()
        server = await asyncio.start_server(lambda _, writer: taken.set_result(writer), sock=listen("127.0.0.1", 0))
        async with server:
            _, asking = await asyncio.open_connection(*server.sockets[0].getsockname())
            answering = await taken
            option = answering.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            asking.close()
            answering.close()
            return option

    assert asyncio.run(work())
