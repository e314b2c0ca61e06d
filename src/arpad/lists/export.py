"""A list as Parquet or CSV, one row a player."""

from __future__ import annotations

from os.path import splitext
from typing import TYPE_CHECKING, Any

from arpad.errors import BadFile, BadInput
from arpad.formats.saving import beside
from arpad.lists.layouts import PACES
from arpad.lists.people import valid_lists
from arpad.lists.store import duckdb, reading, run

if TYPE_CHECKING:
    from datetime import date

    from arpad.lists.people import Valid
    from arpad.lists.store import RatingList

FORMS = {".parquet": "FORMAT parquet", ".csv": "FORMAT csv, HEADER"}


def export(
    path: str, *, name: str | None = None, on: date | None = None, data: str | None = None, force: bool = False
) -> tuple[tuple[RatingList, ...], int]:
    """Write the lists valid on a day, the newest of each pace, and give them with the number of their players."""
    form = FORMS.get(splitext(path)[1].lower())
    if form is None:
        raise BadInput(f"'{path}' is not a table Arpad can write; name it {' or '.join(FORMS)}.", at="file")
    with beside(path, force=force) as (part,), reading(data, whole=True) as connection:
        valid = valid_lists(connection, name, on)
        place = part.replace("'", "''")
        try:
            ((rows,),) = run(connection, f"COPY ({wide(valid)}) TO '{place}' ({form})")
        except duckdb().IOException:
            raise BadFile(
                "The file cannot be written; look at its folder and at the room on the disk.", at=part
            ) from None
    return valid.lists, int(rows)


def wide(valid: Valid) -> str:
    """The lists as one row a player, all paces side by side, as SQL; a player of several is as on the newest."""
    columns = ", ".join(
        f"{pace}.rating AS {pace}, {pace}.games AS {pace}_games, {pace}.k AS {pace}_k" for pace in PACES
    )
    joins = " ".join(
        f"LEFT JOIN (FROM rating WHERE list = {valid.paces[pace].list if pace in valid.paces else 'NULL'} "
        f"AND pace = '{pace}') {pace} ON {pace}.id = player.id"
        for pace in PACES
    )
    numbers = ", ".join(str(one.list) for one in valid.lists)
    order = f"list_position([{numbers}], player.list)"
    return (
        f"SELECT DISTINCT ON (player.id) month, player.id, player.name, federation, sex, title, w_title, o_title, "
        f"foa_title, {columns}, born, flag FROM player JOIN list ON list.list = player.list "
        f"LEFT JOIN other_title t ON t.list = player.list AND t.id = player.id {joins} "
        f"WHERE player.list IN ({numbers}) ORDER BY player.id, {order}"
    )


def value_of(chosen: RatingList) -> dict[str, Any]:
    """A list as plain values."""
    return {
        "name": chosen.name, "month": f"{chosen.month:%Y-%m}", "paces": list(chosen.paces), "layout": chosen.layout,
        "players": chosen.players, "bad": chosen.bad,
    }  # fmt: skip
