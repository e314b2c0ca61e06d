"""Files are written whole or not at all, and never over another one unless that was asked for."""

from __future__ import annotations

import os
import tempfile

from arpad.errors import BadFile, BadInput


def check_free(path: str, *, force: bool) -> None:
    """Refuse, before any work, a path where a file stands already."""
    if os.path.exists(path) and not force:
        raise BadInput("A file of that name is there already; --force writes over it.", at=path)


def write_whole(path: str, data: bytes, *, force: bool = False) -> None:
    """Write to a temporary file beside the place and move it there, so that nobody ever sees half of it."""
    check_free(path, force=force)
    folder = os.path.dirname(path) or "."
    made = None
    try:
        handle, made = tempfile.mkstemp(dir=folder, prefix=f".{os.path.basename(path)}.")
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(made, 0o666 & ~_umask())
        os.replace(made, path)
    except OSError as error:
        if made is not None and os.path.exists(made):
            os.unlink(made)
        raise BadFile(f"The file cannot be written: {error.strerror}.", at=path) from None


def _umask() -> int:
    """What this process takes away from the rights of new files; a temporary file has none for others."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
