"""The static site, built once for all tests, and its Python in Node."""

import contextlib
import functools
import http.server
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from functools import cache
from pathlib import Path

from arpad.messages import languages
from conftest import ROOT, require

SOURCE = ROOT / "static_site"
sys.path.append(str(SOURCE))
NODE = Path(__file__).with_name("python_in_node.mjs")


@cache
def built():
    """The folder of the site; it is deleted when the tests end."""
    there = os.name == "posix" and all(map(shutil.which, ("node", "npm")))
    require("node", there=there, line="Node.js and npm are not installed; try `make node`")
    folder = tempfile.TemporaryDirectory()
    FOLDERS.append(folder)
    build_into(Path(folder.name) / "site")
    return Path(folder.name) / "site"


FOLDERS = []


def build_into(folder):
    """Build the site in a separate process, because it changes what today is; return the name of the build."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, str(SOURCE / "build_site.py"), str(folder)]
    said = subprocess.run(command, check=True, env=environment, capture_output=True, text=True).stdout
    return said.partition("build ")[2].partition(",")[0]


def is_of_first_visit(name):
    """Whether an English first visit loads a file; other languages are loaded when they are used."""
    return not any(name.startswith((f"{one}/", f"words-{one}.")) for one in languages()[1:])


class PythonInNode:
    """The site's Python, asked over a pipe as its service worker asks it."""

    def __init__(self, running):
        self._running = running

    def ask(self, path, query="", **more):
        """A reply: status, headers, body, milliseconds."""
        self._running.stdin.write(json.dumps({"path": path, "query": query, **more}) + "\n")
        self._running.stdin.flush()
        return json.loads(self._running.stdout.readline())


@contextlib.contextmanager
def python_in_node(site):
    """The Python of a site, running inside a `with` block."""
    command = ["node", str(NODE), str(site)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as running:
        try:
            yield PythonInNode(running)
        finally:
            running.stdin.close()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def __init__(self, *given, asked, **more):
        self._asked = asked
        super().__init__(*given, **more)

    def log_request(self, *_):
        """Note it, and say nothing."""
        self._asked.append(self.path)

    def log_message(self, *_):
        """Say nothing."""


@contextlib.contextmanager
def served(folder, asked=None):
    """Serve a folder like `python -m http.server`; gives its address, and notes every path that is asked for."""
    handler = functools.partial(_Quiet, directory=str(folder), asked=[] if asked is None else asked)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://localhost:{server.server_port}"
        finally:
            server.shutdown()
