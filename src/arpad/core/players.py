"""Player: a person with a standing, and the standings of the rating systems."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from datetime import date
from typing import TYPE_CHECKING, Any, Literal, get_args

from arpad.core.numbers import (
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
from arpad.errors import BadInput, UnknownName
from arpad.messages import say

if TYPE_CHECKING:
    from typing import Never, Self


Title = Literal["GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM"]
Sex = Literal["m", "w"]
TITLES: tuple[Title, ...] = get_args(Title)
SEXES: tuple[Sex, ...] = get_args(Sex)


@dataclass(frozen=True, slots=True)
class ListedK:
    """Where a K was read: the list, the system (None if the K is for any system) and the month."""

    list: str
    system: str | None = None
    month: date | None = None


def _checked(owner: object, name: str, check: Callable[..., object], *bounds: object, at: str | None = None) -> None:
    """Check a field of a frozen object and store the checked value; None stays None."""
    value = getattr(owner, name)
    if value is not None:
        object.__setattr__(owner, name, check(value, *bounds, at=at or name))


@dataclass(frozen=True, slots=True, repr=False)
class Standing:
    """What a system knows about a player: a rating, or None for an unrated player.

    Raises BadInput for what is not a rating.
    """

    rating: Rating | None = None

    def __post_init__(self) -> None:
        _checked(self, "rating", rating_of)

    def __repr__(self) -> str:
        shown = [f"{name}={value!r}" for name, value in _known(self).items() if name != "rating"]
        return f"{type(self).__name__}({', '.join([repr(self.rating), *shown])})"

    @property
    def rating_used(self) -> Rating | None:
        """The rating that games are rated with; None if there is none."""
        return self.rating

    @classmethod
    def of(cls, player: Player) -> Self:
        """The player's standing; from a standing of another kind, only the rating."""
        standing = player.standing
        return standing if isinstance(standing, cls) else cls(standing.rating)


@dataclass(frozen=True, slots=True, repr=False)
class EloStanding(Standing):
    """A rating and what its K depends on. What is not known is None, never 0.

    `k_from` is the rating list that this K is from; None if the user gave it. `games` are the rated games completed so
    far, `peak` is the highest published rating, and `standard` is the standard rating, used if a rapid or blitz rating
    is missing. `system("fide-standard").player(1750, games=12)` makes a player with one. Raises BadInput for a value
    that cannot be right.
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
        """The rating, or the standard rating if it is missing."""
        return self.standard if self.rating is None else self.rating


@dataclass(frozen=True, slots=True, repr=False)
class GlickoStanding(Standing):
    """A rating with its deviation and volatility; `idle` is the rating periods (Lichess: days) since the last game.

    `system("glicko-2").player(1500, deviation=200)` makes a player with one. Raises BadInput for a value that cannot be
    right.
    """

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


@dataclass(frozen=True, slots=True, repr=False)
class DwzStanding(Standing):
    """A DWZ and its index, the number of rated tournaments so far; `k` is a K that the user gave.

    `system("dwz").player(1887, index=44)` makes a player with one. Raises BadInput for a value that cannot be right.
    """

    index: int | None = None
    k: Rating | None = None

    def __post_init__(self) -> None:
        _checked(self, "rating", rating_of)
        _checked(self, "k", k_of)
        _checked(self, "index", whole_of, "dwz_index", 0, 10_000, at="dwz_index")


@dataclass(frozen=True, slots=True, init=False)
class Player:
    """A person with a standing: `Player(1750, birth_year=2010)`, `Player(GlickoStanding(1500, deviation=60))`.

    `system("fide-standard").player(1750, games=12)` makes one with what a system knows besides the rating.

    Accepts a rating, a standing, or None for an unrated player; what is not known is None, never 0. Raises BadInput or
    UnknownName for what cannot be right.
    """

    standing: Standing
    birth_year: int | None
    title: Title | None
    federation: str | None
    sex: Sex | None
    fide_id: int | None
    name: str | None

    def __init__(
        self,
        standing: Standing | Number | None,
        *,
        birth_year: int | str | None = None,
        title: Title | None = None,
        federation: str | None = None,
        sex: Sex | None = None,
        fide_id: int | None = None,
        name: str | None = None,
        **unknown: Never,
    ) -> None:
        for fact in unknown:
            raise _not_a_fact(fact)
        if not isinstance(standing, Standing):
            standing = Standing(None if standing is None else rating_of(standing, at="rating"))
        if birth_year is not None:
            birth_year = whole_of(birth_year, "birth_year", EARLIEST_BIRTH, at="born")
        if title is not None and title not in TITLES:
            raise UnknownName("title", str(title), known=TITLES, at="title")
        if sex is not None and sex not in SEXES:
            raise BadInput(say("reading.not_a_sex", text=sex), at="sex")
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
        """The rating that games are rated with: the standard one if a rapid or blitz rating is missing."""
        return self.standing.rating_used

    def __repr__(self) -> str:
        standing = self.standing
        shown = [repr(standing.rating) if type(standing) is Standing else repr(standing)]
        shown += [f"{name}={value!r}" for name, value in _known(self).items() if name != "standing"]
        return f"Player({', '.join(shown)})"


def _not_a_fact(name: str) -> BadInput | UnknownName:
    """The error for an argument that Player does not have: part of a standing, or not known at all."""
    of_standing = any(name == field.name for kind in Standing.__subclasses__() for field in fields(kind))
    if of_standing:
        return BadInput(say("values.not.player_fact", fact=name), at=name)
    return UnknownName("player_argument", name, known=[field.name for field in fields(Player)], at="Player")


UNRATED = Player(None)


def as_title(text: str | None) -> Title | None:
    """A title by its letters, spelt as FIDE spells it; None for anything else."""
    return next((title for title in TITLES if title == text), None)


def as_player(value: Player | Standing | Number | None) -> Player:
    """A player; a bare rating becomes a player with that rating."""
    return value if isinstance(value, Player) else Player(value)


def as_opponents(value: object) -> list[Player]:
    """Opponents as a list of players; a single player or rating becomes a list of one."""
    if isinstance(value, (Player, Standing, int, float, str)) or not hasattr(value, "__iter__"):
        value = [value]
    return [as_player(opponent) for opponent in value]


def updated(player: Player, new: Player) -> Player:
    """A player with new facts in place of the old ones; a new K also replaces the source of the old one."""
    known, given = _known(player.standing), _known(new.standing)
    if "k" in given:
        known.pop("k_from", None)
    kind = type(new.standing) if type(player.standing) is Standing else type(player.standing)
    standing = kind(**{**known, **given})
    return replace(player, **{**_known(new), "standing": standing})


def _known(owner: Player | Standing) -> dict[str, Any]:
    """The fields of a player or standing that are known, by name."""
    kind = type(owner)
    if kind not in _NAMES:
        _NAMES[kind] = tuple(field.name for field in fields(owner))
    return {name: value for name in _NAMES[kind] if (value := getattr(owner, name)) is not None}


_NAMES: dict[type[Any], tuple[str, ...]] = {}  # of the fields, by class


def check_born(player: Player, day: date) -> None:
    """Refuse a player who was born after that day."""
    if player.birth_year is not None and player.birth_year > day.year:
        raise BadInput(say("values.too.early_birth", year=player.birth_year, day=day), at="born")


def is_federation(text: str) -> bool:
    """Whether a text has the form of a federation's code: three capital letters, `GER`."""
    return len(text) == len("GER") and text.isascii() and text.isalpha() and text.isupper()


FEDERATIONS = frozenset(
    """
    AFG AHO ALB ALG AND ANG ANT ARG ARM ARU AUS AUT AZE BAH BAN BAR BDI BEL BEN BER BHU BIH BIZ BLR BOL BOT BRA BRN BRU
    BUL BUR CAF CAM CAN CAY CGO CHA CHI CHN CIV CMR COD COL COM CPV CRC CRO CUB CYP CZE DEN DJI DMA DOM ECU EGY ENG ERI
    ESA ESP EST ETH FAI FID FIJ FIN FRA GAB GAM GBS GCI GEO GEQ GER GHA GRE GRL GRN GUA GUI GUM GUY HAI HKG HON HUN INA
    IND IOM IRI IRL IRQ ISL ISR ISV ITA IVB JAM JCI JOR JPN KAZ KEN KGZ KIR KOR KOS KSA KUW LAO LAT LBA LBN LBR LCA LES
    LIE LTU LUX MAC MAD MAR MAS MAW MDA MDV MEX MGL MHL MKD MLI MLT MNC MNE MOZ MRI MTN MYA NAM NCA NCL NED NEP NGR NIG
    NON NOR NRU NZL OMA PAK PAN PAR PER PHI PLE PLW PNG POL POR PUR QAT ROU RSA RUS RWA SAM SCO SEN SEY SGP SKN SLE SLO
    SMR SOL SOM SRB SRI SSD STP SUD SUI SUR SVK SWE SWZ SYR TAN TGA THA TJK TKM TLS TOG TPE TTO TUN TUR UAE UGA UKR URU
    USA UZB VAN VEN VIE VIN WLS YEM ZAM ZIM
    """.split()  # noqa: SIM905  # a table people read
)

# Former codes and the current ones. The Irish table, from about 2012, still has the former ones; we could not find out
# when they changed.
FORMER = {"LIB": "LBN", "MAU": "MTN", "SIN": "SGP", "TRI": "TTO"}
