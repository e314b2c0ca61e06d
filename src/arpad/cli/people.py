"""Players by ID or name wherever a rating may stand: `@1503014`, `"Carlsen, Magnus"`, `@2020009:draw`.

The lists are opened when somebody is named, and not before; the notation itself stays as it is.
"""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any

from arpad.calculation.contract import Figure
from arpad.errors import BadInput
from arpad.reading.notation import names_somebody, parse_date, parse_game, parse_opponent, parse_pairing, parts_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from datetime import date

    from arpad.cli.show import Reply
    from arpad.core.model import Game, Pairing, Player
    from arpad.core.tournament import Tournament
    from arpad.lists import RatingList, ResolvedPlayer

STAND_IN = "unrated"


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
        self.system = getattr(options, "system", "")
        self.used: list[RatingList] = []
        self.me: ResolvedPlayer | None = None
        self.met: list[ResolvedPlayer | None] = []  # the opponents in their order; None for one known by a rating
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
        return [] if self.me is None else [_figure("player", self.me)]

    def all_figures(self) -> list[Figure]:
        """The same, and a line for each opponent."""
        return [*self.own_figures(), *(_figure("opponent", one) for one in self.met if one is not None)]

    def say(self, sentence: str) -> None:
        """Add a sentence to the notes."""
        self.said.append(sentence)

    def _met(self, text: str) -> Player | None:
        """An opponent, if a text names one: without K, which counts for the player alone."""
        named = self._named(text)
        self.met.append(named)
        return None if named is None else named.player._replace(k=None, k_from=None)

    def _named(self, text: str) -> ResolvedPlayer | None:
        """Whom a text names; None if it names nobody."""
        if not names_somebody(text):
            return None
        from arpad.lists import has_lists, pace_of, resolve_player

        if text[0] != "@" and not has_lists(self.data):
            return None
        found = resolve_player(text.strip(), self.day, pace=pace_of(self.system), name=self.name, data=self.data)
        self.used.append(found.list)
        return found

    def game(self, text: str, *, at: str) -> Game:
        """A game against a rating or somebody named."""
        who, behind = parts_of(text)
        found = self._met(who if ":" in behind else "")  # without a result it is no game, or a bye
        if found is None:
            return parse_game(text, at=at)
        return parse_game(f"{STAND_IN}{behind}", at=at)._replace(opponent=found)

    def pairing(self, text: str, *, at: str) -> Pairing:
        """A game on the schedule against a rating or somebody named."""
        who, behind = parts_of(text)
        found = self._met(who)
        if found is None:
            return parse_pairing(text, at=at)
        return parse_pairing(f"{STAND_IN}{behind}", at=at)._replace(opponent=found)

    def entered(self, tournament: Tournament) -> Tournament:
        """A tournament with what the list valid on its day says of its players, if a list was asked for."""
        if self.name is None:
            return tournament
        from arpad.lists import list_note, pace_of, players_on, same_name
        from arpad.tournaments.event.games import with_listed

        ids = [one.player.fide_id for one in tournament.entrants if one.player.fide_id]
        if not ids:
            raise BadInput("No player in the file has a FIDE ID, so none can be looked up in a list.", at="--list")
        listed, used = players_on(ids, self.day, pace=pace_of(self.system), name=self.name, data=self.data)
        found = with_listed(tournament, listed, str(used), list_note([used], self.day), same_name)
        if found.from_list is not None:
            self.said += [found.from_list.says, *found.from_list.remarks]
        return found

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

        from arpad.calculation.explain import wrapped

        return reply._replace(
            json=with_notes, footer=lambda: [*reply.footer(), *(row for note in notes for row in wrapped(note))]
        )

    def _notes(self, untold: bool) -> Iterator[str]:
        """Who was found, where the typing does not say it, and in which lists."""
        if not self.used:
            return
        from arpad.lists import accepted_as, list_note

        yield from accepted_as(one for one in (self.me, *self.met) if one is not None)
        opponents = [one.shown for one in self.met if one is not None]
        if untold and opponents:
            yield f"Opponent{'s' * (len(opponents) > 1)}: {'; '.join(opponents)}."
        yield list_note(self.used, self.day)


def _figure(key: str, one: ResolvedPlayer) -> Figure:
    """Somebody as a line of the summary."""
    return Figure(key, one.name, one.about)
