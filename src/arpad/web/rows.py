"""Games as rows of a form, in an address, and from a paste.

In an address a game is one word: `2550gm/FRA@w:?` is rating, title, federation, colour and result. A row of a form has
a column for each of them, and a pasted table becomes rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from arpad.core import MOST_GAMES, TITLES
from arpad.errors import BadInput
from arpad.messages import say
from arpad.reading import BYE, FORFEITS, OPEN, RESULTS, read_paste, score_of, split_game
from arpad.reading.pasted import NOTATION

if TYPE_CHECKING:
    from arpad.reading.pasted import LeftOutLine, Paste, PastedGame

Query = list[tuple[str, str]]
UNRATED_ROW = "open"  # a row that is not rated: a game to come, or one without the opponent's rating
# The fields of a row after the opponent. Titles and federations are asked for only when norms are.
CELLS = ("opponent_title", "opponent_federation", "rd", "result", "who")
TO_COME = ("outlook",)  # pages that take games to come
RESULT_WORDS = {score: word for word, score in RESULTS.items() if word in ("win", "draw", "loss")}
# Every repetition has a limit, so that matching a long line takes linear time.
OPPONENT = re.compile(
    rf"(?P<rating>\d{{1,4}}(?:\.\d{{1,4}})?s?)(?P<title>{'|'.join(TITLES)})?"
    r"(?:/(?:(?P<rd>\d{1,3}(?:\.\d{1,4})?)|(?P<federation>[A-Z]{3})))?(?P<colour>@\w{1,9})?",
    re.IGNORECASE,
)


class GameRow(NamedTuple):
    """A game as the form shows it."""

    opponent: str = ""
    result: str = "win"
    who: str = ""

    def cells(self, columns: str = "") -> Cells:
        """The opponent in the columns of a form: for a `deviation`, for `norms`, or none; otherwise in one piece."""
        found = OPPONENT.fullmatch(self.opponent)
        shown = {"deviation": ("rd",), "norms": ("title", "federation")}.get(columns, ())
        if found is None or any(found[name] and name not in shown for name in ("title", "federation", "rd")):
            return Cells(self.opponent)
        title, federation = ((found[name] or "").upper() for name in ("title", "federation"))
        return Cells(f"{found['rating']}{found['colour'] or ''}", title, federation, found["rd"] or "")


class Cells(NamedTuple):
    """An opponent, split into the columns of a row."""

    opponent: str
    title: str = ""
    federation: str = ""
    rd: str = ""


def rows_of(pairs: Query, question: str) -> list[GameRow]:
    """The games in the address as rows, except those of events."""
    rows: list[GameRow] = []
    for name, text in pairs:
        if name == "event":
            break
        if name in ("game", "against", UNRATED_ROW):
            opponent, colon, result = text.rpartition(":")
            if question in TO_COME and not colon:
                rows.append(GameRow(text, OPEN))
            else:
                rows.append(GameRow(opponent if name == UNRATED_ROW else opponent or text, choice(result)))
        elif name == "who" and rows:
            rows[-1] = rows[-1]._replace(who=text)
    return rows


def blank_row(question: str) -> GameRow:
    """The empty row for the next game."""
    return GameRow(result=OPEN if question in TO_COME else "win")


def rated_rows(rows: Sequence[GameRow], question: str) -> list[int]:
    """The indices of the rows that are games of the question."""
    return [place for place, row in enumerate(rows) if row.opponent and (row.result != OPEN or question in TO_COME)]


def joined_row(opponent: str, behind: Query, question: str) -> Query:
    """A row's opponent, with the fields after it that belong to the same row, as a game."""
    fields = {name: text for name, text in takewhile(lambda pair: pair[0] in CELLS, behind) if text}
    if not opponent and "who" not in fields:
        return []
    who, typed = split_game(opponent)  # the result may have been typed after the opponent
    result = choice(typed) if typed else fields.get("result", blank_row(question).result)
    game = opponent if opponent.lower() == BYE else f"{_with_cells(who, fields)}:{result}"
    to_come = result == OPEN and question not in TO_COME
    return [
        (UNRATED_ROW if not opponent or to_come else "game", game),
        *([("who", fields["who"])] if "who" in fields else []),
    ]


def _with_cells(who: str, fields: dict[str, str]) -> str:
    """An opponent with title, federation and deviation from their columns, unless typed together with them."""
    rating, at, colour = who.partition("@")
    if not rating.rstrip("s").replace(".", "", 1).isdecimal():
        return who
    behind = fields.get("opponent_federation") or fields.get("rd")
    return f"{rating}{fields.get('opponent_title', '').lower()}{f'/{behind}' if behind else ''}{at}{colour}"


def choice(result: str) -> str:
    """The form's choice for a result in any spelling; an unknown one stays unchanged, to be refused later."""
    result = result.strip().lower()
    if result in FORFEITS:
        return "+" if FORFEITS[result] else "-"
    score = score_of(result)
    return result if score is None else RESULT_WORDS[score]


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


def read_opponent(game: PastedGame) -> str:
    """An opponent as in the paste: rating, title and name."""
    known = str(game.opponent) if game.opponent is not None else ""
    state = "" if known or game.result == "bye" else str(say(f"reading.state.{game.rating_state}"))
    return " ".join(filter(None, (known or state, game.title, game.name)))


def read_result(game: PastedGame) -> str:
    """How a game ended, and the player's colour."""
    colour = None if game.colour is None else str(say(f"reading.colour.{game.colour}"))
    return ", ".join(filter(None, (str(say(f"reading.result.{game.result}")), colour)))
