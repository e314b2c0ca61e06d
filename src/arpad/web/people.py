"""Players who were looked up, as the pages show them."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from arpad.core import EloStanding, Player
from arpad.errors import ArpadError
from arpad.messages import say
from arpad.questions import People, Place
from arpad.questions.read import DEFAULT_SYSTEM
from arpad.reading import parse_date

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import date

    from arpad.lists import ResolvedPlayer
    from arpad.messages import Message

OWN = "rating"  # where the player is whom the question is about
ALONE = (OWN, "opponent")  # where a player is named alone
AN_ID = re.compile(r"(?<!\S)@\d+")


@dataclass(frozen=True, slots=True)
class PeopleView:
    """Who was named in a question, and what a page says of them."""

    people: People
    system: str

    @property
    def looked_up(self) -> list[Message]:
        """Who was found."""
        found = dict.fromkeys(f"{one.name} {_rating(one.player)} ({one.about})" for one in self.people.named.values())
        return [say("pages.looked_up", people="; ".join(found))] if found else []

    @property
    def said(self) -> str:
        """What the list has of whoever is named where a rating alone would be, in a sentence beside the field."""
        there = [(path, self.people.named[path]) for path in ALONE if path in self.people.named]
        if not there:
            return ""
        lines = [f"{one.name}: {', '.join(self._figures(path, one))}." for path, one in there]
        lists = say("pages.lists_and", lists=sorted({str(one.list) for _, one in there}))
        return " ".join([*lines, str(say("pages.rating_list", lists=lists))])

    def _figures(self, path: str, one: ResolvedPlayer) -> Iterator[str]:
        """A rating, or what is used for it; of the player the question is about K and the year of birth too."""
        player = one.player
        if player.rating is not None or player.rating_used is None:
            yield _rating(player)
        else:
            yield str(say("pages.standard_used", rating=player.rating_used))
        if path == OWN:
            beside = {name: self.listed[name] for name in ("k", "born") if name in self.listed}
            yield from (str(say(f"pages.listed_{name}", **{name: text})) for name, text in beside.items())

    @property
    def listed(self) -> dict[str, str]:
        """What the list has for the fields beside the own rating, which counts where they are left empty."""
        if OWN not in self.people.named:
            return {}
        player = self.people.named[OWN].player
        standing = EloStanding.of(player)
        other_k = standing.k_from is not None and standing.k_from.system not in (None, self.system)
        known = {
            "rating": player.rating_used,
            "born": player.birth_year,
            "peak": standing.peak,
            "k": None if other_k else standing.k,
            "standard": standing.standard,
        }
        return {name: str(value) for name, value in known.items() if value is not None}

    def name(self, path: str) -> str:
        """The name of whoever was named at a place; nothing if nobody was."""
        return (self.people.named[path].listed.name or "") if path in self.people.named else ""

    def in_line(self, line: str) -> str:
        """A line of several with the names before their IDs."""
        names = {f"@{one.listed.id}": _with_one_comma(one.listed.name or "") for one in self.people.named.values()}
        return AN_ID.sub(lambda found: f"{names.get(found[0], '')} {found[0]}".strip(), line)


def found_alone(given: Mapping[str, Any], *, today: date) -> PeopleView | None:
    """Whoever is named where a rating alone would be, for a form that has no answer yet; None if nobody is."""
    people, system = People(), str(given.get("system", DEFAULT_SYSTEM))
    for path in ALONE:
        with suppress(ArpadError):  # which the page says, or will say, at the field
            day = parse_date(str(given["on"]), at="on") if "on" in given else today
            people.find(str(given.get(path, "")), Place(path, day, system, people))
    return PeopleView(people, system) if people.named else None


def _with_one_comma(name: str) -> str:
    """`Weber, Hans, Dr.` as it may be in a line, where a second comma would begin another game."""
    surname, comma, behind = name.partition(",")
    return f"{surname}{comma}{behind.replace(',', '')}"


def _rating(player: Player) -> str:
    """A player's rating for people."""
    if player.rating_used is None:
        return str(say("answers.unrated"))
    return str(player.rating) if player.rating is not None else str(say("pages.standard", rating=player.rating_used))
