"""Players by ID or name wherever a rating may be given: `@1503014`, `Carlsen, Magnus`, `@2020009:draw`.

The lists are opened when somebody is named, and not before.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date
from typing import TYPE_CHECKING

from arpad.core import EloStanding, Player
from arpad.errors import ArpadError, BadFile, BadInput, Busy
from arpad.messages import say
from arpad.reading import names_somebody
from arpad.systems.fide.lists import entering
from arpad.systems.fide.rules import FideRules

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from arpad.core import Event
    from arpad.lists import ResolvedPlayer
    from arpad.messages import Message
    from arpad.questions.declare import Place
    from arpad.questions.fields import ListFields
    from arpad.systems.base import System


def k_list_of(events: Iterable[Event], rated_by: System, on: date) -> date | None:
    """The list whose K counts for events; None if no last day is known, or if K is not a list's in this system."""
    rules = rated_by.rulebook.at(on)
    list_after = entering(events, rules) if isinstance(rules, FideRules) else None
    return None if list_after is None else list_after.k_list


def with_k_of_list(player: Player, k_list: date | None, rated_by: System, lists: ListFields) -> Player:
    """Somebody found on a rating list, with the K of the list that counts, if that is a later one."""
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
    """Somebody who was named in a question, as the rating list has them."""

    at: str
    name: str | None
    fide_id: int | None
    federation: str | None
    born: int | None
    rating: int | None


@dataclass(slots=True)
class People:
    """Who was named in one question, by the place, and the lists they were found in."""

    list: str | None = None  # the lists of this name; FIDE's if it is not said
    data: str | None = None  # the folder of the lists; the user's own if it is not said
    named: dict[str, ResolvedPlayer] = field(default_factory=dict)
    day: date | None = None  # of the last one who was looked up

    def find(self, text: str, place: Place) -> Player | None:
        """The player a text names; None if it names nobody."""
        if not names_somebody(text):
            return None
        # The rating lists need libraries of their own, and most questions name nobody.
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
        """An opponent, without the K that counts for the player alone."""
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
                name=one.listed.name,
                fide_id=one.listed.id,
                federation=one.listed.federation,
                born=one.listed.born,
                rating=one.player.rating if isinstance(one.player.rating, int) else None,
            )
            for at, one in self.named.items()
        )

    @property
    def notes(self) -> Sequence[Message]:
        """Who was taken for whom, and which lists were used."""
        if not self.named or self.day is None:
            return ()
        from arpad.lists import accepted_as, list_note

        people = list(self.named.values())
        return [*accepted_as(people), list_note([one.list for one in people], self.day)]
