"""The questions that may be asked by name, and what answers each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.core import Event, Period, last_day, rating_of, with_pace
from arpad.errors import BadInput, UnknownName
from arpad.questions.asking import DEFAULT_SYSTEM, EVENT, NAMES, PLAYER, RULES, Asked, from_pairs, read
from arpad.questions.forecast import AHEAD, DRAWS, PLANNED, ahead_asked, strength_asked
from arpad.questions.tournaments import FILE, NEEDED, event_asked, norms_asked, ties_asked
from arpad.reading.notation import parse_date, parse_opponent, parse_us_pace
from arpad.systems import system

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import date

    from arpad.calculation.contract import Calculation


class Question(NamedTuple):
    """A question: what it answers, the names it takes, and those it cannot do without (`a|b`: either)."""

    says: str
    answer: Callable[[Asked], Calculation]
    names: tuple[str, ...]
    needs: tuple[str, ...]
    waits: tuple[str, ...] = ()  # what a form waits for, although some system answers without
    event: tuple[str, ...] = EVENT  # what belongs to an event of it


def ask(question: str, given: Mapping[str, Any], *, today: date) -> Calculation:
    """The calculation that answers a question; `given` holds texts, numbers, or lists of them, by name."""
    return answer(question, read_question(question, given, today=today))


def read_question(question: str, given: Mapping[str, Any], *, today: date) -> Asked:
    """What was asked, with every name and text checked."""
    found = _question(question)
    return read(given, found.names, today=today, event=found.event)


def by_name(question: str, pairs: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """What a query asks, by name, each event with what belongs to it."""
    return from_pairs(pairs, event_names(question))


def event_names(question: str) -> tuple[str, ...]:
    """What belongs to an event of a question, where it has any."""
    return QUESTIONS[question].event if question in QUESTIONS else EVENT


def answer(question: str, asked: Asked) -> Calculation:
    """The calculation that answers what was read."""
    lacking = lacks(question, asked)
    if lacking is not None:
        first = lacking.partition("|")[0]
        example = f", for example {first}={NAMES[first].example}" if NAMES[first].example else ""
        raise BadInput(f"{_sentence(lacking)}{example}.", at=first)
    return _question(question).answer(asked)


def lacks(question: str, asked: Asked, *, in_form: bool = False) -> str | None:
    """The first name without which a question cannot be answered; None if all are there."""
    found = _question(question)
    needs = (*found.needs, *found.waits) if in_form else found.needs
    return next((need for need in needs if not any(name in asked.texts for name in need.split("|"))), None)


def _question(name: str) -> Question:
    if name not in QUESTIONS:
        raise UnknownName("question", name[:100], known=QUESTIONS, at="question")
    return QUESTIONS[name]


def _sentence(lacking: str) -> str:
    names = [f"`{name}` ({NAMES[name].says})" for name in lacking.split("|")]
    return f"{' or '.join(names)} is needed"


def _rate(asked: Asked) -> Calculation:
    events = _events(asked)
    period = Period(tuple(events), asked.rating("base"))
    rated = asked.system().rate_period(asked.player(), period, on=_day(asked, events))
    if asked.flag("formula"):
        from arpad.systems.comparison import by_formula

        by_formula(rated)
    return rated


def _events(asked: Asked) -> list[Event]:
    """The loose games as an event of their own, and then each event; a time control given for all holds for all."""
    events, loose, pace = asked.events(), asked.games(), asked.pace()
    if loose:
        events.insert(0, Event(tuple(loose), on=asked.day() if "on" in asked.texts else None))
    return with_pace(events, pace)


def _day(asked: Asked, events: list[Event]) -> date:
    """The day given for the whole, else that of the last event; the day of loose games is their event's."""
    if "on" in asked.texts and "game" not in asked.texts:
        return asked.day()
    return last_day(events) or asked.today


def _expect(asked: Asked) -> Calculation:
    opponent = parse_opponent(asked.texts["opponent"], at="opponent")
    return asked.system().expect(asked.player(), opponent, on=asked.day(), pace=asked.pace())


def _need(asked: Asked) -> Calculation:
    from arpad.forecast.needs import rating_needed, score_needed

    reach, expected = asked.rating("reach"), asked.text("expected")
    if (reach is None) == (expected is None):
        raise BadInput("Ask either for a target (`reach`) or for an expected score (`expected`).", at="reach")
    if reach is None:
        return rating_needed(asked.system(), asked.opponents(), expected=str(expected), on=asked.day())
    if "rating" not in asked.texts:
        raise BadInput("The score to a target depends on the own rating; give it too.", at="rating")
    return score_needed(
        asked.system(), asked.player(), asked.opponents(), reach=reach, on=asked.day(), pace=asked.pace()
    )


def _first(asked: Asked) -> Calculation:
    events = _events(asked)
    return asked.system().first_rating(events, on=_day(asked, events))


def _performance(asked: Asked) -> Calculation:
    from arpad.systems.performance import performance

    system(asked.texts.get("system", DEFAULT_SYSTEM))  # performance is the same in all; a wrong name is still wrong
    method = asked.text("method") or "fide"
    return performance(asked.games(), on=asked.day(), method=method, readings=dict(asked.pairs("reading")))


def _conversion(asked: Asked) -> Calculation:
    on = None if "on" not in asked.texts else asked.day()
    return asked.system().conversion(
        rating_of(asked.texts["rating"], at="rating"), on=on, standard=asked.rating("standard")
    )


def _compare(asked: Asked) -> Calculation:
    from arpad.systems.comparison import compare

    listed = asked.text("systems")
    systems = None if listed is None else [name.strip() for name in listed.split(",")]
    return compare(asked.player(), asked.games(), on=asked.day(), systems=systems, pace=asked.pace())


def _start(asked: Asked) -> Calculation:
    from arpad.systems.uschess import start_rating

    return start_rating(
        on=asked.day(),
        system=asked.texts.get("system", US_CHESS),
        age=asked.text("age"),
        born=None if "born" not in asked.texts else parse_date(asked.texts["born"], at="born"),
        fide=asked.text("fide"),
        adult=asked.flag("adult"),
        readings=dict(asked.pairs("reading")),
    )


def _floor(asked: Asked) -> Calculation:
    from arpad.systems.uschess import floor_of

    return floor_of(
        on=asked.day(),
        system=asked.texts.get("system", US_CHESS),
        peak=asked.rating("peak"),
        wins=asked.texts.get("wins", "0"),
        draws=asked.texts.get("draws", "0"),
        events=asked.texts.get("events", "0"),
        life_master=asked.flag("life_master"),
        prize=asked.text("prize"),
        under=asked.rating("under"),
        readings=dict(asked.pairs("reading")),
    )


def _pace(asked: Asked) -> Calculation:
    from arpad.systems.uschess import rated_in

    return rated_in(parse_us_pace(asked.texts["pace"], at="pace"), on=asked.day(), online=asked.flag("online"))


def _section(asked: Asked) -> Calculation:
    from arpad.formats.section import entrants_of
    from arpad.systems.uschess import rate_section

    rated = rate_section(
        entrants_of(asked.texts["players"]),
        on=asked.day(),
        system=asked.texts.get("system", US_CHESS),
        pace=asked.pace(),
        match=asked.flag("match"),
        readings=dict(asked.pairs("reading")),
    )
    return rated.player(asked.texts["player"]) if "player" in asked.texts else rated


def _match(asked: Asked) -> Calculation:
    from arpad.matches import match
    from arpad.matches.rules import Sprt

    given = {name: asked.texts[name] for name in ("alpha", "beta", "model") if name in asked.texts}
    bounds = asked.texts.get("sprt")
    if (bounds is None and given) or (bounds is not None and len(bounds) != 2):
        raise BadInput("A test has two bounds; give both, for example sprt=0 and sprt=5.", at="sprt")
    counts = {name: asked.text(name) for name in ("wins", "losses", "draws")}
    test = None if bounds is None else Sprt(*bounds, **given)
    return match(**counts, pairs=asked.texts.get("pairs"), sprt=test, program=asked.text("program") or "fastchess")


US_CHESS = "uschess-regular"
QUESTIONS: Mapping[str, Question] = {
    "rate": Question(
        "what a game, an event or a rating period does to a rating",
        _rate,
        (*PLAYER, *RULES, "game", "time", "base", "event", "formula"),
        ("rating",),
        ("game|event",),
    ),
    "period": Question(
        "what the events of a rating period do to a rating",
        _rate,
        (*PLAYER, *RULES, "game", "time", "base", "event", "formula"),
        ("rating",),
        ("event|game",),
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
    "outlook": Question(
        "what the games of an event or of a season can do to a rating, and how likely each outcome is",
        ahead_asked,
        (*PLAYER, *RULES, *AHEAD),
        ("rating", "against|game|field|event"),
        event=PLANNED,
    ),
    "season": Question(
        "where a rating may be after the events of several lists, and which of several plans is better",
        ahead_asked,
        (*PLAYER, *RULES, *AHEAD),
        ("rating", "event|against|game|field"),
        event=PLANNED,
    ),
    "strength": Question(
        "the strength that results look like, with a 95 % interval",
        strength_asked,
        (*RULES, "rating", "game", *DRAWS),
        ("rating", "game"),
    ),
    "compare": Question(
        "the same games under several systems, side by side",
        _compare,
        (*PLAYER, "systems", "on", "game", "time"),
        ("rating", "game"),
    ),
    "start": Question(
        "the rating a US Chess newcomer starts from, by age or FIDE rating",
        _start,
        ("system", "on", "reading", "age", "born", "fide", "adult"),
        (),
    ),
    "floor": Question(
        "the lowest a US Chess rating can fall",
        _floor,
        ("system", "on", "reading", "peak", "wins", "draws", "events", "life_master", "prize", "under"),
        (),
    ),
    "section": Question(
        "a whole US Chess section: every player's new rating, or one player's",
        _section,
        ("system", "on", "reading", "time", "players", "player", "match"),
        ("players",),
    ),
    "event": Question(
        "the rating report of a whole tournament from its file: every player, or one with the working",
        event_asked,
        (*RULES, *FILE, "table", "k", "player"),
        NEEDED,
    ),
    "norms": Question(
        "title norms in a tournament: a verdict for each condition, and what is still needed",
        norms_asked,
        (*FILE, "on", "reading", "title", "event_kind", "host", "exempt", "player"),
        NEEDED,
    ),
    "ties": Question(
        "the tie-breaks by ratings of a tournament",
        ties_asked,
        (*FILE, "on", "reading", "by", "unrated", "event_kind"),
        NEEDED,
    ),
    "pace": Question("the US Chess lists a time control is rated in", _pace, ("on", "pace", "online"), ("pace",)),
    "match": Question(
        "an engine match: Elo difference, error bars, LOS, SPRT",
        _match,
        ("wins", "losses", "draws", "pairs", "program", "sprt", "alpha", "beta", "model"),
        ("wins|losses|draws|pairs",),
    ),
}
