"""Single games combined into a tournament: from a list in a table, or from PGN, of which only the headers are read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from itertools import count
from typing import NamedTuple

from arpad.core import LOSS, WIN, Player, updated
from arpad.core.tournaments import ABSENT, FORFEIT, Entrant, Oddity, Round, Source, Tournament
from arpad.errors import BadFile
from arpad.formats.text import check_oddities, lines_of, place
from arpad.formats.trf.event import pace_of
from arpad.messages import say
from arpad.reading.days import read_day
from arpad.reading.pgn import NEEDED, TaggedGame, tagged_games
from arpad.reading.results import Result
from arpad.reading.tables.cells import ENDED, no_game_in
from arpad.reading.tables.player import player_of

MOST_ROUNDS = 200
MOST_PLAYERS = 50_000
NOTHING = Round(ABSENT)

SIDE_TAGS = {"name": "", "rating": "Elo", "title": "Title", "id": "FideId", "federation": "Country"}
UNKNOWN = ("", "?", "-", "??", "*")


def read_pgn(data: bytes, path: str, progress: Callable[[int, int], object] | None = None) -> Tournament:
    """The tournament in the headers of its games; a BadFile if there is no game."""
    odd: list[Oddity] = []
    games: list[Paired] = []
    events = {name: Counter[str]() for name in ("Event", "Site", "TimeControl")}
    days: dict[int, date] = {}
    every: list[date] = []
    lines = lines_of(data, path)
    for found in tagged_games(lines):
        number, tags = found.first, found.tags
        if progress is not None:
            progress(number, len(lines))
        for name, seen in events.items():
            seen.update(text for text in [tags.get(name, "?")] if text not in UNKNOWN)
        game = _game(found, odd)
        check_oddities(odd, path, number)
        if game is None:
            continue
        games.append(game)
        day = _day(tags)
        if day is not None:
            every.append(day)
            days.setdefault(game.round or 0, day)
    if progress is not None:
        progress(len(lines), len(lines))
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
        round_days=tuple(days.get(at) for at in range(1, rounds + 1)) if any(days) else (),
        oddities=tuple(odd),
        source=Source("pgn", data),
    )


def _game(found: TaggedGame, odd: list[Oddity]) -> Paired | None:
    """One game; None, with the reason added to the oddities, if it cannot be used."""
    number = found.first
    names = [found.tag(name) for name in NEEDED]
    if any(name in UNKNOWN for name in names):
        odd.append(Oddity(say("formats.game.no_side"), number, None, True))
        return None
    if any(map(no_game_in, names)):
        odd.append(Oddity(say("formats.game.bye"), number, None, True))
        return None
    both = found.results
    if both is None:
        odd.append(Oddity(say("formats.game.result", text=found.tag("Result")), number, None, True))
        return None
    try:
        at = found.round
    except ValueError:
        odd.append(Oddity(say("formats.game.pgn_round", text=found.tag("Round")), number))
        at = None
    white, black = (_side(found.tags, name, number, odd) for name in NEEDED)
    return Paired(white, black, *score_and_kind(both), at, number)


def _side(tags: dict[str, str], colour: str, number: int, odd: list[Oddity]) -> Side:
    """One player of a game."""
    texts = {role: tags.get(f"{colour}{tag}", "").strip() for role, tag in SIDE_TAGS.items()}
    player, _ = player_of(texts, lambda says, _: odd.append(Oddity(says, number, None, True)))
    return Side(player)


def _day(tags: dict[str, str]) -> date | None:
    for name in ("Date", "EventDate"):
        try:
            return read_day(tags.get(name, "")).day
        except ValueError:
            continue
    return None


def _commonest(seen: Counter[str]) -> str | None:
    return max(seen, key=lambda text: seen[text], default=None)


def entrants_of(games: Sequence[Paired], path: str, odd: list[Oddity], byes: Sequence[Bye] = ()) -> tuple[Entrant, ...]:
    """The players with their rounds; without numbers they are numbered by rating, like a starting list."""
    players = _Field(path, odd)
    for game in sorted(games, key=lambda game: game.round is None):
        players.put(game)
    for bye in byes:
        players.put_bye(bye)
    return players.entrants()


class _Field:
    """The players found so far, by number, by ID and by name."""

    def __init__(self, path: str, odd: list[Oddity]) -> None:
        self.path = path
        self.odd = odd
        self.seats: list[_Seat] = []
        self.known: dict[tuple[str, object], _Seat] = {}

    def put(self, game: Paired) -> None:
        """Put a game into its round, or into the first after it, or of all, that is free for both."""
        white, black = self._seat(game.white, game.line), self._seat(game.black, game.line)
        if white is black:
            self.odd.append(Oddity(say("formats.game.both_colours"), game.line, None, True))
            return
        wanted = game.round or 1
        at = next(number for number in count(wanted) if number not in white.rounds and number not in black.rounds)
        if game.round and at != wanted:
            twice = white.rounds.get(wanted, (None, None))[1] is black  # perhaps one game in two rows
            said = say("formats.game.occupied", wanted=wanted, round=at)
            self.odd.append(Oddity(said, game.line, contradicts=twice))
        if at > MOST_ROUNDS:
            said = say("formats.game.many_rounds", round=at, most=MOST_ROUNDS)
            raise BadFile(said, at=place(self.path, game.line))
        mine, other = game.score, None if game.score is None else WIN - game.score
        if game.kind == FORFEIT and game.score is None:  # neither came
            mine = other = LOSS
        white.rounds[at] = game.kind, black, "white" if game.colours else None, mine
        black.rounds[at] = game.kind, white, "black" if game.colours else None, other

    def put_bye(self, bye: Bye) -> None:
        """Put a round without an opponent into its round, unless the player has a game there."""
        seat = self._seat(bye.side, bye.line)
        if bye.round in seat.rounds or bye.round > MOST_ROUNDS:
            self.odd.append(Oddity(say("formats.game.bye"), bye.line, None, True))
        else:
            seat.rounds[bye.round] = bye.kind, None, None, None

    def _seat(self, side: Side, line: int | None) -> _Seat:
        """The player, identified by number, or else by ID, or else by name, with what this game adds."""
        found = (self.known[key] for key in side.keys if key in self.known)
        seat = next((seat for seat in found if seat.may_be(side)), None)
        if seat is None:
            if len(self.seats) >= MOST_PLAYERS:
                raise BadFile(say("formats.file.many_players", most=MOST_PLAYERS), at=place(self.path, line))
            seat = _Seat(side, line)
            self.seats.append(seat)
        for key in side.keys:
            self.known.setdefault(key, seat)
        old, new = seat.side.player, side.player
        if None not in (old.rating, new.rating) and old.rating != new.rating:
            who = new.name or new.fide_id or side.no
            says = say("formats.game.two_ratings", who=who, rating=new.rating, before=old.rating)
            self.odd.append(Oddity(says, line))
        if old != new:
            seat.side = seat.side._replace(player=updated(new, old))
        return seat

    def entrants(self) -> tuple[Entrant, ...]:
        """All players by number; without numbers, by rating."""
        numbers = {seat.side.no for seat in self.seats}
        given = None not in numbers and len(numbers) == len(self.seats)
        order = sorted(self.seats, key=lambda seat: seat.side.no or 0 if given else -int(seat.side.player.rating or 0))
        for number, seat in enumerate(order, start=1):
            seat.no = (seat.side.no or 0) if given else number
        return tuple(Entrant(seat.no, seat.side.player, seat.in_order(), line=seat.line) for seat in order)


@dataclass(slots=True, eq=False)
class _Seat:
    """A player under construction: what the games say about the player, and the opponent and game of each round."""

    side: Side
    line: int | None
    rounds: dict[int, tuple[str, _Seat | None, str | None, Decimal | None]] = field(default_factory=dict)
    no: int = 0

    def may_be(self, side: Side) -> bool:
        """Whether they may be the same player: two with the same name but different numbers or IDs are not."""
        ids = self.side.player.fide_id, side.player.fide_id
        numbers = self.side.no, side.no
        return all(None in pair or pair[0] == pair[1] for pair in (ids, numbers))

    def in_order(self) -> tuple[Round, ...]:
        """The rounds up to the last that was played, when every player has a number."""
        found = {
            at: Round(kind, None if opponent is None else opponent.no, colour, score)
            for at, (kind, opponent, colour, score) in self.rounds.items()
        }
        return tuple(found.get(at, NOTHING) for at in range(1, max(found, default=0) + 1))


class Paired(NamedTuple):
    """One game of a file, its round if that is given, and its line."""

    white: Side
    black: Side
    score: Decimal | None  # White's
    kind: str
    round: int | None = None
    line: int | None = None
    colours: bool = True  # whether it is known who had White


class Bye(NamedTuple):
    """A round of a player without an opponent."""

    side: Side
    kind: str
    round: int
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


def score_and_kind(both: tuple[Result, Result]) -> tuple[Decimal | None, str]:
    """White's score and the kind of game; if neither came, there is no score."""
    kind, score = ENDED[both[0]]
    return (None if both[0] == both[1] and kind == FORFEIT else score), kind
