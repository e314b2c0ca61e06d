"""A tournament as JSON: written with the names of its fields, and read back by their declared types."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date
from decimal import Decimal
from functools import cache
from math import isfinite
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from arpad.calculation.serialise import to_json
from arpad.core import COLOURS, Player
from arpad.core.tournaments import KINDS, NATIONAL, USUAL, Entrant, Record, RecordValue, Round, Source, Tournament
from arpad.errors import BadFile, BadInput
from arpad.formats.games import MOST_PLAYERS, MOST_ROUNDS
from arpad.formats.trf.columns import ADJUSTMENT, NATIONAL_FIELDS, RECORDS, Column
from arpad.formats.trf.event import USUAL_MATCH
from arpad.messages import say
from arpad.reading import pace_in_figures, parse_pace

NOT_FACTS = ("entrants", "source", "pace", "from_list")
FACTS = [field.name for field in fields(Tournament) if field.name not in NOT_FACTS]
COLUMNS = (
    "no", "name", "title", "rating", "federation", "fide_id", "birth_year", "born", "sex", "points", "rank", "line",
    "rounds",
)  # fmt: skip
ENTRANT = ("no", "born", "points", "rank", "line", "rounds")  # the others are of its player
READ = tuple(name for name in COLUMNS if name not in ("no", "rating", "line", "rounds"))
PLAIN_FACTS = [name for name in FACTS if name not in ("oddities", "records")]
LAYOUTS = {**RECORDS, NATIONAL: NATIONAL_FIELDS, "299": ADJUSTMENT}
MOST_DIGITS = 12  # of a whole number, including an ID
types_of = cache(get_type_hints)


def is_json(head: Sequence[str]) -> bool:
    """Whether a file begins like a JSON object."""
    return next((line for line in head if line.strip()), "").lstrip().startswith("{")


def read_json(data: bytes, path: str) -> Tournament:
    """The tournament in such an object; a BadFile for any other."""
    try:
        return _tournament(json.loads(data), data)
    except BadInput as error:
        raise BadFile(error.said, at=path) from None
    except (ValueError, TypeError, KeyError, AttributeError, ArithmeticError, RecursionError):
        raise BadFile(say("formats.file.not_json"), at=path) from None


def _tournament(value: dict[str, Any], data: bytes) -> Tournament:
    types = types_of(Tournament)
    facts = {name: _typed(types[name], value.get(name)) for name in PLAIN_FACTS if value.get(name) is not None}
    players = value["players"]
    if not 0 < len(players) <= MOST_PLAYERS or facts.get("rounds", 0) > MOST_ROUNDS:
        raise ValueError(len(players))
    entrants = tuple(map(_entrant, players))
    if len({entrant.no for entrant in entrants}) < len(entrants):
        raise ValueError("no")
    for name, known in (("scoring", USUAL), ("match_scoring", USUAL_MATCH)):
        if unknown := facts.get(name, {}).keys() - known.keys():
            raise ValueError(unknown)
    pace = value.get("pace")
    return Tournament(
        entrants,
        **facts,
        pace=None if pace is None else pace_in_figures(text := _typed(str, pace)) or parse_pace(text),
        records=tuple(map(_record, value.get("records", ()))),
        source=Source("json", data),
    )


def _typed(kind: Any, value: Any) -> Any:
    """A value of a declared type; a ValueError for any other."""
    if get_origin(kind) in (UnionType, Union):  # the latter is one with a Literal
        return None if value is None else _typed(get_args(kind)[0], value)
    if get_origin(kind) is Literal and value in get_args(kind):
        return value
    if get_origin(kind) is tuple and isinstance(value, list):
        return tuple(_typed(get_args(kind)[0], item) for item in value)
    if get_origin(kind) is Mapping:
        return {_typed(str, name): _typed(get_args(kind)[1], item) for name, item in value.items()}
    if isinstance(kind, type) and is_dataclass(kind) and isinstance(value, dict):
        types = types_of(kind)
        return kind(**{field.name: _typed(types[field.name], value.get(field.name)) for field in fields(kind)})
    if kind is date and isinstance(value, str):
        return date.fromisoformat(value)
    if kind is Decimal and type(value) in (int, float) and isfinite(value):
        return Decimal(str(value))
    if kind is int and type(value) is int and 0 <= value < 10**MOST_DIGITS:
        return value
    if kind is str and isinstance(value, str):
        return value
    raise ValueError(value)


def _entrant(value: dict[str, Any]) -> Entrant:
    rounds = tuple(map(_round, value.get("rounds", ())))
    if len(rounds) > MOST_ROUNDS:
        raise ValueError(len(rounds))
    types = types_of(Player) | types_of(Entrant)
    known = {name: _typed(types[name], value.get(name)) for name in READ}
    claimed = {name: known.pop(name) for name in ENTRANT if name in known}
    player = Player(_typed(int | None, value.get("rating")), **known)
    return Entrant(_typed(int, value["no"]), player, rounds, **claimed)


def _round(value: object) -> Round:
    played: Round = _typed(Round, value)
    sound = (
        played.kind in KINDS
        and played.colour in (*COLOURS, None)
        and played.score in (0, Decimal("0.5"), 1, None)
        and (played.opponent is not None or played.kind not in ("played", "short", "pending"))
        and (played.score is not None or played.kind not in ("played", "short", "forfeit"))
    )
    if not sound:
        raise ValueError(played)
    return played


def _record(value: dict[str, Any]) -> Record:
    """A record of a report; the columns of its code say what type each field has."""
    layout = {column.name: column for column in LAYOUTS[value["code"]]}
    return Record(value["code"], {name: _field(layout[name], given) for name, given in value["fields"].items()})


def _field(column: Column, value: object) -> RecordValue:
    kinds = {"number": int, "seat": int, "points": Decimal, "list": tuple[int, ...], "day": date}
    kind: Any = kinds.get(column.form, str)
    found: RecordValue = _typed((tuple[kind, ...] if column.every else kind) | None, value)
    return found


def json_text(tournament: Tournament) -> bytes:
    """A tournament as one JSON object."""
    return f"{json.dumps(tournament_value(tournament), ensure_ascii=False, indent=1)}\n".encode()


def tournament_value(tournament: Tournament) -> dict[str, object]:
    """Everything known about a tournament, by the names of its fields."""
    return {
        **{name: to_json(getattr(tournament, name)) for name in FACTS},
        "pace": None if tournament.pace is None else str(tournament.pace),
        "players": [entrant_value(entrant) for entrant in tournament.entrants],
    }


def entrant_value(entrant: Entrant) -> dict[str, object]:
    """What is known about a player, with the rounds."""
    return {name: to_json(getattr(entrant if name in ENTRANT else entrant.player, name)) for name in COLUMNS}
