"""Opponents of rounds that are not paired yet: who they may be by what is known of the field, and drawn at random.

The shares of titles are in titles.toml, which bench/fit_titles.py writes from a FIDE list; bench/fit_opponents.py
compares the ways to predict opponents with real tournaments. docs/chances.md has the figures.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache
from pkgutil import get_data
from statistics import fmean, pstdev
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.core import (
    HIGHEST_RATING,
    MOST_GAMES,
    Field,
    FieldPlayer,
    Pairing,
    Player,
    Shares,
    number,
    rating_of,
    refused,
)
from arpad.core.tournaments import SWISS, EventKind
from arpad.errors import BadInput
from arpad.messages import FieldName, Message, say

if TYPE_CHECKING:
    from random import Random

    from arpad.core import Number, Rating

    Person = tuple[int | None, str | None, str | None]  # rating, title, federation


MOST_SPREAD = 1000
MOST_ENTRIES = 1000
PULL = 400  # points between opponents with no points and with all of them, where a Swiss pairs equal scores
LEAST_SPREAD = 50  # of opponents assumed to be like those so far, who may have been alike by chance
LEAST_NEAR = 6  # players to draw from, at least
NEAR_POINTS, NEAR_RATING = Decimal("0.5"), 150  # how near in the standings, or in rating, opponents are at first


def expected_opponents(
    player: Player,
    named: Sequence[Pairing],
    *,
    rounds: int | None,
    average: Number | None = None,
    spread: Number | None = None,
    entries: Sequence[FieldPlayer] = (),
    titles: Shares = (),
    federations: Shares = (),
    kind: EventKind = SWISS,
    path: str = "",
) -> Unpaired:
    """The rounds to come that are not paired, as games against a field, and notes on what was assumed.

    The field is given by its average and spread, or by the players of an entry list or of standings; otherwise the
    opponents are assumed to be like those named. `path` comes before the names of the fields in errors.

    Accepts the player, the pairings that are known, and the number of rounds to come. Gives Unpaired: the pairings, and
    the notes. Raises BadInput where nothing is known, and for figures out of range.
    """
    if rounds is None:
        if average is None and spread is None and not (entries or titles or federations):
            return Unpaired()
        raise BadInput(say("forecast.refused.field_rounds"), at=f"{path}rounds")
    if not 0 <= rounds <= MOST_GAMES:
        raise refused(rounds, "rounds", low=0, high=MOST_GAMES, at=f"{path}rounds")
    if entries and average is not None:
        said = say("questions.not_together", field_name=FieldName("field"), other=FieldName("entries"))
        raise BadInput(said, at=f"{path}entries")
    for name, shares in (("field_titles", titles), ("field_federations", federations)):
        if sum(share for _, share in shares) > 1 + 1e-9:
            raise BadInput(say("forecast.refused.shares"), at=f"{path}{name}")
    if not rounds:
        return Unpaired()
    met = [pairing for pairing in named if isinstance(pairing.opponent, Player)]
    if entries:
        found = _from_entries(player, met, entries, rounds, kind, path)
    elif average is not None:
        found = _around_average(rating_of(average, at=f"{path}field"), rounds, is_spread=spread is not None)
    else:
        found = _like_those_named(met, rounds, kind, path)
    wide = found.field.spread if spread is None else _spread(spread, f"{path}spread")
    field = replace(found.field, spread=wide, titles=titles, federations=federations)
    return Unpaired((Pairing(field),) * rounds, found.assumed)


class Unpaired(NamedTuple):
    """Games against opponents who are not known yet, and notes on what was assumed about them."""

    pairings: tuple[Pairing, ...] = ()
    assumed: tuple[Message, ...] = ()


class _Found(NamedTuple):
    """A field, and a note on where it comes from; none if it was given."""

    field: Field
    assumed: tuple[Message, ...] = ()


def _spread(given: Number, at: str) -> Rating:
    spread = number(given, "spread", low=0, high=MOST_SPREAD, at=at)
    if not 0 <= spread <= MOST_SPREAD:
        raise refused(given, "spread", low=0, high=MOST_SPREAD, at=at)
    return spread


def expected_average(ratings: Sequence[float], points: Rating, games: int) -> float:
    """The average opponent to come in a Swiss, by the ratings of the opponents so far and the points against them."""
    return fmean(ratings) + PULL * (float(points) / games - 0.5)


def _around_average(average: Rating, rounds: int, *, is_spread: bool) -> _Found:
    """A field of one average; without a spread everybody in it is taken to have that rating."""
    assumed = () if is_spread else (say("notes.field.no_spread", rounds=rounds, average=average),)
    return _Found(Field(average, 0), assumed)


def _like_those_named(met: Sequence[Pairing], rounds: int, kind: str, path: str) -> _Found:
    """A field like the opponents named; in a Swiss, stronger or weaker by the share of points against them."""
    ratings = _ratings(met)
    if not ratings:
        raise BadInput(say("forecast.refused.field_average"), at=f"{path}field")
    played = [pairing for pairing in met if pairing.score is not None and pairing.how == "played"]
    points, scored = sum((pairing.score or Decimal(0) for pairing in played), Decimal(0)), len(played)
    mean = fmean(ratings)
    average, key = round(mean), "notes.field.like_named"
    if kind == SWISS and scored:
        average, key = round(expected_average(ratings, points, scored)), "notes.field.by_score"
    spread = max(LEAST_SPREAD, round(pstdev(ratings)))
    said = say(
        key,
        rounds=rounds,
        average=average,
        spread=spread,
        named=len(ratings),
        mean=round(mean),
        stronger=average - round(mean),
        points=points,
        games=scored,
    )
    return _Found(Field(average, spread), (said,))


def _from_entries(
    player: Player, met: Sequence[Pairing], entries: Sequence[FieldPlayer], rounds: int, kind: str, path: str
) -> _Found:
    """A field of the players listed, without the player, those already met and those without a rating.

    In a Swiss only those near in the standings are drawn or, if the list has no points, those near in rating.
    """
    if len(entries) > MOST_ENTRIES:
        raise BadInput(say("forecast.refused.entries", players=len(entries), most=MOST_ENTRIES), at=f"{path}entries")
    left = list(entries)
    for gone in (player, *(pairing.opponent for pairing in met)):
        same = next((entry for entry in left if isinstance(gone, Player) and _same(entry.player, gone)), None)
        if same is not None:
            left.remove(same)
    rated = [entry for entry in left if entry.player.rating is not None]
    if len(rated) < rounds:
        raise BadInput(say("forecast.refused.few_entries", players=len(rated), rounds=rounds), at=f"{path}entries")
    values: dict[str, object] = {"rounds": rounds, "listed": len(entries)}
    near, key = rated, "notes.field.all"
    least = max(LEAST_NEAR, rounds)
    if kind == SWISS and all(entry.points is not None for entry in rated):
        points = sum((pairing.score or Decimal(0) for pairing in met), Decimal(0))
        apart = _reach([abs((entry.points or 0) - points) for entry in rated], least, NEAR_POINTS)
        near = [entry for entry in rated if abs((entry.points or 0) - points) <= apart]
        key, values = "notes.field.standings", {**values, "points": points, "apart": apart}
    elif kind == SWISS:
        level = _level(player, met, rated)
        apart = _reach([Decimal(abs(_rating(entry) - level)) for entry in rated], least, Decimal(NEAR_RATING))
        near = [entry for entry in rated if abs(_rating(entry) - level) <= apart]
        key, values = "notes.field.near_rating", {**values, "level": round(level), "apart": round(apart)}
    ratings = [_rating(entry) for entry in near]
    average, spread = round(fmean(ratings)), round(pstdev(ratings))
    said = say(key, **values, players=len(near), average=average, spread=spread)
    return _Found(Field(average, spread, tuple(entry.player for entry in near)), (said,))


def _same(entry: Player, other: Player) -> bool:
    """Whether an entry is somebody: by name if both have one, otherwise by rating, title and federation."""
    if entry.name and other.name:
        return entry.name.casefold() == other.name.casefold()
    return entry.rating == other.rating and all(
        mine is None or theirs is None or mine == theirs
        for mine, theirs in ((entry.title, other.title), (entry.federation, other.federation))
    )


def _reach(apart: Sequence[Decimal], least: int, first: Decimal) -> Decimal:
    """How far away players are drawn from: as far as it takes for enough of them, and no less than `first`."""
    return max(first, sorted(apart)[: min(least, len(apart))][-1])


def _level(player: Player, met: Sequence[Pairing], rated: Sequence[FieldPlayer]) -> float:
    """The rating around which a list without points is drawn.

    With results it is the average expected after them; before the first, halfway between the player and the list.
    """
    played = [pairing for pairing in met if pairing.score is not None and pairing.how == "played"]
    ratings = _ratings(met)
    if played and ratings:
        points = sum((pairing.score or Decimal(0) for pairing in played), Decimal(0))
        return expected_average(ratings, points, len(played))
    listed = fmean(_rating(entry) for entry in rated)
    return (float(player.rating or listed) + listed) / 2


def _ratings(met: Iterable[Pairing]) -> list[float]:
    """The ratings of the opponents in games that are played or to be played."""
    opponents = [pairing.opponent for pairing in met if pairing.how == "played"]
    return [float(opponent.rating) for opponent in opponents if isinstance(opponent, Player) and opponent.rating]


def _rating(entry: FieldPlayer) -> float:
    return float(entry.player.rating or 0)


class Lineup:
    """Everybody met in an event: those who are known, and those who are drawn; with notes on what was assumed.

    A title that is not known is drawn from those that active players of the rating hold. It counts as not known for the
    players of a list without any title, and for named opponents if none of them has one. A federation that is not
    known is drawn from those of the named opponents.
    """

    def __init__(self, opponents: Sequence[Player | Field], lowest: int) -> None:
        named = [opponent for opponent in opponents if isinstance(opponent, Player)]
        self._lowest = lowest
        self._seats = opponents
        self._fields = Counter(opponent for opponent in opponents if isinstance(opponent, Field))
        self._titles_known = any(opponent.title for opponent in named)
        self._federations = [opponent.federation for opponent in named if opponent.federation is not None]
        self.assumed = tuple(self._notes(named))

    def draw(self, random: Random) -> list[Person]:
        """The opponents of one simulated event, in order."""
        drawn = {
            field: iter(random.sample(field.players, times)) if field.players else None
            for field, times in self._fields.items()
        }
        people: list[Person] = []
        for seat, opponent in enumerate(self._seats):
            if isinstance(opponent, Player):
                rating = None if opponent.rating is None else int(opponent.rating)
                title = opponent.title if self._titles_known else typical_title(rating, random)
                people.append((rating, title, opponent.federation))
                continue
            listed = drawn[opponent]
            if listed is None:
                people.append(self._from_figures(opponent, seat, random))
            else:
                people.append(self._from_list(opponent, next(listed), seat, random))
        return people

    def _from_figures(self, field: Field, seat: int, random: Random) -> Person:
        drawn = round(random.gauss(float(field.average), float(field.spread)))
        rating = min(max(drawn, self._lowest), HIGHEST_RATING)
        return rating, self._title(field, rating, random), self._federation(field, seat, random)

    def _from_list(self, field: Field, player: Player, seat: int, random: Random) -> Person:
        rating = int(player.rating or self._lowest)
        title = player.title if _has_titles(field) else self._title(field, rating, random)
        own = player.federation
        return rating, title, self._federation(field, seat, random) if own is None else own

    def _title(self, field: Field, rating: int, random: Random) -> str | None:
        return _by_share(field.titles, random) if field.titles else typical_title(rating, random)

    def _federation(self, field: Field, seat: int, random: Random) -> str | None:
        if field.federations:
            return _by_share(field.federations, random) or f"other {seat}"
        return random.choice(self._federations) if self._federations else None

    def _notes(self, named: Sequence[Player]) -> Iterable[Message]:
        fields = list(self._fields)
        for field, rounds in self._fields.items():
            if not field.players:
                yield say("notes.field.drawn", rounds=rounds, average=field.average, spread=field.spread)
        by_rating = [field for field in fields if not field.titles and not _has_titles(field)]
        if by_rating or (named and not self._titles_known):
            key = "notes.field.titles.all" if named and not self._titles_known else "notes.field.titles"
            yield say(key, players=_title_table()["players"])
        elif any(field.titles for field in fields):
            yield say("notes.field.titles.given")
        alike = [field for field in fields if not field.federations and not _has_federations(field)]
        if alike and self._federations:
            yield say("notes.field.federations", named=len(self._federations))
        elif any(field.federations for field in fields):
            yield say("notes.field.federations.given")


def _has_titles(field: Field) -> bool:
    return any(player.title for player in field.players)


def _has_federations(field: Field) -> bool:
    return any(player.federation for player in field.players)


def _by_share(shares: Shares, random: Random) -> str | None:
    """A title or federation by its share; None for the rest."""
    point = random.random()
    for name, share in shares:
        point -= share
        if point < 0:
            return name
    return None


def typical_title(rating: int | None, random: Random) -> str | None:
    """A title that an active player of a rating may hold; None for no title, or none that counts for a norm."""
    point = random.random()
    lowest, shares = _title_bands()
    place = bisect_right(lowest, 0 if rating is None else rating) - 1
    for title, share in shares[place]:
        point -= share
        if point < 0:
            return title
    return None


@lru_cache(maxsize=1)
def _title_bands() -> tuple[list[int], list[Shares]]:
    """The lowest rating of each band, and the titles in it."""
    bands = _title_table()["bands"]
    return [band["rating"] for band in bands], [tuple(band["shares"].items()) for band in bands]


@lru_cache(maxsize=1)
def _title_table() -> dict[str, Any]:
    import tomllib  # most outlooks are not about norms

    return tomllib.loads((get_data("arpad.forecast", "titles.toml") or b"").decode())
