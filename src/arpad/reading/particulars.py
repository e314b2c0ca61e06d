"""What a pasted text says about the player and the event: rating, K, year of birth, days, time control and so on.

A line says it behind a label: `Rating 1873`, `Year of birth: 1998`, `K=40, Elo=1799`; above the games a line may name
the event and its day without one. Pages without labels have readers that state it themselves. A value that is not
understood, or of which the text has two, stays unknown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, NamedTuple

from arpad.errors import ArpadError
from arpad.messages import Message, say
from arpad.reading.days import parse_birth_year, parse_date
from arpad.reading.players import is_unrated, parse_federation, parse_title, unmarked
from arpad.reading.text import fold, persons_called
from arpad.reading.time_controls import parse_pace

if TYPE_CHECKING:
    from arpad.reading.pasted import PastedLine

SAME_MONTH = re.compile(r"([0-9]{1,2})\.? ?[-–—] ?([0-9]{1,2}[. ].{6,30})")  # 4.–6. April 2026
LONGEST_LABELLED = 200  # characters of a line with a label
LONGEST_LABEL = 4  # words
LOWEST_OWN, HIGHEST_OWN = 100, 4000  # a number outside is not a rating
LARGEST_RANK = 999
HIGHEST_OWN_K = 100
ID_DIGITS, HIGHEST_ID = range(5, 11), 10**10 - 1
LONGEST_NUMBER = 12  # digits; a longer one is none of these numbers
MOST_ABOVE = 10  # lines above the games that may name the event
LONGEST_NAMED = 12  # words of such a line
YEAR = re.compile(r"(19[89]|20[0-9])[0-9]([/-][0-9]{2})?")  # in a name; another number may be a rating
OF_A_GAME = frozenset({"result", "round", "not", "perhaps", "I", "me", "he", "we", "has", "have", "played", "against"})
SYSTEMS = {"standard": "fide-standard", "rapid": "fide-rapid", "blitz": "fide-blitz", "dwz": "dwz"}

Value = int | str


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedValue:
    """A value that the text gives, with the line that says so."""

    value: Value  # a day is written as 2026-11-15, no rating as `unrated`
    line: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Particulars:
    """What a text says about the player and the event; what it does not say is None."""

    name: StatedValue | None = None
    title: StatedValue | None = None
    rating: StatedValue | None = None  # national or international: the text does not say
    national: StatedValue | None = None
    international: StatedValue | None = None
    k: StatedValue | None = None
    games: StatedValue | None = None  # rated games so far
    born: StatedValue | None = None
    fide_id: StatedValue | None = None
    federation: StatedValue | None = None
    event: StatedValue | None = None
    on: StatedValue | None = None  # the first day of the event
    ended: StatedValue | None = None  # its last day
    time: StatedValue | None = None  # the time control, as it is written
    system: StatedValue | None = None

    @property
    def stated(self) -> dict[str, StatedValue]:
        """What the text says, by name."""
        found = {one.name: getattr(self, one.name) for one in fields(self)}
        return {name: stated for name, stated in found.items() if stated is not None}

    @property
    def notes(self) -> list[Message]:
        """What the text says, in a sentence; empty if it says nothing."""
        values = [
            say("reading.told_value", what=say(f"reading.about.{name}"), value=str(one.value), line=one.line)
            for name, one in self.stated.items()
        ]
        return [say("reading.told", values=values)] if values else []


NOTHING = Particulars()
OF_EVENT = frozenset({"event", "on", "ended", "time", "system"})


class Gathered(NamedTuple):
    """What a text says, the lines that say it, and notes on values of which there are two."""

    about: Particulars
    lines: frozenset[int]
    notes: tuple[Message, ...]


def gather(
    lines: Sequence[PastedLine], stated: Sequence[tuple[str, StatedValue]], player: str | None, above: int
) -> Gathered:
    """What lines without games say behind their labels, together with what a page's reader has stated.

    The lines before the line `above` may also name the event or its day without a label. If the text is about somebody
    other than the player, only what it says about the event is kept.
    """
    found = [*stated, *(fact for line in lines for fact in facts_in(line))]
    for line in [line for line in lines if line.number < above][:MOST_ABOVE]:
        known = {what for what, _ in found}
        found += [fact for fact in headed(line) if fact[0] != "event" or "event" not in known]
    names = [one.value for what, one in found if what == "name"]
    if len(set(names)) > 1 or (player and names and not persons_called(player, [str(names[0])])):
        found = [(what, one) for what, one in found if what in OF_EVENT]
    values: dict[str, dict[Value, StatedValue]] = {}
    for what, one in found:
        values.setdefault(what, {}).setdefault(one.value, one)
    notes = [
        say(
            "reading.note.two_values",
            what=say(f"reading.about.{what}"),
            values=list(ones),
            lines=sorted({one.line for one in ones.values()}),
        )
        for what, ones in values.items()
        if len(ones) > 1
    ]
    clear = {what: next(iter(ones.values())) for what, ones in values.items() if len(ones) == 1}
    return Gathered(Particulars(**clear), frozenset(one.line for one in clear.values()), tuple(notes))


def facts_in(line: PastedLine) -> list[tuple[str, StatedValue]]:
    """What a line says behind its labels; nothing if it has none or its values are not understood."""
    if len(line.text) > LONGEST_LABELLED:
        return []
    return [fact for label, text in _labelled(line.text) for fact in _stated(_facts(label, text), line)]


def _stated(values: Mapping[str, Value], line: PastedLine) -> list[tuple[str, StatedValue]]:
    text = line.raw.strip()
    return [(what, StatedValue(value=value, line=line.number, text=text)) for what, value in values.items()]


def _labelled(text: str) -> Iterator[tuple[str, str]]:
    """The labels of a line with their values: two cells, `label: value`, `label value`, or several `label=value`."""
    cells = [cell.strip() for cell in text.split("\t") if cell.strip()]
    if len(cells) > 1:
        if len(cells) == len(("label", "value")):
            yield cells[0].rstrip(" :"), cells[1]
        return
    pieces = [piece.strip() for piece in text.replace(";", ",").split(",")]
    equal = [piece.partition("=") for piece in pieces if "=" in piece]
    if len(equal) > 1:
        yield from ((label.strip(), value.strip()) for label, _, value in equal)
        return
    label, sign, value = text.partition(":") if ":" in text else text.partition("=")
    if sign and _meaning(label) is not None:
        yield label.strip(), value.strip()
        return
    words = text.split()
    labels = (" ".join(words[:length]) for length in range(min(LONGEST_LABEL, len(words) - 1), 0, -1))
    label = next((label for label in labels if _meaning(label) is not None), "")
    if label and _meaning(label) not in FREE:
        yield label, " ".join(words[len(label.split()) :])


def _meaning(label: str) -> str | None:
    """What a label means; None if it is not in the vocabulary."""
    from arpad.reading.vocabulary import words

    folded = " ".join(fold(label).split()).rstrip(" :")
    return words("labels").phrase(folded) or words("events").phrase(folded)


def headed(line: PastedLine) -> list[tuple[str, StatedValue]]:
    """What a line above the games says without a label: `Spring Open, 4 April 2026`; nothing if it is any other."""
    from arpad.reading.vocabulary import spoken

    pieces = line.text.split()
    if "\t" in line.text.strip() or len(pieces) > LONGEST_NAMED:
        return []
    days: dict[str, Value] = {}
    ends = [(at, len(pieces)) for at in range(len(pieces))]
    for first, last in [*ends, *((0, at) for at in range(len(pieces) - 1, 0, -1))]:
        if days := _whole_days(" ".join(pieces[first:last]).strip("(),. ")):
            pieces = pieces[:first] or pieces[last:]
            break
    name = " ".join(pieces).strip("(,;:|–- ")
    if _is_an_event(name):
        days = {"event": name, **days}
    elif name and set(spoken(name).values()) != {"time"}:  # `Saturday`
        return []
    return _stated(days, line)


def _whole_days(text: str) -> dict[str, Value]:
    """The first and the last day of a text that is nothing else; a month alone is no day."""
    figures = sum(piece.isdecimal() for piece in re.split(r"([0-9]+)", text))
    if figures < (2 if any(map(str.isalpha, text)) else len(("day", "month", "year"))):
        return {}
    with suppress(ArpadError):
        return _days(text)
    return {}


def _is_an_event(name: str) -> bool:
    """Whether a text is an event's name: written as one, with a word for it and none for a game or another day."""
    from arpad.reading.vocabulary import entries, is_particle, spoken, words

    events = tuple(fold(word) for meaning, word in entries("occasions") if meaning == "event")
    parts = re.findall(r"[^\s,;:()\"„“”|–—]+", name)
    for part in parts:
        says = words("occasions").phrase(fold(part)) == "another-day" or OF_A_GAME & set(spoken(part).values())
        is_small = is_particle(part) or words("days").phrase(fold(part)) == "empty"
        has_a_number = sum(map(str.isdecimal, part)) > 2 and YEAR.fullmatch(part) is None
        if says or has_a_number or (part[0].islower() and not is_small):
            return False
    return any(fold(part).endswith(events) for part in parts)


def is_labelled_figure(text: str) -> bool:
    """Whether a line is a label and a figure in two cells, such as `FIDE rtg +/-` and -3,4: no headings."""
    label, tab, value = text.partition("\t")
    return bool(tab) and value.strip(" +-−")[:1].isdecimal() and "\t" not in value and _meaning(label) is not None


def class_named(text: str) -> str | None:
    """The system for a class of chess by its name, or for a kind of rating: `Rapid` is FIDE's rapid rating."""
    from arpad.reading.vocabulary import words

    return SYSTEMS.get(words("events").phrase(fold(text.strip())) or "")


def _facts(label: str, text: str) -> dict[str, Value]:
    """What a label and its value say; behind the label of a time control the class may be in brackets."""
    meaning = _meaning(label)
    before, bracket, behind = label.partition("(")
    system = class_named(behind.rstrip(") ")) if meaning is None and bracket else None
    if system is not None and _meaning(before) == "time":
        return {"system": system, **_facts(before, text)}
    read = READERS.get(meaning or "")
    try:
        return {} if read is None or not text else read(text)
    except ArpadError:
        return {}


def _number(name: str, text: str, lowest: int, highest: int) -> dict[str, Value]:
    """A whole number within its bounds."""
    is_number = text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER
    return {name: int(text)} if is_number and lowest <= int(text) <= highest else {}


def _rating(name: str, text: str, lowest: int = LOWEST_OWN) -> dict[str, Value]:
    number = unmarked(text)
    return {name: "unrated"} if number == "0" or is_unrated(number) else _number(name, number, lowest, HIGHEST_OWN)


def _days(text: str) -> dict[str, Value]:
    """The first and the last day: `2026/03/01 to 2026/03/07`; a single day is only the first."""
    from arpad.reading.vocabulary import words

    if short := SAME_MONTH.fullmatch(text):
        last = parse_date(short[2])
        return {"on": str(last.replace(day=int(short[1]))), "ended": str(last)} if 0 < int(short[1]) < last.day else {}
    parts = text.split()
    for place, word in enumerate(parts):
        if place and (word in "-–—" or words("days").phrase(fold(word)) == "until"):
            first, last = (parse_date(" ".join(part)) for part in (parts[:place], parts[place + 1 :]))
            return {"on": str(first), "ended": str(last)} if first <= last else {}
    return {"on": str(parse_date(text))}


def _time(text: str) -> dict[str, Value]:
    parse_pace(text)
    return {"time": text}


def _text(name: str, text: str) -> dict[str, Value]:
    return {name: text} if any(map(str.isalpha, text)) else {}


FREE = ("name", "event")  # any text may follow, so the line must show where it begins
READERS: Mapping[str, Callable[[str], dict[str, Value]]] = {
    "lichess": lambda _: {"system": "lichess"},
    "name": lambda text: _text("name", text),
    "title": lambda text: {"title": parse_title(text)},
    "rating": lambda text: _rating("rating", text),
    "rating-or-rank": lambda text: _rating("rating", text, LARGEST_RANK + 1),
    "national": lambda text: _rating("national", text),
    "international": lambda text: _rating("international", text),
    "k": lambda text: _number("k", text, 1, HIGHEST_OWN_K),
    "born": lambda text: {"born": parse_birth_year(text)},
    "fide-id": lambda text: _number("fide_id", text, 1, HIGHEST_ID) if len(text) in ID_DIGITS else {},
    # A player's federation is three capital letters; behind that of an event its name comes first.
    "federation": lambda text: {"federation": parse_federation(text)} if text.isupper() else {},
    "event": lambda text: _text("event", text),
    "days": _days,
    "began": lambda text: {"on": str(parse_date(text))},
    "ended": lambda text: {"ended": str(parse_date(text))},
    "time": _time,
}
