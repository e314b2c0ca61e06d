"""Questions by name: what may be asked, and the calculation that answers.

A door hands over texts by name, as its user gave them (`rating`, `game`, `born`, `on` …), and gets a calculation back.
What the names are called here is what they are called in the query of the HTTP API and among the command's options.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.core import MOST_GAMES, Event, Player, rating_of, updated
from arpad.errors import BadInput, UnknownName
from arpad.reading.notation import parse_date, parse_game, parse_opponent, parse_pace, parse_rating
from arpad.systems import system

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import date

    from arpad.core import Game, Pace, Rating
    from arpad.systems.system import System

DEFAULT_SYSTEM = "fide-standard"
GIVEN = (str, int, float)  # what a text may be given as; truth values are none of them
JSON_WORDS: Mapping[type, str] = {bool: "true or false", dict: "an object", list: "a list", type(None): "null"}
LONGEST = 200  # characters of one text: longer ones are no rating, game, date or name
LONGEST_TABLE = 4000  # characters of the names of a table's columns
LONGEST_FILE = 8_000_000  # characters of a whole file


class Name(NamedTuple):
    """Something that may be given: what it is, how it may look, and whether it may be given more than once."""

    says: str
    example: str
    many: bool = False
    longest: int = LONGEST


NAMES: Mapping[str, Name] = {
    "rating": Name("own rating", "1750"),
    "game": Name("a game, opponent:result", "1950:win", many=True),
    "opponent": Name("the opponent's rating", "1950"),
    "against": Name("the rating of an opponent to come", "1700", many=True),
    "lose": Name("the chance to lose more than so many points", "10"),
    "strength": Name("true strength; the rating if it is left out", "1800"),
    "field": Name("the average of an open whose pairings are not known", "1850"),
    "spread": Name("the standard deviation round that average", "120"),
    "rounds": Name("how many of that field will be met", "9"),
    "draw_rate": Name("Davidson's share of draws between equals", "0.4"),
    "white": Name("what White is worth, in points", "35"),
    "idle": Name("rating periods without a game before this one, for the systems that count them", "2"),
    "reach": Name("the rating to reach", "1800"),
    "formula": Name("plain Elo's formula beside the system's own: yes or no", "yes"),
    "expected": Name("the expected score to have", "0.75"),
    "method": Name("the kind of performance rating: fide, tpr, ptp, linear or logistic", "fide"),
    "k": Name("K by hand; otherwise it is worked out", "20"),
    "born": Name("year of birth", "2010"),
    "games": Name("rated games completed before", "30"),
    "peak": Name("highest published rating", "1800"),
    "standard": Name("standard rating, for rapid and blitz without one", "1800"),
    "dwz_index": Name("tournaments rated so far, the number behind a DWZ", "12"),
    "deviation": Name("rating deviation, for the systems that have one", "200"),
    "volatility": Name("volatility, for the systems that have one", "0.06"),
    "time": Name("time control, minutes+seconds", "90+30"),
    "base": Name("the rating the change was added to, if the list was corrected", "1750"),
    "name": Name("the event's name", "Autumn Open"),
    "on": Name("the day the event began; today if it is left out", "2026-11-15"),
    "changes": Name("two days: what changed after the first and up to the second", "2013-01-01..2026-11-15"),
    "reading": Name("another reading of a disputed rule", "rounding=per-event", many=True),
    "set": Name("a setting of the system", "scale=480", many=True),
    "system": Name("the rating system", DEFAULT_SYSTEM),
    "systems": Name("the systems to compare, with commas between; all if it is left out", "fide-standard,elo"),
    "pace": Name("time control, minutes+seconds", "25+5"),
    "online": Name("whether it was played online: yes or no", "yes"),
    "age": Name("age at the event, with the fraction of the year", "8.12"),
    "fide": Name("FIDE rating", "1500"),
    "adult": Name("whether somebody of unknown age is an adult: yes or no", "yes"),
    "wins": Name("games won", "120"),
    "losses": Name("games lost", "95"),
    "draws": Name("games drawn in a match or so far; for an outlook, the draw model", "300"),
    "events": Name("events so far with three rated games or more", "10"),
    "life_master": Name("an Original Life Master: yes or no", "yes"),
    "prize": Name("a prize won in a section or class, in dollars", "5000"),
    "under": Name("the limit of that section or class", "1800"),
    "players": Name("the players of a section, each an object with id, rating, results …", "", many=True),
    "player": Name("this player of the section or event alone, by id or starting number", "3"),
    "text": Name("a tournament file, as text", "", longest=LONGEST_FILE),
    "data": Name("a tournament file that is no text, in base64", "", longest=LONGEST_FILE),
    "file": Name("the name of that file", "open.trf"),
    "columns": Name(
        "columns of a table that are not recognised, ours first, with commas between",
        "no=Nr,name=Spieler",
        longest=LONGEST_TABLE,
    ),
    "table": Name(
        "what is known of the players beside the file, as CSV: no or fide_id, k, born …", "", longest=LONGEST_FILE
    ),
    "title": Name("this title alone: GM, IM, WGM or WIM", "IM"),
    "event_kind": Name(
        "the kind of event, swiss or round-robin for example; as the file says if it is left out", "swiss"
    ),
    "host": Name("the federation that registered the event; as the file says if it is left out", "ENG"),
    "exempt": Name("an exemption of 1.4.3 that no file shows: a, b or c", "a"),
    "by": Name("a tie-break; several count in their order", "ARO/C1", many=True),
    "unrated": Name("what an unrated player counts as by the event's own rule", "1400"),
    "match": Name("whether the section is a match of two players: yes or no", "no"),
    "pairs": Name("pairs of games, five counts: LL, LD, even, WD, WW", "10", many=True),
    "program": Name("whose conventions", "fastchess"),
    "sprt": Name("test one Elo difference against another: two numbers", "5", many=True),
    "alpha": Name("chance of accepting the second wrongly", "0.05"),
    "beta": Name("chance of accepting the first wrongly", "0.05"),
    "model": Name("of fastchess: normalized, logistic or bayesian", "normalized"),
    "event": Name("the next event: its name, and behind it what belongs to it", "", many=True),
    "plan": Name("the plan an event belongs to; without one it belongs to every plan", "opens"),
}
NESTED = ("event", "players")  # lists of objects in JSON
EVENT = ("name", "on", "rating", "time", "game")  # what belongs to an event that was played
PLAYER = ("rating", "k", "born", "games", "peak", "standard", "deviation", "volatility", "dwz_index", "idle")
RULES = ("system", "on", "reading", "set")
ABOUT_RULES = ("system", "on", "changes")
FLAGS = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
BIRTH = {"born": "birth_year"}  # where the library's name is a longer one


class Asked(NamedTuple):
    """What was asked, as checked texts by name; the day is today's where none was given."""

    texts: Mapping[str, Any]
    today: date
    listed: Player | None = None  # the player as a rating list has them, if they were looked up

    def text(self, name: str) -> str | None:
        """A text, or None if it was not given."""
        text: str | None = self.texts.get(name)
        return text

    def system(self) -> System:
        """The system, with its settings and under the readings asked for."""
        name = self.texts.get("system", DEFAULT_SYSTEM)
        settings, readings = self.pairs("set"), self.pairs("reading")
        return _system(name, settings, readings) if settings or readings else system(name)

    def pairs(self, name: str) -> tuple[tuple[str, str], ...]:
        """NAME=VALUE, as often as it was given."""
        pairs = {}
        for number, text in enumerate(self.texts.get(name, ())):
            key, equals, value = text.partition("=")
            if not equals:
                raise BadInput(f"'{text}' is not of the form NAME=VALUE.", at=f"{name}[{number}]")
            pairs[key] = value
        return tuple(sorted(pairs.items()))

    def player(self) -> Player:
        """The player asked about."""
        known = {BIRTH.get(name, name): self.texts[name] for name in PLAYER[1:] if name in self.texts}
        if self.listed is not None:  # what is typed counts more than the list
            return updated(self.listed, Player(None, **known))
        return Player(parse_rating(self.texts["rating"], at="rating"), **known)

    def flag(self, name: str) -> bool:
        """Yes or no; no if it was not given."""
        text = self.texts.get(name, "no").lower()
        if text not in FLAGS:
            raise BadInput(f"'{text}' is neither yes nor no.", at=name)
        return FLAGS[text]

    def rating(self, name: str) -> Rating | None:
        """A rating by name, or None if it was not given."""
        return None if name not in self.texts else rating_of(self.texts[name], at=name)

    def pace(self) -> Pace | None:
        """The time control."""
        return None if "time" not in self.texts else parse_pace(self.texts["time"], at="time")

    def games(self) -> list[Game]:
        """The games that belong to no named event."""
        return _games(self.texts)

    def events(self) -> list[Event]:
        """The events, each with what stands behind it."""
        return [_event(event, f"event[{number}].") for number, event in enumerate(self.texts.get("event", ()))]

    def opponents(self) -> list[Player]:
        """The opponents to come."""
        return [
            parse_opponent(text, at=f"against[{number}]") for number, text in enumerate(self.texts.get("against", ()))
        ]

    def day(self) -> date:
        """The day asked for, else today."""
        return parse_date(self.texts["on"], at="on") if "on" in self.texts else self.today


def read(given: Mapping[str, Any], allowed: Iterable[str], *, today: date, event: tuple[str, ...] = EVENT) -> Asked:
    """What was asked, with every name and text checked; `given` holds texts, numbers, or lists of them, by name.

    `event` has the names that belong to an event.
    """
    return Asked(_texts(given, allowed, event), today)


def from_pairs(pairs: Iterable[tuple[str, str]], event: tuple[str, ...] = EVENT) -> dict[str, Any]:
    """The names and texts of a query by name; as with the command, what stands behind an `event` belongs to it."""
    given: dict[str, Any] = {}
    here = given
    for name, text in pairs:
        if name == "event":
            here = {"name": text}
            given.setdefault("event", []).append(here)
            continue
        owner = here if name in event else given
        if not text.strip():
            continue
        if name not in owner:
            owner[name] = [text] if name in NAMES and NAMES[name].many else text
        elif isinstance(owner[name], list):
            owner[name].append(text)
        else:
            raise BadInput(f"`{name}` was given twice; give it once.", at=name)
    return given


def _texts(
    given: Mapping[str, Any], allowed: Iterable[str], event: tuple[str, ...] = EVENT, path: str = ""
) -> dict[str, Any]:
    """Every name known, every value a text or a list of texts; what was left empty was not given."""
    texts: dict[str, Any] = {}
    for name, value in given.items():
        if name not in allowed:
            raise UnknownName("name to give here", name[:LONGEST], known=allowed, at=f"{path}{name[:LONGEST]}")
        if value is None:
            continue
        at = f"{path}{name}"
        if name in NESTED:
            inner = _columns() if name == "players" else event
            text: Any = [_inner(one, inner, f"{at}[{number}]") for number, one in enumerate(_list(value, at))]
        elif name in NAMES and NAMES[name].many:
            text = [_text(one, f"{at}[{number}]") for number, one in enumerate(_list(value, at))]
        else:
            text = _text(value, at, NAMES[name].longest if name in NAMES else LONGEST)
        if text:
            texts[name] = text
    return texts


def _inner(one: Any, allowed: Iterable[str], at: str) -> dict[str, Any]:
    if not isinstance(one, dict):
        raise BadInput("This is a list of objects, each with its own names.", at=at)
    return _texts(one, allowed, path=f"{at}.")


def _columns() -> tuple[str, ...]:
    """What may be said of a player in a section."""
    from arpad.formats.section import COLUMNS

    return COLUMNS


def _list(value: Any, at: str) -> list[Any]:
    values = value if isinstance(value, list) else [value]
    if at in NESTED and values is not value:
        raise BadInput(f"`{at}` is a list of objects.", at=at)
    if len(values) > MOST_GAMES:
        raise BadInput(f"{len(values)} are too many; at most {MOST_GAMES} are taken.", at=at)
    return values


def _text(value: Any, at: str, longest: int = LONGEST) -> str:
    """A text or a number as a text."""
    if type(value) is list and at == "games":
        raise BadInput("`games` is the number of rated games before; the games themselves are `game`.", at=at)
    if type(value) not in GIVEN:
        what = JSON_WORDS.get(type(value), type(value).__name__)
        raise BadInput(f"This is {what}; give one text or number.", at=at)
    text = value if type(value) is str else repr(value)
    if len(text) > longest:
        raise BadInput(f"A text of {len(text)} characters is too long; at most {longest} are taken.", at=at)
    return text.strip()


@lru_cache(maxsize=64)  # a reading means reading the rule file again
def _system(name: str, settings: tuple[tuple[str, str], ...], readings: tuple[tuple[str, str], ...]) -> System:
    chosen: dict[str, Any] = {"readings": dict(readings)} if readings else {}
    return system(name, **dict(settings), **chosen)


def _games(texts: Mapping[str, Any], path: str = "") -> list[Game]:
    return [parse_game(text, at=f"{path}game[{number}]") for number, text in enumerate(texts.get("game", ()))]


def _event(texts: Mapping[str, Any], path: str) -> Event:
    return Event(
        tuple(_games(texts, path)),
        None if "rating" not in texts else parse_rating(texts["rating"], at=f"{path}rating"),
        None if "on" not in texts else parse_date(texts["on"], at=f"{path}on"),
        texts.get("name"),
        None if "time" not in texts else parse_pace(texts["time"], at=f"{path}time"),
    )
