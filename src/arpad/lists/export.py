"""A list as Parquet or CSV, one row a player."""

from __future__ import annotations

from os.path import splitext
from typing import Any

from arpad.errors import BadFile, BadInput
from arpad.files.saving import beside
from arpad.lists.layouts import PACES
from arpad.lists.people import valid_lists
from arpad.lists.store import duckdb, reading, run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import date

    from arpad.lists.store import RatingList

FORMS = {".parquet": "FORMAT parquet", ".csv": "FORMAT csv, HEADER"}


def export(
    path: str, *, name: str | None = None, on: date | None = None, data: str | None = None, force: bool = False
) -> tuple[RatingList, int]:
    """Write the list valid on a day, and give it with the number of its players."""
    form = FORMS.get(splitext(path)[1].lower())
    if form is None:
        raise BadInput(f"'{path}' is not a table Arpad can write; name it {' or '.join(FORMS)}.", at="file")
    with beside(path, force=force) as (part,), reading(data, whole=True) as connection:
        chosen = valid_lists(connection, name, on).people
        place = part.replace("'", "''")
        try:
            ((rows,),) = run(connection, f"COPY ({wide(chosen)}) TO '{place}' ({form})")
        except duckdb().IOException:
            raise BadFile(
                "The file cannot be written; look at its folder and at the room on the disk.", at=part
            ) from None
    return chosen, int(rows)


def wide(chosen: RatingList) -> str:
    """A list as one row a player, all paces side by side, as SQL."""
    columns = ", ".join(f"{p}.rating AS {p}, {p}.games AS {p}_games, {p}.k AS {p}_k" for p in PACES)
    joins = " ".join(
        f"LEFT JOIN (FROM rating WHERE list = {chosen.list} AND pace = '{p}') {p} ON {p}.id = player.id" for p in PACES
    )
    return (
        f"SELECT DATE '{chosen.month}' AS month, player.id, name, federation, sex, title, w_title, o_title, foa_title, "
        f"{columns}, "
        f"born, flag FROM player LEFT JOIN other_title t ON t.list = player.list AND t.id = player.id {joins} "
        f"WHERE player.list = {chosen.list} ORDER BY player.id"
    )


def value_of(chosen: RatingList) -> dict[str, Any]:
    """A list as plain values."""
    return {
        "name": chosen.name, "month": f"{chosen.month:%Y-%m}", "paces": list(chosen.paces), "layout": chosen.layout,
        "players": chosen.players, "bad": chosen.bad,
    }  # fmt: skip
