"""Games one by one, from a table or from PGN, put together to a tournament."""

from decimal import Decimal
from typing import NamedTuple

from arpad.errors import BadFile
from arpad.files.text import place
from arpad.model import DRAW, LOSS, WIN, Player
from arpad.tournament import ABSENT, FORFEIT, PENDING, PLAYED, Entrant, Oddity, Round

MOST_ROUNDS = 200
MOST_PLAYERS = 50_000

# White's score, and whether the game was played; letters in small, without blanks.
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
    "*": (None, PENDING), "": (None, PENDING), "?": (None, PENDING), "-:-": (None, FORFEIT),
}  # fmt: skip
DASHES = str.maketrans({"–": "-", "—": "-", "−": "-", ":": "-", " ": None, "\t": None, "\xa0": None, "‑": "-"})


class Side(NamedTuple):
    """One player of a game, as far as the file knows: the number, or else the FIDE ID, or else the name tells who."""

    player: Player
    no: int | None = None

    @property
    def key(self) -> tuple[str, object]:
        """Who it is."""
        if self.no is not None:
            return "no", self.no
        if self.player.fide_id is not None:
            return "id", self.player.fide_id
        return "name", (self.player.name or "").casefold()


class Paired(NamedTuple):
    """One game of a file, its round if that is given, and where it stands."""

    white: Side
    black: Side
    score: Decimal | None  # White's
    kind: str
    round: int | None = None
    line: int | None = None


def result_of(text: str) -> tuple[Decimal | None, str]:
    """White's score and how the game came by it; a ValueError for what is no result."""
    plain = text.translate(DASHES).lower()
    if plain not in RESULTS:
        raise ValueError(text)
    return RESULTS[plain]


def round_number(text: str) -> int | None:
    """`3`, or `3.12` for board 12 of round 3; nothing for `-` and `?`."""
    head = text.strip().partition(".")[0]
    if head in ("", "-", "?", "0"):
        return None
    if not (head.isascii() and head.isdigit() and len(head) <= 6):
        raise ValueError(text)
    return int(head)


def entrants_of(games: list[Paired], path: str, odd: list[Oddity]) -> tuple[Entrant, ...]:
    """The players with their rounds; those without a number are numbered by rating, as a starting list is."""
    field = _Field(path, odd)
    for game in games:
        if game.round is not None:
            field.put(game, game.round)
    for game in games:
        if game.round is None:
            field.put(game, 0)
    return field.entrants()


class _Field:
    """The players met so far, what they did in each round, and which rounds of each are taken."""

    def __init__(self, path: str, odd: list[Oddity]) -> None:
        self.path = path
        self.odd = odd
        self.sides: dict[tuple[str, object], Side] = {}
        self.played: dict[tuple[str, object], dict[int, tuple[str, tuple[str, object], str, Decimal | None]]] = {}
        self.taken: dict[tuple[str, object], int] = {}
        self.lines: dict[tuple[str, object], int | None] = {}

    def put(self, game: Paired, wanted: int) -> None:
        """A game into its round, or into the first that is free for both."""
        white, black = self._seat(game.white, game.line), self._seat(game.black, game.line)
        if white == black:
            says = "The same player has both colours; the game is left out."
            self.odd.append(Oddity(says, game.line, None, True))
            return
        taken = self.taken[white] | self.taken[black]
        at = wanted or 1
        if taken >> at & 1:
            free = ~(taken >> at)
            at += (free & -free).bit_length() - 1
            if wanted:
                says = f"One of the players has a game in round {wanted} already; this one is put into round {at}."
                self.odd.append(Oddity(says, game.line))
        if at > MOST_ROUNDS:
            raise BadFile(
                f"A game of round {at}; a tournament of at most {MOST_ROUNDS} rounds can be read.",
                at=place(self.path, game.line),
            )
        mine, other = game.score, None if game.score is None else WIN - game.score
        if game.kind == FORFEIT and game.score is None:  # neither came
            mine = other = LOSS
        self.played[white][at] = game.kind, black, "white", mine
        self.played[black][at] = game.kind, white, "black", other
        self.taken[white] |= 1 << at
        self.taken[black] |= 1 << at

    def _seat(self, side: Side, line: int | None) -> tuple[str, object]:
        """Who it is, with what the games so far say of the player; the first word counts."""
        key = side.key
        known = self.sides.get(key)
        if known is None:
            if len(self.sides) >= MOST_PLAYERS:
                raise BadFile(f"A file of at most {MOST_PLAYERS} players can be read.", at=place(self.path, line))
            self.sides[key], self.played[key], self.taken[key], self.lines[key] = side, {}, 0, line
            return key
        if known.player.rating != side.player.rating and side.player.rating is not None:
            if known.player.rating is None:
                self.sides[key] = side
            else:
                says = f"{side.player.name or key[1]} has {side.player.rating} here and {known.player.rating} before."
                self.odd.append(Oddity(says, line))
        return key

    def entrants(self) -> tuple[Entrant, ...]:
        """Everybody by number."""
        order = sorted(self.sides, key=self._order)
        given = all(side.no is not None for side in self.sides.values())
        numbers = {key: self.sides[key].no if given else place for place, key in enumerate(order, start=1)}
        return tuple(
            Entrant(numbers[key] or 0, self.sides[key].player, self._rounds(key, numbers), line=self.lines[key])
            for key in order
        )

    def _order(self, key: tuple[str, object]) -> tuple[int, int]:
        side = self.sides[key]
        return (side.no, 0) if side.no is not None else (0, -int(side.player.rating or 0))

    def _rounds(self, key: tuple[str, object], numbers: dict[tuple[str, object], int | None]) -> tuple[Round, ...]:
        played = self.played[key]
        rounds = []
        for at in range(1, max(played, default=0) + 1):
            if at not in played:
                rounds.append(Round(ABSENT))
                continue
            kind, opponent, colour, score = played[at]
            rounds.append(Round(kind, numbers[opponent], colour, score))
        return tuple(rounds)
