"""A tournament as JSON values."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from arpad.calculation.serialise import to_json
from arpad.core.tournaments import Tournament

if TYPE_CHECKING:
    from arpad.core.tournaments import Entrant

APART = ("entrants", "source", "pace", "from_list")
FACTS = [field.name for field in fields(Tournament) if field.name not in APART]


def tournament_value(tournament: Tournament) -> dict[str, Any]:
    """Everything known about a tournament, by the names of its fields."""
    return {
        **{name: to_json(getattr(tournament, name)) for name in FACTS},
        "pace": None if tournament.pace is None else str(tournament.pace),
        "players": [entrant_value(entrant) for entrant in tournament.entrants],
    }


def entrant_value(entrant: Entrant) -> dict[str, Any]:
    """What is known about a player, with the rounds."""
    player = entrant.player
    known = {
        "no": entrant.no,
        "name": player.name,
        "title": player.title,
        "rating": player.rating,
        "federation": player.federation,
        "fide_id": player.fide_id,
        "birth_year": player.birth_year,
        "born": entrant.born,
        "sex": player.sex,
        "points": entrant.points,
        "rank": entrant.rank,
        "line": entrant.line,
        "rounds": entrant.rounds,
    }
    return {name: to_json(value) for name, value in known.items()}
