"""What was typed on one page, taken along to another: the player, the day, the opponents and their results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.questions import spec_of
from arpad.reading import OPEN, parted

if TYPE_CHECKING:
    from arpad.web.forms import Query

GAMES = ("game", "against", "opponent")  # how pages name an opponent
PLAYED = ("rate", "first", "performance", "compare", "period")  # pages of games that have a result


def carried(pairs: Query, question: str) -> Query:
    """The fields of one page that another has too, with the games as the other page takes them."""
    fields = spec_of(question).fields_at("page")
    first = next((place for place, (name, _) in enumerate(pairs) if name == "event"), len(pairs))
    kept = [(name, text) for name, text in pairs[:first] if name in fields and name not in GAMES]
    if first < len(pairs) and "event" in fields:
        return [*kept, *pairs[first:]]
    games = _games([(name, text) for name, text in pairs if name in (*GAMES, "who")], question)
    return [*kept, *([("event", "")] if games and question == "period" else []), *games]


def _games(games: Query, question: str) -> Query:
    """Games as a page takes them: with their results, as games to come, or as opponents alone."""
    opponents = [parted(text)[0] for name, text in games if name in GAMES]
    if question == "expect":
        return [("opponent", opponent) for opponent in opponents[:1]]
    if question == "need":
        return [("against", opponent) for opponent in opponents]
    if question == "season":
        return [("game", opponent) for opponent in opponents]
    if question == "outlook":
        return [("game", text if name == "game" else f"{text}:{OPEN}") for name, text in games if name in GAMES]
    if question not in PLAYED:
        return []
    found: Query = []
    for name, text in games:
        has_result = name == "game" and parted(text)[1] not in (None, OPEN)
        if has_result or (name == "who" and found):
            found.append((name, text))
    return found
