"""Time controls as people write them: `90+30`, `90 min + 30 sek`, `40 zetten in 1.30 uur en vervolgens 30 minuten`.

Every word and every number has its place, or the time control is unclear and the reading says what it may mean. The
text is cut into segments, each with one time and what it is for; the segments are periods and an increment. If the
text can be cut in several ways, all of them must give the same time control.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import islice, pairwise, product
from typing import TYPE_CHECKING

from arpad.core import Pace, Rating, number
from arpad.errors import BadInput
from arpad.messages import Message, say
from arpad.reading.text import plain

if TYPE_CHECKING:
    from arpad.reading.time_words import TimePart, TimeWord

PLAIN = re.compile(r"([0-9]{1,3}) ?[+|] ?([0-9]{1,2})")
PGN_TAG = re.compile(r'\[? *timecontrol *:? *"([^"]*)" *\]?', re.IGNORECASE)
PGN_PERIODS = re.compile(r"(?:[0-9]+/[0-9]+(?:\+[0-9]+)?:)+[0-9]+(?:\+[0-9]+)?")
PGN_PERIOD = re.compile(r"(?:([0-9]+)/)?([0-9]+)(?:\+([0-9]+))?")
SHORTEST_PGN_PERIOD = 600  # seconds; the numbers of `40/90:30` are too small for seconds
LONGEST_SHOWN = 100
LONGEST = 400  # characters; a longer text is not a time control
MOST_TIMES, MOST_PARTS = 8, 60  # in a time control
MOST_CUTS = 200  # ways to cut a text into segments
MOST_READINGS = 4  # shown of an unclear text
SECONDS = 60  # in a minute
LONGEST_TIME = 600  # minutes; a larger number must be seconds, or a mistake
LONGEST_BARE_TIME = 150  # minutes; a larger number without a unit may be seconds, as PGN writes them
USUAL_SECONDS = 120  # and so may this one with a short increment: 120+1
SHORT_INCREMENT = 10
LONGEST_BARE_INCREMENT = 60  # seconds; a larger bare number after a plus may be minutes
LONGEST_INCREMENT = 180
SHORTEST_SUDDEN_DEATH = 5  # minutes; SD/1 may be an hour
FEWEST_MOVES, MOST_MOVES = 10, 60  # in a period
MOST_MOVES_A_MINUTE = 4  # in a period with a number of moves; fewer if nothing says which number is the moves
MOST_BARE_MOVES_A_MINUTE = 2
MOVES_COUNTED = 60  # time controls are compared over this many moves
LOOSENESS = {"comma": 0, "then": 0, "and": 0, "or": 0, "plus": 1, "slash": 2, "with": 2}  # of separators; 2 if there is none
REFUSED = {
    "between": "range", "hour-glass": "hour_glass", "byo-yomi": "byo_yomi", "about": "about", "not": "not",
    "day": "correspondence",
}  # fmt: skip
UNSURE = (None, "between", "about", "not")  # a text with such a word may still be suggested without it


def read_pace(text: str) -> PaceReading:
    """A time control in figures or in words, in many languages; what is not understood is said in the reading."""
    text = " ".join(plain(text).split())
    try:
        return _reading(_plain(text) or _pgn(text) or _words(text))
    except _Unclear as unclear:
        readings = tuple(dict.fromkeys(unclear.controls))
        known = unclear.partly or _Control()
        return PaceReading(
            periods=known.periods,
            increment=known.increment,
            delay=known.delay,
            minutes=known.minutes if unclear.same_minutes else None,
            unclear=True,
            why=unclear.why,
            readings=tuple(control.message for control in readings[:MOST_READINGS]),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PaceReading:
    """A time control as understood; `why` says what is unclear, `readings` what it may mean."""

    periods: tuple[PacePeriod, ...] = ()
    increment: Rating = 0  # seconds a move
    delay: Rating = 0  # seconds a move
    minutes: Rating | None = None  # for 60 moves; None if not understood
    unclear: bool = False
    why: Message | None = None
    readings: tuple[Message, ...] = ()  # of an unclear text

    @property
    def pace(self) -> Pace | None:
        """The minutes of all periods and the seconds per move, including a delay; None if not understood."""
        if self.minutes is None:
            return None
        return Pace(sum(period.minutes for period in self.periods), self.increment + self.delay)


@dataclass(frozen=True, slots=True, kw_only=True)
class PacePeriod:
    """A period of a time control: its minutes and its moves; None means the rest of the game."""

    minutes: Rating
    moves: int | None = None


@dataclass(frozen=True, slots=True)
class _Control:
    """A complete time control."""

    periods: tuple[PacePeriod, ...] = ()
    increment: Rating = 0
    delay: Rating = 0

    @property
    def minutes(self) -> Rating:
        """For 60 moves."""
        return sum(period.minutes for period in self.periods) + self.increment + self.delay

    @property
    def message(self) -> Message:
        """What it says: `90 min for 40 moves, 30 min, 30 s a move`; it can be typed again."""
        said = [
            say("reading.pace.minutes", minutes=period.minutes)
            if period.moves is None
            else say("reading.pace.minutes_for_moves", minutes=period.minutes, moves=period.moves)
            for period in self.periods
        ]
        said += [say("reading.pace.increment", seconds=self.increment)] if self.increment else []
        said += [say("reading.pace.delay", seconds=self.delay)] if self.delay else []
        return say("reading.pace.reading", parts=said)


class _Unclear(Exception):  # never leaves this module
    """A time control that is not understood, or can mean several things: why, and which."""

    def __init__(
        self, why: Message, *controls: _Control, same_minutes: bool = False, partly: _Control | None = None
    ) -> None:
        super().__init__(why)
        self.why = why
        self.controls = controls
        self.same_minutes = same_minutes  # all of them are equally long
        self.partly = partly  # what is certain


def _reading(control: _Control) -> PaceReading:
    return PaceReading(
        periods=control.periods, increment=control.increment, delay=control.delay, minutes=control.minutes
    )


def _plain(text: str) -> _Control | None:
    """`90+30` and `15 | 10`; no vocabulary is loaded for them."""
    figures = PLAIN.fullmatch(text)
    return None if figures is None else _bare(int(figures[1]), int(figures[2]))


def _bare(minutes: Rating, increment: Rating) -> _Control:
    """Two numbers without units, the minutes and the seconds; raises _Unclear if they may be something else."""
    control = _Control((PacePeriod(minutes=minutes),), increment)
    if increment > LONGEST_BARE_INCREMENT:
        raise _Unclear(say("reading.pace.minutes_or_seconds", number=increment), control)
    if minutes <= 0:
        raise _Unclear(say("reading.pace.not_understood"))
    if _may_be_seconds(minutes, increment):
        as_seconds = _Control((PacePeriod(minutes=_minutes(minutes)),), increment)
        controls = [as_seconds] if minutes > LONGEST_TIME else [as_seconds, control]
        raise _Unclear(say("reading.pace.seconds", number=minutes), *controls)
    return control


def _may_be_seconds(minutes: Rating, increment: Rating | None) -> bool:
    """Whether the first of two bare numbers may be seconds, as PGN writes them: `180+2`."""
    short = increment is not None and increment < SHORT_INCREMENT
    return minutes > LONGEST_BARE_TIME or (minutes >= USUAL_SECONDS and short)


def _minutes(seconds: Rating) -> Rating:
    minutes = Decimal(seconds) / SECONDS
    return int(minutes) if minutes == int(minutes) else minutes


def _pgn(text: str) -> _Control | None:
    """`[TimeControl "40/5400+30:1800+30"]`, in seconds; without the tag only if it cannot be minutes."""
    tag = PGN_TAG.fullmatch(text)
    coded = tag[1] if tag else text
    if not tag and not PGN_PERIODS.fullmatch(coded):
        return None
    fields = [PGN_PERIOD.fullmatch(field) for field in coded.split(":")]
    if not tag and any(field and int(field[2]) < SHORTEST_PGN_PERIOD for field in fields):
        return None
    periods = tuple(
        PacePeriod(minutes=_minutes(int(field[2])), moves=int(field[1]) if field[1] else None)
        for field in fields
        if field
    )
    if len(periods) < len(fields) or not all(period.minutes for period in periods):
        raise _Unclear(say("reading.pace.not_understood"))
    increments = {int(field[3] or 0) for field in fields if field}
    control = _Control(periods, max(increments))
    if len(increments) > 1:
        raise _Unclear(say("reading.pace.part_of_the_game", seconds=max(increments)), control)
    return _checked(control)


def _checked(control: _Control) -> _Control:
    """A control whose periods fit together; raises _Unclear if there is no time after the last move counted."""
    *earlier, last = control.periods
    if any(period.moves is None for period in earlier):
        raise _Unclear(say("reading.pace.moves_missing"))
    moves = sum(period.moves or 0 for period in control.periods)
    if last.moves is not None and moves < MOVES_COUNTED:
        raise _Unclear(say("reading.pace.moves_only", moves=moves), partly=control)
    hasty = any((period.moves or 0) > period.minutes * MOST_MOVES_A_MINUTE for period in control.periods)
    if hasty or not all(0 < period.minutes <= LONGEST_TIME for period in control.periods):
        raise _Unclear(say("reading.pace.not_understood"))
    return control


def _words(text: str) -> _Control:
    """A time control in words."""
    from arpad.reading.time_words import NoPlace, parts_of, words_of

    if not text or len(text) > LONGEST:
        raise _Unclear(say("reading.pace.not_understood"))
    tokens = words_of(text)
    try:
        return _one(parts_of(tokens))
    except NoPlace as unknown:
        raise _Unclear(_why_refused(tokens, unknown.text), *_suggestions(tokens), partly=_unequal(tokens)) from None


def _why_refused(tokens: Sequence[TimeWord], unknown: str) -> Message:
    """Why a text with a word that has no place is unclear."""
    if _unequal(tokens) is not None:
        return say("reading.pace.unequal")
    refused = _refused(tokens)
    if refused is None and not any(token.kinds & {"number", "clock"} for token in tokens):
        return say("reading.pace.not_understood")
    return say(f"reading.pace.{REFUSED[refused]}") if refused else say("reading.pace.unknown_word", word=unknown)


def _refused(tokens: Sequence[TimeWord]) -> str | None:
    """The first meaning that no time control has, of a word that has no other meaning."""
    return next((min(token.kinds) for token in tokens if token.kinds and token.kinds <= set(REFUSED)), None)


def _suggestions(tokens: Sequence[TimeWord]) -> list[_Control]:
    """What a text may mean if the words without a place said nothing."""
    from arpad.reading.time_words import NoPlace, parts_of

    left = list(tokens) if _refused(tokens) in UNSURE and _unequal(tokens) is None else []
    while left:
        try:
            return [_one(parts_of(left))]
        except NoPlace as unknown:
            if unknown.text[0].isdecimal() or unknown.text == ":":
                break
            if unknown.text == "-" and left[0].text != "-":
                left = [replace(token, text="+", kinds=frozenset({"plus"})) if token.text == "-" else token for token in left]  # 10-5
            left = [token for token in left if token.text != unknown.text]
        except _Unclear as unclear:
            return list(unclear.controls) if len(unclear.controls) > 1 else []
    return []


def _unequal(tokens: Sequence[TimeWord]) -> _Control | None:
    """The increment of a control in which White and Black have different times."""
    meanings = {meaning for token in tokens for meaning in token.kinds}
    if not {"white", "black"} <= meanings:
        return None
    seconds = [one.value for one, unit in pairwise(tokens) if one.value and "second" in unit.kinds]
    return _Control((), seconds[0] if seconds else 0)


def _one(parts: Sequence[TimePart]) -> _Control:
    """The one time control of a text; raises _Unclear if there is none, or several."""
    if sum(part.kind == "time" for part in parts) > MOST_TIMES or len(parts) > MOST_PARTS:
        raise _Unclear(say("reading.pace.not_understood"))
    found, whys = _cut(parts)
    if len(found) == 1:
        return found[0]
    if found:
        raise _Unclear(say("reading.pace.several"), *found)
    several = _several(parts)
    different = list(dict.fromkeys(several))
    if len(different) == 1:
        return different[0]  # said twice
    if different and len({control.minutes for control in different}) == 1:
        best = next((control for control in different if control.increment or control.delay), different[0])
        raise _Unclear(say("reading.pace.side_by_side"), *different, same_minutes=True, partly=best)
    if different:
        raise _Unclear(say("reading.pace.several"), *different)
    specific = [why for why in whys if why.why.key != "reading.pace.not_understood"]
    raise next((why for why in whys if why.controls or why.partly), (specific or whys)[0])


def _several(parts: Sequence[TimePart]) -> list[_Control]:
    """Several complete time controls one after the other; none if the text does not divide into such."""
    for place, part in enumerate(parts):
        if part.kind != "separator" or part.unit in ("plus", "then") or not place:
            continue
        before, _ = _cut(parts[:place])
        if len(before) != 1:
            continue
        rest = parts[place + 1 :]
        while rest and rest[0].kind == "separator" and rest[0].unit not in ("plus", "then"):
            rest = rest[1:]
        after, _ = _cut(rest)
        after = after if len(after) == 1 else _several(rest)
        if after:
            return [*before, *after]
    return []


def _cut(parts: Sequence[TimePart]) -> tuple[list[_Control], list[_Unclear]]:
    """The different time controls that the ways of cutting a text give, and why the others give none."""
    found: list[_Control] = []
    whys: list[_Unclear] = []
    try:
        parts = _bare_periods(parts)
    except _Unclear as unclear:
        return [], [unclear]
    for segments in islice(_segmentations(parts), MOST_CUTS):
        try:
            control = _combined(segments)
        except _Unclear as unclear:
            whys.append(unclear)
        else:
            found += [control] if control not in found else []
    return found, whys or [_Unclear(say("reading.pace.not_understood"))]


def _bare_periods(parts: Sequence[TimePart]) -> list[TimePart]:
    """Parts with `40/90` and `90/40` told apart: moves and minutes, in the same order throughout the text."""
    from arpad.reading.time_words import TimePart

    other_times = any(part.kind == "time" for part in parts)
    pairs = [(part.number, part.other) for part in parts if part.kind == "moves-and-minutes"]
    american = any(part.unit == "game-in" or part.kind == "delay" for part in parts)
    orders = [
        moves_first
        for moves_first in (True, False)
        if all(
            FEWEST_MOVES <= moves <= MOST_MOVES and moves <= minutes * MOST_BARE_MOVES_A_MINUTE
            for moves, minutes in (pair if moves_first else pair[::-1] for pair in pairs)
        )
    ]
    if pairs and ((len(orders) != 1 and not (american and True in orders)) or not other_times):
        first, second = pairs[0]
        readings = [(first, second) if moves_first else (second, first) for moves_first in orders]
        controls = [_Control((PacePeriod(minutes=minutes, moves=int(moves)),)) for moves, minutes in readings]
        if second <= LONGEST_BARE_INCREMENT:
            controls.append(_Control((PacePeriod(minutes=first),), second))
        why = say("reading.pace.moves_or_minutes", first=first, second=second)
        raise _Unclear(why, *[] if other_times or len(pairs) > 1 else controls)
    bare: list[TimePart] = []
    for part in parts:
        if part.kind == "moves-and-minutes":
            moves, minutes = (part.number, part.other) if orders[0] else (part.other, part.number)
            bare += [TimePart("moves", moves), TimePart("time", minutes * SECONDS, "minute")]
        else:
            bare.append(part)
    return bare


def _segmentations(parts: Sequence[TimePart]) -> Iterator[list[_Segment]]:
    """The ways to cut a text into segments with one time each: at separators, or anywhere if there are none."""
    times = [place for place, part in enumerate(parts) if part.kind == "time"]
    gaps = []
    for before, after in pairwise(times):
        separators = [place for place in range(before + 1, after) if parts[place].kind == "separator"]
        hard = next((place for place in separators if parts[place].unit in ("plus", "then")), after)
        gaps.append([place for place in separators if place <= hard] or list(range(before + 1, after + 1)))
    if times:
        for cuts in product(*gaps):
            edges = [0, *cuts, len(parts)]
            yield [_Segment(parts[start:end]) for start, end in pairwise(edges)]


class _Segment:
    """A time and what it is for."""

    def __init__(self, parts: Sequence[TimePart]) -> None:
        place = next(place for place, part in enumerate(parts) if part.kind == "time")
        self.time = parts[place]
        self.before = {part.unit for part in parts[:place] if part.kind == "separator"}
        self.behind = {part.unit for part in parts[place:] if part.kind == "separator"}
        self.kinds = {part.kind for part in parts} - {"time", "separator"}
        self.ends_with_separator = parts[-1].kind == "separator" and parts[-1].unit != "comma"
        self.counts = [part for part in parts if part.kind in ("moves", "after-move", "from-move")]

    @property
    def looseness(self) -> int:
        """How loosely it is joined to the segment before it."""
        return min((LOOSENESS[separator] for separator in self.before), default=2)

    @property
    def is_marked(self) -> bool:
        """Whether its words say that the time is added for each move."""
        return bool(self.kinds & {"per-move", "increment", "delay", "from-move"})


@dataclass(slots=True)
class _Draft:
    """A time control under construction: periods with how loosely they are joined, and what is added for a move."""

    periods: list[PacePeriod]
    looseness: list[int]
    bonuses: list[_Bonus]


@dataclass(frozen=True, slots=True)
class _Bonus:
    """Seconds for each move."""

    seconds: Rating
    delayed: bool
    throughout: bool
    looseness: int
    behind: int  # that many periods

    @property
    def key(self) -> tuple[Rating, bool]:
        return self.seconds, self.delayed


def _combined(segments: Sequence[_Segment]) -> _Control:
    """The time control that segments give; raises _Unclear if they do not fit together."""
    draft = _Draft([], [], [])
    kinds = set().union(*(segment.kinds for segment in segments))
    loose = segments[0].before & {"plus", "then"} or any(segment.behind & {"plus", "then"} for segment in segments)
    if any("or" in segment.before | segment.behind for segment in segments):
        raise _Unclear(say("reading.pace.alternatives"))
    if loose or segments[-1].ends_with_separator:
        raise _Unclear(say("reading.pace.loose_end"))
    double = len(segments) > 1 and _is_for_both(segments)
    for segment in segments[:-1] if double else segments:
        _add(draft, segment, segments)
    return _finished(draft, kinds)


def _is_for_both(segments: Sequence[_Segment]) -> bool:
    """Whether the last time is that of both players together: 45 minutes for a player, 90 for the game."""
    first, last = segments[0], segments[-1]
    apart = "player" in first.kinds and "game" in last.kinds and "player" not in last.kinds
    return apart and last.time.unit == "minute" and last.time.number == 2 * first.time.number


def _add(draft: _Draft, segment: _Segment, segments: Sequence[_Segment]) -> None:
    """Add a segment to a draft, as a period or as the seconds for each move."""
    time, first = segment.time, not draft.periods
    seconds_only = time.unit == "second"
    added = segment.is_marked or (seconds_only and not first)
    if not time.unit and not added and "plus" in segment.before and not first:
        added = draft.periods[-1].moves is None  # 90+30; but 90/40+30 is a time for the rest
    if added:
        _add_bonus(draft, segment)
        return
    if seconds_only and not (segment.kinds & {"player", "whole", "game"} or any(one.is_marked for one in segments)):
        raise _Unclear(say("reading.pace.seconds_alone"))
    if "throughout" in segment.kinds or (first and "rest" in segment.kinds):
        raise _Unclear(say("reading.pace.not_understood"))
    if "added" in segment.kinds and first:
        raise _Unclear(say("reading.pace.unknown_increment"))
    moves = None
    for count in segment.counts:
        maybe_after = count.unit == "after" and not first and draft.periods[-1].moves is None
        if count.kind == "moves" and moves is None and not maybe_after:
            moves = int(count.number)
        elif (count.kind == "after-move" or maybe_after) and not first:
            _set_moves(draft, int(count.number))
        else:
            raise _Unclear(say("reading.pace.several"))
    odd = segment.kinds & {"rest", "finish"} or seconds_only
    if moves is not None and (odd or not FEWEST_MOVES <= moves <= MOST_MOVES):
        raise _Unclear(say("reading.pace.not_understood"))
    draft.periods.append(PacePeriod(minutes=_period_minutes(segment, segments, draft), moves=moves))
    draft.looseness.append(segment.looseness)


def _add_bonus(draft: _Draft, segment: _Segment) -> None:
    """Add the seconds for each move."""
    late = next((count.number for count in segment.counts if count.kind in ("from-move", "after-move")), None)
    if late is not None:
        raise _Unclear(say("reading.pace.late_increment", move=late))
    longest = LONGEST_INCREMENT if segment.time.unit else LONGEST_BARE_INCREMENT
    seconds = segment.time.number
    if segment.time.unit == "game-in" or segment.kinds & {"rest", "finish"} or segment.counts:
        raise _Unclear(say("reading.pace.not_understood"))
    if seconds > longest:
        why = "unknown_increment" if segment.time.unit else "minutes_or_seconds"
        raise _Unclear(say(f"reading.pace.{why}", number=seconds))
    delayed = bool(segment.kinds & {"delay", "bronstein"})
    throughout = bool(segment.kinds & {"throughout", "whole"})
    draft.bonuses.append(_Bonus(seconds, delayed, throughout, segment.looseness, len(draft.periods)))


def _set_moves(draft: _Draft, moves: int) -> None:
    """The moves before a period that begins after them."""
    *earlier, last = draft.periods
    done = sum(period.moves or 0 for period in earlier)
    if last.moves not in (None, moves - done) or moves <= done:
        raise _Unclear(say("reading.pace.several"))
    draft.periods[-1] = PacePeriod(minutes=last.minutes, moves=moves - done)


def _period_minutes(segment: _Segment, segments: Sequence[_Segment], draft: _Draft) -> Rating:
    """The minutes of a period; a number without a unit is minutes if the text leaves no doubt."""
    time = segment.time
    if time.unit == "game-in":
        if draft.periods and time.number < SHORTEST_SUDDEN_DEATH:
            raise _Unclear(say("reading.pace.bare", number=time.number))
        return time.number
    if time.unit:
        return _minutes(time.number)
    if draft.periods:  # 40/120, 60
        return time.number
    following = segments[segments.index(segment) + 1 :]
    alone = _Control((PacePeriod(minutes=time.number),)) if 0 < time.number <= LONGEST_TIME else None
    if not any(one.is_marked or ("plus" in one.before and one.time.unit in ("", "second")) for one in following):
        raise _Unclear(say("reading.pace.bare", number=time.number), *[alone] if alone else [])
    if segment.time.number != int(segment.time.number) and segment.time.number > SHORTEST_SUDDEN_DEATH:
        raise _Unclear(say("reading.pace.bare", number=time.number))
    seconds = following[0].time.number if not following[0].time.unit else SHORT_INCREMENT
    return _bare(time.number, min(seconds, LONGEST_BARE_INCREMENT)).periods[0].minutes


def _finished(draft: _Draft, kinds: set[str]) -> _Control:
    """The time control of a draft."""
    if not draft.periods:
        raise _Unclear(say("reading.pace.no_time"))
    bonuses = draft.bonuses
    if len({bonus.key for bonus in bonuses}) > 1 or len(bonuses) > len(draft.periods):
        raise _Unclear(say("reading.pace.increments"))
    seconds = bonuses[0].seconds if bonuses else 0
    delayed = bool(bonuses) and (bonuses[0].delayed or "bronstein" in kinds)
    control = _Control(tuple(draft.periods), *((0, seconds) if delayed else (seconds, 0)))
    if kinds & {"fischer", "increment"} and kinds & {"bronstein", "delay"}:
        raise _Unclear(say("reading.pace.increment_or_delay"))
    if kinds & {"fischer", "bronstein"} and not bonuses:
        raise _Unclear(say("reading.pace.unknown_increment"))
    if "no-increment" in kinds and seconds:
        without = _Control(control.periods)
        raise _Unclear(say("reading.pace.contradiction"), control, without)
    if len(bonuses) != len(draft.periods) and not all(_is_for_the_game(bonus, draft) for bonus in bonuses):
        raise _Unclear(say("reading.pace.part_of_the_game", seconds=seconds), _checked(control))
    return _checked(control)


def _is_for_the_game(bonus: _Bonus, draft: _Draft) -> bool:
    """Whether the seconds are for all periods: the text says so, or joins them no more tightly than the periods."""
    if bonus.throughout or len(draft.periods) == 1 or not bonus.behind:
        return True
    neighbour = bonus.behind if bonus.behind < len(draft.periods) else bonus.behind - 1
    return bonus.looseness <= draft.looseness[neighbour]


def parse_pace(text: str, *, at: str | None = None) -> Pace:
    """`90+30`: minutes for the game plus seconds per move; `60` has no increment.

    Words work too, and US Chess's `G/60;d5`, where a delay counts like an increment.
    Raises BadInput, with the reason, for a time control that is not understood.
    """
    figures = pace_in_figures(text)
    if figures is not None and not _may_be_seconds(figures.minutes, figures.increment if "+" in text else None):
        return figures
    reading = read_pace(text)
    if reading.pace is not None:
        return reading.pace
    shown = text[:LONGEST_SHOWN]
    if reading.readings:
        raise BadInput(say("reading.unclear_pace", text=shown, why=reading.why, readings=reading.readings), at=at)
    raise BadInput(say("reading.not_a_pace", text=shown, why=reading.why), at=at)


def pace_in_figures(text: str) -> Pace | None:
    """Arpad's own notation: `90+30`, `0.5+1`, and `60` without an increment; None if the text is anything else."""
    minutes, _, increment = text.strip().replace("|", "+").partition("+")
    try:
        pace = Pace(*(number(part.strip() or "0") for part in (minutes, increment)))
    except BadInput:
        return None
    return pace if 0 <= pace.minutes <= LONGEST_TIME and pace.increment >= 0 and pace.total else None
