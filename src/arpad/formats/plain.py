"""A tournament as plain values, for JSON."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arpad.core.tournament import Entrant, Tournament

APART = ("entrants", "oddities", "source", "teams", "adjustments", "records", "pace")
FACTS = [one.name for one in fields(Tournament) if one.name not in APART]


def tournament_value(tournament: Tournament) -> dict[str, Any]:
    """Everything a tournament says, by the names of its nouns."""
    facts = {name: getattr(tournament, name) for name in FACTS}
    return {
        **facts,
        "pace": None if tournament.pace is None else str(tournament.pace),
        "players": [entrant_value(one) for one in tournament.entrants],
        "teams": [asdict(one) for one in tournament.teams],
        "adjustments": [asdict(one) for one in tournament.adjustments],
        "records": [asdict(one) for one in tournament.records],
        "oddities": [asdict(one) for one in tournament.oddities],
    }


def entrant_value(entrant: Entrant) -> dict[str, Any]:
    """A player with what is known, and the rounds."""
    player = entrant.player
    return {
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
        "rounds": [asdict(one) for one in entrant.rounds],
    }
