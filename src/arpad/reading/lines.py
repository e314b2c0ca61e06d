"""One line of a message or a typed list: both players of a game, a row of a table, or a sentence.

Whatever the line is, nothing of it is passed over: it is read as a whole or refused with a reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple
from unicodedata import category

from arpad.messages import Message, say
from arpad.reading.clauses import TWO_RATINGS, Refused
from arpad.reading.own_rating import OwnRating, own_rating
from arpad.reading.pasted import PastedGame
from arpad.reading.results import (
    COLOUR_NAMES,
    RESULT_NAMES,
    SIDES,
    Colour,
    Result,
    colour_letters,
    colour_of,
    meaning_of,
)
from arpad.reading.sentences import read_sentence
from arpad.reading.text import fold, same_person
from arpad.reading.tokens import DASHES, Token, tokens_of
from arpad.reading.vocabulary import spoken, words

LONGEST_LINE = 1500  # characters; a longer line is not about games
BOARD = re.compile(r"[0-9]{1,2}\.[0-9]{1,2}")
MOST_FIGURES, FIGURES_A_RATING = 8, 2  # more figures, and more for each rating, are a table without line breaks
CROSS_CELL = re.compile(r"[0-9]{1,3}[^\W\d_][01½+-]?|[WDL][0-9]{1,3}")
SCORE = re.compile(r"[0-9½.,]{1,4}[-–:][0-9½.,]{1,4}")  # such as 2-1, which is not the score of one game
WHOLE_TABLE = say("reading.why.whole_table")
# Words that make a line a sentence and not a row of cells.
SPOKEN = frozenset({"against", "with", "forfeit", "and", "I", "me", "he", "have", "has", "be", "by", "played"})


class LineReading(NamedTuple):
    """The games of a line; or why it was not read, and the games it might be."""

    games: tuple[PastedGame, ...] = ()
    why: Message | None = None
    doubtful: bool = False  # whether it may hold a game
    two_readings: bool = False  # whether it was not read because it can mean two things
    suggestion: tuple[PastedGame, ...] = ()
    own: OwnRating | None = None  # of the writer


def read_own_rating(line: str, letters: Iterable[str] = ()) -> LineReading | None:
    """A line that gives its writer's own rating, with the games beside it; None for any other line.

    Each game has its result: `у меня 1950 и 1800` may be two opponents.
    """
    own = own_rating(tokens_of(line))
    if own is None:
        return None
    if not own.rest:
        return LineReading(own=own) if own.kind != "bare" else None
    try:
        games = read_sentence(own.rest, set(letters))
    except Refused as refused:
        return LineReading((), refused.why, True, refused.two_readings, refused.suggestion)
    return LineReading(games, own=own) if all(game.result != "to-come" for game in games) else None


def read_line(
    line: str, *, player: str | None = None, letters: Iterable[str] = (), counted: bool = False
) -> LineReading:
    """The games of one line.

    `letters` are the colour letters used elsewhere in the same text; `counted` says that its lines begin with a round
    number.
    """
    tokens = tokens_of(line)
    try:
        says_result = any(_means(token, "result") for token in tokens)
        others = sum(token.kind == "word" and token.text[0].islower() for token in tokens) > 1
        is_sentence = (says_result and others) or any(_means(token, *SPOKEN) for token in tokens)
        _refuse_tables(tokens, spoken=is_sentence or says_result)
        if (game := _two_sided(tokens, player)) is not None:
            return LineReading((game,))
        if not is_sentence and _is_row(line, cells := _cells(tokens)):
            return LineReading((_game_in_row(cells, set(letters), counted=counted, separated=_is_separated(line)),))
        _refuse_thousands(tokens, counted=False)
        games = read_sentence(tokens, set(letters))
        if all(game.result == "to-come" for game in games):
            _refuse_a_comment(line, tokens, games)
        return LineReading(games)
    except Refused as refused:
        about_a_game = any(token.kind in ("rating", "sides", "mark") or _means(token, "result") for token in tokens)
        why = refused.why if about_a_game else say("reading.why.not_understood")
        has_figure = any(token.kind in ("rating", "sides", "other") and token.text[0].isdecimal() for token in tokens)
        doubtful = has_figure or any(token.kind == "mark" for token in tokens) or bool(refused.suggestion)
        return LineReading((), why, doubtful, refused.two_readings, refused.suggestion)


def _refuse_tables(tokens: Sequence[Token], *, spoken: bool) -> None:
    """Refuse a row of a crosstable, whose opponents are in other rows, and a table that lost its line breaks."""
    cells = any(CROSS_CELL.fullmatch(token.text) for token in tokens if token.kind in ("other", "word", "number"))
    stars = any(token.text.startswith("*") for token in tokens)
    if (cells and not spoken) or (
        stars and any(token.kind in ("mark", "sides") and token.text != "*" for token in tokens[1:])
    ):
        raise Refused(say("reading.why.crosstable_row"))
    figures = sum(token.text[0].isdecimal() and token.kind in ("number", "other", "mark", "rating") for token in tokens)
    ratings = sum(token.kind == "rating" for token in tokens)
    boards = sum(token.kind == "other" and BOARD.fullmatch(token.text) is not None for token in tokens)
    if boards > 1 or (figures > MOST_FIGURES and figures > FIGURES_A_RATING * ratings):
        raise Refused(WHOLE_TABLE)


def _refuse_a_comment(line: str, tokens: Sequence[Token], games: Sequence[PastedGame]) -> None:
    """Refuse `1850 ✅` and `1850 e`, whose sign or letter may be the result in some language, and `Average 1850`."""
    pictures = [sign for sign in line if category(sign) == "So"]
    letters = [token.text for token in tokens[-1:] if token.kind == "word" and len(token.text) == 1]
    totals = [game.name for game in games if game.name and words("cells").meaning(fold(game.name)) == "total"]
    if pictures or letters or totals:
        raise Refused(say("reading.why.unexplained", words=[*pictures, *letters, *totals]))


def _two_sided(tokens: Sequence[Token], player: str | None) -> PastedGame | None:
    """The game of a line with both players, `me (1523) vs foo (1544) 1-0`; None for any other line."""
    parts = _around_against(tokens) or _around_score(tokens)
    if parts is None:
        return None
    sides = [_side(part) for part in parts]
    own = [place for place, side in enumerate(sides) if side.is_writer]
    if player is not None and not own:
        own = [place for place, side in enumerate(sides) if side.name and same_person(side.name, player)]
    if len(own) != 1:
        raise Refused(say("reading.why.whose_game"), two_readings=True)
    opponent = sides[1 - own[0]]
    score = next((token.text for token in tokens if token.kind == "sides"), "")
    return PastedGame(
        result=SIDES[score][own[0]] if score else "to-come",
        round=_round_of(tokens),
        opponent=opponent.rating,
        rating_state="rated" if opponent.rating is not None else "unrated",
        name=opponent.name,
        title=opponent.title,
        read_from=score,
    )


def _around_against(tokens: Sequence[Token]) -> tuple[Sequence[Token], Sequence[Token]] | None:
    """Both sides of `vs` or a dash right behind the first of two ratings; None if there is none."""
    ratings = [place for place, token in enumerate(tokens) if token.kind == "rating"]
    if len(ratings) != 2 or any(_means(token, "result") for token in tokens):
        return None
    behind = next((at for at in range(ratings[0] + 1, ratings[1]) if tokens[at].kind not in ("open", "close")), None)
    if behind is None or not (_means(tokens[behind], "against") or tokens[behind].text in DASHES):
        return None
    return tokens[:behind], tokens[behind + 1 :]


def _around_score(tokens: Sequence[Token]) -> tuple[Sequence[Token], Sequence[Token]] | None:
    """Both sides of the only score, if a name with a rating is to its left and a name to its right."""
    scores = [place for place, token in enumerate(tokens) if token.kind == "sides"]
    if len(scores) != 1 or any(_means(token, "result", "against") for token in tokens):
        return None
    left, right = tokens[: scores[0]], tokens[scores[0] + 1 :]
    rated = any(token.kind == "rating" for token in left)
    return (left, right) if rated and _has_name(left) and _has_name(right) else None


def _has_name(tokens: Sequence[Token]) -> bool:
    return any(token.kind == "word" and token.text[0].isupper() for token in tokens)


def _means(token: Token, *kinds: str) -> bool:
    """Whether a word does one of these things in some language."""
    return token.kind == "word" and any(kind in kinds for kind in spoken(token.text).values())


@dataclass(frozen=True, slots=True)
class _Side:
    """One of the two players of a line."""

    name: str | None
    title: str | None
    rating: int | None
    is_writer: bool


def _side(tokens: Sequence[Token]) -> _Side:
    """A player from one side of a line: a name, a title, a rating, and nothing else."""
    names: list[str] = []
    titles: list[str] = []
    ratings: list[int] = []
    for token in tokens:
        if token.kind == "word":
            names.append(token.text)
        elif token.text == "," and names:
            names[-1] += ","
        elif token.kind == "title":
            titles.append(token.meaning)
        elif token.kind == "rating":
            ratings.append(int(token.meaning))
    return _Side(
        name=" ".join(names).strip(",") or None,
        title=titles[0] if titles else None,
        rating=ratings[0] if ratings else None,
        is_writer=any(words("sentences").meaning(fold(name)) in ("I", "me") for name in names),
    )


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a row without tabs: what its characters or the vocabulary say."""

    kind: str
    text: str
    meaning: str = ""


def _cells(tokens: Sequence[Token]) -> list[Cell]:
    """The tokens as cells: words for a colour, a bye, `unrated` and the like have their meaning in any language."""
    cells: list[Cell] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        for length in (3, 2, 1):
            phrase = tokens[place : place + length]
            if len(phrase) < length or any(part.kind != "word" for part in phrase):
                continue
            text = " ".join(part.text for part in phrase)
            meaning = meaning_of(text)
            if meaning in ("unrated", "bye", "absent", "empty", "to-come", "forfeit"):
                cells.append(Cell("bye" if meaning in ("absent", "empty") else meaning, text, meaning))
            elif meaning in ("win", "draw", "loss") and length == 1:
                cells.append(Cell("result", text, meaning))
            elif (colour := colour_of(text)) is not None:
                cells.append(Cell("colour", text, colour))
            else:
                continue
            place += length
            break
        else:
            last = cells[-1] if cells else None
            if token.text == "," and last is not None and last.kind == "word":
                cells[-1] = replace(last, text=f"{last.text},")  # `Weber, Hans`
            else:
                cells.append(Cell(token.kind, token.text, token.meaning))
            place += 1
    return cells


def _is_separated(line: str) -> bool:
    return any(sign in line for sign in "\t;|")


def _is_row(line: str, cells: Sequence[Cell]) -> bool:
    """Whether a line without a sentence is a row of a table: with a number in front, separators or a federation."""
    if cells and cells[0].kind == "result" and not _is_separated(line):
        return False  # `beat 1950 IND`
    numbered = len(cells) > 1 and cells[0].kind in ("number", "mark") and cells[0].text.isdecimal()
    return numbered or _is_separated(line) or any(cell.kind == "federation" for cell in cells)


def _game_in_row(cells: Sequence[Cell], letters: set[str], *, counted: bool, separated: bool) -> PastedGame:
    """The game of a row such as `3 Kim 1950 ENG 2,5 w ½`; raises Refused if it can mean two things, or has none."""
    row = [cell for cell in cells if cell.kind not in ("break", "open", "close")]
    _refuse_thousands(row, counted=counted)
    if any(cell.kind == "bye" for cell in row):
        if any(cell.kind == "rating" for cell in row):
            raise Refused(say("reading.why.bye_or_game"), two_readings=True)
        return PastedGame(result="bye", read_from=next(cell.text for cell in row if cell.kind == "bye"))
    place = _opponent_place(row)
    if place is None:
        raise Refused(say("reading.why.no_opponent"))
    before, opponent, behind = row[:place], row[place], row[place + 1 :]
    if not separated:
        # Where only blanks separate the cells, a word is a name if it is written like one.
        strange = [cell.text for cell in row if cell.kind == "word" and cell.text[0].islower()]
        if strange:
            raise Refused(say("reading.why.unexplained", words=strange))
    if len(row) == 2 and row[0].text in ("0", "1") and not counted:  # `1 1850`: a result, or the first round to come
        raise Refused(say("reading.why.round_or_result", mark=row[0].text), two_readings=True)
    result, read_from = _result(row) or _mark(before, behind) or ("to-come", "")
    if any(cell.kind == "other" and SCORE.fullmatch(cell.text) for cell in row):
        raise Refused(say("reading.why.not_understood"))
    titles = [cell.meaning for cell in row if cell.kind == "title"]
    federations = [cell.text for cell in behind if cell.kind == "federation"]
    rated = opponent.kind == "rating"
    return PastedGame(
        result=result,
        round=_round_of(row),
        opponent=int(opponent.meaning) if rated else None,
        rating_state="rated" if rated else "unrated",
        name=_name(before, behind),
        title=titles[0] if titles else None,
        federation=federations[0] if federations else None,
        colour=_colour(before, behind, letters),
        capped=opponent.text.endswith("*"),
        read_from=read_from,
    )


def _refuse_thousands(row: Sequence[Token | Cell], *, counted: bool) -> None:
    """Refuse `1 950 ½`, which may be 1950 or round 1 against 950, unless the lines are numbered by round."""
    for place, (cell, behind) in enumerate(pairwise(row)):
        first, second = cell.text, behind.meaning
        is_short = behind.kind == "rating" and len(second) == len("950")
        if is_short and first in ("1", "2", "3") and (place or not counted):
            key = "thousands" if place else "thousands_or_round"
            raise Refused(say(f"reading.why.{key}", first=first, second=second), two_readings=True)


def _opponent_place(row: Sequence[Cell]) -> int | None:
    """Where the rating is: before the federation, where 0 is unrated; four digits win over three.

    Another rating right before it is FIDE's (0 for none) beside a national one, and refused.
    """
    federation = next((place for place, cell in enumerate(row) if cell.kind == "federation"), 0)
    if federation and (row[federation - 1].kind in ("rating", "unrated") or row[federation - 1].text == "0"):
        found = federation - 1
    else:
        places = [place for place, cell in enumerate(row) if cell.kind in ("rating", "unrated")]
        if len(places) > 1:
            places = [place for place in places if len(row[place].meaning) >= len("1000")] or places
        if not places:
            return None
        if len(places) > 1:
            raise Refused(TWO_RATINGS, two_readings=True)
        found = places[0]
    if found and (row[found - 1].kind in ("rating", "unrated") or row[found - 1].text == "0"):
        raise Refused(TWO_RATINGS, two_readings=True)
    return found


def _result(row: Sequence[Cell]) -> tuple[Result, str] | None:
    """A word for the result at the end of a row: `3 Weber, Hans NOR 1950 win`; elsewhere it may be anything."""
    said = [cell for cell in row if cell.kind == "result"]
    if not said:
        return None
    figures = sum(cell.kind in ("mark", "sides", "number", "other") for cell in row[1:])
    if len(said) > 1 or row[-1].kind != "result" or figures:
        raise Refused(say("reading.why.two_results"), two_readings=True)
    return RESULT_NAMES[row[-1].meaning], row[-1].text


def _mark(before: Sequence[Cell], behind: Sequence[Cell]) -> tuple[Result, str] | None:
    """The result: the score, or the last mark behind the opponent, or else one before that cannot be a round."""
    scores = {cell.text for cell in (*before, *behind) if cell.kind == "sides"}
    if len(scores) > 1:
        raise Refused(say("reading.why.two_results"), two_readings=True)
    for score in scores:
        black = any(cell.kind == "colour" and cell.meaning == "black" for cell in (*before, *behind))
        black = black or any(cell.kind == "letter" and cell.meaning in ("b", "s") for cell in behind)
        own = SIDES[score][0]
        if black and own in ("win", "loss"):
            raise Refused(say("reading.why.whose_score", score=score), two_readings=True)
        return own, score
    marks = [place for place, cell in enumerate(behind) if cell.kind == "mark"]
    if not marks:
        early = [cell for cell in before if cell.kind == "mark" and cell.text not in ("0", "1", "+", "-")]
        return (RESULT_NAMES[early[0].meaning], early[0].text) if early else None
    if len({behind[place].meaning for place in marks}) > 1 and len(marks) > 2:
        raise Refused(say("reading.why.two_results"), two_readings=True)
    mark, between, rest = behind[marks[-1]], behind[: marks[-1]], behind[marks[-1] + 1 :]
    if any(cell.kind in ("letter", "colour") for cell in rest):
        return None  # `1 b`: the points, and the colour of a game to come
    if any(sign.isdecimal() for cell in rest for sign in cell.text):
        raise Refused(say("reading.why.which_number", mark=mark.text), two_readings=True)
    numbered = sum(cell.kind in ("number", "mark") for cell in before) > 1
    has_points = any(
        cell.kind in ("number", "mark", "letter", "colour") or cell.text[:1].isdecimal() for cell in between
    )
    if numbered and mark.text in ("0", "1") and len(marks) == 1 and not has_points:
        raise Refused(say("reading.why.points_or_result", mark=mark.text), two_readings=True)
    return RESULT_NAMES[mark.meaning], mark.text


def _colour(before: Sequence[Cell], behind: Sequence[Cell], letters: set[str]) -> Colour | None:
    """The player's own colour: a word, or a letter."""
    for cell in (*before, *behind):
        if cell.kind == "colour":
            return COLOUR_NAMES[cell.meaning]
    used = {cell.meaning for cell in (*before, *behind) if cell.kind == "letter"} | letters
    meanings = {"b": COLOUR_NAMES["black"], **colour_letters(used)} if "b" in used else colour_letters(used)
    for cell in behind:
        if cell.kind == "letter" and cell.meaning in meanings:
            return meanings[cell.meaning]
    early = [cell.meaning for cell in before if cell.kind == "letter"]
    return meanings.get(early[0]) if len(early) == 1 else None


def _name(before: Sequence[Cell], behind: Sequence[Cell]) -> str | None:
    """The opponent's name: the longest run of words before the rating, or else behind it."""
    has_federation = any(cell.kind == "federation" for cell in behind)
    for cells in (before, [] if has_federation else behind):
        runs: list[list[str]] = [[]]
        for cell in cells:
            inside = bool(runs[-1]) and cell.kind in ("number", "letter") and cell.text[0].isalpha()
            if cell.kind == "word" or inside:
                runs[-1].append(cell.text)
            elif runs[-1]:
                runs.append([])
        longest: list[str] = max(runs, key=len)
        if name := " ".join(longest).strip(":.!,"):
            return name
    return None


def _round_of(row: Sequence[Token | Cell]) -> int | None:
    """The round, if the line names it or begins with its number."""
    for place, cell in enumerate(row):
        if cell.kind == "round" and cell.meaning.isdecimal():
            return int(cell.meaning)
        is_word = cell.kind == "word" and words("sentences").meaning(fold(cell.text)) == "round"
        if is_word and place + 1 < len(row) and row[place + 1].text.strip(".:)").isdecimal():
            return int(row[place + 1].text.strip(".:)"))
    if row and row[0].kind in ("number", "mark") and row[0].text.isdecimal() and row[0].text != "0":
        return int(row[0].text)
    return None
