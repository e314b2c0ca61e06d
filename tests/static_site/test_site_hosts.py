"""The files for hosts of the static site: a real nginx and a real Caddy serve it as its page says."""

import gzip
import hashlib
import http.client
import json
import re

import built_site
import hosts
import pytest

from arpad.web.app import SITE_POLICY
from conftest import ROOT

DEPLOY = ROOT / "deploy"
FILES = {"nginx": "site-nginx.conf", "caddy": "site.Caddyfile"}
MOST = 9_000_000  # bytes of a first visit with gzip; brotli, which neither has by itself, makes it 8.1 million


@pytest.fixture(params=FILES)
def get(request, tmp_path):
    """A function that asks a host of the site: status, headers, and the bytes as they came."""
    ours = (DEPLOY / FILES[request.param]).read_text(encoding="utf-8")
    ours = ours.replace("/srv/arpad-site", str(built_site.built()))
    port = hosts.free_port()

    def ask(path):
        connection = http.client.HTTPConnection("localhost", port, timeout=hosts.WAIT)
        connection.request("GET", path, headers={"Accept-Encoding": "gzip"})
        reply = connection.getresponse()
        found = reply.status, reply.headers, reply.read()
        connection.close()
        return found

    with hosts.running(request.param, tmp_path, port, ours):
        yield ask


def test_a_host_gives_every_file_as_it_was_built_with_strict_headers(get):
    """Page, workers and modules: compressed, asked about each time, framed by nobody, with the policy of the pages."""
    worker = get("/service-worker.js")
    files = json.loads(re.search(r"^const FILES = (\{.*\});", _plain(worker).decode(), re.MULTILINE)[1])
    sent = len(worker[2])
    for name, about in files.items():
        status, headers, body = found = get("/" + name.removesuffix("index.html"))
        assert (status, hashlib.sha256(_plain(found)).hexdigest()) == (200, about["sha256"]), name
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] == "no-cache"
        policy = set(headers["content-security-policy"].split("; "))
        assert policy >= {part for part in SITE_POLICY.split("; ") if not part.startswith("script-src")}, name
        assert policy >= {"script-src 'self' 'wasm-unsafe-eval'", "frame-ancestors 'none'"}
        if built_site.is_of_first_visit(name):
            sent += len(body)
    assert sent < MOST
    assert get("/service-worker.js")[1]["content-type"].startswith(("text/javascript", "application/javascript"))


def _plain(found):
    _, headers, body = found
    return gzip.decompress(body) if headers["content-encoding"] == "gzip" else body
