"""Players by ID or name wherever a rating may stand: `@1503014`, `"Carlsen, Magnus"`, `@2020009:draw`.

The lists are opened when somebody is named, and not before; the notation itself stays as it is.
"""

from __future__ import annotations

from copy import copy
from typing import Any

from arpad.errors import BadInput
from arpad.notation import names_somebody, parse_date, parse_game, parse_opponent, parse_pairing

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from datetime import date

    from arpad.cli.show import Reply
    from arpad.lists.store import RatingList
    from arpad.model import Game, Pairing, Player
    from arpad.tournament import Tournament

WORDS = ("unrated", "bye")
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
        if not names_somebody(text):
            return None
        from arpad.lists.named import who_is
        from arpad.lists.store import there

        if text[0] != "@" and not there(self.data):
            return None
        found = who_is(text.strip(), self.day, pace=self.pace, name=self.name, data=self.data)
        self.used.append(found.list)
        return found.player

    def opponent(self, text: str, *, at: str) -> Player:
        """An opponent by rating, ID or name."""
        return self.player(text) or parse_opponent(text, at=at)

    def game(self, text: str, *, at: str) -> Game:
        """A game against a rating or somebody named."""
        who, colon, result = text.rpartition(":")
        found = self.player(who) if colon else None
        return (
            parse_game(text, at=at)
            if found is None
            else parse_game(f"{STAND_IN}:{result}", at=at)._replace(opponent=found)
        )

    def pairing(self, text: str, *, at: str) -> Pairing:
        """A game on the schedule against a rating or somebody named."""
        who, colon, result = text.rpartition(":") if ":" in text else (text, "", "")
        sign = who.rfind("@")
        who, colour = (who[:sign], who[sign:]) if sign > 0 else (who, "")
        found = self.player(who)
        return (
            parse_pairing(text, at=at)
            if found is None
            else parse_pairing(f"{STAND_IN}{colour}{colon}{result}", at=at)._replace(opponent=found)
        )

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
        from arpad.lists.named import list_note

        note = list_note(self.used, self.day)

        def with_note() -> dict[str, Any]:
            whole = reply.json()
            whole["notes"] = [*whole.get("notes", []), note]
            return whole

        from arpad.render import wrapped

        return reply._replace(json=with_note, footer=lambda: [*reply.footer(), *wrapped(note)])


def apart(words: Sequence[str]) -> list[str]:
    """Games with a comma between them are as good as with a space, but the comma of `Carlsen, Magnus:win` stays."""
    games: list[str] = []
    for word in words:
        name = ""
        for part in word.replace(";", ",").split(","):
            whole = f"{name},{part}" if name else part
            unfinished = ":" not in part and any(sign.isalpha() for sign in part) and part.strip().lower() not in WORDS
            name = whole if unfinished and not name else ""
            if whole.strip() and not name:
                games.append(whole)
        if name.strip():
            games.append(name)
    return games
