"""A plan as a TOML file: the events of a season, with the opponents or the field that will be met."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from arpad.errors import BadFile
from arpad.files.period import PLAYER, check_names, day_of, events_of, games_of, player_of, read_toml
from arpad.model import PlannedEvent
from arpad.notation import parse_field, parse_pace, parse_pairing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from arpad.model import Player

TOP = {"name", "rating", "event", *PLAYER}
EVENT = {"name", "on", "time", "games", "field", "spread", "rounds"}


class PlanFile(NamedTuple):
    """What a plan file says; a player it does not describe is None."""

    name: str
    player: Player | None
    events: tuple[PlannedEvent, ...]


def read_plan(path: str) -> PlanFile:
    """Read a plan file, or a BadFile that names the place."""
    return read_toml(path, _plan)


def _plan(text: Mapping[str, Any], path: str) -> PlanFile:
    check_names(text, TOP, path)
    if not text.get("event"):
        raise BadFile("A plan file has an [[event]] for each tournament.", at=path)
    events = tuple(_event(event, place) for event, place in events_of(text, path))
    return PlanFile(str(text.get("name", Path(path).stem)), player_of(text) if "rating" in text else None, events)


def _event(text: Mapping[str, Any], place: str) -> PlannedEvent:
    check_names(text, EVENT, place)
    named = tuple(parse_pairing(str(game), at=f"{place}, game '{game}'") for game in games_of(text, place))
    field = parse_field(text.get("field"), text.get("spread"), text.get("rounds"), at=place)
    pace = None if "time" not in text else parse_pace(str(text["time"]), at=f"{place}, time")
    return PlannedEvent((*named, *field), day_of(text.get("on")), text.get("name"), pace)
