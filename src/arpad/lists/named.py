"""Somebody named where a rating may stand: by FIDE ID, `@1503014`, by name, `Carlsen, Magnus`, or by both."""

from __future__ import annotations

from typing import Any, NamedTuple

from arpad.errors import BadInput
from arpad.lists.layouts import PACES
from arpad.lists.names import begins, is_called
from arpad.lists.people import Listed, look_up
from arpad.lists.store import RatingList
from arpad.model import Player

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import date

FEW = 6  # candidates a message shows


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
    number = number.strip() if sign else str(_only(text, on, name, data).id)
    if not (number.isascii() and number.isdigit()):
        raise BadInput(f"'{text}' is not a player; write @ and the FIDE ID, for example @1503014.", at="player")
    found, newest = look_up(int(number), name=name, on=on, data=data)
    used = found.ratings[pace].list if pace in found.ratings else newest
    return Named(text, found, found.player(pace), used)


def _only(text: str, on: date, name: str | None, data: str | None) -> Listed:
    """The one player who is called so, in any spelling that what was typed may mean."""
    from arpad.lists.search import find

    found = find(text, name=name, on=on, data=data)
    everyone = list(found.players)
    same = [one for one in everyone if is_called(text, one.name or "")]
    sure = same or [one for one in everyone if begins(text, one.name or "")] or everyone
    if len(sure) == 1:
        return sure[0]
    if not sure:
        what = f"Nobody on the list {found.source} is called '{text}'. Write a rating, or the FIDE ID as @1503014"
        raise BadInput(f"{what}.", at="player")
    shown = "; ".join(
        " ".join(filter(None, (one.name, one.federation, str(one.born or ""), f"@{one.id}"))) for one in sure[:FEW]
    )
    total = found.total if len(sure) == len(everyone) else len(sure)
    more = f"; and {total - FEW:,} more" if total > FEW else ""
    raise BadInput(f"'{text}' may be any of {total:,}: {shown}{more}. Write the ID.", at="player")


def taken_as(people: Iterable[Named]) -> Iterator[str]:
    """For whom those were taken whose names are spelt in another way on the list."""
    return (f"'{one.typed}' was taken as {one.shown}." for one in people if one.forgiven)


def list_note(used: Sequence[RatingList], on: date) -> str:
    """Which lists the ratings are from."""
    names = " and ".join(sorted({str(one) for one in used}))
    newest = max(one.month for one in used)
    late = (newest.year, newest.month) != (on.year, on.month)
    missing = f" The list of {on:%Y-%m} is not among the imported ones." if late else ""
    return f"Ratings are those of the rating list {names}.{missing}"
