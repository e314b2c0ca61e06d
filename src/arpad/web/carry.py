"""Carries what was typed on one page over to another: the player, the day, the opponents and their results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.questions import spec_of
from arpad.reading import OPEN, parted
from arpad.web.forms import event_fields
from arpad.web.pasting import UNRATED_ROW

if TYPE_CHECKING:
    from arpad.web.pasting import Query

GAMES = ("game", "against", "opponent")  # the fields in which pages take opponents
WITH_EVENTS = ("period", "diary", "season")  # pages whose forms have events
PLAYED = ("rate", "first", "performance", "compare", "period", "diary")  # pages whose games have results


def carried(pairs: Query, question: str) -> Query:
    """The fields that the other page has as well, with the games in the form that page takes."""
    if question == "outlook":  # games without a result count there
        pairs = [("game" if name == UNRATED_ROW and not text.startswith(":") else name, text) for name, text in pairs]
    player, events = _split_at_events(pairs)
    known = spec_of(question).fields_at("page")
    kept = [(name, text) for name, text in player if name in known and name not in GAMES]
    if events and question in WITH_EVENTS:
        return [*kept, *(pair for event in events for pair in _event(event, question))]
    games = _games(pairs, question)
    return [*kept, *([("event", "")] if games and question in ("period", "diary") else []), *games]


def _split_at_events(pairs: Query) -> tuple[Query, list[Query]]:
    """The fields before the first event, and the fields of each event."""
    parts: list[Query] = [[]]
    for pair in pairs:
        if pair[0] == "event":
            parts.append([])
        parts[-1].append(pair)
    return parts[0], parts[1:]


def _event(event: Query, question: str) -> Query:
    """An event with the fields that the other page has for events."""
    own = [(name, text) for name, text in event if name in event_fields(question) and name not in GAMES]
    return [event[0], *own, *_games(event, question)]


def _games(pairs: Query, question: str) -> Query:
    """The games in the form a page takes: with results, as games to come, or only the opponents."""
    if question == "outlook":
        wanted = [(name, text) for name, text in pairs if name in (*GAMES, "who")]
        return [
            (name if name == "who" else "game", text if name in ("game", "who") else f"{text}:{OPEN}")
            for name, text in wanted
        ]
    games = [(name, text) for name, text in pairs if name in GAMES]
    if question in PLAYED:
        return _with_results(pairs)
    opponents = [parted(text)[0] for _, text in games]
    if question == "expect":
        return [("opponent", opponent) for opponent in opponents[:1]]
    return [("against" if question == "need" else "game", opponent) for opponent in opponents]


def _with_results(pairs: Query) -> Query:
    """The games that have a result, with the opponents' names."""
    found: Query = []
    for place, (name, text) in enumerate(pairs):
        if name == "game" and parted(text)[1] not in (None, OPEN):
            named = pairs[place + 1 : place + 2]
            found += [(name, text), *(pair for pair in named if pair[0] == "who")]
    return found
