"""Players by ID or name wherever a rating may stand: `@1503014`, `"Carlsen, Magnus"`, `@2020009:draw`.

The lists are opened when somebody is named, and not before; the notation itself stays as it is.
"""

from __future__ import annotations

from copy import copy
from typing import Any

from arpad.errors import BadInput
from arpad.model import Player
from arpad.notation import parse_date, parse_game, parse_opponent, parse_pairing
from arpad.results import parted

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from datetime import date

    from arpad.cli.show import Reply
    from arpad.lists.store import RatingList
    from arpad.model import Game, Pairing
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


class People:
    """Who was named in one command, and the lists they were found in."""

    def __init__(self, options: argparse.Namespace, day: date) -> None:
        self.day = day
        self.name, self.data = options.list, options.data
        system = getattr(options, "system", "")
        self.pace = next((pace for pace in PACES if system.endswith(pace)), "standard")
        self.used: list[RatingList] = []

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

    def player(self, text: str) -> Player | None:
        """The player a text names; None if it names none."""
        if text.startswith("@"):
            return self._by_id(text)
        letters = sum(sign.isalpha() for sign in text)
        if letters < 2 or text.strip().lower() in WORDS or "/" in text:
            return None
        from arpad.lists.store import there

        return self._by_name(text.strip()) if there(self.data) else None

    def opponent(self, text: str, *, at: str) -> Player:
        """An opponent by rating, ID or name."""
        return self.player(text) or parse_opponent(text, at=at)

    def game(self, text: str, *, at: str) -> Game:
        """A game against a rating or somebody named."""
        who, result = parted(text)
        found = None if result is None else self.player(who)
        if found is None:
            return parse_game(text, at=at)
        return parse_game(f"{STAND_IN}:{result}", at=at)._replace(opponent=found)

    def pairing(self, text: str, *, at: str) -> Pairing:
        """A game on the schedule against a rating or somebody named."""
        who, result = parted(text)
        sign = who.rfind("@")
        who, colour = (who[:sign], who[sign:]) if sign > 0 else (who, "")
        found = self.player(who)
        if found is None:
            return parse_pairing(text, at=at)
        behind = "" if result is None else f":{result}"
        return parse_pairing(f"{STAND_IN}{colour}{behind}", at=at)._replace(opponent=found)

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

    def noted(self, reply: Reply) -> Reply:
        """A reply that says which lists were used."""
        if not self.used:
            return reply
        names = " and ".join(sorted({str(one) for one in self.used}))
        note = f"Ratings are those of the rating list {names}."
        newest = max(one.month for one in self.used)
        if (newest.year, newest.month) != (self.day.year, self.day.month):
            note += f" The list of {self.day:%Y-%m} is not among the imported ones."

        def with_note() -> dict[str, Any]:
            whole = reply.json()
            whole["notes"] = [*whole.get("notes", []), note]
            return whole

        from arpad.render import wrapped

        return reply._replace(json=with_note, footer=lambda: [*reply.footer(), *wrapped(note)])

    def _by_id(self, text: str) -> Player:
        from arpad.lists.people import look_up

        if not text[1:].isdecimal():
            raise BadInput(f"'{text}' is not a player; write @ and the FIDE ID, for example @1503014.", at="player")
        found, used = look_up(int(text[1:]), name=self.name, on=self.day, data=self.data)
        self.used.append(found.ratings[self.pace].list if self.pace in found.ratings else used)
        return found.player(self.pace)

    def _by_name(self, text: str) -> Player:
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
        return self._by_id(f"@{sure[0].id}")
