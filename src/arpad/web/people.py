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

OWN = "rating"  # the field of the player the question is about
ALONE = (OWN, "opponent")  # fields that hold a single player
AN_ID = re.compile(r"(?<!\S)@\d+")


@dataclass(frozen=True, slots=True)
class PeopleView:
    """The players named in a question, and what a page says about them."""

    people: People
    system: str

    @property
    def looked_up(self) -> list[Message]:
        """A note on who was found."""
        found = dict.fromkeys(
            f"{resolved.name} {_rating(resolved.player)} ({resolved.about})" for resolved in self.people.named.values()
        )
        return [say("pages.looked_up", people="; ".join(found))] if found else []

    @property
    def said(self) -> str:
        """What the list says about players named in the rating or opponent field, in a sentence next to it."""
        there = [(path, self.people.named[path]) for path in ALONE if path in self.people.named]
        if not there:
            return ""
        lines = [f"{resolved.name}: {', '.join(self._figures(path, resolved))}." for path, resolved in there]
        lists = say("pages.lists_and", lists=sorted({str(resolved.list) for _, resolved in there}))
        return " ".join([*lines, str(say("pages.rating_list", lists=lists))])

    def _figures(self, path: str, resolved: ResolvedPlayer) -> Iterator[str]:
        """The rating or what is used for it; for the player the question is about, also K and the year of birth."""
        player = resolved.player
        if player.rating is not None or player.rating_used is None:
            yield _rating(player)
        else:
            yield str(say("pages.standard_used", rating=player.rating_used))
        if path == OWN:
            beside = {name: self.listed[name] for name in ("k", "born") if name in self.listed}
            yield from (str(say(f"pages.listed_{name}", **{name: text})) for name, text in beside.items())

    @property
    def listed(self) -> dict[str, str]:
        """What the list says about the player, which is used for fields left empty."""
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
        """The name of the player named at a place; empty if nobody was."""
        return (self.people.named[path].listed.name or "") if path in self.people.named else ""

    def in_line(self, line: str) -> str:
        """A line of several players, with the names before their IDs."""
        names = {
            f"@{resolved.listed.id}": _with_one_comma(resolved.listed.name or "")
            for resolved in self.people.named.values()
        }
        return AN_ID.sub(lambda found: f"{names.get(found[0], '')} {found[0]}".strip(), line)


def found_alone(given: Mapping[str, Any], *, today: date) -> PeopleView | None:
    """The players named in the rating and opponent fields, for a form without an answer yet; None if nobody is."""
    people, system = People(), str(given.get("system", DEFAULT_SYSTEM))
    for path in ALONE:
        with suppress(ArpadError):  # the page reports it at the field
            day = parse_date(str(given["on"]), at="on") if "on" in given else today
            people.find(str(given.get(path, "")), Place(path, day, system, people))
    return PeopleView(people, system) if people.named else None


def _with_one_comma(name: str) -> str:
    """`Weber, Hans, Dr.` without its second comma, which would start another game in a line."""
    surname, comma, behind = name.partition(",")
    return f"{surname}{comma}{behind.replace(',', '')}"


def _rating(player: Player) -> str:
    """A player's rating for people."""
    if player.rating_used is None:
        return str(say("answers.unrated"))
    return str(player.rating) if player.rating is not None else str(say("pages.standard", rating=player.rating_used))
