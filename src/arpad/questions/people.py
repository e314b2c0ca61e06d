"""Players by ID or name, wherever a rating can be given: `@1503014`, `Carlsen, Magnus`, `@2020009:draw`.

The lists are opened only when somebody is named.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date
from typing import TYPE_CHECKING

from arpad.core import EloStanding, Player
from arpad.errors import ArpadError, BadFile, BadInput, Busy
from arpad.messages import say
from arpad.reading import names_somebody
from arpad.systems.fide.k import entering
from arpad.systems.fide.rules import FideRules

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from arpad.core import Event
    from arpad.lists import ResolvedPlayer
    from arpad.messages import Message
    from arpad.questions.declare import Place
    from arpad.questions.fields import ListFields
    from arpad.systems.system import System


def k_list_of(events: Iterable[Event], rated_by: System, on: date) -> date | None:
    """The list whose K counts for events; None if no last day is known, or if lists have no K in this system."""
    rules = rated_by.rulebook.at(on)
    list_after = entering(events, rules) if isinstance(rules, FideRules) else None
    return None if list_after is None else list_after.k_list


def with_k_of_list(player: Player, k_list: date | None, rated_by: System, lists: ListFields) -> Player:
    """A player found on a rating list, with the K of a later list if that is the one that counts."""
    standing = player.standing
    if k_list is None or player.fide_id is None or not isinstance(standing, EloStanding) or standing.k_from is None:
        return player
    if standing.k_from.month is None or standing.k_from.month >= k_list:
        return player
    from arpad.lists import pace_of, with_k_on

    found, _ = with_k_on(
        {player.fide_id: player}, k_list, pace=pace_of(rated_by.name), name=lists.list, data=lists.folder
    )
    return found[player.fide_id]


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPlayer:
    """A player named in a question, as on the rating list."""

    at: str
    name: str | None
    fide_id: int | None
    federation: str | None
    born: int | None
    rating: int | None


@dataclass(slots=True)
class People:
    """The players named in one question, by where they were named, and the lists they were found in."""

    list: str | None = None  # the name of the lists; FIDE's if None
    data: str | None = None  # the folder of the lists; the user's own if None
    named: dict[str, ResolvedPlayer] = field(default_factory=dict)
    day: date | None = None  # the day of the last lookup

    def find(self, text: str, place: Place) -> Player | None:
        """The player a text names; None if it names nobody."""
        if not names_somebody(text):
            return None
        # The rating lists need extra libraries, and most questions name nobody.
        from arpad.lists import has_lists, pace_of, resolve_player

        if not has_lists(self.data):
            raise BadInput(say("questions.no_lists", text=text), at=place.at)
        try:
            found = resolve_player(text.strip(), place.day, pace=pace_of(place.system), name=self.list, data=self.data)
        except (Busy, BadFile):
            raise
        except ArpadError as error:
            raise BadInput(error.said, at=place.at) from None
        self.named[place.at] = found
        self.day = place.day
        return found.player

    def opponent(self, text: str, place: Place) -> Player | None:
        """An opponent, without a K: only the player's own K counts."""
        found = self.find(text, place)
        if found is None or not isinstance(found.standing, EloStanding):
            return found
        return replace(found, standing=replace(found.standing, k=None, k_from=None))

    @property
    def found(self) -> tuple[FoundPlayer, ...]:
        """The players who were found, for the reply."""
        return tuple(
            FoundPlayer(
                at=at,
                name=resolved.listed.name,
                fide_id=resolved.listed.id,
                federation=resolved.listed.federation,
                born=resolved.listed.born,
                rating=resolved.player.rating if isinstance(resolved.player.rating, int) else None,
            )
            for at, resolved in self.named.items()
        )

    @property
    def notes(self) -> Sequence[Message]:
        """Notes on who was found under which name, and which lists were used."""
        if not self.named or self.day is None:
            return ()
        from arpad.lists import accepted_as, list_note

        people = list(self.named.values())
        return [*accepted_as(people), list_note([resolved.list for resolved in people], self.day)]
