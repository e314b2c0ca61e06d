"""Real web servers in front of a folder or an application: nginx and Caddy, with our files, on loopback."""

import getpass
import os
import shutil
import socket
import subprocess
import time
from contextlib import contextmanager

from conftest import require

CADDY = shutil.which("caddy")
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
WAIT = 300  # seconds until a test fails; only a very busy machine ever waits this long
TYPES = "/etc/nginx/mime.types"


def free_port():
    """A port that is free at the moment."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


def _nginx(folder, port, part, limits=""):
    """A command that runs nginx with part of a `server` block, and of the `http` block, on its own port."""
    temporary = "".join(
        f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    shutil.copy(TYPES, folder)
    file = folder / "nginx.conf"
    file.write_text(
        f"daemon off; user {getpass.getuser()}; pid {folder}/pid; error_log {folder}/error.log; "
        "worker_rlimit_nofile 16384; events { worker_connections 8192; } "
        f"http {{ access_log off; {temporary} {limits} server {{ listen 127.0.0.1:{port}; "
        f"server_name chess.example localhost; {part} }} }}",
        encoding="utf-8",
    )
    return [NGINX, "-c", str(file), "-e", str(folder / "error.log")]


def _caddy(folder, port, site):
    """A command that runs Caddy with a file for chess.example, without certificates, on its own port."""
    file = folder / "Caddyfile"
    own = "{\n\tadmin off\n"
    here = site.replace(
        "chess.example {", f"http://localhost:{port}, http://chess.example:{port} {{\n\tbind 127.0.0.1", 1
    )
    has_own = "\n{\n" in here
    file.write_text(here.replace("\n{\n", f"\n{own}", 1) if has_own else f"{own}}}\n{here}", encoding="utf-8")
    return [CADDY, "run", "--config", str(file), "--adapter", "caddyfile"]


LINES = {"nginx": (NGINX, _nginx), "caddy": (CADDY, _caddy)}


def needed(name):
    """Skip a test whose proxy is not installed; with CI set, that is a failure."""
    require(name, there=LINES[name][0] is not None, line=f"{name} is not installed")


def _listens(port):
    with socket.socket() as trying:
        return trying.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def running(name, folder, port, *ours):
    """A web server with our configuration, ready for connections."""
    needed(name)
    line = LINES[name][1](folder, port, *ours)
    own = {**os.environ, "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with subprocess.Popen(line, env=own, stderr=subprocess.DEVNULL) as server:
        try:
            deadline = time.monotonic() + WAIT
            while not _listens(port):
                assert server.poll() is None, f"{name} ended with {server.returncode}"
                assert time.monotonic() < deadline, f"{name} does not listen"
                time.sleep(0.1)
            yield
        finally:
            server.terminate()
