"""One line of a message or a typed list: both players of a game, a row of a table, or a sentence.

Whatever the line is, nothing of it is passed over: it is read as a whole or refused with a reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple
from unicodedata import category

from arpad.messages import Message, say
from arpad.reading.clauses import Refused, colour_by_letter, game_against
from arpad.reading.own_rating import OwnRating, own_rating
from arpad.reading.pasted import PastedGame
from arpad.reading.results import COLOUR_NAMES, RESULT_NAMES, SCORES, SIDES, Colour, Result, colour_of, meaning_of
from arpad.reading.sentences import read_sentence
from arpad.reading.text import fold, same_person
from arpad.reading.tokens import DASHES, Token, tokens_of
from arpad.reading.vocabulary import result_kind, spoken, words

LONGEST_LINE = 1500  # characters; a longer line is not about games
BOARD = re.compile(r"[0-9]{1,2}\.[0-9]{1,2}")
MOST_FIGURES, FIGURES_A_RATING = 8, 2  # more figures, and more for each rating, are a table without line breaks
CROSS_CELL = re.compile(r"[0-9]{1,3}[^\W\d_][01½+-]?|[WDL][0-9]{1,3}")
SCORE = re.compile(r"[0-9½.,]{1,4}[-–:][0-9½.,]{1,4}")  # such as 2-1, which is not the score of one game
WHOLE_TABLE = say("reading.why.whole_table")
# Words that make a line a sentence and not a row of cells.
SPOKEN = frozenset({"against", "with", "forfeit", "and", "I", "me", "he", "have", "has", "be", "by", "played"})
LONGEST_CELL = 3  # words


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
    says_result = any(_means(token, "result") for token in tokens)
    small_words = sum(token.kind == "word" and token.text[0].islower() for token in tokens)
    is_sentence = (says_result and small_words > 1) or any(_means(token, *SPOKEN) for token in tokens)
    try:
        _refuse_tables(tokens, spoken=is_sentence or says_result)
        if (game := _two_sided(tokens, player)) is not None:
            return LineReading((game,))
        separated = any(sign in line for sign in "\t;|")
        if not is_sentence and _is_row(cells := _cells(tokens), separated=separated):
            game = _game_in_row(cells, set(letters), counted=counted, separated=separated)
            if game.result == "to-come":
                _refuse_a_total(tokens)
            return LineReading((game,))
        _refuse_thousands(tokens, counted=False)
        games = read_sentence(tokens, set(letters))
        if all(game.result == "to-come" for game in games):
            _refuse_a_comment(line, tokens)
        _refuse_a_contradiction(line, games)
        return LineReading(games)
    except Refused as refused:
        kinds = {token.kind for token in tokens}
        about_a_game = says_result or kinds & {"rating", "sides", "mark"}
        why = refused.why if about_a_game else say("reading.why.not_understood")
        has_figure = any(token.kind in ("rating", "sides", "other") and token.text[0].isdecimal() for token in tokens)
        has_round = any(token.kind == "round" for token in tokens[:1]) and len(tokens) > 1  # `R2 frei`
        is_bye = "word" in kinds and any(_means(token, "bye") for token in tokens)
        doubtful = has_figure or has_round or is_bye or "mark" in kinds or bool(refused.suggestion)
        return LineReading((), why, doubtful, refused.two_readings, refused.suggestion)


def _refuse_a_comment(line: str, tokens: Sequence[Token]) -> None:
    """Refuse `1850 ✅` and `1850 e`, whose sign or letter may be the result in some language, and `Average 1850`."""
    _refuse_a_total(tokens)
    pictures = [sign for sign in line if category(sign) == "So"]
    letters = [token.text for token in tokens[-1:] if token.kind == "word" and len(token.text) == 1]
    if pictures or letters:
        raise Refused("unexplained", words=[*pictures, *letters])


def _refuse_a_total(tokens: Sequence[Token]) -> None:
    """Refuse `Average 1850` and `TPR 1850`."""
    if words("cells").meaning(fold(tokens[0].text)) == "total":
        raise Refused("unexplained", words=[tokens[0].text])


def _refuse_a_contradiction(line: str, games: Sequence[PastedGame]) -> None:
    """Refuse `beat 1850 ❌`, whose sign says something else than its words."""
    signs = {sign: words("cells").phrase(sign) for sign in line if category(sign) == "So"}
    said = {f"{game.result}-sign" for game in games}
    if strange := [
        sign for sign, meaning in signs.items() if meaning in ("win-sign", "loss-sign") and meaning not in said
    ]:
        raise Refused("unexplained", words=strange)


def _means(token: Token, *kinds: str) -> bool:
    """Whether a word does one of these things in some language."""
    return token.kind == "word" and any(kind in kinds for kind in spoken(token.text).values())


def _refuse_tables(tokens: Sequence[Token], *, spoken: bool) -> None:
    """Refuse a row of a crosstable, whose opponents are in other rows, and a table that lost its line breaks."""
    cells = any(CROSS_CELL.fullmatch(token.text) for token in tokens if token.kind in ("other", "word", "number"))
    stars = any(token.text.startswith("*") for token in tokens)
    results = any(token.kind in ("mark", "sides") and token.text != "*" for token in tokens[1:])
    if (cells and not spoken) or (stars and results):
        raise Refused("crosstable_row")
    figures = sum(token.text[0].isdecimal() and token.kind in ("number", "other", "mark", "rating") for token in tokens)
    ratings = sum(token.kind == "rating" for token in tokens)
    boards = sum(token.kind == "other" and BOARD.fullmatch(token.text) is not None for token in tokens)
    if boards > 1 or (figures > MOST_FIGURES and figures > FIGURES_A_RATING * ratings):
        raise Refused("whole_table")


def _refuse_thousands(row: Sequence[Token], *, counted: bool) -> None:
    """Refuse `1 950 ½`, which may be 1950 or round 1 against 950, unless the lines are numbered by round."""
    for place, (cell, behind) in enumerate(pairwise(row)):
        is_short = behind.kind == "rating" and len(behind.meaning) == len("950")
        if is_short and cell.text in ("1", "2", "3") and (place or not counted):
            key = "thousands" if place else "thousands_or_round"
            raise Refused(key, first=cell.text, second=behind.meaning)


def _two_sided(tokens: Sequence[Token], player: str | None) -> PastedGame | None:
    """The game of a line with both players, `me (1523) vs foo (1544) 1-0`; None for any other line."""
    middle = _middle(tokens)
    if middle is None:
        return None
    parts = (tokens[:middle], tokens[middle + 1 :])
    sides = [_side(part) for part in parts]
    meant = [any(_is_the_writer(token) for token in part) for part in parts]
    if player is not None and not any(meant):
        meant = [side.name is not None and same_person(side.name, player) for side in sides]
    if meant[0] == meant[1]:
        raise Refused("whose_game")
    own = meant.index(True)
    score = next((token.text for token in tokens if token.kind == "sides"), "")
    result = SIDES[score][own] if score else "to-come"
    return replace(sides[1 - own], result=result, read_from=score, round=_round_of(tokens))


def _middle(tokens: Sequence[Token]) -> int | None:
    """Where two sides meet: at `vs` or a dash right behind the first of two ratings, or at the only score.

    A score has a name with a rating to its left and a name to its right. None if the line has no sides.
    """
    if any(_means(token, "result") for token in tokens):
        return None
    ratings = [place for place, token in enumerate(tokens) if token.kind == "rating"]
    if len(ratings) == len(("left", "right")):
        between = range(ratings[0] + 1, ratings[1])
        behind = next((at for at in between if tokens[at].kind not in ("open", "close")), None)
        if behind is not None and (_means(tokens[behind], "against") or tokens[behind].text in DASHES):
            return behind
    scores = [place for place, token in enumerate(tokens) if token.kind == "sides"]
    if len(scores) != 1 or not ratings or ratings[0] > scores[0] or any(_means(token, "against") for token in tokens):
        return None
    named = [place for place, token in enumerate(tokens) if token.kind == "word" and token.text[0].isupper()]
    return scores[0] if named and named[0] < scores[0] < named[-1] else None


def _side(tokens: Sequence[Token]) -> PastedGame:
    """A game against the player on one side of a line: a name, a title, a rating, and nothing else."""
    names: list[str] = []
    for token in tokens:
        if token.kind == "word":
            names.append(token.text)
        elif token.text == "," and names:
            names[-1] += ","
    game = game_against(next((token for token in tokens if token.kind == "rating"), None))
    return replace(game, name=" ".join(names).strip(",") or None, title=_first(tokens, "title"), capped=False)


def _first(tokens: Sequence[Token], kind: str) -> str | None:
    return next((token.meaning for token in tokens if token.kind == kind), None)


def _is_the_writer(token: Token) -> bool:
    return token.kind == "word" and words("sentences").meaning(fold(token.text)) in ("I", "me")


def _cells(tokens: Sequence[Token]) -> list[Token]:
    """The tokens as cells: words for a colour, a bye, `unrated` and the like have their meaning in any language."""
    cells: list[Token] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        phrases = (tokens[place : place + length] for length in range(LONGEST_CELL, 0, -1))
        found = next((cell for phrase in phrases if (cell := _cell_of(phrase)) is not None), None)
        if found is not None:
            cells.append(found)
            place += len(found.text.split(" "))
            continue
        if token.text == "," and cells and cells[-1].kind == "word":
            cells[-1] = replace(cells[-1], text=f"{cells[-1].text},")  # `Weber, Hans`
        else:
            cells.append(token)
        place += 1
    return cells


def _cell_of(phrase: Sequence[Token]) -> Token | None:
    """The cell that a phrase is; None if it means nothing in a row."""
    if any(token.kind != "word" for token in phrase):
        return None
    text = " ".join(token.text for token in phrase)
    meaning, colour = meaning_of(text), colour_of(text)
    if meaning is not None and (len(phrase) == 1 or meaning not in SCORES):
        return Token(result_kind(meaning), text, meaning)
    return None if colour is None else Token("colour", text, colour)


def _is_row(cells: Sequence[Token], *, separated: bool) -> bool:
    """Whether a line without a sentence is a row of a table: with a number in front, separators or a federation."""
    if separated or not cells:
        return separated
    if cells[0].kind == "result":
        return False  # `beat 1950 IND`
    numbered = len(cells) > 1 and cells[0].kind in ("number", "mark") and cells[0].text.isdecimal()
    return numbered or any(cell.kind == "federation" for cell in cells)


def _game_in_row(cells: Sequence[Token], letters: set[str], *, counted: bool, separated: bool) -> PastedGame:
    """The game of a row such as `3 Kim 1950 ENG 2,5 w ½`; raises Refused if it can mean two things, or has none."""
    row = [cell for cell in cells if cell.kind not in ("break", "open", "close")]
    _refuse_thousands(row, counted=counted)
    kinds = [cell.kind for cell in row]
    if "bye" in kinds:
        if "rating" in kinds:
            raise Refused("bye_or_game")
        return PastedGame(result="bye", read_from=row[kinds.index("bye")].text)
    place = _opponent_place(row)
    before, opponent, behind = row[:place], row[place], row[place + 1 :]
    # Where only blanks separate the cells, a word is a name if it is written like one.
    strange = [cell.text for cell in row if cell.kind == "word" and cell.text[0].islower()]
    if strange and not separated:
        raise Refused("unexplained", words=strange)
    if len(row) == 2 and row[0].text in ("0", "1") and not counted:  # `1 1850`: a result, or the first round to come
        raise Refused("round_or_result", mark=row[0].text)
    result, read_from = _result(row) or _mark(before, behind) or ("to-come", "")
    if any(cell.kind == "other" and SCORE.fullmatch(cell.text) for cell in row):
        raise Refused("not_understood")
    return replace(
        game_against(opponent),
        result=result,
        read_from=read_from,
        round=_round_of(row),
        colour=_colour(before, behind, letters),
        name=_name(before) or (None if "federation" in kinds[place:] else _name(behind)),
        title=_first(row, "title"),
        federation=_first(behind, "federation"),
    )


def _opponent_place(row: Sequence[Token]) -> int:
    """Where the rating is: before the federation, where 0 is unrated; four digits win over three.

    Raises Refused if there is none, or if another rating is right before it: FIDE's (0 for none) beside a national one.
    """
    places = [place for place, cell in enumerate(row) if cell.kind in ("rating", "unrated")]
    federation = next((place for place, cell in enumerate(row) if cell.kind == "federation"), 0)
    if federation and (federation - 1 in places or row[federation - 1].text == "0"):
        found = federation - 1
    else:
        if len(places) > 1:
            places = [place for place in places if len(row[place].meaning) >= len("1000")] or places
        if not places:
            raise Refused("no_opponent")
        if len(places) > 1:
            raise Refused("two_ratings")
        found = places[0]
    if found and (row[found - 1].kind in ("rating", "unrated") or row[found - 1].text == "0"):
        raise Refused("two_ratings")
    return found


def _result(row: Sequence[Token]) -> tuple[Result, str] | None:
    """A word for the result at the end of a row: `3 Weber, Hans NOR 1950 win`; elsewhere it may be anything."""
    said = [cell for cell in row if cell.kind == "result"]
    if not said:
        return None
    figures = any(cell.kind in ("mark", "sides", "number", "other") for cell in row[1:])
    if len(said) > 1 or row[-1] is not said[0] or figures:
        raise Refused("two_results")
    return RESULT_NAMES[said[0].meaning], said[0].text


def _mark(before: Sequence[Token], behind: Sequence[Token]) -> tuple[Result, str] | None:
    """The result: the score, or the last mark behind the opponent, or else one before that cannot be a round."""
    scores = {cell.text for cell in (*before, *behind) if cell.kind == "sides"}
    if len(scores) > 1:
        raise Refused("two_results")
    for score in scores:
        own = SIDES[score][0]
        black = any(cell.kind == "colour" and cell.meaning == "black" for cell in (*before, *behind))
        black = black or any(cell.kind == "letter" and cell.meaning in ("b", "s") for cell in behind)
        if black and own in ("win", "loss"):
            raise Refused("whose_score", score=score)
        return own, score
    marks = [place for place, cell in enumerate(behind) if cell.kind == "mark"]
    if not marks:
        early = next((cell for cell in before if cell.kind == "mark" and cell.text not in ("0", "1", "+", "-")), None)
        return None if early is None else (RESULT_NAMES[early.meaning], early.text)
    if len({behind[place].meaning for place in marks}) > 1 and len(marks) > 2:
        raise Refused("two_results")
    mark, between, rest = behind[marks[-1]], behind[: marks[-1]], behind[marks[-1] + 1 :]
    if any(cell.kind in ("letter", "colour") for cell in rest):
        return None  # `1 b`: the points, and the colour of a game to come
    if any(sign.isdecimal() for cell in rest for sign in cell.text):
        raise Refused("which_number", mark=mark.text)
    numbered = sum(cell.kind in ("number", "mark") for cell in before) > 1
    after_points = any(
        cell.kind in ("number", "mark", "letter", "colour") or cell.text[:1].isdecimal() for cell in between
    )
    if numbered and mark.text in ("0", "1") and not after_points:
        raise Refused("points_or_result", mark=mark.text)
    return RESULT_NAMES[mark.meaning], mark.text


def _colour(before: Sequence[Token], behind: Sequence[Token], letters: set[str]) -> Colour | None:
    """The player's own colour: a word, or a letter."""
    if (colour := _first((*before, *behind), "colour")) is not None:
        return COLOUR_NAMES[colour]
    early, late = ([cell.meaning for cell in part if cell.kind == "letter"] for part in (before, behind))
    meanings = colour_by_letter({*early, *late, *letters})
    found = next((meanings[letter] for letter in late if letter in meanings), None)
    return found or (meanings.get(early[0]) if len(early) == 1 else None)


def _name(cells: Sequence[Token]) -> str | None:
    """The longest run of words."""
    runs: list[list[str]] = [[]]
    for cell in cells:
        inside = bool(runs[-1]) and cell.kind == "letter"  # `Kim W`
        if cell.kind == "word" or inside:
            runs[-1].append(cell.text)
        elif runs[-1]:
            runs.append([])
    longest: list[str] = max(runs, key=len)
    return " ".join(longest).strip(":.!,") or None


def _round_of(row: Sequence[Token]) -> int | None:
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
