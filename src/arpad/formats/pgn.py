"""PGN: only the headers of the games, which are all that ratings need; the moves are skipped."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from arpad.core.tournaments import FORFEIT, PLAYED, Oddity, Source, Tournament
from arpad.errors import BadFile
from arpad.formats.dates import read_day
from arpad.formats.pairings import Paired, Side, entrants_of, result_of, round_number
from arpad.formats.persons import player_of
from arpad.formats.text import check_oddities, lines_of, place
from arpad.formats.trf.event import pace_of
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import date

TAG = re.compile(r'\s*\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*')
SIDE_TAGS = {"name": "", "rating": "Elo", "title": "Title", "id": "FideId", "federation": "Country"}
UNKNOWN = ("", "?", "-", "??", "*")
EVERY = 5000  # lines between two calls of a progress hook


def is_pgn(head: list[str]) -> bool:
    """Whether the first line that is not blank is a header."""
    first = next((line for line in head if line.strip() and not line.startswith("%")), "")
    return TAG.fullmatch(first) is not None


def read_pgn(data: bytes, path: str, progress: Callable[[int, int], object] | None = None) -> Tournament:
    """The tournament in the headers of its games."""
    odd: list[Oddity] = []
    games: list[Paired] = []
    events: dict[str, dict[str, int]] = {"Event": {}, "Site": {}, "TimeControl": {}}
    days: dict[int, date] = {}
    every: list[date] = []
    for number, tags in _headers(lines_of(data, path), progress):
        for name, seen in events.items():
            if tags.get(name, "?") not in UNKNOWN:
                seen[tags[name]] = seen.get(tags[name], 0) + 1
        game = _game(tags, number, odd)
        check_oddities(odd, path, number)
        if game is None:
            continue
        games.append(game)
        day = _day(tags)
        if day is not None:
            every.append(day)
            if game.round is not None:
                days.setdefault(game.round, day)
    if not games:
        raise BadFile(say("formats.game.none"), at=place(path, 1))
    if len(events["Event"]) > 1:
        odd.append(Oddity(say("formats.game.events", events=len(events["Event"]))))
    entrants = entrants_of(games, path, odd)
    rounds = max(len(entrant.rounds) for entrant in entrants)
    return Tournament(
        entrants,
        name=_commonest(events["Event"]),
        city=_commonest(events["Site"]),
        start=min(every, default=None),
        end=max(every, default=None),
        time_control=_commonest(events["TimeControl"]),
        pace=pace_of(_commonest(events["TimeControl"]), None),
        rounds=rounds,
        round_days=tuple(days.get(at) for at in range(1, rounds + 1)) if days else (),
        oddities=tuple(odd),
        source=Source("pgn", data),
    )


def _headers(lines: list[str], progress: Callable[[int, int], object] | None) -> Iterator[tuple[int, dict[str, str]]]:
    """The headers of each game with the line they begin on; a header after moves begins the next game."""
    tags: dict[str, str] = {}
    start, moves, comment = 0, False, False
    for number, line in enumerate(lines, start=1):
        if progress is not None and number % EVERY == 0:
            progress(number, len(lines))
        tag = None if comment else TAG.fullmatch(line)
        if tag is None:
            # A comment in braces may have lines that look like headers.
            comment = _in_comment(line, comment)
            moves = moves or bool(line.strip())
            continue
        if tags and (moves or tag[1] == "Event"):
            yield start, tags
            tags = {}
        if not tags:
            start, moves = number, False
        tags.setdefault(tag[1], tag[2].replace('\\"', '"').replace("\\\\", "\\"))
    if tags:
        yield start, tags
    if progress is not None:
        progress(len(lines), len(lines))


def _in_comment(line: str, before: bool) -> bool:
    opened, closed = line.rfind("{"), line.rfind("}")
    return before if opened == closed == -1 else opened > closed


def _game(tags: dict[str, str], number: int, odd: list[Oddity]) -> Paired | None:
    """One game; None, with the reason added to the oddities, if it cannot be used."""
    names = [tags.get(name, "").strip() for name in ("White", "Black")]
    if any(name in UNKNOWN for name in names):
        odd.append(Oddity(say("formats.game.no_side"), number, None, True))
        return None
    if any(name.lower() == "bye" for name in names):
        odd.append(Oddity(say("formats.game.bye"), number, None, True))
        return None
    text = tags.get("Result", "*")
    try:
        score, kind = result_of(text)
    except ValueError:
        odd.append(Oddity(say("formats.game.result", text=text), number, None, True))
        return None
    if FORFEIT in tags.get("Termination", "").lower() and kind == PLAYED:
        kind = FORFEIT
    try:
        at = round_number(tags.get("Round", "?"))
    except ValueError:
        odd.append(Oddity(say("formats.game.pgn_round", text=tags["Round"]), number))
        at = None
    return Paired(_side(tags, "White", number, odd), _side(tags, "Black", number, odd), score, kind, at, number)


def _side(tags: dict[str, str], colour: str, number: int, odd: list[Oddity]) -> Side:
    """One player of a game."""
    texts = {field: tags.get(f"{colour}{tag}", "").strip() for field, tag in SIDE_TAGS.items()}
    player, _ = player_of(texts, lambda says, _: odd.append(Oddity(says, number, None, True)))
    return Side(player)


def _day(tags: dict[str, str]) -> date | None:
    for name in ("Date", "EventDate"):
        try:
            return read_day(tags.get(name, "").replace("?", "0")).day
        except ValueError:
            continue
    return None


def _commonest(seen: dict[str, int]) -> str | None:
    return max(seen, key=lambda text: seen[text], default=None)
