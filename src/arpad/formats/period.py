"""A rating period as a TOML file: the player, and the events that enter one list."""

from __future__ import annotations

import tomllib
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from arpad.core import Event, Period, Player, rating_of
from arpad.errors import ArpadError, BadFile
from arpad.reading.notation import parse_date, parse_game, parse_pace, parse_rating

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

R = TypeVar("R")
PLAYER = {"k": "k", "born": "birth_year", "games": "games", "peak": "peak", "standard": "standard"}
PLAYER |= {name: name for name in ("deviation", "volatility", "idle", "dwz_index")}
TOP = {"rating", "base", "on", "system", "event", *PLAYER}
EVENT = {"name", "on", "rating", "time", "games"}


class PeriodFile(NamedTuple):
    """What a period file says; a day or system it does not name is None."""

    player: Player
    period: Period
    on: date | None
    system: str | None


def read_period(path: str) -> PeriodFile:
    """Read a period file, or a BadFile that names the place."""
    return read_toml(path, _period)


def read_toml(path: str, understand: Callable[[Mapping[str, Any], str], R]) -> R:
    """A TOML file as somebody understands it, or a BadFile that names the place."""
    try:
        text = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as problem:
        raise BadFile(f"The file cannot be read: {problem.strerror}.", at=path) from None
    except ValueError as problem:
        raise BadFile(f"The file is not a TOML file: {_bare_day(path) or problem}.", at=path) from None
    try:
        return understand(text, path)
    except BadFile:
        raise
    except ArpadError as error:
        raise BadFile(
            error.message,
            at=error.at if error.at and error.at.startswith(path) else ", ".join(filter(None, (path, error.at))),
        ) from None


def _bare_day(path: str) -> str | None:
    """What to write in the place of a day that stands with dots and without quotes, which TOML does not know."""
    lines = Path(path).read_text(encoding="utf-8", errors="replace").splitlines()
    for number, line in enumerate(lines, start=1):
        name, _, value = line.partition("=")
        day = value.partition("#")[0].strip()
        if not day.isascii() or not day.replace(".", "").isdigit() or day.count(".") != 2:
            continue
        try:
            return f"{day} is no number; write {name.strip()} = {parse_date(day)} (line {number})"
        except ArpadError as error:
            return f"{error.message.rstrip('.')} (line {number})"
    return None


def _period(text: Mapping[str, Any], path: str) -> PeriodFile:
    check_names(text, TOP, path)
    if "rating" not in text or "event" not in text:
        raise BadFile("A period file has the player's `rating` and an [[event]] for each tournament.", at=path)
    player = player_of(text)
    events = tuple(_event(event, place) for event, place in events_of(text, path))
    base = None if "base" not in text else rating_of(text["base"], at="base")
    return PeriodFile(player, Period(events, base), day_of(text.get("on")), text_of(text, "system", path))


def player_of(text: Mapping[str, Any]) -> Player:
    """The player a file is about; without a rating if it names none."""
    rating = parse_rating(str(text["rating"]), at="rating") if "rating" in text else None
    return Player(rating, **{PLAYER[name]: text[name] for name in PLAYER if name in text})


def _event(text: Mapping[str, Any], place: str) -> Event:
    check_names(text, EVENT, place)
    games = tuple(parse_game(str(game), at=f"{place}, game '{game}'") for game in games_of(text, place))
    pace = None if "time" not in text else parse_pace(str(text["time"]), at=f"{place}, time")
    rating = None if "rating" not in text else rating_of(text["rating"], at=f"{place}, rating")
    return Event(games, rating, day_of(text.get("on")), text_of(text, "name", place), pace)


def text_of(text: Mapping[str, Any], name: str, place: str) -> str | None:
    """A text of a file, or None if it is not there."""
    value = text.get(name)
    if value is not None and not isinstance(value, str):
        raise BadFile(f"`{name}` is a text, not {value!r}.", at=place)
    return value


def events_of(text: Mapping[str, Any], path: str) -> list[tuple[Mapping[str, Any], str]]:
    """Each [[event]] of a file with its place."""
    events = text["event"]
    if not isinstance(events, list) or not all(isinstance(event, dict) for event in events):
        raise BadFile("An event is a table of its own; write [[event]] above its lines.", at=path)
    return [(event, f"{path}, event {no}") for no, event in enumerate(events, start=1)]


def games_of(text: Mapping[str, Any], place: str) -> list[Any]:
    """The games of an event."""
    games = text.get("games", [])
    if not isinstance(games, list):
        raise BadFile('`games` is a list, for example ["1950:win", "1800:draw"].', at=place)
    return games


def check_names(text: Mapping[str, Any], allowed: set[str], place: str) -> None:
    """Refuse a name that nothing reads."""
    unknown = sorted(set(text) - allowed)
    if unknown:
        raise BadFile(f"Unknown: {', '.join(unknown)}. Allowed are {', '.join(sorted(allowed))}.", at=place)


def day_of(value: Any) -> date | None:
    """A day as TOML or a person writes it."""
    return value if value is None or type(value) is date else parse_date(str(value), at="on")
