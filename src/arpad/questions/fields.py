"""The fields that questions share: the player, the rules, the rating lists, the time control, the draw model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import lru_cache
from typing import Any

from arpad.core import (
    DwzStanding,
    EloStanding,
    Game,
    GlickoStanding,
    Pace,
    Pairing,
    Player,
    Rating,
    Standing,
    deviation_of,
    k_of,
    number,
    rating_of,
    updated,
    volatility_of,
    whole_of,
)
from arpad.errors import BadInput
from arpad.messages import FieldName, say
from arpad.questions.declare import Place, defaulting, optional, required, several
from arpad.reading import (
    parse_birth_year,
    parse_date,
    parse_federation,
    parse_game,
    parse_opponent,
    parse_pace,
    parse_pairing,
    parse_rating,
    parse_sex,
    parse_title,
    parts_of,
)
from arpad.systems import system, system_from, system_names
from arpad.systems.base import System
from arpad.systems.draw_models import WHITE, DrawModel, draw_model

STAND_IN = "unrated"  # what is written where somebody is named, before the one who is found takes the place


def text(typed: str, _: Place) -> str:
    """A text as it is."""
    return typed


def path(typed: str, _: Place) -> str:
    """A file or folder of this machine."""
    return typed


def day(typed: str, place: Place) -> date:
    """A day: `2026-11-15`, `15.11.2026`, `2026-11`."""
    return parse_date(typed, at=place.at)


def rating(typed: str, place: Place) -> Rating:
    """A rating."""
    return rating_of(typed, at=place.at)


def rating_or_unrated(typed: str, place: Place) -> Rating | None:
    """A rating, or `unrated`."""
    return parse_rating(typed, at=place.at)


def somebody(typed: str, place: Place) -> Player:
    """The player a question is about: a rating, `unrated`, an ID or a name."""
    return place.people.find(typed, place) or Player(parse_rating(typed, at=place.at))


def opponent(typed: str, place: Place) -> Player:
    """An opponent: a rating with what belongs to it, `unrated`, an ID or a name."""
    return place.people.opponent(typed, place) or parse_opponent(typed, at=place.at)


def game(typed: str, place: Place) -> Game:
    """A game against a rating or somebody named."""
    who, behind = parts_of(typed)
    found = place.people.opponent(who, place) if ":" in behind else None  # without a result it is no game, or a bye
    if found is None:
        return parse_game(typed, at=place.at)
    return replace(parse_game(f"{STAND_IN}{behind}", at=place.at), opponent=found)


def pairing(typed: str, place: Place) -> Pairing:
    """A game on the schedule against a rating or somebody named."""
    who, behind = parts_of(typed)
    found = place.people.opponent(who, place)
    if found is None:
        return parse_pairing(typed, at=place.at)
    return replace(parse_pairing(f"{STAND_IN}{behind}", at=place.at), opponent=found)


def pace(typed: str, place: Place) -> Pace:
    """A time control."""
    return parse_pace(typed, at=place.at)


def named_value(typed: str, place: Place) -> tuple[str, str]:
    """NAME=VALUE."""
    name, equals, value = typed.partition("=")
    if not equals:
        raise BadInput(say("questions.name_value", value=typed), at=place.at)
    return name.strip(), value.strip()


def points(typed: str, place: Place) -> Rating:
    """A number of points."""
    return number(typed, at=place.at)


def count(typed: str, place: Place) -> int:
    """A whole number from 0 on."""
    return whole_of(typed, "count", 0, at=place.at)


def names(typed: str, _: Place) -> tuple[str, ...]:
    """Names with commas between."""
    return tuple(name.strip() for name in typed.split(","))


LONGEST_PATH = 4000
COMMAND_ALONE: Mapping[str, Any] = {
    "doors": frozenset({"command"}),
    "why": "files and folders of this machine are given at the command alone",
}


@dataclass(frozen=True, kw_only=True)
class Asking:
    """What every question has: the day it is asked on, which is not given but known."""

    today: date = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class DayField(Asking):
    """The day whose rules are applied."""

    on: date | None = optional(day, example="2026-11-15", group="rules")

    @property
    def day(self) -> date:
        """The day asked for, else today."""
        return self.on or self.today


@dataclass(frozen=True, kw_only=True)
class RuleFields(DayField):
    """Which rules, of which day."""

    system: str = defaulting(text, "fide-standard", example="fide-standard", group="rules")
    rules: str | None = optional(text, example="club.toml", group="rules", longest=LONGEST_PATH, **COMMAND_ALONE)
    reading: tuple[tuple[str, str], ...] = several(named_value, example="rounding=per-event", group="rules")
    set: tuple[tuple[str, str], ...] = several(named_value, example="scale=480", group="rules")

    @property
    def readings(self) -> Mapping[str, str]:
        """The readings asked for."""
        return dict(self.reading)

    def rating_system(self) -> System:
        """The system, with its settings and under the readings asked for."""
        return _system(self.system, self.rules, tuple(sorted(self.set)), tuple(sorted(self.reading)))


@lru_cache(maxsize=64)  # a reading means reading the rule file again
def _system(
    name: str, file: str | None, settings: tuple[tuple[str, str], ...], readings: tuple[tuple[str, str], ...]
) -> System:
    chosen: dict[str, Any] = dict(settings)
    if readings:
        chosen["readings"] = dict(readings)
    return system(name, **chosen) if file is None else system_from(file, **chosen)


def k(typed: str, place: Place) -> Rating:
    """A K-factor."""
    return k_of(typed, at=place.at)


def birth_year(typed: str, place: Place) -> int:
    """A year of birth."""
    return parse_birth_year(typed, at=place.at)


STANDINGS: Mapping[type[Standing], tuple[str, ...]] = {
    EloStanding: ("k", "games", "peak", "standard"),
    GlickoStanding: ("deviation", "volatility", "idle"),
    DwzStanding: ("dwz_index", "k"),
}
OF_STANDING = tuple(dict.fromkeys(name for names in STANDINGS.values() for name in names))
SPELT = {"dwz_index": "index"}  # where the standing has a shorter name


@dataclass(frozen=True, kw_only=True)
class PersonFields(DayField):
    """The player a question is about."""

    rating: Player = required(somebody, example="1750", word=True)
    k: Rating | None = optional(k, example="20", group="player")
    born: int | None = optional(birth_year, example="2010", group="player")
    games: int | None = optional(
        lambda typed, place: whole_of(typed, "games_before", 0, 1_000_000, at=place.at), example="30", group="player"
    )
    peak: Rating | None = optional(rating, example="1800", group="player")
    standard: Rating | None = optional(rating, example="1800", group="player")
    deviation: Rating | None = optional(
        lambda typed, place: deviation_of(typed, at=place.at), example="60", group="player"
    )
    volatility: Rating | None = optional(
        lambda typed, place: volatility_of(typed, at=place.at), example="0.06", group="player"
    )
    dwz_index: int | None = optional(
        lambda typed, place: whole_of(typed, "dwz_index", 0, 10_000, at=place.at), example="12", group="player"
    )
    idle: Rating | None = optional(points, example="2", group="player")
    sex: str | None = optional(lambda typed, place: parse_sex(typed, at=place.at), example="W", group="player")
    title: str | None = optional(lambda typed, place: parse_title(typed, at=place.at), example="FM", group="player")
    federation: str | None = optional(
        lambda typed, place: parse_federation(typed, at=place.at), example="GER", group="player"
    )

    def player(self, rated_by: System) -> Player:
        """The player as a system rates them: what was given beside the rating counts more than a list."""
        given = {name: getattr(self, name) for name in OF_STANDING if getattr(self, name) is not None}
        used = STANDINGS.get(rated_by.standing, ())
        for name in given:
            if name not in used:
                raise _unused(name, rated_by)
        standing = rated_by.standing(**{SPELT.get(name, name): value for name, value in given.items()})
        told = Player(standing, birth_year=self.born, title=self.title, federation=self.federation, sex=self.sex)
        known = self.rating
        if not isinstance(known.standing, rated_by.standing):
            known = replace(known, standing=rated_by.standing(known.rating))
        return updated(known, told)

    def standings(self) -> tuple[Standing, ...]:
        """The player's standing in every kind of system, from what was given of each."""
        kinds = []
        for kind, used in STANDINGS.items():
            given = {SPELT.get(name, name): getattr(self, name) for name in used if getattr(self, name) is not None}
            listed = self.rating.standing
            start = listed if isinstance(listed, kind) else kind(self.rating.rating)
            kinds.append(replace(start, **given))
        return tuple(kinds)


@dataclass(frozen=True, kw_only=True)
class PlayerFields(PersonFields, RuleFields):
    """The player, and the rules of one system."""


def _unused(name: str, rated_by: System) -> BadInput:
    """That a system does not look at a field, and which do."""
    kinds = [kind for kind, used in STANDINGS.items() if name in used]
    users = [one for one in system_names() if system(one).standing in kinds]
    return BadInput(say("questions.unused", system=rated_by.name, field_name=FieldName(name), systems=users), at=name)


@dataclass(frozen=True, kw_only=True)
class ListFields(Asking):
    """Which rating lists to look players up in."""

    list: str | None = optional(text, example="fide", group="lists", **COMMAND_ALONE)
    folder: str | None = optional(
        text, example="lists", option="data", group="lists", longest=LONGEST_PATH, **COMMAND_ALONE
    )


@dataclass(frozen=True, kw_only=True)
class TimeField(Asking):
    """The time control."""

    time: Pace | None = optional(pace, example="90+30", group="event")


@dataclass(frozen=True, kw_only=True)
class DrawFields(Asking):
    """How an expected score splits into win, draw and loss."""

    draws: str = defaulting(text, "labelle", example="labelle", group="draws")
    draw_rate: Rating | None = optional(points, example="0.4", group="draws")
    white: Rating = defaulting(points, WHITE, example="35", group="draws")

    def draw_model(self) -> DrawModel:
        """The draw model asked for."""
        return draw_model(self.draws, draw_rate=self.draw_rate, white=self.white)
