"""The reader of a file that is no tournament report: recognised by how it begins, or else read as a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from arpad.errors import BadInput
from arpad.formats.chess_results_xml import is_chess_results, read_chess_results
from arpad.formats.games import read_pgn
from arpad.formats.jet import is_jet
from arpad.formats.json_file import is_json, read_json
from arpad.formats.papi import read_papi
from arpad.formats.sharly import is_sqlite, read_sharly
from arpad.formats.tables import read_table
from arpad.formats.text import EXCEL
from arpad.formats.tunx import is_tunx, read_tunx
from arpad.formats.uschess_files import is_rated_section, is_report, is_report_archive, read_rated_section, read_report
from arpad.formats.uschess_files import with_siblings as report_with_siblings
from arpad.messages import say
from arpad.reading.pgn import is_pgn

Reader = TypeVar("Reader")
if TYPE_CHECKING:
    from arpad.core.tournaments import Tournament

    Progress = Callable[[int, int], object]
    Known = Sequence[tuple[Callable[..., bool], Reader]]
    Reading = Callable[[Mapping[str, str] | None, Progress | None, bool], Tournament]

# How to recognise files, and their readers: those with several tournaments or sections, of which one is read, other
# binary files, and texts by their first lines. Any other text is read as a table.
SECTIONED: Known[Callable[[bytes, str, str | None], Tournament]] = (
    (is_sqlite, read_sharly),
    (is_report, read_report),
    (is_report_archive, read_report),
)
BINARY: Known[Callable[[bytes, str], Tournament]] = (
    (is_tunx, read_tunx),
    (lambda data, _: is_jet(data), read_papi),
)
TEXTS: Known[Callable[[bytes, str, Progress | None], Tournament]] = (
    (is_chess_results, lambda data, name, _: read_chess_results(data, name)),
    (is_rated_section, lambda data, name, _: read_rated_section(data, name)),
    (is_json, lambda data, name, _: read_json(data, name)),
    (is_pgn, read_pgn),
)


def reader_of(data: bytes, name: str, head: Sequence[str], *, named: bool, section: str | None) -> Reading:
    """What reads the file, given the columns, a progress hook, and whether entries are enough.

    `named` says that the user names columns, so that it is a table; `section` is one of several tournaments in it.
    """
    sectioned = _recognised(SECTIONED, data)
    if sectioned is not None:
        return lambda *_: sectioned(data, name, section)
    if section is not None:
        raise BadInput(say("formats.program.one_only"), at="section")
    binary = _recognised(BINARY, data, name)
    if binary is not None:
        return lambda *_: binary(data, name)
    text = None if named or data.startswith(EXCEL) else _recognised(TEXTS, head)
    if text is not None:
        return lambda _columns, progress, _entries: text(data, name, progress)
    return lambda columns, progress, entries: read_table(data, name, columns, progress, entries=entries)


def _recognised(known: Known[Reader], *given: object) -> Reader | None:
    """The reader of the first kind of file that this is."""
    return next((reads for recognises, reads in known if recognises(*given)), None)


def with_siblings(data: bytes, name: str) -> bytes:
    """A table of a US Chess report together with the files beside it; any other file as it is."""
    return report_with_siblings(data, name) if is_report(data) else data
