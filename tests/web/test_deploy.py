"""The files for running a server: a real nginx or Caddy in front, under a prefix, as the page about it says."""

import json
import re
import shutil
import socket
import subprocess
import tomllib

import hosts
import pytest
import yaml
from jsonschema import Draft202012Validator
from serving import burst, connected, get, served

from arpad.web.openapi import document
from conftest import ROOT, require

DEPLOY = ROOT / "deploy"
FILES = {"nginx": ("nginx.conf", "nginx-limits.conf"), "caddy": ("Caddyfile",)}


def ours(name, port):
    """Our files for a proxy, in front of a server at another port."""
    texts = ((DEPLOY / file).read_text(encoding="utf-8") for file in FILES[name])
    return [text.replace("127.0.0.1:8000", f"127.0.0.1:{port}") for text in texts]


@pytest.mark.parametrize("name", FILES)
def test_behind_a_proxy_under_a_prefix_with_two_workers(name, tmp_path):
    """Page, style, API, a heavy question, a redirect and the document work; figures about the server stay inside."""
    port, asked = hosts.free_port(), {"host": "chess.example"}
    with (
        served("--config", str(DEPLOY / "arpad.toml")) as serving,
        hosts.running(name, tmp_path, port, *ours(name, serving.port)),
    ):
        assert get(port, "/ratings", headers=asked)[0] == 308
        status, _, page = get(port, "/ratings/", headers=asked)
        assert status == 200
        style = re.search(rb'href="(/ratings/static/arpad\.css[^"]*)"', page)[1].decode()
        assert get(port, style, headers=asked)[0] == 200
        answer = get(port, "/ratings/api/v1/elo/expect?rating=1500&opponent=1700", headers=asked)
        assert (answer[0], answer[1]["content-type"]) == (200, "application/json")
        assert get(port, "/ratings/api/v1/fide-standard/outlook?rating=1780&k=20&against=1800", headers=asked)[0] == 200
        status, headers, _ = get(port, "/ratings/need?rating=1780&reach=1800&list=1700+1800", headers=asked)
        assert (status, headers["location"].startswith("/ratings/ahead?")) == (308, True)
        assert b'"url":"/ratings"' in get(port, "/ratings/openapi.json", headers=asked)[2]
        assert get(port, "/ratings/metrics", headers=asked)[0] == 404
        assert get(serving.port, "/metrics")[0] == 200
        log = serving.stop()
    assert '"client": "127.0.0.1"' in log


@pytest.mark.parametrize("name", FILES)
def test_a_burst_of_connections_locks_nobody_out(name, tmp_path):
    """1,500 connections with half a request, before a server that may open 1,024 files: others are served meanwhile."""
    port, asked = hosts.free_port(), {"host": "chess.example"}
    with (
        served("--config", str(DEPLOY / "arpad.toml"), files=1024) as serving,
        hosts.running(name, tmp_path, port, *ours(name, serving.port)),
        burst(port, 1500, b"GET /ratings/health HTTP/1.1\r\nHost: chess.example\r\nX-A: "),
    ):
        for _ in range(5):
            assert get(port, "/ratings/health", headers=asked)[0] == 200
        assert get(port, "/ratings/", headers=asked)[0] == 200
        log = serving.stop()
    assert "Traceback" not in log


def test_nginx_limits_the_requests_of_an_address(tmp_path):
    """Hundreds of requests at once from one address: some are told to come back, another address is served.

    What the proxy says of the rest has the shape that the OpenAPI document promises.
    """
    port, asked = hosts.free_port(), {"host": "chess.example"}
    request = b"GET /ratings/api/v1/elo/expect?rating=1500&opponent=1700 HTTP/1.1\r\nHost: chess.example\r\n\r\n"
    with (
        served("--config", str(DEPLOY / "arpad.toml"), files=1024) as serving,
        hosts.running("nginx", tmp_path, port, *ours("nginx", serving.port)),
        burst(port, 1500, request, source="127.0.0.3") as opened,
    ):
        assert get(port, "/ratings/health", headers=asked)[0] == 200
        replies = {one.recv(4096, socket.MSG_DONTWAIT) for one in opened[-100:]}
        log = serving.stop()
    assert {reply[9:12] for reply in replies} <= {b"200", b"429"}
    head, _, told = next(reply for reply in replies if reply[9:12] == b"429").partition(b"\r\n\r\n")
    assert b"application/problem+json" in head
    assert b"Retry-After" in head
    Draft202012Validator(document()["components"]["schemas"]["Problem"]).validate(json.loads(told))
    assert "Traceback" not in log


def test_a_slow_client_is_the_business_of_nginx(tmp_path):
    """A head that stops is given up by the proxy, and so is a body, of which the server never hears."""
    port = hosts.free_port()
    begun = b"POST /ratings/api/v1/elo/rate HTTP/1.1\r\nHost: chess.example\r\nContent-Length: 100\r\n"
    with (
        served("--config", str(DEPLOY / "arpad.toml")) as serving,
        hosts.running("nginx", tmp_path, port, *ours("nginx", serving.port)),
        connected(port) as head,
        connected(port) as body,
    ):
        head.sendall(begun)
        body.sendall(begun + b"\r\n{")
        assert is_closed(head)
        assert is_closed(body)
        log = serving.stop()
    assert "/api/v1/elo/rate" not in log


def is_closed(connection):
    """Whether a connection is ended sooner or later, without an answer."""
    try:
        return not connection.recv(65536).startswith(b"HTTP/1.1 200")
    except ConnectionError:
        return True


def test_systemd_accepts_the_unit(tmp_path):
    """Systemd finds nothing wrong with the unit but that the program is not installed there."""
    checker = shutil.which("systemd-analyze")
    require("systemd", there=checker is not None, line="systemd-analyze is not installed")
    unit = tmp_path / "arpad.service"
    text = (DEPLOY / "arpad.service").read_text(encoding="utf-8")
    unit.write_text(text.replace("/opt/arpad/bin/arpad", "/bin/true"), encoding="utf-8")
    done = subprocess.run([checker, "verify", str(unit)], capture_output=True, text=True, check=False)
    assert "arpad.service" not in done.stderr, done.stderr


@pytest.mark.parametrize("file", ["Caddyfile", "site.Caddyfile"])
def test_caddy_takes_its_files(file):
    """Caddy reads both files and finds nothing wrong with them."""
    hosts.needed("caddy")
    line = [hosts.CADDY, "validate", "--adapter", "caddyfile", "--config", str(DEPLOY / file)]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_container_is_built_from_what_is_there():
    """No container engine is run; what the file copies exists, its lock brings what builds, and it is not root."""
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
    copied = [path for line in lines if line[0] == "COPY" and not line[1].startswith("--from") for path in line[1:-1]]
    assert {"pyproject.toml", "src", "locks"} <= set(copied)
    assert [path for path in copied if not (ROOT / path).exists()] == []
    lock = re.search(r"--require-hashes -r (\S+)", text)[1]
    assert "\nhatchling==" in (ROOT / lock).read_text(encoding="utf-8")
    (user,) = (line[1] for line in lines if line[0] == "USER")
    assert int(user) > 0
    assert {"HEALTHCHECK", "CMD"} <= {line[0] for line in lines}


def test_the_builder_gets_what_is_copied_and_no_more():
    """Everything is left out but what the container file copies."""
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert "*" in lines
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    copied = {path for line in re.findall(r"^COPY (?!--from)(.*) \S+$", text, re.MULTILINE) for path in line.split()}
    assert {line.removeprefix("!") for line in lines if line.startswith("!")} == copied


def test_the_composition_is_locked_down():
    """The service is built by that file, writes nothing, and its environment names settings."""
    from arpad.web.settings import settings_from

    (service,) = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))["services"].values()
    assert (DEPLOY / service["build"]["context"] / service["build"]["dockerfile"]).is_file()
    assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])
    found = settings_from({}, service["environment"])
    assert (found.hosts, found.workers, found.log) == (("chess.example",), 2, "json")
    assert all(hasattr(found, name.removeprefix("ARPAD_").lower()) for name in service["environment"])


@pytest.mark.parametrize("name", ["host", "port", "workers", "hosts", "base", "log"])
def test_the_settings_are_those_that_exist(name):
    """The file of settings names settings."""
    from arpad.web.settings import ServerSettings

    assert hasattr(ServerSettings(), name)
    assert name in tomllib.loads((DEPLOY / "arpad.toml").read_text(encoding="utf-8"))
