"""Questions by name: what may be asked, and the calculation that answers.

A door hands over texts by name, as its user gave them (`rating`, `game`, `born`, `on` …), and gets a calculation back.
What the names are called here is what they are called in the query of the HTTP API and among the command's options.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from arpad.errors import BadInput, UnknownName
from arpad.model import MOST_GAMES, Event, Period, Player, rating_of
from arpad.notation import parse_date, parse_game, parse_opponent, parse_pace, parse_rating
from arpad.systems import system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import date

    from arpad.contract import Calculation, System
    from arpad.model import Game, Pace, Rating

DEFAULT_SYSTEM = "fide-standard"
LONGEST = 200  # characters of one text: longer ones are no rating, game, date or name


class Name(NamedTuple):
    """Something that may be given: what it is, how it may look, and whether it may be given more than once."""

    says: str
    example: str
    many: bool = False


NAMES: Mapping[str, Name] = {
    "rating": Name("own rating", "1750"),
    "game": Name("a game, opponent:result", "1950:win", many=True),
    "opponent": Name("the opponent's rating", "1950"),
    "against": Name("the rating of an opponent to come", "1700", many=True),
    "reach": Name("the rating to reach", "1800"),
    "expected": Name("the expected score to have", "0.75"),
    "method": Name("the kind of performance rating: fide, tpr, ptp, linear or logistic", "fide"),
    "k": Name("K by hand; otherwise it is worked out", "20"),
    "born": Name("year of birth", "2010"),
    "games": Name("rated games completed before", "30"),
    "peak": Name("highest published rating", "1800"),
    "standard": Name("standard rating, for rapid and blitz without one", "1800"),
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
    "event": Name("the next event of the same period: its name, and behind it what belongs to it", "", many=True),
}
EVENT = ("name", "on", "rating", "time", "game")
PLAYER = ("rating", "k", "born", "games", "peak", "standard", "deviation", "volatility")
RULES = ("system", "on", "reading", "set")
ABOUT_RULES = ("system", "on", "changes")
BIRTH = {"born": "birth_year"}  # where the library's name is a longer one


class Question(NamedTuple):
    """A question: what it answers, the names it takes, and those it cannot do without (`a|b`: either)."""

    says: str
    answer: Callable[[Asked], Calculation]
    names: tuple[str, ...]
    needs: tuple[str, ...]


class Asked(NamedTuple):
    """What was asked, as checked texts by name; the day is today's where none was given."""

    texts: Mapping[str, Any]
    today: date

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
        return Player(parse_rating(self.texts["rating"], at="rating"), **known)

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

    def day(self, events: Iterable[Event] = ()) -> date:
        """The day asked for, else that of the last event, else today."""
        if "on" in self.texts:
            return parse_date(self.texts["on"], at="on")
        return max((event.on for event in events if event.on is not None), default=self.today)


def ask(question: str, given: Mapping[str, Any], *, today: date) -> Calculation:
    """The calculation that answers a question; `given` holds texts, numbers, or lists of them, by name."""
    return answer(question, read(question, given, today=today))


def read(question: str, given: Mapping[str, Any], *, today: date) -> Asked:
    """What was asked, with every name and text checked."""
    return Asked(_texts(given, _question(question).names), today)


def read_rules(given: Mapping[str, Any]) -> dict[str, str]:
    """What was asked about rules, with every name and text checked."""
    return _texts(given, ABOUT_RULES)


def answer(question: str, asked: Asked) -> Calculation:
    """The calculation that answers what was read."""
    lacking = lacks(question, asked)
    if lacking is not None:
        first = lacking.partition("|")[0]
        raise BadInput(f"{_sentence(lacking)}, for example {first}={NAMES[first].example}.", at=first)
    return _question(question).answer(asked)


def lacks(question: str, asked: Asked) -> str | None:
    """The first name without which a question cannot be answered; None if all are there."""
    needs = _question(question).needs
    return next((need for need in needs if not any(name in asked.texts for name in need.split("|"))), None)


def from_pairs(pairs: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """The names and texts of a query by name; as with the command, what stands behind an `event` belongs to it."""
    given: dict[str, Any] = {}
    here = given
    for name, text in pairs:
        if name == "event":
            here = {"name": text}
            given.setdefault("event", []).append(here)
            continue
        owner = here if name in EVENT else given
        if not text.strip():
            continue
        if name not in owner:
            owner[name] = [text] if name in NAMES and NAMES[name].many else text
        elif isinstance(owner[name], list):
            owner[name].append(text)
        else:
            raise BadInput(f"`{name}` was given twice; give it once.", at=name)
    return given


def _question(name: str) -> Question:
    if name not in QUESTIONS:
        raise UnknownName("question", name[:LONGEST], known=QUESTIONS, at="question")
    return QUESTIONS[name]


def _sentence(lacking: str) -> str:
    names = [f"`{name}` ({NAMES[name].says})" for name in lacking.split("|")]
    return f"{' or '.join(names)} is needed"


def _texts(given: Mapping[str, Any], allowed: Iterable[str], path: str = "") -> dict[str, Any]:
    """Every name known, every value a text or a list of texts; what was left empty was not given."""
    texts: dict[str, Any] = {}
    for name, value in given.items():
        if name not in allowed:
            raise UnknownName("name to give here", name[:LONGEST], known=allowed, at=f"{path}{name[:LONGEST]}")
        at = f"{path}{name}"
        if value is None:
            continue
        if name == "event":
            texts[name] = [_event_texts(event, f"{at}[{number}]") for number, event in enumerate(_list(value, at))]
        elif NAMES[name].many:
            texts[name] = [_text(one, f"{at}[{number}]") for number, one in enumerate(_list(value, at))]
        else:
            texts[name] = _text(value, at)
    return {name: value for name, value in texts.items() if value}


def _event_texts(event: Any, at: str) -> dict[str, Any]:
    if not isinstance(event, dict):
        raise BadInput("An event is an object, for example {'on': '2026-11-15', 'game': ['1950:win']}.", at=at)
    return _texts(event, EVENT, f"{at}.")


def _list(value: Any, at: str) -> list[Any]:
    values = value if isinstance(value, list) else [value]
    if at == "event" and values is not value:
        raise BadInput("`event` is a list of events, each an object.", at=at)
    if len(values) > MOST_GAMES:
        raise BadInput(f"{len(values)} are too many; at most {MOST_GAMES} are taken.", at=at)
    return values


def _text(value: Any, at: str) -> str:
    """A text or a number as a text."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise BadInput(f"A {type(value).__name__} is not expected here; give one text or number.", at=at)
    text = value if isinstance(value, str) else repr(value)
    if len(text) > LONGEST:
        raise BadInput(f"A text of {len(text)} characters is too long; at most {LONGEST} are taken.", at=at)
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


def _rate(asked: Asked) -> Calculation:
    events = asked.events()
    loose = asked.games()
    if loose:
        events.insert(0, Event(tuple(loose), pace=asked.pace()))
    period = Period(tuple(events), asked.rating("base"))
    return asked.system().rate_period(asked.player(), period, on=asked.day(events))


def _expect(asked: Asked) -> Calculation:
    opponent = parse_opponent(asked.texts["opponent"], at="opponent")
    return asked.system().expect(asked.player(), opponent, on=asked.day(), pace=asked.pace())


def _need(asked: Asked) -> Calculation:
    from arpad.outlook import rating_needed, score_needed

    reach, expected = asked.rating("reach"), asked.text("expected")
    if (reach is None) == (expected is None):
        raise BadInput("Ask either for a target (`reach`) or for an expected score (`expected`).", at="reach")
    if reach is None:
        return rating_needed(asked.system(), asked.opponents(), expected=str(expected), on=asked.day())
    if "rating" not in asked.texts:
        raise BadInput("The score to a target depends on the own rating; give it too.", at="rating")
    return score_needed(
        asked.system(), asked.player(), asked.opponents(), reach=int(reach), on=asked.day(), pace=asked.pace()
    )


def _first(asked: Asked) -> Calculation:
    events = asked.events()
    return asked.system().first_rating([*asked.games(), *events], on=asked.day(events), pace=asked.pace())


def _performance(asked: Asked) -> Calculation:
    from arpad.performances import performance

    system(asked.texts.get("system", DEFAULT_SYSTEM))  # performance is the same in all; a wrong name is still wrong
    method = asked.text("method") or "fide"
    return performance(asked.games(), on=asked.day(), method=method, readings=dict(asked.pairs("reading")))


def _conversion(asked: Asked) -> Calculation:
    on = None if "on" not in asked.texts else asked.day()
    return asked.system().conversion(
        rating_of(asked.texts["rating"], at="rating"), on=on, standard=asked.rating("standard")
    )


QUESTIONS: Mapping[str, Question] = {
    "rate": Question(
        "what a game, an event or a rating period does to a rating",
        _rate,
        (*PLAYER, *RULES, "game", "time", "base", "event"),
        ("rating", "game|event"),
    ),
    "period": Question(
        "what the events of a rating period do to a rating",
        _rate,
        (*PLAYER, *RULES, "game", "time", "base", "event"),
        ("rating", "event|game"),
    ),
    "expect": Question(
        "one game before it is played: expected score, and the change for each result",
        _expect,
        (*PLAYER, *RULES, "opponent", "time"),
        ("rating", "opponent"),
    ),
    "need": Question(
        "the score that reaches a target, or the rating for an expected score",
        _need,
        (*PLAYER, *RULES, "against", "reach", "expected", "time"),
        ("against", "reach|expected"),
    ),
    "first": Question(
        "an unrated player's first rating, or what is still missing",
        _first,
        (*RULES, "game", "time", "event"),
        ("game|event",),
    ),
    "performance": Question(
        "a performance rating",
        _performance,
        ("system", "on", "reading", "game", "method"),
        ("game",),
    ),
    "conversion": Question(
        "what a one-off conversion made of a rating",
        _conversion,
        ("system", "on", "reading", "set", "rating", "standard"),
        ("rating",),
    ),
}
