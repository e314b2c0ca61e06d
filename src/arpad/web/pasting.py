"""A paste in a form: its games as rows, and what stays in the field to correct."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from arpad.core import MOST_GAMES, TITLES
from arpad.errors import BadInput
from arpad.messages import say
from arpad.reading import OPEN, read_paste
from arpad.reading.pasted import NOTATION

if TYPE_CHECKING:
    from collections.abc import Iterator

    from arpad.reading.pasted import LeftOutLine, Paste, PastedGame

Query = list[tuple[str, str]]
UNRATED_ROW = "open"  # a row that is not rated: a game to come, or one without the opponent's rating


class PastedText(NamedTuple):
    """A text pasted into a field of the form, and what was read from it."""

    at: str  # the path of the field
    text: str
    reading: Paste

    @property
    def to_correct(self) -> list[LeftOutLine]:
        """The lines left out that may hold a game; in a plain list of games, all of them."""
        used = {line for game in self.reading.games for line in range(game.line, game.line + game.lines)}
        every = self.reading.layout == "lines"
        return [line for line in self.reading.left_out if (line.doubtful or every) and line.line not in used]

    @property
    def remaining(self) -> str:
        """What stays in the field: lines to correct, or the whole text if nothing was read."""
        return "\n".join(line.text for line in self.to_correct) if self.reading.games else self.text

    @property
    def is_plain(self) -> bool:
        """Whether every line became a rated game, so that there is nothing to report."""
        return not self.reading.left_out and not self.reading.notes and all(map(_is_rated, self.reading.games))

    def pairs(self, *, to_come: bool = False) -> Query:
        """The games for the address, with the opponents' names; also those to come, if the page takes them."""
        return [pair for game in self.reading.games for pair in _pairs(game, to_come=to_come)]


def read_into(at: str, text: str, player: str | None) -> PastedText:
    """A pasted text, read for a field of the form."""
    reading = read_paste(text, player=player)
    if len(reading.games) > MOST_GAMES:
        raise BadInput(say("reading.many_games", games=len(reading.games), most=MOST_GAMES), at="text")
    return PastedText(at, text, reading)


def read_opponent(game: PastedGame) -> str:
    """An opponent as in the paste: rating, title and name."""
    known = str(game.opponent) if game.opponent is not None else ""
    state = "" if known or game.result == "bye" else str(say(f"reading.state.{game.rating_state}"))
    return " ".join(filter(None, (known or state, game.title, game.name)))


def read_result(game: PastedGame) -> str:
    """How a game ended, and the player's colour."""
    colour = None if game.colour is None else str(say(f"reading.colour.{game.colour}"))
    return ", ".join(filter(None, (str(say(f"reading.result.{game.result}")), colour)))


def _is_rated(game: PastedGame) -> bool:
    return game.result != "to-come" and game.notation is not None


def _pairs(game: PastedGame, *, to_come: bool) -> Iterator[tuple[str, str]]:
    name = game.name
    if to_come and game.notation is not None:
        yield "game", _for_norms(game) if game.result != "to-come" else f"{_for_norms(game)}:{OPEN}"
    elif _is_rated(game):
        yield "game", game.notation or ""
    elif game.result == "to-come":
        yield UNRATED_ROW, f"{game.notation or ''}:{OPEN}"
    else:
        yield UNRATED_ROW, NOTATION[game.result]
        name = name or (None if game.round is None else str(say("pages.text.round_number", round=game.round)))
    if name:
        yield "who", name


def _for_norms(game: PastedGame) -> str:
    """A game in our notation, with the opponent's title and federation, which norms need: `2550gm/FRA@w:1`."""
    rating = str(game.opponent)
    if game.notation is None or not game.notation.startswith(rating):
        return game.notation or ""
    title = game.title.lower() if game.title in TITLES else ""
    federation = f"/{game.federation}" if game.federation and "/" not in game.notation else ""
    return f"{rating}{title}{federation}{game.notation.removeprefix(rating)}"
