"""Downloads that go wrong: each has its own sentence, and what is said to be kept is kept."""

import http.server
import io
import threading
import time

import pytest

from arpad.cli import main
from arpad.errors import BadFile, BadInput
from arpad.lists import download_list

CONTENT = bytes(range(256)) * 400
PATIENCE = 300  # seconds; only a very busy machine ever waits this long
SENT = 30_000  # bytes that come before something goes wrong


class Failing(http.server.BaseHTTPRequestHandler):
    """A server that stalls or breaks off at the first time of asking; the path says how, and what it says of itself."""

    asked = ()
    given_up = threading.Event()  # by the test, which need not wait any longer

    def do_GET(self):  # the library's name
        start = int((self.headers.get("Range") or "bytes=0-").removeprefix("bytes=").rstrip("-"))
        Failing.asked = (*Failing.asked, (self.path, start, self.headers.get("If-Range")))
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(CONTENT) - start))
        if "weak" in self.path:
            self.send_header("ETag", 'W/"one"')
        if "dated" in self.path:
            self.send_header("Last-Modified", "Sun, 01 Nov 2026 08:00:00 GMT")
        self.end_headers()
        fails = len(self.asked) == 1
        self.wfile.write(CONTENT[start : start + SENT] if fails else CONTENT[start:])
        if fails and "stall" in self.path:
            Failing.given_up.wait()

    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture
def server():
    Failing.asked = ()
    Failing.given_up.clear()
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Failing) as serving:
        threading.Thread(target=serving.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{serving.server_port}"
        serving.shutdown()


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("stall-dated.zip", "the server sent nothing for 3 seconds. 30,000 bytes were downloaded"),
        ("dated.zip", "the connection was interrupted. 30,000 bytes were downloaded"),
        ("weak-dated.zip", "the connection was interrupted. 30,000 bytes were downloaded"),
        ("plain.zip", "the connection was interrupted. The server does not say which version"),
        (
            "weak.zip",
            "the connection was interrupted. The server does not say which version",
        ),  # RFC 9110, 13.1.5: no weak tags
    ],
)
def test_what_has_come_is_kept_where_it_can_be_taken_up(server, tmp_path, name, says):
    """What came before a stall is on the disk; it is taken up where the server can tell that it is the same file."""
    with pytest.raises(BadFile) as failed:
        download_list(f"{server}/{name}", str(tmp_path), timeout=3 if "stall" in name else PATIENCE)
    Failing.given_up.set()
    assert says in str(failed.value)
    assert (tmp_path / f"{name}.part").stat().st_size == SENT
    seen = []
    path = download_list(
        f"{server}/{name}", str(tmp_path), timeout=PATIENCE, progress=lambda done, total: seen.append((done, total))
    )
    with open(path, "rb") as file:
        assert file.read() == CONTENT
    dated = "Sun, 01 Nov 2026 08:00:00 GMT" if "dated" in name else None
    assert Failing.asked == ((f"/{name}", 0, None), (f"/{name}", SENT if dated else 0, dated))
    assert seen[-1] == (len(CONTENT), len(CONTENT))


@pytest.mark.parametrize("seconds", ["-1", "0", "1000000"])
def test_a_time_that_cannot_be_waited_for(seconds, tmp_path, capsys):
    """A wrong --timeout is refused in the same words as any other value, before anything is asked of a server."""
    assert main(["list", "fetch", "--timeout", seconds, "--data", str(tmp_path)]) == 2
    assert "above 0 and at most 3600 seconds" in capsys.readouterr().err


@pytest.mark.parametrize(
    "url", ["http://[::1/x.zip", "http://host:port/x.zip", "http:///x.zip", "http://a b/x.zip", "x"]
)
def test_malformed_addresses_are_refused(url, tmp_path):
    """Brackets that do not close, a port that is no number, no host at all: none of them is a fault of Arpad's own."""
    with pytest.raises(BadInput, match="is not a web address"):
        download_list(url, str(tmp_path))


def test_letters_of_any_language_in_an_address(server, tmp_path):
    """An address is sent in ASCII (RFC 3986, 2.5), and the file has the name that was written."""
    Failing.asked = (("before", 0, None),)  # nothing goes wrong
    assert download_list(f"{server}/ü list.zip?a=é", str(tmp_path)) == str(tmp_path / "ü list.zip")
    assert Failing.asked[1][0] == "/%C3%BC%20list.zip?a=%C3%A9"


def test_no_connection_in_plain_words(tmp_path):
    """A server that is not there is said so, not in the system's own words (RFC 6761: .invalid never is)."""
    for url, says in (
        ("http://nowhere.invalid/x.zip", "not found"),
        ("http://127.0.0.1:9/x.zip", "no server answered"),
    ):
        with pytest.raises(BadFile, match=f"{says}.*Nothing was downloaded") as failed:
            download_list(url, str(tmp_path), timeout=PATIENCE)
        assert "Errno" not in str(failed.value)


def test_the_bar_knows_its_total(monkeypatch):
    """On a terminal the bar of a download has the size that the server named."""
    from arpad.cli.files import progress_bar

    terminal = io.StringIO()
    terminal.isatty = lambda: True
    monkeypatch.setattr("sys.stderr", terminal)
    with progress_bar("B", title="fetching") as step:
        step(1, 1_000_000)
        time.sleep(0.2)  # a bar is drawn ten times a second
        step(500_000, 1_000_000)
    assert "50%" in terminal.getvalue()
