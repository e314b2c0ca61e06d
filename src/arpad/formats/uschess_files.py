"""US Chess's own files: the rating report that is sent in (dBase, format 2C), and a rated section from the ratings API.

A report is three tables: THEXPORT.DBF (the event), TSEXPORT.DBF (its sections) and TDEXPORT.DBF (the players and their
results). They are read together from one folder or one ZIP file; the last one alone has players and results only.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from arpad.core import DRAW, LOSS, WIN
from arpad.core.tournaments import (
    ABSENT,
    FORFEIT,
    FULL_BYE,
    HALF_BYE,
    PENDING,
    PLAYED,
    ZERO_BYE,
    Round,
    Source,
    Tournament,
)
from arpad.errors import BadFile
from arpad.formats.programs import ISO_DAY, PLAIN_DAY, Roster, check_rounds, chosen, day_of, joined, refused, text_of
from arpad.formats.trf.event import pace_of
from arpad.messages import say

Cells = Mapping[str, str]
PROGRAM = "US Chess"

# Each table of a report by the letter of its columns, and a column that no other dBase file has.
EVENT, SECTIONS, PLAYERS = "H", "S", "D"
MARKS = {EVENT: "H_FORMAT", SECTIONS: "S_SEC_NUM", PLAYERS: "D_SEC_NUM"}
ZIP = b"PK\x03\x04"
FILE = re.compile(r"T([HSD])EXPORT\.DBF", re.IGNORECASE)
DBASE_3 = 3
FIELD = 32  # bytes of the head, and of each field's description
END_OF_FIELDS, DELETED = 0x0D, ord("*")
MOST_UNPACKED, MOST_ROWS = 50_000_000, 100_000  # bytes of the tables, rows of each
CELL = re.compile(r"([A-Z])\s*(\d{0,4})\s*([WB]?)")
GAMES = {
    "W": (PLAYED, WIN), "D": (PLAYED, DRAW), "L": (PLAYED, LOSS),
    "X": (FORFEIT, WIN), "F": (FORFEIT, LOSS), "Z": (FORFEIT, LOSS),
}  # fmt: skip
ALONE = {"B": FULL_BYE, "X": FULL_BYE, "H": HALF_BYE, "Z": ZERO_BYE, "F": ZERO_BYE, "U": ABSENT}
WHITE_OR_BLACK = {"W": "white", "B": "black", "White": "white", "Black": "black"}
KINDS = {"S": "Swiss", "R": "Round Robin", "RoundRobin": "Round Robin", "DoubleRoundRobin": "Double Round Robin"}
KINDS |= {"DoubleRoundSwiss": "Swiss"}
REGULAR, DUAL = "R", "D"
LISTS = {
    "R": "regular", "Q": "quick", "B": "blitz", "OR": "online regular", "OQ": "online quick", "OB": "online blitz",
}  # fmt: skip

OUTCOMES = {
    "Win": (PLAYED, WIN), "Draw": (PLAYED, DRAW), "Loss": (PLAYED, LOSS),
    # The two players have different results, so the check of the file will name them.
    "WinAsym": (PLAYED, WIN), "DrawAsym": (PLAYED, DRAW), "LossAsym": (PLAYED, LOSS),
    "WinForfeit": (FORFEIT, WIN), "DrawForfeit": (FORFEIT, DRAW), "Forfeit": (FORFEIT, LOSS),
    "NotReported": (PENDING, None), "ReportNoResult": (PENDING, None),
}  # fmt: skip
WITHOUT_OPPONENT = {
    "ByeFull": FULL_BYE, "ByeHalf": HALF_BYE, "Unpaired": ABSENT, "WinForfeit": FULL_BYE, "DrawForfeit": HALF_BYE,
    "Forfeit": ZERO_BYE, "NotReported": ABSENT, "ReportNoResult": ABSENT,
}  # fmt: skip


def is_report(data: bytes) -> bool:
    """Whether this is a table of a rating report."""
    return data[:1] == bytes([DBASE_3]) and any(mark.encode() in data[:4096] for mark in MARKS.values())


def is_report_archive(data: bytes) -> bool:
    """Whether this is a ZIP file with a rating report in it."""
    if not data.startswith(ZIP):
        return False
    import zipfile

    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            return any(FILE.fullmatch(os.path.basename(part.filename)) for part in archive.infolist())
    except Exception:  # noqa: BLE001  # a damaged archive may raise anything; the reader of Excel files refuses it
        return False


def with_siblings(data: bytes, path: str) -> bytes:
    """The three tables of a report in one folder as a ZIP file; a table that is alone, and any other file, as it is."""
    import zipfile

    folder, name = os.path.split(path)
    if not is_report(data) or not FILE.fullmatch(name):
        return data
    names = [other for other in os.listdir(folder or ".") if FILE.fullmatch(other) and other != name]
    if sum(os.path.getsize(os.path.join(folder, other)) for other in names) > MOST_UNPACKED:
        raise BadFile(say("formats.uschess.archive"), at=path)
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(name, data)
        for other in names:
            archive.writestr(other, Path(folder, other).read_bytes())
    return packed.getvalue() if names else data


def read_report(data: bytes, path: str, section: str | None = None) -> Tournament:
    """A section of a rating report, by number or name if there are several; a BadFile if a table is damaged."""
    with refused(PROGRAM, path, IndexError, KeyError, ValueError):
        return _section(_tables(data, path), path, section)


def _tables(data: bytes, path: str) -> dict[str, list[Cells]]:
    """The tables of a report by their letters; an error unless the players are among them."""
    found: dict[str, list[Cells]] = {}
    for part in [data] if is_report(data) else _unpacked(data, path):
        rows, columns = _rows(part)
        letter = next((letter for letter, mark in MARKS.items() if mark in columns), None)
        if letter is not None:
            found[letter] = rows
    if PLAYERS not in found:
        raise BadFile(say("formats.uschess.no_players"), at=path)
    events = {cells.get(f"{letter}_EVENT_ID", "") for letter, rows in found.items() for cells in rows}
    sections = {int(cells["S_SEC_NUM"]) for cells in found.get(SECTIONS, [])}
    played = {int(cells["D_SEC_NUM"]) for cells in found[PLAYERS]}
    if len(events - {""}) > 1 or (sections and not played <= sections):
        raise BadFile(say("formats.uschess.other_event"), at=path)
    return found


def _unpacked(data: bytes, path: str) -> list[bytes]:
    import zipfile

    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            parts = [part for part in archive.infolist() if FILE.fullmatch(os.path.basename(part.filename))]
            small = len(parts) <= len(MARKS) and sum(part.file_size for part in parts) <= MOST_UNPACKED
            unpacked = [archive.read(part) for part in parts] if small else []
    except Exception:  # noqa: BLE001  # a damaged archive may raise anything
        raise BadFile(say("formats.program.damaged", program=PROGRAM), at=path) from None
    if not small:
        raise BadFile(say("formats.uschess.archive"), at=path)
    return unpacked


def _rows(data: bytes) -> tuple[list[Cells], set[str]]:
    """The rows of a dBase III table as texts, and its columns; a ValueError if they do not fill the file."""
    count, start, size = (
        int.from_bytes(data[4:8], "little"),
        *(int.from_bytes(data[at : at + 2], "little") for at in (8, 10)),
    )
    columns: dict[str, slice] = {}
    at, left = FIELD, 1  # a row begins with the mark of deletion
    while data[at] != END_OF_FIELDS:
        name = data[at : at + 11].split(b"\x00")[0].decode("ascii").upper()
        columns[name] = slice(left, left + data[at + 16])
        left += data[at + 16]
        at += FIELD
    if left != size or at >= start or count > MOST_ROWS or start + count * size > len(data):
        raise ValueError("dBase")
    records = (data[start + place * size : start + (place + 1) * size] for place in range(count))
    rows: list[Cells] = [
        {name: _decoded(record[cut]) for name, cut in columns.items()} for record in records if record[0] != DELETED
    ]
    return rows, set(columns)


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8").strip(" \x00")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace").strip(" \x00")


def _section(tables: Mapping[str, list[Cells]], path: str, wanted: str | None) -> Tournament:
    event = next(iter(tables.get(EVENT, [])), {})
    sections = {int(cells["S_SEC_NUM"]): cells for cells in tables.get(SECTIONS, [])}
    names = {number: cells.get("S_SEC_NAME", "") for number, cells in sections.items()}
    names = {int(cells["D_SEC_NUM"]): "" for cells in tables[PLAYERS]} | names
    number = chosen(names, wanted, path)
    facts = sections.get(number, {})
    roster = Roster(path)
    rows = [cells for cells in tables[PLAYERS] if int(cells["D_SEC_NUM"]) == number]
    _put_rounds(roster, rows)
    for cells in rows:
        roster.add(
            int(cells["D_PAIR_NUM"]),
            name=text_of(cells.get("D_NAME")),
            rating=cells.get("D_RATING"),
            national_id=text_of(cells.get("D_MEM_ID")),
        )
    _note_list(facts.get("S_R_SYSTEM", ""), roster)
    given = facts.get("S_TOT_RNDS", "")
    entrants = roster.entrants()
    return Tournament(
        entrants,
        name=_named(event.get("H_NAME"), facts.get("S_SEC_NAME"), len(names)),
        city=", ".join(filter(None, (event.get("H_CITY"), event.get("H_STATE")))) or None,
        start=roster.day(facts.get("S_BEG_DATE") or event.get("H_BEG_DATE"), PLAIN_DAY, ISO_DAY),
        end=roster.day(facts.get("S_END_DATE") or event.get("H_END_DATE"), PLAIN_DAY, ISO_DAY),
        kind=KINDS.get(facts.get("S_TRN_TYPE", ""), facts.get("S_TRN_TYPE") or None),
        time_control=facts.get("S_TIMECTL") or None,
        pace=pace_of(None, facts.get("S_TIMECTL")),
        rounds=check_rounds(max(int(given or 0), roster.last_paired), path),
        oddities=tuple(roster.odd),
        source=Source("uschess-report", b""),
    )


def _note_list(system: str, roster: Roster) -> None:
    """Say whose ratings these are, as far as the file does."""
    if system in LISTS:
        roster.note("formats.uschess.list", lost=False, list=LISTS[system])
    else:
        roster.note("formats.uschess.twice" if system == DUAL else "formats.uschess.ratings", lost=False)


def _named(event: object, section: object, sections: int) -> str | None:
    """The name of an event, with that of the section if there are several."""
    named = [text_of(event), text_of(section)] if sections > 1 or not event else [text_of(event)]
    return ", ".join(filter(None, named)) or None


def _put_rounds(roster: Roster, rows: list[Cells]) -> None:
    """Put the rounds of all players: `W  12B` is a win with Black against number 12."""
    numbers = {int(cells["D_PAIR_NUM"]) for cells in rows}
    for cells in rows:
        for name, text in cells.items():
            if name.startswith("D_RND") and text:
                number = check_rounds(int(name.removeprefix("D_RND")), roster.path)
                roster.put(int(cells["D_PAIR_NUM"]), number, _report_round(text, numbers), text)


def _report_round(text: str, numbers: set[int]) -> Round | None:
    """A round; None if it is not understood."""
    cell = CELL.fullmatch(text.upper())
    if cell is None:
        return None
    letter, opponent = cell[1], int(cell[2] or 0)
    if not opponent:
        return Round(ALONE[letter]) if letter in ALONE else None
    if opponent not in numbers or letter not in GAMES:
        return None
    kind, score = GAMES[letter]
    return Round(kind, opponent, WHITE_OR_BLACK.get(cell[3]), score)


def is_rated_section(head: Sequence[str]) -> bool:
    """Whether a JSON file has standings from the ratings API."""
    first = next((line.strip() for line in head if line.strip()), "")
    return first.startswith(("{", "[")) and any('"roundOutcomes"' in line for line in head)


def read_rated_section(data: bytes, path: str) -> Tournament:
    """A section from the ratings API: its standings, or an array of them, the section and the event."""
    with refused(PROGRAM, path, ValueError, TypeError, KeyError, AttributeError, ArithmeticError, RecursionError):
        return _rated_section(_Answers.of(json.loads(data), path), path)


class _Answers(NamedTuple):
    """What the API said: the event, the section, and all players of its standings."""

    event: Mapping[str, Any]
    section: Mapping[str, Any]
    players: list[Mapping[str, Any]]

    @classmethod
    def of(cls, value: Any, path: str) -> _Answers:
        """The answers in a file, one or an array of them; an error if some of the players are missing."""
        answers = value if isinstance(value, list) else [value]
        pages = sorted((answer for answer in answers if "items" in answer), key=lambda page: int(page["offset"]))
        events = [answer for answer in answers if "sections" in answer]
        sections = [answer for answer in answers if "roundCount" in answer]
        if len(pages) + len(events) + len(sections) != len(answers) or len(events) > 1 or len(sections) > 1:
            raise BadFile(say("formats.uschess.answers"), at=path)
        players: list[Mapping[str, Any]] = []
        for page in pages:
            if page["offset"] != len(players):
                raise BadFile(say("formats.uschess.pages", players=len(players)), at=path)
            players += page["items"]
        if pages[-1]["hasNextPage"]:
            raise BadFile(say("formats.uschess.pages", players=len(players)), at=path)
        return cls(next(iter(events), {}), next(iter(sections), {}), players)


def _rated_section(answers: _Answers, path: str) -> Tournament:
    event, facts, roster = answers.event, answers.section, Roster(path)
    system = _system(answers, roster)
    _note_list(system, roster)
    numbers = {player["pairingNumber"] for player in answers.players}
    for player in answers.players:
        _put_outcomes(roster, player["pairingNumber"], player["roundOutcomes"], numbers)
    last = roster.last_paired
    for player in answers.players:
        before = [record.get("preRating") for record in player.get("ratings") or [] if record["ratingSystem"] == system]
        score = player.get("score")
        roster.add(
            _whole(player["pairingNumber"]),
            name=joined(player.get("lastName"), player.get("firstName")),
            rating=next(iter(before), None),
            federation=text_of(player.get("fideCountry")),
            fide_id=text_of(player.get("fideId")),
            points=None if score is None else Decimal(str(score)),
            rank=_whole(player["ordinal"]),
            national_id=text_of(player.get("memberId")),
        )
    entrants = roster.entrants()
    text = text_of(facts.get("timeControl"))
    return Tournament(
        entrants,
        name=_named(event.get("name"), facts.get("name"), len(event.get("sections", ()))),
        city=joined(event.get("city"), event.get("stateCode")) or None,
        start=day_of(text_of(facts.get("startDate") or event.get("startDate")), ISO_DAY),
        end=day_of(text_of(facts.get("endDate") or event.get("endDate")), ISO_DAY),
        kind=KINDS.get(facts.get("format", ""), text_of(facts.get("format"))),
        time_control=text,
        pace=pace_of(None, text),
        rounds=check_rounds(max(_whole(facts.get("roundCount", last)), last), path),
        oddities=tuple(roster.odd),
        source=Source("uschess-api", b""),
    )


def _whole(value: object) -> int:
    if type(value) is not int or value < 0:
        raise TypeError(value)
    return value


def _system(answers: _Answers, roster: Roster) -> str:
    """Which of a player's ratings are used: those of the section's system; of a dual-rated one, the regular ones."""
    present = {str(record["ratingSystem"]) for player in answers.players for record in player.get("ratings") or []}
    given = str(answers.section.get("ratingSystem") or "")
    if len(present) > 1 and given not in present:
        if REGULAR not in present:
            raise BadFile(say("formats.uschess.systems", systems=sorted(present)), at=roster.path)
        roster.note("formats.uschess.dual", lost=False, systems=sorted(present))
        return REGULAR
    return given if given in present else next(iter(present), REGULAR)


def _put_outcomes(roster: Roster, no: int, outcomes: Iterable[Mapping[str, Any]], numbers: set[int]) -> None:
    for given in outcomes:
        number, outcome = check_rounds(_whole(given["roundNumber"]), roster.path), given["outcome"]
        opponent = given.get("opponentPairingNumber") or 0
        played = None
        if opponent in numbers and opponent != no and outcome in OUTCOMES:
            kind, score = OUTCOMES[outcome]
            played = Round(kind, opponent, WHITE_OR_BLACK.get(given.get("color", "")), score)
        elif not opponent and outcome in WITHOUT_OPPONENT:
            played = Round(WITHOUT_OPPONENT[outcome])
        roster.put(no, number, played if number else None, f"{outcome} {opponent}")
