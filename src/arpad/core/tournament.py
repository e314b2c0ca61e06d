"""The nouns of a whole tournament: who entered, and what everybody did in each round. All are frozen.

Files are read into a Tournament and written from one; rating reports, norms and tie-breaks start from one. It knows no
file format and no rule.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import Any, TypeVar

from arpad.core import Pace, Player, as_day
from arpad.core.counting import the_first
from arpad.errors import BadInput, UnknownName

One = TypeVar("One")

# What a round can be for one player. A `short` game had less than one move by each side; `pending` is paired and not
# yet played; `absent` is no game without a bye having been asked for.
PLAYED, SHORT, FORFEIT, PENDING, ABSENT = "played", "short", "forfeit", "pending", "absent"
BYES = FULL_BYE, HALF_BYE, ZERO_BYE, ALLOCATED_BYE = "full-bye", "half-bye", "zero-bye", "allocated-bye"
KINDS = (PLAYED, SHORT, FORFEIT, PENDING, ABSENT, *BYES)

EXAMPLE_DAY = "2026-02-25"
NAMED_PLACES = 3  # of an oddity that stands more often, before "and 12 more"

# What an event pays, unless its `scoring` says otherwise.
ONE, HALF, ZERO = Decimal(1), Decimal("0.5"), Decimal(0)
USUAL: Mapping[str, Decimal] = {
    "white-win": ONE, "black-win": ONE, "white-draw": HALF, "black-draw": HALF, "white-loss": ZERO,
    "black-loss": ZERO, "forfeit-win": ONE, "forfeit-loss": ZERO, FULL_BYE: ONE, HALF_BYE: HALF,
    ZERO_BYE: ZERO, ALLOCATED_BYE: ONE, ABSENT: ZERO,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Round:
    """One round of one player: the opponent's starting number, the own colour, and the score once there is one.

    The score is what the game itself gave, 1, ½ or 0; what the event pays for it is the tournament's `scoring`.
    """

    kind: str
    opponent: int | None = None
    colour: str | None = None
    score: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player in a tournament under a starting number, with the rounds in order and the standing the file claims."""

    no: int
    player: Player
    rounds: tuple[Round, ...] = ()
    points: Decimal | None = None
    rank: int | None = None
    born: date | None = None  # the day, where the file has it; the year is the player's
    line: int | None = None  # where the file has it

    @property
    def called(self) -> str:
        """The name; the FIDE ID of somebody without one, else the starting number."""
        by_id = f"ID {self.player.fide_id}" if self.player.fide_id else f"player {self.no}"
        return self.player.name or by_id


@dataclass(frozen=True, slots=True)
class Team:
    """A team and the starting numbers of its players in board order."""

    no: int
    name: str
    members: tuple[int, ...] = ()
    match_points: Decimal | None = None
    game_points: Decimal | None = None
    rank: int | None = None
    nickname: str | None = None
    strength: int | None = None


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Points paid out of the order: a bonus or penalty, or another worth of one kind of result.

    `pays` is a key of USUAL, or None for a bonus; no round means every round, and no numbers mean everybody.
    """

    points: Decimal
    pays: str | None = None
    round: int | None = None
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """What else a file says, for which there is no noun here: its code and its fields by name."""

    code: str
    fields: Mapping[str, Any]
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """The file a tournament was read from, as it was, so that it can be written unchanged."""

    format: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Oddity:
    """Something in a file that is not as it should be, with the place; what it says is a sentence for the reader."""

    says: str
    line: int | None = None
    column: int | None = None
    lost: bool = False  # whether what stands there was left out

    def __str__(self) -> str:
        place = ", ".join(
            f"{name} {value}" for name, value in (("line", self.line), ("column", self.column)) if value is not None
        )
        return f"{place}: {self.says}" if place else self.says


def gathered(oddities: Iterable[Oddity]) -> list[str]:
    """Each sentence once, behind the places it is about: `line 14, column 11; line 16, column 11 and 12 more: …`."""
    places: dict[str, list[str]] = {}
    for one in oddities:
        places.setdefault(one.says, []).append(str(replace(one, says="")).removesuffix(": "))
    return [f"{_placed(named)}{says}" for says, named in places.items()]


def _placed(places: list[str]) -> str:
    named = [place for place in places[:NAMED_PLACES] if place]
    if not named:
        return ""
    more = f" and {len(places) - NAMED_PLACES} more" if len(places) > NAMED_PLACES else ""
    return f"{'; '.join(named)}{more}: "


@dataclass(frozen=True, slots=True)
class FromList:
    """Which rating list a tournament's players were looked up in, and whom it does not settle."""

    name: str
    says: str  # which list the ratings are from
    unrated: tuple[Entrant, ...] = ()  # on the list without a rating, though the file has one
    not_found: tuple[Entrant, ...] = ()  # whose ID is not on the list
    without_id: tuple[Entrant, ...] = ()
    other_name: tuple[tuple[Entrant, str], ...] = ()  # as the file has them, and who has the ID on the list

    @property
    def remarks(self) -> list[str]:
        """Sentences about whoever does not have the list's rating, or may have somebody else's."""
        told = (
            (self.unrated, "Without a rating on the list, and so unrated, whatever the file says: {}."),
            (self.not_found, "Not on the list under the ID in the file, so what the file says is used: {}."),
            (self.without_id, "Without an ID in the file, so what the file says is used: {}."),
        )
        others = [f"{one.no} {one.called} is {name}" for one, name in self.other_name]
        says_other = "The ID in the file has another name on the list, whose rating is used; check it: {}."
        return [
            *([says_other.format(the_first(others, between="; "))] if others else []),
            *(says.format(_called(some)) for some, says in told if some),
        ]

    def value(self) -> dict[str, Any]:
        """The list, and the starting numbers of those players."""
        names = ("unrated", "not_found", "without_id")
        return {
            "name": self.name,
            **{name: [one.no for one in getattr(self, name)] for name in names},
            "other_name": [one.no for one, _ in self.other_name],
        }


def _called(entrants: Sequence[Entrant]) -> str:
    """The first few with number, name and the file's rating, and how many more there are."""
    return the_first([f"{one.no} {one.called} ({one.player.rating or 'unrated'})" for one in entrants], between="; ")


@dataclass(frozen=True, slots=True)
class Tournament:
    """A whole event: its facts, its entrants by starting number, its teams, and what was odd in the file."""

    entrants: tuple[Entrant, ...]
    name: str | None = None
    city: str | None = None
    federation: str | None = None
    start: date | None = None
    end: date | None = None
    kind: str | None = None  # "Swiss", "FIDE_DUTCH", "Round Robin" …, as the organiser wrote it
    time_control: str | None = None  # as the organiser wrote it
    pace: Pace | None = None  # the same, where it could be understood
    arbiter: str | None = None
    deputies: tuple[str, ...] = ()
    rounds: int = 0  # rounds planned, or those seen
    round_days: tuple[date | None, ...] = ()
    scoring: Mapping[str, Decimal] | None = None  # points the event pays by kind of result, where they are unusual
    teams: tuple[Team, ...] = ()
    oddities: tuple[Oddity, ...] = ()
    match_scoring: Mapping[str, Decimal] | None = None  # match points for a team's win, draw and loss, where unusual
    adjustments: tuple[Adjustment, ...] = ()
    records: tuple[Record, ...] = ()
    source: Source | None = None
    from_list: FromList | None = None  # where players were looked up in a list

    def entrant(self, no: int) -> Entrant:
        """The player of a starting number."""
        return numbered(self.entrants, no, lambda one: one.no)


def numbered(players: Iterable[One], no: int, number_of: Callable[[One], int]) -> One:
    """The first with a starting number; refused where nobody has it."""
    for one in players:
        if number_of(one) == no:
            return one
    raise BadInput(f"No player has the starting number {no}.", at="player")


def as_tournament(value: Any) -> Tournament:
    """A tournament, and nothing else: a file's name has to be read first."""
    if not isinstance(value, Tournament):
        raise BadInput(f"{value!r} is not a tournament; arpad.read(FILE) gives one.", at="tournament")
    return value


def day_of(
    tournament: Tournament, on: date | None, *, give: str = "give it as `on`, for example {day}", at: str = "on"
) -> date:
    """The day asked for, else the day the event began; a door says in its own words how it is given."""
    began = as_tournament(tournament).start
    day = on or began
    if day is None:
        how = give.format(day=EXAMPLE_DAY)
        raise BadInput(f"The file does not say when the event began, and the rules of that day hold; {how}.", at=at)
    return as_day(day)


SWISS, ROUND_ROBIN, DOUBLE_ROUND_ROBIN, KNOCK_OUT, TEAM, WORLD_CUP = EVENT_KINDS = (
    "swiss", "round-robin", "double-round-robin", "knock-out", "team", "world-cup",
)  # fmt: skip
GIVEN, WRITTEN, ASSUMED = "given", "written", "assumed"  # where the kind of an event comes from
FIXED_PAIRINGS = (ROUND_ROBIN, DOUBLE_ROUND_ROBIN)
_SIGNS = (  # what organisers write about the kind of an event, the more special first
    (("double round", "doubleround"), DOUBLE_ROUND_ROBIN),
    (("round robin", "roundrobin", "berger", "scheveningen", "schiller"), ROUND_ROBIN),
    (("knock",), KNOCK_OUT),
    (("swiss", "dutch", "dubov", "burstein", "fide team"), SWISS),
)


def event_kind(tournament: Tournament, asked: str | None = None) -> tuple[str, str]:
    """The kind of an event and where it comes from: given, written in the file, or assumed."""
    if asked is not None:
        if asked not in EVENT_KINDS:
            raise UnknownName("event_kind", asked, known=EVENT_KINDS, at="event kind")
        return asked, GIVEN
    written = (tournament.kind or "").lower().replace("_", " ").replace("-", " ")
    for signs, kind in _SIGNS:
        if any(sign in written for sign in signs):
            return kind, WRITTEN
    return SWISS, ASSUMED
