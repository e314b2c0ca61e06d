"""A real server on loopback for tests, and raw requests to it."""

import http.client
import os
import resource
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import NamedTuple, TextIO

WAIT = 300  # seconds until a test fails; only a very busy machine ever waits this long
PATIENT = {"ARPAD_SECONDS": "300"}  # there a heavy question may take longer than a user should wait


@contextmanager
def served(*options, env=None, files=None):
    """A running `arpad serve` on a free port, patient unless told otherwise: gives the port and the process.

    With `files`, it may open only so many.
    """
    command = [sys.executable, "-m", "arpad", "serve", "--port", "0", *options]
    limited = f'ulimit -n {files or "unlimited"} 2>/dev/null; exec "$@"'
    command = ["/bin/sh", "-c", limited, "sh", *command] if files else command
    with (
        TemporaryFile("w+") as log,
        subprocess.Popen(
            command,
            env={**os.environ, **PATIENT, **(env or {})},
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            start_new_session=True,
        ) as process,
    ):
        try:
            line = process.stdout.readline()
            address = next((word for word in line.split() if word.startswith("http")), None)
            assert address, line
            port = int(address.rpartition(":")[2].strip("/"))
            get(port, "/health")  # the socket listens before the server is ready
            yield Serving(port, process, log)
        finally:
            stopped(process)


class Serving(NamedTuple):
    """A running server."""

    port: int
    process: subprocess.Popen
    log: TextIO

    def stop(self):
        """Stop it and return what it logged."""
        stopped(self.process)
        self.log.seek(0)
        return self.log.read()


def stopped(process):
    """End a server as a terminal or systemd would."""
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(timeout=WAIT)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        raise


def get(port, path, *, method="GET", body=None, headers=None):
    """A request on its own connection: status, headers, body; also where the reply comes before all is sent."""
    asking = http.client.HTTPConnection("127.0.0.1", port, timeout=WAIT)
    try:
        asking.connect()
        with suppress(BrokenPipeError, ConnectionResetError):
            asking.request(method, path, body, headers or {})
        reply = asking.getresponse()
        return reply.status, {name.lower(): value for name, value in reply.getheaders()}, reply.read()
    finally:
        asking.close()


def connected(port):
    """A bare connection."""
    return socket.create_connection(("127.0.0.1", port), timeout=WAIT)


@contextmanager
def burst(port, count, text=b"", source="127.0.0.1"):
    """So many connections from one address at once, each of which sends some bytes and waits."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (2 * count, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    with ExitStack() as stack:
        opened = []
        for _ in range(count):
            one = stack.enter_context(socket.socket())
            one.bind((source, 0))
            one.setblocking(False)
            one.connect_ex(("127.0.0.1", port))
            opened.append(one)
        time.sleep(0.5)
        for one in opened:
            with suppress(OSError):
                one.send(text)
        time.sleep(2)  # until whoever takes connections has taken what it can
        yield opened


def workers_of(process):
    """The worker processes of a server; only on Linux."""
    found = []
    for task in Path(f"/proc/{process.pid}/task").glob("*/children"):
        found += [process_id for process_id in task.read_text().split() if is_worker(process_id)]
    return found


def is_worker(process):
    """Whether a process exists and is a worker."""
    try:
        return b"_worker" in Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return False
