"""Players by ID or name in a question that came over HTTP: looked up before it is answered.

`@1503014` or `Carlsen, Magnus` may stand wherever a rating may stand; what goes on to the question is the notation.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.errors import ArpadError, BadInput, Busy
from arpad.questions.asking import DEFAULT_SYSTEM, Asked
from arpad.questions.questions import read_question
from arpad.reading.notation import names_somebody, parse_date, parts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from datetime import date

    from arpad.core.model import Player
    from arpad.lists import ResolvedPlayer

OWN = "rating"  # where the player stands that the question is about
WHOLE = (OWN, "opponent")  # where a player stands alone
SAID = {"k": "K", "born": "born"}  # what is said of that player beside the rating
WITH_RESULT = ("game", "against")  # where a result or a colour may stand behind
AN_ID = re.compile(r"(?<!\S)@\d+")
PLACES = frozenset((*WHOLE, *WITH_RESULT, "row", "list", "schedule", "paste"))


class People(NamedTuple):
    """Who was named in a question, by the path of the place."""

    named: Mapping[str, ResolvedPlayer]
    on: date
    system: str = DEFAULT_SYSTEM

    @property
    def notes(self) -> list[str]:
        """Who was taken for whom, and which lists were used."""
        if not self.named:
            return []
        from arpad.lists import accepted_as, list_note

        people = list(self.named.values())
        return [*accepted_as(people), list_note([one.list for one in people], self.on)]

    @property
    def shown(self) -> list[str]:
        """Who was found, for a page that has no other place for it; then the notes."""
        people = dict.fromkeys(f"{one.name} {_rating(one.player)} ({one.about})" for one in self.named.values())
        return [f"Looked up: {'; '.join(people)}.", *self.notes] if people else []

    @property
    def said(self) -> str:
        """What the list has of whoever stands where a rating alone would, in a sentence beside the field."""
        there = [(path, self.named[path]) for path in WHOLE if path in self.named]
        if not there:
            return ""
        lines = [f"{one.name}: {', '.join(self._figures(path, one))}." for path, one in there]
        lists = " and ".join(sorted({str(one.list) for _, one in there}))
        return " ".join([*lines, f"Rating list {lists}."])

    def _figures(self, path: str, one: ResolvedPlayer) -> Iterator[str]:
        """A rating, or what stands in for it; of the player the question is about K and the year of birth too."""
        from arpad.lists import pace_of

        player = one.player
        if player.rating is not None:
            yield str(player.rating)
        elif player.standard is not None:
            yield f"no {pace_of(self.system)} rating, standard {player.standard} stands in"
        else:
            yield "unrated"
        if path == OWN:
            yield from (f"{word} {self.listed[name]}" for name, word in SAID.items() if name in self.listed)

    @property
    def listed(self) -> dict[str, str]:
        """What the list has for the fields beside the own rating, and holds where they are left empty."""
        if OWN not in self.named:
            return {}
        player = self.named[OWN].player
        other_k = player.k_from is not None and player.k_from.system not in (None, self.system)
        known = {
            "rating": player.rating if player.rating is not None else player.standard,
            "born": player.birth_year,
            "peak": player.peak,
            "k": None if other_k else player.k,
            "standard": player.standard,
        }
        return {name: str(value) for name, value in known.items() if value is not None}

    def name(self, path: str) -> str:
        """The name of whoever was named at a place; nothing if nobody was."""
        return (self.named[path].listed.name or "") if path in self.named else ""

    def in_line(self, line: str) -> str:
        """A line of several with the names before their IDs."""
        names = {f"@{one.listed.id}": _with_one_comma(one.listed.name or "") for one in self.named.values()}
        return AN_ID.sub(lambda found: f"{names.get(found[0], '')} {found[0]}".strip(), line)

    def entered(self, reply: dict[str, Any]) -> dict[str, Any]:
        """A reply that says who was found."""
        if self.named:
            reply["notes"] = [*reply.get("notes", []), *self.notes]
            reply["value"]["people"] = [one.value() for one in self.named.values()]
        return reply


def somebody_named(pairs: Iterable[tuple[str, Any]]) -> bool:
    """Whether a question names somebody, which takes longer to answer."""
    for name, value in pairs:
        texts = value if type(value) is list else (value,)
        if name in PLACES:
            if type(value) is str and value[:1].isdigit():
                continue  # a rating, as nearly everything is
            found = any(type(one) is str and names_somebody(one.partition(":")[0]) for one in texts)
        else:
            found = name == "event" and any(somebody_named(one.items()) for one in texts if isinstance(one, dict))
        if found:
            return True
    return False


def read_people(question: str, given: Mapping[str, Any], *, today: date) -> tuple[Asked, People]:
    """What was asked, with whoever is named in it looked up."""
    if not somebody_named(given.items()):
        return read_question(question, given, today=today), People({}, today)
    named: dict[str, ResolvedPlayer] = {}
    day = _day(given, today, "")
    system = given.get("system", DEFAULT_SYSTEM)
    told = _told(given, "", _finder(named, day, str(system)))
    if isinstance(told.get("event"), list):
        told["event"] = [
            _told(one, path, _finder(named, _day(one, day, path), str(system))) if isinstance(one, dict) else one
            for number, one in enumerate(told["event"])
            for path in [f"event[{number}]."]
        ]
    asked = read_question(question, told, today=today)
    own = named.get(OWN)
    return (asked if own is None else asked._replace(listed=own.player)), People(named, day, str(system))


def _day(given: Mapping[str, Any], otherwise: date, path: str) -> date:
    return parse_date(given["on"], at=f"{path}on") if isinstance(given.get("on"), str) else otherwise


def _finder(named: dict[str, ResolvedPlayer], day: date, system: str) -> Callable[[str, str], str]:
    """What finds the player a text names, on the list valid on a day, and keeps who it was."""

    def find(text: str, at: str) -> str:
        from arpad.lists import pace_of, resolve_player
        from arpad.web.lists import lists_there, own_lists

        if not lists_there():
            raise BadInput(
                f"'{text}' cannot be looked up, because no rating list has been imported; write the rating.", at=at
            )
        try:
            with own_lists():
                named[at] = resolve_player(text, day, pace=pace_of(system))
        except Busy:
            raise
        except ArpadError as error:
            raise BadInput(error.message, at=at) from None
        return _notation(named[at].player)

    return find


def _told(given: Mapping[str, Any], path: str, find: Callable[[str, str], str]) -> dict[str, Any]:
    """What was given, with ratings where somebody was named."""
    told = dict(given)
    for name in WHOLE:
        text = given.get(name)
        if isinstance(text, str) and names_somebody(text):
            told[name] = find(text.strip(), f"{path}{name}")
    for name in WITH_RESULT:
        if name in given:
            games = given[name] if isinstance(given[name], list) else [given[name]]
            told[name] = [_game(one, f"{path}{name}[{number}]", find) for number, one in enumerate(games)]
    return told


def _game(text: Any, at: str, find: Callable[[str, str], str]) -> Any:
    """A game, or one to come, with a rating where somebody is named."""
    if not isinstance(text, str):
        return text
    who, behind = parts_of(text)
    return f"{find(who.strip(), at)}{behind}" if names_somebody(who) else text


def _with_one_comma(name: str) -> str:
    """`Weber, Hans, Dr.` as it may stand in a line, where a second comma would begin another game."""
    surname, comma, behind = name.partition(",")
    return f"{surname}{comma}{behind.replace(',', '')}"


def _rating(player: Player) -> str:
    """A player's rating for people."""
    return _notation(player) if player.rating is not None or player.standard is None else f"standard {player.standard}"


def _notation(player: Player) -> str:
    """A player as the notation has one."""
    if player.rating is not None:
        return str(player.rating)
    return "unrated" if player.standard is None else f"{player.standard}s"
