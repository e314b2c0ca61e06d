"""The valid lists as Parquet or CSV, with one row per player."""

from __future__ import annotations

from os.path import splitext
from typing import TYPE_CHECKING

from arpad.errors import BadFile, BadInput
from arpad.formats.saving import FORMULA, beside
from arpad.lists.players import valid_lists
from arpad.lists.store import PACES, duckdb, reading, run
from arpad.messages import say

if TYPE_CHECKING:
    from datetime import date

    from arpad.lists.players import ValidLists
    from arpad.lists.store import RatingList

FREE_TEXTS = ("name", "federation", "sex", "title", "w_title", "o_title", "foa_title", "flag")
FORMATS = {".parquet": "FORMAT parquet", ".csv": "FORMAT csv, HEADER"}


def export_lists(
    path: str, *, name: str | None = None, on: date | None = None, data: str | None = None, force: bool = False
) -> tuple[tuple[RatingList, ...], int]:
    """Write the lists valid on a day, and return them with the number of their players."""
    ending = splitext(path)[1].lower()
    options = FORMATS.get(ending)
    if options is None:
        raise BadInput(say("lists.export.format", file=path, endings=list(FORMATS)), at="file")
    with beside(path, force=force) as (part,), reading(data, all_cores=True) as connection:
        valid = valid_lists(connection, name, on)
        quoted = part.replace("'", "''")
        try:
            ((rows,),) = run(connection, f"COPY ({_rows_to_write(valid, ending)}) TO '{quoted}' ({options})")
        except duckdb().IOException:
            raise BadFile(say("lists.export.unwritable"), at=part) from None
    return valid.lists, int(rows)


def _rows_to_write(valid: ValidLists, ending: str) -> str:
    """SQL for the rows to write; in CSV, texts that a spreadsheet program would run as formulas are made safe."""
    rows = _row_per_player(valid)
    if ending != ".csv":
        return rows
    return f"SELECT * REPLACE ({', '.join(map(_safe, FREE_TEXTS))}) FROM ({rows})"


def _safe(column: str) -> str:
    """SQL for a text with an apostrophe if it looks like a formula; `safe_cell` does the same in Python."""
    pattern = FORMULA.replace("'", "''")
    unsafe = f"regexp_matches({column}, '{pattern}')"
    return f"CASE WHEN {unsafe} THEN '''' || {column} ELSE {column} END AS {column}"


def _row_per_player(valid: ValidLists) -> str:
    """SQL for each player as on the newest list, with the newest rating of each pace."""
    numbers = ", ".join(str(found.list) for found in valid.lists)
    ratings = ", ".join(f"{pace}_list.{column}" for pace in PACES for column in (pace, f"{pace}_games", f"{pace}_k"))
    joins = " ".join(
        f"LEFT JOIN player {pace}_list ON {pace}_list.id = person.id "
        f"AND {pace}_list.list = {valid.paces[pace].list if pace in valid.paces else 'NULL'}"
        for pace in PACES
    )
    return (
        "SELECT month, person.id, person.name, person.federation, person.sex, person.title, person.w_title, "
        f"person.o_title, person.foa_title, {ratings}, person.born, person.flag "
        f"FROM (SELECT DISTINCT ON (id) * FROM player WHERE list IN ({numbers}) "
        f"ORDER BY id, list_position([{numbers}], list)) AS person "
        f"JOIN list ON list.list = person.list {joins} ORDER BY person.id"
    )
