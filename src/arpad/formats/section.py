"""A US Chess section as a CSV file: one row a player, results as a list of opponent:result.

The columns are in `COLUMNS`; `id` and `results` must be there, the others may be left out or left empty:

    id,rating,games,results
    1,554.22,,4:1 2:1 6:1
    2,445.28,21,5:1 1:0 4:1

A result is written as everywhere else, the opponent's id in place of a rating: `4:win`, `4:½`, `4:0`; a forfeit is
`4:+` or `4:-`, and `bye` is a bye. Neither is rated.
"""

from __future__ import annotations

import csv
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arpad.core import LOSS
from arpad.errors import ArpadError, BadFile, BadInput
from arpad.reading.notation import parse_date
from arpad.reading.results import ALLOWED, BYE, FORFEITS, score_of
from arpad.systems.uschess.entrant import Entrant, Result, problem

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

TEXTS = ("rating", "games", "start", "age", "fide", "peak", "wins", "draws", "events", "floor", "previous", "name")
COLUMNS = ("id", *TEXTS, "born", "adult", "gained_180_days", "gained_3_years", "results")
YES, NO = ("yes", "true", "1"), ("no", "false", "0", "")


def read_section(path: str) -> list[Entrant]:
    """Read a section file, or a BadFile that names line and column."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise BadFile(f"The file cannot be read: {error.strerror}.", at=path) from None
    except UnicodeDecodeError:
        raise BadFile("The file is not text in UTF-8; save it as CSV in UTF-8.", at=path) from None
    rows = csv.DictReader(text.splitlines())
    _check_columns(rows.fieldnames or (), path)
    entrants, lines = [], []
    try:
        for row in rows:
            lines.append(rows.line_num)
            entrants.append(_entrant(row, f"{path}, line {rows.line_num}"))
    except csv.Error as error:
        raise BadFile(f"The file is not CSV: {error}.", at=f"{path}, line {rows.line_num}") from None
    wrong = problem(entrants)
    if wrong is not None:
        where = f"{path}, line {lines[wrong.place]}, {wrong.field}" if entrants else path
        raise BadFile(wrong.says, at=where)
    return entrants


def entrants_of(players: Sequence[Mapping[str, str]]) -> list[Entrant]:
    """The players of a section by the names of the columns, or a BadFile that names player and column."""
    blank = dict.fromkeys(COLUMNS, "")
    entrants = [_entrant({**blank, **player}, f"players[{place}]") for place, player in enumerate(players)]
    wrong = problem(entrants)
    if wrong is not None:
        raise BadFile(wrong.says, at=f"players[{wrong.place}], {wrong.field}" if entrants else "players")
    return entrants


def _check_columns(names: Any, path: str) -> None:
    unknown = sorted(set(names) - set(COLUMNS))
    missing = [name for name in ("id", "results") if name not in names]
    if missing:
        raise BadFile(
            f"A section file needs the columns id and results; missing: {', '.join(missing)}. "
            f"The first line names the columns, with commas between.",
            at=f"{path}, line 1",
        )
    if unknown or len(set(names)) < len(names):
        what = f"Unknown columns: {', '.join(unknown)}" if unknown else "A column stands twice"
        raise BadFile(f"{what}. Allowed are {', '.join(COLUMNS)}.", at=f"{path}, line 1")


def _entrant(row: Mapping[Any, Any], at: str) -> Entrant:
    """A row as a player, with the column of whatever is wrong."""
    if None in row or None in row.values():
        raise BadFile("The line has more or fewer fields than the first one.", at=at)
    given = {name: value.strip() for name, value in row.items() if value.strip()}
    try:
        if "id" not in given:
            raise BadInput("Each player needs an id.", at="id")
        if given.get("rating", "").lower() == "unrated":
            del given["rating"]
        return Entrant(
            given["id"],
            [_result(word) for word in given.get("results", "").split()],
            **{name: given[name] for name in (*TEXTS, "gained_180_days", "gained_3_years") if name in given},
            born=_born(given["born"]) if "born" in given else None,
            adult=_adult(given.get("adult", "")),
        )
    except ArpadError as error:
        raise BadFile(error.message, at=", ".join(filter(None, (at, error.at)))) from None


def _result(word: str) -> Result:
    """`4:win`, `4:½`, `4:0`, a forfeit `4:+`, or `bye`."""
    if word.lower() == BYE:
        return Result(None, LOSS, "bye")
    opponent, colon, result = word.rpartition(":")
    if not colon or not opponent:
        raise BadInput(f"'{word}' is not a result; write opponent:result, for example 4:win.", at="results")
    result = result.lower()
    if result in FORFEITS:
        return Result(opponent, FORFEITS[result], "forfeit")
    score = score_of(result)
    if score is None:
        raise BadInput(f"'{result}' is not a result; a result is {ALLOWED}.", at="results")
    return Result(opponent, score)


def _born(text: str) -> date:
    return parse_date(text, at="born")


def _adult(text: str) -> bool:
    if text.lower() not in (*YES, *NO):
        raise BadInput(f"'{text}' is neither yes nor no.", at="adult")
    return text.lower() in YES
