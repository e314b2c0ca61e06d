"""Swiss-Manager's own files: .TUNX and .TURX for individuals, .TUTX and .TUMX for teams, all with one layout.

The directory at the end of a file says where its sections are, and each must be used up to its last byte: what does not
fit is refused, so that a damaged file never becomes half a tournament. Only the fields in the tables below are read.
Addresses, e-mails and the like are skipped without being decoded, and the file itself is not kept.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from itertools import takewhile
from typing import NamedTuple

from arpad.core import DRAW, LOSS, WIN, EloStanding, ListedK, Pace
from arpad.core.players import FEDERATIONS
from arpad.core.tournaments import (
    ABSENT,
    ALLOCATED_BYE,
    FORFEIT,
    HALF_BYE,
    PENDING,
    PLAYED,
    SHORT,
    ZERO_BYE,
    Adjustment,
    Entrant,
    Oddity,
    Record,
    Round,
    Source,
    Team,
    Tournament,
)
from arpad.errors import BadFile
from arpad.formats.games import MOST_PLAYERS, MOST_ROUNDS
from arpad.formats.programs import national_record
from arpad.formats.text import check_oddities, one_line
from arpad.formats.trf.event import pace_of
from arpad.messages import Message, say
from arpad.reading.tables.player import player_of

ENDINGS = (".tunx", ".turx", ".tutx", ".tumx")
OLD_ENDINGS = (".tun", ".tur", ".tut", ".tum")  # an older generation, whose layout is not known
PROGRAM = "Swiss-Manager"
VERSIONS = (20241023, 20250319)  # of the layout, as a file states them

# The sections in their order: a tag and MARK begin each. The directory has the places of all but the first two.
MARK = b"\xff\x89\x44"
HEADER, SETTINGS, ROUNDS, PLAYERS, PAIRINGS, TEAMS, MATCHES, FORBIDDEN, DIRECTORY, END = (
    0x93, 0x95, 0xA3, 0xA5, 0xB3, 0xB5, 0xC3, 0xC5, 0xD3, 0xE3,
)  # fmt: skip
LISTED = (ROUNDS, PLAYERS, PAIRINGS, TEAMS, MATCHES, FORBIDDEN, DIRECTORY)
NEEDED = {ROUNDS, PLAYERS, PAIRINGS, DIRECTORY}
OF_TEAMS = {TEAMS, MATCHES}
PLACES = struct.Struct("<4x7I4x")  # the directory, which ends the file

# Where a number is in its block, and its form: B, H and I are whole numbers of one, two and four bytes.
Numbers = Mapping[str, tuple[int, str]]
VERSION = (0x1C, "I")
HEADER_LENGTH, HEADER_TEXTS = 0x6C, 132
EVENT_TEXTS = {
    0: "name", 5: "city", 6: "arbiters", 14: "time_control", 20: "federation", 21: "arbiter", 22: "deputy",
    35: "deputies",
}  # fmt: skip
SETTINGS_LENGTH = 5_887
EVENT: Numbers = {
    "version": (11, "I"), "kind": (15, "H"), "paired": (21, "H"), "players": (23, "H"), "rounds": (27, "H"),
    "tie_breaks": (31, "H"), "teams": (51, "H"), "boards": (53, "H"), "start": (75, "I"), "end": (79, "I"),
    "pace": (1_267, "B"),
}  # fmt: skip
TIE_BREAKS, TIE_BREAK_SETUP, SETUP_LENGTH, MOST_TIE_BREAKS = 33, 655, 19, 9
ROUND_TEXTS, ROUND_LENGTH = 16, 76
ROUND: Numbers = {"day": (0, "I"), "games": (6, "H"), "matches": (8, "H")}
PERSON_TEXTS, PERSON_LENGTH = 33, 104
NAMES = {0: "surname", 1: "given", 4: "title", 5: "national_id", 10: "federation", 17: "list"}
PERSON: Numbers = {
    "sex": (0, "H"), "rating": (2, "H"), "national": (4, "H"), "born": (8, "I"), "id": (18, "I"), "team": (22, "H"),
    "board": (24, "H"), "extra": (44, "h"), "k": (52, "B"),
}  # fmt: skip
EXTRAS = ("k", "national", "team", "board", "extra")
PAIRING = struct.Struct("<HHH15x")  # White, Black, result
TEAM_TEXTS, TEAM_LENGTH = 5, 96
TEAM = {0: "name", 1: "nickname"}
MATCH = struct.Struct("<HH11x")  # the two teams
BYE, AWAY, NOBODY = 0xFFFF, 0xFFFE, 0  # instead of Black's number; nobody sits there in a team's forfeit

# What the numbers mean.
_, ROUND_ROBIN, TEAM_ROUND_ROBIN, TEAM_SWISS = range(4)
KINDS = ("Individual: Swiss-System", "Individual: Round-Robin", "Team: Round-Robin", "Team: Swiss-System")
DOUBLE = "Individual: Double Round-Robin"
PACES = {1: "standard", 2: "rapid", 3: "blitz"}
LISTS = {"FIDE": "standard", "FIDR": "rapid", "FIDB": "blitz"}  # where a player's data are from
SEXES = {0: "m", 1: "w"}
NO_FEDERATION, NO_NAME = "XXX", "."
GAMES: Mapping[int, tuple[str, Decimal | None, Decimal | None]] = {
    0: (PENDING, None, None), 1: (PLAYED, WIN, LOSS), 2: (PLAYED, DRAW, DRAW), 3: (PLAYED, LOSS, WIN),
    4: (FORFEIT, WIN, LOSS), 5: (FORFEIT, LOSS, WIN), 6: (FORFEIT, LOSS, LOSS),
    15: (SHORT, WIN, LOSS), 16: (SHORT, DRAW, DRAW), 17: (SHORT, LOSS, WIN),
}  # fmt: skip
ALONE = {(BYE, 0): ABSENT, (BYE, 9): ALLOCATED_BYE, (AWAY, 0): ABSENT, (AWAY, 2): HALF_BYE, (AWAY, 3): ZERO_BYE}
HALVES = 2  # extra points are in half points
NOT_HERE = Round(ABSENT)

# Tie-breaks of C.07 by their numbers in the program's list; of the first two, the setup says how many values are cut.
CUT = {84: "BH", 85: "SB"}
WHOLE = {81: "DE", 86: "PS", 87: "KS"}
USUAL_SETUP = {87: (2, 50)}  # one byte of the setup, and its value for the criterion as C.07 defines it
EDITION = 14  # the byte that chooses an edition; here the event's day does


def is_tunx(data: bytes, path: str) -> bool:
    """Whether this is such a file, by its first bytes or its name."""
    return data.startswith(bytes([HEADER]) + MARK) or path.lower().endswith((*ENDINGS, *OLD_ENDINGS))


def read_tunx(data: bytes, path: str) -> Tournament:
    """The tournament in such a file; a BadFile if it is damaged, of another version, or has no players."""
    parts = _parts(data, path)
    event = _event(parts, path)
    rounds = [_schedule(parts[ROUNDS]) for _ in range(event.numbers["rounds"])]
    people = [_person(parts[PLAYERS], no, event) for no in range(1, event.numbers["players"] + 1)]
    played = [_pairings(parts[PAIRINGS], at, found["games"], event) for at, found in enumerate(rounds, start=1)]
    teams = _teams(parts[TEAMS], people, event) if event.of_teams else ()
    line_ups = _line_ups(parts[MATCHES], rounds, played, teams, event) if event.of_teams else []
    for part in parts.values():
        if part.at != part.end:
            raise part.damaged
    if not people:
        raise BadFile(say("formats.tunx.no_players"), at=path)
    _lists(people, event)
    start = _day(event.numbers["start"], event)
    days = tuple(_day(found["day"], event) for found in rounds)
    facts = event.texts
    deputies = (name.strip() for key in ("deputy", "deputies", "arbiters") for name in facts[key].split(";"))
    return Tournament(
        tuple(_entrant(person, played, start, event) for person in people),
        name=facts["name"] or None,
        city=facts["city"] or None,
        federation=event.federation,
        start=start,
        end=_day(event.numbers["end"], event),
        kind=_kind(event),
        time_control=facts["time_control"] or None,
        pace=_pace(event),
        arbiter=facts["arbiter"] or None,
        deputies=tuple(name for name in deputies if name not in ("", NO_NAME)),
        rounds=event.numbers["rounds"],
        round_days=days if any(days) else (),
        teams=teams,
        adjustments=tuple(_extra_points(people, event)),
        records=(
            Record("182", {"text": PROGRAM}),
            *_tie_breaks(event),
            *line_ups,
            *_national_ratings(people, event),
        ),
        oddities=tuple(event.odd),
        source=Source("tunx", b""),
    )


class _Part:
    """A section, read from its start to its end; nothing is read beyond the end."""

    def __init__(self, data: bytes, start: int, end: int, path: str) -> None:
        self.data = data
        self.at = start
        self.end = end
        self.path = path

    @property
    def damaged(self) -> BadFile:
        """The refusal of a file whose bytes do not fit the layout from here on."""
        return BadFile(say("formats.tunx.damaged"), at=str(say("formats.tunx.place", path=self.path, byte=self.at)))

    def skip(self, length: int) -> int:
        """Step over a block, and return where it begins."""
        start = self.at
        if length > self.end - start:
            raise self.damaged
        self.at += length
        return start

    def texts(self, count: int, wanted: Mapping[int, str]) -> dict[str, str]:
        """The wanted texts of a row of them, by name; the others are not decoded."""
        found = {}
        for index in range(count):
            (characters,) = struct.unpack_from("<H", self.data, self.skip(2))
            start = self.skip(2 * characters)
            if index in wanted:
                try:
                    found[wanted[index]] = one_line(self.data[start : self.at].decode("utf-16-le"))
                except UnicodeDecodeError:
                    raise self.damaged from None
        return found

    def numbers(self, length: int, wanted: Numbers) -> dict[str, int]:
        """The wanted numbers of a block, by name."""
        start = self.skip(length)
        return {
            name: struct.unpack_from(f"<{form}", self.data, start + offset)[0]
            for name, (offset, form) in wanted.items()
        }

    def row(self, form: struct.Struct) -> tuple[int, ...]:
        """The next row of a section that has nothing but rows of numbers."""
        return form.unpack_from(self.data, self.skip(form.size))


def _parts(data: bytes, path: str) -> dict[int, _Part]:
    """The sections that are read, by their tags; the directory at the end of the file says where they begin."""
    whole = _Part(data, 0, len(data), path)
    if not data.startswith(bytes([HEADER]) + MARK):
        old = path.lower().endswith(OLD_ENDINGS)
        raise BadFile(say(f"formats.tunx.{'old' if old else 'not_this'}"), at=path)
    tail = len(data) - PLACES.size
    ends = bytes([DIRECTORY]) + MARK, bytes([END]) + MARK
    if tail < HEADER_LENGTH or not (data.startswith(ends[0], tail) and data.endswith(ends[1])):
        whole.at = len(data)
        raise whole.damaged
    places = [at for at in PLACES.unpack_from(data, tail) if at]
    tags = [data[at] if data.startswith(MARK, at + 1) else 0 for at in places if at <= tail]
    in_order = places == sorted(places) and tags == [tag for tag in LISTED if tag in tags]
    if not in_order or len(tags) < len(places) or places[-1:] != [tail] or not set(tags) >= NEEDED:
        whole.at = tail
        raise whole.damaged
    parts = {
        tag: _Part(data, at + 1 + len(MARK), end, path)
        for tag, at, end in zip(tags, places, places[1:], strict=False)
        if tag != FORBIDDEN  # pairs that must not meet, which no answer needs
    }
    return {HEADER: _Part(data, 0, places[0], path), **parts}


@dataclass(frozen=True, slots=True)
class _Event:
    """What the first two sections say, and what is odd in the file."""

    path: str
    texts: Mapping[str, str]
    numbers: Mapping[str, int]
    settings: bytes
    odd: list[Oddity] = field(default_factory=list)

    @property
    def of_teams(self) -> bool:
        return self.numbers["kind"] in (TEAM_ROUND_ROBIN, TEAM_SWISS)

    @property
    def federation(self) -> str | None:
        return None if self.texts["federation"] in ("", NO_FEDERATION) else self.texts["federation"]

    def note(self, says: Message, *, lost: bool = False, contradicts: bool = False) -> None:
        self.odd.append(Oddity(says, lost=lost, contradicts=contradicts))
        check_oddities(self.odd, self.path)


def _event(parts: Mapping[int, _Part], path: str) -> _Event:
    """The event; a BadFile if the layout is of another version, or if a count is impossible."""
    part = parts[HEADER]
    version = part.numbers(HEADER_LENGTH, {"version": VERSION})["version"]
    if version not in VERSIONS:
        raise BadFile(say("formats.tunx.version", version=str(version), known=list(map(str, VERSIONS))), at=path)
    texts = part.texts(HEADER_TEXTS, EVENT_TEXTS)
    start = part.at
    numbers = part.numbers(SETTINGS_LENGTH, EVENT)
    settings = part.data[start : part.at]
    event = _Event(path, texts, numbers, settings)
    sound = (
        settings.startswith(bytes([SETTINGS]) + MARK)
        and numbers["version"] == version
        and numbers["kind"] < len(KINDS)
        and numbers["paired"] <= numbers["rounds"]
        and numbers["tie_breaks"] <= MOST_TIE_BREAKS
    )
    if not sound or parts.keys() & OF_TEAMS != (OF_TEAMS if event.of_teams else set()):
        part.at = start
        raise part.damaged
    if numbers["rounds"] > MOST_ROUNDS:
        raise BadFile(say("formats.table.many_rounds", rounds=numbers["rounds"], most=MOST_ROUNDS), at=path)
    if numbers["players"] > MOST_PLAYERS:
        raise BadFile(say("formats.file.many_players", most=MOST_PLAYERS), at=path)
    return event


def _schedule(part: _Part) -> dict[str, int]:
    """A round's day, and how many rows of games and matches it has."""
    part.texts(ROUND_TEXTS, {})
    return part.numbers(ROUND_LENGTH, ROUND)


class _Person(NamedTuple):
    """A player without rounds, and what else the file says about the player; 0 means that it does not say it."""

    entrant: Entrant
    list: str  # that the player's data were taken from
    k: int
    national: int  # the rating on the federation's own list
    team: int
    board: int
    extra: int  # half points outside the games


def _person(part: _Part, no: int, event: _Event) -> _Person:
    texts = part.texts(PERSON_TEXTS, NAMES)
    numbers = part.numbers(PERSON_LENGTH, PERSON)

    def note(says: Message, about: str) -> None:  # national titles are usual here, and change no figure
        event.note(say("formats.tunx.player", no=no, says=says), lost=about != "title")

    year, day = divmod(numbers["born"], 10_000)
    month, day = divmod(day, 100)
    player, born = player_of(
        {
            **texts,
            "rating": str(numbers["rating"]),
            "id": str(numbers["id"]),
            "sex": SEXES.get(numbers["sex"], str(numbers["sex"])),
            "born": f"{year:04}-{month:02}-{day:02}" if month and day else f"{year:04}" if year else "",
        },
        note,
    )
    entrant = Entrant(no, player, born=born.day, national_id=texts["national_id"] or None)
    return _Person(entrant, texts["list"], **{name: numbers[name] for name in EXTRAS})


def _lists(people: list[_Person], event: _Event) -> None:
    """Note that K is the file's, and which ratings are not from the list for the event's pace."""
    if with_k := sum(person.k > 0 for person in people):
        event.note(say("formats.tunx.k", players=with_k))
    marked = PACES.get(event.numbers["pace"])
    rated = Counter(LISTS.get(person.list) for person in people if person.entrant.player.rating is not None)
    for pace, players in rated.items():
        if None not in (pace, marked) and pace != marked:
            event.note(say("formats.tunx.other_list", players=players, list=pace, pace=marked))


class _Played(NamedTuple):
    """A round: what each player did, by number; in a team event also who sat on each board."""

    rounds: Mapping[int, Round]
    boards: list[tuple[int, int]]


def _pairings(part: _Part, number: int, count: int, event: _Event) -> _Played:
    """A round's games; nobody may be in two of them."""
    rounds: dict[int, Round] = {}
    boards = []
    for _ in range(count):
        start = part.at
        white, black, code = part.row(PAIRING)
        if event.of_teams:
            boards.append((white, black))
        for no, played in _sides(white, black, code, number, event):
            if not 0 < no <= event.numbers["players"] or no in rounds:
                part.at = start
                raise part.damaged
            rounds[no] = played
    missing = event.numbers["players"] - len(rounds)
    if missing and number <= event.numbers["paired"] and not event.of_teams:
        event.note(say("formats.tunx.missing", round=number, players=missing), contradicts=True)
    return _Played(rounds, boards)


def _sides(white: int, black: int, code: int, number: int, event: _Event) -> Iterator[tuple[int, Round]]:
    """The players of a row, each with the round as it was for this player."""
    if black in (BYE, AWAY):
        yield white, _alone(white, black, code, number, event)
        return
    empty = event.of_teams and NOBODY in (white, black)
    if empty and white == black:
        return  # a board that neither team has filled
    kind, score, other = GAMES.get(code, (None, None, None))
    if kind is None or (empty and kind not in (FORFEIT, PENDING)):
        event.note(say("formats.tunx.result", no=white or black, round=number, code=code), lost=True)
        kind = PENDING
    elif kind == SHORT:
        event.note(say("formats.tunx.unrated", no=white, round=number))
    if empty:
        mine = score if black == NOBODY else other
        yield white or black, Round(FORFEIT, score=mine) if kind == FORFEIT else NOT_HERE
        return
    yield white, Round(kind, black, "white", score)
    yield black, Round(kind, white, "black", other)


def _alone(no: int, against: int, code: int, number: int, event: _Event) -> Round:
    """A round without an opponent. The free round of a round robin counts no point, unlike the bye of a Swiss."""
    kind = ALONE.get((against, code))
    if kind is None:
        event.note(say("formats.tunx.bye", no=no, round=number, code=code), lost=True)
        return NOT_HERE
    if against == BYE and event.numbers["kind"] in (ROUND_ROBIN, TEAM_ROUND_ROBIN):
        return NOT_HERE
    if kind == ABSENT and number <= event.numbers["paired"]:
        event.note(say(f"formats.tunx.{'open_bye' if against == BYE else 'unscored'}", no=no, round=number))
    return NOT_HERE if kind == ABSENT else Round(kind)


def _entrant(person: _Person, played: list[_Played], start: date | None, event: _Event) -> Entrant:
    """A player with rounds: those that were paired, and later ones up to the last that the file says anything about.

    K is for the list that the player's data are from or, if that is another one, for the event's pace; its month is not
    in the file, and cannot be later than the event.
    """
    no, player = person.entrant.no, person.entrant.player
    pace = LISTS.get(person.list) or PACES.get(event.numbers["pace"])
    if person.k and pace is not None:
        listed = ListedK(PROGRAM, f"fide-{pace}", start and start.replace(day=1))
        player = replace(player, standing=EloStanding(player.rating, k=person.k, k_from=listed))
    rounds = [found.rounds.get(no, NOT_HERE) for found in played]
    while len(rounds) > event.numbers["paired"] and rounds[-1].kind == ABSENT:
        rounds.pop()
    return replace(person.entrant, player=player, rounds=tuple(rounds))


def _teams(part: _Part, people: list[_Person], event: _Event) -> tuple[Team, ...]:
    """The teams with their players in board order."""
    if event.numbers["kind"] == TEAM_ROUND_ROBIN:
        event.note(say("formats.tunx.team_round_robin"))
    members: dict[int, list[int]] = {no: [] for no in range(1, event.numbers["teams"] + 1)}
    for person in sorted(people, key=lambda person: person.board):
        if person.team:
            if person.team not in members:
                raise part.damaged
            members[person.team].append(person.entrant.no)
    teams = []
    for no, numbers in members.items():
        texts = part.texts(TEAM_TEXTS, TEAM)
        part.skip(TEAM_LENGTH)
        nickname = None if texts["nickname"] in ("", texts["name"]) else texts["nickname"]
        teams.append(Team(no, texts["name"], tuple(numbers), nickname=nickname))
    return tuple(teams)


def _line_ups(
    part: _Part, rounds: list[dict[str, int]], played: list[_Played], teams: tuple[Team, ...], event: _Event
) -> list[Record]:
    """The line-ups that are not in the order of the team; the games of a round are in the order of its matches."""
    found: list[Record] = []
    boards, members = event.numbers["boards"], {team.no: team.members for team in teams}
    for number, (counts, seated) in enumerate(zip(rounds, played, strict=True), start=1):
        complete = counts["games"] == counts["matches"] * boards
        for match in range(counts["matches"]):
            pair = part.row(MATCH)
            if pair[0] in members and pair[1] in (BYE, AWAY):
                event.note(say("formats.tunx.team_bye", team=pair[0], round=number), lost=True)
            elif not members.keys() >= set(pair):
                raise part.damaged
            elif complete:
                games = seated.boards[match * boards : (match + 1) * boards]
                found += _unusual(number, pair, games, members)
    return found


def _unusual(
    number: int, pair: tuple[int, ...], games: list[tuple[int, int]], members: Mapping[int, tuple[int, ...]]
) -> Iterator[Record]:
    """Line-ups of a match with an empty board or in another order; the first team has White on every other board."""
    by_team = [game if board % 2 == 0 else game[::-1] for board, game in enumerate(games)]
    for (team, other), seats in zip((pair, pair[::-1]), zip(*by_team, strict=True), strict=False):
        seated = [no for no in seats if no != NOBODY]
        usual = len(seated) == len(seats) and seated == [no for no in members[team] if no in seated]
        if not usual and set(seated) <= set(members[team]):
            yield Record("300", {"round": number, "team": team, "opponent": other, "numbers": tuple(seats)})


def _day(written: int, event: _Event) -> date | None:
    """A day of the event, written as one number: year, month and day."""
    year, day = divmod(written, 10_000)
    try:
        return date(year, *divmod(day, 100)) if written else None
    except ValueError:
        event.note(say("formats.trf.date", text=str(written)), lost=True)
        return None


def _kind(event: _Event) -> str:
    """The kind of event, in the words of the program's own reports."""
    players, rounds = event.numbers["players"], event.numbers["rounds"]
    once = players - 1 + players % 2  # rounds in which everybody meets everybody
    double = event.numbers["kind"] == ROUND_ROBIN and rounds == 2 * once
    return DOUBLE if double else KINDS[event.numbers["kind"]]


def _pace(event: _Event) -> Pace | None:
    """The time control as it is understood; without that, the organiser's mark is passed on in a note."""
    pace, marked = pace_of(None, event.texts["time_control"]), PACES.get(event.numbers["pace"])
    if pace is None and marked is not None:
        event.note(say("formats.tunx.pace", pace=marked))
    return pace


def _extra_points(people: list[_Person], event: _Event) -> Iterator[Adjustment]:
    """Points that the organiser gave outside the games."""
    for person in people:
        if person.extra:
            no, points = person.entrant.no, Decimal(person.extra) / HALVES
            event.note(say("formats.tunx.extra", no=no, points=points))
            yield Adjustment(points, numbers=(no,))


def _tie_breaks(event: _Event) -> Iterator[Record]:
    """The criteria up to the first that is not understood: those behind it would order players that it has ordered."""
    count = event.numbers["tie_breaks"]
    numbers = struct.unpack_from(f"<{count}H", event.settings, TIE_BREAKS)
    setups = (event.settings[TIE_BREAK_SETUP + SETUP_LENGTH * place :][:SETUP_LENGTH] for place in range(count))
    criteria = [None if event.of_teams else _criterion(*given) for given in zip(numbers, setups, strict=True)]
    understood = [name for name in takewhile(bool, criteria) if name]
    if understood:
        yield Record("202", {"text": ",".join(understood)})
    if others := numbers[len(understood) :]:
        key = "some_ties" if understood else "no_ties"
        event.note(say(f"formats.tunx.{key}", understood=understood, numbers=list(map(str, others))))


def _criterion(number: int, setup: bytes) -> str | None:
    """A tie-break as C.07 names it; None if it is another one, or if its setup is not understood."""
    place, usual = USUAL_SETUP.get(number, (0, 0))
    others = [value for at, value in enumerate(setup) if at not in (place, EDITION)]
    if any(others):
        return None
    if number in CUT:
        highest, lowest = divmod(setup[place], 16)
        cut = f"/{'M' if highest else 'C'}{lowest}" if lowest else ""
        return CUT[number] + cut if highest in (0, lowest) else None
    return WHOLE.get(number) if setup[place] == usual else None


def _national_ratings(people: list[_Person], event: _Event) -> Iterator[Record]:
    """The ratings on the list of the event's own federation, with the IDs there."""
    rated = sum(person.national > 0 for person in people)
    if not rated:
        return
    if event.federation not in FEDERATIONS:
        event.note(say("formats.tunx.national", players=rated), lost=True)
        return
    for person in people:
        entrant = person.entrant
        if person.national or entrant.national_id:
            yield national_record(entrant, event.federation, person.national or None)
