"""Somebody named where a rating may stand: by FIDE ID, `@1503014`, by name, `Carlsen, Magnus`, or by both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.core import Player
from arpad.errors import BadInput
from arpad.lists.layouts import PACES
from arpad.lists.names import begins, folded, is_called, sound
from arpad.lists.people import Listed, look_up
from arpad.lists.store import RatingList

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import date

FEW = 6  # candidates a message shows
ALIKE = 0.7  # of their letters two spellings of a name share, Natalya and Natalija; two names share fewer
LONG = 4  # letters of a word that is known again without the blanks around it, as Vanderberg in Van der Berg


class Named(NamedTuple):
    """Somebody who was named, as the list has them."""

    typed: str
    listed: Listed
    player: Player
    list: RatingList

    @property
    def name(self) -> str:
        """The name on the list; the ID where it has none."""
        return self.listed.name or f"@{self.listed.id}"

    @property
    def about(self) -> str:
        """Federation, year of birth and ID."""
        born = None if self.listed.born is None else str(self.listed.born)
        return ", ".join(filter(None, (self.listed.federation, born, f"@{self.listed.id}")))

    @property
    def shown(self) -> str:
        """Name, federation, year of birth and ID."""
        return f"{self.name} ({self.about})"

    @property
    def forgiven(self) -> bool:
        """Whether somebody was found whose name is spelt in another way."""
        return not begins(self.typed.partition("@")[0], self.listed.name or "")

    def value(self) -> dict[str, Any]:
        """Who it is, as plain values."""
        one = self.listed
        born, rating = one.born, self.player.rating
        return {"name": one.name, "fide_id": one.id, "federation": one.federation, "born": born, "rating": rating}


def pace_of(system: str) -> str:
    """The rating that a system goes by, of the three that FIDE's lists have."""
    return next((pace for pace in PACES if system.endswith(pace)), "standard")


def who_is(text: str, on: date, *, pace: str = "standard", name: str | None = None, data: str | None = None) -> Named:
    """Whom an ID or a name means, on the list valid on a day; with an ID behind the name it is the ID that counts."""
    _, sign, number = text.rpartition("@")
    number = number.strip() if sign else str(the_one(text, on, name=name, data=data).id)
    if not (number.isascii() and number.isdigit()):
        raise BadInput(f"'{text}' is not a player; write @ and the FIDE ID, for example @1503014.", at="player")
    found, newest = look_up(int(number), name=name, on=on, data=data)
    used = found.ratings[pace].list if pace in found.ratings else newest
    return Named(text, found, found.player(pace), used)


def the_one(
    text: str,
    on: date | None,
    *,
    name: str | None = None,
    data: str | None = None,
    otherwise: str = "Write a rating, or the FIDE ID as @1503014",
) -> Listed:
    """The one player who is called so, in any spelling that what was typed may mean; `otherwise` is what to do."""
    from arpad.lists.search import find

    found = find(text, name=name, on=on, data=data)
    everyone = list(found.players)
    same = [one for one in everyone if is_called(text, one.name or "")]
    sure = same or [one for one in everyone if begins(text, one.name or "")] or everyone
    if len(sure) == 1:
        return sure[0]
    if not sure:
        raise BadInput(f"Nobody on the list {found.source} is called '{text}'. {otherwise}.", at="player")
    shown = "; ".join(
        " ".join(filter(None, (one.name, one.federation, str(one.born or ""), f"@{one.id}"))) for one in sure[:FEW]
    )
    total = found.total if len(sure) == len(everyone) else len(sure)
    more = f"; and {total - FEW:,} more" if total > FEW else ""
    raise BadInput(f"'{text}' may be any of {total:,}: {shown}{more}. Write the ID.", at="player")


def same_name(one: str, other: str) -> bool:
    """Whether two spellings may be one person's name: any order, initials, names left out, other transliterations.

    Generous, because it is asked where an ID says that they are one; names in an alphabet that is not read pass too.
    """
    here, there = (sound(folded(name)).split() for name in (one, other))
    if not all(" ".join(words).isascii() and words for words in (here, there)):
        return True
    return _contains(here, there) or _contains(there, here)


def _contains(words: Sequence[str], others: Sequence[str]) -> bool:
    """Whether every word is among others, and not initials alone."""
    joined = "".join(others)
    full = [word for word in words if len(word) > 1]
    return all(_among(word, others, joined) for word in words) and any(
        _among(word, [other for other in others if len(other) > 1], joined) for word in full or words
    )


def _among(word: str, others: Sequence[str], joined: str) -> bool:
    """Whether a word is one of others as it is, begun, joined to its neighbours, or in another spelling."""
    if any(word.startswith(other) or other.startswith(word) for other in others):
        return True
    if len(word) >= LONG and word in joined:
        return True
    from difflib import SequenceMatcher

    return any(SequenceMatcher(None, word, other).ratio() >= ALIKE for other in others)


def taken_as(people: Iterable[Named]) -> Iterator[str]:
    """For whom those were taken whose names are spelt in another way on the list."""
    return (f"'{one.typed}' was taken as {one.shown}." for one in people if one.forgiven)


def list_note(used: Sequence[RatingList], on: date) -> str:
    """Which lists the ratings are from."""
    names = " and ".join(sorted({str(one) for one in used}))
    newest = max(one.month for one in used)
    late = (newest.year, newest.month) < (on.year, on.month)  # games ahead may be of a later list
    missing = f" The list of {on:%Y-%m} is not among the imported ones." if late else ""
    return f"Ratings are those of the rating list {names}.{missing}"
