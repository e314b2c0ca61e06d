"""Prizes and the groups they are for: amounts and conditions, given by place, shared equally, or by Hort's system."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from operator import attrgetter
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from arpad.errors import BadInput, UnknownName
from arpad.messages import say
from arpad.tournaments.norms.rules import is_woman

if TYPE_CHECKING:
    from arpad.core.tournaments import Entrant


Share = Literal["places", "equal", "hort"]  # how players level on points share prizes
SHARES: tuple[Share, ...] = get_args(Share)
PLACES, EQUAL, HORT = SHARES
CENTS = 100
OLDEST = 130  # a higher number is a rating, not an age
UNDER, SENIOR, OVER, FEDERATION = (
    re.compile(pattern, re.IGNORECASE) for pattern in (r"U(\d{1,4})", r"S(\d{2,3})", r"O(\d{3,4})", r"FED=([A-Z]{3})")
)


def share_prizes(
    prizes: Sequence[Prize],
    order: Sequence[Contender],
    *,
    on: date,
    share: Share = PLACES,
    several: bool = False,
) -> tuple[PrizeWon, ...]:
    """Share out the prizes; `order` lists everybody from the top. The largest come first.

    Unless `several`, a player who has won a prize is left out of those with other conditions. A prize for which nobody
    is left is not given.
    """
    if share not in SHARES:
        raise UnknownName("share", share, known=SHARES, at="share")
    found: list[PrizeWon] = []
    lots: dict[str, list[Prize]] = {}
    for prize in prizes:
        lots.setdefault(prize.condition, []).append(prize)
    # The condition with the largest first prize comes first.
    for condition, lot in sorted(lots.items(), key=lambda lot: -lot[1][0].amount):
        won = {already.no for already in found}
        eligible = [one for one in order if not condition or meets(one.entrant, condition, on)]
        left = [one for one in eligible if several or one.no not in won]
        found += _shared(lot, left, condition, share)
    return tuple(found)


def left_over(prizes: Iterable[Prize], won: Iterable[PrizeWon]) -> tuple[Prize, ...]:
    """The prizes that nobody has won, because too few players meet their condition."""
    given = {(one.condition, name) for one in won for name in one.prizes}
    return tuple(prize for prize in prizes if (prize.condition, prize.name) not in given)


class Contender(NamedTuple):
    """A player or a team in order, level with others of the same points or the same place."""

    no: int
    name: str
    points: Decimal
    place: int
    entrant: Entrant | None = None  # None for a team, which meets no condition


class Prize(NamedTuple):
    """A prize: its name, the amount, and who may win it; an empty condition means everybody."""

    name: str
    amount: Decimal
    condition: str = ""


@dataclass(frozen=True, slots=True)
class PrizeWon:
    """What a player or a team wins from the prizes of one condition, and how it was calculated."""

    no: int
    name: str
    condition: str
    prizes: tuple[str, ...]  # the prizes shared, or the one won
    amount: Decimal
    working: str


def _shared(lot: Sequence[Prize], order: Sequence[Contender], condition: str, share: Share) -> Iterator[PrizeWon]:
    """The prizes of one condition: those level on points, or in everything, share theirs."""
    start, level_by = 0, attrgetter("place" if share == PLACES else "points")
    while start < min(len(lot), len(order)):
        level = [one for one in order[start:] if level_by(one) == level_by(order[start])]
        mine = list(lot[start : start + len(level)])
        yield from _group(mine, level, condition, hort=share == HORT)
        start += len(level)


def _group(prizes: Sequence[Prize], level: Sequence[Contender], condition: str, *, hort: bool) -> Iterator[PrizeWon]:
    """The shares of one group; by Hort, half of each prize stays with its place."""
    total, size = sum((Fraction(prize.amount) for prize in prizes), Fraction(0)), len(level)
    shared = total / 2 if hort else total
    own = [Fraction(prizes[place].amount) / 2 if hort and place < len(prizes) else Fraction(0) for place in range(size)]
    amounts = list(_in_cents([half + shared / size for half in own], total))
    names = tuple(prize.name for prize in prizes)
    for one, half, amount in zip(level, own, amounts, strict=True):
        working = _plain(total) if size == 1 else f"{_plain(shared)} / {size}"
        if hort and size > 1:
            working = f"{_plain(half)} + {working}"
        yield PrizeWon(one.no, one.name, condition, names, amount, working)


def _in_cents(amounts: Iterable[Fraction], total: Fraction) -> Iterator[Decimal]:
    """Amounts rounded down to cents; the cents left over go to the first players, so that the sum is right."""
    whole = [int(amount * CENTS) for amount in amounts]
    left = int(total * CENTS) - sum(whole)
    for place, cents in enumerate(whole):
        yield Decimal(cents + (place < left)) / CENTS


def _plain(amount: Fraction) -> str:
    return f"{Decimal(int(amount * CENTS)) / CENTS:f}"


def members(entrants: Iterable[Entrant], condition: str, on: date) -> tuple[Entrant, ...]:
    """The players who meet every word of a condition; a player about whom too little is known does not."""
    return tuple(entrant for entrant in entrants if meets(entrant, condition, on))


def meets(entrant: Entrant | None, condition: str, on: date) -> bool:
    """Whether a player meets every word of a condition; a team meets none."""
    return entrant is not None and all(_meets(entrant, word, on) for word in condition.split())


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
