"""Player: a person with a standing, and the standings of the rating systems."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from datetime import date
from typing import TYPE_CHECKING, Any

from arpad.core.values import (
    EARLIEST_BIRTH,
    LONGEST_IDLE,
    Number,
    Rating,
    between,
    deviation_of,
    games_before_of,
    k_of,
    rating_of,
    volatility_of,
    whole_of,
)
from arpad.errors import BadInput
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self


@dataclass(frozen=True, slots=True)
class ListedK:
    """The rating list that a K was read from, the system whose K it is, and its month; without a system, of any."""

    list: str
    system: str | None = None
    month: date | None = None


def _checked(owner: object, name: str, check: Callable[..., object], *bounds: object, at: str | None = None) -> None:
    """Check a field of a frozen noun, and keep it as the check gives it; what is not known stays None."""
    value = getattr(owner, name)
    if value is not None:
        object.__setattr__(owner, name, check(value, *bounds, at=at or name))


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a player stands in a rating system: a rating, or None for an unrated player."""

    rating: Rating | None = None

    def __post_init__(self) -> None:
        _checked(self, "rating", rating_of)

    @property
    def rating_used(self) -> Rating | None:
        """The rating that games are rated with; None if there is none."""
        return self.rating

    @classmethod
    def of(cls, player: Player) -> Self:
        """A player's standing as this kind; of another kind, only the rating is known here."""
        standing = player.standing
        return standing if isinstance(standing, cls) else cls(standing.rating)


@dataclass(frozen=True, slots=True)
class EloStanding(Standing):
    """A rating and what its K depends on. What is not known is None, never 0.

    `k_from` is the rating list that has this K; None if it was given by hand. `games` are the rated games completed so
    far, `peak` is the highest published rating, and `standard` the standard rating that is used where a rapid or blitz
    rating is missing.
    """

    k: Rating | None = None
    k_from: ListedK | None = None
    games: int | None = None
    peak: Rating | None = None
    standard: Rating | None = None

    def __post_init__(self) -> None:
        _checked(self, "rating", rating_of)
        _checked(self, "k", k_of)
        _checked(self, "games", games_before_of)
        _checked(self, "peak", rating_of)
        _checked(self, "standard", rating_of)
        if self.k is None:
            object.__setattr__(self, "k_from", None)

    @property
    def rating_used(self) -> Rating | None:
        """The rating, or the standard rating that is used where it is missing."""
        return self.standard if self.rating is None else self.rating


@dataclass(frozen=True, slots=True)
class GlickoStanding(Standing):
    """A rating with its deviation and volatility; `idle` counts the rating periods (Lichess: days) since a game."""

    deviation: Rating | None = None
    volatility: Rating | None = None
    idle: Rating | None = None

    def __post_init__(self) -> None:
        _checked(self, "rating", rating_of)
        _checked(self, "deviation", deviation_of)
        _checked(self, "volatility", volatility_of)
        if self.idle in {0, "0"}:
            object.__setattr__(self, "idle", None)
        _checked(self, "idle", between, "idle", 0, LONGEST_IDLE)


@dataclass(frozen=True, slots=True)
class DwzStanding(Standing):
    """A DWZ and its index, the number of rated tournaments so far; `k` is a K that was given."""

    index: int | None = None
    k: Rating | None = None

    def __post_init__(self) -> None:
        _checked(self, "rating", rating_of)
        _checked(self, "k", k_of)
        _checked(self, "index", whole_of, "dwz_index", 0, 10_000, at="dwz_index")


@dataclass(frozen=True, slots=True, init=False)
class Player:
    """A person with a standing: `Player(1750, birth_year=2010)`, `Player(GlickoStanding(1500, deviation=60))`.

    `Player(None)` is unrated. What is not known is None, never 0.
    """

    standing: Standing
    birth_year: int | None
    title: str | None
    federation: str | None
    sex: str | None
    fide_id: int | None
    name: str | None

    def __init__(
        self,
        standing: Standing | Number | None,
        *,
        birth_year: int | str | None = None,
        title: str | None = None,
        federation: str | None = None,
        sex: str | None = None,
        fide_id: int | None = None,
        name: str | None = None,
    ) -> None:
        if not isinstance(standing, Standing):
            standing = Standing(None if standing is None else rating_of(standing, at="rating"))
        if birth_year is not None:
            birth_year = whole_of(birth_year, "birth_year", EARLIEST_BIRTH, at="born")
        object.__setattr__(self, "standing", standing)
        object.__setattr__(self, "birth_year", birth_year)
        object.__setattr__(self, "title", title)
        object.__setattr__(self, "federation", federation)
        object.__setattr__(self, "sex", sex)
        object.__setattr__(self, "fide_id", fide_id)
        object.__setattr__(self, "name", name)

    @property
    def rating(self) -> Rating | None:
        """The rating; None for an unrated player."""
        return self.standing.rating

    @property
    def rating_used(self) -> Rating | None:
        """The rating that games are rated with: the standard one where a rapid or blitz rating is missing."""
        return self.standing.rating_used

    def __repr__(self) -> str:
        standing = self.standing
        shown = [repr(standing.rating) if type(standing) is Standing else repr(standing)]
        shown += [f"{name}={value!r}" for name, value in _known(self).items() if name != "standing"]
        return f"Player({', '.join(shown)})"


UNRATED = Player(None)


def as_player(value: Player | Standing | Number | None) -> Player:
    """A player; a bare rating becomes a player with that rating."""
    return value if isinstance(value, Player) else Player(value)


def as_opponents(value: object) -> list[Player]:
    """Opponents, as players or ratings; a single one counts as a list of one."""
    if isinstance(value, (Player, Standing, int, float, str)) or not hasattr(value, "__iter__"):
        value = [value]
    return [as_player(one) for one in value]


def updated(player: Player, told: Player) -> Player:
    """A player with new facts in place of the old ones; a K keeps its source."""
    known, said = _known(player.standing), _known(told.standing)
    if "k" in said:
        known.pop("k_from", None)
    kind = type(told.standing) if type(player.standing) is Standing else type(player.standing)
    standing = kind(**{**known, **said})
    return replace(player, **{**_known(told), "standing": standing})


def _known(noun: Player | Standing) -> dict[str, Any]:
    """What is known of a player or a standing, by the names of its fields."""
    values = {one.name: getattr(noun, one.name) for one in fields(noun)}
    return {name: value for name, value in values.items() if value is not None}


def check_born(player: Player, day: date) -> None:
    """Nobody plays before being born."""
    if player.birth_year is not None and player.birth_year > day.year:
        raise BadInput(say("values.too.early_birth", year=player.birth_year, day=day), at="born")
