"""Arpad's notation for games, shared by every door: `1950:win`, `1950@w`, `bye`; and what people type instead."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from arpad.core import (
    DRAW,
    LOSS,
    MOST_GAMES,
    TITLES,
    UNRATED,
    Field,
    Game,
    Pairing,
    Player,
    number,
    rating_of,
    refused,
    whole_of,
)
from arpad.errors import BadInput
from arpad.messages import say
from arpad.reading.characters import plain
from arpad.reading.opponents import plain_opponent
from arpad.reading.results import BYE, FORFEITS, OPEN, is_result, score_of
from arpad.reading.splitting import opponent_and_result

if TYPE_CHECKING:
    from arpad.reading.pasted import PastedGame
    from arpad.reading.sentences import LineReading

MOST_SPREAD = 1000
COLOURS = {"w": "white", "white": "white", "b": "black", "black": "black"}
EXAMPLE = "1950"
SHORTEST_RATING = 3  # digits
LONGEST_SENTENCE = 300  # characters; a longer text is not one game


def parted(game: str) -> tuple[str, str | None]:
    """The opponent and the result of a game as it was typed; None if there is no result.

    It may be typed as `1950:win`, `1950 win`, `win 1950`, `won against 1950` or `½-½ vs Müller 2103`.
    """
    opponent, result = opponent_and_result(game)
    if result is None and (read := _in_words(game)) is not None and read.notation is not None:
        who, colon, said = read.notation.rpartition(":")
        return (_with_title(who, read), said) if colon else (opponent, None)
    return opponent, result


def _with_title(who: str, read: PastedGame) -> str:
    return f"{read.title} {who}" if read.title in TITLES else who


def parse_opponent(text: str, *, at: str | None = None) -> Player:
    """`1950`, `unrated`, `2450gm/GER`, `1400/30`, `2100s`; also `GM 2450`, `Müller (2103)`."""
    try:
        return plain_opponent(text, at=at)
    except BadInput:
        in_words = any(letter.isalpha() for letter in text) and not set("@:/") & set(text)
        read = _in_words(text) if in_words else None
        if read is None or read.result != "to-come" or read.rating_state != "rated":
            raise
        return _read_opponent(read)


def parse_game(text: str, *, at: str | None = None) -> Game:
    """`1950:win`, `1950 win`, `unrated:½`, `2100s:0`, `1400/30:win@w` with your colour, a forfeit `1950:+`, `bye`.

    Sentences work too: `won against 1950`, `½-½ vs Müller 2103`, `Remis mit Schwarz gegen 1877`.
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


def _line(text: str) -> LineReading | None:
    """A text read as a sentence about a game; None if it is a single word of the notation, or too long."""
    text = plain(text).strip()
    if len(text) > LONGEST_SENTENCE or (" " not in text and text.isascii() and text.isalnum()):
        return None
    from arpad.reading.sentences import read_line

    return read_line(text)


def _in_words(text: str) -> PastedGame | None:
    """The game that a sentence is about; None unless it is about exactly one."""
    reading = _line(text)
    return reading.games[0] if reading and len(reading.games) == 1 and reading.why is None else None


def _sentence_as_game(text: str, game: str, at: str) -> Game:
    """A game in words; otherwise an error that shows how to write it."""
    read = _in_words(game)
    if read is not None and read.result == "bye":
        return Game(UNRATED, LOSS, "bye")
    if read is None or read.result == "to-come" or read.rating_state == "unknown":
        reading = _line(game)
        asked = reading.why if reading and (reading.two_readings or reading.games) else None
        how_to = asked or say("reading.why.write", example=_guess(game))
        raise BadInput(say("reading.not_a_game", text=text.strip(), how_to=how_to), at=at)
    how = "forfeit" if read.result.startswith("forfeit") else "played"
    score = score_of(read.result.removeprefix("forfeit-")) or LOSS
    return Game(_read_opponent(read), score, how, colour=None if how == "forfeit" else read.colour)


def _read_opponent(read: PastedGame) -> Player:
    """The opponent of a game that was read from words."""
    return Player(read.opponent, title=read.title if read.title in TITLES else None, name=read.name)


def _guess(text: str) -> str:
    """What a game written without a colon was probably meant to be."""
    digits = "".join(takewhile(str.isdecimal, text))
    typed = text[len(digits) :].strip(" /_.").lower()
    results = (result for result in (typed, typed.strip("-=")) if is_result(result) and result not in FORFEITS)
    return f"{digits if len(digits) >= SHORTEST_RATING else EXAMPLE}:{next(results, 'win')}"


def parse_pairing(text: str, *, at: str | None = None) -> Pairing:
    """A game, played or still to be played: `1950`, `1950:?`, `1950@w` with White."""
    at = at or f"game '{text}'"
    game, colour = _without_colour(text, at)
    opponent, result = opponent_and_result(game)
    if opponent.lower() != BYE and result in (None, OPEN):
        read = _in_words(game) if result is None else None
        if read is None or read.rating_state == "unknown":
            return Pairing(parse_opponent(opponent, at=at), colour=colour)
        if read.result == "to-come":
            return Pairing(_read_opponent(read), colour=colour or read.colour)
    played = parse_game(text, at=at)
    return Pairing(played.opponent, played.score, played.colour, played.how)


def _without_colour(text: str, at: str) -> tuple[str, str | None]:
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


def parse_field(average: Any, spread: Any, rounds: Any, *, at: str | None = None) -> tuple[Pairing, ...]:
    """The games of an open known by its average rating, spread (standard deviation) and rounds; none if not given."""
    if average is None:
        if spread is not None or rounds is not None:
            raise BadInput(say("reading.field_average"), at=at)
        return ()
    wide = number(0 if spread is None else spread, "spread", low=0, high=MOST_SPREAD, at=at)
    if not 0 <= wide <= MOST_SPREAD:
        raise refused(spread, "spread", low=0, high=MOST_SPREAD, at=at)
    if rounds is None:
        raise BadInput(say("reading.field_rounds"), at=at)
    games = whole_of(rounds, "rounds", 1, MOST_GAMES, at=at)
    return (Pairing(Field(rating_of(average, at=at), wide)),) * games


def parts_of(text: str) -> tuple[str, str]:
    """The opponent, and what follows: a colour, a result, both or nothing."""
    who, result = parted(text)
    sign = who.rfind("@")
    if sign < 1 or who[sign + 1 : sign + 2].isdecimal():  # an ID begins with one, and may follow the name
        sign = len(who)
    who, colour = who[:sign], who[sign:]
    return who, f"{colour}{'' if result is None else f':{result}'}"
