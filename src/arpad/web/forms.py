"""A form and its address: rows, pasted lists and empty fields go in, the API's fields come out.

The address of a calculation has the names and the order of the command line: `rating=1750&game=1950:win`. A form has
rows instead (`row` and the cells after it, see `rows.py`), a text to read games from (`paste`, and `whose` it is) and
two days (`after`, `until`). This module turns one into the other. `who`, the opponent's name, and `open`, a row that
is not rated, exist only on the page. `from` names the question asked where a link of the navigation was clicked, and
`add` what a button adds to the form.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlencode

from arpad.errors import BadInput
from arpad.messages import FieldName, say
from arpad.questions import given_fields, spec_of
from arpad.questions.declare import Place
from arpad.questions.fields import unused_fields
from arpad.questions.from_paste import FromPaste, counted_in, filled_from, system_of
from arpad.questions.read import DEFAULT_SYSTEM, People
from arpad.reading import OPEN, split_game
from arpad.systems import system_names
from arpad.web.api import MOST_FIELDS
from arpad.web.rows import (
    CELLS,
    TO_COME,
    UNRATED_ROW,
    GameRow,
    PastedText,
    Query,
    joined_row,
    rated_rows,
    read_into,
    rows_of,
)
from arpad.web.site import PAGES, named, speed_called, system_called

if TYPE_CHECKING:
    from arpad.messages import Message

Names = tuple[str, ...]
SPEED = "speed"  # for Lichess: a field of the form, and a setting of the system
WITH_SPEED = "lichess"
ONLINE = (WITH_SPEED, "chesscom")  # sites with a rating for each speed, which people name behind the site
DEVICES = ("remove", "whole", "add", "keep", "door")  # of the form itself: buttons, and a mark
FORM_ONLY = {"row", "result", "paste", "whose", "accept", "after", "until", "before", SPEED, *DEVICES}
NAMED_VALUES = ("reading", "set")  # of which a field of the form has several, with blanks between
PAGE_ONLY = {"who", UNRATED_ROW}
OPPONENTS = ("game", "against", UNRATED_ROW, "who", "field", "spread", "rounds")  # what describes the games of an event
IN_EVENTS = ("period", "diary", "season")  # questions whose games are all in events
ONE_VALUE = ("rating", "row", "k", "born", "reach")  # fields that cannot hold a table
TABS_OF_A_TABLE = 2
RATING = re.compile(r"\d{3,4}")


def read_form(given: Sequence[tuple[str, str]], *, today: date, question: str = "rate") -> Form:
    """Read a query, from a form or a link, into the API's fields, with day and system filled in.

    What cannot be read is the form's `error`; only a query with too many fields raises BadInput.
    """
    if len(given) > MOST_FIELDS:
        raise BadInput(say("web.too_many_fields", most=MOST_FIELDS), at="form")
    pairs: Query = []
    sent, given = given, plain_fields(given)
    table = next((pair for pair in given if pair[0] in ONE_VALUE and _is_table(pair[1])), None)
    error: BadInput | None = None
    if table is not None:
        given = [pair if pair != table else (pair[0], "") for pair in given]
        error = BadInput(say("pages.table_in_field"), at="game" if table[0] == "row" else table[0])
    pastes: list[PastedText] = []
    left = ""
    accepted = [text.strip() for name, text in given if name == "accept"]
    whose = next((text.strip() for name, text in given if name == "whose"), "")
    for name, text in _joined(given, question):
        if name != "paste":
            pairs.append((name, text))
            continue
        at = _pasted_into(pairs)
        try:
            pasted = _counted(read_into(at, text, whose or None, accepted), given, question, today)
        except BadInput as problem:
            error, left = BadInput(problem.said, at="whose" if problem.at == "player" else at), text
            continue
        pastes.append(pasted)
        pairs += pasted.pairs(to_come=question in TO_COME)
        if at == "paste":
            left = pasted.remaining
        else:
            pairs += [(UNRATED_ROW, line.text) for line in pasted.to_correct]
    inner = event_fields(question)
    pairs = _without_empty_events(pairs, inner)
    from_paste = next((_filled(one, pairs, inner, question, today) for one in pastes if one.at == "paste"), None)
    if from_paste is not None:
        kept = [pair for pair in pairs if pair[0] not in from_paste.filled]
        pairs = [*((name, str(text)) for name, text in from_paste.texts.items()), *kept]
    pairs = _as_asked(pairs, question, formed=any(name == "whole" for name, _ in sent))
    if pairs:
        pairs = _with_defaults(pairs, today, inner, spelt=("on",) if question == "compare" else ("system", "on"))
    # A link has no field that only a form or the navigation sends, and none that is empty but an event without a name.
    clean = not any(
        name.partition("-")[0] in FORM_ONLY or _is_origin(name, text) or (name != "event" and not text.strip())
        for name, text in sent
    )
    left_out = () if clean else _left_out(given, pairs, question)
    pairs = [(name, text) for name, text in pairs if name not in left_out]
    return Form(
        question, pairs, _fields(pairs, inner), rows_of(pairs), _events(pairs, inner),
        [text for name, text in pairs if name == "reading"], pastes, left, whose, error, clean, left_out, from_paste,
        table[1] if table else "", frozenset(name for name, _ in given), [text for name, text in sent if name == "add"],
    )  # fmt: skip


def plain_fields(sent: Sequence[tuple[str, str]]) -> Query:
    """What a form sent, with its own devices undone.

    Results are numbered, because radios need their own names. What comes after `whole` belongs to the whole and not
    to the last event. `remove` names the row or the event whose button was pressed: `row-2`, `row-1-2`, `event-1`. Of
    a paste, the games that were there `before` stay if they are to be kept.
    """
    given = [("result" if name.startswith("result-") else name, text) for name, text in sent]
    places = [place for place, (name, _) in enumerate(given) if name == "whole"]
    if places:
        given = given[places[0] + 1 :] + given[: places[0]]
    gone = {text for name, text in given if name == "remove"}
    kept: Query = []
    event, row, here = 0, 0, ""
    for name, text in given:
        if name == "event":
            event, row, here = event + 1, 0, f"event-{event + 1}"
        elif name == "row":
            row += 1
            here = f"row-{event}-{row}" if event else f"row-{row}"
        elif name not in CELLS:
            here = f"event-{event}" if event else ""
        if name == "before":
            kept += [("row", text)] if ("keep", "yes") in sent else []
        elif here not in gone and f"event-{event}" not in gone and name not in DEVICES:
            kept.append((name, text))
    return _with_system_typed(kept)


def _with_system_typed(pairs: Query) -> Query:
    """A system that is named beside the rating, `1500 Lichess` or `Lichess 1500`, instead of that of the form.

    Behind a site its speed may be named: `1500 Lichess blitz`. Only Lichess calculates with it.
    """
    typed = next((text for name, text in pairs if name == "rating"), "")
    words = typed.split()
    ratings = [words.pop(place) for place in (0, -1) if len(words) > 1 and RATING.fullmatch(words[place])]
    if len(ratings) != 1:
        return pairs
    chosen, speed = system_called(" ".join(words)), None
    if chosen is None:
        speed = speed_called(words[-1])
        site = system_called(" ".join(words[:-1]))
        chosen = site if speed is not None and site in ONLINE else None
    if chosen is None:
        return pairs
    said = {"system": chosen} | ({SPEED: speed} if speed and chosen == WITH_SPEED else {})
    others = [pair if pair != ("rating", typed) else ("rating", ratings[0]) for pair in pairs]
    return [*said.items(), *(pair for pair in others if pair[0] not in said)]


class Form(NamedTuple):
    """What was asked, as an address and as fields of the form, and what could not be read."""

    question: str
    pairs: Query  # the API's fields, with `who` after each game that has it
    fields: dict[str, str]
    rows: list[GameRow]
    events: list[EventFields]
    readings: list[str]
    pastes: list[PastedText]
    paste: str  # what stays in the field for pasting
    whose: str
    error: BadInput | None
    clean: bool  # whether the address needs no rewriting
    left_out: tuple[str, ...] = ()  # what a form still had from another system that was chosen before
    from_paste: FromPaste | None = None
    table: str = ""  # a whole table that was pasted into the field of one value
    there: frozenset[str] = frozenset()  # the fields that the form had, also the empty ones
    added: Sequence[str] = ()  # what a button adds to the form

    @property
    def query(self) -> str:
        """The query of the address."""
        return urlencode(self.pairs, safe=":")

    @property
    def notes(self) -> list[Message]:
        """What was left out of the form, what was filled in from a paste, and what a paste has otherwise."""
        found = [] if self.from_paste is None else self.from_paste.notes
        if not self.left_out:
            return found
        system, fields = self.fields.get("system", DEFAULT_SYSTEM), [FieldName(one) for one in self.left_out]
        return [say("pages.left_out", system=named("system", system), fields=fields), *found]

    @property
    def asked(self) -> Query:
        """The fields without those that exist only on the page."""
        return [(name, text) for name, text in self.pairs if name not in PAGE_ONLY]

    def pasted_line(self, name: str) -> int | None:
        """The line of the paste that a field was filled from; None if it was not."""
        filled = {} if self.from_paste is None else self.from_paste.filled
        return filled[name].line if name in filled else None

    def row_of(self, game: int) -> int:
        """The row of a game; there may be unrated rows in between."""
        rated = rated_rows(self.rows, self.question)
        return rated[game] if game < len(rated) else game

    @property
    def unrated(self) -> dict[str, int]:
        """How many rows are not rated, by reason: `to_come` or `no_rating`."""
        rows = [text for name, text in self.pairs if name == UNRATED_ROW and ":" in text]
        to_come = sum(text.endswith(f":{OPEN}") for text in rows)
        return {"to_come": to_come, "no_rating": len(rows) - to_come}

    @property
    def opponents(self) -> list[tuple[str, str]]:
        """The path of every game, and the opponent's name if given, in order."""
        found: list[tuple[str, str]] = []
        event, number, rated = -1, 0, False
        for name, text in self.pairs:
            if name == "event":
                event, number = event + 1, 0
            elif name == UNRATED_ROW:
                rated = False
            elif name in ("game", "against"):
                found.append((f"{f'event[{event}].' if event >= 0 else ''}{name}[{number}]", ""))
                number, rated = number + 1, True
            elif name == "who" and found and rated:
                found[-1] = (found[-1][0], text)
        return found


class EventFields(NamedTuple):
    """An event as the form shows it."""

    name: str = ""
    on: str = ""
    rating: str = ""
    ended: str = ""
    time: str = ""
    qc_approved: str = ""
    plan: str = ""
    field: str = ""
    spread: str = ""
    rounds: str = ""
    rows: Sequence[GameRow] = ()


def _is_table(text: str) -> bool:
    """Whether a text has several lines or cells; a browser may have taken its line ends away."""
    return "\n" in text.strip() or text.strip().count("\t") >= TABS_OF_A_TABLE


def _joined(given: Sequence[tuple[str, str]], question: str) -> Query:
    """The form's own fields as the API's: a row becomes a game, two days a span."""
    joined: Query = []
    texts = [(name, text if name == "paste" and text.strip() else text.strip()) for name, text in given]
    for place, (name, text) in enumerate(texts):
        if name == "row":
            joined += joined_row(text, texts[place + 1 : place + 1 + len(CELLS)], question)
        elif _is_origin(name, text):
            continue
        elif name in NAMED_VALUES:
            joined += [(name, word) for word in text.split()]
        elif name == "event" or (text and not _in_row(texts, place) and (name == "paste" or name not in FORM_ONLY)):
            joined.append((name, text))
    days = dict(texts)
    if days.get(SPEED) and days.get("system") == WITH_SPEED:
        joined.insert(_first_event(joined), ("set", f"{SPEED}={days[SPEED]}"))
    if days.get("after") and days.get("until"):
        joined.append(("changes", f"{days['after']}..{days['until']}"))
    return joined


def _in_row(texts: Query, place: int) -> bool:
    """Whether a `who` belongs to a row of the form, which has already taken it."""
    return texts[place][0] == "who" and "row" in [name for name, _ in texts[max(place - len(CELLS), 0) : place]]


def _pasted_into(before: Query) -> str:
    """The path of a pasted list: the page's, or that of the event it belongs to."""
    events = sum(name == "event" for name, _ in before)
    return f"event[{events - 1}].paste" if events else "paste"


def _filled(pasted: PastedText, pairs: Query, inner: Names, question: str, today: date) -> FromPaste:
    """The fields that a paste fills; a form always sends a day and a system, so today and the usual one may change."""
    usual = {"system": DEFAULT_SYSTEM, "on": today.isoformat()}
    typed = {name: text for name, text in _outside_events(pairs, inner) if usual.get(name) != text}
    return filled_from(pasted.reading, spec_of(question), typed, Place("", today, DEFAULT_SYSTEM, People()))


def _counted(pasted: PastedText, given: Query, question: str, today: date) -> PastedText:
    """A pasted text with the opponents' ratings that count in the form's system."""
    typed = {name: text for name, text in given if name == "system" and text not in ("", DEFAULT_SYSTEM)}
    usual = Place("", today, DEFAULT_SYSTEM, People())
    system = system_of(pasted.reading.about, spec_of(question), typed, usual)
    return pasted._replace(reading=counted_in(pasted.reading, system))


def _is_origin(name: str, text: str) -> bool:
    """Whether a field names the page on which the others were typed."""
    return name == "from" and text in PAGES


def event_fields(question: str) -> Names:
    """The fields of an event in a question; none if it has no events."""
    fields = spec_of(question).fields
    kind = fields["event"].nested if "event" in fields else None
    return () if kind is None else tuple(given_fields(kind))


def _without_empty_events(pairs: Query, inner: Names) -> Query:
    """Leave out events that were not filled in."""
    kept: Query = []
    for place, (name, text) in enumerate(pairs):
        following = pairs[place + 1][0] if place + 1 < len(pairs) else "event"
        if name == "event" and not text and following not in (*inner, *PAGE_ONLY):
            continue
        kept.append((name, text))
    return kept


def _as_asked(pairs: Query, question: str, *, formed: bool) -> Query:
    """The games as a question takes them: in events, or as one opponent; a form's day follows its events."""
    if question in IN_EVENTS:
        pairs = _loose_games_as_event(pairs)
        return until_the_last(pairs) if formed and question != "season" else pairs
    if question == "expect":
        return [("opponent", split_game(text)[0]) if name == "game" else (name, text) for name, text in pairs]
    return pairs


def _loose_games_as_event(pairs: Query) -> Query:
    """Put games outside any event into an event of their own, on the day of the form."""
    first = _first_event(pairs)
    outside = pairs[:first]
    if not any(name in OPPONENTS for name, _ in outside):
        return pairs
    moved = (*OPPONENTS, "time", "qc_approved")
    return [
        *(pair for pair in outside if pair[0] not in moved),
        ("event", ""),
        *(pair for pair in outside if pair[0] in (*moved, "on")),
        *pairs[first:],
    ]


def until_the_last(pairs: Query) -> Query:
    """Set the day of the whole to that of the last event, if it is earlier: the form had it before that event."""
    outside, events = split_at_events(pairs)
    days = sorted(text for event in events for name, text in event if name in ("on", "ended") and text)
    latest = days[-1] if days else ""
    moved = [(name, max(text, latest) if name == "on" else text) for name, text in outside]
    return [*moved, *(pair for event in events for pair in event)]


def _first_event(pairs: Query) -> int:
    """The place of the first event; the end if there is none."""
    return next((place for place, (name, _) in enumerate(pairs) if name == "event"), len(pairs))


def _with_defaults(pairs: Query, today: date, inner: Names, spelt: Names) -> Query:
    """Add the system and the day, so that the link gives the same answer on another day."""
    found = {name for name, _ in _outside_events(pairs, inner)}
    defaults = {"system": DEFAULT_SYSTEM, "on": today.isoformat()}
    if "changes" in found:
        found.add("on")
    return [*((name, defaults[name]) for name in spelt if name not in found), *pairs]


def _outside_events(pairs: Query, inner: Names) -> Query:
    """The fields that belong to no event."""
    first = _first_event(pairs)
    return pairs[:first] + [pair for pair in pairs[first:] if pair[0] not in (*inner, "event", *PAGE_ONLY)]


def _left_out(given: Sequence[tuple[str, str]], pairs: Query, question: str) -> Names:
    """What a form still has from another system that was chosen before: its fields are hidden, but they are sent.

    A link has no hidden fields, so it is refused what its system does not use, as it is everywhere.
    """
    declared = spec_of(question).fields
    if "system" not in declared:
        return ()
    system = dict(pairs).get("system", DEFAULT_SYSTEM)
    if system not in system_names():
        return ()  # which is said when the question is read
    speed = [name for name, text in given if name == SPEED and text.strip() and system != WITH_SPEED]
    return (*unused_fields((name for name, _ in pairs), declared, system), *speed)


def _fields(pairs: Query, inner: Names) -> dict[str, str]:
    top = _outside_events(pairs, inner)
    speeds = [text for name, text in top if name == "set" and text.startswith(f"{SPEED}=")]
    shown = [pair for pair in top if pair[0] not in ("game", "against", "opponent", *NAMED_VALUES, *PAGE_ONLY)]
    fields = {**dict(shown), SPEED: speeds[-1].partition("=")[2] if speeds else ""}
    for several in ("reach", "norm", *NAMED_VALUES):
        fields[several] = " ".join(text for name, text in top if name == several and text not in speeds)
    fields["after"], _, fields["until"] = fields.get("changes", "").partition("..")
    return fields


def _events(pairs: Query, inner: Names) -> list[EventFields]:
    """The events as the form shows them."""
    return [
        EventFields(
            **{name: text for name, text in event[1:] if name in inner and name in EventFields._fields}
            | {"name": event[0][1]},  # the field `event` has it; a link may have `name` as well
            rows=rows_of(event[1:]),
        )
        for event in split_at_events(pairs)[1]
    ]


def split_at_events(pairs: Query) -> tuple[Query, list[Query]]:
    """The fields before the first event, and the fields of each event."""
    parts: list[Query] = [[]]
    for pair in pairs:
        if pair[0] == "event":
            parts.append([])
        parts[-1].append(pair)
    return parts[0], parts[1:]
