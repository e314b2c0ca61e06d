"""Writing a file whole or not at all, and never over another unless that was asked for."""

from __future__ import annotations

import os

from arpad.errors import BadFile, BadInput


def check_free(path: str, *, force: bool) -> None:
    """Refuse, before any work, a place where a file stands already."""
    if not force and os.path.lexists(path):
        raise BadInput("The file exists already; choose another name, or --force to write over it.", at=path)


def save(data: bytes, path: str, *, force: bool = False) -> None:
    """Write beside the place and rename, so that nobody ever finds half a file."""
    check_free(path, force=force)
    folder, name = os.path.split(path)
    beside = os.path.join(folder, f".{name}.{os.getpid()}.part")
    try:
        with open(beside, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except OSError as error:
        _remove(beside)
        raise BadFile(f"The file cannot be written: {error.strerror}.", at=path) from None
    except BaseException:
        _remove(beside)
        raise


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return
