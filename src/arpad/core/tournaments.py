"""The types of a whole tournament, all frozen: who entered, and what each player did in each round.

Files are read into a Tournament and written from one; rating reports, norms and tie-breaks start from one. It knows no
file format and no rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Literal, TypeVar, get_args

from arpad.core import ListedK, Pace, Player, as_day
from arpad.errors import BadInput, UnknownName
from arpad.messages import Message, apart, say

T = TypeVar("T")
RecordValue = str | int | Decimal | date | tuple[int, ...] | tuple[Decimal, ...] | None

# What a round can be for one player. A `short` game had less than one move by each side; `pending` is paired but not
# yet played; `absent` is no game, although no bye was requested.
PLAYED, SHORT, FORFEIT, PENDING, ABSENT = "played", "short", "forfeit", "pending", "absent"
BYES = FULL_BYE, HALF_BYE, ZERO_BYE, ALLOCATED_BYE = "full-bye", "half-bye", "zero-bye", "allocated-bye"
KINDS = (PLAYED, SHORT, FORFEIT, PENDING, ABSENT, *BYES)

NATIONAL = "NRS"  # the code of a file's records of national ratings
COMMENT = "###"  # the code of a line that a program wrote for people
MOST_PLACES = 3  # how many places of a repeated oddity are listed before "and 12 more"

# Points for each kind of result, unless the event's `scoring` says otherwise.
ONE, HALF, ZERO = Decimal(1), Decimal("0.5"), Decimal(0)
USUAL: Mapping[str, Decimal] = {
    "white-win": ONE, "black-win": ONE, "white-draw": HALF, "black-draw": HALF, "white-loss": ZERO,
    "black-loss": ZERO, "forfeit-win": ONE, "forfeit-loss": ZERO, FULL_BYE: ONE, HALF_BYE: HALF,
    ZERO_BYE: ZERO, ALLOCATED_BYE: ONE, ABSENT: ZERO,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Round:
    """One round of one player: the opponent's starting number, the player's colour, and the score if there is one.

    The score is that of the game itself: 1, ½ or 0. The tournament's `scoring` says how many points it is worth there.
    """

    kind: str
    opponent: int | None = None
    colour: str | None = None
    score: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player in a tournament: starting number, rounds in order, and the points and rank that the file gives."""

    no: int
    player: Player
    rounds: tuple[Round, ...] = ()
    points: Decimal | None = None
    rank: int | None = None
    born: date | None = None  # the date of birth, if the file has it; `player` has the year
    line: int | None = None  # in the file
    national_id: str | None = None  # on the federation's own list, if the file or a table has it

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
    """Points outside the normal scoring: a bonus or penalty, or a different value for a kind of result.

    `pays` is a key of USUAL, or None for a bonus; no round means every round, and no numbers mean all players.
    """

    points: Decimal
    pays: str | None = None
    round: int | None = None
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """Anything else in a file that has no type of its own here: its code and its fields by name."""

    code: str
    fields: Mapping[str, RecordValue] = field(hash=False)
    line: int | None = None

    def text(self, name: str = "text") -> str:
        """A field as text; empty if it is not known."""
        value = self.fields.get(name)
        return "" if value is None else str(value)

    def number(self, name: str) -> int:
        """A field as a whole number; 0 if it is not known."""
        value = self.fields.get(name)
        return value if isinstance(value, int) else 0

    def numbers(self, name: str) -> tuple[int, ...]:
        """A field as whole numbers, with 0 for an unknown one; empty if it is not a list."""
        value = self.fields.get(name)
        return tuple(int(number or 0) for number in value) if isinstance(value, tuple) else ()

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
    """Something wrong or unusual in a file, and where."""

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
        """The message, with the place in front of it."""
        place = self.place
        return self.says if place is None else say("tournaments.place.says", place=place, says=self.says)

    def __str__(self) -> str:
        return str(self.placed)


def grouped(oddities: Iterable[Oddity]) -> list[Message]:
    """Each message once, after its places: `line 14, column 11; line 16, column 11 and 12 more: …`."""
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
    return say(key, place=apart(places), more=more, says=oddities[0].says)


def by_kind(oddities: Iterable[Oddity]) -> list[Message]:
    """One message for each kind of oddity: the first of them, and how many more there are."""
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
    """The rating list in which a tournament's players were looked up, and who does not have its rating."""

    name: str
    says: Message  # which list the ratings are from
    unrated: tuple[Entrant, ...] = ()  # on the list without a rating, though the file has one
    not_found: tuple[Entrant, ...] = ()  # whose ID is not on the list
    without_id: tuple[Entrant, ...] = ()
    other_name: tuple[tuple[Entrant, str], ...] = ()  # as in the file, and the name that has this ID on the list
    found: tuple[tuple[Entrant, Player], ...] = ()  # as in the file, and as on the list
    k_from: ListedK | None = None  # the list that K is from, if K is looked up separately
    by_name: tuple[tuple[Entrant, tuple[Player, ...]], ...] = ()  # without an ID, and the list's players of that name

    @property
    def notes(self) -> list[Message]:
        """Which list it is, and which players do not have its rating, or may have the wrong one."""
        return [self.says, *self.remarks]

    @property
    def remarks(self) -> list[Message]:
        """Players who do not have the list's rating, or may have the wrong one."""
        others = [
            say("tournaments.list.somebody_else", no=entrant.no, name=entrant.called, listed=name)
            for entrant, name in self.other_name
        ]
        groups = {
            "other_name": others,
            "unrated": _in_the_file(self.unrated),
            "not_found": _in_the_file(self.not_found),
            "without_id": _in_the_file(self.without_id),
        }
        return [say(f"tournaments.list.{key}", players=players) for key, players in groups.items() if players]


def _in_the_file(entrants: Iterable[Entrant]) -> list[Message]:
    """Players with their number, name and rating in the file."""
    return [
        say("tournaments.list.unrated_player", no=entrant.no, name=entrant.called)
        if entrant.player.rating is None
        else say("tournaments.list.player", no=entrant.no, name=entrant.called, rating=entrant.player.rating)
        for entrant in entrants
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
    pace: Pace | None = None  # the same as minutes and increment, if it could be understood
    arbiter: str | None = None
    deputies: tuple[str, ...] = ()
    rounds: int = 0  # rounds planned, or those seen
    round_days: tuple[date | None, ...] = ()
    scoring: Mapping[str, Decimal] | None = None  # points for each kind of result, if they are unusual
    teams: tuple[Team, ...] = ()
    oddities: tuple[Oddity, ...] = ()
    match_scoring: Mapping[str, Decimal] | None = None  # match points for a team's win, draw and loss, if unusual
    adjustments: tuple[Adjustment, ...] = ()
    records: tuple[Record, ...] = ()
    source: Source | None = None
    from_list: FromList | None = None  # if players were looked up in a list

    def entrant(self, no: int) -> Entrant:
        """The player with a starting number."""
        return numbered(self.entrants, no, lambda entrant: entrant.no)

    @property
    def marked(self) -> str | None:
        """The list for which its program marked the event where no time control was understood, such as `blitz`."""
        says = (oddity.says for oddity in self.oddities)
        return next((str(said.values["pace"]) for said in says if said.key == "formats.tunx.pace"), None)

    @property
    def comments(self) -> tuple[Oddity, ...]:
        """What the program that wrote the file says in it to people, each with its line."""
        return tuple(
            Oddity(say("tournaments.comment.says", text=record.text()), record.line)
            for record in self.records
            if record.code == COMMENT
        )


def numbered(players: Iterable[T], no: int, number_of: Callable[[T], int]) -> T:
    """The first player with a starting number; an error if nobody has it."""
    numbers = []
    for player in players:
        if number_of(player) == no:
            return player
        numbers.append(number_of(player))
    raise no_such_number(no, numbers, at="player")


def no_such_number(no: int, numbers: Iterable[int], *, at: str) -> BadInput:
    """The error for a starting number that nobody has, with the numbers there are."""
    known = sorted(numbers)
    if not known:
        return BadInput(say("tournaments.no_players"), at=at)
    return BadInput(say("tournaments.no_such_number", no=no, first=known[0], last=known[-1]), at=at)


def as_tournament(value: object) -> Tournament:
    """The tournament; anything else, such as the path of a file, is refused."""
    if not isinstance(value, Tournament):
        raise BadInput(say("tournaments.not_a_tournament", value=repr(value)), at="tournament")
    return value


def day_of(tournament: Tournament, on: date | None) -> date:
    """The day asked for, or else the first day of the event."""
    began = as_tournament(tournament).start
    day = on or began
    if day is None:
        raise no_day(tournament, at="on")
    return as_day(day)


def no_day(tournament: Tournament, at: str) -> BadInput:
    """The error for an event without a first day; a day in the file that can be two is named with both."""
    unclear = next((oddity.says for oddity in tournament.oddities if oddity.says.key == "formats.day.either"), None)
    return BadInput(say("tournaments.unclear_day", says=unclear) if unclear else say("tournaments.no_day"), at=at)


def last_day_of(tournament: Tournament, began: date) -> date | None:
    """The last day in the file; None if there is none, or if it is before the first day."""
    return tournament.end if tournament.end is not None and tournament.end >= began else None


EventKind = Literal["swiss", "round-robin", "double-round-robin", "knock-out", "team", "world-cup"]
EVENT_KINDS: tuple[EventKind, ...] = get_args(EventKind)
SWISS, ROUND_ROBIN, DOUBLE_ROUND_ROBIN, KNOCK_OUT, TEAM, WORLD_CUP = EVENT_KINDS
GIVEN, WRITTEN, ASSUMED = "given", "written", "assumed"  # where the kind of an event comes from
FIXED_PAIRINGS: tuple[EventKind, ...] = (ROUND_ROBIN, DOUBLE_ROUND_ROBIN)
SMALLEST_ROUND_ROBIN = 4  # players; with fewer, everybody meets everybody in a Swiss too
# What organisers write about the kind of an event, more specific words first.
_KIND_WORDS: tuple[tuple[tuple[str, ...], EventKind], ...] = (
    (("double round", "doubleround"), DOUBLE_ROUND_ROBIN),
    (("round robin", "roundrobin", "berger", "scheveningen", "schiller"), ROUND_ROBIN),
    (("knock",), KNOCK_OUT),
    (("swiss", "dutch", "dubov", "burstein", "fide team"), SWISS),
)


def named_kind(kind: str) -> Message:
    """A kind of event in words, which depend on the language; its name here does not."""
    return say(f"steps.text.{kind}")


def event_kind(tournament: Tournament, asked: str | None = None) -> tuple[EventKind, str]:
    """The kind of an event and where it comes from: given, written in the file, or assumed."""
    if asked is not None:
        if asked not in EVENT_KINDS:
            raise UnknownName("event_kind", asked, known=EVENT_KINDS, at="event kind")
        return next(kind for kind in EVENT_KINDS if kind == asked), GIVEN
    written = (tournament.kind or "").lower().replace("_", " ").replace("-", " ")
    for words, kind in _KIND_WORDS:
        if any(word in written for word in words):
            return kind, WRITTEN
    return SWISS, ASSUMED


def all_play_all(tournament: Tournament) -> EventKind | None:
    """The kind of round robin, single or double, if everybody is paired with everybody; otherwise None."""
    numbers = {entrant.no for entrant in tournament.entrants}
    if len(numbers) < SMALLEST_ROUND_ROBIN or len(numbers) != len(tournament.entrants):
        return None
    for times, kind in enumerate(FIXED_PAIRINGS, start=1):
        if all(
            Counter(played.opponent for played in entrant.rounds if played.opponent is not None)
            == dict.fromkeys(numbers - {entrant.no}, times)
            for entrant in tournament.entrants
        ):
            return kind
    return None
