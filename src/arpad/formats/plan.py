"""A plan as a TOML file: the events of a season, with the opponents or the field that will be met."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.core import PlannedEvent
from arpad.errors import BadFile
from arpad.formats.period import PLAYER, check_names, day_of, events_of, games_of, player_of, read_toml
from arpad.messages import figure
from arpad.reading.notation import parse_field, parse_pace, parse_pairing

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from arpad.core import Player

TOP = {"name", "rating", "event", *PLAYER}
FIELDS = {"rating": "rating", **PLAYER}
EVENT = {"name", "on", "time", "games", "field", "spread", "rounds"}


class PlanFile(NamedTuple):
    """What a plan file says; of a player it does not describe nothing is known."""

    name: str
    player: Player
    events: tuple[PlannedEvent, ...]
    has_rating: bool  # be it that there is none: `rating = "unrated"`


def read_plan(path: str) -> PlanFile:
    """Read a plan file, or a BadFile that names the place."""
    return read_toml(path, _plan)


def overridden(file: PlanFile, told: Player) -> Iterator[str]:
    """What is told of the player in the place of what the file says, and what of the file still holds."""
    said, typed = _known(file.player), _known(told)
    other = [f"{name} {figure(typed[name])} instead of {figure(value)}"
             for name, value in said.items() if typed.get(name, value) != value]  # fmt: skip
    if other:
        yield f"The command line overrides {file.name}: {', '.join(other)}."
    left = [f"{name} {figure(value)}" for name, value in said.items() if name not in typed]
    if left and typed:
        yield f"The rest of the player is {file.name}'s: {', '.join(left)}."


def _known(player: Player) -> dict[str, Any]:
    """What is known of a player, by the names of the file."""
    known = {name: getattr(player, field) for name, field in FIELDS.items()}
    return {name: value for name, value in known.items() if value is not None}


def _plan(text: Mapping[str, Any], path: str) -> PlanFile:
    check_names(text, TOP, path)
    if not text.get("event"):
        raise BadFile("A plan file has an [[event]] for each tournament.", at=path)
    events = tuple(_event(event, place) for event, place in events_of(text, path))
    return PlanFile(str(text.get("name", Path(path).stem)), player_of(text), events, "rating" in text)


def _event(text: Mapping[str, Any], place: str) -> PlannedEvent:
    check_names(text, EVENT, place)
    named = tuple(parse_pairing(str(game), at=f"{place}, game '{game}'") for game in games_of(text, place))
    field = parse_field(text.get("field"), text.get("spread"), text.get("rounds"), at=place)
    pace = None if "time" not in text else parse_pace(str(text["time"]), at=f"{place}, time")
    return PlannedEvent((*named, *field), day_of(text.get("on")), text.get("name"), pace)
