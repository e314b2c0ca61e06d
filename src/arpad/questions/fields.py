"""The groups of fields that questions are composed of: which rules, who plays, which games, which rating lists.

No group is used by itself, so none has `__init__`, `__repr__` or `__eq__`; the questions that inherit from them do.
A dataclass has the fields of its last base first, so the groups of a question are named from the last to the first:
`Rate(PlayedFields, OpponentFields, PersonFields, ListFields)` asks for the person before the games.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from arpad.core import DwzStanding, EloStanding, Game, GlickoStanding, Player, Rating, Sex, Standing, Title, updated
from arpad.errors import BadInput, UnknownName
from arpad.messages import FieldName, Message, apart, say
from arpad.questions import readers
from arpad.questions.declare import Given, SomeDoors, defaulting, flag, given_fields, optional, required, several
from arpad.questions.files import pasted_text
from arpad.questions.from_paste import counted_in, only_national, reading_of
from arpad.reading import parse_game, split_games
from arpad.reading.results import COLOUR_NAMES, RESULT_NAMES
from arpad.reading.text import LONGEST_PASTE
from arpad.systems import system, system_from, systems_using
from arpad.systems.base import System

if TYPE_CHECKING:
    from arpad.reading.pasted import Paste, PastedGame

LONGEST_PATH = 4000
LONGEST_SECTION = 200  # characters of the name of a tournament
MOST_NAMES = 8  # names listed in an error message
COMMAND_ALONE: SomeDoors = {
    "doors": frozenset({"command"}),
    "why": "files and folders of this machine are given at the command alone",
}
MONTHS_BEFORE_MOST_BIRTHDAYS = 6  # up to June, most people have not had their birthday yet
LAST_OF_YEAR = (12, 31)


@dataclass(frozen=True, kw_only=True, init=False, repr=False, eq=False)
class Asking:
    """What every question has: the day it is asked, and the day it is asked about."""

    today: date = field(repr=False)
    day: date = field(repr=False)  # `on`, if the question has that field and it was given; otherwise today


@dataclass(frozen=True, kw_only=True, init=False, repr=False, eq=False)
class AllFindings(Asking):
    """Whether to list everything odd in a file, or each kind once."""

    all: bool = flag(group="file", doors=frozenset({"command"}), why="the other doors give everything as data")


@dataclass(frozen=True, kw_only=True, init=False, repr=False, eq=False)
class RuleFields(Asking):
    """Which rules, and the day they are in force."""

    on: date | None = optional(readers.day, example="2026-11-15", group="rules")
    system: str = defaulting(readers.text, "fide-standard", example="fide-standard", group="rules")
    rules: str | None = optional(
        readers.text, example="club.toml", group="rules", longest=LONGEST_PATH, instead_of="system", **COMMAND_ALONE
    )
    reading: tuple[tuple[str, str], ...] = several(readers.named_value, example="rounding=per-event", group="rules")
    set: tuple[tuple[str, str], ...] = several(readers.named_value, example="scale=480", group="rules")

    def rating_system(self) -> System:
        """The system, with the settings and readings asked for."""
        return chosen_system(self.system, self.rules, self.set, self.reading)


def chosen_system(
    name: str, file: str | None, settings: tuple[tuple[str, str], ...], readings: tuple[tuple[str, str], ...]
) -> System:
    """A system by its name or rule file, with settings and readings."""
    return _system(name, file, tuple(sorted(settings)), tuple(sorted(readings)))


@lru_cache(maxsize=64)  # a system with readings has to read its rule file again
def _system(
    name: str, file: str | None, settings: tuple[tuple[str, str], ...], readings: tuple[tuple[str, str], ...]
) -> System:
    chosen: dict[str, Any] = dict(settings)
    if readings:
        chosen["readings"] = dict(readings)
    try:
        return system(name, **chosen) if file is None else system_from(file, **chosen)
    except UnknownName as unknown:
        if unknown.at == "settings":
            unknown.at = "set"
        raise


STANDINGS: Mapping[type[Standing], tuple[str, ...]] = {
    EloStanding: ("k", "games", "peak", "standard"),
    GlickoStanding: ("deviation", "volatility", "idle"),
    DwzStanding: ("dwz_index", "k"),
}
OF_STANDING = tuple(dict.fromkeys(name for names in STANDINGS.values() for name in names))
SPELT = {"dwz_index": "index"}  # the standing's own name for the field
# The systems that use a field of the player. Refusals and forms follow: of a standing, a field that a system does not
# use is refused; who somebody is (the year of birth, a title) may be said to every system.
BY_AGE = systems_using("born")
WITH_DEVIATION = systems_using("deviation")


@dataclass(frozen=True, kw_only=True, init=False, repr=False, eq=False)
class PersonFields(Asking):
    """The player a question is about."""

    rating: Player = required(readers.player, example="1750", word=True)
    k: Rating | None = optional(readers.k, example="20", group="player", systems=systems_using("k"))
    born: int | None = optional(readers.birth_year, example="2010", group="player", systems=BY_AGE)
    age: int | None = optional(readers.age, example="14", group="player", instead_of="born", systems=BY_AGE)
    games: int | None = optional(readers.games_before, example="30", group="player", systems=systems_using("games"))
    peak: Rating | None = optional(readers.rating, example="1800", group="player", systems=systems_using("peak"))
    standard: Rating | None = optional(
        readers.rating, example="1800", group="player", systems=systems_using("standard")
    )
    deviation: Rating | None = optional(readers.deviation, example="60", group="player", systems=WITH_DEVIATION)
    volatility: Rating | None = optional(
        readers.volatility, example="0.06", group="player", systems=systems_using("volatility")
    )
    dwz_index: int | None = optional(
        readers.dwz_index, example="12", group="player", systems=systems_using("dwz_index")
    )
    idle: Rating | None = optional(readers.points, example="2", group="player", systems=systems_using("idle"))
    sex: Sex | None = optional(readers.sex, example="W", group="player", choices=readers.SEXES)
    title: Title | None = optional(readers.title, example="FM", group="player")
    federation: str | None = optional(readers.federation, example="GER", group="player")

    def player(self, rated_by: System) -> Player:
        """The player as a system rates them; what was typed counts more than what a list says."""
        given = {name: getattr(self, name) for name in OF_STANDING if getattr(self, name) is not None}
        declared = given_fields(type(self))
        for name in given:
            check_used(declared[name], rated_by)
        standing = rated_by.standing(**{SPELT.get(name, name): value for name, value in given.items()})
        told = Player(standing, birth_year=self.birth_year, title=self.title, federation=self.federation, sex=self.sex)
        known = self.rating
        if not isinstance(known.standing, rated_by.standing):
            known = replace(known, standing=rated_by.standing(known.rating))
        return updated(known, told)

    @property
    def birth_year(self) -> int | None:
        """The year of birth: as given, or the likelier of the two years that fit an age on the day."""
        if self.born is not None or self.age is None:
            return self.born
        return self.day.year - self.age - (self.day.month <= MONTHS_BEFORE_MOST_BIRTHDAYS)

    @property
    def age_note(self) -> Message | None:
        """Says which year of birth an age was taken to mean; None if there is no doubt, as on 31 December."""
        year = self.birth_year
        if self.born is not None or self.age is None or year is None or (self.day.month, self.day.day) == LAST_OF_YEAR:
            return None
        other = 2 * (self.day.year - self.age) - 1 - year
        return say("questions.age", age=self.age, on=self.day, year=year, other=other)

    @property
    def ignored(self) -> Message | None:
        """Says that the fields for working out K are ignored, because the rating list gives K; None if none are."""
        listed = self.rating.standing if isinstance(self.rating, Player) else None
        beside = [FieldName(name) for name in ("born", "age", "games", "peak") if getattr(self, name) is not None]
        if not beside or self.k is not None or not isinstance(listed, EloStanding) or listed.k is None:
            return None
        whose = None if listed.k_from is None else listed.k_from.system
        system = getattr(self, "system", whose)
        return None if whose not in (None, system) else say("questions.list_k", fields=beside)

    def standings(self) -> tuple[Standing, ...]:
        """The player's standing in every kind of system, from the fields given for each."""
        kinds = []
        for kind, used in STANDINGS.items():
            given = {SPELT.get(name, name): getattr(self, name) for name in used if getattr(self, name) is not None}
            listed = self.rating.standing
            start = listed if isinstance(listed, kind) else kind(self.rating.rating)
            kinds.append(replace(start, **given))
        return tuple(kinds)


@dataclass(frozen=True, kw_only=True, init=False, repr=False, eq=False)
class OpponentFields(Asking):
    """What is known about opponents given only by rating."""

    opponent_deviation: Rating | None = optional(
        readers.deviation, example="60", group="player", systems=WITH_DEVIATION
    )

    def opponent_known(self, opponent: Player, rated_by: System) -> Player:
        """An opponent, with the common deviation if they have none of their own."""
        if self.opponent_deviation is None:
            return opponent
        check_used(given_fields(type(self))["opponent_deviation"], rated_by)
        known = GlickoStanding.of(opponent)
        if known.deviation is not None or known.rating is None:
            return opponent
        return replace(opponent, standing=replace(known, deviation=self.opponent_deviation))


def check_used(given: Given, rated_by: System) -> None:
    """Refuse a field that a system does not use, and say which do; a system of one's own uses what its base does."""
    if not given.used_by(rated_by.base):
        name = FieldName(given.name)
        said = say("questions.unused", system=rated_by.name, field_name=name, systems=tuple(given.systems))
        raise BadInput(said, at=given.name)


def unused_fields(given: Iterable[str], declared: Mapping[str, Given], system: str) -> list[str]:
    """The fields among those given that a system would refuse, because others use them."""
    refused = {name for name in (*OF_STANDING, "opponent_deviation", "base") if name in declared}
    return [name for name in dict.fromkeys(given) if name in refused and not declared[name].used_by(system)]


FORFEIT_SIGNS = {"forfeit-win": "+", "forfeit-loss": "-"}
PLAYED = tuple(name for name in RESULT_NAMES if name != "to-come")


@dataclass(frozen=True, kw_only=True)
class PairingObject:
    """A game, played or to come, as an object, for programs that send JSON; it is read as the text that says the same.

    Its opponent is only that: no text for two games or with a result of its own.
    """

    opponent: str = required(readers.opponent_as_typed, example="1950")
    result: str | None = optional(readers.result, example="win", choices=tuple(RESULT_NAMES))
    colour: str | None = optional(readers.colour, example="white", choices=tuple(COLOUR_NAMES))
    deviation: Rating | None = optional(readers.deviation, example="30")

    @property
    def notation(self) -> str:
        """The game in our notation: `1950:win@w`."""
        if self.result == "bye":
            return "bye"
        deviation = "" if self.deviation is None else f"/{self.deviation}"
        result = "" if self.result in (None, "to-come") else f":{FORFEIT_SIGNS.get(str(self.result), self.result)}"
        return f"{self.opponent}{deviation}{result}{'' if self.colour is None else f'@{self.colour[0]}'}"


@dataclass(frozen=True, kw_only=True)
class GameObject(PairingObject):
    """A game that was played, which has a result."""

    result: str = required(readers.result, example="win", choices=PLAYED)


@dataclass(frozen=True, kw_only=True, init=False, repr=False, eq=False)
class GameFields(Asking):
    """The games: typed one by one, or pasted, which is a file at the command and a text elsewhere."""

    game: tuple[Game, ...] = several(
        readers.game, split=split_games, example="1950:win", word=True, as_object=GameObject
    )
    paste: str | None = optional(
        readers.text,
        example="1950 win",
        longest=LONGEST_PASTE,
        as_it_is=True,
        group="event",
        doors=frozenset({"api"}),
        why="at the command a paste is a file; on the page it is read into rows",
    )
    paste_file: str | None = optional(
        lambda path, _: pasted_text(path),
        example="card.txt",
        option="paste",
        group="event",
        longest=LONGEST_PATH,
        **COMMAND_ALONE,
    )
    whose: str | None = optional(
        readers.text,
        example="Lindqvist, Tyra",
        option="player",
        group="event",
        only_with=("paste", "paste_file"),
        doors=frozenset({"command", "api"}),
        why="on the page it is asked where a paste has several players",
    )

    accept: tuple[int, ...] = several(
        readers.count,
        example="3",
        group="event",
        only_with=("paste", "paste_file"),
        doors=frozenset({"command", "api"}),
        why="on the page each line that is not understood has a button",
    )

    @cached_property
    def pasted(self) -> Paste | None:
        """What was read from the paste, with the ratings that count in the system; None if nothing was pasted."""
        text = self.paste if self.paste_file is None else self.paste_file
        if text is None:
            return None
        return counted_in(reading_of(text, self.whose, self.accept), getattr(self, "system", ""))

    def played(self) -> tuple[Game, ...]:
        """The games typed, then the pasted ones that have a result and a rating; notes name the others."""
        if self.pasted is None:
            return self.game
        if self.pasted.players:
            names = apart(self.pasted.players[:MOST_NAMES])
            raise BadInput(say("reading.whose_games", names=names), at="whose")
        at = "paste" if self.paste_file is None else "paste_file"
        if not self.pasted.games:
            raise BadInput(say("reading.no_games"), at=at)
        games = (*self.game, *rated_games(self.pasted.games))
        if not games and only_national(self.pasted):
            raise BadInput(say("questions.only_national.international"), at=at)
        if not games and self.pasted.unrated:
            raise BadInput(self.pasted.unrated[0], at=at)
        return games


def rated_games(pasted: Iterable[PastedGame]) -> tuple[Game, ...]:
    """The pasted games that have a result and a rating."""
    notations = (game.notation for game in pasted if game.result != "to-come")
    return tuple(parse_game(notation) for notation in notations if notation)


@dataclass(frozen=True, kw_only=True, init=False, repr=False, eq=False)
class ListFields(Asking):
    """Which rating lists to look players up in."""

    list: str | None = optional(readers.text, example="fide", group="lists", **COMMAND_ALONE)
    folder: str | None = optional(
        readers.text, example="lists", option="data", group="lists", longest=LONGEST_PATH, **COMMAND_ALONE
    )
