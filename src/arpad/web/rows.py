"""Games as rows of a form, in an address, and from a paste.

In an address a game is one word: `2550gm/FRA@w:?` is rating, title, federation, colour and result. A row of a form has
the opponent, `2550 GM FRA`, and the result as three radios, of which none is chosen for a game to come. A pasted table
becomes rows.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from arpad.core import MOST_GAMES, TITLES
from arpad.errors import BadInput
from arpad.messages import say
from arpad.reading import BYE, FORFEITS, OPEN, RESULTS, read_paste, score_of, split_game, split_games
from arpad.reading.notation import opponent_and_result
from arpad.reading.pasted import NOTATION
from arpad.reading.results import is_plain_result

if TYPE_CHECKING:
    from arpad.reading.pasted import LeftOutLine, Paste, PastedGame

Query = list[tuple[str, str]]
UNRATED_ROW = "open"  # a row that is not rated: a game to come, or one without the opponent's rating
# The fields of a row after the opponent; a form numbers the results, `result-1`, because radios need their own names.
CELLS = ("result", "who")
TO_COME = ("outlook", "season", "need", "expect")  # questions that take games to come
RESULT_WORDS = {score: word for word, score in RESULTS.items() if word in ("win", "draw", "loss")}
# What every one of several games in a row has: a rating, an ID, or that there is none.
OF_AN_OPPONENT = re.compile(r"\d{3,}|unrated", re.IGNORECASE)
SEVERAL = 2
LONGEST_LINE = 4000  # characters of a row; a longer one is not read as several games
# An opponent with title and federation, as people write it, and in our notation.
SPOKEN = re.compile(rf"(\d{{3,4}}s?)\s*({'|'.join(TITLES)})?(?:[\s/,]+([A-Za-z]{{3}}))?(@\w{{1,9}})?", re.IGNORECASE)


class GameRow(NamedTuple):
    """A game as the form shows it."""

    opponent: str = ""
    result: str = OPEN
    who: str = ""

    @property
    def shown(self) -> str:
        """The opponent as people write it: `2550 GM FRA White` for `2550gm/FRA@w`."""
        found = SPOKEN.fullmatch(self.opponent)
        if found is None:
            return self.opponent
        title, federation = ((part or "").upper() for part in found.group(2, 3))
        colour = next((word for word, sign in _colours().items() if sign == found[4]), found[4])
        return " ".join(filter(None, (found[1], title, federation, colour)))


def rows_of(pairs: Query) -> list[GameRow]:
    """The games among some fields as rows; those of events come after the first `event`, and are not among them."""
    rows: list[GameRow] = []
    for name, text in takewhile(lambda pair: pair[0] != "event", pairs):
        if name in ("game", "against", "opponent", UNRATED_ROW):
            opponent, colon, result = text.rpartition(":")
            rows.append(GameRow(opponent, choice(result)) if colon else GameRow(text))
        elif name == "who" and rows:
            rows[-1] = rows[-1]._replace(who=text)
    return rows


def rated_rows(rows: Sequence[GameRow], question: str) -> list[int]:
    """The indices of the rows that are games of the question."""
    return [place for place, row in enumerate(rows) if row.opponent and (row.result != OPEN or question in TO_COME)]


def joined_row(opponent: str, behind: Query, question: str) -> Query:
    """A row's opponent, with the fields after it that belong to the same row, as a game."""
    fields = {name: text for name, text in takewhile(lambda pair: pair[0] in CELLS, behind) if text}
    if not opponent and "who" not in fields:
        return []
    several = _several(opponent, question)
    if several:
        return several
    who, typed = split_game(_notation(opponent))  # the result may have been typed after the opponent
    result = choice(typed) if typed else fields.get("result", OPEN)
    game = opponent if opponent.lower() == BYE else f"{_notation(who)}:{result}"
    to_come = result == OPEN and question not in TO_COME
    if to_come and _is_unclear(opponent):
        to_come, game = False, opponent  # refused where games are read, with the reason
    return [
        (UNRATED_ROW if not opponent or to_come else "game", game),
        *([("who", fields["who"])] if "who" in fields else []),
    ]


def _several(text: str, question: str) -> Query:
    """The games of a row into which several were typed, such as `1950 win, 2010 draw`; none if it holds one.

    Each has its own result: the one chosen beside the row cannot be that of all of them.
    """
    if len(text) > LONGEST_LINE or len(OF_AN_OPPONENT.findall(text)) < SEVERAL:
        return []
    read = PastedText("row", text, read_paste(text))
    if len(read.reading.games) >= SEVERAL and not read.tells_more:
        return read.pairs(to_come=question in TO_COME)
    typed = split_games([text], played=question not in TO_COME)
    if len(typed) < SEVERAL or not all(OF_AN_OPPONENT.search(one) and _is_in_notation(one) for one in typed):
        return []
    return [pair for one in typed for pair in joined_row(one, [], question)]


def _is_in_notation(game: str) -> bool:
    """Whether a game has no words around it: what a comma parts in `won, Elo 1900, DWZ 1850` is one game or none."""
    spoken = SPOKEN.fullmatch(game)
    if spoken is not None and spoken[2]:  # `2480 im pol` is from Poland: no `pol`, half a point
        return True
    opponent, result = opponent_and_result(game)
    if result is not None and not is_plain_result(result):
        return False
    first, blank, behind = opponent.partition(" ")
    return not blank or SPOKEN.fullmatch(behind if first.upper() in TITLES else opponent) is not None


def _is_unclear(text: str) -> bool:
    """Whether a text is about a game and not understood, such as `almost beat 1850`: not a game to come."""
    if len(text) > LONGEST_LINE or " " not in text or not OF_AN_OPPONENT.search(text):
        return False
    reading = read_paste(text)
    return bool(reading.doubtful) and not reading.games


def _notation(opponent: str) -> str:
    """An opponent as people write it, in our notation: `2550gm/FRA` for `2550 GM FRA`."""
    for word, sign in _colours().items():
        if opponent.lower().endswith(f" {word.lower()}"):
            opponent = opponent[: -len(word)].strip() + sign
    found = SPOKEN.fullmatch(opponent.strip())
    if found is None or not (found[2] or found[3]) or (not found[2] and (found[3] or "").lower() in RESULTS):
        return opponent
    federation = f"/{found[3].upper()}" if found[3] else ""
    return f"{found[1]}{(found[2] or '').lower()}{federation}{found[4] or ''}"


def _colours() -> dict[str, str]:
    """The words for the player's own colour, and what our notation has for them."""
    return {str(say(f"reading.colour.{colour}")): f"@{colour[0]}" for colour in ("white", "black")}


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
    def tells_more(self) -> bool:
        """Whether there is something to report besides the games."""
        return bool(self.reading.left_out or self.reading.notes or self.reading.about.stated)

    def pairs(self, *, to_come: bool = False) -> Query:
        """The games for the address, with the opponents' names; also those to come, if the page takes them."""
        return [pair for game in self.reading.games for pair in _pairs(game, to_come=to_come)]


def read_into(at: str, text: str, player: str | None, accepted: Collection[str] = ()) -> PastedText:
    """A pasted text, read for a field of the form; of `accepted` lines the suggested games are taken."""
    accept = [number for number, line in enumerate(text.splitlines(), start=1) if line.strip() in accepted]
    reading = read_paste(text, player=player, accept=accept)
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
