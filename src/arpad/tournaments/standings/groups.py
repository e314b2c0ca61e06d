"""Groups of players by conditions as organisers write them: `W`, `U18`, `S65`, `U2000`, `FED=GER`, `unrated`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from arpad.errors import BadInput
from arpad.messages import say
from arpad.tournaments.norms.ratings import is_woman

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from arpad.core.tournaments import Entrant

OLDEST = 130  # a higher number is a rating, not an age
UNDER, SENIOR, OVER, FEDERATION = (
    re.compile(pattern, re.IGNORECASE) for pattern in (r"U(\d{1,4})", r"S(\d{2,3})", r"O(\d{3,4})", r"FED=([A-Z]{3})")
)


def members(entrants: Iterable[Entrant], condition: str, on: date) -> tuple[Entrant, ...]:
    """The players who meet every word of a condition; a player about whom too little is known does not."""
    words = condition.split()
    return tuple(entrant for entrant in entrants if all(_meets(entrant, word, on) for word in words))


def check_condition(condition: str, *, at: str = "group") -> None:
    """Refuse a condition that cannot be understood."""
    for word in condition.split():
        if word.upper() not in ("W", "UNRATED") and not any(
            pattern.fullmatch(word) for pattern in (UNDER, SENIOR, OVER, FEDERATION)
        ):
            raise BadInput(say("tournaments.standings.condition", word=word), at=at)


def _meets(entrant: Entrant, word: str, on: date) -> bool:
    player = entrant.player
    if word.upper() == "W":
        return is_woman(player) is True
    if word.upper() == "UNRATED":
        return player.rating is None
    if matched := FEDERATION.fullmatch(word):
        return (player.federation or "").upper() == matched[1].upper()
    if matched := OVER.fullmatch(word):
        return player.rating is not None and player.rating >= int(matched[1])
    if matched := SENIOR.fullmatch(word):
        # A senior reaches the age in the year of the event, as in FIDE's own championships.
        return player.birth_year is not None and on.year - player.birth_year >= int(matched[1])
    limit = int(matched[1]) if (matched := UNDER.fullmatch(word)) else 0
    if limit > OLDEST:
        return player.rating is not None and player.rating < limit
    # A junior has not reached the age on 1 January of that year.
    return player.birth_year is not None and on.year - player.birth_year <= limit
