"""A page's form and its address: rows, pasted lists and empty fields go in, the API's fields come out.

The address of a calculation has the names and the order of the command line: `rating=1750&game=1950:win`. A form has
rows instead (`row` and the cells after it, see `rows.py`), a field to paste games into (`paste`, and `whose` they
are), opponents in one line (`list`, and `schedule` in an event) and two days (`after`, `until`). This module turns one
into the other. `who`, the opponent's name, and `open`, a row that is not rated, exist only on the page. `from` names
the page on which a link of the navigation was clicked; `for_page` then gives the fields that the other page has too.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlencode

from arpad.errors import BadInput
from arpad.messages import FieldName, say
from arpad.questions import given_fields, spec_of
from arpad.questions.fields import unused_fields
from arpad.questions.read import DEFAULT_SYSTEM
from arpad.reading import OPEN, is_game_word, split_game, split_games, typed_words
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
from arpad.web.site import PAGES, named

if TYPE_CHECKING:
    from arpad.messages import Message

Names = tuple[str, ...]
SPEED = "speed"  # for Lichess: a field of the form, and a setting of the system
WITH_SPEED = "lichess"
FORM_ONLY = {
    "row",
    *(name for name in CELLS if name != "who"),
    "paste",
    "whose",
    "list",
    "schedule",
    "after",
    "until",
    SPEED,
}
IN_ONE_LINE = {"list": "against", "schedule": "game"}
NAMED_VALUES = ("reading", "set")  # of which a field of the form has several, with blanks between
PAGE_ONLY = {"who", UNRATED_ROW}
OPPONENTS = ("game", "against", "field", "spread", "rounds")  # fields that describe upcoming games
GAME_FIELDS = ("game", "against", "opponent")  # the fields in which pages take opponents
EVENT_PAGES = ("period", "diary", "season")  # pages whose forms have events
PLAYED = ("rate", "first", "performance", "compare", "period", "diary")  # pages whose games have results


def read_form(given: Sequence[tuple[str, str]], *, today: date, question: str = "rate") -> Form:
    """Read a query, from a form or a link, into the API's fields, with day and system filled in.

    What cannot be read is the form's `error`; only a query with too many fields or words raises BadInput.
    """
    if len(given) > MOST_FIELDS:
        raise BadInput(say("web.too_many_fields", most=MOST_FIELDS), at="form")
    pairs: Query = []
    error: BadInput | None = None
    pastes: list[PastedText] = []
    left = ""
    whose = next((text.strip() for name, text in given if name == "whose"), "")
    for name, text in _joined(given, question):
        if name != "paste":
            pairs.append((name, text))
            continue
        at = _pasted_into(pairs)
        try:
            pasted = read_into(at, text, whose or None)
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
    if question == "season":
        pairs = _loose_games_as_event(pairs)
    if pairs:
        pairs = _with_defaults(pairs, today, inner, spelt=("on",) if question == "compare" else ("system", "on"))
    # A link has no field that only a form or the navigation sends, and none that is empty but an event without a name.
    clean = not any(
        name in FORM_ONLY or _is_origin(name, text) or (name != "event" and not text.strip()) for name, text in given
    )
    left_out = () if clean else _left_out(given, pairs, question)
    pairs = [(name, text) for name, text in pairs if name not in left_out]
    return Form(
        question, pairs, _fields(pairs, inner), rows_of(pairs, question), _events(pairs, inner),
        [text for name, text in pairs if name == "reading"], pastes, left, whose, error, clean, left_out,
    )  # fmt: skip


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

    @property
    def query(self) -> str:
        """The query of the address."""
        return urlencode(self.pairs, safe=":")

    @property
    def notes(self) -> list[Message]:
        """What was left out of the form."""
        if not self.left_out:
            return []
        system = self.fields.get("system", DEFAULT_SYSTEM)
        return [say("pages.left_out", system=named("system", system), fields=[FieldName(one) for one in self.left_out])]

    @property
    def asked(self) -> Query:
        """The fields without those that exist only on the page."""
        return [(name, text) for name, text in self.pairs if name not in PAGE_ONLY]

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
    """An event as the form shows it: games as lines of text, upcoming games on one line."""

    name: str = ""
    on: str = ""
    rating: str = ""
    ended: str = ""
    time: str = ""
    qc_approved: str = ""
    games: str = ""
    plan: str = ""
    schedule: str = ""
    field: str = ""
    spread: str = ""
    rounds: str = ""


def _joined(given: Sequence[tuple[str, str]], question: str) -> Query:
    """The form's own fields as the API's: a row becomes a game, a line of opponents several games, two days a span."""
    joined: Query = []
    texts = [(name, text if name == "paste" and text.strip() else text.strip()) for name, text in given]
    for place, (name, text) in enumerate(texts):
        if name == "row":
            joined += joined_row(text, texts[place + 1 : place + 1 + len(CELLS)], question)
        elif name in IN_ONE_LINE:
            if len(text.split()) > MOST_FIELDS:
                raise BadInput(say("web.too_many_words", most=MOST_FIELDS), at=name)
            joined += [(IN_ONE_LINE[name], word) for word in split_games(typed_words(text))]
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


def _loose_games_as_event(pairs: Query) -> Query:
    """Put games outside any event into an event of their own, because a season's form has only events."""
    first = _first_event(pairs)
    outside = pairs[:first]
    if not any(name in OPPONENTS for name, _ in outside):
        return pairs
    moved = (*OPPONENTS, "time", "qc_approved")
    return [
        *(pair for pair in outside if pair[0] not in moved),
        ("event", ""),
        *(pair for pair in outside if pair[0] in moved),
        *pairs[first:],
    ]


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
    shown = [pair for pair in top if pair[0] not in ("game", "against", *NAMED_VALUES, *PAGE_ONLY)]
    fields = {**dict(shown), SPEED: speeds[-1].partition("=")[2] if speeds else ""}
    fields["list"] = _in_one_line([text for name, text in top if name == "against"])
    fields["reach"] = _in_one_line([text for name, text in top if name == "reach"])
    for several in ("norm", *NAMED_VALUES):
        fields[several] = " ".join(text for name, text in top if name == several and text not in speeds)
    fields["after"], _, fields["until"] = fields.get("changes", "").partition("..")
    return fields


def _in_one_line(games: Sequence[str]) -> str:
    """Games on one line; if one has a name, semicolons separate them instead of blanks."""
    named = any(text[:1].isalpha() and not is_game_word(text.partition(":")[0]) for text in games)
    return ("; " if named else " ").join(games)


def _events(pairs: Query, inner: Names) -> list[EventFields]:
    events: list[dict[str, Any]] = []
    ahead: dict[int, list[str]] = {}
    for name, text in pairs:
        if name == "event":
            events.append({"name": text})
        elif events and name in ("game", "against"):
            events[-1]["games"] = "\n".join(filter(None, (events[-1].get("games"), text.replace(":", " "))))
            ahead.setdefault(len(events), []).append(text)
        elif events and name == UNRATED_ROW:
            line = text.replace(f":{OPEN}", f" {OPEN}")
            events[-1]["games"] = "\n".join(filter(None, (events[-1].get("games"), line)))
        elif events and name == "who":
            events[-1]["games"] = f"{events[-1].get('games', '')} {text}"
        elif events and name in inner:
            events[-1][name] = text
    return [
        EventFields(**event, schedule=_in_one_line(ahead.get(number, []))) for number, event in enumerate(events, 1)
    ]


def for_page(pairs: Query, question: str) -> Query:
    """The fields that another page has as well, with the games in the form that page takes."""
    if question == "outlook":  # games without a result count there
        pairs = [("game" if name == UNRATED_ROW and not text.startswith(":") else name, text) for name, text in pairs]
    outside, events = _split_at_events(pairs)
    known = spec_of(question).fields_at("page")
    kept = [(name, text) for name, text in outside if name in known and name not in GAME_FIELDS]
    if events and question in EVENT_PAGES:
        inner = [name for name in event_fields(question) if name not in GAME_FIELDS]
        for event in events:
            kept += [event[0], *((name, text) for name, text in event if name in inner)]
            kept += _games_for_page(event, question)
        return kept
    games = _games_for_page(pairs, question)
    return [*kept, *([("event", "")] if games and question in ("period", "diary") else []), *games]


def _split_at_events(pairs: Query) -> tuple[Query, list[Query]]:
    """The fields before the first event, and the fields of each event."""
    parts: list[Query] = [[]]
    for pair in pairs:
        if pair[0] == "event":
            parts.append([])
        parts[-1].append(pair)
    return parts[0], parts[1:]


def _games_for_page(pairs: Query, question: str) -> Query:
    """The games in the form a page takes: with results, as games to come, or only the opponents."""
    if question == "outlook":
        wanted = [(name, text) for name, text in pairs if name in (*GAME_FIELDS, "who")]
        return [
            (name if name == "who" else "game", text if name in ("game", "who") else f"{text}:{OPEN}")
            for name, text in wanted
        ]
    if question in PLAYED:
        return _with_results(pairs)
    opponents = [split_game(text)[0] for name, text in pairs if name in GAME_FIELDS]
    if question == "expect":
        return [("opponent", opponent) for opponent in opponents[:1]]
    return [("against" if question == "need" else "game", opponent) for opponent in opponents]


def _with_results(pairs: Query) -> Query:
    """The games that have a result, with the opponents' names."""
    found: Query = []
    for place, (name, text) in enumerate(pairs):
        if name == "game" and split_game(text)[1] not in (None, OPEN):
            named = pairs[place + 1 : place + 2]
            found += [(name, text), *(pair for pair in named if pair[0] == "who")]
    return found
