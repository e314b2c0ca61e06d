"""Games in a pasted PGN text: the tags say who played whom, and one player's games are read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from arpad.core.tournaments import FORFEIT
from arpad.messages import Message, say
from arpad.reading.pasted import Account, PastedGame, PastedLine
from arpad.reading.results import FORFEITED, Result, both_results
from arpad.reading.tables.cells import no_game_in, rating_in
from arpad.reading.tables.own import COLOUR_OF_SIDE, state_rating
from arpad.reading.text import persons_called
from arpad.reading.time_controls import read_pace

NEEDED = ("White", "Black")
LOST_ON_TIME = "time forfeit"
TAG = re.compile(r'\s*\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*')
NO_ELO = ("?", "-", "0", "", "??")
SECONDS = re.compile(r"(\d{2,6})(\+\d{1,4})?")  # of a game, as PGN has them: 5400+30
MOST_DIGITS = 12  # of an ID
DAY = re.compile(r"\d{4}\.\d{2}\.\d{2}")
SITES = {"lichess": "lichess", "chess.com": "chesscom"}  # whose ratings the tags have, by a part of `Site`


def read_pgn(account: Account) -> bool:
    """Read the games of a PGN text; false if it is not PGN."""
    found = tagged_games(line.text for line in account.lines)
    games = [game for game in found if any(name in game.tags for name in NEEDED)]
    if not games:
        return False
    account.layout = "PGN"
    everybody = [game.tag(name) for game in games for name in NEEDED]
    given, own = account.player, account.in_every_game(everybody, len(games))
    if given is not None or own is None:
        account.whose(everybody)
    for number, game in enumerate(games, start=1):
        names = [game.tag(name) for name in NEEDED]
        lines = account.lines[game.first - 1 : game.last]
        sides = [] if own is None else persons_called(own, names)
        if len(sides) != 1:
            account.leave(lines, say("reading.why.not_the_players"), doubtful=own is None)
            continue
        _state(account, game, sides[0], lines)
        read = _game(game, sides[0], number)
        if isinstance(read, PastedGame):
            account.add(read, [line for line in lines if not line.is_blank])
        else:
            account.leave(lines, read, doubtful=True)
    _state_days(account, games)
    return True


def tagged_games(lines: Iterable[str]) -> Iterator[TaggedGame]:
    """The tags of each game, with its first and last line; a tag after moves begins the next game.

    A comment in braces may have lines that look like tags.
    """
    game = TaggedGame()
    moves = comment = False
    for number, line in enumerate(lines, start=1):
        tag = None if comment else TAG.fullmatch(line)
        if tag is None:
            opened, closed = line.rfind("{"), line.rfind("}")
            comment = comment if opened == closed == -1 else opened > closed
            moves = moves or bool(line.strip())
        else:
            if game.tags and (moves or tag[1] == "Event" or tag[1] in game.tags):
                yield game
                game = TaggedGame()
            moves = False
            game.first = game.first or number
            game.tags[tag[1]] = tag[2].replace('\\"', '"').replace("\\\\", "\\")
        if line.strip() and game.tags:
            game.last = number
    if game.tags:
        yield game


def is_pgn(head: Iterable[str]) -> bool:
    """Whether the first line that is not blank is a tag."""
    first = next((line for line in head if line.strip() and not line.startswith("%")), "")
    return TAG.fullmatch(first) is not None


def _state(account: Account, game: TaggedGame, side: int, lines: Sequence[PastedLine]) -> None:
    """What the tags of a game say about the player, the event, and the site whose ratings they have."""
    own = NEEDED[side]
    if game.tag(f"{own}Elo") not in NO_ELO:
        state_rating(account, game.tag(f"{own}Elo"), _line_of(f"{own}Elo", lines))
    if game.tag(f"{own}FideId").isdecimal():
        account.state("fide_id", int(game.tag(f"{own}FideId")[:MOST_DIGITS]), _line_of(f"{own}FideId", lines))
    for what, name in (("title", f"{own}Title"), ("event", "Event")):
        if game.tag(name) not in NO_ELO:
            account.state(what, game.tag(name), _line_of(name, lines))
    time = game.tag("TimeControl")
    if seconds := SECONDS.fullmatch(time):
        time = f"{int(seconds[1]) / 60:g}{seconds[2] or '+0'}"
    if time and read_pace(time).pace is not None:
        account.state("time", time, _line_of("TimeControl", lines))
    site = next((system for part, system in SITES.items() if part in game.tag("Site").lower()), None)
    if site is not None:
        account.state("system", site, _line_of("Site", lines))


def _state_days(account: Account, games: Sequence[TaggedGame]) -> None:
    """The first and the last day, if the games are of one event."""
    days = sorted((game.tag("Date"), game.first) for game in games if DAY.fullmatch(game.tag("Date")))
    if not days or len({game.tag("Event") for game in games}) > 1:
        return
    ends = {"on": days[0]} | ({"ended": days[-1]} if days[-1][0] > days[0][0] else {})
    for what, (day, first) in ends.items():
        account.state(what, day.replace(".", "-"), _line_of("Date", account.lines[first - 1 :]))


def _line_of(name: str, lines: Sequence[PastedLine]) -> PastedLine:
    """The line with a tag."""
    return next(line for line in lines if (tag := TAG.fullmatch(line.text)) and tag[1] == name)


def _game(game: TaggedGame, side: int, number: int) -> PastedGame | Message:
    """A game from one player's side, or why it cannot be read."""
    both = game.results
    if both is None:
        return say("reading.why.not_a_pgn_result", text=game.tag("Result")[:20])
    try:
        round_number = game.round or number
    except ValueError:
        round_number = number
    other = NEEDED[1 - side]
    if no_game_in(game.tag(other)):
        return PastedGame(result="bye", round=round_number, read_from=game.tag("Result"))
    elo = game.tag(f"{other}Elo")
    rating = rating_in(elo.rstrip("?") if elo not in NO_ELO else "0")
    title = game.tag(f"{other}Title")
    return PastedGame(
        result=both[side],
        round=round_number,
        opponent=rating.rating if rating else None,
        rating_state="unknown" if rating is None or f"{other}Elo" not in game.tags else rating.state,
        name=game.tag(other) or None,
        title=title if title not in NO_ELO else None,
        colour=COLOUR_OF_SIDE[side],
        event=game.tag("Event") or None,
        read_from=game.tag("Result"),
    )


@dataclass(slots=True)
class TaggedGame:
    """The tags of a game, and where it begins and ends."""

    tags: dict[str, str] = field(default_factory=dict)
    first: int = 0
    last: int = 0

    def tag(self, name: str) -> str:
        """A tag's value; nothing if it is not there."""
        return self.tags.get(name, "").strip()

    @property
    def results(self) -> tuple[Result, Result] | None:
        """How it ended for White and for Black, by forfeit if `Termination` says so; None if that is not understood.

        PGN's `time forfeit` is a game lost on time, which was played.
        """
        both = both_results(self.tag("Result") or "*")
        ended = self.tag("Termination").lower()
        if both is not None and FORFEIT in ended and LOST_ON_TIME not in ended:
            return FORFEITED.get(both[0], both[0]), FORFEITED.get(both[1], both[1])
        return both

    @property
    def round(self) -> int | None:
        """The round of `3`, or of `3.12` for board 12 of round 3; None without one, ValueError for another text."""
        return round_number(self.tag("Round"))


def round_number(text: str) -> int | None:
    """The round of `3`, or of `3.12` for board 12 of round 3; None for `-` and `?`."""
    head = text.strip().partition(".")[0]
    if head in ("", "-", "?", "0"):
        return None
    if not (head.isascii() and head.isdigit() and len(head) <= 6):
        raise ValueError(text)
    return int(head)
