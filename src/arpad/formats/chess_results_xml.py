"""The XML that programs upload to chess-results.com: one tournament, all of it in the attributes of its elements."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from xml.parsers import expat

from arpad.core import DRAW, LOSS, WIN
from arpad.core.tournaments import (
    ABSENT,
    ALLOCATED_BYE,
    FORFEIT,
    FULL_BYE,
    HALF_BYE,
    PENDING,
    PLAYED,
    SHORT,
    ZERO_BYE,
    Round,
    Source,
    Team,
    Tournament,
)
from arpad.errors import BadFile
from arpad.formats.programs import DAY_FIRST, PLAIN_DAY, Roster, check_rounds, joined, known_days, text_of
from arpad.formats.text import place
from arpad.formats.trf.event import pace_of
from arpad.messages import say

Attributes = Mapping[str, str]

ROOT = "chessresults"
WANTED = ("tournament", "round", "player", "playerpairing", "team")
MOST_ELEMENTS = 500_000
KINDS = {"0": "Swiss", "1": "Round Robin", "2": "Team Round Robin", "3": "Team Swiss"}
TEAM_KINDS = ("2", "3")
BYE, NOT_PAIRED = -1, -2  # instead of Black's number
SCORES = {"1": WIN, "0.5": DRAW, "0": LOSS}
HOW = {"": PLAYED, "K": FORFEIT, "U": SHORT, "D": SHORT, "H": PENDING}  # D is 0-0, which is not rated
BYES = {
    (BYE, WIN): ALLOCATED_BYE, (BYE, DRAW): HALF_BYE, (BYE, LOSS): ZERO_BYE,
    (NOT_PAIRED, WIN): FULL_BYE, (NOT_PAIRED, DRAW): HALF_BYE, (NOT_PAIRED, LOSS): ZERO_BYE,
}  # fmt: skip
YEAR = re.compile(r"\d{4}")
DAYS = PLAIN_DAY, DAY_FIRST


def is_chess_results(head: Sequence[str]) -> bool:
    """Whether a file begins like such an XML file."""
    return any(f"<{ROOT}" in line.lower() for line in head)


def read_chess_results(data: bytes, path: str) -> Tournament:
    """The tournament in the file; a BadFile if it is not well formed, or is about something else."""
    elements = _elements(data, path)
    if len(elements["tournament"]) != 1:
        raise BadFile(say("formats.chess_results.tournaments", count=len(elements["tournament"])), at=path)
    (facts,) = elements["tournament"]
    roster = Roster(path)
    numbers = {_number(row.get("no"), path) for row in elements["player"]}
    _put_rounds(roster, elements["playerpairing"], numbers)
    for row in elements["player"]:
        _add(roster, _number(row.get("no"), path), row)
    rounds = check_rounds(_number(facts.get("rounds"), path), path)
    days = {
        _number(row.get("round"), path): roster.day(row.get("date", "").strip(), *DAYS) for row in elements["round"]
    }
    time_control = text_of(facts.get("timecontrol"))
    federation = text_of(facts.get("federation"))
    entrants = roster.entrants()
    return Tournament(
        entrants,
        name=text_of(facts.get("name")),
        city=text_of(facts.get("location")),
        federation=None if federation == "XXX" else federation,
        start=roster.day(facts.get("from", "").strip(), *DAYS),
        end=roster.day(facts.get("to", "").strip(), *DAYS),
        kind=KINDS.get(facts.get("type", "")),
        time_control=time_control,
        pace=pace_of(None, time_control),
        arbiter=text_of(facts.get("chiefarbiter")) or text_of(facts.get("arbiter")),
        deputies=tuple(filter(None, [text_of(facts.get("deputyarbiter"))])),
        rounds=max(rounds, roster.last_paired),
        round_days=known_days(days.get(number) for number in range(1, rounds + 1)),
        teams=_teams(elements, path) if facts.get("type") in TEAM_KINDS else (),
        oddities=tuple(roster.odd),
        source=Source("chess-results", b""),
    )


def _elements(data: bytes, path: str) -> dict[str, list[Attributes]]:
    """The attributes of each wanted element, in lower case; a document type, and with it any entity, is refused."""
    found: dict[str, list[Attributes]] = {name: [] for name in WANTED}
    parser = expat.ParserCreate()
    left = iter(range(MOST_ELEMENTS))

    def start(name: str, attributes: dict[str, str]) -> None:
        if next(left, None) is None:
            raise BadFile(say("formats.chess_results.large", most=MOST_ELEMENTS), at=path)
        if name.lower() in found:
            found[name.lower()].append({key.lower(): value for key, value in attributes.items()})

    def refuse(*_: object) -> None:
        raise BadFile(say("formats.chess_results.document_type"), at=path)

    parser.StartElementHandler, parser.StartDoctypeDeclHandler = start, refuse
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        said = say("formats.chess_results.not_xml", why=expat.ErrorString(error.code))
        raise BadFile(said, at=place(path, error.lineno, error.offset + 1)) from None
    except (LookupError, ValueError) as error:
        if isinstance(error, BadFile):
            raise
        raise BadFile(say("formats.chess_results.not_xml", why=error), at=path) from None  # an unknown encoding
    return found


def _number(text: str | None, path: str) -> int:
    """A number that must be there."""
    text = (text or "").strip()
    if not re.fullmatch(r"-?\d{1,6}", text):
        raise BadFile(say("formats.chess_results.number", text=text), at=path)
    return int(text)


def _put_rounds(roster: Roster, rows: list[Attributes], numbers: set[int]) -> None:
    """Put the rounds of all players."""
    for row in rows:
        number, white, black = (_number(row.get(name), roster.path) for name in ("round", "whiteno", "blackno"))
        check_rounds(number, roster.path)
        text = " ".join(row.get(name, "") for name in ("whiteno", "blackno", "reswhite", "resblack", "forfeit"))
        for no, played in _both(row, white, black, numbers):
            roster.put(no, number, played, text)


def _both(row: Attributes, white: int, black: int, numbers: set[int]) -> list[tuple[int, Round | None]]:
    """A pairing as the rounds of its players; None for one that makes no sense."""
    scores, how = [row.get(name, "").strip() for name in ("reswhite", "resblack")], row.get("forfeit", "").strip()
    known = [_score(text) for text in scores]
    if white in numbers and black in (BYE, NOT_PAIRED):
        score = known[0]
        kind = ABSENT if not scores[0] else BYES.get((black, score)) if score is not None else None
        return [(white, None if kind is None else Round(kind))]
    colours = {"white": (white, black, known[0], scores[0]), "black": (black, white, known[1], scores[1])}
    return [
        (no, _game(opponent if opponent in numbers else None, colour, score, text, how))
        for colour, (no, opponent, score, text) in colours.items()
        if no in numbers
    ]


def _game(opponent: int | None, colour: str, score: Decimal | None, text: str, how: str) -> Round | None:
    kind = HOW.get(how.upper())
    if kind is None or (text and score is None):
        return None
    if opponent is None:  # nobody at the board, in a match of teams
        return Round(FULL_BYE if score == WIN else ABSENT) if kind == FORFEIT or not text else None
    if not text or kind == PENDING:
        return Round(PENDING, opponent, colour)
    return Round(kind, opponent, colour, score)


def _score(text: str) -> Decimal | None:
    try:
        return SCORES.get(str(Decimal(text.replace(",", ".")).normalize()))
    except InvalidOperation:
        return None


def _add(roster: Roster, no: int, row: Attributes) -> None:
    # Swiss-Manager takes a rating without a FIDE ID for an organiser's estimate, and rates nobody by it.
    is_fide = bool(row.get("rtgfide", "").strip(" 0") and row.get("fideid", "").strip(" 0"))
    if not is_fide and any(row.get(name, "").strip(" 0") for name in ("rtgfide", "rtgnat")):
        roster.not_fide(no)
    born = row.get("dob", "").strip()
    points, rank = row.get("pts", "").strip().replace(",", "."), row.get("rank", "").strip()
    roster.add(
        no,
        name=re.sub(r",(?=\S)", ", ", joined(row.get("lastname"), row.get("firstname"))),
        rating=row.get("rtgfide") if is_fide else None,
        title=row.get("title"),
        sex=row.get("sex"),
        federation=text_of(row.get("fed")),
        fide_id=row.get("fideid"),
        born=int(born) if YEAR.fullmatch(born) and int(born) else roster.born(no, born, *DAYS),
        points=Decimal(points) if re.fullmatch(r"\d{1,3}(\.\d{1,2})?", points) else None,
        rank=int(rank) if re.fullmatch(r"[1-9]\d{0,4}", rank) else None,
    )


def _teams(elements: Mapping[str, list[Attributes]], path: str) -> tuple[Team, ...]:
    """The teams with their players in the order of boards."""
    members: dict[int, list[tuple[int, int]]] = {}
    for row in elements["player"]:
        board = row.get("board", "").strip()
        team = _number(row.get("teamno"), path)
        members.setdefault(team, []).append((int(board) if board.isdecimal() else 0, _number(row.get("no"), path)))
    teams = {_number(row.get("no"), path): row for row in elements["team"]}
    return tuple(
        Team(no, text_of(row.get("teamname")) or str(no), tuple(player for _, player in sorted(members.get(no, []))))
        for no, row in sorted(teams.items())
    )
