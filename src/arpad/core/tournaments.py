"""The nouns of a whole tournament: who entered, and what everybody did in each round. All are frozen.

Files are read into a Tournament and written from one; rating reports, norms and tie-breaks start from one. It knows no
file format and no rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TypeVar

from arpad.core import ListedK, Pace, Player, as_day
from arpad.errors import BadInput, UnknownName
from arpad.messages import Message, say

T = TypeVar("T")
RecordValue = str | int | Decimal | date | tuple[int, ...] | tuple[Decimal, ...] | None

# What a round can be for one player. A `short` game had less than one move by each side; `pending` is paired and not
# yet played; `absent` is no game without a bye having been asked for.
PLAYED, SHORT, FORFEIT, PENDING, ABSENT = "played", "short", "forfeit", "pending", "absent"
BYES = FULL_BYE, HALF_BYE, ZERO_BYE, ALLOCATED_BYE = "full-bye", "half-bye", "zero-bye", "allocated-bye"
KINDS = (PLAYED, SHORT, FORFEIT, PENDING, ABSENT, *BYES)

NATIONAL = "NRS"  # the code under which a file's records of national ratings are kept
MOST_PLACES = 3  # of an oddity that occurs more often, before "and 12 more"

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
    national_id: str | None = None  # in the federation's own list, where the file or a table has it

    @property
    def called(self) -> str:
        """The name; without one, the FIDE ID or else the starting number."""
        if self.player.name:
            return self.player.name
        by_id = self.player.fide_id
        return str(say("tournaments.called.id", id=str(by_id)) if by_id else say("tournaments.called.no", no=self.no))


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
    fields: Mapping[str, RecordValue]
    line: int | None = None

    def text(self, name: str = "text") -> str:
        """A field as a text; blank if it is not known."""
        value = self.fields.get(name)
        return "" if value is None else str(value)

    def number(self, name: str) -> int:
        """A field as a whole number; 0 if it is not known."""
        value = self.fields.get(name)
        return value if isinstance(value, int) else 0

    def numbers(self, name: str) -> tuple[int, ...]:
        """A field as whole numbers, 0 where one is not known; none if it is no list."""
        value = self.fields.get(name)
        return tuple(int(one or 0) for one in value) if isinstance(value, tuple) else ()

    def points(self, name: str) -> Decimal:
        """A field as points; 0 if it is not known."""
        value = self.fields.get(name)
        return value if isinstance(value, Decimal) else ZERO


@dataclass(frozen=True, slots=True)
class Source:
    """The original file of a tournament, so that it can be written back unchanged."""

    format: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Oddity:
    """Something in a file that is not as it should be, and where."""

    says: Message
    line: int | None = None
    column: int | None = None
    lost: bool = False  # whether it was left out
    contradicts: bool = False  # whether the file contradicts itself

    @property
    def serious(self) -> bool:
        """Whether figures may be wrong because of it: something was left out, or contradicts something else."""
        return self.lost or self.contradicts

    @property
    def place(self) -> Message | None:
        """Where it is in the file; None if it is about the whole file."""
        if self.line is None:
            return None
        if self.column is None:
            return say("tournaments.place.line", line=self.line)
        return say("tournaments.place.column", line=self.line, column=self.column)

    @property
    def placed(self) -> Message:
        """What it says, after its place."""
        place = self.place
        return self.says if place is None else say("tournaments.place.says", place=place, says=self.says)

    def __str__(self) -> str:
        return str(self.placed)


def grouped(oddities: Iterable[Oddity]) -> list[Message]:
    """Each sentence once, after the places it is about: `line 14, column 11; line 16, column 11 and 12 more: …`."""
    same: dict[str, list[Oddity]] = {}
    for oddity in oddities:
        same.setdefault(str(oddity.says), []).append(oddity)
    return [_at_its_places(group) for group in same.values()]


def _at_its_places(oddities: list[Oddity]) -> Message:
    places = [str(oddity.place) for oddity in oddities[:MOST_PLACES] if oddity.place is not None]
    more = len(oddities) - MOST_PLACES
    if not places:
        return oddities[0].says
    key = "tournaments.place.says" if more <= 0 else "tournaments.place.more"
    return say(key, place="; ".join(places), more=more, says=oddities[0].says)


def by_kind(oddities: Iterable[Oddity]) -> list[Message]:
    """Each kind of oddity in one sentence: the first of them, and how many more there are."""
    kinds: dict[str, list[Oddity]] = {}
    for oddity in oddities:
        inner = oddity.says.values.get("says")
        kinds.setdefault(inner.key if isinstance(inner, Message) else oddity.says.key, []).append(oddity)
    return [
        first.placed if not others else say("tournaments.place.like", first=first.placed, others=len(others))
        for first, *others in kinds.values()
    ]


@dataclass(frozen=True, slots=True)
class FromList:
    """Which rating list a tournament's players were looked up in, and who does not have its rating."""

    name: str
    says: Message  # which list the ratings are from
    unrated: tuple[Entrant, ...] = ()  # on the list without a rating, though the file has one
    not_found: tuple[Entrant, ...] = ()  # whose ID is not on the list
    without_id: tuple[Entrant, ...] = ()
    other_name: tuple[tuple[Entrant, str], ...] = ()  # as the file has them, and who has the ID on the list
    found: tuple[tuple[Entrant, Player], ...] = ()  # as the file has them, and as the list does
    k_from: ListedK | None = None  # the list that K is from, where it is looked up apart
    by_name: tuple[tuple[Entrant, tuple[Player, ...]], ...] = ()  # without an ID, and whom the list has under the name

    @property
    def notes(self) -> list[Message]:
        """Which list it is, and which players do not have its rating, or may have the wrong one."""
        return [self.says, *self.remarks]

    @property
    def remarks(self) -> list[Message]:
        """Players who do not have the list's rating, or may have the wrong one."""
        others = [
            say("tournaments.list.somebody_else", no=one.no, name=one.called, listed=name)
            for one, name in self.other_name
        ]
        groups = {
            "other_name": others,
            "unrated": _in_the_file(self.unrated),
            "not_found": _in_the_file(self.not_found),
            "without_id": _in_the_file(self.without_id),
        }
        return [say(f"tournaments.list.{key}", players=players) for key, players in groups.items() if players]


def _in_the_file(entrants: Iterable[Entrant]) -> list[Message]:
    """Players with number, name and the file's rating."""
    return [
        say("tournaments.list.unrated_player", no=one.no, name=one.called)
        if one.player.rating is None
        else say("tournaments.list.player", no=one.no, name=one.called, rating=one.player.rating)
        for one in entrants
    ]


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


def numbered(players: Iterable[T], no: int, number_of: Callable[[T], int]) -> T:
    """The first player with a starting number; refused where nobody has it."""
    numbers = []
    for player in players:
        if number_of(player) == no:
            return player
        numbers.append(number_of(player))
    raise no_such_number(no, numbers, at="player")


def no_such_number(no: int, numbers: Iterable[int], *, at: str) -> BadInput:
    """That nobody has a starting number, and which numbers there are."""
    known = sorted(numbers)
    if not known:
        return BadInput(say("tournaments.no_players"), at=at)
    return BadInput(say("tournaments.no_such_number", no=no, first=known[0], last=known[-1]), at=at)


def as_tournament(value: object) -> Tournament:
    """A tournament, and nothing else: a file has to be read first."""
    if not isinstance(value, Tournament):
        raise BadInput(say("tournaments.not_a_tournament", value=repr(value)), at="tournament")
    return value


def day_of(tournament: Tournament, on: date | None) -> date:
    """The day asked for, else the day the event began."""
    began = as_tournament(tournament).start
    day = on or began
    if day is None:
        raise BadInput(say("tournaments.no_day"), at="on")
    return as_day(day)


def last_day_of(tournament: Tournament, began: date) -> date | None:
    """The last day as the file has it; None if it has none, or one before the day the event began."""
    return tournament.end if tournament.end is not None and tournament.end >= began else None


SWISS, ROUND_ROBIN, DOUBLE_ROUND_ROBIN, KNOCK_OUT, TEAM, WORLD_CUP = EVENT_KINDS = (
    "swiss", "round-robin", "double-round-robin", "knock-out", "team", "world-cup",
)  # fmt: skip
GIVEN, WRITTEN, ASSUMED = "given", "written", "assumed"  # where the kind of an event is from
FIXED_PAIRINGS = (ROUND_ROBIN, DOUBLE_ROUND_ROBIN)
SMALLEST_ROUND_ROBIN = 4  # players; fewer meet one another in a Swiss too
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


def all_play_all(tournament: Tournament) -> str | None:
    """The kind of round robin that the pairings are, where everybody is paired with everybody equally often."""
    numbers = {one.no for one in tournament.entrants}
    if len(numbers) < SMALLEST_ROUND_ROBIN or len(numbers) != len(tournament.entrants):
        return None
    for times, kind in enumerate(FIXED_PAIRINGS, start=1):
        if all(
            len(met := [played.opponent for played in one.rounds if played.opponent is not None])
            == times * (len(numbers) - 1)
            and set(met) == numbers - {one.no}
            for one in tournament.entrants
        ):
            return kind
    return None
