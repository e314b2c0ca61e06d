"""The site: its five doors, the questions behind each, the addresses that moved, and what the forms offer.

What they say is in `messages/<language>/pages.txt`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from arpad.core import Pace
from arpad.messages import section, voice
from arpad.questions import Given, given_fields, spec_of
from arpad.questions.fields import PersonFields, RuleFields
from arpad.questions.read import DEFAULT_SYSTEM
from arpad.reading.particulars import class_named
from arpad.reading.text import bare
from arpad.systems import CALLED, SYSTEMS, family, system
from arpad.systems.fide.games import fast_classic
from arpad.systems.fide.rules import FideRules
from arpad.web.api import today


@dataclass(frozen=True, slots=True)
class Door:
    """One of the five ways in, each a person's question: its name and its address."""

    name: str
    path: str

    @property
    def title(self) -> str:
        """What the navigation calls it."""
        return named("door", self.name)

    @property
    def about(self) -> str:
        """A line about it, for the menu of a phone."""
        return named("door_about", self.name)

    @property
    def asks(self) -> bool:
        """Whether it has a form, which can take what was typed at another door."""
        return self.name in ASKING_DOORS


DOORS = {
    door.name: door
    for door in (
        Door("played", "/"),
        Door("ahead", "/ahead"),
        Door("first", "/first"),
        Door("tournament", "/tournament"),
        Door("learn", "/learn"),
    )
}
ASKING_DOORS = ("played", "ahead", "first")
# Families of systems in which an unrated player starts from a rating of its own, so that the first game changes it.
STARTING = ("uschess", "lichess", "glicko", "glicko-2")
# Where the pages went that had an address of their own; what their addresses carried goes along.
MOVED = {
    "/period": "/",
    "/diary": "/",
    "/performance": "/",
    "/compare": "/",
    "/expect": "/ahead",
    "/need": "/ahead",
    "/outlook": "/ahead",
    "/season": "/ahead",
    "/help": "/learn",
    "/rules": "/learn/rules",
    "/api": "/learn/api",
}


@dataclass(frozen=True, slots=True)
class Page:
    """What a door shows for one question: the question, the door, the query of its example, and its own address."""

    question: str
    door: str
    query: str = ""
    at: str = ""

    def _word(self, kind: str) -> str:
        return section(voice().language, f"pages.{kind}").get(self.question, "")

    @property
    def path(self) -> str:
        """Its address: the door's, unless it has its own."""
        return self.at or DOORS[self.door].path

    @property
    def asks(self) -> bool:
        """Whether it has the form of its door, which can take what was typed at another."""
        return self.door in ASKING_DOORS and not self.at

    @property
    def title(self) -> str:
        """Its heading: the question."""
        return self._word("title")

    @property
    def says(self) -> str:
        """What it is for."""
        return self._word("says")

    @property
    def waiting(self) -> str:
        """What it says before anything is filled in."""
        return self._word("waiting")


PAGES = {
    page.question: page
    for page in (
        Page("rate", "played", "system=fide-standard&on=2026-11-15&rating=1750&born=2010&game=1950:win"),
        Page(
            "period",
            "played",
            "system=fide-standard&on=2026-11-01&rating=2395&event=Autumn+Open&on=2026-10-03&game=2103:1&game=2250:%C2%BD&event=League&on=2026-10-17&rating=2400&game=2310:1",
        ),
        Page(
            "performance",
            "played",
            "system=fide-standard&on=2026-11-15&game=1950:win&game=2010:draw&game=1890:1",
        ),
        Page("compare", "played", "on=2026-11-15&rating=1750&born=2010&game=1950:win&game=1800:draw"),
        Page(
            "diary",
            "played",
            "system=fide-standard&on=2026-11-15&rating=1750&born=2010&event=Spring+Open&on=2026-04-03&game=1800:win&game=1900:draw&event=Summer+Open&on=2026-07-11&game=1850:loss&game=1780:win&event=Autumn+Open&on=2026-10-30&game=1850:win&game=1920:draw",
        ),
        Page("expect", "ahead", "system=fide-standard&on=2026-11-15&rating=1500&opponent=1700"),
        Page(
            "need",
            "ahead",
            "system=fide-standard&on=2026-11-15&rating=1780&reach=1800&against=1700&against=1750&against=1800&against=1820&against=1850&against=1900&against=1920",
        ),
        Page(
            "outlook",
            "ahead",
            "system=fide-standard&on=2026-11-15&rating=1780&born=2010&game=1700:win&game=1750:draw&game=1800:%3F&game=1820:%3F&game=1850:%3F&game=1900:%3F&reach=1800",
        ),
        Page(
            "season",
            "ahead",
            "system=fide-standard&on=2026-09-15&rating=1750&reach=1800&born=2010&event=Autumn+Open&on=2026-10-10&game=1690&game=1740&game=1780&game=1820&game=1860&event=City+Open&on=2026-11-14&game=1700&game=1760&game=1790&game=1840&game=1880&event=Christmas+Open&on=2026-12-27&game=1720&game=1750&game=1800&game=1830&game=1870",
        ),
        Page(
            "first",
            "first",
            "system=fide-standard&on=2026-11-15&game=1902:1&game=1877:1&game=1884:%C2%BD&game=2012:0&game=1832:%C2%BD",
        ),
        Page("tournament", "tournament"),
        Page("help", "learn"),
        Page("rules", "learn", at="/learn/rules"),
        Page("api", "learn", at="/learn/api"),
    )
}
NOWHERE = Page("nowhere", "", at="/")
IN_ROWS = {"game", "against", "event", "reading", "changes"}  # fields that forms show as rows, lines and lists


def system_groups(question: str, chosen: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """The systems that a page offers, in groups; one chosen by a link is always included."""
    offered: dict[str, list[tuple[str, str]]] = {}
    for name, listing in SYSTEMS.items():
        starts = question == "first" and family(name) in STARTING
        if question not in listing.lacks or starts or name == chosen:
            offered.setdefault(named("system_group", listing.group), []).append((name, named("system", name)))
    return list(offered.items())


def families_using(question: str, name: str) -> list[str]:
    """The families of systems that use a field of a question, as it is declared; none if all do."""
    given = spec_of(question).fields.get(name)
    return [] if given is None else list(dict.fromkeys(family(one) for one in given.systems))


def labels_by_family(question: str, name: str) -> dict[str, str]:
    """What families of systems call a field; empty if the page has its own word for it."""
    language = voice().language
    if f"{question}.{name}" in section(language, "pages.label_on"):
        return {}
    own = section(language, "pages.label_of")
    return {key.partition(".")[0]: text for key, text in own.items() if key.partition(".")[2] == name}


def field_label(question: str, name: str) -> str | None:
    """What a page calls a field; None if there is no such field."""
    language = voice().language
    own = section(language, "pages.label_on").get(f"{question}.{name}")
    return own or section(language, "fields.label").get(name)


def named(kind: str, name: str) -> str:
    """What people call a system, a method or a draw model."""
    return section(voice().language, f"pages.{kind}").get(name, name)


def system_called(text: str) -> str | None:
    """The system that somebody means by a name: `Lichess`, `US Chess`, `rapid`; None if there is none."""
    wanted = bare(text)
    if wanted in CALLED:
        return next(name for name in SYSTEMS if name.startswith(CALLED[wanted]))
    for name, listing in SYSTEMS.items():
        words = named("system", name).split()
        fewest = len(words) if listing.group == "plain" else 1  # to many people an Elo is FIDE's rating
        if wanted in {bare(" ".join(words[:count])) for count in range(fewest, len(words) + 1)}:
            return name
    return class_named(text)


def rule_name(name: str) -> str:
    """What people call a rule."""
    return section(voice().language, "pages.rule").get(name, name.replace("_", " "))


def choices(first: str = "win") -> dict[str, str]:
    """The results that a row of the form offers, starting with that of a new row."""
    spelt = {"forfeit-win": "+", "forfeit-loss": "-", "to-come": "?"}
    found = {spelt.get(name, name): text for name, text in section(voice().language, "pages.result").items()}
    return {first: found.pop(first), **found}


def shortcuts() -> list[tuple[str, str]]:
    """The keys of the page, and what each does."""
    language = voice().language
    spelt = section(language, "pages.key")  # only keys that are not letters
    return [(spelt.get(name, name), text) for name, text in section(language, "pages.shortcut").items()]


def needs_approval(pace: Pace | None, name: str, on: date) -> bool:
    """Whether an event at a time control counts only if FIDE has approved it, by the rules of a day."""
    if pace is None or family(name) != "fide":
        return False
    book = system(name).rulebook
    rules = book.at(max(on, book.covered_from))
    return isinstance(rules, FideRules) and fast_classic(pace, rules) is not None


def k_choices() -> list[str]:
    """FIDE's values of K, the largest first."""
    return [str(k) for k in sorted({band.k for band in _in_force(DEFAULT_SYSTEM, "k")}, reverse=True)]


def speeds() -> list[str]:
    """The Lichess speeds that have their own factors."""
    return list(_in_force("lichess", "regulator").speed)


def speed_called(text: str) -> str | None:
    """The Lichess speed that somebody means by a word of the chosen language; None if there is none."""
    return next((name for name in speeds() if bare(text) in {bare(name), bare(named("speed", name))}), None)


def _in_force(name: str, rule: str) -> Any:
    """The value of a system's rule as in force today, of the type that the system reads."""
    book = system(name).rulebook
    return next(found.value for found in book.in_force(max(today(), book.covered_from)) if found.name == rule)


def of_player() -> list[str]:
    """The fields about the player, rating first, which a browser can remember for its user."""
    return [*(name for name in given_fields(PersonFields) if name != "age"), "system"]


def fields_left(question: str, rendered: set[str]) -> list[Given]:
    """The fields of a question that its form has not shown yet, those about the rules first."""
    spec = spec_of(question)
    chosen = IN_ROWS if issubclass(spec.kind, RuleFields) else IN_ROWS - {"reading"}  # offered where a system is asked
    left = [
        given for given in spec.fields_at("page").values() if given.name not in rendered and given.name not in chosen
    ]
    return sorted(left, key=lambda given: given.group != "rules")
