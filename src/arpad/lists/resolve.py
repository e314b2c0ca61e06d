"""The player meant by a FIDE ID, `@1503014`, a name, `Carlsen, Magnus`, or both, in place of a rating."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from arpad.errors import BadInput
from arpad.lists.players import ListedPlayer, look_up
from arpad.lists.search import begins, find, folded, is_called, sound
from arpad.lists.store import PACES, RatingList, reading
from arpad.messages import Message, apart, say, thousands

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import date

    from arpad.core import Player

FEW = 6  # candidates shown in an error
NAMESAKES = 50  # on a list, among whom the one who is meant is looked for
SIMILAR = 0.7  # similarity of two spellings of one name, such as Natalya and Natalija
LONG = 4  # letters of a word that is recognised inside joined words, as Berg in Vanderberg


@dataclass(frozen=True, slots=True)
class ResolvedPlayer:
    """The player that a typed text means, as the list has them."""

    typed: str
    listed: ListedPlayer
    player: Player
    list: RatingList

    @property
    def name(self) -> str:
        """The name on the list, or the ID if it has none."""
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
    def misspelt(self) -> bool:
        """Whether the name on the list is spelt differently from what was typed."""
        return not begins(self.typed.partition("@")[0], self.listed.name or "")

    def value(self) -> dict[str, object]:
        """The player as plain values."""
        return {
            "name": self.listed.name,
            "fide_id": self.listed.id,
            "federation": self.listed.federation,
            "born": self.listed.born,
            "rating": self.player.rating,
        }


def pace_of(system: str) -> str:
    """Which of the three ratings on FIDE's lists a system uses."""
    return next((pace for pace in PACES if system.endswith(pace)), "standard")


def resolve_player(
    text: str, on: date, *, pace: str = "standard", name: str | None = None, data: str | None = None
) -> ResolvedPlayer:
    """The player that an ID or a name means, on the list valid on a day; if both are given, the ID decides."""
    _, sign, number = text.rpartition("@")
    number = number.strip() if sign else str(find_one(text, on, name=name, data=data).id)
    if not (number.isascii() and number.isdigit()):
        raise BadInput(say("lists.not_a_player", text=text), at="player")
    found, newest = look_up(int(number), name=name, on=on, data=data)
    used = found.ratings[pace].list if pace in found.ratings else newest
    return ResolvedPlayer(text, found, found.player(pace), used)


def find_one(
    text: str,
    on: date | None,
    *,
    name: str | None = None,
    data: str | None = None,
    nobody: str = "lists.nobody",
) -> ListedPlayer:
    """The one player of that name, in any spelling; `nobody` is the message if there is none."""
    found = find(text, name=name, on=on, data=data)
    everyone = list(found.players)
    called_so = [player for player in everyone if is_called(text, player.name or "")]
    begun_so = [player for player in everyone if begins(text, player.name or "")]
    likely = called_so or begun_so or everyone
    if len(likely) == 1:
        return likely[0]
    if not likely:
        raise BadInput(say(nobody, lists=found.source, name=text), at="player")
    shown = apart(
        " ".join(filter(None, (player.name, player.federation, str(player.born or ""), f"@{player.id}")))
        for player in likely[:FEW]
    )
    total = found.total if len(likely) == len(everyone) else len(likely)
    more = total - len(likely[:FEW])
    people = say("lists.more", shown=shown, more=thousands(more)) if more else shown
    raise BadInput(say("lists.several", name=text, total=thousands(total), shown=people), at="player")


def namesakes(
    players: Iterable[Player], on: date, *, pace: str = "standard", name: str | None = None, data: str | None = None
) -> list[tuple[Player, ...]]:
    """The players with each player's name on the list valid on a day, unless birth or federation contradict."""
    with reading(data) as connection:
        return [
            tuple(
                listed.player(pace)
                for listed in find(player.name or "", name=name, on=on, most=NAMESAKES, data=connection).players
                if same_name(player.name or "", listed.name or "")
                and (player.birth_year is None or listed.birth_year in (None, player.birth_year))
                and (player.federation is None or listed.federation in (None, player.federation))
            )
            for player in players
        ]


def same_name(name: str, other: str) -> bool:
    """Whether two spellings may be one person's name: any order, initials, names left out, other transliterations.

    It is generous, because it is used where the ID is the same; names in alphabets that are not read also pass.
    """
    here, there = (sound(folded(spelling)).split() for spelling in (name, other))
    if not all(" ".join(words).isascii() and words for words in (here, there)):
        return True
    return _contains(here, there) or _contains(there, here)


def _contains(words: Sequence[str], others: Sequence[str]) -> bool:
    """Whether every word is among the others, and at least one in full."""
    joined = "".join(others)
    full = [word for word in words if len(word) > 1]
    return all(_among(word, others, joined) for word in words) and any(
        _among(word, [other for other in others if len(other) > 1], joined) for word in full or words
    )


def _among(word: str, others: Sequence[str], joined: str) -> bool:
    """Whether a word is among the others: as it is, abbreviated, joined with its neighbours, or spelt differently."""
    if any(word.startswith(other) or other.startswith(word) for other in others):
        return True
    if len(word) >= LONG and word in joined:
        return True
    return any(SequenceMatcher(None, word, other).ratio() >= SIMILAR for other in others)


def accepted_as(players: Iterable[ResolvedPlayer]) -> Iterator[Message]:
    """A note for each player whose name on the list is spelt differently from what was typed."""
    return (say("lists.accepted_as", typed=player.typed, shown=player.shown) for player in players if player.misspelt)


def list_note(used: Sequence[RatingList], on: date) -> Message:
    """Which lists the ratings are from."""
    names = " and ".join(sorted({str(found) for found in used}))
    newest = max(found.month for found in used)
    outdated = (newest.year, newest.month) < (on.year, on.month)
    return say("lists.outdated" if outdated else "lists.used", lists=names, month=f"{on:%Y-%m}")
