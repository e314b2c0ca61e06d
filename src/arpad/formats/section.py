"""A US Chess section as a CSV file: one row per player, results as a list of opponent:result.

The columns are in `COLUMNS`; `id` and `results` are required, the others may be left out or left empty:

    id,rating,games,results
    1,554.22,,4:1 2:1 6:1
    2,445.28,21,5:1 1:0 4:1

A result is written as everywhere else, the opponent's id in place of a rating: `4:win`, `4:½`, `4:0`; a forfeit is
`4:+` or `4:-`, and `bye` is a bye. Neither is rated.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from arpad.core import LOSS
from arpad.errors import BadFile, BadInput
from arpad.formats.organiser_tables import yes_or_no
from arpad.formats.text import CsvTable, in_row, place, read_text
from arpad.messages import say
from arpad.reading import parse_date
from arpad.reading.results import ALLOWED, BYE, FORFEITS, score_of
from arpad.systems.uschess.section import Entrant, Result, problem

GAINED = ("gained_180_days", "gained_3_years")
TEXTS = (
    "rating", "games", "start", "age", "fide", "peak", "wins", "draws", "events", "floor", "previous", "name", *GAINED,
)  # fmt: skip
COLUMNS = ("id", *TEXTS[: -len(GAINED)], "born", "adult", *GAINED, "results")


def read_section(path: str) -> list[Entrant]:
    """The players of a section file; an error names line and column."""
    table = CsvTable(read_text(path), path)
    _check_columns(table.columns, path)
    return _entrants(table.rows(complete=True), path)


def entrants_of(players: Sequence[SectionPlayer]) -> list[Entrant]:
    """The players of a section; an error names player and column."""
    rows = ({name: text.strip() for name, text in asdict(player).items() if text.strip()} for player in players)
    return _entrants(((f"players[{number}]", row) for number, row in enumerate(rows)), "players")


def _check_columns(names: Sequence[str], path: str) -> None:
    unknown = sorted(set(names) - set(COLUMNS))
    missing = [name for name in ("id", "results") if name not in names]
    if missing:
        raise BadFile(say("formats.section.missing", missing=missing), at=place(path, 1))
    if unknown or len(set(names)) < len(names):
        key = "formats.section.unknown" if unknown else "formats.section.duplicate"
        raise BadFile(say(key, unknown=unknown, allowed=", ".join(COLUMNS)), at=place(path, 1))


def _entrants(rows: Iterable[tuple[str, Mapping[str, str]]], name: str) -> list[Entrant]:
    """Each row as a player; an error about them all has the name of the section."""
    entrants, places = [], []
    for at, row in rows:
        places.append(at)
        with in_row(at):
            entrants.append(_entrant(row))
    wrong = problem(entrants)
    if wrong is not None:
        raise BadFile(wrong.says, at=f"{places[wrong.place]}, {wrong.field}" if entrants else name)
    return entrants


def _entrant(row: Mapping[str, str]) -> Entrant:
    """A row as a player; an error names the column."""
    if "id" not in row:
        raise BadInput(say("formats.section.id"), at="id")
    known: dict[str, Any] = {name: text for name, text in row.items() if name in TEXTS}
    if known.get("rating", "").lower() == "unrated":
        del known["rating"]
    return Entrant(
        row["id"],
        [_result(word) for word in row.get("results", "").split()],
        **known,
        born=parse_date(row["born"], at="born") if "born" in row else None,
        adult="adult" in row and yes_or_no(row["adult"]),
    )


def _result(word: str) -> Result:
    """`4:win`, `4:½`, `4:0`, a forfeit `4:+`, or `bye`."""
    if word.lower() == BYE:
        return Result(None, LOSS, "bye")
    opponent, colon, result = word.rpartition(":")
    if not colon or not opponent:
        raise BadInput(say("formats.section.result", word=word), at="results")
    result = result.lower()
    if result in FORFEITS:
        return Result(opponent, FORFEITS[result], "forfeit")
    score = score_of(result)
    if score is None:
        raise BadInput(say("formats.section.score", result=result, allowed=ALLOWED), at="results")
    return Result(opponent, score)


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionPlayer:
    """A player of a section as texts, with a field for each column."""

    id: str
    results: str = ""
    rating: str = ""
    games: str = ""
    start: str = ""
    age: str = ""
    fide: str = ""
    peak: str = ""
    wins: str = ""
    draws: str = ""
    events: str = ""
    floor: str = ""
    previous: str = ""
    name: str = ""
    born: str = ""
    adult: str = ""
    gained_180_days: str = ""
    gained_3_years: str = ""
