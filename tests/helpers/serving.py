"""A real server on loopback for tests, and raw requests to it."""

import http.client
import os
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

WAIT = 60


@contextmanager
def served(*options, env=None):
    """A running `arpad serve` on a free port: gives the port and the process."""
    command = [sys.executable, "-m", "arpad", "serve", "--port", "0", *options]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "start_new_session": True}
    with subprocess.Popen(command, env={**os.environ, **(env or {})}, **pipes) as serving:
        try:
            line = serving.stdout.readline()
            address = next((word for word in line.split() if word.startswith("http")), None)
            assert address, (line, serving.stderr.read())
            yield int(address.rpartition(":")[2].strip("/")), serving
        finally:
            serving.send_signal(signal.SIGTERM)
            try:
                serving.communicate(timeout=WAIT)
            except subprocess.TimeoutExpired:
                os.killpg(serving.pid, signal.SIGKILL)
                raise


def get(port, path, *, method="GET", body=None, headers=None):
    """One request on a connection of its own: status, headers, body."""
    asking = http.client.HTTPConnection("127.0.0.1", port, timeout=WAIT)
    try:
        asking.request(method, path, body, headers or {})
        reply = asking.getresponse()
        return reply.status, {name.lower(): value for name, value in reply.getheaders()}, reply.read()
    finally:
        asking.close()


def connected(port):
    """A bare connection."""
    return socket.create_connection(("127.0.0.1", port), timeout=WAIT)


def children(process):
    """The processes that a process started, and theirs; known on Linux alone."""
    found = []
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        for one in task.read_text().split():
            found += [int(one), *children(int(one))]
    return found
