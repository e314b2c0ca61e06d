"""Arpad's notation for games, shared by every door: `1950:win`, `1950@w`, `bye`; and what people type instead.

Several games typed together are split first; a game is split into opponent, colour and result.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import TYPE_CHECKING

from arpad.core import DRAW, LOSS, TITLES, UNRATED, Colour, Game, How, Pairing, Player, as_title
from arpad.core.players import FEDERATIONS
from arpad.errors import BadInput
from arpad.messages import say
from arpad.reading.players import plain_opponent
from arpad.reading.results import BYE, FORFEITS, OPEN, UNRATED_WORD, colour_of, is_plain_result, is_result, score_of
from arpad.reading.text import fold, plain

if TYPE_CHECKING:
    from arpad.messages import Message
    from arpad.reading.lines import LineReading
    from arpad.reading.pasted import PastedGame


COLOURS: dict[str, Colour] = {"w": "white", "white": "white", "b": "black", "black": "black"}
EXAMPLE = "1950"
SHORTEST_RATING = 3  # digits
LONGEST_SENTENCE = 300  # characters; a longer text is not one game
# Why a sentence is no game, where that helps more than how to write one.
SAID = tuple(f"reading.why.{why}" for why in ("negated", "perhaps", "unofficial", "count", "no_result_here"))
NUMBERS = ("1", "0")  # a word on its own that could also begin a rating
SEVERAL = 2  # opponents in a sentence, and at least as many words around them
LETTERS, FIGURES = re.compile(r"[^\W\d_]+"), re.compile(r"\d{3,4}")
COLOUR_WORDS = ("b", "black", "white")  # a w on its own is a win, unless a result follows it
GAME_WORDS = (*COLOUR_WORDS, BYE, UNRATED_WORD)
POINTS = r"(1/2|0[.,]5|[10½=])"
BOTH_SCORES = re.compile(rf"(?:^|(?<=[\s:])){POINTS}\s?[-:–—−]\s?{POINTS}(?![\w.,/])")
HALF = re.compile(r"(?:^|(?<=[:\s]))([01]),([05])(?![\w:/@])")
THOUSANDS = re.compile(r"([1-3])[ ,']([0-9]{3})(?=$|[ :@])")  # at the beginning of a game: 2 103, 2,103

# A name of two parts, and a name before an ID. Their lengths are bounded, so that a long line costs no more than that.
WHOLE_NAME = re.compile(r"(?<![^\s;])[^\W\d_][^\d@:;,]{0,80},\s{0,9}[^\W\d_][^\d@:;,]{0,80}(?:(?<!\s)[:@]\S*)?")
NAME_BEFORE_ID = re.compile(r"(?<![^\s,;])[^\W\d_][^\d@:;,]{0,80}(?:,[^\d@:;,]{0,80})?(?=@\d)")


def parse_game(text: str, *, at: str | None = None) -> Game:
    """`1950:win`, `1950 win`, `unrated:½`, `2100s:0`, `1400/30:win@w` with your colour, a forfeit `1950:+`, `bye`.

    Sentences work too: `won against 1950`, `½-½ vs Müller 2103`, `Remis mit Schwarz gegen 1877`. Raises BadInput,
    with the way to write it, for anything else.
    """
    at = at or f"game '{text}'"
    game, colour = _without_colour(text, at)
    if game.lower() == BYE:
        return Game(UNRATED, LOSS, "bye")
    opponent, result = opponent_and_result(game)
    if result is None:
        return _sentence_as_game(text, game, at)
    if result in FORFEITS:
        return Game(parse_opponent(opponent, at=at), FORFEITS[result], "forfeit")
    score = score_of(result)
    if score is None:
        raise BadInput(say("reading.not_a_result", result=result), at=at)
    if colour == "black" and "-" in result and score != DRAW:
        raise BadInput(say("reading.whose_score", score=result), at=at)
    return Game(parse_opponent(opponent, at=at), score, colour=colour)


def _without_colour(text: str, at: str) -> tuple[str, Colour | None]:
    """A game without its `@w` or `@b` (or the b of `1950 b 1`), and the colour."""
    text = plain(text).strip()
    sign = text.find("@", 1)  # an ID begins with one
    if sign < 0:
        match text.split():
            case [opponent, colour, result] if colour.lower() in COLOURS and is_result(result):
                return f"{opponent} {result}", COLOURS[colour.lower()]
        return text, None
    colour, *behind = re.split(r"(?=[:\s])", text[sign + 1 :].lstrip(), maxsplit=1)
    if colour.lower() not in COLOURS:
        raise BadInput(say("reading.not_a_colour", colour=colour), at=at)
    return f"{text[:sign]}{''.join(behind)}", COLOURS[colour.lower()]


def _sentence_as_game(text: str, game: str, at: str) -> Game:
    """A game in words; otherwise an error that shows how to write it."""
    read = _in_words(game)
    if read is not None and read.result == "bye":
        return Game(UNRATED, LOSS, "bye")
    if read is None or read.result == "to-come" or read.rating_state == "unknown":
        how_to = _why_not(game) or say("reading.why.write", example=_guess(game))
        raise BadInput(say("reading.not_a_game", text=text.strip(), how_to=how_to), at=at)
    how: How = "forfeit" if read.result.startswith("forfeit") else "played"
    score = score_of(read.result.removeprefix("forfeit-")) or LOSS
    return Game(_read_opponent(read), score, how, colour=None if how == "forfeit" else read.colour)


def _why_not(text: str) -> Message | None:
    """Why a sentence about a game is not one, where that helps more than how to write it."""
    reading = _line(text)
    helps = reading and reading.why and (reading.two_readings or reading.why.key in SAID)
    return reading.why if reading and helps else None


def _in_words(text: str) -> PastedGame | None:
    """The game that a sentence is about; None unless it is about exactly one."""
    reading = _line(text)
    return reading.games[0] if reading and len(reading.games) == 1 else None


def _line(text: str) -> LineReading | None:
    """A text read as a sentence about a game; None if it is a single word of the notation, or too long."""
    text = plain(text).strip()
    if len(text) > LONGEST_SENTENCE or (" " not in text and text.isascii() and text.isalnum()):
        return None
    from arpad.reading.lines import read_line

    return read_line(text)


def _guess(text: str) -> str:
    """What a game written without a colon was probably meant to be."""
    digits = "".join(takewhile(str.isdecimal, text))
    typed = text[len(digits) :].strip(" /_.").lower()
    results = (result for result in (typed, typed.strip("-=")) if is_result(result) and result not in FORFEITS)
    return f"{digits if len(digits) >= SHORTEST_RATING else EXAMPLE}:{next(results, 'win')}"


def _read_opponent(read: PastedGame) -> Player:
    """The opponent of a game that was read from words."""
    return Player(read.opponent, title=as_title(read.title), name=read.name)


def parse_pairing(text: str, *, at: str | None = None) -> Pairing:
    """A game, played or still to be played: `1950`, `1950:?`, `1950@w` with White; anything that `parse_game` takes.

    Raises BadInput for anything else.
    """
    at = at or f"game '{text}'"
    game, colour = _without_colour(text, at)
    opponent, result = opponent_and_result(game)
    if opponent.lower() != BYE and result in (None, OPEN):
        read = _in_words(game) if result is None else None
        if read is None or read.rating_state == "unknown":
            try:
                return Pairing(parse_opponent(opponent, at=at), colour=colour)
            except BadInput:
                if (why := _why_not(game)) is None:
                    raise
                raise BadInput(say("reading.not_a_game", text=text.strip(), how_to=why), at=at) from None
        if read.result == "to-come":
            return Pairing(_read_opponent(read), colour=colour or read.colour)
    played = parse_game(text, at=at)
    return Pairing(played.opponent, played.score, played.colour, played.how)


def parse_opponent(text: str, *, at: str | None = None) -> Player:
    """`1950`, `unrated`, `2450gm/GER`, `1400/30`, `2100s`; also `GM 2450`, `Müller (2103)`.

    Raises BadInput for anything else.
    """
    try:
        return plain_opponent(text, at=at)
    except BadInput:
        in_words = any(letter.isalpha() for letter in text) and not set("@:/") & set(text)
        read = _in_words(text) if in_words else None
        if read is None or read.result != "to-come" or read.rating_state != "rated":
            raise
        return _read_opponent(read)


def split_game(game: str) -> tuple[str, str | None]:
    """The opponent and the result of a game as it was typed; None if there is no result.

    It may be typed as `1950:win`, `1950 win`, `win 1950`, `won against 1950` or `½-½ vs Müller 2103`.
    """
    opponent, result = opponent_and_result(game)
    if result is None and (read := _in_words(game)) is not None and read.notation is not None:
        who, colon, said = read.notation.rpartition(":")
        if colon:
            return f"{read.title} {who}" if read.title in TITLES else who, said
    return opponent, result


def opponent_and_rest(text: str) -> tuple[str, str]:
    """The opponent, and what follows: a colour, a result, both or nothing."""
    who, result = split_game(text)
    sign = who.rfind("@")
    if sign < 1 or who[sign + 1 : sign + 2].isdecimal():  # an ID begins with one, and may follow the name
        sign = len(who)
    who, colour = who[:sign], who[sign:]
    return who, f"{colour}{'' if result is None else f':{result}'}"


def opponent_and_result(game: str) -> tuple[str, str | None]:
    """The opponent and the result of `1950:win`, `1950 win` or `win 1950`; None if there is no result.

    A name keeps its blanks, as the D of `Holm D` is not a draw: only a colon separates it from the result.
    """
    opponent, colon, result = _with_joined_scores(plain(game).strip()).rpartition(":")
    if colon:
        return opponent.strip(), result.strip().lower()
    *before, last = result.split() or [""]
    is_name = last.istitle() and len(before) > 1 and before[-1][0].isalpha()  # the Won of `1950 Kim Won`
    if before and _is_number(before[0]) and is_result(last) and not is_name and _is_opponent(before):
        return " ".join(before), last.lower()
    if len(before) == 1 and before[0] not in NUMBERS and is_result(before[0]) and _is_number(last):
        return last, before[0].lower()
    return result, None


def _is_opponent(words: list[str]) -> bool:
    """Whether words may be an opponent: `1950`, `1950 GM FRA` or `1950 b`, not the `1950 hat mich` of a sentence."""
    behind = [word for word in words[1:] if word.isalpha()]
    return words[0][0] == "@" or all(
        as_title(word.upper()) or word in FEDERATIONS or word.lower() in COLOURS or colour_of(word) for word in behind
    )


def _with_joined_scores(game: str) -> str:
    """The game with both scores in one word: `1950 1 : 0` becomes `1950 1-0`."""
    return game if game.replace(":", "", 1).isalnum() else BOTH_SCORES.sub(r"\1-\2", game)


def _is_number(word: str) -> bool:
    """Whether a word begins like a rating or an ID, or is `unrated`."""
    return word[:1].isdecimal() or word[:1] == "@" or word.lower().startswith(UNRATED_WORD)


def split_games(words: Iterable[str], *, played: bool = False) -> list[str]:
    """Games or opponents as they were typed, split at commas, semicolons and spaces.

    The comma of `Carlsen, Magnus:win` and of `1950:0,5` stays; `1950 win` is `1950:win`, and `1950 b ½` is `1950@b:½`.
    If all games were `played`, every opponent has a result, and the 1 of `1950 1` is one. If not, an opponent behind a
    game in words, `beat 1950, 1800`, may be in that sentence or still to come: it stays there, and nobody reads it.
    """
    games: list[str] = []
    leading: list[str] = []  # the words before an opponent: `won against`, `GM`
    loose = False  # whether the last game ends in a separate w, which may be the colour
    told = False  # whether the last game is in words, and this is the same text
    for word in words:
        told = told and " " not in word
        for piece in _told(plain(word)) or _pieces(plain(word)):
            fits = games and not leading and (played or piece not in NUMBERS)
            if fits and loose and is_result(piece):
                games[-1] = f"{games[-1][: -len(':w')]}@w:{piece}"
                loose = False
            elif fits and (joined := _joined(games[-1], piece)):
                games[-1] = joined
                loose = piece.lower() == "w"
            elif _belongs_to_next(piece, leading):
                leading.append(piece)
            elif told and not leading and split_game(piece)[1] is None:
                games[-1] = f"{games[-1]}, {piece}"
            else:
                games.append(" ".join([*leading, piece]))
                leading, loose, told = [], False, not played and _is_in_words(games[-1])
    return [*games, " ".join(leading)] if leading else games


def _is_in_words(game: str) -> bool:
    """Whether a game has a result in words, `beat 1950`, and not in the notation, `1950 win`."""
    if " " not in game or split_game(game)[1] is None:
        return False
    return opponent_and_result(game)[1] is None or not _is_number(game)


def _told(text: str) -> list[str]:
    """The games of a sentence with one verb for several, `beat 1905 and 1820`, in the notation; none of any other."""
    if len(text) > LONGEST_SENTENCE or "," in text or len(FIGURES.findall(text)) < SEVERAL:
        return []
    spoken = [word for word in LETTERS.findall(text) if not is_plain_result(word) and word.lower() not in GAME_WORDS]
    if len(spoken) < SEVERAL:
        return []
    reading = _line(text)
    games = reading.games if reading else ()
    told = [game.notation or "" for game in games if game.result != "to-come"]
    return told if len(told) == len(games) >= SEVERAL and all(told) else []


def _pieces(word: str) -> Iterator[str]:
    """The games in one word; a space separates them too, unless it is within a game or a name."""
    if word.replace(":", "", 1).isalnum():  # nothing that could separate
        yield word
        return
    for part in map(_with_joined_scores, _at_commas(word)):
        pieces = THOUSANDS.sub(r"\1\2", part, count=1).split() if THOUSANDS.match(part) else part.split()
        opponents = [piece for piece in pieces if piece.lower() == BYE or (_is_number(piece) and not is_result(piece))]
        behind = [piece for piece in pieces if piece not in opponents]
        several = len(opponents) > 1 and all(is_result(piece) or piece.lower() in COLOUR_WORDS for piece in behind)
        yield from pieces if several else [part]


def _at_commas(word: str) -> Iterator[str]:
    """A word split at its commas; a surname and a forename stay together, and so do `0,5` and `1,950`."""
    if THOUSANDS.fullmatch(word.strip()):
        yield word.strip()
        return
    if "," in word:
        word = HALF.sub(r"\1.\2", word)
    surname = ""
    for part in word.replace(";", ",").split(","):
        whole = f"{surname},{part}" if surname else part
        surname = "" if surname or not _is_surname(part) else whole
        if whole.strip() and not surname:
            yield whole.strip()
    if surname:
        yield surname.strip()


def _is_surname(part: str) -> bool:
    """Whether a part may be a surname whose forename follows."""
    part = part.strip()
    if not part[:1].isalpha() or any(letter.isdecimal() for letter in part):
        return False
    no_opponent = part.lower() == BYE or part.lower().startswith(UNRATED_WORD)
    return opponent_and_result(part)[1] is None and not is_plain_result(part) and not no_opponent


def _joined(game: str, piece: str) -> str | None:
    """An opponent joined with the word after: the player's colour, a colon or the result; None for any other word."""
    opponent, colon, behind = game.partition(":")
    if not _is_number(opponent) or behind.strip() or (not colon and opponent_and_result(game)[1] is not None):
        return None
    if is_result(piece):
        return f"{opponent}:{piece}"
    if piece == ":" and not colon:
        return f"{opponent}:"
    return f"{opponent}@{piece[0].lower()}" if piece.lower() in COLOUR_WORDS and "@" not in opponent[1:] else None


def _belongs_to_next(piece: str, leading: list[str]) -> bool:
    """Whether a word belongs to the opponent after it: a result, or `against` after one."""
    if not piece.isalpha():
        return False
    if leading:
        from arpad.reading.vocabulary import words

        return words("sentences").meaning(fold(piece)) == "against"
    return is_result(piece)


def typed_words(line: str) -> list[str]:
    """The words of a line of several games or opponents, for `split_games`.

    `Kovarik, Tomasz` is one word; a name before an ID is only for the reader, and left out.
    """
    line = NAME_BEFORE_ID.sub(lambda found: "".join(f"{word} " for word in _before_name(found[0])), line)
    words: list[str] = []
    end = 0
    for found in WHOLE_NAME.finditer(line):
        before = _before_name(found[0])
        name = " ".join(found[0].split()[len(before) :])
        words += [*line[end : found.start()].split(), *before, *([name] if "," in name else name.split())]
        end = found.end()
    return [*words, *line[end:].split()]


def _before_name(text: str) -> list[str]:
    """The words before the name that still belong to the previous game."""
    words = text.split()
    first = next((place for place, word in enumerate(words) if not is_game_word(word.strip(","))), len(words))
    return words[:first]


def is_game_word(word: str) -> bool:
    """Whether a word is a result, a colour, a bye or `unrated`, and not a name."""
    return is_result(word) or word.lower() in GAME_WORDS
