"""Download a list: real HTTP, taken up where it broke off, and checked for its size."""

from __future__ import annotations

import http.client
from contextlib import suppress
from os import makedirs, remove, replace
from os.path import basename, exists, getsize, join
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from arpad.errors import BadFile, BadInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

ADDRESS = "https://ratings.fide.com/download/players_list.zip"
TIMEOUT = 30.0  # seconds without a byte
CHUNK = 1 << 18
PART, MARK = ".part", ".mark"  # what has come so far, and which version of the file it is of
PARTIAL, NOTHING_BEHIND = 206, 416


def fetch(
    url: str, folder: str, *, timeout: float = TIMEOUT, progress: Callable[[int, int | None], None] | None = None
) -> str:
    """The path of the downloaded file; what broke off is taken up again at the next call."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise BadInput(f"'{url}' is not an address of the web; it begins with https://.", at="--url")
    try:
        makedirs(folder, exist_ok=True)
        path = join(folder, basename(parts.path) or "list.zip")
        _download(url, path, timeout, progress)
    except HTTPError as problem:
        raise BadFile(
            f"The server refuses: {problem.code} {problem.reason}. Check the address, or give another with --url.",
            at=url,
        ) from None
    except (URLError, TimeoutError, http.client.HTTPException, ConnectionError) as problem:
        why = getattr(problem, "reason", problem)
        raise BadFile(
            f"The download failed: {why}. Check the connection and try again; what has come is kept and taken up, or "
            "download the file by hand and use `arpad list import`.",
            at=url,
        ) from None
    except OSError as problem:
        raise BadFile(f"The file cannot be written: {problem.strerror}.", at=folder) from None
    return path


def _download(url: str, path: str, timeout: float, progress: Callable[[int, int | None], None] | None) -> None:
    part, mark = path + PART, path + MARK
    have = getsize(part) if exists(part) and exists(mark) else 0
    request = Request(url, headers={"User-Agent": "arpad", "Accept-Encoding": "identity"})  # noqa: S310  # checked above
    if have:
        with open(mark, encoding="utf-8") as file:
            request.add_header("If-Range", file.read())
        request.add_header("Range", f"bytes={have}-")
    try:
        answer = urlopen(request, timeout=timeout)  # noqa: S310  # checked above
    except HTTPError as refused:
        if not have or refused.code != NOTHING_BEHIND:
            raise
        if have == _whole_size(refused):
            return _keep(part, path)
        _forget(part)
        return _download(url, path, timeout, progress)
    with answer:
        have = have if answer.status == PARTIAL else 0  # the whole file again: it is another one by now
        size = _size(answer, have)
        version = answer.headers.get("ETag") or answer.headers.get("Last-Modified")
        if version:
            with open(mark, "w", encoding="utf-8") as file:
                file.write(version)
        with open(part, "ab" if have else "wb") as file:
            while data := answer.read(CHUNK):
                file.write(data)
                have += len(data)
                if progress is not None:
                    progress(have, size)
    if size is not None and have != size:
        raise http.client.IncompleteRead(b"", size - have)
    return _keep(part, path)


def _keep(part: str, path: str) -> None:
    """The part is the whole file."""
    replace(part, path)
    _forget(part)


def _forget(part: str) -> None:
    """Nothing is to be taken up."""
    for name in (part, part.removesuffix(PART) + MARK):
        with suppress(FileNotFoundError):
            remove(name)


def _size(answer: Any, have: int) -> int | None:
    """The size the whole file has, as the server says."""
    rest = answer.headers.get("Content-Length")
    return None if rest is None else have + int(rest)


def _whole_size(refused: HTTPError) -> int | None:
    """The size of the file behind whose end bytes were asked for: `bytes */1234`."""
    size = (refused.headers.get("Content-Range") or "").rpartition("/")[2]
    return int(size) if size.isdecimal() else None
