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
from itertools import dropwhile, islice, pairwise, product
from typing import TYPE_CHECKING

from arpad.core import Pace, Rating, number
from arpad.errors import BadInput
from arpad.messages import Message, say
from arpad.reading.text import plain

if TYPE_CHECKING:
    from arpad.reading.time_words import TimePart, TimeWord

PLAIN = re.compile(r"([0-9]{1,3}) ?[+|] ?([0-9]{1,2})")
PGN_TAG = re.compile(r'\[? *timecontrol *:? *"([^"]*)" *\]?', re.IGNORECASE)
PGN_PERIOD = re.compile(r"(?:([0-9]+)/)?([0-9]+)(?:\+([0-9]+))?")
LONG = r"0*(?:[6-9][0-9]{2}|[1-9][0-9]{3,})(?:\+[0-9]+)?"  # 600 seconds or more; `40/90:30` is not in seconds
PGN_WITHOUT_TAG = re.compile(rf"(?:[0-9]+/{LONG}:)+{LONG}")
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
LOOSENESS = {"comma": 0, "then": 0, "and": 0, "or": 0, "plus": 1, "slash": 2, "with": 2}  # of separators
TIGHT = 2  # without a separator
EXCLUDED = {"byo_yomi", "correspondence", "hour_glass"}  # words of time controls that FIDE does not have
REFUSED = EXCLUDED | {"about", "not", "range"}  # a text with one of these may still be suggested without it


def read_pace(text: str) -> PaceReading:
    """A time control in figures or in words, in many languages; what is not understood is said in the reading."""
    text = " ".join(plain(text).split())
    figures = PLAIN.fullmatch(text)  # no vocabulary is loaded for them
    try:
        return _bare(int(figures[1]), int(figures[2])) if figures else _pgn(text) or _words(text)
    except _Unclear as unclear:
        readings = tuple(_message(control) for control in unclear.controls[:MOST_READINGS])
        return replace(unclear.partly, unclear=True, why=unclear.why, readings=readings)


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


def _control(*periods: PacePeriod, increment: Rating = 0, delay: Rating = 0) -> PaceReading:
    """A complete time control."""
    minutes = sum(period.minutes for period in periods) + increment + delay
    return PaceReading(periods=periods, increment=increment, delay=delay, minutes=minutes)


def _message(control: PaceReading) -> Message:
    """What a time control says: `90 min for 40 moves, 30 min, 30 s a move`; it can be typed again."""
    said = [
        say("reading.pace.minutes", minutes=period.minutes)
        if period.moves is None
        else say("reading.pace.minutes_for_moves", minutes=period.minutes, moves=period.moves)
        for period in control.periods
    ]
    said += [say("reading.pace.increment", seconds=control.increment)] if control.increment else []
    said += [say("reading.pace.delay", seconds=control.delay)] if control.delay else []
    return say("reading.pace.reading", parts=said)


class _Unclear(Exception):  # never leaves this module
    """A time control that is not understood, or can mean several things: why, and which."""

    def __init__(
        self, why: str, *controls: PaceReading, partly: PaceReading | None = None, **values: Rating | str
    ) -> None:
        super().__init__(why)
        self.why = say(f"reading.pace.{why}", **values)
        self.controls = tuple(dict.fromkeys(controls))
        self.partly = partly or PaceReading()  # what is certain


def _bare(minutes: Rating, increment: Rating) -> PaceReading:
    """Two numbers without units, the minutes and the seconds; raises _Unclear if they may be something else."""
    control = _control(PacePeriod(minutes=minutes), increment=increment)
    if increment > LONGEST_BARE_INCREMENT:
        raise _Unclear("minutes_or_seconds", control, number=increment)
    if minutes <= 0:
        raise _Unclear("not_understood")
    if _may_be_seconds(minutes, increment):
        as_seconds = _control(PacePeriod(minutes=_minutes(minutes)), increment=increment)
        raise _Unclear("seconds", as_seconds, *[control] if minutes <= LONGEST_TIME else [], number=minutes)
    return control


def _may_be_seconds(minutes: Rating, increment: Rating | None) -> bool:
    """Whether the first of two bare numbers may be seconds, as PGN writes them: `180+2`."""
    short = increment is not None and increment < SHORT_INCREMENT
    return minutes > LONGEST_BARE_TIME or (minutes >= USUAL_SECONDS and short)


def _minutes(seconds: Rating) -> Rating:
    minutes = Decimal(seconds) / SECONDS
    return int(minutes) if minutes == int(minutes) else minutes


def _pgn(text: str) -> PaceReading | None:
    """`[TimeControl "40/5400+30:1800+30"]`, in seconds; without the tag only if it cannot be minutes."""
    tag = PGN_TAG.fullmatch(text)
    if not tag and not PGN_WITHOUT_TAG.fullmatch(text):
        return None
    coded = (tag[1] if tag else text).split(":")
    fields = [found.groups() for field in coded if (found := PGN_PERIOD.fullmatch(field))]
    periods = [
        PacePeriod(minutes=_minutes(int(seconds)), moves=int(moves) if moves else None) for moves, seconds, _ in fields
    ]
    if len(fields) < len(coded) or not all(period.minutes for period in periods):
        raise _Unclear("not_understood")
    increments = {int(increment or 0) for _, _, increment in fields}
    control = _control(*periods, increment=max(increments))
    if len(increments) > 1:
        raise _Unclear("part_of_the_game", control, seconds=max(increments))
    return _checked(control)


def _checked(control: PaceReading) -> PaceReading:
    """A control whose periods fit together; raises _Unclear if there is no time after the last move counted."""
    *earlier, last = control.periods
    if any(period.moves is None for period in earlier):
        raise _Unclear("moves_missing")
    moves = sum(period.moves or 0 for period in control.periods)
    if last.moves is not None and moves < MOVES_COUNTED:
        raise _Unclear("moves_only", partly=replace(control, minutes=None), moves=moves)
    hasty = any((period.moves or 0) > period.minutes * MOST_MOVES_A_MINUTE for period in control.periods)
    if hasty or not all(0 < period.minutes <= LONGEST_TIME for period in control.periods):
        raise _Unclear("not_understood")
    return control


def _words(text: str) -> PaceReading:
    """A time control in words."""
    from arpad.reading.time_words import NoPlace, parts_of, words_of

    if not text or len(text) > LONGEST:
        raise _Unclear("not_understood")
    words = words_of(text)
    try:
        return _one(parts_of(words))
    except NoPlace as unknown:
        raise _without_place(words, str(unknown)) from None


def _without_place(words: Sequence[TimeWord], unknown: str) -> _Unclear:
    """Why a text with a word that has no place is unclear, and what it may mean without that word."""
    kinds = {kind for word in words for kind in word.kinds}
    if {"white", "black"} <= kinds:
        seconds = [one.value for one, unit in pairwise(words) if one.value and "second" in unit.kinds]
        return _Unclear("unequal", partly=PaceReading(increment=seconds[0] if seconds else 0))
    refused = next((min(word.kinds) for word in words if word.kinds and word.kinds <= REFUSED), None)
    suggestions = [] if refused in EXCLUDED else _suggestions(words)
    if refused or not kinds & {"figure", "spelt", "clock"}:
        return _Unclear(refused or "not_understood", *suggestions)
    return _Unclear("unknown_word", *suggestions, word=unknown)


def _suggestions(words: Sequence[TimeWord]) -> Sequence[PaceReading]:
    """What a text may mean if the words without a place said nothing."""
    from arpad.reading.time_words import NoPlace, parts_of

    while words:
        try:
            return [_one(parts_of(words))]
        except NoPlace as no_place:
            unknown = str(no_place)
            if unknown[0].isdecimal() or unknown == ":":
                break
            if unknown == "-" and words[0].text != "-":  # 10-5
                words = [replace(word, kinds=frozenset({"plus"})) if word.text == "-" else word for word in words]
            else:
                words = [word for word in words if word.text != unknown]
        except _Unclear as unclear:
            return unclear.controls if len(unclear.controls) > 1 else []
    return []


def _one(parts: Sequence[TimePart]) -> PaceReading:
    """The one time control of a text; raises _Unclear if there is none, or several."""
    if sum(part.kind == "time" for part in parts) > MOST_TIMES or len(parts) > MOST_PARTS:
        raise _Unclear("not_understood")
    found, whys = _cut(parts)
    controls = found or list(dict.fromkeys(_several(parts)))
    if len(controls) == 1:
        return controls[0]  # or said twice
    if not found and len({control.minutes for control in controls}) == 1:
        best = next((control for control in controls if control.increment or control.delay), controls[0])
        raise _Unclear("side_by_side", *controls, partly=best)
    if controls:
        raise _Unclear("several", *controls)
    specific = [why for why in whys if why.why.key != "reading.pace.not_understood"]
    raise next((why for why in whys if why.controls or why.partly.periods), (specific or whys)[0])


def _several(parts: Sequence[TimePart]) -> list[PaceReading]:
    """Several complete time controls one after the other; none if the text does not divide into such."""
    for place, part in enumerate(parts):
        before = _cut(parts[:place])[0] if place and part.is_soft else []
        if len(before) == 1:
            rest = list(dropwhile(lambda part: part.is_soft, parts[place:]))
            after = _cut(rest)[0]
            after = after if len(after) == 1 else _several(rest)
            if after:
                return [*before, *after]
    return []


def _cut(parts: Sequence[TimePart]) -> tuple[list[PaceReading], list[_Unclear]]:
    """The different time controls that the ways of cutting a text give, and why the others give none."""
    found: list[PaceReading] = []
    whys: list[_Unclear] = []
    try:
        ways = [*islice(_segmentations(_told_apart(parts)), MOST_CUTS)]
    except _Unclear as unclear:
        return [], [unclear]
    for segments in ways:
        try:
            control = _Draft(segments).control()
        except _Unclear as unclear:
            whys.append(unclear)
        else:
            found += [control] if control not in found else []
    return found, whys


def _told_apart(parts: Sequence[TimePart]) -> list[TimePart]:
    """Parts with `40/90` and `90/40` told apart: moves and minutes, in the same order throughout the text."""
    from arpad.reading.time_words import TimePart

    pairs = [(part.number, part.other) for part in parts if part.kind == "moves-and-minutes"]
    orders = [
        order
        for order in (1, -1)
        if all(
            FEWEST_MOVES <= moves <= MOST_MOVES and moves <= minutes * MOST_BARE_MOVES_A_MINUTE
            for moves, minutes in (pair[::order] for pair in pairs)
        )
    ]
    is_american = any(part.unit == "game-in" or part.kind == "delay" for part in parts)
    has_times = any(part.kind == "time" for part in parts)
    if pairs and not (has_times and (len(orders) == 1 or (is_american and 1 in orders))):
        first, second = pairs[0]
        readings = [pairs[0][::order] for order in orders]
        controls = [_control(PacePeriod(minutes=minutes, moves=int(moves))) for moves, minutes in readings]
        if second <= LONGEST_BARE_INCREMENT:
            controls.append(_control(PacePeriod(minutes=first), increment=second))
        is_alone = not has_times and len(pairs) == 1
        raise _Unclear("moves_or_minutes", *controls if is_alone else [], first=first, second=second)
    told: list[TimePart] = []
    for part in parts:
        if part.kind == "moves-and-minutes":
            moves, minutes = (part.number, part.other)[:: orders[0]]
            told += [TimePart("moves", moves), TimePart("time", minutes * SECONDS, "minute")]
        else:
            told.append(part)
    return told


def _segmentations(parts: Sequence[TimePart]) -> Iterator[list[_Segment]]:
    """The ways to cut a text into segments with one time each: at separators, or anywhere if there are none."""
    times = [place for place, part in enumerate(parts) if part.kind == "time"]
    if not times:
        raise _Unclear("not_understood")
    separators = [place for place, part in enumerate(parts) if part.kind == "separator"]
    if any(parts[place].unit == "or" for place in separators):
        raise _Unclear("alternatives")
    outside = [parts[place] for place in separators if not times[0] < place < times[-1]]
    if not all(part.is_soft for part in outside) or (parts[-1] in outside and parts[-1].unit != "comma"):
        raise _Unclear("loose_end")
    gaps = []
    for before, after in pairwise(times):
        between = [place for place in separators if before < place < after]
        hard = next((place for place in between if not parts[place].is_soft), after)
        gaps.append([place for place in between if place <= hard] or list(range(before + 1, after + 1)))
    for cuts in product(*gaps):
        yield [_Segment(parts[start:end]) for start, end in pairwise([0, *cuts, len(parts)])]


class _Segment:
    """A time and what it is for."""

    def __init__(self, parts: Sequence[TimePart]) -> None:
        place = next(place for place, part in enumerate(parts) if part.kind == "time")
        self.time = parts[place]
        self.before = {part.unit for part in parts[:place] if part.kind == "separator"}
        self.looseness = min((LOOSENESS[separator] for separator in self.before), default=TIGHT)
        self.kinds = {part.kind for part in parts} - {"time", "separator"}
        self.counts = [part for part in parts if part.kind in ("moves", "after-move", "from-move")]
        self.is_delayed = bool(self.kinds & {"delay", "bronstein"})
        self.is_for_each_move = bool(self.kinds & {"per-move", "increment", "delay", "from-move"})


class _Draft:
    """A time control under construction."""

    def __init__(self, segments: Sequence[_Segment]) -> None:
        self.segments = segments
        self.periods: list[PacePeriod] = []
        self.looseness: list[int] = []  # with which each period is joined to the one before
        self.bonuses: list[tuple[_Segment, int]] = []  # seconds for each move, and how many periods are before them

    def control(self) -> PaceReading:
        """The time control that the segments give; raises _Unclear if they do not fit together."""
        first, last = self.segments[0], self.segments[-1]
        for_both = "player" in first.kinds and "game" in last.kinds and "player" not in last.kinds
        for_both = for_both and last.time.unit == "minute" and last.time.number == 2 * first.time.number
        for segment in self.segments:
            if segment is first or segment is not last or not for_both:  # 45 minutes for a player, 90 for the game
                self._add(segment)
        if not self.periods:
            raise _Unclear("no_time")
        kinds = set().union(*(segment.kinds for segment in self.segments))
        added = {(bonus.time.number, bonus.is_delayed) for bonus, _ in self.bonuses}
        if len(added) > 1 or len(self.bonuses) > len(self.periods):
            raise _Unclear("increments")
        seconds, is_delayed = next(iter(added), (0, False))
        control = _control(*self.periods, **{"delay" if is_delayed or "bronstein" in kinds else "increment": seconds})
        if kinds & {"fischer", "increment"} and kinds & {"bronstein", "delay"}:
            raise _Unclear("increment_or_delay")
        if kinds & {"fischer", "bronstein"} and not self.bonuses:
            raise _Unclear("unknown_increment")
        if "no-increment" in kinds and seconds:
            raise _Unclear("contradiction", control, _control(*self.periods))
        if len(self.bonuses) != len(self.periods) and not all(self._is_for_the_game(*bonus) for bonus in self.bonuses):
            raise _Unclear("part_of_the_game", _checked(control), seconds=seconds)
        return _checked(control)

    def _add(self, segment: _Segment) -> None:
        """Add a segment, as a period or as the seconds for each move."""
        time, first = segment.time, not self.periods
        seconds_only = time.unit == "second"
        added = segment.is_for_each_move or (seconds_only and not first)
        if not time.unit and not added and "plus" in segment.before and not first:
            added = self.periods[-1].moves is None  # 90+30; but 90/40+30 is a time for the rest
        if added:
            self._add_bonus(segment)
            return
        has_bonus = any(one.is_for_each_move for one in self.segments)
        if seconds_only and not (segment.kinds & {"player", "whole", "game"} or has_bonus):
            raise _Unclear("seconds_alone")
        if "throughout" in segment.kinds or (first and "rest" in segment.kinds):
            raise _Unclear("not_understood")
        if "added" in segment.kinds and first:
            raise _Unclear("unknown_increment")
        moves = None
        for count in segment.counts:
            maybe_after = count.unit == "after" and not first and self.periods[-1].moves is None
            if count.kind == "moves" and moves is None and not maybe_after:
                moves = int(count.number)
            elif (count.kind == "after-move" or maybe_after) and not first:
                self._set_moves(int(count.number))
            else:
                raise _Unclear("several")
        odd = segment.kinds & {"rest", "finish"} or seconds_only
        if moves is not None and (odd or not FEWEST_MOVES <= moves <= MOST_MOVES):
            raise _Unclear("not_understood")
        self.periods.append(PacePeriod(minutes=self._period_minutes(segment), moves=moves))
        self.looseness.append(segment.looseness)

    def _add_bonus(self, segment: _Segment) -> None:
        """Add the seconds for each move."""
        late = next((count.number for count in segment.counts if count.kind in ("from-move", "after-move")), None)
        if late is not None:
            raise _Unclear("late_increment", move=late)
        if segment.time.unit == "game-in" or segment.kinds & {"rest", "finish"} or segment.counts:
            raise _Unclear("not_understood")
        seconds = segment.time.number
        if seconds > (LONGEST_INCREMENT if segment.time.unit else LONGEST_BARE_INCREMENT):
            raise _Unclear("unknown_increment" if segment.time.unit else "minutes_or_seconds", number=seconds)
        self.bonuses.append((segment, len(self.periods)))

    def _set_moves(self, moves: int) -> None:
        """Set the moves before a period that begins after them."""
        *earlier, last = self.periods
        done = sum(period.moves or 0 for period in earlier)
        if last.moves not in (None, moves - done) or moves <= done:
            raise _Unclear("several")
        self.periods[-1] = PacePeriod(minutes=last.minutes, moves=moves - done)

    def _period_minutes(self, segment: _Segment) -> Rating:
        """The minutes of a period; a number without a unit is minutes if the text leaves no doubt."""
        number, unit = segment.time.number, segment.time.unit
        if unit == "game-in":
            if self.periods and number < SHORTEST_SUDDEN_DEATH:
                raise _Unclear("bare", number=number)
            return number
        if unit:
            return _minutes(number)
        if self.periods:  # 40/120, 60
            return number
        following = self.segments[self.segments.index(segment) + 1 :]
        if not any(
            one.is_for_each_move or ("plus" in one.before and one.time.unit in ("", "second")) for one in following
        ):
            alone = _control(PacePeriod(minutes=number))
            raise _Unclear("bare", *[alone] if 0 < number <= LONGEST_TIME else [], number=number)
        if number != int(number) and number > SHORTEST_SUDDEN_DEATH:
            raise _Unclear("bare", number=number)
        seconds = following[0].time.number if not following[0].time.unit else SHORT_INCREMENT
        return _bare(number, min(seconds, LONGEST_BARE_INCREMENT)).periods[0].minutes

    def _is_for_the_game(self, bonus: _Segment, behind: int) -> bool:
        """Whether seconds are for all periods: the text says so, or joins them no more tightly than the periods."""
        if bonus.kinds & {"throughout", "whole"} or len(self.periods) == 1 or not behind:
            return True
        return bonus.looseness <= self.looseness[min(behind, len(self.periods) - 1)]


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
