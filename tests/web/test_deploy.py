"""The files for running a server: a real nginx in front, under a prefix, as the page about it says."""

import re
import shutil
import socket
import subprocess
import time
import tomllib
from contextlib import contextmanager

import pytest
from serving import WAIT, get, served

from conftest import ROOT, require

DEPLOY = ROOT / "deploy"
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")


def free_port():
    """A port that nobody has at the moment."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


@contextmanager
def nginx(folder, port, upstream):
    """A real nginx with our part of its configuration, on a port of its own."""
    part = (DEPLOY / "nginx.conf").read_text(encoding="utf-8").replace("127.0.0.1:8000", f"127.0.0.1:{upstream}")
    temporary = "".join(
        f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    file = folder / "nginx.conf"
    file.write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/error.log; events {{}} http {{ access_log off; {temporary} "
        f"server {{ listen 127.0.0.1:{port}; server_name chess.example; {part} }} }}",
        encoding="utf-8",
    )
    with subprocess.Popen([NGINX, "-c", str(file), "-e", str(folder / "error.log")]) as running:
        try:
            for _ in range(10 * WAIT):
                with socket.socket() as trying:
                    if trying.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.1)
            yield
        finally:
            running.terminate()


def test_behind_nginx_under_a_prefix_with_two_workers(tmp_path):
    """The page, its style, the API, a heavy question, a redirect and the document work under /ratings."""
    require("nginx", there=NGINX is not None, line="nginx is not installed")
    port = free_port()
    asked = {"host": "chess.example"}
    with served("--config", str(DEPLOY / "arpad.toml")) as serving, nginx(tmp_path, port, serving.port):
        assert get(port, "/ratings", headers=asked)[0] == 308
        status, _, page = get(port, "/ratings/", headers=asked)
        assert status == 200
        style = re.search(rb'href="(/ratings/static/arpad\.css[^"]*)"', page)[1].decode()
        assert get(port, style, headers=asked)[0] == 200
        answer = get(port, "/ratings/api/v1/elo/expect?rating=1500&opponent=1700", headers=asked)
        assert (answer[0], answer[1]["content-type"]) == (200, "application/json")
        assert get(port, "/ratings/api/v1/fide-standard/outlook?rating=1780&k=20&against=1800", headers=asked)[0] == 200
        status, headers, _ = get(port, "/ratings/need?rating=1780&reach=1800&list=1700+1800", headers=asked)
        assert (status, headers["location"].startswith("/ratings/need?")) == (303, True)
        assert b'"url":"/ratings"' in get(port, "/ratings/openapi.json", headers=asked)[2]
        log = serving.stop()
    assert '"client": "127.0.0.1"' in log


def test_the_unit_is_right(tmp_path):
    """Systemd finds nothing wrong with the unit but that the program is not installed there."""
    checker = shutil.which("systemd-analyze")
    require("systemd", there=checker is not None, line="systemd-analyze is not installed")
    unit = tmp_path / "arpad.service"
    text = (DEPLOY / "arpad.service").read_text(encoding="utf-8")
    unit.write_text(text.replace("/opt/arpad/bin/arpad", "/bin/true"), encoding="utf-8")
    done = subprocess.run([checker, "verify", str(unit)], capture_output=True, text=True, check=False)
    assert "arpad.service" not in done.stderr, done.stderr


@pytest.mark.parametrize("name", ["host", "port", "workers", "hosts", "base", "log"])
def test_the_settings_are_those_that_exist(name):
    """The file of settings names settings."""
    from arpad.web.settings import ServerSettings

    assert hasattr(ServerSettings(), name)
    assert name in tomllib.loads((DEPLOY / "arpad.toml").read_text(encoding="utf-8"))
