"""A US Chess section as a CSV file: one row per player, results as a list of opponent:result.

The columns are in `COLUMNS`; `id` and `results` are required, the others may be left out or left empty:

    id,rating,games,results
    1,554.22,,4:1 2:1 6:1
    2,445.28,21,5:1 1:0 4:1

A result is written as everywhere else, the opponent's id in place of a rating: `4:win`, `4:½`, `4:0`; a forfeit is
`4:+` or `4:-`, and `bye` is a bye. Neither is rated.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from arpad.core import LOSS
from arpad.errors import ArpadError, BadFile, BadInput
from arpad.formats.organiser_tables import yes_or_no
from arpad.formats.text import read_text
from arpad.messages import say
from arpad.reading import parse_date
from arpad.reading.results import ALLOWED, BYE, FORFEITS, score_of
from arpad.systems.uschess.section import Entrant, Result, problem

TEXTS = ("rating", "games", "start", "age", "fide", "peak", "wins", "draws", "events", "floor", "previous", "name")
COLUMNS = ("id", *TEXTS, "born", "adult", "gained_180_days", "gained_3_years", "results")


def read_section(path: str) -> list[Entrant]:
    """The players of a section file; an error names line and column."""
    rows = csv.DictReader(read_text(path).splitlines())
    _check_columns(rows.fieldnames or (), path)
    entrants, lines = [], []
    try:
        for row in rows:
            lines.append(rows.line_num)
            entrants.append(_entrant(row, f"{path}, line {rows.line_num}"))
    except csv.Error as error:
        raise BadFile(say("formats.file.not_csv", why=error), at=f"{path}, line {rows.line_num}") from None
    wrong = problem(entrants)
    if wrong is not None:
        where = f"{path}, line {lines[wrong.place]}, {wrong.field}" if entrants else path
        raise BadFile(wrong.says, at=where)
    return entrants


def _check_columns(names: Sequence[str], path: str) -> None:
    unknown = sorted(set(names) - set(COLUMNS))
    missing = [name for name in ("id", "results") if name not in names]
    if missing:
        raise BadFile(say("formats.section.missing", missing=missing), at=f"{path}, line 1")
    if unknown or len(set(names)) < len(names):
        key = "formats.section.unknown" if unknown else "formats.section.duplicate"
        raise BadFile(say(key, unknown=unknown, allowed=", ".join(COLUMNS)), at=f"{path}, line 1")


def _entrant(row: Mapping[Any, Any], at: str) -> Entrant:
    """A row as a player; an error names the column."""
    if None in row or None in row.values():
        raise BadFile(say("formats.section.fields"), at=at)
    given = {name: value.strip() for name, value in row.items() if value.strip()}
    try:
        if "id" not in given:
            raise BadInput(say("formats.section.id"), at="id")
        if given.get("rating", "").lower() == "unrated":
            del given["rating"]
        return Entrant(
            given["id"],
            [_result(word) for word in given.get("results", "").split()],
            **{name: given[name] for name in (*TEXTS, "gained_180_days", "gained_3_years") if name in given},
            born=parse_date(given["born"], at="born") if "born" in given else None,
            adult="adult" in given and yes_or_no(given["adult"]),
        )
    except ArpadError as error:
        raise BadFile(error.said, at=", ".join(filter(None, (at, error.at)))) from None


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


def entrants_of(players: Sequence[SectionPlayer]) -> list[Entrant]:
    """The players of a section; an error names player and column."""
    texts = ({field.name: getattr(player, field.name) for field in fields(SectionPlayer)} for player in players)
    entrants = [_entrant(row, f"players[{place}]") for place, row in enumerate(texts)]
    wrong = problem(entrants)
    if wrong is not None:
        raise BadFile(wrong.says, at=f"players[{wrong.place}], {wrong.field}" if entrants else "players")
    return entrants


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
