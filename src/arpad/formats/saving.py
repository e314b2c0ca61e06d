"""Writing files completely or not at all; never over an existing file without `force`, nor over an input.

A cell for CSV is made safe from spreadsheet programs that would run it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

from arpad.errors import ArpadError, BadFile, BadInput, cause
from arpad.messages import say

APOSTROPHE = "'"  # marks a text as text

# The beginning of a text that a spreadsheet program would run, marked or not; SQL and Arrow use it too.
FORMULA = r"^'?[-=+@\t\r\n＝＋－＠]"  # full-width too, as a spreadsheet program in Japanese reads them


def save(data: bytes, path: str, *, force: bool = False, wait: bool = True) -> None:
    """Write to a temporary file and rename it, so that nobody ever finds half a file.

    By default it waits until the disk has it, so that even a power cut leaves the old file or the new one. A thousand
    pages that can be made again need not wait.
    """
    with beside(path, force=force) as (part,), open(part, "xb") as file:
        file.write(data)
        if wait:
            file.flush()
            os.fsync(file.fileno())


@contextmanager
def beside(*paths: str, force: bool = False) -> Iterator[list[str]]:
    """Temporary names to write to, with the same endings; at the end all are renamed, or removed if anything fails."""
    for path in paths:
        check_free(path, force=force)
    parts = [_temporary_name(path) for path in paths]
    try:
        yield parts
        for part, path in zip(parts, paths, strict=True):
            os.replace(part, path)
    except OSError as error:
        raise BadFile(say("formats.file.unwritable", why=cause(error)), at=", ".join(paths)) from None
    except ArpadError as error:
        if error.at in parts:
            error.at = paths[parts.index(error.at)]
        raise
    finally:
        for part in parts:
            with suppress(OSError):
                os.unlink(part)


def _temporary_name(path: str) -> str:
    folder, name = os.path.split(path)
    stem, ending = os.path.splitext(name)
    return os.path.join(folder, f".{stem}.{os.getpid()}.part{ending}")


LEFT_BEHIND = re.compile(r"\..+\.\d+\.part(\.\w+)?")  # the temporary name of a file whose writer was killed


def left_behind(folder: str) -> list[str]:
    """What writers that were killed left in a folder."""
    return [name for name in os.listdir(folder) if LEFT_BEHIND.fullmatch(name)]


def check_free(path: str, *, force: bool) -> None:
    """Refuse, before any work, to overwrite an existing file."""
    if not force and os.path.lexists(path):
        raise BadInput(say("formats.file.exists"), at=path)


def check_outputs(outputs: Iterable[str], inputs: Iterable[str], *, force: bool) -> None:
    """Refuse, before any work, an output that exists, that is also an input, or that is named twice."""
    places = [os.path.realpath(path) for path in outputs]
    read = {os.path.realpath(path) for path in inputs}
    for path, place in zip(outputs, places, strict=True):
        if place in read:
            raise BadInput(say("formats.file.is_input"), at=path)
        if places.count(place) > 1:
            raise BadInput(say("formats.file.same_output"), at=path)
        check_free(path, force=force)


def safe_cell(value: object) -> object:
    """A cell for CSV: a text that a spreadsheet program would take for a formula gets an apostrophe."""
    unsafe = isinstance(value, str) and re.match(FORMULA, value) is not None
    return f"{APOSTROPHE}{value}" if unsafe else value


def plain_cell(text: str) -> str:
    """A cell without the apostrophe that `safe_cell` added."""
    bare = text.removeprefix(APOSTROPHE)
    return bare if re.match(FORMULA, bare) else text
