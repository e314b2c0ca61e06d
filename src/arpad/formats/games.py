"""Single games combined into a tournament: from a list in a table, or from PGN, of which only the headers are read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from arpad.core import DRAW, LOSS, WIN, Player, updated
from arpad.core.tournaments import ABSENT, FORFEIT, PENDING, PLAYED, Entrant, Oddity, Round, Source, Tournament
from arpad.errors import BadFile
from arpad.formats.dates import read_day
from arpad.formats.persons import player_of
from arpad.formats.text import check_oddities, lines_of, place
from arpad.formats.trf.event import pace_of
from arpad.messages import say

MOST_ROUNDS = 200
MOST_PLAYERS = 50_000

# White's score, and whether the game was played; keys are in lower case without blanks.
RESULTS = {
    "1-0": (WIN, PLAYED), "0-1": (LOSS, PLAYED), "1/2-1/2": (DRAW, PLAYED), "½-½": (DRAW, PLAYED),
    "0.5-0.5": (DRAW, PLAYED), "0,5-0,5": (DRAW, PLAYED), "=-=": (DRAW, PLAYED), ".5-.5": (DRAW, PLAYED),
    "1": (WIN, PLAYED), "0": (LOSS, PLAYED), "½": (DRAW, PLAYED), "0.5": (DRAW, PLAYED), "0,5": (DRAW, PLAYED),
    "=": (DRAW, PLAYED), "1/2": (DRAW, PLAYED), "1.0": (WIN, PLAYED), "0.0": (LOSS, PLAYED), "draw": (DRAW, PLAYED),
    "remis": (DRAW, PLAYED), "white": (WIN, PLAYED), "black": (LOSS, PLAYED),
    "+--": (WIN, FORFEIT), "--+": (LOSS, FORFEIT), "+": (WIN, FORFEIT), "-": (LOSS, FORFEIT),
    "1-0f": (WIN, FORFEIT), "0-1f": (LOSS, FORFEIT), "1k": (WIN, FORFEIT), "0k": (LOSS, FORFEIT),
    "1-0k": (WIN, FORFEIT), "0-1k": (LOSS, FORFEIT), "1f-0f": (WIN, FORFEIT), "0f-1f": (LOSS, FORFEIT),
    "---": (None, FORFEIT), "0-0f": (None, FORFEIT), "0-0": (None, FORFEIT),
    "*": (None, PENDING), "": (None, PENDING), "?": (None, PENDING),
}  # fmt: skip
DASHES = str.maketrans({"–": "-", "—": "-", "−": "-", ":": "-", " ": None, "\t": None, "\xa0": None, "‑": "-"})
TAG = re.compile(r'\s*\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*')
SIDE_TAGS = {"name": "", "rating": "Elo", "title": "Title", "id": "FideId", "federation": "Country"}
UNKNOWN = ("", "?", "-", "??", "*")
EVERY = 5000  # lines between two calls of a progress hook


def is_pgn(head: list[str]) -> bool:
    """Whether the first line that is not blank is a header."""
    first = next((line for line in head if line.strip() and not line.startswith("%")), "")
    return TAG.fullmatch(first) is not None


def read_pgn(data: bytes, path: str, progress: Callable[[int, int], object] | None = None) -> Tournament:
    """The tournament in the headers of its games; a BadFile if there is no game."""
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
            opened, closed = line.rfind("{"), line.rfind("}")
            comment = comment if opened == closed == -1 else opened > closed
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


def entrants_of(games: list[Paired], path: str, odd: list[Oddity]) -> tuple[Entrant, ...]:
    """The players with their rounds; without numbers they are numbered by rating, like a starting list."""
    field = _Field(path, odd)
    for game in games:
        if game.round is not None:
            field.put(game, game.round)
    for game in games:
        if game.round is None:
            field.put(game, 0)
    return field.entrants()


class _Field:
    """The players found so far, by number, by ID and by name."""

    def __init__(self, path: str, odd: list[Oddity]) -> None:
        self.path = path
        self.odd = odd
        self.seats: list[_Seat] = []
        self.known: dict[tuple[str, object], _Seat] = {}

    def put(self, game: Paired, wanted: int) -> None:
        """Put a game into its round, or into the first that is free for both."""
        white, black = self._seat(game.white, game.line), self._seat(game.black, game.line)
        if white is black:
            self.odd.append(Oddity(say("formats.game.both_colours"), game.line, None, True))
            return
        at = self._free(white, black, wanted, game.line)
        mine, other = game.score, None if game.score is None else WIN - game.score
        if game.kind == FORFEIT and game.score is None:  # neither came
            mine = other = LOSS
        white.played[at] = game.kind, black, "white", mine
        black.played[at] = game.kind, white, "black", other
        white.taken |= 1 << at
        black.taken |= 1 << at

    def _free(self, white: _Seat, black: _Seat, wanted: int, line: int | None) -> int:
        """The round wanted, or the first after it in which neither has a game."""
        taken = white.taken | black.taken
        at = wanted or 1
        if taken >> at & 1:
            free = ~(taken >> at)
            at += (free & -free).bit_length() - 1
            if wanted:
                self.odd.append(Oddity(say("formats.game.occupied", wanted=wanted, round=at), line))
        if at > MOST_ROUNDS:
            said = say("formats.game.many_rounds", round=at, most=MOST_ROUNDS)
            raise BadFile(said, at=place(self.path, line))
        return at

    def _seat(self, side: Side, line: int | None) -> _Seat:
        """The player, identified by number, or else by ID, or else by name."""
        keys = side.keys
        seat = next(
            (self.known[key] for key in keys if key in self.known and self._may_be(self.known[key], side)), None
        )
        if seat is None:
            if len(self.seats) >= MOST_PLAYERS:
                raise BadFile(say("formats.file.many_players", most=MOST_PLAYERS), at=place(self.path, line))
            seat = _Seat(side, line)
            self.seats.append(seat)
        for key in keys:
            self.known.setdefault(key, seat)
        self._add_facts(seat, side, line)
        return seat

    @staticmethod
    def _may_be(seat: _Seat, side: Side) -> bool:
        """Whether they may be the same player: two with the same name but different numbers or IDs are not."""
        ids = seat.side.player.fide_id, side.player.fide_id
        numbers = seat.side.no, side.no
        return all(None in pair or pair[0] == pair[1] for pair in (ids, numbers))

    def _add_facts(self, seat: _Seat, side: Side, line: int | None) -> None:
        """Add what only this game says about the player; of two ratings the first counts."""
        old, new = seat.side.player, side.player
        if None not in (old.rating, new.rating) and old.rating != new.rating:
            who = new.name or new.fide_id or side.no
            says = say("formats.game.two_ratings", who=who, rating=new.rating, before=old.rating)
            self.odd.append(Oddity(says, line))
        if old != new:
            seat.side = seat.side._replace(player=updated(new, old))

    def entrants(self) -> tuple[Entrant, ...]:
        """All players by number; without numbers, by rating."""
        numbers = {seat.side.no for seat in self.seats}
        given = None not in numbers and len(numbers) == len(self.seats)
        order = sorted(self.seats, key=lambda seat: seat.side.no or 0 if given else -int(seat.side.player.rating or 0))
        for number, seat in enumerate(order, start=1):
            seat.no = (seat.side.no or 0) if given else number
        return tuple(Entrant(seat.no, seat.side.player, seat.rounds(), line=seat.line) for seat in order)


class _Seat:
    """A player under construction: what the games say about the player, and what was played in each round."""

    def __init__(self, side: Side, line: int | None) -> None:
        self.side = side
        self.line = line
        self.taken = 0  # a bit for each round
        self.played: dict[int, tuple[str, _Seat, str, Decimal | None]] = {}
        self.no = 0

    def rounds(self) -> tuple[Round, ...]:
        """The rounds up to the last that was played."""
        return tuple(self._round(at) for at in range(1, max(self.played, default=0) + 1))

    def _round(self, at: int) -> Round:
        if at not in self.played:
            return Round(ABSENT)
        kind, opponent, colour, score = self.played[at]
        return Round(kind, opponent.no, colour, score)


class Paired(NamedTuple):
    """One game of a file, its round if that is given, and its line."""

    white: Side
    black: Side
    score: Decimal | None  # White's
    kind: str
    round: int | None = None
    line: int | None = None


class Side(NamedTuple):
    """One player of a game, identified by number, or else by FIDE ID, or else by name."""

    player: Player
    no: int | None = None

    @property
    def keys(self) -> list[tuple[str, object]]:
        """What identifies the player, the surest first."""
        name = (self.player.name or "").casefold() or None
        named = (("no", self.no), ("id", self.player.fide_id), ("name", name))
        return [(what, value) for what, value in named if value is not None]


def result_of(text: str) -> tuple[Decimal | None, str]:
    """White's score and the kind of game; a ValueError if the text is not a result."""
    plain = text.translate(DASHES).lower()
    if plain not in RESULTS:
        raise ValueError(text)
    return RESULTS[plain]


def round_number(text: str) -> int | None:
    """The round of `3`, or of `3.12` for board 12 of round 3; None for `-` and `?`."""
    head = text.strip().partition(".")[0]
    if head in ("", "-", "?", "0"):
        return None
    if not (head.isascii() and head.isdigit() and len(head) <= 6):
        raise ValueError(text)
    return int(head)
