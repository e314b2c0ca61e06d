"""A whole tournament report: TRF06, TRF16, TRF(x) with the codes of JaVaFo, bbpPairings and Tornelo, and TRF26."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import date

from arpad.core.tournaments import (
    ABSENT,
    COMMENT,
    FULL_BYE,
    HALF_BYE,
    NATIONAL,
    ZERO_BYE,
    Adjustment,
    Entrant,
    Oddity,
    Record,
    Source,
    Team,
    Tournament,
)
from arpad.errors import BadFile
from arpad.formats.text import check_oddities, lines_of, one_line, place
from arpad.formats.trf import columns
from arpad.formats.trf.columns import CODE, IGNORED, RECORDS, TEXT_FROM
from arpad.formats.trf.event import BBP, CODED_TIME, CODED_TYPE, DAYS, FIELDS, ROUND_DAYS, EventLines, Scoring, pace_of
from arpad.formats.trf.fields import fields_of
from arpad.formats.trf.player import MOST_ROUNDS, entrant_of
from arpad.messages import say
from arpad.reading.days import DayOrder, order_of_days, read_day

PLAYER, TEAM, OLD_TEAM, ADJUSTMENT = "001", "310", "013", "299"
SCORING = {"162", "362", "XXS", *BBP}
DRAFT_FORFEIT, FORFEIT, BYES = "340", "330", "240"
BYE_KINDS = ("F", "H", "Z")

# The results that 299 can give other points to; a blank is a bonus or penalty.
ADJUSTED = {
    "W": ("white-win", "black-win"), "D": ("white-draw", "black-draw"), "L": ("white-loss", "black-loss"),
    "F": (FULL_BYE,), "H": (HALF_BYE,), "Z": (ZERO_BYE,), "+": ("forfeit-win",), "-": ("forfeit-loss",),
}  # fmt: skip
FIELD_RULER = re.compile(r"(?:DDD)?\s*S{2,4} s?T{2,4} N{5,}")
COUNTED = "23456789"
# A comment has a word: four letters, three of them different. A ruler has none: `SSSS sTTT NNNNN`, `T RRR TOI1`.
LETTERS = re.compile(r"[^\W\d_]+")
SHORTEST_WORD, WORD_LETTERS, LONGEST_COMMENT = 4, 3, 500
NATIONAL_CODE = re.compile(r"[A-Z]{3} [ \d]{3}\d ")
KNOWN = {PLAYER, TEAM, OLD_TEAM, ADJUSTMENT, *SCORING, DRAFT_FORFEIT, *RECORDS, *FIELDS, *IGNORED}
BORN = next(column for column in columns.PLAYER if column.name == "born")
EVERY = 500  # lines between two calls of a progress hook


def is_trf(head: list[str]) -> bool:
    """Whether the first lines look like a tournament report: most of them begin with a code."""
    coded = [line[CODE] in KNOWN and line[3:4] in ("", " ") for line in head if line.strip()]
    return sum(coded) * 2 > len(coded) or any(line[:4] == "001 " for line in head)


def read_trf(data: bytes, path: str, progress: Callable[[int, int], object] | None = None) -> Tournament:
    """The tournament in a report, with its oddities; a BadFile if no player can be read."""
    lines = lines_of(data, path)
    reading = _Report(path, _day_order(lines))
    for number, line in enumerate(lines, start=1):
        reading.line(line, number)
        check_oddities(reading.odd, path, number)
        if progress is not None and number % EVERY == 0:
            progress(number, len(lines))
    if progress is not None:
        progress(len(lines), len(lines))
    return reading.tournament(data)


def _day_order(lines: Iterable[str]) -> DayOrder | None:
    """The order in which the file writes year, month and day; None if nothing in it settles that.

    The dates of the rounds are YY/MM/DD by the format: if the event begins or ends on one of them, in one order alone,
    the order is that.
    """
    births: list[str] = []
    event: list[str] = []
    rounds: dict[date, str] = {}
    for line in lines:
        code = line[CODE]
        if code == PLAYER:
            births.append(BORN.cut(line))
        elif code in DAYS:
            event.append(line[TEXT_FROM - 1 :].strip())
        elif code == ROUND_DAYS:
            for text in line[TEXT_FROM - 1 :].split():
                with suppress(ValueError):
                    rounds.setdefault(read_day(text).by("ymd").day or date.min, text)
    found = order_of_days([*births, *event])
    if found is not None or not rounds:
        return found
    meeting: dict[str, str] = {}
    for text in event:
        with suppress(ValueError):
            meeting |= {order: rounds[day] for order, day in read_day(text).meant.items() if day in rounds}
    return DayOrder(*meeting.popitem()) if len(meeting) == 1 else None


class _Report:
    """A report being read, line by line."""

    def __init__(self, path: str, order: DayOrder | None) -> None:
        self.path = path
        self.order = order
        self.odd: list[Oddity] = []
        self.entrants: dict[int, Entrant] = {}
        self.teams: list[Team] = []
        self.old_teams: list[Team] = []
        self.adjustments: list[Adjustment] = []
        self.records: list[Record] = []
        self.event = EventLines(self.odd, MOST_ROUNDS, order)
        self.scoring = Scoring(self.odd)
        self.codes: set[str] = set()
        self.unread: Oddity | None = None  # the first player's line that could not be read

    def line(self, line: str, number: int) -> None:
        """Read a line of any kind."""
        code = line[CODE]
        if code == PLAYER and line[3:4] in ("", " ", "\t"):
            self._player(line, number)
        elif not line.strip() or code in IGNORED:
            return
        elif code == COMMENT:
            self._comment(line[3:].strip(), number)
        elif code in KNOWN and line[3:4] in ("", " ", "\t"):
            self.codes.add(code)
            self._known(code, line, number)
        elif NATIONAL_CODE.match(line):
            fields = fields_of(columns.NATIONAL_FIELDS, line, number, self.odd)
            born = fields["born"] and fields["born"].by(self.order and self.order.order).day
            self.records.append(Record(NATIONAL, fields | {"born": born}, number))
        elif FIELD_RULER.match(line) or (COUNTED in line and not line.strip("0123456789 ")):
            self.odd.append(Oddity(say("formats.trf.ruler"), number, 1))
        else:
            self.odd.append(Oddity(say("formats.trf.no_code"), number, 1, True))

    def _comment(self, text: str, number: int) -> None:
        """A comment for people; a ruler above the columns of a record says nothing and is left out."""
        words = (word for word in LETTERS.findall(text) if len(word) >= SHORTEST_WORD)
        if any(len(set(word.lower())) >= WORD_LETTERS for word in words):
            self.records.append(Record(COMMENT, {"text": one_line(text)[:LONGEST_COMMENT]}, number))

    def _player(self, line: str, number: int) -> None:
        before = len(self.odd)
        entrant = entrant_of(line, number, self.odd, self.path, self.order)
        if entrant is None:
            self.unread = self.unread or self.odd[before]
        elif entrant.no in self.entrants:
            first = self.entrants[entrant.no].line
            said = say("formats.trf.duplicate_number", no=entrant.no, line=first)
            self.odd.append(Oddity(said, number, 5, True))
        else:
            self.entrants[entrant.no] = entrant

    def _known(self, code: str, line: str, number: int) -> None:
        if code in FIELDS:
            self.event.line(code, line, number)
        elif code in SCORING:
            self.scoring.line(code, line[TEXT_FROM - 1 :], number)
        elif code in (TEAM, OLD_TEAM):
            self._team(code, line, number)
        elif code == ADJUSTMENT:
            self._adjustment(line, number)
        else:
            self._record(code, line, number)

    def _record(self, code: str, line: str, number: int) -> None:
        """A record kept as it is; two codes had other meanings in the drafts of TRF26."""
        if code == DRAFT_FORFEIT or (code == FORFEIT and line[4:5] in BYE_KINDS):
            code, draft = (FORFEIT, code) if code == DRAFT_FORFEIT else (BYES, code)
            self.odd.append(Oddity(say("formats.trf.draft", draft=draft, code=code), number, 1))
        self.records.append(Record(code, fields_of(RECORDS[code], line, number, self.odd), number))

    def _team(self, code: str, line: str, number: int) -> None:
        new = code == TEAM
        fields = fields_of(columns.TEAM if new else columns.OLD_TEAM, line, number, self.odd)
        teams = self.teams if new else self.old_teams
        fields.setdefault("no", len(teams) + 1)
        if not fields["no"]:
            self.odd.append(Oddity(say("formats.trf.team"), number, 5, True))
            return
        teams.append(Team(**fields | {"nickname": fields.get("nickname") or None}))

    def _adjustment(self, line: str, number: int) -> None:
        """Abnormal points of players; those of teams, which come as match points, are kept as a record."""
        if _is_compact(line):
            self.odd.append(Oddity(say("formats.trf.compact"), number, 1))
            line = _spread(line)
        fields = fields_of(columns.ADJUSTMENT, line, number, self.odd)
        kind = fields["kind"].upper()
        if fields["points"] is None or (kind and kind not in ADJUSTED):
            self.records.append(Record(ADJUSTMENT, fields, number))
            return
        for pays in ADJUSTED.get(kind, (None,)):
            self.adjustments.append(Adjustment(fields["points"], pays, fields["round"] or None, fields["numbers"]))

    def tournament(self, data: bytes) -> Tournament:
        """The tournament that was read."""
        if not self.entrants:
            first = self.unread
            if first is None:
                raise BadFile(say("formats.trf.no_player"), at=self.path)
            said = say("formats.trf.no_player_because", says=first.says)
            raise BadFile(said, at=place(self.path, first.line, first.column))
        self._compare_counts()
        self._compare_rounds()
        event = self.event
        if (coded_type := self._text(CODED_TYPE)) is not None:
            event.facts.setdefault("kind", coded_type)
        new = self.codes & columns.ONLY_TRF26 or any(record.code == NATIONAL for record in self.records)
        return Tournament(
            tuple(sorted(self.entrants.values(), key=lambda entrant: entrant.no)),
            **event.facts,
            pace=pace_of(self._text(CODED_TIME), event.facts.get("time_control")),
            deputies=tuple(event.deputies),
            rounds=max(event.rounds, *(len(entrant.rounds) for entrant in self.entrants.values())),
            round_days=event.days,
            scoring=self.scoring.paid,
            teams=tuple(self.teams or self.old_teams),
            oddities=tuple(sorted(self.odd, key=lambda oddity: (oddity.line or 0, oddity.column or 0))),
            match_scoring=self.scoring.match_points,
            adjustments=tuple(self.adjustments),
            records=tuple(self.records),
            source=Source("trf26" if new else "trf16", data),
        )

    def _text(self, code: str) -> str | None:
        """The text of a record, if the file has it."""
        return next((record.text() or None for record in self.records if record.code == code), None)

    def _compare_counts(self) -> None:
        """Compare the numbers of players and teams that the file claims with what it has."""
        have = {
            "062": len(self.entrants),
            "072": sum(entrant.player.rating is not None for entrant in self.entrants.values()),
            "082": len(self.teams or self.old_teams),
        }
        for code, (claimed, number) in self.event.counts.items():
            if claimed != have[code] and (code != "072" or claimed):
                said = say(f"formats.trf.counts.{code}", claimed=claimed, has=have[code])
                self.odd.append(Oddity(said, number, TEXT_FROM))

    def _compare_rounds(self) -> None:
        """Compare the rounds that the file announces with those in which somebody has a pairing or a result."""
        announced = self.event.rounds
        last = max(
            (
                number
                for entrant in self.entrants.values()
                for number, played in enumerate(entrant.rounds, start=1)
                if played.kind != ABSENT
            ),
            default=0,
        )
        if announced and last > announced:
            said = say("formats.trf.beyond", rounds=announced, last=last)
            self.odd.append(Oddity(said, self.event.rounds_line, TEXT_FROM, contradicts=True))


def _is_compact(line: str) -> bool:
    """Whether a 299 has the columns of Sharly Chess: its values end in 10 and 15, where the table has 11 and 17."""
    blank = not line[10:11].strip() and not line[15:16].strip()
    return blank and (line[9:10].isdigit() or line[14:15].isdigit())


def _spread(line: str) -> str:
    """A compact 299 rewritten in the columns of the table."""
    kind, match_points, points, in_round, numbers = line[:5], line[6:10], line[11:15], line[16:19], line[20:]
    return f"{kind:5}  {match_points:>4}  {points:>4}  {in_round:>3} {numbers}"
