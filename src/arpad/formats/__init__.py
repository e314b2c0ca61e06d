"""Tournament files: read by their content, written by the format's name or the file's, with what was lost.

Reading is tolerant, and errors name path, line and column.
"""

from __future__ import annotations

import os
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Literal, Protocol, get_args

from arpad.core import DwzStanding, EloStanding
from arpad.core.tournaments import Entrant, Oddity, Tournament, as_tournament
from arpad.errors import ArpadError, BadFile, BadInput, UnknownName, cause
from arpad.formats.saving import save
from arpad.formats.text import DBASE, EXCEL, OLD_EXCEL, one_line
from arpad.messages import say

if TYPE_CHECKING:
    Progress = Callable[[int, int], object]  # called with how much is done, and of how much
    Path = str | os.PathLike[str]
    Written = tuple[bytes, tuple[Oddity, ...]]


MOST_BYTES = 50_000_000
HEAD = 65_536  # bytes from which the format is recognised
REPORTS = (".trf", ".trfx")
PROGRAMS = (".tunx", ".turx", ".tutx", ".tumx", ".papi", ".sce")  # of pairing programs' own files
TABLES = (".txt", ".csv", ".tsv", ".xlsx", ".html", ".htm", ".md", ".pgn", ".json", ".xml", ".dbf")  # of other files
WrittenFormat = Literal["trf16", "trf26", "csv", "xlsx", "json"]
FORMATS: tuple[WrittenFormat, ...] = get_args(WrittenFormat)
FAMILIES = {"trf16": "trf", "trf26": "trf"}
EXTENSIONS = {".trf": "trf", ".trfx": "trf", ".csv": "csv", ".xlsx": "xlsx", ".json": "json"}
FACTS = (
    "name", "city", "federation", "start", "end", "kind", "time_control", "pace", "arbiter", "deputies", "rounds",
    "round_days", "scoring", "match_scoring", "adjustments", "teams", "records",
)  # fmt: skip

# Each edition of a report keeps those it has a code for; its writer names the rest.
CODED = ("adjustments", "records")
ENTRANT = tuple(field.name for field in fields(Entrant) if field.name not in ("no", "player", "line"))
PLAYER = ("name", "title", "rating", "federation", "fide_id", "birth_year", "sex")


class OpenFile(Protocol):
    """An open file, or anything else that gives its content when it is read, such as an upload."""

    def read(self, size: int = ..., /) -> bytes | str: ...


def read(
    source: Path | bytes | OpenFile,
    columns: Mapping[str, str] | None = None,
    progress: Progress | None = None,
    *,
    name: str | None = None,
    entries: bool = False,
    section: str | None = None,
) -> Tournament:
    """The tournament in a file: TRF06, TRF16, TRF26, a table as text, Excel or HTML, PGN's headers, or Arpad's JSON.

    Swiss-Manager's own files (.TUNX, .TURX, .TUTX, .TUMX) and those of Papi, Sharly Chess and US Chess and the XML for
    chess-results.com are read as well.

    Accepts a path, the bytes of a file, or an open file; `name` is what errors call it, and its extension helps to
    recognise a format (default: the path, or the name of the open file). `columns` names columns of a table that are
    not recognised, Arpad's name first: {"no": "Nr", "r1": "Runde A"}. With `entries`, a table may be a list of players
    without rounds. `section` is the number or the name of one of several tournaments in the file.

    Gives a Tournament, with what was odd in the file. Raises BadFile for a file that cannot be read, with the line.
    """
    if isinstance(source, str | os.PathLike):
        data, called = _file_of(os.fspath(source))
    elif isinstance(source, bytes | bytearray | memoryview):
        data, called = bytes(source), str(say("formats.file.given_bytes"))
    elif hasattr(source, "read"):
        called = str(getattr(source, "name", None) or say("formats.file.given_file"))
        content = source.read(MOST_BYTES + 1)
        data = content.encode() if isinstance(content, str) else content
    else:
        raise BadInput(say("formats.file.not_a_source", kind=type(source).__name__), at="source")
    return read_bytes(data, name or called, columns, progress, entries=entries, section=section)


def _file_of(name: str) -> tuple[bytes, str]:
    """The content of the file of that name, and the name."""
    try:
        size = os.stat(name).st_size
        if size > MOST_BYTES:
            raise _too_large(size, name)
        with open(name, "rb") as file:
            data = file.read(MOST_BYTES + 1)
        if data.startswith(DBASE):
            from arpad.formats.uschess_files import with_siblings

            data = with_siblings(data, name)
    except OSError as error:
        raise BadFile(say("formats.file.unreadable", why=cause(error)), at=name) from None
    except ValueError as error:  # a name with a zero byte
        raise error if isinstance(error, BadFile) else BadFile(say("formats.file.name"), at=name) from None
    return data, name


def _too_large(size: int, name: str) -> BadFile:
    megabyte = 1_000_000
    return BadFile(say("formats.file.large", size=round(size / megabyte), most=MOST_BYTES // megabyte), at=name)


def read_bytes(
    data: bytes,
    name: str,
    columns: Mapping[str, str] | None = None,
    progress: Progress | None = None,
    *,
    entries: bool = False,
    section: str | None = None,
) -> Tournament:
    """The tournament in the bytes of a file; `name` is for messages and for its extension."""
    _check(data, name)
    wide = data.startswith((BOM_UTF16_LE, BOM_UTF16_BE))
    start = data[:HEAD].removeprefix(BOM_UTF8)  # decoded well enough to recognise a format
    head = start.decode("utf-16" if wide else "latin-1", "ignore").splitlines()
    if not columns and section is None and not data.startswith((EXCEL, DBASE)):
        from arpad.formats.trf import is_trf, read_trf

        if name.lower().endswith(REPORTS) or is_trf(head):
            return read_trf(data, name, progress)
    return _read_other(data, name, head, columns, progress, entries=entries, section=section)


def _read_other(
    data: bytes,
    name: str,
    head: Sequence[str],
    columns: Mapping[str, str] | None,
    progress: Progress | None,
    *,
    entries: bool,
    section: str | None,
) -> Tournament:
    """The tournament in a file that is no report, recognised by how it begins; any other text is read as a table."""
    from arpad.formats.chess_results_xml import is_chess_results, read_chess_results
    from arpad.formats.games import read_pgn
    from arpad.formats.jet import is_jet
    from arpad.formats.json_file import is_json, read_json
    from arpad.formats.papi import read_papi
    from arpad.formats.sharly import is_sqlite, read_sharly
    from arpad.formats.tables import read_table
    from arpad.formats.tunx import is_tunx, read_tunx
    from arpad.formats.uschess_files import (
        is_rated_section,
        is_report,
        is_report_archive,
        read_rated_section,
        read_report,
    )
    from arpad.reading.pgn import is_pgn

    if is_sqlite(data):
        return read_sharly(data, name, section)
    if is_report(data) or is_report_archive(data):
        return read_report(data, name, section)
    if section is not None:
        raise BadInput(say("formats.program.one_only"), at="section")
    if is_tunx(data, name):
        return read_tunx(data, name)
    if is_jet(data):
        return read_papi(data, name)
    is_text = not columns and not data.startswith(EXCEL)  # whoever names columns has a table
    if is_text and is_chess_results(head):
        return read_chess_results(data, name)
    if is_text and is_rated_section(head):
        return read_rated_section(data, name)
    if is_text and is_json(head):
        return read_json(data, name)
    if is_text and is_pgn(head):
        return read_pgn(data, name, progress)
    return read_table(data, name, columns, progress, entries=entries)


def _check(data: bytes, name: str) -> None:
    """Refuse what no reader needs to look at."""
    if len(data) > MOST_BYTES:
        raise _too_large(len(data), name)
    if not data.strip():
        raise BadFile(say("formats.file.empty"), at=name)
    if data.startswith(OLD_EXCEL):
        raise BadFile(say("formats.file.old_excel"), at=name)


def columns_of(text: str, *, at: str = "columns") -> dict[str, str]:
    """Columns named by the user, Arpad's name first: `no=Nr,name=Spieler`."""
    pairs = [part.partition("=") for part in text.split(",")]
    if not all(equals and ours.strip() and theirs.strip() for ours, equals, theirs in pairs):
        raise BadInput(say("formats.table.not_columns", text=text), at=at)
    return {ours.strip(): theirs.strip() for ours, _, theirs in pairs}


def write(
    tournament: Tournament, path: Path, format: WrittenFormat | None = None, *, force: bool = False
) -> tuple[Oddity, ...]:
    """Write a tournament to a file.

    Accepts a tournament, the path of the file, and the format: trf16, trf26, csv, xlsx or json. Without one, the
    extension decides, and an unchanged tournament is written exactly as the file that it was read
    from. With a format, it is always written from its values, strictly. An existing file is kept unless `force` is set.
    Gives what the format has no place for. Raises BadInput if the file exists or the format is not clear, UnknownName
    for an unknown format.
    """
    name = os.fspath(path)
    data, lost = file_bytes(as_tournament(tournament), format, name)
    save(data, name, force=force)
    return lost


def file_bytes(tournament: Tournament, format: str | None = None, name: str = "") -> Written:
    """A tournament as the bytes of a file, and what the format has no place for."""
    if format is not None:
        if format not in FORMATS:
            raise UnknownName("format", format, known=FORMATS, at="format")
        return _encode(tournament, format)
    extension = os.path.splitext(name)[1].lower()
    if extension not in EXTENSIONS:
        raise BadInput(
            say("formats.file.no_format", name=name, endings=list(EXTENSIONS), formats=list(FORMATS)), at="format"
        )
    family = EXTENSIONS[extension]
    source = tournament.source
    if source is not None and source.format.startswith(family) and _unchanged(tournament, source.data, name):
        return source.data, ()
    if family == "trf":
        return _encode(tournament, "trf26" if source is not None and source.format == "trf26" else "trf16")
    return _encode(tournament, family)


def _encode(tournament: Tournament, format: str) -> Written:
    """The file in a format, and what was lost: the bytes are read back and compared."""
    data, lost = _written(tournament, format)
    try:
        again = read_bytes(data, f"{format}.{FAMILIES.get(format, format)}")
    except ArpadError as refusal:  # an inconsistent event may make the meaning of a column unclear
        return data, (*lost, Oddity(say("formats.lost.refused", why=refusal.said), lost=True))
    return data, (*lost, *_losses(tournament, again))


def _written(tournament: Tournament, format: str) -> Written:
    """The file in a format, and what the writer knows to be lost; only this format's writer is loaded."""
    if format == "json":
        from arpad.formats.json_file import json_text

        return json_text(tournament), ()
    if format in FAMILIES:
        from arpad.formats.trf.writer import trf_report

        return trf_report(tournament, format)
    from arpad.formats.sheets import csv_table, excel_table

    return (csv_table if format == "csv" else excel_table)(tournament), ()


def _losses(tournament: Tournament, again: Tournament) -> tuple[Oddity, ...]:
    """The facts about the event and its players that differ in the file that was read back."""
    report = again.source is not None and again.source.format.startswith("trf")
    facts = dict.fromkeys(  # the time control and its pace are one thing to a reader
        str(say(f"formats.fact.{name}"))
        for name in FACTS
        if not (report and name in CODED) and _differs(_fact(tournament, name), _fact(again, name), report=report)
    )
    lost = [Oddity(say("formats.lost.facts", facts=", ".join(facts)), lost=True)] if facts else []
    numbers: dict[str, list[int]] = {}
    kept = {entrant_again.no: entrant_again for entrant_again in again.entrants}
    for entrant in tournament.entrants:
        for name in _changed(entrant, kept.get(entrant.no), report=report):
            numbers.setdefault(name, []).append(entrant.no)
    lost += [
        Oddity(say("formats.lost.players", what=say(f"formats.of_player.{name}"), numbers=found), lost=True)
        for name, found in numbers.items()
    ]
    return tuple(lost)


def _differs(before: object, after: object, *, report: bool) -> bool:
    """Whether a value has changed; a text cut short in a report does not count, as the writer has named it."""
    if isinstance(before, str):
        before = one_line(before) or None
    if report and isinstance(before, str) and isinstance(after, str) and before.startswith(after):
        return False
    return before != after


def _fact(tournament: Tournament, name: str) -> object:
    """A fact about the event; records come without their line numbers."""
    value: object = getattr(tournament, name)
    return [(record.code, record.fields) for record in tournament.records] if name == "records" else value


def _changed(entrant: Entrant, again: Entrant | None, *, report: bool) -> Iterator[str]:
    """The fields of a player that were lost or changed."""
    if again is None:
        yield "line"
        return
    for names, before, after in ((ENTRANT, entrant, again), (PLAYER, entrant.player, again.player)):
        yield from (name for name in names if _differs(getattr(before, name), getattr(after, name), report=report))
    if EloStanding.of(entrant.player).k != EloStanding.of(again.player).k:
        yield "k"
    if DwzStanding.of(entrant.player).index != DwzStanding.of(again.player).index:
        yield "index"


def _unchanged(tournament: Tournament, data: bytes, name: str) -> bool:
    """Whether a tournament is still what its file says; false for a table that cannot be read without named columns."""
    try:
        return read_bytes(data, name) == tournament
    except ArpadError:
        return False
