"""Players by ID or name wherever a rating may stand: `@1503014`, `"Carlsen, Magnus"`, `@2020009:draw`.

The lists are opened when somebody is named, and not before; the notation itself stays as it is.
"""

from __future__ import annotations

from copy import copy
from typing import Any, NamedTuple

from arpad.contract import Figure
from arpad.errors import BadInput
from arpad.notation import parse_date, parse_game, parse_opponent, parse_pairing
from arpad.results import parted

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from datetime import date

    from arpad.cli.show import Reply
    from arpad.lists.people import Listed
    from arpad.lists.store import RatingList
    from arpad.model import Game, Pairing, Player
    from arpad.tournament import Tournament

WORDS = ("unrated", "bye")
FEW = 6  # candidates a message shows
STAND_IN = "unrated"
PACES = ("standard", "rapid", "blitz")


def add_people(parser: argparse.ArgumentParser) -> None:
    """Which rating lists to look players up in."""
    group = parser.add_argument_group('rating lists (a player is @FIDE-ID or "Surname, Name")')
    group.add_argument("--list", metavar="NAME", help="the lists of this name (default FIDE's)")
    group.add_argument(
        "--data", metavar="FOLDER", help="where the lists are kept (default: ARPAD_DATA, or your data folder)"
    )


class Named(NamedTuple):
    """Somebody who was named, and as whom the list has them."""

    typed: str
    listed: Listed
    player: Player

    @property
    def name(self) -> str:
        """The name on the list; the ID where it has none."""
        return self.listed.name or f"@{self.listed.id}"

    @property
    def shown(self) -> str:
        """Name, federation, year of birth and ID."""
        return f"{self.name} ({self.about})"

    @property
    def about(self) -> str:
        """Federation, year of birth and ID."""
        born = None if self.listed.born is None else str(self.listed.born)
        return ", ".join(filter(None, (self.listed.federation, born, f"@{self.listed.id}")))

    @property
    def forgiven(self) -> bool:
        """Whether somebody was found whose name is spelt in another way."""
        from arpad.lists.names import plain

        name = plain(self.listed.name or "").split()
        return not self.typed.startswith("@") and any(
            not any(part.startswith(word) for part in name) for word in plain(self.typed).split()
        )

    def figure(self, key: str) -> Figure:
        """A line of the summary."""
        return Figure(key, self.name, self.about)

    def value(self) -> dict[str, Any]:
        """Who it is, as plain values."""
        one = self.listed
        born, rating = one.born, self.player.rating
        return {"name": one.name, "fide_id": one.id, "federation": one.federation, "born": born, "rating": rating}


class People:
    """Who was named in one command, and the lists they were found in."""

    def __init__(self, options: argparse.Namespace, day: date) -> None:
        self.day = day
        self.name, self.data = options.list, options.data
        system = getattr(options, "system", "")
        self.pace = next((pace for pace in PACES if system.endswith(pace)), "standard")
        self.used: list[RatingList] = []
        self.me: Named | None = None
        self.met: list[Named | None] = []  # the opponents in their order; None for one known by a rating
        self.said: list[str] = []

    @classmethod
    def of(cls, options: argparse.Namespace, day: date) -> People:
        """The people of a command; one object for all of it."""
        if not hasattr(options, "people"):
            options.people = cls(options, day)
        people: People = options.people
        return people

    def since(self, on: str | None) -> People:
        """The same people on the day of one of several events."""
        if on is None:
            return self
        other = copy(self)
        other.day = parse_date(on, at="--on")
        return other

    def own(self, text: str) -> Player | None:
        """The player the question is about, if a text names one."""
        self.me = self._named(text)
        return None if self.me is None else self.me.player

    def opponent(self, text: str, *, at: str) -> Player:
        """An opponent by rating, ID or name."""
        return self._met(text) or parse_opponent(text, at=at)

    @property
    def opponents(self) -> list[str | None]:
        """The opponents' names in their order."""
        return [None if one is None else one.name for one in self.met]

    def own_figures(self) -> list[Figure]:
        """Who the question is about, as a line of the summary."""
        return [] if self.me is None else [self.me.figure("player")]

    def all_figures(self) -> list[Figure]:
        """The same, and a line for each opponent."""
        return [*self.own_figures(), *(one.figure("opponent") for one in self.met if one is not None)]

    def say(self, sentence: str) -> None:
        """Add a sentence to the notes."""
        self.said.append(sentence)

    def _met(self, text: str) -> Player | None:
        """An opponent, if a text names one: without K, which counts for the player alone."""
        named = self._named(text)
        self.met.append(named)
        return None if named is None else named.player._replace(k=None, k_from=None)

    def _named(self, text: str) -> Named | None:
        """Whom a text names; None if it names nobody."""
        if text.startswith("@"):
            return self._by_id(text, text)
        letters = sum(sign.isalpha() for sign in text)
        if letters < 2 or text.strip()[0].isdigit() or text.strip().lower() in WORDS or "/" in text:
            return None
        from arpad.lists.store import there

        return self._by_name(text.strip()) if there(self.data) else None

    def game(self, text: str, *, at: str) -> Game:
        """A game against a rating or somebody named."""
        who, behind = _parts(text)
        found = self._met(who if ":" in behind else "")  # without a result it is no game, or a bye
        if found is None:
            return parse_game(text, at=at)
        return parse_game(f"{STAND_IN}{behind}", at=at)._replace(opponent=found)

    def pairing(self, text: str, *, at: str) -> Pairing:
        """A game on the schedule against a rating or somebody named."""
        who, behind = _parts(text)
        found = self._met(who)
        if found is None:
            return parse_pairing(text, at=at)
        return parse_pairing(f"{STAND_IN}{behind}", at=at)._replace(opponent=found)

    def entered(self, tournament: Tournament) -> Tournament:
        """A tournament with what the list valid on its day says of its players, if a list was asked for."""
        if self.name is None:
            return tournament
        from arpad.event.games import with_known
        from arpad.lists.people import look_up_all

        ids = [one.player.fide_id for one in tournament.entrants if one.player.fide_id]
        if not ids:
            raise BadInput("No player in the file has a FIDE ID, so none can be looked up in a list.", at="--list")
        known, used = look_up_all(ids, self.day, pace=self.pace, name=self.name, data=self.data)
        self.used.append(used)
        return with_known(tournament, known)

    def noted(self, reply: Reply, *, untold: bool = False) -> Reply:
        """A reply that says which lists were used and who was found; the opponents too, if they are `untold`."""
        notes = [*self._notes(untold), *self.said]
        if not notes:
            return reply
        named = [one.value() for one in (self.me, *self.met) if one is not None]

        def with_notes() -> dict[str, Any]:
            whole = reply.json()
            whole["notes"] = [*whole.get("notes", []), *notes]
            if named:
                whole["value"]["people"] = named
            return whole

        from arpad.render import wrapped

        return reply._replace(
            json=with_notes, footer=lambda: [*reply.footer(), *(row for note in notes for row in wrapped(note))]
        )

    def _notes(self, untold: bool) -> Iterator[str]:
        """Who was found, where the typing does not say it, and in which lists."""
        yield from (f"'{one.typed}' was taken as {one.shown}." for one in (self.me, *self.met) if one and one.forgiven)
        opponents = [one.shown for one in self.met if one is not None]
        if untold and opponents:
            yield f"Opponent{'s' * (len(opponents) > 1)}: {'; '.join(opponents)}."
        if self.used:
            names = " and ".join(sorted({str(one) for one in self.used}))
            newest = max(one.month for one in self.used)
            late = (newest.year, newest.month) != (self.day.year, self.day.month)
            missing = f" The list of {self.day:%Y-%m} is not among the imported ones." if late else ""
            yield f"Ratings are those of the rating list {names}.{missing}"

    def _by_id(self, text: str, typed: str) -> Named:
        from arpad.lists.people import look_up

        if not text[1:].isdecimal():
            raise BadInput(f"'{text}' is not a player; write @ and the FIDE ID, for example @1503014.", at="player")
        found, used = look_up(int(text[1:]), name=self.name, on=self.day, data=self.data)
        self.used.append(found.ratings[self.pace].list if self.pace in found.ratings else used)
        return Named(typed, found, found.player(self.pace))

    def _by_name(self, text: str) -> Named:
        from arpad.lists.names import plain
        from arpad.lists.search import find

        found = find(text, name=self.name, on=self.day, data=self.data)
        words = sorted(plain(text).split())
        same = [one for one in found.players if sorted(plain(one.name or "").split()) == words]
        sure = same or list(found.players)
        if len(sure) != 1:
            shown = "; ".join(
                " ".join(filter(None, (one.name, one.federation, str(one.born or ""), f"@{one.id}")))
                for one in sure[:FEW]
            )
            what = (
                f"'{text}' may be any of {len(sure)}: {shown}. Write the ID"
                if sure
                else f"Nobody on the list {found.list} is called '{text}'. Write a rating, or the FIDE ID as @1503014"
            )
            raise BadInput(f"{what}.", at="player")
        return self._by_id(f"@{sure[0].id}", text)


def _parts(text: str) -> tuple[str, str]:
    """Who was met, and what stands behind: a colour, a result, both or nothing."""
    who, result = parted(text)
    sign = who.find("@", 1)  # an ID begins with one
    who, colour = (who, "") if sign < 0 else (who[:sign], who[sign:])
    return who, f"{colour}{'' if result is None else f':{result}'}"
