"""A starting list as the text file of players that Swiss-Manager imports.

The file has semicolons, a line of German headings, UTF-8 without a mark and lines that end in CR LF. In the program:
Other, Data Import/Export, on the side of the import, player data (text file).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from arpad.core.tournaments import Oddity
from arpad.formats.text import one_line
from arpad.messages import say

if TYPE_CHECKING:
    from arpad.core.tournaments import Entrant, Tournament

NAME = "swiss-manager"
HEADINGS = (
    "Nr", "Name", "Titel", "Identnr", "EloNat", "EloInt", "Geburt", "Fed", "Sex", "Typ", "Gr", "KlubNr", "Klub",
    "FideIdent", "Quelle", "Pkt", "Wtg1", "Wtg2", "Wtg3", "Wtg4", "Wtg5", "Wtg6", "Rang", "Nachname", "Vorname",
    "Atitel",
)  # fmt: skip
NONE = "0"  # the program's way to say that there is no rating, club or ID
END = "\r\n"


def player_text(tournament: Tournament) -> tuple[bytes, tuple[Oddity, ...]]:
    """The file, and what it has no place for."""
    rows = [";".join(HEADINGS)]
    for entrant in tournament.entrants:
        cells = {heading: value(entrant) for heading, value in VALUES.items()}
        rows.append(";".join(cells.get(heading, "") for heading in HEADINGS))
    lost = [Oddity(say("formats.swiss_manager.event"), lost=True)] if tournament.name else []
    years = [entrant.no for entrant in tournament.entrants if entrant.born is None and entrant.player.birth_year]
    if years:
        lost.append(Oddity(say("formats.swiss_manager.year", numbers=years)))
    return (END.join(rows) + END).encode("utf-8", "replace"), tuple(lost)


def _born(entrant: Entrant) -> str:
    """The date of birth; of a player whose year alone is known, its first day, which is named as a remark."""
    year = entrant.player.birth_year
    return f"{entrant.born:%d.%m.%Y}" if entrant.born is not None else f"01.01.{year}" if year else ""


def _text(value: object) -> str:
    return one_line(str(value)).replace(";", ",") if value else ""


def _surname(entrant: Entrant) -> str:
    return _text(entrant.called.partition(",")[0].strip())


def _given(entrant: Entrant) -> str:
    return _text(entrant.called.partition(",")[2].strip())


VALUES: Mapping[str, Callable[[Entrant], str]] = {
    "Nr": lambda entrant: str(entrant.no),
    "Name": lambda entrant: f"{_surname(entrant)} {_given(entrant)}".strip(),
    "Titel": lambda entrant: _text(entrant.player.title),
    "Identnr": lambda entrant: _text(entrant.national_id),
    "EloNat": lambda _: NONE,
    "EloInt": lambda entrant: str(entrant.player.rating or NONE),
    "Geburt": _born,
    "Fed": lambda entrant: _text(entrant.player.federation),
    "Sex": lambda entrant: "W" if entrant.player.sex == "w" else "",
    "KlubNr": lambda _: NONE,
    "FideIdent": lambda entrant: str(entrant.player.fide_id or NONE),
    "Nachname": _surname,
    "Vorname": _given,
}
