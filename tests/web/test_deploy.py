"""The files for running a server: a real nginx or Caddy in front, under a prefix, as the page about it says."""

import re
import shutil
import subprocess
import tomllib

import hosts
import pytest
import yaml
from serving import get, served

from conftest import ROOT, require

DEPLOY = ROOT / "deploy"
FILES = {"nginx": "nginx.conf", "caddy": "Caddyfile"}


@pytest.mark.parametrize("name", FILES)
def test_behind_a_proxy_under_a_prefix_with_two_workers(name, tmp_path):
    """Page, style, API, a heavy question, a redirect and the document work; figures about the server stay inside."""
    ours, port = (DEPLOY / FILES[name]).read_text(encoding="utf-8"), hosts.free_port()
    asked = {"host": "chess.example"}
    with (
        served("--config", str(DEPLOY / "arpad.toml")) as serving,
        hosts.running(name, tmp_path, port, ours.replace("127.0.0.1:8000", f"127.0.0.1:{serving.port}")),
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
        assert (status, headers["location"].startswith("/ratings/need?")) == (303, True)
        assert b'"url":"/ratings"' in get(port, "/ratings/openapi.json", headers=asked)[2]
        assert get(port, "/ratings/metrics", headers=asked)[0] == 404
        assert get(serving.port, "/metrics")[0] == 200
        log = serving.stop()
    assert '"client": "127.0.0.1"' in log


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
