"""A whole tournament report: TRF06, TRF16, TRF(x) with the codes of JaVaFo, bbpPairings and Tornelo, and TRF26."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

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
from arpad.formats.trf.event import (
    CODED_TIME,
    CODED_TYPE,
    FIELDS,
    SCORING,
    EventLines,
    Scoring,
    counts_of,
    day_order,
    pace_of,
)
from arpad.formats.trf.fields import ReportLine
from arpad.formats.trf.player import entrant_of
from arpad.messages import say

PLAYER, TEAM, OLD_TEAM, ADJUSTMENT = "001", "310", "013", "299"
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
EVERY = 500  # lines between two calls of a progress hook


def is_trf(head: list[str]) -> bool:
    """Whether the first lines look like a tournament report: most of them begin with a code."""
    coded = [line[CODE] in KNOWN and line[3:4] in ("", " ") for line in head if line.strip()]
    return sum(coded) * 2 > len(coded) or any(line[:4] == "001 " for line in head)


def read_trf(data: bytes, path: str, progress: Callable[[int, int], object] | None = None) -> Tournament:
    """The tournament in a report, with its oddities; a BadFile if no player can be read."""
    lines = lines_of(data, path)
    report, order = _Report(path), day_order(lines)
    for number, text in enumerate(lines, start=1):
        report.read(ReportLine(text, number, path, order, report.odd))
        check_oddities(report.odd, path, number)
        if progress is not None and number % EVERY == 0:
            progress(number, len(lines))
    if progress is not None:
        progress(len(lines), len(lines))
    return report.tournament(data)


class _Report:
    """A report being read, line by line."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.odd: list[Oddity] = []
        self.entrants: dict[int, Entrant] = {}
        self.teams: list[Team] = []
        self.old_teams: list[Team] = []
        self.adjustments: list[Adjustment] = []
        self.records: list[Record] = []
        self.event = EventLines()
        self.scoring = Scoring()
        self.codes: set[str] = set()
        self.unread: Oddity | None = None  # the first player's line that could not be read

    def read(self, line: ReportLine) -> None:
        """Read a line of any kind."""
        code, text = line.code, line.text
        coded = code in KNOWN and text[3:4] in ("", " ", "\t")
        if coded and code == PLAYER:
            self._player(line)
        elif code in IGNORED or not text.strip():
            return
        elif code == COMMENT:
            self._comment(text[3:].strip(), line.number)
        elif coded:
            self.codes.add(code)
            self._known(code, line)
        elif NATIONAL_CODE.match(text):
            fields = line.fields(columns.NATIONAL_FIELDS)
            born = fields["born"] and line.settled(fields["born"]).day
            self.records.append(Record(NATIONAL, fields | {"born": born}, line.number))
        elif FIELD_RULER.match(text) or (COUNTED in text and not text.strip("0123456789 ")):
            line.note(say("formats.trf.ruler"), 1)
        else:
            line.note(say("formats.trf.no_code"), 1, lost=True)

    def _comment(self, text: str, number: int) -> None:
        """A comment for people; a ruler above the columns of a record says nothing and is left out."""
        words = (word for word in LETTERS.findall(text) if len(word) >= SHORTEST_WORD)
        if any(len(set(word.lower())) >= WORD_LETTERS for word in words):
            self.records.append(Record(COMMENT, {"text": one_line(text)[:LONGEST_COMMENT]}, number))

    def _player(self, line: ReportLine) -> None:
        before = len(self.odd)
        entrant = entrant_of(line)
        if entrant is None:
            self.unread = self.unread or self.odd[before]
        elif entrant.no in self.entrants:
            first = self.entrants[entrant.no].line
            line.note(say("formats.trf.duplicate_number", no=entrant.no, line=first), lost=True)
        else:
            self.entrants[entrant.no] = entrant

    def _known(self, code: str, line: ReportLine) -> None:
        if code in FIELDS:
            self.event.read(line)
        elif code in SCORING:
            self.scoring.read(line)
        elif code == TEAM:
            self._team(line.fields(columns.TEAM), self.teams, line)
        elif code == OLD_TEAM:
            self._team({"no": len(self.old_teams) + 1, **line.fields(columns.OLD_TEAM)}, self.old_teams, line)
        elif code == ADJUSTMENT:
            self._adjustment(line)
        else:
            self._record(code, line)

    def _record(self, code: str, line: ReportLine) -> None:
        """A record kept as it is; two codes had other meanings in the drafts of TRF26."""
        meant = FORFEIT if code == DRAFT_FORFEIT else code
        if code == FORFEIT and line.text[4:5] in BYE_KINDS:
            meant = BYES
        if meant != code:
            line.note(say("formats.trf.draft", draft=code, code=meant), 1)
        self.records.append(Record(meant, line.fields(RECORDS[meant]), line.number))

    def _team(self, fields: dict[str, Any], teams: list[Team], line: ReportLine) -> None:
        if fields["no"]:
            teams.append(Team(**fields | {"nickname": fields.get("nickname") or None}))
        else:
            line.note(say("formats.trf.team"), lost=True)

    def _adjustment(self, line: ReportLine) -> None:
        """Abnormal points of players; those of teams, which come as match points, are kept as a record."""
        if _is_compact(line.text):
            line.note(say("formats.trf.compact"), 1)
            line.text = _spread(line.text)
        fields = line.fields(columns.ADJUSTMENT)
        kind = fields["kind"].upper()
        if fields["points"] is None or (kind and kind not in ADJUSTED):
            self.records.append(Record(ADJUSTMENT, fields, line.number))
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
        have = counts_of(self.entrants.values(), self.teams or self.old_teams)
        for code, (claimed, line) in self.event.counts.items():
            if claimed != have[code] and (code != "072" or claimed):
                line.note(say(f"formats.trf.counts.{code}", claimed=claimed, has=have[code]))

    def _compare_rounds(self) -> None:
        """Compare the rounds that the file announces with those in which somebody has a pairing or a result."""
        announced, last = self.event.rounds, 0
        for entrant in self.entrants.values():
            last = max([last, *(number for number, played in enumerate(entrant.rounds, 1) if played.kind != ABSENT)])
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
