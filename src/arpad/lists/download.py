"""Downloading a list: an interrupted download is resumed, and the size is checked."""

from __future__ import annotations

import http.client
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from os import makedirs, remove, replace
from os.path import basename, exists, getsize, join
from typing import IO
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from arpad.errors import BadFile, BadInput, cause
from arpad.messages import Message, say, thousands

ADDRESS = "https://ratings.fide.com/download/players_list.zip"
TIMEOUT = 30.0  # seconds without a byte
LONGEST = 3600.0
LARGEST = 2_000_000_000  # bytes
CHUNK = 1 << 18
PART, MARK = ".part", ".mark"  # the data so far, and the version of the file it belongs to
PARTIAL, NOTHING_LEFT = 206, 416
ALLOWED = "/%:@!$&'()*+,;=~?"  # characters that need no quoting in an address
WEAK = "W/"  # marks a version whose bytes may differ
Progress = Callable[[int, int | None], None]  # called with the bytes so far and in total
FAILED = (URLError, TimeoutError, ConnectionError, http.client.HTTPException, ssl.SSLError)


def download_list(url: str, folder: str, *, timeout: float = TIMEOUT, progress: Progress | None = None) -> str:
    """Download a file and return its path; an interrupted download is resumed at the next call.

    Raises BadInput for an address or a timeout that cannot be used, BadFile if the file cannot be had or written.
    """
    if not 0 < timeout <= LONGEST:
        raise BadInput(say("lists.download.timeout", longest=f"{LONGEST:g}"), at="timeout")
    address, name = _address(url)
    path = join(folder, name)
    try:
        makedirs(folder, exist_ok=True)
        _download(address, path, timeout, progress)
    except BadFile:  # no rating list, so there is nothing to resume
        _forget(path + PART)
        raise
    except HTTPError as problem:
        raise BadFile(say("lists.download.refused", code=problem.code, reason=problem.reason), at=url) from None
    except FAILED as problem:
        said = say("lists.download.failed", why=_why(problem, timeout), progress=_progress_so_far(path))
        raise BadFile(said, at=url) from None
    except OSError as problem:
        raise BadFile(say("lists.download.unwritable", why=cause(problem)), at=folder) from None
    return path


def _address(url: str) -> tuple[str, str]:
    """The address in ASCII, and the name of the file."""
    wrong = BadInput(say("lists.download.address", url=url), at="url")
    try:
        parts = urlsplit(url.strip())
        port = "" if parts.port is None else f":{parts.port}"
        host = (parts.hostname or "").encode("idna").decode("ascii")
    except ValueError:  # malformed brackets, port or host name
        raise wrong from None
    if parts.scheme not in ("http", "https") or not host or quote(host, safe=":") != host:
        raise wrong
    place = f"[{host}]{port}" if ":" in host else f"{host}{port}"
    query = f"?{quote(parts.query, safe=ALLOWED)}" if parts.query else ""
    return f"{parts.scheme}://{place}{quote(parts.path, safe=ALLOWED)}{query}", basename(parts.path) or "list.zip"


def _download(url: str, path: str, timeout: float, progress: Progress | None) -> None:
    part, mark = path + PART, path + MARK
    have = getsize(part) if exists(part) and exists(mark) else 0
    if not have:
        _forget(part)  # an unknown version cannot be resumed
    request = Request(url, headers={"User-Agent": "arpad", "Accept-Encoding": "identity"})  # noqa: S310  # checked above
    if have:
        with open(mark, encoding="utf-8") as file:
            request.add_header("If-Range", file.read())
        request.add_header("Range", f"bytes={have}-")
    try:
        answer = _OPENER.open(request, timeout=timeout)
    except HTTPError as refused:
        if not have or refused.code != NOTHING_LEFT:
            raise
        if have == _whole_size(refused):
            return _keep(part, path)
        _forget(part)
        return _download(url, path, timeout, progress)
    with answer:
        if answer.status != PARTIAL:  # the whole file: its version has changed
            have = 0
            _forget(part)
        rest = answer.headers.get("Content-Length")
        size = have + int(rest) if rest is not None and rest.isdecimal() else None
        _check_size(size or 0, url)
        _remember(answer, mark)
        with open(part, "ab") as file:
            while data := answer.read1(CHUNK):  # data is written even if the next read times out
                _check_size(have + len(data), url)
                file.write(data)
                have += len(data)
                if progress is not None:
                    progress(have, size)
    if size is not None and have != size:
        raise http.client.IncompleteRead(b"", size - have)
    return _keep(part, path)


def _check_size(size: int, url: str) -> None:
    """Refuse a file that is too large for a rating list: FIDE's is a hundredth of the limit."""
    if size > LARGEST:
        raise BadFile(say("lists.download.large", most=LARGEST // 1_000_000), at=url)


def _remember(answer: http.client.HTTPResponse, mark: str) -> None:
    """Store which version is being sent, if the server says so in a way that can be resumed (RFC 9110, 13.1.5)."""
    tag = answer.headers.get("ETag")
    version = answer.headers.get("Last-Modified") if tag is None or tag.startswith(WEAK) else tag
    if version:
        with open(mark, "w", encoding="utf-8") as file:
            file.write(version)


def _keep(part: str, path: str) -> None:
    """Rename the completed download."""
    replace(part, path)
    _forget(part)


def _forget(part: str) -> None:
    """Discard a partial download."""
    for name in (part, part.removesuffix(PART) + MARK):
        with suppress(FileNotFoundError):
            remove(name)


def _whole_size(refused: HTTPError) -> int | None:
    """The size of a file, from the refusal of a range beyond its end: `bytes */1234`."""
    size = (refused.headers.get("Content-Range") or "").rpartition("/")[2]
    return int(size) if size.isdecimal() else None


def _why(problem: Exception, timeout: float) -> Message:
    """What went wrong, in words."""
    reason = problem.reason if isinstance(problem, URLError) else problem
    if isinstance(reason, TimeoutError):
        return say("lists.download.silent", seconds=f"{timeout:g}")
    if isinstance(reason, socket.gaierror):
        return say("lists.download.not_found")
    if isinstance(reason, ConnectionRefusedError):
        return say("lists.download.no_answer")
    if isinstance(reason, ssl.SSLError):
        return say("lists.download.insecure")
    if isinstance(reason, http.client.IncompleteRead | ConnectionError):
        return say("lists.download.interrupted")
    if isinstance(reason, http.client.HTTPException):
        return say("lists.download.not_http")
    return say("lists.download.no_connection", why=cause(reason))


def _progress_so_far(path: str) -> Message:
    """Whether the next try can continue this one."""
    have = getsize(path + PART) if exists(path + PART) else 0
    if not have:
        return say("lists.download.nothing")
    if exists(path + MARK):
        return say("lists.download.partial", bytes=thousands(have))
    return say("lists.download.unversioned")


class _SafeRedirects(HTTPRedirectHandler):
    """Follows redirects only to http and https, and never from https back to http."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: http.client.HTTPMessage, newurl: str
    ) -> Request | None:
        """The request to the new address."""
        after = urlsplit(newurl).scheme
        if after != "https" and (after != "http" or req.type == "https"):
            raise BadFile(say("lists.download.redirect", to=newurl[:200]), at=req.full_url)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


_OPENER = build_opener(_SafeRedirects())
