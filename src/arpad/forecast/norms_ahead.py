"""The chances of norms in upcoming events: each event counts by itself, whichever list it enters."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from arpad.core import Field
from arpad.errors import BadInput
from arpad.forecast.norm_answer import NormChance
from arpad.messages import Message, say

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from arpad.core import PlannedEvent, Player
    from arpad.forecast.schedule import Model


class NormsAhead(NamedTuple):
    """The chance of each requested norm in each event, and the events for which it cannot be known."""

    chances: tuple[NormChance, ...] = ()
    notes: tuple[Message, ...] = ()


def norms_ahead(
    asked: str | Sequence[str] | None,
    player: Player,
    events: Sequence[tuple[PlannedEvent, Model]],
    *,
    on: date,
    kind: str,
) -> NormsAhead:
    """The chance of each norm in each event; where there are several, one against a field gets a note instead."""
    titles = {title.upper(): title for title in ([asked] if isinstance(asked, str) else asked or ())}
    if not titles:
        return NormsAhead()
    from arpad.forecast.norm_chance import MOST_WORK, norm_chance  # most forecasts ask for no norm

    named = [(event, model) for event, model in events if not _has_field(event)]
    if not named:
        raise BadInput(say("forecast.refused.norm_field"), at="norm")
    several = len(events) > 1
    work = MOST_WORK // len(named)
    chances = []
    for event, model in named:
        for title in titles.values():
            chance = norm_chance(title, player, event.pairings, model, on=event.on or on, kind=kind, most_work=work)
            chances.append(replace(chance, event=called(event, on)) if several else chance)
    unknown = tuple(say("notes.norm.field", event=called(event, on)) for event, _ in events if _has_field(event))
    return NormsAhead(tuple(chances), unknown)


def _has_field(event: PlannedEvent) -> bool:
    """Whether only the average of some opponents is known; a norm depends on who they are."""
    return any(isinstance(pairing.opponent, Field) for pairing in event.pairings)


def called(event: PlannedEvent, on: date) -> str | Message:
    """An event by its name, or by its day."""
    return event.name or say("forecast.event_of", on=event.on or on)
