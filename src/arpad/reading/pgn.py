"""Games in a pasted PGN text: the tags say who played whom, and one player's games are read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from arpad.messages import Message, say
from arpad.reading.pasted import Account, PastedGame, PastedLine
from arpad.reading.results import SIDES, compact
from arpad.reading.tables.boards import COLOUR_OF_SIDE
from arpad.reading.tables.cells import rating_in
from arpad.reading.text import name_words, persons_called

NEEDED = ("White", "Black")
NO_ELO = ("?", "-", "0", "", "??")


def read_pgn(account: Account) -> bool:
    """Read the games of a PGN text; false if it is not PGN."""
    games = [game for game in _games(account.lines) if any(name in game.tags for name in NEEDED)]
    if not games:
        return False
    account.layout = "PGN"
    own = _player(account, games)
    for number, game in enumerate(games, start=1):
        names = [game.tag(name) for name in NEEDED]
        sides = [] if own is None else persons_called(own, names)
        if len(sides) != 1:
            account.leave(game.lines, say("reading.why.not_the_players"), doubtful=own is None)
            continue
        read = _game(game, sides[0], number)
        if isinstance(read, PastedGame):
            account.add(read, game.lines)
        else:
            account.leave(game.lines, read, doubtful=True)
    return True


def _games(lines: Sequence[PastedLine]) -> list[TaggedGame]:
    games = [TaggedGame()]
    for line in lines:
        tag = _tag_of(line.text)
        if tag is not None and (games[-1].has_moves or tag[0] in games[-1].tags):
            games.append(TaggedGame())
        if tag is not None:
            games[-1].tags[tag[0]] = tag[1]
        elif not line.is_blank:
            games[-1].has_moves = bool(games[-1].tags)
        if not line.is_blank and games[-1].tags:
            games[-1].lines.append(line)
    return games


def _tag_of(line: str) -> tuple[str, str] | None:
    """The name and value of a tag line, `[White "…"]`; None if it is not one."""
    text = line.strip()
    if not text.startswith("[") or not text.endswith("]"):
        return None
    name, quote, rest = text[1:-1].partition('"')
    value, closing, _ = rest.rpartition('"')
    return (name.strip(), value) if quote and closing and name.strip().isalnum() else None


def _player(account: Account, games: Sequence[TaggedGame]) -> str | None:
    """Whose games these are: the name that was given, or else the one that is in every game."""
    names = [game.tag(name) for game in games for name in NEEDED]
    if account.player is not None:
        account.whose(names)
        return account.player
    counts = Counter(name_words(name) for name in names if name)
    everywhere = [words for words, count in counts.items() if count == len(games)]
    if len(everywhere) != 1:
        account.whose(names)
        return None
    name = next(name for name in names if name_words(name) == everywhere[0])
    account.player = name
    account.note(say("reading.note.in_every_game", name=name))
    return name


def _game(game: TaggedGame, side: int, number: int) -> PastedGame | Message:
    """A game from one player's side, or why it cannot be read."""
    text = compact(game.tag("Result"))
    if text not in SIDES and text not in ("*", ""):
        return say("reading.why.not_a_pgn_result", text=game.tag("Result")[:20])
    other = NEEDED[1 - side]
    elo = game.tag(f"{other}Elo")
    rating = rating_in(elo.rstrip("?") if elo not in NO_ELO else "0")
    title = game.tag(f"{other}Title")
    round_number = game.tag("Round").partition(".")[0]
    return PastedGame(
        result=SIDES[text][side] if text in SIDES else "to-come",
        round=int(round_number) if round_number.isdecimal() and len(round_number) <= 3 else number,
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
    """The tags of a game, and its lines."""

    tags: dict[str, str] = field(default_factory=dict)
    lines: list[PastedLine] = field(default_factory=list)
    has_moves: bool = False

    def tag(self, name: str) -> str:
        """A tag's value; nothing if it is not there."""
        return self.tags.get(name, "").strip()
