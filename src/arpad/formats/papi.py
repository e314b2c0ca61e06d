"""Papi (.papi), the program of the French federation: an Access database with a row for each player.

Of the table INFO, which also has passwords, and of JOUEUR, which also has addresses, only what is named here is read.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from datetime import datetime
from decimal import Decimal

from arpad.core import DRAW, LOSS, WIN
from arpad.core.tournaments import (
    ALLOCATED_BYE,
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
from arpad.formats.jet import Damaged, JetFile, JetRow, is_jet_4
from arpad.formats.programs import DAY_FIRST, Roster, known_days, refused, scoring_of, text_of
from arpad.formats.trf.event import pace_of
from arpad.messages import say

MOST_ROUNDS = 24
FACTS = (
    "Nom", "Lieu", "DateDebut", "DateFin", "Genre", "Cadence", "ClassElo", "Arbitre", "NbrRondes", "DecomptePoints",
    *(f"DateRd{number}" for number in range(1, MOST_ROUNDS + 1)),
)  # fmt: skip
KINDS = {"Suisse": "Swiss", "ToutesRondes": "Round Robin"}
RATINGS = {"Elo": ("Elo", "Fide"), "Rapide": ("Rapide", "RapideFide"), "Blitz": ("Blitz", "BlitzFide")}
LISTS = {"Rapide": "rapid", "Blitz": "blitz"}  # the lists of ratings that are not standard ones
FIDE = "F"  # a rating of FIDE; N is a national one, E, A and R are estimated
BYE = 1  # the row of the player EXEMPT, who is nobody
COLOURS = {"B": "white", "N": "black"}
AWAY = "F"
GAMES = {
    0: (PENDING, None), 1: (PLAYED, LOSS), 2: (PLAYED, DRAW), 3: (PLAYED, WIN),
    4: (FORFEIT, LOSS), 5: (FORFEIT, LOSS), 6: (FORFEIT, WIN),
}  # fmt: skip
PAID_BYE = (0, 6)  # a bye of the pairing, before and after the round is closed
BYES = {0: ZERO_BYE, 2: HALF_BYE, 6: FULL_BYE}
THREE_POINTS = "OUI"


def read_papi(data: bytes, path: str) -> Tournament:
    """The tournament in a Papi file; a BadFile if it is damaged or another Access database."""
    if not is_jet_4(data):
        raise BadFile(say("formats.program.not_jet_4"), at=path)
    with refused("Papi", path, struct.error, IndexError, ValueError, OverflowError):
        file = JetFile(data)
        facts = _facts(file.rows("INFO"))
        return _tournament(facts, list(file.rows("JOUEUR")), path)


def _facts(rows: Iterable[JetRow]) -> dict[str, str]:
    """The facts of the event; the value of any other variable is not read."""
    found = {}
    for row in rows:
        name = row["Variable"]
        if isinstance(name, str) and name in FACTS:
            found[name] = text_of(row["Value"]) or ""
    return found


def _tournament(facts: Mapping[str, str], rows: list[JetRow], path: str) -> Tournament:
    roster = Roster(path)
    rounds = int(facts.get("NbrRondes") or 0)
    if not 0 < rounds <= MOST_ROUNDS:
        raise Damaged("NbrRondes")
    numbers = _numbers(rows)
    players = {numbers[key]: row for row in rows if (key := row.number("Ref")) in numbers}
    for no, row in players.items():
        _put_rounds(roster, row, no, numbers, rounds)
    kind = facts.get("ClassElo", "")
    if kind not in RATINGS:
        raise Damaged("ClassElo")
    for no, row in players.items():
        _add(roster, row, no, kind)
    roster.note("formats.program.no_numbers", lost=False)
    if kind in LISTS:
        roster.note("formats.program.list", lost=False, list=LISTS[kind])
    days = known_days(roster.day(facts.get(f"DateRd{number}"), DAY_FIRST) for number in range(1, rounds + 1))
    return Tournament(
        roster.entrants(),
        name=facts.get("Nom") or None,
        city=facts.get("Lieu") or None,
        start=roster.day(facts.get("DateDebut"), DAY_FIRST),
        end=roster.day(facts.get("DateFin"), DAY_FIRST),
        kind=KINDS.get(facts.get("Genre", ""), facts.get("Genre") or None),
        time_control=facts.get("Cadence") or None,
        pace=pace_of(None, facts.get("Cadence")),
        arbiter=facts.get("Arbitre") or None,
        rounds=rounds,
        round_days=days,
        scoring=scoring_of(Decimal(3), Decimal(1), Decimal(0)) if facts.get("DecomptePoints") == THREE_POINTS else None,
        oddities=tuple(roster.odd),
        source=Source("papi", b""),
    )


def _numbers(rows: list[JetRow]) -> dict[int, int]:
    """The number of each player by the key of the row: Papi has no starting numbers, so they go by the key."""
    keys = sorted(key for row in rows if (key := row.number("Ref")) not in (None, BYE))
    if len(set(keys)) < len(keys):
        raise Damaged("Ref")
    return {key: no for no, key in enumerate(keys, start=1)}


def _put_rounds(roster: Roster, row: JetRow, no: int, numbers: Mapping[int, int], rounds: int) -> None:
    """Put the rounds of a player that are paired."""
    for number in range(1, rounds + 1):
        colour = row.text(f"Rd{number:02}Cl") or ""
        opponent, result = (row.number(f"Rd{number:02}{part}") or 0 for part in ("Adv", "Res"))
        played = None
        if colour in COLOURS and opponent == BYE and result in PAID_BYE:
            played = Round(ALLOCATED_BYE)
        elif colour in COLOURS and opponent in numbers and result in GAMES:
            kind, score = GAMES[result]
            played = Round(kind, numbers[opponent], COLOURS[colour], score)
        elif colour == AWAY and not opponent and result in BYES:
            played = Round(BYES[result])
        if played is not None or opponent or result:
            roster.put(no, number, played, f"{colour} {opponent} {result}")


def _add(roster: Roster, row: JetRow, no: int, kind: str) -> None:
    column, nature = RATINGS[kind]
    is_fide = row.text(nature) == FIDE
    if not is_fide and row.number(column):
        roster.not_fide(no)
    born = row["NeLe"]
    roster.add(
        no,
        name=", ".join(filter(None, (row.text("Nom"), row.text("Prenom")))),
        rating=row.number(column) if is_fide else None,
        title=row.text("FideTitre"),
        sex=row.text("Sexe"),
        federation=row.text("Federation"),
        fide_id=row.text("FideCode"),
        born=born.date() if isinstance(born, datetime) else None,
    )
